//! The pixels of one body in order: bucket-sorted by rows, then shell-sorted by `h_min`
//! [Buss04 §9, step four].

use std::ops::Range;

use super::run::{Bresenham, Run, pixel};
use crate::screen::drawing::drawn::Mark;
use crate::screen::drawing::pieces::{Ink, Paper};
use crate::screen::rows::band::{Band, Starts};

/// The pixels of one body. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Sheet {
    drawn: Vec<Run>,
    runs: Vec<Run>,
    starts: Starts,
    /// Vertices by rows, and then by `h`.
    spots: Vec<Spot>,
    starts_of_spots: Starts,
}

/// The pixel of a vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spot {
    pub(super) h: i32,
    pub(super) row: u32,
    pub(super) mark: Mark,
}

impl Sheet {
    /// Starts anew: what draws pieces as pixels.
    pub(in crate::screen) fn pen(&mut self, ink: &Ink<'_>) -> impl Paper {
        self.drawn.clear();
        Bresenham::new(ink, &mut self.drawn)
    }

    /// Sorts what was drawn, and the vertices.
    pub(in crate::screen) fn sort(&mut self, band: &Band, marks: &[Mark]) {
        let Self { drawn, runs, starts, spots, starts_of_spots } = self;
        runs.resize(drawn.len(), Run::default());
        starts.count(drawn.iter().map(|run| run.row), band.count);
        for run in &*drawn {
            runs[starts.place(run.row)] = *run;
        }
        spots.clear();
        spots.resize(marks.len(), Spot::default());
        starts_of_spots.count(marks.iter().map(|mark| band.row(mark.dot.rho)), band.count);
        for &mark in marks {
            let row = band.row(mark.dot.rho);
            spots[starts_of_spots.place(row)] = Spot { h: pixel(mark.dot.h), row, mark };
        }
        for row in 0..band.count {
            shell_sort(&mut runs[starts.between(row..row + 1)], |run| (run.low, run.sub));
            let spots = &mut spots[starts_of_spots.between(row..row + 1)];
            shell_sort(spots, |spot| (spot.h, spot.mark.vertex));
        }
    }

    /// How many records there are.
    pub(in crate::screen) fn len(&self) -> usize {
        self.drawn.len()
    }

    /// The records of a row, by increasing `h_min`.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &[Run] {
        &self.runs[self.starts.between(row..row + 1)]
    }

    /// The vertices of a row, by increasing `h`.
    #[inline]
    pub(super) fn spots(&self, row: u32) -> &[Spot] {
        &self.spots[self.starts_of_spots.between(row..row + 1)]
    }
}

/// Rows within `reach` of a row.
pub(super) fn around(row: u32, reach: u32, count: u32) -> Range<u32> {
    row.saturating_sub(reach)..(row + reach + 1).min(count)
}

/// Steps of a shell sort, due to Ciura (2001); rows of more are rare, and still sorted.
const STEPS: [usize; 9] = [3506, 1577, 701, 301, 132, 57, 23, 10, 4];

/// Sorts by a key; the paper's choice for rows of a few pixels.
pub(super) fn shell_sort<T: Copy, K: PartialOrd>(things: &mut [T], key: impl Fn(&T) -> K) {
    let count = things.len();
    let steps = STEPS.into_iter().filter(|step| *step < count);
    for step in steps.chain([1]) {
        for i in step..count {
            let thing = things[i];
            let mut place = i;
            while place >= step && key(&thing) < key(&things[place - step]) {
                things[place] = things[place - step];
                place -= step;
            }
            things[place] = thing;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shell_sort_sorts() {
        let mut state = 9u32;
        for count in [0, 1, 2, 3, 10, 100, 5000] {
            let mut things: Vec<u32> = (0..count)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 20
                })
                .collect();
            let mut sorted = things.clone();
            sorted.sort_unstable();
            shell_sort(&mut things, |x| *x);
            assert_eq!(things, sorted);
        }
    }
}
