//! One pair of bodies, or one body among many, under many motions.
//!
//! *Question.* A planner or a data set has thousands of motions of the same bodies. Which are free,
//! and where do the others first touch? Motions go in as a slice, answers come out as an array in
//! the same order.
//!
//! | for each motion | a pair | a body in a [`Set`] |
//! |---|---|---|
//! | the first contact, with its time and features | [`first_contacts`] | [`first_contacts_in`] |
//! | its time alone | [`first_times`] | |
//! | the least distance on the way | [`clearances`] | [`clearances_in`] |
//! | the distance at rest, for each two poses | [`distances`] | |
//! | does any motion hit? ends at the first that does | [`first_hit`] | [`first_hit_in`] |
//!
//! *Accepts* any bodies, and motions of one type: [`Step`] or [`Route`](super::Route) for
//! a pair, [`Motion`] for a body in a [`Set`]. *Guarantees* for each motion what
//! [`first_contact`], [`clearance`] or [`distance`] gives, bit for bit, at any number of threads.
//! *Cost* that of the queries, on all cores ([`rayon`](https://docs.rs/rayon)'s pool); one workspace
//! for each thread. *Fails* with the first motion that has no answer, and when it is cancelled.
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

use super::broad::{Broad, slack};
use super::clearance::{Accuracy, Clearance, clearance};
use super::contacts::first_contact;
use super::distance::{Distance, distance};
use super::error::QueryError;
use super::feature::Contact;
use super::geometry::Geometry;
use super::options::Options;
use super::route::Moves;
use super::set::{BodyId, Earliest, Set};
use super::sweep::Sweep;
use super::workspace::Workspace;
use crate::bounds::Stack;
use crate::motion::{Motion, Pose, Step};

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
    let ask = |workspace: &mut Workspace, motion: &M| {
        Ok(first_contact(a, b, motion, options, workspace)?.is_some())
    };
    run_until(motions, Workspace::new, ask, watch)
}

/// The distance of two bodies at rest, for each of many pairs of poses of A and B, with the closest
/// points and parts.
///
/// *Accepts* meshes, spheres and capsules. *Guarantees*, *Cost* and *Fails* as the [module](self)
/// says.
pub fn distances(
    a: &Geometry,
    b: &Geometry,
    poses: &[[Pose; 2]],
    watch: &Watch<'_>,
) -> Result<Vec<Distance>, BatchError> {
    let ask = |workspace: &mut Workspace, poses: &[Pose; 2]| distance(a, b, *poses, workspace);
    run(poses, Workspace::new, ask, watch)
}

/// The least distance over each motion, as an interval no wider than `width`: how much room free
/// motions leave, and 0 for those that touch.
///
/// *Accepts* meshes, spheres and capsules, and any width. *Guarantees*, *Cost* and *Fails* as the
/// [module](self) says.
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
    let host = Host::new(set, body, options);
    run(motions, Memory::default, |memory, motion| host.first(motion, options, memory), watch)
}

/// The lowest number of a motion that brings a body into contact with a set, as [`first_hit`].
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as there and at [`first_contacts_in`].
pub fn first_hit_in(
    set: &Set,
    body: &Geometry,
    motions: &[Motion],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Option<usize>, BatchError> {
    let host = Host::new(set, body, options);
    let ask = |memory: &mut Memory, motion: &Motion| host.hits(motion, options, memory);
    run_until(motions, Memory::default, ask, watch)
}

/// The least distance of a body and a set over each of many motions of the body, and to which body
/// of the set; none if the set is empty.
///
/// The body of the set is A, and the one that is given is B. Bodies of the set move as the set
/// says.
///
/// *Accepts* meshes, spheres and capsules, any motions and any width. *Guarantees* for each motion
/// the clearance with the body that is named, and that no body of the set comes nearer than its
/// `lower`; `upper` is the least of all bodies up to the width. *Cost* a look at the boxes of all
/// bodies of the set, and a [`clearance`] for each that may come nearer than the nearest so far.
/// *Fails* as the [module](self) says, and where a body is a cylinder or a solid.
pub fn clearances_in(
    set: &Set,
    body: &Geometry,
    motions: &[Motion],
    width: f64,
    watch: &Watch<'_>,
) -> Result<Vec<Option<(BodyId, Clearance)>>, BatchError> {
    let sweeps: Vec<Sweep> =
        set.bodies().map(|(_, member)| Sweep::new(&member.geometry, &member.motion, 0.0)).collect();
    let ask = |(workspace, order): &mut (Workspace, Vec<(f64, u32)>), motion: &Motion| {
        let own = Sweep::new(body, motion, 0.0);
        order.clear();
        order.extend(sweeps.iter().zip(0..).map(|(sweep, i)| (sweep.apart(&own), i)));
        order.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let mut nearest: Option<(BodyId, Clearance)> = None;
        for &(apart, i) in order.iter() {
            if nearest.is_some_and(|(_, nearest)| apart >= nearest.upper) {
                break;
            }
            let Some(member) = set.body(BodyId(i)) else { continue };
            let step = Step::new(member.motion, *motion);
            let next = clearance(&member.geometry, body, &step, width, workspace)?;
            nearest = Some(nearer(nearest, (BodyId(i), next)));
        }
        Ok(nearest)
    };
    run(motions, Default::default, ask, watch)
}

/// The nearer of two bodies, with a lower bound for both.
fn nearer(known: Option<(BodyId, Clearance)>, next: (BodyId, Clearance)) -> (BodyId, Clearance) {
    let Some(known) = known else { return next };
    let lower = known.1.lower.min(next.1.lower);
    let (body, nearest) = if next.1.upper < known.1.upper { next } else { known };
    (body, Clearance { lower, ..nearest })
}

/// A set, made ready for one body under many motions.
struct Host<'s> {
    set: &'s Set,
    broad: Broad,
    body: &'s Geometry,
    slack: f64,
}

impl<'s> Host<'s> {
    fn new(set: &'s Set, body: &'s Geometry, options: &Options) -> Self {
        Self { set, broad: set.broad(options), body, slack: slack(body, options) }
    }

    /// The bodies that a motion may meet, in order.
    fn near(&self, motion: &Motion, memory: &mut Memory) {
        let Memory { stack, near, .. } = memory;
        near.clear();
        self.broad
            .near(&Sweep::new(self.body, motion, self.slack), stack, |other| near.push(other));
        near.sort_unstable();
    }

    fn ask(
        &self,
        (other, motion): (BodyId, &Motion),
        options: &Options,
        workspace: &mut Workspace,
    ) -> Result<Option<Contact>, QueryError> {
        let Some(member) = self.set.body(other) else { return Ok(None) };
        let step = Step::new(member.motion, *motion);
        first_contact(&member.geometry, self.body, &step, options, workspace)
    }

    fn first(
        &self,
        motion: &Motion,
        options: &Options,
        memory: &mut Memory,
    ) -> Result<Option<(BodyId, Contact)>, QueryError> {
        self.near(motion, memory);
        let Memory { workspace, near, .. } = memory;
        let mut first = Earliest::new(options);
        for other in near.iter().map(|&other| BodyId(other)) {
            let mut ask = |options: &Options| self.ask((other, motion), options, workspace);
            first.look(other, &mut ask)?;
        }
        Ok(first.found)
    }

    /// Whether there is any contact.
    fn hits(
        &self,
        motion: &Motion,
        options: &Options,
        memory: &mut Memory,
    ) -> Result<bool, QueryError> {
        self.near(motion, memory);
        let Memory { workspace, near, .. } = memory;
        for &other in near.iter() {
            if self.ask((BodyId(other), motion), options, workspace)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
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

/// The lowest number of a motion for which the answer is yes, on all cores.
fn run_until<M: Sync, W>(
    motions: &[M],
    memory: impl Fn() -> W + Sync + Send,
    ask: impl Fn(&mut W, &M) -> Result<bool, QueryError> + Sync + Send,
    watch: &Watch<'_>,
) -> Result<Option<usize>, BatchError> {
    let count = Count::new(watch);
    let ask = |memory: &mut W, (index, motion): (usize, &M)| {
        if count.is_cancelled() {
            return Some(Err(BatchError::Cancelled));
        }
        let answer = ask(memory, motion);
        count.add(1);
        match answer {
            Ok(false) => None,
            Ok(true) => Some(Ok(index)),
            Err(error) => Some(Err(BatchError::Query { index, error })),
        }
    };
    let motions = motions.par_iter().enumerate();
    motions.map_init(memory, ask).find_map_first(|found| found).transpose()
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
