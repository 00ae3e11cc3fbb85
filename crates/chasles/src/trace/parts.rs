//! The features of a model in portions, and which of them hang together.

use super::model::Ridge;
use crate::mesh::{Polyhedron, Rows};

/// The features of a model in portions with a box: each face, and each lone segment or point.
///
/// Shared features are listed with one portion only, so that nothing is compared twice
/// [Waveren05 §4].
#[derive(Clone, Debug)]
pub(super) struct Parts {
    vertices: Rows<u32>,
    corners: Rows<u32>,
    ridges: Rows<u32>,
    edges: Rows<u32>,
}

impl Parts {
    pub(super) fn new(mesh: &Polyhedron, ridges: &[Ridge]) -> Self {
        let faces = mesh.face_count();
        let lone_edge = |e: &u32| mesh.edge_sides(*e).is_empty();
        let lone_point = |v: &u32| mesh.vertex_edges(*v).is_empty();
        let segments: Vec<u32> = (0..mesh.edge_count() as u32).filter(lone_edge).collect();
        let points: Vec<u32> = (0..mesh.vertex_count() as u32).filter(lone_point).collect();
        let segment_part = |e: u32| (faces + segments.partition_point(|&s| s < e)) as u32;
        let point_part =
            |v: u32| (faces + segments.len() + points.partition_point(|&p| p < v)) as u32;
        let count = faces + segments.len() + points.len();

        let vertices = Rows::from_fn(count, |part, out| {
            let part = part as usize;
            match part.checked_sub(faces) {
                None => out.extend_from_slice(mesh.face(part as u32)),
                Some(i) if i < segments.len() => out.extend(mesh.edge(segments[i])),
                Some(i) => out.push(points[i - segments.len()]),
            }
        });
        let home_of_edge =
            |e: u32| mesh.edge_sides(e).first().map_or_else(|| segment_part(e), |side| side.face);
        let home_of_vertex = |v: u32| match (mesh.vertex_faces(v), mesh.vertex_edges(v)) {
            ([face, ..], _) => *face,
            (_, [edge, ..]) => segment_part(*edge),
            _ => point_part(v),
        };
        let mut edges: Vec<u32> = ridges.iter().map(|r| r.edge).chain(segments.clone()).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut corners: Vec<u32> =
            edges.iter().flat_map(|&e| mesh.edge(e)).chain(points.clone()).collect();
        corners.sort_unstable();
        corners.dedup();
        let numbered = ridges.iter().zip(0..).map(|(r, i)| (home_of_edge(r.edge), i));
        Self {
            vertices,
            corners: Rows::from_pairs(count, corners.iter().map(|&v| (home_of_vertex(v), v))),
            ridges: Rows::from_pairs(count, numbered),
            edges: Rows::from_pairs(count, edges.iter().map(|&e| (home_of_edge(e), e))),
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.vertices.len() as u32
    }

    /// All vertices of a part.
    pub(super) fn vertices(&self, part: u32) -> &[u32] {
        self.vertices.row(part)
    }

    /// The corners listed here.
    #[inline]
    pub(super) fn corners(&self, part: u32) -> &[u32] {
        self.corners.row(part)
    }

    /// The ridges listed here.
    #[inline]
    pub(super) fn ridges(&self, part: u32) -> &[u32] {
        self.ridges.row(part)
    }

    /// The edges listed here: those with a ridge, and lone segments.
    #[inline]
    pub(super) fn edges(&self, part: u32) -> &[u32] {
        self.edges.row(part)
    }
}

/// The lowest vertex of each connected piece, and the piece of each vertex.
pub(super) fn pieces(mesh: &Polyhedron) -> (Vec<u32>, Vec<u32>) {
    const NONE: u32 = u32::MAX;
    let mut first = Vec::new();
    let mut piece_of = vec![NONE; mesh.vertex_count()];
    let mut waiting = Vec::new();
    for start in 0..mesh.vertex_count() as u32 {
        if piece_of[start as usize] != NONE {
            continue;
        }
        waiting.push(start);
        piece_of[start as usize] = first.len() as u32;
        while let Some(vertex) = waiting.pop() {
            for &edge in mesh.vertex_edges(vertex) {
                let next = mesh.neighbour(edge, vertex);
                if piece_of[next as usize] == NONE {
                    piece_of[next as usize] = first.len() as u32;
                    waiting.push(next);
                }
            }
        }
        first.push(start);
    }
    (first, piece_of)
}
