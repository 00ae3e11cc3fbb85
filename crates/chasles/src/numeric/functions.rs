//! Circular functions, exponentials and the like, of doubles.
//!
//! Square roots have the same bits on every platform, as sums and products do. The functions here
//! do not: each platform has its own, and they differ in the last bit. With the feature `libm` they
//! are those of a library in Rust, so that results have the same bits wherever the code runs, as
//! games in lockstep need. So nothing here or in the crates above calls `f64::sin` and its like.
//!
//! *Accepts* all doubles. *Guarantees* what the platform does, or with `libm` an error below one
//! unit in the last place. *Cost* docs/web.md has what `libm` costs. *Fails* never.

use glam::{DQuat, DVec3};

/// Functions that platforms round each in its own way, unless the feature `libm` is on.
pub trait Elementary: Sized {
    /// The sine.
    fn sine(self) -> Self;
    /// The cosine.
    fn cosine(self) -> Self;
    /// Sine and cosine.
    fn sine_cosine(self) -> (Self, Self);
    /// The tangent.
    fn tangent(self) -> Self;
    /// The arc sine.
    fn arcsine(self) -> Self;
    /// The arc cosine.
    fn arccosine(self) -> Self;
    /// The arc tangent.
    fn arctangent(self) -> Self;
    /// The angle of the point `(x, self)`.
    fn arctangent_over(self, x: Self) -> Self;
    /// The hypotenuse of legs of these lengths.
    fn hypotenuse(self, other: Self) -> Self;
    /// `e` to the power of this number.
    fn exponential(self) -> Self;
    /// `e` to the power of this number, less 1.
    fn exponential_less_1(self) -> Self;
    /// The natural logarithm.
    fn logarithm(self) -> Self;
    /// The natural logarithm of 1 more.
    fn logarithm_of_1_more(self) -> Self;
    /// The logarithm of base 2.
    fn logarithm_2(self) -> Self;
    /// The logarithm of base 10.
    fn logarithm_10(self) -> Self;
    /// This number to a power.
    fn to_power(self, exponent: Self) -> Self;
    /// The cube root.
    fn cube_root(self) -> Self;
}

/// Implements each function by one of the platform or by one of `libm`.
macro_rules! functions {
    ($($name:ident $of_platform:ident $of_libm:ident ($($other:ident)?) -> $result:ty;)*) => {
        impl Elementary for f64 {
            $(
                #[inline(always)]
                fn $name(self $(, $other: Self)?) -> $result {
                    #[cfg(not(feature = "libm"))]
                    return f64::$of_platform(self $(, $other)?);
                    #[cfg(feature = "libm")]
                    return libm::$of_libm(self $(, $other)?);
                }
            )*
        }
    };
}

functions! {
    sine sin sin () -> Self;
    cosine cos cos () -> Self;
    sine_cosine sin_cos sincos () -> (Self, Self);
    tangent tan tan () -> Self;
    arcsine asin asin () -> Self;
    arccosine acos acos () -> Self;
    arctangent atan atan () -> Self;
    arctangent_over atan2 atan2 (x) -> Self;
    hypotenuse hypot hypot (other) -> Self;
    exponential exp exp () -> Self;
    exponential_less_1 exp_m1 expm1 () -> Self;
    logarithm ln log () -> Self;
    logarithm_of_1_more ln_1p log1p () -> Self;
    logarithm_2 log2 log2 () -> Self;
    logarithm_10 log10 log10 () -> Self;
    to_power powf pow (exponent) -> Self;
    cube_root cbrt cbrt () -> Self;
}

/// The rotation about a unit axis by an angle in radians.
pub fn rotation_about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = (0.5 * angle).sine_cosine();
    let DVec3 { x, y, z } = axis * sine;
    DQuat::from_xyzw(x, y, z, cosine)
}

/// The rotation by a vector: about its direction, by its length in radians.
pub fn rotation_by(vector: DVec3) -> DQuat {
    match vector.length() {
        0.0 => DQuat::IDENTITY,
        angle => rotation_about(vector / angle, angle),
    }
}

/// The vector of a rotation: its axis times its angle, at most half a turn if the last part is not
/// negative.
pub fn vector_of(rotation: DQuat) -> DVec3 {
    let axis = rotation.xyz();
    let sine = axis.length();
    // Below this the direction of the axis is lost.
    match sine >= 1e-8 {
        true => axis / sine * (2.0 * sine.arctangent_over(rotation.w)),
        false => DVec3::ZERO,
    }
}

/// The angle between two vectors that are not zero.
pub fn angle_between(p: DVec3, q: DVec3) -> f64 {
    let cosine = p.dot(q) / (p.length_squared() * q.length_squared()).sqrt();
    cosine.clamp(-1.0, 1.0).arccosine()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each function is the one that its name says, and near the platform's.
    #[test]
    fn functions_are_those_of_their_names() {
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() <= 4.0 * f64::EPSILON * expected.abs(), "{expected}");
        };
        for x in [0.3_f64, 0.001, 0.9, 1e-12] {
            let (sine, cosine) = x.sine_cosine();
            near(sine, x.sin());
            near(cosine, x.cos());
            near(x.sine(), x.sin());
            near(x.cosine(), x.cos());
            near(x.tangent(), x.tan());
            near(x.arcsine(), x.asin());
            near(x.arccosine(), x.acos());
            near(x.arctangent(), x.atan());
            near(x.arctangent_over(-2.0), x.atan2(-2.0));
            near(x.hypotenuse(0.7), x.hypot(0.7));
            near(x.exponential(), x.exp());
            near(x.exponential_less_1(), x.exp_m1());
            near(x.logarithm(), x.ln());
            near(x.logarithm_of_1_more(), x.ln_1p());
            near(x.logarithm_2(), x.log2());
            near(x.logarithm_10(), x.log10());
            near(x.to_power(0.3), x.powf(0.3));
            near(x.cube_root(), x.cbrt());
        }
    }

    #[test]
    fn rotations_are_those_of_their_vectors() {
        for vector in [DVec3::new(0.3, -1.0, 2.0), DVec3::X * 1e-5, DVec3::ZERO] {
            let rotation = rotation_by(vector);
            // Without `libm` this crate and `glam` ask the same functions.
            let rounding = if cfg!(feature = "libm") { 1e-15 } else { 0.0 };
            assert!(rotation.abs_diff_eq(DQuat::from_scaled_axis(vector), rounding));
            assert!((vector_of(rotation) - vector).length() < 1e-15 * vector.length().max(1.0));
        }
        let [p, q] = [DVec3::new(1.0, 2.0, 3.0), DVec3::new(-2.0, 0.5, 1.0)];
        assert!((angle_between(p, q) - p.angle_between(q)).abs() < 1e-15);
    }

    /// Bits that must be the same on every platform, as `libm` 0.2.16 has them.
    #[cfg(feature = "libm")]
    #[test]
    fn bits_are_the_same_everywhere() {
        let mut sum = 0_u64;
        for i in 1..2000 {
            let x = 0.001 * f64::from(i);
            let (sine, cosine) = x.sine_cosine();
            let found = [sine, cosine, x.arctangent_over(0.7), x.hypotenuse(1.3), x.exponential()];
            for number in found {
                sum = sum.rotate_left(7) ^ number.to_bits();
            }
        }
        assert_eq!(sum, 0x49f5_1346_3d02_dc94);
    }
}
