//! One number, or several side by side: what the gap functions are evaluated in.

use std::ops::{Add, Mul, Sub};

use wide::f64x2;

/// A number, or several side by side.
pub(crate) trait Number:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    fn of(value: f64) -> Self;
    fn abs(self) -> Self;
}

impl Number for f64 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
}

impl Number for f64x2 {
    #[inline(always)]
    fn of(value: f64) -> Self {
        Self::splat(value)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        f64x2::abs(self)
    }
}
