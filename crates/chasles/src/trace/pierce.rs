//! Whether a segment passes through a polygon of a solid or of a sheet, exactly.
//!
//! Within a polygon that is the signs of determinants. On its border it is touching or crossing,
//! and what is around decides: around a point of an edge or at a vertex, solids and sheets are
//! cones over their faces there, and these only touch where a plane keeps them apart. It contains
//! the segment, and so it is turned about it until it meets a corner: only planes through the segment and
//! a corner are tried.

use glam::DVec3;
use robust::{Coord3D, orient3d};

use crate::mesh::{Polyhedron, Side};

/// A mesh with its vertices somewhere.
#[derive(Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) mesh: &'a Polyhedron,
    pub(super) places: &'a [DVec3],
}

/// A segment between two vertices, and the edge it is of a mesh.
#[derive(Clone, Copy)]
struct Segment<'a> {
    of: Placed<'a>,
    edge: u32,
}

/// Where on the border of a face.
#[derive(Clone, Copy)]
enum Feature {
    Edge(u32),
    Vertex(u32),
}

impl<'a> Placed<'a> {
    /// Whether two faces cross: an edge of one passes through the other.
    pub(super) fn is_crossed(&self, face: u32, other: &Self, their_face: u32) -> bool {
        let [normal, their_normal] =
            [self.mesh.normal(face), normal_of(other.mesh.face(their_face), other.places)];
        !self.is_apart(face, normal, other, other.mesh.face(their_face))
            && (self.is_pierced_by_any(face, other, other.mesh.face_edges(their_face))
                || !other.is_apart(their_face, their_normal, self, self.mesh.face(face))
                    && other.is_pierced_by_any(their_face, self, self.mesh.face_edges(face)))
    }

    /// Whether a lone edge passes through a face.
    pub(super) fn is_crossed_by_edge(&self, face: u32, other: &Self, edge: u32) -> bool {
        !self.is_apart(face, self.mesh.normal(face), other, &other.mesh.edge(edge))
            && self.is_pierced_by_any(face, other, &[edge])
    }

    fn is_pierced_by_any(&self, face: u32, other: &Self, edges: &[u32]) -> bool {
        edges.iter().any(|&edge| self.is_pierced(face, &Segment { of: *other, edge }))
    }

    /// Whether all points are clearly on one side of a face; a cheap test before the exact one.
    fn is_apart(&self, face: u32, normal: DVec3, other: &Self, vertices: &[u32]) -> bool {
        let point = self.places[self.mesh.face(face)[0] as usize];
        let [mut low, mut high, mut size] = [f64::INFINITY, f64::NEG_INFINITY, 0.0_f64];
        for &vertex in vertices {
            let from = other.places[vertex as usize] - point;
            let height = normal.dot(from);
            low = low.min(height);
            high = high.max(height);
            size = size.max(from.abs().max_element());
        }
        let rounding = 64.0 * f64::EPSILON * (size + point.abs().max_element());
        low > rounding || high < -rounding
    }

    /// Whether a segment passes from one side of a face to the other.
    fn is_pierced(&self, face: u32, segment: &Segment) -> bool {
        let corners = self.mesh.face(face);
        let [p, q] = segment.ends();
        let at = |v: u32| self.places[v as usize];
        let [first, rest @ ..] = corners else { return false };
        let fan = rest.windows(2).map(|pair| [at(*first), at(pair[0]), at(pair[1])]);
        let is_hit = { fan }.any(|[a, b, c]| {
            let [above, below] = [p, q].map(|x| side([a, b, c], x));
            let around = [side([p, q, a], b), side([p, q, b], c), side([p, q, c], a)];
            above * below < 0.0
                && (around.iter().all(|s| *s >= 0.0) || around.iter().all(|s| *s <= 0.0))
        });
        is_hit && self.is_entered(face, segment)
    }

    /// Whether a segment that meets a face does so within it, or meets its border and enters what is
    /// behind.
    fn is_entered(&self, face: u32, segment: &Segment) -> bool {
        let [p, q] = segment.ends();
        let corners = self.mesh.face(face);
        let at = |i: usize| self.places[corners[i % corners.len()] as usize];
        let mut borders = (0..corners.len()).filter(|&i| side([p, q, at(i)], at(i + 1)) == 0.0);
        let Some(first) = borders.next() else { return true };
        let feature = std::iter::once(first).chain(borders).find_map(|i| {
            let [a, b] = [at(i), at(i + 1)];
            // A plane through the segment that does not contain the edge tells where on it that is.
            let is_beside = |x: &DVec3| side([p, q, a], *x) != 0.0 || side([p, q, b], *x) != 0.0;
            let beside = self.corners(face).find(is_beside)?;
            match [a, b].map(|x| side([p, q, beside], x)) {
                [0.0, _] => Some(Feature::Vertex(corners[i])),
                [_, 0.0] => Some(Feature::Vertex(corners[(i + 1) % corners.len()])),
                [x, y] => (x * y < 0.0).then(|| Feature::Edge(self.mesh.face_edges(face)[i])),
            }
        });
        let own = Feature::Edge(segment.edge);
        feature.is_none_or(|at| !is_kept_apart([p, q], self.around(&at), segment.of.around(&own)))
    }

    /// The corners of all faces at a feature.
    fn around(&self, feature: &Feature) -> impl Iterator<Item = DVec3> + Clone + use<'a> {
        let (sides, faces): (&[Side], &[u32]) = match *feature {
            Feature::Edge(edge) => (self.mesh.edge_sides(edge), &[]),
            Feature::Vertex(vertex) => (&[], self.mesh.vertex_faces(vertex)),
        };
        let placed = *self;
        let faces = sides.iter().map(|side| side.face).chain(faces.iter().copied());
        faces.flat_map(move |face| placed.corners(face))
    }

    fn corners(&self, face: u32) -> impl Iterator<Item = DVec3> + Clone + use<'a> {
        let places = self.places;
        self.mesh.face(face).iter().map(move |&v| places[v as usize])
    }
}

impl Segment<'_> {
    fn ends(&self) -> [DVec3; 2] {
        self.of.mesh.edge(self.edge).map(|v| self.of.places[v as usize])
    }
}

/// Whether a plane through a segment has all of some points on one side, and all of others on
/// the other.
fn is_kept_apart(
    [p, q]: [DVec3; 2],
    some: impl Iterator<Item = DVec3> + Clone,
    others: impl Iterator<Item = DVec3> + Clone,
) -> bool {
    let is_between = |through: DVec3| {
        let reach = |[low, high]: [f64; 2], x: DVec3| {
            let side = side([p, q, through], x);
            [low.min(side), high.max(side)]
        };
        let [low, high] = some.clone().fold([0.0; 2], reach);
        let [their_low, their_high] = others.clone().fold([0.0; 2], reach);
        // A point on the segment's line spans no plane with it.
        let is_plane = [low, high, their_low, their_high].iter().any(|s| *s != 0.0);
        is_plane && ((low >= 0.0 && their_high <= 0.0) || (high <= 0.0 && their_low >= 0.0))
    };
    some.clone().chain(others.clone()).any(is_between)
}

/// The sign of a determinant that tells the side of a plane, exactly.
fn side(corners: [DVec3; 3], point: DVec3) -> f64 {
    let coord = |p: DVec3| Coord3D { x: p.x, y: p.y, z: p.z };
    let [a, b, c] = corners.map(coord);
    match orient3d(a, b, c, coord(point)) {
        s if s > 0.0 => 1.0,
        s if s < 0.0 => -1.0,
        _ => 0.0,
    }
}

fn normal_of(corners: &[u32], places: &[DVec3]) -> DVec3 {
    let [p, rest @ ..] = corners else { return DVec3::ZERO };
    let from = |v: u32| places[v as usize] - places[*p as usize];
    rest.windows(2).map(|q| from(q[0]).cross(from(q[1]))).sum::<DVec3>().normalize_or_zero()
}
