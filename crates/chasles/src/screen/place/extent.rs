//! Bounds on the screen, and whether two of them can meet during a step.

use wide::f32x4;

use crate::numeric::{lower, upper};
use crate::screen::place::axes::Dot;

/// Bounds on the screen, in the units of [`Dot`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Extent {
    pub(in crate::screen) low: Dot,
    pub(in crate::screen) high: Dot,
}

impl Extent {
    pub(in crate::screen) const EMPTY: Self = Self {
        low: Dot { rho: f32::INFINITY, h: f32::INFINITY, t: f32::INFINITY },
        high: Dot { rho: f32::NEG_INFINITY, h: f32::NEG_INFINITY, t: f32::NEG_INFINITY },
    };

    /// Any place at any time.
    pub(in crate::screen) const EVERYTHING: Self =
        Self { low: Self::EMPTY.high, high: Self::EMPTY.low };

    /// The same place at any time.
    pub(in crate::screen) fn at_any_time(&self) -> Self {
        let Self { low: first, high: last } = Self::EVERYTHING;
        let Self { low, high } = self;
        Self { low: Dot { t: first.t, ..*low }, high: Dot { t: last.t, ..*high } }
    }

    /// What is in both bounds; empty if they are apart.
    #[inline]
    pub(in crate::screen) fn shared(&self, other: &Self) -> Self {
        let [p, q] = [self.low, other.low];
        let low = Dot { rho: upper(p.rho, q.rho), h: upper(p.h, q.h), t: upper(p.t, q.t) };
        let [p, q] = [self.high, other.high];
        let high = Dot { rho: lower(p.rho, q.rho), h: lower(p.h, q.h), t: lower(p.t, q.t) };
        let is_empty = low.rho > high.rho || low.h > high.h || low.t > high.t;
        if is_empty { Self::EMPTY } else { Self { low, high } }
    }

    /// Bounds of a point, `pixels` wider on all sides.
    #[inline]
    pub(in crate::screen) fn around(dot: Dot, pixels: f32) -> Self {
        Self { low: dot, high: dot }.widened(pixels, 0.0)
    }

    #[inline]
    pub(in crate::screen) fn add(&mut self, dot: Dot) {
        let Self { low, high } = self;
        *low = Dot { rho: lower(low.rho, dot.rho), h: lower(low.h, dot.h), t: lower(low.t, dot.t) };
        *high =
            Dot { rho: upper(high.rho, dot.rho), h: upper(high.h, dot.h), t: upper(high.t, dot.t) };
    }

    #[inline]
    pub(in crate::screen) fn join(&mut self, other: &Self) {
        self.add(other.low);
        self.add(other.high);
    }

    /// Bounds of something that goes all around the axis: only its distance from it is bounded.
    pub(in crate::screen) fn all_around(&self, rho_of_axis: f32) -> Self {
        let everything = f32::INFINITY;
        Self {
            low: Dot { rho: rho_of_axis, h: -everything, t: -everything },
            high: Dot { rho: self.high.rho, h: everything, t: everything },
        }
    }

    /// The same bounds, `pixels` and `time` wider on all sides.
    #[inline]
    pub(in crate::screen) fn widened(&self, pixels: f32, time: f32) -> Self {
        let Self { low, high } = self;
        Self {
            low: Dot { rho: low.rho - pixels, h: low.h - pixels, t: low.t - time },
            high: Dot { rho: high.rho + pixels, h: high.h + pixels, t: high.t + time },
        }
    }

    /// Whether two bounds share a pixel.
    #[inline]
    pub(in crate::screen) fn meets(&self, other: &Self) -> bool {
        (self.low.rho <= other.high.rho)
            & (other.low.rho <= self.high.rho)
            & (self.low.h <= other.high.h)
            & (other.low.h <= self.high.h)
    }

    /// Whether something in these bounds of A can be met by something in those of B during the
    /// times of `window`: the collision time is `t_A - t_B`.
    #[inline]
    pub(in crate::screen) fn meets_in(&self, of_b: &Self, window: [f32; 2]) -> bool {
        self.meets(of_b)
            & (self.high.t - of_b.low.t >= window[0])
            & (self.low.t - of_b.high.t <= window[1])
    }
}

/// Four bounds, or fewer, that are compared with others at a time.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Four {
    low: [f32x4; 3],
    high: [f32x4; 3],
}

impl Four {
    /// Of the first four.
    pub(in crate::screen) fn new(mut extents: impl Iterator<Item = Extent>) -> Self {
        // Empty bounds meet nothing.
        let all = [0; 4].map(|_| extents.next().unwrap_or(Extent::EMPTY));
        let lanes = |dots: [Dot; 4]| {
            [dots.map(|dot| dot.rho), dots.map(|dot| dot.h), dots.map(|dot| dot.t)].map(f32x4::new)
        };
        Self { low: lanes(all.map(|e| e.low)), high: lanes(all.map(|e| e.high)) }
    }

    /// Of so many, given lane by lane.
    #[inline]
    pub(in crate::screen) fn of_lanes(low: [f32x4; 3], high: [f32x4; 3], count: usize) -> Self {
        let used = f32x4::new([0.0, 1.0, 2.0, 3.0]).simd_lt(f32x4::splat(count as f32));
        let low = low.map(|bound| used.bitselect(bound, f32x4::splat(f32::INFINITY)));
        let high = high.map(|bound| used.bitselect(bound, f32x4::splat(f32::NEG_INFINITY)));
        Self { low, high }
    }

    /// Bounds of all.
    pub(in crate::screen) fn joined(&self) -> Extent {
        // What is not a number meets nothing, and must not hide the others.
        let of = |lanes: &[f32x4; 3], best: fn(f32, f32) -> f32| {
            let [rho, h, t] = lanes.map(|lane| {
                let [p, q, r, s] = lane.to_array();
                best(best(p, q), best(r, s))
            });
            Dot { rho, h, t }
        };
        Extent { low: of(&self.low, f32::min), high: of(&self.high, f32::max) }
    }

    /// One of these bounds of A, to be met by bounds of B during a window.
    #[inline]
    pub(in crate::screen) fn probe(&self, i: usize, window: [f32; 2]) -> Probe {
        let lane =
            |bounds: &[f32x4; 3]| [0, 1, 2].map(|along| f32x4::splat(bounds[along].as_array()[i]));
        Probe::new(lane(&self.low), lane(&self.high), window)
    }

    /// Which of these bounds of B can be met, a bit for each: as [`Extent::meets_in`].
    #[inline]
    pub(in crate::screen) fn met_by(&self, probe: &Probe) -> Bits {
        let [p, q, r] = [0, 1, 2]
            .map(|i| self.low[i].simd_le(probe.high[i]) & self.high[i].simd_ge(probe.low[i]));
        Bits::of(p & q & r)
    }
}

/// Bounds of A that are compared with many of B: each four times, and times less the window.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Probe {
    low: [f32x4; 3],
    high: [f32x4; 3],
}

impl Probe {
    #[inline]
    fn new(mut low: [f32x4; 3], mut high: [f32x4; 3], window: [f32; 2]) -> Self {
        low[2] -= f32x4::splat(window[1]);
        high[2] -= f32x4::splat(window[0]);
        Self { low, high }
    }

    /// Bounds of A, `pixels` wider on all sides, during a window.
    #[inline]
    pub(in crate::screen) fn around(
        Extent { low, high }: &Extent,
        pixels: f32,
        window: [f32; 2],
    ) -> Self {
        let wide = f32x4::splat(pixels);
        let [[r0, h0, t0], [r1, h1, t1]] =
            [low, high].map(|dot| [dot.rho, dot.h, dot.t].map(f32x4::splat));
        Self::new([r0 - wide, h0 - wide, t0], [r1 + wide, h1 + wide, t1], window)
    }
}

/// The numbers of the bits that are set.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Bits(u32);

impl Bits {
    pub(in crate::screen) const NONE: Self = Self(0);

    /// The first bits, at most four.
    #[inline]
    pub(in crate::screen) fn first(count: usize) -> Self {
        Self(0b1111 >> (4 - count.min(4)))
    }

    #[inline]
    pub(in crate::screen) fn of(lanes: f32x4) -> Self {
        Self(lanes.to_bitmask())
    }

    #[inline]
    pub(in crate::screen) fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(in crate::screen) fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(in crate::screen) fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    pub(in crate::screen) fn has(self, i: usize) -> bool {
        self.0 >> i & 1 == 1
    }
}

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (first < 4).then_some(first)
    }
}

impl Default for Extent {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// The range of products of two ranges.
pub(in crate::screen) fn product(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    let all = [p[0] * q[0], p[0] * q[1], p[1] * q[0], p[1] * q[1]];
    [all.into_iter().fold(f64::INFINITY, f64::min), all.into_iter().fold(-f64::INFINITY, f64::max)]
}

/// The range of sums of two ranges.
pub(in crate::screen) fn sum(p: [f64; 2], q: [f64; 2]) -> [f64; 2] {
    [p[0] + q[0], p[1] + q[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_bounds_at_a_time_meet_what_each_meets() {
        let mut state = 7u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut dot = || Dot { rho: random(), h: random(), t: random() };
        let mut extent = || {
            let mut extent = Extent::EMPTY;
            [dot(), dot()].into_iter().for_each(|dot| extent.add(dot));
            extent
        };
        for count in [1, 3, 4].repeat(30) {
            let of_a = extent();
            let others: Vec<Extent> = (0..count).map(|_| extent()).collect();
            let window = [-0.2, 0.3];
            let met: Vec<usize> = Four::new(others.iter().copied())
                .met_by(&Probe::around(&of_a, 0.0, window))
                .collect();
            let each = (0..count).filter(|&i| of_a.meets_in(&others[i], window));
            assert_eq!(met, each.collect::<Vec<usize>>());
        }
    }
}
