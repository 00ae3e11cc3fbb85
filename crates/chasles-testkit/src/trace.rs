//! A slow judge of traces: distances of triangles, and a walk along the way by safe steps.
//!
//! The distance of two bodies shrinks at most as fast as the fastest vertex moves. So from any
//! parameter it is safe to go on by the distance over that speed, and a walk of such steps sees
//! every approach. Shares nothing with the library.

use chasles::{Polygons, Pose};
use glam::{DQuat, DVec3};

use crate::geometry::segment_distance;

/// Triangles, segments and points of a mesh, each with a sphere around it.
#[derive(Clone, Debug)]
pub struct Soup {
    pieces: Vec<Piece>,
    /// The greatest distance of a vertex from the origin.
    pub radius: f64,
}

/// One to three corners.
#[derive(Clone, Debug)]
struct Piece {
    corners: Vec<DVec3>,
    middle: DVec3,
    radius: f64,
}

impl Piece {
    fn new(corners: Vec<DVec3>) -> Self {
        let middle = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let radius = corners.iter().map(|c| c.distance(middle)).fold(0.0, f64::max);
        Self { corners, middle, radius }
    }

    fn at(&self, pose: &Pose) -> Self {
        let corners = self.corners.iter().map(|&c| pose.point(c)).collect();
        Self { corners, middle: pose.point(self.middle), ..*self }
    }

    fn edges(&self) -> impl Iterator<Item = [DVec3; 2]> + '_ {
        let count = self.corners.len();
        (0..count).map(move |i| [self.corners[i], self.corners[(i + 1) % count]])
    }

    fn distance(&self, other: &Self) -> f64 {
        let crossed =
            |a: &Self, b: &Self| b.corners.len() == 3 && a.edges().any(|e| b.is_pierced(e));
        if crossed(self, other) || crossed(other, self) {
            return 0.0;
        }
        let edges = self.edges().flat_map(|a| other.edges().map(move |b| segment_distance(a, b)));
        let lowest = edges.fold(f64::INFINITY, f64::min);
        let over = |a: &Self, b: &Self| {
            let heights = a.corners.iter().filter_map(|&c| b.height(c));
            heights.fold(f64::INFINITY, f64::min)
        };
        lowest.min(over(self, other)).min(over(other, self))
    }

    /// How far a point is from the plane, if it is over the triangle.
    fn height(&self, point: DVec3) -> Option<f64> {
        let [a, b, c] = *self.corners.as_slice() else { return None };
        let normal = (b - a).cross(c - a).try_normalize()?;
        let inside = |p: DVec3, q: DVec3| (q - p).cross(point - p).dot(normal) >= 0.0;
        let is_over = inside(a, b) && inside(b, c) && inside(c, a);
        is_over.then(|| normal.dot(point - a).abs())
    }

    fn is_pierced(&self, [p, q]: [DVec3; 2]) -> bool {
        let [a, b, c] = *self.corners.as_slice() else { return false };
        let normal = (b - a).cross(c - a);
        let [from, to] = [p, q].map(|x| normal.dot(x - a));
        from * to < 0.0 && self.height(p.lerp(q, from / (from - to))).is_some()
    }
}

impl Soup {
    /// Faces become fans of triangles; meshes with concave faces must be split before.
    pub fn new(mesh: &Polygons) -> Self {
        let at = |v: u32| mesh.vertices[v as usize];
        let fan = |face: &Vec<u32>| {
            let [first, rest @ ..] = face.as_slice() else { return Vec::new() };
            rest.windows(2).map(|w| Piece::new(vec![at(*first), at(w[0]), at(w[1])])).collect()
        };
        let mut pieces: Vec<Piece> = mesh.faces.iter().flat_map(fan).collect();
        pieces.extend(mesh.segments.iter().map(|s| Piece::new(s.map(at).to_vec())));
        pieces.extend(mesh.points.iter().map(|&p| Piece::new(vec![at(p)])));
        let radius = mesh.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        Self { pieces, radius }
    }

    /// The distance of this soup at a pose from another at its own place, if it is below `limit`;
    /// otherwise something not above the distance and at least `limit`.
    pub fn distance(&self, pose: &Pose, fixed: &Self, limit: f64) -> f64 {
        let mut lowest = f64::INFINITY;
        for own in self.pieces.iter().map(|piece| piece.at(pose)) {
            for other in &fixed.pieces {
                let apart = own.middle.distance(other.middle) - own.radius - other.radius;
                let bound = if apart >= limit.min(lowest) { apart } else { own.distance(other) };
                lowest = lowest.min(bound);
            }
        }
        lowest
    }
}

/// A motion of a body: a shift, then perhaps a turn about an axis.
#[derive(Clone, Copy, Debug)]
pub enum Motion {
    /// By a vector.
    Shift(DVec3),
    /// About the axis through a point along a unit vector by an angle.
    Turn(DVec3, DVec3, f64),
}

impl Motion {
    /// Where a body is after a part of the motion.
    pub fn pose(&self, start: &Pose, fraction: f64) -> Pose {
        let (position, rotation) = (start.position(), start.rotation());
        let moved = match *self {
            Self::Shift(by) => Pose::new(position + fraction * by, rotation),
            Self::Turn(origin, axis, angle) => {
                let turn = DQuat::from_axis_angle(axis, fraction * angle);
                Pose::new(origin + turn * (position - origin), turn * rotation)
            }
        };
        moved.expect("finite")
    }

    /// The greatest speed of a vertex.
    pub fn speed(&self, start: &Pose, radius: f64) -> f64 {
        match *self {
            Self::Shift(by) => by.length(),
            Self::Turn(origin, axis, angle) => {
                let from = start.position() - origin;
                ((from - axis * axis.dot(from)).length() + radius) * angle.abs()
            }
        }
    }
}

/// The lowest distance on the way up to a fraction, seen by a walk in safe steps that are never
/// shorter than a share of `resolution`; none where the walk would be too long.
pub fn lowest_distance(
    (body, start): (&Soup, &Pose),
    world: &Soup,
    motion: &Motion,
    fraction: f64,
    resolution: f64,
) -> Option<f64> {
    let speed = motion.speed(start, body.radius).max(1e-300);
    let mut lowest = f64::INFINITY;
    let mut t = 0.0;
    for _ in 0..400 {
        let distance = body.distance(&motion.pose(start, t), world, 4.0 * resolution);
        lowest = lowest.min(distance);
        if t >= fraction {
            return Some(lowest);
        }
        // Steps end where the distance may have fallen to a little less than the resolution.
        t = (t + (distance - 0.9 * resolution).max(0.05 * resolution) / speed).min(fraction);
    }
    None
}
