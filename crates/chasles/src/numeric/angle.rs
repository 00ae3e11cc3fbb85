//! An angle that is good enough for bounds, in a few multiplications.

use wide::f64x2;

/// Relative error of [`angle`], generously; what relies on it is bounded by that much more.
pub(crate) const ANGLE_ERROR: f64 = 5e-8;

/// `atan2(y, x)` with a relative error below 2e-8, in a few multiplications: an interpolation of
/// `atan(t) / t` in `t²` at Chebyshev points, for `t` in `[0, 1]`.
#[inline]
pub(crate) fn angle(y: f64, x: f64) -> f64 {
    angles(f64x2::splat(y), f64x2::splat(x)).to_array()[0]
}

/// Two of them.
#[inline]
pub(crate) fn angles(y: f64x2, x: f64x2) -> f64x2 {
    const SERIES: [f64; 9] = [
        0.999_999_981_788_654_1,
        -0.333_330_367_092_754_5,
        0.199_918_720_289_123_86,
        -0.141_977_977_926_049_74,
        0.106_183_706_313_134_27,
        -0.074_568_548_141_580_9,
        0.042_137_623_450_199_33,
        -0.015_731_249_036_827_034,
        0.002_766_283_480_395_766,
    ];
    let [ax, ay] = [x.abs(), y.abs()];
    let t = ax.fast_min(ay) / ax.fast_max(ay).fast_max(f64x2::splat(f64::MIN_POSITIVE));
    let z = t * t;
    let small = t * SERIES.iter().rev().fold(f64x2::ZERO, |sum, c| sum * z + f64x2::splat(*c));
    let complement = f64x2::splat(std::f64::consts::FRAC_PI_2) - small;
    let quarter = ay.simd_gt(ax).bitselect(complement, small);
    let supplement = f64x2::splat(std::f64::consts::PI) - quarter;
    let half = x.simd_lt(f64x2::ZERO).bitselect(supplement, quarter);
    half | y & f64x2::splat(-0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_as_good_as_promised() {
        for i in -1000..=1000 {
            let exact = f64::from(i) * 0.001 * std::f64::consts::PI;
            for radius in [1e-3, 1.0, 7.0] {
                let found = angle(radius * exact.sin(), radius * exact.cos());
                let full = (found - exact).abs() - 2.0 * std::f64::consts::PI;
                let error = (found - exact).abs().min(full.abs());
                assert!(error <= 0.5 * ANGLE_ERROR * exact.abs() + 1e-15, "{exact} {found}");
            }
        }
    }
}
