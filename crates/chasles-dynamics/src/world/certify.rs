//! Whether a motion crosses anything, by the method of the world where nothing simpler tells; and who waits if nothing else helps.

use glam::{DQuat, DVec3};

use super::State;
use super::broad::{Bounds, radius_about};
use super::guard::Guard;
use super::island::{Blow, Island};
use super::method::{Between, Hit};
use super::respond::touch;
use super::trial::Trial;
use crate::body::Velocity;

/// What a member passes through in a trial.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) bounds: Bounds,
    /// By how much it turns at most, and how far its origin goes.
    turn: f64,
    length: f64,
}

impl Island<'_> {
    /// The share of a trial that is free; what is hit first is kept for the next part.
    pub(super) fn cut(&mut self, trial: &Trial) -> f64 {
        let mut cut = 1.0;
        self.hits.clear();
        let ways = self.ways(trial);
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            let Some(hit) = self.hit(number, trial, &ways) else { continue };
            cut = f64::min(cut, hit.cut);
            let touch = touch(pair, (hit.point, hit.normal, 0.0), &self.materials(pair));
            self.hits.push(Blow { touch, cut: hit.cut });
        }
        cut
    }

    /// Moves what can be moved, and lets those wait that are in each other's way; all, if the time is
    /// too long for one part.
    pub(super) fn wait(&mut self, h: f64) {
        // What was known about pairs may be about other poses.
        self.guards = vec![Guard::default(); self.pairs.len()];
        let is_long = self.longest(h) < h;
        let mut waiting = vec![is_long; self.states.len()];
        let mut trial = self.trial(h, &vec![Velocity::ZERO; waiting.len()], &mut None);
        if is_long {
            trial.states.clone_from(&self.states);
        }
        loop {
            let mut news = self.in_conflict(&trial);
            news.retain(|&i| !waiting[i]);
            if news.is_empty() {
                break;
            }
            for i in news {
                waiting[i] = true;
                trial.states[i] = self.states[i];
            }
        }
        self.halted.iter_mut().zip(waiting).for_each(|(halted, waits)| *halted |= waits);
        self.accept(&trial);
    }

    /// Members of pairs that would meet.
    fn in_conflict(&mut self, trial: &Trial) -> Vec<usize> {
        let mut found = Vec::new();
        let ways = self.ways(trial);
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            if self.hit(number, trial, &ways).is_some() {
                found.extend(pair);
            }
        }
        found
    }

    /// What members pass through in a trial.
    pub(super) fn ways(&self, trial: &Trial) -> Vec<Way> {
        let way = |(i, state): (usize, &State)| {
            let (body, before) = (self.body(i), &self.states[i].pose);
            let turn = turn_bound(before.rotation(), state.pose.rotation());
            let length = before.position().distance(state.pose.position());
            // Arcs of points about the body and of the body itself depart from their chords by less.
            let sag = (radius_about(body, DVec3::ZERO) * turn / 8.0 + length / 2.0) * turn;
            let ends = Bounds::of(body, before).join(&Bounds::of(body, &state.pose));
            Way { bounds: ends.grown(sag + self.options.zone * body.size()), turn, length }
        };
        trial.states.iter().enumerate().map(way).collect()
    }

    fn hit(&mut self, number: usize, trial: &Trial, ways: &[Way]) -> Option<Hit> {
        let pair = self.pairs[number];
        let poses = pair.map(|i| [self.states[i].pose, trial.states[i].pose]);
        let [first, second] = pair.map(|i| &ways[i]);
        let distance = poses[0][0].position().distance(poses[1][0].position());
        // A relative screw is seen from a body that turns: its arcs are as wide as bodies are apart, and
        // bow by as much as the way is long.
        let turn = first.turn + second.turn;
        let slack = (distance * turn + first.length + second.length) * turn / 4.0;
        if !first.bounds.grown(slack).overlaps(&second.bounds) {
            return None;
        }
        if self.guards[number].holds(pair.map(|i| self.body(i)), poses) {
            return None;
        }
        let gap = self.gap(pair).max(self.spring_reach(pair));
        let least = if self.answers_to(pair) { 0.5 } else { 0.0 };
        let between = Between {
            colliders: pair.map(|i| self.body(i).collider()),
            models: pair.map(|i| self.models.get(self.members[i])?.as_deref()),
            poses,
            kept: (gap, least),
        };
        between.first_hit(self.options.method, &mut self.memory)
    }
}

/// Not less than the angle between two rotations, and at most a fifth more.
///
/// With `s` the sine of half the angle, `asin(s) / s` is convex in `s²`, so it lies below its chord
/// from 1 at 0 to `pi / 2` at 1.
pub(super) fn turn_bound(from: DQuat, to: DQuat) -> f64 {
    let sine = (to * from.conjugate()).xyz().length();
    2.0 * sine * (1.0 + (std::f64::consts::FRAC_PI_2 - 1.0) * sine * sine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_bounded_from_above_and_closely() {
        let start = DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 1.1, -0.7);
        for i in 0..=100 {
            let angle = f64::from(i) / 100.0 * std::f64::consts::PI;
            let end = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5).normalize(), angle) * start;
            for end in [end, -end] {
                let bound = turn_bound(start, end);
                assert!(bound >= angle * (1.0 - 1e-15) && bound <= 1.2 * angle + 1e-12, "{bound}");
            }
        }
    }
}
