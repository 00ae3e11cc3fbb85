//! The keys of a simulation as they are written, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::error::SimulateProblem;
use super::lock::LockEntry;
use crate::error::{Fault, Problem};
use crate::file::{RotationEntry, SceneFile, TwistEntry, Vector};
use crate::keys::Use;
use crate::solid::SolidEntry;

/// What a body has in scenes for `chasles simulate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SimulateKeys {
    /// In a simulation: what moves the body; default "dynamic".
    #[serde(default)]
    #[schemars(with = "KindEntry")]
    pub(crate) kind: Option<Spanned<KindEntry>>,
    /// In a simulation: a sphere or a capsule that is exactly round, such as
    /// `{ sphere = { radius = 0.5 } }`, instead of `mesh` or `shape`.
    #[serde(default)]
    #[schemars(with = "SolidEntry")]
    pub(crate) solid: Option<Spanned<SolidEntry>>,
    /// In a simulation: how fast the centre of mass of a dynamic body moves at first; default not.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) velocity: Option<Spanned<Vector>>,
    /// In a simulation: how fast a dynamic body turns at first, an axis times radians per second;
    /// default not.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) angular_velocity: Option<Spanned<Vector>>,
    /// In a simulation: the share of its speed that a dynamic or yielding body loses per second,
    /// from 0; default 0.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) linear_damping: Option<Spanned<f64>>,
    /// In a simulation: the share of its angular momentum that a dynamic or yielding body loses per
    /// second, from 0; default 0.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) angular_damping: Option<Spanned<f64>>,
    /// In a simulation: how fast the surface of the body runs along, as that of a conveyor, in the
    /// frame of the body; friction acts against it; default not.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) surface_velocity: Option<Spanned<Vector>>,
    /// In a simulation: the groups that the body is in, from 0 to 31; default `[0]`.
    #[serde(default)]
    #[schemars(with = "Vec<u8>", inner(range(max = 31)))]
    pub(crate) groups: Option<Vec<Spanned<u8>>>,
    /// In a simulation: the groups that the body collides with, if these collide with its own;
    /// default all.
    #[serde(default)]
    #[schemars(with = "Vec<u8>", inner(range(max = 31)))]
    pub(crate) mask: Option<Vec<Spanned<u8>>>,
    /// In a simulation: whether the body touches nothing, and the trajectory tells who is in it;
    /// default false.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub(crate) sensor: Option<Spanned<bool>>,
    /// The twist of a kinematic or yielding body, per second.
    #[serde(default)]
    #[schemars(with = "TwistEntry")]
    pub(crate) twist: Option<Spanned<TwistEntry>>,
    /// In a simulation, instead of `twist`: where a kinematic or yielding body is at given times.
    #[serde(default)]
    #[schemars(with = "Vec<KeyframeEntry>", length(min = 1))]
    pub(crate) keyframes: Option<Spanned<Vec<Spanned<KeyframeEntry>>>>,
    /// In a simulation: from this time on a kinematic or yielding body stays where its `twist` or
    /// `keyframes` have it then, in seconds from 0; default never.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) until: Option<Spanned<f64>>,
    /// In a simulation: a constant force through the centre of mass, in newtons along the axes of
    /// the world, besides gravity; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) force: Option<Spanned<Vector>>,
    /// In a simulation: a constant torque about the centre of mass, in newton metres about the axes
    /// of the world; default none.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) torque: Option<Spanned<Vector>>,
    /// In a simulation: directions of the world in which the body does not move; default none.
    #[serde(default)]
    #[schemars(with = "Vec<LockEntry>")]
    pub(crate) lock: Option<Spanned<Vec<LockEntry>>>,
    /// In a simulation: the thickness of faces, and of edges or points of a mesh without faces,
    /// above 0; it gives mass to what encloses nothing.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) thickness: Option<Spanned<f64>>,
    /// In a simulation: whether an open mesh has mass as if it were closed by a cone to the middle
    /// of its vertices; default false.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub(crate) closed: Option<Spanned<bool>>,
    /// In a simulation: several bodies from this table.
    #[serde(default)]
    #[schemars(with = "CopiesEntry")]
    pub(crate) copies: Option<Spanned<CopiesEntry>>,
}

impl Use for SimulateKeys {
    fn foreign(body: String, key: &'static str) -> Problem {
        SimulateProblem::NotOfSimulate { body, key }.into()
    }

    fn check(_: &SceneFile, _: &[Spanned<DeTable<'_>>]) -> Result<(), Fault> {
        Ok(())
    }
}

/// How a simulation runs.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WorldEntry {
    /// The acceleration of every dynamic body; default `[0, -9.81, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) gravity: Option<Vector>,
    /// The length of a step in seconds, above 0; default 1/60.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) dt: Option<Spanned<f64>>,
    /// How long the simulation lasts in seconds, above 0; default 5.
    #[serde(default)]
    #[schemars(with = "f64", extend("exclusiveMinimum" = 0))]
    pub(crate) seconds: Option<Spanned<f64>>,
    /// The gap that is kept between bodies, as a share of the smaller, from 1e-9 to 0.01; default
    /// 5e-5, and 1e-3 where a step is one window.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 1e-9, max = 0.01))]
    pub(crate) zone: Option<Spanned<f64>>,
    /// How a step is cut; default "events".
    #[serde(default)]
    #[schemars(with = "SteppingEntry")]
    pub(crate) stepping: Option<SteppingEntry>,
    /// How contacts are found; default "exact".
    #[serde(default)]
    #[schemars(with = "MethodEntry")]
    pub(crate) method: Option<MethodEntry>,
    /// How bodies answer collisions; default "impulses".
    #[serde(default)]
    #[schemars(with = "ResponseEntry")]
    pub(crate) response: Option<ResponseEntry>,
    /// Seconds within which contacts of a body that collides count as one impact, from 0; default
    /// 0.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) window: Option<Spanned<f64>>,
}

/// How a simulation finds contacts.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(rename_all = "lowercase")]
pub(crate) enum MethodEntry {
    /// The exact method: every contact of the relative screw, to rounding.
    Exact,
    /// The collision screen: what it shows of the relative screw.
    Screen,
    /// Traces: shifts along the axis of the relative screw and turns about it.
    Trace,
}

impl TryFrom<String> for MethodEntry {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "exact" => Ok(Self::Exact),
            "screen" => Ok(Self::Screen),
            "trace" => Ok(Self::Trace),
            _ => {
                Err(format!("unknown method `{word}`, expected one of `exact`, `screen`, `trace`"))
            }
        }
    }
}

/// How a step of a simulation is cut.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(rename_all = "lowercase")]
pub(crate) enum SteppingEntry {
    /// One impact after the other, in their order.
    Events,
    /// All contacts of the step together: for heaps.
    Windows,
}

impl TryFrom<String> for SteppingEntry {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "events" => Ok(Self::Events),
            "windows" => Ok(Self::Windows),
            _ => Err(format!("unknown stepping `{word}`, expected `events` or `windows`")),
        }
    }
}

/// How bodies of a simulation answer collisions.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(rename_all = "lowercase")]
pub(crate) enum ResponseEntry {
    /// Analytical impulses.
    Impulses,
    /// Springs for gentle and resting contact and for that of sheets, impulses for hard ones.
    Springs,
}

impl TryFrom<String> for ResponseEntry {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "impulses" => Ok(Self::Impulses),
            "springs" => Ok(Self::Springs),
            _ => Err(format!("unknown response `{word}`, expected `impulses` or `springs`")),
        }
    }
}

/// What moves a body of a simulation.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(try_from = "String")]
#[schemars(rename_all = "lowercase")]
pub(crate) enum KindEntry {
    /// Forces and impulses.
    #[default]
    Dynamic,
    /// Its `twist` or its `keyframes`, whatever is in the way.
    Kinematic,
    /// Nothing.
    Static,
    /// Its `twist` or its `keyframes` until something hits it; from then on it is dynamic.
    Yielding,
}

impl TryFrom<String> for KindEntry {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "dynamic" => Ok(Self::Dynamic),
            "kinematic" => Ok(Self::Kinematic),
            "static" => Ok(Self::Static),
            "yielding" => Ok(Self::Yielding),
            _ => Err(format!(
                "unknown kind `{word}`, expected one of `dynamic`, `kinematic`, `static`, \
                 `yielding`"
            )),
        }
    }
}

impl KindEntry {
    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Dynamic => "dynamic",
            Self::Kinematic => "kinematic",
            Self::Static => "static",
            Self::Yielding => "yielding",
        }
    }

    /// Whether it has a mass.
    pub(super) fn has_mass(self) -> bool {
        matches!(self, Self::Dynamic | Self::Yielding)
    }

    /// Whether it goes its own way.
    pub(super) fn has_route(self) -> bool {
        matches!(self, Self::Kinematic | Self::Yielding)
    }
}

/// Where a body on its own way is at one time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeyframeEntry {
    /// In seconds; later than that of the keyframe before.
    #[schemars(with = "f64")]
    pub(crate) time: Spanned<f64>,
    /// Where the body's origin is; default `[0, 0, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) position: Option<Vector>,
    /// How the body is turned; default not at all.
    #[serde(default)]
    #[schemars(with = "RotationEntry")]
    pub(crate) rotation: Option<Spanned<RotationEntry>>,
}

/// Several bodies from one table: a grid of them with `count` and `spacing`, or one at each place
/// of `at`. Their names get `-0`, `-1`, ... behind them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("oneOf" = [{ "required": ["count", "spacing"] }, { "required": ["at"] }]))]
pub(crate) struct CopiesEntry {
    /// How many along x, y and z, each at least 1; numbered along x first, then z, then y.
    #[serde(default)]
    #[schemars(with = "[u32; 3]")]
    pub(crate) count: Option<Spanned<CountEntry>>,
    /// How far from copy to copy along x, y and z.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) spacing: Option<Spanned<Vector>>,
    /// By how much every second layer along y is shifted, as the bricks of a wall are; default not
    /// at all.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) odd_layers: Option<Spanned<Vector>>,
    /// Instead of a grid: where the copies are, seen from where `start` has the body.
    #[serde(default)]
    #[schemars(with = "Vec<Vector>")]
    pub(crate) at: Option<Spanned<Vec<Vector>>>,
    /// Turns each copy at random, before the rotation of `start`; the number chooses how, and the
    /// same number always turns them alike.
    #[serde(default)]
    #[schemars(with = "u32")]
    pub(crate) tumble: Option<u32>,
}

/// How many copies along x, y and z.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CountEntry(pub(crate) [u32; 3]);

impl<'de> Deserialize<'de> for CountEntry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "three whole numbers [along x, along y, along z]";
        deserializer.deserialize_seq(crate::file::List::new(expected)).map(Self)
    }
}
