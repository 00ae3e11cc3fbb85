//! Rows of text aligned for people, and files for programs.

use std::fmt::Write;
use std::io;
use std::path::Path;

use chasles_cli::output::{OutputError, OutputFile};
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

/// Reserves a file for results, before minutes of measuring; none if no path is given.
///
/// *Fails* if it could not be written in the end.
pub fn reserve(path: Option<&Path>) -> Result<Option<OutputFile>, OutputError> {
    path.map(|path| OutputFile::reserve(path, &[])).transpose()
}

/// Writes a reserved file and gives it its name: it appears whole or not at all.
///
/// *Fails* if it cannot be written.
pub fn publish(
    file: Option<OutputFile>,
    contents: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    let Some(file) = file else { return Ok(()) };
    file.write(contents)?;
    file.publish()
}

/// Writes one line for each record, with the names of its fields as the head.
///
/// *Fails* if `out` does.
pub fn write_csv<R: Serialize>(out: &mut dyn io::Write, records: &[R]) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    records.iter().try_for_each(|record| writer.serialize(record))?;
    writer.flush()
}

/// Writes the records as a JSON array.
///
/// *Fails* if `out` does.
pub fn write_json<R: Serialize>(out: &mut dyn io::Write, records: &[R]) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, records)?;
    writeln!(out)
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
    fn results_appear_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("chasles-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a new folder");
        let path = folder.join("rows.csv");
        let file = reserve(Some(&path)).expect("it can be written");
        assert!(!path.exists(), "nothing is there while the work goes on");
        publish(file, |out| write_csv(out, &[("cube", 1.5), ("car", 2.5)])).expect("written");
        assert_eq!(std::fs::read_to_string(&path).expect("it exists"), "cube,1.5\ncar,2.5\n");
        assert!(reserve(Some(&folder.join("none/rows.csv"))).is_err(), "found out at once");
        std::fs::remove_dir_all(&folder).expect("it is ours");
    }

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["query", "time"]);
        table.push(vec!["cube".into(), duration(1.5e-6)]);
        table.push(vec!["a torus".into(), duration(0.5432)]);
        assert_eq!(table.to_text(), "query       time\ncube     1.50 us\na torus   543 ms\n");
    }
}
