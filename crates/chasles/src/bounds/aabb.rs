//! Boxes along the axes.

use glam::DVec3;

/// A closed box; empty where `low` exceeds `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Aabb {
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Aabb {
    pub(crate) const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    /// The box around points.
    #[inline]
    pub(crate) fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        let join = |all: Self, p: DVec3| Self { low: all.low.min(p), high: all.high.max(p) };
        points.into_iter().fold(Self::EMPTY, join)
    }

    #[inline]
    pub(crate) fn join(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (self.low.cmple(other.high) & other.low.cmple(self.high)).all()
    }

    #[inline]
    pub(crate) fn contains(&self, other: &Self) -> bool {
        (self.low.cmple(other.low) & other.high.cmple(self.high)).all()
    }

    /// The box with every side moved outward.
    #[inline]
    pub(crate) fn grown(&self, by: DVec3) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }
}
