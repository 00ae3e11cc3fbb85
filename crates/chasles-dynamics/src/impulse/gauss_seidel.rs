//! Contacts that share bodies, solved together.
//!
//! The problem: impulses `p` in their friction cones, normal speeds of at least `least`, and no
//! impulse where the speed is above it. One contact alone has a closed form (the module of one
//! contact), and a few have a direct solution for what is thought to stick, slide and open. Few
//! contacts are solved so at once. Of many, those of one pair of bodies that stand together in the
//! list are a block, and the blocks are visited in turn, each finding its impulses as if the others
//! were right (projected Gauss-Seidel); where the direct solution does not help, contact by
//! contact.
//!
//! Sweeps run forwards and backwards in alternation: news travels through a stack in one sweep,
//! whichever way it is numbered. Between sweeps the impulses go on in the way they took, which
//! saves most of the sweeps that bodies of different mass and tall stacks need.
//!
//! Many contacts are not solved one by one but corrected: the normal impulse by what the normal
//! speed lacks, the tangential one against the sliding and then cut to the cone.
//!
//! Where all that does not get far, as in stacks that are heavier above than below, contacts are
//! solved from the inside of their cones, if they depend on few others each or nothing else is of
//! any use, and sweeps go on from there.
//!
//! **Error.** By how much contacts break their law, in m/s; the largest is the error. It is 0 for a
//! solution only, and for each one: where friction wedges bodies, there may be several, and the
//! visit to a contact leads to one of them.

use std::ops::Range;

use glam::DVec3;

use super::contact_law::{Spot, across};
use super::cuthill_mckee::{joined, places};
use super::interior_point::{self, Interior};
use super::pivoting::Direct;
use super::{Response, Touch};
use crate::body::Velocity;

/// More contacts than this are corrected step by step at first.
pub(super) const SOME: usize = 24;

/// More contacts than this are only corrected step by step.
const MANY: usize = 48;

/// An error of more than [`SOME`] contacts so many times as large as a rough one is too large
/// whatever it does to the energy: gaps close by it.
const COARSE: f64 = 10.0;

/// Contacts that are given more than this share of a rough error times their impulses lift what
/// they carry, and each time by a little more.
const LIFTED: f64 = 1e-3;

/// Operations for each contact that a solution from the inside may cost: what a tower of boxes
/// takes, and some ten times as much as the sweeps before.
const DEAR: f64 = 8e4;

/// An error so many times as large as a rough one is of no use: a tenth of a fall.
const USELESS: f64 = 1e3;

/// Then it may cost so many operations at least, a few hundredths of a second: seventy contacts
/// that all depend on each other.
const DEAREST: f64 = 6e7;

/// How long to look for a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The most visits to every contact.
    pub sweeps: usize,
    /// The error at which to stop, in m/s.
    pub tolerance: f64,
    /// The error at which contacts are not solved, and another way is tried: a stack would sway, in
    /// m/s.
    pub rough: f64,
    /// The most contacts that are also solved together, at a cost of their number times the square
    /// of how many others each depends on.
    pub together: usize,
}

/// How well contacts are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// The visits to every contact that it took.
    pub sweeps: usize,
    /// By how much a contact breaks its law at most, in m/s.
    pub error: f64,
}

impl Solved {
    /// Both, one after the other: all sweeps, and the larger error.
    pub(super) fn with(self, other: Self) -> Self {
        Self { sweeps: self.sweeps + other.sweeps, error: self.error.max(other.error) }
    }
}

/// What is asked of one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Nothing where no impulse changes anything.
    pub(super) spot: Option<Spot>,
    /// The least normal speed afterwards.
    pub(super) least: f64,
    /// The cone.
    pub(super) friction: f64,
}

impl Row {
    pub(super) fn new(response: &impl Response, touch: &Touch, least: f64) -> Self {
        Self { spot: Spot::new(response, touch), least, friction: touch.friction }
    }

    /// An impulse brought into the cone: it never pulls, and its tangential part is cut.
    pub(super) fn within(&self, normal: DVec3, impulse: DVec3) -> DVec3 {
        let push = normal.dot(impulse).max(0.0);
        push * normal + across(normal, impulse).clamp_length_max(self.friction * push)
    }
}

/// Velocities with the impulses that made them.
#[derive(Debug)]
pub(super) struct State<'r, R> {
    pub(super) response: &'r R,
    pub(super) velocities: Vec<Velocity>,
    pub(super) impulses: Vec<DVec3>,
}

impl<'r, R: Response> State<'r, R> {
    /// No impulses yet.
    pub(super) fn new(response: &'r R, velocities: &[Velocity], count: usize) -> Self {
        let velocities = velocities.to_vec();
        Self { response, velocities, impulses: vec![DVec3::ZERO; count] }
    }

    /// The velocity at a contact.
    pub(super) fn at(&self, spot: &Spot) -> DVec3 {
        self.response.approach(&self.velocities, spot.bodies, spot.point)
    }

    /// Gives a contact another impulse.
    pub(super) fn set(&mut self, index: usize, spot: &Spot, impulse: DVec3) {
        let change = impulse - self.impulses[index];
        if change != DVec3::ZERO {
            self.response.push(&mut self.velocities, spot.bodies, spot.point, change);
            self.impulses[index] = impulse;
        }
    }

    /// Solves the contacts from where they are.
    pub(super) fn relax(&mut self, rows: &[Row], effort: &Effort) -> Solved {
        let error = self.error(rows, 0..rows.len());
        if error <= effort.tolerance {
            return Solved { sweeps: 0, error };
        }
        let solved = self.sweep(rows, effort);
        let is_coarse = rows.len() <= SOME || solved.error > COARSE * effort.rough;
        // What has to part is parted again and again, and errors add up.
        let parts = rows.iter().any(|row| row.least > 0.0);
        let is_poor =
            solved.error > effort.rough && (is_coarse || parts || self.lifts(rows, effort));
        if is_poor && rows.len() <= effort.together {
            return self.relax_inside(rows, effort, solved);
        }
        solved
    }

    /// Solves the contacts by sweeps, and directly if they are few.
    fn sweep(&mut self, rows: &[Row], effort: &Effort) -> Solved {
        if rows.len() <= SOME {
            let blocks = self.blocks(rows, effort);
            return self.relax_blocks(rows, &blocks, effort);
        }
        let swift = self.relax_swiftly(rows, effort);
        let swift = Solved { error: self.error(rows, 0..rows.len()), ..swift };
        if rows.len() > MANY || swift.error <= effort.rough {
            return swift;
        }
        let blocks = self.blocks(rows, effort);
        if let [block] = &blocks[..] {
            // A direct solution either succeeds from where steps lead, or costs much for nothing.
            self.solve(rows, block);
            return Solved { error: self.error(rows, 0..rows.len()), ..swift };
        }
        let solved = self.relax_blocks(rows, &blocks, effort);
        Solved { sweeps: swift.sweeps + solved.sweeps, ..solved }
    }

    /// Solves contacts from the inside of their cones after sweeps that left this, if that is worth
    /// its cost.
    fn relax_inside(&mut self, rows: &[Row], effort: &Effort, swept: Solved) -> Solved {
        let mut order = by_neighbours(self.response, rows);
        order.retain(|&i| rows[i].spot.is_some());
        let sorted: Vec<Row> = order.iter().map(|&i| rows[i]).collect();
        let cost = interior_point::cost(self.response, &sorted);
        let most = if swept.error > USELESS * effort.rough { DEAREST } else { 0.0 };
        if cost > most.max(DEAR * rows.len() as f64) {
            return swept;
        }
        let mut still = vec![Velocity::ZERO; self.velocities.len()];
        let direct = Direct::new(self.response, &mut still, &sorted);
        let at = |row: &Row| row.spot.as_ref().map(|spot| self.at(spot));
        let now: Vec<_> = sorted.iter().map(at).collect();
        let pushed: Vec<_> = order.iter().map(|&i| self.impulses[i]).collect();
        let interior = Interior::new(&direct, &sorted, &direct.without(&now, &pushed));
        let mut impulses = vec![DVec3::ZERO; rows.len()];
        let found = interior.impulses(effort.tolerance);
        order.iter().zip(found).for_each(|(&i, impulse)| impulses[i] = impulse);
        let mut sweeps = swept.sweeps;
        let error = self.improve(rows, effort, |state| {
            state.set_all(rows, &(0..rows.len()), &impulses);
            state.improve(rows, effort, |state| sweeps += state.relax_swiftly(rows, effort).sweeps);
        });
        Solved { sweeps, error }
    }

    /// Tries something, and takes it back if that makes the error no smaller, or lifts what was not
    /// lifted; the error that is left.
    fn improve(&mut self, rows: &[Row], effort: &Effort, attempt: impl FnOnce(&mut Self)) -> f64 {
        let all = 0..rows.len();
        let (error, lifted) = (self.error(rows, all.clone()), self.lifts(rows, effort));
        let before = (self.impulses.clone(), self.velocities.clone());
        attempt(self);
        let after = self.error(rows, all);
        if after < error && (lifted || !self.lifts(rows, effort)) {
            return after;
        }
        (self.impulses, self.velocities) = before;
        error
    }

    /// Solves contacts block by block.
    fn relax_blocks(&mut self, rows: &[Row], blocks: &[Block], effort: &Effort) -> Solved {
        let mut solved = Solved { sweeps: 0, error: self.error(rows, 0..rows.len()) };
        let mut drift = Drift::new(rows.len());
        while solved.error > effort.tolerance && solved.sweeps < effort.sweeps {
            let from = self.impulses.clone();
            for step in 0..blocks.len() {
                let is_back = solved.sweeps % 2 == 1;
                let block = &blocks[if is_back { blocks.len() - 1 - step } else { step }];
                // A direct solution of all costs many sweeps, and is tried again only after some.
                self.visit(rows, block, blocks.len() > 1 || solved.sweeps.is_multiple_of(8));
            }
            solved.sweeps += 1;
            solved.error = self.error(rows, 0..rows.len());
            if solved.error > effort.tolerance && solved.sweeps < effort.sweeps {
                drift.carry_on(self, rows, &from);
            }
        }
        solved
    }

    /// Solves many contacts: each visit corrects a contact by a step instead of solving it, which
    /// has the same end and costs a tenth.
    fn relax_swiftly(&mut self, rows: &[Row], effort: &Effort) -> Solved {
        let mut solved = Solved { sweeps: 0, error: f64::INFINITY };
        let mut drift = Drift::new(rows.len());
        while solved.error > effort.tolerance && solved.sweeps < effort.sweeps {
            let from = self.impulses.clone();
            solved.error = 0.0;
            for step in 0..rows.len() {
                let is_back = solved.sweeps % 2 == 1;
                let index = if is_back { rows.len() - 1 - step } else { step };
                let Some(spot) = &rows[index].spot else { continue };
                let before = self.impulses[index];
                let nudged = spot.nudged(before, self.at(spot), &rows[index]);
                self.set(index, spot, nudged);
                solved.error = solved.error.max(spot.along * (nudged - before).length());
            }
            solved.sweeps += 1;
            if solved.error > effort.tolerance && solved.sweeps < effort.sweeps {
                drift.carry_on(self, rows, &from);
            }
        }
        solved
    }

    /// Stops contact after contact by impulses that are added to what they have, which is never
    /// taken back. Where nothing is asked to part, each visit takes energy, so this comes to an
    /// end.
    pub(super) fn stop_in_turn(&mut self, rows: &[Row], effort: &Effort) -> Solved {
        let mut solved = Solved { sweeps: 0, error: f64::INFINITY };
        while solved.error > effort.tolerance && solved.sweeps < effort.sweeps {
            solved.error = 0.0;
            for step in 0..rows.len() {
                let is_back = solved.sweeps % 2 == 1;
                let index = if is_back { rows.len() - 1 - step } else { step };
                let Some(spot) = &rows[index].spot else { continue };
                let more = spot.stop(self.at(spot), rows[index].least, rows[index].friction);
                self.set(index, spot, self.impulses[index] + more);
                solved.error = solved.error.max((spot.inv_effective_mass * more).length());
            }
            solved.sweeps += 1;
        }
        solved
    }

    /// Contacts that are visited together: all if they are few, else those of a pair of bodies that
    /// stand together.
    fn blocks(&self, rows: &[Row], effort: &Effort) -> Vec<Block> {
        let mut still = vec![Velocity::ZERO; self.velocities.len()];
        let bodies = |row: &Row| row.spot.as_ref().map(|spot| spot.bodies);
        let is_small = rows.len() <= effort.together;
        let mut start = 0;
        let mut block = |part: &[Row]| {
            let range = start..start + part.len();
            start = range.end;
            let is_direct = part.len() > 1 && part.len() <= effort.together;
            let direct = is_direct.then(|| Direct::new(self.response, &mut still, part));
            Block { range, direct }
        };
        rows.chunk_by(|a, b| is_small || bodies(a) == bodies(b)).map(&mut block).collect()
    }

    /// Solves a block as if the others were right: directly if that helps, and else contact by
    /// contact.
    fn visit(&mut self, rows: &[Row], block: &Block, is_due: bool) {
        if is_due && self.solve(rows, block) {
            return;
        }
        for index in block.range.clone() {
            if let Some(spot) = &rows[index].spot {
                let impulse = self.wanted(index, spot, &rows[index]);
                self.set(index, spot, impulse);
            }
        }
    }

    /// Solves a block directly, as if the others were right; false if that does not help.
    fn solve(&mut self, rows: &[Row], Block { range, direct }: &Block) -> bool {
        let Some(direct) = direct else { return false };
        let error = self.error(rows, range.clone());
        let before = self.impulses[range.clone()].to_vec();
        let at = |row: &Row| row.spot.as_ref().map(|spot| self.at(spot));
        let now: Vec<_> = rows[range.clone()].iter().map(at).collect();
        let found = direct.impulses(&rows[range.clone()], &now, &before);
        let velocities = self.velocities.clone();
        self.set_all(rows, range, &found);
        let helps = self.error(rows, range.clone()) < 0.5 * error;
        if !helps {
            // Impulses of wedged contacts have no bound: taken back by others, they would leave
            // their rounding.
            self.impulses[range.clone()].copy_from_slice(&before);
            self.velocities = velocities;
        }
        helps
    }

    /// Gives the contacts of a block other impulses, brought into their cones.
    fn set_all(&mut self, rows: &[Row], range: &Range<usize>, impulses: &[DVec3]) {
        for (index, &impulse) in range.clone().zip(impulses) {
            if let Some(spot) = &rows[index].spot {
                self.set(index, spot, rows[index].within(spot.normal, impulse));
            }
        }
    }

    /// The impulse of a contact if all others are right.
    fn wanted(&self, index: usize, spot: &Spot, row: &Row) -> DVec3 {
        let without = self.at(spot) - spot.inv_effective_mass * self.impulses[index];
        spot.stop(without, row.least, row.friction)
    }

    /// Whether contacts give energy to what forces press on them.
    ///
    /// Forces make `v + a h` of velocities `v`, impulses make `w` of that, and bodies go the way
    /// `w h`. Over the step their energy, with that in the field of the forces, grows by
    /// `sum p.w - (energy of w - v)`; no `p.w` of a solution is positive. Where contacts are asked
    /// to part, only what they part faster counts.
    fn lifts(&self, rows: &[Row], effort: &Effort) -> bool {
        let given = |(row, p): (&Row, &DVec3)| {
            let spot = row.spot.as_ref()?;
            Some(p.dot(self.at(spot) - row.least.max(0.0) * spot.normal))
        };
        let given: f64 = rows.iter().zip(&self.impulses).filter_map(given).sum();
        let pushed: f64 = self.impulses.iter().map(|p| p.length()).sum();
        given > LIFTED * effort.rough * pushed
    }

    /// By how much one of these contacts breaks its law at most.
    fn error(&self, rows: &[Row], range: Range<usize>) -> f64 {
        let breach = |index: usize| {
            let spot = rows[index].spot.as_ref()?;
            Some(spot.breach(self.impulses[index], self.at(spot), &rows[index]))
        };
        worst(range.filter_map(breach))
    }
}

/// The largest of some errors; what is not a number is beyond all.
pub(super) fn worst(errors: impl Iterator<Item = f64>) -> f64 {
    errors.fold(0.0, |worst, error| if error.is_nan() { f64::INFINITY } else { worst.max(error) })
}

/// The order of contacts in which those that depend on each other are near each other, whatever the
/// numbers of bodies: from body to body by the contacts between them, each time from one at an end.
fn by_neighbours(response: &impl Response, rows: &[Row]) -> Vec<usize> {
    let spots = || rows.iter().filter_map(|row| row.spot.as_ref().map(|spot| spot.bodies));
    let count = spots().flatten().max().map_or(1, |most| most + 1);
    let joins =
        |[a, b]: &[usize; 2]| response.may_move([*a, *b], *a) && response.may_move([*a, *b], *b);
    let places = places(&joined(count, spots().filter(joins)));
    let key = |&i: &usize| {
        let bodies = rows[i].spot.as_ref().map_or([0; 2], |spot| spot.bodies);
        let of = |body: usize| response.may_move(bodies, body).then_some(places[body]);
        let [a, b] = bodies.map(of);
        let [a, b] = [a.or(b), b.or(a)];
        (a.min(b), a.max(b), i)
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_unstable_by_key(key);
    order
}

/// Contacts that are visited together.
struct Block {
    range: Range<usize>,
    /// Nothing for one contact, or too many.
    direct: Option<Direct>,
}

/// The way that sweeps have taken so far (nonsmooth nonlinear conjugate gradients, [Silcowitz10
/// §4]).
///
/// A sweep is a step down a slope; adding a share of the way before, by how the steps shrink, turns
/// slow creeping into conjugate directions. When steps grow, the way is forgotten.
struct Drift {
    way: Vec<DVec3>,
    /// The square of the last step, as an energy.
    step: f64,
}

impl Drift {
    fn new(count: usize) -> Self {
        Self { way: vec![DVec3::ZERO; count], step: f64::INFINITY }
    }

    /// Goes on after a sweep that began with other impulses.
    fn carry_on<R: Response>(&mut self, state: &mut State<'_, R>, rows: &[Row], from: &[DVec3]) {
        let energy = |(i, row): (usize, &Row)| {
            let step = state.impulses[i] - from[i];
            row.spot.as_ref().map_or(0.0, |spot| step.dot(spot.inv_effective_mass * step))
        };
        let step: f64 = rows.iter().enumerate().map(energy).sum();
        let share = if step < self.step { step / self.step } else { 0.0 };
        self.step = step;
        for (i, row) in rows.iter().enumerate() {
            let Some(spot) = &row.spot else { continue };
            let taken = state.impulses[i] - from[i];
            let more = share * self.way[i];
            self.way[i] = taken + more;
            let further = row.within(spot.normal, state.impulses[i] + more);
            state.set(i, spot, further);
        }
    }
}
