//! What contacts and joints do at a velocity, as the Newton method of [`newton`](super::newton) sees
//! it: their impulses, and along which ways these change.

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
