//! What can be wrong with a solid of a scene.

use std::io;
use std::ops::Range;
use std::path::PathBuf;

use chasles::solid::{ParseError, SdfError, SolidError};
use thiserror::Error;

use super::MOST_LEVELS;

/// What is wrong with a solid.
#[derive(Debug, Error)]
pub enum SolidProblem {
    /// A solid without a key.
    #[error("the solid lacks its name")]
    Nothing,
    /// A solid with two keys.
    #[error("the solid has both `{}` and `{}`", .0[0], .0[1])]
    Several([&'static str; 2]),
    /// Bounds of something that is no formula.
    #[error("`bounds` belongs to `expression`, which is not given")]
    Bounds,
    /// Solids in solids in solids.
    #[error("solids stand in more than {MOST_LEVELS} others")]
    TooDeep,
    /// Numbers that make no solid.
    #[error("the solid cannot be made: {0}")]
    Solid(SolidError),
    /// A text that is no formula.
    #[error("the formula does not parse: {error}")]
    Formula {
        /// The text.
        formula: String,
        /// What is wrong with it.
        error: ParseError,
    },
    /// A distance field that cannot be read.
    #[error("cannot read the distance field {}: {error}", path.display())]
    FieldFile {
        /// The file.
        path: PathBuf,
        /// What the system says, or that it is none: too large, a device, a folder.
        error: io::Error,
    },
    /// A file that is no distance field.
    #[error("cannot use the distance field {}: {source}", path.display())]
    FieldContents {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: SdfError,
    },
    /// Too few or too many cells.
    #[error("a field of {0} cells cannot be sampled here")]
    Cells(u32),
    /// A row of heights that is longer or shorter than the first.
    #[error("this row has {found} heights, and the first has {expected}")]
    Row {
        /// Its length.
        found: usize,
        /// That of the first.
        expected: usize,
    },
}

impl SolidProblem {
    /// What would be right.
    pub(crate) fn help(&self) -> &'static str {
        match self {
            Self::Nothing => "write a solid as `solid = { sphere = { radius = 0.5 } }`",
            Self::Several(_) => {
                "keep one, or make a `union = [{ .. }, { .. }]` or an `intersection` of both"
            }
            Self::Bounds => {
                "write `expression = \"x^2 + y^2 + z^2 - 1\"` beside it, or leave it out"
            }
            Self::TooDeep => "a union or an intersection takes a list of any length: nest less",
            Self::Solid(SolidError::Unbounded(_)) => "intersect it with a box, or give `bounds`",
            Self::Solid(_) => "`chasles docs scenes` lists the solids and their limits",
            Self::Formula { .. } => "`chasles docs scenes` lists what a formula may contain",
            Self::FieldFile { .. } => {
                "name a file that `chasles field` made, relative to the scene file"
            }
            Self::FieldContents { .. } => "make the file again with `chasles field`",
            Self::Cells(_) => "write a number from 1 to 1024; `chasles field` makes finer ones",
            Self::Row { .. } => "give all rows the same number of heights",
        }
    }

    /// The bytes of the file that are wrong, if they are fewer than those of `span`: the character
    /// of a formula. One that is written with escapes has no such place.
    pub(crate) fn place(&self, text: &str, span: &Range<usize>) -> Option<Range<usize>> {
        let Self::Formula { formula, error } = self else { return None };
        let start = span.start + text.get(span.clone())?.find(formula.as_str())? + error.byte;
        let length = text.get(start..)?.chars().next().map_or(0, char::len_utf8);
        Some(start..start + length)
    }
}
