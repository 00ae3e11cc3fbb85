//! Several bodies from one table: where each copy stands, and how it is turned.

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles::numeric::Elementary;
use toml::Spanned;

use super::entry::CopiesEntry;
use super::error::SimulateProblem;
use crate::error::Fault;
use crate::motion;

/// The most copies of one body; more would not fit into a picture, nor into patience.
const MOST_COPIES: u64 = 100_000;

/// Where a copy is, seen from the body that it is a copy of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Copy {
    shift: DVec3,
    turn: DQuat,
}

impl Copy {
    /// The body itself.
    const ITSELF: Self = Self { shift: DVec3::ZERO, turn: DQuat::IDENTITY };

    /// The copy of a body at this pose.
    pub(super) fn of(&self, pose: &Pose) -> Pose {
        Pose::new(pose.position() + self.shift, pose.rotation() * self.turn).unwrap_or(*pose)
    }

    /// How far it is from the body itself.
    pub(super) fn shift(&self) -> DVec3 {
        self.shift
    }

    /// The copy of a point of the world.
    pub(super) fn shifted(&self, point: DVec3) -> DVec3 {
        point + self.shift
    }
}

/// All copies of a body; the body itself, if there is no such key.
pub(super) fn copies(body: &str, entry: Option<&Spanned<CopiesEntry>>) -> Result<Vec<Copy>, Fault> {
    let Some(entry) = entry else { return Ok(vec![Copy::ITSELF]) };
    let shifts = shifts(body, entry)?;
    let turn = |number: usize| {
        let seed = entry.get_ref().tumble;
        seed.map_or(DQuat::IDENTITY, |seed| random_turn(seed, number as u64))
    };
    let copy = |(number, shift)| Copy { shift, turn: turn(number) };
    Ok(shifts.into_iter().enumerate().map(copy).collect())
}

fn shifts(body: &str, entry: &Spanned<CopiesEntry>) -> Result<Vec<DVec3>, Fault> {
    let CopiesEntry { count, spacing, odd_layers, at, .. } = entry.get_ref();
    let name = || body.to_string();
    if let Some(at) = at {
        let grid = [
            ("count", count.as_ref().map(Spanned::span)),
            ("spacing", spacing.as_ref().map(Spanned::span)),
            ("odd_layers", odd_layers.as_ref().map(Spanned::span)),
        ];
        if let Some((key, span)) = super::first_given(grid) {
            let problem = SimulateProblem::TwoPlaces { body: name(), key };
            return Err(Fault::new(problem, span));
        }
        checked(body, at.get_ref().len() as u64, at)?;
        return Ok(at.get_ref().iter().map(|place| motion::vector(Some(*place))).collect());
    }
    let (Some(count), Some(spacing)) = (count, spacing) else {
        return Err(Fault::new(SimulateProblem::NoPlaces(name()), entry.span()));
    };
    let [along_x, along_y, along_z] = count.get_ref().0;
    let all = [along_x, along_y, along_z].map(u64::from);
    checked(body, all.into_iter().fold(1, u64::saturating_mul), count)?;
    let spacing = motion::vector(Some(*spacing.get_ref()));
    let odd = motion::vector(odd_layers.as_ref().map(|odd| *odd.get_ref()));
    let mut shifts = Vec::new();
    for y in 0..along_y {
        for z in 0..along_z {
            for x in 0..along_x {
                let layer = if y % 2 == 1 { odd } else { DVec3::ZERO };
                shifts.push(spacing * DVec3::new(x.into(), y.into(), z.into()) + layer);
            }
        }
    }
    Ok(shifts)
}

/// Fails on no copies, and on too many.
fn checked<T>(body: &str, count: u64, place: &Spanned<T>) -> Result<(), Fault> {
    if (1..=MOST_COPIES).contains(&count) {
        return Ok(());
    }
    let body = body.to_string();
    Err(Fault::new(SimulateProblem::Copies { body, count }, place.span()))
}

/// A rotation that looks random, every one being as likely as any other (Shoemake's method).
fn random_turn(seed: u32, number: u64) -> DQuat {
    use std::f64::consts::TAU;
    let mut state = (u64::from(seed) << 32) ^ number;
    let mut next = || {
        // SplitMix64; its upper 53 bits are a number from 0 to 1.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    };
    let [u, v, w] = [next(), next() * TAU, next() * TAU];
    let [p, q] = [(1.0 - u).sqrt(), u.sqrt()];
    DQuat::from_xyzw(p * v.sine(), p * v.cosine(), q * w.sine(), q * w.cosine())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_rotations_and_differ() {
        let turns: Vec<DQuat> = (0..50).map(|number| random_turn(7, number)).collect();
        for (i, turn) in turns.iter().enumerate() {
            assert!((turn.length() - 1.0).abs() < 1e-12);
            assert!(turns[..i].iter().all(|other| turn.angle_between(*other) > 1e-3));
        }
        assert_ne!(random_turn(8, 0), turns[0]);
        assert_eq!(random_turn(7, 0), turns[0]);
    }
}
