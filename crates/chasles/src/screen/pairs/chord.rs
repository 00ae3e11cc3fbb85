//! Edges as wholes: their ends, and how far the curves between them depart from straight lines.
//!
//! Where features are few, nearly all pairs of edges are told apart by their bounds, so the curves
//! are not drawn until a pair asks for them, and edges are not cut where a face turns away: what
//! crosses there is left out when it is judged. Four edges stand side by side, and are measured and
//! crossed with another at a time.

use wide::f32x4;

use crate::screen::drawing::pieces::{Ink, Knot};
use crate::screen::pairs::pyramid::Pyramid;
use crate::screen::place::axes::Dot;
use crate::screen::place::extent::{Bits, Four};
use crate::screen::place::lanes::Spot;
use crate::screen::query::DEPARTURE;
use crate::screen::rows::records::Record;
use crate::screen::rows::sweep::ROUNDING;

/// An edge that is not drawn yet.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Chord {
    pub(in crate::screen) edge: u32,
    /// The ends, and where they fall.
    pub(in crate::screen) ends: [Knot<Spot>; 2],
    /// How far the curve may depart from the straight line, in pixels.
    off: f32,
    /// Whether the line is as good as the curve.
    pub(in crate::screen) is_straight: bool,
}

/// Four edges, or fewer.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Quad {
    pub(in crate::screen) count: usize,
    pub(in crate::screen) edges: [u32; 4],
    /// The ends along X, Y and Z.
    spots: [[[f32; 4]; 3]; 2],
    /// Where the ends fall: `rho`, `h` and `t`.
    places: [[[f32; 4]; 3]; 2],
    /// How far the curves may depart from the straight lines, in pixels.
    off: [f32; 4],
    /// Whose lines are as good as the curves.
    straight: f32x4,
}

/// The edges of one body. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Chords {
    /// Those in use are the first ones.
    quads: Vec<Quad>,
    used: usize,
    /// Bounds of the curves.
    pub(in crate::screen) bounds: Pyramid,
}

/// A parabola departs from its chord in the middle by this many times as much as at a quarter of
/// the way; a cubic that winds around its chord nowhere by more than 1.03 times as much.
const MIDDLE: f32 = 4.0 / 3.0;

/// A curve departs from its chord nowhere by more than this many times as much as a parabola or a
/// cubic through its quarters.
const MOST: f32 = 1.5;

impl Chords {
    pub(in crate::screen) fn clear(&mut self) {
        self.used = 0;
    }

    /// The edges, four by four.
    #[inline]
    pub(in crate::screen) fn quads(&self) -> &[Quad] {
        &self.quads[..self.used]
    }

    pub(in crate::screen) fn len(&self) -> usize {
        self.quads().iter().map(|quad| quad.count).sum()
    }

    /// A quad with room for one more.
    #[inline]
    fn open(&mut self) -> &mut Quad {
        if self.quads().last().is_none_or(|quad| quad.count == 4) {
            if self.used == self.quads.len() {
                self.quads.push(Quad::EMPTY);
            }
            self.quads[self.used].count = 0;
            self.used += 1;
        }
        let last = self.used - 1;
        &mut self.quads[last]
    }

    /// Adds an edge.
    #[inline]
    pub(in crate::screen) fn push(&mut self, edge: u32, ends: [(&Spot, &Dot); 2]) {
        let quad = self.open();
        // There is room, which the compiler cannot know.
        let lane = quad.count & 3;
        quad.count += 1;
        quad.edges[lane] = edge;
        for (i, (spot, dot)) in ends.into_iter().enumerate() {
            let [x, y, z] = &mut quad.spots[i];
            [x[lane], y[lane], z[lane]] = [spot.x, spot.y, spot.z];
            let [rho, h, t] = &mut quad.places[i];
            [rho[lane], h[lane], t[lane]] = [dot.rho, dot.h, dot.t];
        }
    }

    /// Finds how far the edges bend, and bounds of their curves.
    pub(in crate::screen) fn measure(&mut self, ink: &Ink<'_>) {
        let count = self.len();
        let quads = self.quads[..self.used].iter_mut();
        self.bounds.build(count, quads.map(|quad| quad.bend(ink)));
    }
}

impl Quad {
    const EMPTY: Self = Self {
        count: 0,
        edges: [0; 4],
        spots: [[[0.0; 4]; 3]; 2],
        places: [[[0.0; 4]; 3]; 2],
        off: [0.0; 4],
        straight: f32x4::ZERO,
    };

    /// Finds the bounds of the curves by where their quarters fall. Middles do not tell: a curve
    /// may wind around its chord like an S.
    #[inline]
    fn bend(&mut self, ink: &Ink<'_>) -> Four {
        let [p, q] = self.spots.map(|spots| spots.map(f32x4::new));
        let [from, to] = self.places.map(|places| places.map(f32x4::new));
        let [near, far] = [0.75, 0.25].map(f32x4::splat);
        let between = |p: [f32x4; 3], q: [f32x4; 3]| [0, 1, 2].map(|i| near * p[i] + far * q[i]);
        let off = |(p, q), (from, to)| {
            let [place, expected] = [ink.lanes.places(between(p, q)), between(from, to)];
            [0, 1, 2].map(|i| (expected[i] - place[i]).abs())
        };
        let [at_p, at_q] = [off((p, q), (from, to)), off((q, p), (to, from))];
        let middle = f32x4::splat(MIDDLE);
        let [rho, h, late] = [0, 1, 2].map(|i| middle * at_p[i].fast_max(at_q[i]));
        let off = rho.fast_max(h);
        self.straight = off.simd_le(f32x4::splat(ink.departure))
            & late.simd_le(f32x4::splat(ink.time_resolution));
        let most = f32x4::splat(MOST);
        let off = most * off;
        let pads = [off, off, most * late];
        let low = [0, 1, 2].map(|i| from[i].fast_min(to[i]) - pads[i]);
        let high = [0, 1, 2].map(|i| from[i].fast_max(to[i]) + pads[i]);
        self.off = off.to_array();
        Four::of_lanes(low, high, self.count)
    }

    /// One of the edges.
    #[inline]
    pub(in crate::screen) fn chord(&self, lane: usize) -> Chord {
        let end = |i: usize| {
            let [x, y, z] = self.spots[i].map(|along| along[lane]);
            let [rho, h, t] = self.places[i].map(|along| along[lane]);
            (Spot { x, y, z }, Dot { rho, h, t })
        };
        let is_straight = Bits::of(self.straight).has(lane);
        Chord { edge: self.edges[lane], ends: [end(0), end(1)], off: self.off[lane], is_straight }
    }

    /// Which of the lines are as good as their curves.
    #[inline]
    pub(in crate::screen) fn straight(&self) -> Bits {
        Bits::of(self.straight)
    }

    /// Which of the lines, of B, a line of A crosses during a window, and when:
    /// as [`meeting`](crate::screen::rows::sweep::meeting), four at a time.
    #[inline]
    pub(in crate::screen) fn crossed_by(
        &self,
        (of_a, lane): (&Self, usize),
        window: [f32; 2],
    ) -> (Bits, [f32; 4]) {
        let Lines { p, q, along_p, along_q, between, turn } = self.lines((of_a, lane));
        let per_turn = f32x4::splat(1.0) / turn;
        let [u, v] = [cross(&between, &along_q), cross(&between, &along_p)].map(|c| c * per_turn);
        let [low, high] = [-ROUNDING, 1.0 + ROUNDING].map(f32x4::splat);
        let time = (p[2] + u * along_p[2]) - (q[2] + v * along_q[2]);
        let [soonest, latest] = window.map(f32x4::splat);
        let is_met = u.simd_ge(low)
            & u.simd_le(high)
            & v.simd_ge(low)
            & v.simd_le(high)
            & time.simd_ge(soonest)
            & time.simd_le(latest);
        (Bits::of(is_met), time.to_array())
    }

    /// Which of the curves, of B, a curve of A can cross.
    ///
    /// Where they do, points of the lines are apart by some `e`, at most by what both curves depart
    /// from their lines in each coordinate. The lines themselves then cross at fractions that
    /// differ by `e x q / (p x q)` and `e x p / (p x q)`, with `p` and `q` the ways along the
    /// lines.
    #[inline]
    pub(in crate::screen) fn may_be_crossed_by(&self, (of_a, lane): (&Self, usize)) -> Bits {
        let Lines { along_p, along_q, between, turn, .. } = self.lines((of_a, lane));
        let off = f32x4::splat(of_a.off[lane]) + f32x4::new(self.off);
        let sign = turn & f32x4::splat(-0.0);
        let on = |along: &[f32x4; 3]| {
            let slack = off * (along[0].abs() + along[1].abs());
            let fraction = cross(&between, along) ^ sign;
            fraction.simd_ge(-slack) & fraction.simd_le(turn.abs() + slack)
        };
        Bits::of(on(&along_q) & on(&along_p))
    }

    /// A line of A, four times, and these lines of B.
    #[inline]
    fn lines(&self, (of_a, lane): (&Self, usize)) -> Lines {
        let [p, p_end] = of_a.places.map(|places| places.map(|along| f32x4::splat(along[lane])));
        let [q, q_end] = self.places.map(|places| places.map(f32x4::new));
        let way = |from: [f32x4; 3], to: [f32x4; 3]| [0, 1, 2].map(|i| to[i] - from[i]);
        let [along_p, along_q, between] = [way(p, p_end), way(q, q_end), way(p, q)];
        Lines { p, q, along_p, along_q, between, turn: cross(&along_p, &along_q) }
    }
}

impl Chord {
    /// Whether a piece of another curve can cross this one: its ends are not both beyond what the
    /// curve departs by, on one side of the straight line.
    #[inline]
    pub(in crate::screen) fn may_cross(&self, piece: &Record) -> bool {
        let [(_, from), (_, to)] = self.ends;
        let along = [to.rho - from.rho, to.h - from.h];
        let side = |dot: Dot| along[0] * (dot.h - from.h) - along[1] * (dot.rho - from.rho);
        let [p, q] = [side(piece.from), side(piece.to)];
        // Pieces end on each other up to rounding, and depart a little themselves.
        let slack = (self.off + 2.0 * DEPARTURE) * (along[0].abs() + along[1].abs());
        !((p > slack && q > slack) || (p < -slack && q < -slack))
    }
}

/// Four pairs of lines: where each starts, the ways along both and from one start to the other, and
/// the product of the first two ways on the screen.
struct Lines {
    p: [f32x4; 3],
    q: [f32x4; 3],
    along_p: [f32x4; 3],
    along_q: [f32x4; 3],
    between: [f32x4; 3],
    turn: f32x4,
}

/// The product of two ways on the screen.
#[inline]
fn cross(v: &[f32x4; 3], w: &[f32x4; 3]) -> f32x4 {
    v[0] * w[1] - v[1] * w[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::rows::sweep::meeting;

    fn knot([rho, h, t]: [f32; 3]) -> Knot<Spot> {
        (Spot::default(), Dot { rho, h, t })
    }

    /// Four edges: in one lane the given one, the others far away. All may depart by `off`.
    fn quad(lane: usize, from: [f32; 2], to: [f32; 2], off: f32) -> Quad {
        let mut chords = Chords::default();
        for edge in 0..4 {
            let away = if edge as usize == lane { 0.0 } else { 100.0 };
            let ends = [from, to].map(|[rho, h]| knot([rho + away, h, 0.0]));
            chords.push(edge, refs(&ends));
        }
        Quad { off: [off; 4], ..chords.quads()[0] }
    }

    fn refs(ends: &[Knot<Spot>; 2]) -> [(&Spot, &Dot); 2] {
        ends.each_ref().map(|(spot, dot)| (spot, dot))
    }

    #[test]
    fn curves_may_cross_where_their_chords_come_as_close_as_they_depart() {
        let p = quad(1, [0.0, 0.0], [4.0, 0.0], 0.5);
        for (h, crosses) in [(-1.0, true), (0.9, true), (1.1, false)] {
            let q = quad(2, [2.0, h], [2.0, 3.0], 0.5);
            let [of_q, of_p] = [q.may_be_crossed_by((&p, 1)), p.may_be_crossed_by((&q, 2))];
            let only = |lane: usize| if crosses { vec![lane] } else { vec![] };
            assert_eq!([of_q.collect::<Vec<_>>(), of_p.collect()], [only(2), only(1)], "{h}");
        }
    }

    #[test]
    fn four_lines_at_a_time_are_crossed_as_each_is() {
        let mut state = 11u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut met = 0;
        for count in [1, 2, 3, 4].repeat(50) {
            let mut line = || [(); 2].map(|()| knot([random(), random(), random()]));
            let mut of_a = Chords::default();
            (0..=count % 3).for_each(|edge| of_a.push(edge, refs(&line())));
            let of_a = (&of_a.quads()[0], (count % 3) as usize);
            let p = of_a.0.chord(of_a.1);
            let mut chords = Chords::default();
            for edge in 0..count {
                chords.push(edge, refs(&line()));
            }
            let window = [-0.3, 0.2];
            let (bits, times) = chords.quads()[0].crossed_by(of_a, window);
            for (lane, found) in times.into_iter().enumerate().take(count as usize) {
                let q = chords.quads()[0].chord(lane);
                let run = |chord: &Chord| {
                    let [from, to] = chord.ends.map(|(_, dot)| dot);
                    Record { from, to, sub: 0, row: 0 }
                };
                let time = meeting(&run(&p), &run(&q), 0.0).map(|[of_p, of_q]| of_p.t - of_q.t);
                let time = time.filter(|&time| time >= window[0] && time <= window[1]);
                assert_eq!(bits.has(lane), time.is_some());
                if let Some(time) = time {
                    assert!((time - found).abs() < 1e-4);
                    met += 1;
                }
            }
        }
        assert!(met > 20, "{met}");
    }
}
