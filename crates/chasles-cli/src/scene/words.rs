//! What the TOML reader objects to, in the words of docs/scenes.md.

use super::error::{Fault, Problem};

/// The reader's words and ours.
const WORDS: [(&str, &str); 14] = [
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    ("unexpected keys in table:", "unknown key"),
    (", available keys:", ", expected"),
    ("unknown variant", "unknown shape"),
    ("expected f64", "expected a number"),
    ("expected u32", "expected a positive whole number"),
    ("expected usize", "expected a positive whole number"),
    ("expected path string", "expected a file name in quotes"),
    ("wanted exactly 1 element, more than 1 element", "a body has one shape, not several"),
    ("wanted exactly 1 element, found 0 elements", "the shape lacks its name"),
    ("invalid type: map, expected a sequence", "this is one table, but must be a list of tables"),
    ("cannot recurse further; max recursion depth met", "this is nested too deeply"),
    ("invalid type: unit variant, expected newtype variant", "the shape lacks its measures"),
];

/// The reader's objection at its place.
pub(super) fn fault(error: &toml::de::Error) -> Fault {
    let ours = WORDS
        .iter()
        .fold(error.message().to_string(), |text, (theirs, ours)| text.replace(theirs, ours));
    Fault::new(Problem::Format(ours), error.span().unwrap_or(0..0))
}

/// Advice on an objection.
pub(super) fn advice(message: &str) -> &'static str {
    let says = |phrase: &str| message.contains(phrase);
    if says("JSON") {
        "write an object with the keys of a scene: { \"body\": [ { \"shape\": { \"box\": {} } } ] }"
    } else if says("a list of tables") {
        "write `[[body]]` with two brackets for each body, and likewise `[[joint]]` and \
         `[[sheet]]`; in JSON, a list"
    } else if says("duplicate key") {
        "keep one of the two"
    } else if says("the shape lacks") || says("one shape") {
        "write a shape as `shape = { box = { size = [1, 1, 1] } }`"
    } else if says("nested too deeply") {
        "nest less: a union or an intersection takes a list of any length"
    } else if ["invalid", "unknown", "missing", "numbers"].into_iter().any(says) {
        "docs/scenes.md explains every key with an example"
    } else {
        "this is not TOML: https://toml.io explains the format, docs/scenes.md has examples"
    }
}
