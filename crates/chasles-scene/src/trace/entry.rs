//! The keys of a trace as they are written, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::DeTable;

use super::error::TraceProblem;
use crate::error::{Fault, Problem};
use crate::file::{SceneFile, TurnEntry, Vector};
use crate::keys::{self, Use};
use crate::simulate::{self, SimulateProblem};

/// What a body has in scenes for `chasles trace`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TraceKeys {
    /// Whether `chasles trace` moves this body through the world, which is all other bodies;
    /// default false. Such a body has `translate` or `rotate`, or both, or `walk`.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub(crate) moving: Option<Spanned<bool>>,
    /// In a trace: how far a moving body shall go.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) translate: Option<Spanned<Vector>>,
    /// In a trace: by what a moving body shall turn.
    #[serde(default)]
    #[schemars(with = "TurnEntry")]
    pub(crate) rotate: Option<Spanned<TurnEntry>>,
    /// In a trace with both `translate` and `rotate`: in how many portions, each a shift and then a
    /// turn; from 1 to 65536, default 16.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = 65536))]
    pub(crate) portions: Option<Spanned<u32>>,
    /// In a trace, instead of `translate` and `rotate`: how a moving body walks as a character.
    #[serde(default)]
    #[schemars(with = "WalkEntry")]
    pub(crate) walk: Option<Spanned<WalkEntry>>,
    /// In a trace: what contacts with this body of the world are tagged with; default its name.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(crate) tag: Option<Spanned<String>>,
}

impl Use for TraceKeys {
    fn foreign(body: String, key: &'static str) -> Problem {
        match key {
            "frames" => TraceProblem::Deforms(body).into(),
            key if keys::of_collide().contains(&key) => {
                TraceProblem::NotOfTrace { body, key }.into()
            }
            key => SimulateProblem::OfSimulate { body, key }.into(),
        }
    }

    /// A scene in which nothing is to move is one for another command.
    fn check(file: &SceneFile, bodies: &[Spanned<DeTable<'_>>]) -> Result<(), Fault> {
        let moves = |body: &Spanned<DeTable<'_>>| body.get_ref().contains_key("moving");
        match bodies.is_empty() || bodies.iter().any(moves) {
            true => simulate::refuse(file),
            false => Err(Fault::new(TraceProblem::NothingMoves, 0..0)),
        }
    }
}

/// How a body walks: along walls, up and down steps, over slopes, and in falls and jumps.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct WalkEntry {
    /// The height of the highest step that it climbs, from 0; it also keeps to a ground that drops
    /// by as much.
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) step: Spanned<f64>,
    /// The angle in degrees of the steepest slope that it walks on, from 0 to 90; default 45.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0, max = 90))]
    pub(crate) slope: Option<Spanned<f64>>,
    /// By how much a fall grows from move to move, from 0.
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) gravity: Spanned<f64>,
    /// The direction that is up, of any length but 0; default `[0, 1, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub(crate) up: Option<Spanned<Vector>>,
    /// Where it wants to go, one leg after the other; at least one.
    #[schemars(with = "Vec<LegEntry>", length(min = 1))]
    pub(crate) legs: Spanned<Vec<Spanned<LegEntry>>>,
}

/// A straight part of a walk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LegEntry {
    /// Where it wants to be at the end of the leg, seen from where the leg begins: a level vector.
    #[schemars(with = "Vector")]
    pub(crate) translate: Spanned<Vector>,
    /// In how many equal moves; at most 65536 in all legs together.
    #[schemars(with = "u32", range(min = 1, max = 65536))]
    pub(crate) moves: Spanned<u32>,
    /// How far up the first move leads, if it begins on the ground; from 0, default 0: no jump.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub(crate) jump: Option<Spanned<f64>>,
}
