//! Numbers of twice the precision of `f64` (about 32 digits), and vectors of them.
//!
//! A [`Dd`] is the unevaluated sum of two `f64`, the second below half a unit in the last place of
//! the first. Sums and products follow Dekker and Knuth: the rounding error of an `f64` operation
//! is itself an `f64` and can be computed. No fused multiply-add is used, as it is a slow call on
//! targets that lack the instruction.

use std::ops::{Add, Div, Mul, Neg, Sub};

use glam::DVec3;

/// An unevaluated sum of two `f64`; relative error of an operation about `1e-31`.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Dd {
    hi: f64,
    lo: f64,
}

/// `a + b` and its rounding error, for any `a` and `b`.
fn two_sum(a: f64, b: f64) -> Dd {
    let hi = a + b;
    let bb = hi - a;
    Dd { hi, lo: (a - (hi - bb)) + (b - bb) }
}

/// `a + b` and its rounding error, for `|a| >= |b|`.
fn quick_two_sum(a: f64, b: f64) -> Dd {
    let hi = a + b;
    Dd { hi, lo: b - (hi - a) }
}

/// The upper 26 bits of `a` and the rest; 134217729 is `2^27 + 1`.
fn split(a: f64) -> (f64, f64) {
    let scaled = 134_217_729.0 * a;
    let hi = scaled - (scaled - a);
    (hi, a - hi)
}

/// `a * b` and its rounding error.
fn two_product(a: f64, b: f64) -> Dd {
    let hi = a * b;
    let ((a1, a0), (b1, b0)) = (split(a), split(b));
    Dd { hi, lo: ((a1 * b1 - hi) + a1 * b0 + a0 * b1) + a0 * b0 }
}

impl Dd {
    /// Zero.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    /// One.
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.hi + self.lo
    }

    /// The absolute value.
    pub fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    /// Whether the number is negative; zero is not.
    pub fn is_negative(self) -> bool {
        self.hi < 0.0
    }

    /// The square root of a number that is not negative.
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ZERO;
        }
        // Two Newton steps on x^2 = self, from 16 digits to 32 and once more against rounding.
        let mut x = Self::from(self.hi.sqrt());
        for _ in 0..2 {
            x = (x + self / x) * Self::from(0.5);
        }
        x
    }

    /// Sine and cosine by Taylor's series; meant for `|self| <= 4`.
    pub fn sin_cos(self) -> (Self, Self) {
        // Quartering the angle keeps the terms small; two doublings bring it back.
        let x = self * Self::from(0.25);
        let square = x * x;
        let (mut sin, mut cos) = (Self::ZERO, Self::ZERO);
        for k in (0..14).rev() {
            let k = f64::from(2 * k);
            cos = Self::ONE - square * cos / Self::from((k + 1.0) * (k + 2.0));
            sin = Self::ONE - square * sin / Self::from((k + 2.0) * (k + 3.0));
        }
        sin = sin * x;
        for _ in 0..2 {
            let two_sin = sin + sin;
            (sin, cos) = (two_sin * cos, Self::ONE - two_sin * sin);
        }
        (sin, cos)
    }

    /// The angle in `[0, pi]` of the point `(cos, sin)` of the unit circle, `sin >= 0`.
    pub fn angle_of(sin: Self, cos: Self) -> Self {
        let guess = Self::from(sin.to_f64().atan2(cos.to_f64()));
        let (s, c) = guess.sin_cos();
        // sin(true - guess), which is their difference to the third power of 1e-16.
        guess + (sin * c - cos * s)
    }
}

impl From<f64> for Dd {
    fn from(hi: f64) -> Self {
        Self { hi, lo: 0.0 }
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let s = two_sum(self.hi, other.hi);
        let t = two_sum(self.lo, other.lo);
        let s = quick_two_sum(s.hi, s.lo + t.hi);
        quick_two_sum(s.hi, s.lo + t.lo)
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let p = two_product(self.hi, other.hi);
        quick_two_sum(p.hi, p.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let q1 = self.hi / other.hi;
        let r = self - other * Self::from(q1);
        let q2 = r.hi / other.hi;
        let r = r - other * Self::from(q2);
        let q3 = r.hi / other.hi;
        quick_two_sum(q1, q2) + Self::from(q3)
    }
}

/// A vector of [`Dd`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vector {
    /// First coordinate.
    pub x: Dd,
    /// Second coordinate.
    pub y: Dd,
    /// Third coordinate.
    pub z: Dd,
}

impl Vector {
    /// The scalar product.
    pub fn dot(self, o: Self) -> Dd {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// The vector product.
    pub fn cross(self, o: Self) -> Self {
        Self {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    /// The length.
    pub fn length(self) -> Dd {
        self.dot(self).sqrt()
    }

    /// The vector of length 1 in the same direction.
    pub fn unit(self) -> Self {
        self * (Dd::ONE / self.length())
    }

    /// The nearest `f64` vector.
    pub fn to_f64(self) -> DVec3 {
        DVec3::new(self.x.to_f64(), self.y.to_f64(), self.z.to_f64())
    }
}

impl From<DVec3> for Vector {
    fn from(v: DVec3) -> Self {
        Self { x: v.x.into(), y: v.y.into(), z: v.z.into() }
    }
}

impl Add for Vector {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { x: self.x + o.x, y: self.y + o.y, z: self.z + o.z }
    }
}

impl Sub for Vector {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self { x: self.x - o.x, y: self.y - o.y, z: self.z - o.z }
    }
}

impl Neg for Vector {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl Mul<Dd> for Vector {
    type Output = Self;
    fn mul(self, s: Dd) -> Self {
        Self { x: self.x * s, y: self.y * s, z: self.z * s }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Dd, b: Dd) -> bool {
        (a - b).abs().to_f64() < 1e-30
    }

    #[test]
    fn a_third_times_three_is_one() {
        let third = Dd::ONE / Dd::from(3.0);
        assert!(close(third * Dd::from(3.0), Dd::ONE));
        assert!((third - Dd::from(1.0 / 3.0)).abs().to_f64() > 1e-18);
    }

    #[test]
    fn the_root_of_two_squares_to_two() {
        let root = Dd::from(2.0).sqrt();
        assert!(close(root * root, Dd::from(2.0)));
    }

    #[test]
    fn sine_and_cosine_lie_on_the_circle_and_angle_of_inverts_them() {
        for i in 0..32 {
            let x = Dd::from(f64::from(i) * 0.1) + Dd::from(1e-20);
            let (s, c) = x.sin_cos();
            assert!(close(s * s + c * c, Dd::ONE));
            assert!(close(Dd::angle_of(s, c), x), "{i}");
        }
    }

    #[test]
    fn a_half_turn_has_thirty_digits() {
        // Known: pi = 3.141592653589793116 + 1.2246467991473532072e-16.
        let rest = Dd::angle_of(Dd::ZERO, -Dd::ONE) - Dd::from(std::f64::consts::PI);
        assert!((rest.to_f64() - 1.224_646_799_147_353_2e-16).abs() < 1e-31);
    }
}
