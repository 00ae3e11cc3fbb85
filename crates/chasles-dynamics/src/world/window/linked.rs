//! Linkages in windows: joints, limits and motors are solved together with contacts.
//!
//! A linkage that nothing presses swings as [`swing`](super::super::swing) says, which keeps its
//! energy. One that is held gets velocities from the Newton method with its joints as rows, keeps
//! them throughout the window, and is brought back to its joints from where that leads. Which of
//! both it is, is tried in this order: a linkage swings until a trial hits something of it.

use chasles::Pose;
use glam::DVec3;

use super::super::State;
use super::super::broad::groups;
use super::super::island::Island;
use super::candidate::Candidate;
use super::group::{Group, LARGEST_TURN};
use super::newton::{self, Given};
use super::solver::{Row, warm_start};
use super::{DEAREST, OF_TOGETHER, Trial};
use crate::body::{Inertia, Velocity};
use crate::linkage::{Bond, Joint, Linkage, displaced};

/// Corrections of the joints after a window at most: each squares the error.
const CORRECTIONS: u32 = 8;

/// They end when joints are apart by no more than this share of the smallest body.
const CLOSED: f64 = 1e-9;

/// A window is cut into this many swings at most, each half as long as those before.
const MOST_SWINGS: u32 = 16;

/// The members of a linkage turn by this much in a window at most, if the budget of the step leaves
/// no shorter one: joints are closed from there, and two members turn as far as any pair may.
const MOST_TURNED: f64 = 0.5 * LARGEST_TURN;

/// What the solver leaves with more than so many times the energy that there was is no solution:
/// gaps that are to open give some.
const GARBLED: f64 = 2.0;

/// Joints that are apart by more than this share of the smallest body are open.
const OPEN: f64 = 1e-6;

/// What makes joints exact may close contacts by this many times the tolerance: a tenth of the gap.
const SLIGHT: f64 = 10.0;

/// Motors without a bound that contacts block have one of so many times the impulse that brings
/// their bodies alone to speed.
const MANY_TIMES: f64 = 100.0;

/// The joints of an island.
#[derive(Clone, Debug)]
pub(super) struct Links {
    /// Between members, those that hold something.
    pub(super) joints: Vec<Joint>,
    pub(super) linkage: Linkage,
    /// Members that joints bind to each other, those that move.
    pub(super) bound: Vec<Vec<usize>>,
    /// The number of the linkage that each member belongs to.
    of: Vec<Option<usize>>,
    /// Whether each linkage swings freely in this window.
    pub(super) swings: Vec<bool>,
    /// The size of the smallest member that is bound.
    smallest: f64,
    /// The share by which what is open at the start of a window is closed in it, and whether none
    /// of it is in this step, since something is in the way.
    closing: f64,
    is_blocked: bool,
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
        let linkage = Linkage::default();
        self.links = Some(Links {
            joints,
            linkage,
            bound,
            of,
            swings,
            smallest,
            closing: 1.0,
            is_blocked: false,
        });
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

    /// All that joints bind to a member, itself among them.
    pub(super) fn bound_to(&self, member: usize) -> Vec<usize> {
        let links = self.links.as_ref();
        let linkage = links.and_then(|links| Some(&links.bound[links.of(member)?]));
        linkage.cloned().unwrap_or_else(|| vec![member])
    }

    /// Whether all linkages swing freely again, from the start of a window on.
    pub(super) fn let_swing(&mut self) {
        if let Some(links) = &mut self.links {
            links.swings.fill(true);
        }
    }

    /// Closes this share of what is open in a window. What is in the way of all of it would be in
    /// the way of every window, however short.
    pub(super) fn close_by(&mut self, share: f64) {
        if let Some(links) = &mut self.links {
            links.closing = if links.is_blocked { 0.0 } else { share };
        }
    }

    /// Leaves joints as open as they are until the end of the step, if they are: something is in
    /// the way.
    pub(super) fn leave_open(&mut self) {
        if let Some(links) = &mut self.links {
            links.is_blocked |= links.linkage.gap().as_share_of(links.smallest) > OPEN;
        }
        self.close_by(1.0);
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

    /// Slows linkages of which a member turns farther in a window than joints can be followed: their
    /// motion about that of their centre of mass becomes slower, which joints allow, and about none
    /// where something holds them. The members of those that were slowed.
    pub(super) fn calm(&mut self, h: f64) -> Vec<usize> {
        let most = MOST_TURNED / h;
        let is_fast = |&i: &usize| self.states[i].velocity.angular.length() > most;
        let bound = self.links.iter().flat_map(|links| &links.bound);
        let fast: Vec<Vec<usize>> =
            bound.filter(|members| members.iter().any(&is_fast)).cloned().collect();
        for members in &fast {
            let fastest = members.iter().map(|&i| self.states[i].velocity.angular.length());
            let share = most / fastest.fold(most, f64::max);
            let middle = self.common_velocity(members, |i| self.states[i].velocity.linear);
            for &i in members {
                let Velocity { linear, angular } = self.states[i].velocity;
                let linear = middle + share * (linear - middle);
                self.states[i].velocity = Velocity { linear, angular: share * angular };
            }
        }
        fast.concat()
    }

    /// The velocity of the centre of mass of a linkage; 0 if something holds it.
    fn common_velocity(&self, members: &[usize], of: impl Fn(usize) -> DVec3) -> DVec3 {
        let joints = self.links.iter().flat_map(|links| &links.joints).map(Joint::bodies);
        let mut both = joints.filter(|pair| pair.iter().any(|i| members.contains(i))).flatten();
        let is_locked = |i: &usize| self.inertias[*i].inv_mass.min_element() == 0.0;
        if both.any(|i| !members.contains(&i)) || members.iter().any(is_locked) {
            return DVec3::ZERO;
        }
        let mass = |i: usize| self.masses[i].map_or(0.0, |solidity| solidity.mass());
        let all: f64 = members.iter().map(|&i| mass(i)).sum();
        members.iter().map(|&i| mass(i) / all * of(i)).sum()
    }

    /// Where linkages are that swing, at the end of a window; those that cannot do so in that time
    /// swing no longer.
    pub(super) fn swing(&mut self, candidates: &[Candidate], h: f64) -> Vec<Option<State>> {
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
    fn swung(&self, links: &Links, members: &[usize], h: f64) -> Option<Vec<(usize, State)>> {
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
            if let Some(states) = island.swung(part, count, count == MOST_SWINGS)? {
                let moved = all.into_iter().zip(states).filter(|(i, _)| members.contains(i));
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
        (number, ends): (usize, &[(usize, State)]),
    ) -> bool {
        let end = |i: usize| {
            let swung = ends.iter().find(|(member, _)| *member == i);
            swung.map_or(self.states[i].pose, |(_, state)| state.pose)
        };
        candidates.iter().filter(|c| c.bodies.iter().any(|&i| links.of(i) == Some(number))).all(
            |candidate| {
                let poses = candidate.bodies.map(end);
                let left = candidate.anchors.place([&poses[0], &poses[1]]).gap;
                left >= candidate.kept.min(candidate.place.gap) * (1.0 - 1e-9)
            },
        )
    }

    /// Solves the rows of a trial together with joints, limits and motors.
    pub(super) fn relax_linked(&self, links: &Links, trial: &mut Trial, tolerance: f64) {
        let is_free = |row: &Row| row.bodies.into_iter().any(|i| links.is_swinging(i));
        for row in trial.rows.iter_mut().filter(|row| is_free(row)) {
            row.release();
        }
        let mut bonds = links.linkage.bonds(trial.h);
        let before: Vec<DVec3> = trial.rows.iter().map(|row| row.impulse).collect();
        let mut found = self.solve_linked(links, trial, &bonds, tolerance);
        // A motor of any force that drives into what cannot give way leaves contacts no say: it has
        // a bound in this window.
        let is_boundless = |bond: &Bond| bond.most == f64::INFINITY && bond.low == bond.high;
        let blocks = |bond: &Bond| is_boundless(bond) && bond.low != 0.0;
        if found.error > tolerance && bonds.iter().any(blocks) {
            for bond in bonds.iter_mut().filter(|bond| blocks(bond)) {
                bond.most = MANY_TIMES * bond.low.abs() / self.mobility(bond);
            }
            trial.rows.iter_mut().zip(before).for_each(|(row, impulse)| row.impulse = impulse);
            found = self.solve_linked(links, trial, &bonds, tolerance);
        }
        let newton::Found { mut velocities, held, error } = found;
        self.hold_exactly(links, trial, &mut velocities, (&held, tolerance));
        trial.velocities = velocities;
        trial.error = error;
        trial.is_solved = error <= tolerance;
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
    /// impulses that rows have; that alone, if all together would cost too much.
    ///
    /// Joints, limits and motors alone are solved exactly. What that closes by no more than it may
    /// needs no more, so only bodies that hang together with a row that presses are solved anew.
    fn solve_linked(
        &self,
        links: &Links,
        trial: &mut Trial,
        bonds: &[Bond],
        tolerance: f64,
    ) -> newton::Found {
        let mut velocities = trial.pushed.clone();
        let mut held = links.linkage.guess(&mut velocities, bonds);
        let is_pressed = self.pressed(trial, bonds, &velocities);
        let is_in = |bodies: [usize; 2]| bodies.into_iter().any(|i| is_pressed[i]);
        for row in trial.rows.iter_mut().filter(|row| !is_in(row.bodies)) {
            row.impulse = DVec3::ZERO;
        }
        if !is_pressed.contains(&true) {
            return newton::Found { velocities, held, error: 0.0 };
        }
        let mut fit = trial.pushed.clone();
        warm_start(&trial.rows, &mut fit, &self.inertias);
        let guess = links.linkage.guess(&mut fit, bonds);
        let numbers: Vec<usize> = (0..bonds.len()).filter(|&i| is_in(bonds[i].bodies)).collect();
        let some: Vec<Bond> = numbers.iter().map(|&i| bonds[i]).collect();
        let mut rows: Vec<Row> =
            trial.rows.iter().filter(|row| is_in(row.bodies)).copied().collect();
        let given = Given {
            pushed: &trial.pushed,
            inertias: &self.inertias,
            bonds: &some,
            held: numbers.iter().map(|&i| guess[i]).collect(),
        };
        let effort =
            newton::Effort { tolerance: OF_TOGETHER * tolerance, enough: tolerance, most: DEAREST };
        let Some(found) = newton::solve(&mut rows, &given, &effort) else {
            return newton::Found { velocities: fit, held: guess, error: f64::INFINITY };
        };
        let pressed = trial.rows.iter_mut().filter(|row| is_in(row.bodies));
        pressed.zip(rows).for_each(|(row, solved)| *row = solved);
        numbers.iter().zip(&found.held).for_each(|(&i, &impulse)| held[i] = impulse);
        for i in (0..velocities.len()).filter(|&i| is_pressed[i]) {
            velocities[i] = found.velocities[i];
        }
        let mut found = newton::Found { velocities, held, error: found.error };
        if found.error > tolerance {
            self.stick(links, trial, bonds, &mut found);
        }
        found
    }

    /// Where the solver came to no end, and what it left has more energy than there was, bodies
    /// that press on each other and their linkages stick together: they all go on with the velocity
    /// of their centre of mass, or stay if something fixed is among them. Joints and contacts allow
    /// that, and it takes energy.
    fn stick(&self, links: &Links, trial: &mut Trial, bonds: &[Bond], found: &mut newton::Found) {
        let rows = trial.rows.iter().filter(|row| row.impulse != DVec3::ZERO);
        let bound: Vec<[usize; 2]> =
            rows.map(|row| row.bodies).chain(links.joints.iter().map(Joint::bodies)).collect();
        let moves = |pair: &[usize; 2]| pair.iter().all(|&i| self.masses[i].is_some());
        for members in groups(self.masses.len(), bound.iter().copied().filter(moves)) {
            let others: Vec<usize> = bound
                .iter()
                .filter(|pair| pair.iter().any(|i| members.contains(i)))
                .flatten()
                .copied()
                .filter(|i| !members.contains(i))
                .collect();
            let is_driven = others.iter().any(|&i| self.states[i].velocity != Velocity::ZERO);
            let [before, after] = [&trial.pushed, &found.velocities].map(|velocities| {
                members.iter().map(|&i| self.energy(i, &velocities[i])).sum::<f64>()
            });
            let work = self.work_of_motors(&members, trial.h);
            if is_driven || after <= GARBLED * (before + work) {
                continue;
            }
            let middle = match others.is_empty() {
                true => self.common_velocity(&members, |i| trial.pushed[i].linear),
                false => DVec3::ZERO,
            };
            for &i in &members {
                found.velocities[i] = Velocity { linear: middle, angular: DVec3::ZERO };
            }
            let is_in = |bodies: &[usize; 2]| bodies.iter().any(|i| members.contains(i));
            let rows = trial.rows.iter_mut().filter(|row| is_in(&row.bodies));
            rows.for_each(|row| row.impulse = DVec3::ZERO);
            let held = found.held.iter_mut().zip(bonds).filter(|(_, bond)| is_in(&bond.bodies));
            held.for_each(|(impulse, _)| *impulse = 0.0);
        }
    }

    /// The kinetic energy of a member with a velocity.
    fn energy(&self, member: usize, velocity: &Velocity) -> f64 {
        if self.masses[member].is_none() {
            return 0.0;
        }
        let [linear, angular] = self.inertias[member].momentum(velocity);
        0.5 * (linear.dot(velocity.linear) + angular.dot(velocity.angular))
    }

    /// Whether each member hangs together, by rows and joints, with a row that these velocities
    /// close by more than it may.
    fn pressed(&self, trial: &Trial, bonds: &[Bond], velocities: &[Velocity]) -> Vec<bool> {
        let moves = |pair: &[usize; 2]| pair.iter().all(|&i| self.masses[i].is_some());
        let rows = trial.rows.iter().filter(|row| !row.is_released()).map(|row| row.bodies);
        let bound = rows.chain(bonds.iter().map(|bond| bond.bodies)).filter(moves);
        let mut is_closed = vec![false; velocities.len()];
        let closes = |row: &&Row| !row.is_released() && row.rate(velocities) < row.least;
        let closing = trial.rows.iter().filter(closes).flat_map(|row| row.bodies);
        closing.for_each(|i| is_closed[i] = self.masses[i].is_some());
        let mut is_pressed = vec![false; velocities.len()];
        for members in groups(velocities.len(), bound) {
            let any = members.iter().any(|&i| is_closed[i]);
            members.iter().for_each(|&i| is_pressed[i] = any);
        }
        is_pressed
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
            rows.map(|row| row.least - row.rate(velocities)).fold(0.0, f64::max)
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
        let left = 1.0 - links.closing;
        let opened = (left > 0.0).then(|| links.linkage.alignment(links.smallest));
        let mut linkage = links.linkage.clone();
        for _ in 0..CORRECTIONS {
            let inertias = self.fit_to(links, &mut linkage, ends);
            if linkage.gap().as_share_of(links.smallest) <= CLOSED && !linkage.is_beyond() {
                break;
            }
            let mut steps = linkage.correction(links.smallest);
            for (step, open) in steps.iter_mut().zip(opened.iter().flatten()) {
                *step = step.minus(&open.times(left));
            }
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

    /// The rows of joints and limits at the end of a trial, where bodies bounce.
    pub(super) fn bonds_at(&self, ends: &[State]) -> Vec<Bond> {
        let Some(links) = &self.links else { return Vec::new() };
        let mut linkage = links.linkage.clone();
        self.fit_to(links, &mut linkage, ends);
        linkage.bonds(0.0)
    }
}
