//! What is wrong with a file, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::EXTENSIONS;
use crate::mesh::MeshError;

/// Why a file was not read or written.
#[derive(Debug, Error)]
pub enum FileError {
    /// The system does not give the file to us.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system does not let us write the file.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A directory, device or pipe.
    #[error("{}: is {found}, but must be a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What it is.
        found: &'static str,
    },
    /// No known extension.
    #[error(
        "{}: the extension `{extension}` is none of the known ones: {}",
        path.display(),
        EXTENSIONS.join(", ")
    )]
    UnknownExtension {
        /// The file.
        path: PathBuf,
        /// Its extension in lower case, perhaps empty.
        extension: String,
    },
    /// A format that is read but not written.
    #[error("{}: this format is only read: write obj, stl, ply or off", path.display())]
    OnlyRead {
        /// The file.
        path: PathBuf,
    },
    /// The contents are wrong.
    #[error("{}: {error}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Where and what.
        error: ParseError,
    },
}

/// What is wrong with the contents of a file, and where.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{place}{problem}")]
pub struct ParseError {
    /// Where.
    pub place: Place,
    /// What.
    pub problem: Problem,
}

impl ParseError {
    pub(super) fn whole(problem: Problem) -> Self {
        Self { place: Place::Whole, problem }
    }

    pub(super) fn part(part: impl Into<String>, problem: Problem) -> Self {
        Self { place: Place::Part(part.into()), problem }
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The file as a whole.
    Whole,
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
    /// A named part, such as `accessor 3`.
    Part(String),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Line(line) => write!(f, "line {line}: "),
            Self::Byte(byte) => write!(f, "byte {byte}: "),
            Self::Part(part) => write!(f, "{part}: "),
        }
    }
}

/// What is wrong at a place in a file.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Problem {
    /// No bytes at all.
    #[error("the file is empty, but must hold a mesh")]
    Empty,
    /// Bytes that are not text where text must be.
    #[error("the bytes here are not UTF-8 text")]
    NotText,
    /// A word that is not a number.
    #[error("`{found}` is not a number, but {wanted} must be one")]
    NotANumber {
        /// The word.
        found: String,
        /// What it stands for.
        wanted: &'static str,
    },
    /// A number that is not whole.
    #[error("`{found}` is not a whole number, but {wanted} must be one")]
    NotWhole {
        /// The word.
        found: String,
        /// What it stands for.
        wanted: &'static str,
    },
    /// A number that is NaN or infinite.
    #[error("{wanted} is {found}, but must be finite")]
    NotFinite {
        /// The number.
        found: String,
        /// What it stands for.
        wanted: &'static str,
    },
    /// Something that must be there is not.
    #[error("{wanted} is missing")]
    Missing {
        /// What must be there.
        wanted: &'static str,
    },
    /// Something else stands where it must be.
    #[error("found `{found}`, but expected {wanted}")]
    Unexpected {
        /// What stands there.
        found: String,
        /// What must be there.
        wanted: &'static str,
    },
    /// A vertex number out of range.
    #[error("vertex {index} does not exist: there are {count} vertices, counted from {from}")]
    NoSuchVertex {
        /// The number as the file has it.
        index: i64,
        /// How many vertices there are.
        count: usize,
        /// The first number that exists.
        from: i64,
    },
    /// A reference to a part that does not exist.
    #[error("{what} {index} does not exist: there are {count}, counted from 0")]
    NoSuchPart {
        /// What is referred to.
        what: &'static str,
        /// Its number.
        index: u64,
        /// How many there are.
        count: usize,
    },
    /// The file ends too early.
    #[error("the file ends before {wanted}")]
    Truncated {
        /// What was to come.
        wanted: String,
    },
    /// Something valid that is not read.
    #[error("{what} is not supported: {instead}")]
    Unsupported {
        /// What it is.
        what: String,
        /// What to do instead.
        instead: &'static str,
    },
    /// JSON that is not JSON, or not glTF.
    #[error("{0}")]
    Json(String),
    /// A buffer of its own file cannot be read.
    #[error("{0}")]
    Buffer(String),
    /// The mesh as a whole is wrong.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}
