//! Files of queries in all their forms, told apart by how they begin.

use std::path::Path;

use chasles::deform::{Kind, Labelled, LabelledError, labelled};
use thiserror::Error;

use super::{numpy, text};

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

/// The queries of a file, whatever its form.
pub(super) fn read(kind: Kind, bytes: &[u8]) -> Result<Queries, Wrong> {
    let numbers = if bytes.starts_with(numpy::ZIP) {
        numpy::read_archive(bytes)
    } else if bytes.starts_with(numpy::NPY) {
        numpy::read_array(bytes)
    } else if text::is_text(bytes) {
        text::read(bytes)
    } else {
        let queries = labelled(kind, bytes).map_err(Wrong::Queries)?;
        return Ok(Queries { queries, rounded: 0 });
    };
    let Numbers { values, rounded } = numbers.map_err(Wrong::Form)?;
    let bytes: Vec<u8> = values.into_iter().flat_map(f64::to_le_bytes).collect();
    let queries = labelled(kind, &bytes).map_err(Wrong::Queries)?;
    Ok(Queries { queries, rounded })
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
