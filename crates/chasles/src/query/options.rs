//! Which contacts are wanted, and by which method.

use std::fmt;

use crate::{contact, path, screen};

/// How contacts are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// The exact method where both bodies are meshes or round, the path method otherwise.
    #[default]
    Auto,
    /// Every contact, to rounding: [`screw`](crate::screw) for meshes, [`round`](crate::round)
    /// where a body is a sphere, a capsule, a cylinder, a cone or an ellipsoid.
    Exact,
    /// What a screen of pixels shows: [`screen`](crate::screen), for two meshes. Use it to report
    /// near misses ([`screen::Options::robust`]), or to reproduce the paper.
    Screen,
    /// Points of each surface on their paths to the other body: [`path`](crate::path), for bodies
    /// of any kind.
    Path,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "the method that suits the bodies",
            Self::Exact => "the exact method",
            Self::Screen => "the collision screen",
            Self::Path => "the path method",
        })
    }
}

/// Which contacts are wanted, and by which method.
///
/// ```
/// use chasles::query::{Method, Options};
/// let usual = Options::default();
/// let everything = Options::all();
/// let first_half = Options { window: [0.0, 0.5], ..Options::default() };
/// let on_screen = Options { method: Method::Screen, ..Options::all() };
/// # assert!(usual.facing && !everything.facing && first_half.window[1] < 1.0);
/// # assert_ne!(on_screen, everything);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Keep only approaching, touchable contacts between parts of the surfaces that face each
    /// other. The first contact of bodies that start apart is always among them.
    pub facing: bool,
    /// Keep only contacts that are [touchable](contact::Contact::touchable) from outside.
    pub touchable: bool,
    /// Keep only proper contacts: the bodies do not overlap beside them already, as far as the
    /// method tells. Properness is at least -1e-6, or -0.15 by the path method, whose samples are
    /// not quite where surfaces touch.
    pub proper: bool,
    /// Contacts with a lower properness are left out: -1 keeps everything, NaN nothing.
    pub min_properness: f64,
    /// Keep only the earliest contact.
    pub first_only: bool,
    /// Only contacts in this part of the motion, bounds included.
    pub window: [f64; 2],
    /// How far the screws that are taken for the relative motion may leave the bodies' own motions:
    /// steps are cut into parts until it is proven that they do not leave them by more. None, the
    /// default, leaves steps as they are. See the [front page](super#motions).
    pub max_departure: Option<f64>,
    /// Which method.
    pub method: Method,
    /// How the screen is drawn, for [`Method::Screen`]. Its own `min_properness` does not count:
    /// the one of these options does.
    pub screen: screen::Options,
    /// How paths are followed, for [`Method::Path`]. Its own `first_only` does not count: the one
    /// of these options does.
    pub path: path::Options,
}

/// What rounding may take from the properness of a first contact, which is not negative: edges of a
/// millionth of a body's size have directions good to 1e-7. An overlap of this slope is not seen.
const PROPER: f64 = -1e-6;

/// What a cover may take from it: a sphere is covered to 0.074 of its radius, and the sine of the
/// angle between a sample's normal and that of the touch is as much. This is twice that.
const PROPER_SAMPLE: f64 = -0.15;

impl Default for Options {
    /// What a collision response needs: approaching, facing, touchable, proper contacts.
    fn default() -> Self {
        Self { facing: true, touchable: true, proper: true, ..Self::all() }
    }
}

impl Options {
    /// Every contact of the whole motion: also features that part, that face away from each other,
    /// and that meet inside an overlap.
    pub fn all() -> Self {
        Self {
            facing: false,
            touchable: false,
            proper: false,
            min_properness: -1.0,
            first_only: false,
            window: [0.0, 1.0],
            max_departure: None,
            method: Method::Auto,
            screen: screen::Options::default(),
            path: path::Options::default(),
        }
    }

    /// The same, for the earliest of these contacts alone.
    #[must_use]
    pub fn first(self) -> Self {
        Self { first_only: true, ..self }
    }

    /// The same, by a method.
    #[must_use]
    pub fn by(self, method: Method) -> Self {
        Self { method, ..self }
    }

    /// What is wanted, in the words of the methods, of one of them.
    pub(super) fn wanted(&self, method: Method) -> contact::Options {
        let least = if method == Method::Path { PROPER_SAMPLE } else { PROPER };
        // A threshold that is no number stays none.
        let is_lower = self.proper && self.min_properness < least;
        contact::Options {
            min_properness: if is_lower { least } else { self.min_properness },
            facing: self.facing,
            touchable: self.touchable,
            first_only: self.first_only,
            window: self.window,
        }
    }
}

impl From<contact::Options> for Options {
    /// The same wishes, by the method that suits the bodies.
    fn from(wanted: contact::Options) -> Self {
        let contact::Options { min_properness, facing, touchable, first_only, window } = wanted;
        Self { min_properness, facing, touchable, first_only, window, ..Self::all() }
    }
}
