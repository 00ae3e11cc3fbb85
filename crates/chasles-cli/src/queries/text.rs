//! Queries as text: numbers separated by commas or white space.
//!
//! The number of columns tells the form. A query is one row of 25, or eight rows, one for each
//! vertex: 4 columns x, y, z and label, or 7 columns with a numerator and a denominator for each of
//! x, y and z, as in the published benchmark [Wang21].

use std::borrow::Cow;

use dashu_int::IBig;

use super::file::{FormError, Numbers};
use super::rational::{self, nearest};
use crate::words::whole;

/// How the columns of a row are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A whole query.
    Query,
    /// A vertex and the label.
    Vertex,
    /// The same as fractions.
    Fractions,
}

impl Form {
    fn of(columns: usize) -> Option<Self> {
        match columns {
            25 => Some(Self::Query),
            4 => Some(Self::Vertex),
            7 => Some(Self::Fractions),
            _ => None,
        }
    }

    fn columns(self) -> usize {
        match self {
            Self::Query => 25,
            Self::Vertex => 4,
            Self::Fractions => 7,
        }
    }
}

/// Rows of one query.
const ROWS: usize = 8;

/// Bytes at the beginning that tell a text from doubles: those are one in 2^500 files, or in 2^100
/// if there is but one query.
const BEGINNING: usize = 1024;

/// The text in UTF-8, if bytes are one in UTF-8 or UTF-16; none of doubles.
pub(super) fn decoded(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    let little = |bytes: &[u8]| Cow::Owned(from_utf16(bytes, u16::from_le_bytes));
    let big = |bytes: &[u8]| Cow::Owned(from_utf16(bytes, u16::from_be_bytes));
    let text = match bytes {
        [0xef, 0xbb, 0xbf, text @ ..] => Cow::Borrowed(text),
        [0xff, 0xfe, text @ ..] => little(text),
        [0xfe, 0xff, text @ ..] => big(text),
        // Without a mark: two characters that ASCII has, each with a byte of zeros.
        [1..=255, 0, 1..=255, 0, ..] => little(bytes),
        [0, 1..=255, 0, 1..=255, ..] => big(bytes),
        _ => Cow::Borrowed(bytes),
    };
    let is_likely = matches!(text, Cow::Borrowed(_)) || has_ascii(&text);
    (is_likely && is_text(&text)).then_some(text)
}

/// Whether at least every sixteenth character at the beginning is ASCII, as digits and commas are.
/// Nearly all pairs of bytes are characters of UTF-16, but in doubles one in 500 is of these.
fn has_ascii(text: &[u8]) -> bool {
    let starts = text.iter().take(BEGINNING).filter(|byte| **byte & 0xc0 != 0x80);
    let (ascii, all) =
        starts.fold((0, 0), |(ascii, all), byte| (ascii + usize::from(byte.is_ascii()), all + 1));
    16 * ascii >= all
}

/// UTF-16 as UTF-8. What is none becomes a control character, which no text has.
fn from_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Vec<u8> {
    let (units, rest) = bytes.as_chunks();
    let units = units.iter().map(|pair| unit(*pair)).chain(rest.iter().map(|_| 0));
    let text: String = char::decode_utf16(units).map(|c| c.unwrap_or('\0')).collect();
    text.into_bytes()
}

/// Whether bytes begin with characters that are shown. The last of them may be cut.
fn is_text(bytes: &[u8]) -> bool {
    let beginning = &bytes[..bytes.len().min(BEGINNING)];
    let text = match str::from_utf8(beginning) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && bytes.len() > BEGINNING => {
            str::from_utf8(&beginning[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => "",
    };
    !text.is_empty() && text.chars().all(|c| !c.is_control() || c.is_ascii_whitespace())
}

/// Reads queries.
///
/// *Accepts* blank lines, comments that begin with `#`, and a first line of names, if rows follow
/// it. *Guarantees* each number as the nearest double. *Cost* linear. *Fails* with the line.
pub(super) fn read(text: &[u8]) -> Result<Numbers, FormError> {
    let mut reader = Reader::default();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let fault = |problem: String| FormError::Line { line: index + 1, problem };
        let line = str::from_utf8(line).map_err(|_| fault("this is not text".to_string()))?.trim();
        if !line.is_empty() && !line.starts_with('#') {
            reader.row(line).map_err(fault)?;
            reader.last = index + 1;
        }
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    form: Option<Form>,
    numbers: Numbers,
    /// The vertices of the query so far, and its label.
    rows: Vec<[f64; 3]>,
    label: f64,
    /// The line of the last row, and whether that names the columns.
    last: usize,
    is_heading: bool,
}

impl Reader {
    fn row(&mut self, line: &str) -> Result<(), String> {
        let cells: Vec<&str> = if line.contains(',') {
            line.split(',').map(str::trim).collect()
        } else {
            line.split_whitespace().collect()
        };
        let is_heading = self.form.is_none() && is_heading(&cells);
        let form = match self.form {
            Some(form) => form,
            None => Form::of(cells.len()).ok_or_else(|| wrong_columns(cells.len()))?,
        };
        if cells.len() != form.columns() {
            return Err(format!("{} columns, but {} before", cells.len(), form.columns()));
        }
        self.form = Some(form);
        self.is_heading = is_heading;
        match form {
            _ if is_heading => Ok(()),
            Form::Query => {
                let values = cells.iter().map(|cell| self.decimal(cell));
                let values = values.collect::<Result<Vec<f64>, String>>()?;
                self.numbers.values.extend(values);
                Ok(())
            }
            Form::Vertex => {
                let [x, y, z] =
                    [self.decimal(cells[0])?, self.decimal(cells[1])?, self.decimal(cells[2])?];
                self.vertex([x, y, z], cells[3])
            }
            Form::Fractions => {
                let mut fraction = |i: usize| self.fraction(cells[2 * i], cells[2 * i + 1]);
                let place = [fraction(0)?, fraction(1)?, fraction(2)?];
                self.vertex(place, cells[6])
            }
        }
    }

    /// Adds a vertex; the eighth of a query ends it.
    fn vertex(&mut self, place: [f64; 3], label: &str) -> Result<(), String> {
        let value = self.decimal(label)?;
        if !self.rows.is_empty() && value != self.label {
            return Err(format!(
                "the label is {}, but {} before: all rows of a query have its label",
                shown(label),
                whole(self.label)
            ));
        }
        self.label = value;
        self.rows.push(place);
        if self.rows.len() == ROWS {
            self.numbers.values.extend(self.rows.drain(..).flatten());
            self.numbers.values.push(value);
        }
        Ok(())
    }

    fn decimal(&mut self, cell: &str) -> Result<f64, String> {
        if let Some((n, d)) = cell.split_once('/') {
            return self.fraction(n.trim(), d.trim());
        }
        cell.parse().map_err(|_| format!("`{}` is not a number", shown(cell)))
    }

    fn fraction(&mut self, n: &str, d: &str) -> Result<f64, String> {
        let number = |text: &str| {
            rational::whole(text).ok_or_else(|| format!("`{}` is not a whole number", shown(text)))
        };
        let (n, d) = (number(n)?, number(d)?);
        if d == IBig::ZERO {
            return Err("a denominator is 0".to_string());
        }
        let (value, is_equal) = nearest(n, d);
        self.numbers.rounded += usize::from(!is_equal);
        Ok(value)
    }

    fn finish(self) -> Result<Numbers, FormError> {
        match self.rows.len() {
            0 if self.is_heading => {
                let problem = "names of columns, but no row of numbers follows".to_string();
                Err(FormError::Line { line: self.last, problem })
            }
            0 => Ok(self.numbers),
            rows => {
                let problem = format!("the last query has {rows} rows of {ROWS}");
                Err(FormError::Line { line: self.last, problem })
            }
        }
    }
}

/// Whether a row is names of columns: none of them is a number or a fraction.
fn is_heading(cells: &[&str]) -> bool {
    let is_name = |cell: &&str| cell.parse::<f64>().is_err() && cell.contains(char::is_alphabetic);
    cells.iter().all(is_name)
}

fn wrong_columns(columns: usize) -> String {
    format!(
        "{columns} columns, but there must be 25 (a query), 4 (x, y, z and label of a vertex) or 7 \
         (three fractions and the label)"
    )
}

/// A word as it is quoted: its beginning, if it is long.
fn shown(word: &str) -> String {
    match word.char_indices().nth(40) {
        None => word.to_string(),
        Some((end, _)) => format!("{}...", &word[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text.as_bytes()).expect_err("wrong").to_string()
    }

    #[test]
    fn rows_of_fractions_are_a_query() {
        let rows: String = (0..8).map(|i| format!("{i},2,-1,3,1,4,1\n")).collect();
        let read = read(format!("# c\n{rows}\r\n").as_bytes()).expect("a query");
        assert_eq!((read.values.len(), read.rounded), (25, 8));
        assert_eq!(read.values[3..6], [0.5, -1.0 / 3.0, 0.25]);
        assert_eq!(read.values[24], 1.0);
    }

    #[test]
    fn rows_of_decimals_and_whole_queries_are_read() {
        let rows: String = (0..8).map(|i| format!("{i}.5 1e-3 -1/4 0\n")).collect();
        let of_rows = read(format!("x y z label\n{rows}").as_bytes()).expect("a query");
        assert_eq!((&of_rows.values[..3], of_rows.rounded), (&[0.5, 1e-3, -0.25][..], 0));
        let cells: Vec<String> = of_rows.values.iter().map(f64::to_string).collect();
        let of_row = read(cells.join(",").as_bytes()).expect("a query");
        assert_eq!(of_row.values, of_rows.values);
    }

    #[test]
    fn texts_are_told_from_doubles_in_any_encoding() {
        let text = "# Gr\u{f6}\u{df}e in \u{b5}m\n1,2,3,1\n";
        let units = |mark: &str| format!("{mark}{text}").encode_utf16().collect::<Vec<u16>>();
        let mark = "\u{feff}";
        let all = [
            text.as_bytes().to_vec(),
            format!("{mark}{text}").into_bytes(),
            units(mark).into_iter().flat_map(u16::to_le_bytes).collect(),
            units(mark).into_iter().flat_map(u16::to_be_bytes).collect(),
            units("").into_iter().flat_map(u16::to_le_bytes).collect(),
            units("").into_iter().flat_map(u16::to_be_bytes).collect(),
        ];
        for bytes in &all {
            assert_eq!(decoded(bytes).as_deref(), Some(text.as_bytes()), "{bytes:?}");
        }
        // The last character of the beginning is cut.
        let long = format!("#{}\n", "\u{fc}".repeat(BEGINNING));
        assert_eq!(decoded(long.as_bytes()).as_deref(), Some(long.as_bytes()));
        for numbers in [[0.25_f64; 25], [1e-3; 25], [-7.1e9; 25], [0.0; 25]] {
            let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
            assert_eq!(decoded(&bytes), None, "{numbers:?}");
            let marked = [&[0xff, 0xfe], &bytes[2..]].concat();
            assert_eq!(decoded(&marked), None, "{numbers:?}");
        }
        assert_eq!(decoded(&[]), None);
    }

    #[test]
    fn prose_is_no_heading() {
        let prose = error("Dear reader,\nthis is no list of queries.\n");
        assert!(prose.starts_with("line 1: 2 columns, but there must be 25"), "{prose}");
        let words = error("this is no list\n");
        assert_eq!(words, "line 1: names of columns, but no row of numbers follows");
        let two = error("x,y,z,label\nx,y,z,label\n");
        assert_eq!(two, "line 2: `x` is not a number");
        assert_eq!(error("x,y,z,label\n1,2\n"), "line 2: 2 columns, but 4 before");
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(
            error("1,2,3,1\n\n1,2,3,0\n"),
            "line 3: the label is 0, but 1 before: all rows of a query have its label"
        );
        assert_eq!(error("1,2,3,1\n1,2,3\n"), "line 2: 3 columns, but 4 before");
        assert_eq!(error("1,2,x,1\n"), "line 1: `x` is not a number");
        assert_eq!(error("1,0,1,1,1,1,1\n"), "line 1: a denominator is 0");
        assert_eq!(error("1,1.5,1,1,1,1,1\n"), "line 1: `1.5` is not a whole number");
        assert_eq!(error("1,2,3,1\n1,2,3,1\n"), "line 2: the last query has 2 rows of 8");
        assert!(error("1 2\n").starts_with("line 1: 2 columns, but there must be 25"));
    }
}
