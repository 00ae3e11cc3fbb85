//! What is left of a step of a sheet: who comes near, and how far the way is free.
//!
//! A step asks for several goals, most of which differ by little, who comes near on the way there.
//! Pairs are sought once, a little farther apart than asked for, and only those are asked as long
//! as no vertex moves by more than that.

use std::collections::BTreeMap;

use chasles::deform::{Closing, Moving, Neighbours, SurfaceError, Workspace};
use glam::DVec3;

use super::implicit::Step;
use super::prediction::Seed;
use super::sheet::{Obstacle, Sheet};
use super::vertex_impulses::{Hold, Kept, Scene, State, keep, resist};

/// Times that pairs which still come too near join those that are kept apart, in a leg.
const ROUNDS: usize = 4;

/// How often a quarter of the distance is asked for, where no motion keeps the whole. A thickness
/// of a millimetre then still leaves 500 nanometres, far above rounding.
const NEARER: i32 = 5;

/// The share of the room for other goals that is used: the rest is for rounding.
const ROOM: f64 = 0.999;

/// What is left of a step.
pub(super) struct Leg<'s> {
    sheet: &'s Sheet,
    obstacles: &'s [Obstacle<'s>],
    start: &'s [DVec3],
    /// For each obstacle its positions at the start of the leg and at its end.
    ways: [&'s [Vec<DVec3>]; 2],
    /// How far vertices of another goal may be from those of the one that pairs were sought for.
    room: f64,
    nearby: Option<Nearby>,
    workspace: Workspace,
}

/// Pairs that come near on the way to a goal, and to all that are not far from it.
struct Nearby {
    goal: Vec<DVec3>,
    distance: f64,
    of_sheet: Neighbours,
    of_obstacles: Vec<Neighbours>,
}

impl Nearby {
    /// Whether no other pairs come as near as a distance on the way to a goal.
    fn holds(&self, goal: &[DVec3], distance: f64, room: f64) -> bool {
        let far = self.goal.iter().zip(goal).map(|(p, q)| p.distance(*q)).fold(0.0, f64::max);
        distance <= self.distance && far <= ROOM * room
    }
}

impl<'s> Leg<'s> {
    /// A sheet on its way from positions, among obstacles on theirs, with this room for goals.
    pub(super) fn new(
        sheet: &'s Sheet,
        (start, room): (&'s [DVec3], f64),
        obstacles: &'s [Obstacle<'s>],
        ways: &'s [Vec<Vec<DVec3>>; 2],
    ) -> Self {
        let ways = ways.each_ref().map(Vec::as_slice);
        let workspace = Workspace::default();
        Self { sheet, obstacles, start, ways, room, nearby: None, workspace }
    }

    /// Answers all pairs that come near, with impulses on the velocities, and returns the pairs,
    /// where the vertices want to end and which part of the way there is certified. In the first
    /// leg the springs take part.
    pub(super) fn answered(
        &mut self,
        implicit: Option<&Step<'_>>,
        velocities: &mut Vec<DVec3>,
        seconds: f64,
    ) -> Result<(Vec<Kept>, Vec<DVec3>, f64), SurfaceError> {
        let thickness = self.sheet.thickness();
        let start = self.start;
        let mut shifts = vec![DVec3::ZERO; velocities.len()];
        let goal = |velocities: &[DVec3], shifts: &[DVec3]| -> Vec<DVec3> {
            let moves = velocities.iter().zip(shifts).map(|(v, shift)| seconds * *v + *shift);
            start.iter().zip(moves).map(|(p, way)| *p + way).collect()
        };
        let mut pairs = self.near(&goal(velocities, &shifts), thickness)?;
        if let Some(step) = implicit {
            let found = std::mem::replace(&mut pairs, self.foreseen(seconds));
            joined(&mut pairs, found);
            let hold = Hold { thickness, seconds, slack: None };
            for _ in 0..ROUNDS {
                resist(&mut pairs, step, velocities, &hold);
                let found = self.near(&goal(velocities, &shifts), 0.5 * thickness)?;
                if !joined(&mut pairs, found) {
                    break;
                }
            }
        }
        let mut aim = Vec::new();
        let mut is_free = false;
        for _ in 0..ROUNDS {
            let inv_masses = self.sheet.inv_masses();
            let mut state = State { inv_masses, velocities, shifts: &mut shifts };
            keep(&mut pairs, &mut state, thickness, seconds);
            aim = goal(velocities, &shifts);
            let found = self.near(&aim, 0.5 * thickness)?;
            is_free = found.is_empty();
            if !joined(&mut pairs, found) {
                break;
            }
        }
        // Where no pair comes that near, all of the way is free.
        let free = if is_free { 1.0 } else { self.certified(&aim)? };
        Ok((pairs, aim, free))
    }

    /// Pairs that were foreseen to press on each other, with their loads.
    fn foreseen(&self, seconds: f64) -> Vec<Kept> {
        let friction = self.sheet.net().fabric().friction;
        let inv_masses = self.sheet.inv_masses();
        let scene = Scene { sheet: self.start, obstacle: None, friction, inv_masses };
        let kept = |seed: &Seed| {
            let mut scene = Scene { ..scene };
            if let Some(name) = seed.obstacle {
                let number = self.obstacles.iter().position(|o| o.name == name)?;
                let ends = self.ways.map(|frames| frames[number].as_slice());
                scene.obstacle = Some((1, number, ends));
                scene.friction = friction.max(self.obstacles[number].friction);
            }
            let mut kept = Kept::new(&seed.closing, &scene);
            kept.load = seed.force * seconds;
            Some(kept)
        };
        self.sheet.seeds().iter().filter_map(kept).collect()
    }

    /// Who comes as near as a distance on the way to a goal.
    pub(super) fn near(
        &mut self,
        goal: &[DVec3],
        distance: f64,
    ) -> Result<Vec<Kept>, SurfaceError> {
        let nearby = self.nearby(goal, distance)?;
        let moving = self.sheet.surface().moving(self.start, goal)?;
        let friction = self.sheet.net().fabric().friction;
        let inv_masses = self.sheet.inv_masses();
        let scene = Scene { sheet: self.start, obstacle: None, friction, inv_masses };
        let kept = |closings: Vec<Closing>, scene: &Scene<'_>| -> Vec<Kept> {
            closings.iter().map(|closing| Kept::new(closing, scene)).collect()
        };
        let mut found = kept(nearby.of_sheet.closings([&moving, &moving], distance), &scene);
        for (number, neighbours) in nearby.of_obstacles.iter().enumerate() {
            let way = self.way(number)?;
            let ends = self.ways.map(|frames| frames[number].as_slice());
            let friction = friction.max(self.obstacles[number].friction);
            let scene = Scene { obstacle: Some((1, number, ends)), friction, ..scene };
            found.extend(kept(neighbours.closings([&moving, &way], distance), &scene));
        }
        self.nearby = Some(nearby);
        Ok(found)
    }

    /// The pairs to ask for who comes as near as a distance on the way to a goal.
    fn nearby(&mut self, goal: &[DVec3], distance: f64) -> Result<Nearby, SurfaceError> {
        if let Some(known) = self.nearby.take()
            && known.holds(goal, distance, self.room)
        {
            return Ok(known);
        }
        let mut workspace = std::mem::take(&mut self.workspace);
        let moving = self.sheet.surface().moving(self.start, goal)?;
        // Both features of a pair may be the sheet's, and move.
        let of_sheet = Neighbours::of_one(&moving, distance + 2.0 * self.room, &mut workspace);
        let of_obstacles = (0..self.obstacles.len()).map(|number| {
            let way = self.way(number)?;
            Ok(Neighbours::of(&moving, &way, distance + self.room, &mut workspace))
        });
        let of_obstacles = of_obstacles.collect::<Result<_, SurfaceError>>()?;
        self.workspace = workspace;
        Ok(Nearby { goal: goal.to_vec(), distance, of_sheet, of_obstacles })
    }

    fn way(&self, number: usize) -> Result<Moving<'_>, SurfaceError> {
        let [start, end] = self.ways.map(|frames| frames[number].as_slice());
        self.obstacles[number].surface.moving(start, end)
    }

    /// The part of the way to the goal on which all features stay apart, as far as can be, by half
    /// the thickness.
    fn certified(&mut self, goal: &[DVec3]) -> Result<f64, SurfaceError> {
        let thickness = self.sheet.thickness();
        let nearby = self.nearby(goal, 0.5 * thickness)?;
        let moving = self.sheet.surface().moving(self.start, goal)?;
        for nearer in 0..NEARER {
            let distance = 0.5 * thickness * 0.25_f64.powi(nearer);
            let mut free = nearby.of_sheet.free_fraction([&moving, &moving], distance);
            for (number, neighbours) in nearby.of_obstacles.iter().enumerate() {
                let way = self.way(number)?;
                free = free.min(neighbours.free_fraction([&moving, &way], distance));
            }
            if free > 0.0 {
                return Ok(free);
            }
        }
        Ok(0.0)
    }
}

/// Adds pairs that ask for something new, and whether there were any.
pub(super) fn joined(pairs: &mut Vec<Kept>, found: Vec<Kept>) -> bool {
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
