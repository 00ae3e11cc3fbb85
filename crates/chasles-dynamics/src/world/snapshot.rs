//! What changes in a world from step to step, to go back to it later.

use std::collections::BTreeSet;

use thiserror::Error;

use super::body::Body;
use super::handle::Slots;
use super::island::Forces;
use super::joint_forces::Strengths;
use super::sensor::Watched;
use super::spring_contact::Reaches;
use super::window::Manifolds;
use super::{Due, JointId, State, World};
use crate::body::Velocity;
use crate::linkage::Joint;
use crate::spring::sheet::Sheet;

/// A moment of a world: bodies, joints, who sleeps, and what the next step begins with.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::serialization::Moment", into = "super::serialization::Moment")
)]
pub struct Saved {
    pub(super) bodies: Vec<Body>,
    pub(super) slots: Slots,
    pub(super) joints: Vec<Joint>,
    pub(super) joint_ids: Vec<JointId>,
    pub(super) next_joint: u64,
    pub(super) strengths: Strengths,
    pub(super) ignored: BTreeSet<[usize; 2]>,
    pub(super) ignored_inside: BTreeSet<[usize; 2]>,
    pub(super) forces: Forces,
    pub(super) reaches: Reaches,
    pub(super) manifolds: Manifolds,
    pub(super) touching: BTreeSet<[usize; 2]>,
    pub(super) watched: Watched,
    pub(super) due: Due,
    pub(super) sheets: Vec<Sheet>,
    pub(super) props: Vec<Velocity>,
    pub(super) time: f64,
    pub(super) is_caught: bool,
    pub(super) is_checked: bool,
}

/// A moment of another world.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the saved moment has {saved_sheets} sheets, the world {sheets}: it is of another world")]
pub struct OtherWorld {
    /// Sheets of the moment.
    pub saved_sheets: usize,
    /// Sheets of the world.
    pub sheets: usize,
}

impl World {
    /// This moment.
    ///
    /// *Guarantees* that a world that is restored to it goes on with the same bits. *Cost* linear
    /// in the bodies and their contacts; shapes are not copied. *Fails* never.
    pub fn save(&self) -> Saved {
        Saved {
            bodies: self.bodies.clone(),
            slots: self.slots.clone(),
            joints: self.joints.clone(),
            joint_ids: self.joint_ids.clone(),
            next_joint: self.next_joint,
            strengths: self.strengths.clone(),
            ignored: self.ignored.clone(),
            ignored_inside: self.ignored_inside.clone(),
            forces: self.forces.clone(),
            reaches: self.reaches.clone(),
            manifolds: self.manifolds.clone(),
            touching: self.touching.clone(),
            watched: self.watched.clone(),
            due: self.due.clone(),
            sheets: self.sheets.clone(),
            props: self.props.clone(),
            time: self.time,
            is_caught: self.is_caught,
            is_checked: self.is_checked,
        }
    }

    /// Goes back to a moment.
    ///
    /// *Accepts* moments of this world, also if bodies and joints were added or removed since, and
    /// moments of others. *Guarantees* the bodies of the moment with their handles, joints and
    /// pairs that do not collide; handles that were given since are of nobody. Options and the
    /// [rule](World::collide_if) stay those of this world. *Cost* linear. *Fails* if the number of
    /// sheets is another; nothing has changed then.
    pub fn restore(&mut self, moment: &Saved) -> Result<(), OtherWorld> {
        let [saved_sheets, sheets] = [moment.sheets.len(), self.sheets.len()];
        if saved_sheets != sheets {
            return Err(OtherWorld { saved_sheets, sheets });
        }
        let is_kept = |(body, saved): &(&Body, &Body)| body.shape() == saved.shape();
        let kept = self.bodies.iter().zip(&moment.bodies).take_while(is_kept).count();
        self.surfaces.truncate(kept);
        self.go_back(moment);
        self.keep_all();
        Ok(())
    }

    /// Goes back to a moment of this world.
    pub(super) fn go_back(&mut self, moment: &Saved) {
        self.bodies.clone_from(&moment.bodies);
        self.slots.go_back(&moment.slots);
        self.joints.clone_from(&moment.joints);
        self.joint_ids.clone_from(&moment.joint_ids);
        self.strengths.clone_from(&moment.strengths);
        let after = moment.joint_ids.last().map_or(0, |last| last.0 + 1);
        self.next_joint = self.next_joint.max(moment.next_joint).max(after);
        self.ignored.clone_from(&moment.ignored);
        self.ignored_inside.clone_from(&moment.ignored_inside);
        self.forces.clone_from(&moment.forces);
        self.reaches.clone_from(&moment.reaches);
        self.manifolds.clone_from(&moment.manifolds);
        self.touching.clone_from(&moment.touching);
        self.watched.clone_from(&moment.watched);
        self.due.clone_from(&moment.due);
        self.time = moment.time;
        self.is_caught = moment.is_caught;
        self.is_checked = moment.is_checked;
        self.sheets.clone_from(&moment.sheets);
        self.props.clone_from(&moment.props);
    }

    /// Lets some bodies go back to a moment, and what is known of their contacts.
    pub(super) fn go_back_for(&mut self, moment: &Saved, is_one: &[bool]) {
        let bodies = self.bodies.iter_mut().zip(&moment.bodies).zip(is_one);
        let bodies = bodies.filter(|(_, is_one)| **is_one);
        bodies.for_each(|((body, saved), _)| body.clone_from(saved));
        let of_one = |pair: &[usize; 2]| pair.iter().any(|&i| is_one[i]);
        self.touching.retain(|pair| !of_one(pair));
        self.watched.retain(|pair, _| !of_one(pair));
        self.touching.extend(moment.touching.iter().filter(|pair| of_one(pair)));
        let watched = moment.watched.iter().filter(|(pair, _)| of_one(pair));
        self.watched.extend(watched.map(|(pair, known)| (*pair, *known)));
        self.forces.retain(|pair, _| !of_one(pair));
        self.reaches.retain(|pair, _| !of_one(pair));
        self.manifolds.retain(|pair, _| !of_one(pair));
        let forces = moment.forces.iter().filter(|(pair, _)| of_one(pair));
        self.forces.extend(forces.map(|(pair, force)| (*pair, force.clone())));
        let reaches = moment.reaches.iter().filter(|(pair, _)| of_one(pair));
        self.reaches.extend(reaches.map(|(pair, reach)| (*pair, *reach)));
        let manifolds = moment.manifolds.iter().filter(|(pair, _)| of_one(pair));
        self.manifolds.extend(manifolds.map(|(pair, known)| (*pair, known.clone())));
    }

    /// A number that differs if any bit of time, poses or velocities does, but for one chance in
    /// 2^64.
    ///
    /// *Cost* linear in the bodies. *Fails* never.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = mixed(0, self.time);
        for body in &self.bodies {
            let State { pose, velocity, on_route } = body.state;
            let vectors = [pose.position(), velocity.linear, velocity.angular];
            let numbers = vectors.into_iter().flat_map(|v| v.to_array());
            let others = pose.rotation().to_array().into_iter().chain([on_route]);
            hash = numbers.chain(others).fold(hash, mixed);
        }
        for sheet in &self.sheets {
            let vectors = sheet.positions().iter().chain(sheet.velocities());
            hash = vectors.flat_map(|v| v.to_array()).fold(hash, mixed);
        }
        hash
    }
}

/// A hash with the bits of one more number (the finisher of splitmix64).
fn mixed(hash: u64, number: f64) -> u64 {
    let mut z = (hash ^ number.to_bits()).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
