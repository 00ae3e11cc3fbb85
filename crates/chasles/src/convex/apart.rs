//! Bodies that are clearly apart: by their spheres, or by a plane between them.
//!
//! A direction `d` separates if all of B lies farther along it than all of A. Where it does not,
//! the two vertices that get in the way tell the next one to try: reflect `d` at the plane across
//! the line from one to the other [ChungWang96]. For bodies that are apart this finds a separating
//! direction after a few tries. For others it would not end, and need not: nothing is concluded.

use glam::DVec3;

use super::body::Convex;
use crate::motion::Pose;

/// Directions to try before the exact test. Most bodies that are apart are separated by the fourth;
/// for bodies that meet all are in vain.
const TRIES: usize = 8;

/// Directions to try once the exact test has found nothing. Bodies are then all but certainly
/// apart, and a direction that shows it costs much less than to rule out that rounding has bent a
/// face of B.
const MORE_TRIES: usize = 256;

/// A gap counts from this, relative to the reach. The rounding of a placed vertex, of a product
/// with a unit direction and of the length of that direction are each below 8 units `2⁻⁵³`.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Two bodies in the frame of A, and a bound on the difference of any two of their coordinates.
#[derive(Clone, Copy)]
pub(super) struct Pair<'a> {
    pub(super) a: &'a Convex,
    pub(super) b: &'a Convex,
    pub(super) b_in_a: Pose,
    pub(super) reach: f64,
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: &'a Convex, b: &'a Convex, poses: [Pose; 2]) -> Self {
        let b_in_a = poses[0].inverse_after(&poses[1]);
        // Twice the farthest point from A's origin, and some rounding.
        let reach = 2.001 * (a.reach + b.reach + b_in_a.position().length());
        Self { a, b, b_in_a, reach }
    }

    /// Whether the bodies are certainly apart. Starts with the direction that separated last, and
    /// leaves there what separates now.
    pub(super) fn is_clearly_apart(&self, direction: &mut DVec3) -> bool {
        let between = self.b_in_a.point(self.b.centre) - self.a.centre;
        if between.length() > self.a.radius + self.b.radius + ROUNDING * self.reach {
            return true;
        }
        if *direction != DVec3::ZERO && self.next_direction(*direction).is_none() {
            return true;
        }
        self.is_separated(between.normalize_or(DVec3::X), TRIES, direction)
    }

    /// The same for bodies that the exact test says are apart, with more effort.
    pub(super) fn is_surely_apart(&self, direction: &mut DVec3) -> bool {
        let between = self.b_in_a.point(self.b.centre) - self.a.centre;
        self.is_separated(between.normalize_or(DVec3::X), MORE_TRIES, direction)
    }

    fn is_separated(&self, first: DVec3, tries: usize, direction: &mut DVec3) -> bool {
        let mut tried = first;
        for _ in 0..tries {
            match self.next_direction(tried) {
                None => {
                    *direction = tried;
                    return true;
                }
                Some(next) if next.is_normalized() => tried = next,
                Some(_) => return false,
            }
        }
        false
    }

    /// None if the unit direction separates, else the one to try next.
    fn next_direction(&self, direction: DVec3) -> Option<DVec3> {
        let p = farthest(&self.a.points, direction);
        let back = self.b_in_a.rotation().conjugate() * -direction;
        let q = self.b_in_a.point(farthest(&self.b.points, back));
        let across = q - p;
        if across.dot(direction) > ROUNDING * self.reach {
            return None;
        }
        let across = across.normalize_or_zero();
        Some((direction - 2.0 * direction.dot(across) * across).normalize_or_zero())
    }
}

/// The point that lies farthest along a direction.
fn farthest(points: &[DVec3], direction: DVec3) -> DVec3 {
    let mut best = (f64::NEG_INFINITY, DVec3::ZERO);
    for &p in points {
        let along = p.dot(direction);
        if along > best.0 {
            best = (along, p);
        }
    }
    best.1
}
