//! One contact as the laws see it: what an impulse does there, and which impulse stops it.
//!
//! Legend: `K` the inverse effective mass at the point, `n` the normal, `v` the relative velocity
//! there (first minus second body), `c` the normal speed that is missing, `p` the impulse on the
//! first body.
//!
//! The impulses that make up for `c` are a plane, `n.K p = c`. Its point without friction is
//! `(c / n.K n) n`; from there one walks along the plane with a tangential impulse `q`:
//!
//! ```text
//! p = f n + q - n (n.K q) / (n.K n),      f = c / n.K n
//! ```
//!
//! The bracket of `q` is orthogonal to `n` in the metric of `K`, so the energy splits:
//!
//! ```text
//! dE(p) = v.p + p.K p / 2 = (normal part) + q.r + q.S q / 2
//! r = tangential velocity after f n,      S = K_tt - K_tn K_nt / K_nn
//! ```
//!
//! `S` is what is left of `K` in the tangent plane. It is symmetric and not negative; its axes are
//! the tangents here, so both kinds of friction are a few scalars. Where a linkage leaves no
//! freedom along an axis, nothing can slide along it, and `q` has no part there.

use glam::{DMat3, DVec2, DVec3};

use super::gauss_seidel::Row;
use super::{Response, Touch};
use chasles::numeric::Elementary;

/// Steps towards the stiffness at which friction is on its cone. Some seven are used; bisection, to
/// which the worst case comes down, is at rounding after this many.
const STEPS: usize = 80;

/// How near to the cone, as a share of it, and to the end of the bracket the search ends: a few
/// roundings.
const CLOSE: f64 = 1e-15;

/// A contact with its inverse effective mass taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) bodies: [usize; 2],
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
    pub(super) inv_effective_mass: DMat3,
    /// `n.K n`.
    pub(super) along: f64,
    /// The axes of `S`.
    tangents: [DVec3; 2],
    /// Its values, 0 where nothing gives.
    slip: DVec2,
    /// `t.K n` for both tangents.
    coupling: DVec2,
}

impl Spot {
    /// Nothing if no impulse along the normal changes the speed there: both bodies fixed, or
    /// joined.
    pub(super) fn new(response: &impl Response, touch: &Touch) -> Option<Self> {
        let &Touch { bodies, point, normal, .. } = touch;
        let inv_effective_mass = response.inv_effective_mass(bodies, point);
        let rigid = response.rigid(bodies, point);
        let along = normal.dot(inv_effective_mass * normal);
        if !(along > rigid && along.is_finite()) {
            return None;
        }
        let (first, second) = normal.any_orthonormal_pair();
        let bend = inv_effective_mass * normal;
        let entry =
            |a: DVec3, b: DVec3| a.dot(inv_effective_mass * b) - a.dot(bend) * b.dot(bend) / along;
        let turn = {
            let off = entry(first, second);
            0.5 * (2.0 * off).arctangent_over(entry(first, first) - entry(second, second))
        };
        let (sin, cos) = turn.sine_cosine();
        let tangents = [cos * first + sin * second, cos * second - sin * first];
        let slip = DVec2::from_array(tangents.map(|t| match entry(t, t) {
            value if value > rigid => value,
            _ => 0.0,
        }));
        let coupling = DVec2::from_array(tangents.map(|t| t.dot(bend)));
        Some(Self { bodies, point, normal, inv_effective_mass, along, tangents, slip, coupling })
    }

    /// The impulse that lifts the normal speed to at least `least` with friction against the
    /// sliding that remains; zero if it is there already.
    ///
    /// Coulomb: it sticks if that needs no more than the cone has; else `q` is on the cone and
    /// opposes the velocity that is left, `(S + k) q = -r` with a `k > 0`. With `k` growing from 0,
    /// `q` shrinks from the sticking impulse to none, so the cone lies in between.
    pub(super) fn stop(&self, velocity: DVec3, least: f64, friction: f64) -> DVec3 {
        let missing = least - self.normal.dot(velocity);
        if missing <= 0.0 {
            return DVec3::ZERO;
        }
        let push = missing / self.along;
        if friction == 0.0 {
            return push * self.normal;
        }
        let rest = self.sliding(velocity, push);
        let stick = self.tangential(rest, 0.0);
        // As a share, it is almost linear in the stiffness.
        let excess = |q: DVec2| 1.0 - friction * self.normal_part(push, q) / q.length();
        if excess(stick) <= 0.0 {
            return self.impulse(push, stick);
        }
        // Far above every slip the impulse is -r / k, which is in the cone for k = |r| / (mu f).
        let high = self.slip.max_element() + rest.length() / (friction * push);
        let stiffness = cone(|k| excess(self.tangential(rest, k)), high);
        self.within(push, self.tangential(rest, stiffness))
    }

    /// An impulse that has been corrected by a step: the normal part by what the speed lacks, the
    /// tangential part against the sliding, in the cone of the new normal part.
    pub(super) fn nudged(&self, impulse: DVec3, velocity: DVec3, row: &Row) -> DVec3 {
        let normal = self.normal;
        let push = normal.dot(impulse);
        let speed = normal.dot(velocity);
        let more = (row.least - speed) / self.along;
        let push = (push + more).max(0.0);
        if row.friction == 0.0 || push == 0.0 {
            return push * normal;
        }
        let change = push - normal.dot(impulse);
        // One stiffness for all directions, so that what slides is opposed by what slips.
        let slip = self.slip.max_element();
        let sliding =
            across(normal, velocity) + change * across(normal, self.inv_effective_mass * normal);
        let drag = if slip > 0.0 { sliding / slip } else { DVec3::ZERO };
        let tangential = across(normal, impulse) - drag;
        push * normal + tangential.clamp_length_max(row.friction * push)
    }

    /// By how much an impulse and the velocity that it leaves break the law, in m/s: how far the
    /// impulse is from where a push against the velocity, brought back into what the new push along
    /// the normal allows, would take it [Alart91]. That is 0 for what sticks, slides and parts, and
    /// for nothing else.
    pub(super) fn breach(&self, impulse: DVec3, velocity: DVec3, row: &Row) -> f64 {
        let normal = self.normal;
        let speed = normal.dot(velocity) - row.least;
        let push = (normal.dot(impulse) - speed / self.along).max(0.0);
        let nearest = if push > 0.0 {
            let rub = across(normal, impulse - velocity / self.along);
            push * normal + rub.clamp_length_max(row.friction * push)
        } else {
            DVec3::ZERO
        };
        self.along * (nearest - impulse).length()
    }

    /// The tangential velocity that is left after the normal impulse alone, along the axes.
    pub(super) fn sliding(&self, velocity: DVec3, push: f64) -> DVec2 {
        DVec2::from_array(self.tangents.map(|t| t.dot(velocity))) + push * self.coupling
    }

    /// The `q` with `(S + k) q = -r`; none along an axis where nothing gives.
    pub(super) fn tangential(&self, rest: DVec2, stiffness: f64) -> DVec2 {
        let part = |slip: f64, rest: f64| if slip > 0.0 { -rest / (slip + stiffness) } else { 0.0 };
        DVec2::new(part(self.slip.x, rest.x), part(self.slip.y, rest.y))
    }

    /// The normal part of an impulse that has `push` without friction.
    pub(super) fn normal_part(&self, push: f64, tangential: DVec2) -> f64 {
        push - self.coupling.dot(tangential) / self.along
    }

    /// The impulse on the plane of those that stop the approach.
    pub(super) fn impulse(&self, push: f64, tangential: DVec2) -> DVec3 {
        self.normal_part(push, tangential) * self.normal
            + tangential.x * self.tangents[0]
            + tangential.y * self.tangents[1]
    }

    /// The same, never a pull: at the tip of the cone rounding may leave less than nothing.
    fn within(&self, push: f64, tangential: DVec2) -> DVec3 {
        let impulse = self.impulse(push, tangential);
        if self.normal.dot(impulse) > 0.0 { impulse } else { push * self.normal }
    }
}

/// A root of `excess`, positive at 0 and negative far out, from the negative side.
///
/// False position, with the value of an end that stays twice halved (Illinois), so both ends close
/// in.
fn cone(excess: impl Fn(f64) -> f64, guess: f64) -> f64 {
    let (mut low, mut above) = (0.0, excess(0.0));
    let (mut high, mut below) = (guess, excess(guess));
    while below > 0.0 && high < 1.0 / f64::EPSILON * guess {
        (low, above) = (high, below);
        high *= 4.0;
        below = excess(high);
    }
    let mut last = 0.0;
    for _ in 0..STEPS {
        if high - low <= CLOSE * high {
            break;
        }
        let middle = match (low * below - high * above) / (below - above) {
            inside if inside > low && inside < high => inside,
            _ => 0.5 * (low + high),
        };
        let value = excess(middle);
        if value.abs() <= CLOSE {
            return middle;
        }
        let share = if value * last > 0.0 { 0.5 } else { 1.0 };
        if value > 0.0 {
            (low, above, below) = (middle, value, share * below);
        } else {
            (high, below, above) = (middle, value, share * above);
        }
        last = value;
    }
    high
}

/// The part of an impulse across a unit normal.
pub(super) fn across(normal: DVec3, impulse: DVec3) -> DVec3 {
    impulse - normal.dot(impulse) * normal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Inertia;
    use crate::impulse::Loose;

    fn rod() -> [Inertia; 2] {
        let inv_inertia = DMat3::from_diagonal(DVec3::new(0.5, 3.0, 7.0));
        let body = Inertia {
            centre: DVec3::new(0.3, -0.8, 0.6),
            inv_mass: DVec3::splat(1.5),
            inv_inertia,
        };
        [body, Inertia::fixed(DVec3::ZERO)]
    }

    fn touch() -> Touch {
        let normal = DVec3::new(0.1, 0.2, 1.0).normalize();
        Touch {
            bodies: [0, 1],
            point: DVec3::ZERO,
            normal,
            gap: 0.0,
            restitution: 0.0,
            friction: 0.3,
        }
    }

    #[test]
    fn friction_at_the_cone_opposes_the_sliding_that_remains() {
        let spot = Spot::new(&Loose(&rod()), &touch()).expect("a body that moves");
        let before = DVec3::new(2.0, -1.0, -0.7);
        let impulse = spot.stop(before, 0.25, 0.3);
        let after = before + spot.inv_effective_mass * impulse;
        let normal = spot.normal;
        assert!((normal.dot(after) - 0.25).abs() < 1e-14);
        let [pushed, slides] = [impulse, after].map(|vector| across(normal, vector));
        assert!((pushed.length() - 0.3 * normal.dot(impulse)).abs() < 1e-13);
        assert!(pushed.normalize().dot(slides.normalize()) < -1.0 + 1e-12);
    }

    #[test]
    fn enough_friction_stops_all_motion_at_the_point() {
        let spot = Spot::new(&Loose(&rod()), &touch()).expect("a body that moves");
        let before = DVec3::new(0.02, -0.01, -0.7);
        let impulse = spot.stop(before, 0.0, 5.0);
        assert!((before + spot.inv_effective_mass * impulse).length() < 1e-14);
    }

    #[test]
    fn the_cone_is_found_in_a_few_steps() {
        let spot = Spot::new(&Loose(&rod()), &touch()).expect("a body that moves");
        for turn in 0..16 {
            let way = DVec3::new(0.0, 0.0, -0.7) + 2.0 * DVec3::X.rotate_z(f64::from(turn));
            let push = -spot.normal.dot(way) / spot.along;
            let rest = spot.sliding(way, push);
            let tries = std::cell::Cell::new(0);
            let excess = |stiffness: f64| {
                tries.set(tries.get() + 1);
                let q = spot.tangential(rest, stiffness);
                1.0 - 0.3 * spot.normal_part(push, q) / q.length()
            };
            let found = cone(excess, spot.slip.max_element() + rest.length() / (0.3 * push));
            assert!(tries.get() <= 12, "{} tries for {way}", tries.get());
            assert!(excess(found).abs() < 1e-14);
        }
    }

    #[test]
    fn two_fixed_bodies_have_no_spot() {
        let fixed = [Inertia::fixed(DVec3::ZERO); 2];
        assert!(Spot::new(&Loose(&fixed), &touch()).is_none());
    }
}
