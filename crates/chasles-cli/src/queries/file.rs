//! What files of queries hold, whatever their form.

use std::path::Path;

use chasles::deform::{Kind, Labelled, LabelledError};
use thiserror::Error;

/// What is wrong with a file of queries that is not of the binary form.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormError {
    /// In a line of a text.
    #[error("line {line}: {problem}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
    /// In an array of NumPy.
    #[error("{0}")]
    Array(String),
}

impl FormError {
    /// The same with the name of the array.
    pub(super) fn of(self, name: &str) -> Self {
        Self::Array(format!("{}: {self}", name.trim_end_matches(".npy")))
    }
}

/// All numbers of a file, 25 for each query.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Numbers {
    pub(super) values: Vec<f64>,
    /// How many numbers of the file no double equals.
    pub(super) rounded: usize,
}

/// The queries of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Queries {
    pub(super) queries: Vec<Labelled>,
    /// How many numbers were rounded to the nearest double.
    pub(super) rounded: usize,
}

/// Why a file does not hold queries.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Wrong {
    Form(FormError),
    Queries(LabelledError),
}

impl Numbers {
    pub(super) fn queries(&self, kind: Kind) -> Result<Queries, Wrong> {
        let (rows, _) = self.values.as_chunks();
        Queries::new(kind, self.rounded, rows.iter().copied())
    }
}

impl Queries {
    /// The queries of rows of 25 numbers, one by one: they take as much memory as all of the rows.
    pub(super) fn new(
        kind: Kind,
        rounded: usize,
        rows: impl Iterator<Item = [f64; 25]>,
    ) -> Result<Self, Wrong> {
        let query = |(index, row)| Labelled::from_numbers(kind, index, &row);
        let queries = rows.enumerate().map(query).collect::<Result<_, _>>();
        Ok(Self { queries: queries.map_err(Wrong::Queries)?, rounded })
    }
}

/// The kind of queries of a file: its name tells, or its folder as in the published benchmark.
pub(super) fn kind(path: &Path) -> Result<Kind, LabelledError> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match Kind::of_file(&name(path)) {
        Err(LabelledError::Kind) => match path.parent().map(name).as_deref() {
            Some("vertex-face") => Ok(Kind::VertexTriangle),
            Some("edge-edge") => Ok(Kind::EdgeEdge),
            _ => Err(LabelledError::Kind),
        },
        told => told,
    }
}
