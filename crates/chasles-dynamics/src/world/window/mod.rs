//! A step of an island in windows: all contacts of a short time are handled together [Buss04 §3].
//!
//! ```text
//! bodies -> near pairs -> candidates -> limits -> velocities -> motion -> verdict -> bodies
//!           manifold.rs   candidate.rs  velocities.rs                    verdict.rs
//!                                       solver.rs, newton.rs, linked.rs
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

mod alternating;
mod assembly;
mod bounce;
mod candidate;
mod energy;
mod group;
mod joints;
mod manifold;
mod newton;
mod newton_response;
mod overlap_region;
mod soft;
mod solver;
mod tightening;
mod velocities;
mod verdict;

use chasles::Screw;
use glam::DVec3;

use super::broad::{Bounds, groups};
use super::event::{self, Pressing};
use super::island::Outcome;
use super::quick_proofs::Guard;
use super::record::{Move, Part};
use super::{BodyId, Lost, Report, State, Work, World};
use crate::body::Velocity;
use crate::linkage::Joint;
use candidate::Candidate;
use group::Group;
use manifold::Gathered;
#[cfg(feature = "serde")]
pub(super) use manifold::Manifold;
pub(super) use manifold::Manifolds;
use solver::{Row, Sweeps};

/// Rounds of solving and proving at most, before a window is cut: all, and those that find no new
/// contact.
const ROUNDS: u32 = 64;
const ROUNDS_IN_VAIN: u32 = 6;

/// A window is halved this often at most, before bodies are held back.
const HALVINGS: u32 = 4;

/// Multiplications that solving together may take: some hundredths of a second, or for each contact
/// about as many as all sweeps.
const DEAREST: f64 = 1e8;
const CHEAP: f64 = 2e4;

/// What is solved together is solved to this share of the tolerance: small errors of all contacts
/// add up to a sway of a tower, and a few steps more leave none.
const OF_TOGETHER: f64 = 1e-3;

/// Gaps below this share of the one that is kept are opened to it.
const SMALL: f64 = 0.25;

/// A share of a window below which a body stays where it is.
const LEAST_SHARE: f64 = 0.05;

/// At least this share of the gap that is kept is left where bodies are held back.
const LEAST_LEFT: f64 = 0.02;

/// Rounding of gaps, as a share of the one that is kept.
const ROUNDING: f64 = 1e-9;

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
    /// Candidates that bodies would pass.
    is_passed: Vec<bool>,
    /// Candidates from this number on have no rows yet.
    next: usize,
    /// What forces alone make of velocities, the mean of these and those before, and what contacts
    /// make of them.
    pushed: Vec<Velocity>,
    mean: Vec<Velocity>,
    velocities: Vec<Velocity>,
    /// Displacements that open gaps and leave velocities alone.
    shifts: Vec<Velocity>,
    /// Pairs of members that these move apart.
    opened: Vec<[usize; 2]>,
    ends: Vec<State>,
    /// Where members of linkages are that swing freely, and the seconds that they lose.
    swung: Vec<Option<(State, f64)>>,
    error: f64,
    /// Whether sweeps came to their end.
    is_solved: bool,
    /// Whether sweeps alone did not lead to a motion that is free.
    is_hard: bool,
    sweeps: Sweeps,
    /// Multiplications of what was solved together.
    multiplications: f64,
}

impl Trial {
    /// What it took to solve it.
    fn work(&self) -> Work {
        let multiplications = self.multiplications as u64;
        Work { visits: self.sweeps.visits, multiplications, ..Work::default() }
    }

    fn cost(&self) -> f64 {
        self.work().cost()
    }
}

/// Takes an island through a step.
pub(super) fn advance(
    world: &World,
    (members, pairs): (Vec<usize>, &[[usize; 2]]),
    boxes: &[Bounds],
    dt: f64,
) -> Outcome {
    let mut group = Group::new(world, members, pairs, boxes);
    let mut run = Run::new(&group, dt);
    let end = group.clock + dt;
    let mut left = dt;
    for windows in (1..=world.options.max_parts).rev() {
        let least = run.least(&group, left, windows);
        let done = run.window(&mut group, left, least);
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
    /// What the step may cost, as [`Work::cost`] counts it.
    budget: f64,
}

impl Run {
    fn new(group: &Group<'_>, dt: f64) -> Self {
        let movable = group.bodies.iter().filter(|body| body.is_movable()).count().max(1);
        // Sheets have a step taken in parts, which share what all of it may cost.
        let share = dt / group.world.step_length;
        Self {
            report: Report::default(),
            presses: Vec::new(),
            pressing: Vec::new(),
            lost: vec![0.0; group.states.len()],
            budget: group.options.max_work * movable as f64 * share,
        }
    }

    /// What the step has cost so far.
    fn cost(&self, group: &Group<'_>) -> f64 {
        self.report.work.cost() + group.work.cost()
    }

    /// The least length of the next window of a step of which so much is left, and so many windows:
    /// those that the budget has left share it. Then no time is lost for want of windows, only what
    /// is held back in one.
    fn least(&self, group: &Group<'_>, left: f64, windows: u32) -> f64 {
        let cost = self.cost(group);
        let affordable = match self.report.parts {
            0 => f64::INFINITY,
            parts => ((self.budget - cost) / (cost / f64::from(parts))).max(1.0),
        };
        left / affordable.min(f64::from(windows))
    }

    /// One window, at most as long as what is left, and at least so long but for impacts; how long
    /// it was.
    fn window(&mut self, group: &mut Group<'_>, left: f64, least: f64) -> f64 {
        let mut h = group.longest(left).max(least);
        group.follow_routes(h);
        let Gathered { mut candidates, mut guards } = group.gather(h);
        group.yield_to(&candidates, h);
        while group.block(&candidates, h) {
            group.follow_routes(h);
        }
        let whole = h;
        group.let_swing();
        let [mut halvings, mut calmings] = [0; 2];
        let may_calm = |calmings: u32, h: f64| calmings < CALMINGS && 0.5 * h >= least;
        while halvings <= HALVINGS && self.cost(group) < self.budget {
            let mut trial = group.solve(&candidates, h);
            if may_calm(calmings, h) && group.turns_far(&trial) {
                group.note_work(&trial);
                calmings += 1;
                h *= 0.5;
                group.follow_routes(h);
                continue;
            }
            let mut dirty = vec![true; group.states.len()];
            let mut in_vain = 0;
            for _ in 0..ROUNDS {
                if self.cost(group) + trial.cost() >= self.budget {
                    break;
                }
                self.report.work.rounds += 1;
                let hits = group.hits(&trial.ends, &mut guards);
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
                    group.note_work(&trial);
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
                if may_calm(calmings, h) && group.turns_far(&trial) {
                    break;
                }
            }
            group.note_work(&trial);
            if may_calm(calmings, h) && group.turns_far(&trial) {
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
                candidate.is_late = false;
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
        let mut asked = vec![false; goals.len()];
        loop {
            let hits = group.hits(&trial.ends, guards);
            let mut pairs: Vec<usize> = hits.iter().map(|hit| hit.pair).collect();
            let near = candidates.iter().filter(|c| group.is_too_near(c, trial));
            pairs.extend(near.map(|c| c.pair));
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
        let bundles = group.bundles(&trial);
        let met = group.bounce(candidates, &mut trial, &bundles);
        if group.world.is_listening {
            let part = self.report.parts;
            let rows = group.pressing(candidates, &trial, part);
            let impacts = met.iter().map(|met| &met.impact);
            self.pressing.extend(event::pressing(rows, impacts, part));
        }
        let hard = met.into_iter().filter(|met| met.is_hard);
        self.report.impacts.extend(hard.map(|met| met.impact));
        group.pay(candidates, &mut trial, &bundles);
        group.note_work(&trial);
        let is_unsolved = !trial.is_solved && group.is_calm(&trial);
        for known in &mut group.manifolds {
            known.unsolved = if is_unsolved { known.unsolved.saturating_add(1) } else { 0 };
        }
        for (lost, swung) in self.lost.iter_mut().zip(&trial.swung) {
            *lost += swung.map_or(0.0, |(_, lost)| lost);
        }
        for (i, is_blocked) in group.blocked.iter_mut().enumerate() {
            if std::mem::take(is_blocked) {
                self.lost[i] += trial.h;
            }
        }
        self.report.contacts = trial.rows.iter().filter(|row| row.impulse.x > 0.0).count();
        let rows = trial.rows.iter().zip(&trial.sources);
        group.remember(rows.map(|(row, &i)| {
            (candidates[i], row.impulse_vector() / trial.h, candidates[i].used_spring(row))
        }));
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
            reaches: super::spring_contact::Reaches::new(),
        }
    }
}

impl Group<'_> {
    /// Takes down what a trial took.
    fn note_work(&mut self, trial: &Trial) {
        self.work.add(&trial.work());
    }

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

    /// Whether a trial ends with less of a gap than is kept in any case, or than there was.
    fn is_too_near(&self, candidate: &Candidate, trial: &Trial) -> bool {
        let poses = candidate.bodies.map(|i| &trial.ends[i].pose);
        let left = candidate.anchors.place(poses).gap;
        let least = (LEAST_LEFT * candidate.kept).min(candidate.place.gap);
        left < least - ROUNDING * candidate.kept && !self.is_beside(candidate, poses, DVec3::ZERO)
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
