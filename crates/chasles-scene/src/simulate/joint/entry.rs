//! The keys of a joint as they are written, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::file::{List, Vector};

/// What holds two bodies of a simulation together, or a body where it is in the world.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JointEntry {
    /// What the joint leaves free.
    #[schemars(with = "JointKind")]
    pub(crate) kind: Spanned<JointKind>,
    /// The names of the two bodies; or of one, which the world holds. Of a table with copies each
    /// gets a joint.
    #[schemars(with = "Vec<String>", length(min = 1, max = 2))]
    pub(crate) bodies: Spanned<Vec<Spanned<String>>>,
    /// Where the joint is at the start, in the world frame; default `[0, 0, 0]`. Joints of copies
    /// are moved along with them.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) anchor: Option<Spanned<Vector>>,
    /// The direction of its axis at the start, in the world frame; its length does not matter. All
    /// kinds but ball and weld need it.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) axis: Option<Spanned<Vector>>,
    /// Of a hinge or piston: the least and the largest angle, in degrees from the start.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub(crate) degrees: Option<Spanned<IntervalEntry>>,
    /// Of a line, piston or rail: how far it may slide back and forth, from the start.
    #[serde(default)]
    #[schemars(with = "[f64; 2]")]
    pub(crate) travel: Option<Spanned<IntervalEntry>>,
    /// Of a joint whose axis is not held: the largest angle between where the axis is on the one
    /// body and on the other, in degrees, above 0 and at most 180.
    #[serde(default)]
    #[schemars(with = "f64", range(max = 180), extend("exclusiveMinimum" = 0))]
    pub(crate) swing_degrees: Option<Spanned<f64>>,
    /// Of a hinge or piston: a motor that turns the second body against the first.
    #[serde(default)]
    #[schemars(with = "TurnMotorEntry")]
    pub(crate) turn_motor: Option<Spanned<TurnMotorEntry>>,
    /// Of a line, piston or rail: a motor that slides the second body along the first.
    #[serde(default)]
    #[schemars(with = "SlideMotorEntry")]
    pub(crate) slide_motor: Option<Spanned<SlideMotorEntry>>,
    /// Whether the two bodies collide with each other; default: unless they overlap at the start.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub(crate) collide: Option<Spanned<bool>>,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema, PartialEq, Eq)]
#[serde(try_from = "String")]
#[schemars(rename_all = "snake_case")]
pub(crate) enum JointKind {
    /// To turn every way about the anchor.
    Ball,
    /// To turn about the axis.
    Hinge,
    /// To turn about the anchor, but not about the axis.
    Cardan,
    /// Nothing.
    Weld,
    /// To slide along the axis and to turn every way.
    Line,
    /// To slide along the axis and to turn about it.
    Piston,
    /// To slide along the axis.
    Rail,
    /// To slide across the axis and to turn every way.
    Plane,
    /// To slide across the axis.
    Plate,
    /// Everything but to turn about the axis.
    NoSpin,
}

/// The kinds and their words.
const KINDS: [(&str, JointKind); 10] = [
    ("ball", JointKind::Ball),
    ("hinge", JointKind::Hinge),
    ("cardan", JointKind::Cardan),
    ("weld", JointKind::Weld),
    ("line", JointKind::Line),
    ("piston", JointKind::Piston),
    ("rail", JointKind::Rail),
    ("plane", JointKind::Plane),
    ("plate", JointKind::Plate),
    ("no_spin", JointKind::NoSpin),
];

impl TryFrom<String> for JointKind {
    type Error = String;

    fn try_from(word: String) -> Result<Self, String> {
        let found = KINDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
        found.ok_or_else(|| {
            let all = KINDS.map(|(name, _)| format!("`{name}`")).join(", ");
            format!("unknown kind `{word}`, expected one of {all}")
        })
    }
}

impl JointKind {
    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        KINDS.iter().find(|(_, kind)| *kind == self).map_or("joint", |(name, _)| name)
    }

    /// Whether its axis means something even without limits.
    pub(super) fn has_axis(self) -> bool {
        !matches!(self, Self::Ball | Self::Weld)
    }
}

/// A lower and an upper limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IntervalEntry(pub(crate) [f64; 2]);

impl<'de> Deserialize<'de> for IntervalEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(List::new("two limits [least, largest]")).map(Self)
    }
}

/// A motor that turns.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TurnMotorEntry {
    /// How fast, in radians per second; 0 is a brake.
    pub(crate) speed: f64,
    /// The largest torque, from 0; default without end.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) torque: Option<Spanned<f64>>,
}

/// A motor that slides.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SlideMotorEntry {
    /// How fast, per second; 0 is a brake.
    pub(crate) speed: f64,
    /// The largest force, from 0; default without end.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) force: Option<Spanned<f64>>,
}
