//! What changes in a world from step to step, to go back to it later.

use thiserror::Error;

use super::body::{Body, Kind};
use super::island::Forces;
use super::pressed::Reaches;
use super::window::Manifolds;
use super::{Load, Shape, State, World};
use crate::linkage::Joint;
use crate::spring::sheet::Sheet;

/// A moment of a world: poses, velocities, joints, who sleeps, and what the next step begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    bodies: Vec<SavedBody>,
    joints: Vec<Joint>,
    ignored: Vec<[usize; 2]>,
    forces: Forces,
    reaches: Reaches,
    manifolds: Manifolds,
    sheets: Vec<Sheet>,
    time: f64,
    is_caught: bool,
    is_checked: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct SavedBody {
    kind: Kind,
    state: State,
    load: Load,
    surface: Surface,
    still_for: f64,
    is_asleep: bool,
}

/// The surface of a body, the same only if it is that of the same body or of a copy.
#[derive(Clone, Debug)]
struct Surface(Shape);

impl PartialEq for Surface {
    fn eq(&self, other: &Self) -> bool {
        self.0.is_same(&other.0)
    }
}

impl SavedBody {
    fn apply(&self, body: &mut Body) {
        body.kind = self.kind.clone();
        body.state = self.state;
        body.load = self.load;
        body.still_for = self.still_for;
        body.is_asleep = self.is_asleep;
    }
}

/// A moment of another world.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the saved moment has {saved} bodies and {saved_sheets} sheets, the world {bodies} and {sheets}: it \
     is of another world"
)]
pub struct OtherWorld {
    /// Bodies of the moment.
    pub saved: usize,
    /// Bodies of the world.
    pub bodies: usize,
    /// Sheets of the moment.
    pub saved_sheets: usize,
    /// Sheets of the world.
    pub sheets: usize,
}

impl World {
    /// This moment.
    ///
    /// *Guarantees* that a world that is restored to it goes on with the same bits. *Cost* linear in
    /// the bodies and their contacts; shapes are not copied. *Fails* never.
    pub fn save(&self) -> Saved {
        let body = |body: &Body| SavedBody {
            kind: body.kind.clone(),
            state: body.state,
            load: body.load,
            surface: Surface(body.shape.clone()),
            still_for: body.still_for,
            is_asleep: body.is_asleep,
        };
        Saved {
            bodies: self.bodies.iter().map(body).collect(),
            joints: self.joints.clone(),
            ignored: self.ignored.clone(),
            forces: self.forces.clone(),
            reaches: self.reaches.clone(),
            manifolds: self.manifolds.clone(),
            sheets: self.sheets.clone(),
            time: self.time,
            is_caught: self.is_caught,
            is_checked: self.is_checked,
        }
    }

    /// Goes back to a moment.
    ///
    /// *Accepts* moments of this world, or of one with the same bodies. Joints, and pairs that do not collide, are those
    /// of the moment again. *Guarantees* that a step finds out
    /// whether bodies overlap if their surfaces are not those of the moment themselves. *Cost* linear.
    /// *Fails* if the number of bodies or sheets is another; nothing has changed then.
    pub fn restore(&mut self, moment: &Saved) -> Result<(), OtherWorld> {
        let [saved, bodies] = [moment.bodies.len(), self.bodies.len()];
        let [saved_sheets, sheets] = [moment.sheets.len(), self.sheets.len()];
        if saved != bodies || saved_sheets != sheets {
            return Err(OtherWorld { saved, bodies, saved_sheets, sheets });
        }
        let is_same = |(body, saved): (&Body, &SavedBody)| body.shape.is_same(&saved.surface.0);
        let are_same = self.bodies.iter().zip(&moment.bodies).all(is_same);
        let is_alike = |(body, saved): (&Body, &SavedBody)| body.shape.is_alike(&saved.surface.0);
        let are_alike = self.bodies.iter().zip(&moment.bodies).all(is_alike);
        self.go_back(moment);
        self.is_checked &= are_same;
        if !are_alike {
            // Where bodies are near each other is known of the other surfaces.
            self.manifolds.clear();
        }
        Ok(())
    }

    /// Goes back to a moment of this world.
    pub(super) fn go_back(&mut self, moment: &Saved) {
        self.bodies.iter_mut().zip(&moment.bodies).for_each(|(body, saved)| saved.apply(body));
        self.joints.clone_from(&moment.joints);
        self.ignored.clone_from(&moment.ignored);
        self.forces.clone_from(&moment.forces);
        self.reaches.clone_from(&moment.reaches);
        self.manifolds.clone_from(&moment.manifolds);
        self.time = moment.time;
        self.is_caught = moment.is_caught;
        self.is_checked = moment.is_checked;
        self.sheets.clone_from(&moment.sheets);
    }

    /// Lets some bodies go back to a moment, and what is known of their contacts.
    pub(super) fn go_back_for(&mut self, moment: &Saved, is_one: &[bool]) {
        let bodies = self.bodies.iter_mut().zip(&moment.bodies).zip(is_one);
        bodies.filter(|(_, is_one)| **is_one).for_each(|((body, saved), _)| saved.apply(body));
        let of_one = |pair: &[usize; 2]| pair.iter().any(|&i| is_one[i]);
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
