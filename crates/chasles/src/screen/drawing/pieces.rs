//! From a sub-edge to pixel records: divide and conquer, then runs [Buss04 §9, step three].
//!
//! A straight edge is a curve on the screen. It is halved until its middle is where a straight
//! line would have it, to a part of a pixel and to the time resolution, or until it is a pixel
//! long; each piece is then a straight line, and leaves one run in every row it passes.

use glam::DVec3;

use crate::numeric::upper;
use crate::screen::place::axes::{Axes, Dot, Sector};
use crate::screen::place::lanes::{Lanes, Spot};
use crate::screen::rows::band::Band;
use crate::screen::rows::records::{Order, Record};

/// An edge is cut into at most `2^DEPTH` pieces.
const DEPTH: u32 = 10;

/// A point of a curve and where it falls on the screen. Points are [`Spot`]s, or [`DVec3`]s where
/// angles have to be taken in a sector.
pub(in crate::screen) type Knot<P> = (P, Dot);

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Ink<'c> {
    pub(in crate::screen) axes: &'c Axes,
    pub(in crate::screen) band: Band,
    pub(in crate::screen) lanes: Lanes,
    /// How far a piece may depart from its curve, in pixels.
    pub(in crate::screen) departure: f32,
    pub(in crate::screen) time_resolution: f32,
    /// No more records than this.
    pub(in crate::screen) limit: usize,
    /// By what rows are sorted.
    pub(in crate::screen) order: Order,
}

/// Takes the curves of edges: draws them as records, or lists them for a device.
pub(in crate::screen) trait Stylus {
    /// By how much a line may depart from its curve, in pixels and in time.
    fn allowed(&self) -> [f32; 2];

    /// Says which ends of the edges to come are vertices of the body.
    fn name_ends(&mut self, _are_vertices: [bool; 2]) {}

    /// A straight edge whose curve is a straight line too.
    fn line(&mut self, sub: u32, ends: [Knot<Spot>; 2]);

    /// A straight edge.
    fn curve(&mut self, sub: u32, ends: [Knot<Spot>; 2]);

    /// A straight edge that lies in a sector.
    fn curve_in(&mut self, sub: u32, ends: [DVec3; 2], sector: &Sector);
}

/// What is drawn on.
pub(in crate::screen) trait Paper {
    /// Keeps a straight piece of a sub-edge; false if there is no more room.
    fn put(&mut self, piece: &Piece) -> bool;
}

/// A straight piece of a sub-edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Piece {
    /// The number of the sub-edge.
    pub(in crate::screen) sub: u32,
    pub(in crate::screen) ends: [Dot; 2],
    /// Which end is a vertex of the body: that at the start of the edge, or that at its end.
    pub(in crate::screen) vertices: [Option<u8>; 2],
}

/// Draws curves as straight pieces.
pub(in crate::screen) struct Pen<'c, P> {
    pub(in crate::screen) axes: &'c Axes,
    pub(in crate::screen) band: Band,
    lanes: Lanes,
    departure: f32,
    time_resolution: f32,
    /// One over what a piece may depart by, in pixels and in time.
    per_pixel: f32,
    per_time: f32,
    paper: P,
    /// Which ends of the curve are vertices of the body, and where they fall.
    vertices: [bool; 2],
    tips: [Dot; 2],
    /// Whether the limit was reached, and something left out.
    pub(in crate::screen) full: bool,
}

impl<'c, P: Paper> Pen<'c, P> {
    pub(in crate::screen) fn new(ink: &Ink<'c>, paper: P) -> Self {
        let &Ink { axes, band, lanes, departure, time_resolution, .. } = ink;
        let [per_pixel, per_time] = [departure, time_resolution].map(f32::recip);
        Self {
            axes,
            band,
            lanes,
            departure,
            time_resolution,
            per_pixel,
            per_time,
            paper,
            vertices: [false; 2],
            tips: [Dot::default(); 2],
            full: false,
        }
    }

    /// Draws a curve as one, two or four lines, or halves it.
    fn split<K: Copy>(
        &mut self,
        sub: u32,
        [p, q]: [Knot<K>; 2],
        quarters: &impl Fn(K, K) -> [Knot<K>; 3],
        depth: u32,
    ) {
        let [a, m, b] = quarters(p.0, q.0);
        let off = |f: f32, knot: Knot<K>| self.off(Dot::between(p.1, q.1, f), knot.1);
        if upper(upper(off(0.25, a), off(0.5, m)), off(0.75, b)) <= 1.0 {
            return self.piece(sub, p.1, q.1);
        }
        let half = |p: Knot<K>, middle: Knot<K>, q: Knot<K>| {
            self.off(Dot::between(p.1, q.1, 0.5), middle.1)
        };
        let bent = upper(half(p, a, m), half(m, b, q));
        let long = (q.1.rho - p.1.rho).abs() + (q.1.h - p.1.h).abs() > 1.0;
        if bent <= 1.0 {
            self.piece(sub, p.1, m.1);
            self.piece(sub, m.1, q.1);
        } else if bent <= 4.0 || !long || depth == 0 {
            // Half a parabola departs from its chord by a quarter of what the whole one does.
            for [p, q] in [[p, a], [a, m], [m, b], [b, q]] {
                self.piece(sub, p.1, q.1);
            }
        } else {
            self.split(sub, [p, m], quarters, depth - 1);
            self.split(sub, [m, q], quarters, depth - 1);
        }
    }

    /// How far a point is from where it should be, over what is allowed.
    #[inline]
    fn off(&self, p: Dot, q: Dot) -> f32 {
        let [off, late] = Dot::apart(p, q);
        upper(off * self.per_pixel, late * self.per_time)
    }

    #[inline]
    fn piece(&mut self, sub: u32, p: Dot, q: Dot) {
        let name = |end: Dot| {
            let is_tip = |i: usize| self.vertices[i] && self.tips[i] == end;
            (0..2).find(|&i| is_tip(i)).map(|i| i as u8)
        };
        let piece = Piece { sub, ends: [p, q], vertices: [name(p), name(q)] };
        self.full |= !self.paper.put(&piece);
    }
}

/// A piece as one record in every row that it passes.
pub(in crate::screen) struct Rows<'c> {
    band: Band,
    limit: usize,
    records: &'c mut Vec<Record>,
}

impl<'c> Rows<'c> {
    pub(in crate::screen) fn new(ink: &Ink<'_>, records: &'c mut Vec<Record>) -> Self {
        Self { band: ink.band, limit: ink.limit, records }
    }
}

impl Paper for Rows<'_> {
    fn put(&mut self, &Piece { sub, ends: [p, q], .. }: &Piece) -> bool {
        let (from, to) = if p.rho <= q.rho { (p, q) } else { (q, p) };
        let band = self.band;
        let top = band.border(band.count);
        if to.rho < band.base || from.rho > top {
            return true;
        }
        let [first, last] = [band.row(from.rho), band.row(to.rho)];
        if self.records.len() + (last - first) as usize >= self.limit {
            return false;
        }
        let per_rho = 1.0 / (to.rho - from.rho);
        let at_border = |row: u32| {
            let border = band.border(row);
            Dot { rho: border, ..Dot::between(from, to, (border - from.rho) * per_rho) }
        };
        let start = if from.rho < band.base { at_border(0) } else { from };
        let end = if to.rho > top { at_border(band.count) } else { to };
        let mut here = start;
        for row in first..last {
            let next = at_border(row + 1);
            self.records.push(Record { from: here, to: next, sub, row });
            here = next;
        }
        self.records.push(Record { from: here, to: end, sub, row: last });
        true
    }
}

impl<P: Paper> Stylus for Pen<'_, P> {
    #[inline]
    fn allowed(&self) -> [f32; 2] {
        [self.departure, self.time_resolution]
    }

    #[inline]
    fn name_ends(&mut self, are_vertices: [bool; 2]) {
        self.vertices = are_vertices;
    }

    #[inline]
    fn line(&mut self, sub: u32, ends: [Knot<Spot>; 2]) {
        self.tips = ends.map(|(_, dot)| dot);
        let [p, q] = self.tips;
        self.piece(sub, p, q);
    }

    fn curve(&mut self, sub: u32, ends: [Knot<Spot>; 2]) {
        let lanes = self.lanes;
        let quarters = |p: Spot, q: Spot| {
            let [a, m, b] = lanes.quarters(p, q);
            [
                (Spot::between(p, q, 0.25), a),
                (Spot::between(p, q, 0.5), m),
                (Spot::between(p, q, 0.75), b),
            ]
        };
        self.tips = ends.map(|(_, dot)| dot);
        self.split(sub, ends, &quarters, DEPTH);
    }

    fn curve_in(&mut self, sub: u32, ends: [DVec3; 2], sector: &Sector) {
        let axes = self.axes;
        let knot = |at: DVec3| (at, axes.dot_in(at, sector));
        let quarters = |p: DVec3, q: DVec3| [0.25, 0.5, 0.75].map(|f| knot(p.lerp(q, f)));
        let ends = ends.map(knot);
        self.tips = ends.map(|(_, dot)| dot);
        self.split(sub, ends, &quarters, DEPTH);
    }
}
