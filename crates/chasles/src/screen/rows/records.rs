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

use crate::numeric::{lower, upper};
use crate::screen::place::axes::Dot;
use crate::screen::rows::band::Starts;

/// What a sub-edge leaves in one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Record {
    /// Where the run is lowest in `rho`.
    pub(in crate::screen) from: Dot,
    /// Where it is highest.
    pub(in crate::screen) to: Dot,
    /// The number of the sub-edge.
    pub(in crate::screen) sub: u32,
    pub(in crate::screen) row: u32,
}

impl Record {
    /// Least and greatest `h`.
    #[inline]
    pub(in crate::screen) fn span(&self) -> [f32; 2] {
        let [p, q] = [self.from.h, self.to.h];
        if p < q { [p, q] } else { [q, p] }
    }

    /// Earliest and latest `t`.
    #[inline]
    pub(in crate::screen) fn times(&self) -> [f32; 2] {
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
    /// By slabs of time first, and by height within, for comparison with the paper: not faster
    /// where it was measured. Compares less where many layers lie behind each other and the step is
    /// short: a bolt that turns by a few degrees in its nut. In a whole turn of that bolt rows
    /// compare 1 to 2 % more than by height.
    Time,
    /// From a hash table of pixels, for comparison with the paper: never faster where it was
    /// measured. Only for [`Drawing::Pixels`](crate::screen::Drawing::Pixels); rows are sorted by
    /// height.
    Hash,
}

/// The ranges of `h` and `t` of all records, sorted by rows, each in an array of its own so that
/// four can be compared at a time.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Spans {
    starts: Starts,
    low: Vec<f32>,
    high: Vec<f32>,
    early: Vec<f32>,
    late: Vec<f32>,
    /// Numbers of the records.
    number: Vec<u32>,
    /// For each row, unless it is too short to be sorted.
    sorted: Vec<Option<Sorted>>,
    slabs: Slabs,
    sorting: Vec<(u8, f32, u32)>,
}

/// Slabs of time, in each of which records are sorted by themselves. A record is in the slab of its
/// earliest time; those that last longer than a slab are in one more, the last.
#[derive(Clone, Copy, Debug)]
struct Slabs {
    start: f32,
    width: f32,
    count: u32,
}

impl Default for Slabs {
    fn default() -> Self {
        Self { start: 0.0, width: 1.0, count: 1 }
    }
}

/// A slab is this many times as long as a record lasts on average, or as the step: a search looks
/// into the slab before, and few records last longer.
const SLAB: f32 = 4.0;

/// So many slabs at most: each costs a little in every row.
const MOST_SLABS: f32 = 64.0;

impl Slabs {
    fn new(records: &[Record], order: Order) -> Self {
        if order != Order::Time || records.is_empty() {
            return Self::default();
        }
        let [mut start, mut end, mut sum] = [f32::INFINITY, f32::NEG_INFINITY, 0.0];
        for record in records {
            let [early, late] = record.times();
            start = lower(start, early);
            end = upper(end, early);
            sum += late - early;
        }
        let mean = upper(sum / records.len() as f32, 1.0);
        let width = upper(SLAB * mean, (end - start) / MOST_SLABS);
        let count = ((end - start) / width) as u32 + 2;
        // Where times have no bounds, there is nothing to divide.
        if width.is_finite() { Self { start, width, count } } else { Self::default() }
    }

    /// The slab of a record.
    #[inline]
    fn of(&self, record: &Record) -> u32 {
        if self.count == 1 {
            return 0;
        }
        let [early, late] = record.times();
        if late - early > self.width { self.count - 1 } else { self.at(early) }
    }

    /// The slab at a time; conversions saturate.
    #[inline]
    fn at(&self, time: f32) -> u32 {
        (((time - self.start) / self.width) as u32).min(self.count.saturating_sub(2))
    }

    /// The slabs with records that may meet a range of times, besides the last.
    #[inline]
    fn near(&self, [early, late]: [f32; 2]) -> Range<u32> {
        if self.count == 1 {
            return 0..0;
        }
        self.at(early - self.width)..self.at(late) + 1
    }
}

/// How a row is sorted: ranges of similar length stand together, each such class in the order of
/// the lower ends. A search looks as far down as the longest range of a class, so long ranges make
/// only searches among themselves long.
#[derive(Clone, Copy, Debug)]
struct Sorted {
    /// Where each class ends, counted from the start of the row.
    ends: [u32; CLASSES],
    /// No range of a class is longer.
    longest: [f32; CLASSES],
}

const CLASSES: usize = 4;

/// No range of a class is longer than this many times the mean; the last class has no bound.
const LONGEST: [f32; CLASSES] = [1.0, 4.0, 16.0, f32::INFINITY];

/// Shorter rows are searched from end to end.
const WORTH_SORTING: usize = 48;

/// Ranges of `h` and `t` that others are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Window {
    pub(in crate::screen) h: [f32; 2],
    pub(in crate::screen) t: [f32; 2],
}

impl Spans {
    /// Sorts records, whose rows are below `count`: a counting sort, linear in both, and then a
    /// sort within long rows. Ranges of virtual sub-edges, those from `first_virtual` on, are empty
    /// and meet nothing.
    pub(in crate::screen) fn sort(
        &mut self,
        records: &[Record],
        count: u32,
        first_virtual: u32,
        order: Order,
    ) {
        let slabs = Slabs::new(records, order);
        self.slabs = slabs;
        let slot = |record: &Record| record.row * slabs.count + slabs.of(record);
        let slots = count * slabs.count;
        self.starts.count(records.iter().map(slot), slots);
        let size = records.len();
        if self.number.len() < size {
            self.number.resize(size, 0);
            for lane in [&mut self.low, &mut self.high, &mut self.early, &mut self.late] {
                lane.resize(size, 0.0);
            }
        }
        for (i, record) in (0..).zip(records) {
            let place = self.starts.place(slot(record));
            self.write(place, i, record, first_virtual);
        }
        self.sorted.clear();
        self.sorted.resize(slots as usize, None);
        for slot in 0..slots {
            if self.starts.between(slot..slot + 1).len() >= WORTH_SORTING {
                self.sort_slot(slot, records, first_virtual);
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

    fn sort_slot(&mut self, slot: u32, records: &[Record], first_virtual: u32) {
        let range = self.starts.between(slot..slot + 1);
        let mut sorting = std::mem::take(&mut self.sorting);
        let [from, to] = [&self.low, &self.high];
        let length = |i: usize| (to[i] - from[i]).max(0.0);
        let all = range.clone().map(length).filter(|l| l.is_finite()).sum::<f32>();
        let longest = LONGEST.map(|times| times * all / range.len() as f32);
        let class = |i: usize| {
            let is_shorter = |most: &f32| length(i) <= *most;
            longest.iter().position(is_shorter).unwrap_or(CLASSES - 1)
        };
        sorting.clear();
        sorting.extend(range.clone().map(|i| (class(i) as u8, from[i], self.number[i])));
        let key = |p: &(u8, f32, u32), q: &(u8, f32, u32)| {
            p.0.cmp(&q.0).then(p.1.total_cmp(&q.1)).then(p.2.cmp(&q.2))
        };
        sorting.sort_unstable_by(key);
        let end = |class: u8| sorting.partition_point(|thing| thing.0 <= class) as u32;
        let ends = [0, 1, 2, 3].map(end);
        for (place, &(.., number)) in range.zip(&sorting) {
            self.write(place, number, &records[number as usize], first_virtual);
        }
        self.sorting = sorting;
        self.sorted[slot as usize] = Some(Sorted { ends, longest });
    }

    /// The numbers of the records in some neighbouring rows.
    #[inline]
    pub(in crate::screen) fn numbers(&self, rows: Range<u32>) -> &[u32] {
        let slabs = self.slabs.count;
        &self.number[self.starts.between(rows.start * slabs..rows.end * slabs)]
    }

    /// The ranges of the record at a place.
    #[inline]
    pub(in crate::screen) fn window(&self, place: usize) -> Window {
        Window { h: [self.low[place], self.high[place]], t: [self.early[place], self.late[place]] }
    }

    /// The places of the records of a row.
    #[inline]
    pub(in crate::screen) fn places(&self, row: u32) -> Range<usize> {
        let slabs = self.slabs.count;
        self.starts.between(row * slabs..(row + 1) * slabs)
    }

    /// The number of the record at a place.
    #[inline]
    pub(in crate::screen) fn number(&self, place: usize) -> u32 {
        self.number[place]
    }

    /// Calls `found` with the number of every record of a row whose ranges meet a window, and
    /// returns how many were compared.
    #[inline]
    pub(in crate::screen) fn search(
        &self,
        row: u32,
        window: &Window,
        mut found: impl FnMut(u32),
    ) -> usize {
        let first = row * self.slabs.count;
        let near = self.slabs.near(window.t);
        let all = near.chain(std::iter::once(self.slabs.count - 1));
        all.map(|slab| self.search_slot(first + slab, window, &mut found)).sum()
    }

    #[inline(always)]
    fn search_slot(&self, slot: u32, window: &Window, found: &mut impl FnMut(u32)) -> usize {
        let range = self.starts.between(slot..slot + 1);
        let Some(sorted) = &self.sorted[slot as usize] else {
            self.compare(range.clone(), window, found);
            return range.len();
        };
        let [from, to] = window.h;
        let mut compared = 0;
        let mut start = range.start;
        for (end, longest) in sorted.ends.into_iter().zip(sorted.longest) {
            let end = range.start + end as usize;
            let keys = &self.low[start..end];
            let first = keys.partition_point(|key| *key < from - longest);
            let count = keys[first..].partition_point(|key| *key <= to);
            self.compare(start + first..start + first + count, window, found);
            compared += count;
            start = end;
        }
        compared
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
