//! Contacts that share bodies, solved together.
//!
//! The problem: impulses `p` in their friction cones, normal speeds of at least `least`, and no
//! impulse where the speed is above it. One contact alone has a closed form (the module of one
//! contact), and a few have a direct solution for what is thought to stick, slide and open. Few
//! contacts are solved so at once. Of many, those of one pair of bodies that stand together in the
//! list are a block, and the blocks are visited in turn, each finding its impulses as if the others
//! were right (projected Gauss-Seidel); where the direct solution does not help, contact by contact.
//!
//! Sweeps run forwards and backwards in alternation: news travels through a stack in one sweep,
//! whichever way it is numbered. Between sweeps the impulses go on in the way they took, which saves
//! most of the sweeps that bodies of different mass and tall stacks need.
//!
//! Many contacts are not solved one by one but corrected: the normal impulse by what the normal speed
//! lacks, the tangential one against the sliding and then cut to the cone. Where that does not get far, as in towers
//! that are heavier above than below, and contacts depend on few others each, they are solved directly too.
//!
//! **Error.** One visit to each contact, without acting on it, tells by how much its velocity would
//! still change; the largest is the error, in m/s. It is 0 for a solution only.

use std::ops::Range;

use glam::DVec3;

use super::direct::{Direct, Guess};
use super::spot::{Spot, across};
use super::{Response, Touch};
use crate::body::Velocity;

/// More contacts than this are corrected step by step at first.
pub(super) const SOME: usize = 24;

/// More contacts than this are only corrected step by step.
const MANY: usize = 48;

/// Direct solutions of many contacts at most, with sweeps after each.
const AT_ONCE: usize = 4;

/// Operations of one visit to a contact, about.
const VISIT: usize = 100;

/// How long to look for a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The most visits to every contact.
    pub sweeps: usize,
    /// The error at which to stop, in m/s.
    pub tolerance: f64,
    /// The error at which sweeps over many contacts have not done it, and a direct solution is tried: a stack would
    /// sway, in m/s.
    pub rough: f64,
    /// The most contacts that are also solved directly, at a cost of their number times the square of how many
    /// others each depends on.
    pub direct: usize,
}

/// How well contacts are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// The visits to every contact that it took.
    pub sweeps: usize,
    /// By how much the velocity of a contact would still change at the next visit, in m/s.
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
        if rows.len() <= SOME {
            let blocks = self.blocks(rows, effort);
            return self.relax_blocks(rows, &blocks, effort);
        }
        let swift = self.relax_swiftly(rows, effort);
        if rows.len() > MANY.max(effort.direct) || swift.error <= effort.rough {
            return swift;
        }
        if rows.len() > MANY {
            return self.relax_at_once(rows, effort, swift);
        }
        let blocks = self.blocks(rows, effort);
        if let [block] = &blocks[..] {
            // A direct solution either succeeds from where steps lead, or costs much for nothing.
            if !self.solve(rows, block, Guess::Now) {
                self.solve(rows, block, Guess::Closed);
            }
            return Solved { error: self.error(rows, 0..rows.len()), ..swift };
        }
        let solved = self.relax_blocks(rows, &blocks, effort);
        Solved { sweeps: swift.sweeps + solved.sweeps, ..solved }
    }

    /// Solves many contacts directly, after sweeps that did not get far, if that costs no more than they did: where
    /// contacts depend on few others each, as in a tower. Sweeps go on from there.
    fn relax_at_once(&mut self, rows: &[Row], effort: &Effort, swift: Solved) -> Solved {
        let order = by_neighbours(self.response, rows);
        let sorted: Vec<Row> = order.iter().map(|&i| rows[i]).collect();
        if Direct::cost(self.response, &sorted) > (VISIT * effort.sweeps * rows.len()) as f64 {
            return swift;
        }
        let mut still = vec![Velocity::ZERO; self.velocities.len()];
        let direct = Direct::new(self.response, &mut still, &sorted);
        let block = Block { range: 0..rows.len(), direct: Some(direct) };
        self.impulses = order.iter().map(|&i| self.impulses[i]).collect();
        let mut solved = swift;
        for _ in 0..AT_ONCE {
            let helps = |guess: Guess, state: &mut Self| state.solve(&sorted, &block, guess);
            if !helps(Guess::Now, self) && !helps(Guess::Closed, self) {
                break;
            }
            let more = self.relax_swiftly(&sorted, effort);
            solved = Solved { sweeps: solved.sweeps + more.sweeps, ..more };
            if solved.error <= effort.rough {
                break;
            }
        }
        let mut impulses = vec![DVec3::ZERO; rows.len()];
        order.iter().zip(&self.impulses).for_each(|(&i, impulse)| impulses[i] = *impulse);
        self.impulses = impulses;
        solved
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

    /// Stops contact after contact by impulses that are added to what they have, which is never taken
    /// back. Where nothing is asked to part, each visit takes energy, so this comes to an end.
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
                solved.error = solved.error.max((spot.softness * more).length());
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
        let is_small = rows.len() <= effort.direct;
        let mut start = 0;
        let mut block = |part: &[Row]| {
            let range = start..start + part.len();
            start = range.end;
            let is_direct = part.len() > 1 && part.len() <= effort.direct;
            let direct = is_direct.then(|| Direct::new(self.response, &mut still, part));
            Block { range, direct }
        };
        rows.chunk_by(|a, b| is_small || bodies(a) == bodies(b)).map(&mut block).collect()
    }

    /// Solves a block as if the others were right: directly if that helps, and else contact by
    /// contact.
    fn visit(&mut self, rows: &[Row], block: &Block, is_due: bool) {
        if is_due && self.solve(rows, block, Guess::Now) {
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
    fn solve(&mut self, rows: &[Row], Block { range, direct }: &Block, guess: Guess) -> bool {
        let Some(direct) = direct else { return false };
        let error = self.error(rows, range.clone());
        let before = self.impulses[range.clone()].to_vec();
        let at = |row: &Row| row.spot.as_ref().map(|spot| self.at(spot));
        let now: Vec<_> = rows[range.clone()].iter().map(at).collect();
        let found = direct.impulses(&rows[range.clone()], &now, &before, guess);
        let velocities = self.velocities.clone();
        self.set_all(rows, range, &found);
        let helps = self.error(rows, range.clone()) < 0.5 * error;
        if !helps {
            // Impulses of wedged contacts have no bound: taken back by others, they would leave their rounding.
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
        let without = self.at(spot) - spot.softness * self.impulses[index];
        spot.stop(without, row.least, row.friction)
    }

    /// By how much the velocity of one of these contacts would change at the next visit.
    fn error(&self, rows: &[Row], range: Range<usize>) -> f64 {
        let change = |index: usize| {
            let spot = rows[index].spot.as_ref()?;
            let impulse = self.wanted(index, spot, &rows[index]) - self.impulses[index];
            Some((spot.softness * impulse).length())
        };
        range.filter_map(change).fold(0.0, f64::max)
    }
}

/// The order of contacts in which those that depend on each other are near each other, whatever the numbers of
/// bodies: from body to body by the contacts between them, each time from one at an end.
fn by_neighbours(response: &impl Response, rows: &[Row]) -> Vec<usize> {
    let spots = || rows.iter().filter_map(|row| row.spot.as_ref().map(|spot| spot.bodies));
    let count = spots().flatten().max().map_or(1, |most| most + 1);
    let mut neighbours = vec![Vec::new(); count];
    for [a, b] in spots() {
        if response.may_move([a, b], a) && response.may_move([a, b], b) {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
    }
    for others in &mut neighbours {
        others.sort_unstable();
        others.dedup();
    }
    let mut places = vec![usize::MAX; count];
    let mut next = 0;
    for body in 0..count {
        if places[body] == usize::MAX {
            // The last one from anywhere is at an end.
            let end = along(&neighbours, body).last().copied().unwrap_or(body);
            for body in along(&neighbours, end) {
                places[body] = next;
                next += 1;
            }
        }
    }
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

/// All that hangs together with something, the nearest first; of equally near ones those with the fewest neighbours.
fn along(neighbours: &[Vec<usize>], start: usize) -> Vec<usize> {
    let mut is_there = vec![false; neighbours.len()];
    is_there[start] = true;
    let mut found = vec![start];
    let mut done = 0;
    while done < found.len() {
        let mut news: Vec<usize> =
            neighbours[found[done]].iter().copied().filter(|&other| !is_there[other]).collect();
        news.sort_by_key(|&other| neighbours[other].len());
        news.iter().for_each(|&other| is_there[other] = true);
        found.extend(news);
        done += 1;
    }
    found
}

/// Contacts that are visited together.
struct Block {
    range: Range<usize>,
    /// Nothing for one contact, or too many.
    direct: Option<Direct>,
}

/// The way that sweeps have taken so far (nonsmooth nonlinear conjugate gradients, [Silcowitz10 §4]).
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
            row.spot.as_ref().map_or(0.0, |spot| step.dot(spot.softness * step))
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
