//! Whether a motion crosses anything, by the method of the world where nothing simpler tells; and
//! who waits if nothing else helps.

use super::State;
use super::contact_response::touch;
use super::island::{Blow, HALT, Island};
use super::method::{Between, Found};
use super::quick_proofs::Guard;
use super::swept_pairs::Swath;
use super::trial::Trial;
use crate::body::Velocity;

/// So many pairs are asked before others at most.
const MOST_LIKELY: usize = 32;

impl Island<'_> {
    /// The share of a trial that is free; what is hit first is kept for the next part.
    ///
    /// What comes after the first hit that no touch explains would not be reached, so it is not
    /// looked at: except that what approaches faster than gently is to keep its gap up to there.
    /// Pairs that hit each other in the trial before are asked first.
    pub(super) fn cut(&mut self, trial: &Trial) -> f64 {
        let mut cut = 1.0;
        let mut limit = 1.0;
        self.hits.clear();
        let ways = self.ways(trial);
        self.reach_out(&ways);
        for number in self.likely_first() {
            let pair = self.pairs[number];
            let margin = self.gap(pair) / (self.options.gentle * trial.h);
            let hit = match self.hit(number, trial, &ways, f64::min(1.0, limit + margin)) {
                Ok(Some(hit)) => hit,
                Ok(None) => continue,
                Err(_) => return 0.0,
            };
            cut = f64::min(cut, hit.cut);
            if !self.bends(pair, trial) {
                limit = f64::min(limit, hit.cut.max(HALT));
            }
            let touch = touch(pair, (hit.point, hit.normal, 0.0), &self.materials(pair));
            self.hits.push(Blow { touch, cut: hit.cut });
        }
        self.expect_hits();
        cut
    }

    /// The numbers of all pairs, those that are likely to hit each other first.
    fn likely_first(&self) -> Vec<usize> {
        let number = |pair: &[usize; 2]| self.pairs.binary_search(pair).ok();
        let mut order: Vec<usize> = self.likely.iter().filter_map(number).collect();
        let mut is_first = vec![false; self.pairs.len()];
        order.iter().for_each(|&number| is_first[number] = true);
        order.extend((0..self.pairs.len()).filter(|&number| !is_first[number]));
        order
    }

    /// Takes down the hits of a trial, the first of them first: what the next part does not answer
    /// is likely to be hit in the one after.
    fn expect_hits(&mut self) {
        let mut hits: Vec<(f64, [usize; 2])> =
            self.hits.iter().map(|hit| (hit.cut, hit.touch.bodies)).collect();
        hits.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut likely: Vec<[usize; 2]> = hits.into_iter().map(|(_, pair)| pair).collect();
        let older = |pair: &[usize; 2]| !likely.contains(pair);
        let older: Vec<[usize; 2]> = self.likely.iter().copied().filter(older).collect();
        likely.extend(older);
        likely.truncate(MOST_LIKELY);
        self.likely = likely;
    }

    /// Whether a touch of a pair lacks something on the way of a trial, which explains that they
    /// hit each other.
    fn bends(&self, pair: [usize; 2], trial: &Trial) -> bool {
        let of_pair = |&i: &usize| self.touches[i].bodies == pair;
        (0..self.touches.len()).filter(of_pair).any(|i| self.lack(i, &trial.states) > 0.0)
    }

    /// Members that leave the box in which they were expected get a larger one, and may meet what
    /// is in it.
    fn reach_out(&mut self, ways: &[Swath]) {
        for (i, way) in ways.iter().enumerate() {
            if self.boxes[i].contains(&way.bounds) {
                continue;
            }
            self.boxes[i] = self.boxes[i].reaching(&way.bounds);
            for j in (0..ways.len()).filter(|&j| j != i) {
                let pair = [i.min(j), i.max(j)];
                if self.boxes[i].overlaps(&self.boxes[j])
                    && self.world.may_meet(pair.map(|member| self.members[member]))
                    && let Err(place) = self.pairs.binary_search(&pair)
                {
                    self.pairs.insert(place, pair);
                    self.guards.insert(place, Guard::default());
                }
            }
        }
    }

    /// Moves what can be moved, and lets those wait that are in each other's way, with all that
    /// joints bind to them; all, if the time is too long for one part.
    pub(super) fn wait(&mut self, h: f64) {
        // What was known about pairs may be about other poses.
        self.guards = vec![Guard::default(); self.pairs.len()];
        let is_long = self.longest(h) < h;
        let mut trial = self.trial(h, &vec![Velocity::ZERO; self.states.len()], &mut None);
        let is_long = is_long || self.turns_far(&trial);
        let mut waiting = vec![is_long; self.states.len()];
        if is_long {
            for (trial, state) in trial.states.iter_mut().zip(&self.states) {
                *trial = State { on_route: trial.on_route, ..*state };
            }
        }
        let bound = self.bound();
        loop {
            let conflicts = self.in_conflict(&trial);
            let stops = |group: &&Vec<usize>| {
                group.iter().any(|i| conflicts.contains(i)) && group.iter().any(|&i| !waiting[i])
            };
            let news: Vec<usize> = bound.iter().filter(stops).flatten().copied().collect();
            if news.is_empty() {
                break;
            }
            for i in news {
                waiting[i] = true;
                // The time of a route goes on.
                let on_route = trial.states[i].on_route;
                trial.states[i] = State { on_route, ..self.states[i] };
            }
        }
        self.halted.iter_mut().zip(waiting).for_each(|(halted, waits)| *halted |= waits);
        self.accept(&trial);
    }

    /// Members of pairs that would meet.
    fn in_conflict(&mut self, trial: &Trial) -> Vec<usize> {
        let mut found = Vec::new();
        let ways = self.ways(trial);
        self.reach_out(&ways);
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            if !matches!(self.hit(number, trial, &ways, 1.0), Ok(None)) {
                found.extend(pair);
            }
        }
        found
    }

    /// What members pass through in a trial.
    pub(super) fn ways(&self, trial: &Trial) -> Vec<Swath> {
        let way = |(i, state): (usize, &State)| {
            let poses = [&self.states[i].pose, &state.pose];
            Swath::new(self.body(i), poses, self.options.zone)
        };
        trial.states.iter().enumerate().map(way).collect()
    }

    /// The first hit of a pair up to this share of a trial.
    fn hit(&mut self, number: usize, trial: &Trial, ways: &[Swath], until: f64) -> Found {
        let pair = self.pairs[number];
        let poses = pair.map(|i| [self.states[i].pose, trial.states[i].pose]);
        let distance = poses[0][0].position().distance(poses[1][0].position());
        let [first, second] = pair.map(|i| &ways[i]);
        if !first.may_meet(second, distance) {
            return Ok(None);
        }
        if self.guards[number].holds(pair.map(|i| self.body(i)), poses) {
            return Ok(None);
        }
        let gap = self.gap(pair).max(self.spring_reach(pair));
        let least = if self.answers_to(pair) { 0.5 } else { 0.0 };
        let between = Between {
            bodies: pair.map(|i| self.body(i).geometry()),
            poses,
            kept: (gap, least),
            until,
        };
        between.first_hit(self.options.method, &mut self.memory)
    }
}
