//! Pages to look at and to send on: bodies in motion and what happens to them, in one file that
//! works from a disk and without a network.
//!
//! ```text
//! what a program found -> Document -> JSON ┐
//! page/*.html, *.css, *.js ────────────────┴> one file
//! ```
//!
//! The script of the page is our own and part of this crate: no other is fetched or embedded.
//! Its modules are those of the playground too. Meshes are in the file once and poses for each
//! frame; `page/model.js` unpacks them. What would make a page slow is left out or made coarser,
//! and the page says so.
//!
//! [`page()`] writes the [`Parts`] of any [`Document`]; [`pair`] makes that of
//! two bodies.

pub mod contacts;
pub mod data;
pub mod encode;
pub mod frame;
pub mod limits;
pub mod mesh;
pub mod pair;
pub mod scales;
mod script;
pub mod stills;
pub mod surfaces;
mod thin;
pub mod words;

use data::Document;
use encode::{escaped, inside_script, spelt_out};
use words::plain;

const PAGE: &str = include_str!("page/page.html");

/// The style sheet of pages.
pub const STYLE: &str = include_str!("page/style.css");

/// What a page says, ready for its places.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The title, escaped.
    pub title: String,
    /// A line under it, escaped.
    pub summary: String,
    /// JSON that ends no script.
    pub data: String,
}

impl Parts {
    /// What a document says, with a line that sums it up.
    pub fn of(document: &Document, summary: &str) -> Self {
        let json = serde_json::to_string(document).expect("a document has no keys but text");
        Self {
            title: escaped(&plain(document.title)),
            summary: escaped(summary),
            data: inside_script(&spelt_out(&json)),
        }
    }
}

/// The page of a document.
///
/// *Accepts* the parts of any document. *Guarantees* one whole file that needs no other, in which
/// no name ends a tag or a script; the same bytes for the same input. *Cost* linear. *Fails* never.
pub fn page(found: &Parts) -> String {
    let parts = [
        ("title", found.title.clone()),
        ("summary", found.summary.clone()),
        ("style", STYLE.to_string()),
        ("bar", String::new()),
        ("panel", String::new()),
        ("data", found.data.clone()),
        ("script", script::script()),
    ];
    filled(PAGE, &parts)
}

/// The text with `{{name}}` replaced by the part of that name; parts are taken as they are.
pub fn filled(text: &str, parts: &[(&str, String)]) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").expect("the page closes what it opens");
        let (_, part) = parts.iter().find(|(key, _)| *key == name).expect("the page names parts");
        out.push_str(before);
        out.push_str(part);
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_taken_as_they_are() {
        let parts = [("a", "{{b}} $1".to_string()), ("b", "x".to_string())];
        assert_eq!(filled("<{{a}}|{{b}}>", &parts), "<{{b}} $1|x>");
    }

    #[test]
    fn the_script_of_the_page_fetches_nothing() {
        let all = [PAGE, STYLE].into_iter().chain(script::MODULES);
        for word in ["http:", "https:", "import(", "fetch(", "XMLHttp", "</script><"] {
            assert!(all.clone().all(|text| !text.contains(word)), "{word}");
        }
    }
}
