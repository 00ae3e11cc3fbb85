//! What the TOML reader objects to, in the words of docs/scenes.md.

use crate::error::{Fault, Problem};
use crate::spelling::nearest;

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
pub(crate) fn fault(error: &toml::de::Error) -> Fault {
    let ours = WORDS
        .iter()
        .fold(without_types(error.message()), |text, (theirs, ours)| text.replace(theirs, ours));
    Fault::new(Problem::Format(ours), error.span().unwrap_or(0..0))
}

/// A message without the names that types have in the program: all of them are tables.
fn without_types(message: &str) -> String {
    const NAMED: &str = "expected struct ";
    let mut parts = message.split(NAMED);
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        text += "expected a table of keys in braces";
        text += part.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    }
    text
}

/// Advice on an objection: the word that was meant, if one of those that are expected is like it.
pub(crate) fn advice(message: &str) -> String {
    match meant(message) {
        Some(word) => format!("did you mean `{word}`? {}", remedy(message)),
        None => remedy(message).to_string(),
    }
}

/// The expected word that is most like the unknown one: both stand in backquotes, the unknown one
/// first.
fn meant(message: &str) -> Option<&str> {
    let mut quoted =
        message.starts_with("unknown").then(|| message.split('`').skip(1).step_by(2))?;
    let unknown = quoted.next()?;
    nearest(unknown, quoted)
}

fn remedy(message: &str) -> &'static str {
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
        "`chasles docs scenes` explains every key with an example"
    } else {
        "this is not TOML: https://toml.io explains the format, `chasles docs scenes` has examples"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_no_names() {
        let spoken = without_types("invalid type: integer `2`, expected struct CopiesEntry, here");
        assert_eq!(spoken, "invalid type: integer `2`, expected a table of keys in braces, here");
        assert_eq!(without_types("expected f64"), "expected f64");
    }

    #[test]
    fn the_word_that_was_meant_is_named() {
        for (message, word) in [
            ("unknown key `shpe`, expected one of `name`, `mesh`, `shape`", Some("shape")),
            ("unknown key `sze`, expected `size`", Some("size")),
            ("unknown kind `statc`, expected one of `dynamic`, `static`", Some("static")),
            ("unknown key `colour`, expected `size` or `radius`", None),
            ("missing key `size`", None),
        ] {
            assert_eq!(meant(message), word, "{message}");
        }
        assert!(advice("unknown key `sze`, expected `size`").starts_with("did you mean `size`? "));
    }
}
