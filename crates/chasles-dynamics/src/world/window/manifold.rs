//! From near pairs to candidates: once at the start of a window, and where a trial hits something.
//!
//! The places of a pair are found within a margin more than a window needs, and kept in the frames
//! of both bodies. While no point has moved by more than the margin they serve on, each at its new
//! gap, so bodies at rest are never looked at again and rest on the same points.

use std::collections::BTreeMap;

use chasles::Pose;
use chasles::query::{self, Contact, Features, Near};
use glam::DVec3;

use super::super::broad::Bounds;
use super::super::quick_proofs::{Guard, longest_way};
use super::candidate::{Anchors, Candidate};
use super::group::{Group, Pair};
use super::soft::Spring;
use super::tightening::Passage;

/// Places within this many kept gaps are candidates, however slow bodies are.
const REACH: f64 = 4.0;

/// Places are looked for by this share of the smaller body farther than a window needs.
const MARGIN: f64 = 0.02;

/// At least this share of the usual gap is kept between bodies that begin closer.
const LEAST_KEPT: f64 = 0.02;

/// Where a trial hits something, places within this share of the smaller body belong to the hit.
const BESIDE: f64 = 0.02;

/// Rounding of distances.
const ROUNDING: f64 = 1e-9;

/// Candidates of the same features at most: a place where they are near, and one where they touch.
const MOST_ALIKE: usize = 2;

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
    /// The gap at which its contact spring begins, while that is pressed.
    begin: Option<f64>,
}

impl Known {
    /// Of a place of bodies at these poses, which are round with these radii.
    fn new(place: &Near, poses: [&Pose; 2], radii: [f64; 2]) -> Self {
        let anchors = Anchors::new(place, poses, radii);
        Self { features: place.features, anchors, force: DVec3::ZERO, begin: None }
    }
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
        let is_gap = |begin: f64| begin > 0.0 && begin.is_finite();
        self.places.iter().all(|known| known.anchors.is_sound() && known.begin.is_none_or(is_gap))
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
        self.proven = vec![None; self.pairs.len()];
        let mut found = Gathered { candidates: Vec::new(), guards: Vec::new() };
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            let [first, second] = pair.bodies.map(|i| &boxes[i]);
            let reach = (REACH * pair.kept).max(pair.reach) + slow.min(0.5 * pair.size);
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
        if known.reach < reach + moved || self.is_stale(number, reach, moved) {
            self.find(number, reach + MARGIN * pair.size, poses);
        }
        let moved = if self.manifolds[number].seen == seen { 0.0 } else { moved };
        let manifold = &self.manifolds[number];
        let mut guard = Guard { room: (manifold.room - moved).max(0.0), normal: None };
        let mut least = f64::INFINITY;
        for (slot, known) in manifold.places.iter().enumerate() {
            let candidate = self.candidate(number, Some(slot), known);
            let place = candidate.place;
            if place.gap < least {
                least = place.gap;
                guard.normal = Some(-place.normal);
            }
            if place.gap <= reach {
                candidates.push(candidate);
            }
        }
        guard
    }

    /// Whether bodies that have moved by this since the places of a pair were found have passed one
    /// of those that are in reach: it would go on to carry them, or lift what is below its plane.
    fn is_stale(&self, number: usize, reach: f64, moved: f64) -> bool {
        let Pair { bodies, kept, size, .. } = self.pairs[number];
        let poses = bodies.map(|i| &self.states[i].pose);
        self.manifolds[number].places.iter().any(|known| {
            let candidate = self.candidate(number, None, known);
            let gap = candidate.place.gap;
            let is_passed = || moved > kept && self.is_beside(&candidate, poses, DVec3::ZERO);
            gap < -ROUNDING * size || gap <= reach && is_passed()
        })
    }

    /// A place of a pair as a candidate of this window.
    fn candidate(&self, number: usize, slot: Option<usize>, known: &Known) -> Candidate {
        let (pair, manifold) = (&self.pairs[number], &self.manifolds[number]);
        let [first, second] = pair.bodies.map(|i| &self.states[i].pose);
        let Known { features, anchors, force, begin } = *known;
        let place = anchors.place([first, second]);
        let kept = if manifold.is_empty() { pair.kept } else { manifold.kept.min(pair.kept) };
        Candidate {
            pair: number,
            bodies: pair.bodies,
            slot,
            features,
            anchors,
            place,
            force,
            kept,
            spring: self.spring(pair, place.gap, begin),
            is_hit: false,
            is_late: false,
            lift: 0.0,
            raise: 0.0,
        }
    }

    /// Finds the places of a pair at these poses anew, with the forces of those that were there.
    fn find(&mut self, number: usize, reach: f64, poses: [Pose; 2]) {
        let pair = self.pairs[number];
        let before = std::mem::take(&mut self.manifolds[number].places);
        // Those that were not near are often far: then they need not be looked at for a while.
        let apart = if before.is_empty() { self.distance(number, poses) } else { 0.0 };
        let reach = reach.max(apart);
        let found = if apart < reach { self.near(number, reach, poses) } else { Some(Vec::new()) };
        let Some(mut places) = found else {
            // Nothing is known, so nothing is proven by it.
            self.manifolds[number] = Manifold::default();
            return;
        };
        let gap = |known: &Known| known.anchors.place([&poses[0], &poses[1]]).gap;
        let room = places.iter().map(gap).fold(reach, f64::min);
        warm(&mut places, before, SAME_PLACE * pair.size);
        let seen = poses[0].inverse_after(&poses[1]);
        let room = room.max(0.0);
        let kept = match self.manifolds[number].is_empty() {
            true => room.clamp(LEAST_KEPT * pair.kept, pair.kept),
            false => self.manifolds[number].kept,
        };
        let unsolved = self.manifolds[number].unsolved;
        self.manifolds[number] = Manifold { seen, reach, room, kept, unsolved, places };
    }

    /// How far apart a pair is at least, at these poses; 0 if nothing tells it.
    fn distance(&mut self, number: usize, poses: [Pose; 2]) -> f64 {
        let [a, b] = self.pairs[number].bodies.map(|i| self.bodies[i].geometry());
        let found = query::distance(a, b, poses, &mut self.memory);
        found.map_or(0.0, |found| found.distance * (1.0 - ROUNDING))
    }

    /// The places of a pair within a reach, at these poses; none if nothing tells them.
    fn near(&mut self, number: usize, reach: f64, poses: [Pose; 2]) -> Option<Vec<Known>> {
        let [a, b] = self.pairs[number].bodies.map(|i| self.bodies[i]);
        let radii = [a, b].map(|body| body.shape().core().1);
        let places = query::near(a.geometry(), b.geometry(), poses, reach, &mut self.memory);
        let known = |place: &Near| Known::new(place, [&poses[0], &poses[1]], radii);
        Some(places.ok()?.iter().map(known).collect())
    }

    /// Adds the places of a pair where the first body sees the second there, as far as they are not
    /// known.
    pub(super) fn add_places(
        &mut self,
        number: usize,
        there: &Pose,
        candidates: &mut Vec<Candidate>,
    ) {
        let pair = self.pairs[number];
        let reach = (BESIDE * pair.size).max(REACH * pair.kept).max(pair.reach);
        for known in self.near(number, reach, [Pose::IDENTITY, *there]).unwrap_or_default() {
            let mut of_pair = candidates.iter().filter(|c| c.pair == number);
            let is_new = !of_pair.any(|c| c.features == known.features);
            let candidate = self.candidate(number, None, &known);
            if is_new && candidate.place.normal != DVec3::ZERO {
                candidates.push(candidate);
            }
        }
    }

    /// Adds the very features that touch on a way, if they face each other when it begins. Where
    /// two edges meet next to two others that are as near, places name only one of both pairs.
    pub(super) fn add_contact(
        &self,
        number: usize,
        contact: &Contact,
        way: &Passage,
        candidates: &mut Vec<Candidate>,
    ) {
        let bodies = self.pairs[number].bodies.map(|i| self.bodies[i]);
        let there = way.at(contact.time);
        let [u, w] = [contact.features.a, contact.features.b];
        let direction = |[from, to]: [DVec3; 2]| (to - from).try_normalize();
        let line = |i: usize, feature| bodies[i].shape().ends(feature).and_then(direction);
        let lines = line(0, u).zip(line(1, w));
        let place = Near {
            features: contact.features,
            point_a: contact.point_in_a,
            point_b: contact.point_in_a,
            normal: contact.normal_in_a,
            gap: 0.0,
            properness: contact.properness,
            lines: lines.map(|(u, w)| [u, there.vector(w)]),
        };
        let radii = bodies.map(|body| body.shape().core().1);
        let known = Known::new(&place, [&Pose::IDENTITY, &there], radii);
        let candidate = self.candidate(number, None, &known);
        let is_same = |c: &&Candidate| c.pair == number && c.features == known.features;
        let count = candidates.iter().filter(is_same).count();
        if candidate.place.gap > 0.0 && count < MOST_ALIKE {
            candidates.push(candidate);
        }
    }

    /// Takes down the forces at candidates, as a first guess for the next window, and the springs
    /// that are pressed there.
    pub(super) fn remember(
        &mut self,
        forces: impl Iterator<Item = (Candidate, DVec3, Option<Spring>)>,
    ) {
        for manifold in &mut self.manifolds {
            for known in &mut manifold.places {
                (known.force, known.begin) = (DVec3::ZERO, None);
            }
        }
        for (candidate, force, spring) in forces {
            let places = &mut self.manifolds[candidate.pair].places;
            let begin = spring.map(|spring| spring.begin);
            match candidate.slot {
                Some(slot) => (places[slot].force, places[slot].begin) = (force, begin),
                None => {
                    let Candidate { features, anchors, .. } = candidate;
                    places.push(Known { features, anchors, force, begin });
                }
            }
        }
    }

    /// The contact spring of a place with a gap, if there are springs: one that was not pressed
    /// there begins at its reach, or here.
    fn spring(&self, pair: &Pair, gap: f64, begin: Option<f64>) -> Option<Spring> {
        let springs = self.options.springs.as_ref()?;
        let inv_mass = |&i: &usize| self.masses[i].map_or(0.0, |mass| mass.mass().recip());
        let inv_mass: f64 = pair.bodies.iter().map(inv_mass).sum();
        let begin = begin.filter(|begin| gap < *begin).unwrap_or(gap.min(pair.reach));
        Some(Spring::new(springs, inv_mass, begin, pair.material.restitution()))
    }
}

/// Gives places the forces of those that were there: of the same features, or else of the nearest
/// within a distance. Each force is given once.
fn warm(places: &mut [Known], before: Vec<Known>, near: f64) {
    let mut forces: Vec<Known> = before.into_iter().filter(|k| k.force != DVec3::ZERO).collect();
    forces.sort_by_key(|known| known.features);
    let apart = |a: &Known, b: &Known| a.anchors.on_first().distance(b.anchors.on_first());
    let mut is_given = vec![false; forces.len()];
    for known in &mut *places {
        let found = forces.binary_search_by_key(&known.features, |old| old.features);
        if let Ok(i) = found
            && apart(&forces[i], known) <= near
        {
            (known.force, known.begin) = (forces[i].force, forces[i].begin);
            is_given[i] = true;
        }
    }
    let mut is_given = is_given.into_iter();
    forces.retain(|_| is_given.next() == Some(false));
    for old in &forces {
        let free = places.iter_mut().filter(|known| known.force == DVec3::ZERO);
        let nearest = free.min_by(|a, b| apart(a, old).total_cmp(&apart(b, old)));
        if let Some(known) = nearest.filter(|known| apart(known, old) <= near) {
            (known.force, known.begin) = (old.force, old.begin);
        }
    }
}

#[cfg(test)]
mod tests {
    use chasles::query::Feature;

    use super::*;

    /// Places of a face with vertices along a line, at these numbers, with these forces.
    fn places(all: &[(u32, f64, f64)]) -> Vec<Known> {
        let known = |&(vertex, x, force): &(u32, f64, f64)| {
            let place = Near {
                features: Features { a: Feature::Face(0), b: Feature::Vertex(vertex) },
                point_a: DVec3::X * x,
                point_b: DVec3::X * x,
                normal: DVec3::Z,
                gap: 0.0,
                properness: 1.0,
                lines: None,
            };
            let poses = [&Pose::IDENTITY; 2];
            Known { force: DVec3::Z * force, ..Known::new(&place, poses, [0.0; 2]) }
        };
        all.iter().map(known).collect()
    }

    #[test]
    fn forces_go_to_the_same_features_or_the_nearest_and_once() {
        let before = places(&[(0, 0.0, 1.0), (1, 1.0, 2.0), (2, 2.0, 3.0), (3, 3.0, 0.0)]);
        // The first has stayed, the second has a new number, beside another, and the third is gone.
        let mut now = places(&[(7, 1.02, 0.0), (0, 0.01, 0.0), (8, 1.01, 0.0), (9, 0.02, 0.0)]);
        warm(&mut now, before, 0.05);
        let forces: Vec<f64> = now.iter().map(|known| known.force.z).collect();
        assert_eq!(forces, [0.0, 1.0, 2.0, 0.0]);
    }
}
