//! The keys of a walk as they are written, with the place of each value.
//!
//! The doc comments here are the descriptions in `chasles schema`.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;

use crate::file::Vector;

/// How a body walks: along walls, up and down steps, over slopes, and in falls and jumps.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WalkEntry {
    /// The height of the highest step that it climbs, from 0; it also keeps to a ground that drops
    /// by as much.
    #[schemars(with = "f64", range(min = 0))]
    pub step: Spanned<f64>,
    /// The angle in degrees of the steepest slope that it walks on, from 0 to 90; default 45.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0, max = 90))]
    pub slope: Option<Spanned<f64>>,
    /// By how much a fall grows from move to move, from 0.
    #[schemars(with = "f64", range(min = 0))]
    pub gravity: Spanned<f64>,
    /// The direction that is up, of any length but 0; default `[0, 1, 0]`.
    #[serde(default)]
    #[schemars(with = "Vector")]
    pub up: Option<Spanned<Vector>>,
    /// Where it wants to go, one leg after the other; at least one.
    #[schemars(with = "Vec<LegEntry>", length(min = 1))]
    pub legs: Spanned<Vec<Spanned<LegEntry>>>,
}

/// A straight part of a walk.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LegEntry {
    /// Where it wants to be at the end of the leg, seen from where the leg begins: a level vector.
    #[schemars(with = "Vector")]
    pub translate: Spanned<Vector>,
    /// In how many equal moves; at most 65536 in all legs together.
    #[schemars(with = "u32", range(min = 1, max = 65536))]
    pub moves: Spanned<u32>,
    /// How far up the first move leads, if it begins on the ground; from 0, default 0: no jump.
    #[serde(default)]
    #[schemars(with = "f64", range(min = 0))]
    pub jump: Option<Spanned<f64>>,
}
