//! The matrix of a Newton step: how contacts and joints see the motion of bodies, and what rows of
//! one pair of bodies add to it.

use glam::{DMat3, DVec3};

use crate::body::{Inertia, Velocity};
use crate::impulse::neighbours::{joined, places};
use crate::impulse::skyline::Skyline;

/// How a contact sees the motion of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// The number of the body among those that move.
    pub(super) slot: usize,
    /// The change of the contact's velocity by the linear and by the angular part of `y`.
    pub(super) seen: [DMat3; 2],
}

/// What rows of one pair of bodies add to the matrix: they stand together, and are summed first.
pub(super) struct PairSum {
    pub(super) slots: [Option<usize>; 2],
    /// Of the first body, of the second, and what the second sees of the first: each for linear and
    /// angular parts of both.
    own: [[DMat3; 4]; 2],
    across: [DMat3; 4],
}

impl PairSum {
    pub(super) fn new(slots: [Option<usize>; 2]) -> Self {
        Self { slots, own: [[DMat3::ZERO; 4]; 2], across: [DMat3::ZERO; 4] }
    }

    pub(super) fn add(&mut self, sides: &[Option<Side>; 2], stiffness: &DMat3) {
        let mut pushed = [[DMat3::ZERO; 2]; 2];
        for ((side, sum), pushed) in sides.iter().zip(&mut self.own).zip(&mut pushed) {
            if let Some(side) = side {
                *pushed = side.seen.map(|seen| *stiffness * seen);
                add_product(sum, &side.seen, pushed);
            }
        }
        if let [Some(_), Some(second)] = sides {
            add_product(&mut self.across, &second.seen, &pushed[0]);
        }
    }

    /// Adds the sums to the matrix.
    pub(super) fn flush(&self, matrix: &mut Skyline) {
        for (slot, sum) in self.slots.iter().zip(&self.own) {
            if let Some(slot) = slot {
                add_blocks(matrix, [*slot, *slot], sum);
            }
        }
        match self.slots {
            [Some(first), Some(second)] if second > first => {
                add_blocks(matrix, [second, first], &self.across);
            }
            [Some(first), Some(second)] => {
                let [a, b, c, d] = self.across.map(|block| block.transpose());
                add_blocks(matrix, [first, second], &[a, c, b, d]);
            }
            _ => {}
        }
    }
}

/// Adds `Sᵀ P` for what a body sees and what is pushed: linear and linear, linear and angular,
/// angular and linear, angular and angular.
fn add_product(sum: &mut [DMat3; 4], seen: &[DMat3; 2], pushed: &[DMat3; 2]) {
    for (of, seen) in seen.iter().enumerate() {
        let back = seen.transpose();
        for (by, pushed) in pushed.iter().enumerate() {
            sum[2 * of + by] += back * *pushed;
        }
    }
}

/// Adds the four blocks of two bodies to the matrix.
fn add_blocks(matrix: &mut Skyline, [of, by]: [usize; 2], blocks: &[DMat3; 4]) {
    for (number, block) in blocks.iter().enumerate() {
        let (top, left) = (6 * of + 3 * (number / 2), 6 * by + 3 * (number % 2));
        for column in 0..3 {
            for (row, value) in block.col(column).to_array().into_iter().enumerate() {
                matrix.add(top + row, left + column, value);
            }
        }
    }
}

/// The number of each body among those that move and have contacts, neighbours near each other.
pub(super) fn slots(
    pairs: impl Iterator<Item = [usize; 2]> + Clone,
    inertias: &[Inertia],
) -> Vec<Option<usize>> {
    let moves = |body: usize| inertias[body].is_dynamic();
    let both = pairs.clone().filter(|pair| pair.iter().all(|&i| moves(i)));
    let places = places(&joined(inertias.len(), both));
    let mut has_contact = vec![false; inertias.len()];
    pairs.flatten().for_each(|i| has_contact[i] = moves(i));
    let mut order: Vec<usize> = (0..inertias.len()).filter(|&i| has_contact[i]).collect();
    order.sort_unstable_by_key(|&i| places[i]);
    let mut slots = vec![None; inertias.len()];
    order.into_iter().enumerate().for_each(|(slot, i)| slots[i] = Some(slot));
    slots
}

/// How a joint sees the motion of one of its bodies, in the first of three numbers.
pub(super) fn seen(pull: &Velocity, (linear, angular): (DVec3, DMat3)) -> [DMat3; 2] {
    let first = |row: DVec3| DMat3::from_cols(row.x * DVec3::X, row.y * DVec3::X, row.z * DVec3::X);
    [first(linear * pull.linear), first(angular.transpose() * pull.angular)]
}

/// The roots of the inverse mass and inertia of a body.
pub(super) fn roots(body: &Inertia) -> (DVec3, DMat3) {
    (DVec3::from_array(body.inv_mass.to_array().map(f64::sqrt)), lower(&body.inv_inertia))
}

/// The mass of a body, in the directions that are free.
pub(super) fn mass(body: &Inertia) -> f64 {
    body.inv_mass.max_element().recip()
}

/// The lower triangle whose product with its transpose is a matrix that is not negative; directions
/// in which that is nothing stay nothing.
fn lower(matrix: &DMat3) -> DMat3 {
    let mut root = DMat3::ZERO;
    for j in 0..3 {
        for i in j..3 {
            let known: f64 = (0..j).map(|k| root.col(k)[i] * root.col(k)[j]).sum();
            let left = matrix.col(j)[i] - known;
            root.col_mut(j)[i] = match i == j {
                true => left.max(0.0).sqrt(),
                false if root.col(j)[j] > 0.0 => left / root.col(j)[j],
                false => 0.0,
            };
        }
    }
    root
}
