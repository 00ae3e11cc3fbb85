//! From a sub-edge to pixel records: divide and conquer, then runs [Buss04 §9, step three].
//!
//! A straight edge is a curve on the screen. It is halved until its middle is where a straight
//! line would have it, to an eighth of a pixel and to the time resolution, or until it is a pixel
//! long; each piece is then a straight line, and leaves one run in every row it passes.

use glam::DVec3;

use super::axes::{Axes, Dot, Sector};
use super::rows::Record;

/// How far a piece may depart from its curve, in pixels: two curves then cross within a quarter
/// of a pixel of where their pieces do.
pub(super) const DEPARTURE: f32 = 0.125;

/// An edge is cut into at most `2^DEPTH` pieces.
const DEPTH: u32 = 10;

/// Runs of a row are merged up to this length, in pixels.
const LONGEST_CHORD: f32 = 2.0;

/// The rows in which both bodies can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Band {
    /// `rho` of the lower border of row 0; a whole number.
    pub(super) base: f32,
    pub(super) count: u32,
}

/// A point of a curve: where it is along X, Y and Z, and on the screen.
pub(super) type Knot = (DVec3, Dot);

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink<'c> {
    pub(super) axes: &'c Axes,
    pub(super) band: Band,
    pub(super) time_resolution: f32,
    /// No more records than this.
    pub(super) limit: usize,
}

/// Draws curves as records.
pub(super) struct Pen<'c> {
    pub(super) axes: &'c Axes,
    pub(super) band: Band,
    time_resolution: f32,
    limit: usize,
    records: &'c mut Vec<Record>,
    /// Whether the limit was reached, and something left out.
    pub(super) full: bool,
}

impl<'c> Pen<'c> {
    pub(super) fn new(ink: &Ink<'c>, records: &'c mut Vec<Record>) -> Self {
        let &Ink { axes, band, time_resolution, limit } = ink;
        Self { axes, band, time_resolution, limit, records, full: false }
    }

    fn dot(&self, at: DVec3, sector: Option<&Sector>) -> Dot {
        match sector {
            Some(sector) => self.axes.dot_in(at, sector),
            None => self.axes.dot(at),
        }
    }

    /// Draws the curve of a straight edge.
    pub(super) fn curve(&mut self, sub: u32, ends: [Knot; 2], sector: Option<&Sector>) {
        self.halve(sub, ends, sector, DEPTH);
    }

    fn halve(&mut self, sub: u32, [p, q]: [Knot; 2], sector: Option<&Sector>, depth: u32) {
        let middle = 0.5 * (p.0 + q.0);
        let dot = self.dot(middle, sector);
        let chord = Dot::between(p.1, q.1, 0.5);
        let off = (dot.rho - chord.rho).abs().max((dot.h - chord.h).abs());
        let late = (dot.t - chord.t).abs();
        let long = (q.1.rho - p.1.rho).abs() + (q.1.h - p.1.h).abs() > 1.0;
        // A curve that bends both ways can pass through the middle of its chord: halve once at least.
        let straight = depth < DEPTH && off <= DEPARTURE && late <= self.time_resolution;
        if depth > 0 && long && !straight {
            self.halve(sub, [p, (middle, dot)], sector, depth - 1);
            self.halve(sub, [(middle, dot), q], sector, depth - 1);
        } else {
            self.line(sub, p.1, dot);
            self.line(sub, dot, q.1);
        }
    }

    /// Draws a straight line: one record in every row it passes.
    pub(super) fn line(&mut self, sub: u32, p: Dot, q: Dot) {
        let (from, to) = if p.rho <= q.rho { (p, q) } else { (q, p) };
        let [low, high] = [from.rho - self.band.base, to.rho - self.band.base];
        let count = self.band.count;
        if high < 0.0 || low >= count as f32 {
            return;
        }
        let first = low.max(0.0) as u32;
        let last = (high as u32).min(count - 1);
        if self.records.len() + (last.saturating_sub(first) as usize) >= self.limit {
            self.full = true;
            return;
        }
        let per_row = 1.0 / (to.rho - from.rho);
        let mut here = if low < 0.0 {
            Dot { rho: self.band.base, ..Dot::between(from, to, -low * per_row) }
        } else {
            from
        };
        for row in first..last {
            let border = (row + 1) as f32;
            let next = Dot::between(from, to, (border - low) * per_row);
            let next = Dot { rho: border + self.band.base, ..next };
            self.push(Record { from: here, to: next, sub, row });
            here = next;
        }
        let end = if high > count as f32 {
            let border = count as f32;
            let end = Dot::between(from, to, (border - low) * per_row);
            Dot { rho: border + self.band.base, ..end }
        } else {
            to
        };
        self.push(Record { from: here, to: end, sub, row: last.max(first) });
    }

    /// Adds a record, or makes the one before longer if the run only goes on in the same row. A
    /// long run along a row keeps its pieces: one chord would not bend as it does.
    #[inline]
    fn push(&mut self, record: Record) {
        if let Some(last) = self.records.last_mut()
            && last.sub == record.sub
            && last.row == record.row
        {
            if last.to == record.from && (record.to.h - last.from.h).abs() <= LONGEST_CHORD {
                last.to = record.to;
                return;
            }
            if last.from == record.to && (last.to.h - record.from.h).abs() <= LONGEST_CHORD {
                last.from = record.from;
                return;
            }
        }
        self.records.push(record);
    }
}
