//! `--report FILE.html`: one page with everything on it, which works from a file and without a network.
//!
//! ```text
//! results -> Document -> JSON ┐
//! page/*.html, *.css, *.js ───┴> one file
//! ```
//!
//! The script of the page is our own and part of this crate: no other is fetched or embedded. Meshes are in
//! the file once and poses for each frame; `page/model.js` unpacks them. What would make a page slow is
//! left out or made coarser, and the page says so.

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
mod simulate;
mod stills;
mod thin;
mod trace;

pub use collide::collide;
pub use reel::Reel;
pub use simulate::simulate;
pub use trace::trace;

use data::Document;
use encode::{escaped, inside_script, spelt_out};

use crate::table::plain;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The script in parts, each of which uses those before it.
const SCRIPT: [&str; 16] = [
    include_str!("page/motion.js"),
    include_str!("page/model.js"),
    include_str!("page/camera.js"),
    include_str!("page/viewer.js"),
    include_str!("page/gestures.js"),
    include_str!("page/plots.js"),
    include_str!("page/pixels.js"),
    include_str!("page/screen.js"),
    include_str!("page/table.js"),
    include_str!("page/explain.js"),
    include_str!("page/space.js"),
    include_str!("page/ground.js"),
    include_str!("page/parts.js"),
    include_str!("page/input.js"),
    include_str!("page/page.js"),
    include_str!("page/outside.js"),
];

/// The page of a document.
fn page(document: &Document, summary: &str) -> String {
    let json = serde_json::to_string(document).expect("a document has no keys but text");
    let script = format!("(() => {{\n\"use strict\";\n{}\nstart();\n}})();", SCRIPT.concat());
    let parts = [
        ("title", escaped(&plain(document.title))),
        ("summary", escaped(summary)),
        ("style", STYLE.to_string()),
        ("data", inside_script(&spelt_out(&json))),
        ("script", script),
    ];
    filled(PAGE, &parts)
}

/// The text with `{{name}}` replaced by the part of that name; parts are taken as they are.
fn filled(text: &str, parts: &[(&str, String)]) -> String {
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
        let all = [PAGE, STYLE].into_iter().chain(SCRIPT);
        for word in ["http:", "https:", "import(", "fetch(", "XMLHttp", "</script><"] {
            assert!(all.clone().all(|text| !text.contains(word)), "{word}");
        }
    }
}
