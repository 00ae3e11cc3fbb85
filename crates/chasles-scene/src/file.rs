//! The scene file as it is written: keys, types and defaults, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use toml::de::DeTable;

use crate::error::{Fault, Problem};
use crate::keys::{self, Use};
use crate::schema::AnyBody;
use crate::simulate::{self, JointEntry, SheetEntry, SimulateProblem, WorldEntry};
use crate::solid::{BoundsEntry, SdfEntry, SolidEntry};
use crate::trace::TraceProblem;
pub(crate) use crate::values::List;
pub(crate) use crate::values::{AxisAngle, RotationEntry, Vector};
use chasles::mesh::shapes::Shape;

/// Bodies and how they move in one step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Chasles scene")]
pub(crate) struct SceneFile {
    /// A name for the scene; by default that of the file without its ending.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) title: Option<String>,
    /// The bodies, one `[[body]]` table each.
    #[serde(default)]
    #[schemars(with = "Vec<AnyBody>", length(min = 1))]
    pub(crate) body: Vec<Spanned<TakenOut>>,
    /// For `chasles simulate`: gravity, steps and how long.
    #[serde(default)]
    #[schemars(with = "WorldEntry")]
    pub(crate) world: Option<WorldEntry>,
    /// For `chasles simulate`: what links bodies, one `[[joint]]` table each.
    #[serde(default)]
    #[schemars(with = "Vec<JointEntry>")]
    pub(crate) joint: Vec<Spanned<JointEntry>>,
    /// For `chasles simulate`: cloths and the like, one `[[sheet]]` table each.
    #[serde(default)]
    #[schemars(with = "Vec<SheetEntry>")]
    pub(crate) sheet: Vec<Spanned<SheetEntry>>,
    /// For `chasles collide` and `compare`: cut the step until the relative motion of two bodies
    /// leaves its screws by at most this length, above 0.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) max_departure: Option<Spanned<f64>>,
}

/// What every body may have, whatever the scene is for.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CommonKeys {
    /// Its name, unique in the scene; by default `body-0`, `body-1`, ... by position.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) name: Option<Spanned<String>>,
    /// A mesh file, relative to the scene file. Exactly one of `mesh`, `shape`, `frames`, `solid`,
    /// `sdf` and `expression` is given.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) mesh: Option<Spanned<PathBuf>>,
    /// A built-in shape, such as `{ box = { size = [1, 1, 1] } }`.
    #[serde(default)]
    #[schemars(with = "Shape")]
    pub(crate) shape: Option<Spanned<Shape>>,
    /// Whether the contacts of a body with `frames` with itself are sought; default false.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub(crate) self_collision: Option<Spanned<bool>>,
    /// Factor on all lengths of the mesh, shape, frames or solid, above 0; default 1.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) scale: Option<Spanned<f64>>,
    /// Vertices of `mesh` no farther apart than this length are one, 0 for equal ones only; default
    /// 1e-12 of the size of the body.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) weld: Option<Spanned<f64>>,
    /// Where the body is at time 0; default the origin.
    #[serde(default)]
    #[schemars(with = "PoseEntry")]
    pub(crate) start: Option<Spanned<PoseEntry>>,
}

/// What a body is made of: simulations ask for it, and any scene may say it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatterKeys {
    /// In a simulation: mass per volume, above 0; default 1000, that of water.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) density: Option<Spanned<f64>>,
    /// In a simulation, instead of `density`: the whole mass, above 0.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) mass: Option<Spanned<f64>>,
    /// In a simulation, beside `mass`: moments of inertia about the centre of mass, along the axes
    /// of the body; default those of a body of one density.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) inertia: Option<Spanned<Vector>>,
    /// In a simulation, beside `inertia`: the centre of mass in the body's frame; default that of a
    /// body of one density, or the origin of one that is not closed.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) centre: Option<Spanned<Vector>>,
    /// In a simulation: the share of the speed that a collision gives back, from 0 to 1; of two
    /// bodies the lower counts; default 0.3.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0, max = 1))]
    pub(crate) restitution: Option<Spanned<f64>>,
    /// In a simulation: the coefficient of friction, from 0; of two bodies the larger counts;
    /// default 0.5.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) friction: Option<Spanned<f64>>,
}

/// What a body has in scenes for `chasles collide` and `compare`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CollideKeys {
    /// Two mesh files with the same faces: the body at time 0 and at time 1, in the world frame.
    /// Its vertices move in straight lines between; there is no `start`, `end` or `twist` then.
    #[serde(default)]
    #[schemars(with = "[String; 2]")]
    pub(crate) frames: Option<Spanned<FramesEntry>>,
    /// A solid that is not a mesh: a sphere, a capsule, a cylinder, a cone or an ellipsoid, which
    /// are round exactly, such as `{ sphere = { radius = 0.5 } }`; or for `--method path` another
    /// one, or one made of others.
    #[serde(default)]
    #[schemars(with = "SolidEntry")]
    pub(crate) solid: Option<Spanned<SolidEntry>>,
    /// For `--method path`: a distance field, a file of `chasles field` or a mesh to sample.
    #[serde(default)]
    #[schemars(with = "SdfEntry")]
    pub(crate) sdf: Option<Spanned<SdfEntry>>,
    /// For `--method path`: a formula in x, y and z; the body is where it is not positive.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) expression: Option<Spanned<String>>,
    /// The lowest and the highest corner of a box that cuts the solid of `expression`; default
    /// none.
    #[serde(default)]
    #[schemars(with = "BoundsEntry")]
    pub(crate) bounds: Option<Spanned<BoundsEntry>>,
    /// Where the body is at time 1; what is left out is as in `start`. Degrees about the same axis
    /// as in `start`, or where that has no rotation, count literally, also beyond 180; otherwise
    /// the body turns the shorter way.
    #[serde(default)]
    #[schemars(with = "PoseEntry")]
    pub(crate) end: Option<Spanned<PoseEntry>>,
    /// Instead of `end`: a constant twist, which may turn any number of times; in a simulation,
    /// that of a kinematic or yielding body, per second.
    #[serde(default)]
    #[schemars(with = "TwistEntry")]
    pub(crate) twist: Option<Spanned<TwistEntry>>,
    /// Instead of `end`: constant linear and angular velocity.
    #[serde(default)]
    #[schemars(with = "FlightEntry")]
    pub(crate) flight: Option<Spanned<FlightEntry>>,
}

impl Use for CollideKeys {
    fn foreign(body: String, key: &'static str) -> Problem {
        match keys::of_trace().contains(&key) {
            true => TraceProblem::NotOfCollide { body, key }.into(),
            false => SimulateProblem::OfSimulate { body, key }.into(),
        }
    }

    fn check(file: &SceneFile, _: &[Spanned<DeTable<'_>>]) -> Result<(), Fault> {
        simulate::refuse(file)
    }
}

/// The table of a body once its keys are taken out of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TakenOut {}

/// The mesh files of a body that deforms, at the start and at the end.
#[derive(Debug)]
pub(crate) struct FramesEntry(pub(crate) [Spanned<PathBuf>; 2]);

impl<'de> Deserialize<'de> for FramesEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "two mesh files [\"start.obj\", \"end.obj\"]";
        deserializer.deserialize_seq(List::new(expected)).map(Self)
    }
}

/// A position and an orientation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PoseEntry {
    /// Where the body's origin is; default `[0, 0, 0]`, and for `end` that of `start`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) position: Option<Vector>,
    /// How the body is turned; default not at all, and for `end` as at the start.
    #[serde(default)]
    #[schemars(with = "RotationEntry")]
    pub(crate) rotation: Option<Spanned<RotationEntry>>,
}

/// A constant twist in the world frame, per step; in a simulation, per second.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TwistEntry {
    /// Velocity of the material point at `point`, per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) linear: Option<Vector>,
    /// Rotation vector: unit axis times angle in radians per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) angular: Option<Vector>,
    /// The point that `linear` speaks of, in the world frame; default the origin.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) point: Option<Vector>,
}

/// Constant velocities in the world frame, per step: a point of the body moves straight, and the
/// body turns about it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FlightEntry {
    /// Velocity of the pivot, per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) linear: Option<Vector>,
    /// Rotation vector: unit axis times angle in radians per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) angular: Option<Vector>,
    /// The point that moves straight, in the body's frame; default its origin.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) pivot: Option<Vector>,
}

/// A turn about an axis in the world, counter-clockwise when the axis points at the eye.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnEntry {
    /// A point of the axis; default `[0, 0, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) origin: Option<Vector>,
    /// The direction of the axis; its length does not matter.
    pub(crate) axis: Vector,
    /// The angle in degrees; may exceed a whole turn.
    pub(crate) degrees: f64,
}
