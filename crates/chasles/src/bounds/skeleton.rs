//! What stays of a mesh when coplanar neighbours are taken as one face.

use super::ridge::{direction, wings};
use crate::mesh::{Components, Polyhedron};

/// Faces that meet at less than this angle (its sine) lie in one plane: above the rounding of the
/// normals of all but slivers (1e-15 over the ratio of their sides), and so small that a point at a
/// distance `d` above the bend is above one of the faces or misses both by 1e-8 `d`.
pub(crate) const FLAT: f64 = 1e-8;

/// The edges and vertices that bound something, and a vertex of each part.
#[derive(Clone, Debug)]
pub(super) struct Skeleton {
    edges: Vec<bool>,
    vertices: Vec<bool>,
    seeds: Vec<u32>,
}

impl Skeleton {
    /// The skeleton of a mesh.
    pub(super) fn new(mesh: &Polyhedron) -> Self {
        let edges: Vec<bool> = (0..mesh.edge_count() as u32).map(|e| !is_flat(mesh, e)).collect();
        let is_corner = |v: u32| {
            let around = mesh.vertex_edges(v);
            around.is_empty() || around.iter().any(|&e| edges[e as usize])
        };
        let vertices = (0..mesh.vertex_count() as u32).map(is_corner).collect();
        Self { vertices, edges, seeds: seeds(mesh) }
    }

    #[inline]
    pub(super) fn has_edge(&self, edge: u32) -> bool {
        self.edges[edge as usize]
    }

    #[inline]
    pub(super) fn has_vertex(&self, vertex: u32) -> bool {
        self.vertices[vertex as usize]
    }

    pub(super) fn seeds(&self) -> &[u32] {
        &self.seeds
    }
}

/// Whether an edge lies within a plane.
fn is_flat(mesh: &Polyhedron, e: u32) -> bool {
    let mut wings = wings(mesh, e, direction(mesh, e));
    match (wings.next(), wings.next(), wings.next()) {
        (Some(p), Some(q), None) => p.dot(q) < 0.0 && p.cross(q).length() <= FLAT,
        _ => false,
    }
}

/// A vertex of each connected part.
fn seeds(mesh: &Polyhedron) -> Vec<u32> {
    let components = Components::of(mesh);
    let mut seeds = Vec::with_capacity(components.count);
    for (face, &component) in components.of_face.iter().enumerate() {
        if component as usize == seeds.len() {
            seeds.extend(mesh.face(face as u32).first());
        }
    }
    seeds
}
