//! How far points of one link move, seen from another, while all joints move.
//!
//! Between a link X and a link Y lie joints `1 .. n`, in order from X. In the frame of X, joint `k`
//! moves what lies beyond it with the velocity field `ξ_k`: of size `|dq_k|` times the distance
//! from its axis if it turns, `|dq_k|` if it slides. A point of Y has the velocity `Σ ξ_k` and the
//! acceleration (`docs/planning.md`, 2)
//!
//! ```text
//! Σ_k (ω_k + 2 Σ_{j<k} ω_j) x ξ_k          ω: the angular velocity of a joint, 0 if it slides
//! ```
//!
//! Its distance from axis `k` changes only by the joints beyond `k`. So in a while of length `2 h`
//! the reach `r_k` of a ball about `c` is at most what it is in the middle, and `h` times the
//! speeds of the joints beyond. The last joint's reach does not change; from there the bounds of
//! the others follow.

use chasles::glam::DVec3;

use crate::frame::{Axis, Twist};
use crate::robot::{Joint, JointKind};

/// What rounding may take from a bound: some hundred operations.
const ROUNDING: f64 = 1.0 + 1e-13;

/// Bounds over a while of length `2 h`, about its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// How far the middle of the ball moves at most.
    pub(crate) centre: f64,
    /// How far any point in the ball moves at most.
    pub(crate) points: f64,
    /// The largest acceleration of any point in the ball.
    pub(crate) bend: f64,
}

/// The joints of a robot in the middle of a while.
#[derive(Clone, Copy)]
pub(crate) struct Moving<'m> {
    pub(crate) joints: &'m [Joint],
    /// In the world.
    pub(crate) axes: &'m [Axis],
    /// How fast each joint moves.
    pub(crate) rates: &'m [f64],
    /// Half the length of the while.
    pub(crate) half: f64,
}

impl Moving<'_> {
    /// Bounds for a ball that is carried by the joints of a path, in order from what stands still.
    /// `twist` is how it moves in the middle of the while; ball and twist are in the world.
    pub(crate) fn bound(
        &self,
        path: &[u32],
        (centre, radius): (DVec3, f64),
        twist: &Twist,
    ) -> Bound {
        let h = self.half;
        let turn_of = |k: u32| match self.joints[k as usize].kind {
            JointKind::Turns => self.rates[k as usize].abs(),
            JointKind::Fixed | JointKind::Slides => 0.0,
        };
        let mut turn_before: f64 = path.iter().map(|&k| turn_of(k)).sum();
        let [mut speed, mut bend, mut speed_around, mut bend_around] = [0.0; 4];
        for &k in path.iter().rev() {
            let turn = turn_of(k);
            let Axis { through, along } = self.axes[k as usize];
            let reach = along.cross(centre - through).length() + h * speed;
            let own = match self.joints[k as usize].kind {
                JointKind::Fixed => 0.0,
                JointKind::Turns => turn * reach,
                JointKind::Slides => self.rates[k as usize].abs(),
            };
            turn_before = (turn_before - turn).max(0.0);
            let carried = turn + 2.0 * turn_before;
            speed += own;
            bend += own * carried;
            speed_around += turn * radius;
            bend_around += turn * radius * carried;
        }
        let now = twist.at(centre).length();
        let around = twist.turn.length() * radius;
        let all = bend + bend_around;
        let at_centre = speed.min(now + 0.5 * h * bend);
        let at_points = (speed + speed_around).min(now + around + 0.5 * h * all);
        Bound {
            centre: h * at_centre * ROUNDING,
            points: h * at_points * ROUNDING,
            bend: all * ROUNDING,
        }
    }
}
