//! Contact springs as rows of a window: the force of [MW88 §3.1] at the end of it.
//!
//! A spring begins at a gap `b` and pushes with `F(d) = k d / (1 - d/b)` at the depth `d` when it
//! is pressed together, with `e² F(d)` when it recedes ([`crate::spring::law`]). A row asks for the
//! impulse `p` of a window `h` that leaves it at a rate `u`, and so at the depth `d - h u`
//! (implicit Euler). So it is the law of a contact with another limit: one that gives way,
//!
//! ```text
//!            (d - δ(p)) / h       where that is below 0: pressed          p
//! u = U(p) = 0                    between e² h F(d) and h F(d): stands     |\
//!            (d - δ(p/e²)) / h    where that is above 0: recedes           | `·.
//!                                                                          |    | F
//! δ(p) = p / (h k + p / b)        the depth at which h F = p               |    | e² F
//!                                                                          |     `·.__  u
//! ```
//!
//! A contact without a spring has `U = least` for any `p > 0`. Both only fall where `p` grows, so a
//! visit of the sweeps and a step of the Newton method solve the same equation for either,
//! `c p = w + r U(p)`, and here it is one of the second degree. Where the limit of the gap that is
//! kept asks for more, it has the say: the larger `U` gives the larger impulse.
//!
//! **Energy.** `F` grows with the depth. So a window of approach takes at least `P(d') - P(d)`, the
//! work of the spring, and one of return gives at most `e² (P(d) - P(d'))`: kinetic energy plus
//! `e² P` never grows, whatever the window is. A spring that stands between both forces does not
//! move at all, where one whose force is a function of depth and speed creeps.
//!
//! **Impacts.** A push lasts half a period at most, less than a window in most worlds, and an
//! implicit step would swallow it. So an approach faster than `Options::gentle` stops where its
//! spring begins, and comes back with the stated share of its speed ([`super::bounce`]): what the
//! spring would have done within the window. In the midst of a push only approaches faster than
//! `Springs::hard` do so; slower ones press on. The share of the speed comes back, and the spring
//! is left its `e² P`.
//!
//! **Where springs begin.** At the reach of the pair, or where a place is first seen if that is
//! nearer; one that is not pressed begins anew. So nothing comes back that was not put in.

use glam::{DVec3, Vec3Swizzles};

use super::super::spring_contact::Springs;
use super::candidate::Candidate;
use super::newton_response::{Answer, Gives};
use super::solver::Row;
use crate::spring::law::Law;

/// A spring may begin so near that numbers have no room for it: then it has none.
const SHORTEST: f64 = 1e-100;

/// The contact spring of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spring {
    /// The gap at which it begins.
    pub(super) begin: f64,
    /// In newtons per metre, at small depths.
    stiffness: f64,
    restitution: f64,
}

impl Spring {
    /// The spring of two bodies, with this sum of their inverse masses and this restitution.
    pub(super) fn new(springs: &Springs, inv_mass: f64, begin: f64, restitution: f64) -> Self {
        let stiffness = (std::f64::consts::TAU / springs.period).powi(2) / inv_mass;
        Self { begin, stiffness, restitution }
    }

    /// The energy that it gives back at most from a gap.
    pub(super) fn energy(&self, gap: f64) -> f64 {
        let law = Law::new(self.stiffness, self.begin, self.restitution);
        law.map_or(0.0, |law| law.energy(self.begin - gap))
    }

    /// As a row of a window of `h` seconds that begins at a gap.
    fn row(&self, gap: f64, h: f64) -> Option<Soft> {
        let Self { begin, stiffness, restitution } = *self;
        // Contacts that have no gap are of their hard limit.
        let is_there = begin > SHORTEST && gap > 0.0 && stiffness.is_finite();
        let back = restitution * restitution;
        let soft = Soft { h, depth: begin - gap, limit: begin, stiffness, back, raise: 0.0 };
        is_there.then_some(soft)
    }
}

impl Candidate {
    /// Whether its spring is pressed at the start of the window.
    pub(super) fn is_pressed(&self) -> bool {
        self.spring.is_some_and(|spring| self.place.gap < spring.begin)
    }

    /// Its spring, if that is pressed in a window in which it had this row. One that only marks
    /// where an impact ended is not.
    pub(super) fn used_spring(&self, row: &Row) -> Option<Spring> {
        let is_used = self.is_pressed() || row.soft.is_some() && row.impulse.x > 0.0;
        self.spring.filter(|_| is_used)
    }

    /// Its spring as a row of a window of `h` seconds.
    pub(super) fn soft(&self, h: f64) -> Option<Soft> {
        let soft = self.spring?.row(self.place.gap, h)?;
        Some(Soft { raise: self.raise, ..soft })
    }

    /// The gap from which on it is held.
    pub(super) fn held(&self) -> f64 {
        self.spring.map_or(self.kept, |spring| spring.begin.max(self.kept))
    }
}

/// A spring in a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Soft {
    h: f64,
    /// At the start of the window; below 0 where it is not pressed yet.
    depth: f64,
    limit: f64,
    stiffness: f64,
    /// The share of the force with which it recedes.
    back: f64,
    /// By how much the rate is to be above what the spring says.
    raise: f64,
}

impl Soft {
    /// Asks for a rate that is higher by this much.
    pub(super) fn raise(&mut self, by: f64) {
        self.raise += by;
    }

    /// `U(p)`: the rate at which the spring has an impulse of this much.
    pub(super) fn rate(&self, impulse: f64) -> f64 {
        let change = |share: f64| (self.depth - self.depth_of(impulse, share)) / self.h;
        self.raise + change(1.0).min(change(self.back).max(0.0))
    }

    /// The rate at which it begins to be pressed, or stands.
    pub(super) fn stop(&self) -> f64 {
        self.raise + (self.depth / self.h).min(0.0)
    }

    /// `δ(p / share)`, the depth at which this share of the force makes an impulse.
    fn depth_of(&self, impulse: f64, share: f64) -> f64 {
        if share == 0.0 {
            return self.limit;
        }
        impulse / (share * self.h * self.stiffness + impulse / self.limit)
    }

    /// The impulse of the force now.
    fn pressed(&self) -> f64 {
        let depth = self.depth.max(0.0);
        self.h * self.stiffness * depth / (1.0 - depth / self.limit)
    }

    /// The impulse `p` for which `share p = wanted + r U(p)`, from 0 on, and `-r dU/dp` there.
    pub(super) fn answer(&self, wanted: f64, r: f64, share: f64) -> (f64, f64) {
        let pressed = self.pressed();
        let stands = (wanted + r * self.raise) / share;
        let of_force = match stands {
            p if p > pressed => 1.0,
            p if p < self.back * pressed => self.back,
            p => return (p.max(0.0), 0.0),
        };
        let slope = of_force * self.h * self.stiffness;
        let all = wanted + r * (self.raise + self.depth / self.h);
        if all <= 0.0 || slope == 0.0 {
            return (0.0, 0.0);
        }
        // share p = all - (r/h) p / (slope + p/l), times the denominator, as a p² + b p - c = 0.
        let a = share / self.limit;
        let b = share * slope + r / self.h - all / self.limit;
        let c = all * slope;
        let root = (b * b + 4.0 * a * c).sqrt();
        let impulse = if b > 0.0 { 2.0 * c / (b + root) } else { 0.5 * (root - b) / a };
        let below = slope + impulse / self.limit;
        (impulse, r * slope / (self.h * below * below))
    }

    /// The nearest impulse of the law with a cone of friction, and how it changes with the
    /// velocity, for a stiffness `r`; `wanted` is the guess less `r` times the velocity, `least`
    /// the rate of the hard limit behind the spring.
    pub(super) fn respond(&self, wanted: DVec3, (r, friction, least): (f64, f64, f64)) -> Answer {
        let normal = |wanted: f64, share: f64| {
            let soft = self.answer(wanted, r, share);
            let hard = (wanted + r * least) / share;
            if hard > soft.0 { (hard, 0.0) } else { soft }
        };
        let across = wanted.yz();
        let length = across.length();
        let (push, gives) = normal(wanted.x, 1.0);
        if push > 0.0 && length <= friction * push {
            let impulse = DVec3::new(push, across.x, across.y);
            return Answer {
                impulse,
                gives: Gives::Apart { normal: r / (1.0 + gives), across: r },
            };
        }
        let steep = 1.0 + friction * friction;
        let (push, gives) = normal(wanted.x + friction * length, steep);
        if push <= 0.0 {
            return Answer::NONE;
        }
        // What is not pushed across sticks, so there is a direction.
        let across = across / length;
        let side = DVec3::new(1.0, friction * across.x, friction * across.y);
        let [along, around] = [r / (steep + gives), r * friction * push / length];
        Answer { impulse: push * side, gives: Gives::Side { friction, across, along, around } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    /// A spring in a window, of any kind.
    fn any(random: &mut Random) -> Soft {
        let decades = |random: &mut Random, low, high| 10_f64.powf(random.between(low, high));
        let limit = decades(random, -6.0, -2.0);
        let restitution = random.one_of(&[0.0, 0.3, 0.9, 1.0]);
        Soft {
            h: decades(random, -5.0, 0.0),
            depth: limit * random.between(-1.0, 0.99),
            limit,
            stiffness: decades(random, 0.0, 7.0),
            back: restitution * restitution,
            raise: random.one_of(&[0.0, 0.05, -0.05]),
        }
    }

    /// The force of a spring at the end of a window with this rate, times its length.
    fn impulse(soft: &Soft, rate: f64) -> f64 {
        let depth = (soft.depth - soft.h * rate).max(0.0);
        if depth >= soft.limit {
            return f64::INFINITY;
        }
        soft.h * soft.stiffness * depth / (1.0 - depth / soft.limit)
    }

    #[test]
    fn a_window_leaves_a_mass_with_the_impulse_of_its_force() {
        let random = &mut Random::new(3);
        let [mut pressed, mut stood, mut receded] = [0; 3];
        for _ in 0..20_000 {
            let soft = any(random);
            let mass = 10_f64.powf(random.between(-2.0, 2.0));
            let speed = random.between(-2.0, 1.0);
            let (found, _) = soft.answer(-mass * speed, mass, 1.0);
            // The rate beside what it is to be raised by.
            let rate = speed + found / mass - soft.raise;
            // Rounding of the rate: it is what is left of the speed.
            let off = 1e-9 * rate.abs() + 1e-12;
            let slack = 1e-9 * (mass * speed.abs() + found + impulse(&soft, 0.0));
            let stiff = slack + 1e-9 * impulse(&soft, rate);
            if rate * soft.h < -1e-9 * soft.limit {
                pressed += 1;
                // Near the limit the force is that of rounding.
                let [low, high] = [off, -off].map(|off| impulse(&soft, rate + off));
                assert!(found >= low - stiff && found <= high + stiff, "{found} in {low}..{high}");
            } else if rate * soft.h > 1e-9 * soft.limit {
                receded += 1;
                let [low, high] = [off, -off].map(|off| impulse(&soft, rate + off));
                assert!(found >= soft.back * low - stiff, "{found} above {low}");
                assert!(found <= soft.back * high + stiff, "{found} below {high}");
            } else {
                stood += 1;
                let most = impulse(&soft, 0.0);
                assert!(found >= soft.back * most - slack && found <= most + slack, "{found}");
            }
        }
        assert!(pressed.min(stood).min(receded) > 300, "{pressed} {stood} {receded}");
    }

    #[test]
    fn a_window_never_adds_energy() {
        let random = &mut Random::new(4);
        for _ in 0..20_000 {
            let soft = Soft { raise: 0.0, ..any(random) };
            let mass = 10_f64.powf(random.between(-2.0, 2.0));
            let speed = random.between(-2.0, 1.0);
            let law = Law::new(soft.stiffness, soft.limit, soft.back.sqrt()).expect("a law");
            let (impulse, _) = soft.answer(-mass * speed, mass, 1.0);
            let after = speed + impulse / mass;
            let energy = |speed: f64, depth: f64| 0.5 * mass * speed * speed + law.energy(depth);
            let before = energy(speed, soft.depth);
            let depth = (soft.depth - soft.h * after).min(soft.limit * (1.0 - 1e-9));
            let now = energy(after, depth);
            assert!(now <= before * (1.0 + 1e-9), "{now} J of {before} J: {soft:?}");
        }
    }

    #[test]
    fn the_rate_of_an_impulse_is_that_which_has_it() {
        let random = &mut Random::new(5);
        for _ in 0..20_000 {
            let soft = any(random);
            let impulse = 10_f64.powf(random.between(-6.0, 3.0));
            let r = 10_f64.powf(random.between(-2.0, 2.0));
            let wanted = impulse - r * soft.rate(impulse);
            let (found, _) = soft.answer(wanted, r, 1.0);
            let slack = 1e-6 * impulse + 1e-9 * wanted.abs();
            assert!((found - impulse).abs() <= slack, "{found} for {impulse}: {soft:?}");
        }
    }

    #[test]
    fn answers_with_friction_change_as_they_say() {
        let random = &mut Random::new(6);
        let mut changed = 0;
        for _ in 0..20_000 {
            let soft = Soft { raise: 0.0, ..any(random) };
            let r = 10_f64.powf(random.between(-1.0, 1.0));
            let scale = impulse(&soft, 0.0).max(r * soft.limit / soft.h);
            let wanted = scale * DVec3::from_array([(); 3].map(|()| random.between(-1.0, 2.0)));
            let at = |by: DVec3| soft.respond(wanted + by, (r, 0.5, -1e9)).impulse;
            let ways = soft.respond(wanted, (r, 0.5, -1e9)).gives.ways().0;
            for axis in DVec3::AXES {
                let by = 1e-6 * scale * axis;
                let [one, other] = [at(by) - at(DVec3::ZERO), at(DVec3::ZERO) - at(-by)];
                // Where it goes over from one branch to the next there are two answers.
                if one.distance(other) > 1e-3 * by.length() {
                    continue;
                }
                changed += 1;
                let told = ways.into_iter().map(|way| way.dot(by) * way).sum::<DVec3>() / r;
                let off = told.distance(0.5 * (one + other));
                assert!(off <= 2e-3 * by.length(), "{told} for {one}: {soft:?}");
            }
        }
        assert!(changed > 10_000, "{changed}");
    }
}
