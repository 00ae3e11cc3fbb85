//! How often a surface winds around a point, without rounding.
//!
//! A ray from the point along `x` leaves the solid once more often than it enters it, for each
//! time that the surface winds around the point. Seen along `x` the point lies in the picture of a
//! triangle or not; which, is decided by a ray in that picture (along `y`) and its edges, and
//! whether the triangle lies ahead by the side of its plane the point is on. Both are signs of
//! determinants, and `robust` gives them exactly.
//!
//! A point on the picture of an edge or corner is treated as if it were moved by `(0, d, d²)` with
//! a `d` that is smaller than any length: an edge counts if it goes from `z <= p.z` to `z > p.z` or
//! back, and the point is strictly on the far side of it. Neighbouring triangles ask the same
//! question about their edge, so the ray never slips through; and if the point is not on the
//! surface, an unmeasurable move does not change the winding. If it is, either answer will do.
//!
//! So the count is right for every closed surface, whatever its edges and corners look like: for
//! shells in shells, parts that touch or overlap, and edges with four faces.

use glam::DVec3;
use robust::{Coord, Coord3D, orient2d, orient3d};

/// What a triangle adds to the winding around a point.
#[inline]
pub(super) fn crossing(p: DVec3, corners: [DVec3; 3]) -> i32 {
    let [a, b, c] = corners;
    let below = corners.map(|corner| corner.z <= p.z);
    if below[0] == below[1] && below[1] == below[2] {
        return 0;
    }
    let edges = [(a, b), (b, c), (c, a)];
    let pictured: i32 = edges.into_iter().map(|(u, v)| edge_crossing(p, u, v)).sum();
    if pictured == 0 {
        return 0;
    }
    let [a, b, c, p] = [a, b, c, p].map(|p| Coord3D { x: p.x, y: p.y, z: p.z });
    // Positive behind the triangle's front.
    let side = orient3d(a, b, c, p);
    if side * f64::from(pictured) > 0.0 { pictured } else { 0 }
}

/// Whether a ray from the point along `y` crosses an edge, seen along `x`: upward 1, downward -1.
#[inline]
fn edge_crossing(p: DVec3, u: DVec3, v: DVec3) -> i32 {
    let up = match (u.z <= p.z, v.z <= p.z) {
        (true, false) => 1,
        (false, true) => -1,
        _ => return 0,
    };
    let [u, v, p] = [u, v, p].map(|p| Coord { x: p.y, y: p.z });
    let left = orient2d(u, v, p);
    if left * f64::from(up) > 0.0 { up } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_through_a_corner_crosses_a_fan_once() {
        let tip = DVec3::X;
        let rim = [(1., 0.), (0., 1.), (-1., 0.), (0., -1.)].map(|(y, z)| DVec3::new(0.5, y, z));
        let count = |p: DVec3| -> i32 {
            (0..4).map(|i| crossing(p, [tip, rim[i], rim[(i + 1) % 4]])).sum()
        };
        assert_eq!([DVec3::ZERO, DVec3::Y * 0.25, DVec3::Z * 0.5].map(count), [1, 1, 1]);
        assert_eq!([DVec3::X * 2.0, DVec3::Y * 1.5, DVec3::Z * -1.5].map(count), [0, 0, 0]);
        assert_eq!(count(DVec3::new(0.75, 0.0, 0.25)), 1, "on this side by a hair's breadth");
    }
}
