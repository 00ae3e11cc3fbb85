//! A mesh with adjacency, planes and labels.
//!
//! Vertices at one place, up to rounding, are one vertex, named by the lowest input number.
//! Polygons that are not planar become triangles, which keep the number of their polygon. Faces
//! without area become segments. Nothing is thrown away but repeated corners and vertices that
//! nothing uses.
//!
//! All adjacency is kept as compressed rows: one array of entries and one of row starts.

mod parts;

use std::collections::BTreeMap;

use glam::DVec3;

use self::parts::{Parts, distinct_neighbours};
use super::outward::Turned;
use super::polygons::{MeshError, Polygons};
use super::rows::{Rows, emptied};
use super::weld::{Weld, Welded, weld};
use crate::numeric::without_dust;
use crate::parallel;

/// A face at an edge, and on which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The face.
    pub face: u32,
    /// Whether the face's loop runs along the edge from its first to its second vertex, so that
    /// the face lies on the left seen from outside [Buss04 §5].
    pub left: bool,
}

/// A rigid body's surface: planar polygons with adjacency.
///
/// Closed, open and non-manifold surfaces, several components, lone segments and lone points are
/// all accepted. Vertices, edges and faces are numbered from 0 in an order of the library's own;
/// [`Polyhedron::vertex_label`] and [`Polyhedron::face_label`] give the numbers of the input.
#[derive(Clone, Debug, PartialEq)]
pub struct Polyhedron {
    positions: Vec<DVec3>,
    vertex_labels: Vec<u32>,
    edges: Vec<[u32; 2]>,
    edge_sides: Rows<Side>,
    loops: Rows<u32>,
    loop_edges: Rows<u32>,
    face_labels: Vec<u32>,
    normals: Vec<DVec3>,
    face_points: Vec<DVec3>,
    two_sided: Vec<bool>,
    turned: Turned,
    vertex_edges: Rows<u32>,
    vertex_faces: Rows<u32>,
    weld: Weld,
    /// Edges between joined vertices that the input names otherwise: by the labels of their ends.
    edge_names: BTreeMap<[u32; 2], [u32; 2]>,
}

impl Polyhedron {
    /// Builds adjacency and planes. Vertices within 1e-12 of the size are one: files round each
    /// copy of a vertex on its own, and the surface would be open between the copies.
    ///
    /// *Accepts* any vertices and faces with finite coordinates up to 1e100; those below 1e-120
    /// are taken as zero. The size is the largest side of the bounding box. *Guarantees* that
    /// labels are the numbers of the input, that each vertex stands where the input has its label,
    /// and that the same input gives the same numbering. [`Polyhedron::weld`] says what was joined.
    /// *Cost* linear in the input (quadratic in the corners of a polygon that must be split).
    /// *Fails* on numbers out of range, coordinates that are not finite, an empty mesh, and one of
    /// which most edges are shorter than 1e-12 of the size, as beside a vertex at 1e20.
    ///
    /// ```
    /// use chasles::{Polygons, Polyhedron};
    /// let corner = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// let mesh = Polyhedron::new(&Polygons::new(corner, faces))?;
    /// assert_eq!((mesh.vertex_count(), mesh.edge_count(), mesh.face_count()), (4, 6, 4));
    /// assert!(mesh.is_closed());
    /// # Ok::<(), chasles::mesh::MeshError>(())
    /// ```
    pub fn new(polygons: &Polygons) -> Result<Self, MeshError> {
        polygons.check()?;
        Self::build(polygons, polygons.default_weld())
    }

    /// Builds adjacency and planes; vertices within `weld` of each other are one.
    ///
    /// Chains of vertices, each within `weld` of the next, are one vertex, named by the lowest
    /// number and standing at its place. *Accepts* what [`Polyhedron::new`] accepts, and a length
    /// from 0, which joins only vertices with equal coordinates. *Guarantees* that no edge and no
    /// face collapses: vertices that would do that stay apart, and [`Polyhedron::weld`] lists them.
    /// *Cost* as [`Polyhedron::new`], whatever the length. *Fails* likewise, and on a length that
    /// is negative, infinite or not a number.
    ///
    /// ```
    /// use chasles::{Polygons, Polyhedron};
    /// let near = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1e-9, 0.], [1., 1., 0.]];
    /// let two = Polygons::new(near, [[0, 1, 2], [2, 3, 4]]);
    /// assert_eq!(Polyhedron::new(&two)?.edge_count(), 6);
    /// assert_eq!(Polyhedron::welded(&two, 1e-8)?.edge_count(), 5);
    /// # Ok::<(), chasles::mesh::MeshError>(())
    /// ```
    pub fn welded(polygons: &Polygons, weld: f64) -> Result<Self, MeshError> {
        polygons.check_weld(weld)?;
        Self::build(polygons, weld)
    }

    fn build(polygons: &Polygons, length: f64) -> Result<Self, MeshError> {
        let vertices: Vec<DVec3> = polygons.vertices.iter().map(|&v| without_dust(v)).collect();
        let Welded { numbers: welded, edge_names, report: weld } =
            weld(polygons, &vertices, length);
        let mut parts = Parts::default();
        for (face, corners) in polygons.faces.iter().enumerate() {
            let corners = distinct_neighbours(corners.iter().map(|&v| welded[v as usize]));
            parts.add_polygon(face, &corners, &vertices)?;
        }
        for segment in &polygons.segments {
            parts.add_loop_as_segments(&segment.map(|v| welded[v as usize]));
        }
        parts.points.extend(polygons.points.iter().map(|&v| welded[v as usize]));
        if parts.loops.is_empty() && parts.segments.is_empty() && parts.points.is_empty() {
            parts.points.extend_from_slice(&welded);
        }
        Ok(Self { weld, edge_names, ..parts.assemble(&vertices) })
    }

    /// Which vertices were joined, and which could not be.
    pub fn weld(&self) -> &Weld {
        &self.weld
    }

    /// How many distinct vertices are in use.
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// How many edges, lone segments included.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many planar faces, after the splitting of non-planar polygons.
    pub fn face_count(&self) -> usize {
        self.face_labels.len()
    }

    /// Where a vertex is, in the body's frame.
    #[inline]
    pub fn position(&self, vertex: u32) -> DVec3 {
        self.positions[vertex as usize]
    }

    /// All positions, by vertex number.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// All features as lists, with the numbers that they have here.
    ///
    /// *Guarantees* faces that are planar, and besides them what belongs to no face: edges as
    /// segments, vertices as points. *Cost* linear. *Fails* never.
    pub fn to_polygons(&self) -> Polygons {
        let faces = (0..self.face_count() as u32).map(|face| self.face(face).to_vec());
        let lone_edges = (0..self.edge_count() as u32).filter(|&e| self.edge_sides(e).is_empty());
        let is_lone = |&v: &u32| self.vertex_faces(v).is_empty() && self.vertex_edges(v).is_empty();
        Polygons {
            vertices: self.positions.clone(),
            faces: faces.collect(),
            segments: lone_edges.map(|edge| self.edge(edge)).collect(),
            points: (0..self.vertex_count() as u32).filter(is_lone).collect(),
        }
    }

    /// A vertex's number in the input; of several that are one the lowest.
    #[inline]
    pub fn vertex_label(&self, vertex: u32) -> u32 {
        self.vertex_labels[vertex as usize]
    }

    /// The corners of several faces, one face after the other.
    #[inline]
    pub(crate) fn corners(&self, faces: std::ops::Range<u32>) -> &[u32] {
        self.loops.rows(faces)
    }

    /// The ends of several edges.
    #[inline]
    pub(crate) fn edges(&self, edges: std::ops::Range<u32>) -> &[[u32; 2]] {
        &self.edges[edges.start as usize..edges.end as usize]
    }

    /// The two vertices of an edge; the first has the lower label.
    #[inline]
    pub fn edge(&self, edge: u32) -> [u32; 2] {
        self.edges[edge as usize]
    }

    /// An edge's vertices as numbers of the input, the lower first. Where vertices are joined, they
    /// are those that an edge of the input has.
    #[inline]
    pub fn edge_label(&self, edge: u32) -> [u32; 2] {
        let label = self.edge(edge).map(|v| self.vertex_label(v));
        if self.edge_names.is_empty() { label } else { self.stated(label) }
    }

    /// What the input calls an edge with these labels.
    #[cold]
    fn stated(&self, label: [u32; 2]) -> [u32; 2] {
        *self.edge_names.get(&label).unwrap_or(&label)
    }

    /// The faces at an edge, each with its side: none for a lone segment, one at a border, two on
    /// a surface, more where surfaces meet.
    #[inline]
    pub fn edge_sides(&self, edge: u32) -> &[Side] {
        self.edge_sides.row(edge)
    }

    /// A face's vertices, counter-clockwise seen from outside.
    #[inline]
    pub fn face(&self, face: u32) -> &[u32] {
        self.loops.row(face)
    }

    /// A face's edges; entry `i` joins corners `i` and `i + 1`.
    #[inline]
    pub fn face_edges(&self, face: u32) -> &[u32] {
        self.loop_edges.row(face)
    }

    /// A face's number in the input.
    #[inline]
    pub fn face_label(&self, face: u32) -> u32 {
        self.face_labels[face as usize]
    }

    /// A face's outward unit normal.
    #[inline]
    pub fn normal(&self, face: u32) -> DVec3 {
        self.normals[face as usize]
    }

    /// The mean of a face's corners, a point of its plane.
    #[inline]
    pub fn face_point(&self, face: u32) -> DVec3 {
        self.face_points[face as usize]
    }

    /// Those of all faces.
    #[inline]
    pub(crate) fn face_points(&self) -> &[DVec3] {
        &self.face_points
    }

    /// Whether the face belongs to a component that is not closed, and so has no outside.
    #[inline]
    pub fn is_two_sided(&self, face: u32) -> bool {
        self.two_sided[face as usize]
    }

    /// The edges at a vertex.
    #[inline]
    pub fn vertex_edges(&self, vertex: u32) -> &[u32] {
        self.vertex_edges.row(vertex)
    }

    /// Where the edges at a vertex are among those at all vertices.
    #[inline]
    pub(crate) fn vertex_edges_place(&self, vertex: u32) -> std::ops::Range<usize> {
        self.vertex_edges.place(vertex)
    }

    /// The faces at a vertex.
    #[inline]
    pub fn vertex_faces(&self, vertex: u32) -> &[u32] {
        self.vertex_faces.row(vertex)
    }

    /// The other end of an edge at a vertex.
    #[inline]
    pub fn neighbour(&self, edge: u32, vertex: u32) -> u32 {
        let [p, q] = self.edge(edge);
        if p == vertex { q } else { p }
    }

    /// Whether every component is closed and there are no lone segments or points.
    pub fn is_closed(&self) -> bool {
        !self.two_sided.contains(&true)
            && (0..self.edge_count() as u32).all(|e| !self.edge_sides(e).is_empty())
            && (0..self.vertex_count() as u32).all(|v| !self.vertex_faces(v).is_empty())
    }

    /// Lowest and highest coordinates.
    pub fn bounds(&self) -> [DVec3; 2] {
        let low = self.positions.iter().copied().reduce(DVec3::min);
        let high = self.positions.iter().copied().reduce(DVec3::max);
        [low.unwrap_or(DVec3::ZERO), high.unwrap_or(DVec3::ZERO)]
    }

    /// What [`Polyhedron::turn_outward`] turned; nothing if it was not asked to.
    pub fn turned(&self) -> &Turned {
        &self.turned
    }

    /// Turns nothing; what was turned before is still said to be.
    pub(super) fn leave(&mut self, found: Turned) {
        let Turned { doubtful, undecided, .. } = found;
        self.turned = Turned { doubtful, undecided, ..std::mem::take(&mut self.turned) };
    }

    /// Turns faces over, which are then said to be turned: loops run the other way.
    pub(super) fn turn_over(&mut self, is_over: &[bool], turned: Turned) {
        let faces = self.face_count();
        self.loops = Rows::from_fn(faces, |f, out| {
            let start = out.len();
            out.extend_from_slice(self.loops.row(f));
            if is_over[f as usize] {
                out[start..].reverse();
            }
        });
        // The edge between the last corner and the first stays the last.
        self.loop_edges = Rows::from_fn(faces, |f, out| {
            let start = out.len();
            out.extend_from_slice(self.loop_edges.row(f));
            if is_over[f as usize] {
                let last = out.len() - 1;
                out[start..last].reverse();
            }
        });
        self.edge_sides = Rows::from_fn(self.edge_count(), |e, out| {
            let side = |s: &Side| Side { left: s.left != is_over[s.face as usize], ..*s };
            out.extend(self.edge_sides.row(e).iter().map(side));
        });
        for (normal, _) in self.normals.iter_mut().zip(is_over).filter(|(_, over)| **over) {
            *normal = -*normal;
        }
        self.turned = turned;
    }

    /// The same mesh with other numbers: new vertex `i` is old vertex `vertices[i]`, and so on.
    /// Labels stay.
    ///
    /// What an old list leaves holds the next new one of its kind, since fresh memory costs more
    /// than moving does.
    pub(crate) fn renumbered(self, vertices: &[u32], edges: &[u32], faces: &[u32]) -> Self {
        let [new_vertex, new_edge, new_face] = [vertices, edges, faces].map(inverted);
        let planes = || {
            let (positions, room) = moved(self.positions, vertices, Vec::new());
            let (normals, room) = moved(self.normals, faces, room);
            (positions, normals, moved(self.face_points, faces, room).0)
        };
        let lists = || {
            let (vertex_labels, room) = moved(self.vertex_labels, vertices, Vec::new());
            let (face_labels, _) = moved(self.face_labels, faces, room);
            let (mut ends, _) = moved(self.edges, edges, Vec::new());
            ends.iter_mut().flatten().for_each(|v| *v = new_vertex[*v as usize]);
            let to = |side: Side| Side { face: new_face[side.face as usize], ..side };
            let (edge_sides, _) = self.edge_sides.moved(edges, Rows::NO_ROOM, to);
            (vertex_labels, face_labels, ends, edge_sides)
        };
        let rows = || {
            let [vertex, edge, face] =
                [&new_vertex, &new_edge, &new_face].map(|new| move |k: u32| new[k as usize]);
            let (loops, room) = self.loops.moved(faces, Rows::NO_ROOM, vertex);
            let (loop_edges, room) = self.loop_edges.moved(faces, room, edge);
            let (vertex_edges, room) = self.vertex_edges.moved(vertices, room, edge);
            let vertex_faces = self.vertex_faces.moved(vertices, room, face).0;
            (loops, loop_edges, vertex_edges, vertex_faces)
        };
        let both = || (planes(), lists());
        let is_large = faces.len() >= LARGE;
        let (((positions, normals, face_points), lists), rows) =
            if is_large { parallel::join(both, rows) } else { (both(), rows()) };
        let (vertex_labels, face_labels, ends, edge_sides) = lists;
        let (loops, loop_edges, vertex_edges, vertex_faces) = rows;
        Self {
            positions,
            vertex_labels,
            edges: ends,
            edge_sides,
            loops,
            loop_edges,
            face_labels,
            normals,
            face_points,
            two_sided: moved(self.two_sided, faces, Vec::new()).0,
            turned: self.turned,
            vertex_edges,
            vertex_faces,
            weld: self.weld,
            edge_names: self.edge_names,
        }
    }
}

/// Faces from which on it pays to move lists on two threads.
const LARGE: usize = 1 << 14;

/// A list in another order, which fills `room` if that is large enough, and the room that it left.
fn moved<T: Copy>(old: Vec<T>, order: &[u32], room: Vec<T>) -> (Vec<T>, Vec<T>) {
    let mut new = emptied(room, order.len());
    new.extend(order.iter().map(|&i| old[i as usize]));
    (new, old)
}

fn inverted(order: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        inverse[old as usize] = new as u32;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square_pyramid() -> Polygons {
        let base = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.], [0.5, 0.5, 1.]];
        let faces = [vec![3, 2, 1, 0], vec![0, 1, 4], vec![1, 2, 4], vec![2, 3, 4], vec![3, 0, 4]];
        Polygons::new(base, faces)
    }

    #[test]
    fn a_closed_surface_has_two_faces_at_each_edge() {
        let mesh = Polyhedron::new(&square_pyramid()).unwrap();
        assert!(mesh.is_closed());
        assert_eq!((mesh.vertex_count(), mesh.edge_count(), mesh.face_count()), (5, 8, 5));
        for edge in 0..8 {
            let sides = mesh.edge_sides(edge);
            assert_eq!(sides.len(), 2);
            assert_ne!(sides[0].left, sides[1].left);
        }
        assert_eq!(mesh.normal(0), -DVec3::Z);
        assert_eq!(mesh.vertex_edges(4).len(), 4);
        assert_eq!(mesh.vertex_faces(0).len(), 3);
    }

    #[test]
    fn a_missing_face_makes_the_component_two_sided() {
        let mut polygons = square_pyramid();
        polygons.faces.pop();
        let mesh = Polyhedron::new(&polygons).unwrap();
        assert!((0..4).all(|f| mesh.is_two_sided(f)));
    }

    #[test]
    fn equal_coordinates_are_one_vertex_with_the_lowest_number() {
        let vertices = [[1., 0., 0.], [0., 0., 0.], [-0.0, 0., 0.], [0., 1., 0.], [1., 0., 0.]];
        let mesh = Polyhedron::new(&Polygons::new(vertices, [[2, 4, 3]])).unwrap();
        let labels: Vec<u32> = (0..3).map(|v| mesh.vertex_label(v)).collect();
        assert_eq!(labels, [0, 1, 3]);
    }

    #[test]
    fn non_planar_polygons_are_split_and_keep_their_number() {
        let vertices = [[0., 0., 0.], [1., 0., 0.], [1., 1., 0.3], [0., 1., 0.]];
        let faces = [vec![0, 1, 2, 3], vec![3, 1, 0]];
        let mesh = Polyhedron::new(&Polygons::new(vertices, faces)).unwrap();
        let labels: Vec<u32> = (0..3).map(|f| mesh.face_label(f)).collect();
        assert_eq!(labels, [0, 0, 1]);
    }

    #[test]
    fn faces_without_area_become_segments_and_points() {
        let vertices = [[0., 0., 0.], [1., 0., 0.], [2., 0., 0.], [5., 5., 5.]];
        let faces = [vec![0, 1, 2], vec![3, 3, 3]];
        let mesh = Polyhedron::new(&Polygons::new(vertices, faces)).unwrap();
        assert_eq!((mesh.vertex_count(), mesh.edge_count(), mesh.face_count()), (4, 3, 0));
        assert!(mesh.vertex_edges(3).is_empty());
    }

    #[test]
    fn three_faces_at_an_edge_are_accepted() {
        let vertices = [[0., 0., 0.], [0., 0., 1.], [1., 0., 0.], [-1., 1., 0.], [-1., -1., 0.]];
        let mesh = Polyhedron::new(&Polygons::new(vertices, [[0, 1, 2], [0, 1, 3], [0, 1, 4]]));
        assert_eq!(mesh.unwrap().edge_sides(0).len(), 3);
    }

    #[test]
    fn bad_input_is_named() {
        let mut polygons = square_pyramid();
        polygons.faces[2][1] = 9;
        let error = Polyhedron::new(&polygons).unwrap_err().to_string();
        assert_eq!(error, "face 2 uses vertex 9, but there are only 5 vertices (from 0)");
        polygons = square_pyramid();
        polygons.vertices[3].y = f64::NAN;
        assert!(matches!(Polyhedron::new(&polygons), Err(MeshError::BadVertex { vertex: 3, .. })));
        assert_eq!(Polyhedron::new(&Polygons::default()), Err(MeshError::Empty));
    }

    #[test]
    fn renumbering_keeps_labels_and_adjacency() {
        let mesh = Polyhedron::new(&square_pyramid()).unwrap();
        let edges: Vec<u32> = (0..8).rev().collect();
        let other = mesh.clone().renumbered(&[4, 3, 2, 1, 0], &edges, &[4, 3, 2, 1, 0]);
        assert_eq!(other.vertex_label(0), 4);
        for face in 0..5 {
            let names = |m: &Polyhedron, f: u32| -> Vec<u32> {
                m.face(f).iter().map(|&v| m.vertex_label(v)).collect()
            };
            assert_eq!(names(&other, face), names(&mesh, 4 - face));
            assert_eq!(other.normal(face), mesh.normal(4 - face));
        }
        for edge in 0..8 {
            assert_eq!(other.edge_label(edge), mesh.edge_label(7 - edge));
        }
    }
}
