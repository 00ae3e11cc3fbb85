//! What the TOML reader objects to, in the words of docs/scenes.md.

use super::error::{Fault, Problem};

/// The reader's words and ours.
const WORDS: [(&str, &str); 10] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    ("unexpected keys in table:", "unknown key"),
    (", available keys:", ", expected"),
    ("unknown variant", "unknown shape"),
    ("expected f64", "expected a number"),
    ("expected u32", "expected a whole number"),
    ("expected path string", "expected a file name in quotes"),
    ("wanted exactly 1 element, more than 1 element", "a body has one shape, not several"),
    ("invalid type: unit variant, expected newtype variant", "the shape lacks its measures"),
];

/// The reader's objection at its place.
pub(super) fn fault(error: &toml::de::Error) -> Fault {
    let ours = WORDS
        .iter()
        .fold(error.message().to_string(), |text, (theirs, ours)| text.replace(theirs, ours));
    Fault::new(Problem::Format(ours), error.span().unwrap_or(0..0))
}

/// Advice on an objection, if there is more to say than it says itself.
pub(super) fn advice(message: &str) -> Option<&'static str> {
    let says = |phrase: &str| message.contains(phrase);
    if says("map, expected a sequence") {
        Some("write `[[body]]` with two brackets for each body")
    } else if says("duplicate key") {
        Some("keep one of the two")
    } else if says("lacks its measures") || says("one shape") {
        Some("write a shape as `shape = { box = { size = [1, 1, 1] } }`")
    } else if ["invalid", "unknown", "missing"].into_iter().any(says) {
        Some("docs/scenes.md explains every key with an example")
    } else {
        None
    }
}
