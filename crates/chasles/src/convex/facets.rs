//! The planes of the mesh's faces in the frame of the query: how deep a point is, and which piece
//! of an edge is inside.
//!
//! Which features are inside has been decided exactly before; what is computed here is rounded.

use glam::DVec3;

use super::Owner;
use super::apart::Pair;

/// The planes of a body's faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Facets {
    planes: Vec<Facet>,
    /// Depths below this are rounding.
    rounding: f64,
}

#[derive(Clone, Copy, Debug)]
struct Facet {
    normal: DVec3,
    offset: f64,
}

impl Facet {
    fn depth(&self, p: DVec3) -> f64 {
        self.offset - self.normal.dot(p)
    }
}

/// How deep a point is, and below which face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Depth {
    pub(super) point: DVec3,
    /// The distance from the nearest face; not below 0.
    pub(super) depth: f64,
    pub(super) face: u32,
}

/// The rounding of a depth, relative to the reach: a unit normal, two products of three terms and
/// a placed point, each below 4 units `2⁻⁵³`.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Steps towards the deepest point of a piece. Each adds the plane of one more face; three or four
/// are common, and a piece that needs more is as good as its last step.
const STEPS: usize = 32;

/// Faces whose normals differ by less than this angle count as one for [`Facets::clearance`]: far
/// above the bend of a face by rounding, far below any edge that one could push against.
const SAME_WAY: f64 = 1e-6;

impl Facets {
    /// Takes the faces of one body of the pair, in A's frame.
    pub(super) fn place(&mut self, pair: &Pair, owner: Owner) {
        let mesh = pair.body(owner).mesh();
        let facet = |face: u32| {
            let (normal, point) = (mesh.normal(face), mesh.face_point(face));
            let (normal, point) = match owner {
                Owner::A => (normal, point),
                Owner::B => (pair.b_in_a.vector(normal), pair.b_in_a.point(point)),
            };
            Facet { normal, offset: normal.dot(point) }
        };
        self.rounding = ROUNDING * pair.reach;
        self.planes.clear();
        self.planes.extend((0..mesh.face_count() as u32).map(facet));
    }

    pub(super) fn normal(&self, face: u32) -> DVec3 {
        self.planes[face as usize].normal
    }

    /// The piece of an edge that is inside, by Cyrus and Beck: the planes that the edge enters
    /// move its start on, those that it leaves move its end back. Depths that are rounding count
    /// as none, so that an edge along a face is not cut where rounding lets it cross the plane.
    /// Where nothing is left of an edge that does meet the body, the piece is a point.
    pub(super) fn clip(&self, [p, q]: [DVec3; 2]) -> [DVec3; 2] {
        let (mut start, mut end) = (0.0_f64, 1.0_f64);
        let depth = |facet: &Facet, x: DVec3| {
            let depth = facet.depth(x);
            if depth.abs() <= self.rounding { 0.0 } else { depth }
        };
        for facet in &self.planes {
            let [at_p, at_q] = [p, q].map(|x| depth(facet, x));
            if at_p < 0.0 && at_q > at_p {
                start = start.max((at_p / (at_p - at_q)).min(1.0));
            } else if at_q < 0.0 && at_p > at_q {
                end = end.min((at_p / (at_p - at_q)).max(0.0));
            }
        }
        if start > end {
            start = 0.5 * (start + end);
            end = start;
        }
        // At 0 and 1 these are the ends themselves, to the last bit.
        [start, end].map(|t| p * (1.0 - t) + q * t)
    }

    /// The depth of a point inside.
    fn depth(&self, point: DVec3) -> Depth {
        let (face, nearest) = self.nearest(point);
        Depth { point, depth: nearest.depth(point).max(0.0), face }
    }

    /// The distance from the next nearest face that looks another way.
    pub(super) fn clearance(&self, depth: &Depth) -> f64 {
        let normal = self.normal(depth.face);
        let other_way = |f: &&Facet| f.normal.distance(normal) > SAME_WAY;
        let depths = self.planes.iter().filter(other_way).map(|f| f.depth(depth.point));
        depths.fold(f64::INFINITY, f64::min)
    }

    /// The deepest point of a piece of an edge.
    ///
    /// Along the piece the depth is the lowest of straight lines, one for each face, so it rises
    /// and then falls. Keep one face below which it rises and one below which it falls; where the
    /// two are equally deep is the highest possible place. A face that is nearer there replaces one
    /// of them. None if the piece is too short to be deeper than `least` anywhere: from its middle
    /// no depth grows faster than the distance.
    pub(super) fn deepest(&self, [p, q]: [DVec3; 2], least: f64) -> Option<Depth> {
        let middle = self.depth(0.5 * (p + q));
        if middle.depth + 0.5 * p.distance(q) < least {
            return None;
        }
        if p == q {
            return Some(middle);
        }
        let at = |t: f64| p * (1.0 - t) + q * t;
        let slope = |f: &Facet| f.normal.dot(p - q);
        let (mut rising, mut falling) = (self.nearest(p).1, self.nearest(q).1);
        if slope(rising) <= 0.0 {
            return Some(self.depth(p));
        }
        if slope(falling) >= 0.0 {
            return Some(self.depth(q));
        }
        let mut t = 0.5;
        for _ in 0..STEPS {
            let gap = falling.depth(p) - rising.depth(p);
            t = (gap / (slope(rising) - slope(falling))).clamp(0.0, 1.0);
            let nearest = self.nearest(at(t)).1;
            if nearest.depth(at(t)) >= rising.depth(at(t)).min(falling.depth(at(t))) {
                break;
            }
            if slope(nearest) > 0.0 {
                rising = nearest;
            } else {
                falling = nearest;
            }
        }
        Some(self.depth(at(t)))
    }

    /// The face that a point is least below. A convex body has at least four.
    fn nearest(&self, point: DVec3) -> (u32, &Facet) {
        let mut best = (0, f64::INFINITY);
        for (i, facet) in self.planes.iter().enumerate() {
            let depth = facet.depth(point);
            if depth < best.1 {
                best = (i, depth);
            }
        }
        (best.0 as u32, &self.planes[best.0])
    }
}
