//! One pair of bodies, or one body among many, under many motions.
//!
//! *Question.* A planner or a data set has thousands of motions of the same bodies. Which are free,
//! and where do the others first touch? Motions go in as a slice, answers come out as an array in
//! the same order.
//!
//! *Accepts* any bodies, and motions of one type: [`Step`] or [`Route`](super::Route) for
//! a pair, [`Motion`] for a body in a [`Set`]. *Guarantees* for each motion what
//! [`first_contact`] gives, bit for bit, at any number of threads. *Cost* that of
//! the queries, on all cores ([`rayon`](https://docs.rs/rayon)'s pool); one workspace for each
//! thread. *Fails* with the first motion that has no answer, and when it is cancelled.
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

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;
use thiserror::Error;

use super::broad::slack;
use super::contacts::first_contact;
use super::error::QueryError;
use super::feature::Contact;
use super::geometry::Geometry;
use super::options::Options;
use super::route::Moves;
use super::set::{BodyId, Earliest, Set};
use super::sweep::Sweep;
use super::workspace::Workspace;
use crate::bounds::Stack;
use crate::motion::{Motion, Step};

/// How a batch is watched and ended: by default not at all.
#[derive(Clone, Copy, Default)]
pub struct Watch<'w> {
    /// Called by any thread, now and then, with the number of motions that are done.
    pub progress: Option<&'w (dyn Fn(usize) + Sync)>,
    /// Set it to end the batch soon, with [`BatchError::Cancelled`].
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

/// The first contact of each motion, or none.
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

/// The time of the first contact of each motion; NaN where there is none.
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

/// The lowest number of a motion that has a contact: whether any has, and no more work than that
/// needs.
///
/// *Accepts*, *Guarantees* and *Fails* as the [module](self) says; motions after the one that is
/// found may be asked or not, so neither their errors nor their progress count. *Cost* about that
/// of the motions up to it.
pub fn first_hit<M: Moves>(
    a: &Geometry,
    b: &Geometry,
    motions: &[M],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Option<usize>, BatchError> {
    let count = Count::new(watch);
    let ask = |workspace: &mut Workspace, (index, motion): (usize, &M)| {
        if count.is_cancelled() {
            return Some(Err(BatchError::Cancelled));
        }
        let first = first_contact(a, b, motion, options, workspace);
        count.add(1);
        match first {
            Ok(None) => None,
            Ok(Some(_)) => Some(Ok(index)),
            Err(error) => Some(Err(BatchError::Query { index, error })),
        }
    };
    let motions = motions.par_iter().enumerate();
    motions.map_init(Workspace::new, ask).find_map_first(|found| found).transpose()
}

/// The first contact of a body with a set, for each of many motions of the body, and with which
/// body of the set.
///
/// The body of the set is A, and the one that is given is B. Bodies of the set move as the set
/// says.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as the [module](self) says; the set is made ready
/// once. Of contacts at one time it is that with the first body.
pub fn first_contacts_in(
    set: &Set,
    body: &Geometry,
    motions: &[Motion],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Vec<Option<(BodyId, Contact)>>, BatchError> {
    let broad = set.broad(options);
    let slack = slack(body, options);
    let ask = |memory: &mut Memory, motion: &Motion| {
        let Memory { workspace, stack, near } = memory;
        near.clear();
        let sweep = Sweep::new(body, motion, slack);
        broad.near(&sweep, stack, |other| near.push(other));
        near.sort_unstable();
        let mut first = Earliest::new(options);
        for &other in near.iter() {
            let Some(member) = set.body(BodyId(other)) else { continue };
            let step = Step::new(member.motion, *motion);
            let mut ask = |options: &Options| {
                first_contact(&member.geometry, body, &step, options, workspace)
            };
            first.look(BodyId(other), &mut ask)?;
        }
        Ok(first.found)
    };
    run(motions, Memory::default, ask, watch)
}

/// What a thread keeps for a body in a set.
#[derive(Default)]
struct Memory {
    workspace: Workspace,
    stack: Stack,
    near: Vec<u32>,
}

/// Motions that one thread asks in a row, between looks at the watch.
const CHUNK: usize = 64;

/// Asks for every motion, on all cores.
fn run<M: Sync, W, T: Send>(
    motions: &[M],
    memory: impl Fn() -> W + Sync + Send,
    ask: impl Fn(&mut W, &M) -> Result<T, QueryError> + Sync + Send,
    watch: &Watch<'_>,
) -> Result<Vec<T>, BatchError> {
    let count = Count::new(watch);
    let of_chunk = |memory: &mut W, (number, motions): (usize, &[M])| {
        if count.is_cancelled() {
            return Err(BatchError::Cancelled);
        }
        let numbered = motions.iter().zip(number * CHUNK..);
        let answers = numbered.map(|(motion, index)| {
            ask(memory, motion).map_err(|error| BatchError::Query { index, error })
        });
        let answers: Result<Vec<T>, BatchError> = answers.collect();
        count.add(motions.len());
        answers
    };
    let chunks: Vec<Result<Vec<T>, BatchError>> =
        motions.par_chunks(CHUNK).enumerate().map_init(memory, of_chunk).collect();
    let mut all = Vec::with_capacity(motions.len());
    for chunk in chunks {
        all.extend(chunk?);
    }
    Ok(all)
}

/// How many motions are done, and whether more are wanted.
struct Count<'w> {
    watch: &'w Watch<'w>,
    done: AtomicUsize,
}

impl<'w> Count<'w> {
    fn new(watch: &'w Watch<'w>) -> Self {
        Self { watch, done: AtomicUsize::new(0) }
    }

    fn is_cancelled(&self) -> bool {
        self.watch.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn add(&self, count: usize) {
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        if let Some(progress) = self.watch.progress {
            progress(done);
        }
    }
}
