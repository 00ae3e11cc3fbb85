//! Gentle contact by springs, hard contact by impulses: what [MW88 §4] concludes.
//!
//! Bodies carry springs that reach out a little from their surfaces ([`crate::spring`]). Approaches
//! slower than [`Springs::hard`] are left to the springs, and so is rest; faster ones collide by
//! impulses, as does all that the exact method finds in the way.
//!
//! **Where springs begin.** A pair of bodies that is first seen at some distance within the reach has
//! springs that begin there: they are not pressed yet, so they give back no more energy than bodies
//! put into them, whatever brought the bodies there. They never let the surfaces meet: their force has
//! no bound.
//!
//! *Where it fails*: friction of springs yields a little at any speed, so bodies creep down slopes, by
//! 1e-3 m/s at most before the angle of friction. Linkages are not pressed: their islands are held by
//! impulses.

use std::collections::BTreeMap;

use glam::DVec3;

use super::State;
use super::island::Island;
use super::trial::Trial;
use crate::body::{Inertia, Velocity};
use crate::impulse::{Loose, Response, Touch};
use crate::spring::integrate::{self, Press, press};
use crate::spring::law::Law;

/// Trials of one part at most, each shorter than the one before.
const MAX_TRIALS: u32 = 12;

/// The speed below which pushes and friction of springs fade, in metres per second.
const SLOW: f64 = 1e-3;

/// The error of a sub-step: springs of a world settle to four digits.
const TOLERANCE: f64 = 1e-6;

/// Sub-steps of a part at most: stiffer contacts are held by impulses.
const MAX_STEPS: usize = 2_000;

/// The distances at which the springs of pairs begin, by the numbers of the bodies.
pub(super) type Reaches = BTreeMap<[usize; 2], f64>;

/// How springs between bodies are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Springs {
    /// How far they reach, as a share of the smaller body: above [`Options::zone`](super::Options::zone).
    pub reach: f64,
    /// The period of two bodies that swing on one of them, in seconds: the stiffness is
    /// `m (2 pi / period)²` for the reduced mass `m`.
    pub period: f64,
    /// Faster approaches than this collide by impulses, in metres per second.
    pub hard: f64,
}

impl Default for Springs {
    /// A thousandth of the smaller body, a hundredth of a second, and half a metre per second. Bodies then
    /// sink in by 25 micrometres under their weight.
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
        self.options.springs.filter(|_| self.joints.is_empty())
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
            touch.normal.dot(approach) >= -springs.hard
        })
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

    /// One part of the step on springs, at most this long; how long it was. None where springs do not
    /// get anywhere.
    pub(super) fn part_on_springs(&mut self, left: f64) -> Option<f64> {
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

    /// Where members are after a time on springs; none if there are no springs, or too stiff ones.
    fn pressed(&self, h: f64) -> Option<Trial> {
        let seen = self.touches.iter().zip(&self.names).filter(|(_, name)| name.is_some());
        let springs: Vec<Press> = seen.filter_map(|(touch, _)| self.spring(touch)).collect();
        if springs.is_empty() {
            return None;
        }
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
                    State { pose, velocity: moved.velocity.plus(&half(i)), ..self.states[i] }
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
        Some(Trial { states, impulses: Vec::new(), presses, h })
    }

    /// The spring of a touch; none beyond its reach, and between bodies that do not answer.
    fn spring(&self, touch: &Touch) -> Option<Press> {
        let Touch { bodies, point, normal, restitution, friction, .. } = *touch;
        let springs = self.springs()?;
        let reach = *self.reaches.get(&bodies.map(|i| self.members[i]))?;
        let gap = touch.gap + self.gap(bodies);
        let inv_mass: f64 = bodies.iter().map(|&i| self.inertias[i].inv_mass).sum();
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
