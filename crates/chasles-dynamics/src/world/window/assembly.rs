//! The matrix of a Newton step: how contacts and joints see the motion of bodies, and what rows of
//! one pair of bodies add to it.

use glam::{DMat3, DVec3};

use crate::body::{Inertia, Velocity};
use crate::impulse::sparse::{Block, Sparse};

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
    pub(super) fn flush(&self, matrix: &mut Sparse) {
        for (slot, sum) in self.slots.iter().zip(&self.own) {
            if let Some(slot) = slot {
                matrix.add([*slot; 2], &block(sum));
            }
        }
        if let [Some(first), Some(second)] = self.slots {
            matrix.add([second, first], &block(&self.across));
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

/// The four parts of two bodies as one block.
fn block(parts: &[DMat3; 4]) -> Block {
    let entry =
        |row: usize, column: usize| parts[2 * (row / 3) + column / 3].col(column % 3)[row % 3];
    std::array::from_fn(|row| std::array::from_fn(|column| entry(row, column)))
}

/// The number of each body among those that move and have contacts.
pub(super) fn slots(
    pairs: impl Iterator<Item = [usize; 2]>,
    inertias: &[Inertia],
) -> Vec<Option<usize>> {
    let mut has_contact = vec![false; inertias.len()];
    pairs.flatten().for_each(|i| has_contact[i] = inertias[i].is_dynamic());
    let mut numbers = 0..;
    let slot = |has_contact: bool| if has_contact { numbers.next() } else { None };
    has_contact.into_iter().map(slot).collect()
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
