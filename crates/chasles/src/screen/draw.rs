//! From a sub-edge to pixel records: divide and conquer, then runs [Buss04 §9, step three].
//!
//! A straight edge is a curve on the screen. It is halved until its middle is where a straight
//! line would have it, to a part of a pixel and to the time resolution, or until it is a pixel
//! long; each piece is then a straight line, and leaves one run in every row it passes.

use glam::DVec3;

use super::axes::{Axes, Dot, Sector};
use super::band::Band;
use super::lanes::{Lanes, Spot};
use super::rows::{Order, Record};
use crate::numeric::upper;

/// An edge is cut into at most `2^DEPTH` pieces.
const DEPTH: u32 = 10;

/// A point of a curve and where it falls on the screen. Points are [`Spot`]s, or [`DVec3`]s where
/// angles have to be taken in a sector.
pub(super) type Knot<P> = (P, Dot);

/// How to draw.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ink<'c> {
    pub(super) axes: &'c Axes,
    pub(super) band: Band,
    pub(super) lanes: Lanes,
    /// How far a piece may depart from its curve, in pixels.
    pub(super) departure: f32,
    pub(super) time_resolution: f32,
    /// No more records than this.
    pub(super) limit: usize,
    /// By what rows are sorted.
    pub(super) order: Order,
}

/// Takes the curves of edges: draws them as records, or lists them for a device.
pub(super) trait Stylus {
    /// By how much a line may depart from its curve, in pixels and in time.
    fn allowed(&self) -> [f32; 2];

    /// A straight edge whose curve is a straight line too.
    fn line(&mut self, sub: u32, ends: [Knot<Spot>; 2]);

    /// A straight edge.
    fn curve(&mut self, sub: u32, ends: [Knot<Spot>; 2]);

    /// A straight edge that lies in a sector.
    fn curve_in(&mut self, sub: u32, ends: [DVec3; 2], sector: &Sector);
}

/// Draws curves as records.
pub(super) struct Pen<'c> {
    pub(super) axes: &'c Axes,
    pub(super) band: Band,
    lanes: Lanes,
    pub(super) departure: f32,
    pub(super) time_resolution: f32,
    /// One over what a piece may depart by, in pixels and in time.
    per_pixel: f32,
    per_time: f32,
    limit: usize,
    records: &'c mut Vec<Record>,
    /// Whether the limit was reached, and something left out.
    pub(super) full: bool,
}

impl<'c> Pen<'c> {
    pub(super) fn new(ink: &Ink<'c>, records: &'c mut Vec<Record>) -> Self {
        let &Ink { axes, band, lanes, departure, time_resolution, limit, .. } = ink;
        let [per_pixel, per_time] = [departure, time_resolution].map(f32::recip);
        let full = false;
        Self {
            axes,
            band,
            lanes,
            departure,
            time_resolution,
            per_pixel,
            per_time,
            limit,
            records,
            full,
        }
    }

    /// Draws a curve as one, two or four lines, or halves it.
    fn split<P: Copy>(
        &mut self,
        sub: u32,
        [p, q]: [Knot<P>; 2],
        quarters: &impl Fn(P, P) -> [Knot<P>; 3],
        depth: u32,
    ) {
        let [a, m, b] = quarters(p.0, q.0);
        let off = |f: f32, knot: Knot<P>| self.off(Dot::between(p.1, q.1, f), knot.1);
        if upper(upper(off(0.25, a), off(0.5, m)), off(0.75, b)) <= 1.0 {
            return self.run(sub, p.1, q.1);
        }
        let half = |p: Knot<P>, middle: Knot<P>, q: Knot<P>| {
            self.off(Dot::between(p.1, q.1, 0.5), middle.1)
        };
        let bent = upper(half(p, a, m), half(m, b, q));
        let long = (q.1.rho - p.1.rho).abs() + (q.1.h - p.1.h).abs() > 1.0;
        if bent <= 1.0 {
            self.run(sub, p.1, m.1);
            self.run(sub, m.1, q.1);
        } else if bent <= 4.0 || !long || depth == 0 {
            // Half a parabola departs from its chord by a quarter of what the whole one does.
            for [p, q] in [[p, a], [a, m], [m, b], [b, q]] {
                self.run(sub, p.1, q.1);
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

    /// Draws a straight line: one record in every row it passes.
    pub(super) fn run(&mut self, sub: u32, p: Dot, q: Dot) {
        let (from, to) = if p.rho <= q.rho { (p, q) } else { (q, p) };
        let band = self.band;
        let top = band.border(band.count);
        if to.rho < band.base || from.rho > top {
            return;
        }
        let [first, last] = [band.row(from.rho), band.row(to.rho)];
        if self.records.len() + (last - first) as usize >= self.limit {
            self.full = true;
            return;
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
            self.push(Record { from: here, to: next, sub, row });
            here = next;
        }
        self.push(Record { from: here, to: end, sub, row: last });
    }

    #[inline]
    fn push(&mut self, record: Record) {
        self.records.push(record);
    }
}

impl Stylus for Pen<'_> {
    #[inline]
    fn allowed(&self) -> [f32; 2] {
        [self.departure, self.time_resolution]
    }

    #[inline]
    fn line(&mut self, sub: u32, [p, q]: [Knot<Spot>; 2]) {
        self.run(sub, p.1, q.1);
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
        self.split(sub, ends, &quarters, DEPTH);
    }

    fn curve_in(&mut self, sub: u32, ends: [DVec3; 2], sector: &Sector) {
        let axes = self.axes;
        let knot = |at: DVec3| (at, axes.dot_in(at, sector));
        let quarters = |p: DVec3, q: DVec3| [0.25, 0.5, 0.75].map(|f| knot(p.lerp(q, f)));
        self.split(sub, ends.map(knot), &quarters, DEPTH);
    }
}
