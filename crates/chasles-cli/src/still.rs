//! The picture of a scene and its contacts.

use std::path::Path;

use miette::Diagnostic;
use thiserror::Error;

use crate::results::Results;
use crate::scene::Scene;

/// Why there is no picture.
#[derive(Debug, Error, Diagnostic)]
pub enum PictureError {
    /// This build cannot draw.
    #[error("pictures are not built in yet")]
    #[diagnostic(help("leave out --picture; --json has everything a picture would show"))]
    NotBuiltIn,
}

/// Draws the scene with its contacts to `path`, whose ending (`png` or `svg`) is the format.
pub fn draw(scene: &Scene, results: &Results, path: &Path) -> Result<(), PictureError> {
    let _ = (scene, results, path);
    Err(PictureError::NotBuiltIn)
}
