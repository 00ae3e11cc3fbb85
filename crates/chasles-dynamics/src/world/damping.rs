//! Damping: bodies that lose speed in proportion to it.
//!
//! Without contact the motion is exact. With the rate `c` and an acceleration `a`,
//!
//! ```text
//! v' = a - c v    v(h) = v e^(-ch) + a s    way = v s + a (h - s) / c    s = (1 - e^(-ch)) / c
//! L' = -c L       L(h) = L e^(-ch)          the attitude is that of free rotation after s
//! ```
//!
//! The last line: free rotation is the same at any momentum but for its pace, so a momentum that
//! fades turns the body along the same path, at a time `s` of which `ds = e^(-ct) dt`. Where
//! contacts or joints hold a body, forces and damping act on velocities over a part of a step as in
//! the formulas, and contacts and joints answer to that.

use super::island::Island;
use super::{BodyId, ChangeError, World};
use crate::body::Velocity;
use chasles::numeric::Elementary;

/// The share of its speed that a body loses, per second: both 0 or more.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Damping {
    /// Of the velocity of the centre of mass.
    pub linear: f64,
    /// Of the angular momentum.
    pub angular: f64,
}

impl Damping {
    /// No damping.
    pub const NONE: Self = Self { linear: 0.0, angular: 0.0 };

    pub(super) fn is_possible(&self) -> bool {
        [self.linear, self.angular].iter().all(|rate| *rate >= 0.0 && rate.is_finite())
    }

    /// What is left of a velocity after a time.
    pub(super) fn fade(&self, velocity: &Velocity, h: f64) -> Velocity {
        let [linear, angular] = [self.linear, self.angular].map(|rate| Fading::new(rate, h).left);
        Velocity { linear: linear * velocity.linear, angular: angular * velocity.angular }
    }
}

/// What a rate of damping does in a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fading {
    /// The share of a speed that is left.
    pub(super) left: f64,
    /// The integral of that share over the time, in seconds.
    pub(super) pace: f64,
    /// The integral of the pace over the time, in seconds squared.
    pub(super) reach: f64,
}

/// Below this product of rate and time the reach is a series: its closed form would lose digits,
/// and the fifth term of the series is below them.
const SHORT: f64 = 1e-3;

impl Fading {
    pub(super) fn new(rate: f64, h: f64) -> Self {
        let x = rate * h;
        if x == 0.0 {
            return Self { left: 1.0, pace: h, reach: 0.5 * h * h };
        }
        let pace = -(-x).exponential_less_1() / rate;
        let reach = match x < SHORT {
            true => h * h * (0.5 - x * (1.0 / 6.0 - x * (1.0 / 24.0 - x / 120.0))),
            false => (h - pace) / rate,
        };
        Self { left: (-x).exponential(), pace, reach }
    }
}

impl World {
    /// Damps a body otherwise from now on; it wakes up.
    ///
    /// *Accepts* rates of 0 or more; a step refuses others. *Guarantees* exact exponential decay of
    /// what nothing touches. *Cost* constant. *Fails* if the body is not there.
    ///
    /// ```
    /// use chasles::round::Round;
    /// use chasles_dynamics::body::MassProperties;
    /// use chasles_dynamics::world::{Body, Damping, Options, Shape, World};
    /// use glam::DVec3;
    ///
    /// let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::default() });
    /// let mass_properties = MassProperties::of_round(&Round::sphere(0.5)?, 1.0)?;
    /// let ball = Body::dynamic(Shape::sphere(0.5)?, mass_properties).moving(DVec3::X, DVec3::ZERO);
    /// let id = world.add(ball);
    /// world.set_damping(id, Damping { linear: 2.0, angular: 0.0 })?;
    /// world.step(1.0)?;
    /// let speed = world.body(id).expect("it is there").velocity().linear.x;
    /// assert!((speed - (-2.0_f64).exp()).abs() < 1e-15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_damping(&mut self, id: BodyId, damping: Damping) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        self.bodies[slot].damping = damping;
        self.rouse(slot);
        Ok(())
    }
}

impl Island<'_> {
    /// What damping leaves of the velocity of a member after a time in which something else moved
    /// it.
    pub(super) fn faded(&self, member: usize, velocity: &Velocity, h: f64) -> Velocity {
        match self.mass_properties(member) {
            Some(_) => self.body(member).damping.fade(velocity, h),
            None => *velocity,
        }
    }

    /// Damps the members of a linkage after a part: its motion is that of the undamped one.
    pub(super) fn damp_linkage(&mut self, h: f64) {
        if self.joints.is_empty() {
            return;
        }
        for i in 0..self.states.len() {
            self.states[i].velocity = self.faded(i, &self.states[i].velocity, h);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_and_closed_form_meet() {
        for h in [1e-3, 1.0, 50.0] {
            let [below, above] = [1.0 - 1e-9, 1.0 + 1e-9].map(|x| Fading::new(x * SHORT / h, h));
            assert!((below.reach / above.reach - 1.0).abs() < 1e-9);
            let none = Fading::new(0.0, h);
            let hardly = Fading::new(1e-18 / h, h);
            assert!((hardly.reach / none.reach - 1.0).abs() < 1e-15);
            assert!((hardly.pace / none.pace - 1.0).abs() < 1e-15);
        }
    }
}
