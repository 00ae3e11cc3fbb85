//! Square systems whose rows are mostly zero.
//!
//! Contacts change the velocities of others at the same bodies alone, so with contacts in the order
//! of their bodies a row has its numbers near the diagonal. Elimination fills rows up to the last
//! column of those above, and everything beyond is skipped.

use std::ops::Range;

/// A row, and the columns outside of which it is zero.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    values: Vec<f64>,
    span: Range<usize>,
}

impl Sparse {
    /// The product with some columns of a vector.
    pub(super) fn dot(&self, columns: Range<usize>, with: &[f64]) -> f64 {
        let start = columns.start.max(self.span.start);
        let end = columns.end.min(self.span.end).max(start);
        self.values[start..end].iter().zip(&with[start..end]).map(|(a, x)| a * x).sum()
    }

    fn set(&mut self, column: usize, value: f64) {
        self.values[column] = value;
        let Range { start, end } = self.span;
        self.span = match start == end {
            true => column..column + 1,
            false => start.min(column)..end.max(column + 1),
        };
    }

    /// Takes a multiple of a row above away, which leaves nothing in a column; the multiplier takes
    /// that place.
    fn eliminate(&mut self, column: usize, above: &Self) {
        let factor = self.values[column] / above.values[column];
        self.values[column] = factor;
        let beyond = column + 1..above.span.end;
        let pairs = self.values[beyond.clone()].iter_mut().zip(&above.values[beyond]);
        pairs.for_each(|(value, above)| *value -= factor * above);
        self.span.end = self.span.end.max(above.span.end);
    }
}

/// A square matrix.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) rows: Vec<Sparse>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self { rows: vec![Sparse { values: vec![0.0; size], span: 0..0 }; size] }
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.rows[row].set(column, value);
    }
}

/// A matrix as a product of triangles, by Gaussian elimination with partial pivoting.
pub(super) struct Factors {
    /// Below the diagonal the multipliers, from it on what is left.
    rows: Vec<Sparse>,
    order: Vec<usize>,
}

impl Factors {
    /// Of a matrix with something added to its diagonal; nothing if a pivot vanishes.
    pub(super) fn new(matrix: &Matrix, slack: f64) -> Option<Self> {
        let mut rows = matrix.rows.clone();
        let size = rows.len();
        for (i, row) in rows.iter_mut().enumerate() {
            row.set(i, row.values[i] + slack);
        }
        let mut order: Vec<_> = (0..size).collect();
        for k in 0..size {
            let height = |row: &Sparse| row.values[k].abs();
            let pivot = (k..size).max_by(|&i, &j| height(&rows[i]).total_cmp(&height(&rows[j])))?;
            rows.swap(k, pivot);
            order.swap(k, pivot);
            let (above, below) = rows.split_at_mut(k + 1);
            let top = &above[k];
            if top.values[k] == 0.0 || !top.values[k].is_finite() {
                return None;
            }
            for row in below.iter_mut().filter(|row| row.values[k] != 0.0) {
                row.eliminate(k, top);
            }
        }
        Some(Self { rows, order })
    }

    pub(super) fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        let mut found: Vec<f64> = self.order.iter().map(|&i| wanted[i]).collect();
        let size = found.len();
        for k in 0..size {
            found[k] -= self.rows[k].dot(0..k, &found);
        }
        for k in (0..size).rev() {
            let row = &self.rows[k];
            found[k] = (found[k] - row.dot(k + 1..size, &found)) / row.values[k];
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    /// A band besides some entries far out, which rows are swapped for.
    fn random_matrix(size: usize, random: &mut Random) -> (Matrix, Vec<Vec<f64>>) {
        let mut matrix = Matrix::zero(size);
        let mut dense = vec![vec![0.0; size]; size];
        for (row, dense) in dense.iter_mut().enumerate() {
            for (column, entry) in dense.iter_mut().enumerate() {
                if row.abs_diff(column) < 4 || random.below(size) == 0 {
                    *entry = random.between(-1.0, 1.0);
                    matrix.set(row, column, *entry);
                }
            }
        }
        (matrix, dense)
    }

    #[test]
    fn the_solution_has_the_right_side_as_its_product() {
        for seed in 0..50 {
            let random = &mut Random::new(seed);
            let (matrix, dense) = random_matrix(40, random);
            let wanted: Vec<_> = (0..40).map(|_| random.between(-1.0, 1.0)).collect();
            let found = Factors::new(&matrix, 0.0).expect("a regular matrix").solve(&wanted);
            let largest = found.iter().fold(1.0_f64, |most, x| most.max(x.abs()));
            for (row, wanted) in dense.iter().zip(&wanted) {
                let product: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum();
                assert!((product - wanted).abs() < 1e-11 * largest, "seed {seed}");
            }
        }
    }

    #[test]
    fn a_matrix_with_an_empty_column_has_no_factors() {
        let mut matrix = Matrix::zero(2);
        matrix.set(0, 0, 1.0);
        matrix.set(1, 0, 2.0);
        assert!(Factors::new(&matrix, 0.0).is_none());
    }
}
