//! Pixel records, gathered by rows [Buss04 §9, steps three and four].
//!
//! A row is all pixels of some neighbouring `rho`. A record is what one sub-edge leaves in one row:
//! the run from the place where it enters the row to the place where it leaves, so that `h_min`,
//! `h_max`, time, duration and slope are all there.
//!
//! Differs from [Buss04 §9]: a run is the straight line itself and covers all pixels that it
//! touches, where Bresenham's covers one for each step. Two diagonals can cross between Bresenham's
//! pixels without sharing one; runs that cover always overlap. And since a run keeps its ends, a
//! row may be several pixels high without loss: it is about as high as a short edge is long, which
//! leaves a few records an edge at any resolution instead of one for every pixel of its height.

use std::ops::Range;

use wide::f32x4;

use super::axes::Dot;
use super::band::Starts;

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

/// By what the records of a row are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// By height `h`, as the paper does: best for bodies that are nearly convex.
    #[default]
    Height,
    /// By time: best where many layers lie behind each other, such as a bolt in its nut.
    Time,
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
    sorted: Vec<Sorted>,
    order: Order,
    sorting: Vec<(f32, u32)>,
}

/// How a row is sorted: a few long ranges first, in no order, then the others by their lower end.
#[derive(Clone, Copy, Debug)]
struct Sorted {
    /// How many are not in order; all of them in a row that is not sorted.
    long: u32,
    /// No range of the others is longer.
    longest: f32,
}

/// Ranges this many times longer than the mean are set apart, so that one of them does not make
/// every search long.
const LONG: f32 = 4.0;

/// Shorter rows are searched from end to end.
const WORTH_SORTING: usize = 48;

/// Ranges of `h` and `t` that others are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Window {
    pub(super) h: [f32; 2],
    pub(super) t: [f32; 2],
}

impl Spans {
    /// Sorts records, whose rows are below `count`: a counting sort, linear in both, and then a
    /// sort within long rows. Ranges of virtual sub-edges, those from `first_virtual` on, are empty
    /// and meet nothing.
    pub(super) fn sort(
        &mut self,
        records: &[Record],
        count: u32,
        first_virtual: u32,
        order: Order,
    ) {
        self.starts.count(records.iter().map(|record| record.row), count);
        let size = records.len();
        if self.number.len() < size {
            self.number.resize(size, 0);
            for lane in [&mut self.low, &mut self.high, &mut self.early, &mut self.late] {
                lane.resize(size, 0.0);
            }
        }
        for (i, record) in (0..).zip(records) {
            let place = self.starts.place(record.row);
            self.write(place, i, record, first_virtual);
        }
        self.order = order;
        self.sorted.clear();
        self.sorted.resize(count as usize, Sorted { long: u32::MAX, longest: 0.0 });
        for row in 0..count {
            if self.starts.between(row..row + 1).len() >= WORTH_SORTING {
                self.sort_row(row, records, first_virtual);
            }
        }
    }

    #[inline]
    fn write(&mut self, place: usize, number: u32, record: &Record, first_virtual: u32) {
        let is_real = record.sub < first_virtual;
        let span = if is_real { record.span() } else { [f32::INFINITY, f32::NEG_INFINITY] };
        let times = record.times();
        self.low[place] = span[0];
        self.high[place] = span[1];
        self.early[place] = times[0];
        self.late[place] = times[1];
        self.number[place] = number;
    }

    fn sort_row(&mut self, row: u32, records: &[Record], first_virtual: u32) {
        let range = self.starts.between(row..row + 1);
        let mut sorting = std::mem::take(&mut self.sorting);
        let [from, to] = self.sorted_by();
        let length = |i: usize| (to[i] - from[i]).max(0.0);
        let mean = range.clone().map(length).filter(|l| l.is_finite()).sum::<f32>();
        let longest = LONG * mean / range.len() as f32;
        let is_long = |i: usize| length(i) > longest;
        let key = |i: usize| if is_long(i) { f32::NEG_INFINITY } else { from[i] };
        sorting.clear();
        sorting.extend(range.clone().map(|i| (key(i), self.number[i])));
        let long = range.clone().filter(|&i| is_long(i)).count() as u32;
        sorting.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        for (place, &(_, number)) in range.zip(&sorting) {
            self.write(place, number, &records[number as usize], first_virtual);
        }
        self.sorting = sorting;
        self.sorted[row as usize] = Sorted { long, longest };
    }

    fn sorted_by(&self) -> [&[f32]; 2] {
        match self.order {
            Order::Height => [&self.low, &self.high],
            Order::Time => [&self.early, &self.late],
        }
    }

    /// The numbers of the records in some neighbouring rows.
    #[inline]
    pub(super) fn numbers(&self, rows: Range<u32>) -> &[u32] {
        &self.number[self.starts.between(rows)]
    }

    /// The ranges of the record at a place.
    #[inline]
    pub(super) fn window(&self, place: usize) -> Window {
        Window { h: [self.low[place], self.high[place]], t: [self.early[place], self.late[place]] }
    }

    /// The places of the records of a row.
    #[inline]
    pub(super) fn places(&self, row: u32) -> Range<usize> {
        self.starts.between(row..row + 1)
    }

    /// The number of the record at a place.
    #[inline]
    pub(super) fn number(&self, place: usize) -> u32 {
        self.number[place]
    }

    /// Calls `found` with the number of every record of a row whose ranges meet a window, and
    /// returns how many were compared.
    #[inline]
    pub(super) fn search(&self, row: u32, window: &Window, mut found: impl FnMut(u32)) -> usize {
        let [long, others] = self.narrowed(row, window);
        self.compare(long.clone(), window, &mut found);
        if !others.is_empty() {
            self.compare(others.clone(), window, &mut found);
        }
        long.len() + others.len()
    }

    /// Compares the records at some places with a window, four at a time.
    #[inline]
    fn compare(&self, range: Range<usize>, window: &Window, found: &mut impl FnMut(u32)) {
        let Window { h: [low, high], t: [early, late] } = *window;
        let [lows, highs, earlies, lates] =
            [&self.low, &self.high, &self.early, &self.late].map(|lane| &lane[range.clone()]);
        let numbers = &self.number[range];
        let count = numbers.len();
        let four = count & !3;
        for i in (0..four).step_by(4) {
            let lane = |v: &[f32]| f32x4::new([v[i], v[i + 1], v[i + 2], v[i + 3]]);
            let meets = lane(lows).simd_le(f32x4::splat(high))
                & lane(highs).simd_ge(f32x4::splat(low))
                & lane(earlies).simd_le(f32x4::splat(late))
                & lane(lates).simd_ge(f32x4::splat(early));
            let mut bits = meets.to_bitmask();
            while bits != 0 {
                found(numbers[i + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
        }
        for i in four..count {
            let in_h = (lows[i] <= high) & (highs[i] >= low);
            if in_h & (earlies[i] <= late) & (lates[i] >= early) {
                found(numbers[i]);
            }
        }
    }

    /// The parts of a row that can meet a window: long ranges, and others by what they are sorted
    /// by.
    #[inline]
    fn narrowed(&self, row: u32, window: &Window) -> [Range<usize>; 2] {
        let range = self.places(row);
        let Sorted { long, longest } = self.sorted[row as usize];
        if long as usize >= range.len() {
            return [range.clone(), range.end..range.end];
        }
        let [from, to] = match self.order {
            Order::Height => window.h,
            Order::Time => window.t,
        };
        let start = range.start + long as usize;
        let keys = &self.sorted_by()[0][start..range.end];
        let first = keys.partition_point(|key| *key < from - longest);
        let end = first + keys[first..].partition_point(|key| *key <= to);
        [range.start..start, start + first..start + end]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(row: u32, sub: u32, h: [f32; 2], t: [f32; 2]) -> Record {
        let dot = |i: usize| Dot { rho: 0.0, h: h[i], t: t[i] };
        Record { from: dot(0), to: dot(1), sub, row }
    }

    #[test]
    fn records_come_out_by_rows_in_their_old_order() {
        let things = [(2, 0), (0, 1), (2, 2), (1, 3), (0, 4)];
        let things = things.map(|(row, sub)| record(row, sub, [0.0; 2], [0.0; 2]));
        let mut rows = Spans::default();
        rows.sort(&things, 4, 4, Order::Height);
        let numbers = |row| rows.numbers(row..row + 1).to_vec();
        let all = [numbers(0), numbers(1), numbers(2), numbers(3)];
        assert_eq!(all, [vec![1, 4], vec![3], vec![0, 2], vec![]]);
        assert_eq!(rows.numbers(1..3).len(), 3);
        let [low, high] = rows.window(rows.places(0).start + 1).h;
        assert!(low > high, "a virtual record meets nothing");
    }

    #[test]
    fn sorted_rows_find_what_a_plain_search_finds() {
        let mut state = 5u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut range = |size: f32| {
            let from = 100.0 * random();
            [from, from + size * (random() - 0.5)]
        };
        let things: Vec<Record> = (0..200).map(|i| record(0, i, range(9.0), range(9.0))).collect();
        for order in [Order::Height, Order::Time] {
            let mut spans = Spans::default();
            spans.sort(&things, 1, 190, order);
            for _ in 0..50 {
                let [h, t] = [range(20.0), range(20.0)].map(|[p, q]| [p.min(q), p.max(q)]);
                let mut found = Vec::new();
                let compared = spans.search(0, &Window { h, t }, |i| found.push(i));
                found.sort_unstable();
                let meets = |p: [f32; 2], q: [f32; 2]| p[0] <= q[1] && p[1] >= q[0];
                let expected: Vec<u32> = (0..190)
                    .filter(|&i| meets(things[i as usize].span(), h))
                    .filter(|&i| meets(things[i as usize].times(), t))
                    .collect();
                assert_eq!(found, expected);
                assert!(compared < 150, "the sorting narrows the search");
            }
        }
    }
}
