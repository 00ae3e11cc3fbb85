//! The rows after the header, from text or from bytes.

use super::super::error::{ParseError, Place, Problem};
use super::super::text::{Line, Words, shown};
use super::header::{Element, Scalar};

/// How the rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// The value of a property. Every type of the format fits into `f64`.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Scalar(f64),
    List(Vec<f64>),
}

impl Value {
    pub(super) fn scalar(&self) -> Option<f64> {
        match self {
            Self::Scalar(value) => Some(*value),
            Self::List(_) => None,
        }
    }

    pub(super) fn list(&self) -> Option<&[f64]> {
        match self {
            Self::Scalar(_) => None,
            Self::List(values) => Some(values),
        }
    }
}

/// A walk over the rows.
pub(super) struct Source<'a> {
    bytes: &'a [u8],
    offset: usize,
    line: usize,
    encoding: Encoding,
    row: Vec<Value>,
}

impl<'a> Source<'a> {
    /// Starts at `offset`, after the given line.
    pub(super) fn new(bytes: &'a [u8], offset: usize, line: usize, encoding: Encoding) -> Self {
        Self { bytes, offset: offset.min(bytes.len()), line, encoding, row: Vec::new() }
    }

    /// The values of the next row of an element.
    pub(super) fn row(&mut self, element: &Element, number: usize) -> Result<&[Value], ParseError> {
        self.row.clear();
        if self.encoding == Encoding::Text {
            self.text_row(element, number)?;
        } else {
            self.binary_row(element).ok_or_else(|| self.truncated(element, number))?;
        }
        Ok(&self.row)
    }

    /// An error in the row that was read last.
    pub(super) fn error(&self, problem: Problem) -> ParseError {
        let place = match self.encoding {
            Encoding::Text => Place::Line(self.line),
            _ => Place::Byte(self.offset),
        };
        ParseError { place, problem }
    }

    fn truncated(&self, element: &Element, number: usize) -> ParseError {
        let wanted = format!("{} {number} of {}", shown(&element.name), element.count);
        ParseError { place: Place::Byte(self.bytes.len()), problem: Problem::Truncated { wanted } }
    }

    fn binary_row(&mut self, element: &Element) -> Option<()> {
        for property in &element.properties {
            let value = match property.length {
                None => Value::Scalar(self.number(property.scalar)?),
                Some(length) => {
                    let length = self.number(length)?;
                    // A list that is too long ends with the file; nothing is allocated for it
                    // before.
                    let length = (length >= 0.0).then_some(length as usize)?;
                    let values: Option<Vec<f64>> =
                        (0..length).map(|_| self.number(property.scalar)).collect();
                    Value::List(values?)
                }
            };
            self.row.push(value);
        }
        Some(())
    }

    fn number(&mut self, scalar: Scalar) -> Option<f64> {
        let end = self.offset + scalar.size();
        // The number's bytes in little-endian order.
        let mut raw = [0; 8];
        let found = self.bytes.get(self.offset..end)?;
        let raw = &mut raw[..scalar.size()];
        raw.copy_from_slice(found);
        if self.encoding == Encoding::BigEndian {
            raw.reverse();
        }
        self.offset = end;
        Some(match (scalar, &*raw) {
            (Scalar::I8, &[a]) => f64::from(a as i8),
            (Scalar::I16, &[a, b]) => f64::from(i16::from_le_bytes([a, b])),
            (Scalar::U16, &[a, b]) => f64::from(u16::from_le_bytes([a, b])),
            (Scalar::I32, &[a, b, c, d]) => f64::from(i32::from_le_bytes([a, b, c, d])),
            (Scalar::U32, &[a, b, c, d]) => f64::from(u32::from_le_bytes([a, b, c, d])),
            (Scalar::F32, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (_, &[a, b, c, d, e, f, g, h]) => f64::from_le_bytes([a, b, c, d, e, f, g, h]),
            (_, raw) => f64::from(*raw.first()?),
        })
    }

    fn text_row(&mut self, element: &Element, number: usize) -> Result<(), ParseError> {
        let mut words = self.next_line().ok_or_else(|| self.truncated(element, number))?.words()?;
        for property in &element.properties {
            let value = match property.length {
                None => Value::Scalar(text_number(&mut words, element)?),
                Some(_) => {
                    let length = words.count("the length of a list")?;
                    let values: Result<Vec<f64>, ParseError> =
                        (0..length).map(|_| text_number(&mut words, element)).collect();
                    Value::List(values?)
                }
            };
            self.row.push(value);
        }
        words.end()
    }

    /// The next line that is not blank.
    fn next_line(&mut self) -> Option<Line<'a>> {
        loop {
            let rest = self.bytes.get(self.offset..).filter(|rest| !rest.is_empty())?;
            let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            self.offset += length + 1;
            self.line += 1;
            let line = Line { number: self.line, bytes: &rest[..length] };
            if !line.is_blank() {
                return Some(line);
            }
        }
    }
}

/// A number that may be NaN or infinite: only coordinates have to be finite.
fn text_number(words: &mut Words, element: &Element) -> Result<f64, ParseError> {
    let wanted = match element.name.as_str() {
        "vertex" => "a value of `vertex`",
        "face" => "a value of `face`",
        "edge" => "a value of `edge`",
        "tristrips" => "a value of `tristrips`",
        _ => "a value",
    };
    let word = words.word(wanted)?;
    word.parse().map_err(|_| words.error(Problem::NotANumber { found: shown(word), wanted }))
}
