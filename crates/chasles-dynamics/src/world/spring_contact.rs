//! Gentle contact by springs, hard contact by impulses: what [MW88 §4] concludes. Here by events;
//! in windows springs are rows of the solver (`window/soft.rs`).
//!
//! Bodies carry springs that reach out a little from their surfaces ([`crate::spring`]). Approaches
//! slower than [`Springs::hard`] are left to the springs, and so is rest; faster ones collide by
//! impulses, and with them whatever approaches in the same island.
//!
//! **What springs can take.** A spring that begins at the distance `l` takes in
//! `k l² (-u - ln(1 - u))` up to the share `u` of its way, and with it all of `m v² / 2` however
//! short it is, but at a force that no step resolves. So what comes faster than
//! `v = sqrt(2 w) (2 pi / period) l`, for `w = 3` at `u = 0.98`, is hard as well, as small bodies
//! find earlier than large ones. Where springs give out for another reason, as under a body far
//! heavier than the one that they are between, what approaches collides by impulses instead. Either
//! way comes back the share of the speed that the materials say: an impulse in the middle of a push
//! turns `v` to `e v` and leaves the spring its `e² P`, which is what it would have given back.
//!
//! **Where springs begin.** A pair of bodies that is first seen at some distance within the reach
//! has springs that begin there: they are not pressed yet, so they give back no more energy than
//! bodies put into them, whatever brought the bodies there. They never let the surfaces meet: their
//! force has no bound.
//!
//! *Where it fails*: friction of springs yields a little at any speed, so bodies creep down slopes,
//! by 1e-3 m/s at most before the angle of friction. Linkages and bodies with locked directions are
//! not pressed: their islands are held by impulses.

use std::collections::BTreeMap;

use chasles::query;
use glam::DVec3;

use super::State;
use super::island::Island;
use super::trial::Trial;
use crate::body::{Inertia, Velocity};
use crate::impulse::{Loose, Response, Touch};
use crate::spring::integrate::{self, Press, press};
use crate::spring::law::{Law, fastest};

/// Trials of one part at most, each shorter than the one before.
const MAX_TRIALS: u32 = 12;

/// The speed below which pushes and friction of springs fade, in metres per second.
const SLOW: f64 = 1e-3;

/// The error of a sub-step: bounces gain or lose a millionth of their energy by it.
const TOLERANCE: f64 = 1e-8;

/// Sub-steps of a part at most: stiffer contacts are held by impulses.
const MAX_STEPS: usize = 2_000;

/// How far around bodies on springs others of their corners are looked for, as a share of the
/// smaller.
const AHEAD: f64 = 0.05;

/// The share of the reach at which they begin to count: a little below 1, so that they get there.
const ENTERED: f64 = 0.99;

/// The distances at which the springs of pairs begin, by the numbers of the bodies.
pub(super) type Reaches = BTreeMap<[usize; 2], f64>;

/// How springs between bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Springs {
    /// How far they reach, as a share of the smaller body: above
    /// [`Options::zone`](super::Options::zone).
    pub reach: f64,
    /// The period of two bodies that swing on one of them, in seconds: the stiffness is
    /// `m (2 pi / period)²` for the reduced mass `m`.
    pub period: f64,
    /// Faster approaches than this collide by impulses, in metres per second. In windows slower
    /// ones come back with the same share of their speed, but are no impacts of the report.
    pub hard: f64,
}

impl Default for Springs {
    /// A thousandth of the smaller body, a hundredth of a second, and half a metre per second.
    /// Bodies then sink in by 25 micrometres under their weight.
    fn default() -> Self {
        Self { reach: 1e-3, period: 0.01, hard: 0.5 }
    }
}

impl Springs {
    pub(super) fn is_possible(&self) -> bool {
        [self.reach, self.period, self.hard].iter().all(|x| *x > 0.0 && x.is_finite())
    }
}

impl Island<'_> {
    /// The springs of this island, if it has any.
    pub(super) fn springs(&self) -> Option<Springs> {
        let is_locked = |i: usize| self.is_locked(i);
        let is_free = self.joints.is_empty() && !(0..self.members.len()).any(is_locked);
        self.options.springs.filter(|_| is_free)
    }

    /// How far the springs of a pair reach.
    pub(super) fn spring_reach(&self, pair: [usize; 2]) -> f64 {
        self.springs().map_or(0.0, |springs| springs.reach * self.smaller(pair))
    }

    /// Whether a hit is left to springs, which begin when the bodies are nearer.
    pub(super) fn is_soft(&self, touch: &Touch, velocities: &[Velocity]) -> bool {
        self.springs().is_some_and(|springs| {
            let response = Loose(&self.inertias);
            let approach = response.approach(velocities, touch.bodies, touch.point);
            touch.normal.dot(approach) >= -self.hardest(&springs, touch.bodies)
        })
    }

    /// The fastest approach that springs of a pair take.
    fn hardest(&self, springs: &Springs, pair: [usize; 2]) -> f64 {
        let known = self.reaches.get(&pair.map(|i| self.members[i]));
        let reach = known.copied().unwrap_or_else(|| self.spring_reach(pair));
        springs.hard.min(fastest(reach, springs.period))
    }

    /// Takes down where the springs of pairs begin, as far as they are near each other.
    pub(super) fn begin_springs(&mut self) {
        if self.springs().is_none() {
            return;
        }
        for (number, pair) in self.pairs.iter().enumerate() {
            let name = pair.map(|i| self.members[i]);
            let room = self.guards[number].room;
            if room >= self.spring_reach(*pair) {
                self.reaches.remove(&name);
            } else {
                self.reaches.entry(name).or_insert(room);
            }
        }
    }

    /// One part of the step on springs, at most this long; how long it was. None where there are no
    /// springs, or where they do not get anywhere, though what approached has collided.
    pub(super) fn part_on_springs(&mut self, left: f64) -> Option<f64> {
        if self.active_springs().is_empty() {
            return None;
        }
        let left = left.min(self.until_next());
        if let Some(done) = self.on_springs(left) {
            return Some(done);
        }
        if self.collide(&self.close())
            && let Some(done) = self.on_springs(left)
        {
            return Some(done);
        }
        // What impulses hold instead may come nearer without pressing anything.
        self.reaches.clear();
        None
    }

    /// The seconds until another corner of a pair on springs comes within their reach: its spring
    /// is not pressed before.
    fn until_next(&mut self) -> f64 {
        let velocities = self.velocities();
        let response = Loose(&self.inertias);
        let mut least = f64::INFINITY;
        for &pair in &self.pairs {
            if !self.reaches.contains_key(&pair.map(|i| self.members[i])) {
                continue;
            }
            let reach = self.spring_reach(pair);
            let [a, b] = pair.map(|i| self.body(i).geometry());
            let poses = pair.map(|i| self.states[i].pose);
            let ahead = reach + AHEAD * self.smaller(pair);
            let places = query::near(a, b, poses, ahead, &mut self.memory);
            for place in places.unwrap_or_default() {
                let point = 0.5 * (place.point_a + place.point_b);
                let speed = place.normal.dot(response.approach(&velocities, pair, point));
                if place.gap > reach && speed > 0.0 {
                    least = least.min((place.gap - ENTERED * reach) / speed);
                }
            }
        }
        least
    }

    fn on_springs(&mut self, left: f64) -> Option<f64> {
        let mut h = left;
        for _ in 0..MAX_TRIALS {
            let trial = self.pressed(h)?;
            let cut = self.cut(&trial);
            if cut >= 1.0 {
                self.accept(&trial);
                return Some(h);
            }
            if !self.halt() {
                h *= cut.clamp(0.1, 0.9);
            }
        }
        None
    }

    /// The springs of all touches.
    fn active_springs(&self) -> Vec<Press> {
        let seen = self.touches.iter().zip(&self.names).filter(|(_, name)| name.is_some());
        seen.filter_map(|(touch, _)| self.spring(touch)).collect()
    }

    /// Where members are after a time on springs; none if there are too stiff ones.
    fn pressed(&self, h: f64) -> Option<Trial> {
        let springs = self.active_springs();
        let gravity = self.options.gravity;
        // A load pushes half before the springs and half after them.
        let half = |i: usize| {
            let Inertia { inv_mass, inv_inertia, .. } = self.inertias[i];
            let load = &self.body(i).load;
            let rate =
                Velocity { linear: inv_mass * load.force, angular: inv_inertia * load.torque };
            rate.times(0.5 * h)
        };
        let bodies: Vec<(Inertia, Velocity)> = (0..self.states.len())
            .map(|i| (self.inertias[i], self.states[i].velocity.plus(&half(i))))
            .collect();
        let options = integrate::Options { tolerance: TOLERANCE, max_steps: MAX_STEPS };
        let pressed = press(&bodies, &springs, gravity, h, &options);
        if pressed.seconds < h {
            return None;
        }
        let is_pressed = |i: usize| {
            springs.iter().any(|spring| spring.bodies.contains(&i)) && self.is_dynamic(i)
        };
        let states = (0..self.states.len()).map(|i| {
            let moved = &pressed.bodies[i];
            let pose = moved.pose(&self.states[i].pose, self.inertias[i].centre);
            match pose {
                Ok(pose) if is_pressed(i) => {
                    let velocity = self.faded(i, &moved.velocity.plus(&half(i)), h);
                    State { pose, velocity, ..self.states[i] }
                }
                _ => self.free(i, h),
            }
        });
        let states = states.collect();
        let is_pressed = |spring: &&Press| {
            let [first, second] = spring.points;
            spring.normal.dot(first - second) < spring.reach
        };
        let presses = springs.iter().filter(is_pressed).map(|spring| spring.bodies).collect();
        Some(Trial {
            states,
            impulses: Vec::new(),
            presses,
            h,
            error: 0.0,
            is_rough: false,
            halts: Vec::new(),
        })
    }

    /// The spring of a touch; none beyond its reach, and between bodies that do not answer.
    fn spring(&self, touch: &Touch) -> Option<Press> {
        let Touch { bodies, point, normal, restitution, friction, .. } = *touch;
        let springs = self.springs()?;
        let reach = *self.reaches.get(&bodies.map(|i| self.members[i]))?;
        let gap = touch.gap + self.gap(bodies);
        let inv_mass: f64 = bodies.iter().map(|&i| self.inertias[i].inv_mass.x).sum();
        let is_between = gap > 0.0 && gap <= self.spring_reach(bodies) && inv_mass > 0.0;
        if !is_between {
            return None;
        }
        let stiffness = (std::f64::consts::TAU / springs.period).powi(2) / inv_mass;
        let law =
            Law::new(stiffness, reach, restitution).and_then(|law| law.settling(SLOW)).ok()?;
        let ends: [DVec3; 2] = [0.5, -0.5].map(|share| point + share * gap * normal);
        Some(Press { bodies, points: ends, normal, reach, law, friction })
    }
}
