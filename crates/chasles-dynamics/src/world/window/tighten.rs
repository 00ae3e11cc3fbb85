//! What refused trials change: bodies that leave or stop on their routes, tighter limits, and
//! candidates where pairs meet.

use chasles::query::Contact;
use chasles::{Pose, Screw};

use super::candidate::{Candidate, Place};
use super::group::Group;
use super::verdict::Hit;
use super::{SMALL, Trial};
use crate::body::Velocity;

/// A body on a route is blocked where it presses on a body that gets out of its way at this share
/// of its speed less than it must.
const BLOCKED: f64 = 0.05;

impl Group<'_> {
    /// Stops members on routes that press on what cannot get out of their way; whether there are
    /// any that were not stopped before.
    pub(super) fn block(&mut self, candidates: &[Candidate], h: f64) -> bool {
        let drives: Vec<bool> = (0..self.states.len())
            .map(|i| self.route(i).is_some() && self.states[i].velocity != Velocity::ZERO)
            .collect();
        if !candidates.iter().any(|c| c.bodies.into_iter().any(|i| drives[i])) {
            return false;
        }
        let trial = self.solve(candidates, h);
        let mut found = Vec::new();
        for (row, &source) in trial.rows.iter().zip(&trial.sources) {
            let lack = row.least - row.rate(&trial.velocities);
            for i in candidates[source].bodies.into_iter().filter(|&i| drives[i]) {
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

    /// Makes members dynamic that are hit on their route.
    pub(super) fn yield_to(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            let Place { point, normal, gap } = candidate.place;
            let rate = |group: &Self| {
                let [a, b] = candidate
                    .bodies
                    .map(|i| group.states[i].velocity.at(group.inertias[i].centre, point));
                normal.dot(a - b)
            };
            let is_close = gap <= 4.0 * self.pairs[candidate.pair].kept;
            if is_close && rate(self) < -self.options.gentle {
                for i in candidate.bodies {
                    if self.bodies[i].yields() && !self.yielded[i] {
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
            let yielding = pair.bodies.map(|i| self.bodies[i].yields() && !self.yielded[i]);
            if yielding.contains(&true) {
                let both = pair.bodies.into_iter().zip(yielding);
                both.filter(|(_, yields)| *yields).for_each(|(i, _)| self.let_yield(i));
                has_yielded = true;
            }
            let way = self.way_of(hit.pair, &trial.ends);
            // Displacements are for what rests: what comes fast is turned away by an impulse.
            let gentle = self.options.gentle * trial.h;
            let is_fast = hit.contact.is_some_and(|contact| contact.normal_speed.abs() > gentle);
            let mut is_explained = false;
            let mut is_named = hit.contact.is_none();
            let of_pair = |(_, c): &(usize, &mut Candidate)| c.pair == hit.pair;
            for (number, candidate) in candidates.iter_mut().enumerate().filter(of_pair) {
                let wanted = (2.0 * SMALL * candidate.kept).min(candidate.place.gap);
                let at = |t: f64| way.gap(candidate, t);
                let least =
                    [0.25, 0.5, 0.75, 1.0].into_iter().map(at).fold(f64::INFINITY, f64::min);
                let is_it = |contact: &Contact| contact.features == candidate.features;
                let there = hit.contact.filter(is_it).map_or(f64::INFINITY, |c| at(c.time));
                is_named |= there < wanted;
                let lack = wanted - least.min(there);
                if lack <= 0.0 {
                    continue;
                }
                is_explained = true;
                if trial.is_free.get(number) == Some(&true) {
                    candidate.is_hit = true;
                    continue;
                }
                if lack > candidate.kept || is_fast && candidate.slot.is_none() {
                    candidate.raise += 1.1 * lack / trial.h;
                } else {
                    candidate.lift += 1.1 * lack;
                }
            }
            if let Some(contact) = hit.contact.filter(|_| !is_named) {
                self.add_contact(hit.pair, &contact, &way, candidates);
            }
            if !is_explained {
                self.add_places(hit.pair, &way.at(hit.share), candidates);
            }
        }
        has_yielded
    }
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
