//! Many bodies with motions: which of them touch.

use std::fmt;

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::broad::Broad;
use super::contacts::{Contacts, contacts};
use super::error::QueryError;
use super::feature::Contact;
use super::found::{PairOverlap, SetContacts};
use super::geometry::Geometry;
use super::options::Options;
use super::rest::{Overlap, overlaps};
use super::route::Together;
use super::sweep::Sweep;
use super::trajectory::Trajectory;
use super::workspace::Workspace;
use crate::motion::{Motion, Pose};
use crate::parallel;

/// A body of a [`Set`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// The number of the body, from 0 in the order in which bodies were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which bodies may meet: each is in some groups, and meets what is in groups of its mask.
///
/// ```
/// use chasles::query::Filter;
/// let [ghost, wall] = [Filter { groups: 2, mask: 4 }, Filter::default()];
/// assert!(!ghost.admits(wall) && wall.admits(wall));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// The groups that the body is in, as bits.
    pub groups: u32,
    /// The groups that it meets, as bits.
    pub mask: u32,
}

impl Default for Filter {
    /// In the first group, and meets all.
    fn default() -> Self {
        Self { groups: 1, mask: u32::MAX }
    }
}

impl Filter {
    /// Whether two bodies meet: each is in a group that the other meets.
    pub fn admits(self, other: Self) -> bool {
        self.groups & other.mask != 0 && other.groups & self.mask != 0
    }
}

/// What a [`Set`] holds of one body.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its shape.
    pub geometry: Geometry,
    /// How it moves: by one motion, or past waypoints.
    pub motion: Trajectory,
    /// What it meets.
    pub filter: Filter,
}

/// Why a question about a set has no answer.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("bodies {} and {}: {error}", bodies[0], bodies[1])]
pub struct SetError {
    /// The first pair that has none, A and B.
    pub bodies: [BodyId; 2],
    /// Why not.
    pub error: QueryError,
}

/// Many bodies, each with a motion or waypoints.
///
/// Boxes around the motions tell which pairs come near each other, and only these are asked. As for
/// two bodies, contacts are those of the relative screws, which leave the bodies' own motions where
/// both turn ([Motions](super#motions)); [`Options::max_departure`] bounds that, and makes the
/// boxes smaller too. Two bodies that stand still are left out of all contacts: [`Set::overlaps`]
/// asks whether they are in each other.
///
/// *Cost* `n log n` in bodies, and a query for each pair that comes near. Two things make more
/// pairs come near, unless [`Options::max_departure`] is set: a body that turns by more than half a
/// radian has a box some two and a half times as wide against others that move; and a body that
/// goes from pose to pose and turns by more than a quarter-turn is held against each other one that
/// goes so, at some 0.05 us a pair, or by a query where one passes waypoints: their relative screw
/// may lead them through each other from any distance, and of `n` such bodies in a cloud some
/// `n^1.4` pairs truly touch on it. Memory is linear in bodies, pairs that come near, and contacts.
/// All cores are used ([`rayon`](https://docs.rs/rayon)'s pool, so `pool.install` limits them);
/// answers have the same bits at any number of threads.
///
/// ```
/// use chasles::query::{Geometry, Options, Set};
/// use chasles::{Motion, Pose};
///
/// let ball = Geometry::sphere(0.5)?;
/// let mut set = Set::new();
/// for x in 0..10 {
///     set.add(ball.clone(), Motion::still(Pose::from_position([2.0 * f64::from(x), 0.0, 0.0])?));
/// }
/// let [from, to] = [[4.2, 5.0, 0.0], [4.2, -5.0, 0.0]].map(Pose::from_position);
/// let flyer = set.add(ball.clone(), Motion::between(from?, to?));
///
/// let found = set.contacts(&Options::default())?;
/// let pair = found.pairs().next().expect("a hit");
/// assert_eq!((found.pairs().len(), pair.bodies[0].index(), pair.bodies[1]), (1, 2, flyer));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Set {
    pub(super) members: Vec<Member>,
    ignored: FxHashSet<[u32; 2]>,
}

impl Set {
    /// An empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a body and gives its number.
    ///
    /// *Accepts* any body, and a [`Motion`] or [`Waypoints`](super::Waypoints). *Guarantees*
    /// numbers from 0 on, in order. *Cost* constant; clones of a geometry share its memory. *Fails*
    /// never.
    pub fn add(&mut self, geometry: Geometry, motion: impl Into<Trajectory>) -> BodyId {
        self.add_with(geometry, motion, Filter::default())
    }

    /// The same for a body with a filter.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Set::add`].
    pub fn add_with(
        &mut self,
        geometry: Geometry,
        motion: impl Into<Trajectory>,
        filter: Filter,
    ) -> BodyId {
        let id = BodyId(self.members.len() as u32);
        self.members.push(Member { geometry, motion: motion.into(), filter });
        id
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// A body; none if this set has no body of that number.
    pub fn body(&self, id: BodyId) -> Option<&Member> {
        self.members.get(id.index())
    }

    /// A body, to give it another motion or filter; none if this set has no body of that number.
    pub fn body_mut(&mut self, id: BodyId) -> Option<&mut Member> {
        self.members.get_mut(id.index())
    }

    /// All bodies, in the order of their numbers.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = (BodyId, &Member)> {
        self.members.iter().enumerate().map(|(i, member)| (BodyId(i as u32), member))
    }

    /// Leaves a pair out, whatever the filters say.
    ///
    /// *Accepts* the bodies in either order, also twice. *Cost* constant. *Fails* never.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) {
        self.ignored.insert([a.0.min(b.0), a.0.max(b.0)]);
    }

    /// The pairs of bodies that may touch during their motions, the lower number first, in order.
    ///
    /// *Accepts* any options, of which the method and the departure count. With `asks_still` it
    /// also gives pairs of bodies that both stand. *Guarantees* every pair that has a contact, into
    /// however many [parts](crate::Step::with_parts) its step is cut. Without a bound of the
    /// departure these are many where bodies go from pose to pose and one of them turns by more
    /// than a quarter-turn: boxes tell nothing about such a pair, so it is always given, unless the
    /// relative motion is truly a screw. *Cost* see [`Set`]. *Fails* never.
    pub fn near_pairs(&self, options: &Options, asks_still: bool) -> Vec<[BodyId; 2]> {
        let pairs = self.broad(options, 0.0).pairs(asks_still, |_, _| true);
        let pairs = pairs.into_iter().filter(|&pair| self.admits(pair));
        pairs.map(|pair| pair.map(BodyId)).collect()
    }

    /// The contacts of all pairs of bodies, in the order of pairs and of time.
    ///
    /// A is the body with the lower number; `options.first_only` gives the first contact of each
    /// pair.
    ///
    /// *Accepts* any options. *Guarantees* for each pair what [`contacts`](super::contacts())
    /// gives, bit for bit, and that pairs that are left out have none, but for pairs that both
    /// stand still, that filters part or that are ignored. Bodies that overlap at the start have no
    /// contact there: see [`Set::overlaps`]. *Cost* see [`Set`]. *Fails* where a pair does, with
    /// the first of these.
    pub fn contacts(&self, options: &Options) -> Result<SetContacts, SetError> {
        self.contacts_where(options, |_, _| true)
    }

    /// The same for the pairs that a function admits, which is asked once for each pair that comes
    /// near, in order.
    pub fn contacts_where(
        &self,
        options: &Options,
        admits: impl FnMut(BodyId, BodyId) -> bool,
    ) -> Result<SetContacts, SetError> {
        let pairs = self.asked(options, 0.0, admits);
        let of_chunk = |workspace: &mut Workspace, pairs: &&[[u32; 2]]| {
            let mut found = SetContacts::default();
            let asked = pairs.iter().try_for_each(|&pair| {
                found.add(pair, &self.ask(pair, options, workspace)?);
                Ok(())
            });
            asked.map(|()| found)
        };
        let chunks: Vec<Result<SetContacts, SetError>> =
            parallel::map(&in_chunks(&pairs), Workspace::new, of_chunk);
        let mut all = SetContacts::of(pairs.len());
        for chunk in chunks {
            all.append(chunk?);
        }
        Ok(all)
    }

    /// The first contact of the whole set, and between which bodies.
    ///
    /// *Accepts* any options. *Guarantees* the earliest of the first contacts of all pairs; of
    /// those at one time that of the first pair. *Cost* about that of [`Set::contacts`] with
    /// `first_only`, often less: pairs are asked in groups of 32, in each group up to the earliest
    /// contact so far, and a pair that has an earlier one is asked twice. *Fails* as there.
    pub fn first_contact(
        &self,
        options: &Options,
    ) -> Result<Option<([BodyId; 2], Contact)>, SetError> {
        let pairs = self.asked(options, 0.0, |_, _| true);
        let first_of = |workspace: &mut Workspace, pairs: &&[[u32; 2]]| {
            let mut first = Earliest::new(options);
            for &pair in *pairs {
                let mut ask =
                    |options: &Options| Ok(self.ask(pair, options, workspace)?.first().copied());
                first.look(pair.map(BodyId), &mut ask)?;
            }
            Ok(first.found)
        };
        let chunks: Vec<Result<_, SetError>> =
            parallel::map(&in_chunks(&pairs), Workspace::new, first_of);
        let mut first: Option<([BodyId; 2], Contact)> = None;
        for chunk in chunks {
            let earlier = |(_, c): &(_, Contact)| first.is_none_or(|(_, f)| c.time < f.time);
            first = chunk?.filter(earlier).or(first);
        }
        Ok(first)
    }

    /// The pairs of bodies that overlap at the start, in order; those that stand still too.
    ///
    /// *Accepts* bodies of any kind. *Guarantees* for each pair what
    /// [`overlaps`](super::overlaps()) gives; pairs that are left out are apart, but for those that
    /// filters part or that are ignored. *Cost* `n log n` in bodies, and a question for each pair
    /// whose boxes overlap, on all cores. *Fails* where a pair does, with the first of these.
    ///
    /// ```
    /// use chasles::query::{Geometry, Set};
    /// use chasles::{Motion, Pose};
    ///
    /// let ball = Geometry::sphere(0.5)?;
    /// let mut set = Set::new();
    /// for x in [0.0, 0.75, 5.0] {
    ///     set.add(ball.clone(), Motion::still(Pose::from_position([x, 0.0, 0.0])?));
    /// }
    /// let pairs = set.overlaps()?;
    /// assert_eq!(pairs.len(), 1);
    /// assert_eq!(pairs[0].bodies.map(|body| body.index()), [0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlaps(&self) -> Result<Vec<PairOverlap>, SetError> {
        let starts: Vec<Pose> = self.members.iter().map(|member| member.motion.start()).collect();
        let stands: Vec<Trajectory> =
            starts.iter().map(|&pose| Motion::still(pose).into()).collect();
        let geometries = self.members.iter().map(|member| &member.geometry);
        let broad = Broad::new(geometries.zip(&stands), &Options::all(), 0.0);
        let mut pairs = broad.pairs(true, |_, _| true);
        pairs.retain(|&pair| self.admits(pair));
        let ask = |workspace: &mut Workspace, &pair: &[u32; 2]| {
            let [a, b] = pair.map(|i| &self.members[i as usize].geometry);
            let poses = pair.map(|i| starts[i as usize]);
            let bodies = pair.map(BodyId);
            match overlaps(a, b, poses, workspace) {
                Ok(Overlap::Apart) => None,
                Ok(overlap) => Some(Ok(PairOverlap { bodies, overlap })),
                Err(error) => Some(Err(SetError { bodies, error })),
            }
        };
        let found: Vec<Option<Result<PairOverlap, SetError>>> =
            parallel::map(&pairs, Workspace::new, ask);
        found.into_iter().flatten().collect()
    }

    /// The boxes and trees of all bodies, for a reach.
    pub(super) fn broad(&self, options: &Options, reach: f64) -> Broad {
        Broad::new(self.members.iter().map(|m| (&m.geometry, &m.motion)), options, reach)
    }

    /// The pairs to ask: those that may come within a reach.
    pub(super) fn asked(
        &self,
        options: &Options,
        reach: f64,
        mut admits: impl FnMut(BodyId, BodyId) -> bool,
    ) -> Vec<[u32; 2]> {
        let mut pairs = self.broad(options, reach).pairs(false, Sweep::may_meet_on_screw);
        pairs.retain(|&[a, b]| self.admits([a, b]) && admits(BodyId(a), BodyId(b)));
        pairs
    }

    /// Whether filters let a pair meet.
    pub(super) fn admits(&self, pair: [u32; 2]) -> bool {
        let [a, b] = pair.map(|i| self.members[i as usize].filter);
        a.admits(b) && (self.ignored.is_empty() || !self.ignored.contains(&pair))
    }

    fn ask<'w>(
        &self,
        pair: [u32; 2],
        options: &Options,
        workspace: &'w mut Workspace,
    ) -> Result<Contacts<'w>, SetError> {
        let [a, b] = pair.map(|i| &self.members[i as usize]);
        let both = Together::new(&a.motion, &b.motion);
        let found = contacts(&a.geometry, &b.geometry, &both, options, workspace);
        found.map_err(|error| SetError { bodies: pair.map(BodyId), error })
    }
}

/// The earliest of contacts that are asked for one after the other.
pub(super) struct Earliest<T> {
    options: Options,
    /// What is asked first: only up to the earliest so far.
    early: Options,
    pub(super) found: Option<(T, Contact)>,
}

impl<T> Earliest<T> {
    pub(super) fn new(options: &Options) -> Self {
        let options = options.first();
        Self { options, early: options, found: None }
    }

    /// Takes the answer to `ask` if it is earlier than all before. A shorter window may change the
    /// last bits of a contact, so what is found in one is asked for once more in the whole.
    pub(super) fn look<E>(
        &mut self,
        whose: T,
        ask: &mut impl FnMut(&Options) -> Result<Option<Contact>, E>,
    ) -> Result<(), E> {
        let mut found = ask(&self.early)?;
        if let (Some((_, first)), Some(_)) = (&self.found, found) {
            let time = first.time;
            found = ask(&self.options)?.filter(|contact| contact.time < time);
        }
        if let Some(contact) = found {
            // What is at the same time but for rounding must not be cut off.
            let until = contact.time_bracket[1] + SAME_TIME;
            self.early.window[1] = self.options.window[1].min(until);
            self.found = Some((whose, contact));
        }
        Ok(())
    }
}

/// Pairs that one thread asks in a row: few enough for all cores, and the same however many there
/// are.
const CHUNK: usize = 32;

fn in_chunks(pairs: &[[u32; 2]]) -> Vec<&[[u32; 2]]> {
    pairs.chunks(CHUNK).collect()
}

/// Contacts of two pairs this close in time may be at one time.
const SAME_TIME: f64 = 1e-9;
