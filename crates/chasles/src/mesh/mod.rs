//! Bodies made of planar polygons: the mesh, its adjacency and what can be said about it.
//!
//! [`Polygons`] is what a file or a program says: vertices and lists of vertex numbers.
//! [`Polyhedron`] is the same with adjacency, planes and labels, checked once.

mod plane;
mod polygons;
mod polyhedron;
mod split;

pub use polygons::{MeshError, Polygons};
pub(crate) use polyhedron::Rows;
pub use polyhedron::{Polyhedron, Side};
