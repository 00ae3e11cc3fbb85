//! From a straight piece to pixels: Bresenham's line, and what it leaves in each row [Buss04 §9,
//! step three].
//!
//! ```text
//!   rho                                 a flat piece leaves runs      a steep one single pixels
//!    |        . # #                        row 1:      # # #             row 2:      #
//!    |  . # # '        -- h                row 0: # #                    row 1:    #
//!    |# '                                                                row 0:    #
//! ```
//!
//! Successive pixels of one `rho` are one record, which keeps the first and the last `h`, the time
//! there, how fast it grows along the run, how long the edge needs for the run, where it goes on in
//! the next row, and whether an end is a vertex.
//!
//! Differs from [Buss04 §9]: pieces keep their ends between pixels, and are not moved to the
//! middles of pixels first. Pixels are then within half a pixel of the piece instead of a whole
//! one, and those of two edges at a vertex still share the pixel of the vertex.

use crate::numeric::{lower, upper};
use crate::screen::drawing::pieces::{Ink, Paper, Piece};
use crate::screen::place::axes::Dot;
use crate::screen::rows::band::Band;

/// The edge ends in the row.
pub(super) const NOWHERE: i32 = i32::MIN;

/// Rows beyond all pixels.
const EVERYWHERE: [i32; 2] = [-1_000_000_000, 1_000_000_001];

/// What a sub-edge leaves in one row of pixels: the paper's pixel record.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::screen) struct Run {
    pub(super) row: u32,
    /// The number of the sub-edge, which knows its edge and the faces beside it.
    pub(super) sub: u32,
    /// The first and the last pixel, `h_min` and `h_max`.
    pub(super) low: i32,
    pub(super) high: i32,
    /// The time at the first pixel.
    pub(super) time: f32,
    /// How much later it is at the next pixel of the run.
    pub(super) slope: f32,
    /// How long the edge needs for the whole run.
    pub(super) duration: f32,
    /// The pixel in the next row where the edge goes on, or [`NOWHERE`].
    pub(super) next: i32,
    /// Which end of the edge is a vertex in the first pixel and in the last: 0 none, 1 the first
    /// end, 2 the second.
    pub(super) vertices: [u8; 2],
}

impl Run {
    /// Earliest and latest time.
    #[inline]
    pub(super) fn times(&self) -> [f32; 2] {
        let middle = self.time + 0.5 * self.slope * (self.high - self.low) as f32;
        [middle - 0.5 * self.duration, middle + 0.5 * self.duration]
    }

    /// The time at a pixel of the run.
    #[inline]
    pub(super) fn time_at(&self, h: i32) -> f32 {
        self.time + self.slope * (h - self.low) as f32
    }

    /// Takes in another run of the same sub-edge in the same row, which touches it.
    fn join(&mut self, other: &Self) {
        *self = self.joined(other);
    }

    /// The run of both as one.
    fn joined(&self, other: &Self) -> Self {
        let ([p0, p1], [q0, q1]) = (self.times(), other.times());
        let first = if other.low < self.low { other } else { self };
        let last = if other.high > self.high { other } else { self };
        let (low, high, time) = (first.low, last.high, first.time);
        let slope = (last.time_at(high) - time) / (high - low).max(1) as f32;
        let vertices = [first.vertices[0], last.vertices[1]];
        let duration = upper(p1, q1) - lower(p0, q0);
        let next = if other.next == NOWHERE { self.next } else { other.next };
        Self { low, high, time, slope, duration, next, vertices, ..*self }
    }

    /// The times at the first pixel and at the last are those of another run, but for so much.
    fn agrees_with(&self, other: &Self, late: f32) -> bool {
        [self.low, self.high].iter().all(|&h| (self.time_at(h) - other.time_at(h)).abs() <= late)
    }
}

/// Draws pieces as runs of pixels.
pub(super) struct Bresenham<'c> {
    /// The lowest row and the one above the highest.
    rows: [i32; 2],
    limit: usize,
    /// How far off times may be where pieces become one record.
    time_resolution: f32,
    runs: &'c mut Vec<Run>,
}

impl<'c> Bresenham<'c> {
    /// The ink's band has rows of one pixel.
    pub(super) fn new(ink: &Ink<'_>, runs: &'c mut Vec<Run>) -> Self {
        let &Ink { band, limit, time_resolution, .. } = ink;
        Self::on(&band, limit, time_resolution, runs)
    }

    fn on(band: &Band, limit: usize, time_resolution: f32, runs: &'c mut Vec<Run>) -> Self {
        let base = pixel(band.base + 0.5);
        let rows = [base, base.saturating_add_unsigned(band.count)];
        Self { rows, limit, time_resolution, runs }
    }

    /// On a screen without borders.
    pub(super) fn everywhere(limit: usize, runs: &'c mut Vec<Run>) -> Self {
        Self { rows: EVERYWHERE, limit, time_resolution: f32::INFINITY, runs }
    }

    /// The row of a run on a screen without borders, as a pixel of `r`.
    pub(super) fn row_of(run: &Run) -> i32 {
        EVERYWHERE[0].wrapping_add_unsigned(run.row)
    }

    /// Keeps a run; with that of the piece before it as one, if times are still linear along both.
    fn push(&mut self, run: Run) {
        if let Some(last) = self.runs.last_mut()
            && last.sub == run.sub
            && last.row == run.row
        {
            let both = last.joined(&run);
            let late = self.time_resolution;
            if both.agrees_with(last, late) && both.agrees_with(&run, late) {
                *last = both;
                return;
            }
        }
        self.runs.push(run);
    }

    /// A piece within one row.
    fn level(&mut self, &Piece { sub, ends: [p, q], vertices: [v, w] }: &Piece, row: i32) {
        let [from, to] = [pixel(p.h), pixel(q.h)];
        let vertices = match from.cmp(&to) {
            std::cmp::Ordering::Less => [name(v), name(w)],
            std::cmp::Ordering::Greater => [name(w), name(v)],
            std::cmp::Ordering::Equal => [name(v).max(name(w)); 2],
        };
        let [low, high] = [from.min(to), from.max(to)];
        let [time, end] = if from <= to { [p.t, q.t] } else { [q.t, p.t] };
        let is_one = low == high;
        let slope = if is_one { 0.0 } else { (end - time) / (high - low) as f32 };
        let time = if is_one { 0.5 * (time + end) } else { time };
        let duration = (q.t - p.t).abs();
        let row = (row - self.rows[0]) as u32;
        self.push(Run { row, sub, low, high, time, slope, duration, next: NOWHERE, vertices });
    }

    /// A piece that passes more rows than pixels of a row: one pixel in each, and up to two at its
    /// ends.
    fn steep(&mut self, piece: &Piece, [first, last]: [i32; 2]) {
        let [p, q] = piece.ends;
        let per_row = 1.0 / (q.rho - p.rho);
        let [slope, per_time] = [(q.h - p.h) * per_row, (q.t - p.t) * per_row];
        let at = |row: i32| (row as f32).clamp(p.rho, q.rho) - p.rho;
        let place = |row: i32| pixel(p.h + slope * at(row));
        let [start, end] = [first.max(self.rows[0]), last.min(self.rows[1] - 1)];
        let mut here = place(start);
        for row in start..=end {
            let next = if row < last { place(row + 1) } else { NOWHERE };
            let middle = Dot { rho: 0.0, h: here as f32, t: p.t + per_time * at(row) };
            let run = Run {
                row: (row - self.rows[0]) as u32,
                sub: piece.sub,
                low: here,
                high: here,
                time: middle.t,
                slope: 0.0,
                duration: per_time.abs(),
                next,
                vertices: [0; 2],
            };
            self.push(run);
            if row == first {
                self.tip(piece, 0, [middle, p], next);
            }
            if row == last {
                self.tip(piece, 1, [middle, q], next);
            }
            here = next;
        }
    }

    /// The pixel of an end, beside the pixel of the piece in that row.
    fn tip(&mut self, piece: &Piece, end: usize, [middle, tip]: [Dot; 2], next: i32) {
        let Some(run) = self.runs.last_mut() else { return };
        let (at, vertex) = (pixel(tip.h), name(piece.vertices[end]));
        if at == pixel(middle.h) {
            // The run may hold pixels of the piece before.
            for (i, h) in [run.low, run.high].into_iter().enumerate() {
                run.vertices[i] =
                    if h == at { run.vertices[i].max(vertex) } else { run.vertices[i] };
            }
            return;
        }
        let (sub, row) = (run.sub, run.row);
        let [time, slope, duration] = [tip.t, 0.0, 0.0];
        let vertices = [vertex; 2];
        run.join(&Run { row, sub, low: at, high: at, time, slope, duration, next, vertices });
    }

    /// A piece that passes more pixels of a row than rows: a run in each.
    fn flat(&mut self, piece: &Piece, [first, last]: [i32; 2]) {
        let [p, q] = piece.ends;
        let slope = (q.h - p.h) / (q.rho - p.rho);
        let per_pixel = (q.t - p.t) / (q.h - p.h);
        let up = q.h > p.h;
        let sign = if up { 1 } else { -1 };
        // The last pixel before the border above a row.
        let before = |row: i32| {
            let border = p.h + slope * (row as f32 + 0.5 - p.rho);
            if up { border.ceil() as i32 - 1 } else { border.floor() as i32 + 1 }
        };
        let [start, end] = [first.max(self.rows[0]), last.min(self.rows[1] - 1)];
        let mut here = if start == first { pixel(p.h) } else { before(start - 1) + sign };
        for row in start..=end {
            let to = if row == last { pixel(q.h) } else { before(row) };
            // Rounding at the ends leaves no row without a pixel.
            let to = match (row == last, up) {
                (true, _) => to,
                (_, true) => to.max(here),
                (_, false) => to.min(here),
            };
            let next = if row == last { NOWHERE } else { to + sign };
            let [low, high] = [here.min(to), here.max(to)];
            let tips = [
                if row == first { name(piece.vertices[0]) } else { 0 },
                if row == last { name(piece.vertices[1]) } else { 0 },
            ];
            let both = tips[0].max(tips[1]);
            let vertices = match (low == high, up) {
                (true, _) => [both; 2],
                (_, true) => tips,
                (_, false) => [tips[1], tips[0]],
            };
            let run = Run {
                row: (row - self.rows[0]) as u32,
                sub: piece.sub,
                low,
                high,
                time: p.t + per_pixel * (low as f32 - p.h),
                slope: per_pixel,
                duration: per_pixel.abs() * (high - low + 1) as f32,
                next,
                vertices,
            };
            self.push(run);
            here = to + sign;
        }
    }
}

impl Paper for Bresenham<'_> {
    fn put(&mut self, piece: &Piece) -> bool {
        let mut piece = *piece;
        if piece.ends[0].rho > piece.ends[1].rho {
            piece.ends.reverse();
            piece.vertices.reverse();
        }
        let [p, q] = piece.ends;
        let [first, last] = [pixel(p.rho), pixel(q.rho)];
        if last < self.rows[0] || first >= self.rows[1] {
            return true;
        }
        let rows = last.min(self.rows[1] - 1) - first.max(self.rows[0]);
        if self.runs.len() + rows as usize >= self.limit {
            return false;
        }
        if first == last {
            self.level(&piece, first);
        } else if (q.h - p.h).abs() <= q.rho - p.rho {
            self.steep(&piece, [first, last]);
        } else {
            self.flat(&piece, [first, last]);
        }
        true
    }
}

/// The pixel of a place: conversions saturate, far below what sums of a few would need to overflow.
#[inline]
pub(super) fn pixel(place: f32) -> i32 {
    (place + 0.5).floor().clamp(-1e9, 1e9) as i32
}

/// An end of an edge in a record: 0 is none.
#[inline]
fn name(vertex: Option<u8>) -> u8 {
    vertex.map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot([rho, h, t]: [f32; 3]) -> Dot {
        Dot { rho, h, t }
    }

    /// The runs of a piece, on rows from -20 to 19.
    fn drawn(ends: [[f32; 3]; 2]) -> Vec<Run> {
        let band = Band { base: -20.5, height: 1.0, per_height: 1.0, count: 40 };
        let mut runs = Vec::new();
        let mut pen = Bresenham::on(&band, 1000, 0.1, &mut runs);
        let piece = Piece { sub: 3, ends: ends.map(dot), vertices: [Some(0), Some(1)] };
        assert!(pen.put(&piece));
        runs
    }

    fn numbers(seed: u32) -> impl FnMut(f32) -> f32 {
        let mut state = seed;
        move |size| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            size * ((state >> 8) as f32 / (1 << 23) as f32 - 1.0)
        }
    }

    #[test]
    fn pixels_are_near_their_line_and_lead_from_end_to_end() {
        let mut number = numbers(3);
        for i in 0..2000 {
            let ends = [(); 2].map(|()| [number(18.0), number(18.0), number(1.0)]);
            let runs = drawn(ends);
            let [p, q] = if ends[0][0] <= ends[1][0] { ends } else { [ends[1], ends[0]] };
            let rows: Vec<i32> = runs.iter().map(|run| run.row as i32 - 20).collect();
            let expected: Vec<i32> = (pixel(p[0])..=pixel(q[0])).collect();
            assert_eq!(rows, expected, "{i}: one run in every row");
            for (run, row) in runs.iter().zip(&rows) {
                for h in [run.low, run.high] {
                    let [x, y] = [q[0] - p[0], q[1] - p[1]];
                    let [u, v] = [*row as f32 - p[0], h as f32 - p[1]];
                    let across = (x * v - y * u).abs() / x.abs().max(y.abs());
                    assert!(across < 1.01, "{i}: {run:?} of {ends:?}");
                }
                let times = run.times();
                let [early, late] = [p[2].min(q[2]), p[2].max(q[2])];
                let wide = 1.01 * (late - early) / (q[0] - p[0]).max((q[1] - p[1]).abs()).max(1.0);
                assert!(times[0] >= early - 2.0 * wide && times[1] <= late + 2.0 * wide, "{i}");
            }
            for pair in runs.windows(2) {
                let [here, next] = [pair[0], pair[1]];
                let leads = |h: i32| (here.low - 1..=here.high + 1).contains(&h);
                assert!(leads(here.next), "{i}: {here:?} {next:?}");
                assert!((next.low..=next.high).contains(&here.next), "{i}: {here:?} {next:?}");
            }
            let [start, end] = [runs[0], runs[runs.len() - 1]];
            assert!(start.low <= pixel(p[1]) && pixel(p[1]) <= start.high, "{i}");
            assert!(end.low <= pixel(q[1]) && pixel(q[1]) <= end.high, "{i}");
            assert_eq!(end.next, NOWHERE);
        }
    }

    #[test]
    fn pixels_of_a_flat_and_of_a_steep_line_are_those_of_bresenham() {
        let spans = |runs: Vec<Run>| runs.iter().map(|r| [r.low, r.high]).collect::<Vec<_>>();
        let flat = drawn([[0.0, 0.0, 0.0], [2.0, 7.0, 0.7]]);
        assert_eq!(spans(flat.clone()), [[0, 1], [2, 5], [6, 7]]);
        assert!((flat[1].time_at(4) - 0.4).abs() < 1e-6);
        assert_eq!((flat[0].vertices, flat[2].vertices), ([1, 0], [0, 2]));
        let back = drawn([[2.0, 0.0, 0.0], [0.0, 7.0, 0.7]]);
        assert_eq!(spans(back.clone()), [[6, 7], [2, 5], [0, 1]]);
        assert_eq!((back[0].vertices, back[2].vertices), ([0, 2], [1, 0]));
        let steep = drawn([[0.0, 0.0, 0.0], [5.0, 2.0, 1.0]]);
        assert_eq!(spans(steep), [[0, 0], [0, 0], [1, 1], [1, 1], [2, 2], [2, 2]]);
    }

    #[test]
    fn pieces_of_one_edge_in_one_row_are_one_record() {
        let band = Band { base: -0.5, height: 1.0, per_height: 1.0, count: 3 };
        let mut runs = Vec::new();
        let mut pen = Bresenham::on(&band, 9, 0.1, &mut runs);
        let piece =
            |ends: [[f32; 3]; 2]| Piece { sub: 0, ends: ends.map(dot), vertices: [None; 2] };
        assert!(pen.put(&piece([[0.0, 0.0, 0.0], [1.0, 4.0, 0.4]])));
        assert!(pen.put(&piece([[1.0, 4.0, 0.4], [2.0, 9.0, 0.9]])));
        assert_eq!(runs.len(), 3);
        assert_eq!([runs[1].low, runs[1].high, runs[1].next], [2, 6, 7]);
        assert!((runs[1].time_at(5) - 0.5).abs() < 1e-6, "{:?}", runs[1]);
        let mut few = Vec::new();
        let mut pen = Bresenham::on(&band, 2, 0.1, &mut few);
        assert!(!pen.put(&piece([[0.0, 0.0, 0.0], [2.0, 4.0, 0.4]])), "no room for three");
    }
}
