//! What contacts and joints do at a velocity, as the Newton method of [`newton`](super::newton)
//! sees it: their impulses, and along which ways these change.

use glam::{DVec2, DVec3, Vec3Swizzles};

use super::solver::Row;
use crate::linkage::Bond;

/// Contacts are solved with no more friction than this: it takes digits from all of them.
const STEEPEST: f64 = 1e3;

/// What a contact does at a velocity: its impulse, and how that changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer {
    pub(super) impulse: DVec3,
    pub(super) gives: Gives,
}

/// How an impulse changes with the velocity: by the negative of a symmetric matrix, never up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Gives {
    /// Not at all.
    Nothing,
    /// By a stiffness along the normal, or along a joint.
    Along(f64),
    /// By a stiffness in all directions.
    All(f64),
    /// By a stiffness along the normal, and by another across.
    Apart { normal: f64, across: f64 },
    /// On the side of a cone of this friction, at this direction across: along the side by one
    /// stiffness, and around the cone by another.
    Side { friction: f64, across: DVec2, along: f64, around: f64 },
}

impl Gives {
    /// The matrix as a sum of `w wᵀ` for so many of these.
    pub(super) fn ways(&self) -> ([DVec3; 3], usize) {
        match *self {
            Self::Nothing => ([DVec3::ZERO; 3], 0),
            Self::Along(r) => ([r.sqrt() * DVec3::X, DVec3::ZERO, DVec3::ZERO], 1),
            Self::All(r) => (DVec3::AXES.map(|axis| r.sqrt() * axis), 3),
            Self::Apart { normal, across } => {
                let [x, y, z] = DVec3::AXES;
                ([normal.sqrt() * x, across.sqrt() * y, across.sqrt() * z], 3)
            }
            Self::Side { friction, across, along, around } => {
                let side = DVec3::new(1.0, friction * across.x, friction * across.y);
                let turn = DVec3::new(0.0, -across.y, across.x);
                ([along.sqrt() * side, around.sqrt() * turn, DVec3::ZERO], 2)
            }
        }
    }
}

impl Answer {
    /// Of what does nothing.
    pub(super) const NONE: Self = Self { impulse: DVec3::ZERO, gives: Gives::Nothing };
}

/// What a contact does at a velocity and with a stiffness, with its `s` and a guess of its impulse.
pub(super) fn hold_contact(
    row: &Row,
    r: f64,
    velocity: DVec3,
    (lift, guess): (f64, DVec3),
) -> Answer {
    if row.is_released() {
        return Answer::NONE;
    }
    if let Some(soft) = &row.soft {
        let wanted = guess - r * (velocity + lift * DVec3::X);
        return soft.respond(wanted, (r, friction(row), row.least));
    }
    let above = velocity.x - row.least + lift;
    let wanted = guess - r * DVec3::new(above, velocity.y, velocity.z);
    let (across, friction) = (wanted.yz(), friction(row));
    let length = across.length();
    if length <= friction * wanted.x {
        return Answer { impulse: wanted, gives: Gives::All(r) };
    }
    if friction * length <= -wanted.x {
        return Answer::NONE;
    }
    // The nearest point of the cone is on its side.
    let across = across / length;
    let side = DVec3::new(1.0, friction * across.x, friction * across.y);
    let share = (1.0 + friction * friction).recip();
    let push = share * wanted.dot(side);
    let [along, around] = [r * share, r * friction * push / length];
    Answer { impulse: push * side, gives: Gives::Side { friction, across, along, around } }
}

/// What a joint, limit or motor does at a rate and with a stiffness, with a guess of its impulse.
pub(super) fn hold_bond(bond: &Bond, stiffness: f64, rate: f64, guess: f64) -> Answer {
    // What gives way answers with p - r (rate + soft impulse - end).
    let r = stiffness / (1.0 + stiffness * bond.soft);
    let [up, down] =
        [bond.low, bond.high].map(|end| guess / (1.0 + stiffness * bond.soft) - r * (rate - end));
    let wanted = match bond.low < bond.high {
        true => up.max(0.0) + down.min(0.0),
        false => up,
    };
    let impulse = wanted.clamp(-bond.most, bond.most);
    let holds = impulse == wanted && (wanted != 0.0 || bond.low == bond.high);
    let gives = if holds { Gives::Along(r) } else { Gives::Nothing };
    Answer { impulse: impulse * DVec3::X, gives }
}

/// The friction that a contact is solved with.
pub(super) fn friction(row: &Row) -> f64 {
    row.cone(1.0).min(STEEPEST)
}

/// By how much a joint, limit or motor is off at a rate and with an impulse.
pub(super) fn breach(bond: &Bond, rate: f64, impulse: f64) -> f64 {
    let rate = rate + bond.soft * impulse;
    let [below, above] = [bond.low - rate, rate - bond.high];
    match impulse {
        // What pushes holds its end, unless it does all it can.
        up if up > 0.0 => {
            if up < bond.most {
                below.abs()
            } else {
                0.0
            }
        }
        down if down < 0.0 => {
            if -down < bond.most {
                above.abs()
            } else {
                0.0
            }
        }
        _ if bond.most == 0.0 => 0.0,
        _ => below.max(above).max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Inertia;
    use crate::impulse::block_cholesky::Sparse;
    use crate::world::window::assembly::{PairSum, Side};
    use chasles_testkit::generate::Random;
    use glam::DMat3;

    /// A contact of a body on something fixed, or a joint.
    fn row(friction: f64) -> Row {
        let inv_inertia = DMat3::from_diagonal(DVec3::new(2.0, 3.0, 5.0));
        let body = Inertia { centre: DVec3::Z, inv_mass: DVec3::splat(0.5), inv_inertia };
        let inertias = [body, Inertia::fixed(DVec3::ZERO)];
        Row::new([0, 1], &inertias, (DVec3::X, DVec3::Z), friction).expect("a body that moves")
    }

    /// What an impulse loses for a little velocity along each axis, and the matrix of the answer.
    fn slopes(answer: impl Fn(DVec3) -> Answer, velocity: DVec3) -> [DMat3; 2] {
        let step = 1e-6;
        let column = |axis: DVec3| {
            let [up, down] = [step, -step].map(|by| answer(velocity + by * axis).impulse);
            (down - up) / (2.0 * step)
        };
        let [x, y, z] = DVec3::AXES.map(column);
        let (ways, count) = answer(velocity).gives.ways();
        let outer = |w: &DVec3| DMat3::from_cols(w.x * *w, w.y * *w, w.z * *w);
        let sum = ways[..count].iter().map(outer).fold(DMat3::ZERO, |sum, way| sum + way);
        [DMat3::from_cols(x, y, z), sum]
    }

    #[test]
    fn impulses_change_along_the_ways_of_their_answer() {
        let random = &mut Random::new(5);
        let mut kinds = [0; 3];
        for _ in 0..400 {
            let row = row(random.between(0.0, 1.5));
            let (velocity, guess) = (random.vector(), random.vector() + DVec3::X);
            let answer = |v: DVec3| hold_contact(&row, 3.0, v, (0.1, guess));
            kinds[match answer(velocity).gives {
                Gives::Nothing => 0,
                Gives::All(_) => 1,
                _ => 2,
            }] += 1;
            let [told, sum] = slopes(answer, velocity);
            assert!(told.abs_diff_eq(sum, 1e-5), "{told} for {sum}");
        }
        assert!(kinds.iter().all(|&count| count > 20), "{kinds:?}");
    }

    #[test]
    fn joints_and_limits_change_along_their_rate_alone() {
        let random = &mut Random::new(6);
        for _ in 0..200 {
            let low = random.between(-1.0, 0.5);
            let high = if random.below(2) == 0 { low } else { low + 0.5 };
            let most = random.between(0.1, 4.0);
            let pull = [crate::body::Velocity::ZERO; 2];
            let bond =
                Bond { bodies: [0, 1], pull, low, high, most, soft: random.between(0.0, 1.0) };
            let guess = random.between(-1.0, 1.0);
            let answer = |v: DVec3| hold_bond(&bond, 3.0, v.x, guess);
            let [told, sum] = slopes(answer, random.vector());
            assert!(told.abs_diff_eq(sum, 1e-6), "{told} for {sum}");
        }
    }

    #[test]
    fn the_matrix_of_a_pair_is_what_impulses_lose_by_the_motion() {
        let random = &mut Random::new(7);
        for _ in 0..40 {
            let mut six = || std::array::from_fn(|_| random.between(-1.0, 1.0));
            let mut side = |slot| Some(Side { slot, rows: [six(), six(), six()] });
            let sides = [side(0), side(1)];
            let (ways, count) = Gives::All(2.5).ways();
            let mut pair = PairSum::new([Some(0), Some(1)]);
            pair.add(&sides, &ways[..count]);
            let mut matrix = Sparse::zero(2, [[0, 1]].into_iter());
            matrix.set_one();
            pair.flush(&mut matrix);
            // (1 + Bᵀ r B) way = rest, so rest is what one finds again from the way.
            let rest: Vec<f64> = (0..12).map(|_| random.between(-1.0, 1.0)).collect();
            let mut way = rest.clone();
            assert!(matrix.factor());
            matrix.solve(&mut way);
            let seen: DVec3 =
                sides.iter().flatten().map(|s| s.of(&way[6 * s.slot..6 * s.slot + 6])).sum();
            for side in sides.iter().flatten() {
                for (k, back) in side.pulled(2.5 * seen).into_iter().enumerate() {
                    let at = 6 * side.slot + k;
                    assert!((way[at] + back - rest[at]).abs() < 1e-12);
                }
            }
        }
    }
}
