//! Whether a motion is free.

use super::contacts::first_contact;
use super::error::QueryError;
use super::feature::{Contact, Features};
use super::geometry::Geometry;
use super::options::Options;
use super::rest::{Overlap, overlaps};
use super::route::Moves;
use super::workspace::Workspace;

/// What becomes of two bodies on a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Outcome {
    /// They are apart, or only touch, at the start, and have no contact that the options ask for.
    Free,
    /// They overlap at the start; these parts are among those that do. It is not asked what they
    /// touch later.
    StartsOverlapping(Features),
    /// They are apart at the start, and this is their first contact.
    Hit(Contact),
    /// Samples of their surfaces do not tell whether they overlap at the start, and there is no
    /// contact. Only of solids.
    Undecided,
}

impl Outcome {
    /// Whether the motion is known to be free.
    pub fn is_free(self) -> bool {
        self == Self::Free
    }

    /// The first contact of bodies that are apart at the start.
    pub fn contact(self) -> Option<Contact> {
        match self {
            Self::Hit(contact) => Some(contact),
            _ => None,
        }
    }
}

/// Whether a motion of two bodies is free, starts in overlap, or hits, and where.
///
/// Ask this instead of [`first_contact`] where bodies may overlap at the start: they have no
/// contact there.
///
/// *Accepts* what [`first_contact`] does. The start is that of the window. *Guarantees* what
/// [`overlaps`] does at the start and [`first_contact`] after it. *Cost* that of both; bodies whose
/// balls are apart at the start take no time there. *Fails* as both do.
///
/// ```
/// use chasles::query::{Geometry, Options, Outcome, Workspace, outcome};
/// use chasles::{Motion, Pose, Step};
///
/// let ball = Geometry::sphere(0.5)?;
/// let options = Options::default();
/// let mut workspace = Workspace::new();
/// let mut ask = |from: f64, to: f64| {
///     let [from, to] = [from, to].map(|x| Pose::from_position([x, 0.0, 0.0]).unwrap());
///     let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
///     outcome(&ball, &ball, &step, &options, &mut workspace)
/// };
/// assert!(matches!(ask(0.5, 3.0)?, Outcome::StartsOverlapping(_)));
/// assert!(matches!(ask(3.0, 0.5)?, Outcome::Hit(_)));
/// assert_eq!(ask(2.0, 3.0)?, Outcome::Free);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn outcome(
    a: &Geometry,
    b: &Geometry,
    motion: &impl Moves,
    options: &Options,
    workspace: &mut Workspace,
) -> Result<Outcome, QueryError> {
    let at_start = overlaps(a, b, motion.starts(options), workspace)?;
    if let Overlap::Overlapping(parts) = at_start {
        return Ok(Outcome::StartsOverlapping(parts));
    }
    Ok(match first_contact(a, b, motion, options, workspace)? {
        Some(contact) => Outcome::Hit(contact),
        None if at_start == Overlap::Undecided => Outcome::Undecided,
        None => Outcome::Free,
    })
}
