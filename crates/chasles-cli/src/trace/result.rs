//! What became of bodies that were traced.

use std::time::Duration;

use chasles::trace::{Contents, Touch, Trace};
use chasles_scene::Move;

/// What became of one body.
#[derive(Clone, Debug)]
pub struct TraceResult {
    /// How far it got.
    pub trace: Trace,
    /// Every move, if it walks.
    pub moves: Option<Vec<Move>>,
    /// What it is in, if it starts in the world.
    pub solid: Option<Contents>,
    /// Everything near it where it ended, if that was asked for.
    pub contacts: Option<Vec<Touch>>,
    /// How long the trace alone took.
    pub took: Duration,
}

impl TraceResult {
    /// The moves of a walk; none of other journeys, and of a body that starts in the world.
    pub fn moves(&self) -> &[Move] {
        self.moves.as_deref().unwrap_or_default()
    }

    /// Whether the body made moves.
    pub fn walks(&self) -> bool {
        !self.moves().is_empty()
    }
}
