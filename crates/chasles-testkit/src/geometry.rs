//! Where points lie in polygons and where lines cross: the plain geometry of the oracles.

use glam::{DVec2, DVec3};

use crate::dd::{Dd, Vector};

/// Signed distance of the origin from the border of a planar polygon, positive inside.
///
/// The polygon may be non-convex. Inside is where the winding number, seen along the largest
/// component of the normal, is not zero.
pub fn boundary_margin(corners: &[DVec3], normal: DVec3) -> f64 {
    let flat = |p: DVec3| match normal.abs().to_array() {
        [x, y, z] if x >= y && x >= z => DVec2::new(p.y, p.z),
        [_, y, z] if y >= z => DVec2::new(p.z, p.x),
        _ => DVec2::new(p.x, p.y),
    };
    let mut winding = 0;
    let mut distance = f64::INFINITY;
    for (&p, &q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        distance = distance.min(distance_to_segment(p, q));
        let (a, b) = (flat(p), flat(q));
        let side = a.perp_dot(b);
        if a.y <= 0.0 && b.y > 0.0 && side > 0.0 {
            winding += 1;
        } else if a.y > 0.0 && b.y <= 0.0 && side < 0.0 {
            winding -= 1;
        }
    }
    if winding == 0 { -distance } else { distance }
}

/// Distance of the origin from the segment `p q`.
pub fn distance_to_segment(p: DVec3, q: DVec3) -> f64 {
    let along = q - p;
    let s = (-p.dot(along) / along.length_squared()).clamp(0.0, 1.0);
    if s.is_nan() { p.length() } else { (p + along * s).length() }
}

/// Distance of two segments. In general position the least distance is at an end of one of them,
/// unless the segments pass each other crosswise, where the lines' distance is it.
pub fn segment_distance(a: [DVec3; 2], b: [DVec3; 2]) -> f64 {
    let from = |x: DVec3, s: [DVec3; 2]| distance_to_segment(s[0] - x, s[1] - x);
    let ends = [from(a[0], b), from(a[1], b), from(b[0], a), from(b[1], a)];
    let at_ends = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (u, w, r) = (a[1] - a[0], b[1] - b[0], b[0] - a[0]);
    let normal = u.cross(w);
    let square = normal.length_squared();
    let [s, t] = [r.cross(w).dot(normal) / square, r.cross(u).dot(normal) / square];
    let crosses = (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t);
    if crosses { at_ends.min((r.dot(normal) / square.sqrt()).abs()) } else { at_ends }
}

/// Where two lines that (nearly) meet cross each other.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The point on the first line.
    pub point: Vector,
    /// The unit vector along `u x w`.
    pub normal: Vector,
    /// The sine of the angle between the lines.
    pub sine: f64,
    /// The distance to the nearest of the four ends, negative beyond one.
    pub margin: f64,
}

impl Crossing {
    /// The crossing of the lines through the first two and through the last two points.
    pub fn new([p, q, r, s]: &[Vector; 4]) -> Self {
        let (u, w, apart) = (*q - *p, *s - *r, *r - *p);
        let (length_u, length_w) = (u.length(), w.length());
        let normal = u.cross(w);
        let square = normal.dot(normal);
        let sine = square.sqrt().to_f64() / (length_u * length_w).to_f64();
        if square == Dd::ZERO {
            return Self { point: *p, normal, sine: 0.0, margin: f64::NEG_INFINITY };
        }
        let on_first = apart.cross(w).dot(normal) / square;
        let on_second = apart.cross(u).dot(normal) / square;
        let to_ends = |s: Dd, length: Dd| {
            let (s, length) = (s.to_f64(), length.to_f64());
            (s * length).min((1.0 - s) * length)
        };
        Self {
            point: *p + u * on_first,
            normal: normal * (Dd::ONE / square.sqrt()),
            sine,
            margin: to_ends(on_first, length_u).min(to_ends(on_second, length_w)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notch_of_an_l_is_outside() {
        let l = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]];
        let margin = |x: f64, y: f64| {
            let around = l.map(|[px, py]| DVec3::new(px - x, py - y, 0.0));
            boundary_margin(&around, DVec3::Z)
        };
        assert_eq!(margin(0.5, 0.5), 0.5);
        assert_eq!(margin(1.5, 1.25), -0.25);
        assert_eq!(margin(3.0, 0.5), -1.0);
    }

    #[test]
    fn crossed_and_parallel_segments_have_their_distance() {
        let x = [-DVec3::X, DVec3::X];
        let across = [DVec3::new(0.0, -1.0, 2.0), DVec3::new(0.0, 1.0, 2.0)];
        assert_eq!(segment_distance(x, across), 2.0);
        let beside = [DVec3::new(3.0, 1.0, 0.0), DVec3::new(2.0, 0.0, 0.0)];
        assert_eq!(segment_distance(x, beside), 1.0);
        let parallel = x.map(|p| p + DVec3::Y);
        assert_eq!(segment_distance(x, parallel), 1.0);
    }
}
