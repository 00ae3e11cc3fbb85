//! The text of a scene: TOML, or JSON with the same keys.
//!
//! JSON is put into the tables of the TOML reader with the place of every value, so that all that
//! follows, errors included, is the same for both. An object that begins the text is JSON: no TOML
//! begins with a brace.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::error::{Fault, Problem};
use crate::words;

/// The keys and values of a scene's text.
///
/// *Fails* if it is neither TOML nor JSON, at the place where it is not.
pub(crate) fn table(text: &str) -> Result<Spanned<DeTable<'_>>, Fault> {
    if is_json(text) {
        return json(text);
    }
    DeTable::parse(text).map_err(|error| words::fault(&error))
}

/// Whether the text is an object of JSON.
pub(crate) fn is_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

/// Fails if a file is named as JSON and is none.
pub(crate) fn check_ending(path: &Path, text: &str) -> Result<(), Fault> {
    let is_named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    match is_named && !is_json(text) {
        true => Err(Fault::new(Problem::Format(NO_OBJECT.to_string()), 0..0)),
        false => Ok(()),
    }
}

fn json(text: &str) -> Result<Spanned<DeTable<'_>>, Fault> {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    // The reader of JSON knows all about wrong JSON, but no places. So it is asked first, and what
    // is read afterwards is right, and not nested deeper than it allows.
    if let Err(error) = serde_json::from_str::<serde_json::Value>(&text[start..]) {
        return Err(not_json(text, &error));
    }
    let mut reader = Reader { text, at: start };
    let Some(value) = reader.value()? else { return Err(reader.fault("null", 0..0)) };
    let span = value.span();
    match value.into_inner() {
        DeValue::Table(table) => Ok(Spanned::new(span, table)),
        _ => Err(Fault::new(Problem::Format(NO_OBJECT.to_string()), span)),
    }
}

const NO_OBJECT: &str = "not a JSON scene: it must be an object";

/// The objection of the reader of JSON, at its place.
fn not_json(text: &str, error: &serde_json::Error) -> Fault {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let before: usize =
        text.split_inclusive('\n').take(error.line().max(1) - 1).map(str::len).sum();
    let at = (before + error.column().saturating_sub(1)).min(text.len());
    let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    Fault::new(Problem::Format(format!("not JSON: {message}")), at..at)
}

/// A walk over text that is known to be JSON.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn fault(&self, what: &str, span: Range<usize>) -> Fault {
        let message = format!("invalid type: {what}, expected a value");
        Fault::new(Problem::Format(message), span)
    }

    /// The next byte that is not white space, and where it is.
    fn peek(&mut self) -> u8 {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied().unwrap_or(b' ')
    }

    /// Goes past a byte if it is the next one.
    fn skip(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    /// The next value; none if it is null.
    fn value(&mut self) -> Result<Option<Spanned<DeValue<'t>>>, Fault> {
        let next = self.peek();
        let start = self.at;
        let value = match next {
            b'{' => Some(DeValue::Table(self.object()?)),
            b'[' => Some(DeValue::Array(self.list()?)),
            b'"' => Some(DeValue::String(Cow::Owned(self.string()))),
            _ => self.word()?,
        };
        Ok(value.map(|value| Spanned::new(start..self.at, value)))
    }

    /// A key with null is as good as left out.
    fn object(&mut self) -> Result<DeTable<'t>, Fault> {
        let mut table = DeTable::new();
        self.skip(b'{');
        while !self.skip(b'}') {
            self.peek();
            let start = self.at;
            let key = self.string();
            let span = start..self.at;
            self.skip(b':');
            if table.contains_key(key.as_str()) {
                return Err(Fault::new(Problem::Format("duplicate key".to_string()), span));
            }
            if let Some(value) = self.value()? {
                table.insert(Spanned::new(span, Cow::Owned(key)), value);
            }
            self.skip(b',');
        }
        Ok(table)
    }

    fn list(&mut self) -> Result<DeArray<'t>, Fault> {
        let mut list = DeArray::new();
        self.skip(b'[');
        while !self.skip(b']') {
            self.peek();
            let start = self.at;
            let value = self.value()?;
            list.push(value.ok_or_else(|| self.fault("null", start..self.at))?);
            self.skip(b',');
        }
        Ok(list)
    }

    fn string(&mut self) -> String {
        let bytes = &self.text.as_bytes()[self.at..];
        let mut length = 1;
        while !matches!(bytes.get(length), None | Some(b'"')) {
            length += if bytes[length] == b'\\' { 2 } else { 1 };
        }
        let end = (self.at + length + 1).min(self.text.len());
        let quoted = &self.text[self.at..end];
        self.at = end;
        serde_json::from_str(quoted).unwrap_or_default()
    }

    /// `true`, `false`, `null` or a number, which are written alike in TOML but for `null`.
    fn word(&mut self) -> Result<Option<DeValue<'t>>, Fault> {
        let rest = &self.text[self.at..];
        let is_end = |c: char| c.is_ascii_whitespace() || matches!(c, ',' | ']' | '}');
        let word = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        let start = self.at;
        self.at += word.len();
        match word {
            "null" => Ok(None),
            word => match DeValue::parse(word) {
                Ok(value) => Ok(Some(value.into_inner())),
                Err(error) => {
                    let Fault { problem, .. } = words::fault(&error);
                    Err(Fault::new(problem, start..self.at))
                }
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read, as TOML would show it; spans are checked to be those of the text.
    fn read(text: &str) -> String {
        let table = table(text).expect("a table");
        for (key, value) in table.get_ref() {
            assert_eq!(&text[key.span()], format!("\"{}\"", key.get_ref()));
            assert!(!text[value.span()].starts_with(' '));
        }
        format!("{:?}", table.get_ref().keys().map(|key| key.get_ref()).collect::<Vec<_>>())
    }

    #[test]
    fn values_know_their_places() {
        assert_eq!(read("\u{feff} {\"a\": [1, 2.5e3 , {\"b\":true}], \"c\" :null}"), "[\"a\"]");
        let text = "{\"title\": \"\\u00e9\\/\\ud83d\\ude00\\\"\", \"x\": -0}";
        let read = table(text).expect("a table");
        let title = read.get_ref().get("title").expect("a title");
        let DeValue::String(title) = title.get_ref() else { panic!("{title:?}") };
        assert_eq!(title, "\u{e9}/\u{1f600}\"");
    }

    #[test]
    fn wrong_json_is_told_where_it_is_wrong() {
        let fault = |text: &str| {
            let fault = table(text).expect_err("wrong");
            (fault.problem.to_string(), fault.span.start)
        };
        let (message, at) = fault("{\n  \"a\": 1,\n  \"b\" 2}");
        assert_eq!((message.as_str(), at), ("not JSON: expected `:`", 18));
        assert_eq!(fault("{\"a\": 1, \"a\": 2}"), ("duplicate key".to_string(), 9));
        assert!(fault("{\"a\": [1, null]}").0.contains("null"));
        assert!(fault("{\"a\":").0.contains("EOF"));
        assert!(fault("{\"\u{e9}\" \u{e9}").0.starts_with("not JSON"));
    }
}
