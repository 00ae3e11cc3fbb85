//! Meshes for the page: triangles, the edges of polygons, and the numbers of the input.

use chasles::Polyhedron;
use chasles::glam::DVec3;

use super::data::MeshData;
use super::encode::{singles, wholes, words};
use super::room::Frame;
use super::thin::thinned;

/// Triangles that a page has at most, over all its meshes: some 2 MB, and smooth to turn on a telephone.
const MOST_TRIANGLES: usize = 60_000;

/// Triangles that a mesh keeps, however many others there are.
const FEWEST_TRIANGLES: usize = 500;

/// A mesh as triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surface {
    /// Where the vertices are: once, or at each of several frames.
    pub(super) positions: Vec<Vec<DVec3>>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// The number of each triangle's polygon in the input.
    pub(super) faces: Vec<u32>,
    /// The edges of polygons, without the cuts through them.
    pub(super) edges: Vec<[u32; 2]>,
    pub(super) lone: Vec<u32>,
    /// The number of each vertex in the input.
    pub(super) labels: Vec<u32>,
}

impl Surface {
    /// The surface of a body that keeps its shape.
    pub(super) fn rigid(mesh: &Polyhedron) -> Self {
        let labels = (0..mesh.vertex_count() as u32).map(|v| mesh.vertex_label(v)).collect();
        Self { positions: vec![mesh.positions().to_vec()], labels, ..Self::features(mesh, |v| v) }
    }

    /// The surface of a body whose vertices, in the order of the input, are at these places in turn.
    pub(super) fn deforming(mesh: &Polyhedron, positions: Vec<Vec<DVec3>>) -> Self {
        let count = positions.first().map_or(0, Vec::len) as u32;
        let features = Self::features(mesh, |v| mesh.vertex_label(v));
        Self { positions, labels: (0..count).collect(), ..features }
    }

    fn features(mesh: &Polyhedron, number: impl Fn(u32) -> u32) -> Self {
        let mut surface = Self::default();
        for face in 0..mesh.face_count() as u32 {
            for corners in mesh.face_triangles(face) {
                surface.triangles.push(corners.map(&number));
                surface.faces.push(mesh.face_label(face));
            }
        }
        let is_shown = |&edge: &u32| match mesh.edge_sides(edge) {
            [p, q] => mesh.face_label(p.face) != mesh.face_label(q.face),
            _ => true,
        };
        let edges = (0..mesh.edge_count() as u32).filter(is_shown);
        surface.edges = edges.map(|edge| mesh.edge(edge).map(&number)).collect();
        let vertices = 0..mesh.vertex_count() as u32;
        let lone = vertices.filter(|&v| mesh.vertex_edges(v).is_empty());
        surface.lone = lone.map(number).collect();
        surface
    }

    fn data(&self, frame: &Frame, thinned: bool) -> MeshData {
        let vertices = self.positions.first().map_or(0, Vec::len);
        let wide = vertices > usize::from(u16::MAX);
        let places = self.positions.iter().flatten().flat_map(|&place| frame.local(place));
        let is_plain = self.labels.iter().enumerate().all(|(v, &label)| v == label as usize);
        MeshData {
            vertices,
            positions: singles(places),
            triangles: wholes(self.triangles.iter().flatten().copied(), wide),
            edges: wholes(self.edges.iter().flatten().copied(), wide),
            lone: wholes(self.lone.iter().copied(), wide),
            labels: (!is_plain && !thinned).then(|| words(self.labels.iter().copied())),
            faces: (!thinned).then(|| words(self.faces.iter().copied())),
            wide,
            thinned,
        }
    }
}

/// The surfaces of a page, each once; large ones are thinned.
#[derive(Debug, Default)]
pub(super) struct Surfaces {
    kept: Vec<Surface>,
    /// The first body that has each.
    names: Vec<String>,
}

impl Surfaces {
    /// Adds a surface of a body, if it is new; its number.
    pub(super) fn add(&mut self, surface: Surface, name: &str) -> usize {
        self.kept.iter().position(|kept| *kept == surface).unwrap_or_else(|| {
            self.kept.push(surface);
            self.names.push(name.to_string());
            self.kept.len() - 1
        })
    }

    /// The meshes as the page has them, and notes on those that are coarser than they were.
    pub(super) fn finish(self, frame: &Frame) -> (Vec<MeshData>, Vec<String>) {
        let all: usize = self.kept.iter().map(|surface| surface.triangles.len()).sum();
        let mut notes = Vec::new();
        let one = |(surface, name): (Surface, String)| {
            let count = surface.triangles.len();
            // In numbers of 128 bits nothing overflows.
            let share = (MOST_TRIANGLES as u128 * count as u128 / all.max(1) as u128) as usize;
            if all <= MOST_TRIANGLES || count <= share.max(FEWEST_TRIANGLES) {
                return surface.data(frame, false);
            }
            let coarse = thinned(&surface, share.max(FEWEST_TRIANGLES));
            notes.push(format!(
                "{name} is drawn with {} of its {count} triangles and without edges. All contacts are those of the whole mesh.",
                coarse.triangles.len()
            ));
            coarse.data(frame, true)
        };
        let meshes = self.kept.into_iter().zip(self.names).map(one).collect();
        (meshes, notes)
    }
}
