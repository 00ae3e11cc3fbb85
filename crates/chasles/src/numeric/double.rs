//! Numbers as unevaluated sums of two doubles: about 106 bits, for what rounding of one double
//! leaves open.
//!
//! Sums and products of doubles are exact as such pairs (Knuth's and Dekker's error-free
//! transformations); operations on pairs have a relative error below `2^-100` as long as nothing
//! overflows or falls below the normal range.

use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Double {
    pub(crate) high: f64,
    low: f64,
}

impl Double {
    #[inline]
    pub(crate) fn new(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    /// The sum of two doubles, exactly.
    #[inline]
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let rest = high - a;
        Self { high, low: (a - (high - rest)) + (b - rest) }
    }

    /// As [`Double::sum`], where `|a| >= |b|` or `a` is zero.
    #[inline]
    fn quick_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }

    /// The product of two doubles, exactly.
    #[inline]
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let [a1, a2] = halves(a);
        let [b1, b2] = halves(b);
        Self { high, low: ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 }
    }
}

/// A double as a sum of two with half as many digits.
#[inline]
fn halves(a: f64) -> [f64; 2] {
    let shifted = 134_217_729.0 * a;
    let high = shifted - (shifted - a);
    [high, a - high]
}

impl Add for Double {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let all = Self::quick_sum(high.high, high.low + low.high);
        Self::quick_sum(all.high, all.low + low.low)
    }
}

impl Sub for Double {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Mul for Double {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        let Self { high, low } = Self::product(self.high, other.high);
        Self::quick_sum(high, low + (self.high * other.low + self.low * other.high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_beyond_a_double_are_kept() {
        let tiny = 2_f64.powi(-80);
        let one = Double::sum(1.0, tiny);
        assert_eq!((one - Double::new(1.0)).high, tiny);
        let square = one * one;
        assert_eq!((square - Double::new(1.0)).high, 2.0 * tiny);
        let third = Double::new(1.0 / 3.0);
        let rest = Double::new(1.0) - third * Double::new(3.0);
        assert_eq!(rest.high, 2_f64.powi(-54));
    }
}
