//! Whether two bodies are still over each other where a candidate says that they are near.
//!
//! A candidate is judged by the plane of a face or by two lines, which go on where the face and the
//! edges end. So what flies past a rim would be stopped by the plane beyond it. A candidate that
//! has pressed on nothing yet does not act where forces alone take the bodies past its features
//! before its gap is closed: if something turns them back on the way, a trial hits it, and from
//! then on it acts.

use chasles::query::Feature;
use chasles::{Polyhedron, Pose};
use glam::DVec3;

use super::super::body::Body;
use super::candidate::{Candidate, Place, Seen};
use super::group::Group;
use crate::body::Velocity;

impl Group<'_> {
    /// Whether forces alone, which make these velocities in a window, take bodies past a candidate
    /// that nothing has pressed so far, before they close its gap.
    pub(super) fn is_passed(&self, candidate: &Candidate, pushed: &[Velocity], h: f64) -> bool {
        if candidate.slot.is_none() || candidate.is_hit || candidate.force != DVec3::ZERO {
            return false;
        }
        let Place { point, normal, gap } = candidate.place;
        let approach = |velocity: &dyn Fn(usize) -> Velocity| {
            let [a, b] = candidate.bodies.map(|i| velocity(i).at(self.inertias[i].centre, point));
            a - b
        };
        let first = approach(&|i| self.states[i].velocity);
        let bend = (approach(&|i| pushed[i]) - first) / (2.0 * h);
        // The first root of gap + u t + b t² = 0, if it is in the window.
        let rate = normal.dot(first);
        let root = (rate * rate - 4.0 * normal.dot(bend) * gap).max(0.0).sqrt();
        let time = if root > rate { (2.0 * gap.max(0.0) / (root - rate)).min(h) } else { h };
        let way = time * first + time * time * bend;
        let aside = way - normal.dot(way) * normal;
        let poses = candidate.bodies.map(|i| &self.states[i].pose);
        aside.length() > candidate.kept && self.is_beside(candidate, poses, way)
    }

    /// Whether bodies at these poses, the first of them farther by a way, are not over each other
    /// at a candidate: by more than the gap that is kept.
    pub(super) fn is_beside(&self, candidate: &Candidate, poses: [&Pose; 2], way: DVec3) -> bool {
        self.is_off(candidate, poses, way, candidate.kept)
    }

    /// The same by more than some distance.
    pub(super) fn is_off(
        &self,
        candidate: &Candidate,
        poses: [&Pose; 2],
        way: DVec3,
        slack: f64,
    ) -> bool {
        let bodies = candidate.bodies.map(|i| self.bodies[i]);
        let features = [candidate.features.a, candidate.features.b];
        match candidate.anchors.seen(poses, way) {
            Seen::Over(of, point) => is_off_face((bodies[of], features[of]), point, slack),
            Seen::Across(points) => {
                let is_off = |i: usize| is_off_edge((bodies[i], features[i]), points[i], slack);
                is_off(0) || is_off(1)
            }
            Seen::Anywhere => false,
        }
    }
}

/// Whether a point over the plane of a face is beside all parts of it.
fn is_off_face((body, feature): (&Body, Feature), point: DVec3, slack: f64) -> bool {
    let Feature::Face(label) = feature else { return false };
    let mesh = body.shape().core().0.mesh();
    let faces = body.shape().faces(label);
    !faces.is_empty() && faces.iter().all(|&face| is_off_polygon(mesh, face, point, slack))
}

/// Whether a point is outside of a polygon, seen along its normal, and farther than this from it.
fn is_off_polygon(mesh: &Polyhedron, face: u32, point: DVec3, slack: f64) -> bool {
    let normal = mesh.normal(face);
    let (u, w) = normal.any_orthonormal_pair();
    let point = point - normal.dot(point - mesh.face_point(face)) * normal;
    let corners = mesh.face(face);
    let mut is_inside = false;
    for (i, &to) in corners.iter().enumerate() {
        let from = corners[(i + corners.len() - 1) % corners.len()];
        let [from, to] = [from, to].map(|corner| mesh.position(corner) - point);
        let edge = to - from;
        let share = (-from.dot(edge) / edge.length_squared()).clamp(0.0, 1.0);
        if (from + share * edge).length() <= slack {
            return false;
        }
        // Edges that a ray along `u` crosses.
        let [low, high] = [w.dot(from), w.dot(to)];
        if (low > 0.0) != (high > 0.0) {
            is_inside ^= u.dot(from) - low / (high - low) * u.dot(edge) > 0.0;
        }
    }
    !is_inside
}

/// Whether a point on the line of an edge is beyond an end of it.
fn is_off_edge((body, feature): (&Body, Feature), point: DVec3, slack: f64) -> bool {
    let Some([from, to]) = body.shape().ends(feature) else { return false };
    let along = (to - from).normalize_or_zero();
    along.dot(point - from) < -slack || along.dot(point - to) > slack
}

#[cfg(test)]
mod tests {
    use chasles::Polygons;

    use super::*;

    /// An angle of two squares in the plane z = 0, about the corner (1, 1) that it lacks.
    fn angle() -> Polyhedron {
        let corners = [[0, 0], [2, 0], [2, 1], [1, 1], [1, 2], [0, 2]];
        let corners = corners.map(|[x, y]| [f64::from(x), f64::from(y), 0.0]);
        Polyhedron::new(&Polygons::new(corners, [[0, 1, 2, 3, 4, 5]])).expect("a polygon")
    }

    #[test]
    fn points_are_off_a_polygon_that_is_not_convex_where_it_is_not() {
        let mesh = angle();
        let is_off = |x: f64, y: f64| {
            let point = DVec3::new(x, y, 3.0);
            (0..mesh.face_count() as u32).all(|face| is_off_polygon(&mesh, face, point, 0.1))
        };
        for (x, y) in [(0.5, 0.5), (1.5, 0.5), (0.5, 1.5), (1.05, 1.5), (2.09, 0.5), (-0.09, 1.0)] {
            assert!(!is_off(x, y), "({x}, {y}) is over it");
        }
        for (x, y) in [(1.5, 1.5), (1.11, 1.5), (2.11, 0.5), (-0.11, 1.0), (0.5, 2.11)] {
            assert!(is_off(x, y), "({x}, {y}) is beside it");
        }
    }
}
