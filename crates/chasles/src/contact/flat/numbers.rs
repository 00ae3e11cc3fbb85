//! Which faces and edges meet in a contact, from the numbers of the input.

use super::FlatFeatures;
use crate::bounds::Collider;
use crate::contact::Features;
use crate::mesh::Polyhedron;

/// Two features that may lie flat on each other, in the numbers of the colliders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Lying {
    Faces(u32, u32),
    FaceEdge(u32, u32),
    EdgeFace(u32, u32),
}

impl Lying {
    pub(super) fn is_of_faces(self) -> bool {
        matches!(self, Self::Faces(..))
    }

    /// Whether this is an edge of one of two faces, in the other.
    pub(super) fn is_border_of(self, faces: &Self, [a, b]: [&Collider; 2]) -> bool {
        let &Self::Faces(of_a, of_b) = faces else { return false };
        match self {
            Self::Faces(..) => false,
            Self::FaceEdge(face, edge) => face == of_a && has(b.mesh(), edge, of_b),
            Self::EdgeFace(edge, face) => face == of_b && has(a.mesh(), edge, of_a),
        }
    }

    pub(super) fn labelled(self, [a, b]: [&Collider; 2]) -> FlatFeatures {
        let [a, b] = [a.mesh(), b.mesh()];
        match self {
            Self::Faces(p, q) => FlatFeatures::Ff { a: a.face_label(p), b: b.face_label(q) },
            Self::FaceEdge(face, edge) => {
                FlatFeatures::Fe { face: a.face_label(face), edge: b.edge_label(edge) }
            }
            Self::EdgeFace(edge, face) => {
                FlatFeatures::Ef { edge: a.edge_label(edge), face: b.face_label(face) }
            }
        }
    }
}

/// Whether an edge is one of a face's.
fn has(mesh: &Polyhedron, edge: u32, face: u32) -> bool {
    mesh.edge_sides(edge).iter().any(|side| side.face == face)
}

/// The features of a mesh by their labels, sorted.
pub(super) struct Numbers {
    vertices: Vec<(u32, u32)>,
    edges: Vec<([u32; 2], u32)>,
    /// A polygon that was split has several.
    faces: Vec<(u32, u32)>,
}

impl Numbers {
    pub(super) fn of(body: &Collider) -> Self {
        let mesh = body.mesh();
        Self {
            vertices: sorted(mesh.vertex_count(), |v| mesh.vertex_label(v)),
            edges: sorted(mesh.edge_count(), |e| mesh.edge_label(e)),
            faces: sorted(mesh.face_count(), |f| mesh.face_label(f)),
        }
    }
}

fn sorted<L: Ord>(count: usize, label: impl Fn(u32) -> L) -> Vec<(L, u32)> {
    let mut all: Vec<_> = (0..count as u32).map(|number| (label(number), number)).collect();
    all.sort_unstable();
    all
}

/// The features with a label.
fn named<L: Ord + Copy>(all: &[(L, u32)], label: L) -> impl Iterator<Item = u32> {
    let first = all.partition_point(|(other, _)| *other < label);
    all[first..].iter().take_while(move |(other, _)| *other == label).map(|(_, number)| *number)
}

/// Appends the features at a contact that may lie flat on each other, faces first.
pub(super) fn lying(
    [a, b]: [&Collider; 2],
    numbers: &[Numbers; 2],
    features: &Features,
    all: &mut Vec<Lying>,
) {
    let [a, b] = [a.mesh(), b.mesh()];
    let [of_a, of_b] = numbers;
    match *features {
        Features::Fv { face, vertex } => {
            for (p, v) in pairs(named(&of_a.faces, face), || named(&of_b.vertices, vertex)) {
                all.extend(b.vertex_faces(v).iter().map(|&q| Lying::Faces(p, q)));
                all.extend(b.vertex_edges(v).iter().map(|&q| Lying::FaceEdge(p, q)));
            }
        }
        Features::Vf { vertex, face } => {
            for (v, q) in pairs(named(&of_a.vertices, vertex), || named(&of_b.faces, face)) {
                all.extend(a.vertex_faces(v).iter().map(|&p| Lying::Faces(p, q)));
                all.extend(a.vertex_edges(v).iter().map(|&p| Lying::EdgeFace(p, q)));
            }
        }
        Features::Ee { a: edge_a, b: edge_b } => {
            for (p, q) in pairs(named(&of_a.edges, edge_a), || named(&of_b.edges, edge_b)) {
                let [at_p, at_q] = [a.edge_sides(p), b.edge_sides(q)];
                let faces = pairs(at_p.iter(), || at_q.iter());
                all.extend(faces.map(|(p, q)| Lying::Faces(p.face, q.face)));
                all.extend(at_p.iter().map(|side| Lying::FaceEdge(side.face, q)));
                all.extend(at_q.iter().map(|side| Lying::EdgeFace(p, side.face)));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
}

fn pairs<P: Copy, Q, I: Iterator<Item = Q>>(
    left: impl Iterator<Item = P>,
    right: impl Fn() -> I,
) -> impl Iterator<Item = (P, Q)> {
    left.flat_map(move |p| right().map(move |q| (p, q)))
}
