//! The summary of a simulation as JSON.

use std::io::{self, Write};

use chasles_scene::SimulateScene;
use serde::Serialize;

use super::check::{Findings, LeftOut, Overlap};
use super::course::Course;
use super::moment::Energy;

/// Writes one object and a line end.
pub(super) fn write(scene: &SimulateScene, course: &Course, out: &mut dyn Write) -> io::Result<()> {
    let last = course.rows.last();
    let overlap = |overlap: &Overlap| {
        let [a, b] = overlap.bodies.map(|body| scene.name(body));
        OverlapJson { time: overlap.time, a, b }
    };
    let left_out = |LeftOut { bodies, depth }: &LeftOut| {
        let [a, b] = bodies.map(|body| scene.name(body));
        let why = if scene.is_uncolliding(*bodies) { "collide_false" } else { "overlap_at_start" };
        LeftOutJson { a, b, why, depth: *depth }
    };
    let passing = |LeftOut { bodies, depth }: &LeftOut| {
        let [a, b] = bodies.map(|body| scene.name(body));
        LeftOutJson { a, b, why: "neither_gives_way", depth: *depth }
    };
    let summary = SummaryJson {
        title: scene.title(),
        warnings: scene.warnings(),
        bodies: scene.names().len(),
        sheets: scene.sheets().len(),
        dynamic: last.map_or(0, |row| row.moving + row.asleep),
        asleep: last.map_or(0, |row| row.asleep),
        dt: scene.dt(),
        steps: scene.steps(),
        seconds: course.world.time(),
        impacts: course.impacts,
        parts: course.parts,
        waits: course.waits,
        joint_gap: GapJson { length: course.joint_gap.length, angle: course.joint_gap.angle },
        overlaps: course.findings.overlaps.iter().map(overlap).collect(),
        crossings: course.findings.crossings.iter().map(overlap).collect(),
        worst_depth: course.findings.worst_depth,
        left_out: {
            let Findings { left_out: linked, passing: passed, .. } = &course.findings;
            linked.iter().map(left_out).chain(passed.iter().map(passing)).collect()
        },
        checked_frames: course.findings.frames,
        checked_steps: course.findings.steps,
        energy: EnergiesJson {
            start: EnergyJson::from(course.energy[0]),
            end: EnergyJson::from(course.energy[1]),
        },
        hash: format!("{:016x}", course.world.fingerprint()),
        wall_seconds: course.took.as_secs_f64(),
    };
    serde_json::to_writer(&mut *out, &summary)?;
    writeln!(out)
}

#[derive(Serialize)]
struct SummaryJson<'c> {
    title: &'c str,
    warnings: &'c [String],
    bodies: usize,
    sheets: usize,
    dynamic: usize,
    asleep: usize,
    dt: f64,
    steps: u32,
    seconds: f64,
    impacts: usize,
    parts: u64,
    waits: usize,
    joint_gap: GapJson,
    overlaps: Vec<OverlapJson<'c>>,
    crossings: Vec<OverlapJson<'c>>,
    worst_depth: f64,
    left_out: Vec<LeftOutJson<'c>>,
    checked_frames: u32,
    checked_steps: u32,
    energy: EnergiesJson,
    hash: String,
    wall_seconds: f64,
}

/// In metres, and the sine of an angle.
#[derive(Serialize)]
struct GapJson {
    length: f64,
    angle: f64,
}

#[derive(Serialize)]
struct OverlapJson<'c> {
    time: f64,
    a: &'c str,
    b: &'c str,
}

#[derive(Serialize)]
struct LeftOutJson<'c> {
    a: &'c str,
    b: &'c str,
    why: &'static str,
    depth: f64,
}

#[derive(Serialize)]
struct EnergiesJson {
    start: EnergyJson,
    end: EnergyJson,
}

#[derive(Serialize)]
struct EnergyJson {
    kinetic: f64,
    potential: f64,
}

impl From<Energy> for EnergyJson {
    fn from(Energy { kinetic, potential }: Energy) -> Self {
        Self { kinetic, potential }
    }
}
