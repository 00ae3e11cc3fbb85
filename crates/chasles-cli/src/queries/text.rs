//! Queries as text: numbers separated by commas or white space.
//!
//! The number of columns tells the form. A query is one row of 25, or eight rows, one for each
//! vertex: 4 columns x, y, z and label, or 7 columns with a numerator and a denominator for each of
//! x, y and z, as in the published benchmark [Wang21].

use dashu_int::IBig;

use super::file::{FormError, Numbers};
use super::rational::{nearest, whole};

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

/// Whether bytes look like text: a file of doubles does not, but for one in 2^500.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    !text.is_empty() && text.iter().take(1024).all(is_plain)
}

/// Reads queries.
///
/// *Accepts* blank lines, comments that begin with `#`, and a first line of names. *Guarantees*
/// each number as the nearest double. *Cost* linear. *Fails* with the line.
pub(super) fn read(bytes: &[u8]) -> Result<Numbers, FormError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut reader = Reader::default();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
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
    last: usize,
}

impl Reader {
    fn row(&mut self, line: &str) -> Result<(), String> {
        let cells: Vec<&str> = if line.contains(',') {
            line.split(',').map(str::trim).collect()
        } else {
            line.split_whitespace().collect()
        };
        let is_first = self.form.is_none() && self.numbers.values.is_empty();
        if is_first && self.last == 0 && is_heading(&cells) {
            return Ok(());
        }
        let form = match self.form {
            Some(form) => form,
            None => Form::of(cells.len()).ok_or_else(|| wrong_columns(cells.len()))?,
        };
        if cells.len() != form.columns() {
            return Err(format!("{} columns, but {} before", cells.len(), form.columns()));
        }
        self.form = Some(form);
        match form {
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
                "the label is {label}, but {} before: all rows of a query have its label",
                self.label
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
            whole(text).ok_or_else(|| format!("`{}` is not a whole number", shown(text)))
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
