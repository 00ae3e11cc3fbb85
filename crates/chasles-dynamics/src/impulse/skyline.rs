//! Symmetric systems whose rows begin late: Cholesky factors within a skyline.
//!
//! Row `i` is zero before some column, and elimination fills nothing outside of that. With the
//! unknowns in the order of their neighbours ([`places`](super::neighbours::places)) the cost is
//! their number times the square of how far back each row begins.

use super::envelope::dot;

/// A symmetric positive matrix up to its diagonal, or its Cholesky factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Skyline {
    /// For each row the column that it begins in.
    starts: Vec<usize>,
    /// For each row where its numbers begin; the last one is at the diagonal.
    offsets: Vec<usize>,
    values: Vec<f64>,
}

impl Skyline {
    /// All zero, with rows that begin in these columns, at the diagonal at the latest.
    pub(crate) fn zero(starts: Vec<usize>) -> Self {
        let mut offsets = vec![0];
        for (row, start) in starts.iter().enumerate() {
            offsets.push(offsets[row] + row + 1 - start);
        }
        let values = vec![0.0; offsets[starts.len()]];
        Self { starts, offsets, values }
    }

    /// Makes all numbers zero again.
    pub(crate) fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds to a number in or below the diagonal; others are known from symmetry and left out.
    pub(crate) fn add(&mut self, row: usize, column: usize, value: f64) {
        if column <= row {
            self.values[self.offsets[row] + column - self.starts[row]] += value;
        }
    }

    /// Turns the matrix into its factor `C`, with `C Cᵀ` equal to it; false if it is not positive.
    pub(crate) fn factor(&mut self) -> bool {
        for this in 0..self.starts.len() {
            let start = self.starts[this];
            let (rows, row) = self.values.split_at_mut(self.offsets[this]);
            for other in start..this {
                let first = start.max(self.starts[other]);
                let of = self.offsets[other] + first - self.starts[other]..self.offsets[other + 1];
                let (&pivot, known) = rows[of].split_last().expect("a diagonal");
                let at = other - start;
                row[at] = (row[at] - dot(&row[first - start..at], known)) / pivot;
            }
            let count = this - start;
            let left = row[count] - dot(&row[..count], &row[..count]);
            if !(left > 0.0 && left.is_finite()) {
                return false;
            }
            row[count] = left.sqrt();
        }
        true
    }

    /// Solves `C Cᵀ x = wanted` in place, after [`Self::factor`].
    pub(crate) fn solve(&self, wanted: &mut [f64]) {
        for row in 0..self.starts.len() {
            let (&pivot, left) = self.row(row).split_last().expect("a diagonal");
            wanted[row] = (wanted[row] - dot(left, &wanted[self.starts[row]..row])) / pivot;
        }
        for row in (0..self.starts.len()).rev() {
            let (&pivot, above) = self.row(row).split_last().expect("a diagonal");
            wanted[row] /= pivot;
            let found = wanted[row];
            let up = wanted[self.starts[row]..row].iter_mut();
            up.zip(above).for_each(|(wanted, value)| *wanted -= found * value);
        }
    }

    fn row(&self, row: usize) -> &[f64] {
        &self.values[self.offsets[row]..self.offsets[row + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    #[test]
    fn the_solution_has_the_right_side_as_its_product() {
        for seed in 0..50 {
            let random = &mut Random::new(seed);
            let size = 40;
            let starts: Vec<usize> = (0..size).map(|i| random.below(i + 1)).collect();
            let starts = &starts;
            let mut dense = vec![vec![0.0; size]; size];
            let mut skyline = Skyline::zero(starts.clone());
            for (i, j) in (0..size).flat_map(|i| (starts[i]..=i).map(move |j| (i, j))) {
                let value = if i == j { 60.0 } else { random.between(-1.0, 1.0) };
                [dense[i][j], dense[j][i]] = [value; 2];
                skyline.add(i, j, value);
                skyline.add(j, i, if i == j { 0.0 } else { f64::NAN });
            }
            let wanted: Vec<f64> = (0..size).map(|_| random.between(-1.0, 1.0)).collect();
            let mut found = wanted.clone();
            assert!(skyline.factor(), "seed {seed}");
            skyline.solve(&mut found);
            for (row, wanted) in dense.iter().zip(&wanted) {
                let product: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum();
                assert!((product - wanted).abs() < 1e-12, "seed {seed}: {product} for {wanted}");
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_has_no_factor() {
        let mut flat = Skyline::zero(vec![0, 0]);
        for (row, column, value) in [(0, 0, 1.0), (1, 0, 2.0), (1, 1, 4.0)] {
            flat.add(row, column, value);
        }
        assert!(!flat.factor());
    }
}
