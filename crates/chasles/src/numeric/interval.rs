//! Intervals of doubles that contain what real arithmetic gives.
//!
//! Every operation rounds to nearest and then moves each end outward by one double, which bounds
//! the rounding of `+ - * /` and of the square root; the processor's rounding mode is never
//! touched. An interval with an end that is NaN says nothing, and neither does what is computed
//! with it.

use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from `low` to `high`, both included; ends may be infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end, not below the lower one.
    pub high: f64,
}

impl Interval {
    /// All numbers.
    pub const ALL: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// Both ends; the caller sees to their order.
    #[inline]
    pub const fn new(low: f64, high: f64) -> Self {
        Self { low, high }
    }

    /// A single number.
    #[inline]
    pub const fn point(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// A number that is known up to `error`.
    #[inline]
    pub fn about(value: f64, error: f64) -> Self {
        Self { low: value - error, high: value + error }.outward()
    }

    /// Whether an end is not a number.
    #[inline]
    pub fn is_nan(self) -> bool {
        self.low.is_nan() || self.high.is_nan()
    }

    /// Whether a number lies in it.
    #[inline]
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half of its length, infinite if an end is.
    #[inline]
    pub fn radius(self) -> f64 {
        0.5 * (self.high - self.low)
    }

    /// Each end moved outward by one double.
    #[inline]
    pub fn outward(self) -> Self {
        Self { low: self.low.next_down(), high: self.high.next_up() }
    }

    /// The smallest interval around both.
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The range of the smaller of two numbers.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    /// The range of the larger of two numbers.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        Self { low: self.low.max(other.low), high: self.high.max(other.high) }
    }
}

impl Neg for Interval {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Add for Interval {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }.outward()
    }
}

impl Sub for Interval {
    type Output = Self;

    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Interval {
    type Output = Self;

    #[inline]
    fn mul(self, other: Self) -> Self {
        // Zero times an infinite end is zero here: the end stands for numbers of any size.
        let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let [p, q] = [times(self.low, other.low), times(self.low, other.high)];
        let [r, s] = [times(self.high, other.low), times(self.high, other.high)];
        let low = lowest(lowest(p, q), lowest(r, s));
        Self { low, high: -lowest(lowest(-p, -q), lowest(-r, -s)) }.outward()
    }
}

/// The lower of two numbers, NaN if one is.
#[inline]
fn lowest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_that_are_not_numbers_are_kept() {
        let nan = Interval::new(f64::NAN, 1.0);
        for other in [Interval::point(2.0), Interval::point(0.5), Interval::ALL] {
            assert!((nan * other).is_nan() && (other * nan).is_nan());
            assert!((nan + other).is_nan() && (other - nan).is_nan());
        }
    }

    #[test]
    fn products_with_all_numbers_are_all_numbers_or_zero() {
        let all = Interval::ALL * Interval::new(0.0, 1.0);
        assert_eq!(all, Interval::ALL);
        assert!((Interval::ALL * Interval::point(0.0)).radius() < 1e-300);
    }
}
