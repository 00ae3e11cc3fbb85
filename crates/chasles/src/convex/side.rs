//! On which side of a triangle's plane a point lies: exactly, and nearly always without exactness.
//!
//! The plane of a triangle `t0 t1 t2` is kept as `n = (t1 - t0) x (t2 - t0)`. The computed
//! `n . (p - t0)` differs from the true value by less than
//!
//! ```text
//!   16 u S r      u = 2⁻⁵³
//!                 S = the sum over the three coordinates of n of |a b| + |c d|, n_x = a b - c d
//!                 r = a bound on the coordinates of p - t0
//! ```
//!
//! since each of its six terms is a product of three differences and carries eight roundings: three
//! of the differences, two of the products, and three of sums. 16 leaves room for terms of second
//! order and for the rounding of the bound itself. Beyond it the sign is certain. Within it
//! Shewchuk's adaptive determinant [Shewchuk97 §4.4] decides, which is exact as long as no product
//! leaves the range of doubles: that is why coordinates below [`DUST`] count as zero.

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// Coordinates below this are taken as zero. All others are multiples of 1e-97, so every term of a
/// product of three is a multiple of 1e-291 and nothing underflows.
const DUST: f64 = 1e-80;

/// The vector without coordinates too small for exact products.
pub(crate) fn without_dust(v: DVec3) -> DVec3 {
    DVec3::select(v.abs().cmplt(DVec3::splat(DUST)), DVec3::ZERO, v)
}

/// The `16 u` of the derivation.
const ERROR: f64 = 8.0 * f64::EPSILON;

/// The plane of a triangle with what its rounding error is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    corners: [DVec3; 3],
    normal: DVec3,
    /// Error of a value at a point with unit offsets.
    error: f64,
}

impl Plane {
    /// The plane through three points, counter-clockwise seen from outside.
    pub(super) fn new(corners: [DVec3; 3]) -> Self {
        let [e, f] = [corners[1] - corners[0], corners[2] - corners[0]];
        let (g, h) = (e.abs(), f.abs());
        let size = g.y * h.z + g.z * h.y + g.z * h.x + g.x * h.z + g.x * h.y + g.y * h.x;
        Self { corners, normal: e.cross(f), error: ERROR * size }
    }

    /// Positive outside, negative inside, zero on the plane; exact for a point whose offsets from
    /// the corners are at most `reach` in each coordinate.
    #[inline]
    pub(super) fn side(&self, p: DVec3, reach: f64) -> f64 {
        let value = self.normal.dot(p - self.corners[0]);
        if value.abs() > self.error * reach { value } else { self.exact(p) }
    }

    #[cold]
    fn exact(&self, p: DVec3) -> f64 {
        outside(self.corners, p)
    }

    /// Whether the line through `p` and `q`, which cross the plane, meets the closed triangle.
    pub(super) fn is_hit(&self, p: DVec3, q: DVec3) -> bool {
        let [a, b, c] = self.corners;
        let first = outside([p, q, a], b);
        let second = outside([p, q, b], c);
        if first * second < 0.0 {
            return false;
        }
        let third = outside([p, q, c], a);
        first * third >= 0.0 && second * third >= 0.0
    }
}

/// The sign tells on which side of the plane of `corners` a point lies: positive outside, where the
/// corners are seen counter-clockwise. Exact, and plus or minus one, so that
/// products of signs do not underflow.
pub(crate) fn outside(corners: [DVec3; 3], p: DVec3) -> f64 {
    let [a, b, c] = corners.map(coord);
    let below = orient3d(a, b, c, coord(p));
    if below == 0.0 { 0.0 } else { -below.signum() }
}

/// Whether three points lie on a line, exactly: they do in all three projections.
pub(super) fn is_on_line([a, b, c]: [DVec3; 3]) -> bool {
    let flat = |x: usize, y: usize| {
        let [a, b, c] = [a, b, c].map(|p| Coord { x: p[x], y: p[y] });
        orient2d(a, b, c) == 0.0
    };
    flat(0, 1) && flat(1, 2) && flat(2, 0)
}

fn coord(p: DVec3) -> Coord3D<f64> {
    Coord3D { x: p.x, y: p.y, z: p.z }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [DVec3; 3] = [DVec3::X, DVec3::Y, DVec3::Z];

    #[test]
    fn the_far_side_of_a_corner_cut_off_is_outside() {
        let plane = Plane::new(CORNERS);
        assert!(plane.side(DVec3::ONE, 4.0) > 0.0 && plane.side(DVec3::ZERO, 4.0) < 0.0);
        assert_eq!(plane.side(DVec3::new(0.5, 0.25, 0.25), 4.0), 0.0);
    }

    #[test]
    fn one_unit_in_the_last_place_is_seen() {
        let plane = Plane::new(CORNERS);
        let above = DVec3::new(0.5, 0.25, 0.25_f64.next_up());
        let below = DVec3::new(0.5, 0.25, 0.25_f64.next_down());
        assert!(plane.side(above, 4.0) > 0.0 && plane.side(below, 4.0) < 0.0);
    }

    #[test]
    fn a_line_through_an_edge_or_a_corner_hits() {
        let plane = Plane::new(CORNERS);
        for target in [DVec3::X, DVec3::new(0.5, 0.5, 0.0), DVec3::splat(0.25)] {
            assert!(
                plane.is_hit(DVec3::ZERO, 2.0 * target) && plane.is_hit(target * 2.0, DVec3::ZERO)
            );
        }
        assert!(!plane.is_hit(DVec3::ZERO, DVec3::new(2.0, 2.0, -1e-9)));
    }

    #[test]
    fn collinear_is_exact() {
        let on = [DVec3::ZERO, DVec3::new(1.0, 2.0, 4.0), DVec3::new(3.0, 6.0, 12.0)];
        assert!(is_on_line(on));
        assert!(!is_on_line([on[0], on[1], on[2] + DVec3::Z * 1e-15 * 4.0]));
    }
}
