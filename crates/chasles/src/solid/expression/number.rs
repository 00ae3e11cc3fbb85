//! What a tape is run on: doubles for guesses, intervals for proofs.
//!
//! Both know the same operations and the same slopes; a slope that is not known over an interval
//! is NaN there. Slopes need only hold almost everywhere along a line: a function made of these
//! operations changes by the integral of its slope wherever that is a number, kinks included.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::numeric::{Elementary, Interval};

pub(super) trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;

    /// A constant of the formula.
    fn constant(value: Interval) -> Self;

    /// Whether it is zero and nothing else.
    fn is_zero(self) -> bool;

    fn square(self) -> Self;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn exp(self) -> Self;
    fn ln(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn floor(self) -> Self;
    fn powi(self, exponent: i32) -> Self;
    fn pow(self, exponent: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    fn hypot(self, other: Self) -> Self;
    fn atan2(self, x: Self) -> Self;
    fn modulo(self, divisor: Self) -> Self;

    /// The slope of the absolute value.
    fn sign(self) -> Self;

    /// How much of the smaller of two numbers is the first: 1 or 0, or both.
    fn share(self, other: Self) -> Self;

    /// A number that is the same all over; NaN where it jumps.
    fn steady(self) -> Self;

    /// The slope of a hypotenuse along a leg, never beyond 1: also at the tip, where both are 0.
    fn leg_over(self, hypotenuse: Self) -> Self;

    /// Zero, or NaN where the angle of `(x, self)` may jump.
    fn jump(self, x: Self) -> Self;
}

/// Operations that have the same name in the type itself.
macro_rules! own {
    ($type:ty: $($unary:ident)*; $($binary:ident)*) => {
        $(#[inline] fn $unary(self) -> Self { <$type>::$unary(self) })*
        $(#[inline] fn $binary(self, other: Self) -> Self { <$type>::$binary(self, other) })*
        #[inline]
        fn powi(self, exponent: i32) -> Self {
            <$type>::powi(self, exponent)
        }
    };
}

/// Operations that doubles have by other names.
macro_rules! elementary {
    ($($unary:ident $one:ident),*; $($binary:ident $two:ident),*) => {
        $(#[inline] fn $unary(self) -> Self { self.$one() })*
        $(#[inline] fn $binary(self, other: Self) -> Self { self.$two(other) })*
    };
}

impl Number for Interval {
    const ZERO: Self = Self::point(0.0);
    const ONE: Self = Self::point(1.0);

    own!(Self: square abs sqrt exp ln sin cos tan asin acos atan floor;
         pow min max hypot atan2 modulo);

    #[inline]
    fn constant(value: Interval) -> Self {
        value
    }

    #[inline]
    fn is_zero(self) -> bool {
        self.low == 0.0 && self.high == 0.0
    }

    #[inline]
    fn sign(self) -> Self {
        if self.low >= 0.0 {
            Self::ONE
        } else if self.high <= 0.0 {
            -Self::ONE
        } else {
            Self::new(-1.0, 1.0)
        }
    }

    #[inline]
    fn share(self, other: Self) -> Self {
        if self.high <= other.low {
            Self::ONE
        } else if other.high <= self.low {
            Self::ZERO
        } else {
            Self::new(0.0, 1.0)
        }
    }

    #[inline]
    fn steady(self) -> Self {
        if self.low == self.high { self } else { Self::NAN }
    }

    #[inline]
    fn leg_over(self, hypotenuse: Self) -> Self {
        let unit = Self::new(
            if self.low >= 0.0 { 0.0 } else { -1.0 },
            if self.high <= 0.0 { 0.0 } else { 1.0 },
        );
        let ratio = self / hypotenuse;
        if ratio.is_nan() { unit } else { ratio.clamp_to(unit) }
    }

    #[inline]
    fn jump(self, x: Self) -> Self {
        if x.low > 0.0 || self.low > 0.0 || self.high < 0.0 { Self::ZERO } else { Self::NAN }
    }
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    own!(Self: abs sqrt floor; min max);
    elementary!(
        exp exponential, ln logarithm, sin sine, cos cosine, tan tangent, asin arcsine,
        acos arccosine, atan arctangent; hypot hypotenuse, atan2 arctangent_over, pow to_power
    );

    #[inline]
    fn constant(value: Interval) -> Self {
        0.5 * (value.low + value.high)
    }

    #[inline]
    fn is_zero(self) -> bool {
        self == 0.0
    }

    #[inline]
    fn square(self) -> Self {
        self * self
    }

    #[inline]
    fn modulo(self, divisor: Self) -> Self {
        self - divisor * (self / divisor).floor()
    }

    #[inline]
    fn sign(self) -> Self {
        self.signum()
    }

    #[inline]
    fn share(self, other: Self) -> Self {
        if self <= other { 1.0 } else { 0.0 }
    }

    #[inline]
    fn steady(self) -> Self {
        self
    }

    #[inline]
    fn leg_over(self, hypotenuse: Self) -> Self {
        if hypotenuse > 0.0 { self / hypotenuse } else { 0.0 }
    }

    #[inline]
    fn jump(self, _: Self) -> Self {
        0.0
    }
}
