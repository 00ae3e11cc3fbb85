//! Back to where the joints hold: steps of bodies that take back what integration has let drift.
//!
//! A step is Newton's: the displacement `x = -M⁻¹ Jᵀ K⁻¹ c` makes the errors `c` vanish to first
//! order, with the factors that the linkage has anyhow. It moves poses and leaves velocities alone,
//! so it adds no kinetic energy, and it moves what is light rather than what is heavy; without
//! fixed bodies the centre of mass stays.

use chasles::Pose;
use chasles::numeric::rotation_by;
use glam::DVec3;

use super::joint::Joint;
use super::{Linkage, LinkageError, check, limits, link};
use crate::body::Velocity;

/// No body is turned by more in one step: a turn of this size is linear to a thirtieth.
const LARGEST_TURN: f64 = 0.25;

/// How far joints are from where they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gap {
    /// The greatest distance along a direction that a joint holds.
    pub length: f64,
    /// The greatest sine of an angle that a joint holds.
    pub angle: f64,
}

impl Gap {
    /// The greater of both, lengths as a share of a size.
    pub(crate) fn as_share_of(&self, size: f64) -> f64 {
        (self.length / size).max(self.angle)
    }

    /// The greater of each.
    #[must_use]
    pub(crate) fn max(self, other: Self) -> Self {
        Self { length: self.length.max(other.length), angle: self.angle.max(other.angle) }
    }
}

impl Joint {
    /// How far it is from where it should be.
    ///
    /// *Accepts* the poses of both bodies. *Cost* constant. *Fails* never.
    pub fn gap(&self, poses: [&Pose; 2]) -> Gap {
        let lengths = self.reach.directions().len();
        let most = |so_far: f64, error: f64| so_far.max(error.abs());
        let frames = self.frames(poses);
        Gap {
            length: self.errors(&frames).take(lengths).fold(0.0, most),
            angle: self.errors(&frames).skip(lengths).fold(0.0, most),
        }
    }
}

impl Linkage {
    /// How far the joints were apart where they were last fitted or measured.
    ///
    /// *Cost* linear in the joints. *Fails* never.
    pub fn gap(&self) -> Gap {
        let mut gap = Gap::default();
        for (row, error) in self.rows.iter().zip(&self.errors) {
            let most = if row.is_length() { &mut gap.length } else { &mut gap.angle };
            *most = most.max(error.abs());
        }
        gap
    }

    /// Measures joints and limits at other poses, and keeps the factors of the last fit: for
    /// several corrections in a row.
    ///
    /// *Accepts* the joints that the linkage was fitted to, and a pose for each body. *Cost* linear
    /// in the joints. *Fails* for other joints or another number of poses.
    pub fn measure(&mut self, joints: &[Joint], poses: &[Pose]) -> Result<Gap, LinkageError> {
        check(joints, self.bodies.len(), poses.len())?;
        if !self.order.is_of(joints.iter().map(|joint| link(joint, &self.bodies))) {
            return Err(LinkageError::OtherJoints);
        }
        self.errors.clear();
        self.stops.clear();
        for number in self.visited(joints) {
            let joint = &joints[number];
            let frames = joint.frames(joint.bodies.map(|body| &poses[body]));
            self.errors.extend(joint.errors(&frames));
            self.angles[number] = limits::angle(joint, &frames, self.angles[number]);
            self.stops.extend(limits::of(joint, &frames, self.angles[number], &self.bodies));
        }
        Ok(self.gap())
    }

    /// The displacements that bring joints and limits back to where they hold: for each body how
    /// far its centre is to move, and by which vector it is to turn ([`displaced`] does that).
    ///
    /// *Accepts* any state; `longest` is the farthest that a centre may move. *Guarantees* no
    /// displacement of fixed bodies, none longer than `longest` and none of more than a quarter
    /// radian: beyond, all are shortened alike. From moderate errors, each correction after a new
    /// fit squares the error in units of the bodies' size; in a tree with [`Linkage::measure`]
    /// between, it shrinks by a constant factor that is of the size of the first error. *Cost* as
    /// [`Linkage::settle`]. *Fails* never; joints that contradict each other stay apart, and axes
    /// that are more than a quarter turn off may be brought to point the other way. Loops that have
    /// drifted by a hundredth of their size or more need a new fit each time.
    pub fn correction(&self, longest: f64) -> Vec<Velocity> {
        let mut steps = vec![Velocity::ZERO; self.bodies.len()];
        self.hold(&mut steps, |row| -self.errors[row], |_, stop| stop.room());
        shortened(steps, longest)
    }

    /// The same for joints alone: limits stay where they are.
    pub(crate) fn alignment(&self, longest: f64) -> Vec<Velocity> {
        let mut steps = vec![Velocity::ZERO; self.bodies.len()];
        self.project(&mut steps, &|row| -self.errors[row]);
        shortened(steps, longest)
    }
}

/// Displacements of which none is too long, all of them shortened alike.
fn shortened(mut steps: Vec<Velocity>, longest: f64) -> Vec<Velocity> {
    let excess = |step: &Velocity| {
        (step.linear.length() / longest).max(step.angular.length() / LARGEST_TURN)
    };
    let worst = steps.iter().map(excess).fold(1.0, f64::max);
    for step in &mut steps {
        step.linear /= worst;
        step.angular /= worst;
    }
    steps
}

/// The pose of a body after a displacement about its centre of mass.
///
/// *Accepts* any displacement. *Guarantees* the pose as it was if the displacement is zero or not
/// finite.
/// *Cost* constant. *Fails* never.
pub fn displaced(pose: &Pose, centre: DVec3, by: &Velocity) -> Pose {
    if *by == Velocity::ZERO {
        return *pose;
    }
    let turn = rotation_by(by.angular);
    let position = centre + by.linear + turn * (pose.position() - centre);
    Pose::new(position, turn * pose.rotation()).unwrap_or(*pose)
}
