//! What is kept of a simulation for its page: poses, energies, impacts, and how near bodies are.

use std::collections::BTreeMap;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::World;
use chasles_dynamics::world::Impact;
use chasles_scene::SimulateScene;

use super::limits::{self, EVENTS, POSE};
use super::mesh::Surface;
use crate::simulate::{Energy, Inspector, Moment, moving, smallest_gap};

/// Frames of a page at most: a plot has no more pixels to tell them apart.
const MOST_FRAMES: usize = 1000;

/// Frames in which bodies are asked how near they are, at most: that may take longer than the
/// steps.
const MOST_MEASURED: u32 = 160;

/// A film with what is measured along it.
#[derive(Clone, Debug)]
pub struct Reel {
    /// Of so many steps one is kept; the last always is.
    every: u32,
    steps: u32,
    pub(super) times: Vec<f64>,
    /// By the number of the body.
    tracks: BTreeMap<usize, Vec<Pose>>,
    /// Positions for each frame, of each sheet.
    pub(super) sheets: Vec<Vec<Vec<DVec3>>>,
    pub(super) states: Vec<State>,
    pub(super) impacts: Vec<Impact>,
    /// The start, the middle and the end, for stills.
    pub(super) moments: Vec<Moment>,
}

/// What is measured in a frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) kinetic: f64,
    pub(super) potential: f64,
    /// Linear, and angular about the origin.
    pub(super) momentum: [DVec3; 2],
    /// Absent where nobody looked.
    pub(super) nearness: Option<Nearness>,
}

/// How near to each other bodies are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearness {
    /// How many are in each other, sheets among them.
    pub(super) overlaps: usize,
    /// How deep bodies are in each other at most.
    pub(super) depth: f64,
    /// The smallest gap; infinite if none are near each other.
    pub(super) gap: f64,
}

impl Nearness {
    fn of(world: &World) -> Self {
        let mut inspector = Inspector::default();
        inspector.look(world);
        let found = inspector.into_findings();
        Self {
            overlaps: found.overlaps.len(),
            depth: found.worst_depth,
            gap: smallest_gap(world).unwrap_or(f64::INFINITY),
        }
    }
}

impl State {
    fn of(world: &World, is_measured: bool) -> Self {
        let Energy { kinetic, potential } = Energy::of(world);
        let add = |[p, l]: [DVec3; 2], [q, m]: [DVec3; 2]| [p + q, l + m];
        let bodies = world.bodies().iter().map(|body| body.momentum());
        Self {
            kinetic,
            potential,
            momentum: bodies.fold([DVec3::ZERO; 2], add),
            nearness: is_measured.then(|| Nearness::of(world)),
        }
    }
}

impl Reel {
    /// A reel of a scene, with its beginning.
    pub fn new(scene: &SimulateScene) -> Self {
        let vertices: usize = scene.world().sheets().iter().map(|s| s.positions().len()).sum();
        // The positions of a sheet are shorts.
        let bytes = POSE * moving(scene).count() + 6 * vertices;
        let most = limits::frames(meshes(scene), bytes).min(MOST_FRAMES) as u32;
        let mut reel = Self {
            // The first frame and the last come on top of those between.
            every: scene.steps().div_ceil((most - 1).max(1)).max(1),
            steps: scene.steps(),
            times: Vec::new(),
            tracks: moving(scene).map(|body| (body, Vec::new())).collect(),
            sheets: vec![Vec::new(); scene.sheets().len()],
            states: Vec::new(),
            impacts: Vec::new(),
            moments: vec![Moment::of(scene.world())],
        };
        reel.keep(scene.world(), 0);
        reel
    }

    /// One more step, after which the world is as it is.
    pub fn add(&mut self, world: &World, step: u32, impacts: &[Impact]) {
        self.impacts.extend_from_slice(impacts);
        if self.impacts.len() > 4 * EVENTS {
            self.drop_weak();
        }
        if step == self.steps / 2 || step == self.steps {
            self.moments.push(Moment::of(world));
        }
        if step.is_multiple_of(self.every) || step == self.steps {
            self.keep(world, step);
        }
    }

    /// Leaves the impacts that a page shows, in the order of time.
    pub fn finish(&mut self) {
        self.drop_weak();
        self.impacts.sort_by(|p, q| p.time.total_cmp(&q.time));
    }

    fn drop_weak(&mut self) {
        if self.impacts.len() > EVENTS {
            let strength = |impact: &Impact| impact.impulse.length_squared();
            self.impacts.sort_by(|p, q| strength(q).total_cmp(&strength(p)));
            self.impacts.truncate(EVENTS);
        }
    }

    fn keep(&mut self, world: &World, step: u32) {
        self.times.push(world.time());
        for (body, poses) in &mut self.tracks {
            poses.push(world.bodies()[*body].pose());
        }
        for (sets, sheet) in self.sheets.iter_mut().zip(world.sheets()) {
            sets.push(sheet.positions().to_vec());
        }
        let every = self.every * (self.steps / self.every).div_ceil(MOST_MEASURED).max(1);
        let is_measured = step.is_multiple_of(every) || step == self.steps;
        self.states.push(State::of(world, is_measured));
    }

    /// Where a body is in each frame; none if it never moves.
    pub(super) fn track(&self, body: usize) -> Option<&[Pose]> {
        self.tracks.get(&body).map(Vec::as_slice)
    }

    /// What is left out of all that happened.
    pub(super) fn notes(&self, impacts: usize) -> Vec<String> {
        let mut notes = Vec::new();
        if self.every > 1 {
            notes.push(format!(
                "One of {} steps is a frame of this page: {} of {}. --trajectory writes all.",
                self.every,
                self.times.len(),
                self.steps + 1
            ));
        }
        if self.impacts.len() < impacts {
            let kept = self.impacts.len();
            notes.push(format!("The table has the {kept} strongest of {impacts} impacts."));
        }
        notes
    }
}

/// The bytes of all meshes of a scene.
fn meshes(scene: &SimulateScene) -> usize {
    let bodies = scene.world().bodies();
    let tables = scene.tables().map(|(_, first)| bodies[first].collider().mesh());
    tables.map(|mesh| Surface::rigid(mesh).bytes()).sum()
}
