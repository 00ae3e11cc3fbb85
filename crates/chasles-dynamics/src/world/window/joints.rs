//! Linkages in windows: joints, limits and motors are solved together with contacts.
//!
//! A linkage that nothing presses swings as [`free_linkage`](super::super::free_linkage) says,
//! which keeps its energy. One that is held gets velocities from the Newton method with its joints
//! as rows, keeps them throughout the window, and is brought back to its joints from where that
//! leads. Which of both it is, is tried in this order: a linkage swings until a trial hits
//! something of it.

use chasles::Pose;
use glam::DVec3;

use super::super::State;
use super::super::broad::groups;
use super::super::island::Island;
use super::alternating::Turns;
use super::candidate::Candidate;
use super::group::Group;
use super::newton::{self, Begin, Given};
use super::solver::{Row, warm_start};
use super::{DEAREST, OF_TOGETHER, ROUNDING, Trial};
use crate::body::{Inertia, Velocity};
use crate::linkage::{Bond, Joint, Linkage, displaced};

/// Corrections of the joints after a window at most: each squares the error.
const CORRECTIONS: u32 = 8;

/// They end when joints are apart by no more than this share of the smallest body.
const CLOSED: f64 = 1e-9;

/// A window is cut into this many swings at most, each half as long as those before.
const MOST_SWINGS: u32 = 16;

/// What makes joints exact may close contacts by this many times the tolerance: a tenth of the gap.
const SLIGHT: f64 = 10.0;

/// Motors without a bound that contacts block have one of so many times the impulse that brings
/// their bodies alone to speed.
const MANY_TIMES: f64 = 100.0;

/// A member that has swung: where it is, and the seconds that it has lost.
type Landed = (usize, (State, f64));

/// The joints of an island.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// Between members, those that hold something.
    pub(super) joints: Vec<Joint>,
    pub(super) linkage: Linkage,
    /// Members that joints bind to each other, those that move.
    pub(super) bound: Vec<Vec<usize>>,
    /// Members that stay behind together, or joints between them would open: also those on routes.
    tied: Vec<Vec<usize>>,
    /// The number of these that each member belongs to.
    tied_in: Vec<usize>,
    /// The number of the linkage that each member belongs to.
    of: Vec<Option<usize>>,
    /// Whether each linkage swings freely in this window.
    pub(super) swings: Vec<bool>,
    /// The size of the smallest member that is bound.
    smallest: f64,
}

impl Links {
    /// The linkage of a member that has joints.
    pub(super) fn of(&self, member: usize) -> Option<usize> {
        self.of[member]
    }

    fn is_swinging(&self, member: usize) -> bool {
        self.of[member].is_some_and(|linkage| self.swings[linkage])
    }
}

impl Group<'_> {
    /// Finds the joints that hold something.
    pub(super) fn link(&mut self) {
        let local = |body: usize| self.members.binary_search(&body).ok();
        let both = |joint: &Joint| {
            let [Some(a), Some(b)] = joint.bodies().map(local) else { return None };
            let moves = self.masses[a].is_some() || self.masses[b].is_some();
            moves.then(|| joint.between([a, b]))
        };
        let joints: Vec<Joint> = self.world.joints.iter().filter_map(both).collect();
        if joints.is_empty() {
            self.links = None;
            return;
        }
        let moves = |pair: &[usize; 2]| pair.iter().all(|&i| self.masses[i].is_some());
        let pairs = joints.iter().map(Joint::bodies);
        let is_joined = |i: usize| pairs.clone().flatten().any(|member| member == i);
        let bound = groups(self.members.len(), pairs.clone().filter(moves));
        let is_linkage =
            |members: &Vec<usize>| self.masses[members[0]].is_some() && is_joined(members[0]);
        let bound: Vec<Vec<usize>> = bound.into_iter().filter(is_linkage).collect();
        let mut of = vec![None; self.members.len()];
        for (number, members) in bound.iter().enumerate() {
            members.iter().for_each(|&i| of[i] = Some(number));
        }
        let sizes = bound.iter().flatten().map(|&i| self.bodies[i].size());
        let smallest = sizes.fold(f64::INFINITY, f64::min);
        let swings = vec![true; bound.len()];
        let is_movable = |pair: &[usize; 2]| pair.iter().all(|&i| self.bodies[i].is_movable());
        let tied = groups(self.members.len(), pairs.filter(is_movable));
        let mut tied_in = vec![0; self.members.len()];
        for (number, members) in tied.iter().enumerate() {
            members.iter().for_each(|&i| tied_in[i] = number);
        }
        let linkage = Linkage::default();
        let links = Links { joints, linkage, bound, tied, tied_in, of, swings, smallest };
        self.links = Some(links);
        self.fit_links();
    }

    /// Fits the linkage to where members are.
    pub(super) fn fit_links(&mut self) {
        let poses: Vec<Pose> = self.states.iter().map(|state| state.pose).collect();
        if let Some(links) = &mut self.links {
            let is_fit = links.linkage.fit(&links.joints, &self.inertias, &poses);
            debug_assert_eq!(is_fit, Ok(()), "joints are of members");
        }
    }

    /// Whether a member is bound to others by joints.
    pub(super) fn is_bound(&self, member: usize) -> bool {
        self.links.as_ref().is_some_and(|links| links.of(member).is_some())
    }

    /// All that stays behind with a member, itself among them.
    pub(super) fn bound_to(&self, member: usize) -> Vec<usize> {
        let tied = self.links.as_ref().map(|links| &links.tied[links.tied_in[member]]);
        tied.cloned().unwrap_or_else(|| vec![member])
    }

    /// Whether all linkages swing freely again, from the start of a window on.
    pub(super) fn let_swing(&mut self) {
        if let Some(links) = &mut self.links {
            links.swings.fill(true);
        }
    }

    /// Lets linkages of these members swing no longer; whether one did.
    pub(super) fn hold_links(&mut self, members: impl Iterator<Item = usize>) -> bool {
        let Some(links) = &mut self.links else { return false };
        let mut has_swung = false;
        for linkage in members.filter_map(|member| links.of[member]) {
            has_swung |= std::mem::take(&mut links.swings[linkage]);
        }
        has_swung
    }

    /// Where linkages are that swing, at the end of a window; those that cannot do so in that time
    /// swing no longer. With the seconds that members have stopped for.
    pub(super) fn swing(&mut self, candidates: &[Candidate], h: f64) -> Vec<Option<(State, f64)>> {
        let mut ends = vec![None; self.members.len()];
        let Some(links) = self.links.clone() else { return ends };
        for (number, members) in links.bound.iter().enumerate() {
            let swung = if links.swings[number] { self.swung(&links, members, h) } else { None };
            let swung = swung.filter(|ends| self.keeps_gaps(candidates, &links, (number, ends)));
            match swung {
                Some(states) => states.into_iter().for_each(|(i, state)| ends[i] = Some(state)),
                None => _ = self.hold_links(members.iter().copied()),
            }
        }
        ends
    }

    /// Where the members of a linkage are after they swung for a time; none if limits or motors
    /// act, or it swings too fast.
    fn swung(&self, links: &Links, members: &[usize], h: f64) -> Option<Vec<Landed>> {
        let holds = |joint: &&Joint| joint.bodies().iter().any(|i| members.contains(i));
        let held = links.joints.iter().filter(holds).flat_map(Joint::bodies);
        let mut all: Vec<usize> = members.iter().copied().chain(held).collect();
        all.sort_unstable();
        all.dedup();
        let named: Vec<usize> = all.iter().map(|&i| self.members[i]).collect();
        let yielded: Vec<bool> = all.iter().map(|&i| self.yielded[i]).collect();
        let start: Vec<State> = all.iter().map(|&i| self.states[i]).collect();
        let mut count = 1;
        while count <= MOST_SWINGS {
            let island = Island::of_members(self.world, named.clone(), &start, yielded.clone());
            let part = h / f64::from(count);
            if let Some((states, lost)) = island.swung(part, count, count == MOST_SWINGS)? {
                let moved = all
                    .into_iter()
                    .zip(states.into_iter().zip(lost))
                    .filter(|(i, _)| members.contains(i));
                return Some(moved.collect());
            }
            count *= 2;
        }
        None
    }

    /// Whether a linkage that swings leaves the gaps of its candidates open.
    fn keeps_gaps(
        &self,
        candidates: &[Candidate],
        links: &Links,
        (number, ends): (usize, &[Landed]),
    ) -> bool {
        let end = |i: usize| {
            let swung = ends.iter().find(|(member, _)| *member == i);
            swung.map_or(self.states[i].pose, |(_, (state, _))| state.pose)
        };
        candidates.iter().filter(|c| c.bodies.iter().any(|&i| links.of(i) == Some(number))).all(
            |candidate| {
                let poses = candidate.bodies.map(end);
                let left = candidate.anchors.place([&poses[0], &poses[1]]).gap;
                let least = candidate.held().min(candidate.place.gap) - ROUNDING * candidate.kept;
                left >= least || self.is_beside(candidate, [&poses[0], &poses[1]], DVec3::ZERO)
            },
        )
    }

    /// Solves the rows of a trial together with joints, limits and motors.
    ///
    /// Slow bodies are solved to a tolerance and better, others to what is `enough` for them.
    pub(super) fn relax_linked(
        &self,
        links: &Links,
        trial: &mut Trial,
        (tolerance, enough): (f64, f64),
    ) {
        let is_free = |row: &Row| row.bodies.into_iter().any(|i| links.is_swinging(i));
        for row in trial.rows.iter_mut().filter(|row| is_free(row)) {
            row.release();
        }
        let mut bonds = links.linkage.bonds(trial.h);
        let before: Vec<DVec3> = trial.rows.iter().map(|row| row.impulse).collect();
        let (exact, enough) = match self.is_calm(trial) {
            true => (OF_TOGETHER * tolerance, tolerance),
            false => (tolerance, enough.max(tolerance)),
        };
        let effort = newton::Effort { tolerance: exact, enough, most: DEAREST };
        let mut found = self.solve_linked(links, trial, &bonds, &effort);
        // A motor of any force that drives into what cannot give way leaves contacts no say: it has
        // a bound in this window.
        let is_boundless = |bond: &Bond| bond.most == f64::INFINITY && bond.low == bond.high;
        let blocks = |bond: &Bond| is_boundless(bond) && bond.low != 0.0;
        if found.error > enough && bonds.iter().any(blocks) {
            for bond in bonds.iter_mut().filter(|bond| blocks(bond)) {
                bond.most = MANY_TIMES * bond.low.abs() / self.mobility(bond);
            }
            trial.rows.iter_mut().zip(before).for_each(|(row, impulse)| row.impulse = impulse);
            trial.multiplications += found.multiplications;
            found = self.solve_linked(links, trial, &bonds, &effort);
        }
        let newton::Found { mut velocities, held, error, multiplications } = found;
        trial.multiplications += multiplications;
        self.hold_exactly(links, trial, &mut velocities, (&held, tolerance));
        trial.velocities = velocities;
        trial.error = error;
        trial.is_solved = error <= enough;
    }

    /// The rate that a unit impulse along a row gives its bodies alone.
    fn mobility(&self, bond: &Bond) -> f64 {
        let of = |(&body, pull): (&usize, &Velocity)| {
            let Inertia { inv_mass, inv_inertia, .. } = self.inertias[body];
            pull.linear.dot(inv_mass * pull.linear) + pull.angular.dot(inv_inertia * pull.angular)
        };
        bond.bodies.iter().zip(&bond.pull).map(of).sum()
    }

    /// Solves the rows of a trial with these joints, beginning with what they answer to the
    /// impulses that rows have; in turns with them, if all together would cost too much.
    fn solve_linked(
        &self,
        links: &Links,
        trial: &mut Trial,
        bonds: &[Bond],
        effort: &newton::Effort,
    ) -> newton::Found {
        let mut fit = trial.pushed.clone();
        warm_start(&trial.rows, &mut fit);
        let held = links.linkage.guess(&mut fit, bonds);
        let (pushed, inertias) = (&trial.pushed[..], &self.inertias[..]);
        let given = Given { pushed, inertias, bonds, held, begin: Begin::Pressing };
        let found = newton::solve(&mut trial.rows, &given, effort);
        let turns = Turns { linkage: &links.linkage, bonds, pushed, inertias };
        turns.or_found(&mut trial.rows, found, effort.enough)
    }

    /// Makes joints fit to rounding, and limits and motors that act keep their rates, unless
    /// contacts have a say in that: then joints alone.
    fn hold_exactly(
        &self,
        links: &Links,
        trial: &Trial,
        velocities: &mut Vec<Velocity>,
        (held, tolerance): (&[f64], f64),
    ) {
        let closes = |velocities: &[Velocity]| {
            let rows = trial.rows.iter().filter(|row| !row.is_released());
            rows.map(|row| row.due() - row.rate(velocities)).fold(0.0, f64::max)
        };
        let mut exact = velocities.clone();
        links.linkage.hold_exactly(&mut exact, held, trial.h);
        if closes(&exact) <= closes(velocities).max(SLIGHT * tolerance) {
            *velocities = exact;
        } else {
            links.linkage.align(velocities);
        }
    }

    /// Brings joints together where a trial ends, and velocities there to fit them.
    pub(super) fn close_joints(&self, links: &Links, ends: &mut [State]) {
        if links.swings.iter().all(|swings| *swings) {
            return;
        }
        let mut linkage = links.linkage.clone();
        for _ in 0..CORRECTIONS {
            let inertias = self.fit_to(links, &mut linkage, ends);
            if linkage.gap().as_share_of(links.smallest) <= CLOSED && !linkage.is_beyond() {
                break;
            }
            let steps = linkage.correction(links.smallest);
            for ((end, inertia), by) in ends.iter_mut().zip(&inertias).zip(&steps) {
                end.pose = displaced(&end.pose, inertia.centre, by);
            }
        }
        let mut velocities: Vec<Velocity> = ends.iter().map(|end| end.velocity).collect();
        linkage.align(&mut velocities);
        for (i, velocity) in velocities.into_iter().enumerate() {
            if self.masses[i].is_some() && !links.is_swinging(i) {
                ends[i].velocity = velocity;
            }
        }
    }

    /// Fits a linkage to where members would be; how they answer impulses there.
    fn fit_to(&self, links: &Links, linkage: &mut Linkage, ends: &[State]) -> Vec<Inertia> {
        let poses: Vec<Pose> = ends.iter().map(|state| state.pose).collect();
        let inertias: Vec<Inertia> = self.inertias_at(ends).collect();
        let is_fit = linkage.fit(&links.joints, &inertias, &poses);
        debug_assert_eq!(is_fit, Ok(()), "joints are of members");
        inertias
    }

    /// The linkage at the end of a trial, where bodies bounce, and its rows; none without any.
    pub(super) fn bonds_at(&self, ends: &[State]) -> Option<(Linkage, Vec<Bond>)> {
        let links = self.links.as_ref()?;
        let mut linkage = links.linkage.clone();
        self.fit_to(links, &mut linkage, ends);
        let bonds = linkage.bonds(0.0);
        (!bonds.is_empty()).then_some((linkage, bonds))
    }
}
