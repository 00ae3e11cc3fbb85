//! From what a scene says of a body to its mesh.
//!
//! The only file that knows where shapes and mesh files come from.

use std::path::Path;

use chasles::Polyhedron;

pub use crate::standin::{FileError, Shape, ShapeError, load};

use crate::scene::Problem;

/// The mesh of a file.
pub fn from_file(path: &Path) -> Result<Polyhedron, Problem> {
    let polygons =
        load(path).map_err(|source| Problem::MeshFile { path: path.to_path_buf(), source })?;
    Polyhedron::new(&polygons)
        .map_err(|source| Problem::MeshContents { path: path.to_path_buf(), source })
}

/// The mesh of a built-in shape.
pub fn from_shape(shape: &Shape) -> Result<Polyhedron, Problem> {
    Ok(shape.build()?)
}

/// The smallest scale: a smaller one would push coordinates together at zero.
const SMALLEST_SCALE: f64 = 1e-100;

/// The mesh with all lengths multiplied by `scale`, which must be at least 1e-100.
pub fn scaled(mesh: Polyhedron, scale: f64) -> Result<Polyhedron, Problem> {
    if scale < SMALLEST_SCALE {
        return Err(Problem::Scale(scale));
    }
    mesh.scaled(scale).map_err(|source| Problem::Scaled { scale, source })
}
