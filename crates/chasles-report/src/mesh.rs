//! Meshes for the page: triangles, the edges of polygons, and the numbers of the input.

use chasles::Polyhedron;
use chasles::glam::DVec3;

use super::data::MeshData;
use super::encode::{shorts, singles, wholes, words};
use super::frame::Frame;

/// A mesh as triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Where the vertices are: once, or at each of several frames.
    pub positions: Vec<Vec<DVec3>>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
    /// The number of each triangle's polygon in the input.
    pub faces: Vec<u32>,
    /// The edges of polygons, without the cuts through them.
    pub edges: Vec<[u32; 2]>,
    /// Vertices without an edge.
    pub lone: Vec<u32>,
    /// The number of each vertex in the input.
    pub labels: Vec<u32>,
    /// Whether a 65,536th of its size is near enough: it is a sketch already, or moves from frame
    /// to frame.
    pub is_rough: bool,
}

impl Surface {
    /// The surface of a body that keeps its shape.
    pub fn rigid(mesh: &Polyhedron) -> Self {
        let labels = (0..mesh.vertex_count() as u32).map(|v| mesh.vertex_label(v)).collect();
        Self { positions: vec![mesh.positions().to_vec()], labels, ..Self::features(mesh, |v| v) }
    }

    /// The surface that shows a solid: nobody asks for its features.
    pub fn sketch(mesh: &Polyhedron) -> Self {
        let Self { positions, triangles, .. } = Self::rigid(mesh);
        Self { positions, triangles, is_rough: true, ..Self::default() }
    }

    /// The surface of a body whose vertices, in the order of the input, are at these places in
    /// turn.
    pub fn deforming(mesh: &Polyhedron, positions: Vec<Vec<DVec3>>) -> Self {
        let count = positions.first().map_or(0, Vec::len) as u32;
        let features = Self::features(mesh, |v| mesh.vertex_label(v));
        Self { positions, labels: (0..count).collect(), is_rough: true, ..features }
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

    /// The bytes that it takes in a page, with one set of positions.
    pub fn bytes(&self) -> usize {
        let vertices = self.positions.first().map_or(0, Vec::len);
        let whole = if self.is_wide() { 4 } else { 2 };
        let wholes = 3 * self.triangles.len() + 2 * self.edges.len() + self.lone.len();
        let labels = if self.is_plain() { 0 } else { self.labels.len() };
        let place = if self.is_rough { 6 } else { 12 };
        place * vertices + whole * wholes + 4 * (self.faces.len() + labels)
    }

    fn is_wide(&self) -> bool {
        self.positions.first().is_some_and(|places| places.len() > usize::from(u16::MAX))
    }

    fn is_plain(&self) -> bool {
        self.labels.iter().enumerate().all(|(v, &label)| v == label as usize)
    }

    pub(crate) fn data(&self, frame: &Frame, thinned: bool) -> MeshData {
        let wide = self.is_wide();
        let local = |&place: &DVec3| frame.local(place);
        let places: Vec<[f32; 3]> = self.positions.iter().flatten().map(local).collect();
        let range = self.is_rough.then(|| range(&places));
        let positions = match &range {
            Some(range) => shorts(places.iter().flat_map(|place| divided(place, range))),
            None => singles(places.into_iter().flatten()),
        };
        MeshData {
            vertices: self.positions.first().map_or(0, Vec::len),
            positions,
            range,
            triangles: wholes(self.triangles.iter().flatten().copied(), wide),
            edges: wholes(self.edges.iter().flatten().copied(), wide),
            lone: wholes(self.lone.iter().copied(), wide),
            labels: (!self.is_plain()).then(|| words(self.labels.iter().copied())),
            faces: (!self.faces.is_empty()).then(|| words(self.faces.iter().copied())),
            wide,
            thinned,
        }
    }
}

/// The corners of the box around places.
fn range(places: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let none = [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]];
    let [low, high] = places.iter().fold(none, |[low, high], place| {
        let side = |i: usize| [low[i].min(place[i]), high[i].max(place[i])];
        let [x, y, z] = [side(0), side(1), side(2)];
        [[x[0], y[0], z[0]], [x[1], y[1], z[1]]]
    });
    let finite = |x: f32| if x.is_finite() { x } else { 0.0 };
    [low.map(finite), high.map(finite)]
}

/// A place in shares of the sides of a box. Casts saturate, and what is no number becomes 0.
fn divided(place: &[f32; 3], [low, high]: &[[f32; 3]; 2]) -> [u16; 3] {
    [0, 1, 2].map(|i| ((place[i] - low[i]) / (high[i] - low[i]) * 65535.0).round() as u16)
}
