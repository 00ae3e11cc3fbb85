//! The pixels of a row in a hash table, instead of a sweep over sorted records [Buss04 §10].
//!
//! *For comparison with the paper*: in every case measured the sweep is as fast or faster
//! (`docs/screen.md`, "What was tried").
//!
//! Records of B are put down in each cell of a few pixels that they cover, those that cover many in
//! a list; each record of A then looks into its own cells. Of several cells that both cover, the
//! first counts.

use super::crossings::Search;
use super::run::Run;

/// The records of a row of B by cells. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// For each slot the first of its entries and 1, or 0; a power of 2.
    slots: Vec<u32>,
    /// The number of a record, its cell, and the next entry of the slot.
    entries: Vec<(u32, i32, u32)>,
    /// Records that cover many cells.
    long: Vec<u32>,
}

/// A cell is so many pixels wide, as a power of 2: few records are longer.
const SHIFT: i32 = 2;

/// A record that covers more cells is in the list.
const MOST_CELLS: i32 = 16;

impl Cells {
    /// Tests all pairs whose ranges of `h` come near each other.
    pub(super) fn search(
        &mut self,
        search: &Search<'_>,
        test: &mut impl FnMut(&Run, &Run),
    ) -> usize {
        let [a, b] = search.rows;
        self.fill(search);
        let mask = self.slots.len() - 1;
        let mut compared = 0;
        for run in a.iter().filter(|run| run.sub < search.firsts[0]) {
            compared += self.long.len();
            self.long.iter().for_each(|&i| test(run, &b[i as usize]));
            let first = (run.low - 1 - search.reach) >> SHIFT;
            let last = (run.high + 1 + search.reach) >> SHIFT;
            for cell in first..=last {
                let mut next = self.slots[slot(cell) & mask];
                while next != 0 {
                    let (number, of, after) = self.entries[next as usize - 1];
                    let other = &b[number as usize];
                    if of == cell && cell == first.max(other.low >> SHIFT) {
                        compared += 1;
                        test(run, other);
                    }
                    next = after;
                }
            }
        }
        compared
    }

    fn fill(&mut self, search: &Search<'_>) {
        let b = search.rows[1];
        let size = (2 * b.len()).next_power_of_two().max(self.slots.len());
        self.slots.clear();
        self.slots.resize(size, 0);
        self.entries.clear();
        self.long.clear();
        for (number, run) in (0..).zip(b).filter(|(_, run)| run.sub < search.firsts[1]) {
            let [first, last] = [run.low >> SHIFT, run.high >> SHIFT];
            if last - first >= MOST_CELLS {
                self.long.push(number);
                continue;
            }
            for cell in first..=last {
                let head = &mut self.slots[slot(cell) & (size - 1)];
                self.entries.push((number, cell, *head));
                *head = self.entries.len() as u32;
            }
        }
    }
}

/// Neighbouring cells are in neighbouring slots.
#[inline]
fn slot(cell: i32) -> usize {
    cell as u32 as usize
}
