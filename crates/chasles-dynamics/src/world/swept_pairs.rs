//! What a body passes through on its way in a trial: for both steppings, before any query.

use chasles::Pose;
use glam::{DQuat, DVec3};

use super::body::Body;
use super::broad::{Bounds, radius_about};

/// What a body passes through between two poses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swath {
    pub(super) bounds: Bounds,
    /// By how much it turns at most, and how far its origin goes.
    pub(super) turn: f64,
    pub(super) length: f64,
}

impl Swath {
    /// Between these poses, with a share of the body's size around it.
    pub(super) fn new(body: &Body, [from, to]: [&Pose; 2], zone: f64) -> Self {
        let turn = turn_bound(from.rotation(), to.rotation());
        let length = from.position().distance(to.position());
        // Arcs of points about the body and of the body itself depart from their chords by less.
        let sag = (radius_about(body, DVec3::ZERO) * turn / 8.0 + length / 2.0) * turn;
        let ends = Bounds::of(body, from).join(&Bounds::of(body, to));
        Self { bounds: ends.grown(sag + zone * body.size()), turn, length }
    }

    /// Whether two bodies whose origins are so far apart at first may meet on their relative screw.
    ///
    /// It is seen from a body that turns: its arcs are as wide as the bodies are apart, and bow by
    /// as much as the way is long.
    pub(super) fn may_meet(&self, other: &Self, apart: f64) -> bool {
        let turn = self.turn + other.turn;
        let slack = (apart * turn + self.length + other.length) * turn / 4.0;
        self.bounds.grown(slack).overlaps(&other.bounds)
    }
}

/// Not less than the angle between two rotations, and at most a fifth more.
///
/// With `s` the sine of half the angle, `asin(s) / s` is convex in `s²`, so it lies below its chord
/// from 1 at 0 to `pi / 2` at 1.
pub(super) fn turn_bound(from: DQuat, to: DQuat) -> f64 {
    let sine = (to * from.conjugate()).xyz().length();
    2.0 * sine * (1.0 + (std::f64::consts::FRAC_PI_2 - 1.0) * sine * sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_bounded_from_above_and_closely() {
        let start = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
        for i in 0..=100 {
            let angle = f64::from(i) / 100.0 * std::f64::consts::PI;
            let end = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), angle) * start;
            for end in [end, -end] {
                let bound = turn_bound(start, end);
                assert!(bound >= angle * (1.0 - 1e-15) && bound <= 1.2 * angle + 1e-12, "{bound}");
            }
        }
    }
}
