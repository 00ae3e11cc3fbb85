//! How the gaps of touches change along a trial: to first order they do as the solver asks, and
//! this is the rest.
//!
//! In a part of a step a body turns by `omega h` while it goes `v h`, so the gap of a touch departs
//! from a straight line by about `omega v h²`: micrometres, but so is the gap that is kept. A touch
//! remembers what it is made of, a point over a plane or two lines, and is asked for its gap on the
//! way. What is lacking is made up by displacements, which leave velocities alone.

use chasles::{Pose, Screw};
use glam::DVec3;

/// What a touch is made of, in the frames of its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surfaces {
    /// The points of the first and the second body that are nearest to each other.
    points: [DVec3; 2],
    /// How far bodies reach around these points, both together.
    radius: f64,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A plane of one body, with the normal that points to the first.
    Plane(usize, DVec3),
    /// A line of each body, and the sign with which their cross product points to the first.
    Lines([DVec3; 2], f64),
    /// Nothing but the points.
    Tips,
}

/// What two bodies are near each other with, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Form {
    /// A plane of the first or of the second body, and a point.
    Plane(usize),
    /// Two lines, along these directions.
    Lines([DVec3; 2]),
    /// Two points.
    Tips,
}

impl Surfaces {
    /// Of two points, and how far bodies reach around them, with the normal that points to the
    /// first; all in the world.
    pub(super) fn new(
        poses: [Pose; 2],
        (points, radius): ([DVec3; 2], f64),
        normal: DVec3,
        form: Form,
    ) -> Self {
        let local = |i: usize, v: DVec3| poses[i].rotation().conjugate() * v;
        let inner = |i: usize| poses[i].inverse().point(points[i]);
        let kind = match form {
            Form::Lines([u, w]) => {
                let sign = u.cross(w).dot(normal).signum();
                Kind::Lines([local(0, u), local(1, w)], sign)
            }
            Form::Plane(of) => Kind::Plane(of, local(of, normal)),
            Form::Tips => Kind::Tips,
        };
        Self { points: [inner(0), inner(1)], radius, kind }
    }

    /// The gap where the bodies are at these poses.
    fn gap(&self, poses: [Pose; 2]) -> f64 {
        let apart = poses[0].point(self.points[0]) - poses[1].point(self.points[1]);
        let distance = match self.kind {
            Kind::Tips => apart.length(),
            Kind::Plane(of, normal) => poses[of].vector(normal).dot(apart),
            Kind::Lines([u, w], sign) => {
                let across = poses[0].vector(u).cross(poses[1].vector(w)).normalize_or_zero();
                sign * across.dot(apart)
            }
        };
        distance - self.radius
    }

    /// The least gap on the relative screw from poses to others, at a few times of it.
    pub(super) fn least_gap(&self, from: [Pose; 2], to: [Pose; 2]) -> f64 {
        let [start, end] = [from, to].map(|[a, b]| a.inverse_after(&b));
        let screw = Screw::between(&start, &end);
        let at = |t: f64| self.gap([Pose::IDENTITY, screw.pose_at(t).after(&start)]);
        [0.125, 0.25, 0.5, 0.75, 1.0].into_iter().map(at).fold(f64::INFINITY, f64::min)
    }
}
