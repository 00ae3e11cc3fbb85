//! Bounds on the screen, and whether two of them can meet during a step.

use super::axes::Dot;
use crate::numeric::{lower, upper};

/// Bounds on the screen, in the units of [`Dot`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) low: Dot,
    pub(super) high: Dot,
}

impl Extent {
    pub(super) const EMPTY: Self = Self {
        low: Dot { rho: f32::INFINITY, h: f32::INFINITY, t: f32::INFINITY },
        high: Dot { rho: f32::NEG_INFINITY, h: f32::NEG_INFINITY, t: f32::NEG_INFINITY },
    };

    #[inline]
    pub(super) fn add(&mut self, dot: Dot) {
        let Self { low, high } = self;
        *low = Dot { rho: lower(low.rho, dot.rho), h: lower(low.h, dot.h), t: lower(low.t, dot.t) };
        *high =
            Dot { rho: upper(high.rho, dot.rho), h: upper(high.h, dot.h), t: upper(high.t, dot.t) };
    }

    #[inline]
    pub(super) fn join(&mut self, other: &Self) {
        self.add(other.low);
        self.add(other.high);
    }

    /// Bounds of something that goes all around the axis: only its distance from it is bounded.
    pub(super) fn all_around(&self, rho_of_axis: f32) -> Self {
        let everything = f32::INFINITY;
        Self {
            low: Dot { rho: rho_of_axis, h: -everything, t: -everything },
            high: Dot { rho: self.high.rho, h: everything, t: everything },
        }
    }

    /// The same bounds, `pixels` and `time` wider on all sides.
    pub(super) fn widened(&self, pixels: f32, time: f32) -> Self {
        let Self { low, high } = self;
        Self {
            low: Dot { rho: low.rho - pixels, h: low.h - pixels, t: low.t - time },
            high: Dot { rho: high.rho + pixels, h: high.h + pixels, t: high.t + time },
        }
    }

    /// Whether two bounds share a pixel.
    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        (self.low.rho <= other.high.rho)
            & (other.low.rho <= self.high.rho)
            & (self.low.h <= other.high.h)
            & (other.low.h <= self.high.h)
    }

    /// Whether something in these bounds of A can be met by something in those of B during the
    /// times of `window`: the collision time is `t_A - t_B`.
    #[inline]
    pub(super) fn meets_in(&self, of_b: &Self, window: [f32; 2]) -> bool {
        self.meets(of_b)
            & (self.high.t - of_b.low.t >= window[0])
            & (self.low.t - of_b.high.t <= window[1])
    }
}

impl Default for Extent {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// The range of products of two ranges.
pub(super) fn product(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    let all = [p[0] * q[0], p[0] * q[1], p[1] * q[0], p[1] * q[1]];
    [all.into_iter().fold(f64::INFINITY, f64::min), all.into_iter().fold(-f64::INFINITY, f64::max)]
}

/// The range of sums of two ranges.
pub(super) fn sum(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    [p[0] + q[0], p[1] + q[1]]
}
