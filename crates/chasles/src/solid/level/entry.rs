//! Where a segment enters a set where a function is not positive.
//!
//! Pieces of the segment are halved, the earliest first. A piece is clear if the function is
//! positive over the box around it, or if its value in the middle is larger than its slope along
//! the segment can take away on half of the piece. That slope is zero where the segment grazes, so
//! pieces there shrink as the square root of the gap, not as the gap.

use glam::DVec3;

use super::{Cell, Field, Level, above, length_above};
use crate::numeric::Interval;
use crate::solid::entry::{self, Piece, earliest};

/// A segment.
struct Segment {
    from: DVec3,
    to: DVec3,
}

impl Segment {
    /// A box around the part between two fractions, rounding included.
    fn cell(&self, start: f64, end: f64) -> Cell {
        let [from, to] = [self.from.to_array(), self.to.to_array()];
        let time = Interval::new(start, end);
        std::array::from_fn(|axis| {
            let [a, b] = [Interval::point(from[axis]), Interval::point(to[axis])];
            a + (b - a) * time
        })
    }
}

impl<F: Field> Level<F> {
    /// The fraction at which a segment first meets the set, proven as [`Solid::entry`] asks.
    ///
    /// [`Solid::entry`]: super::super::Solid::entry
    pub(in crate::solid) fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        let segment = Segment { from, to };
        let narrowed = self.field.narrowed(&segment.cell(0.0, 1.0));
        let field = narrowed.as_ref().unwrap_or(&self.field);
        let rounding = entry::rounding(from, to);
        let length = length_above(to - from);
        earliest(|[start, end]| {
            let is_short = length * (end - start) + 2.0 * rounding <= precision;
            let is_close =
                || is_short && self.comes_close(&segment, [start, end], precision - rounding);
            match self.piece(field, &segment, [start, end]) {
                Piece::Unsure if is_close() => Piece::Enters,
                known => known,
            }
        })
    }

    /// What bounds along a piece tell of it.
    fn piece(&self, field: &F, segment: &Segment, [start, end]: [f64; 2]) -> Piece {
        let cell = segment.cell(start, end);
        let Some(part) = self.clipped(&cell) else { return Piece::Clear };
        let is_whole = part == cell;
        if !is_whole && field.over(&part).low > 0.0 {
            return Piece::Clear;
        }
        let decided = |value: Interval| value.low > 0.0 || (is_whole && value.high <= 0.0);
        let (value, slopes) = field.over_with_slopes(&cell, decided);
        if decided(value) {
            return if value.low > 0.0 { Piece::Clear } else { Piece::Enters };
        }
        let [middle, half] = [0.5 * (start + end), 0.5 * (end - start)];
        let value = field.over(&segment.cell(middle, middle));
        let [from, to] = [segment.from.to_array(), segment.to.to_array()];
        let change = (0..3).fold(Interval::point(0.0), |sum, axis| {
            let along = Interval::point(to[axis]) - Interval::point(from[axis]);
            sum + slopes.parts[axis] * along
        });
        let steepest = above(slopes.steepest * length_above(segment.to - segment.from));
        let most = above(change.magnitude().min(steepest) * half);
        if value.low > most { Piece::Clear } else { Piece::Unsure }
    }

    /// Whether a piece no longer than the precision ends in the set, or a point of it is that
    /// close to the start of the piece.
    fn comes_close(&self, segment: &Segment, [start, end]: [f64; 2], precision: f64) -> bool {
        let [start, end] = [start, end].map(|time| segment.from.lerp(segment.to, time));
        let ends_in = self.is_within(end) && self.field.over(&super::at(end)).high <= 0.0;
        ends_in || self.reach(start) <= precision
    }
}
