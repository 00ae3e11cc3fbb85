//! From candidates to a trial: velocities that respect all limits, and where they lead.

use glam::DVec3;

use super::super::State;
use super::super::broad::radius_about;
use super::super::trial::{carry, fall};
use super::candidate::Candidate;
use super::group::Group;
use super::newton::{self, Begin, Given};
use super::solver::{Effort, Problem, Row, Sweeps, warm_start};
use super::{CHEAP, DEAREST, OF_TOGETHER, SMALL, Trial};
use crate::body::Velocity;

/// Sweeps of one solution at most.
const SWEEPS: u32 = 60;

/// Sweeps end when the gaps that they leave differ by less than this share of those that are kept,
/// and velocities by less than this share of what forces make in the window.
const PRECISION: f64 = 0.01;
const OF_FORCES: f64 = 1e-3;

/// So few contacts are solved to this share of that, since it costs next to nothing.
pub(super) const FEW: usize = 24;
const OF_FEW: f64 = 1e-5;

/// Calm bodies are solved to this share of it: what is left shows as a slow rise and fall.
const OF_CALM: f64 = 0.3;

/// Sweeps that leave more than this share of what forces make in the window, or enough to close the
/// gap that is kept, have led nowhere.
const ROUGH: f64 = 0.1;

/// Of that, what may be left where bodies move and all is solved together.
const OF_ROUGH: f64 = 0.2;

/// Displacements of bodies that move are solved to this share of the gap that is kept: what they
/// leave is far from closing a gap, and the next window opens the rest.
const OF_OPENING: f64 = 0.1;

/// Bodies are calm below this many times the speed that forces give them in a window. So many
/// contacts of calm bodies are solved together if sweeps leave something in more windows than
/// these.
const CALM: f64 = 1.5;
const PATIENCE: u8 = 3;
const MOST_TOGETHER: usize = 600;

impl Group<'_> {
    /// Velocities that respect the limits of all candidates over a time, beginning with the
    /// impulses of the last window.
    pub(super) fn solve(&mut self, candidates: &[Candidate], h: f64) -> Trial {
        let swung = self.swing(candidates, h);
        let pushed: Vec<Velocity> = (0..self.states.len()).map(|i| self.pushed(i, h)).collect();
        let both = self.states.iter().zip(&pushed);
        let mean = both.map(|(state, pushed)| state.velocity.plus(pushed).times(0.5)).collect();
        let mut trial = Trial {
            h,
            rows: Vec::with_capacity(candidates.len()),
            sources: Vec::with_capacity(candidates.len()),
            is_free: Vec::new(),
            is_passed: Vec::new(),
            next: 0,
            velocities: pushed.clone(),
            shifts: vec![Velocity::ZERO; pushed.len()],
            opened: Vec::new(),
            pushed,
            mean,
            ends: self.states.clone(),
            swung,
            error: 0.0,
            is_solved: true,
            is_hard: false,
            sweeps: Sweeps::default(),
            multiplications: 0.0,
        };
        let mut dirty = vec![true; self.states.len()];
        self.add_rows(candidates, &mut trial, &mut dirty);
        warm_start(&trial.rows, &mut trial.velocities);
        self.relax(candidates, &mut trial, &mut dirty);
        trial
    }

    /// Whether what contacts make of velocities turns bodies much farther than a window may.
    pub(super) fn turns_far(&self, trial: &Trial) -> bool {
        self.turns(&trial.velocities, trial.h) > 2.0
    }

    /// Adds rows for candidates that are new; their members are dirty.
    pub(super) fn add_rows(&self, candidates: &[Candidate], trial: &mut Trial, dirty: &mut [bool]) {
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
    pub(super) fn relax(&self, candidates: &[Candidate], trial: &mut Trial, dirty: &mut [bool]) {
        for (i, dirty) in dirty.iter_mut().enumerate() {
            *dirty &= self.masses[i].is_some();
        }
        let Trial { h, rows, sources, mean, pushed, is_free, is_passed, .. } = &mut *trial;
        is_free.resize(candidates.len(), false);
        is_passed.resize(candidates.len(), false);
        for (row, &source) in rows.iter_mut().zip(&*sources) {
            let candidate = &candidates[source];
            row.soft = None;
            row.least = limit(candidate, candidate.held(), *h);
            let rate = row.rate(pushed);
            is_free[source] = rate < row.least && is_out_of_reach(candidate, row.rate(mean) * *h);
            if is_free[source] {
                // Beyond rounding, so that sweeps leave no trace of a contact.
                row.least = rate - 1e-6 * rate.abs();
            } else if rate < row.least && self.is_passed(candidate, pushed, *h) {
                [is_free[source], is_passed[source]] = [true; 2];
                row.release();
            } else if candidate.spring.is_some() && !self.arrival(candidate).is_impact {
                row.least = limit(candidate, candidate.kept, *h);
                row.soft = candidate.soft(*h);
            }
        }
        let (kept, fall) = (mean_kept(candidates), self.fall(trial.h));
        let tolerance = self.tolerance(candidates, trial.h);
        let rough = (ROUGH * fall).min(kept / trial.h).max(tolerance);
        match &self.links {
            Some(links) => {
                self.relax_linked(links, trial, (tolerance, OF_ROUGH * rough));
                dirty.iter_mut().zip(&self.masses).for_each(|(dirty, m)| *dirty = m.is_some());
            }
            None => self.sweep(trial, dirty, tolerance, (fall.max(tolerance), rough)),
        }
        self.release(trial);
        self.open(candidates, trial, dirty);
        self.place(trial, dirty);
    }

    /// The velocity that forces make in a window, at most.
    fn fall(&self, h: f64) -> f64 {
        let pull = (0..self.states.len()).map(|i| self.pull(i).acceleration.length());
        pull.fold(0.0, f64::max) * h
    }

    /// What contacts may break their law by in a window, in m/s.
    pub(super) fn tolerance(&self, candidates: &[Candidate], h: f64) -> f64 {
        let (tolerance, fall) = (PRECISION * mean_kept(candidates) / h, self.fall(h));
        if fall > 0.0 { tolerance.min(OF_FORCES * fall) } else { tolerance }
    }

    /// Solves a trial by sweeps, as far as members are dirty, and together what these leave.
    fn sweep(
        &self,
        trial: &mut Trial,
        dirty: &mut [bool],
        tolerance: f64,
        (fall, rough): (f64, f64),
    ) {
        let share = match trial.rows.len() <= FEW {
            true => OF_FEW,
            false if self.is_calm(trial) => OF_CALM,
            false => 1.0,
        };
        let effort = Effort { sweeps: SWEEPS, tolerance: share * tolerance };
        let Trial { rows, velocities, sweeps, .. } = &mut *trial;
        let problem = Problem { rows, velocities, inertias: &self.inertias };
        trial.error = sweeps.run(problem, dirty, &effort);
        trial.is_solved = trial.error <= tolerance;
        if let Some(effort) = self.worth(trial, tolerance, fall, rough) {
            // Where bodies move on, sweeps after it need not be better than that.
            let tolerance = tolerance.max(effort.tolerance);
            self.solve_together(trial, &Effort { sweeps: SWEEPS, tolerance }, &effort);
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

    /// The effort that it is worth to solve together what sweeps have left, if any: all of it for
    /// slow bodies, or where nothing else helps, and little otherwise. None in large heaps that
    /// tumble: there a few Newton steps, which is all that they are worth, lead no farther than the
    /// sweeps of the same time. `fall` is the velocity that forces make in the window.
    fn worth(
        &self,
        trial: &Trial,
        tolerance: f64,
        fall: f64,
        rough: f64,
    ) -> Option<newton::Effort> {
        let (error, is_calm) = (trial.error, self.is_calm(trial));
        let is_rough = error > rough;
        let is_lost = error > fall && trial.rows.len() <= MOST_TOGETHER;
        let is_due = trial.is_hard || is_lost || is_calm && (is_rough || self.is_left_unsolved());
        let is_small = trial.rows.len() <= MOST_TOGETHER;
        if error <= tolerance || !(is_due || is_rough && is_small) {
            return None;
        }
        let most = CHEAP * trial.rows.len() as f64;
        let (exact, enough) = (OF_TOGETHER * tolerance, OF_ROUGH * rough);
        Some(match is_due {
            true => newton::Effort { tolerance: exact, enough: tolerance, most: DEAREST },
            false => newton::Effort { tolerance: enough, enough, most },
        })
    }

    /// Whether sweeps have not solved contacts for some windows: such a stack would sink, and is
    /// still once it is solved.
    fn is_left_unsolved(&self) -> bool {
        self.manifolds.iter().any(|known| known.unsolved >= PATIENCE)
    }

    /// Whether a trial is of few contacts between slow bodies.
    pub(super) fn is_calm(&self, trial: &Trial) -> bool {
        let is_slow = |i: usize| {
            let fall = CALM * self.pull(i).acceleration.length() * trial.h;
            self.masses[i].is_none() || self.states[i].velocity.linear.length() <= fall
        };
        trial.rows.len() <= MOST_TOGETHER && (0..self.states.len()).all(is_slow)
    }

    /// Solves all rows of a trial together, where sweeps do not come to an end: towers, and light
    /// bodies under heavy ones. Takes it back where that is no better.
    fn solve_together(&self, trial: &mut Trial, effort: &Effort, of_all: &newton::Effort) {
        let before: Vec<DVec3> = trial.rows.iter().map(|row| row.impulse).collect();
        let velocities = trial.velocities.clone();
        let (pushed, inertias) = (&trial.pushed[..], &self.inertias[..]);
        let (held, begin) = (Vec::new(), Begin::Pressing);
        let given = Given { pushed, inertias, bonds: &[], held, begin };
        let Some(found) = newton::solve(&mut trial.rows, &given, of_all) else { return };
        trial.multiplications += found.multiplications;
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
            let near = 0.5 * (small - candidate.place.gap);
            let poses = candidate.bodies.map(|i| &self.states[i].pose);
            // What is that near to a plane, and to nothing else, is beside the face.
            let is_near = near > 0.0
                && (candidate.force != DVec3::ZERO
                    || !self.is_off(candidate, poses, DVec3::ZERO, small));
            if is_near { candidate.lift.max(near) } else { candidate.lift }
        };
        if trial.sources.iter().all(|&source| lack(&candidates[source]) <= 0.0) {
            return;
        }
        // What is passed is no limit for displacements either.
        let rows = trial.rows.iter().zip(&trial.sources).filter(|(row, _)| !row.is_released());
        let (mut rows, sources): (Vec<Row>, Vec<usize>) = rows.unzip();
        let mut opening = vec![false; dirty.len()];
        for (row, source) in rows.iter_mut().zip(sources) {
            let candidate = &candidates[source];
            let left = candidate.place.gap + row.rate(&trial.velocities) * trial.h;
            let lack = lack(candidate);
            row.least = if lack > 0.0 { lack } else { -(left - candidate.held()).max(0.0) };
            row.soft = None;
            row.impulse = DVec3::ZERO;
            row.smooth();
            if lack > 0.0 {
                let moves = |i: &usize| self.masses[*i].is_some();
                row.bodies.into_iter().filter(moves).for_each(|i| opening[i] = true);
            }
        }
        let share = if self.is_calm(trial) { PRECISION } else { OF_OPENING };
        let effort = Effort { sweeps: SWEEPS, tolerance: share * mean_kept(candidates) };
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
        let found = match error > effort.tolerance {
            true => self.solve_opening(&mut rows, effort.tolerance),
            false => None,
        };
        if let Some(found) = found {
            shifts.copy_from_slice(&found.velocities);
            trial.multiplications += found.multiplications;
            opening.iter_mut().zip(&self.masses).for_each(|(opens, mass)| *opens = mass.is_some());
        }
        dirty.iter_mut().zip(opening).for_each(|(dirty, opens)| *dirty |= opens);
        let presses = rows.iter().filter(|row| row.impulse.x > 0.0);
        trial.opened.clear();
        trial.opened.extend(presses.map(|row| row.bodies));
    }

    /// The displacements of rows that sweeps do not solve, all together, if that does not cost too
    /// much.
    fn solve_opening(&self, rows: &mut [Row], tolerance: f64) -> Option<newton::Found> {
        let pushed = vec![Velocity::ZERO; self.states.len()];
        let (pushed, inertias) = (&pushed[..], &self.inertias[..]);
        let bonds = self.links.as_ref().map_or(Vec::new(), |links| links.linkage.closed_bonds());
        let (held, begin) = (vec![0.0; bonds.len()], Begin::Still);
        let given = Given { pushed, inertias, bonds: &bonds, held, begin };
        let effort = newton::Effort { tolerance, enough: tolerance, most: DEAREST };
        newton::solve(rows, &given, &effort)
    }

    /// Where members that are dirty are at the end of a trial.
    fn place(&self, trial: &mut Trial, dirty: &[bool]) {
        for (i, state) in self.states.iter().enumerate() {
            if self.masses[i].is_some() && !dirty[i] {
                continue;
            }
            let is_held = trial.velocities[i] != trial.pushed[i]
                || trial.shifts[i] != Velocity::ZERO
                || self.borne(i).is_some();
            if let Some((swung, _)) = trial.swung[i] {
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
}

/// The gap from which candidates are held on average: a pair that began much nearer than others
/// does not make all of them stricter.
fn mean_kept(candidates: &[Candidate]) -> f64 {
    let sum: f64 = candidates.iter().map(Candidate::held).sum();
    sum / candidates.len().max(1) as f64
}

/// The least rate of a candidate's gap over a time, in m/s: bodies that are held keep the velocity
/// of the end of the window throughout, and the gap may close to what is kept.
fn limit(candidate: &Candidate, kept: f64, h: f64) -> f64 {
    candidate.raise - (candidate.place.gap - kept).max(0.0) / h
}

/// Whether free fall, which changes the gap by this much, does not bring a candidate near enough:
/// then it is no contact yet, and is not slowed down, unless a trial has hit it all the same.
fn is_out_of_reach(candidate: &Candidate, fall: f64) -> bool {
    let room = (candidate.place.gap - candidate.held()).max(0.0);
    !candidate.is_hit && fall >= -room
}
