//! A world from step to step, and what is kept of it.

use std::io::Write;
use std::time::{Duration, Instant};

use chasles::Pose;
use chasles_dynamics::linkage::Gap;
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::{Body, Report, World};
use chasles_scene::SimulateScene;

use super::check::{Findings, Inspector};
use super::{Film, Stop, film, frames, trajectory};
use crate::args::SimulateArgs;
use crate::progress::Progress;
use crate::report::Reel;

/// What became of a scene.
#[derive(Clone, Debug)]
pub struct Course {
    /// The world at the end.
    pub world: World,
    /// A row for each second.
    pub rows: Vec<Row>,
    /// Impacts in all.
    pub impacts: usize,
    /// The size of the strongest impact, and its time; absent where nothing hits anything.
    pub strongest: Option<[f64; 2]>,
    /// Parts into which islands cut the steps, in all.
    pub parts: u64,
    /// How often a body had to wait, in all.
    pub waits: usize,
    /// How far joints were open at the end of a step, at most.
    pub joint_gap: Gap,
    /// At the start and at the end.
    pub energy: [Energy; 2],
    /// Bodies found in each other, which should be none.
    pub findings: Findings,
    /// What the picture shows.
    pub moment: Moment,
    /// What an animated picture shows, if it is asked for.
    pub frames: Vec<Moment>,
    /// All poses, if they are asked for.
    pub film: Option<Film>,
    /// What the page shows, if it is asked for.
    pub reel: Option<Reel>,
    /// How long the steps took.
    pub took: Duration,
}

/// Where all bodies are at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// In seconds.
    pub time: f64,
    /// In the order of the world.
    pub poses: Vec<Pose>,
    /// The sheets, in the order of the world.
    pub sheets: Vec<Sheet>,
}

impl Moment {
    pub(crate) fn of(world: &World) -> Self {
        let poses = world.bodies().iter().map(Body::pose).collect();
        Self { time: world.time(), poses, sheets: world.sheets().to_vec() }
    }
}

/// The energy of all dynamic bodies and sheets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Of their motion.
    pub kinetic: f64,
    /// Of their height, from the origin of the world, and of the springs of sheets.
    pub potential: f64,
}

impl Energy {
    /// The energy of a world as it is.
    pub fn of(world: &World) -> Self {
        let potential = |body: &Body| {
            let weight = |mass: f64| -mass * world.options().gravity.dot(body.centre());
            body.solidity().map_or(0.0, |solidity| weight(solidity.mass()))
        };
        let mut energy = Self {
            kinetic: world.bodies().iter().map(Body::kinetic_energy).sum(),
            potential: world.bodies().iter().map(potential).sum(),
        };
        for sheet in world.sheets() {
            let [motion, springs, height] = sheet.energy(world.options().gravity);
            energy.kinetic += motion;
            energy.potential += springs + height;
        }
        energy
    }
}

/// One second, or what is left of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// Its end, in seconds.
    pub time: f64,
    /// Impacts during it.
    pub impacts: usize,
    /// Points of resting contact at its end.
    pub contacts: usize,
    /// Dynamic bodies that are awake at its end.
    pub moving: usize,
    /// Those that sleep.
    pub asleep: usize,
    /// The kinetic energy at its end.
    pub kinetic: f64,
}

impl Row {
    fn of(world: &World, impacts: usize, report: &Report) -> Self {
        let dynamic = || world.bodies().iter().filter(|body| body.solidity().is_some());
        let asleep = dynamic().filter(|body| body.is_asleep()).count();
        Self {
            time: world.time(),
            impacts,
            contacts: report.contacts,
            moving: dynamic().count() - asleep,
            asleep,
            kinetic: Energy::of(world).kinetic,
        }
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

impl Course {
    fn add(&mut self, report: &Report) {
        self.impacts += report.impacts.len();
        for impact in &report.impacts {
            let strength = impact.impulse.length();
            if self.strongest.is_none_or(|[most, _]| strength > most) {
                self.strongest = Some([strength, impact.time]);
            }
        }
        self.parts += u64::from(report.parts);
        self.waits += report.waiting.len();
        self.joint_gap.length = self.joint_gap.length.max(report.gap.length);
        self.joint_gap.angle = self.joint_gap.angle.max(report.gap.angle);
    }
}
