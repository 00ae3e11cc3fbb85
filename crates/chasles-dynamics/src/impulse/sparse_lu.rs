//! Square systems whose rows are mostly zero.
//!
//! Contacts change the velocities of others at the same bodies alone, so with contacts in the order
//! of their bodies a row has its numbers near the diagonal. Elimination fills rows up to the last
//! column of those above, and everything beyond is skipped.

use std::ops::Range;

/// A square matrix, row by row, with the columns outside of which each row is zero.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    size: usize,
    values: Vec<f64>,
    spans: Vec<Range<usize>>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size], spans: vec![0..0; size] }
    }

    pub(super) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] = value;
        let Range { start, end } = self.spans[row];
        self.spans[row] = match start == end {
            true => column..column + 1,
            false => start.min(column)..end.max(column + 1),
        };
    }

    /// The product of some columns of a row with those of a vector.
    pub(super) fn dot(&self, row: usize, columns: Range<usize>, with: &[f64]) -> f64 {
        let span = &self.spans[row];
        let start = columns.start.max(span.start);
        let end = columns.end.min(span.end).max(start);
        self.row(row)[start..end].iter().zip(&with[start..end]).map(|(a, x)| a * x).sum()
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..][..self.size]
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    /// Takes a multiple of a row above away, which leaves nothing in a column; the multiplier takes
    /// that place.
    fn eliminate(&mut self, row: usize, column: usize, above: usize) {
        let factor = self.at(row, column) / self.at(above, column);
        let end = self.spans[above].end;
        let [this, above] = self
            .values
            .get_disjoint_mut([row, above].map(|row| row * self.size..(row + 1) * self.size))
            .expect("two rows");
        this[column] = factor;
        let pairs = this[column + 1..end].iter_mut().zip(&above[column + 1..end]);
        pairs.for_each(|(value, above)| *value -= factor * above);
        self.spans[row].end = self.spans[row].end.max(end);
    }
}

/// A matrix as a product of triangles, by Gaussian elimination with partial pivoting.
pub(super) struct Factors {
    /// Below the diagonal the multipliers, from it on what is left.
    triangles: Matrix,
    /// Which row is where.
    order: Vec<usize>,
}

impl Factors {
    /// Of a matrix with something added to its diagonal; nothing if a pivot vanishes.
    pub(super) fn new(matrix: &Matrix, slack: f64) -> Option<Self> {
        let mut rows = matrix.clone();
        let size = rows.size;
        for i in 0..size {
            rows.set(i, i, rows.at(i, i) + slack);
        }
        let mut order: Vec<_> = (0..size).collect();
        let ends = ends(&rows);
        for k in 0..size {
            let height = |row: usize| rows.at(order[row], k).abs();
            let pivot = (k..ends[k]).max_by(|&i, &j| height(i).total_cmp(&height(j)))?;
            order.swap(k, pivot);
            let top = rows.at(order[k], k);
            if top == 0.0 || !top.is_finite() {
                return None;
            }
            for &row in &order[k + 1..ends[k]] {
                if rows.at(row, k) != 0.0 {
                    rows.eliminate(row, k, order[k]);
                }
            }
        }
        Some(Self { triangles: rows, order })
    }

    pub(super) fn solve(&self, wanted: &[f64]) -> Vec<f64> {
        let mut found: Vec<f64> = self.order.iter().map(|&i| wanted[i]).collect();
        let size = found.len();
        for (k, &row) in self.order.iter().enumerate() {
            found[k] -= self.triangles.dot(row, 0..k, &found);
        }
        for (k, &row) in self.order.iter().enumerate().rev() {
            let beyond = self.triangles.dot(row, k + 1..size, &found);
            found[k] = (found[k] - beyond) / self.triangles.at(row, k);
        }
        found
    }
}

/// For each column the rows from which on it is zero until all columns before it have been
/// eliminated: rows are swapped with earlier ones only up to there.
fn ends(rows: &Matrix) -> Vec<usize> {
    let mut ends = vec![0; rows.size];
    for (row, span) in rows.spans.iter().enumerate() {
        ends[span.start] = ends[span.start].max(row + 1);
    }
    for k in 1..rows.size {
        ends[k] = ends[k].max(ends[k - 1]);
    }
    ends
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
