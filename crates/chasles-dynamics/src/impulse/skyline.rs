//! Square systems whose rows and columns begin late.
//!
//! Row `i` is zero before some column, and column `i` before the row of that number; nothing else
//! is kept. Elimination without pivots fills nothing outside of that (the envelope), so contacts in
//! the order of their neighbours cost their number times the square of how many others each depends
//! on, and take no room beyond.

/// A square matrix whose rows and columns begin alike, or the triangles that it is the product of.
#[derive(Clone, Debug, Default)]
pub(super) struct Envelope {
    /// For each row the column that it begins in.
    starts: Vec<usize>,
    /// For each row where its numbers begin; the last one is at the diagonal.
    offsets: Vec<usize>,
    /// The rows up to the diagonal.
    rows: Vec<f64>,
    /// The columns down to the diagonal.
    columns: Vec<f64>,
}

impl Envelope {
    /// All zero, with rows that begin in these columns, at the diagonal at the latest.
    pub(super) fn zero(starts: Vec<usize>) -> Self {
        let mut offsets = vec![0];
        for (row, start) in starts.iter().enumerate() {
            offsets.push(offsets[row] + row + 1 - start);
        }
        let values = vec![0.0; offsets[starts.len()]];
        Self { starts, offsets, rows: values.clone(), columns: values }
    }

    /// Adds to a number that is in the envelope.
    pub(super) fn add(&mut self, row: usize, column: usize, value: f64) {
        if column <= row {
            let at = self.offsets[row] + column - self.starts[row];
            self.rows[at] += value;
        }
        if row <= column {
            let at = self.offsets[column] + row - self.starts[column];
            self.columns[at] += value;
        }
    }

    /// Turns the matrix into triangles `L` and `U` with `L U` equal to it, where the diagonal of
    /// `L` is 1; false if a pivot vanishes.
    pub(super) fn factor(&mut self) -> bool {
        for this in 0..self.starts.len() {
            let start = self.starts[this];
            let (rows, row) = self.rows.split_at_mut(self.offsets[this]);
            let (columns, column) = self.columns.split_at_mut(self.offsets[this]);
            for other in start..this {
                let first = start.max(self.starts[other]);
                let of = self.offsets[other] + first - self.starts[other]..self.offsets[other + 1];
                let (other_row, other_column) = (&rows[of.clone()], &columns[of]);
                let shared = first - start..other - start;
                let (at, length) = (other - start, other - first);
                let known = dot(&row[shared.clone()], &other_column[..length]);
                row[at] = (row[at] - known) / other_column[length];
                column[at] -= dot(&column[shared], &other_row[..length]);
            }
            let count = this - start;
            column[count] -= dot(&row[..count], &column[..count]);
            if column[count] == 0.0 || !column[count].is_finite() {
                return false;
            }
        }
        true
    }

    /// Solves `L U x = wanted` in place, after [`Self::factor`].
    pub(super) fn solve(&self, wanted: &mut [f64]) {
        for row in 0..self.starts.len() {
            let left = &self.rows[self.offsets[row]..self.offsets[row + 1] - 1];
            wanted[row] -= dot(left, &wanted[self.starts[row]..row]);
        }
        for row in (0..self.starts.len()).rev() {
            let column = &self.columns[self.offsets[row]..self.offsets[row + 1]];
            let (&diagonal, above) = column.split_last().expect("a diagonal");
            wanted[row] /= diagonal;
            let found = wanted[row];
            let up = wanted[self.starts[row]..row].iter_mut();
            up.zip(above).for_each(|(wanted, value)| *wanted -= found * value);
        }
    }
}

/// The product of two rows of equal length, in eight sums that do not wait for each other.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (eights_a, rest_a) = a.as_chunks::<8>();
    let (eights_b, rest_b) = b.as_chunks::<8>();
    for (a, b) in eights_a.iter().zip(eights_b) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    let rest: f64 = rest_a.iter().zip(rest_b).map(|(a, b)| a * b).sum();
    let halves = [0, 1, 2, 3].map(|i| sums[i] + sums[i + 4]);
    (halves[0] + halves[1]) + (halves[2] + halves[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    /// Neighbours, besides a few that reach far back, and a diagonal that outweighs them.
    fn random_matrix(size: usize, random: &mut Random) -> (Envelope, Vec<Vec<f64>>) {
        let far: Vec<usize> = (0..size).map(|i| random.below(i + 1)).collect();
        let is_near = |i: usize, j: usize| i.abs_diff(j) < 4 || far[i.max(j)] == i.min(j);
        let mut entry = |i: usize, j: usize| match i == j {
            true => random.one_of(&[-8.0, 8.0]),
            false => random.between(-1.0, 1.0) * f64::from(u8::from(is_near(i, j))),
        };
        let dense: Vec<Vec<f64>> =
            (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect();
        let is_there = |i: usize, j: usize| dense[i][j] != 0.0;
        let start = |i: usize| (0..i).find(|&j| is_there(i, j)).unwrap_or(i);
        let mut envelope = Envelope::zero((0..size).map(start).collect());
        for (i, row) in dense.iter().enumerate() {
            let there = row.iter().enumerate().filter(|(_, value)| **value != 0.0);
            there.for_each(|(j, value)| envelope.add(i, j, *value));
        }
        (envelope, dense)
    }

    #[test]
    fn the_solution_has_the_right_side_as_its_product() {
        for seed in 0..50 {
            let random = &mut Random::new(seed);
            let (mut envelope, dense) = random_matrix(40, random);
            let wanted: Vec<_> = (0..40).map(|_| random.between(-1.0, 1.0)).collect();
            let mut found = wanted.clone();
            assert!(envelope.factor(), "seed {seed}");
            envelope.solve(&mut found);
            for (row, wanted) in dense.iter().zip(&wanted) {
                let product: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum();
                assert!((product - wanted).abs() < 1e-11, "seed {seed}: {product} for {wanted}");
            }
        }
    }

    #[test]
    fn a_matrix_of_rank_one_has_no_triangles() {
        let mut flat = Envelope::zero(vec![0, 0]);
        for (row, column, value) in [(0, 0, 1.0), (1, 0, 2.0), (0, 1, 3.0), (1, 1, 6.0)] {
            flat.add(row, column, value);
        }
        assert!(!flat.factor());
    }
}
