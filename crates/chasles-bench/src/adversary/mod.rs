//! Random worlds that are as hard as can be: do they keep the promise, and the clock?
//!
//! ```text
//! seed -> Adversary (world, length of a step, bodies that nothing touches) -> run -> Row
//! ```
//!
//! Sizes go from a millimetre to a kilometre, speeds to 10,000 m/s, spins to 300 rad/s, steps from
//! 0.1 ms to half a second, and bodies are up to a million times heavier than others. Some worlds
//! have cloth, linkages, round bodies and bodies on routes.

mod arena;
mod bodies;
mod free;

use std::collections::BTreeSet;

use chasles_cli::simulate::Inspector;
use chasles_dynamics::world::{Kind, Phase};
use chasles_dynamics::{Body, Report, World, WorldError};
use chasles_testkit::generate::Random;
use serde::Serialize;

use crate::stopwatch::processor_time;
use free::Free;

/// A random world.
#[derive(Clone, Debug)]
pub struct Adversary {
    /// The world, at its beginning.
    pub world: World,
    /// The length of a step, in seconds.
    pub dt: f64,
    /// What the seed chose, in a few words.
    pub story: String,
    free: Vec<Free>,
}

/// How a run ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// The number of the world.
    pub seed: u64,
    /// The length of a step in seconds.
    pub dt: f64,
    /// How many bodies.
    pub bodies: usize,
    /// How many steps were made.
    pub steps: u32,
    /// Pairs in each other in a frame, all frames together, but for pairs of which neither gives
    /// way.
    pub overlaps: usize,
    /// Pairs in each other between two frames, likewise.
    pub crossings: usize,
    /// The share of its time that the body which waited longest has lost; bodies on routes, and
    /// what they hold, are left out.
    pub lost: f64,
    /// How many steps in a row a body that is not blocked waited, at most.
    pub longest_wait: usize,
    /// The same for bodies that are: on routes, or held by those.
    pub longest_block: usize,
    /// How far bodies that nothing touches are from their closed form, as a share of their way.
    pub free_error: f64,
    /// Processor seconds for the steps.
    pub processor_s: f64,
    /// `ran`, `slow`, or what was wrong.
    pub result: String,
    /// What the seed chose, in a few words.
    pub story: String,
}

impl Adversary {
    /// The world of a seed.
    ///
    /// *Guarantees* the same world for the same seed, with bodies that are apart. *Cost* that of
    /// its meshes. *Fails* if a shape is none, which no seed below a thousand does.
    pub fn new(seed: u64) -> Result<Self, Box<dyn std::error::Error>> {
        let mut random = Random::new(0xadbe_0000 + seed);
        let nature = arena::Nature::new(&mut random);
        let (mut world, reach) = bodies::populated(&nature, &mut random)?;
        let free = free::beside(&mut world, &nature, reach, &mut random)?;
        Ok(Self { world, dt: nature.dt, story: nature.story(), free })
    }

    /// Steps through the world, and looks at each frame and at the way between frames.
    ///
    /// *Accepts* any number of steps; after so many processor seconds no further step begins.
    /// *Cost* that of the steps and of looking. *Fails* never: the row says what was wrong.
    pub fn run(self, seed: u64, steps: u32, limit: f64) -> Row {
        let bodies = self.world.bodies().len();
        let (dt, story) = (self.dt, self.story.clone());
        let mut row = Row { seed, dt, bodies, story, ..Row::default() };
        row.result = match self.walk(steps, limit, &mut row) {
            Ok(result) => result.to_string(),
            Err(error) => error.to_string(),
        };
        row
    }

    fn walk(self, steps: u32, limit: f64, row: &mut Row) -> Result<&'static str, WorldError> {
        let Self { mut world, dt, free, .. } = self;
        world.record(true);
        world.listen(true);
        let mut inspector = Inspector::default();
        let mut waits = Waits::new(&world);
        let began = processor_time();
        for _ in 0..steps {
            if (processor_time() - began).as_secs_f64() > limit {
                break;
            }
            let start = processor_time();
            let report = world.step(dt)?;
            row.processor_s += (processor_time() - start).as_secs_f64();
            row.steps += 1;
            inspector.follow(&world, &report);
            inspector.look(&world);
            waits.note(&world, &report);
            let errors = free.iter().map(|free| free.error(&world));
            row.free_error = errors.fold(row.free_error, f64::max);
            if !world.bodies().iter().all(is_finite) {
                return Ok("not finite");
            }
        }
        let time = dt * f64::from(row.steps);
        row.lost = waits.lost.iter().copied().fold(0.0, f64::max) / time;
        [row.longest_wait, row.longest_block] = waits.longest;
        let findings = inspector.into_findings();
        [row.overlaps, row.crossings] = [findings.overlaps.len(), findings.crossings.len()];
        Ok(if row.steps == steps { "ran" } else { "slow" })
    }
}

fn is_finite(body: &Body) -> bool {
    let (pose, velocity) = (body.pose(), body.velocity());
    let is_placed = pose.position().is_finite() && pose.rotation().is_finite();
    is_placed && velocity.linear.is_finite() && velocity.angular.is_finite()
}

/// How often bodies wait, and what they lose by it.
struct Waits {
    runs: Vec<usize>,
    lost: Vec<f64>,
    /// Steps in a row at most, of bodies that are free to go and of those that are blocked.
    longest: [usize; 2],
}

impl Waits {
    fn new(world: &World) -> Self {
        let count = world.bodies().len();
        Self { runs: vec![0; count], lost: vec![0.0; count], longest: [0; 2] }
    }

    fn note(&mut self, world: &World, report: &Report) {
        let blocked = blocked(world, report);
        let waiting: BTreeSet<usize> = report.waiting.iter().map(|id| id.index()).collect();
        for (body, run) in self.runs.iter_mut().enumerate() {
            *run = if waiting.contains(&body) { *run + 1 } else { 0 };
            let which = usize::from(blocked.contains(&body));
            self.longest[which] = self.longest[which].max(*run);
        }
        for lost in report.lost.iter().filter(|lost| !blocked.contains(&lost.body.index())) {
            self.lost[lost.body.index()] += lost.seconds;
        }
    }
}

/// Bodies on routes that wait, and those that wait and hang together with them: what a route
/// presses on, by contacts or joints.
fn blocked(world: &World, report: &Report) -> BTreeSet<usize> {
    let is_guided =
        |i: &usize| matches!(world.bodies()[*i].kind(), Kind::Kinematic(_) | Kind::Yielding(..));
    let waiting: BTreeSet<usize> = report.waiting.iter().map(|id| id.index()).collect();
    let touches = report.events.iter().filter(|event| event.phase != Phase::Ended);
    let touches = touches.map(|event| event.bodies.map(|id| id.index()));
    let bound: Vec<[usize; 2]> =
        touches.chain(world.joints().iter().map(|joint| joint.bodies())).collect();
    let mut found: BTreeSet<usize> = waiting.iter().copied().filter(is_guided).collect();
    let mut news: Vec<usize> = found.iter().copied().collect();
    while let Some(body) = news.pop() {
        let of_body = bound.iter().filter(|pair| pair.contains(&body)).flatten();
        let others = of_body.copied().filter(|other| waiting.contains(other));
        news.extend(others.filter(|other| found.insert(*other)));
    }
    found
}
