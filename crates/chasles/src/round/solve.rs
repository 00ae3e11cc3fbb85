//! All roots of a gap in a window, with proofs.
//!
//! A gap gives at any time its value, its slope, and bounds of rate and second derivative around
//! it. An interval of half width `h` about `m` is settled if
//!
//! ```text
//! |g(m)| > min(rate h, |g'(m)| h + bend h²/2) + noise     no root: the gap keeps its sign
//! |g'(m)| >= 2 bend h                                     monotone: the ends tell
//! what it can change is below the noise                   zero, if its value is
//! 24 nodes are all zero                                   zero all along
//! the terms of its series say so (series.rs)              no root, or one at most
//! ```
//!
//! and halved otherwise. The line of nodes is what makes pairs that stay in touch cheap, and the
//! last one those that stay next to it. The square forms of all gaps (`D² - r²` and the like) are
//! sums of products of at most two functions of `1, t, cos theta t, sin theta t`, entire, and on an
//! interval of length 1 with `theta <= pi` their Chebyshev series falls like `(pi/2)^n / n!`, below
//! 1e-18 from `n = 24` on. So a gap that is within the noise at 24 Chebyshev nodes is within a few
//! times that everywhere (the Lebesgue constant of 24 nodes is below 3). Those of an ellipsoid and
//! an edge are products of four, and have more nodes.

use super::series;
use crate::numeric::Elementary;
use crate::numeric::roots::Root;

/// A gap at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) value: f64,
    pub(super) slope: f64,
    /// A bound of the second derivative within the half width asked for; infinite where the gap
    /// may have a kink.
    pub(super) bend: f64,
    /// A bound of the slope there.
    pub(super) rate: f64,
    /// The value times this is entire, its square form: for `D - r` it is `D + r`.
    pub(super) factor: f64,
}

/// A function of time with bounds.
pub(super) trait Bounded {
    /// The gap at `t`, with bounds that hold on `[t - half, t + half]`.
    fn sample(&self, t: f64, half: f64) -> Sample;

    /// Values up to this are zero.
    fn noise(&self) -> f64;

    /// At how many nodes it must be zero to be so everywhere.
    fn nodes(&self) -> usize {
        NODES
    }
}

/// Nodes for square forms that are sums of products of two functions of a motion.
pub(super) const NODES: usize = 24;

/// The same for products of four, as of lines that an ellipsoid's own axes see and stretch: the
/// series falls like `pi^n / n!`, below 1e-19 from `n = 32` on.
pub(super) const MANY_NODES: usize = 32;

/// Intervals are not halved below `2^-46` of the window: kinks are followed to about there, where
/// values change by less than the noise of any gap that moves by its reach.
const DEPTH: usize = 46;

/// Samples of one gap at most; a few dozen are usual. What is undecided then is taken as zero, so
/// that it is reported with a wide bracket rather than lost.
const BUDGET: u32 = 20_000;

/// Reports all roots of a gap in a window.
///
/// *Guarantees* that every root where the gap leaves the noise on both sides is reported, in order,
/// with a bracket at whose ends the sign is clear (or which ends with the window); roots that the
/// noise hides from each other are one, and grazing. *Cost* one sample where the gap is far from
/// zero, a dozen for each root. *Fails* never.
pub(super) fn all_roots(gap: &impl Bounded, window: [f64; 2], report: impl FnMut(&Root)) {
    let mut walk = Walk { gap, noise: gap.noise(), left: None, zero: None, report };
    // One waiting right half for each level.
    let mut stack = [(window, 0); DEPTH + 2];
    let mut height = 1;
    let mut budget = BUDGET;
    while height > 0 {
        height -= 1;
        let ([from, to], depth) = stack[height];
        budget = budget.saturating_sub(1);
        if budget > 0 && (walk.settle(from, to) || walk.settle_by_series(from, to, depth)) {
            continue;
        }
        if depth == DEPTH || budget == 0 {
            walk.undecided(from, to);
            continue;
        }
        let middle = 0.5 * (from + to);
        stack[height] = ([middle, to], depth + 1);
        stack[height + 1] = ([from, middle], depth + 1);
        height += 2;
    }
    walk.finish();
}

/// What is known on the way from left to right.
struct Walk<'g, G, R> {
    gap: &'g G,
    noise: f64,
    /// The last time with a clear sign, and the value there.
    left: Option<(f64, f64)>,
    /// The stretch without a sign since then.
    zero: Option<[f64; 2]>,
    report: R,
}

impl<G: Bounded, R: FnMut(&Root)> Walk<'_, G, R> {
    /// Walks over an interval if it can be told what is there.
    fn settle(&mut self, from: f64, to: f64) -> bool {
        let half = 0.5 * (to - from);
        let middle = from + half;
        let Sample { value, slope, bend, rate, .. } = self.gap.sample(middle, half);
        let change = (rate * half).min(half * (slope.abs() + 0.5 * half * bend));
        if value.abs() > change + self.noise {
            self.visit(from, value);
            self.visit(to, value);
        } else if slope.abs() >= 2.0 * bend * half && slope.abs() * half > 8.0 * self.noise {
            let [a, b] = [from, to].map(|t| self.value(t));
            self.visit(from, a);
            self.visit(to, b);
        } else if value.abs() <= self.noise && (change <= self.noise || self.is_zero(from, to)) {
            self.visit_zero(from, to);
        } else {
            return false;
        }
        true
    }

    /// The same by the series of the square form, at some depths: it takes ten samples.
    fn settle_by_series(&mut self, from: f64, to: f64, depth: usize) -> bool {
        const EVERY: usize = 4;
        if depth < series::SHORT || !(depth - series::SHORT).is_multiple_of(EVERY) {
            return false;
        }
        let square = |t: f64| {
            let Sample { value, factor, .. } = self.gap.sample(t, 0.0);
            (value * factor, self.noise * (value.abs() + factor.abs()))
        };
        if !series::has_few_roots(square, [from, to]) {
            return false;
        }
        for t in [from, to] {
            self.visit(t, self.value(t));
        }
        true
    }

    fn value(&self, t: f64) -> f64 {
        self.gap.sample(t, 0.0).value
    }

    /// An interval that cannot be halved further.
    fn undecided(&mut self, from: f64, to: f64) {
        let [a, b] = [from, to].map(|t| self.value(t));
        if a * b < 0.0 && a.abs().min(b.abs()) > self.noise {
            self.visit(from, a);
            self.visit(to, b);
        } else {
            self.visit_zero(from, to);
        }
    }

    /// Whether the gap is zero at all nodes of an interval, and so everywhere in it.
    fn is_zero(&self, from: f64, to: f64) -> bool {
        let nodes = self.gap.nodes();
        let [middle, half] = [0.5 * (from + to), 0.5 * (to - from)];
        (0..nodes).all(|i| {
            let angle = std::f64::consts::PI * (i as f64 + 0.5) / nodes as f64;
            self.value(middle + half * angle.cosine()).abs() <= self.noise
        })
    }

    /// Passes a time; since the last one there is no root that their signs do not show.
    ///
    /// A stretch of zeros ends beyond twice the noise: next to it rounding decides, and what comes
    /// slowly would come and go.
    fn visit(&mut self, t: f64, value: f64) {
        let least = if self.zero.is_some() { 2.0 * self.noise } else { self.noise };
        if value.abs() <= least {
            return self.visit_zero(t, t);
        }
        match (self.left, self.zero) {
            (Some((t0, v0)), _) if v0 * value < 0.0 => {
                let root = self.crossing([t0, t], value > 0.0);
                (self.report)(&root);
            }
            (left, Some(zero)) => {
                self.touch(zero, left.is_some(), [left.map_or(0.0, |left| left.0), t]);
            }
            _ => {}
        }
        self.left = Some((t, value));
        self.zero = None;
    }

    fn visit_zero(&mut self, from: f64, to: f64) {
        let start = self.zero.map_or(from, |zero| zero[0]);
        self.zero = Some([start, to]);
    }

    /// A stretch of zeros that is not a crossing: it grazes, or touches at an end of the window.
    /// Its bracket lies between the times given.
    fn touch(&mut self, [from, to]: [f64; 2], is_inside: bool, ends: [f64; 2]) {
        let [low, high] = [from, to].map(|t| self.gap.sample(t, 0.0).slope);
        // Where the gap is smallest, if the slopes at the ends tell.
        let share = low / (low - high);
        let time =
            if is_inside && share > 0.0 && share < 1.0 { from + share * (to - from) } else { from };
        let bracket = [self.outward(from, ends[0]), self.outward(to, ends[1])];
        (self.report)(&Root { time, bracket, grazing: to > from });
    }

    /// The root between two times with opposite signs, by Newton's steps between halvings.
    fn crossing(&self, ends: [f64; 2], rising: bool) -> Root {
        let [mut low, mut high] = ends;
        let mut t = 0.5 * (low + high);
        // Each round halves the interval or is one of a few Newton steps.
        for _ in 0..120 {
            let Sample { value, slope, .. } = self.gap.sample(t, 0.0);
            if value == 0.0 {
                break;
            }
            if (value > 0.0) == rising {
                high = t;
            } else {
                low = t;
            }
            let step = -value / slope;
            let next = t + step;
            let inside = next > low && next < high;
            t = if inside { next } else { 0.5 * (low + high) };
            if inside && step.abs() <= 2.0 * f64::EPSILON || high - low <= 2.0 * f64::EPSILON {
                break;
            }
        }
        let bracket = ends.map(|end| self.outward(t, end));
        Root { time: t, bracket, grazing: false }
    }

    /// The nearest time found on the way to another at which the gap has a clear sign.
    fn outward(&self, t: f64, end: f64) -> f64 {
        let slope = self.gap.sample(t, 0.0).slope.abs();
        let first = (2.0 * self.noise / slope).clamp(2.0 * f64::EPSILON, 1.0);
        // Doubled, the least step is longer than the window after 52 rounds.
        let mut reach = if first > 0.0 { first } else { 1.0 };
        for _ in 0..64 {
            if reach >= (end - t).abs() {
                break;
            }
            let time = t + reach.copysign(end - t);
            if self.value(time).abs() > self.noise {
                return time;
            }
            reach *= 2.0;
        }
        end
    }

    fn finish(mut self) {
        if let Some(zero) = self.zero {
            // The whole window, or its end.
            let ends = [self.left.map_or(0.0, |left| left.0), 1.0];
            self.touch(zero, false, ends);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `sin(c t) - s`, with its bounds.
    struct Wave {
        rate: f64,
        shift: f64,
    }

    impl Bounded for Wave {
        fn sample(&self, t: f64, _: f64) -> Sample {
            let (sin, cos) = (self.rate * t).sin_cos();
            let rate = self.rate;
            Sample {
                value: sin - self.shift,
                slope: rate * cos,
                bend: rate * rate,
                rate,
                factor: 1.0,
            }
        }

        fn noise(&self) -> f64 {
            1e-14
        }
    }

    fn roots_of(gap: &impl Bounded) -> Vec<Root> {
        let mut roots = Vec::new();
        all_roots(gap, [0.0, 1.0], |root| roots.push(*root));
        roots
    }

    #[test]
    fn all_roots_of_a_wave_are_found_in_brackets_however_many_they_are() {
        for rate in [0.5, 3.0, 12.0, 150.0] {
            for shift in [0.0, 0.3, 0.999] {
                let roots = roots_of(&Wave { rate, shift });
                let mut expected = Vec::new();
                for k in 0..30 {
                    let turn = 2.0 * std::f64::consts::PI * f64::from(k);
                    for x in [shift.asin(), std::f64::consts::PI - shift.asin()] {
                        expected.extend(((x + turn) / rate <= 1.0).then_some((x + turn) / rate));
                    }
                }
                assert_eq!(roots.len(), expected.len(), "{rate} {shift}");
                for (root, time) in roots.iter().zip(expected) {
                    assert!(root.bracket[0] <= time && time <= root.bracket[1]);
                    assert!((root.time - time).abs() < 1e-12 && !root.grazing);
                }
            }
        }
    }

    #[test]
    fn a_double_root_is_one_grazing_root() {
        let roots = roots_of(&Wave { rate: 3.0, shift: 1.0 });
        let [root] = roots[..] else { panic!("one root, not {roots:?}") };
        let time = std::f64::consts::FRAC_PI_2 / 3.0;
        assert!(root.grazing && (root.time - time).abs() < 1e-6, "{root:?}");
        assert!(root.bracket[0] <= time && time <= root.bracket[1]);
        assert!(root.bracket[1] - root.bracket[0] < 1e-5, "{root:?}");
        assert_eq!(roots_of(&Wave { rate: 3.0, shift: 1.0 + 1e-12 }).len(), 0);
        assert_eq!(roots_of(&Wave { rate: 3.0, shift: 1.0 - 1e-9 }).len(), 2);
    }

    #[test]
    fn a_gap_that_stays_zero_is_one_touch_from_the_start() {
        struct Zero;
        impl Bounded for Zero {
            fn sample(&self, _: f64, _: f64) -> Sample {
                Sample { value: 1e-16, slope: 0.0, bend: 10.0, rate: 3.0, factor: 1.0 }
            }
            fn noise(&self) -> f64 {
                1e-14
            }
        }
        let roots = roots_of(&Zero);
        let [root] = roots[..] else { panic!("one root, not {roots:?}") };
        assert!(root.grazing && root.time == 0.0 && root.bracket == [0.0, 1.0]);
    }
}
