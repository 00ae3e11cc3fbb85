//! The least and the greatest height of ever larger squares of cells.

use super::super::Place;

/// Boxes opened for one question at most; more are only worth a distance.
const MAX_TILES: u32 = 256;

/// The pyramid of heights, from cells to all.
#[derive(Clone, Debug)]
pub(super) struct Tiles {
    levels: Vec<Level>,
}

/// Squares of one size.
#[derive(Clone, Debug)]
struct Level {
    counts: [usize; 2],
    /// The least and the greatest height of each.
    ranges: Vec<[f64; 2]>,
}

/// A square of the pyramid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tile {
    pub(super) level: usize,
    pub(super) at: [usize; 2],
}

impl Tile {
    /// Its first cell, and the one after its last as if the grid had no end.
    pub(super) fn cells(&self) -> [[usize; 2]; 2] {
        [self.at.map(|i| i << self.level), self.at.map(|i| (i + 1) << self.level)]
    }
}

/// The range of both.
fn joined(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    [a[0].min(b[0]), a[1].max(b[1])]
}

impl Level {
    /// A range for each square, from those of `parts` that `range` finds below it.
    fn new(counts: [usize; 2], range: impl Fn(usize, usize) -> [f64; 2]) -> Self {
        let all = (0..counts[1]).flat_map(|j| (0..counts[0]).map(move |i| (i, j)));
        Self { counts, ranges: all.map(|(i, j)| range(i, j)).collect() }
    }

    fn range(&self, [i, j]: [usize; 2]) -> [f64; 2] {
        self.ranges[j * self.counts[0] + i]
    }

    /// The range of up to 2 by 2 squares.
    fn of_four(&self, i: usize, j: usize) -> [f64; 2] {
        let last = [(2 * i + 1).min(self.counts[0] - 1), (2 * j + 1).min(self.counts[1] - 1)];
        let row = |j| joined(self.range([2 * i, j]), self.range([last[0], j]));
        joined(row(2 * j), row(last[1]))
    }
}

impl Tiles {
    pub(super) fn new(heights: &[f64], cells: [usize; 2]) -> Self {
        let sample = |i: usize, j: usize| [heights[j * (cells[0] + 1) + i]; 2];
        let row = |i, j| joined(sample(i, j), sample(i + 1, j));
        let mut levels = vec![Level::new(cells, |i, j| joined(row(i, j), row(i, j + 1)))];
        while let Some(below) = levels.last().filter(|level| level.counts != [1, 1]) {
            let counts = below.counts.map(|count| count.div_ceil(2));
            let level = Level::new(counts, |i, j| below.of_four(i, j));
            levels.push(level);
        }
        Self { levels }
    }

    /// The square of all cells.
    pub(super) fn top(&self) -> Tile {
        Tile { level: self.levels.len() - 1, at: [0, 0] }
    }

    pub(super) fn highest(&self) -> f64 {
        self.range(self.top())[1]
    }

    #[inline]
    pub(super) fn range(&self, tile: Tile) -> [f64; 2] {
        self.levels[tile.level].range(tile.at)
    }

    /// The up to four squares of a square that is not a cell.
    pub(super) fn parts(&self, tile: Tile) -> impl Iterator<Item = Tile> {
        let level = tile.level - 1;
        let counts = self.levels[level].counts;
        let part = move |k: usize| [2 * tile.at[0] + (k & 1), 2 * tile.at[1] + (k >> 1)];
        (0..4)
            .map(part)
            .filter(move |at| at[0] < counts[0] && at[1] < counts[1])
            .map(move |at| Tile { level, at })
    }

    /// Whether heights from `low` to `high` are above or below the surface of all cells from
    /// `first` to `last`.
    pub(super) fn place(&self, cells: [[usize; 2]; 2], [low, high]: [f64; 2]) -> Place {
        let mut opened = 0;
        self.place_in(self.top(), &Range { cells, low, high }, &mut opened)
    }

    fn place_in(&self, tile: Tile, range: &Range, opened: &mut u32) -> Place {
        let [least, greatest] = self.range(tile);
        if range.low > greatest {
            return Place::Outside;
        }
        if range.high < least {
            return Place::Inside;
        }
        *opened += 1;
        if tile.level == 0 || *opened > MAX_TILES {
            return Place::Unsure;
        }
        let mut found = None;
        for part in self.parts(tile).filter(|part| range.meets(part)) {
            let place = self.place_in(part, range, opened);
            if place == Place::Unsure || found.is_some_and(|found| found != place) {
                return Place::Unsure;
            }
            found = Some(place);
        }
        found.unwrap_or(Place::Unsure)
    }
}

/// Cells and heights that are asked for.
struct Range {
    cells: [[usize; 2]; 2],
    low: f64,
    high: f64,
}

impl Range {
    fn meets(&self, tile: &Tile) -> bool {
        let ([first, last], [start, end]) = (self.cells, tile.cells());
        (0..2).all(|k| start[k] <= last[k] && first[k] < end[k])
    }
}
