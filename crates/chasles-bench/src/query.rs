//! The chasles side of a measurement.

use chasles::mesh::MeshError;
use chasles::{Collider, Contact, Options, Polyhedron, Pose, Step, Workspace, contacts};

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

/// A query in its steady state: colliders built, workspace grown.
#[derive(Clone, Debug)]
pub struct Query {
    a: Collider,
    b: Collider,
    poses: [[Pose; 2]; 2],
    options: Options,
    workspace: Workspace,
}

impl Query {
    /// Builds the colliders and runs once, so that the workspace has its size.
    ///
    /// *Fails* if a body is no mesh.
    pub fn new(case: &Case, mode: Mode) -> Result<Self, MeshError> {
        let collider = |body: &Body| Ok(Collider::new(Polyhedron::new(&body.polygons)?));
        let mut query = Self {
            a: collider(&case.a)?,
            b: collider(&case.b)?,
            poses: [case.a.poses, case.b.poses],
            options: mode.options(),
            workspace: Workspace::new(),
        };
        query.run();
        Ok(query)
    }

    /// What is timed: from four poses to sorted contacts.
    pub fn run(&mut self) -> &[Contact] {
        let [a, b] = self.poses;
        let step = Step::between(a, b);
        contacts(&self.a, &self.b, &step, &self.options, &mut self.workspace)
    }
}
