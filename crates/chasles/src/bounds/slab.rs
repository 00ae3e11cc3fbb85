//! Bounds in single precision, four numbers at a time: what trees and pair finding compare.
//!
//! Coordinates of a chart are in units of the reach of the motion, so they are of order one at
//! any scale, and the seven digits of singles are plenty: [`ROUNDING`] covers all rounding, here
//! and in the widening, and is added to every bound. Two comparisons instead of six.

use wide::f32x4;

use super::chart::Extent;

/// Above all rounding of singles below 8, several times over.
pub(super) const ROUNDING: f32 = 4e-6;

/// Intervals of `rho`, `h` and `tau`. The fourth lane is 0, or below 0 in `low` where a point of
/// the feature is too near the axis or too far around it for simple bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slab {
    low: f32x4,
    high: f32x4,
}

impl Default for Slab {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Slab {
    /// Overlaps nothing.
    pub(crate) const EMPTY: Self =
        Self { low: f32x4::new([f32::INFINITY; 4]), high: f32x4::new([f32::NEG_INFINITY; 4]) };

    /// One point, not widened.
    #[inline(always)]
    pub(super) fn of_point(at: f32x4) -> Self {
        Self { low: at, high: at }
    }

    /// What is no farther than `reach` from a point in each coordinate, apart from a little more in
    /// `rho`, upward.
    #[inline]
    pub(super) fn around([rho, h, tau]: [f64; 3], reach: f32x4, up: f32) -> Self {
        let middle = f32x4::new([rho as f32, h as f32, tau as f32, 0.0]);
        Self { low: middle - reach, high: middle + reach + f32x4::new([up, 0.0, 0.0, 0.0]) }
    }

    #[inline]
    pub(super) fn new(extent: &Extent) -> Self {
        let Extent { rho, h, tau } = extent;
        let end = |i: usize| f32x4::new([rho[i] as f32, h[i] as f32, tau[i] as f32, 0.0]);
        Self { low: end(0), high: end(1) }.widened(f32x4::splat(ROUNDING), f32x4::splat(ROUNDING))
    }

    #[inline(always)]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let below = self.low.simd_le(other.high);
        let above = other.low.simd_le(self.high);
        (below & above).all()
    }

    /// The interval of `tau`.
    #[inline(always)]
    pub(crate) fn tau(&self) -> [f32; 2] {
        [self.low, self.high].map(|end| end.as_array()[2])
    }

    #[inline(always)]
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self { low: self.low.fast_min(other.low), high: self.high.fast_max(other.high) }
    }

    /// Wider by these amounts.
    #[inline(always)]
    pub(super) fn widened(&self, low: f32x4, high: f32x4) -> Self {
        Self { low: self.low - low, high: self.high + high }
    }

    /// The slab four times.
    #[inline(always)]
    pub(crate) fn spread(&self) -> Spread {
        let spread = |list: &f32x4| [0, 1, 2].map(|i| f32x4::splat(list.as_array()[i]));
        Spread { low: spread(&self.low), high: spread(&self.high) }
    }

    /// The same bounds, moved. Large moves are rounded, so the bounds widen with them.
    pub(super) fn moved(&self, by: f32x4) -> Self {
        let error = by.abs() * f32x4::splat(2.0 * f32::EPSILON);
        Self { low: self.low + by, high: self.high + by }.widened(error, error)
    }
}

/// Four slabs side by side: each entry is one coordinate of all of them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quad {
    low: [f32x4; 3],
    high: [f32x4; 3],
}

impl Quad {
    /// Overlaps nothing that has an end in `rho`, as all slabs of features have.
    pub(crate) const EMPTY: Self = Self {
        low: [f32x4::new([f32::INFINITY; 4]); 3],
        high: [f32x4::new([f32::NEG_INFINITY; 4]); 3],
    };

    /// Four slabs side by side.
    pub(crate) fn of(slabs: &[Slab; 4]) -> Self {
        Self::new(slabs).0
    }

    /// Four slabs, and their fourth lanes, which say whether they are simple.
    #[inline]
    pub(super) fn new([p, q, r, s]: &[Slab; 4]) -> (Self, f32x4) {
        let [rho, h, tau, simple] = f32x4::transpose([p.low, q.low, r.low, s.low]);
        let low = [rho, h, tau];
        let [rho, h, tau, _] = f32x4::transpose([p.high, q.high, r.high, s.high]);
        (Self { low, high: [rho, h, tau] }, simple)
    }

    /// The slabs between the points of two lists, coordinate by coordinate, empty where `absent` is
    /// infinite and not 0, and which of them are simple.
    #[inline(always)]
    pub(super) fn between(p: [f32x4; 4], q: [f32x4; 4], absent: f32x4) -> (Self, f32x4) {
        let low = |i: usize| p[i].fast_min(q[i]) + absent;
        let high = |i: usize| p[i].fast_max(q[i]) - absent;
        let simple = p[3].fast_min(q[3]);
        (Self { low: [low(0), low(1), low(2)], high: [high(0), high(1), high(2)] }, simple)
    }

    /// The lowest `rho` of each.
    #[inline(always)]
    pub(super) fn low_rho(&self) -> f32x4 {
        self.low[0]
    }

    /// Each wider by these amounts.
    #[inline(always)]
    pub(super) fn widened(&self, low: [f32x4; 3], high: [f32x4; 3]) -> Self {
        let [p, q] = [&self.low, &self.high];
        Self {
            low: [p[0] - low[0], p[1] - low[1], p[2] - low[2]],
            high: [q[0] + high[0], q[1] + high[1], q[2] + high[2]],
        }
    }

    /// Replaces one of the four.
    pub(crate) fn set(&mut self, lane: usize, slab: &Slab) {
        for (lists, slab) in [(&mut self.low, &slab.low), (&mut self.high, &slab.high)] {
            for (list, bound) in lists.iter_mut().zip(slab.as_array()) {
                list.as_mut_array()[lane] = *bound;
            }
        }
    }

    #[inline(always)]
    pub(crate) fn join(&self, other: &Self) -> Self {
        let [p, q] = [&self.low, &other.low];
        let low = [p[0].fast_min(q[0]), p[1].fast_min(q[1]), p[2].fast_min(q[2])];
        let [p, q] = [&self.high, &other.high];
        Self { low, high: [p[0].fast_max(q[0]), p[1].fast_max(q[1]), p[2].fast_max(q[2])] }
    }

    /// What holds all four.
    pub(crate) fn all(&self) -> Slab {
        let four = |[rho, h, tau]: [f32x4; 3]| f32x4::transpose([rho, h, tau, f32x4::ZERO]);
        let ([p, q, r, s], [t, u, v, w]) = (four(self.low), four(self.high));
        Slab {
            low: p.fast_min(q).fast_min(r.fast_min(s)),
            high: t.fast_max(u).fast_max(v.fast_max(w)),
        }
    }

    /// One of the four.
    #[inline(always)]
    pub(crate) fn slab(&self, lane: usize) -> Slab {
        let one = |lists: &[f32x4; 3]| {
            let [rho, h, tau] = lists.each_ref().map(|list| list.as_array()[lane]);
            f32x4::new([rho, h, tau, 0.0])
        };
        Slab { low: one(&self.low), high: one(&self.high) }
    }

    /// One of the four, four times.
    #[inline(always)]
    pub(crate) fn spread(&self, lane: usize) -> Spread {
        let spread = |lists: &[f32x4; 3]| {
            lists.each_ref().map(|list| f32x4::splat(list.as_array()[lane % 4]))
        };
        Spread { low: spread(&self.low), high: spread(&self.high) }
    }

    /// The interval of `tau` of one of the four.
    #[inline(always)]
    pub(crate) fn tau(&self, lane: usize) -> [f64; 2] {
        [&self.low, &self.high].map(|lists| f64::from(lists[2].as_array()[lane]))
    }

    /// Which of the four overlap a slab, as bits.
    #[inline(always)]
    pub(crate) fn overlapping(&self, slab: &Spread) -> usize {
        let along =
            |i: usize| self.low[i].simd_le(slab.high[i]) & slab.low[i].simd_le(self.high[i]);
        (along(0) & along(1) & along(2)).to_bitmask() as usize
    }
}

/// One slab four times, to be compared with four others.
pub(crate) struct Spread {
    low: [f32x4; 3],
    high: [f32x4; 3],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_slab_overlaps_nothing() {
        let all = Slab::new(&Extent::EVERYTHING);
        assert!(!Slab::EMPTY.overlaps(&all) && all.overlaps(&all));
        assert!(Slab::EMPTY.join(&all).overlaps(&all));
    }

    #[test]
    fn lanes_that_are_absent_or_empty_overlap_nothing_and_leave_the_others_alone() {
        // As of what goes round the axis: all but for `rho`.
        let everything = Slab::new(&Extent { rho: [-1.0, 5.0], ..Extent::EVERYTHING });
        let list = |from: f32| [0.0, 0.1, 0.2, 0.3].map(|by| f32x4::splat(from + by));
        let (full, simple) = Quad::between(list(0.25), list(0.75), f32x4::ZERO);
        assert_eq!(full.overlapping(&everything.spread()), 0b1111);
        for lanes in 0..16 {
            let absent =
                [0, 1, 2, 3].map(|i| if lanes >> i & 1 == 1 { 0.0 } else { f32::INFINITY });
            let (quad, same) = Quad::between(list(0.25), list(0.75), f32x4::new(absent));
            assert_eq!(quad.overlapping(&everything.spread()), lanes);
            assert_eq!(simple, same);
            for lane in 0..4 {
                let is_there = lanes >> lane & 1 == 1;
                assert_eq!(full.overlapping(&quad.spread(lane)), if is_there { 0b1111 } else { 0 });
                let expected = if is_there { full.slab(lane) } else { Slab::EMPTY };
                assert_eq!(quad.slab(lane).as_one(), expected.as_one());
            }
            let wide = quad.widened([f32x4::ONE; 3], [f32x4::ONE; 3]);
            assert_eq!(wide.overlapping(&everything.spread()), lanes);
            let (all, joined) = (quad.all(), Quad::EMPTY.join(&quad).all());
            assert_eq!(all.overlaps(&everything), lanes != 0);
            assert_eq!(all.as_one(), joined.as_one());
        }
    }

    impl Slab {
        /// Its bounds without their fourth lanes.
        fn as_one(&self) -> [[f32; 3]; 2] {
            [self.low, self.high].map(|list| {
                let [rho, h, tau, _] = *list.as_array();
                [rho, h, tau]
            })
        }
    }

    #[test]
    fn each_coordinate_can_separate() {
        let point = |rho, h, tau| Slab::of_point(f32x4::new([rho, h, tau, 0.0]));
        let base = point(0.5, 0.5, 0.5);
        assert!(base.overlaps(&base));
        for other in [(0.6, 0.5, 0.5), (0.5, 0.6, 0.5), (0.5, 0.5, 0.4)] {
            let other = point(other.0, other.1, other.2);
            assert!(!base.overlaps(&other) && !other.overlaps(&base));
            let wide = other.widened(f32x4::splat(0.11), f32x4::splat(0.11));
            assert!(base.overlaps(&wide) && wide.overlaps(&base));
            let (quad, _) = Quad::new(&[base, other, wide, Slab::EMPTY]);
            assert_eq!(quad.overlapping(&base.spread()), 0b0101);
            assert_eq!(quad.overlapping(&quad.slab(1).spread()), 0b0110);
        }
    }
}
