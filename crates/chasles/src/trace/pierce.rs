//! Whether a segment passes through a polygon of a solid or of a sheet, exactly.
//!
//! Within a polygon that is the signs of determinants. On its border it is touching or crossing,
//! and what is around decides: around a point of an edge or at a vertex, solids and sheets are
//! cones over their faces there, and these only touch where a plane keeps them apart. It contains
//! the segment, and so it is turned about it until it meets a corner: only planes through the
//! segment and a corner are tried. A segment may also end on a polygon: what goes on from its end
//! to the other side crosses it within, or where all around is flat. Elsewhere it is said to
//! touch, and points tell whether a solid is behind ([`super::contents`]).

use glam::DVec3;
use robust::{Coord3D, orient3d};

use crate::mesh::{Polyhedron, Side};

/// How faces meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meet {
    /// Not at all, or so that neither has a vertex or an edge on the other.
    Apart,
    /// At a vertex or along an edge, and there does not tell what is behind.
    Touching,
    /// One passes through the other.
    Crossing,
}

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
    /// How two faces meet; they cross if an edge of one passes through the other.
    pub(super) fn meet(&self, face: u32, other: &Self, their_face: u32) -> Meet {
        let [normal, their_normal] =
            [self.mesh.normal(face), normal_of(other.mesh.face(their_face), other.places)];
        if self.is_apart(face, normal, other, other.mesh.face(their_face)) {
            return Meet::Apart;
        }
        let meet = self.meet_edges(face, other, other.mesh.face_edges(their_face));
        if meet == Meet::Crossing
            || other.is_apart(their_face, their_normal, self, self.mesh.face(face))
        {
            return meet;
        }
        meet.max(other.meet_edges(their_face, self, self.mesh.face_edges(face)))
    }

    /// How a lone edge meets a face.
    pub(super) fn meet_edge(&self, face: u32, other: &Self, edge: u32) -> Meet {
        match self.is_apart(face, self.mesh.normal(face), other, &other.mesh.edge(edge)) {
            true => Meet::Apart,
            false => self.meet_edges(face, other, &[edge]),
        }
    }

    fn meet_edges(&self, face: u32, other: &Self, edges: &[u32]) -> Meet {
        let meets =
            edges.iter().map(|&edge| self.meet_segment(face, &Segment { of: *other, edge }));
        meets.max().unwrap_or(Meet::Apart)
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

    /// Whether a segment passes from one side of a face to the other, or ends on it.
    fn meet_segment(&self, face: u32, segment: &Segment) -> Meet {
        let corners = self.mesh.face(face);
        let [p, q] = segment.ends();
        let at = |v: u32| self.places[v as usize];
        let [first, rest @ ..] = corners else { return Meet::Apart };
        let fan = rest.windows(2).map(|pair| [at(*first), at(pair[0]), at(pair[1])]);
        let mut meet = Meet::Apart;
        for [a, b, c] in fan {
            let sides = [p, q].map(|x| side([a, b, c], x));
            if sides[0] * sides[1] > 0.0 {
                continue;
            }
            let around = [side([p, q, a], b), side([p, q, b], c), side([p, q, c], a)];
            if around.iter().any(|s| *s < 0.0) && around.iter().any(|s| *s > 0.0) {
                continue;
            }
            let is_crossing = match sides {
                [0.0, 0.0] => false,
                [0.0, _] => self.is_passed(face, [a, b, c], segment, 0),
                [_, 0.0] => self.is_passed(face, [a, b, c], segment, 1),
                _ => self.is_entered(face, segment),
            };
            meet = meet.max(if is_crossing { Meet::Crossing } else { Meet::Touching });
        }
        meet
    }

    /// Whether a segment that meets a face does so within it, or meets its border and enters what
    /// is behind.
    fn is_entered(&self, face: u32, segment: &Segment) -> bool {
        let own = Feature::Edge(segment.edge);
        self.border(face, segment).is_none_or(|at| {
            !is_kept_apart(segment.ends(), self.around(&at), segment.of.around(&own))
        })
    }

    /// Whether what a segment with an end on a face belongs to goes on from there to the other side
    /// of the face's plane, within the face or where all around is flat.
    fn is_passed(&self, face: u32, plane: [DVec3; 3], segment: &Segment, end: usize) -> bool {
        let Segment { of, edge } = segment;
        let ends = of.mesh.edge(*edge);
        let height = |v: u32| side(plane, of.places[v as usize]);
        let edges = of.mesh.vertex_edges(ends[end]);
        let mut next = edges.iter().map(|&edge| of.mesh.neighbour(edge, ends[end]));
        next.any(|v| height(v) * height(ends[1 - end]) < 0.0)
            && self.border(face, segment).is_none_or(|at| self.is_flat(&at, plane))
    }

    /// Whether the faces at a feature lie in a plane, all around it.
    fn is_flat(&self, feature: &Feature, plane: [DVec3; 3]) -> bool {
        let is_inner = |edge: &u32| self.mesh.edge_sides(*edge).len() > 1;
        let edges = match feature {
            Feature::Edge(edge) => std::slice::from_ref(edge),
            Feature::Vertex(vertex) => self.mesh.vertex_edges(*vertex),
        };
        edges.iter().all(is_inner) && { self.around(feature) }.all(|x| side(plane, x) == 0.0)
    }

    /// Where on its border a segment meets a face, unless it does so within.
    fn border(&self, face: u32, segment: &Segment) -> Option<Feature> {
        let [p, q] = segment.ends();
        let corners = self.mesh.face(face);
        let at = |i: usize| self.places[corners[i % corners.len()] as usize];
        let mut borders = (0..corners.len()).filter(|&i| side([p, q, at(i)], at(i + 1)) == 0.0);
        borders.find_map(|i| {
            let [a, b] = [at(i), at(i + 1)];
            // A plane through the segment that does not contain the edge tells where on it that is.
            let is_beside = |x: &DVec3| side([p, q, a], *x) != 0.0 || side([p, q, b], *x) != 0.0;
            let beside = self.corners(face).find(is_beside)?;
            match [a, b].map(|x| side([p, q, beside], x)) {
                [0.0, _] => Some(Feature::Vertex(corners[i])),
                [_, 0.0] => Some(Feature::Vertex(corners[(i + 1) % corners.len()])),
                [x, y] => (x * y < 0.0).then(|| Feature::Edge(self.mesh.face_edges(face)[i])),
            }
        })
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
