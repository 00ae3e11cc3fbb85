//! How many rows a table may have.

use std::path::Path;

use crate::words::plain;

/// About what fits on a screen, over all pairs.
pub(crate) const MOST_ROWS: usize = 20;

/// The same beside a file that is better to look at.
const FEW_ROWS: usize = 12;

/// How many rows a table has, and the file that has them all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room<'r> {
    /// The most rows.
    pub(crate) rows: usize,
    /// Where the others are.
    pub(crate) rest: Option<&'r Path>,
}

impl<'r> Room<'r> {
    /// A screenful, or less beside files. `lists` are those that have every row, if they are
    /// asked for.
    pub(crate) fn beside(lists: [Option<&'r Path>; 2], picture: Option<&Path>) -> Self {
        let rest = lists.into_iter().flatten().find(|path| path.as_os_str() != "-");
        let has_file = rest.is_some() || picture.is_some();
        Self { rows: if has_file { FEW_ROWS } else { MOST_ROWS }, rest }
    }

    /// A line on rows that are left out; none if none are.
    pub(crate) fn more(&self, count: usize) -> Option<String> {
        let file = self.rest.map(|path| format!(": {}", plain(&path.display().to_string())));
        (count > 0).then(|| match file {
            Some(file) => format!("... {count} more{file}"),
            None => format!("... and {count} more"),
        })
    }
}
