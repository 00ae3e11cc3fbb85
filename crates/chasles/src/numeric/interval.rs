//! Intervals of doubles that contain what real arithmetic gives.
//!
//! Every operation rounds to nearest and then moves each end outward by one double, which bounds
//! the rounding of `+ - * /` and of the square root; the processor's rounding mode is never
//! touched. An interval with an end that is NaN says nothing, and neither does what is computed
//! with it.
//!
//! A function of real numbers may have no value somewhere: a quotient by zero, the square root of
//! a negative number. If an operand contains such a place the result has two ends that are NaN,
//! even if most of the operand is fine: what is said of an interval holds for all of it. What has
//! a value but overflows is no such place; its interval ends at infinity.
//!
//! ```text
//!      [1, 4].sqrt() = [1, 2]     [-1, 4].sqrt() = NaN     1 / [-1, 1] = NaN     exp(1000) = [MAX, inf]
//! ```
//!
//! *Accepts* all intervals. *Guarantees* that the result contains the result for every choice of
//! numbers from the operands, or is NaN. *Cost* a few nanoseconds; [`Interval::exp`] and the like
//! two calls of the platform's function. *Fails* never.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{lower, upper};

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

    /// Says nothing: the function may have no value.
    pub const NAN: Self = Self { low: f64::NAN, high: f64::NAN };

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

    /// The largest absolute value in it; NaN if an end is.
    #[inline]
    pub fn magnitude(self) -> f64 {
        -lowest(-self.low.abs(), -self.high.abs())
    }

    /// Each end moved outward by one double.
    #[inline]
    pub fn outward(self) -> Self {
        Self { low: self.low.next_down(), high: self.high.next_up() }
    }

    /// The smallest interval around both.
    #[inline]
    pub fn hull(self, other: Self) -> Self {
        Self { low: lowest(self.low, other.low), high: -lowest(-self.high, -other.high) }
    }

    /// What lies in both; the caller knows that something does. Ends that are NaN are kept.
    #[inline]
    pub fn clamp_to(self, other: Self) -> Self {
        Self { low: -lowest(-self.low, -other.low), high: lowest(self.high, other.high) }
    }

    /// The range of the smaller of two numbers.
    #[inline]
    pub fn min(self, other: Self) -> Self {
        Self { low: lowest(self.low, other.low), high: lowest(self.high, other.high) }
    }

    /// The range of the larger of two numbers.
    #[inline]
    pub fn max(self, other: Self) -> Self {
        -(-self).min(-other)
    }

    /// The range of the absolute value.
    #[inline]
    pub fn abs(self) -> Self {
        if self.low >= 0.0 {
            self
        } else if self.high <= 0.0 {
            -self
        } else {
            Self { low: 0.0, high: self.magnitude() }
        }
    }

    /// The range of the square, which is never negative.
    #[inline]
    pub fn square(self) -> Self {
        let Self { low, high } = self.abs();
        Self { low: positive_down(low * low), high: (high * high).next_up() }
    }

    /// The range of the square root, not a number if one of a negative number is asked for.
    #[inline]
    pub fn sqrt(self) -> Self {
        if self.low >= 0.0 {
            Self { low: positive_down(self.low.sqrt()), high: self.high.sqrt().next_up() }
        } else {
            Self::NAN
        }
    }

    /// The range of a power with a whole exponent; `x^0` is 1 for all `x`.
    ///
    /// *Guarantees* not a number for a negative exponent if the interval has zero, or a number
    /// whose power with the positive exponent is too small for a double. *Cost* two products for
    /// each bit of the exponent.
    pub fn powi(self, exponent: i32) -> Self {
        if self.is_nan() {
            return Self::NAN;
        }
        let size = exponent.unsigned_abs();
        let power = if size.is_multiple_of(2) {
            power_of_positive(self.abs(), size)
        } else if self.low >= 0.0 {
            power_of_positive(self, size)
        } else if self.high <= 0.0 {
            -power_of_positive(-self, size)
        } else {
            let low = power_of_positive(Self::new(0.0, -self.low), size).high;
            Self { low: -low, high: power_of_positive(Self::new(0.0, self.high), size).high }
        };
        if exponent < 0 { Self::point(1.0) / power } else { power }
    }
}

/// The power of numbers that are not negative, by squares of squares.
fn power_of_positive(base: Interval, exponent: u32) -> Interval {
    let (mut power, mut square, mut rest) = (None, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            power = Some(power.map_or(square, |power: Interval| power * square));
        }
        rest >>= 1;
        if rest > 0 {
            square = square.square();
        }
    }
    power.unwrap_or(Interval::point(1.0))
}

/// The double before one that bounds a number which is not negative.
#[inline]
pub(super) fn positive_down(value: f64) -> f64 {
    let down = value.next_down();
    if down < 0.0 { 0.0 } else { down }
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
        let [low, high] = [self.low + other.low, self.high + other.high];
        // A sum of doubles is zero only if that is no rounding: sums of squares stay positive.
        Self {
            low: if low == 0.0 { low } else { low.next_down() },
            high: if high == 0.0 { high } else { high.next_up() },
        }
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
        let [p, q] = [self.low * other.low, self.low * other.high];
        let [r, s] = [self.high * other.low, self.high * other.high];
        if (p + q + r + s).is_nan() {
            return product_with_infinite_ends(self, other);
        }
        let low = lower(lower(p, q), lower(r, s));
        let high = upper(upper(p, q), upper(r, s));
        let down =
            if self.low >= 0.0 && other.low >= 0.0 { positive_down(low) } else { low.next_down() };
        Self { low: down, high: high.next_up() }
    }
}

/// Products where zero may meet infinity, or infinities each other, or an end is NaN.
#[cold]
fn product_with_infinite_ends(a: Interval, b: Interval) -> Interval {
    // Zero times an infinite end is zero here: the end stands for numbers of any size.
    let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
    if a.is_nan() || b.is_nan() {
        return Interval::NAN;
    }
    let [p, q] = [times(a.low, b.low), times(a.low, b.high)];
    let [r, s] = [times(a.high, b.low), times(a.high, b.high)];
    let high = upper(upper(p, q), upper(r, s));
    Interval { low: lower(lower(p, q), lower(r, s)), high }.outward()
}

impl Div for Interval {
    type Output = Self;

    /// The range of the quotient, not a number if the divisor may be zero.
    #[inline]
    fn div(self, other: Self) -> Self {
        if !(other.low > 0.0 || other.high < 0.0) || self.is_nan() || other.is_nan() {
            return Self::NAN;
        }
        // An infinite divisor stands for numbers of any size: the quotient comes close to zero.
        let over = |a: f64, b: f64| if b.is_infinite() { 0.0 } else { a / b };
        let [p, q] = [over(self.low, other.low), over(self.low, other.high)];
        let [r, s] = [over(self.high, other.low), over(self.high, other.high)];
        let low = lower(lower(p, q), lower(r, s));
        let high = upper(upper(p, q), upper(r, s));
        let down =
            if self.low >= 0.0 && other.low > 0.0 { positive_down(low) } else { low.next_down() };
        Self { low: down, high: high.next_up() }
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

    #[test]
    fn what_may_have_no_value_is_not_a_number() {
        let crossing = Interval::new(-1.0, 4.0);
        let nothing = [crossing.sqrt(), Interval::point(1.0) / crossing, crossing.powi(-2)];
        assert!(nothing.iter().all(|result| result.low.is_nan() && result.high.is_nan()));
        assert!(Interval::new(-2.0, -1.0).sqrt().is_nan());
        assert!((Interval::point(0.0) / Interval::new(0.0, 1.0)).is_nan());
        for with_nan in [crossing.min(Interval::NAN), Interval::NAN.max(crossing)] {
            assert!(with_nan.is_nan() && with_nan.hull(crossing).is_nan());
        }
    }

    #[test]
    fn sums_of_squares_have_square_roots() {
        let zero = Interval::point(0.0);
        let length = (zero.square() + zero.square()).sqrt();
        assert!(length.low == 0.0 && length.high < 1e-160, "{length:?}");
        let product = Interval::new(0.0, 1e-200) * Interval::new(0.0, 1e-200);
        assert!(product.low == 0.0 && product.high > 0.0);
    }

    #[test]
    fn powers_follow_the_sign_of_what_is_raised() {
        let crossing = Interval::new(-2.0, 3.0);
        for (exponent, low, high) in [(1, -2.0, 3.0), (2, 0.0, 9.0), (3, -8.0, 27.0), (0, 1.0, 1.0)]
        {
            let power = crossing.powi(exponent);
            assert!((power.low - low).abs() < 1e-13 && (power.high - high).abs() < 1e-13);
        }
        let inverse = Interval::new(-4.0, -2.0).powi(-1);
        assert!(inverse.contains(-0.25) && inverse.contains(-0.5) && inverse.radius() < 0.126);
        assert_eq!(Interval::new(1.0, 2.0).powi(i32::MAX).high, f64::INFINITY);
        assert!(Interval::new(1.0, 2.0).powi(i32::MIN).low == 0.0);
    }

    #[test]
    fn infinite_ends_stand_for_numbers_of_any_size() {
        let large = Interval::new(1.0, f64::INFINITY);
        let ratio = large / large;
        assert!(ratio.low == 0.0 && ratio.high == f64::INFINITY, "{ratio:?}");
        assert_eq!((large - large), Interval::ALL);
        assert_eq!(large.sqrt().high, f64::INFINITY);
        assert_eq!(Interval::ALL.abs(), Interval::new(0.0, f64::INFINITY));
        assert_eq!(Interval::ALL.square().high, f64::INFINITY);
        let overflow = Interval::point(1e300).square();
        assert_eq!([overflow.low, overflow.high], [f64::MAX, f64::INFINITY]);
    }
}
