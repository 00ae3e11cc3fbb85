//! Which features of two leaves may touch, four of A's at a time.

use std::ops::Range;

use crate::bounds::{Chart, Quad, Spread};

/// Quads of which a mask holds all features.
const MASK: usize = 16;

/// What is around the features of two leaves: A's, moved by whole turns, and B's, moved back.
pub(super) struct Around<'c> {
    pub(super) a: Spread,
    pub(super) b: Spread,
    pub(super) chart: &'c Chart,
    pub(super) turn: i32,
}

impl Around<'_> {
    /// Calls `found` with a quad of A, the place of a feature of B, and which of the four may touch
    /// it, as bits; for features of one kind of each body, whose quads are in these ranges.
    #[inline(always)]
    pub(super) fn meet(
        &self,
        [a, b]: [&[Quad]; 2],
        [mut of_a, of_b]: [Range<usize>; 2],
        mut found: impl FnMut(usize, usize, usize),
    ) {
        while of_a.start < of_a.end {
            let first = of_a.start;
            of_a.start = of_a.end.min(first + MASK);
            let a = &a[first..of_a.start];
            let mut near = 0;
            for (k, quad) in a.iter().enumerate() {
                near |= (quad.overlapping(&self.b) as u64) << (4 * k);
            }
            if near == 0 {
                continue;
            }
            for (k, quad) in b[of_b.clone()].iter().enumerate() {
                let mut others = quad.overlapping(&self.a);
                while others != 0 {
                    let lane = others.trailing_zeros() as usize % 4;
                    others &= others - 1;
                    let one = self.moved(quad, lane);
                    let place = 4 * (of_b.start + k) + lane;
                    touching(a, near, &one, |quad, mask| found(first + quad, place, mask));
                }
            }
        }
    }

    /// A feature of B, moved back.
    #[inline(always)]
    fn moved(&self, quad: &Quad, lane: usize) -> Spread {
        match self.turn {
            0 => quad.spread(lane),
            turn => self.chart.turned(&quad.slab(lane), -turn).spread(),
        }
    }
}

/// Calls `found` with the quads of which a feature overlaps `one`, and which, of those with bits in
/// `near`.
#[inline(always)]
fn touching(quads: &[Quad], mut near: u64, one: &Spread, mut found: impl FnMut(usize, usize)) {
    while near != 0 {
        let k = near.trailing_zeros() as usize / 4;
        near &= !(0b1111 << (4 * k));
        let mask = quads[k].overlapping(one);
        if mask != 0 {
            found(k, mask);
        }
    }
}

/// Calls `each` with the places of the lanes of a quad that a mask selects.
#[inline(always)]
pub(super) fn lanes(quad: usize, mut mask: usize, mut each: impl FnMut(usize)) {
    while mask != 0 {
        each(4 * quad + mask.trailing_zeros() as usize);
        mask &= mask - 1;
    }
}
