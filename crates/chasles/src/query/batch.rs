//! One pair of bodies, or one body among many, under many motions.
//!
//! *Question.* A planner or a data set has thousands of motions of the same bodies. Which are free,
//! and where do the others first touch? Motions go in as a slice, answers come out as an array in
//! the same order.
//!
//! | for each motion | a pair | a body in a [`Set`](super::Set) |
//! |---|---|---|
//! | is it free? if not, does it start in overlap, or where does it hit? | [`outcomes`] | [`outcomes_in`] |
//! | the first contact, with its time and features | [`first_contacts`] | [`first_contacts_in`] |
//! | its time alone | [`first_times`] | |
//! | the least distance on the way | [`clearances`] | [`clearances_in`] |
//! | does any motion hit? ends at the first that does | [`first_hit`] | [`first_hit_in`] |
//!
//! | for each two poses at rest | a pair |
//! |---|---|
//! | are the bodies in each other? | [`overlaps`] |
//! | how far apart are they? | [`distances`] |
//!
//! **No first contact does not mean free**: bodies that overlap at the start have no contact there,
//! and may have none later. [`outcomes`] tells these motions from free ones.
//!
//! *Accepts* any bodies, and motions of one type: [`Step`](crate::Step) or [`Route`](super::Route)
//! for a pair, [`Motion`](crate::Motion) or [`Waypoints`](super::Waypoints) for a body in a
//! [`Set`](super::Set), where a [`Visitor`] says what it meets. *Guarantees* for each motion what
//! [`outcome`], [`first_contact`], [`clearance`] or [`distance`] gives, bit for bit, at any number
//! of threads: answers are those of the relative screws ([Motions](super#motions)), which
//! [`Options::max_departure`] keeps near the bodies' own motions. *Cost* that of the queries, on
//! all cores ([`rayon`](https://docs.rs/rayon)'s pool); one workspace for each thread. *Fails* with
//! the first motion that has no answer, and when it is cancelled.
//!
//! ```
//! use chasles::query::{Geometry, Options, batch};
//! use chasles::{Motion, Pose, Step};
//!
//! let ball = Geometry::sphere(0.5)?;
//! let steps = (0..100).map(|i| {
//!     let y = 0.02 * f64::from(i);
//!     let way = [Pose::from_position([-2.0, y, 0.0])?, Pose::from_position([2.0, y, 0.0])?];
//!     Ok(Step::new(Motion::still(Pose::IDENTITY), Motion::between(way[0], way[1])))
//! });
//! let steps = steps.collect::<Result<Vec<Step>, chasles::motion::MotionError>>()?;
//! let watch = batch::Watch::default();
//! let times = batch::first_times(&ball, &ball, &steps, &Options::default(), &watch)?;
//! assert_eq!(times[0], 0.25);
//! assert!(times[..50].iter().all(|t| t.is_finite()) && times[51..].iter().all(|t| t.is_nan()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod among;
mod run;

use std::fmt;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

use self::run::{run, run_until};
use super::clearance::{Accuracy, Clearance, clearance};
use super::contacts::first_contact;
use super::distance::{Distance, distance};
use super::error::QueryError;
use super::feature::Contact;
use super::geometry::Geometry;
use super::options::Options;
use super::outcome::{Outcome, outcome};
use super::rest::{self, Overlap};
use super::route::Moves;
use super::workspace::Workspace;
use crate::motion::Pose;

pub use self::among::{Visitor, clearances_in, first_contacts_in, first_hit_in, outcomes_in};

/// How a batch is watched and ended: by default not at all.
#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    /// Called with the number of motions that are done so far: after every 64 motions, by
    /// [`first_hit`] and [`first_hit_in`] after each. Any thread calls it, so numbers may come out
    /// of order; the largest of a batch that is not ended early is the number of its motions.
    pub progress: Option<&'w (dyn Fn(usize) + Sync)>,
    /// Set it, from any thread, to end the batch soon, with [`BatchError::Cancelled`].
    pub cancel: Option<&'w AtomicBool>,
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { progress, cancel } = self;
        f.debug_struct("Watch")
            .field("progress", &progress.is_some())
            .field("cancel", cancel)
            .finish()
    }
}

/// Why a batch has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum BatchError {
    /// It was cancelled.
    #[error("the batch was cancelled")]
    Cancelled,
    /// A motion has no answer.
    #[error("motion {index}: {error}")]
    Query {
        /// The first such motion, from 0.
        index: usize,
        /// Why.
        error: QueryError,
    },
}

/// Whether each motion is free, starts in overlap, or hits, and where.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as the [module](self) and [`outcome`] say.
pub fn outcomes<M: Moves>(
    a: &Geometry,
    b: &Geometry,
    motions: &[M],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Vec<Outcome>, BatchError> {
    let ask = |workspace: &mut Workspace, motion: &M| outcome(a, b, motion, options, workspace);
    run(motions, Workspace::new, ask, watch)
}

/// The first contact of each motion, or none: also none where the bodies overlap at the start and
/// have no contact later, see [`outcomes`].
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as the [module](self) says.
pub fn first_contacts<M: Moves>(
    a: &Geometry,
    b: &Geometry,
    motions: &[M],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Vec<Option<Contact>>, BatchError> {
    let ask =
        |workspace: &mut Workspace, motion: &M| first_contact(a, b, motion, options, workspace);
    run(motions, Workspace::new, ask, watch)
}

/// The time of the first contact of each motion; NaN where there is none, as [`first_contacts`] has
/// it.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as the [module](self) says.
pub fn first_times<M: Moves>(
    a: &Geometry,
    b: &Geometry,
    motions: &[M],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Vec<f64>, BatchError> {
    let ask = |workspace: &mut Workspace, motion: &M| {
        let first = first_contact(a, b, motion, options, workspace)?;
        Ok(first.map_or(f64::NAN, |contact| contact.time))
    };
    run(motions, Workspace::new, ask, watch)
}

/// The number of the first motion in the slice that has a contact, or none: whether any has.
///
/// *Accepts*, *Guarantees* and *Fails* as the [module](self) says. The search ends early: it may
/// have asked some motions after the one that it gives, whose errors are dropped. A motion that
/// only starts in overlap does not count, see [`outcomes`]. *Cost* about that of the motions up to
/// it.
pub fn first_hit<M: Moves>(
    a: &Geometry,
    b: &Geometry,
    motions: &[M],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Option<usize>, BatchError> {
    let ask = |workspace: &mut Workspace, motion: &M| {
        Ok(first_contact(a, b, motion, options, workspace)?.is_some())
    };
    run_until(motions, Workspace::new, ask, watch)
}

/// The distance of two bodies at rest, for each of many pairs of poses of A and B, with the closest
/// points and parts.
///
/// *Accepts* the bodies of [`distance`](super::distance()). *Guarantees*, *Cost* and *Fails* as the
/// [module](self) says.
pub fn distances(
    a: &Geometry,
    b: &Geometry,
    poses: &[[Pose; 2]],
    watch: &Watch<'_>,
) -> Result<Vec<Distance>, BatchError> {
    let ask = |workspace: &mut Workspace, poses: &[Pose; 2]| distance(a, b, *poses, workspace);
    run(poses, Workspace::new, ask, watch)
}

/// Whether two bodies at rest are in each other, for each of many pairs of poses of A and B.
///
/// *Accepts* bodies of any kind. *Guarantees*, *Cost* and *Fails* as the [module](self) and
/// [`overlaps`](rest::overlaps) say.
pub fn overlaps(
    a: &Geometry,
    b: &Geometry,
    poses: &[[Pose; 2]],
    watch: &Watch<'_>,
) -> Result<Vec<Overlap>, BatchError> {
    let ask =
        |workspace: &mut Workspace, poses: &[Pose; 2]| rest::overlaps(a, b, *poses, workspace);
    run(poses, Workspace::new, ask, watch)
}

/// The least distance over each motion, as an interval no wider than asked for: how much room free
/// motions leave, and 0 for those that touch or start in overlap.
///
/// *Accepts* meshes, spheres and capsules, and a width or an [`Accuracy`]. *Guarantees*, *Cost* and
/// *Fails* as the [module](self) and [`clearance`] say.
pub fn clearances<M: Moves>(
    a: &Geometry,
    b: &Geometry,
    motions: &[M],
    accuracy: impl Into<Accuracy>,
    watch: &Watch<'_>,
) -> Result<Vec<Clearance>, BatchError> {
    let accuracy = accuracy.into();
    let ask = |workspace: &mut Workspace, motion: &M| clearance(a, b, motion, accuracy, workspace);
    run(motions, Workspace::new, ask, watch)
}
