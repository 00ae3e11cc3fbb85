//! How one body moves during a step: along a screw of its own.
//!
//! A body is given either by the poses at both ends of the step, or by a start pose and a twist. The
//! first turns by at most a half-turn; the second as often as the twist says.

use std::f64::consts::FRAC_PI_2;

use super::pose::{MotionError, Pose};
use super::screw::Screw;

/// The motion of one body during a step.
///
/// A body's poses go in together, so those of two bodies cannot be mixed up.
///
/// ```
/// use chasles::{Motion, Pose, Screw};
/// let start = Pose::from_position([1.0, 0.0, 0.0])?;
/// let quarter = Screw::from_twist([0.0, 0.0, std::f64::consts::FRAC_PI_2], [0.0; 3])?;
/// let turn = Motion::along(start, quarter)?;
/// assert!((turn.end().position() - chasles::glam::DVec3::Y).length() < 1e-15);
/// assert_eq!(Motion::still(start).end(), start);
/// # Ok::<(), chasles::motion::MotionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    start: Pose,
    end: Pose,
    /// The twist in the frame of the start pose, if it was given.
    twist: Option<Screw>,
}

impl Motion {
    /// The most quarter-turns of a twist.
    pub const MAX_QUARTERS: u32 = 4096;

    /// A body that stays where it is.
    pub fn still(pose: Pose) -> Self {
        Self { start: pose, end: pose, twist: None }
    }

    /// From one pose to another along the screw between them, which turns by at most a half-turn.
    pub fn between(start: Pose, end: Pose) -> Self {
        Self { start, end, twist: None }
    }

    /// Along a twist in the world frame: the pose is `exp(t twist) start` at time `t`.
    ///
    /// *Accepts* any angle up to [`Motion::MAX_QUARTERS`] quarter-turns. *Guarantees* that whole
    /// turns are kept. *Cost* constant. *Fails* beyond that angle.
    pub fn along(start: Pose, twist: Screw) -> Result<Self, MotionError> {
        quarters(twist.angle())?;
        let back = start.rotation().conjugate();
        let linear = twist.flow(start.position());
        let screw_in_body = Screw::from_valid(back * twist.angular(), back * linear);
        let end = start.after(&screw_in_body.pose_at(1.0));
        Ok(Self { start, end, twist: Some(screw_in_body) })
    }

    /// The pose at time 0.
    pub fn start(&self) -> Pose {
        self.start
    }

    /// The pose at time 1.
    pub fn end(&self) -> Pose {
        self.end
    }

    /// The pose at time `t`, a fraction of the step.
    pub fn pose_at(&self, t: f64) -> Pose {
        if t == 0.0 {
            self.start
        } else if t == 1.0 {
            self.end
        } else {
            self.start.after(&self.screw().pose_at(t))
        }
    }

    /// The screw that the body follows, in the frame of its start pose.
    pub fn screw(&self) -> Screw {
        let between = || Screw::between(&Pose::IDENTITY, &self.start.inverse_after(&self.end));
        self.twist.unwrap_or_else(between)
    }

    /// Whether the body stays where it is; a whole turn does not count as staying.
    pub fn is_still(&self) -> bool {
        self.start == self.end && self.twist.is_none_or(|twist| twist == Screw::STILL)
    }

    /// Whether whole turns count.
    pub(super) fn has_twist(&self) -> bool {
        self.twist.is_some()
    }

    /// The same motion with its screw worked out, for many calls of [`Motion::pose_at`].
    pub(super) fn prepared(&self) -> Self {
        Self { twist: Some(self.screw()), ..*self }
    }

    /// How many parts of at most a quarter-turn the motion has.
    pub(super) fn quarters(&self) -> u32 {
        quarters(self.screw().angle()).expect("checked where the motion was made")
    }
}

/// How many quarter-turns a turn by `radians` has, begun ones included; at least one.
pub(super) fn quarters(radians: f64) -> Result<u32, MotionError> {
    let parts = (radians / FRAC_PI_2).ceil().max(1.0);
    let limit = FRAC_PI_2 * f64::from(Motion::MAX_QUARTERS);
    if parts <= f64::from(Motion::MAX_QUARTERS) {
        Ok(parts as u32)
    } else {
        Err(MotionError::TooManyTurns { radians, limit })
    }
}
