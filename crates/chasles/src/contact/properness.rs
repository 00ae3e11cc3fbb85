//! How well the surfaces face each other around a contact [Buss04 §5], from the terms of which it
//! is the least.

use glam::DVec3;

use crate::numeric::{lower, upper};

/// Least and greatest of the terms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Terms {
    low: f64,
    high: f64,
}

/// The normal of a contact, from A to B or the other way as the terms say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    pub(crate) normal: DVec3,
    pub(crate) properness: f64,
    pub(crate) normal_speed: f64,
}

impl Terms {
    /// An empty minimum is 1, whichever way the normal points.
    pub(crate) const NONE: Self = Self { low: 1.0, high: -1.0 };

    #[inline]
    pub(crate) fn of(terms: impl Iterator<Item = f64>) -> Self {
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        terms.for_each(|term| [low, high] = [lower(low, term), upper(high, term)]);
        if low > high { Self::NONE } else { Self { low, high } }
    }

    /// These terms and others.
    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        Self { low: lower(self.low, other.low), high: upper(self.high, other.high) }
    }

    /// The properness; without an outside to tell, that of the better side.
    #[inline]
    pub(crate) fn properness(&self, has_outside: bool) -> f64 {
        let least = if has_outside { self.low } else { upper(self.low, -self.high) };
        // Rounding takes an edge along the normal a little beyond.
        least.clamp(-1.0, 1.0)
    }

    /// The terms with a normal, where points of B pass with this velocity. Without an outside the
    /// normal is turned to the better properness, and where both sides are as good so that the
    /// features approach.
    #[inline]
    pub(crate) fn facing(&self, normal: DVec3, flow: DVec3, has_outside: bool) -> Facing {
        let &Self { low, high } = self;
        let better = -high > low || (-high == low && normal.dot(flow) > 0.0);
        let normal = if better && !has_outside { -normal } else { normal };
        let properness = self.properness(has_outside);
        Facing { normal, properness, normal_speed: normal.dot(flow) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_term_counts_and_none_is_the_best() {
        assert_eq!(Terms::of([0.5, -0.25, 0.75].into_iter()).properness(true), -0.25);
        assert_eq!(Terms::of([0.5, -0.25, 0.75].into_iter()).properness(false), -0.25);
        assert_eq!(Terms::of([-0.5, -0.25].into_iter()).properness(false), 0.25);
        assert_eq!(Terms::of([].into_iter()).properness(false), 1.0);
        assert_eq!(Terms::of([-1.0 - f64::EPSILON].into_iter()).properness(true), -1.0);
        let both = Terms::of([0.5].into_iter()).and(Terms::of([-0.25, 0.75].into_iter()));
        assert_eq!(both, Terms::of([0.5, -0.25, 0.75].into_iter()));
        assert_eq!(both.and(Terms::NONE), both);
    }

    #[test]
    fn a_normal_without_an_outside_is_turned_to_the_better_side_or_to_the_approach() {
        let up = |terms: [f64; 2], flow: f64, has_outside: bool| {
            let terms = Terms::of(terms.into_iter());
            terms.facing(DVec3::Z, DVec3::Z * flow, has_outside)
        };
        let turned = up([-0.5, -0.25], 1.0, false);
        assert_eq!(
            (turned.normal, turned.properness, turned.normal_speed),
            (-DVec3::Z, 0.25, -1.0)
        );
        assert_eq!(up([-0.5, -0.25], 1.0, true).normal, DVec3::Z);
        assert_eq!(up([-0.5, 0.5], 1.0, false).normal, -DVec3::Z);
        assert_eq!(up([-0.5, 0.5], -1.0, false).normal, DVec3::Z);
    }
}
