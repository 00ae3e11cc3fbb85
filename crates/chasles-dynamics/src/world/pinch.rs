//! Bodies on routes that close in on another from several sides.
//!
//! Nothing that answers impulses gets out of the way of two walls that come together: either there are no
//! velocities that all contacts allow, or, where walls are not quite parallel, such as no real body would
//! reach, since what presses it would give way before. Bodies on routes never give way, so they wait: for the
//! rest of the step, like those that press against something fixed.

use glam::DVec3;

use super::island::Island;
use crate::body::Velocity;
use crate::impulse::{Response, Touch};

/// Bodies on routes push others out at up to this many times the speed of approach: a wedge of the angle
/// `2 a` that closes does so at `1 / sin a` times it.
const FASTEST: f64 = 8.0;

impl Island<'_> {
    /// Members on routes that close in on others, as the velocities after an impact show.
    pub(super) fn pinching(
        &self,
        touches: &[Touch],
        impulses: &[DVec3],
        [before, after]: [&[Velocity]; 2],
    ) -> Vec<usize> {
        let is_moving = |i: usize| !self.is_dynamic(i) && before[i] != Velocity::ZERO;
        let pressing: Vec<(&Touch, usize)> = touches
            .iter()
            .zip(impulses)
            .filter(|(_, impulse)| **impulse != DVec3::ZERO)
            .filter_map(|(touch, _)| {
                Some((touch, touch.bodies.into_iter().find(|&i| is_moving(i))?))
            })
            .collect();
        if pressing.is_empty() {
            return Vec::new();
        }
        let response = self.answers();
        let approach = |touch: &Touch, all: &[Velocity]| {
            -touch.normal.dot(response.approach(all, touch.bodies, touch.point))
        };
        let fastest = touches.iter().map(|touch| approach(touch, before)).fold(0.0, f64::max);
        let is_thrown = (0..after.len()).any(|i| {
            self.is_dynamic(i) && after[i].linear.distance(before[i].linear) > FASTEST * fastest
        });
        let closes = |touch: &Touch| approach(touch, after) > self.options.gentle;
        let mut found: Vec<usize> = pressing
            .into_iter()
            .filter(|(touch, _)| is_thrown || closes(touch))
            .map(|(_, i)| i)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
