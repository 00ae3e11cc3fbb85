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
//! step is answered anew; what is left after some such legs is not moved and reported.
//!
//! *Where it fails*: a sheet that is squeezed between bodies that close beyond its thickness stops
//! them: the report tells the caller that the step ended early. Bodies that turn must be given with
//! the straight paths of their vertices; a vertex at `r` from the axis of a turn by `a` leaves its
//! circle by up to `r (1 - cos(a/2))`, which must be small beside half the thickness. Springs are
//! linearised once in a step: at hard impacts and in very stiff sheets the energy may grow by
//! a hundredth of what falls by a metre, before damping takes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use chasles::deform::{
    Closing, Moving, Surface, SurfaceError, Workspace, closings, free_fraction, self_closings,
    self_free_fraction,
};
use glam::DVec3;
use thiserror::Error;

use super::implicit::{Instant, Step};
use super::net::Net;
use super::touching::{Kept, Scene, State, keep, resist};

/// Pieces of a step at most. Each begins with the contacts of all before.
const LEGS: usize = 6;

/// Times that pairs which still come too near join those that are kept apart, in a leg.
const ROUNDS: usize = 4;

/// The share of the certified way that is used when it is cut, so that what is met next can be
/// moved apart from a distance that is still above the one that is kept.
const SHARE: f64 = 0.9;

/// How often a quarter of the distance is asked for, where no motion keeps the whole. A thickness
/// of a millimetre then still leaves 500 nanometres, far above rounding.
const NEARER: i32 = 5;

/// What is wrong with a sheet, or with a step.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum SheetError {
    /// The step is not a positive number of seconds.
    #[error("a step of {0} seconds is none: it must be a positive number")]
    Step(f64),
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
#[derive(Clone, Debug, PartialEq)]
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

/// A sheet of springs. Copies share what does not move.
#[derive(Clone, Debug)]
pub struct Sheet {
    net: Arc<Net>,
    surface: Arc<Surface>,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    pinned: Vec<bool>,
    inv_masses: Vec<f64>,
}

impl PartialEq for Sheet {
    /// The same springs, in the same state: the surface follows from them.
    fn eq(&self, other: &Self) -> bool {
        let is_alike = Arc::ptr_eq(&self.net, &other.net) || self.net == other.net;
        let states =
            [self, other].map(|sheet| (&sheet.positions, &sheet.velocities, &sheet.pinned));
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
        })
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

    /// Leaves a share of all velocities.
    pub(crate) fn slow(&mut self, share: f64) {
        self.velocities.iter_mut().for_each(|v| *v *= share);
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

    /// The energy of motion, of the springs and of the height.
    ///
    /// *Accepts* any gravity. *Guarantees* a sum in the order of the vertices. *Cost* linear. *Fails*
    /// never.
    pub fn energy(&self, gravity: DVec3) -> [f64; 3] {
        let vertices = self.net.masses.iter().zip(&self.velocities).zip(&self.positions);
        let motion = vertices.clone().map(|((m, v), _)| 0.5 * m * v.length_squared()).sum();
        let height = vertices.map(|((m, _), p)| -m * gravity.dot(*p)).sum();
        let stretched = self.net.springs.iter().map(|spring| {
            let [p, q] = spring.ends.map(|v| self.positions[v as usize]);
            0.5 * spring.stiffness * (p.distance(q) - spring.length).powi(2)
        });
        [motion, stretched.sum(), height]
    }

    /// Moves the sheet for some seconds among obstacles.
    ///
    /// *Accepts* a positive time, and obstacles that neither cross nor touch the sheet at the start.
    /// *Guarantees* that the sheet crosses neither them nor itself, in `fraction` of the step, after
    /// which the obstacles must stand where their paths have brought them; the same bits for the
    /// same input. Contacts that are let go only in the last round of the implicit step may have
    /// pulled in it. *Cost* some sparse linear systems, and in each leg some queries of all pairs
    /// that are near. *Fails*, before anything moves, on other times and on positions that are not
    /// finite. A sheet that touches an obstacle at the start does not move at all.
    pub fn step(
        &mut self,
        seconds: f64,
        gravity: DVec3,
        obstacles: &[Obstacle<'_>],
    ) -> Result<Stepped, SheetError> {
        let is_time = seconds > 0.0 && seconds.is_finite();
        if !is_time {
            return Err(SheetError::Step(seconds));
        }
        for obstacle in obstacles {
            obstacle.surface.moving(obstacle.start, obstacle.end)?;
        }
        let instant = Instant {
            springs: &self.net.springs,
            fabric: &self.net.fabric,
            masses: &self.net.masses,
            pinned: &self.pinned,
            positions: &self.positions,
            velocities: &self.velocities,
        };
        let implicit = instant.linearised(gravity, seconds);
        let unhindered = implicit.velocities(&[], &self.velocities);
        let mut velocities = unhindered.clone();
        let mut stepped =
            Stepped { fraction: 0.0, stops: Vec::new(), contacts: 0, pushes: Vec::new() };
        let mut positions = self.positions.clone();
        while stepped.fraction < 1.0 && stepped.stops.len() < LEGS {
            let left = 1.0 - stepped.fraction;
            let at = |part: f64| -> Vec<Vec<DVec3>> {
                let of = obstacles.iter().map(|o| o.start.iter().zip(o.end));
                of.map(|ends| ends.map(|(p, q)| p.lerp(*q, part)).collect()).collect()
            };
            let [start, end] = [at(stepped.fraction), at(1.0)];
            let leg = Leg { sheet: self, obstacles, start: &positions, ways: [&start, &end] };
            let first = stepped.stops.is_empty().then_some(&implicit);
            let (kept, goal) = leg.answered(first, &mut velocities, left * seconds)?;
            let free = leg.certified(&goal)?;
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
        Ok(stepped)
    }
}

/// What is left of a step.
struct Leg<'s> {
    sheet: &'s Sheet,
    obstacles: &'s [Obstacle<'s>],
    start: &'s [DVec3],
    /// For each obstacle its positions at the start of the leg and at its end.
    ways: [&'s [Vec<DVec3>]; 2],
}

impl Leg<'_> {
    /// Answers all pairs that come near, with impulses on the velocities, and returns the pairs
    /// and where the vertices want to end. In the first leg the springs take part.
    fn answered(
        &self,
        implicit: Option<&Step<'_>>,
        velocities: &mut Vec<DVec3>,
        seconds: f64,
    ) -> Result<(Vec<Kept>, Vec<DVec3>), SurfaceError> {
        let thickness = self.sheet.net.fabric.thickness;
        let mut shifts = vec![DVec3::ZERO; velocities.len()];
        let goal = |velocities: &[DVec3], shifts: &[DVec3]| -> Vec<DVec3> {
            let moves = velocities.iter().zip(shifts).map(|(v, shift)| seconds * *v + *shift);
            self.start.iter().zip(moves).map(|(p, way)| *p + way).collect()
        };
        let mut pairs = self.near(&goal(velocities, &shifts), thickness)?;
        if let Some(step) = implicit {
            for _ in 0..ROUNDS {
                resist(&mut pairs, step, velocities, thickness, seconds);
                let found = self.near(&goal(velocities, &shifts), 0.5 * thickness)?;
                if !joined(&mut pairs, found) {
                    break;
                }
            }
        }
        for _ in 0..ROUNDS {
            let inv_masses = &self.sheet.inv_masses;
            let mut state = State { inv_masses, velocities, shifts: &mut shifts };
            keep(&mut pairs, &mut state, thickness, seconds);
            let found = self.near(&goal(velocities, &shifts), 0.5 * thickness)?;
            if !joined(&mut pairs, found) {
                break;
            }
        }
        let aim = goal(velocities, &shifts);
        Ok((pairs, aim))
    }

    fn near(&self, goal: &[DVec3], distance: f64) -> Result<Vec<Kept>, SurfaceError> {
        let workspace = &mut Workspace::default();
        let Sheet { surface, inv_masses, net, .. } = self.sheet;
        let moving = surface.moving(self.start, goal)?;
        let scene =
            Scene { sheet: self.start, obstacle: None, friction: net.fabric.friction, inv_masses };
        let kept = |closings: Vec<Closing>, scene: &Scene<'_>| -> Vec<Kept> {
            closings.iter().map(|closing| Kept::new(closing, scene)).collect()
        };
        let mut found = kept(self_closings(&moving, distance, workspace), &scene);
        for (number, obstacle) in self.obstacles.iter().enumerate() {
            let way = self.way(number)?;
            let ends = self.ways.map(|frames| frames[number].as_slice());
            let friction = scene.friction.max(obstacle.friction);
            let scene = Scene { obstacle: Some((1, number, ends)), friction, ..scene };
            found.extend(kept(closings(&moving, &way, distance, workspace), &scene));
        }
        Ok(found)
    }

    fn way(&self, number: usize) -> Result<Moving<'_>, SurfaceError> {
        let [start, end] = self.ways.map(|frames| frames[number].as_slice());
        self.obstacles[number].surface.moving(start, end)
    }

    /// The part of the way to the goal on which all features stay apart, as far as can be, by half
    /// the thickness.
    fn certified(&self, goal: &[DVec3]) -> Result<f64, SurfaceError> {
        let workspace = &mut Workspace::default();
        let moving = self.sheet.surface.moving(self.start, goal)?;
        for nearer in 0..NEARER {
            let distance = 0.5 * self.sheet.net.fabric.thickness * 0.25_f64.powi(nearer);
            let mut free = self_free_fraction(&moving, distance, workspace);
            for number in 0..self.obstacles.len() {
                let way = self.way(number)?;
                free = free.min(free_fraction(&moving, &way, distance, workspace));
            }
            if free > 0.0 {
                return Ok(free);
            }
        }
        Ok(0.0)
    }
}

/// Adds pairs that ask for something new, and whether there were any.
fn joined(pairs: &mut Vec<Kept>, found: Vec<Kept>) -> bool {
    let mut known = BTreeMap::<_, Vec<usize>>::new();
    for (number, pair) in pairs.iter().enumerate() {
        known.entry(pair.key()).or_default().push(number);
    }
    let before = pairs.len();
    for pair in found {
        let same = known.get(&pair.key()).into_iter().flatten();
        if !same.into_iter().any(|&number| pairs[number].is_along(&pair)) {
            pairs.push(pair);
        }
    }
    pairs.len() > before
}
