//! The entire functions in which every point of a screw motion is linear.
//!
//! A point with velocity `vel` at time 0 is at `x0 + t vel + c2 (w x vel) + c3 (w x (w x vel))`
//! at time `t`, where `theta = |w|` is the angle of the whole step and
//!
//! ```text
//! s1 = sin(theta t) / theta                       c2 = (1 - cos(theta t)) / theta²
//! c3 = (theta t - sin(theta t)) / theta³          c4 = (cos(theta t) - 1 + theta² t²/2) / theta⁴
//! ```
//!
//! All of them are entire in `theta`, so a power series serves every angle and there is no case
//! distinction for translations. We sum `c3` and `c4` and derive the others:
//! `c2 = t²/2 - theta² c4`, `s1 = t - theta² c3`, `cos = 1 - theta² c2`. Each subtraction loses at
//! most two bits for `theta t <= pi`.
//!
//! With `z = (theta t)²`: `c3 = t³ (1/3! - z/5! + z²/7! - ...)`, `c4 = t⁴ (1/4! - z/6! + ...)`.

use glam::DVec3;
use wide::f64x2;

/// Enough terms for `theta <= 4.5` (the next one is below 2^-56 of the sum).
const MAX_TERMS: usize = 16;

/// `1/3!, -1/5!, 1/7!, ...` and `1/4!, -1/6!, 1/8!, ...`.
const RECIPROCALS: [[f64; 2]; MAX_TERMS] = reciprocal_factorials();

const fn reciprocal_factorials() -> [[f64; 2]; MAX_TERMS] {
    let mut table = [[0.0; 2]; MAX_TERMS];
    let mut odd = 1.0 / 6.0;
    let mut even = 1.0 / 24.0;
    let mut k = 0;
    while k < MAX_TERMS {
        table[k] = [odd, even];
        let n = 2.0 * k as f64;
        odd /= -((n + 4.0) * (n + 5.0));
        even /= -((n + 5.0) * (n + 6.0));
        k += 1;
    }
    table
}

/// The functions above for one angle, ready to be evaluated at many times.
#[derive(Clone, Copy, Debug)]
pub struct Helix {
    theta_sq: f64,
    /// Coefficients of `t²` in the two series, the powers of `theta²` multiplied in.
    series: [f64x2; MAX_TERMS],
    /// Each of them twice, for two times at once.
    twice: [[f64x2; 2]; MAX_TERMS],
    /// How many pairs of terms count.
    pairs: usize,
}

impl Helix {
    /// The functions for a step that turns by `theta` radians.
    ///
    /// *Accepts* `0 <= theta <= 4.5`. *Guarantees* a relative error of a few units in the last
    /// place in `c3` and `c4` for `0 <= t <= 1`. *Cost* 16 multiplications.
    pub fn new(theta: f64) -> Self {
        debug_assert!((0.0..=4.5).contains(&theta), "the series is cut for theta <= 4.5");
        let theta_sq = theta * theta;
        let mut series = [f64x2::ZERO; MAX_TERMS];
        let mut twice = [[f64x2::ZERO; 2]; MAX_TERMS];
        let mut power = 1.0;
        let mut terms = MAX_TERMS;
        for (k, r) in RECIPROCALS.iter().enumerate() {
            let term = [r[0] * power, r[1] * power];
            series[k] = f64x2::new(term);
            twice[k] = [f64x2::splat(term[0]), f64x2::splat(term[1])];
            // Terms alternate and fall: stop when the next cannot change the rounded sum.
            if (r[0] * power).abs() < RECIPROCALS[0][0] * 1e-18 {
                terms = k;
                break;
            }
            power *= theta_sq;
        }
        Self { theta_sq, series, twice, pairs: terms.div_ceil(2).max(1) }
    }

    /// The square of the angle.
    pub fn theta_sq(&self) -> f64 {
        self.theta_sq
    }

    /// All functions at time `t`, `|t| <= 1`.
    #[inline]
    pub fn at(&self, t: f64) -> HelixAt {
        let tt = t * t;
        let both = f64x2::splat(tt);
        let squared = both * both;
        // Two sums that do not wait for each other.
        let [mut sums, mut others] = [f64x2::ZERO; 2];
        for [c, other] in self.series.as_chunks::<2>().0[..self.pairs].iter().rev() {
            sums = sums * squared + *c;
            others = others * squared + *other;
        }
        let [odd, even] = (sums + others * both).to_array();
        let c3 = odd * tt * t;
        let c4 = even * tt * tt;
        let c2 = 0.5 * tt - self.theta_sq * c4;
        let s1 = t - self.theta_sq * c3;
        HelixAt { t, s1, c2, c3, c4, cos: 1.0 - self.theta_sq * c2 }
    }

    /// All functions at two times, the same as [`Helix::at`] for each.
    #[inline]
    pub(crate) fn at_two(&self, t: f64x2) -> HelixAt<f64x2> {
        let tt = t * t;
        let squared = tt * tt;
        let [mut odds, mut evens] = [[f64x2::ZERO; 2]; 2];
        for [c, other] in self.twice.as_chunks::<2>().0[..self.pairs].iter().rev() {
            odds = [odds[0] * squared + c[0], odds[1] * squared + other[0]];
            evens = [evens[0] * squared + c[1], evens[1] * squared + other[1]];
        }
        let [odd, even] = [odds[0] + odds[1] * tt, evens[0] + evens[1] * tt];
        let theta_sq = f64x2::splat(self.theta_sq);
        let c3 = odd * tt * t;
        let c4 = even * tt * tt;
        let c2 = f64x2::splat(0.5) * tt - theta_sq * c4;
        let s1 = t - theta_sq * c3;
        HelixAt { t, s1, c2, c3, c4, cos: f64x2::ONE - theta_sq * c2 }
    }
}

/// The functions of a [`Helix`] at one time, or at several times side by side.
#[derive(Clone, Copy, Debug)]
pub struct HelixAt<N = f64> {
    /// The time itself.
    pub t: N,
    /// `sin(theta t) / theta`.
    pub s1: N,
    /// `(1 - cos(theta t)) / theta²`.
    pub c2: N,
    /// `(theta t - sin(theta t)) / theta³`.
    pub c3: N,
    /// `(cos(theta t) - 1 + theta² t² / 2) / theta⁴`.
    pub c4: N,
    /// `cos(theta t)`.
    pub cos: N,
}

impl HelixAt {
    /// The point of a path at this time, from the vectors of which paths are combinations.
    #[inline]
    pub(crate) fn along(&self, spread: &[DVec3; 4]) -> DVec3 {
        spread[0] + self.t * spread[1] + self.c2 * spread[2] + self.c3 * spread[3]
    }
}

/// `(1 - theta/2 cot(theta/2)) / theta²`, the coefficient of `w x (w x p)` in the logarithm of a
/// rigid displacement; `1/12` at 0.
///
/// *Accepts* the sine and cosine of half the angle, as a quaternion gives them, and the angle.
pub fn log_coefficient(theta: f64, sin_half: f64, cos_half: f64) -> f64 {
    // Below 0.1 the quotient would lose more than two digits; five terms are then exact.
    if theta < 0.1 {
        let z = theta * theta;
        1.0 / 12.0
            + z * (1.0 / 720.0 + z * (1.0 / 30240.0 + z * (1.0 / 1_209_600.0 + z / 47_900_160.0)))
    } else {
        (1.0 - 0.5 * theta * cos_half / sin_half) / (theta * theta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_agree_with_closed_forms_where_those_do_not_cancel() {
        for theta in [0.9, 2.0, 3.1, 4.4] {
            let helix = Helix::new(theta);
            for t in [0.5, 0.8, 1.0] {
                let x: f64 = theta * t;
                let at = helix.at(t);
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-13 * (1.0 + b.abs());
                assert!(close(at.s1, x.sin() / theta), "s1 at {theta} {t}");
                assert!(close(at.cos, x.cos()), "cos at {theta} {t}");
                assert!(close(at.c2, (1.0 - x.cos()) / theta.powi(2)), "c2 at {theta} {t}");
                assert!(close(at.c3, (x - x.sin()) / theta.powi(3)), "c3 at {theta} {t}");
                let c4 = (x.cos() - 1.0 + 0.5 * x * x) / theta.powi(4);
                assert!(close(at.c4, c4), "c4 at {theta} {t}");
            }
        }
    }

    #[test]
    fn a_translation_is_the_limit_of_ever_smaller_turns() {
        let still = Helix::new(0.0).at(0.7);
        assert_eq!((still.s1, still.c2), (0.7, 0.7 * 0.7 / 2.0));
        for theta in [1e-300, 1e-16, 1e-9] {
            let at = Helix::new(theta).at(0.7);
            assert!((at.c2 - still.c2).abs() < 1e-16 && (at.c3 - still.c3).abs() < 1e-16);
        }
    }

    #[test]
    fn log_coefficient_is_continuous_where_its_two_forms_meet() {
        let at = |theta: f64| log_coefficient(theta, (theta / 2.0).sin(), (theta / 2.0).cos());
        assert!((at(0.1 - 1e-12) - at(0.1 + 1e-12)).abs() < 1e-13);
        assert_eq!(at(0.0), 1.0 / 12.0);
    }
}
