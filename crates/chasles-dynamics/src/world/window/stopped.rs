//! Bodies that turn so fast beside others that a step has not enough windows for them.
//!
//! Windows are of a whole island, so all of its members would lose the rest of the step with such a
//! body, also those that it is not near. It stays where it is instead, like something fixed, and
//! goes on in the next step with the velocity that it had.

use super::group::Group;
use crate::body::Velocity;

impl Group<'_> {
    /// Stops members, with what joints tie to them, that turn too fast for the windows of a step of
    /// this length; whom, and what their velocities were.
    pub(super) fn stop_spinners(&mut self, dt: f64) -> Vec<(usize, Velocity)> {
        let most = f64::from(self.options.max_parts);
        let mut stopped = Vec::new();
        self.follow_routes(dt);
        let mut velocities: Vec<Velocity> = self.states.iter().map(|s| s.velocity).collect();
        for number in 0..self.pairs.len() {
            let pair = self.pairs[number];
            if self.turns_of(&pair, &velocities, dt) <= most {
                continue;
            }
            let [a, b] = pair.bodies;
            let spin = |i: usize| velocities[i].angular.length();
            let fastest = if spin(a) >= spin(b) { a } else { b };
            for i in self.bound_to(fastest) {
                stopped.push((i, std::mem::take(&mut velocities[i])));
                self.is_stopped[i] = true;
                self.masses[i] = None;
                self.states[i].velocity = Velocity::ZERO;
            }
        }
        if !stopped.is_empty() {
            self.update_inertias();
            self.link();
        }
        stopped
    }
}
