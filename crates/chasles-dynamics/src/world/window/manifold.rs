//! From near pairs to candidates: once at the start of a window, and where a trial hits something.
//!
//! The places of a pair are found within a margin more than a window needs, and kept in the frames
//! of both bodies. While no point has moved by more than the margin they serve on, each at its new
//! gap, so bodies at rest are never looked at again and rest on the same points.

use std::collections::BTreeMap;

use chasles::query::{self, Features};
use chasles::{Pose, Screw};
use glam::DVec3;

use super::super::broad::Bounds;
use super::super::guard::{Guard, longest_way};
use super::candidate::{Anchors, Candidate};
use super::group::Group;

/// Places within this many kept gaps are candidates, however slow bodies are.
const REACH: f64 = 4.0;

/// Places are looked for by this share of the smaller body farther than a window needs.
const MARGIN: f64 = 0.02;

/// At least this share of the usual gap is kept between bodies that begin closer.
const LEAST_KEPT: f64 = 0.02;

/// Where a trial hits something, places within this share of the smaller body belong to the hit.
const BESIDE: f64 = 0.02;

/// Contacts of a pair within this share of the smaller body are one from window to window.
const SAME_PLACE: f64 = 0.05;

/// The manifolds of all pairs that are near each other, by the numbers of their bodies.
pub(in super::super) type Manifolds = BTreeMap<[usize; 2], Manifold>;

/// Where two bodies are near each other, and with which forces.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in super::super) struct Manifold {
    /// The pose of the second body in the frame of the first when the places were found.
    seen: Pose,
    /// All places within this distance are known; below 0 none are.
    reach: f64,
    /// The bodies were at least this far apart.
    room: f64,
    /// The gap that is kept between them: less than usual for bodies that began closer, which are
    /// not lifted.
    kept: f64,
    /// Windows in a row in which sweeps did not solve the contacts of slow bodies.
    pub(super) unsolved: u8,
    places: Vec<Known>,
}

/// A place that is known, and the force there.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Known {
    features: Features,
    anchors: Anchors,
    /// On the first body, in newtons, in the world frame.
    force: DVec3,
}

impl Default for Manifold {
    fn default() -> Self {
        Self {
            seen: Pose::IDENTITY,
            reach: -1.0,
            room: 0.0,
            kept: 0.0,
            unsolved: 0,
            places: Vec::new(),
        }
    }
}

impl Manifold {
    /// Whether all places are of two bodies.
    #[cfg(feature = "serde")]
    pub(in super::super) fn is_sound(&self) -> bool {
        self.places.iter().all(|known| known.anchors.is_sound())
    }

    /// Whether nothing is known.
    pub(super) fn is_empty(&self) -> bool {
        self.reach < 0.0
    }
}

/// What the start of a window tells about the pairs of a group.
pub(super) struct Gathered {
    pub(super) candidates: Vec<Candidate>,
    /// What is known about each pair.
    pub(super) guards: Vec<Guard>,
}

impl Group<'_> {
    /// The candidates of all pairs: what is so near that forces close it within the window.
    ///
    /// What comes from farther away is found where a trial hits it, so nothing is held up by the
    /// plane of a face that it will have passed.
    pub(super) fn gather(&mut self, h: f64) -> Gathered {
        let pulls = (0..self.states.len()).map(|i| self.pull(i).acceleration.length());
        let pull = pulls.fold(0.0, f64::max);
        let slow = (self.options.gentle + 2.0 * pull * h) * h;
        let both = self.bodies.iter().zip(&self.states);
        let boxes: Vec<Bounds> = both.map(|(body, state)| Bounds::of(body, &state.pose)).collect();
        let mut found = Gathered { candidates: Vec::new(), guards: Vec::new() };
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            let [first, second] = pair.bodies.map(|i| &boxes[i]);
            let reach = REACH * pair.kept + slow.min(0.5 * pair.size);
            let mut guard = Guard { room: reach, normal: None };
            if first.grown(reach).overlaps(second) {
                guard = self.gather_pair(number, reach, &mut found.candidates);
            } else {
                self.manifolds[number] = Manifold::default();
            }
            let across = (second.middle() - first.middle()).try_normalize();
            found.guards.push(Guard { normal: guard.normal.or(across), ..guard });
        }
        found
    }

    /// Adds the candidates of a pair within a reach.
    fn gather_pair(&mut self, number: usize, reach: f64, candidates: &mut Vec<Candidate>) -> Guard {
        let pair = self.pairs[number];
        let poses = pair.bodies.map(|i| self.states[i].pose);
        let seen = poses[0].inverse_after(&poses[1]);
        let known = &self.manifolds[number];
        let moved = match known.is_empty() {
            true => 0.0,
            false => longest_way(&self.bodies[pair.bodies[1]].bounds(), &[known.seen, seen]),
        };
        if known.reach < reach + moved {
            self.find(number, reach + MARGIN * pair.size, poses);
        }
        let moved = if self.manifolds[number].seen == seen { 0.0 } else { moved };
        let manifold = &self.manifolds[number];
        let mut guard = Guard { room: (manifold.room - moved).max(0.0), normal: None };
        let mut least = f64::INFINITY;
        for (slot, known) in manifold.places.iter().enumerate() {
            let place = known.anchors.place([&poses[0], &poses[1]]);
            if place.gap < least {
                least = place.gap;
                guard.normal = Some(-place.normal);
            }
            if place.gap <= reach {
                let Known { features, anchors, force } = *known;
                let candidate = Candidate {
                    pair: number,
                    bodies: pair.bodies,
                    slot: Some(slot),
                    features,
                    anchors,
                    place,
                    force,
                    kept: manifold.kept,
                    is_hit: false,
                    lift: 0.0,
                    raise: 0.0,
                };
                candidates.push(candidate);
            }
        }
        guard
    }

    /// Finds the places of a pair at these poses anew, with the forces of those that were there.
    fn find(&mut self, number: usize, reach: f64, poses: [Pose; 2]) {
        let pair = self.pairs[number];
        let before = std::mem::take(&mut self.manifolds[number].places);
        let mut room = reach;
        let mut places = self.near(number, reach, poses);
        let near = (SAME_PLACE * pair.size).powi(2);
        for known in &mut places {
            room = room.min(known.anchors.place([&poses[0], &poses[1]]).gap);
            let distance =
                |old: &Known| old.anchors.on_first().distance_squared(known.anchors.on_first());
            let nearest = before.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)));
            let same = nearest.filter(|old| distance(old) <= near);
            known.force = same.map_or(DVec3::ZERO, |old| old.force);
        }
        let seen = poses[0].inverse_after(&poses[1]);
        let room = room.max(0.0);
        let kept = match self.manifolds[number].is_empty() {
            true => room.clamp(LEAST_KEPT * pair.kept, pair.kept),
            false => self.manifolds[number].kept,
        };
        let unsolved = self.manifolds[number].unsolved;
        self.manifolds[number] = Manifold { seen, reach, room, kept, unsolved, places };
    }

    /// The places of a pair within a reach, at these poses.
    fn near(&mut self, number: usize, reach: f64, poses: [Pose; 2]) -> Vec<Known> {
        let [a, b] = self.pairs[number].bodies.map(|i| self.bodies[i]);
        let radii = [a, b].map(|body| body.shape().core().1);
        let places = query::near(a.geometry(), b.geometry(), poses, reach, &mut self.memory);
        let known = |place: &query::Near| Known {
            features: place.features,
            anchors: Anchors::new(place, [&poses[0], &poses[1]], radii),
            force: DVec3::ZERO,
        };
        places.unwrap_or_default().iter().map(known).collect()
    }

    /// Adds the places at which a trial hits something, as far as they are not known.
    ///
    /// `ends` are the poses of the pair at the end of the trial, and `share` how much of it is
    /// free.
    pub(super) fn add_hit(
        &mut self,
        number: usize,
        ends: [Pose; 2],
        share: f64,
        candidates: &mut Vec<Candidate>,
    ) {
        let pair = self.pairs[number];
        let starts = pair.bodies.map(|i| self.states[i].pose);
        let [start, end] = [starts, ends].map(|[a, b]| a.inverse_after(&b));
        let there = Screw::between(&start, &end).pose_at(share).after(&start);
        let reach = (BESIDE * pair.size).max(REACH * pair.kept);
        let manifold = &self.manifolds[number];
        let kept = if manifold.is_empty() { pair.kept } else { manifold.kept };
        for known in self.near(number, reach, [starts[0], starts[0].after(&there)]) {
            let of_pair = |c: &&Candidate| c.pair == number;
            if candidates.iter().filter(of_pair).any(|c| c.features == known.features) {
                continue;
            }
            let Known { features, anchors, force } = known;
            let place = anchors.place([&starts[0], &starts[1]]);
            if place.normal != DVec3::ZERO {
                candidates.push(Candidate {
                    pair: number,
                    bodies: pair.bodies,
                    slot: None,
                    features,
                    anchors,
                    place,
                    force,
                    kept,
                    is_hit: false,
                    lift: 0.0,
                    raise: 0.0,
                });
            }
        }
    }

    /// Takes down the forces at candidates, as a first guess for the next window.
    pub(super) fn remember(&mut self, forces: impl Iterator<Item = (Candidate, DVec3)>) {
        for manifold in &mut self.manifolds {
            manifold.places.iter_mut().for_each(|known| known.force = DVec3::ZERO);
        }
        for (candidate, force) in forces {
            let places = &mut self.manifolds[candidate.pair].places;
            match candidate.slot {
                Some(slot) => places[slot].force = force,
                None => {
                    let Candidate { features, anchors, .. } = candidate;
                    places.push(Known { features, anchors, force });
                }
            }
        }
    }
}
