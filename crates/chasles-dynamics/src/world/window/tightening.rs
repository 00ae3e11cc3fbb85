//! What refused trials change: bodies that leave or stop on their routes, tighter limits, and
//! candidates where pairs meet.

use chasles::query::Contact;
use chasles::{Pose, Screw};
use glam::DVec3;

use super::candidate::{Candidate, Place};
use super::group::Group;
use super::verdict::Hit;
use super::{SMALL, Trial};
use crate::body::Velocity;

/// A body on a route is blocked where it presses on a body that gets out of its way at this share
/// of its speed less than it must.
const BLOCKED: f64 = 0.05;

impl Group<'_> {
    /// Stops members on routes that press on what cannot get out of their way, themselves or by
    /// what joints tie to them; whether there are any that were not stopped before.
    pub(super) fn block(&mut self, candidates: &[Candidate], h: f64) -> bool {
        let drives: Vec<bool> = (0..self.states.len())
            .map(|i| self.route(i).is_some() && self.states[i].velocity != Velocity::ZERO)
            .collect();
        let driven = self.driven(&drives);
        if !candidates.iter().any(|c| c.bodies.into_iter().any(|i| !driven[i].is_empty())) {
            return false;
        }
        let trial = self.solve(candidates, h);
        let mut found = Vec::new();
        for (row, &source) in trial.rows.iter().zip(&trial.sources) {
            let lack = row.least - row.rate(&trial.velocities);
            for &i in candidates[source].bodies.into_iter().flat_map(|i| &driven[i]) {
                let point = candidates[source].place.point;
                let speed = self.states[i].velocity.at(self.inertias[i].centre, point).length();
                if lack > BLOCKED * speed {
                    found.push(i);
                }
            }
        }
        found.iter().for_each(|&i| self.blocked[i] = true);
        !found.is_empty()
    }

    /// For each member those of these that move it along: itself, or what joints tie it to.
    fn driven(&self, drives: &[bool]) -> Vec<Vec<usize>> {
        let by = |i: usize| self.bound_to(i).into_iter().filter(|&j| drives[j]).collect();
        (0..drives.len()).map(by).collect()
    }

    /// Makes members dynamic that are hit on their route.
    pub(super) fn yield_to(&mut self, candidates: &[Candidate], h: f64) {
        let pushed: Vec<Velocity> = (0..self.states.len()).map(|i| self.pushed(i, h)).collect();
        for candidate in candidates {
            let Place { point, normal, gap } = candidate.place;
            let rate = |group: &Self| {
                let [a, b] = candidate
                    .bodies
                    .map(|i| group.states[i].velocity.at(group.inertias[i].centre, point));
                normal.dot(a - b)
            };
            let is_close = gap <= 4.0 * self.pairs[candidate.pair].kept;
            let is_hit = is_close && rate(self) < -self.options.gentle;
            if is_hit && !self.is_passed(candidate, &pushed, h) {
                for i in candidate.bodies {
                    if self.yields(i) {
                        self.let_yield(i);
                    }
                }
            }
        }
    }

    /// Tightens the limits of pairs that meet on a trial, and adds candidates where they meet;
    /// whether a body has left its route for that.
    pub(super) fn tighten(
        &mut self,
        candidates: &mut Vec<Candidate>,
        trial: &Trial,
        hits: &[Hit],
        dirty: &mut [bool],
    ) -> bool {
        let mut has_yielded = false;
        for hit in hits {
            let pair = self.pairs[hit.pair];
            pair.bodies.into_iter().for_each(|i| dirty[i] = true);
            let yielding = pair.bodies.map(|i| self.yields(i));
            if yielding.contains(&true) {
                let both = pair.bodies.into_iter().zip(yielding);
                both.filter(|(_, yields)| *yields).for_each(|(i, _)| self.let_yield(i));
                has_yielded = true;
            }
            let known = candidates.len();
            let Answer { is_explained, is_named } = self.answer(candidates, trial, hit, true);
            let way = self.way_of(hit.pair, &trial.ends);
            if let Some(contact) = hit.contact.filter(|_| !is_named) {
                self.add_contact(hit.pair, &contact, &way, candidates);
            }
            if !is_explained {
                self.add_places(hit.pair, &way.at(hit.share), candidates);
                if candidates.len() == known {
                    self.answer(candidates, trial, hit, false);
                }
            }
        }
        has_yielded
    }

    /// Tightens the limits of those candidates that explain a hit; if it is `strict`, not of those
    /// that bodies are beside when they close.
    fn answer(
        &self,
        candidates: &mut [Candidate],
        trial: &Trial,
        hit: &Hit,
        is_strict: bool,
    ) -> Answer {
        let way = self.way_of(hit.pair, &trial.ends);
        // Displacements are for what rests: what comes fast is turned away by an impulse.
        let gentle = self.options.gentle * trial.h;
        let is_fast = hit.contact.is_some_and(|contact| contact.normal_speed.abs() > gentle);
        let mut found = Answer { is_explained: false, is_named: hit.contact.is_none() };
        let of_pair = |(_, c): &(usize, &mut Candidate)| c.pair == hit.pair;
        for (number, candidate) in candidates.iter_mut().enumerate().filter(of_pair) {
            let wanted = (2.0 * SMALL * candidate.kept).min(candidate.place.gap);
            let at = |t: f64| way.gap(candidate, t);
            let gaps = [0.0, 0.25, 0.5, 0.75, 1.0].map(|t| (t, at(t)));
            let least = match is_strict && self.is_past(candidate, &way, closing(&gaps, wanted)) {
                true => f64::INFINITY,
                false => gaps[1..].iter().fold(f64::INFINITY, |least, (_, gap)| least.min(*gap)),
            };
            let is_it = |contact: &Contact| contact.features == candidate.features;
            let there = hit.contact.filter(is_it).map_or(f64::INFINITY, |c| at(c.time));
            found.is_named |= there < wanted;
            let lack = wanted - least.min(there);
            if lack <= 0.0 {
                continue;
            }
            found.is_explained = true;
            if trial.is_free.get(number) == Some(&true) {
                candidate.is_hit = true;
                candidate.is_late = trial.is_passed[number];
            } else if lack > candidate.kept
                || is_fast && (candidate.slot.is_none() || candidate.is_late)
            {
                candidate.raise += 1.1 * lack / trial.h;
            } else {
                candidate.lift += 1.1 * lack;
            }
        }
        found
    }

    /// Whether bodies are beside a candidate at a share of a way.
    fn is_past(&self, candidate: &Candidate, way: &Passage, share: f64) -> bool {
        self.is_beside(candidate, [&Pose::IDENTITY, &way.at(share)], DVec3::ZERO)
    }
}

/// When gaps at some shares of a way are closed, or first below what is wanted.
fn closing(gaps: &[(f64, f64)], wanted: f64) -> f64 {
    let at = gaps.iter().position(|(_, gap)| *gap < wanted).unwrap_or(gaps.len() - 1);
    let [(from, before), (to, after)] = [gaps[at.saturating_sub(1)], gaps[at]];
    let share = if after < 0.0 && before > 0.0 { before / (before - after) } else { 1.0 };
    from + share * (to - from)
}

/// Whether candidates explain a hit, and whether one of them is what touches.
struct Answer {
    is_explained: bool,
    is_named: bool,
}

/// The relative motion of a pair: the second body as the first sees it.
pub(super) struct Passage {
    start: Pose,
    screw: Screw,
}

impl Passage {
    /// Between two poses of each body.
    pub(super) fn new(starts: [Pose; 2], ends: [Pose; 2]) -> Self {
        let [start, end] = [starts, ends].map(|[a, b]| a.inverse_after(&b));
        Self { start, screw: Screw::between(&start, &end) }
    }

    /// The pose of the second body in the frame of the first, at a share of the way.
    pub(super) fn at(&self, share: f64) -> Pose {
        self.screw.pose_at(share).after(&self.start)
    }

    /// The gap of a candidate at a share of the way.
    fn gap(&self, candidate: &Candidate, share: f64) -> f64 {
        candidate.anchors.place([&Pose::IDENTITY, &self.at(share)]).gap
    }
}
