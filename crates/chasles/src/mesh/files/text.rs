//! Lines and words of text formats.

use std::str::SplitAsciiWhitespace;

use super::error::{ParseError, Place, Problem};

/// A line with its number from 1; it may hold any bytes.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    pub(super) number: usize,
    pub(super) bytes: &'a [u8],
}

/// All lines, without line ends.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    lines.map(|(i, bytes)| Line { number: i + 1, bytes })
}

impl<'a> Line<'a> {
    /// The line up to a `#`.
    pub(super) fn without_comment(self) -> Self {
        let end = self.bytes.iter().position(|byte| *byte == b'#').unwrap_or(self.bytes.len());
        Self { bytes: &self.bytes[..end], ..self }
    }

    /// Whether there is nothing but white space.
    pub(super) fn is_blank(self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    /// The line's words; it must be text.
    pub(super) fn words(self) -> Result<Words<'a>, ParseError> {
        let text = str::from_utf8(self.bytes).map_err(|_| self.error(Problem::NotText))?;
        Ok(Words { line: self.number, words: text.split_ascii_whitespace() })
    }

    pub(super) fn error(self, problem: Problem) -> ParseError {
        ParseError { place: Place::Line(self.number), problem }
    }
}

/// The words of a line that are still to come.
pub(super) struct Words<'a> {
    line: usize,
    words: SplitAsciiWhitespace<'a>,
}

impl<'a> Words<'a> {
    pub(super) fn next(&mut self) -> Option<&'a str> {
        self.words.next()
    }

    /// Whether no word is left.
    pub(super) fn is_empty(&self) -> bool {
        self.words.clone().next().is_none()
    }

    /// The next word, which must be there.
    pub(super) fn word(&mut self, wanted: &'static str) -> Result<&'a str, ParseError> {
        self.words.next().ok_or_else(|| self.error(Problem::Missing { wanted }))
    }

    /// The next word as a finite number.
    pub(super) fn number(&mut self, wanted: &'static str) -> Result<f64, ParseError> {
        let word = self.word(wanted)?;
        number(word, wanted).map_err(|problem| self.error(problem))
    }

    /// The next word as a whole number.
    pub(super) fn whole(&mut self, wanted: &'static str) -> Result<i64, ParseError> {
        let word = self.word(wanted)?;
        whole(word, wanted).map_err(|problem| self.error(problem))
    }

    /// The next word as a count; beyond the range of `usize` it is as good as infinite.
    pub(super) fn count(&mut self, wanted: &'static str) -> Result<usize, ParseError> {
        let word = self.word(wanted)?;
        let digits = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if !digits {
            return Err(self.error(Problem::NotWhole { found: shown(word), wanted }));
        }
        Ok(word.parse().unwrap_or(usize::MAX))
    }

    pub(super) fn position(&mut self) -> Result<glam::DVec3, ParseError> {
        let [x, y, z] = ["the x coordinate", "the y coordinate", "the z coordinate"];
        Ok(glam::DVec3::new(self.number(x)?, self.number(y)?, self.number(z)?))
    }

    /// Makes sure that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), ParseError> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => {
                let wanted = "the end of the line";
                Err(self.error(Problem::Unexpected { found: shown(word), wanted }))
            }
        }
    }

    pub(super) fn error(&self, problem: Problem) -> ParseError {
        ParseError { place: Place::Line(self.line), problem }
    }
}

/// A word as a finite number.
pub(super) fn number(word: &str, wanted: &'static str) -> Result<f64, Problem> {
    let number: f64 =
        word.parse().map_err(|_| Problem::NotANumber { found: shown(word), wanted })?;
    finite(number, wanted)
}

/// A number that must be finite.
pub(super) fn finite(number: f64, wanted: &'static str) -> Result<f64, Problem> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(Problem::NotFinite { found: number.to_string(), wanted })
}

/// A word as a whole number.
pub(super) fn whole(word: &str, wanted: &'static str) -> Result<i64, Problem> {
    word.parse().map_err(|_| Problem::NotWhole { found: shown(word), wanted })
}

/// A word as it is quoted in a message: its beginning, if it is long.
pub(super) fn shown(word: &str) -> String {
    const LONGEST: usize = 40;
    match word.char_indices().nth(LONGEST) {
        None => word.to_owned(),
        Some((end, _)) => format!("{}...", &word[..end]),
    }
}
