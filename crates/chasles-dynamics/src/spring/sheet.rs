//! A sheet of springs that moves and never crosses bodies or itself.
//!
//! ```text
//! springs, gravity -> velocities                implicit.rs
//! who comes near   -> impulses, friction        chasles::deform, touching.rs
//! straight motion  -> certified, or cut         chasles::deform
//!                     and on from there
//! ```
//!
//! Positions only ever change along straight paths that `chasles::deform` certifies: all features
//! of the sheet and of obstacles, and of the sheet with itself, stay apart by a positive distance,
//! usually half the thickness. A motion that would come nearer is cut before, and the rest of the
//! step is answered anew; what is left after some such legs is not moved and reported. Contact
//! springs ([`Sheet::step_on_springs`]) hold off what comes near before impulses do.
//!
//! *Where it fails*: a sheet that is squeezed between bodies that close beyond its thickness stops
//! them: the report tells the caller that the step ended early. Bodies that turn must be given with
//! the straight paths of their vertices; a vertex at `r` from the axis of a turn by `a` leaves its
//! circle by up to `r (1 - cos(a/2))`, which must be small beside half the thickness. Springs are
//! linearised once in a step: at hard impacts and in very stiff sheets the energy may grow by
//! a hundredth of what falls by a metre, before damping takes it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use chasles::deform::{Surface, SurfaceError, Workspace, self_closings};
use glam::{DMat3, DVec3};
use thiserror::Error;

use super::implicit::Instant;
use super::net::Net;
use super::prediction::Seed;
use super::sheet_contact::{Cushion, Name};
use super::substep::Leg;
use super::vertex_impulses::Kept;

/// Pieces of a step at most. Each begins with the contacts of all before.
const LEGS: usize = 6;

/// The share of the certified way that is used when it is cut, so that what is met next can be
/// moved apart from a distance that is still above the one that is kept.
const SHARE: f64 = 0.9;

/// Goals of a step differ by no more than this share of the shortest spring, where pairs are not
/// sought anew.
const ROOM: f64 = 0.25;

/// What is wrong with a sheet, or with a step.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SheetError {
    /// The step is not a positive number of seconds.
    #[error("a step of {0} seconds is none: it must be a positive number")]
    Step(f64),
    /// The period of contact springs is not a positive number of seconds.
    #[error("contact springs with a period of {0} seconds are none: it must be a positive number")]
    Period(f64),
    /// Parts of the sheet are nearer to each other than its thickness.
    #[error(
        "vertex {0} of the sheet is within its thickness of another part: lower the thickness or \
         the number of cells"
    )]
    TooThick(u32),
    /// A surface or positions that are none.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
}

/// A surface that the sheet does not move, with straight paths of its vertices during the step.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'s> {
    /// What is in the way.
    pub surface: &'s Surface,
    /// Its vertices at the start of the step.
    pub start: &'s [DVec3],
    /// And at its end.
    pub end: &'s [DVec3],
    /// The greatest ratio of tangential to normal impulse; the larger of this and the fabric's
    /// counts.
    pub friction: f64,
    /// The share of the speed that contact springs give back; the lower of this and the fabric's
    /// counts.
    pub restitution: f64,
    /// What its springs are remembered by: another number than that of any other obstacle, the same
    /// in each step.
    pub name: usize,
}

/// What the sheet does to an obstacle in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Push {
    /// The number of the obstacle.
    pub obstacle: usize,
    /// Where.
    pub point: DVec3,
    /// In newton seconds.
    pub impulse: DVec3,
    /// The velocity that the sheet would have there if nothing were in its way.
    pub free: DVec3,
}

/// Where a piece of straight motion ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Stop {
    /// The part of the step that was over then.
    pub fraction: f64,
    /// All vertices.
    pub positions: Vec<DVec3>,
}

/// What happened in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stepped {
    /// The part of the step by which the sheet moved, and by which obstacles may: 1 but for
    /// a sheet that is squeezed.
    pub fraction: f64,
    /// The ends of all pieces of straight motion.
    pub stops: Vec<Stop>,
    /// Pairs of features that were kept apart, in all legs.
    pub contacts: usize,
    /// Impulses on obstacles, in the order of the features.
    pub pushes: Vec<Push>,
}

impl Stepped {
    /// Adds what happened in a part of the step, between two fractions of it.
    pub(super) fn append(&mut self, part: Self, [from, to]: [f64; 2]) {
        let at = |fraction: f64| if fraction < 1.0 { from + fraction * (to - from) } else { to };
        self.fraction = at(part.fraction);
        let stops = part.stops.into_iter();
        self.stops.extend(stops.map(|stop| Stop { fraction: at(stop.fraction), ..stop }));
        self.contacts += part.contacts;
        self.pushes.extend(part.pushes);
    }
}

/// A sheet of springs. Copies share what does not move.
#[derive(Clone, Debug)]
pub struct Sheet {
    net: Arc<Net>,
    surface: Arc<Surface>,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    pinned: Vec<bool>,
    inv_masses: Vec<f64>,
    /// Contact springs that are there since the last step.
    cushions: BTreeMap<Name, Cushion>,
    /// Contacts that carry bodies in the step to come.
    pub(super) seeds: Vec<Seed>,
}

impl PartialEq for Sheet {
    /// The same springs, in the same state: the surface follows from them.
    fn eq(&self, other: &Self) -> bool {
        let is_alike = Arc::ptr_eq(&self.net, &other.net) || self.net == other.net;
        let states = [self, other]
            .map(|sheet| (&sheet.positions, &sheet.velocities, &sheet.pinned, &sheet.cushions));
        let is_alike = is_alike && self.seeds == other.seeds;
        is_alike && states[0] == states[1]
    }
}

impl Sheet {
    /// A sheet at rest in the shape of its net.
    ///
    /// *Accepts* nets whose features that share no vertex are farther apart than the thickness.
    /// *Cost* `n log n`. *Fails* for others.
    pub fn new(net: Net) -> Result<Self, SheetError> {
        let surface = Surface::new(&net.mesh)?;
        let positions = net.mesh.vertices.clone();
        let rest = surface.at_rest(&positions)?;
        let near = self_closings(&rest, net.fabric.thickness, &mut Workspace::default());
        if let Some(closing) = near.first() {
            return Err(SheetError::TooThick(closing.vertices[0]));
        }
        let count = positions.len();
        Ok(Self {
            surface: Arc::new(surface),
            velocities: vec![DVec3::ZERO; count],
            pinned: vec![false; count],
            inv_masses: net.masses.iter().map(|mass| mass.recip()).collect(),
            positions,
            net: Arc::new(net),
            cushions: BTreeMap::new(),
            seeds: Vec::new(),
        })
    }

    /// Writes what the next step begins with besides positions and velocities.
    pub(crate) fn tell(&self, out: &mut impl fmt::Write) -> fmt::Result {
        let Self { pinned, cushions, seeds, .. } = self;
        write!(out, "{:?} {pinned:?} {cushions:?} {seeds:?} ", self.net.fabric())
    }

    /// Holds a vertex where it is, or lets it go.
    ///
    /// *Accepts* any vertex. *Guarantees* that it stands still while it is held. *Cost* constant.
    /// *Fails* never: a vertex that does not exist changes nothing.
    pub fn pin(&mut self, vertex: usize, held: bool) {
        if vertex < self.positions.len() {
            self.pinned[vertex] = held;
            self.inv_masses[vertex] = if held { 0.0 } else { self.net.masses[vertex].recip() };
            if held {
                self.velocities[vertex] = DVec3::ZERO;
            }
        }
    }

    /// Adds to the velocity of all vertices that are not held.
    ///
    /// *Accepts* any finite vector. *Cost* linear. *Fails* never.
    pub fn throw(&mut self, velocity: DVec3) {
        let loose = self.velocities.iter_mut().zip(&self.pinned).filter(|(_, held)| !**held);
        loose.for_each(|(v, _)| *v += velocity);
    }

    /// Takes energy from what the sheet does besides a rigid motion, which has no momentum; what is
    /// still to be taken.
    pub(crate) fn settle(&mut self, energy: f64) -> f64 {
        // Pins take momentum anyway.
        let rigid = match self.free_mass() {
            Some(_) => self.rigid(),
            None => vec![DVec3::ZERO; self.velocities.len()],
        };
        let besides = self.velocities.iter().zip(&rigid).zip(&self.net.masses);
        let besides: f64 = besides.map(|((v, r), m)| 0.5 * m * v.distance_squared(*r)).sum();
        let kept = (1.0 - energy / besides.max(f64::MIN_POSITIVE)).max(0.0).sqrt();
        for (v, rigid) in self.velocities.iter_mut().zip(rigid) {
            *v = rigid + kept * (*v - rigid);
        }
        (energy - besides).max(0.0)
    }

    /// Takes energy from all motion, as far as there is some.
    pub(crate) fn slow(&mut self, energy: f64) {
        let [motion, ..] = self.energy(DVec3::ZERO);
        if energy > 0.0 && motion > 0.0 {
            let kept = (1.0 - energy / motion).max(0.0).sqrt();
            self.velocities.iter_mut().for_each(|v| *v *= kept);
        }
    }

    /// Whether a pin holds a vertex.
    pub fn is_pinned(&self) -> bool {
        self.pinned.contains(&true)
    }

    /// The mass of the sheet, if no pin holds it.
    pub(crate) fn free_mass(&self) -> Option<f64> {
        (!self.is_pinned()).then(|| self.net.masses.iter().sum())
    }

    /// The velocity of the centre of mass.
    pub(crate) fn mean_velocity(&self) -> DVec3 {
        let parts = self.net.masses.iter().zip(&self.velocities);
        parts.map(|(m, v)| *m * *v).sum::<DVec3>() / self.net.masses.iter().sum::<f64>()
    }

    /// Adds a rigid motion with this momentum, and this angular momentum about the origin, to a
    /// sheet without pins, which would take them.
    pub(crate) fn shove(&mut self, momentum: [DVec3; 2]) {
        if self.free_mass().is_some() {
            let more = self.rigid_with(momentum);
            self.velocities.iter_mut().zip(more).for_each(|(v, more)| *v += more);
        }
    }

    /// The velocities of a rigid motion with the momentum and the angular momentum of the sheet.
    fn rigid(&self) -> Vec<DVec3> {
        let mut momentum = [DVec3::ZERO; 2];
        for ((mass, p), v) in self.net.masses.iter().zip(&self.positions).zip(&self.velocities) {
            momentum[0] += *mass * *v;
            momentum[1] += *mass * p.cross(*v);
        }
        self.rigid_with(momentum)
    }

    /// The velocities of a rigid motion with a momentum, and an angular momentum about the origin.
    fn rigid_with(&self, [linear, angular]: [DVec3; 2]) -> Vec<DVec3> {
        let parts = || self.net.masses.iter().zip(&self.positions);
        let mass: f64 = self.net.masses.iter().sum();
        let centre = parts().map(|(m, p)| *m * *p).sum::<DVec3>() / mass;
        let mut inertia = DMat3::ZERO;
        for (m, p) in parts() {
            let arm = *p - centre;
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            inertia += *m * (arm.length_squared() * DMat3::IDENTITY - outer);
        }
        let spin = inertia.inverse() * (angular - centre.cross(linear));
        // A sheet without width does not turn about itself.
        let spin = if spin.is_finite() { spin } else { DVec3::ZERO };
        self.positions.iter().map(|p| linear / mass + spin.cross(*p - centre)).collect()
    }

    /// Where the vertices are.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// How fast they are.
    pub fn velocities(&self) -> &[DVec3] {
        &self.velocities
    }

    /// The triangles, for queries of `chasles::deform`.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    /// The distance that it keeps.
    pub fn thickness(&self) -> f64 {
        self.net.fabric.thickness
    }

    /// Springs and masses.
    pub fn net(&self) -> &Net {
        &self.net
    }

    pub(super) fn inv_masses(&self) -> &[f64] {
        &self.inv_masses
    }

    pub(super) fn seeds(&self) -> &[Seed] {
        &self.seeds
    }

    pub(super) fn cushions(&self) -> &BTreeMap<Name, Cushion> {
        &self.cushions
    }

    /// Takes over the end of a portion of a step on contact springs, with so many contacts and
    /// pushes.
    pub(super) fn moved_to(
        &mut self,
        positions: Vec<DVec3>,
        velocities: Vec<DVec3>,
        cushions: BTreeMap<Name, Cushion>,
        (contacts, pushes): (usize, Vec<Push>),
    ) -> Stepped {
        let stops = vec![Stop { fraction: 1.0, positions: positions.clone() }];
        *self = Self { positions, velocities, cushions, ..self.clone() };
        Stepped { fraction: 1.0, stops, contacts, pushes }
    }

    /// The energy of motion, of the springs and of the height.
    ///
    /// *Accepts* any gravity. *Guarantees* a sum in the order of the vertices; of contact springs
    /// what they give back counts. *Cost* linear. *Fails* never.
    pub fn energy(&self, gravity: DVec3) -> [f64; 3] {
        let vertices = self.net.masses.iter().zip(&self.velocities).zip(&self.positions);
        let motion = vertices.clone().map(|((m, v), _)| 0.5 * m * v.length_squared()).sum();
        let height = vertices.map(|((m, _), p)| -m * gravity.dot(*p)).sum();
        let stretched = self.net.springs.iter().map(|spring| {
            let [p, q] = spring.ends.map(|v| self.positions[v as usize]);
            0.5 * spring.stiffness * (p.distance(q) - spring.length).powi(2)
        });
        let pressed = self.cushions.values().map(Cushion::energy).sum::<f64>();
        [motion, stretched.sum::<f64>() + pressed, height]
    }

    /// Moves the sheet for some seconds among obstacles.
    ///
    /// *Accepts* a positive time, and obstacles that neither cross nor touch the sheet at the
    /// start. *Guarantees* that the sheet crosses neither them nor itself, in `fraction` of the
    /// step, after which the obstacles must stand where their paths have brought them; the same
    /// bits for the same input. Contacts that are let go only in the last round of the implicit
    /// step may have pulled in it. *Cost* some sparse linear systems, and in each leg some queries
    /// of all pairs that are near. *Fails*, before anything moves, on other times and on positions
    /// that are not finite. A sheet that touches an obstacle at the start does not move at all.
    pub fn step(
        &mut self,
        seconds: f64,
        gravity: DVec3,
        obstacles: &[Obstacle<'_>],
    ) -> Result<Stepped, SheetError> {
        self.check(seconds, obstacles)?;
        let instant = self.instant();
        let implicit = instant.linearised(gravity, seconds);
        let unhindered = implicit.velocities(&[], &self.velocities);
        let changes =
            unhindered.iter().zip(&self.velocities).map(|(v, before)| v.distance(*before));
        // What forces do in the step, contact undoes in the end.
        let undone = seconds * changes.fold(0.0, f64::max);
        let room = self.thickness() + undone.min(ROOM * self.net.shortest());
        let mut velocities = unhindered.clone();
        let mut stepped =
            Stepped { fraction: 0.0, stops: Vec::new(), contacts: 0, pushes: Vec::new() };
        let mut positions = self.positions.clone();
        while stepped.fraction < 1.0 && stepped.stops.len() < LEGS {
            let left = 1.0 - stepped.fraction;
            let ways = ways(obstacles, [stepped.fraction, 1.0]);
            let mut leg = Leg::new(self, (&positions, room), obstacles, &ways);
            let first = stepped.stops.is_empty().then_some(&implicit);
            let (kept, goal, free) = leg.answered(first, &mut velocities, left * seconds)?;
            let is_cut = free < 1.0;
            let free = if is_cut { SHARE * free } else { 1.0 };
            positions = positions.iter().zip(&goal).map(|(p, q)| p.lerp(*q, free)).collect();
            stepped.fraction = if is_cut { stepped.fraction + left * free } else { 1.0 };
            let stop = Stop { fraction: stepped.fraction, positions: positions.clone() };
            stepped.stops.push(stop);
            stepped.contacts += kept.len();
            let push = |kept: &Kept| kept.push_on_obstacle(&unhindered);
            stepped.pushes.extend(kept.iter().filter_map(push));
        }
        self.positions = positions;
        self.velocities = velocities;
        self.cushions.clear();
        Ok(stepped)
    }

    /// The sheet as an implicit step sees it.
    pub(super) fn instant(&self) -> Instant<'_> {
        Instant {
            springs: &self.net.springs,
            fabric: &self.net.fabric,
            masses: &self.net.masses,
            pinned: &self.pinned,
            positions: &self.positions,
            velocities: &self.velocities,
        }
    }

    /// Fails on what is no step.
    pub(super) fn check(&self, seconds: f64, obstacles: &[Obstacle<'_>]) -> Result<(), SheetError> {
        let is_time = seconds > 0.0 && seconds.is_finite();
        if !is_time {
            return Err(SheetError::Step(seconds));
        }
        for obstacle in obstacles {
            obstacle.surface.moving(obstacle.start, obstacle.end)?;
        }
        Ok(())
    }
}

/// Obstacles at the start and at the end of a part of their way.
pub(super) fn ways(obstacles: &[Obstacle<'_>], ends: [f64; 2]) -> [Vec<Vec<DVec3>>; 2] {
    ends.map(|share| {
        let of = obstacles.iter().map(|o| o.start.iter().zip(o.end));
        of.map(|ends| ends.map(|(p, q)| p.lerp(*q, share)).collect()).collect()
    })
}
