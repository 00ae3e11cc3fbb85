//! Whether a trial crosses anything: the proof that each window ends with.

use chasles::Pose;
use chasles::query::Contact;

use super::super::State;
use super::super::method::Between;
use super::super::quick_proofs::{Guard, longest_way};
use super::super::swept_pairs::Swath;
use super::group::Group;
use super::manifold::Manifold;
use super::tightening::Passage;

/// Ways that differ by less than this share of their length, or of the gap that is kept, are much
/// the same.
const SLIGHT: f64 = 0.1;

/// A pair that meets on a trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    /// The number of the pair.
    pub(super) pair: usize,
    /// The share of the trial up to which there is room.
    pub(super) share: f64,
    /// The contact itself, where the method names it.
    pub(super) contact: Option<Contact>,
}

impl Group<'_> {
    /// Pairs that meet on the way to these states; none only if no pair does.
    ///
    /// What is proven for the same ways is not asked again. What was proven for ways that are much
    /// the same is asked at last, if nothing else meets: it most likely holds, and as long as
    /// others meet the states change once more.
    pub(super) fn hits(&mut self, ends: &[State], guards: &mut Vec<Guard>) -> Vec<Hit> {
        let way = |i: usize| {
            Swath::new(self.bodies[i], [&self.states[i].pose, &ends[i].pose], self.options.zone)
        };
        let ways: Vec<Swath> = (0..ends.len()).map(way).collect();
        self.reach_out(&ways, guards);
        let mut hits = Vec::new();
        let mut later = Vec::new();
        for (number, guard) in guards.iter().enumerate() {
            let there = self.pairs[number].bodies.map(|i| ends[i].pose);
            match self.proven[number] {
                Some(proven) if proven == there => {}
                Some(proven) if self.is_slight(number, &proven, &there) => later.push(number),
                _ => hits.extend(self.hit(number, ends, &ways, guard)),
            }
        }
        if hits.is_empty() {
            for number in later {
                hits.extend(self.hit(number, ends, &ways, &guards[number]));
            }
        }
        hits
    }

    /// Whether it makes little difference to a pair which of two ends its way has.
    fn is_slight(&self, number: usize, one: &[Pose; 2], other: &[Pose; 2]) -> bool {
        let pair = &self.pairs[number];
        let seen = |[a, b]: &[Pose; 2]| a.inverse_after(b);
        let bounds = self.bodies[pair.bodies[1]].bounds();
        let start = seen(&pair.bodies.map(|i| self.states[i].pose));
        let [one, other] = [seen(one), seen(other)];
        let length = longest_way(&bounds, &[start, one]);
        longest_way(&bounds, &[one, other]) <= SLIGHT * pair.kept.max(length)
    }

    /// Members that leave the box in which they were expected get a larger one, and may meet what
    /// is in it.
    fn reach_out(&mut self, ways: &[Swath], guards: &mut Vec<Guard>) {
        for (i, way) in ways.iter().enumerate() {
            if self.boxes[i].contains(&way.bounds) {
                continue;
            }
            self.boxes[i] = self.boxes[i].reaching(&way.bounds);
            for j in (0..ways.len()).filter(|&j| j != i) {
                let bodies = [i.min(j), i.max(j)];
                if self.boxes[i].overlaps(&self.boxes[j])
                    && bodies.iter().any(|&i| self.gives_way(i))
                    && self.world.may_meet(bodies.map(|member| self.members[member]))
                    && self.paired.insert(bodies)
                {
                    self.pairs.push(self.pair(bodies));
                    self.manifolds.push(Manifold::default());
                    self.proven.push(None);
                    guards.push(Guard::default());
                }
            }
        }
    }

    /// Where a pair meets on the way to these states, if it does, or nothing proves that it does
    /// not.
    fn hit(&mut self, number: usize, ends: &[State], ways: &[Swath], guard: &Guard) -> Option<Hit> {
        let hit = self.refuted(number, ends, ways, guard);
        let there = self.pairs[number].bodies.map(|i| ends[i].pose);
        self.proven[number] = if hit.is_none() { Some(there) } else { None };
        hit
    }

    fn refuted(
        &mut self,
        number: usize,
        ends: &[State],
        ways: &[Swath],
        guard: &Guard,
    ) -> Option<Hit> {
        let pair = self.pairs[number];
        let [first, second] = pair.bodies.map(|i| &ways[i]);
        let poses = pair.bodies.map(|i| [self.states[i].pose, ends[i].pose]);
        let distance = poses[0][0].position().distance(poses[1][0].position());
        if !first.may_meet(second, distance) {
            return None;
        }
        let bodies = pair.bodies.map(|i| self.bodies[i]);
        self.work.proofs += 1;
        if guard.holds(bodies, poses) {
            return None;
        }
        self.work.queries += 1;
        let bodies = bodies.map(|body| body.geometry());
        let between = Between { bodies, poses, kept: (pair.kept, 0.5), until: 1.0 };
        match between.first_hit(self.options.method, &mut self.memory) {
            Ok(None) => None,
            Ok(Some(hit)) => Some(Hit { pair: number, share: hit.cut, contact: hit.contact }),
            Err(_) => Some(Hit { pair: number, share: 0.0, contact: None }),
        }
    }

    /// The relative motion of a pair on the way to these states.
    pub(super) fn way_of(&self, number: usize, ends: &[State]) -> Passage {
        let bodies = self.pairs[number].bodies;
        Passage::new(bodies.map(|i| self.states[i].pose), bodies.map(|i| ends[i].pose))
    }
}
