//! Shapes whose lists are too long are refused.
//!
//! The TOML reader fills an array of three from a list of four and drops the rest. The JSON reader
//! does not, so every shape is read once more from its JSON form.

use serde::Deserialize;
use toml::Spanned;

use super::error::{Fault, Problem};
use super::file::BodyEntry;
use super::words;
use crate::bodies::Shape;

/// The parts of the file that are read again.
#[derive(Deserialize)]
struct Shapes {
    #[serde(default)]
    body: Vec<ShapeOnly>,
}

#[derive(Deserialize)]
struct ShapeOnly {
    shape: Option<serde_json::Value>,
}

/// Fails if a shape of `text`, already read as `bodies`, has more numbers than it takes.
pub(super) fn check(text: &str, bodies: &[Spanned<BodyEntry>]) -> Result<(), Fault> {
    let again: Shapes = toml::from_str(text).map_err(|error| words::fault(&error))?;
    for (json, entry) in again.body.into_iter().zip(bodies) {
        let (Some(json), Some(shape)) = (json.shape, &entry.get_ref().shape) else { continue };
        if let Err(error) = Shape::deserialize(json) {
            return Err(Fault::new(Problem::Format(error.to_string()), shape.span()));
        }
    }
    Ok(())
}
