//! All roots of a power series on an interval, and where it nearly touches zero.
//!
//! Taylor's theorem about the middle `m` of an interval of half-width `h`, with a bound `M` on the
//! second derivative, sorts every interval into one of four:
//!
//! - `|f(m)| > |f'(m)| h + M h^2 / 2 + near`: farther from zero than `near` throughout;
//! - `|f'(m)| > M h`: monotone, so at most one root, which the signs at the ends decide;
//! - `|f(m)| + |f'(m)| h + M h^2 / 2 < 2 near`: within `2 near` of zero throughout;
//! - otherwise it is cut in two. The factor 2 makes that end: once the change is below `near / 2`,
//!   the first or the third holds.
//!
//! `near` is a thousand times the rounding error of the `f64` values used for sorting; signs and
//! roots are found in double-double.

use crate::dd::Dd;
use crate::motion::OVERHANG;

/// A function of time given by its power series.
#[derive(Clone, Debug)]
pub struct Series {
    exact: Vec<Dd>,
    rounded: Vec<f64>,
    curvature: f64,
}

/// What is known about the zeros of a [`Series`].
#[derive(Clone, Debug, Default)]
pub struct Zeros {
    /// Simple roots, rising.
    pub roots: Vec<Dd>,
    /// Intervals in which the function stays within `2 near` of zero without a simple root, rising.
    pub touches: Vec<[f64; 2]>,
}

impl Series {
    /// From coefficients, constant term first, and a bound on the second derivative for
    /// `|t| <= 1 + 1e-4`. The sum of the terms' own second derivatives is a bound too, and a
    /// better one for functions that hardly change; the smaller is used.
    pub fn new(exact: Vec<Dd>, curvature: f64) -> Self {
        let rounded: Vec<f64> = exact.iter().map(|c| c.to_f64()).collect();
        let bend = |(k, c): (usize, &f64)| {
            (k * k.saturating_sub(1)) as f64 * c.abs() * (1.0 + OVERHANG).powi(k as i32)
        };
        let sum: f64 = rounded.iter().enumerate().map(bend).sum();
        Self { exact, rounded, curvature: curvature.min(sum) }
    }

    /// The value, to 15 digits of the largest term.
    pub fn near(&self, t: f64) -> f64 {
        self.rounded.iter().rev().fold(0.0, |sum, c| sum * t + c)
    }

    /// The derivative, to 15 digits of the largest term.
    pub fn slope_near(&self, t: f64) -> f64 {
        let terms = self.rounded.iter().enumerate().skip(1).rev();
        terms.fold(0.0, |sum, (k, c)| sum * t + k as f64 * c)
    }

    /// The value.
    pub fn at(&self, t: Dd) -> Dd {
        self.exact.iter().rev().fold(Dd::ZERO, |sum, &c| sum * t + c)
    }

    /// The derivative.
    pub fn slope(&self, t: Dd) -> Dd {
        let terms = self.exact.iter().enumerate().skip(1).rev();
        terms.fold(Dd::ZERO, |sum, (k, &c)| sum * t + c * Dd::from(k as f64))
    }

    /// Roots and near-touches on `[low, high]`.
    ///
    /// # Panics
    ///
    /// If the work does not end, which would be a mistake in the bound on the curvature.
    pub fn zeros(&self, low: f64, high: f64, near: f64) -> Zeros {
        let mut found = Zeros::default();
        let mut stack = vec![[low, high]];
        let mut left = 100_000;
        while let Some([a, b]) = stack.pop() {
            left -= 1;
            assert!(left > 0, "the subdivision of [{low}, {high}] does not end");
            let (m, h) = (0.5 * (a + b), 0.5 * (b - a));
            let (value, slope) = (self.near(m).abs(), self.slope_near(m).abs());
            let change = slope * h + 0.5 * self.curvature * h * h;
            if value > change + near {
                continue;
            }
            if slope > self.curvature * h + near {
                found.roots.extend(self.only_root(a, b));
            } else if value + change < 2.0 * near {
                match found.touches.last_mut() {
                    Some(last) if last[1] == a => last[1] = b,
                    _ => found.touches.push([a, b]),
                }
            } else {
                stack.extend([[m, b], [a, m]]);
            }
        }
        found
    }

    /// The root of a function that is monotone on `[a, b]`, if its sign changes. Zero counts as
    /// positive, so a root at a point of division is found once.
    fn only_root(&self, a: f64, b: f64) -> Option<Dd> {
        let (mut low, mut high) = (Dd::from(a), Dd::from(b));
        let low_is_negative = self.at(low).is_negative();
        if low_is_negative == self.at(high).is_negative() {
            return None;
        }
        let half = Dd::from(0.5);
        let mut t = (low + high) * half;
        for _ in 0..200 {
            let value = self.at(t);
            if value.is_negative() == low_is_negative {
                low = t;
            } else {
                high = t;
            }
            let mut next = t - value / self.slope(t);
            if !(next >= low && next <= high) {
                next = (low + high) * half;
            }
            let done = (next - t).abs().to_f64() < 1e-28;
            t = next;
            if done {
                break;
            }
        }
        Some(t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(coefficients: &[f64], curvature: f64) -> Series {
        Series::new(coefficients.iter().map(|&c| Dd::from(c)).collect(), curvature)
    }

    #[test]
    fn a_cubic_has_its_three_roots() {
        // (t - 1/4)(t - 1/2)(t - 3/4)
        let cubic = series(&[-0.09375, 0.6875, -1.5, 1.0], 6.0);
        let zeros = cubic.zeros(0.0, 1.0, 1e-12);
        let roots: Vec<f64> = zeros.roots.iter().map(|r| r.to_f64()).collect();
        assert_eq!(roots, [0.25, 0.5, 0.75]);
        assert!(zeros.touches.is_empty());
    }

    #[test]
    fn a_double_root_is_a_touch_and_so_is_a_near_miss() {
        for lift in [0.0, 1e-13] {
            let square = series(&[0.25 + lift, -1.0, 1.0], 2.0);
            let zeros = square.zeros(0.0, 1.0, 1e-12);
            assert!(zeros.roots.is_empty());
            assert_eq!(zeros.touches.len(), 1);
            let [a, b] = zeros.touches[0];
            assert!(a <= 0.5 && 0.5 <= b && b - a < 1e-5);
        }
        let missed = series(&[0.25 + 1e-11, -1.0, 1.0], 2.0).zeros(0.0, 1.0, 1e-12);
        assert!(missed.touches.is_empty() && missed.roots.is_empty());
    }

    #[test]
    fn zero_throughout_is_one_long_touch() {
        let zeros = series(&[0.0, 0.0], 0.0).zeros(0.0, 1.0, 1e-12);
        assert_eq!(zeros.touches, [[0.0, 1.0]]);
    }
}
