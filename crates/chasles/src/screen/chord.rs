//! A sub-edge as a whole: its ends, and how far the curve between them departs from a straight line.
//!
//! Where features are few, nearly all pairs of sub-edges are told apart by their bounds, so the
//! curves are not drawn until a pair asks for them.

use super::axes::Dot;
use super::draw::{Ink, Knot};
use super::extent::Extent;
use super::lanes::Spot;
use super::rows::Record;

/// A sub-edge that is not drawn yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chord {
    pub(super) edge: u32,
    /// The straight line between the ends.
    pub(super) line: Record,
    /// The ends, in the order of the line.
    spots: [Spot; 2],
    /// Bounds of the curve.
    pub(super) extent: Extent,
    /// How far the curve may depart from the straight line, in pixels.
    off: f32,
    /// Whether the line is as good as the curve.
    pub(super) is_straight: bool,
}

/// A curve departs from its chord most near the middle, as a parabola does in the middle; elsewhere
/// by less than this many times as much.
const MOST: f32 = 1.5;

impl Chord {
    /// The bounds are those of the ends.
    #[inline]
    pub(super) fn new(edge: u32, [p, q]: [Knot<Spot>; 2]) -> Self {
        let [from, to] = if p.1.rho <= q.1.rho { [p, q] } else { [q, p] };
        let line = Record { from: from.1, to: to.1, sub: 0, row: 0 };
        let mut extent = Extent { low: line.from, high: line.from };
        extent.add(line.to);
        Self { edge, line, spots: [from.0, to.0], extent, off: 0.0, is_straight: true }
    }

    /// The ends and their places.
    pub(super) fn ends(&self) -> [Knot<Spot>; 2] {
        [(self.spots[0], self.line.from), (self.spots[1], self.line.to)]
    }

    fn middle(&self) -> Spot {
        Spot::between(self.spots[0], self.spots[1], 0.5)
    }

    /// Widens the bounds by what the place of the middle tells.
    fn bend(&mut self, middle: Dot, ink: &Ink<'_>) {
        let [off, late] = Dot::apart(Dot::between(self.line.from, self.line.to, 0.5), middle);
        self.is_straight = off <= ink.departure && late <= ink.time_resolution;
        self.off = MOST * off;
        self.extent = self.extent.widened(self.off, MOST * late);
    }

    /// Whether two curves can cross.
    ///
    /// Where they do, points of the lines are apart by some `e`, at most by what both curves depart
    /// from their lines in each coordinate. The lines themselves then cross at fractions that differ
    /// by `e x q / (p x q)` and `e x p / (p x q)`, with `p` and `q` the ways along the lines.
    #[inline]
    pub(super) fn may_cross(&self, other: &Self) -> bool {
        let [p, q] = [self, other].map(|chord| [chord.line.from, chord.line.to]);
        let way = |[from, to]: [Dot; 2]| [to.rho - from.rho, to.h - from.h];
        let cross = |v: [f32; 2], w: [f32; 2]| v[0] * w[1] - v[1] * w[0];
        let [along_p, along_q, between] = [way(p), way(q), way([p[0], q[0]])];
        let turn = cross(along_p, along_q);
        let most = |along: [f32; 2]| (self.off + other.off) * (along[0].abs() + along[1].abs());
        let on = |fraction: f32, slack: f32| {
            let fraction = fraction * turn.signum();
            fraction >= -slack && fraction <= turn.abs() + slack
        };
        on(cross(between, along_q), most(along_q)) && on(cross(between, along_p), most(along_p))
    }
}

/// Finds how far sub-edges bend, four at a time.
pub(super) fn measure(chords: &mut [Chord], ink: &Ink<'_>) {
    for four in chords.chunks_mut(4) {
        let middle = |i: usize| four.get(i).map_or(Spot::default(), Chord::middle);
        let middles = ink.lanes.four([middle(0), middle(1), middle(2), middle(3)]);
        for (chord, at) in four.iter_mut().zip(middles) {
            chord.bend(at, ink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chord(from: [f32; 2], to: [f32; 2], off: f32) -> Chord {
        let knot = |[rho, h]: [f32; 2]| (Spot::default(), Dot { rho, h, t: 0.0 });
        Chord { off, ..Chord::new(0, [knot(from), knot(to)]) }
    }

    #[test]
    fn curves_may_cross_where_their_chords_come_as_close_as_they_depart() {
        let p = chord([0.0, 0.0], [4.0, 0.0], 0.5);
        for (h, expected) in [(-1.0, true), (0.9, true), (1.1, false)] {
            let q = chord([2.0, h], [2.0, 3.0], 0.5);
            assert_eq!((p.may_cross(&q), q.may_cross(&p)), (expected, expected), "{h}");
        }
    }
}
