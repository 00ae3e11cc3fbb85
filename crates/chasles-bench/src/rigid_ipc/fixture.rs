//! Files of the benchmark as they are written. Keys that steer its authors' solver are passed over.

use serde::Deserialize;

/// One scene.
#[derive(Debug, Deserialize)]
pub(super) struct Fixture {
    /// The length of a step in seconds.
    #[serde(default = "timestep")]
    pub(super) timestep: f64,
    /// How long, in seconds.
    pub(super) max_time: Option<f64>,
    /// How many steps, where no time is given.
    pub(super) max_iterations: Option<f64>,
    #[serde(rename = "rigid_body_problem")]
    pub(super) problem: Problem,
}

fn timestep() -> f64 {
    0.01
}

/// Bodies, and what they have in common.
#[derive(Debug, Deserialize)]
pub(super) struct Problem {
    #[serde(default)]
    pub(super) gravity: [f64; 3],
    #[serde(default)]
    pub(super) coefficient_friction: f64,
    /// Below 0 it means 0.
    #[serde(default)]
    pub(super) coefficient_restitution: f64,
    pub(super) rigid_bodies: Vec<Entry>,
}

/// One body.
#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    /// A file below `meshes`.
    pub(super) mesh: Option<String>,
    #[serde(default)]
    pub(super) vertices: Vec<[f64; 3]>,
    #[serde(default)]
    pub(super) edges: Vec<[u32; 2]>,
    #[serde(default)]
    pub(super) faces: Vec<Vec<u32>>,
    pub(super) scale: Option<Scale>,
    pub(super) dimensions: Option<[f64; 3]>,
    /// Degrees about x, then y, then z.
    #[serde(default)]
    pub(super) rotation: [f64; 3],
    #[serde(default)]
    pub(super) position: [f64; 3],
    #[serde(default = "density")]
    pub(super) density: f64,
    #[serde(default)]
    pub(super) linear_velocity: [f64; 3],
    /// Degrees per second.
    #[serde(default)]
    pub(super) angular_velocity: [f64; 3],
    #[serde(default)]
    pub(super) force: [f64; 3],
    /// Degrees stand for radians here too: newton metres times 180 / pi.
    #[serde(default)]
    pub(super) torque: [f64; 3],
    pub(super) is_dof_fixed: Option<Fixed>,
    #[serde(default, rename = "type")]
    pub(super) kind: KindEntry,
    #[serde(default)]
    pub(super) kinematic_poses: Vec<PoseEntry>,
    pub(super) kinematic_max_time: Option<f64>,
    #[serde(default)]
    pub(super) split_components: bool,
    #[serde(default = "enabled")]
    pub(super) enabled: bool,
    pub(super) group_id: Option<i64>,
}

fn density() -> f64 {
    1000.0
}

fn enabled() -> bool {
    true
}

/// Where a body is at the end of a step.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(super) struct PoseEntry {
    #[serde(default)]
    pub(super) position: [f64; 3],
    /// Degrees about x, then y, then z.
    #[serde(default)]
    pub(super) rotation: [f64; 3],
}

/// What moves a body.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub(super) enum KindEntry {
    /// Forces.
    #[default]
    Dynamic,
    /// Nothing.
    Static,
    /// Its velocities, whatever it meets.
    Kinematic,
}

/// One factor, or one along each axis.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Scale {
    One(f64),
    Three([f64; 3]),
}

/// All directions, or x, y, z and turns about x, y, z.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Fixed {
    All(bool),
    Six([bool; 6]),
}

impl Fixed {
    pub(super) fn directions(self) -> [bool; 6] {
        match self {
            Self::All(is_fixed) => [is_fixed; 6],
            Self::Six(directions) => directions,
        }
    }
}
