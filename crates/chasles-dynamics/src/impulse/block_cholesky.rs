//! Sparse symmetric systems in blocks of six, one block for two bodies: Cholesky factors in an
//! order of minimum degree.
//!
//! Elimination joins all neighbours of what is eliminated with each other. So the body with the
//! fewest neighbours goes first: a heap in space fills far less in that order than within a band.
//! The cost is the sum over bodies of the square of their neighbours at that moment.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::cuthill_mckee::joined;

/// Six rows of six numbers.
pub(crate) type Block = [[f64; 6]; 6];

pub(crate) const ZERO: Block = [[0.0; 6]; 6];

/// A symmetric positive matrix of blocks, or its Cholesky factor.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    /// When each thing is eliminated.
    places: Vec<usize>,
    /// For each column, in that order, where its blocks begin. The first is at the diagonal.
    starts: Vec<usize>,
    /// The row of each block, growing within a column.
    rows: Vec<usize>,
    blocks: Vec<Block>,
    /// A right side in the order of elimination.
    turned: Vec<[f64; 6]>,
}

impl Sparse {
    /// All zero, with room for blocks of each thing, of these pairs, and of what elimination fills.
    pub(crate) fn zero(count: usize, pairs: impl Iterator<Item = [usize; 2]>) -> Self {
        let (order, columns) = eliminate(joined(count, pairs.filter(|[a, b]| a != b)));
        let mut places = vec![0; count];
        order.iter().enumerate().for_each(|(place, &thing)| places[thing] = place);
        let mut starts = vec![0];
        let mut rows = Vec::new();
        for (place, column) in columns.iter().enumerate() {
            rows.push(place);
            rows.extend(column.iter().map(|&thing| places[thing]));
            rows[starts[place]..].sort_unstable();
            starts.push(rows.len());
        }
        let blocks = vec![ZERO; rows.len()];
        Self { places, starts, rows, blocks, turned: vec![[0.0; 6]; count] }
    }

    /// Multiplications that a factor takes.
    pub(crate) fn cost(&self) -> f64 {
        let of = |column: &[usize]| ((column[1] - column[0]) as f64).powi(2);
        108.0 * self.starts.windows(2).map(of).sum::<f64>()
    }

    /// Makes it the matrix with ones at the diagonal.
    pub(crate) fn set_one(&mut self) {
        self.blocks.fill(ZERO);
        for &start in &self.starts[..self.starts.len() - 1] {
            (0..6).for_each(|i| self.blocks[start][i][i] = 1.0);
        }
    }

    /// Adds to the block in the row of one thing and the column of another, and to its mirror.
    pub(crate) fn add(&mut self, [of, by]: [usize; 2], block: &Block) {
        let [row, column] = [of, by].map(|thing| self.places[thing]);
        let is_below = row >= column;
        let [low, high] = [row.max(column), row.min(column)];
        let range = self.starts[high]..self.starts[high + 1];
        let Ok(at) = self.rows[range.clone()].binary_search(&low) else { return };
        let into = &mut self.blocks[range.start + at];
        let turned = if is_below { None } else { Some(transposed(block)) };
        for (into, row) in into.iter_mut().zip(turned.as_ref().unwrap_or(block)) {
            into.iter_mut().zip(row).for_each(|(into, value)| *into += value);
        }
    }

    /// Turns the matrix into its factor `C`, with `C Cᵀ` equal to it; false if it is not positive.
    pub(crate) fn factor(&mut self) -> bool {
        for column in 0..self.places.len() {
            let (start, end) = (self.starts[column], self.starts[column + 1]);
            let (done, later) = self.blocks.split_at_mut(end);
            let Some(root) = root(&done[start]) else { return false };
            done[start] = root;
            done[start + 1..].iter_mut().for_each(|block| divide(block, &root));
            for by in start + 1..end {
                let turned = transposed(&done[by]);
                let mut into = self.starts[self.rows[by]] - end;
                for (row, block) in self.rows[by..end].iter().zip(&done[by..]) {
                    while self.rows[end + into] < *row {
                        into += 1;
                    }
                    subtract_product(&mut later[into], block, &turned);
                }
            }
        }
        true
    }

    /// Solves `C Cᵀ x = wanted` in place, six numbers a thing, after [`Self::factor`].
    pub(crate) fn solve(&mut self, wanted: &mut [f64]) {
        let Self { places, starts, rows, blocks, turned } = self;
        for (six, &place) in wanted.chunks_exact(6).zip(&*places) {
            turned[place].copy_from_slice(six);
        }
        for column in 0..places.len() {
            let (start, end) = (starts[column], starts[column + 1]);
            let found = forward(&blocks[start], turned[column]);
            turned[column] = found;
            for at in start + 1..end {
                let into = &mut turned[rows[at]];
                for (into, row) in into.iter_mut().zip(&blocks[at]) {
                    *into -= dot(row, &found);
                }
            }
        }
        for column in (0..places.len()).rev() {
            let (start, end) = (starts[column], starts[column + 1]);
            let mut left = turned[column];
            for at in start + 1..end {
                for (row, &below) in blocks[at].iter().zip(&turned[rows[at]]) {
                    left.iter_mut().zip(row).for_each(|(left, value)| *left -= value * below);
                }
            }
            turned[column] = backward(&blocks[start], left);
        }
        for (six, &place) in wanted.chunks_exact_mut(6).zip(&*places) {
            six.copy_from_slice(&turned[place]);
        }
    }
}

/// The order in which things are eliminated, and those that each is joined with at that moment.
fn eliminate(mut neighbours: Vec<Vec<usize>>) -> (Vec<usize>, Vec<Vec<usize>>) {
    let count = neighbours.len();
    let mut queue: BinaryHeap<Reverse<(usize, usize)>> = neighbours
        .iter()
        .enumerate()
        .map(|(thing, others)| Reverse((others.len(), thing)))
        .collect();
    let mut is_gone = vec![false; count];
    let (mut order, mut columns) = (Vec::with_capacity(count), Vec::with_capacity(count));
    while let Some(Reverse((degree, thing))) = queue.pop() {
        if is_gone[thing] || neighbours[thing].len() != degree {
            continue;
        }
        is_gone[thing] = true;
        let joined = std::mem::take(&mut neighbours[thing]);
        for &other in &joined {
            let own = &mut neighbours[other];
            own.extend_from_slice(&joined);
            own.sort_unstable();
            own.dedup();
            own.retain(|&each| each != other && each != thing);
            queue.push(Reverse((own.len(), other)));
        }
        order.push(thing);
        columns.push(joined);
    }
    (order, columns)
}

/// The lower triangle whose product with its transpose is this block, by the lower triangle of
/// that; with the inverse of each number at the diagonal in its place.
fn root(block: &Block) -> Option<Block> {
    let mut root = ZERO;
    for i in 0..6 {
        for j in 0..i {
            let known: f64 = (0..j).map(|k| root[i][k] * root[j][k]).sum();
            root[i][j] = (block[i][j] - known) * root[j][j];
        }
        let left = block[i][i] - (0..i).map(|k| root[i][k] * root[i][k]).sum::<f64>();
        if !(left > 0.0 && left.is_finite()) {
            return None;
        }
        root[i][i] = left.sqrt().recip();
    }
    Some(root)
}

/// The rows of a block times the inverse of the transpose of a lower triangle, all at once.
fn divide(block: &mut Block, root: &Block) {
    let mut columns = transposed(block);
    for (i, row) in root.iter().enumerate() {
        let (done, later) = columns.split_at_mut(i);
        for (by, done) in row.iter().zip(&*done) {
            later[0].iter_mut().zip(done).for_each(|(value, done)| *value -= by * done);
        }
        later[0].iter_mut().for_each(|value| *value *= row[i]);
    }
    *block = transposed(&columns);
}

/// Solves `root x = wanted` for a lower triangle as [`root`] leaves it.
fn forward(root: &Block, wanted: [f64; 6]) -> [f64; 6] {
    let mut found = wanted;
    for i in 0..6 {
        let known: f64 = (0..i).map(|k| root[i][k] * found[k]).sum();
        found[i] = (found[i] - known) * root[i][i];
    }
    found
}

/// Solves `rootᵀ x = wanted` for a lower triangle as [`root`] leaves it.
fn backward(root: &Block, wanted: [f64; 6]) -> [f64; 6] {
    let mut found = wanted;
    for i in (0..6).rev() {
        found[i] *= root[i][i];
        let by = found[i];
        (0..i).for_each(|k| found[k] -= root[i][k] * by);
    }
    found
}

fn transposed(block: &Block) -> Block {
    std::array::from_fn(|i| std::array::from_fn(|j| block[j][i]))
}

/// Subtracts the product of two blocks.
fn subtract_product(from: &mut Block, left: &Block, right: &Block) {
    for (from, left) in from.iter_mut().zip(left) {
        for (by, right) in left.iter().zip(right) {
            from.iter_mut().zip(right).for_each(|(from, value)| *from -= by * value);
        }
    }
}

fn dot(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles_testkit::generate::Random;

    fn random_block(random: &mut Random, scale: f64) -> Block {
        std::array::from_fn(|_| std::array::from_fn(|_| random.between(-scale, scale)))
    }

    #[test]
    fn the_solution_has_the_right_side_as_its_product() {
        for seed in 0..60 {
            let random = &mut Random::new(seed);
            let count = 1 + random.below(14);
            let pairs: Vec<[usize; 2]> = (0..random.below(3 * count))
                .map(|_| [random.below(count), random.below(count)])
                .filter(|[a, b]| a != b)
                .collect();
            let mut sparse = Sparse::zero(count, pairs.iter().copied());
            sparse.set_one();
            let size = 6 * count;
            let mut dense = vec![vec![0.0; size]; size];
            (0..size).for_each(|i| dense[i][i] = 1.0);
            let own = (0..count).map(|thing| [thing, thing]);
            for [of, by] in pairs.iter().copied().chain(own) {
                let mut block = random_block(random, 0.3);
                if of == by {
                    block = std::array::from_fn(|i| {
                        std::array::from_fn(|j| 0.5 * (block[i][j] + block[j][i]))
                    });
                    (0..6).for_each(|i| block[i][i] += 20.0);
                }
                sparse.add([of, by], &block);
                for (i, j) in (0..6).flat_map(|i| (0..6).map(move |j| (i, j))) {
                    dense[6 * of + i][6 * by + j] += block[i][j];
                    if of != by {
                        dense[6 * by + j][6 * of + i] += block[i][j];
                    }
                }
            }
            let wanted: Vec<f64> = (0..size).map(|_| random.between(-1.0, 1.0)).collect();
            let mut found = wanted.clone();
            assert!(sparse.factor(), "seed {seed}");
            sparse.solve(&mut found);
            for (row, wanted) in dense.iter().zip(&wanted) {
                let product: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum();
                assert!((product - wanted).abs() < 1e-12, "seed {seed}: {product} for {wanted}");
            }
        }
    }

    #[test]
    fn a_chain_and_a_star_fill_nothing() {
        let chain = (0..50).map(|i| [i, i + 1]);
        let star = (1..51).map(|i| [0, i]);
        let counts = [Sparse::zero(51, chain), Sparse::zero(51, star)].map(|s| s.rows.len());
        assert_eq!(counts, [51 + 50; 2]);
    }

    #[test]
    fn a_matrix_that_is_not_positive_has_no_factor() {
        let mut flat = Sparse::zero(2, [[0, 1]].into_iter());
        flat.set_one();
        let mut one = ZERO;
        (0..6).for_each(|i| one[i][i] = 1.0);
        flat.add([1, 0], &one);
        assert!(!flat.factor());
    }
}
