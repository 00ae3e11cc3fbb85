//! The matrix of a Newton step: how contacts and joints see the motion of bodies, and what rows of
//! one pair of bodies add to it.

use glam::{DMat3, DVec3};

use crate::body::{Inertia, Velocity};
use crate::impulse::block_cholesky::{Block, Sparse, ZERO};

/// How a contact sees the motion of one body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    /// The number of the body among those that move.
    pub(super) slot: usize,
    /// The change of each number of the contact's velocity by the six of `y`, linear ones first.
    pub(super) rows: [[f64; 6]; 3],
}

impl Side {
    /// What a contact sees of six numbers of a motion.
    pub(super) fn of(&self, y: &[f64]) -> DVec3 {
        let of = |row: &[f64; 6]| row.iter().zip(y).map(|(a, b)| a * b).sum();
        let [x, y, z] = &self.rows;
        DVec3::new(of(x), of(y), of(z))
    }

    /// What an impulse at the contact makes of the motion.
    pub(super) fn pulled(&self, impulse: DVec3) -> [f64; 6] {
        let [x, y, z] = &self.rows;
        std::array::from_fn(|k| impulse.x * x[k] + impulse.y * y[k] + impulse.z * z[k])
    }
}

/// What rows of one pair of bodies add to the matrix: they stand together, and are summed first.
pub(super) struct PairSum {
    pub(super) slots: [Option<usize>; 2],
    /// Of the first body, of the second, on and below their diagonals, and what the second sees of
    /// the first.
    own: [Block; 2],
    across: Block,
}

impl PairSum {
    pub(super) fn new(slots: [Option<usize>; 2]) -> Self {
        Self { slots, own: [ZERO; 2], across: ZERO }
    }

    /// Adds `Bᵀ w wᵀ B` for how both bodies of a contact see these ways `w` there, three at most.
    pub(super) fn add(&mut self, sides: &[Option<Side>; 2], ways: &[DVec3]) {
        match *ways {
            [] => {}
            [x] => self.add_all(sides, [x]),
            [x, y] => self.add_all(sides, [x, y]),
            [x, y, z, ..] => self.add_all(sides, [x, y, z]),
        }
    }

    /// The same for a number of ways that is known, so that each sum is read and written once.
    fn add_all<const N: usize>(&mut self, sides: &[Option<Side>; 2], ways: [DVec3; N]) {
        let seen = |side: &Option<Side>| side.as_ref().map(|side| ways.map(|way| side.pulled(way)));
        let [first, second] = [seen(&sides[0]), seen(&sides[1])];
        for (sum, sixes) in self.own.iter_mut().zip([&first, &second]) {
            if let Some(sixes) = sixes {
                add_squares(sum, sixes);
            }
        }
        if let (Some(first), Some(second)) = (&first, &second) {
            add_products(&mut self.across, second, first);
        }
    }

    /// Adds the sums to the matrix.
    pub(super) fn flush(&self, matrix: &mut Sparse) {
        for (slot, sum) in self.slots.iter().zip(&self.own) {
            if let Some(slot) = slot {
                matrix.add([*slot; 2], sum);
            }
        }
        if let [Some(first), Some(second)] = self.slots {
            matrix.add([second, first], &self.across);
        }
    }
}

/// Adds the products of columns and rows.
fn add_products<const N: usize>(sum: &mut Block, columns: &[[f64; 6]; N], rows: &[[f64; 6]; N]) {
    for (i, sum) in sum.iter_mut().enumerate() {
        for (column, row) in columns.iter().zip(rows) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += column[i] * value);
        }
    }
}

/// Adds the products of columns with themselves, as far as they are needed: on and below the
/// diagonal.
fn add_squares<const N: usize>(sum: &mut Block, columns: &[[f64; 6]; N]) {
    // Two rows of equal length at a time fill whole lanes.
    for (two, pair) in sum.chunks_exact_mut(2).enumerate() {
        let length = 2 * two + 2;
        for (i, sum) in pair.iter_mut().enumerate() {
            for column in columns {
                let by = column[2 * two + i];
                let own = sum[..length].iter_mut().zip(&column[..length]);
                own.for_each(|(sum, value)| *sum += by * value);
            }
        }
    }
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
pub(super) fn seen(pull: &Velocity, roots: (DVec3, DMat3)) -> [[f64; 6]; 3] {
    [six(pull.linear, pull.angular, roots), [0.0; 6], [0.0; 6]]
}

/// How a rate whose gradient by linear and angular velocity this is sees `y`.
pub(super) fn six(linear: DVec3, angular: DVec3, (root, turned): (DVec3, DMat3)) -> [f64; 6] {
    let [x, y, z] = (root * linear).to_array();
    let [u, v, w] = (turned.transpose() * angular).to_array();
    [x, y, z, u, v, w]
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
