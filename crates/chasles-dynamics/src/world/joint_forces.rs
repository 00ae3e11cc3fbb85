//! What joints bear, and joints that break.
//!
//! The momentum of a linked body changes by gravity, loads, contacts and joints. All but the last
//! are known after a step, so what joints did is what is left; how they shared it follows from the
//! linkage, with every joint taken as a weld, so that motors, limits and springs are part of it.

use std::collections::BTreeMap;

use chasles::Pose;
use glam::DVec3;

use super::body::{Body, top};
use super::event::Pressing;
use super::trial::Pull;
use super::{ChangeError, JointId, State, World};
use crate::body::{Inertia, Velocity};
use crate::linkage::{Joint, Linkage};

/// What a joint bore on the mean of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointForce {
    /// The joint.
    pub joint: JointId,
    /// On its second body, in newtons; the first gets the opposite.
    pub force: DVec3,
    /// On its second body about the point of its anchor, in newton metres.
    pub torque: DVec3,
}

/// What a joint bears before it breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Strength {
    /// In newtons.
    #[cfg_attr(feature = "serde", serde(with = "crate::unbounded"))]
    pub force: f64,
    /// In newton metres.
    #[cfg_attr(feature = "serde", serde(with = "crate::unbounded"))]
    pub torque: f64,
}

/// The strengths of joints that may break.
pub(super) type Strengths = BTreeMap<JointId, Strength>;

impl World {
    /// Lets a joint break when it bears more than this on the mean of a step, or never again.
    ///
    /// The joint is [removed](World::unlink) at the end of such a step, and the
    /// [report](super::Report::broken) tells. *Accepts* any strength. *Guarantees* and *Fails* for
    /// forces as [`Report::joint_forces`](super::Report::joint_forces); fails if the joint is not
    /// there. *Cost* of each step with such joints: linear in the bodies, and a factorization of
    /// the joints.
    pub fn set_strength(
        &mut self,
        id: JointId,
        strength: Option<Strength>,
    ) -> Result<(), ChangeError> {
        self.joint_place(id).ok_or(ChangeError::NoJoint(id))?;
        match strength {
            Some(strength) => self.strengths.insert(id, strength),
            None => self.strengths.remove(&id),
        };
        Ok(())
    }

    /// Whether someone wants to know what joints bear.
    pub(super) fn strains(&self) -> bool {
        !self.joints.is_empty() && (self.is_listening || !self.strengths.is_empty())
    }

    /// What joints bore in this many seconds from these states, with these contacts: their part of
    /// the mean of the whole step.
    pub(super) fn joint_forces(
        &self,
        before: &[State],
        pressing: &[Pressing],
        dt: f64,
    ) -> Vec<JointForce> {
        let moves = |slot: usize| self.bodies[slot].is_dynamic() && !self.bodies[slot].is_asleep;
        let is_strained = |joint: &Joint| joint.bodies().into_iter().any(moves);
        let held = self.joint_ids().filter(|(_, joint)| is_strained(joint));
        let (ids, joints): (Vec<JointId>, Vec<&Joint>) = held.unzip();
        let welds = joints.iter().map(|joint| Joint::weld(joint.bodies(), joint.anchors()));
        let welds: Vec<Joint> = welds.flatten().collect();
        let inertias: Vec<Inertia> = self.bodies.iter().map(Body::inertia).collect();
        let poses: Vec<Pose> = self.bodies.iter().map(Body::pose).collect();
        let mut linkage = Linkage::default();
        if linkage.fit(&welds, &inertias, &poses).is_err() {
            return Vec::new();
        }
        let shares = linkage.shares(&welds, &self.unexplained(before, pressing, dt));
        let force = |((joint, share), weld): ((JointId, Velocity), &Joint)| {
            let second = weld.bodies()[1];
            let point = poses[second].point(weld.anchors()[1].frame().position());
            let arm = point - inertias[second].centre;
            let [force, torque] = [share.linear, share.angular - arm.cross(share.linear)];
            let whole = self.step_length;
            JointForce { joint, force: force / whole, torque: torque / whole }
        };
        ids.into_iter().zip(shares).zip(&welds).map(force).collect()
    }

    /// The changes of velocity in a step that neither gravity, loads and damping nor contacts made.
    fn unexplained(&self, before: &[State], pressing: &[Pressing], dt: f64) -> Vec<Velocity> {
        let own = |(slot, before): (usize, &State)| self.own_change(&self.bodies[slot], before, dt);
        let mut momenta: Vec<Velocity> = before.iter().enumerate().map(own).collect();
        for Pressing { bodies, point, impulse, .. } in pressing {
            for (&slot, impulse) in bodies.iter().zip([-*impulse, *impulse]) {
                let arm = *point - self.bodies[slot].centre();
                let angular = arm.cross(impulse);
                momenta[slot] = momenta[slot].plus(&Velocity { linear: impulse, angular });
            }
        }
        let answer = |(body, Velocity { linear, angular }): (&Body, Velocity)| {
            let Inertia { inv_mass, inv_inertia, .. } = body.inertia();
            Velocity { linear: inv_mass * linear, angular: inv_inertia * angular }
        };
        self.bodies.iter().zip(momenta).map(answer).collect()
    }

    /// The change of the momentum of a body that gravity, its load and damping do not explain.
    fn own_change(&self, body: &Body, before: &State, dt: f64) -> Velocity {
        let Some(mass_properties) = body.mass_properties() else { return Velocity::ZERO };
        let Pull { acceleration, torque, damping } =
            Pull::new(mass_properties, self.options.gravity, body);
        let kept = damping.fade(&Velocity { linear: DVec3::ONE, angular: DVec3::ONE }, dt);
        let after = body.state.velocity.linear / kept.linear;
        let spun = top(mass_properties, &body.state).momentum / kept.angular;
        Velocity {
            linear: mass_properties.mass() * (after - before.velocity.linear - dt * acceleration),
            angular: spun - top(mass_properties, before).momentum - dt * torque,
        }
    }

    /// Removes joints that bore more than they can.
    pub(super) fn break_joints(&mut self, forces: &[JointForce]) -> Vec<JointId> {
        let is_broken = |bore: &&JointForce| {
            self.strengths.get(&bore.joint).is_some_and(|strength| {
                bore.force.length() > strength.force || bore.torque.length() > strength.torque
            })
        };
        let broken: Vec<JointId> = forces.iter().filter(is_broken).map(|bore| bore.joint).collect();
        for joint in &broken {
            self.unlink(*joint);
        }
        broken
    }
}
