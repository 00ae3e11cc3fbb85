//! The scene file as it is written: keys, types and defaults, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::simulate::{CopiesEntry, JointEntry, KeyframeEntry, KindEntry, SheetEntry, WorldEntry};
use crate::solid::{BoundsEntry, SdfEntry, SolidEntry};
use crate::trace::WalkEntry;
pub(crate) use crate::values::List;
pub use crate::values::{AxisAngle, RotationEntry, Vector};
use chasles::mesh::shapes::Shape;

/// Bodies and how they move in one step.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Chasles scene")]
pub struct SceneFile {
    /// A name for the scene; by default that of the file without its ending.
    #[serde(default)]
    #[schemars(with = "String")]
    pub title: Option<String>,
    /// The bodies, one `[[body]]` table each.
    #[serde(default)]
    #[schemars(with = "Vec<BodyEntry>", length(min = 1))]
    pub body: Vec<Spanned<BodyEntry>>,
    /// For `chasles simulate`: gravity, steps and how long.
    #[serde(default)]
    #[schemars(with = "WorldEntry")]
    pub world: Option<WorldEntry>,
    /// For `chasles simulate`: what links bodies, one `[[joint]]` table each.
    #[serde(default)]
    #[schemars(with = "Vec<JointEntry>")]
    pub joint: Vec<Spanned<JointEntry>>,
    /// For `chasles simulate`: cloths and the like, one `[[sheet]]` table each.
    #[serde(default)]
    #[schemars(with = "Vec<SheetEntry>")]
    pub sheet: Vec<Spanned<SheetEntry>>,
    /// For `chasles collide` and `compare`: cut the step until the relative motion of two bodies
    /// leaves its screws by at most this length, above 0.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub max_departure: Option<Spanned<f64>>,
}

/// One body: what it looks like and how it moves.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [
    { "required": ["mesh"] }, { "required": ["shape"] }, { "required": ["frames"] },
    { "required": ["solid"] }, { "required": ["sdf"] }, { "required": ["expression"] }
]))]
#[schemars(extend("not" = { "anyOf": [
    { "required": ["end", "twist"] },
    { "required": ["end", "flight"] },
    { "required": ["twist", "flight"] },
    { "required": ["frames", "flight"] },
    { "required": ["flight", "moving"] },
    { "required": ["frames", "start"] },
    { "required": ["frames", "end"] },
    { "required": ["frames", "twist"] },
    { "required": ["frames", "moving"] },
    { "required": ["end", "moving"] },
    { "required": ["twist", "moving"] },
    { "required": ["solid", "moving"] },
    { "required": ["sdf", "moving"] },
    { "required": ["expression", "moving"] },
    { "required": ["walk", "translate"] },
    { "required": ["walk", "rotate"] },
    { "required": ["keyframes", "twist"] },
    { "required": ["keyframes", "start"] },
    { "required": ["density", "mass"] }
] }))]
#[schemars(extend("dependentRequired" = {
    "translate": ["moving"], "rotate": ["moving"], "portions": ["translate", "rotate"],
    "walk": ["moving"], "weld": ["mesh"],
    "bounds": ["expression"], "inertia": ["mass"], "centre": ["inertia"],
    "keyframes": ["kind"]
}))]
#[schemars(extend("if" = {
    "required": ["self_collision"], "properties": { "self_collision": { "const": true } }
}))]
#[schemars(extend("then" = { "required": ["frames"] }))]
pub struct BodyEntry {
    /// Its name, unique in the scene; by default `body-0`, `body-1`, ... by position.
    #[serde(default)]
    #[schemars(with = "String")]
    pub name: Option<Spanned<String>>,
    /// A mesh file, relative to the scene file. Exactly one of `mesh`, `shape`, `frames`, `solid`,
    /// `sdf` and `expression` is given.
    #[serde(default)]
    #[schemars(with = "String")]
    pub mesh: Option<Spanned<PathBuf>>,
    /// A built-in shape, such as `{ box = { size = [1, 1, 1] } }`.
    #[serde(default)]
    #[schemars(with = "Shape")]
    pub shape: Option<Spanned<Shape>>,
    /// Two mesh files with the same faces: the body at time 0 and at time 1, in the world frame. Its
    /// vertices move in straight lines between; there is no `start`, `end` or `twist` then.
    #[serde(default)]
    #[schemars(with = "[String; 2]")]
    pub frames: Option<Spanned<FramesEntry>>,
    /// For `--method path`: a solid that is not a mesh, such as `{ sphere = { radius = 0.5 } }`, or one
    /// made of others.
    #[serde(default)]
    #[schemars(with = "SolidEntry")]
    pub solid: Option<Spanned<SolidEntry>>,
    /// For `--method path`: a distance field, a file of `chasles field` or a mesh to sample.
    #[serde(default)]
    #[schemars(with = "SdfEntry")]
    pub sdf: Option<Spanned<SdfEntry>>,
    /// For `--method path`: a formula in x, y and z; the body is where it is not positive.
    #[serde(default)]
    #[schemars(with = "String")]
    pub expression: Option<Spanned<String>>,
    /// The lowest and the highest corner of a box that cuts the solid of `expression`; default none.
    #[serde(default)]
    #[schemars(with = "BoundsEntry")]
    pub bounds: Option<Spanned<BoundsEntry>>,
    /// Whether the contacts of a body with `frames` with itself are sought; default false.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub self_collision: Option<Spanned<bool>>,
    /// Factor on all lengths of the mesh, shape, frames or solid, above 0; default 1.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub scale: Option<Spanned<f64>>,
    /// Vertices of `mesh` no farther apart than this length are one, 0 for equal ones only; default
    /// 1e-12 of the size of the body.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub weld: Option<Spanned<f64>>,
    /// Where the body is at time 0; default the origin.
    #[serde(default)]
    #[schemars(with = "PoseEntry")]
    pub start: Option<Spanned<PoseEntry>>,
    /// Where the body is at time 1; what is left out is as in `start`. Degrees about the same axis
    /// as in `start`, or where that has no rotation, count literally, also beyond 180; otherwise
    /// the body turns the shorter way.
    #[serde(default)]
    #[schemars(with = "PoseEntry")]
    pub end: Option<Spanned<PoseEntry>>,
    /// Instead of `end`: a constant twist, which may turn any number of times; in a simulation, that of
    /// a kinematic or yielding body, per second.
    #[serde(default)]
    #[schemars(with = "TwistEntry")]
    pub twist: Option<Spanned<TwistEntry>>,
    /// Instead of `end`: constant linear and angular velocity.
    #[serde(default)]
    #[schemars(with = "FlightEntry")]
    pub flight: Option<Spanned<FlightEntry>>,
    /// Whether `chasles trace` moves this body through the world, which is all other bodies; default
    /// false. Such a body has `translate` or `rotate`, or both, or `walk`.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub moving: Option<Spanned<bool>>,
    /// In a trace: how far a moving body shall go.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub translate: Option<Spanned<Vector>>,
    /// In a trace: by what a moving body shall turn.
    #[serde(default)]
    #[schemars(with = "TurnEntry")]
    pub rotate: Option<Spanned<TurnEntry>>,
    /// In a trace with both `translate` and `rotate`: in how many portions, each a shift and then a
    /// turn; from 1 to 65536, default 16.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = 65536))]
    pub portions: Option<Spanned<u32>>,
    /// In a trace, instead of `translate` and `rotate`: how a moving body walks as a character.
    #[serde(default)]
    #[schemars(with = "WalkEntry")]
    pub walk: Option<Spanned<WalkEntry>>,
    /// In a trace: what contacts with this body of the world are tagged with; default its name.
    #[serde(default)]
    #[schemars(with = "String")]
    pub tag: Option<Spanned<String>>,
    /// In a simulation: what moves the body; default "dynamic".
    #[serde(default)]
    #[schemars(with = "KindEntry")]
    pub kind: Option<Spanned<KindEntry>>,
    /// In a simulation: mass per volume, above 0; default 1000, that of water.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub density: Option<Spanned<f64>>,
    /// In a simulation, instead of `density`: the whole mass, above 0.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub mass: Option<Spanned<f64>>,
    /// In a simulation, beside `mass`: moments of inertia about the centre of mass, along the axes of
    /// the body; default those of a body of one density.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub inertia: Option<Spanned<Vector>>,
    /// In a simulation, beside `inertia`: the centre of mass in the body's frame; default that of a
    /// body of one density, or the origin of one that is not closed.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub centre: Option<Spanned<Vector>>,
    /// In a simulation: how fast the centre of mass of a dynamic body moves at first; default not.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub velocity: Option<Spanned<Vector>>,
    /// In a simulation: how fast a dynamic body turns at first, an axis times radians per second;
    /// default not.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub angular_velocity: Option<Spanned<Vector>>,
    /// In a simulation: the share of the speed that a collision gives back, from 0 to 1; of two
    /// bodies the lower counts; default 0.3.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0, max = 1))]
    pub restitution: Option<Spanned<f64>>,
    /// In a simulation: the coefficient of friction, from 0; of two bodies the larger counts;
    /// default 0.5.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub friction: Option<Spanned<f64>>,
    /// In a simulation, instead of `twist`: where a kinematic or yielding body is at given times.
    #[serde(default)]
    #[schemars(with = "Vec<KeyframeEntry>", length(min = 1))]
    pub keyframes: Option<Spanned<Vec<Spanned<KeyframeEntry>>>>,
    /// In a simulation: several bodies from this table.
    #[serde(default)]
    #[schemars(with = "CopiesEntry")]
    pub copies: Option<Spanned<CopiesEntry>>,
}

/// The mesh files of a body that deforms, at the start and at the end.
#[derive(Debug)]
pub struct FramesEntry(pub [Spanned<PathBuf>; 2]);

impl<'de> Deserialize<'de> for FramesEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "two mesh files [\"start.obj\", \"end.obj\"]";
        deserializer.deserialize_seq(List::new(expected)).map(Self)
    }
}

/// A position and an orientation.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PoseEntry {
    /// Where the body's origin is; default `[0, 0, 0]`, and for `end` that of `start`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub position: Option<Vector>,
    /// How the body is turned; default not at all, and for `end` as at the start.
    #[serde(default)]
    #[schemars(with = "RotationEntry")]
    pub rotation: Option<Spanned<RotationEntry>>,
}

/// A constant twist in the world frame, per step; in a simulation, per second.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TwistEntry {
    /// Velocity of the material point at `point`, per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub linear: Option<Vector>,
    /// Rotation vector: unit axis times angle in radians per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub angular: Option<Vector>,
    /// The point that `linear` speaks of, in the world frame; default the origin.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub point: Option<Vector>,
}

/// Constant velocities in the world frame, per step: a point of the body moves straight, and the
/// body turns about it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlightEntry {
    /// Velocity of the pivot, per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub linear: Option<Vector>,
    /// Rotation vector: unit axis times angle in radians per step; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub angular: Option<Vector>,
    /// The point that moves straight, in the body's frame; default its origin.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub pivot: Option<Vector>,
}

/// A turn about an axis in the world, counter-clockwise when the axis points at the eye.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnEntry {
    /// A point of the axis; default `[0, 0, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub origin: Option<Vector>,
    /// The direction of the axis; its length does not matter.
    pub axis: Vector,
    /// The angle in degrees; may exceed a whole turn.
    pub degrees: f64,
}
