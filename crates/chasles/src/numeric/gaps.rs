//! The two gap functions of rigid contact: a vertex over a plane, and a line past a line.
//!
//! Both are linear in the entire functions of [`Helix`], and both have control coefficients that
//! bound them as Bernstein coefficients bound a polynomial (MATH 2 and 3).

use super::number::Number;
use super::roots::{Gap, Sample};
use super::{Helix, HelixAt};

/// A gap, or several side by side, that is linear in the functions of a helix.
pub(crate) trait HelixGap<N> {
    /// The helix.
    fn helix(&self) -> &Helix;

    /// A bound of the second derivative.
    fn bend(&self) -> N;

    /// A bound of the third derivative.
    fn jerk(&self) -> N;

    /// Value and first two derivatives.
    fn sample(&self, at: &HelixAt<N>) -> [N; 3];
}

/// Height of a moving vertex over a fixed plane: `k0 + k1 t + k2 c2 + k3 c3`.
///
/// With the vertex at `x0 + t vel + c2 (w x vel) + c3 (w x (w x vel))`, each `k` is the plane's
/// normal times one of these vectors, and `k0` the height at the start.
pub(crate) struct PlaneGap<'h, N = f64> {
    pub(crate) helix: &'h Helix,
    pub(crate) k: [N; 4],
}

impl<N: Number> HelixGap<N> for PlaneGap<'_, N> {
    #[inline]
    fn helix(&self) -> &Helix {
        self.helix
    }

    /// The second derivative is `k2 cos + k3 s1`.
    #[inline]
    fn bend(&self) -> N {
        self.k[2].abs() + self.k[3].abs()
    }

    /// The third derivative is `k3 cos - k2 theta² s1`.
    #[inline]
    fn jerk(&self) -> N {
        N::of(self.helix.theta_sq()) * self.k[2].abs() + self.k[3].abs()
    }

    #[inline]
    fn sample(&self, at: &HelixAt<N>) -> [N; 3] {
        let HelixAt { t, s1, c2, c3, cos, .. } = *at;
        let [k0, k1, k2, k3] = self.k;
        [k0 + k1 * t + k2 * c2 + k3 * c3, k1 + k2 * s1 + k3 * c2, k2 * cos + k3 * s1]
    }
}

impl Gap<4> for PlaneGap<'_> {
    #[inline]
    fn at(&self, t: f64) -> [f64; 3] {
        self.sample(&self.helix.at(t))
    }

    #[inline]
    fn jerk(&self) -> f64 {
        HelixGap::jerk(self)
    }

    /// A helical arc is a curve with control points `x(a)`, `x(a) + mu x'(a)`, `x(b) - mu x'(b)`,
    /// `x(b)`, where `mu = c3 / c2` at the length of the interval, a third of it for translations.
    fn coefficients(&self, a: Sample, b: Sample) -> [f64; 4] {
        let HelixAt { c2, c3, .. } = self.helix.at(b.0 - a.0);
        let mu = c3 / c2;
        [a.1[0], a.1[0] + mu * a.1[1], b.1[0] - mu * b.1[1], b.1[0]]
    }
}

/// Side product of a fixed and a moving line: `sum of k[i] b_i(t)`, `k[i]` the product of the
/// fixed line with the `i`-th derivative of the moving line at the start, and
///
/// ```text
/// b0 = 1                     b1 = (3 s1 - t cos) / 2     b2 = 2 c2 - t s1 / 2
/// b3 = (t c2 - c3) / 2       b4 = t c3 / 2 - c4
/// ```
///
/// which are `1, t, t²/2, t³/6, t⁴/24` for a translation. `b2' = b1` and `b4' = b3`.
pub(crate) struct LineGap<'h, N = f64> {
    pub(crate) helix: &'h Helix,
    pub(crate) k: [N; 5],
}

impl<N: Number> HelixGap<N> for LineGap<'_, N> {
    #[inline]
    fn helix(&self) -> &Helix {
        self.helix
    }

    /// Term by term.
    #[inline]
    fn bend(&self) -> N {
        let theta_sq = self.helix.theta_sq();
        let [_, k1, k2, k3, k4] = self.k.map(N::abs);
        let [of_k1, of_k2] = [theta_sq * theta_sq * (1.0 / 6.0), 1.0 + 0.5 * theta_sq].map(N::of);
        k1 * of_k1 + k2 * of_k2 + k3 + N::of(0.5) * k4
    }

    /// Term by term: with `half = t s1 / 2` the third derivative is
    /// `k3 (cos - theta² half) + k4 (s1 + t cos) / 2 - theta⁴ (k1 half + k2 b3)`.
    #[inline]
    fn jerk(&self) -> N {
        let theta_sq = self.helix.theta_sq();
        let [_, k1, k2, k3, k4] = self.k.map(N::abs);
        let [sixth, whole] = [theta_sq * theta_sq * (1.0 / 6.0), 1.0 + 0.5 * theta_sq].map(N::of);
        sixth * (N::of(3.0) * k1 + k2) + whole * k3 + k4
    }

    #[inline]
    fn sample(&self, at: &HelixAt<N>) -> [N; 3] {
        let HelixAt { t, s1, c2, c3, c4, cos } = *at;
        let [k0, k1, k2, k3, k4] = self.k;
        let [theta_sq, one_half] = [N::of(self.helix.theta_sq()), N::of(0.5)];
        let t_cos = t * cos;
        let b1 = one_half * (N::of(3.0) * s1 - t_cos);
        let b3 = one_half * (t * c2 - c3);
        let half = one_half * t * s1;
        let slope_of_b1 = cos + theta_sq * half;
        let value = k0 + k1 * b1 + k2 * (c2 + c2 - half) + k3 * b3 + k4 * (one_half * t * c3 - c4);
        let slope = k1 * slope_of_b1 + k2 * b1 + k3 * half + k4 * b3;
        let curvature = k2 * slope_of_b1 + k3 * one_half * (s1 + t_cos) + k4 * half
            - k1 * theta_sq * theta_sq * b3;
        [value, slope, curvature]
    }
}

impl Gap<5> for LineGap<'_> {
    #[inline]
    fn at(&self, t: f64) -> [f64; 3] {
        self.sample(&self.helix.at(t))
    }

    #[inline]
    fn jerk(&self) -> f64 {
        HelixGap::jerk(self)
    }

    /// `mu`, `alpha` and `beta` of MATH 3 in forms that do not cancel; a quarter and a half of the
    /// interval and a twelfth of its square for translations.
    fn coefficients(&self, a: Sample, b: Sample) -> [f64; 5] {
        let HelixAt { t, s1, c2, c3, c4, .. } = self.helix.at(b.0 - a.0);
        let mu = (t * c3 - 2.0 * c4) / (t * c2 - c3);
        let [alpha, beta] = [2.0 * c2 / (t + s1), c3 / (t + s1)];
        let [value, first, second] = a.1;
        [
            value,
            value + mu * first,
            value + alpha * first + beta * second,
            b.1[0] - mu * b.1[1],
            b.1[0],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Derivatives by central differences, coefficients at the ends by definition.
    fn check<const N: usize>(gap: &impl Gap<N>) {
        let d = 1e-4;
        for t in [0.1, 0.5, 0.9] {
            let [low, mid, high] = [t - d, t, t + d].map(|t| gap.at(t));
            assert!((mid[1] - (high[0] - low[0]) / (2.0 * d)).abs() < 1e-6, "slope at {t}");
            let second = (high[1] - low[1]) / (2.0 * d);
            assert!((mid[2] - second).abs() < 1e-6, "curvature at {t}");
        }
    }

    #[test]
    fn derivatives_are_those_of_the_value() {
        for theta in [0.0, 1e-9, 0.5, 3.1] {
            let helix = &Helix::new(theta);
            check(&PlaneGap { helix, k: [0.3, -1.0, 2.0, 0.7] });
            check(&LineGap { helix, k: [0.3, -1.0, 2.0, 0.7, -1.9] });
        }
    }

    #[test]
    fn coefficients_of_a_translation_are_those_of_bernstein() {
        let helix = &Helix::new(0.0);
        // t^3/6 and t^4/24 have the Bernstein coefficients 0 0 0 1/6 and 0 0 0 0 1/24.
        let cubic = PlaneGap { helix, k: [0.0, 0.0, 0.0, 1.0] };
        let quartic = LineGap { helix, k: [0.0, 0.0, 0.0, 0.0, 1.0] };
        let close = |found: &[f64], last: f64| {
            let (end, rest) = found.split_last().expect("coefficients");
            assert!(
                (end - last).abs() < 1e-16 && rest.iter().all(|c| c.abs() < 1e-16),
                "{found:?}"
            );
        };
        close(&cubic.coefficients((0.0, cubic.at(0.0)), (1.0, cubic.at(1.0))), 1.0 / 6.0);
        close(&quartic.coefficients((0.0, quartic.at(0.0)), (1.0, quartic.at(1.0))), 1.0 / 24.0);
    }

    #[test]
    fn bends_bound_the_second_derivative_and_jerks_the_third() {
        for theta in [0.0, 1.0, 3.1] {
            let helix = &Helix::new(theta);
            for [k0, k1, k2, k3, k4] in combinations([0.3, 1.0, 2.0, 0.7, 1.9]) {
                check_bounds(&PlaneGap { helix, k: [k0, k1, k2, k3] });
                check_bounds(&LineGap { helix, k: [k0, k1, k2, k3, k4] });
            }
        }
    }

    /// Coefficients of these sizes with all signs, and each alone, where nothing can cancel.
    fn combinations(sizes: [f64; 5]) -> impl Iterator<Item = [f64; 5]> {
        let signed = move |bits: usize| {
            std::array::from_fn(|i| if bits >> i & 1 == 1 { sizes[i] } else { -sizes[i] })
        };
        let alone =
            move |only: usize| std::array::from_fn(|i| if i == only { sizes[i] } else { 0.0 });
        (0..32).map(signed).chain((0..5).map(alone))
    }

    fn check_bounds<const N: usize>(gap: &(impl Gap<N> + HelixGap<f64>)) {
        let [bend, jerk, d] = [gap.bend(), HelixGap::jerk(gap), 1e-4];
        for i in 0..=100 {
            let t = f64::from(i) / 100.0;
            assert!(gap.at(t)[2].abs() <= bend, "second derivative at {t}");
            let [from, to] = [(t - d).max(0.0), (t + d).min(1.0)];
            let third = (gap.at(to)[2] - gap.at(from)[2]) / (to - from);
            assert!(third.abs() <= jerk + 1e-9, "third derivative at {t}: {third} {jerk}");
        }
    }

    #[test]
    fn sign_changes_bound_the_roots() {
        let mut state = 12345u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for _ in 0..2000 {
            let helix = &Helix::new((random() + 0.5) * 3.1);
            let k = [0.2 * random(), random(), 4.0 * random(), 10.0 * random(), 30.0 * random()];
            count(&LineGap { helix, k });
            count(&PlaneGap { helix, k: [k[0], k[1], k[2], k[3]] });
        }
    }

    fn count<const N: usize>(gap: &impl Gap<N>) {
        let [a, b] = [0.0, 1.0].map(|t| (t, gap.at(t)));
        let coefficients = gap.coefficients(a, b);
        let changes = coefficients.windows(2).filter(|w| w[0] * w[1] < 0.0).count();
        let values: Vec<f64> = (0..=1000).map(|i| gap.at(f64::from(i) / 1000.0)[0]).collect();
        let roots = values.windows(2).filter(|w| w[0] * w[1] < 0.0).count();
        assert!(roots <= changes && (changes - roots) % 2 == 0, "{roots} {changes}");
    }
}
