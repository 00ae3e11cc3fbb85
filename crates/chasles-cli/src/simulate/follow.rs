//! A scene from step to step.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use chasles_dynamics::linkage::Gap;
use chasles_dynamics::{Report, WorldError};
use chasles_scene::SimulateScene;

use super::check::{Findings, Inspector};
use super::course::{Course, Row};
use super::moment::{Energy, Moment};
use super::{film, frames, trajectory};
use crate::args::SimulateArgs;
use crate::progress::Progress;
use crate::report::Reel;

/// Why following a scene stops.
#[derive(Debug)]
pub(super) enum Stop {
    Write(io::Error),
    World { time: f64, error: WorldError },
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Takes all steps of a scene, and writes a line of the trajectory for each.
pub(super) fn follow(
    scene: &SimulateScene,
    args: &SimulateArgs,
    mut out: Option<&mut dyn Write>,
    progress: &Progress,
) -> Result<Course, Stop> {
    let mut world = scene.world().clone();
    world.record(args.check);
    let mut inspector = Inspector::default();
    let (steps, dt) = (scene.steps(), scene.dt());
    let shown = args.at.map_or(steps, |at| ((at / dt).round() as u32).min(steps));
    let start = Energy::of(&world);
    let kept = frames::kept(args, steps, dt);
    let mut course = Course {
        rows: Vec::new(),
        impacts: 0,
        strongest: None,
        parts: 0,
        waits: 0,
        joint_gap: Gap::default(),
        energy: [start; 2],
        findings: Findings::default(),
        moment: Moment::of(&world),
        frames: kept.contains(&0).then(|| Moment::of(&world)).into_iter().collect(),
        film: args.gltf.as_ref().map(|_| film::begun(scene)),
        reel: args.report.report.as_ref().map(|_| Reel::new(scene)),
        took: Duration::ZERO,
        world: world.clone(),
    };
    if let Some(out) = &mut out {
        trajectory::write_line(scene, &world, &Report::default(), out)?;
    }
    let mut before = 0;
    for step in 1..=steps {
        let time = world.time();
        let started = Instant::now();
        let report = world.step(dt).map_err(|error| Stop::World { time, error })?;
        course.took += started.elapsed();
        course.add(&report);
        if let Some(out) = &mut out {
            trajectory::write_line(scene, &world, &report, out)?;
        }
        if let Some(frames) = &mut course.film {
            film::add(frames, &world);
        }
        if let Some(reel) = &mut course.reel {
            reel.add(&world, step, &report.impacts);
        }
        if args.check {
            inspector.follow(&world, &report);
        }
        if args.check || step == steps {
            inspector.look(&world);
        }
        if kept.contains(&step) {
            course.frames.push(Moment::of(&world));
        }
        if step == shown {
            course.moment = Moment::of(&world);
        }
        let is_second = whole_seconds(step, dt) > whole_seconds(step - 1, dt);
        if is_second || step == steps {
            course.rows.push(Row::of(&world, course.impacts - before, &report));
            before = course.impacts;
        }
        progress.advance();
    }
    if let Some(reel) = &mut course.reel {
        reel.finish();
    }
    course.findings = inspector.into_findings();
    course.energy[1] = Energy::of(&world);
    course.world = world;
    Ok(course)
}

/// Seconds that have passed, to the rounding of many steps.
fn whole_seconds(step: u32, dt: f64) -> f64 {
    (f64::from(step) * dt * (1.0 + 1e-12)).floor()
}
