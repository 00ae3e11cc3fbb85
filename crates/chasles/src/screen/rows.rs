//! Pixel records, gathered by rows [Buss04 §9, steps three and four].
//!
//! A row is all pixels of one `rho`. A record is what one sub-edge leaves in one row: the run from
//! the place where it enters the row to the place where it leaves, so that `h_min`, `h_max`, time,
//! duration and slope are all there.
//!
//! Differs from [Buss04 §9]: a run covers all pixels that the curve touches, where Bresenham's
//! covers one for each step. Two diagonals can cross between Bresenham's pixels without sharing
//! one; runs that cover always overlap.

use super::axes::Dot;

/// What a sub-edge leaves in one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Record {
    /// Where the run is lowest in `rho`.
    pub(super) from: Dot,
    /// Where it is highest.
    pub(super) to: Dot,
    /// The number of the sub-edge.
    pub(super) sub: u32,
    pub(super) row: u32,
}

impl Record {
    /// Least and greatest `h`.
    #[inline]
    pub(super) fn span(&self) -> [f32; 2] {
        let [p, q] = [self.from.h, self.to.h];
        if p < q { [p, q] } else { [q, p] }
    }

    /// Earliest and latest `t`.
    #[inline]
    pub(super) fn times(&self) -> [f32; 2] {
        let [p, q] = [self.from.t, self.to.t];
        if p < q { [p, q] } else { [q, p] }
    }
}

/// A vertex on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Mark {
    pub(super) dot: Dot,
    pub(super) vertex: u32,
    pub(super) row: u32,
}

/// Things that lie in rows.
pub(super) trait InRow: Copy {
    fn row(&self) -> u32;
}

impl InRow for Record {
    #[inline]
    fn row(&self) -> u32 {
        self.row
    }
}

impl InRow for Mark {
    #[inline]
    fn row(&self) -> u32 {
        self.row
    }
}

/// Records or marks sorted by rows: a counting sort, linear in both.
#[derive(Clone, Debug)]
pub(super) struct Rows<T> {
    sorted: Vec<T>,
    starts: Vec<u32>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { sorted: Vec::new(), starts: Vec::new() }
    }
}

impl<T: InRow> Rows<T> {
    /// Sorts `things`, whose rows are below `count`; equal rows keep their order.
    pub(super) fn sort(&mut self, things: &[T], count: u32) {
        let Self { sorted, starts } = self;
        starts.clear();
        starts.resize(count as usize + 2, 0);
        for thing in things {
            starts[thing.row() as usize + 2] += 1;
        }
        for i in 2..starts.len() {
            starts[i] += starts[i - 1];
        }
        sorted.clear();
        sorted.extend_from_slice(things);
        for thing in things {
            // Each start moves to the end of its row, which is the start of the next.
            let place = &mut starts[thing.row() as usize + 1];
            sorted[*place as usize] = *thing;
            *place += 1;
        }
    }

    /// What lies in the rows from `first` to before `end`.
    #[inline]
    pub(super) fn between(&self, first: u32, end: u32) -> &[T] {
        &self.sorted[self.starts[first as usize] as usize..self.starts[end as usize] as usize]
    }

    /// What lies in a row.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[T] {
        self.between(row, row + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_by_rows_in_their_old_order() {
        let record = |row, sub| Record { from: Dot::default(), to: Dot::default(), sub, row };
        let things = [record(2, 0), record(0, 1), record(2, 2), record(1, 3), record(0, 4)];
        let mut rows = Rows::default();
        rows.sort(&things, 4);
        let subs = |row| rows.row(row).iter().map(|r| r.sub).collect::<Vec<_>>();
        assert_eq!([subs(0), subs(1), subs(2), subs(3)], [vec![1, 4], vec![3], vec![0, 2], vec![]]);
        assert_eq!(rows.between(1, 3).len(), 3);
    }
}
