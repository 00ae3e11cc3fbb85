//! The chasles side of a measurement.

use chasles::glam::DQuat;
use chasles::mesh::MeshError;
use chasles::{Collider, Contact, Motion, Options, Polyhedron, Pose, Step, Workspace, contacts};
use chasles_testkit::generate::Random;

use crate::cases::{Body, Case};

/// What a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Facing, approaching contacts with a properness of at least -0.1: what a response needs.
    Facing,
    /// Every contact of the step.
    All,
    /// The earliest contact only: what parry answers.
    First,
}

impl Mode {
    /// All modes, in the order of the tables.
    pub const ALL: [Self; 3] = [Self::Facing, Self::All, Self::First];

    /// The name in tables and bench ids.
    pub fn name(self) -> &'static str {
        match self {
            Self::Facing => "facing",
            Self::All => "all",
            Self::First => "first",
        }
    }

    /// The options that ask for it.
    pub fn options(self) -> Options {
        let all = Options::default();
        match self {
            Self::Facing => Options { facing: true, min_properness: -0.1, ..all },
            Self::All => all,
            Self::First => Options { first_only: true, ..all },
        }
    }
}

/// Two colliders and their poses, built once and shared by queries.
#[derive(Clone, Debug)]
pub struct Pair {
    a: Collider,
    b: Collider,
    poses: Poses,
}

impl Pair {
    /// Builds both colliders.
    ///
    /// *Fails* if a body is no mesh.
    pub fn new(case: &Case) -> Result<Self, MeshError> {
        let mesh = |body: &Body| Polyhedron::new(&body.polygons);
        Ok(Self::from_meshes([mesh(&case.a)?, mesh(&case.b)?], [case.a.poses, case.b.poses]))
    }

    /// Builds both colliders from meshes: the preprocessing that `growth` times.
    pub fn from_meshes([a, b]: [Polyhedron; 2], poses: Poses) -> Self {
        Self { a: Collider::new(a), b: Collider::new(b), poses }
    }

    /// Other end poses for the same bodies.
    pub fn set_poses(&mut self, poses: Poses) {
        self.poses = poses;
    }

    /// [`MIXED`] motions that differ a little from that of the pair: B is turned by up to 0.1 about
    /// each axis and shifted by up to 0.02 along each before, and by as much again on the way. They
    /// hit if that of the pair does, and else miss.
    ///
    /// # Panics
    ///
    /// Never: what is a little off is as finite as before.
    pub fn mixed(&self) -> Vec<Poses> {
        let [a, [start, end]] = self.poses;
        let mut random = Random::new(1);
        let mut little = || {
            let turn = DQuat::from_scaled_axis(0.1 * random.vector());
            Pose::new(0.02 * random.vector(), turn).expect("small numbers are finite")
        };
        let mut hits = self.query(Mode::First);
        let is_hit = !hits.run().is_empty();
        let mut motions = Vec::with_capacity(MIXED);
        while motions.len() < MIXED {
            let before = little();
            let poses = [a, [start.after(&before), end.after(&before).after(&little())]];
            let found =
                contacts(&self.a, &self.b, &step(&poses), &hits.options, &mut hits.workspace);
            if found.is_empty() != is_hit {
                motions.push(poses);
            }
        }
        motions
    }

    /// Queries with these motions in turn, with a workspace of their own.
    ///
    /// # Panics
    ///
    /// If there are no motions.
    pub fn in_turn<'p>(&'p self, mode: Mode, motions: &'p [Poses]) -> InTurn<'p> {
        assert!(!motions.is_empty(), "no motions to take turns");
        let (options, workspace) = (mode.options(), Workspace::new());
        InTurn { pair: self, motions, next: 0, options, workspace }
    }

    /// A query with a workspace of its own, not yet grown.
    pub fn query(&self, mode: Mode) -> Query<'_> {
        Query { pair: self, options: mode.options(), workspace: Workspace::new() }
    }
}

/// How many different motions a mixed row has: far more than a processor learns the branches of.
pub const MIXED: usize = 256;

/// Start and end of A, and of B.
pub type Poses = [[Pose; 2]; 2];

/// Queries of the same bodies under different motions, one after the other, and again from the
/// first.
#[derive(Clone, Debug)]
pub struct InTurn<'p> {
    pair: &'p Pair,
    motions: &'p [Poses],
    next: usize,
    options: Options,
    workspace: Workspace,
}

impl InTurn<'_> {
    /// What is timed: the next query, from four poses to sorted contacts.
    pub fn run(&mut self) -> &[Contact] {
        let poses = &self.motions[self.next];
        self.next = (self.next + 1) % self.motions.len();
        let Pair { a, b, .. } = self.pair;
        contacts(a, b, &step(poses), &self.options, &mut self.workspace)
    }
}

fn step([a, b]: &Poses) -> Step {
    Step::new(Motion::between(a[0], a[1]), Motion::between(b[0], b[1]))
}

/// A query that is asked again and again.
#[derive(Clone, Debug)]
pub struct Query<'p> {
    pair: &'p Pair,
    options: Options,
    workspace: Workspace,
}

impl Query<'_> {
    /// What is timed: from four poses to sorted contacts.
    pub fn run(&mut self) -> &[Contact] {
        let Pair { a, b, poses } = self.pair;
        contacts(a, b, &step(poses), &self.options, &mut self.workspace)
    }
}
