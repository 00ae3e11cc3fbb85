//! `--report FILE.html`: one page with everything on it, which works from a file and without a network.
//!
//! ```text
//! results -> Document -> JSON ┐
//! page/*.html, *.css, *.js ───┴> one file
//! ```
//!
//! The script of the page is our own and part of this crate: no other is fetched or embedded. Its
//! modules are those of the playground too. Meshes are in the file once and poses for each frame;
//! `page/model.js` unpacks them. What would make a page slow is left out or made coarser, and the
//! page says so.

mod collide;
mod curves;
mod data;
mod encode;
mod limits;
mod mesh;
mod reel;
mod room;
mod scales;
mod screen;
mod script;
mod simulate;
mod stills;
mod thin;
mod trace;

pub use collide::{collide, parts};
pub use reel::Reel;
pub use simulate::simulate;
pub use trace::trace;

use data::Document;
pub(crate) use encode::inside_script;
use encode::{escaped, spelt_out};

use crate::table::plain;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

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
    fn of(document: &Document, summary: &str) -> Self {
        let json = serde_json::to_string(document).expect("a document has no keys but text");
        Self {
            title: escaped(&plain(document.title)),
            summary: escaped(summary),
            data: inside_script(&spelt_out(&json)),
        }
    }
}

/// The page of a document.
fn page(found: &Parts) -> String {
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
pub(crate) fn filled(text: &str, parts: &[(&str, String)]) -> String {
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
