//! Where exactly: Newton's method from the guess that the pixels give [Buss04 §9].
//!
//! For a vertex and a face the unknown is the time at which the path of the vertex meets the plane;
//! for two edges the time at which their lines meet. Both gaps are smooth and nearly straight over
//! the width of a pixel, so a few steps do.

use glam::DVec3;

use crate::bounds::Collider;
use crate::numeric::Helix;

/// Newton's steps at most; from a guess within a pixel three are usual.
const STEPS: u32 = 8;

/// Times outside this range have left the step for good.
const RANGE: [f64; 2] = [-0.3, 1.3];

/// The time near `guess` at which a point with these path vectors is at height 0 over a plane, and
/// how fast the height changes then; `None` if Newton's method leaves the step or does not settle.
pub(super) fn meet_plane(
    helix: &Helix,
    spread: &[DVec3; 4],
    (normal, point): (DVec3, DVec3),
    guess: f64,
    tolerance: f64,
) -> Option<(f64, f64)> {
    let [k0, k1, k2, k3] =
        [spread[0] - point, spread[1], spread[2], spread[3]].map(|v| v.dot(normal));
    let mut t = guess.clamp(RANGE[0], RANGE[1]);
    for _ in 0..STEPS {
        let at = helix.at(t);
        let gap = k0 + t * k1 + at.c2 * k2 + at.c3 * k3;
        let rate = k1 + at.s1 * k2 + at.c2 * k3;
        if gap.abs() <= tolerance {
            // One more step is nearly free and squares the error.
            let next = t - gap / rate;
            return Some((if next.is_finite() { next } else { t }, rate));
        }
        let next = t - gap / rate;
        if !(RANGE[0]..=RANGE[1]).contains(&next) {
            return None;
        }
        t = next;
    }
    None
}

/// Where a point of a face's plane lies with respect to the face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    /// Distance from the border; negative outside.
    pub(super) margin: f64,
    /// The nearest edge.
    pub(super) edge: u32,
    /// The corner of that edge which is nearest, and how far it is.
    pub(super) corner: u32,
    pub(super) corner_distance: f64,
}

/// The place of a point, in the body's local coordinates, with respect to a face.
pub(super) fn place_in_face(body: &Collider, face: u32, point: DVec3) -> Place {
    let mesh = body.mesh();
    let corners = mesh.face(face);
    let normal = mesh.normal(face).abs();
    let flat = |p: DVec3| match normal.max_position() {
        0 => [p.y, p.z],
        1 => [p.z, p.x],
        _ => [p.x, p.y],
    };
    let [x, y] = flat(point);
    let mut inside = false;
    let mut nearest = (f64::INFINITY, 0);
    for (i, &v) in corners.iter().enumerate() {
        let [p, q] = [v, corners[(i + 1) % corners.len()]].map(|v| body.local(v));
        let along = q - p;
        let f = ((point - p).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        let apart = (p + f * along).distance_squared(point);
        if apart < nearest.0 {
            nearest = (apart, i);
        }
        let [[px, py], [qx, qy]] = [flat(p), flat(q)];
        if (py > y) != (qy > y) && x < px + (y - py) / (qy - py) * (qx - px) {
            inside = !inside;
        }
    }
    let (apart, i) = nearest;
    let ends = [corners[i], corners[(i + 1) % corners.len()]];
    let [p, q] = ends.map(|v| body.local(v).distance(point));
    Place {
        margin: if inside { apart.sqrt() } else { -apart.sqrt() },
        edge: mesh.face_edges(face)[i],
        corner: if p < q { ends[0] } else { ends[1] },
        corner_distance: p.min(q),
    }
}

/// The closest points of two lines, as fractions, and their common perpendicular, not a unit
/// vector; `None` if they are nearly parallel.
pub(super) fn closest_on_lines(
    [p, d]: [DVec3; 2],
    [q, e]: [DVec3; 2],
) -> Option<([f64; 2], DVec3)> {
    let across = d.cross(e);
    let size = across.length_squared();
    if size <= PARALLEL * PARALLEL * d.length_squared() * e.length_squared() {
        return None;
    }
    let between = q - p;
    let u = between.cross(e).dot(across) / size;
    let v = between.cross(d).dot(across) / size;
    Some(([u, v], across))
}

/// The distance of two segments, each as a point and the way to its other end.
pub(super) fn segment_distance([p, d]: [DVec3; 2], [q, e]: [DVec3; 2]) -> f64 {
    let to = |x: DVec3, [p, d]: [DVec3; 2]| {
        let f = ((x - p).dot(d) / d.length_squared()).clamp(0.0, 1.0);
        (p + f * d).distance(x)
    };
    let ends = [to(p, [q, e]), to(p + d, [q, e]), to(q, [p, d]), to(q + e, [p, d])];
    let at_ends = ends.into_iter().fold(f64::INFINITY, f64::min);
    match closest_on_lines([p, d], [q, e]) {
        Some((fractions, _)) if fractions.iter().all(|f| (0.0..=1.0).contains(f)) => {
            at_ends.min((p + fractions[0] * d).distance(q + fractions[1] * e))
        }
        _ => at_ends,
    }
}

/// Below this sine edges are parallel: where they touch, a vertex of one touches the other.
pub(super) const PARALLEL: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Polygons, Polyhedron};

    #[test]
    fn a_falling_point_meets_the_floor() {
        let helix = Helix::new(0.0);
        let spread = [DVec3::Z, DVec3::NEG_Z * 4.0, DVec3::ZERO, DVec3::ZERO];
        let time = meet_plane(&helix, &spread, (DVec3::Z, DVec3::ZERO), 0.9, 1e-9);
        assert_eq!(time, Some((0.25, -4.0)));
    }

    #[test]
    fn places_in_a_face_that_is_not_convex() {
        let l = [[0., 0.], [4., 0.], [4., 1.], [1., 1.], [1., 4.], [0., 4.]];
        let corners = l.map(|[x, y]| [x, y, 0.0]);
        let face = [[0, 1, 2, 3, 4, 5]];
        let body = Collider::new(Polyhedron::new(&Polygons::new(corners, face)).unwrap());
        let margin = |x, y| place_in_face(&body, 0, DVec3::new(x, y, 0.0)).margin;
        assert!((margin(0.5, 2.0) - 0.5).abs() < 1e-15);
        assert!((margin(2.0, 2.0) + 1.0).abs() < 1e-15);
        assert!((margin(3.75, 0.5) - 0.25).abs() < 1e-15);
        let near_corner = place_in_face(&body, 0, DVec3::new(0.1, 0.0, 0.0));
        assert_eq!(body.mesh().position(near_corner.corner), DVec3::ZERO);
    }

    #[test]
    fn lines_meet_where_they_are_closest() {
        let (fractions, across) = closest_on_lines(
            [DVec3::ZERO, DVec3::X * 2.0],
            [DVec3::new(1.0, -1.0, 3.0), DVec3::Y * 4.0],
        )
        .unwrap();
        assert_eq!(fractions, [0.5, 0.25]);
        assert_eq!(across.normalize(), DVec3::Z);
        assert_eq!(closest_on_lines([DVec3::ZERO, DVec3::X], [DVec3::Y, DVec3::X]), None);
        let apart =
            segment_distance([DVec3::ZERO, DVec3::X], [DVec3::new(3.0, 0.0, 0.0), DVec3::Y]);
        assert_eq!(apart, 2.0);
    }
}
