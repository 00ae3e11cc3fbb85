//! A screw: turning about a fixed axis while sliding along it, both at constant rate.
//!
//! We keep it as a twist, `angular` = angle times unit axis and `linear` = velocity of the frame's
//! origin, both per step. The velocity of a point fixed to the body is the flow
//! `flow(x) = angular x x + linear` [Buss04 eq. 3], and nothing special happens when the angle
//! goes to zero. Axis point and pitch are derived only for display.

use glam::{DQuat, DVec3};

use super::pose::{MotionError, Pose, checked};
use crate::numeric::{Elementary, rotation_by};
use crate::numeric::{Helix, HelixAt, log_coefficient};

/// A constant twist, acting for one step. The frame is the caller's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Screw {
    angular: DVec3,
    linear: DVec3,
}

impl Screw {
    /// No motion.
    pub const STILL: Self = Self { angular: DVec3::ZERO, linear: DVec3::ZERO };

    /// A screw from its twist: `angular` in radians per step, of any size, and `linear`, the
    /// velocity of the frame's origin per step.
    ///
    /// *Accepts* finite vectors. *Guarantees* that `flow(x)` is `angular x x + linear`. *Cost*
    /// constant. *Fails* on coordinates that are not finite or beyond 1e100.
    pub fn from_twist(
        angular: impl Into<DVec3>,
        linear: impl Into<DVec3>,
    ) -> Result<Self, MotionError> {
        Ok(Self {
            angular: checked("angular velocity", angular.into())?,
            linear: checked("linear velocity", linear.into())?,
        })
    }

    /// A turn about an axis, while sliding along it: the axis goes through `point` along
    /// `direction`, the turn is by `angle` radians per step, counter-clockwise seen from where the
    /// direction points to, and the slide is by `slide` per step.
    ///
    /// *Accepts* any angle and slide, negative ones too, and a direction of any length but 0.
    /// *Guarantees* that points of the axis move along it only. *Cost* constant. *Fails* on numbers
    /// that are not finite or beyond 1e100, and on a direction without length.
    ///
    /// ```
    /// use chasles::{Motion, Pose, Screw, glam::DVec3};
    /// // A door turns by 90 degrees about its hinge, a vertical line through (2, 0, 0).
    /// let hinge = Screw::about_axis([2.0, 0.0, 0.0], DVec3::Y, 90_f64.to_radians(), 0.0)?;
    /// let door = Motion::along(Pose::from_position([3.0, 0.0, 0.0])?, hinge)?;
    /// assert!(door.end().position().distance(DVec3::new(2.0, 0.0, -1.0)) < 1e-15);
    /// # Ok::<(), chasles::motion::MotionError>(())
    /// ```
    pub fn about_axis(
        point: impl Into<DVec3>,
        direction: impl Into<DVec3>,
        angle: f64,
        slide: f64,
    ) -> Result<Self, MotionError> {
        let point = checked("axis point", point.into())?;
        let axis = checked("axis direction", direction.into())?;
        let unit = axis.try_normalize().ok_or(MotionError::NoAxis)?;
        let angular = unit * angle;
        Self::from_twist(angular, point.cross(angular) + unit * slide)
    }

    pub(crate) fn from_valid(angular: DVec3, linear: DVec3) -> Self {
        Self { angular, linear }
    }

    /// The screw that carries `start` to `end` in one step, turning by at most a half-turn.
    ///
    /// *Accepts* any two poses. *Guarantees* `pose_at(1.0).after(&start)` equals `end` up to
    /// rounding; in the frame in which the poses are given. A turn of exactly pi can go either way
    /// round; the axis is then the quaternion's own. *Cost* constant.
    ///
    /// ```
    /// use chasles::{Pose, Screw, glam::{DQuat, DVec3}};
    /// let start = Pose::from_position([1.0, 0.0, 0.0])?;
    /// let end = Pose::new([0.0, 1.0, 2.0], DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2))?;
    /// let screw = Screw::between(&start, &end);
    /// assert!((screw.angle() - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
    /// assert!((screw.translation() - 2.0).abs() < 1e-15);
    /// # Ok::<(), chasles::motion::MotionError>(())
    /// ```
    pub fn between(start: &Pose, end: &Pose) -> Self {
        let mut turn = end.rotation() * start.rotation().conjugate();
        if turn.w < 0.0 {
            turn = -turn;
        }
        Self::through(turn, start.position(), end.position())
    }

    /// The screw with rotation `turn` (its sign chooses the way round) that carries one point.
    ///
    /// With `d = to - from` and `w` the rotation vector, the velocity of the point at the start is
    /// `d - w x d / 2 + k w x (w x d)`: the inverse of the helix of MATH 1 at `t = 1`.
    pub(crate) fn through(turn: DQuat, from: DVec3, to: DVec3) -> Self {
        let axis = DVec3::new(turn.x, turn.y, turn.z);
        let sin_half = axis.length();
        let theta = 2.0 * sin_half.arctangent_over(turn.w);
        // For a tiny turn, theta = 2 sin_half to the last bit, and theta / sin_half is 2.
        let angular = if sin_half < 1e-9 { 2.0 * axis } else { axis * (theta / sin_half) };
        let d = to - from;
        let once = angular.cross(d);
        let k = log_coefficient(theta, sin_half, turn.w);
        let velocity = d - 0.5 * once + k * angular.cross(once);
        Self { angular, linear: velocity - angular.cross(from) }
    }

    /// Rotation vector: unit axis times angle, radians per step.
    pub fn angular(&self) -> DVec3 {
        self.angular
    }

    /// Velocity of the frame's origin per step.
    pub fn linear(&self) -> DVec3 {
        self.linear
    }

    /// The angle of the whole step, at least 0.
    pub fn angle(&self) -> f64 {
        self.angular.length()
    }

    /// Unit direction of the axis. For a translation its direction; for no motion at all, z.
    pub fn axis_direction(&self) -> DVec3 {
        self.angular.try_normalize().or_else(|| self.linear.try_normalize()).unwrap_or(DVec3::Z)
    }

    /// How far the step slides along [`Screw::axis_direction`].
    pub fn translation(&self) -> f64 {
        self.linear.dot(self.axis_direction())
    }

    /// The point of the axis that is closest to the frame's origin. A translation has no axis, or
    /// one at infinity; the origin then stands for it.
    // Differs from [Buss04 §4.1]: no half-angle tangent, and the part of the displacement along
    // the axis is left out, as the errata ask.
    pub fn axis_point(&self) -> DVec3 {
        let point = self.angular.cross(self.linear) / self.angular.length_squared();
        if point.is_finite() { point } else { DVec3::ZERO }
    }

    /// Velocity of the body's point that is now at `point`, per step [Buss04 eq. 3].
    pub fn flow(&self, point: DVec3) -> DVec3 {
        self.angular.cross(point) + self.linear
    }

    /// The vectors of which a path is a combination (see [`HelixAt::along`]), for a point that is
    /// carried along, or with `direction` -1 the other way.
    #[inline]
    pub(crate) fn spread(&self, point: DVec3, direction: f64) -> [DVec3; 4] {
        let w = self.angular * direction;
        let velocity = w.cross(point) + self.linear * direction;
        let once = w.cross(velocity);
        [point, velocity, once, w.cross(once)]
    }

    /// A direction that is carried along, or with `direction` -1 the other way, at a time.
    #[inline]
    pub(crate) fn turn(&self, vector: DVec3, at: &HelixAt, direction: f64) -> DVec3 {
        let w = self.angular * direction;
        let once = w.cross(vector);
        vector + at.s1 * once + at.c2 * w.cross(once)
    }

    /// The displacement from time 0 to time `t`.
    ///
    /// *Accepts* any finite `t` and any angle. *Guarantees* the exponential map. *Cost* one sine
    /// and cosine.
    pub fn pose_at(&self, t: f64) -> Pose {
        let turn = self.angular * t;
        // The series needs a moderate angle: halve until it is, then square back.
        let halvings = (turn.length() / 3.0).logarithm_2().ceil().max(0.0) as i32;
        let scale = t / f64::powi(2.0, halvings);
        let at = Helix::new(self.angular.length() * scale.abs()).at(1.0);
        let step = self.linear * scale;
        let w = self.angular * scale;
        let once = w.cross(step);
        let mut position = step + at.c2 * once + at.c3 * w.cross(once);
        let mut rotation = rotation_by(w);
        for _ in 0..halvings {
            position += rotation * position;
            rotation = rotation * rotation;
        }
        Pose::from_valid(position, rotation)
    }

    /// The same motion in the coordinates of a frame with the same axes and its origin at `origin`:
    /// a point is at `x - origin` there.
    ///
    /// This does not turn about another place: see [`Screw::about_axis`].
    #[must_use]
    pub fn seen_from(&self, origin: DVec3) -> Self {
        Self { angular: self.angular, linear: self.flow(origin) }
    }

    /// The old name of [`Screw::seen_from`].
    #[deprecated(note = "it is `seen_from`; for a turn about an axis through a point see \
                         `about_axis`")]
    pub fn about(&self, origin: DVec3) -> Self {
        self.seen_from(origin)
    }

    /// The same path, backwards.
    pub fn reversed(&self) -> Self {
        Self { angular: -self.angular, linear: -self.linear }
    }

    /// The first `fraction` of the motion as a step of its own.
    pub fn scaled(&self, fraction: f64) -> Self {
        Self { angular: self.angular * fraction, linear: self.linear * fraction }
    }
}

/// Greatest distance between a circular arc of angle `theta` and its chord, over the length of the
/// arc: `(1 - cos(theta/2)) / theta` [Buss04 eq. 5]. A fraction, not percent: 0.128 at 60 degrees,
/// where the paper prints 0.173.
pub fn arc_ratio(theta: f64) -> f64 {
    let quarter = 0.25 * theta;
    if theta == 0.0 { 0.0 } else { 0.5 * quarter.sine() * (quarter.sine() / quarter) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_table_of_the_paper_with_its_slip_corrected() {
        let table = [(60.0, 0.128), (45.0, 0.097), (30.0, 0.065), (20.0, 0.044), (10.0, 0.022)];
        for (degrees, ratio) in table {
            assert!((arc_ratio(f64::to_radians(degrees)) - ratio).abs() < 5e-4, "{degrees}");
        }
    }

    #[test]
    fn points_of_the_axis_only_slide() {
        let [point, direction] = [DVec3::new(1.0, -2.0, 0.5), DVec3::new(2.0, 1.0, -2.0)];
        let screw = Screw::about_axis(point, direction, -0.7, 0.4).unwrap();
        let slid = point + direction * 3.3 + direction / 3.0 * 0.4;
        let end = screw.pose_at(1.0);
        assert!((end.point(point + direction * 3.3) - slid).length() < 1e-14);
        assert!((end.rotation().to_scaled_axis() + direction * (0.7 / 3.0)).length() < 1e-14);
        let none = Screw::about_axis(point, DVec3::ZERO, 1.0, 0.0);
        assert_eq!(none, Err(MotionError::NoAxis));
        // In a frame at a point of the axis, that point is the origin.
        assert!((screw.seen_from(point).linear() - direction / 3.0 * 0.4).length() < 1e-15);
    }

    #[test]
    fn whole_turns_come_back() {
        let spin = Screw::from_twist([0.0, 0.0, 6.0 * std::f64::consts::PI], DVec3::Z).unwrap();
        let end = spin.pose_at(1.0);
        assert!((end.point(DVec3::X) - DVec3::new(1.0, 0.0, 1.0)).length() < 1e-12);
    }
}
