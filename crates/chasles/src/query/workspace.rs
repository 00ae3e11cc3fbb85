//! Memory that questions share.

use super::feature::{Contact, Features};
use super::near::Near;
use crate::{distance, near, path, round, screen, screw, trace};

/// Memory that queries reuse: one for all questions and methods, made by `Workspace::new()`. After
/// the first query with bodies of a size, later ones allocate nothing. Each thread needs its own.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) methods: Methods,
    pub(super) contacts: Vec<Contact>,
    pub(super) near: Vec<Near>,
    /// What overlaps.
    pub(super) parts: Vec<Features>,
    /// What the last piece of a route saw that the next may see again.
    pub(super) seen: Vec<Features>,
    pub(super) seen_next: Vec<Features>,
}

/// What each method keeps, made when it is first asked.
#[derive(Clone, Debug, Default)]
pub(super) struct Methods {
    pub(super) screw: Option<Box<screw::Workspace>>,
    pub(super) round: Option<Box<round::Workspace>>,
    pub(super) screen: Option<Box<screen::Workspace>>,
    pub(super) path: Option<Box<path::Workspace>>,
    pub(super) near: Option<Box<near::Workspace>>,
    pub(super) distance: Option<Box<distance::Workspace>>,
    pub(super) trace: Option<Box<trace::Workspace>>,
}

impl Workspace {
    /// An empty workspace; grows with the first queries.
    ///
    /// *Cost* nothing. *Fails* never.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the last query by [`Method::Screen`](super::Method::Screen) cost; none before the
    /// first.
    pub fn screen_statistics(&self) -> Option<screen::Statistics> {
        self.methods.screen.as_ref().map(|screen| screen.statistics())
    }
}
