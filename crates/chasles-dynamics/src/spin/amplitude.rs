//! Jacobi's amplitude `φ = am(u, k)`, by the arithmetic-geometric mean.
//!
//! With `a_0 = 1`, `b_0 = k'` and both means taken `N` times, Landen's transformation carries the
//! angle up to one that grows evenly with `u`, and back [Abramowitz64 §16.4, §17.6]:
//!
//! ```text
//! φ_(n+1) = φ_n + atan(b_n/a_n tan φ_n)        φ_N = 2^N a_N u
//! φ_(n-1) = (φ_n + asin(c_n/a_n sin φ_n)) / 2      c_n = (a_(n-1) - b_(n-1)) / 2
//! ```

use std::f64::consts::{PI, TAU};

use chasles::numeric::Elementary;

/// Means at most: from `b_0 = 1e-16` they meet in eight.
const MOST: usize = 10;

/// Means that differ by less have met.
const MET: f64 = 1e-16;

/// A modulus, ready for questions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Amplitude {
    /// `a_n`, `b_n` and `c_n`.
    means: [[f64; 3]; MOST + 1],
    last: usize,
}

impl Amplitude {
    /// For the complementary modulus `k'`, above 0 and at most 1.
    pub(super) fn new(complement: f64) -> Self {
        let mut means = [[1.0, complement, 0.0]; MOST + 1];
        let mut last = 0;
        while last < MOST && means[last][0] - means[last][1] > MET * means[last][0] {
            let [a, b, _] = means[last];
            last += 1;
            means[last] = [0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b)];
        }
        Self { means, last }
    }

    /// How fast phases grow with `u`.
    pub(super) fn rate(&self) -> f64 {
        self.means[self.last][0] * f64::from(1_u32 << self.last)
    }

    /// The `u` in which the angle grows by half a turn.
    pub(super) fn half_turn(&self) -> f64 {
        PI / self.means[self.last][0]
    }

    /// The phase at an angle.
    pub(super) fn phase(&self, angle: f64) -> f64 {
        self.means[..self.last].iter().fold(angle, |angle, [a, b, _]| {
            let (sine, cosine) = angle.sine_cosine();
            let other = (b * sine).arctangent_over(a * cosine);
            angle + other + TAU * ((angle - other) / TAU).round()
        })
    }

    /// The angle at a phase.
    pub(super) fn angle(&self, phase: f64) -> f64 {
        self.means[1..=self.last].iter().rev().fold(phase, |angle, [a, b, c]| {
            let (sine, cosine) = angle.sine_cosine();
            // The arc of the sine, by a tangent that keeps its digits where `c_n` is almost `a_n`.
            0.5 * (angle + (c * sine).arctangent_over((a * cosine).hypotenuse(b * sine)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amplitudes_solve_their_equation() {
        // φ' = √(k'² + k² cos² φ), by finite steps of Simpson's rule for u(φ).
        for complement in [1.0, 0.9, 0.3, 1e-3, 1e-9] {
            let amplitude = Amplitude::new(complement);
            let [from, to] = [-0.4_f64, 1.3];
            let slowness = |angle: f64| {
                let k_sq = 1.0 - complement * complement;
                (complement * complement + k_sq * angle.cos().powi(2)).sqrt().recip()
            };
            let pieces = 2000;
            let h = (to - from) / f64::from(pieces);
            let at = |i: i32| slowness(from + 0.5 * h * f64::from(i));
            let simpson = |i: i32| h / 6.0 * (at(2 * i) + 4.0 * at(2 * i + 1) + at(2 * i + 2));
            let u: f64 = (0..pieces).map(simpson).sum();
            let start = amplitude.phase(from);
            let found = amplitude.angle(start + amplitude.rate() * u);
            assert!((found - to).abs() < 1e-11, "{found} for {to} at {complement}");
            let half = amplitude.angle(start + amplitude.rate() * amplitude.half_turn());
            assert!((half - from - PI).abs() < 1e-12, "{half} at {complement}");
        }
    }
}
