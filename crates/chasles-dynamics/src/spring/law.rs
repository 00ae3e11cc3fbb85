//! A contact spring whose force grows without bound as it nears its limit [MW88 §3.1].
//!
//! ```text
//! F(d) = k d / (1 - d/l)                  d the depth, l the limit, k the stiffness
//! P(d) = k l² (-u - ln(1 - u)),  u = d/l  the work of F up to d
//! ```
//!
//! A spring that is pressed together pushes back with `F`, one that recedes with `e² F`: all of
//! the energy `P` is taken in, and `e² P` comes back, so that the speed comes back `e`-fold.
//!
//! Differs from [MW88 §3.1]: there the second constant is `e` times the first, with which the speed
//! comes back `√e`-fold and springs disagree with impulses.
//!
//! A force that jumps where the velocity changes its sign has no solution that rests. So it goes
//! over from `e² F` at rest to `F` at an approach of `slow`, and nowhere else. Since the force is
//! never above `e² F` where the spring recedes, and never below it where it is pressed, the kinetic
//! energy plus `e² P` never grows. Of an impact at `v` the last `slow²/v²` of the energy is taken
//! in by the weaker force, so at most `slow² / (2 e² v²)` of the speed comes back in addition.

use glam::DVec3;
use thiserror::Error;

use chasles::numeric::Elementary;

/// What a spring takes in at most of an approach, in units of `k l²`: up to 98 % of its way, beyond
/// which no step resolves its force.
const WORK: f64 = 3.0;

/// What is wrong with a spring.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum LawError {
    /// A stiffness, limit or speed that is not a positive number.
    #[error("the {0} of a contact spring is {1}: it must be a positive number")]
    NotPositive(&'static str, f64),
    /// The restitution is not in `[0, 1]`.
    #[error("a restitution of {0} is impossible: it must be from 0 to 1")]
    Restitution(f64),
    /// The damping is negative or not a number.
    #[error("the damping of a contact spring is {0}: it must be 0 or more")]
    Damping(f64),
}

/// How a contact spring pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Law {
    stiffness: f64,
    limit: f64,
    restitution: f64,
    damping: f64,
    slow: f64,
}

impl Law {
    /// An undamped spring with this stiffness at small depths, in newtons per metre, and this
    /// greatest depth, in metres, that gives back this share of the speed.
    ///
    /// *Accepts* a positive stiffness and limit and a restitution from 0 to 1. *Guarantees* that
    /// share to a relative `slow² / (2 e² v²)` for an impact at the speed `v`; `slow` is 1e-4 m/s
    /// unless [`Law::settling`] says otherwise. *Cost* constant. *Fails* for anything else.
    pub fn new(stiffness: f64, limit: f64, restitution: f64) -> Result<Self, LawError> {
        for (name, value) in [("stiffness", stiffness), ("limit", limit)] {
            is_positive(name, value)?;
        }
        if !(0.0..=1.0).contains(&restitution) {
            return Err(LawError::Restitution(restitution));
        }
        Ok(Self { stiffness, limit, restitution, damping: 0.0, slow: 1e-4 })
    }

    /// The same spring with a force of this much per depth and speed against the motion.
    ///
    /// *Accepts* what is not negative. *Guarantees* that the force still begins at 0 and never
    /// pulls, and that less speed comes back than the restitution says. *Cost* constant. *Fails*
    /// for anything else.
    pub fn damped(self, damping: f64) -> Result<Self, LawError> {
        let is_damping = damping >= 0.0 && damping.is_finite();
        if is_damping { Ok(Self { damping, ..self }) } else { Err(LawError::Damping(damping)) }
    }

    /// The same spring with another speed of approach below which the push fades to the receding
    /// one.
    ///
    /// *Accepts* a positive speed. *Guarantees* what the module says: the lower it is, the closer
    /// the restitution and the shorter the steps of what comes to rest. *Cost* constant. *Fails*
    /// for anything else.
    pub fn settling(self, slow: f64) -> Result<Self, LawError> {
        is_positive("settling speed", slow)?;
        Ok(Self { slow, ..self })
    }

    /// The stiffness at small depths, in newtons per metre.
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// The depth at which the force is infinite.
    pub fn limit(&self) -> f64 {
        self.limit
    }

    /// The speed of approach below which the push fades.
    pub fn slow(&self) -> f64 {
        self.slow
    }

    /// The push at a depth that grows at a rate: never a pull.
    ///
    /// *Accepts* any numbers. *Guarantees* 0 without depth, and infinity from the limit on. *Cost*
    /// constant. *Fails* never.
    pub fn force(&self, depth: f64, rate: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        if depth >= self.limit {
            return f64::INFINITY;
        }
        let pressed = self.stiffness * depth / (1.0 - depth / self.limit);
        let receding = self.restitution * self.restitution;
        let share = receding + (1.0 - receding) * (rate / self.slow).clamp(0.0, 1.0);
        (share * pressed + self.damping * depth * rate).max(0.0)
    }

    /// The force on what moves at `apart` beside the other end of the spring, with this friction.
    ///
    /// *Accepts* a unit normal towards it. *Guarantees* the push along the normal, and in its cone
    /// a force against sliding that fades below the settling speed. *Cost* constant. *Fails* never.
    pub(crate) fn push(&self, depth: f64, normal: DVec3, apart: DVec3, friction: f64) -> DVec3 {
        if depth <= 0.0 {
            return DVec3::ZERO;
        }
        let push = self.force(depth, -normal.dot(apart));
        let along = apart - normal * normal.dot(apart);
        let drag = friction * push / along.length().max(self.slow);
        push * normal - drag * along
    }

    /// The energy that the spring gives back at most from a depth: `e² P`.
    ///
    /// *Accepts* any depth. *Guarantees* that kinetic energy plus this never grows. *Cost*
    /// constant. *Fails* never; infinite from the limit on.
    pub fn energy(&self, depth: f64) -> f64 {
        if depth <= 0.0 {
            return 0.0;
        }
        let u = depth / self.limit;
        if u >= 1.0 {
            return f64::INFINITY;
        }
        let receding = self.restitution * self.restitution;
        // For small `u` the two terms cancel; there the series of the logarithm is short.
        let work = if u < 1e-3 {
            u * u * (0.5 + u * (1.0 / 3.0 + u * (0.25 + u * 0.2)))
        } else {
            -u - (-u).logarithm_of_1_more()
        };
        receding * self.stiffness * self.limit * self.limit * work
    }
}

/// The fastest approach that springs of a limit take, if two bodies swing on one of them in a
/// period: `m v² / 2` is then the work that they take in.
pub(crate) fn fastest(limit: f64, period: f64) -> f64 {
    (2.0 * WORK).sqrt() * std::f64::consts::TAU / period * limit
}

fn is_positive(name: &'static str, value: f64) -> Result<(), LawError> {
    let is_positive = value > 0.0 && value.is_finite();
    if is_positive { Ok(()) } else { Err(LawError::NotPositive(name, value)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_energy_is_the_integral_of_the_receding_force() {
        let law = Law::new(2e4, 0.01, 0.6).expect("a law");
        for depth in [1e-6, 0.9e-5, 1.1e-5, 3e-3, 0.0095] {
            let n = 20_000;
            let h = depth / f64::from(n);
            let sum: f64 = (0..n).map(|i| law.force((f64::from(i) + 0.5) * h, -1.0)).sum();
            let energy = law.energy(depth);
            assert!((sum * h / energy - 1.0).abs() < 1e-6, "{} for {energy}", sum * h);
        }
    }

    #[test]
    fn the_force_is_never_a_pull_and_grows_without_bound() {
        let law = Law::new(1e3, 0.1, 0.5).and_then(|law| law.damped(1e6)).expect("a law");
        assert_eq!(law.force(0.05, -10.0), 0.0);
        assert_eq!(law.force(-0.05, 10.0), 0.0);
        assert_eq!(law.force(0.1, 0.0), f64::INFINITY);
        assert!(law.force(0.1 - 1e-12, -1e-9) > 1e11);
        assert!((law.force(0.05, 1e-3) - 4.0 * law.force(0.05, 0.0) - 50.0).abs() < 1e-9);
    }

    #[test]
    fn impossible_springs_are_refused() {
        assert!(matches!(Law::new(0.0, 1.0, 0.5), Err(LawError::NotPositive("stiffness", _))));
        assert!(matches!(Law::new(1.0, f64::NAN, 0.5), Err(LawError::NotPositive("limit", _))));
        assert!(matches!(Law::new(1.0, 1.0, 1.5), Err(LawError::Restitution(_))));
        let law = Law::new(1.0, 1.0, 0.5).expect("a law");
        assert!(matches!(law.damped(-1.0), Err(LawError::Damping(_))));
        assert!(matches!(law.settling(0.0), Err(LawError::NotPositive(..))));
    }
}
