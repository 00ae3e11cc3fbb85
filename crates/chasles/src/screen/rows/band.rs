//! Rows of the screen, and a counting sort of things into them [Buss04 §9, step four].

use std::ops::Range;

/// The rows in which both bodies can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Band {
    /// `rho` of the lower border of row 0.
    pub(in crate::screen) base: f32,
    /// How high a row is, in pixels, and one over that.
    pub(in crate::screen) height: f32,
    pub(in crate::screen) per_height: f32,
    pub(in crate::screen) count: u32,
}

impl Band {
    /// The same as one row.
    pub(in crate::screen) fn in_one(&self) -> Self {
        let height = self.height * self.count as f32;
        Self { base: self.base, height, per_height: 1.0 / height, count: 1 }
    }

    /// The row of a place; below 0 and beyond the last row, the nearest one.
    #[inline]
    pub(in crate::screen) fn row(&self, rho: f32) -> u32 {
        // A conversion saturates.
        (((rho - self.base) * self.per_height) as u32).min(self.count - 1)
    }

    /// The rows within `margin` of a range of places.
    #[inline]
    pub(in crate::screen) fn rows(&self, [low, high]: [f32; 2], margin: f32) -> Range<u32> {
        self.row(low - margin)..self.row(high + margin) + 1
    }

    /// `rho` of the lower border of a row.
    #[inline]
    pub(in crate::screen) fn border(&self, row: u32) -> f32 {
        self.base + row as f32 * self.height
    }
}

/// Where the rows start in an array that is sorted by rows.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Starts(Vec<u32>);

impl Starts {
    /// Counts rows, all below `count`; [`Starts::place`] then gives each thing its place, once.
    pub(in crate::screen) fn count(&mut self, rows: impl Iterator<Item = u32>, count: u32) {
        self.0.clear();
        self.0.resize(count as usize + 2, 0);
        for row in rows {
            self.0[row as usize + 2] += 1;
        }
        for i in 2..self.0.len() {
            self.0[i] += self.0[i - 1];
        }
    }

    /// The next free place of a row. Each start moves to the end of its row, where the next begins.
    #[inline]
    pub(in crate::screen) fn place(&mut self, row: u32) -> usize {
        let place = &mut self.0[row as usize + 1];
        *place += 1;
        *place as usize - 1
    }

    #[inline]
    pub(in crate::screen) fn between(&self, rows: Range<u32>) -> Range<usize> {
        self.0[rows.start as usize] as usize..self.0[rows.end as usize] as usize
    }
}
