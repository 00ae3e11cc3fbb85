//! How one body moves during a step: along a screw of its own, or in free flight.
//!
//! A body is given by the poses at both ends of the step, by a start pose and a twist, or by a
//! start pose and constant velocities. The first turns by at most a half-turn; the others as often
//! as they say.

use std::f64::consts::FRAC_PI_2;

use glam::DVec3;

use super::pose::{MotionError, Pose, checked};
use super::screw::Screw;
use crate::numeric::rotation_by;

/// The largest angle that counts as none. Two ways to write one rotation differ by as much; a path
/// then leaves its chord by an eighth of the angle times its length, which is rounding.
const STRAIGHT: f64 = 2e-15;

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
    course: Course,
}

/// What leads from the start to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Course {
    /// The screw between the poses.
    Between,
    /// A twist in the frame of the start pose.
    Along(Screw),
    /// Constant velocities, as of a [`Flight`].
    Flight { pivot: DVec3, linear: DVec3, angular: DVec3 },
}

/// Constant velocities: a point of the body moves straight, and the body turns about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Flight {
    pub(crate) start: Pose,
    /// In the body's frame.
    pub(crate) pivot: DVec3,
    /// Of the pivot, per step, in the world frame.
    pub(crate) linear: DVec3,
    /// Unit axis times angle, per step, in the world frame.
    pub(crate) angular: DVec3,
}

impl Flight {
    pub(crate) fn pose_at(&self, t: f64) -> Pose {
        let turn = rotation_by(self.angular * t);
        let rotation = turn * self.start.rotation();
        let pivot = self.pivot_at(t);
        Pose::from_valid(pivot - rotation * self.pivot, rotation)
    }

    /// From this pivot to that of another flight, at the start. Differences of positions come
    /// first: bodies far from the origin may be close to each other.
    pub(crate) fn between_pivots(&self, other: &Self) -> DVec3 {
        let [from, to] = [self, other].map(|flight| flight.start.vector(flight.pivot));
        other.start.position() - self.start.position() + (to - from)
    }

    /// Where the point that moves straight is, in the world.
    fn pivot_at(&self, t: f64) -> DVec3 {
        self.start.point(self.pivot) + self.linear * t
    }
}

/// A motion as a turn about an axis that moves straight: at time `t` the point that was at `x` is
/// at `through + t linear + exp(t angular) (x - through)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spin {
    /// Unit axis times angle, in the world.
    pub(crate) angular: DVec3,
    /// A point of the axis at the start; any point where nothing turns.
    pub(crate) through: DVec3,
    pub(crate) linear: DVec3,
}

/// The velocities of a body's points in the world: at `y`, `angular x (y - point) + linear + t
/// drift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    pub(super) angular: DVec3,
    point: DVec3,
    linear: DVec3,
    /// How the velocity at a fixed place changes: zero along a screw.
    pub(super) drift: DVec3,
    /// The speed of what the body turns about, in a flight.
    rim: f64,
}

impl Flow {
    /// The same in a piece of the time, rates being those of the piece.
    pub(super) fn over(&self, [from, to]: [f64; 2]) -> Self {
        let h = to - from;
        Self {
            angular: self.angular * h,
            point: self.point,
            linear: (self.linear + self.drift * from) * h,
            drift: self.drift * (h * h),
            rim: self.rim * h,
        }
    }

    /// The velocity at a place.
    pub(super) fn at(&self, t: f64, place: DVec3) -> DVec3 {
        self.angular.cross(place - self.point) + self.linear + self.drift * t
    }

    /// A bound of how fast the point that is at a place at first ever moves. Along a screw its
    /// speed stays; in a flight it goes round the pivot, which goes straight.
    pub(super) fn speed_bound(&self, place: DVec3) -> f64 {
        let now = self.at(0.0, place).length();
        // Around the pivot it is at most its own speed and that of the pivot.
        now + 2.0 * self.rim
    }
}

impl Motion {
    /// The most quarter-turns of a twist or a flight.
    pub const MAX_QUARTERS: u32 = 4096;

    /// A body that stays where it is.
    pub fn still(pose: Pose) -> Self {
        Self { start: pose, end: pose, course: Course::Between }
    }

    /// From one pose to another along the screw between them, which turns the shorter way: by at
    /// most a half-turn. For more, and for the longer way, see [`Motion::along`].
    pub fn between(start: Pose, end: Pose) -> Self {
        Self { start, end, course: Course::Between }
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
        Ok(Self { start, end, course: Course::Along(screw_in_body) })
    }

    /// In free flight: the origin of the body's frame moves straight with the velocity `linear`,
    /// and the body turns about it with the angular velocity `angular`; both per step, in the
    /// world.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Motion::flight_about`].
    pub fn flight(
        start: Pose,
        linear: impl Into<DVec3>,
        angular: impl Into<DVec3>,
    ) -> Result<Self, MotionError> {
        Self::flight_about(DVec3::ZERO, start, linear, angular)
    }

    /// In free flight about a point of the body, in its frame: its centre of mass, say.
    ///
    /// *Accepts* finite vectors, and any angle up to [`Motion::MAX_QUARTERS`] quarter-turns.
    /// *Guarantees* that the pivot is at `start.point(pivot) + t linear` at time `t`, and the body
    /// turned by `exp(t angular)`. *Cost* constant. *Fails* on coordinates that are not finite or
    /// beyond 1e100, and beyond that angle.
    ///
    /// ```
    /// use chasles::{Motion, Pose, glam::DVec3};
    /// // A stick of length 2 with its origin at one end is thrown, and turns about its middle.
    /// let thrown = Motion::flight_about(DVec3::X, Pose::IDENTITY, DVec3::Y, DVec3::Z * 6.0)?;
    /// let middle = thrown.pose_at(0.25).point(DVec3::X);
    /// assert!(middle.distance(DVec3::new(1.0, 0.25, 0.0)) < 1e-15);
    /// # Ok::<(), chasles::motion::MotionError>(())
    /// ```
    pub fn flight_about(
        pivot: impl Into<DVec3>,
        start: Pose,
        linear: impl Into<DVec3>,
        angular: impl Into<DVec3>,
    ) -> Result<Self, MotionError> {
        let pivot = checked("pivot", pivot.into())?;
        let twist = Screw::from_twist(angular, linear)?;
        quarters(twist.angle())?;
        let [linear, angular] = [twist.linear(), twist.angular()];
        let end = Flight { start, pivot, linear, angular }.pose_at(1.0);
        Ok(Self { start, end, course: Course::Flight { pivot, linear, angular } })
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
            return self.start;
        }
        if t == 1.0 {
            return self.end;
        }
        match &self.course {
            &Course::Flight { pivot, linear, angular } => {
                Flight { start: self.start, pivot, linear, angular }.pose_at(t)
            }
            Course::Along(screw) => self.start.after(&screw.pose_at(t)),
            Course::Between => self.start.after(&self.between_ends().pose_at(t)),
        }
    }

    /// What the body does from one time to another, as a motion of its own.
    ///
    /// *Accepts* times with `0 <= from < to <= 1`. *Guarantees* the same poses at the same times,
    /// to rounding, and the motion itself from 0 to 1. *Cost* constant. *Fails* never.
    #[must_use]
    pub fn during(&self, [from, to]: [f64; 2]) -> Self {
        if self.is_still() || [from, to] == [0.0, 1.0] {
            return *self;
        }
        let share = to - from;
        let course = match self.course {
            Course::Between => Course::Between,
            Course::Along(screw) => Course::Along(screw.scaled(share)),
            Course::Flight { pivot, linear, angular } => {
                Course::Flight { pivot, linear: linear * share, angular: angular * share }
            }
        };
        Self { start: self.pose_at(from), end: self.pose_at(to), course }
    }

    /// By how much the body turns, whole turns included; at least 0.
    pub fn angle(&self) -> f64 {
        match &self.course {
            Course::Flight { angular, .. } => angular.length(),
            Course::Along(screw) => screw.angle(),
            Course::Between => self.between_ends().angle(),
        }
    }

    /// Whether the body stays where it is; a whole turn does not count as staying.
    pub fn is_still(&self) -> bool {
        match &self.course {
            Course::Between => self.start == self.end,
            Course::Along(screw) => *screw == Screw::STILL,
            Course::Flight { linear, angular, .. } => [*linear, *angular] == [DVec3::ZERO; 2],
        }
    }

    /// Whether every point of the body moves in a straight line, to rounding.
    pub fn is_straight(&self) -> bool {
        self.angle() <= STRAIGHT
    }

    /// Whether the body turns in free flight, not along a screw.
    pub fn is_flight(&self) -> bool {
        matches!(self.course, Course::Flight { .. }) && !self.is_straight()
    }

    /// The same motion as constant velocities: of a flight, and of a body that does not turn.
    pub(crate) fn to_flight(self) -> Option<Flight> {
        match self.course {
            Course::Flight { pivot, linear, angular } => {
                Some(Flight { start: self.start, pivot, linear, angular })
            }
            _ if self.is_straight() => Some(Flight {
                start: self.start,
                pivot: DVec3::ZERO,
                linear: self.end.position() - self.start.position(),
                angular: DVec3::ZERO,
            }),
            _ => None,
        }
    }

    /// The motion as a turn about an axis that moves straight.
    pub(crate) fn spin(&self) -> Spin {
        let start = self.start.position();
        if self.is_straight() {
            let linear = match self.course {
                Course::Flight { linear, .. } => linear,
                _ => self.end.position() - start,
            };
            return Spin { angular: DVec3::ZERO, through: start, linear };
        }
        let Flow { angular, point, linear, .. } = self.flow();
        if let Course::Flight { .. } = self.course {
            return Spin { angular, through: point, linear };
        }
        let angle_sq = angular.length_squared();
        let through = point + angular.cross(linear) / angle_sq;
        Spin { angular, through, linear: angular * (angular.dot(linear) / angle_sq) }
    }

    /// The velocities of the body's points in the world.
    pub(super) fn flow(&self) -> Flow {
        let screw = match &self.course {
            &Course::Flight { pivot, linear, angular } => {
                let [point, drift] = [self.start.point(pivot), -angular.cross(linear)];
                return Flow { angular, point, linear, drift, rim: linear.length() };
            }
            Course::Along(screw) => *screw,
            Course::Between => self.between_ends(),
        };
        let [angular, linear] = [screw.angular(), screw.linear()].map(|v| self.start.vector(v));
        Flow { angular, point: self.start.position(), linear, drift: DVec3::ZERO, rim: 0.0 }
    }

    /// Whether whole turns count: along twists and in flights. A step with such a motion is cut at
    /// quarter-turns.
    pub fn counts_turns(&self) -> bool {
        self.course != Course::Between
    }

    /// The same motion with its screw worked out, for many calls of [`Motion::pose_at`].
    pub(super) fn prepared(&self) -> Self {
        match self.course {
            Course::Between => Self { course: Course::Along(self.between_ends()), ..*self },
            _ => *self,
        }
    }

    /// How many parts of at most a quarter-turn the motion has.
    pub(super) fn quarters(&self) -> u32 {
        quarters(self.angle()).expect("checked where the motion was made")
    }

    /// The screw between the poses, in the frame of the start pose.
    fn between_ends(&self) -> Screw {
        Screw::between(&Pose::IDENTITY, &self.start.inverse_after(&self.end))
    }
}

/// A turn that exceeds whole quarters by this share only is one of whole quarters: angles are
/// taken in the frame of the body too, and turning a vector changes its length by some 1e-15.
const ROUNDING: f64 = 1e-14;

/// How many quarter-turns a turn by `radians` has, begun ones included; at least one.
pub(super) fn quarters(radians: f64) -> Result<u32, MotionError> {
    let parts = (radians / FRAC_PI_2 * (1.0 - ROUNDING)).ceil().max(1.0);
    let limit = FRAC_PI_2 * f64::from(Motion::MAX_QUARTERS);
    if parts <= f64::from(Motion::MAX_QUARTERS) {
        Ok(parts as u32)
    } else {
        Err(MotionError::TooManyTurns { radians, limit })
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    #[test]
    fn a_piece_of_a_motion_is_where_the_motion_is() {
        let start = Pose::new([1.0, 2.0, -0.5], DQuat::from_scaled_axis(DVec3::ONE)).unwrap();
        let end = Pose::new([0.0, 3.0, 0.5], DQuat::from_rotation_x(2.0)).unwrap();
        let twist = Screw::from_twist([3.0, -7.0, 1.0], [1.0, 0.0, 2.0]).unwrap();
        let motions = [
            Motion::between(start, end),
            Motion::along(start, twist).unwrap(),
            Motion::flight_about(DVec3::X, start, DVec3::Y, DVec3::Z * 9.0).unwrap(),
            Motion::still(start),
        ];
        for motion in motions {
            assert_eq!(motion.during([0.0, 1.0]), motion);
            let piece = motion.during([0.3, 0.7]);
            assert_eq!(piece.counts_turns(), motion.counts_turns());
            assert!((piece.angle() - 0.4 * motion.angle()).abs() < 1e-12);
            for t in [0.0, 0.2, 0.5, 1.0] {
                let [own, whole] = [piece.pose_at(t), motion.pose_at(0.3 + 0.4 * t)];
                let x = DVec3::new(0.4, -2.0, 1.0);
                assert!(own.point(x).distance(whole.point(x)) < 1e-12, "{motion:?} {t}");
            }
        }
    }
}
