//! How an impact spreads through bodies that touch.
//!
//! Rigid bodies in a row can share an impact in many ways that keep momentum and energy; which one
//! happens depends on how the shock runs. The rule here is that it runs pair by pair:
//!
//! 1. contacts are grouped by the pair of bodies that they join, since those are one collision;
//! 2. the pair that approaches fastest collides first, with all its contacts together
//!    ([`several`](super::several)); pairs that approach equally fast collide together, so that
//!    what is symmetric stays so, whatever the numbers of the bodies;
//! 3. this goes on until no contact approaches faster than the threshold;
//! 4. if that takes too many rounds (bodies rattling between others), what is left collides all
//!    together with restitution 0.
//!
//! In Newton's cradle the rule hands the velocity from ball to ball, and as many balls leave as
//! came. No round gains energy, so the whole does not.

use glam::DVec3;

use super::gauss_seidel::Solved;
use super::several::{Options, collide_all};
use super::{Response, Touch};
use crate::body::Velocity;

/// Pairs whose approach is this share below the fastest count as equally fast: above the rounding
/// of a symmetric scene, below what anyone sets apart.
const EQUAL: f64 = 1e-9;

/// How an impact spreads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The speed of approach that is no impact, in m/s.
    pub threshold: f64,
    /// The most rounds, for each pair of bodies.
    pub rounds: usize,
    /// How contacts that collide together are solved.
    pub together: Options,
}

impl Default for Spread {
    /// A threshold below sight, and rounds for a shock to run through and back a few times.
    fn default() -> Self {
        Self { threshold: 1e-6, rounds: 8, together: Options::default() }
    }
}

/// What an impact did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Impact {
    /// The sum of the impulses on the first body of each contact.
    pub impulses: Vec<DVec3>,
    /// The rounds in which pairs collided.
    pub rounds: usize,
    /// How well the contacts of all rounds are solved.
    pub solved: Solved,
    /// Whether rounds ran out, and the rest collided all together without restitution.
    pub is_cut: bool,
}

/// Applies the impulses of an impact that spreads through contacts.
///
/// *Accepts* all contacts of bodies that touch, resting ones too. *Guarantees* no pull, no gain of
/// energy, momentum up to rounding, and no approach afterwards faster than the threshold and the
/// error that is returned. *Cost* a round is linear in the contacts, besides those that collide.
/// *Fails* never.
pub fn collide_spreading(
    response: &impl Response,
    velocities: &mut [Velocity],
    touches: &[Touch],
    options: &Spread,
) -> Impact {
    let pairs = pairs(touches);
    let mut impact = Impact { impulses: vec![DVec3::ZERO; touches.len()], ..Impact::default() };
    while impact.rounds < options.rounds * pairs.len() {
        let approach = |&i: &usize| {
            let Touch { bodies, point, normal, .. } = touches[i];
            -normal.dot(response.approach(velocities, bodies, point))
        };
        let speeds: Vec<f64> =
            pairs.iter().map(|pair| pair.iter().map(approach).fold(0.0, f64::max)).collect();
        let fastest = speeds.iter().copied().fold(0.0, f64::max);
        if fastest <= options.threshold {
            return impact;
        }
        let is_first = |speed: f64| speed >= (1.0 - EQUAL) * fastest;
        let first = pairs.iter().zip(&speeds).filter(|&(_, &speed)| is_first(speed));
        let chosen: Vec<usize> = first.flat_map(|(pair, _)| pair.iter().copied()).collect();
        let colliding: Vec<_> = chosen.iter().map(|&i| touches[i]).collect();
        impact.collide(response, velocities, (&chosen, &colliding), &options.together);
        impact.rounds += 1;
    }
    let all: Vec<_> = (0..touches.len()).collect();
    let soft: Vec<_> = touches.iter().map(|touch| Touch { restitution: 0.0, ..*touch }).collect();
    impact.collide(response, velocities, (&all, &soft), &options.together);
    impact.is_cut = true;
    impact
}

impl Impact {
    /// One round: contacts with these numbers collide.
    fn collide(
        &mut self,
        response: &impl Response,
        velocities: &mut [Velocity],
        (numbers, touches): (&[usize], &[Touch]),
        options: &Options,
    ) {
        let found = collide_all(response, velocities, touches, options);
        for (&number, impulse) in numbers.iter().zip(found.impulses) {
            self.impulses[number] += impulse;
        }
        self.solved = self.solved.with(found.solved);
    }
}

/// The numbers of the contacts of each pair of bodies; pairs in the order of their first contact.
fn pairs(touches: &[Touch]) -> Vec<Vec<usize>> {
    let key = |i: usize| {
        let [a, b] = touches[i].bodies;
        [a.min(b), a.max(b)]
    };
    let mut sorted: Vec<_> = (0..touches.len()).collect();
    sorted.sort_by_key(|&i| key(i));
    let mut pairs: Vec<Vec<usize>> =
        sorted.chunk_by(|&i, &j| key(i) == key(j)).map(<[usize]>::to_vec).collect();
    pairs.sort_by_key(|pair| pair[0]);
    pairs
}
