//! Rows of text aligned for people, and files for programs.

use std::fmt::Write;
use std::path::Path;
use std::{fs, io};

use serde::Serialize;

/// A table of strings: a head and rows of the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(head: &[&str]) -> Self {
        Self { head: head.iter().map(|&name| name.into()).collect(), rows: Vec::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If the row is not as long as the head.
    pub fn push(&mut self, row: Vec<String>) {
        assert_eq!(row.len(), self.head.len(), "a row has one cell for each column");
        self.rows.push(row);
    }

    /// Columns aligned with spaces: the first to the left, the others to the right.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for row in self.lines() {
            for (i, cell) in row.iter().enumerate() {
                let width = self.lines().map(|row| row[i].chars().count()).max().unwrap_or(0);
                let gap = if i == 0 { "" } else { "  " };
                let _ = if i == 0 {
                    write!(text, "{gap}{cell:<width$}")
                } else {
                    write!(text, "{gap}{cell:>width$}")
                };
            }
            text.push('\n');
        }
        text
    }

    fn lines(&self) -> impl Iterator<Item = &Vec<String>> {
        std::iter::once(&self.head).chain(&self.rows)
    }
}

/// Writes one line for each record, with the names of its fields as the head.
///
/// *Fails* if the file cannot be written.
pub fn write_csv<R: Serialize>(path: &Path, records: &[R]) -> Result<(), csv::Error> {
    let mut writer = csv::Writer::from_path(path)?;
    for record in records {
        writer.serialize(record)?;
    }
    Ok(writer.flush()?)
}

/// Writes the records as a JSON array.
///
/// *Fails* if the file cannot be written.
pub fn write_json<R: Serialize>(path: &Path, records: &[R]) -> io::Result<()> {
    fs::write(path, serde_json::to_string_pretty(records)? + "\n")
}

/// Seconds in a unit that people read: three digits and ns, us, ms or s.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "us"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    format!("{} {unit}", three_digits(value))
}

/// Three significant digits, without an exponent.
pub fn three_digits(value: f64) -> String {
    let digits = match value.abs() {
        v if v >= 100.0 => 0,
        v if v >= 10.0 => 1,
        v if v >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["query", "time"]);
        table.push(vec!["cube".into(), duration(1.5e-6)]);
        table.push(vec!["a torus".into(), duration(0.5432)]);
        assert_eq!(table.to_text(), "query       time\ncube     1.50 us\na torus   543 ms\n");
    }
}
