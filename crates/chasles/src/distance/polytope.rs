//! How deep the origin lies in a convex polytope that is known by its farthest points alone.
//!
//! Let A and B be convex. The translations of B that leave the bodies in each other are the inside
//! of the polytope of all differences `a - b`, so the shortest that separates them leads from the
//! origin to its nearest face. The hull of some points of the polytope is inside of it, and the
//! nearest face of the hull is a lower bound; the farthest point of the polytope across that face
//! gives an upper bound, and is a new point of the hull. When there is none farther, both are
//! equal. This is the expanding polytope of [Bergen01], with a hull that is found exactly.

use glam::DVec3;

use crate::convex::hull;

/// Points at most: each is a corner of the polytope, and few of them are near the shortest way out.
const MOST_POINTS: usize = 512;

/// Gains below this part of the size are rounding.
const ROUNDING: f64 = 1e-14;

/// The shortest way out, or what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Out {
    /// Unit.
    pub(super) toward: DVec3,
    /// How far the polytope reaches that way.
    pub(super) length: f64,
    /// No way is shorter.
    pub(super) lower: f64,
}

/// The shortest way from the origin out of a polytope, by its farthest point in a direction. None
/// if the polytope is flat. `size` is that of the polytope.
pub(super) fn out(farthest: impl Fn(DVec3) -> DVec3, size: f64) -> Option<Out> {
    let mut points = Vec::new();
    for direction in first_directions() {
        add(&mut points, farthest(direction));
    }
    let mut best = Out { toward: DVec3::X, length: f64::INFINITY, lower: 0.0 };
    loop {
        let (toward, lower) = nearest_face(&points, size)?;
        best.lower = best.lower.max(lower.min(best.length));
        let point = farthest(toward);
        let length = point.dot(toward);
        if length < best.length {
            best = Out { toward, length, ..best };
        }
        let is_known = !add(&mut points, point);
        if length - lower <= ROUNDING * size || is_known || points.len() > MOST_POINTS {
            return Some(best);
        }
    }
}

/// Along the axes and between them, none exactly, so that not all points lie in a plane.
fn first_directions() -> impl Iterator<Item = DVec3> {
    let signs = [-1.0, 1.0];
    let axes = [DVec3::new(1.0, 0.1, 0.01), DVec3::new(0.01, 1.0, 0.1), DVec3::new(0.1, 0.01, 1.0)];
    let along = axes.into_iter().flat_map(move |axis| signs.map(|sign| sign * axis));
    let corners = (0..8).map(move |i| DVec3::new(signs[i & 1], signs[i >> 1 & 1], signs[i >> 2]));
    along.chain(corners)
}

/// Whether the point is new.
fn add(points: &mut Vec<DVec3>, point: DVec3) -> bool {
    let is_new = !points.contains(&point);
    if is_new {
        points.push(point);
    }
    is_new
}

/// Triangles with less than this part of the square of the size for their area have no direction
/// that is known well enough; what they bound is next to other faces.
const SLIVER: f64 = 1e-10;

/// The outward normal of the face of the hull that is nearest to the origin, and its distance;
/// negative if the origin is outside.
fn nearest_face(points: &[DVec3], size: f64) -> Option<(DVec3, f64)> {
    let hull = hull(points)?;
    let mut nearest: Option<(DVec3, f64)> = None;
    for face in &hull.faces {
        let [p, q, r] = [0, 1, 2].map(|i| hull.vertices[face[i] as usize]);
        let area = (q - p).cross(r - p);
        if area.length() <= SLIVER * size * size {
            continue;
        }
        let normal = area.normalize();
        let distance = normal.dot(p);
        if nearest.is_none_or(|(_, least)| distance < least) {
            nearest = Some((normal, distance));
        }
    }
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box about a middle, by its corners.
    fn cuboid(half: DVec3, middle: DVec3) -> impl Fn(DVec3) -> DVec3 {
        move |toward| middle + half * toward.signum()
    }

    #[test]
    fn the_nearest_side_of_a_box_is_found() {
        let half = DVec3::new(1.0, 2.0, 3.0);
        for (middle, toward, length) in [
            (DVec3::ZERO, None, 1.0),
            (DVec3::new(0.0, 1.75, 0.0), Some(-DVec3::Y), 0.25),
            (DVec3::new(0.25, -1.5, 2.875), Some(-DVec3::Z), 0.125),
        ] {
            let out = out(cuboid(half, middle), 6.0).expect("not flat");
            assert!((out.length - length).abs() < 1e-14 && out.lower >= length - 1e-13, "{out:?}");
            assert!(toward.is_none_or(|toward| out.toward.abs_diff_eq(toward, 1e-12)), "{out:?}");
        }
    }

    #[test]
    fn a_ball_of_many_corners_is_as_deep_as_its_flattest_face() {
        let corners: Vec<DVec3> = (0..400)
            .map(|i| {
                let z = 1.0 - (f64::from(i) + 0.5) / 200.0;
                let (sin, cos) = (2.399963 * f64::from(i)).sin_cos();
                (1.0 - z * z).sqrt() * DVec3::new(cos, sin, 0.0) + DVec3::Z * z
            })
            .collect();
        let farthest = |toward: DVec3| {
            let along = |p: &&DVec3, q: &&DVec3| p.dot(toward).total_cmp(&q.dot(toward));
            *corners.iter().max_by(along).expect("some")
        };
        let (_, expected) = nearest_face(&corners, 2.0).expect("not flat");
        let out = out(farthest, 2.0).expect("not flat");
        assert!(
            (out.length - expected).abs() < 1e-13 && out.lower >= out.length - 1e-12,
            "{out:?}"
        );
    }

    #[test]
    fn flat_sets_have_no_depth() {
        assert!(out(cuboid(DVec3::new(1.0, 2.0, 0.0), DVec3::ZERO), 4.0).is_none());
    }
}
