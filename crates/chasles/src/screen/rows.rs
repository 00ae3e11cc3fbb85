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

/// Where the rows start in an array that is sorted by rows.
#[derive(Clone, Debug, Default)]
struct Starts(Vec<u32>);

impl Starts {
    /// Counts rows, all below `count`; [`Starts::place`] then gives each thing its place, once.
    fn count(&mut self, rows: impl Iterator<Item = u32>, count: u32) {
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
    fn place(&mut self, row: u32) -> usize {
        let place = &mut self.0[row as usize + 1];
        *place += 1;
        *place as usize - 1
    }

    #[inline]
    fn between(&self, first: u32, end: u32) -> std::ops::Range<usize> {
        self.0[first as usize] as usize..self.0[end as usize] as usize
    }
}

/// The ranges of `h` and `t` of all records, sorted by rows, each in an array of its own so that
/// four can be compared at a time.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    starts: Starts,
    low: Vec<f32>,
    high: Vec<f32>,
    early: Vec<f32>,
    late: Vec<f32>,
    /// Numbers of the records.
    number: Vec<u32>,
}

/// Ranges of one or more neighbouring rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpanRow<'s> {
    pub(super) low: &'s [f32],
    pub(super) high: &'s [f32],
    pub(super) early: &'s [f32],
    pub(super) late: &'s [f32],
    pub(super) number: &'s [u32],
}

impl Spans {
    /// Sorts records, whose rows are below `count`: a counting sort, linear in both. Ranges of
    /// virtual sub-edges, those from `first_virtual` on, are empty and meet nothing.
    pub(super) fn sort(&mut self, records: &[Record], count: u32, first_virtual: u32) {
        let Self { starts, low, high, early, late, number } = self;
        starts.count(records.iter().map(|record| record.row), count);
        let size = records.len();
        if number.len() < size {
            number.resize(size, 0);
            for lane in [&mut *low, &mut *high, &mut *early, &mut *late] {
                lane.resize(size, 0.0);
            }
        }
        for (i, record) in records.iter().enumerate() {
            let place = starts.place(record.row);
            let is_real = record.sub < first_virtual;
            let span = if is_real { record.span() } else { [f32::INFINITY, f32::NEG_INFINITY] };
            let times = record.times();
            low[place] = span[0];
            high[place] = span[1];
            early[place] = times[0];
            late[place] = times[1];
            number[place] = i as u32;
        }
    }

    /// What lies in the rows from `first` to before `end`.
    #[inline]
    pub(super) fn between(&self, first: u32, end: u32) -> SpanRow<'_> {
        let range = self.starts.between(first, end);
        SpanRow {
            low: &self.low[range.clone()],
            high: &self.high[range.clone()],
            early: &self.early[range.clone()],
            late: &self.late[range.clone()],
            number: &self.number[range],
        }
    }
}

/// Vertices sorted by rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    starts: Starts,
    sorted: Vec<Mark>,
}

impl Marks {
    /// Sorts marks, whose rows are below `count`.
    pub(super) fn sort(&mut self, marks: &[Mark], count: u32) {
        let Self { starts, sorted } = self;
        starts.count(marks.iter().map(|mark| mark.row), count);
        if let Some(&any) = marks.first()
            && sorted.len() < marks.len()
        {
            sorted.resize(marks.len(), any);
        }
        for mark in marks {
            sorted[starts.place(mark.row)] = *mark;
        }
    }

    /// The vertices in a row.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[Mark] {
        &self.sorted[self.starts.between(row, row + 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_out_by_rows_in_their_old_order() {
        let record = |row, sub| Record { from: Dot::default(), to: Dot::default(), sub, row };
        let things = [record(2, 0), record(0, 1), record(2, 2), record(1, 3), record(0, 4)];
        let mut rows = Spans::default();
        rows.sort(&things, 4, 4);
        let numbers = |row| rows.between(row, row + 1).number.to_vec();
        let all = [numbers(0), numbers(1), numbers(2), numbers(3)];
        assert_eq!(all, [vec![1, 4], vec![3], vec![0, 2], vec![]]);
        assert_eq!(rows.between(1, 3).number.len(), 3);
        let virtual_span = rows.between(0, 1);
        assert!(virtual_span.low[1] > virtual_span.high[1]);
    }

    #[test]
    fn marks_of_a_row_stand_together() {
        let mark = |row, vertex| Mark { dot: Dot::default(), vertex, row };
        let mut marks = Marks::default();
        marks.sort(&[mark(1, 7), mark(0, 8), mark(1, 9)], 2);
        assert_eq!(marks.row(1).iter().map(|m| m.vertex).collect::<Vec<_>>(), [7, 9]);
        marks.sort(&[], 3);
        assert!(marks.row(2).is_empty());
    }
}
