//! A mesh made ready for queries.

use crate::mesh::Polyhedron;

/// A [`Polyhedron`] with what queries need, built once.
#[derive(Clone, Debug)]
pub struct Collider {
    mesh: Polyhedron,
}

impl Collider {
    /// Prepares a mesh.
    pub fn new(mesh: Polyhedron) -> Self {
        Self { mesh }
    }

    /// The mesh, in the numbering of the collider; labels are those of the input.
    pub fn mesh(&self) -> &Polyhedron {
        &self.mesh
    }
}
