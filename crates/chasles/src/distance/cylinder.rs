//! A cylinder with flat ends: how far points are from it, and how far it reaches.

use glam::DVec3;

use crate::motion::Pose;
use crate::round::{self, Round};

/// Halvings of a segment: what is left is below the spacing of doubles.
pub(super) const HALVINGS: u32 = 60;

/// A cylinder with flat ends, in some frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cylinder {
    pub(super) centre: DVec3,
    pub(super) axis: DVec3,
    pub(super) half: f64,
    pub(super) radius: f64,
}

impl Cylinder {
    pub(super) fn new(round: &Round, pose: &Pose, pivot: DVec3) -> Self {
        let [from, to] = round.ends();
        let axis = pose.vector(to - from).normalize_or_zero();
        let centre = pose.point(0.5 * from + 0.5 * to) - pivot;
        Self { centre, axis, half: round.half_length(), radius: round.radius() }
    }

    /// The signed distance of a point, and its gradient.
    pub(super) fn distance(&self, point: DVec3) -> (f64, DVec3) {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let across = self.across(y);
        let off_axis = across.length();
        let out = off_axis - self.radius;
        let beyond = along.abs() - self.half;
        let radial =
            if off_axis > 0.0 { across / off_axis } else { self.axis.any_orthonormal_vector() };
        let axial = self.axis * along.signum();
        if out > 0.0 && beyond > 0.0 {
            let distance = out.hypot(beyond);
            (distance, (out * radial + beyond * axial).normalize_or(radial))
        } else if out > beyond {
            (out, radial)
        } else {
            (beyond, axial)
        }
    }

    /// The point between two, but at neither, that is nearest, if there is one.
    pub(super) fn nearest_between(&self, [from, to]: [DVec3; 2]) -> Option<DVec3> {
        let way = to - from;
        let rises = |t: f64| self.distance(from + t * way).1.dot(way) >= 0.0;
        if rises(0.0) || !rises(1.0) {
            return None;
        }
        let [mut low, mut high] = [0.0, 1.0];
        for _ in 0..HALVINGS {
            let t = 0.5 * (low + high);
            *(if rises(t) { &mut high } else { &mut low }) = t;
        }
        Some(from + high * way)
    }

    /// How far the cylinder reaches along a unit direction, from the origin.
    pub(super) fn extent(&self, direction: DVec3) -> f64 {
        let along = direction.dot(self.axis).abs();
        let across = direction.cross(self.axis).length();
        direction.dot(self.centre) + self.half * along + self.radius * across
    }

    /// The ends of the axis.
    pub(super) fn ends(&self) -> [DVec3; 2] {
        [-1.0, 1.0].map(|side| self.centre + side * self.half * self.axis)
    }

    /// What of a vector is across the axis. Far along the axis the first difference leaves some of
    /// it, which is large beside what is left; the second takes that away.
    fn across(&self, y: DVec3) -> DVec3 {
        let once = y - y.dot(self.axis) * self.axis;
        once - once.dot(self.axis) * self.axis
    }

    /// The point farthest along a unit direction; of several the middle of a cap, or an end.
    pub(super) fn farthest(&self, direction: DVec3) -> DVec3 {
        let along = direction.dot(self.axis);
        let across = (direction - along * self.axis).normalize_or_zero();
        self.centre + self.half * along.signum() * self.axis + self.radius * across
    }

    /// The part of the surface at one of its points.
    pub(super) fn part(&self, point: DVec3) -> round::Feature {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let end = u8::from(along > 0.0);
        let small = 1e-12 * (self.radius + self.half);
        let is_out = self.across(y).length() > self.radius - small;
        match (is_out, along.abs() > self.half - small) {
            (true, true) => round::Feature::Rim(end),
            (false, true) => round::Feature::Cap(end),
            _ => round::Feature::Side,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_from_very_long_cylinders_are_unit_and_across() {
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        let aside = axis.any_orthonormal_vector();
        for half in [1.0, 1e4, 1e8, 1e12] {
            let cylinder = Cylinder { centre: DVec3::ZERO, axis, half, radius: 1.0 };
            for along in [-1.1, -0.9, 0.3, 0.999, 1.0001] {
                for off in [0.5, 1.5, 3.0] {
                    let point = along * half * axis + off * aside;
                    let (_, away) = cylinder.distance(point);
                    assert!(away.is_normalized(), "{half} {along} {off}: {}", away.length());
                    let is_beside = along.abs() < 1.0 && off > 1.0;
                    assert!(!is_beside || away.dot(axis).abs() < 1e-14, "{half} {along} {off}");
                }
            }
        }
    }
}
