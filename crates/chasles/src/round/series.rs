//! What a function does in a short interval, from its values at a few nodes.
//!
//! A gap that hardly changes while its bodies move a lot, as that of a ball on its way around an
//! edge, is far from what bounds of its second derivative allow. Its Chebyshev series tells. With
//! `c` the coefficients on the interval, scaled to `[-1, 1]`, where `|T_k| <= 1` and
//! `|T_k'| <= k²`:
//!
//! ```text
//! |c_0| > Σ |c_k|,    k >= 1        no root
//! |c_1| > Σ k² |c_k|, k >= 2        monotone
//! ```
//!
//! The square forms of gaps (see solve.rs) are sums of products of at most four functions of
//! `1, t, cos theta t, sin theta t`. On an interval of length `2^-7` with `theta <= pi` their
//! coefficients fall like `(4 pi / 512)^k / k!`, below 1e-20 from `k = 10` on.

use std::f64::consts::PI;

use crate::numeric::Elementary;

/// Values that a series is made of.
const NODES: usize = 10;

/// Intervals up to `2^-SHORT` of a part have such a series.
pub(super) const SHORT: usize = 7;

/// What values at the nodes may be wrong by, the function may be by no more than this many times:
/// the Lebesgue constant of ten nodes is 2.43.
const VALUES: f64 = 3.0;

/// The same for its slope, by Markov's inequality: `9²` times that.
const SLOPES: f64 = 200.0;

/// Whether a function is proven to have one root at most between two times, so that its signs there
/// tell; `value` returns it with what it may be wrong by.
pub(super) fn has_few_roots(value: impl Fn(f64) -> (f64, f64), [from, to]: [f64; 2]) -> bool {
    let [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
    let mut series = [0.0; NODES];
    let mut error = 0.0_f64;
    for i in 0..NODES {
        let x = (PI * (i as f64 + 0.5) / NODES as f64).cosine();
        let (value, wrong) = value(middle + half * x);
        error = error.max(wrong);
        // T_0 and T_1, and each further one from the two before.
        let [mut now, mut next] = [1.0, x];
        for term in &mut series {
            *term += 2.0 / NODES as f64 * value * now;
            [now, next] = [next, 2.0 * x * next - now];
        }
    }
    let [constant, linear] = [0.5 * series[0].abs(), series[1].abs()];
    let bent = |weight: fn(f64) -> f64| {
        series.iter().enumerate().skip(2).map(|(k, c)| weight(k as f64) * c.abs()).sum::<f64>()
    };
    let is_clear = constant > linear + bent(|_| 1.0) + VALUES * error;
    is_clear || linear > bent(|k| k * k) + SLOPES * error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wave_has_few_roots_but_for_where_two_may_be() {
        let wave = |shift: f64| move |t: f64| ((4.0 * PI * t).sin() - shift, 1e-15);
        let at = |shift: f64, from: f64| has_few_roots(wave(shift), [from, from + 1.0 / 128.0]);
        assert!(at(0.0, 0.1) && at(0.0, 0.248));
        assert!(!at(1.0, 0.122) && !at(1.0 - 1e-6, 0.122));
        assert!(at(1.0 + 2e-3, 0.122));
    }

    #[test]
    fn what_hardly_changes_has_none_unless_it_may_be_wrong() {
        let still = |error: f64| move |_: f64| (1e-12, error);
        assert!(has_few_roots(still(1e-13), [0.0, 0.001]));
        assert!(!has_few_roots(still(1e-12), [0.0, 0.001]));
    }
}
