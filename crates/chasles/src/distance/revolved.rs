//! A cylinder with flat ends or a cone: how far points are from it, and how far it reaches.

use glam::DVec3;

use crate::motion::Pose;
use crate::numeric::Elementary;
use crate::round::{self, Kind, Round, Slant};

/// Halvings of a segment: what is left is below the spacing of doubles.
pub(super) const HALVINGS: u32 = 60;

/// A cylinder with flat ends or a cone, in some frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Revolved {
    /// The middle of the axis.
    pub(super) centre: DVec3,
    /// Unit; towards the tip of a cone.
    pub(super) axis: DVec3,
    pub(super) half: f64,
    pub(super) radius: f64,
    /// Of a cone.
    pub(super) slant: Option<Slant>,
}

impl Revolved {
    pub(super) fn new(round: &Round, pose: &Pose, pivot: DVec3) -> Self {
        let [from, to] = round.ends();
        let axis = pose.vector(to - from).normalize_or_zero();
        let centre = pose.point(0.5 * from + 0.5 * to) - pivot;
        let (half, radius) = (round.half_length(), round.radius());
        let slant = (round.kind() == Kind::Cone).then(|| Slant::new(radius, 2.0 * half));
        Self { centre, axis, half, radius, slant }
    }

    /// The signed distance of a point, and its gradient.
    pub(super) fn distance(&self, point: DVec3) -> (f64, DVec3) {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let across = self.across(y);
        let off_axis = across.length();
        let radial =
            if off_axis > 0.0 { across / off_axis } else { self.axis.any_orthonormal_vector() };
        if let Some(slant) = &self.slant {
            let (distance, [outward, up]) = slant.distance(off_axis, self.half - along);
            return (distance, outward * radial + up * self.axis);
        }
        let out = off_axis - self.radius;
        let beyond = along.abs() - self.half;
        let axial = self.axis * along.signum();
        if out > 0.0 && beyond > 0.0 {
            let distance = out.hypotenuse(beyond);
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

    /// How far the body reaches along a unit direction, from the origin.
    pub(super) fn extent(&self, direction: DVec3) -> f64 {
        let along = self.half * direction.dot(self.axis);
        let across = self.radius * direction.cross(self.axis).length();
        let out = match self.slant {
            Some(_) => along.max(across - along),
            None => along.abs() + across,
        };
        direction.dot(self.centre) + out
    }

    /// The ends of the axis.
    pub(super) fn ends(&self) -> [DVec3; 2] {
        [-1.0, 1.0].map(|side| self.centre + side * self.half * self.axis)
    }

    /// The centres of its flat ends; of the base of a cone twice.
    pub(super) fn discs(&self) -> [DVec3; 2] {
        let [base, end] = self.ends();
        if self.slant.is_some() { [base; 2] } else { [base, end] }
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
        let reach = self.radius * direction.dot(across);
        let side = match self.slant {
            Some(_) if 2.0 * self.half * along >= reach => return self.ends()[1],
            Some(_) => -1.0,
            None => along.signum(),
        };
        self.centre + self.half * side * self.axis + self.radius * across
    }

    /// The part of the surface at one of its points.
    pub(super) fn part(&self, point: DVec3) -> round::Feature {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let small = 1e-12 * (self.radius + self.half);
        let out = self.across(y).length();
        if self.slant.is_some() {
            return match (along > self.half - small, along < small - self.half) {
                (true, _) => round::Feature::Tip,
                (_, false) => round::Feature::Side,
                _ if out > self.radius - small => round::Feature::Rim(0),
                _ => round::Feature::Cap(0),
            };
        }
        let end = u8::from(along > 0.0);
        match (out > self.radius - small, along.abs() > self.half - small) {
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
            let cylinder = Revolved { centre: DVec3::ZERO, axis, half, radius: 1.0, slant: None };
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
