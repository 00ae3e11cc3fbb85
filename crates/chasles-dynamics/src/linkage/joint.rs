//! Joints between two bodies, their limits and their motors [MW88 §3.2.2-3.2.4].
//!
//! Both bodies of a joint carry an [`Anchor`]: a point and axes `x`, `y`, `z`, of which `z` is the
//! axis of the joint. A joint says how far the second anchor's point may leave the first anchor,
//! and how far its axes may turn against it:
//!
//! ```text
//! point stays      rows        axes stay                      rows
//! anywhere          0          anyhow                          0    ball, line, plane
//! in the plane xy   1          x of the second across y        1    cardan, no spin
//! on the line z     2          z along z                       2    hinge, piston
//! at the point      3          all                             3    weld, rail, plate
//! ```

use std::f64::consts::{PI, TAU};

use chasles::Pose;
use chasles::motion::MotionError;
use glam::{DQuat, DVec3};
use thiserror::Error;

/// What is wrong with a joint.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum JointError {
    /// The place of an anchor is not a place.
    #[error("the anchor of a joint cannot be used: {0}")]
    Anchor(#[from] MotionError),
    /// The axis has no direction.
    #[error("the axis {0} of a joint has no direction: it must be finite and not zero")]
    Axis(DVec3),
    /// Both ends are on one body.
    #[error("a joint of body {0} with itself joins nothing")]
    Itself(usize),
    /// The limits are no interval.
    #[error("limits from {min} to {max} are empty: both must be numbers, the lower one first")]
    Limits {
        /// The lower limit.
        min: f64,
        /// The upper limit.
        max: f64,
    },
    /// The swing is no angle.
    #[error("a swing of {0} radians is impossible: it must be above 0 and at most pi")]
    Swing(f64),
    /// The speed of a motor is not a number.
    #[error("a motor cannot run at {0}: its speed must be finite")]
    Speed(f64),
    /// A spring is none.
    #[error("no spring is {0:?}: all must be finite, stiffness above 0, and damping 0 or more")]
    Spring(Spring),
    /// A distance below 0.
    #[error("a distance of {0} is impossible: it must be finite, and 0 or more")]
    Distance(f64),
    /// The force or torque of a motor is negative or not a number.
    #[error("a motor cannot have a force of {0}: it must be 0 or more")]
    Force(f64),
    /// The joint does not have what is to be limited or driven.
    #[error("this joint has no {0}")]
    Missing(&'static str),
}

/// Where a joint holds a body, in the body's frame: a point, and axes of which `z` is the joint's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Anchor(Pose);

impl Anchor {
    /// A point, with the axes of the body.
    ///
    /// *Accepts* finite coordinates. *Cost* constant. *Fails* for any other.
    pub fn at(point: impl Into<DVec3>) -> Result<Self, JointError> {
        Ok(Self(Pose::from_position(point)?))
    }

    /// A point, and an axis of any length; `x` and `y` follow from the axis by the shortest turn.
    ///
    /// *Accepts* finite coordinates and an axis that is not zero. *Cost* constant. *Fails* for
    /// anything else.
    pub fn along(point: impl Into<DVec3>, axis: impl Into<DVec3>) -> Result<Self, JointError> {
        let axis: DVec3 = axis.into();
        // Scaled first, so that the square of a tiny or huge axis stays a number.
        let unit = (axis / axis.abs().max_element()).try_normalize().ok_or(JointError::Axis(axis));
        Ok(Self(Pose::new(point, DQuat::from_rotation_arc(DVec3::Z, unit?))?))
    }

    /// A frame: its origin is the point, its axes are the anchor's.
    pub fn new(frame: Pose) -> Self {
        Self(frame)
    }

    /// The anchors of two bodies which are at this anchor of the world now.
    ///
    /// *Accepts* any poses. *Guarantees* that angle and travel of the joint are 0 in these poses,
    /// to rounding. *Cost* constant. *Fails* never.
    pub fn in_bodies(&self, poses: [&Pose; 2]) -> [Self; 2] {
        poses.map(|pose| Self(pose.inverse_after(&self.0)))
    }

    /// The point and axes in the body's frame.
    pub fn frame(&self) -> &Pose {
        &self.0
    }
}

/// Where the second point may be, seen from the first anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Reach {
    Anywhere,
    Plane,
    Line,
    Point,
}

/// How the second axes may be turned, seen from the first anchor.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Turn {
    Anyhow,
    Spinless,
    Axis,
    Fixed,
}

/// What drives a joint, and the force (or torque) that may be spent on it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Motor {
    pub(super) aim: Aim,
    #[cfg_attr(feature = "serde", serde(with = "crate::unbounded"))]
    pub(super) force: f64,
}

/// What a motor aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Aim {
    Speed(f64),
    Place(Spring),
}

/// A spring that draws a joint to a place: a position motor, or proportional-derivative control.
///
/// The force is `stiffness (place - value) - damping rate`, at the end of the time in which it acts
/// (implicit Euler), so it is stable however stiff it is, and swings fade faster than the damping
/// says the longer the parts of a step are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Spring {
    /// The angle, travel or distance at which it is at rest, in radians or metres.
    pub place: f64,
    /// The force for each metre, or torque for each radian: above 0, and finite. A stiff one is a
    /// position motor.
    pub stiffness: f64,
    /// The force for each metre per second, or torque for each radian per second: 0 or more.
    pub damping: f64,
}

/// What holds two bodies together. Made by one constructor for each kind; all of them fail only if
/// both bodies are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Joint {
    pub(super) bodies: [usize; 2],
    pub(super) anchors: [Anchor; 2],
    pub(super) reach: Reach,
    pub(super) turn: Turn,
    #[cfg_attr(feature = "serde", serde(with = "crate::unbounded::limits"))]
    pub(super) angle: Option<[f64; 2]>,
    #[cfg_attr(feature = "serde", serde(with = "crate::unbounded::limits"))]
    pub(super) travel: Option<[f64; 2]>,
    pub(super) swing: Option<f64>,
    pub(super) turning: Option<Motor>,
    pub(super) sliding: Option<Motor>,
    /// Between these is the distance of both points.
    pub(super) span: Option<[f64; 2]>,
    /// What draws both points to a distance.
    pub(super) drawing: Option<Motor>,
}

impl Joint {
    /// The same joint between bodies with other numbers.
    pub(crate) fn between(&self, bodies: [usize; 2]) -> Self {
        Self { bodies, ..*self }
    }

    /// The points stay together: three rows [MW88 §3.2.2].
    pub fn ball(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Point, Turn::Anyhow)
    }

    /// The points stay together and so do the axes: five rows. Two balls on the axis do the same,
    /// with one row too many.
    pub fn hinge(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Point, Turn::Axis)
    }

    /// The points stay together, and `x` of the second across `y` of the first: four rows.
    pub fn cardan(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Point, Turn::Spinless)
    }

    /// Nothing moves: six rows.
    pub fn weld(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Point, Turn::Fixed)
    }

    /// The second point stays on the axis of the first anchor: two rows [MW88 §3.2.4].
    pub fn line(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Line, Turn::Anyhow)
    }

    /// The second axis stays on the first: four rows. Two lines along one axis do the same
    /// [MW88 §3.2.4].
    pub fn piston(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Line, Turn::Axis)
    }

    /// The second body slides along the axis and does not turn: five rows.
    pub fn rail(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Line, Turn::Fixed)
    }

    /// The second point stays in the plane across the axis of the first anchor: one row
    /// [MW88 §3.2.4].
    pub fn plane(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Plane, Turn::Anyhow)
    }

    /// The second body slides in the plane and does not turn: four rows.
    ///
    /// Differs from [MW88 §3.2.4]: three planar sliders leave the spin about the plane's normal
    /// free; [`Joint::no_spin`] is the row that they lack.
    pub fn plate(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Plane, Turn::Fixed)
    }

    /// No spin about the axis while the axes are along each other: one row, which keeps `x` of the
    /// second anchor across `y` of the first.
    pub fn no_spin(bodies: [usize; 2], anchors: [Anchor; 2]) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Anywhere, Turn::Spinless)
    }

    /// The points stay at a distance: a rod with balls at both ends, without mass.
    ///
    /// *Accepts* a distance of 0 or more. *Fails* for others.
    pub fn distance(
        bodies: [usize; 2],
        anchors: [Anchor; 2],
        distance: f64,
    ) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Anywhere, Turn::Anyhow)?.spanning(distance, distance)
    }

    /// The points are at most a distance apart: a rope without mass.
    ///
    /// *Accepts* a distance of 0 or more. *Fails* for others.
    pub fn rope(bodies: [usize; 2], anchors: [Anchor; 2], length: f64) -> Result<Self, JointError> {
        Self::new(bodies, anchors, Reach::Anywhere, Turn::Anyhow)?.spanning(0.0, length)
    }

    /// A spring between the points, which is at rest where they are its place apart.
    ///
    /// *Accepts* a spring that is at rest at a distance of 0 or more. *Fails* for others.
    pub fn spring(
        bodies: [usize; 2],
        anchors: [Anchor; 2],
        spring: Spring,
    ) -> Result<Self, JointError> {
        if spring.place < 0.0 {
            return Err(JointError::Distance(spring.place));
        }
        let drawing = Some(servo(spring, f64::INFINITY)?);
        Ok(Self { drawing, ..Self::new(bodies, anchors, Reach::Anywhere, Turn::Anyhow)? })
    }

    fn spanning(self, min: f64, max: f64) -> Result<Self, JointError> {
        match max >= 0.0 && max.is_finite() {
            true => Ok(Self { span: Some([min, max]), ..self }),
            false => Err(JointError::Distance(max)),
        }
    }

    fn new(
        bodies: [usize; 2],
        anchors: [Anchor; 2],
        reach: Reach,
        turn: Turn,
    ) -> Result<Self, JointError> {
        if bodies[0] == bodies[1] {
            return Err(JointError::Itself(bodies[0]));
        }
        Ok(Self {
            bodies,
            anchors,
            reach,
            turn,
            angle: None,
            travel: None,
            swing: None,
            turning: None,
            sliding: None,
            span: None,
            drawing: None,
        })
    }

    /// The same with the angle of a hinge or piston between these, in radians.
    ///
    /// *Accepts* any interval; one of a full turn or more limits nothing. *Cost* constant. *Fails*
    /// if the joint has no axis to turn about, or the lower limit is above the upper one.
    pub fn limit_angle(self, min: f64, max: f64) -> Result<Self, JointError> {
        self.needs(self.turn == Turn::Axis, "axis to turn about")?;
        let angle = interval(min, max)?;
        Ok(Self { angle: (max - min < TAU).then_some(angle), ..self })
    }

    /// The same with the travel of a line, piston or rail between these.
    ///
    /// *Accepts* any interval, infinite ones too. *Cost* constant. *Fails* if the joint has no
    /// line to slide along, or the lower limit is above the upper one.
    pub fn limit_travel(self, min: f64, max: f64) -> Result<Self, JointError> {
        self.needs(self.reach == Reach::Line, "line to slide along")?;
        Ok(Self { travel: Some(interval(min, max)?), ..self })
    }

    /// The same with the axes of both anchors at most this angle apart: a cone.
    ///
    /// *Accepts* angles above 0, up to pi. *Cost* constant. *Fails* for others, and if the joint
    /// keeps the axes together anyhow.
    pub fn limit_swing(self, max: f64) -> Result<Self, JointError> {
        self.needs(matches!(self.turn, Turn::Anyhow | Turn::Spinless), "swing of its axis")?;
        if !(max > 0.0 && max <= PI) {
            return Err(JointError::Swing(max));
        }
        Ok(Self { swing: Some(max), ..self })
    }

    /// The same with a motor that turns the second body of a hinge or piston at this speed against
    /// the first, with at most this torque.
    ///
    /// *Accepts* any finite speed and a torque of 0 or more, infinity included. *Cost* constant.
    /// *Fails* for others, and if the joint has no axis to turn about.
    pub fn drive_angle(self, speed: f64, torque: f64) -> Result<Self, JointError> {
        self.needs(self.turn == Turn::Axis, "axis to turn about")?;
        Ok(Self { turning: Some(motor(speed, torque)?), ..self })
    }

    /// The same with a motor that slides the second body of a line, piston or rail at this speed
    /// against the first, with at most this force.
    ///
    /// *Accepts* any finite speed and a force of 0 or more, infinity included. *Cost* constant.
    /// *Fails* for others, and if the joint has no line to slide along.
    pub fn drive_travel(self, speed: f64, force: f64) -> Result<Self, JointError> {
        self.needs(self.reach == Reach::Line, "line to slide along")?;
        Ok(Self { sliding: Some(motor(speed, force)?), ..self })
    }

    /// The same with a motor that turns the second body of a hinge or piston to an angle, with at
    /// most this torque.
    ///
    /// *Accepts* any spring, at rest at an angle that it draws to the shorter way, and a torque of
    /// 0 or more, infinity included. *Cost* constant. *Fails* for others, and if the joint has no
    /// axis to turn about.
    pub fn draw_angle(self, spring: Spring, torque: f64) -> Result<Self, JointError> {
        self.needs(self.turn == Turn::Axis, "axis to turn about")?;
        Ok(Self { turning: Some(servo(spring, torque)?), ..self })
    }

    /// The same with a motor that slides the second body of a line, piston or rail to a place, with
    /// at most this force.
    ///
    /// *Accepts* and *Cost* as [`Joint::draw_angle`]. *Fails* for others, and if the joint has no
    /// line to slide along.
    pub fn draw_travel(self, spring: Spring, force: f64) -> Result<Self, JointError> {
        self.needs(self.reach == Reach::Line, "line to slide along")?;
        Ok(Self { sliding: Some(servo(spring, force)?), ..self })
    }

    /// The same without limits.
    #[must_use]
    pub fn unlimited(self) -> Self {
        Self { angle: None, travel: None, swing: None, ..self }
    }

    /// The same without motors.
    #[must_use]
    pub fn undriven(self) -> Self {
        Self { turning: None, sliding: None, ..self }
    }

    /// Whether it holds a point and no direction, as [`Joint::ball`] does, with or without limits.
    pub fn is_ball(&self) -> bool {
        self.reach == Reach::Point && self.turn == Turn::Anyhow
    }

    /// Whether it has a motor.
    pub(crate) fn is_driven(&self) -> bool {
        [self.turning, self.sliding, self.drawing].iter().any(Option::is_some)
    }

    /// The numbers of the bodies.
    pub fn bodies(&self) -> [usize; 2] {
        self.bodies
    }

    /// Whether the axis of the anchors says how the bodies may move: in all kinds but balls, welds
    /// and those of a distance.
    pub fn has_axis(&self) -> bool {
        let is_held = self.reach == Reach::Point && matches!(self.turn, Turn::Anyhow | Turn::Fixed);
        !is_held && self.span.is_none() && self.drawing.is_none()
    }

    /// The anchors in the bodies' frames.
    pub fn anchors(&self) -> [Anchor; 2] {
        self.anchors
    }

    fn needs(&self, has: bool, what: &'static str) -> Result<(), JointError> {
        if has { Ok(()) } else { Err(JointError::Missing(what)) }
    }
}

fn interval(min: f64, max: f64) -> Result<[f64; 2], JointError> {
    if min <= max && min < f64::INFINITY && max > f64::NEG_INFINITY {
        Ok([min, max])
    } else {
        Err(JointError::Limits { min, max })
    }
}

fn motor(speed: f64, force: f64) -> Result<Motor, JointError> {
    if !speed.is_finite() {
        return Err(JointError::Speed(speed));
    }
    aimed(Aim::Speed(speed), force)
}

fn servo(spring: Spring, force: f64) -> Result<Motor, JointError> {
    let Spring { place, stiffness, damping } = spring;
    let is_finite = [place, stiffness, damping].iter().all(|number| number.is_finite());
    if !(is_finite && stiffness > 0.0 && damping >= 0.0) {
        return Err(JointError::Spring(spring));
    }
    aimed(Aim::Place(spring), force)
}

fn aimed(aim: Aim, force: f64) -> Result<Motor, JointError> {
    if force >= 0.0 { Ok(Motor { aim, force }) } else { Err(JointError::Force(force)) }
}
