//! The relative screw of one part of a step, in A's local coordinates.
//!
//! A's local coordinates have A's axes and A's pivot as origin, B's those of B. Facing is asked in
//! each body's own coordinates, where the twist is a constant too, so that normals need not be
//! turned.

use glam::{DMat3, DVec3};

use crate::bounds::Collider;
use crate::motion::{Part, Screw};
use crate::numeric::{Helix, HelixAt};

/// One relative screw, and where B's local coordinates lie at its start.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Relative {
    pub(in crate::screen) screw: Screw,
    pub(in crate::screen) helix: Helix,
    /// Turns B's local axes into A's at the start.
    pub(in crate::screen) turned: DMat3,
    /// B's pivot at the start.
    pub(in crate::screen) offset: DVec3,
}

/// A sphere around a body, in A's local coordinates at the start.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Ball {
    pub(in crate::screen) centre: DVec3,
    pub(in crate::screen) radius: f64,
}

impl Relative {
    pub(in crate::screen) fn new(part: &Part, a: &Collider, b: &Collider) -> Self {
        let (screw, turned, offset) = part.about([a.pivot(), b.pivot()]);
        Self { screw, helix: Helix::new(screw.angle()), turned, offset }
    }

    /// The motion without its turn, if that moves the bodies by less than this part of what the
    /// translation does.
    ///
    /// Poses that are turned alike leave a turn of some 1e-16 between them, about an axis of any
    /// direction, anywhere.
    pub(in crate::screen) fn straightened(self, [a, b]: &[Ball; 2], slight: f64) -> Self {
        let velocity = self.screw.flow(a.centre);
        let reach = a.radius + b.radius + a.centre.distance(b.centre);
        if self.screw.angle() * reach > slight * velocity.length() {
            return self;
        }
        Self { screw: Screw::from_valid(DVec3::ZERO, velocity), helix: Helix::new(0.0), ..self }
    }

    /// The spheres around the boxes of both bodies.
    pub(in crate::screen) fn balls(&self, [a, b]: [&Collider; 2]) -> [Ball; 2] {
        let ball = |body: &Collider| {
            let root = &body.nodes()[0];
            Ball { centre: root.centre, radius: root.half.length() }
        };
        let of_b = ball(b);
        [ball(a), Ball { centre: self.turned * of_b.centre + self.offset, ..of_b }]
    }

    /// The twist in B's local coordinates, where it is the same at all times.
    pub(in crate::screen) fn screw_in_b(&self) -> Screw {
        let back = self.turned.transpose();
        let linear = self.screw.flow(self.offset);
        Screw::from_valid(back * self.screw.angular(), back * linear)
    }

    /// A point of B that starts at `point`, at a time.
    #[inline]
    pub(in crate::screen) fn moved(&self, point: DVec3, at: &HelixAt) -> DVec3 {
        at.along(&self.screw.spread(point, 1.0))
    }

    /// A point of B's local coordinates, at the start.
    #[inline]
    pub(in crate::screen) fn placed(&self, point: DVec3) -> DVec3 {
        self.turned * point + self.offset
    }

    /// The point of B's local coordinates that starts at `point`.
    #[inline]
    pub(in crate::screen) fn local_of_b(&self, point: DVec3) -> DVec3 {
        self.turned.transpose() * (point - self.offset)
    }

    /// Turns B's local axes into A's at a time.
    pub(in crate::screen) fn turned_at(&self, time: f64) -> DMat3 {
        let at = self.helix.at(time);
        let Self { screw, turned, .. } = self;
        let turn = |axis: DVec3| screw.turn(axis, &at, 1.0);
        DMat3::from_cols(turn(turned.x_axis), turn(turned.y_axis), turn(turned.z_axis))
    }

    /// A direction at a time, in B's local axes.
    #[inline]
    pub(in crate::screen) fn in_b(&self, vector: DVec3, at: &HelixAt) -> DVec3 {
        self.turned.transpose() * self.screw.turn(vector, at, -1.0)
    }
}
