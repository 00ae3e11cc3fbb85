//! A step of an island in windows: all contacts of a short time are handled together [Buss04 §3].
//!
//! ```text
//! bodies -> near pairs -> candidates -> limits -> velocities -> motion -> verdict -> bodies
//!           manifold.rs   candidate.rs            solver.rs              verdict.rs
//! ```
//!
//! 1. *Candidates* are the places where two bodies are so near that they may press on each other
//!    within the window.
//! 2. Each has a *limit*: its gap may close to the gap that is kept, and no further
//!    (`rate >= -(gap - kept) / h`), a speculative contact.
//! 3. *Velocities* that respect all limits, with friction, come from sweeps over the candidates
//!    that begin with the impulses of the last window.
//! 4. They give a *trial*: poses at the end of the window.
//! 5. The *verdict* proves that no pair meets on its relative screw to these poses. A pair that
//!    does becomes a candidate where it meets, or has its limits tightened, and velocities are
//!    solved again. Bodies whose way is still not free after some rounds take a shorter window, and
//!    at last go only a share of their way, or stay.
//! 6. Bodies that collided bounce.
//!
//! Poses change only to poses whose way there is proven free, whatever the solver leaves undone.

mod bounce;
mod candidate;
mod group;
mod linked;
mod manifold;
mod newton;
mod solver;
mod tighten;
mod verdict;

use chasles::Screw;
use glam::DVec3;

use super::broad::{Bounds, groups, radius_about};
use super::event::{self, Pressing};
use super::guard::Guard;
use super::island::Outcome;
use super::record::{Move, Part};
use super::trial::{carry, fall};
use super::{BodyId, Lost, Report, State, World};
use crate::body::Velocity;
use crate::linkage::Joint;
use candidate::Candidate;
use group::Group;
use manifold::Gathered;
#[cfg(feature = "serde")]
pub(super) use manifold::Manifold;
pub(super) use manifold::Manifolds;
use newton::Given;
use solver::{Effort, Problem, Row, Sweeps, warm_start};

/// Rounds of solving and proving at most, before a window is cut: all, and those that find no new
/// contact.
const ROUNDS: u32 = 64;
const ROUNDS_IN_VAIN: u32 = 6;

/// A window is halved this often at most, before bodies are held back.
const HALVINGS: u32 = 4;

/// Sweeps of one solution at most.
const SWEEPS: u32 = 60;

/// Sweeps end when the gaps that they leave differ by less than this share of those that are kept,
/// and velocities by less than this share of what forces make in the window.
const PRECISION: f64 = 0.01;
const OF_FORCES: f64 = 1e-3;

/// So few contacts are solved to this share of that, since it costs next to nothing.
const FEW: usize = 24;
const OF_FEW: f64 = 1e-5;

/// Sweeps that leave more than this share of what forces make in the window, or enough to close the
/// gap that is kept, have led nowhere.
const ROUGH: f64 = 0.1;

/// Multiplications that solving together may take: some hundredths of a second, or for each contact
/// about as many as all sweeps.
const DEAREST: f64 = 1e8;
const CHEAP: f64 = 2e4;

/// What is solved together is solved to this share of the tolerance: small errors of all contacts
/// add up to a sway of a tower, and a few steps more leave none.
const OF_TOGETHER: f64 = 1e-3;

/// Bodies are calm below this many times the speed that forces give them in a window. So many
/// contacts of calm bodies are solved together if sweeps leave something in more windows than these.
const CALM: f64 = 1.5;
const PATIENCE: u8 = 3;
const MOST_TOGETHER: usize = 600;

/// Gaps below this share of the one that is kept are opened to it.
const SMALL: f64 = 0.25;

/// A share of a window below which a body stays where it is.
const LEAST_SHARE: f64 = 0.05;

/// At least this share of the gap that is kept is left where bodies are held back.
const LEAST_LEFT: f64 = 0.02;

/// A window in which impacts make bodies turn too far is halved this often at most.
const CALMINGS: u32 = 12;

/// A part of a step below this share of it is rounding.
const SHORTEST: f64 = 1e-12;

/// A try at a window.
struct Trial {
    h: f64,
    rows: Vec<Row>,
    /// Which candidate each row is of.
    sources: Vec<usize>,
    /// Candidates that free fall does not reach.
    is_free: Vec<bool>,
    /// Candidates from this number on have no rows yet.
    next: usize,
    /// What forces alone make of velocities, the mean of these and those before, and what contacts
    /// make of them.
    pushed: Vec<Velocity>,
    mean: Vec<Velocity>,
    velocities: Vec<Velocity>,
    /// Displacements that open gaps and leave velocities alone.
    shifts: Vec<Velocity>,
    ends: Vec<State>,
    /// Where members of linkages are that swing freely.
    swung: Vec<Option<State>>,
    error: f64,
    /// Whether sweeps came to their end.
    is_solved: bool,
    /// Whether sweeps alone did not lead to a motion that is free.
    is_hard: bool,
    sweeps: Sweeps,
}

/// Takes an island through a step.
pub(super) fn advance(
    world: &World,
    (members, pairs): (Vec<usize>, &[[usize; 2]]),
    boxes: &[Bounds],
    dt: f64,
) -> Outcome {
    let mut group = Group::new(world, members, pairs, boxes);
    let lost = vec![0.0; group.states.len()];
    let mut run =
        Run { report: Report::default(), presses: Vec::new(), pressing: Vec::new(), lost };
    let end = group.clock + dt;
    let mut left = dt;
    for _ in 0..world.options.max_parts {
        let done = run.window(&mut group, left);
        run.report.parts += 1;
        left = if left - done > SHORTEST * dt { left - done } else { 0.0 };
        group.clock = end - left;
        if left <= 0.0 {
            break;
        }
    }
    run.lost.iter_mut().for_each(|lost| *lost += left);
    run.outcome(group)
}

/// What a step of an island has done so far.
struct Run {
    report: Report,
    /// Pairs of members that pressed on each other in the last window.
    presses: Vec<[usize; 2]>,
    /// What pressed in each window, if the world listens.
    pressing: Vec<Pressing>,
    /// Seconds that each member has lost.
    lost: Vec<f64>,
}

impl Run {
    /// One window, at most this long; how long it was.
    fn window(&mut self, group: &mut Group<'_>, left: f64) -> f64 {
        let mut h = group.longest(left);
        group.follow_routes(h);
        let Gathered { mut candidates, mut guards } = group.gather(h);
        group.yield_to(&candidates);
        while group.block(&candidates, h) {
            group.follow_routes(h);
        }
        let whole = h;
        group.let_swing();
        let [mut halvings, mut calmings] = [0; 2];
        while halvings <= HALVINGS {
            let mut trial = group.solve(&candidates, h);
            if calmings < CALMINGS && group.turns_far(&trial) {
                calmings += 1;
                h *= 0.5;
                group.follow_routes(h);
                continue;
            }
            let mut dirty = vec![true; group.states.len()];
            let mut in_vain = 0;
            for _ in 0..ROUNDS {
                self.report.work.rounds += 1;
                let hits = group.hits(&trial.ends, &mut guards, |i| dirty[i]);
                if hits.is_empty() {
                    self.accept(group, &candidates, trial);
                    return h;
                }
                dirty.fill(false);
                let known = candidates.len();
                let pairs: Vec<[usize; 2]> =
                    hits.iter().map(|hit| group.pairs[hit.pair].bodies).collect();
                let is_held = group.hold_links(pairs.into_iter().flatten());
                if group.tighten(&mut candidates, &trial, &hits, &mut dirty) || is_held {
                    trial = group.solve(&candidates, h);
                    dirty.fill(true);
                    continue;
                }
                in_vain = if candidates.len() > known { 0 } else { in_vain + 1 };
                trial.is_hard = in_vain == ROUNDS_IN_VAIN - 2;
                if in_vain == ROUNDS_IN_VAIN {
                    break;
                }
                group.add_rows(&candidates, &mut trial, &mut dirty);
                group.relax(&candidates, &mut trial, &mut dirty);
                if calmings < CALMINGS && group.turns_far(&trial) {
                    break;
                }
            }
            if calmings < CALMINGS && group.turns_far(&trial) {
                calmings += 1;
            } else {
                halvings += 1;
            }
            h *= 0.5;
            group.follow_routes(h);
            for candidate in &mut candidates {
                candidate.raise = 0.0;
                candidate.lift = 0.0;
                candidate.is_hit = false;
            }
        }
        // Shorter windows do not help: what is in the way of others is held back in this one.
        group.follow_routes(whole);
        group.hold_links(0..group.members.len());
        let mut trial = group.solve(&candidates, whole);
        self.hold_back(group, &candidates, &mut trial, &mut guards);
        self.accept(group, &candidates, trial);
        whole
    }

    /// Lets members that meet others go only a share of their way, or none of it, until nothing
    /// meets.
    fn hold_back(
        &mut self,
        group: &mut Group<'_>,
        candidates: &[Candidate],
        trial: &mut Trial,
        guards: &mut Vec<Guard>,
    ) {
        let goals = trial.ends.clone();
        let mut shares = vec![1.0; goals.len()];
        let mut asked = vec![true; goals.len()];
        loop {
            let hits = group.hits(&trial.ends, guards, |i| asked[i]);
            let mut pairs: Vec<usize> = hits.iter().map(|hit| hit.pair).collect();
            pairs.extend(candidates.iter().filter(|c| is_too_near(c, trial)).map(|c| c.pair));
            asked.fill(false);
            for pair in pairs {
                let both = group.pairs[pair].bodies;
                for i in both.into_iter().flat_map(|i| group.bound_to(i)) {
                    if group.bodies[i].is_movable() && shares[i] > 0.0 && !asked[i] {
                        shares[i] =
                            if shares[i] * 0.5 < LEAST_SHARE { 0.0 } else { shares[i] * 0.5 };
                        asked[i] = true;
                        trial.ends[i] = group.partly(i, &goals[i], shares[i]);
                    }
                }
            }
            // Two bodies that both stay do not meet, so nothing meets now.
            if !asked.contains(&true) {
                break;
            }
        }
        for (i, share) in shares.into_iter().enumerate() {
            if share < 1.0 {
                self.lost[i] += (1.0 - share) * trial.h;
                self.report.work.held += 1;
                trial.velocities[i] = trial.velocities[i].times(share);
                trial.ends[i].velocity = trial.velocities[i];
            }
        }
    }

    fn accept(&mut self, group: &mut Group<'_>, candidates: &[Candidate], mut trial: Trial) {
        if group.world.is_recording {
            self.note(group, &trial);
        }
        self.report.error = self.report.error.max(trial.error);
        let collided = self.report.impacts.len();
        group.bounce(candidates, &mut trial, &mut self.report);
        if group.world.is_listening {
            let (part, impacts) = (self.report.parts, &self.report.impacts[collided..]);
            let rows = group.pressing(candidates, &trial, part);
            self.pressing.extend(event::pressing(rows, impacts, part));
        }
        group.pay(&mut trial);
        group.work.visits += trial.sweeps.visits;
        let is_unsolved = !trial.is_solved && group.is_calm(&trial);
        for known in &mut group.manifolds {
            known.unsolved = if is_unsolved { known.unsolved.saturating_add(1) } else { 0 };
        }
        for (i, is_blocked) in group.blocked.iter_mut().enumerate() {
            if std::mem::take(is_blocked) {
                self.lost[i] += trial.h;
            }
        }
        self.report.contacts = trial.rows.iter().filter(|row| row.impulse.x > 0.0).count();
        let rows = trial.rows.iter().zip(&trial.sources);
        group.remember(rows.map(|(row, &i)| (candidates[i], row.impulse_vector() / trial.h)));
        self.presses.clear();
        let pressing = trial.rows.iter().filter(|row| row.impulse.x > 0.0);
        self.presses.extend(pressing.map(|row| row.bodies));
        group.states.clone_from(&trial.ends);
        group.update_inertias();
    }

    /// Takes down what members do.
    fn note(&mut self, group: &Group<'_>, trial: &Trial) {
        let poses = group.states.iter().zip(&trial.ends).map(|(p, q)| [p.pose, q.pose]);
        let moves = group.members.iter().zip(poses);
        let moves = moves.map(|(&body, poses)| Move { body: BodyId(body), poses }).collect();
        let times = [group.clock, group.clock + trial.h];
        self.report.record.push(Part { times, moves });
    }

    fn outcome(mut self, group: Group<'_>) -> Outcome {
        for (i, &seconds) in self.lost.iter().enumerate() {
            if seconds > 0.0 && group.bodies[i].is_movable() {
                self.report.waiting.push(BodyId(group.members[i]));
                self.report.lost.push(Lost { body: BodyId(group.members[i]), seconds });
            }
        }
        self.report.work.add(&group.work);
        let mut carried = vec![false; group.members.len()];
        let links = group.links.iter().flat_map(|links| links.joints.iter().map(Joint::bodies));
        let bound = self.presses.iter().copied().chain(links);
        for members in groups(group.members.len(), bound) {
            let stands =
                |i: usize| group.states[i].velocity == Velocity::ZERO && group.masses[i].is_none();
            let is_carried = members.iter().any(|&i| stands(i));
            members.iter().for_each(|&i| carried[i] = is_carried);
        }
        let named = group.pairs.iter().map(|pair| pair.bodies.map(|i| group.members[i]));
        let manifolds = named.zip(group.manifolds).filter(|(_, known)| !known.is_empty());
        Outcome {
            manifolds: manifolds.collect(),
            members: group.members,
            states: group.states,
            boxes: group.boxes,
            yielded: group.yielded,
            carried,
            report: self.report,
            pressing: self.pressing,
            forces: super::island::Forces::new(),
            reaches: super::pressed::Reaches::new(),
        }
    }
}

impl Group<'_> {
    /// Where members press on each other in a trial.
    fn pressing(&self, candidates: &[Candidate], trial: &Trial, part: u32) -> Vec<Pressing> {
        let rows = trial.rows.iter().zip(&trial.sources).filter(|(row, _)| row.impulse.x > 0.0);
        let pressing = |(row, &source): (&Row, &usize)| Pressing {
            part,
            bodies: row.bodies.map(|i| self.members[i]),
            point: candidates[source].anchors.place(row.bodies.map(|i| &trial.ends[i].pose)).point,
            normal: row.normal,
            impulse: row.impulse_vector(),
        };
        rows.map(pressing).collect()
    }

    /// Velocities that respect the limits of all candidates over a time, beginning with the
    /// impulses of the last window.
    fn solve(&mut self, candidates: &[Candidate], h: f64) -> Trial {
        let swung = self.swing(candidates, h);
        let pushed: Vec<Velocity> = (0..self.states.len()).map(|i| self.pushed(i, h)).collect();
        let both = self.states.iter().zip(&pushed);
        let mean = both.map(|(state, pushed)| state.velocity.plus(pushed).times(0.5)).collect();
        let mut trial = Trial {
            h,
            rows: Vec::with_capacity(candidates.len()),
            sources: Vec::with_capacity(candidates.len()),
            is_free: Vec::new(),
            next: 0,
            velocities: pushed.clone(),
            shifts: vec![Velocity::ZERO; pushed.len()],
            pushed,
            mean,
            ends: self.states.clone(),
            swung,
            error: 0.0,
            is_solved: true,
            is_hard: false,
            sweeps: Sweeps::default(),
        };
        let mut dirty = vec![true; self.states.len()];
        self.add_rows(candidates, &mut trial, &mut dirty);
        warm_start(&trial.rows, &mut trial.velocities, &self.inertias);
        self.relax(candidates, &mut trial, &mut dirty);
        trial
    }

    /// Whether what contacts make of velocities turns bodies much farther than a window may.
    fn turns_far(&self, trial: &Trial) -> bool {
        self.turns(&trial.velocities, trial.h) > 2.0
    }

    /// Adds rows for candidates that are new; their members are dirty.
    fn add_rows(&self, candidates: &[Candidate], trial: &mut Trial, dirty: &mut [bool]) {
        for (number, candidate) in candidates.iter().enumerate().skip(trial.next) {
            let friction = self.pairs[candidate.pair].material.friction();
            let place = (candidate.place.point, candidate.place.normal);
            if let Some(mut row) = Row::new(candidate.bodies, &self.inertias, place, friction) {
                row.impulse = row.in_cone(candidate.force * trial.h);
                let [a, b] = candidate.bodies.map(|i| self.belt(i));
                row.convey(a - b);
                trial.rows.push(row);
                trial.sources.push(number);
                candidate.bodies.into_iter().for_each(|i| dirty[i] = true);
            }
        }
        trial.next = candidates.len();
    }

    /// Solves a trial for the limits of its candidates, as far as members are dirty, and places
    /// these.
    fn relax(&self, candidates: &[Candidate], trial: &mut Trial, dirty: &mut [bool]) {
        for (i, dirty) in dirty.iter_mut().enumerate() {
            *dirty &= self.masses[i].is_some();
        }
        let Trial { h, rows, sources, mean, pushed, is_free, .. } = &mut *trial;
        is_free.resize(candidates.len(), false);
        for (row, &source) in rows.iter_mut().zip(&*sources) {
            let candidate = &candidates[source];
            row.least = limit(candidate, *h);
            let rate = row.rate(pushed);
            is_free[source] = rate < row.least && is_out_of_reach(candidate, row.rate(mean) * *h);
            if is_free[source] {
                // Beyond rounding, so that sweeps leave no trace of a contact.
                row.least = rate - 1e-6 * rate.abs();
            }
        }
        let kept = candidates.iter().map(|c| c.kept).fold(f64::INFINITY, f64::min);
        let pull = (0..self.states.len()).map(|i| self.pull(i).acceleration.length());
        let pull = pull.fold(0.0, f64::max) * trial.h;
        let tolerance = PRECISION * kept / trial.h;
        let tolerance = if pull > 0.0 { tolerance.min(OF_FORCES * pull) } else { tolerance };
        match &self.links {
            Some(links) => {
                self.relax_linked(links, trial, tolerance);
                dirty.iter_mut().zip(&self.masses).for_each(|(dirty, m)| *dirty = m.is_some());
            }
            None => self.sweep(trial, dirty, tolerance, (pull.max(tolerance), kept)),
        }
        self.release(trial);
        self.open(candidates, trial, dirty);
        self.place(trial, dirty);
    }

    /// Solves a trial by sweeps, as far as members are dirty, and together what these leave.
    fn sweep(
        &self,
        trial: &mut Trial,
        dirty: &mut [bool],
        tolerance: f64,
        (fall, kept): (f64, f64),
    ) {
        let share = if trial.rows.len() <= FEW { OF_FEW } else { 1.0 };
        let effort = Effort { sweeps: SWEEPS, tolerance: share * tolerance };
        let Trial { rows, velocities, sweeps, .. } = &mut *trial;
        let problem = Problem { rows, velocities, inertias: &self.inertias };
        trial.error = sweeps.run(problem, dirty, &effort);
        trial.is_solved = trial.error <= tolerance;
        if let Some(most) = self.worth(trial, tolerance, fall, kept) {
            self.solve_together(trial, &Effort { sweeps: SWEEPS, tolerance }, most);
            dirty.iter_mut().zip(&self.masses).for_each(|(dirty, mass)| *dirty = mass.is_some());
        }
    }

    /// Members that nothing presses have the velocities that forces give them, to the bit: sweeps
    /// leave rounding where they took a first guess back.
    fn release(&self, trial: &mut Trial) {
        let mut is_pressed = vec![false; trial.velocities.len()];
        for row in trial.rows.iter().filter(|row| row.impulse != DVec3::ZERO) {
            row.bodies.into_iter().for_each(|i| is_pressed[i] = true);
        }
        for (i, is_pressed) in is_pressed.into_iter().enumerate() {
            if !is_pressed && !self.is_bound(i) {
                trial.velocities[i] = trial.pushed[i];
            }
        }
    }

    /// The multiplications that it is worth to solve together what sweeps have left, if any: many for
    /// slow bodies, or where nothing else helps, and few otherwise. `fall` is the velocity that
    /// forces make in the window.
    fn worth(&self, trial: &Trial, tolerance: f64, fall: f64, kept: f64) -> Option<f64> {
        let (error, is_calm) = (trial.error, self.is_calm(trial));
        let is_rough = error > (ROUGH * fall).min(kept / trial.h);
        let is_lost = error > fall && trial.rows.len() <= MOST_TOGETHER;
        let is_due = trial.is_hard || is_lost || is_calm && (is_rough || self.is_left_unsolved());
        match error > tolerance {
            true if is_due => Some(DEAREST),
            true if is_rough => Some(CHEAP * trial.rows.len() as f64),
            _ => None,
        }
    }

    /// Whether sweeps have not solved contacts for some windows: such a stack would sink, and is
    /// still once it is solved.
    fn is_left_unsolved(&self) -> bool {
        self.manifolds.iter().any(|known| known.unsolved >= PATIENCE)
    }

    /// Whether a trial is of few contacts between slow bodies.
    fn is_calm(&self, trial: &Trial) -> bool {
        let is_slow = |i: usize| {
            let fall = CALM * self.pull(i).acceleration.length() * trial.h;
            self.masses[i].is_none() || self.states[i].velocity.linear.length() <= fall
        };
        trial.rows.len() <= MOST_TOGETHER && (0..self.states.len()).all(is_slow)
    }

    /// Solves all rows of a trial together, where sweeps do not come to an end: towers, and light
    /// bodies under heavy ones. Takes it back where that is no better.
    fn solve_together(&self, trial: &mut Trial, effort: &Effort, most: f64) {
        let before: Vec<DVec3> = trial.rows.iter().map(|row| row.impulse).collect();
        let velocities = trial.velocities.clone();
        let tolerance = OF_TOGETHER * effort.tolerance;
        let given =
            Given { pushed: &trial.pushed, inertias: &self.inertias, bonds: &[], held: Vec::new() };
        let of_all = newton::Effort { tolerance, most };
        let Some(found) = newton::solve(&mut trial.rows, &given, &of_all) else { return };
        trial.velocities = found.velocities;
        let Trial { rows, velocities: found, sweeps, .. } = &mut *trial;
        let problem = Problem { rows, velocities: found, inertias: &self.inertias };
        let mut all: Vec<bool> = self.masses.iter().map(Option::is_some).collect();
        let error = sweeps.run(problem, &mut all, effort);
        if error < trial.error {
            trial.error = error;
        } else {
            trial.velocities = velocities;
            trial.rows.iter_mut().zip(before).for_each(|(row, impulse)| row.impulse = impulse);
        }
    }

    /// Displacements that open gaps which are too small, or which an earlier trial has closed.
    fn open(&self, candidates: &[Candidate], trial: &mut Trial, dirty: &mut [bool]) {
        let lack = |candidate: &Candidate| {
            let small = SMALL * candidate.kept;
            candidate.lift.max(0.5 * (small - candidate.place.gap))
        };
        if trial.sources.iter().all(|&source| lack(&candidates[source]) <= 0.0) {
            return;
        }
        let mut rows = trial.rows.clone();
        let mut opening = vec![false; dirty.len()];
        let mut least = f64::INFINITY;
        for (row, &source) in rows.iter_mut().zip(&trial.sources) {
            let candidate = &candidates[source];
            let kept = candidate.kept;
            let left = candidate.place.gap + row.rate(&trial.velocities) * trial.h;
            let lack = lack(candidate);
            row.least = if lack > 0.0 { lack } else { -(left - kept).max(0.0) };
            row.impulse = DVec3::ZERO;
            row.smooth();
            least = least.min(kept);
            if lack > 0.0 {
                let moves = |i: &usize| self.masses[*i].is_some();
                row.bodies.into_iter().filter(moves).for_each(|i| opening[i] = true);
            }
        }
        let effort = Effort { sweeps: SWEEPS, tolerance: PRECISION * least };
        for (i, shift) in trial.shifts.iter_mut().enumerate() {
            dirty[i] |= *shift != Velocity::ZERO;
            *shift = Velocity::ZERO;
        }
        let Trial { shifts, sweeps, .. } = trial;
        let inertias = &self.inertias;
        let problem = Problem { rows: &mut rows, velocities: shifts, inertias };
        let error = match self.links.is_some() {
            true => f64::INFINITY,
            false => sweeps.run(problem, &mut opening, &effort),
        };
        if error > effort.tolerance && self.solve_opening(&mut rows, shifts, effort.tolerance) {
            opening.iter_mut().zip(&self.masses).for_each(|(opens, mass)| *opens = mass.is_some());
        }
        dirty.iter_mut().zip(opening).for_each(|(dirty, opens)| *dirty |= opens);
    }

    /// The displacements of rows that sweeps do not solve, all together; false if they stay as they
    /// are.
    fn solve_opening(&self, rows: &mut [Row], shifts: &mut [Velocity], tolerance: f64) -> bool {
        let pushed = vec![Velocity::ZERO; shifts.len()];
        let (pushed, inertias) = (&pushed[..], &self.inertias[..]);
        let bonds = self.links.as_ref().map_or(Vec::new(), |links| links.linkage.closed_bonds());
        let given = Given { pushed, inertias, bonds: &bonds, held: vec![0.0; bonds.len()] };
        let effort = newton::Effort { tolerance, most: DEAREST };
        let Some(found) = newton::solve(rows, &given, &effort) else { return false };
        shifts.copy_from_slice(&found.velocities);
        true
    }

    /// Where members that are dirty are at the end of a trial.
    fn place(&self, trial: &mut Trial, dirty: &[bool]) {
        for (i, state) in self.states.iter().enumerate() {
            if self.masses[i].is_some() && !dirty[i] {
                continue;
            }
            let is_held =
                trial.velocities[i] != trial.pushed[i] || trial.shifts[i] != Velocity::ZERO;
            if let Some(swung) = trial.swung[i] {
                trial.ends[i] = swung;
                continue;
            }
            trial.ends[i] = match (self.masses[i], self.route(i)) {
                (Some(mass), _) if is_held => {
                    let state = State { velocity: trial.velocities[i], ..*state };
                    carry(mass, &state, &trial.shifts[i], trial.h)
                }
                (Some(mass), _) => fall(mass, state, &self.pull(i), trial.h),
                (None, Some(route)) if self.blocked[i] => {
                    State { on_route: route.rounded(state.on_route + trial.h), ..*state }
                }
                (None, Some(route)) => {
                    let radius = radius_about(self.bodies[i], DVec3::ZERO);
                    let on_route = route.rounded(state.on_route + trial.h);
                    let pose = route.pose_from((&state.pose, state.on_route), trial.h, radius);
                    State { pose, on_route, ..*state }
                }
                (None, None) => *state,
            };
        }
        if let Some(links) = &self.links {
            self.close_joints(links, &mut trial.ends);
        }
    }

    /// A member that goes only a share of its way; the time of a route goes on.
    fn partly(&self, member: usize, goal: &State, share: f64) -> State {
        let start = &self.states[member];
        let pose = match share {
            0.0 => start.pose,
            _ => Screw::between(&start.pose, &goal.pose).pose_at(share).after(&start.pose),
        };
        State { pose, ..*goal }
    }
}

/// The least rate of a candidate's gap over a time, in m/s: bodies that are held keep the velocity of
/// the end of the window throughout, and the gap may close to what is kept.
fn limit(candidate: &Candidate, h: f64) -> f64 {
    candidate.raise - (candidate.place.gap - candidate.kept).max(0.0) / h
}

/// Whether free fall, which changes the gap by this much, does not bring a candidate near enough:
/// then it is no contact yet, and is not slowed down, unless a trial has hit it all the same.
fn is_out_of_reach(candidate: &Candidate, fall: f64) -> bool {
    let room = (candidate.place.gap - candidate.kept).max(0.0);
    !candidate.is_hit && fall >= -room
}

/// Whether a trial ends with less of a gap than is kept in any case, or than there was.
fn is_too_near(candidate: &Candidate, trial: &Trial) -> bool {
    let left = candidate.anchors.place(candidate.bodies.map(|i| &trial.ends[i].pose)).gap;
    left < (LEAST_LEFT * candidate.kept).min(candidate.place.gap) * (1.0 - 1e-9)
}
