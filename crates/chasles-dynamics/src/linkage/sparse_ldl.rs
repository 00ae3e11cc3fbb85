//! A sparse symmetric matrix that is not negative, factored as `L D Lᵀ`.
//!
//! Row by row: row `k` of `L` is the solution of a triangular system with the rows above, of which
//! only those count that the elimination tree reaches from the entries of the row.
//!
//! A pivot that is nothing against its entry in the matrix belongs to a row which follows from
//! those before it. It gets the impulse 0: its column of `L` stays empty and its inverse pivot is
//! 0. For a right side that is consistent the result is a solution all the same.

use super::elimination_order::Order;

/// The least sine between a row and those before it, as impulses measure angles, with which it is a
/// row of its own: a pivot below the square of this share of its diagonal is none.
///
/// Rounding makes squares of 1e-15 for a few bodies and of 1e-12 around a loop of a hundred. A mass
/// of more than 1e10 times the one that carries it is not carried.
pub(super) const LEAST_SINE: f64 = 1e-5;

/// The end of the elimination tree.
const ROOT: usize = usize::MAX;

/// The factors, and what is needed to make them again.
#[derive(Clone, Debug, Default)]
pub(super) struct Factor {
    /// The next row that each row reaches.
    parents: Vec<usize>,
    /// Where each column of `L` starts; one more at the end.
    starts: Vec<usize>,
    /// How many entries each column has so far.
    counts: Vec<usize>,
    rows: Vec<usize>,
    values: Vec<f64>,
    inv_pivots: Vec<f64>,
    /// While a row is made: its entries, the path through the tree, and who has been there.
    entries: Vec<f64>,
    path: Vec<usize>,
    seen: Vec<usize>,
}

impl Factor {
    /// Prepares for matrices with entries where the order says.
    pub(super) fn analyse(&mut self, order: &Order) {
        let n = order.len();
        self.parents = vec![ROOT; n];
        self.counts = vec![0; n];
        self.seen = vec![ROOT; n];
        for row in 0..n {
            self.seen[row] = row;
            for &earlier in order.earlier(row) {
                let mut at = earlier;
                while self.seen[at] != row {
                    if self.parents[at] == ROOT {
                        self.parents[at] = row;
                    }
                    self.counts[at] += 1;
                    self.seen[at] = row;
                    at = self.parents[at];
                }
            }
        }
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        self.starts.extend(self.counts.iter().map(|count| {
            end += count;
            end
        }));
        self.rows = vec![0; end];
        self.values = vec![0.0; end];
        self.inv_pivots = vec![0.0; n];
        self.entries = vec![0.0; n];
    }

    /// Factors the matrix with these entries, leaving out rows with a lower sine to the others.
    pub(super) fn compute(
        &mut self,
        order: &Order,
        sine: f64,
        entry: impl Fn(usize, usize) -> f64,
    ) {
        self.counts.fill(0);
        self.seen.fill(ROOT);
        for row in 0..order.len() {
            self.reach(order, row, &entry);
            let diagonal = entry(row, row);
            let mut pivot = diagonal;
            for i in 0..self.path.len() {
                let column = self.path[i];
                let value = std::mem::take(&mut self.entries[column]);
                let end = self.starts[column] + self.counts[column];
                for at in self.starts[column]..end {
                    self.entries[self.rows[at]] -= self.values[at] * value;
                }
                let scaled = value * self.inv_pivots[column];
                pivot -= scaled * value;
                self.rows[end] = row;
                self.values[end] = scaled;
                self.counts[column] += 1;
            }
            let is_pivot = pivot > sine * sine * diagonal;
            self.inv_pivots[row] = if is_pivot { pivot.recip() } else { 0.0 };
        }
    }

    /// Fills `entries`, and `path` with the columns that they reach.
    fn reach(&mut self, order: &Order, row: usize, entry: &impl Fn(usize, usize) -> f64) {
        self.path.clear();
        self.seen[row] = row;
        for &earlier in order.earlier(row) {
            self.entries[earlier] = entry(row, earlier);
            let mut at = earlier;
            while self.seen[at] != row {
                self.path.push(at);
                self.seen[at] = row;
                at = self.parents[at];
            }
        }
        // The number of a row is below that of its parent, so this is an order for elimination.
        self.path.sort_unstable();
    }

    /// Replaces the right side by a solution.
    pub(super) fn solve(&self, side: &mut [f64]) {
        self.forward(side);
        for (value, inv_pivot) in side.iter_mut().zip(&self.inv_pivots) {
            *value *= inv_pivot;
        }
        for column in (0..side.len()).rev() {
            let range = self.starts[column]..self.starts[column + 1];
            let below = self.rows[range.clone()].iter().zip(&self.values[range]);
            side[column] -= below.map(|(&row, value)| value * side[row]).sum::<f64>();
        }
    }

    /// Replaces the right side `b` by `y` with `L y = b`.
    pub(super) fn forward(&self, side: &mut [f64]) {
        for column in 0..side.len() {
            let value = side[column];
            if value != 0.0 {
                for at in self.starts[column]..self.starts[column + 1] {
                    side[self.rows[at]] -= value * self.values[at];
                }
            }
        }
    }

    /// `yᵀ D⁻¹ z` of two results of [`Factor::forward`].
    pub(super) fn product(&self, y: &[f64], z: &[f64]) -> f64 {
        let terms = y.iter().zip(z).zip(&self.inv_pivots);
        terms.map(|((y, z), inv_pivot)| y * z * inv_pivot).sum()
    }

    /// Entries below the diagonal of `L`.
    pub(super) fn entries(&self) -> usize {
        self.values.len()
    }

    /// Rows that follow from others.
    pub(super) fn redundant(&self) -> usize {
        self.inv_pivots.iter().filter(|&&inv_pivot| inv_pivot == 0.0).count()
    }
}
