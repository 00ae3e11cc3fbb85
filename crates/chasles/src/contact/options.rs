//! Which contacts are wanted.

/// What to look for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Contacts with a lower properness are left out; -1 keeps everything, NaN nothing. A round
    /// body is convex, so only the terms of a polyhedron count there, and contacts without any
    /// have 1.
    pub min_properness: f64,
    /// Keep only approaching, touchable contacts between parts of the surfaces that face each other
    /// [Buss04 §4.2]: the first contact of bodies that start apart is always among them. Round
    /// bodies face what they approach.
    pub facing: bool,
    /// Keep only contacts that are [touchable](super::Contact::touchable): the first contact of
    /// closed bodies that start apart is always among them.
    pub touchable: bool,
    /// Keep only the earliest contact: of those at one time, as [`keep_first`](super::keep_first)
    /// says.
    pub first_only: bool,
    /// Only contacts in this part of the step, bounds included. A bound that is NaN lets nothing
    /// through.
    pub window: [f64; 2],
}

impl Options {
    /// Whether a contact is asked for that is touchable, or is not.
    #[inline]
    pub(crate) fn admits(&self, touchable: bool) -> bool {
        touchable || !self.touchable && !self.facing
    }
}

impl Default for Options {
    /// Everything in the whole step.
    fn default() -> Self {
        Self {
            min_properness: -1.0,
            facing: false,
            touchable: false,
            first_only: false,
            window: [0.0, 1.0],
        }
    }
}
