//! Placements of links, and how they move.

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};

use crate::error::SceneError;
use crate::robot::{JointKind, Robot};

/// A placement: `x` is at `turn * x + shift`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) turn: DQuat,
    pub(crate) shift: DVec3,
}

impl Frame {
    pub(crate) const IDENTITY: Self = Self { turn: DQuat::IDENTITY, shift: DVec3::ZERO };

    pub(crate) fn point(&self, x: DVec3) -> DVec3 {
        self.turn * x + self.shift
    }

    pub(crate) fn vector(&self, v: DVec3) -> DVec3 {
        self.turn * v
    }

    /// A vector of the world in this frame.
    pub(crate) fn vector_inside(&self, v: DVec3) -> DVec3 {
        self.turn.conjugate() * v
    }

    /// A point of the world in this frame.
    pub(crate) fn point_inside(&self, x: DVec3) -> DVec3 {
        self.vector_inside(x - self.shift)
    }

    /// First `inner`, then this.
    pub(crate) fn after(&self, inner: &Self) -> Self {
        Self { turn: self.turn * inner.turn, shift: self.point(inner.shift) }
    }

    /// The same as queries take it.
    pub(crate) fn pose(&self) -> Pose {
        // Configurations were checked to keep links within the range of numbers.
        Pose::new(self.shift, self.turn).unwrap_or_default()
    }
}

impl From<Pose> for Frame {
    fn from(pose: Pose) -> Self {
        Self { turn: pose.rotation(), shift: pose.position() }
    }
}

/// The velocities of all points of a body: `turn x p + shift` at `p`, in the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Twist {
    pub(crate) turn: DVec3,
    pub(crate) shift: DVec3,
}

impl Twist {
    pub(crate) fn at(&self, p: DVec3) -> DVec3 {
        self.turn.cross(p) + self.shift
    }

    /// This motion seen from a body that moves by the other.
    pub(crate) fn less(&self, other: &Self) -> Self {
        Self { turn: self.turn - other.turn, shift: self.shift - other.shift }
    }
}

/// The axis of a joint in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) through: DVec3,
    /// Unit.
    pub(crate) along: DVec3,
}

impl Axis {
    /// How a joint at this axis moves the points beyond it, at rate 1.
    pub(crate) fn twist(&self, kind: JointKind) -> Twist {
        match kind {
            JointKind::Fixed => Twist::default(),
            JointKind::Turns => Twist { turn: self.along, shift: self.through.cross(self.along) },
            JointKind::Slides => Twist { turn: DVec3::ZERO, shift: self.along },
        }
    }
}

/// Where the links of a robot are in one configuration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stance {
    /// Of the links, in the world.
    pub(crate) frames: Vec<Frame>,
    /// Of the joints, in the world.
    pub(crate) axes: Vec<Axis>,
}

impl Stance {
    /// Where the links are; memory is used again.
    pub(crate) fn place(&mut self, robot: &Robot, configuration: &[f64]) {
        let Self { frames, axes } = self;
        frames.clear();
        axes.clear();
        frames.push(Frame::IDENTITY);
        for joint in &robot.joints {
            let at = frames[joint.parent].after(&joint.origin);
            let along = at.vector(joint.axis);
            axes.push(Axis { through: at.shift, along });
            let value = joint
                .drive
                .map_or(0.0, |drive| drive.factor * configuration[drive.variable] + drive.offset);
            frames.push(match joint.kind {
                JointKind::Fixed => at,
                JointKind::Turns => {
                    Frame { turn: at.turn * DQuat::from_axis_angle(joint.axis, value), ..at }
                }
                JointKind::Slides => Frame { shift: at.shift + value * along, ..at },
            });
        }
    }

    /// How the links move if each joint moves at its rate.
    pub(crate) fn twists(&self, robot: &Robot, rates: &[f64], twists: &mut Vec<Twist>) {
        twists.clear();
        twists.push(Twist::default());
        for ((joint, axis), &rate) in robot.joints.iter().zip(&self.axes).zip(rates) {
            let own = axis.twist(joint.kind);
            let Twist { turn, shift } = twists[joint.parent];
            twists.push(Twist { turn: turn + rate * own.turn, shift: shift + rate * own.shift });
        }
    }
}

/// The largest value of a joint, in radians or metres.
const LARGEST: f64 = 1e6;

/// Checks a configuration once, where it enters.
pub(crate) fn check(robot: &Robot, configuration: &[f64]) -> Result<(), SceneError> {
    let variables = robot.variables();
    if configuration.len() != variables.len() {
        let [found, wanted] = [configuration.len(), variables.len()];
        return Err(SceneError::Length { found, wanted, names: robot.names() });
    }
    for (variable, &value) in variables.iter().zip(configuration) {
        let is_usable = value.abs() <= LARGEST;
        if !is_usable {
            return Err(SceneError::Value { joint: variable.name.clone(), value });
        }
    }
    Ok(())
}
