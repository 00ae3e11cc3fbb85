//! One body among those of a set, under many motions.

use super::run::{run, run_until};
use super::{BatchError, Watch};
use crate::bounds::Stack;
use crate::query::broad::{Broad, slack};
use crate::query::clearance::{Accuracy, Clearance, clearance};
use crate::query::contacts::first_contact;
use crate::query::error::QueryError;
use crate::query::feature::Contact;
use crate::query::geometry::Geometry;
use crate::query::options::Options;
use crate::query::outcome::Outcome;
use crate::query::rest::{Overlap, overlaps};
use crate::query::route::{Together, sealed::Pieces};
use crate::query::set::{BodyId, Earliest, Filter, Member, Set};
use crate::query::sweep::{Slack, Sweep};
use crate::query::trajectory::Trajectory;
use crate::query::workspace::Workspace;

/// A body that is not of a [`Set`] and moves among its bodies. A `&Geometry` becomes one by `into`:
/// with the default filter, and nothing ignored.
///
/// ```
/// use chasles::query::{Filter, Geometry, Options, Set, batch};
/// use chasles::{Motion, Pose};
///
/// let [ball, ghost] = [Geometry::sphere(0.5)?, Geometry::sphere(0.5)?];
/// let mut set = Set::new();
/// set.add_with(ghost, Motion::still(Pose::IDENTITY), Filter { groups: 2, mask: 2 });
/// let [from, to] = [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]].map(Pose::from_position);
/// let motions = [Motion::between(from?, to?)];
/// let (options, watch) = (Options::default(), batch::Watch::default());
/// let through = batch::first_contacts_in(&set, &ball, &motions, &options, &watch)?;
/// assert_eq!(through[0], None);
/// let seer = batch::Visitor { filter: Filter { groups: 2, mask: 3 }, ..(&ball).into() };
/// assert!(batch::first_contacts_in(&set, seer, &motions, &options, &watch)?[0].is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Visitor<'g> {
    /// Its shape.
    pub geometry: &'g Geometry,
    /// Which bodies of the set it meets.
    pub filter: Filter,
    /// Bodies of the set that it passes through, whatever the filters say: itself, for one, where
    /// it stands for a body of the set.
    pub ignored: &'g [BodyId],
}

impl<'g> From<&'g Geometry> for Visitor<'g> {
    fn from(geometry: &'g Geometry) -> Self {
        Self { geometry, filter: Filter::default(), ignored: &[] }
    }
}

impl Visitor<'_> {
    fn meets(&self, id: BodyId, member: &Member) -> bool {
        self.filter.admits(member.filter) && !self.ignored.contains(&id)
    }
}

/// The first contact of a body with a set, for each of many motions of the body, and with which
/// body of the set.
///
/// The body of the set is A, and the one that is given is B. Bodies of the set move as the set
/// says; those that the [`Visitor`] does not meet are left out.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as the [module](super) says; the set is made ready
/// once. Of contacts at one time it is that with the first body. A motion that starts in overlap
/// has no contact there: ask [`outcomes_in`].
pub fn first_contacts_in<'g, T: Clone + Into<Trajectory> + Sync>(
    set: &Set,
    body: impl Into<Visitor<'g>>,
    motions: &[T],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Vec<Option<(BodyId, Contact)>>, BatchError> {
    let host = Host::new(set, body.into(), options);
    let ask = |memory: &mut Memory, motion: &T| host.first(&motion.clone().into(), memory);
    run(motions, Memory::default, ask, watch)
}

/// Whether a body is free among those of a set, for each of many motions of the body, and which
/// body of the set is in its way: none if it is free.
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`first_contacts_in`], and where
/// [`overlaps`](crate::query::overlaps()) does. Of several bodies it is the one of lowest number
/// that overlaps at the start; otherwise the one that is hit first; otherwise the first that is
/// undecided. *Cost* also that of an overlap with each body near the way.
pub fn outcomes_in<'g, T: Clone + Into<Trajectory> + Sync>(
    set: &Set,
    body: impl Into<Visitor<'g>>,
    motions: &[T],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Vec<(Outcome, Option<BodyId>)>, BatchError> {
    let host = Host::new(set, body.into(), options);
    let ask = |memory: &mut Memory, motion: &T| host.outcome(&motion.clone().into(), memory);
    run(motions, Memory::default, ask, watch)
}

/// The lowest number of a motion that brings a body into contact with a set, as
/// [`first_hit`](super::first_hit).
///
/// *Accepts*, *Guarantees*, *Cost* and *Fails* as there and at [`first_contacts_in`].
pub fn first_hit_in<'g, T: Clone + Into<Trajectory> + Sync>(
    set: &Set,
    body: impl Into<Visitor<'g>>,
    motions: &[T],
    options: &Options,
    watch: &Watch<'_>,
) -> Result<Option<usize>, BatchError> {
    let host = Host::new(set, body.into(), options);
    let ask = |memory: &mut Memory, motion: &T| host.hits(&motion.clone().into(), memory);
    run_until(motions, Memory::default, ask, watch)
}

/// The least distance of a body and a set over each of many motions of the body, and to which body
/// of the set; none if the set has none that it meets.
///
/// The body of the set is A, and the one that is given is B. Bodies of the set move as the set
/// says; those that the [`Visitor`] does not meet are left out.
///
/// *Accepts* meshes, spheres and capsules, any motions, and a width or an [`Accuracy`].
/// *Guarantees* for each motion that the distance to the named body is `upper` at `time`, and that
/// no body of the set that it meets comes nearer than `lower`, which is less by the width at most.
/// *Cost* a look at the boxes of all bodies of the set, and a [`clearance`] for each that may come
/// nearer than the nearest so far. *Fails* as the [module](super) says, and as [`clearance`] does.
pub fn clearances_in<'g, T: Clone + Into<Trajectory> + Sync>(
    set: &Set,
    body: impl Into<Visitor<'g>>,
    motions: &[T],
    accuracy: impl Into<Accuracy>,
    watch: &Watch<'_>,
) -> Result<Vec<Option<(BodyId, Clearance)>>, BatchError> {
    let (visitor, accuracy) = (body.into(), accuracy.into());
    let slack = Slack::new(0.0, accuracy.max_departure);
    let met = set.bodies().filter(|(id, member)| visitor.meets(*id, member));
    let hosts: Vec<(BodyId, &Member, Sweep)> = met
        .map(|(id, member)| (id, member, Sweep::new(&member.geometry, &member.motion, slack)))
        .collect();
    let ask = |(workspace, order): &mut (Workspace, Vec<(f64, usize)>), motion: &T| {
        let motion: Trajectory = motion.clone().into();
        let own = Sweep::new(visitor.geometry, &motion, slack);
        order.clear();
        order.extend(hosts.iter().enumerate().map(|(i, (.., sweep))| (sweep.apart(&own), i)));
        order.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let mut nearest: Option<(BodyId, Clearance)> = None;
        for &(apart, i) in order.iter() {
            if nearest.is_some_and(|(_, nearest)| apart >= nearest.upper) {
                break;
            }
            let (id, member, _) = &hosts[i];
            let both = Together::new(&member.motion, &motion);
            let next = clearance(&member.geometry, visitor.geometry, &both, accuracy, workspace)?;
            nearest = Some(nearer(nearest, (*id, next)));
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
    visitor: Visitor<'s>,
    options: &'s Options,
    slack: Slack,
}

impl<'s> Host<'s> {
    fn new(set: &'s Set, visitor: Visitor<'s>, options: &'s Options) -> Self {
        let slack = slack(visitor.geometry, options);
        Self { set, broad: set.broad(options, 0.0), visitor, options, slack }
    }

    /// The bodies that a motion may meet, in order.
    fn near(&self, motion: &Trajectory, memory: &mut Memory) {
        let Memory { stack, near, .. } = memory;
        near.clear();
        let sweep = Sweep::new(self.visitor.geometry, motion, self.slack);
        self.broad.near(&sweep, stack, |other| {
            let id = BodyId(other);
            if self.set.body(id).is_some_and(|member| self.visitor.meets(id, member)) {
                near.push(id);
            }
        });
        near.sort_unstable();
    }

    fn ask(
        &self,
        (other, motion): (BodyId, &Trajectory),
        options: &Options,
        workspace: &mut Workspace,
    ) -> Result<Option<Contact>, QueryError> {
        let Some(member) = self.set.body(other) else { return Ok(None) };
        let both = Together::new(&member.motion, motion);
        first_contact(&member.geometry, self.visitor.geometry, &both, options, workspace)
    }

    /// The first contact.
    fn first(
        &self,
        motion: &Trajectory,
        memory: &mut Memory,
    ) -> Result<Option<(BodyId, Contact)>, QueryError> {
        self.near(motion, memory);
        self.first_of_near(motion, memory)
    }

    fn first_of_near(
        &self,
        motion: &Trajectory,
        memory: &mut Memory,
    ) -> Result<Option<(BodyId, Contact)>, QueryError> {
        let Memory { workspace, near, .. } = memory;
        let mut first = Earliest::new(self.options);
        for &other in near.iter() {
            let mut ask = |options: &Options| self.ask((other, motion), options, workspace);
            first.look(other, &mut ask)?;
        }
        Ok(first.found)
    }

    /// Whether it overlaps at the start, then whether it hits anything.
    fn outcome(
        &self,
        motion: &Trajectory,
        memory: &mut Memory,
    ) -> Result<(Outcome, Option<BodyId>), QueryError> {
        self.near(motion, memory);
        let mut undecided = None;
        for &other in &memory.near {
            let Some(member) = self.set.body(other) else { continue };
            let bodies = [&member.geometry, self.visitor.geometry];
            let poses = Together::new(&member.motion, motion).starts(self.options);
            match overlaps(bodies[0], bodies[1], poses, &mut memory.workspace)? {
                Overlap::Apart => {}
                Overlap::Overlapping(parts) => {
                    return Ok((Outcome::StartsOverlapping(parts), Some(other)));
                }
                Overlap::Undecided => undecided = undecided.or(Some(other)),
            }
        }
        Ok(match (self.first_of_near(motion, memory)?, undecided) {
            (Some((other, contact)), _) => (Outcome::Hit(contact), Some(other)),
            (None, Some(other)) => (Outcome::Undecided, Some(other)),
            (None, None) => (Outcome::Free, None),
        })
    }

    /// Whether there is any contact.
    fn hits(&self, motion: &Trajectory, memory: &mut Memory) -> Result<bool, QueryError> {
        self.near(motion, memory);
        let Memory { workspace, near, .. } = memory;
        for &other in near.iter() {
            if self.ask((other, motion), self.options, workspace)?.is_some() {
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
    near: Vec<BodyId>,
}
