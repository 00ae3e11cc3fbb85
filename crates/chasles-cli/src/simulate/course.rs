//! What is kept of a world that went from step to step.

use std::time::Duration;

use chasles_dynamics::linkage::Gap;
use chasles_dynamics::{Report, World};

use super::check::Findings;
use super::moment::{Energy, Moment};
use crate::gltf::Film;
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
    pub(super) fn of(world: &World, impacts: usize, report: &Report) -> Self {
        let dynamic = || world.bodies().iter().filter(|body| body.mass_properties().is_some());
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

impl Course {
    pub(super) fn add(&mut self, report: &Report) {
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
