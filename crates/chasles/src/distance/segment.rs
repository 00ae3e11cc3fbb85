//! The closest points of two segments.

use glam::DVec3;

/// A segment, or a point if it has no length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) from: DVec3,
    /// Unit, or zero for a point: no product of lengths overflows.
    pub(super) direction: DVec3,
    pub(super) length: f64,
}

/// The square of the sine below which places on lines are worked out again from where they are, and
/// from the ends as well: the common perpendicular is known to 1e-16 over the sine.
const NARROW_SQ: f64 = 1e-4;

/// How wrong `u x w` is at most: unit vectors are known to 3 roundings each, and a product of two
/// adds 2 more.
const ACROSS: f64 = 16.0 * f64::EPSILON;

impl Segment {
    pub(super) fn new([from, to]: [DVec3; 2]) -> Self {
        let length = from.distance(to);
        let direction = (to - from).normalize_or_zero();
        Self { from, direction, length }
    }

    #[inline]
    pub(super) fn at(&self, place: f64) -> DVec3 {
        self.from + place * self.direction
    }

    #[inline]
    pub(super) fn ends(&self) -> [DVec3; 2] {
        [self.from, self.at(self.length)]
    }

    /// Which place of the segment is nearest to a point, as a length from its start.
    #[inline]
    pub(super) fn nearest(&self, point: DVec3) -> f64 {
        (point - self.from).dot(self.direction).clamp(0.0, self.length)
    }
}

/// The closest points, as places on both segments, if they are nearer than the root of `least_sq`;
/// with the square of their distance.
///
/// With the directions `u` and `w`, `c = u x w` and `r` from the first start to the second, the
/// lines are `r . c / |c|` apart and closest at `(r x w) . c / c²` of the first. If that is not
/// within the first segment its end is nearest to the second line, and likewise back: each step
/// takes the nearest point of one segment to a point of the other.
#[inline]
pub(super) fn closest(p: &Segment, q: &Segment, least_sq: f64) -> Option<([f64; 2], f64)> {
    let between = q.from - p.from;
    let across = p.direction.cross(q.direction);
    let across_sq = across.length_squared();
    if are_lines_apart(between, across, least_sq) {
        return None;
    }
    let mut best = (f64::INFINITY, [0.0; 2]);
    let mut consider = |s: f64, t: f64| {
        let distance_sq = p.at(s).distance_squared(q.at(t));
        if distance_sq < best.0 {
            best = (distance_sq, [s, t]);
        }
    };
    let is_narrow = across_sq <= NARROW_SQ;
    if across_sq > 0.0 {
        let along = |r: DVec3| r.cross(q.direction).dot(across) / across_sq;
        let mut s = along(between).clamp(0.0, p.length);
        let mut t = q.nearest(p.at(s));
        if is_narrow {
            // What is left between the two is short, and so is its rounding.
            s = (s + along(q.at(t) - p.at(s))).clamp(0.0, p.length);
            t = q.nearest(p.at(s));
        }
        consider(p.nearest(q.at(t)), t);
    }
    if is_narrow {
        for [s, t] in [[0.0, 0.0], [p.length, q.length]] {
            consider(s, q.nearest(p.at(s)));
            consider(p.nearest(q.at(t)), t);
        }
    }
    (best.0 < least_sq).then_some((best.1, best.0))
}

/// Whether two lines are farther apart than the root of `least_sq`, whatever rounding does: then so
/// are segments of them.
///
/// The true `c` is within `E` of that found, so `|r . c|` is within `E |r|`, and `|c|` is at most
/// `|c| + E`, of which the square is at most `(1 + d) c² + (1 + 1/d) E²`. Of parallel segments `c`
/// is all rounding, and its direction says nothing.
#[inline]
fn are_lines_apart(between: DVec3, across: DVec3, least_sq: f64) -> bool {
    const SPARE: f64 = 1e-9;
    const LEAST_SQ: f64 = 2.0 * ACROSS * ACROSS / SPARE;
    let height = between.dot(across).abs() - ACROSS * between.abs().element_sum();
    height > 0.0
        && height * height > least_sq * ((1.0 + SPARE) * across.length_squared() + LEAST_SQ)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By alternating projections from many starts, which converge for convex sets.
    fn sampled(p: &Segment, q: &Segment) -> f64 {
        let from = |start: f64| {
            let [mut s, mut t] = [start * p.length, 0.0];
            for _ in 0..2000 {
                t = q.nearest(p.at(s));
                s = p.nearest(q.at(t));
            }
            p.at(s).distance(q.at(t))
        };
        [0.0, 0.5, 1.0].map(from).into_iter().fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn no_points_of_two_segments_are_nearer() {
        let mut state = 5_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        for number in 0..8000 {
            let mut vector = || DVec3::new(random(), random(), random());
            let p = Segment::new([vector(), vector()]);
            let mut q = Segment::new([vector(), vector()]);
            let tilt = 10.0_f64.powi(-(number / 8 % 16));
            let along = match number % 8 {
                0 => 0.7 * p.direction,
                1..4 => p.direction + tilt * q.direction,
                4 => DVec3::ZERO,
                _ => q.direction,
            };
            q = Segment::new([q.from, q.from + along]);
            let ([s, t], square) = closest(&p, &q, f64::INFINITY).expect("some distance");
            assert!((0.0..=p.length).contains(&s) && (0.0..=q.length).contains(&t));
            let [found, expected] = [square.sqrt(), sampled(&p, &q)];
            assert!(found <= expected + 1e-14, "{number}: {found}, not {expected}");
            assert!((found - p.at(s).distance(q.at(t))).abs() < 1e-15);
            assert_eq!(closest(&p, &q, 0.99 * square), None);
            // Whatever the direction across parallel segments is.
            assert!(closest(&p, &q, square * (1.0 + 1e-12)).is_some(), "{number}");
        }
    }
}
