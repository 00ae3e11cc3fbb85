//! An upper bound on the distance to a set: one of its points, shown.

use glam::DVec3;

/// Looks before nothing is shown: one for the first face, one for each of three faces that meet
/// in a corner, and two for corners that are not square.
const MAX_LOOKS: u32 = 6;

/// How far beyond a face the next look goes, times the way to it: at a corner of two planes at an
/// acute angle, steps that end on the planes come ever closer without arriving.
const BEYOND: f64 = 1.5;

/// A bound on the distance from `point` to a set, infinite if none of its points is found.
///
/// `look` returns how far at most a point is from what keeps it out of the set (a point with
/// a number that is not positive is in the set) and the unit vector that leads there.
pub(super) fn shown(point: DVec3, look: impl Fn(DVec3) -> (f64, DVec3)) -> f64 {
    let mut at = point;
    for _ in 0..MAX_LOOKS {
        let (level, way) = look(at);
        if level <= 0.0 {
            // A difference and a length: below four roundings.
            return at.distance(point) * (1.0 + 4.0 * f64::EPSILON) + f64::MIN_POSITIVE;
        }
        if !level.is_finite() {
            break;
        }
        at += way * (BEYOND * level);
    }
    f64::INFINITY
}
