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
    #[inline]
    pub(super) fn of_point(rho: f64, h: f64, tau: f64, simple: bool) -> Self {
        let at = f32x4::new([rho as f32, h as f32, tau as f32, if simple { 0.0 } else { -1.0 }]);
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

    #[inline(always)]
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self { low: self.low.fast_min(other.low), high: self.high.fast_max(other.high) }
    }

    /// Wider by these amounts.
    #[inline(always)]
    pub(super) fn widened(&self, low: f32x4, high: f32x4) -> Self {
        Self { low: self.low - low, high: self.high + high }
    }

    /// Whether every point in it allows simple bounds.
    #[inline(always)]
    pub(super) fn is_simple(&self) -> bool {
        self.low.as_array()[3] > -0.5
    }

    /// The lowest `rho`.
    #[inline(always)]
    pub(super) fn low_rho(&self) -> f32 {
        self.low.as_array()[0]
    }

    /// The interval of `tau`.
    #[inline]
    pub(crate) fn tau(&self) -> [f64; 2] {
        [f64::from(self.low.as_array()[2]), f64::from(self.high.as_array()[2])]
    }

    /// The same bounds, moved. Large moves are rounded, so the bounds widen with them.
    pub(super) fn moved(&self, by: f32x4) -> Self {
        let error = by.abs() * f32x4::splat(2.0 * f32::EPSILON);
        Self { low: self.low + by, high: self.high + by }.widened(error, error)
    }
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
    fn each_coordinate_can_separate() {
        let base = Slab::of_point(0.5, 0.5, 0.5, true);
        assert!(base.overlaps(&base));
        for other in [(0.6, 0.5, 0.5), (0.5, 0.6, 0.5), (0.5, 0.5, 0.4)] {
            let other = Slab::of_point(other.0, other.1, other.2, true);
            assert!(!base.overlaps(&other) && !other.overlaps(&base));
            let wide = other.widened(f32x4::splat(0.11), f32x4::splat(0.11));
            assert!(base.overlaps(&wide) && wide.overlaps(&base));
        }
    }
}
