//! Bodies on routes that close in on another from several sides.
//!
//! Nothing that answers impulses gets out of the way of two walls that come together: either there
//! are no velocities that all contacts allow, or, where walls are not quite parallel, such as no
//! real body would reach, since what presses it would give way before. Bodies on routes never give
//! way, so they wait: for the rest of the step, like those that press against something fixed.
//!
//! A lever, a row of balls or a rough belt may throw bodies as fast. So a body counts as squeezed
//! out only if what presses it does so from opposite sides, and it leaves across that.

use glam::DVec3;

use super::island::Island;
use crate::body::Velocity;
use crate::impulse::{Response, Touch};

/// Bodies on routes push others out at up to this many times the speed at which they come: a wedge
/// of the angle `2 a` that closes does so at `1 / sin a` times it.
const FASTEST: f64 = 8.0;

/// What is that fast anyway is not pushed: it gains less than this share of the speed at which they
/// come.
const NOTICED: f64 = 0.1;

/// Normals whose product is below this are of opposite sides.
const OPPOSITE: f64 = -0.9;

/// A touch of a body that answers impulses with one that does not.
struct Pressed<'t> {
    touch: &'t Touch,
    body: usize,
    by: usize,
    /// Toward the body.
    normal: DVec3,
}

impl Island<'_> {
    /// Members on routes that close in on others, as the velocities after an impact show.
    pub(super) fn pinching(
        &self,
        touches: &[Touch],
        impulses: &[DVec3],
        [before, after]: [&[Velocity]; 2],
    ) -> Vec<usize> {
        let pressed: Vec<Pressed<'_>> = touches
            .iter()
            .zip(impulses)
            .filter(|(_, impulse)| **impulse != DVec3::ZERO)
            .filter_map(|(touch, _)| self.pressed_at(touch))
            .collect();
        let is_moving = |touch: &&Pressed<'_>| before[touch.by] != Velocity::ZERO;
        if !pressed.iter().any(|touch| is_moving(&touch)) {
            return Vec::new();
        }
        let response = self.answers();
        let approach = |touch: &Touch, all: &[Velocity]| {
            -touch.normal.dot(response.approach(all, touch.bodies, touch.point))
        };
        let speed = |touch: &Pressed<'_>| {
            let mover = before[touch.by].at(self.inertias[touch.by].centre, touch.touch.point);
            mover.dot(touch.normal).abs()
        };
        let fastest = pressed.iter().map(speed).fold(0.0, f64::max);
        let is_squeezed_out = |touch: &Pressed<'_>| {
            let across = |all: &[Velocity]| {
                all[touch.body].linear.reject_from_normalized(touch.normal).length()
            };
            let is_other_side = |other: &Pressed<'_>| {
                other.body == touch.body && other.normal.dot(touch.normal) < OPPOSITE
            };
            across(after) > FASTEST * fastest
                && across(after) > across(before) + NOTICED * fastest
                && pressed.iter().any(is_other_side)
        };
        let closes = |touch: &Pressed<'_>| approach(touch.touch, after) > self.options.gentle;
        let pinching = pressed.iter().filter(is_moving);
        let pinching = pinching.filter(|touch| closes(touch) || is_squeezed_out(touch));
        let mut found: Vec<usize> = pinching.map(|touch| touch.by).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn pressed_at<'t>(&self, touch: &'t Touch) -> Option<Pressed<'t>> {
        let [first, second] = touch.bodies;
        match [first, second].map(|i| self.is_dynamic(i)) {
            [true, false] => Some(Pressed { touch, body: first, by: second, normal: touch.normal }),
            [false, true] => {
                Some(Pressed { touch, body: second, by: first, normal: -touch.normal })
            }
            _ => None,
        }
    }
}
