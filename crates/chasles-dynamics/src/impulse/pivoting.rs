//! Contacts solved at once, for what is thought to stick, slide and open.
//!
//! With the state of every contact given, the problem is linear: a contact that sticks has three
//! unknowns and no velocity, one that slides has its impulse along one line of the cone, one that
//! opens has none. Contacts that turn out to pull are opened, those that approach are closed, and
//! those that leave the cone slide, until none does (block principal pivoting).
//!
//! **Redundant contacts.** Four corners of a box on a floor have one impulse too many. The matrix
//! gets a small multiple of the identity, and the residual is solved for again a few times: the
//! parts that matter converge, and of those that do not the least is taken, so symmetric contacts
//! get symmetric impulses.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::Response;
use super::contact_law::across;
use super::gauss_seidel::{Row, SOME};
use super::sparse_lu::{Factors, Matrix};
use crate::body::Velocity;

/// Share of a contact's own inverse effective mass that is added to it. Rounding over this is the
/// noise in the impulses that do not matter, 1e-7 of the others.
const SLACK: f64 = 1e-9;

/// Solutions of the residual: each leaves the share [`SLACK`] over inv_effective_mass of the error.
/// Bodies a million times heavier than each other have an inverse effective mass of 1e-6, and lose
/// three digits each time.
const REPEATS: usize = 5;

/// Contacts this share of the fastest above their least speed count as closed: sweeps leave about
/// as much, and one too many is opened again.
const NEAR: f64 = 1e-3;

/// Rounds for each contact, before the best guess has to do.
const ROUNDS: usize = 4;

/// Rounds of more than [`SOME`] contacts, each of which costs dozens of sweeps.
const MANY_ROUNDS: usize = 16;

/// Rounds in which as many contacts may be wrong as before.
const PATIENCE: usize = 3;

/// Pulls and approaches below this share of the largest are rounding.
const ROUNDING: f64 = 1e-12;

/// Sliding slower than this share of the fastest has no direction to go by.
const SLOW: f64 = 1e-9;

/// How contacts change each other's velocities.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    /// For each contact the others whose impulses change its velocity, in their order, and how.
    blocks: Vec<Vec<(usize, DMat3)>>,
}

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Open,
    Stick,
    /// Along the normal plus this.
    Slide(DVec3),
}

impl Direct {
    /// Of these contacts; `still` are the velocities of all bodies at rest, and so again after.
    pub(super) fn new(response: &impl Response, still: &mut [Velocity], rows: &[Row]) -> Self {
        let mut blocks = vec![Vec::new(); rows.len()];
        let groups = groups(rows);
        let mut changes: Vec<(usize, DMat3)> = Vec::new();
        for pushed in &groups {
            let is_moved = |group: &&Range<usize>| is_moved(response, rows, pushed, group);
            let moved: Vec<usize> = groups.iter().filter(is_moved).cloned().flatten().collect();
            for column in pushed.clone() {
                let Some(from) = &rows[column].spot else { continue };
                changes.clear();
                changes.extend(moved.iter().map(|row| (*row, DMat3::ZERO)));
                for axis in 0..3 {
                    response.push(still, from.bodies, from.point, DVec3::AXES[axis]);
                    for (row, change) in &mut changes {
                        if let Some(to) = &rows[*row].spot {
                            *change.col_mut(axis) = response.approach(still, to.bodies, to.point);
                        }
                    }
                    response.push(still, from.bodies, from.point, -DVec3::AXES[axis]);
                }
                for &(row, change) in changes.iter().filter(|(_, change)| *change != DMat3::ZERO) {
                    blocks[row].push((column, change));
                }
            }
        }
        Self { blocks }
    }

    /// The impulses of all contacts, from what they do now: their velocities and impulses.
    pub(super) fn impulses(
        &self,
        rows: &[Row],
        now: &[Option<DVec3>],
        pushed: &[DVec3],
    ) -> Vec<DVec3> {
        let fastest = now.iter().flatten().map(|v| v.length()).fold(0.0, f64::max);
        let free = self.without(now, pushed);
        let guessed = |i: usize| mode(&rows[i], pushed[i], now[i], NEAR * fastest);
        let mut modes: Vec<_> = (0..rows.len()).map(guessed).collect();
        let mut impulses = self.solve(&modes, rows, &free);
        let mut fewest = (rows.len() + 1, PATIENCE);
        let mut past = Past::default();
        let mut left = if rows.len() > SOME { MANY_ROUNDS } else { ROUNDS * rows.len() };
        while let Some(later) = past.rounds_of(left, (&modes, fewest)).checked_sub(1) {
            left = later;
            let wrong = self.wrong(&modes, rows, &free, &impulses);
            let changed = if wrong.is_empty() {
                let is_loose = loosen(&mut modes, rows, &impulses);
                self.redirect(&mut modes, rows, &free, &impulses) || is_loose
            } else {
                flip(&mut modes, rows, &wrong, &mut fewest);
                true
            };
            if !changed {
                break;
            }
            impulses = self.solve(&modes, rows, &free);
        }
        impulses
    }

    /// The closed contacts that pull and the open ones that approach.
    fn wrong(
        &self,
        modes: &[Mode],
        rows: &[Row],
        free: &[DVec3],
        impulses: &[DVec3],
    ) -> Vec<usize> {
        let count = rows.len();
        let strongest = impulses.iter().map(|p| p.length()).fold(0.0, f64::max);
        let fastest = free.iter().map(|v| v.length()).fold(0.0, f64::max);
        let is_wrong = |&i: &usize| {
            let Some(spot) = &rows[i].spot else { return false };
            if modes[i] != Mode::Open {
                return spot.normal.dot(impulses[i]) < -ROUNDING * strongest;
            }
            spot.normal.dot(free[i] + self.made(i, impulses)) < rows[i].least - ROUNDING * fastest
        };
        (0..count).filter(is_wrong).collect()
    }

    /// Turns the friction of those that slide against their sliding, and lets those stick that it
    /// would drive; whether there was one.
    fn redirect(
        &self,
        modes: &mut [Mode],
        rows: &[Row],
        free: &[DVec3],
        impulses: &[DVec3],
    ) -> bool {
        let fastest = free.iter().map(|v| v.length()).fold(0.0, f64::max);
        let mut changed = false;
        for (i, row) in rows.iter().enumerate() {
            let (Mode::Slide(side), Some(spot)) = (modes[i], &row.spot) else { continue };
            if row.friction == 0.0 {
                continue;
            }
            let sliding = across(spot.normal, free[i] + self.made(i, impulses));
            if sliding.length() <= SLOW * fastest {
                continue;
            }
            if sliding.dot(side) > 0.0 {
                modes[i] = Mode::Stick;
                changed = true;
                continue;
            }
            let against = -row.friction * sliding.normalize();
            if against.distance_squared(side) > 1e-20 * row.friction * row.friction {
                modes[i] = Mode::Slide(against);
                changed = true;
            }
        }
        changed
    }

    /// The contacts that change the velocity of one, in their order, and how.
    pub(super) fn of(&self, contact: usize) -> &[(usize, DMat3)] {
        &self.blocks[contact]
    }

    /// The velocity at a contact that impulses make.
    fn made(&self, at: usize, impulses: &[DVec3]) -> DVec3 {
        self.blocks[at].iter().map(|&(by, block)| block * impulses[by]).sum()
    }

    /// The velocities at the contacts if there were no impulses.
    pub(super) fn without(&self, now: &[Option<DVec3>], impulses: &[DVec3]) -> Vec<DVec3> {
        let alone =
            |(i, now): (usize, &Option<DVec3>)| now.unwrap_or_default() - self.made(i, impulses);
        now.iter().enumerate().map(alone).collect()
    }

    /// The impulses if every contact does what is said.
    fn solve(&self, modes: &[Mode], rows: &[Row], free: &[DVec3]) -> Vec<DVec3> {
        let mut unknowns = Vec::new();
        // Where the unknowns of each contact begin.
        let mut first = vec![0];
        for (at, (mode, row)) in modes.iter().zip(rows).enumerate() {
            unknowns.extend(unknowns_of(at, mode, row));
            first.push(unknowns.len());
        }
        let scale: Vec<_> = unknowns
            .iter()
            .map(|u| self.inv_effective_mass(u).max(f64::MIN_POSITIVE).sqrt().recip())
            .collect();
        let mut matrix = Matrix::zero(unknowns.len());
        for (i, u) in unknowns.iter().enumerate() {
            for &(by, block) in &self.blocks[u.at] {
                for j in first[by]..first[by + 1] {
                    let change = u.test.dot(block * unknowns[j].line);
                    matrix.set(i, j, change * scale[i] * scale[j]);
                }
            }
        }
        let wanted = |(u, scale): (&Unknown, &f64)| scale * (u.least - u.test.dot(free[u.at]));
        let wanted: Vec<_> = unknowns.iter().zip(&scale).map(wanted).collect();
        let mut impulses = vec![DVec3::ZERO; rows.len()];
        for ((u, scale), found) in unknowns.iter().zip(&scale).zip(repeated(&matrix, &wanted)) {
            impulses[u.at] += scale * found * u.line;
        }
        impulses
    }

    /// The inverse effective mass of a contact along the test of an unknown.
    fn inv_effective_mass(&self, u: &Unknown) -> f64 {
        let own = self.blocks[u.at].iter().find(|(by, _)| *by == u.at);
        own.map_or(0.0, |(_, block)| u.test.dot(*block * u.test))
    }
}

/// What has been tried, so that rounds which go in a circle end where all of them would.
///
/// A round depends on what the one before left, and on nothing else; where friction wedges
/// contacts, most rounds come back to what was there a few rounds ago.
#[derive(Default)]
struct Past(Vec<(Vec<Mode>, (usize, usize))>);

impl Past {
    /// How many of the rounds that are left lead to where all of them do.
    fn rounds_of(&mut self, left: usize, (modes, fewest): (&[Mode], (usize, usize))) -> usize {
        let is_now = |(then, count): &(Vec<Mode>, _)| *count == fewest && then == modes;
        let since = self.0.iter().rev().position(is_now);
        self.0.push((modes.to_vec(), fewest));
        since.map_or(left, |between| left % (between + 1))
    }
}

/// One number to find: the impulse at a contact along a line, for a given speed along a test.
#[derive(Clone, Copy, Debug)]
struct Unknown {
    at: usize,
    line: DVec3,
    test: DVec3,
    least: f64,
}

fn unknowns_of(at: usize, mode: &Mode, row: &Row) -> Vec<Unknown> {
    let Some(spot) = &row.spot else { return Vec::new() };
    let normal = spot.normal;
    let along = |line, test, least| Unknown { at, line, test, least };
    match *mode {
        Mode::Open => Vec::new(),
        Mode::Slide(side) => vec![along(normal + side, normal, row.least)],
        Mode::Stick => {
            let (first, second) = normal.any_orthonormal_pair();
            vec![
                along(normal, normal, row.least),
                along(first, first, 0.0),
                along(second, second, 0.0),
            ]
        }
    }
}

/// What a contact does, judged by its impulse and velocity.
fn mode(row: &Row, impulse: DVec3, velocity: Option<DVec3>, near: f64) -> Mode {
    let (Some(spot), Some(velocity)) = (&row.spot, velocity) else { return Mode::Open };
    let pushed = spot.normal.dot(impulse);
    if pushed <= 0.0 && spot.normal.dot(velocity) > row.least + near {
        return Mode::Open;
    }
    loosened(row, spot.normal, impulse, 1.0 - 1e-9).unwrap_or(Mode::Stick)
}

/// For each contact the first one whose impulse may change its velocity, or itself.
pub(super) fn firsts(response: &impl Response, rows: &[Row]) -> Vec<usize> {
    let groups = groups(rows);
    let mut firsts = Vec::with_capacity(rows.len());
    for group in &groups {
        let first = groups.iter().find(|from| is_moved(response, rows, from, group));
        let first = first.map_or(group.start, |from| from.start.min(group.start));
        firsts.resize(group.end, first);
    }
    firsts
}

/// Contacts of the same bodies that stand together: they change others alike.
fn groups(rows: &[Row]) -> Vec<Range<usize>> {
    let bodies = |row: &Row| row.spot.as_ref().map(|spot| spot.bodies);
    let mut next = 0;
    let range = |part: &[Row]| {
        next += part.len();
        next - part.len()..next
    };
    rows.chunk_by(|a, b| bodies(a) == bodies(b)).map(range).collect()
}

/// Whether impulses at the contacts of one group may change velocities at those of another.
fn is_moved(
    response: &impl Response,
    rows: &[Row],
    from: &Range<usize>,
    to: &Range<usize>,
) -> bool {
    let [from, to] = [from, to].map(|group| rows[group.start].spot.as_ref());
    let (Some(from), Some(to)) = (from, to) else { return false };
    to.bodies.iter().any(|&body| response.may_move(from.bodies, body))
}

/// What a contact does that holds.
fn closed(row: &Row) -> Mode {
    match row.spot {
        None => Mode::Open,
        Some(_) if row.friction == 0.0 => Mode::Slide(DVec3::ZERO),
        Some(_) => Mode::Stick,
    }
}

/// Sliding, if an impulse is outside of a share of the cone.
fn loosened(row: &Row, normal: DVec3, impulse: DVec3, share: f64) -> Option<Mode> {
    let side = across(normal, impulse);
    let allowed = row.friction * normal.dot(impulse);
    let slides = row.friction == 0.0 || side.length() > share * allowed;
    slides.then(|| Mode::Slide(row.friction * side.normalize_or_zero()))
}

/// Opens the wrong contacts that are closed, and closes those that are open.
///
/// All at once, as long as that leaves fewer; after some patience only the last one, which comes to
/// an end without friction (Murty's rule).
fn flip(modes: &mut [Mode], rows: &[Row], wrong: &[usize], fewest: &mut (usize, usize)) {
    let chosen = match *fewest {
        (count, _) if wrong.len() < count => {
            *fewest = (wrong.len(), PATIENCE);
            wrong
        }
        (count, patience) if patience > 0 => {
            *fewest = (count, patience - 1);
            wrong
        }
        _ => &wrong[wrong.len() - 1..],
    };
    for &i in chosen {
        modes[i] = match modes[i] {
            Mode::Open => closed(&rows[i]),
            _ => Mode::Open,
        };
    }
}

/// Lets those slide that leave the cone; whether there was one.
fn loosen(modes: &mut [Mode], rows: &[Row], impulses: &[DVec3]) -> bool {
    let mut changed = false;
    for (i, row) in rows.iter().enumerate() {
        if let (Mode::Stick, Some(spot)) = (modes[i], &row.spot)
            && let Some(slide) = loosened(row, spot.normal, impulses[i], 1.0 + 1e-9)
        {
            modes[i] = slide;
            changed = true;
        }
    }
    changed
}

/// Solves a square system with a slack on its diagonal, and again for what is left.
fn repeated(matrix: &Matrix, wanted: &[f64]) -> Vec<f64> {
    let mut found = vec![0.0; wanted.len()];
    let Some(factors) = Factors::new(matrix, SLACK) else { return found };
    let mut left = wanted.to_vec();
    for _ in 0..REPEATS {
        let before = found.clone();
        for (found, more) in found.iter_mut().zip(factors.solve(&left)) {
            *found += more;
        }
        if found == before {
            break;
        }
        for (i, left) in left.iter_mut().enumerate() {
            *left = wanted[i] - matrix.dot(i, 0..found.len(), &found);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_that_go_in_a_circle_end_where_all_of_them_would() {
        // Seven states on a way of its own, then in a circle of five.
        let modes = |state: usize| vec![Mode::Slide(DVec3::X * state as f64), Mode::Stick];
        let next = |state: usize| if state == 11 { 7 } else { state + 1 };
        for rounds in 0..60 {
            let end = (0..rounds).fold(0, |state, _| next(state));
            let (mut state, mut left, mut made) = (0, rounds, 0);
            let mut past = Past::default();
            while let Some(later) = past.rounds_of(left, (&modes(state), (1, 0))).checked_sub(1) {
                left = later;
                state = next(state);
                made += 1;
            }
            assert_eq!(state, end, "{rounds} rounds");
            assert!(made <= 7 + 2 * 5, "{made} of {rounds} rounds");
        }
    }
}
