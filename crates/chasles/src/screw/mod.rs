//! Every contact of two polyhedra under a relative screw motion.

use crate::bounds::Collider;
use crate::contact::{Contact, Features};
use crate::motion::Step;

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Contacts with a lower properness are left out; -1 keeps everything.
    pub min_properness: f64,
    /// Keep only approaching contacts between parts of the surfaces that face each other.
    pub facing: bool,
    /// Keep only the earliest contact.
    pub first_only: bool,
    /// Only contacts in this part of the step, bounds included.
    pub window: [f64; 2],
}

impl Default for Options {
    /// Everything in the whole step.
    fn default() -> Self {
        Self { min_properness: -1.0, facing: false, first_only: false, window: [0.0, 1.0] }
    }
}

/// Memory that queries reuse.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    contacts: Vec<Contact>,
}

impl Workspace {
    /// An empty workspace; grows with the first query.
    pub fn new() -> Self {
        Self::default()
    }
}

/// Every contact of the step, sorted by time.
pub fn contacts<'w>(
    a: &Collider,
    b: &Collider,
    step: &Step,
    options: &Options,
    workspace: &'w mut Workspace,
) -> &'w [Contact] {
    let _ = (a, b, step, options);
    &workspace.contacts
}

/// One crossing of two features before coincidences are resolved, for the parity check.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RawEvent {
    /// What crosses what, in the numbers of the input.
    pub features: Features,
    /// When, as a fraction of the step.
    pub time: f64,
    /// A double root, or a pair that stays coplanar.
    pub grazing: bool,
}

/// Every crossing of the step before resolution.
pub fn raw_events(
    a: &Collider,
    b: &Collider,
    step: &Step,
    workspace: &mut Workspace,
) -> Vec<RawEvent> {
    let _ = (a, b, step, workspace);
    Vec::new()
}
