//! Pairs of features in the numbers of the colliders, and their names in the numbers of the input.

use super::Features;
use crate::mesh::Polyhedron;

/// What meets what: a feature of A and one of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Met {
    FaceVertex,
    VertexFace,
    EdgeEdge,
    EdgeVertex,
    VertexEdge,
    VertexVertex,
}

impl Met {
    /// Whether it is a contact as it stands, and not a coincidence that is resolved into one. Plain
    /// ones come first.
    pub(crate) fn is_plain(self) -> bool {
        self <= Self::EdgeEdge
    }
}

/// A pair of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) met: Met,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

impl Pair {
    /// The pair in the numbers of the input; a vertex that meets no face is an edge from itself to
    /// itself.
    #[inline(always)]
    pub(crate) fn labelled(&self, a: &Polyhedron, b: &Polyhedron) -> Features {
        let twice = |v: u32| [v, v];
        let edges = |a, b| Features::Ee { a, b };
        match self.met {
            Met::FaceVertex => {
                Features::Fv { face: a.face_label(self.a), vertex: b.vertex_label(self.b) }
            }
            Met::VertexFace => {
                Features::Vf { vertex: a.vertex_label(self.a), face: b.face_label(self.b) }
            }
            Met::EdgeEdge => edges(a.edge_label(self.a), b.edge_label(self.b)),
            Met::EdgeVertex => edges(a.edge_label(self.a), twice(b.vertex_label(self.b))),
            Met::VertexEdge => edges(twice(a.vertex_label(self.a)), b.edge_label(self.b)),
            Met::VertexVertex => {
                edges(twice(a.vertex_label(self.a)), twice(b.vertex_label(self.b)))
            }
        }
    }
}
