//! Running a scene step by step, and looking at each.

use std::collections::BTreeSet;

use chasles::query::{Overlap as AtRest, Workspace, overlaps};
use chasles_cli::simulate::{Inspector, LeftOut, Overlap};
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, Report, World, WorldError};

use super::convert::Scene;
use super::{Effort, Row};
use crate::stopwatch::processor_time;

/// Runs a scene, and adds what became of it to its row.
pub(super) fn follow(scene: Scene, effort: &Effort, row: Row) -> Row {
    let until = effort.seconds.map_or(scene.seconds, |seconds| seconds.min(scene.seconds));
    let steps = (until / scene.dt * (1.0 - 1e-12)).ceil() as u64;
    let mut row = Row { bodies: scene.world.bodies().len(), dt: scene.dt, ..row };
    row.result = match walk(scene, steps, effort.limit, &mut row) {
        Ok(true) => "ran".to_string(),
        Ok(false) => "slow".to_string(),
        Err(error) => error.to_string(),
    };
    row
}

/// Steps through a scene; whether the time sufficed.
fn walk(scene: Scene, steps: u64, limit: f64, row: &mut Row) -> Result<bool, WorldError> {
    let Scene { mut world, dt, .. } = scene;
    world.record(true);
    let mut inspector = Inspector::default();
    let mut waits = Waits { runs: vec![0; world.bodies().len()], longest: 0 };
    let began = processor_time();
    let mut is_whole = true;
    for _ in 0..steps {
        is_whole = (processor_time() - began).as_secs_f64() <= limit;
        if !is_whole {
            break;
        }
        let started = processor_time();
        let report = world.step(dt)?;
        row.processor_s += (processor_time() - started).as_secs_f64();
        row.waits += report.waiting.len();
        row.lost += report.lost.iter().map(|lost| lost.seconds).sum::<f64>();
        row.simulated = world.time();
        waits.note(&report);
        inspector.follow(&world, &report);
        inspector.look(&world);
    }
    row.longest_wait = waits.longest;
    count(&world, inspector, row);
    Ok(is_whole)
}

/// How often bodies wait in a row.
struct Waits {
    runs: Vec<usize>,
    longest: usize,
}

impl Waits {
    fn note(&mut self, report: &Report) {
        let waiting: BTreeSet<usize> = report.waiting.iter().map(|body| body.0).collect();
        for (body, run) in self.runs.iter_mut().enumerate() {
            *run = if waiting.contains(&body) { *run + 1 } else { 0 };
            self.longest = self.longest.max(*run);
        }
    }
}

/// Counts what was found: pairs that may be in each other apart from the others.
fn count(world: &World, inspector: Inspector, row: &mut Row) {
    let findings = inspector.into_findings();
    let gives_way =
        |i: &usize| matches!(world.bodies()[*i].kind(), Kind::Dynamic(_) | Kind::Yielding(..));
    let is_wrong = |bodies: &[usize; 2]| bodies.iter().any(gives_way);
    let wrong = |all: &[Overlap]| all.iter().filter(|overlap| is_wrong(&overlap.bodies)).count();
    [row.overlaps, row.crossings] = [wrong(&findings.overlaps), wrong(&findings.crossings)];
    let all = findings.overlaps.len() + findings.crossings.len();
    // Open meshes have no depth; they are asked where they are at the end.
    let is_in = |pair: &&LeftOut| pair.depth > 0.0 || are_in(world, pair.bodies);
    let of_groups = findings.left_out.iter().filter(is_in).count();
    row.passing = all - row.overlaps - row.crossings + of_groups;
}

/// Whether two bodies are in each other where they are.
fn are_in(world: &World, pair: [usize; 2]) -> bool {
    let [a, b] = pair.map(|i| &world.bodies()[i]);
    let poses = [a, b].map(Body::pose);
    let [a, b] = [a, b].map(|body| body.shape().geometry());
    overlaps(a, b, poses, &mut Workspace::new()).is_ok_and(AtRest::is_overlapping)
}
