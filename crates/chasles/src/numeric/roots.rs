//! All roots of a gap function on a step, told apart as well as rounding allows.
//!
//! A gap function has, on every interval, a few *control coefficients* that bound it as Bernstein
//! coefficients bound a polynomial: the number of roots is at most the number of their sign
//! changes and has the same parity (MATH 2, 3). So an interval is settled when its coefficients
//! change sign never (no root) or once (one root); otherwise it is halved.
//!
//! A coefficient within `noise` of zero has no sign. Where halving ends without a decision the gap
//! stays within a few `noise` of zero, and what happens on the two sides decides:
//!
//! ```text
//!   +  0  -   one crossing          +  0  +   one grazing root, never none
//!   0  +      touching at the start  0  0  0   always touching
//! ```

/// A function of time, smooth on `[0, 1]`, with `N` control coefficients on any interval.
pub trait Gap<const N: usize> {
    /// Value and first two derivatives.
    fn at(&self, t: f64) -> [f64; 3];

    /// A bound of the third derivative on `[0, 1]`.
    fn jerk(&self) -> f64;

    /// Control coefficients on `[a, b]`; the first and the last are the values at the ends.
    fn coefficients(&self, a: Sample, b: Sample) -> [f64; N];
}

/// One root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Root {
    /// When.
    pub time: f64,
    /// An interval that contains the true root.
    pub bracket: [f64; 2],
    /// The gap touches zero without changing sign, or stays at zero for a while.
    pub grazing: bool,
}

impl Root {
    /// A pair that stays in touch from this time on; nothing else has a bracket without a width.
    pub(crate) fn lasting(time: f64) -> Self {
        Self { time, bracket: [time, time], grazing: true }
    }

    pub(crate) fn is_lasting(&self) -> bool {
        self.grazing && self.width() == 0.0
    }

    /// How uncertain the time is.
    #[inline]
    pub(crate) fn width(&self) -> f64 {
        self.bracket[1] - self.bracket[0]
    }
}

/// The roots of one gap function in order of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Roots {
    /// At most [`Roots::MAX`] separate roots; the first `count` entries are valid.
    Some {
        /// The roots; entries from `count` on are copies of no meaning.
        roots: [Root; Roots::MAX],
        /// How many.
        count: usize,
    },
    /// The gap is zero, up to rounding, during the whole step.
    Always,
}

impl Roots {
    /// Four roots at most (MATH 3), plus one of noise at each end.
    pub const MAX: usize = 6;

    const NONE: Self = Self::Some {
        roots: [Root { time: 0.0, bracket: [0.0, 0.0], grazing: false }; Self::MAX],
        count: 0,
    };

    /// The roots as a slice; empty for [`Roots::Always`].
    pub fn as_slice(&self) -> &[Root] {
        match self {
            Self::Some { roots, count } => &roots[..*count],
            Self::Always => &[],
        }
    }

    fn push(&mut self, root: Root) {
        if let Self::Some { roots, count } = self
            && *count < Self::MAX
        {
            roots[*count] = root;
            *count += 1;
        }
    }
}

/// Intervals shorter than this are not halved again. Two roots this close leave a dip of less than
/// `f'' 2^-47 / 8` between them, which is below the noise of a gap of ordinary curvature.
const SHORTEST: f64 = 1.0 / (1 << 22) as f64;

/// Settles coefficients on one interval.
enum Signs {
    NoRoot,
    OneRoot,
    Zero,
    Mixed,
}

fn signs<const N: usize>(coefficients: &[f64; N], noise: f64) -> Signs {
    let sign = |c: f64| i8::from(c > noise) - i8::from(c < -noise);
    let [first, last] = [sign(coefficients[0]), sign(coefficients[N - 1])];
    let mut changes = 0;
    let mut last_sign = 0;
    let mut inner_zeros = 0;
    for (i, &c) in coefficients.iter().enumerate() {
        let s = sign(c);
        if s == 0 {
            inner_zeros += u32::from(i != 0 && i != N - 1);
        } else {
            changes += u32::from(last_sign != 0 && s != last_sign);
            last_sign = s;
        }
    }
    match changes {
        0 if last_sign == 0 => Signs::Zero,
        0 if inner_zeros == 0 => Signs::NoRoot,
        1 if first != 0 && last != 0 => Signs::OneRoot,
        _ => Signs::Mixed,
    }
}

/// What a Halley step may leave, as a time: less than the rounding of times near 1, which brackets
/// contain, and a thousandth of the time in which the fastest gap crosses its noise.
pub(super) const SETTLED: f64 = 1e-17;

/// Whether nothing is left to correct after a Halley step.
///
/// With `q = f'' / 2f'` the step `s` solves `f = -s f' / (1 - q s)`. Taylor's theorem then gives
///
/// ```text
/// f(t + s) = f' s³ (f''' / 6f' - q² / (1 - q s))        f''' somewhere between t and t + s
/// ```
///
/// so next to an inflection, where `q` vanishes, the third derivative alone decides. While
/// `|q s| <= 1/2` this is at most `|s|³ (f''² / 2f'² + jerk / 6|f'|)` times the slope.
#[inline]
fn is_settled(step: f64, slope: f64, curvature: f64, jerk: f64) -> bool {
    let rest = (step * step * step).abs() * (curvature * curvature + jerk * slope.abs());
    rest < SETTLED * (slope * slope) && (step * curvature).abs() < slope.abs()
}

/// All roots in `window`, a part of `[0, 1]`.
///
/// *Accepts* `bend`, a bound of the second derivative on `[0, 1]`, and `noise`, a bound on the
/// rounding error of values and coefficients. *Guarantees* that every root where the gap leaves the
/// noise on both sides is found, in order; roots that the noise hides from each other are one.
/// *Cost* two evaluations where the gap is far from zero, a few for each root; at most a few
/// hundred. *Fails* never.
pub fn all_roots<const N: usize>(
    gap: &impl Gap<N>,
    window: [f64; 2],
    bend: f64,
    noise: f64,
) -> Roots {
    let [from, to] = window;
    let [a, b] = [(from, gap.at(from)), (to, gap.at(to))];
    let [at_a, at_b] = [a.1[0], b.1[0]];
    if at_a.abs() > noise && at_b.abs() > noise {
        let width = to - from;
        if at_a * at_b < 0.0 && a.1[1].abs() > bend * width {
            let mut roots = Roots::NONE;
            roots.push(crossing(gap, [(from, at_a), (to, at_b)], noise));
            return roots;
        }
        if at_a * at_b > 0.0 && at_a.abs().min(at_b.abs()) > 0.125 * bend * width * width + noise {
            return Roots::NONE;
        }
    }
    subdivide(gap, (a, b), noise)
}

/// A time with value and first two derivatives there.
pub type Sample = (f64, [f64; 3]);

/// Walks over the step from left to right, halving what is not settled.
#[inline(never)]
fn subdivide<const N: usize>(gap: &impl Gap<N>, ends: (Sample, Sample), noise: f64) -> Roots {
    let at = |t: f64| (t, gap.at(t));
    // Depth 22, one waiting right half a level.
    let mut stack = [ends; 24];
    let mut height = 1;
    let mut walk = Walk { gap, noise, left: None, zero: None, roots: Roots::NONE };
    while height > 0 {
        height -= 1;
        let (a, b) = stack[height];
        match signs(&gap.coefficients(a, b), noise) {
            // Zeros at both ends and none between: the middle keeps the two apart.
            Signs::NoRoot if a.1[0].abs().max(b.1[0].abs()) <= noise => {
                let middle = at(0.5 * (a.0 + b.0));
                walk.visit(a.0, a.1[0]).visit(middle.0, middle.1[0]).visit(b.0, b.1[0])
            }
            Signs::NoRoot | Signs::OneRoot => walk.visit(a.0, a.1[0]).visit(b.0, b.1[0]),
            Signs::Zero => walk.visit(a.0, a.1[0]).visit_zero(a.0, b.0).visit(b.0, b.1[0]),
            Signs::Mixed if b.0 - a.0 > SHORTEST => {
                let middle = at(0.5 * (a.0 + b.0));
                stack[height] = (middle, b);
                stack[height + 1] = (a, middle);
                height += 2;
                continue;
            }
            Signs::Mixed if a.1[0] * b.1[0] < 0.0 => walk.visit(a.0, a.1[0]).visit(b.0, b.1[0]),
            Signs::Mixed => walk.visit(a.0, a.1[0]).visit_zero(a.0, b.0).visit(b.0, b.1[0]),
        };
    }
    walk.finish()
}

/// What is known on the way from left to right.
struct Walk<'g, G, const N: usize> {
    gap: &'g G,
    noise: f64,
    /// The last point with a sign.
    left: Option<(f64, f64)>,
    /// The stretch without a sign since then.
    zero: Option<[f64; 2]>,
    roots: Roots,
}

impl<G: Gap<N>, const N: usize> Walk<'_, G, N> {
    /// Passes a point; between neighbouring points there is no root that their signs do not show.
    fn visit(&mut self, t: f64, value: f64) -> &mut Self {
        if value.abs() <= self.noise {
            return self.visit_zero(t, t);
        }
        match (self.left, self.zero) {
            (Some((t0, v0)), _) if v0 * value < 0.0 => {
                self.roots.push(crossing(self.gap, [(t0, v0), (t, value)], self.noise));
            }
            (_, Some([from, to])) => self.touch(from, to, Some((t, value))),
            _ => {}
        }
        self.left = Some((t, value));
        self.zero = None;
        self
    }

    fn visit_zero(&mut self, from: f64, to: f64) -> &mut Self {
        let start = self.zero.map_or(from, |zero| zero[0]);
        self.zero = Some([start, to]);
        self
    }

    /// A stretch of zeros that is not a crossing: at the start, at the end, or grazing.
    fn touch(&mut self, from: f64, to: f64, right: Option<(f64, f64)>) {
        let [at_from, at_to] = [self.gap.at(from), self.gap.at(to)];
        // The gap leaves the noise at one of these slopes, or meanwhile.
        let slope = at_from[1].abs().min(at_to[1].abs());
        let root = match (self.left, right) {
            // Inside: where the gap is smallest, by its slope at the middle of the stretch.
            (Some(_), Some(_)) => {
                let middle = 0.5 * (from + to);
                let [_, slope, curvature] = self.gap.at(middle);
                let lowest = middle - slope / curvature;
                let time = if (from..=to).contains(&lowest) { lowest } else { middle };
                Root { time, bracket: self.around(from, to, curvature), grazing: true }
            }
            // At the start: refine if the sign shows that the crossing lies a little later.
            (None, Some(right)) if at_from[0] * right.1 < 0.0 => {
                crossing(self.gap, [(from, at_from[0]), right], self.noise)
            }
            (Some(left), None) if at_to[0] * left.1 < 0.0 => {
                crossing(self.gap, [left, (to, at_to[0])], self.noise)
            }
            (None, _) => {
                let spare = right.map_or(1.0, |right| right.0) - to;
                let bracket = self.slack([from, to], slope, spare);
                Root { time: from, bracket, grazing: to > from }
            }
            (Some(left), None) => {
                let bracket = self.slack([from, to], slope, from - left.0);
                Root { time: to, bracket, grazing: to > from }
            }
        };
        self.roots.push(root);
    }

    /// Where a gap of this curvature can be within the noise.
    fn around(&self, from: f64, to: f64, curvature: f64) -> [f64; 2] {
        let reach = (2.0 * self.noise / curvature.abs()).sqrt().min(SHORTEST);
        [(from - reach).max(0.0), (to + reach).min(1.0)]
    }

    /// Where a gap of this slope can be within the noise, next to an end of the step: not as far
    /// away as the next point with a sign, which is `spare` farther.
    fn slack(&self, [from, to]: [f64; 2], slope: f64, spare: f64) -> [f64; 2] {
        let reach = (self.noise / slope).min(spare.max(SHORTEST));
        [(from - reach).max(0.0), (to + reach).min(1.0)]
    }

    fn finish(mut self) -> Roots {
        match (self.left, self.zero) {
            (None, _) => return Roots::Always,
            (_, Some([from, to])) => self.touch(from, to, None),
            _ => {}
        }
        self.roots
    }
}

/// The root between two points of opposite sign.
fn crossing<const N: usize>(gap: &impl Gap<N>, ends: [(f64, f64); 2], noise: f64) -> Root {
    let [(mut low, at_low), (mut high, at_high)] = ends;
    let rising = at_high > 0.0;
    let mut t = low + (high - low) * (at_low / (at_low - at_high));
    let mut slope = 0.0;
    let jerk = gap.jerk();
    // Halley's step triples the digits; bisection takes over where it leaves the bracket. Sixty
    // halvings exhaust the interval, so the limit is never what ends the loop.
    for _ in 0..100 {
        let [value, s, curvature] = gap.at(t);
        slope = s;
        if value == 0.0 {
            break;
        }
        if (value > 0.0) == rising {
            high = t;
        } else {
            low = t;
        }
        let step = -value * s / (s * s - 0.5 * value * curvature);
        let mut next = t + step;
        let inside = next > low && next < high;
        if !inside {
            next = 0.5 * (low + high);
        }
        let stuck = next <= low || next >= high;
        if stuck {
            break;
        }
        t = next;
        if inside && is_settled(step, s, curvature, jerk) {
            break;
        }
    }
    let reach = noise / slope.abs() + f64::EPSILON;
    // The sign pattern proves a root between the ends, whatever the slope.
    let bracket = [(t - reach).max(ends[0].0.min(t)), (t + reach).min(ends[1].0.max(t))];
    Root { time: t, bracket, grazing: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cubic in Bernstein form, the gap of a translating triangle: coefficients in closed form.
    struct Cubic([f64; 4]);

    impl Gap<4> for Cubic {
        fn at(&self, t: f64) -> [f64; 3] {
            let [a, b, c, d] = self.0;
            let value = a + t * (b + t * (c + t * d));
            [value, b + t * (2.0 * c + 3.0 * d * t), 2.0 * c + 6.0 * d * t]
        }

        fn jerk(&self) -> f64 {
            6.0 * self.0[3].abs()
        }

        fn coefficients(&self, a: (f64, [f64; 3]), b: (f64, [f64; 3])) -> [f64; 4] {
            let third = (b.0 - a.0) / 3.0;
            [a.1[0], a.1[0] + third * a.1[1], b.1[0] - third * b.1[1], b.1[0]]
        }
    }

    fn with_roots(roots: [f64; 3]) -> Cubic {
        let [p, q, r] = roots;
        Cubic([-p * q * r, p * q + q * r + r * p, -(p + q + r), 1.0])
    }

    fn solve(cubic: &Cubic) -> Roots {
        all_roots(cubic, [0.0, 1.0], 2.0 * cubic.0[2].abs() + 6.0 * cubic.0[3].abs(), 1e-15)
    }

    #[test]
    fn finds_three_roots_in_order() {
        let found = solve(&with_roots([0.7, 0.1, 0.35]));
        let times: Vec<f64> = found.as_slice().iter().map(|r| r.time).collect();
        assert_eq!(times.len(), 3);
        for (time, expected) in times.iter().zip([0.1, 0.35, 0.7]) {
            assert!((time - expected).abs() < 1e-14, "{time} {expected}");
        }
    }

    #[test]
    fn a_double_root_is_one_grazing_root() {
        let found = solve(&with_roots([0.3, 0.3, -1.0]));
        let [root] = found.as_slice() else { panic!("one root, not {found:?}") };
        assert!(root.grazing && (root.time - 0.3).abs() < 1e-6);
        assert!(root.bracket[0] <= 0.3 && 0.3 <= root.bracket[1]);
    }

    #[test]
    fn two_roots_a_little_apart_are_two() {
        let found = solve(&with_roots([0.3, 0.30001, -1.0]));
        assert_eq!(found.as_slice().len(), 2);
        assert!(found.as_slice().iter().all(|r| !r.grazing));
    }

    #[test]
    fn roots_at_the_ends_of_the_step_are_found() {
        for end in [0.0, 1.0] {
            let found = solve(&with_roots([end, -3.0, 4.0]));
            let [root] = found.as_slice() else { panic!("one root, not {found:?}") };
            assert_eq!(root.time, end);
            assert!(!root.grazing);
        }
    }

    #[test]
    fn slow_gaps_at_the_ends_of_the_step_are_uncertain_while_within_the_noise() {
        // They reach the noise of 1e-15 after a thousandth of the step.
        for (end, cubic) in [(0.0, [0.0, 1e-12, 0.0, 0.0]), (1.0, [-1e-12, 1e-12, 0.0, 0.0])] {
            let found = solve(&Cubic(cubic));
            let [root] = found.as_slice() else { panic!("one root, not {found:?}") };
            assert_eq!(root.time, end);
            assert!((root.bracket[1] - root.bracket[0] - 1e-3).abs() < 1e-9, "{root:?}");
        }
    }

    #[test]
    fn a_step_to_a_root_beside_an_inflection_is_not_the_last() {
        // From the middle of the step the second derivative vanishes, and the third does not.
        let cubic = Cubic([-0.0005, 1.0, 0.0, 0.0]);
        let bent = Cubic([-0.0005, 1.0, 0.0, -400.0]);
        assert!(is_settled(0.0005, 1.0, 0.0, cubic.jerk()));
        assert!(!is_settled(0.0005, 1.0, 0.0, bent.jerk()));
    }

    #[test]
    fn zeros_at_both_ends_of_an_interval_are_two_roots() {
        for [p, q] in [[0.0, 1.0], [0.0, 0.5], [0.25, 0.5], [0.5, 1.0]] {
            let found = solve(&Cubic([p * q, -(p + q), 1.0, 0.0]));
            let times: Vec<f64> = found.as_slice().iter().map(|r| r.time).collect();
            assert_eq!(times, [p, q]);
            assert!(
                found.as_slice().iter().all(|r| !r.grazing && r.bracket[1] - r.bracket[0] < 1e-12)
            );
        }
    }

    #[test]
    fn no_root_and_always_zero_are_told_apart() {
        assert!(solve(&Cubic([1.0, -1.0, 1.0, 0.0])).as_slice().is_empty());
        assert_eq!(solve(&Cubic([0.0; 4])), Roots::Always);
        assert_eq!(solve(&Cubic([1e-17, 0.0, 0.0, 0.0])), Roots::Always);
    }

    #[test]
    fn a_flat_crossing_is_one_root() {
        let found = solve(&with_roots([0.4, 0.4, 0.4]));
        let [root] = found.as_slice() else { panic!("one root, not {found:?}") };
        assert!(!root.grazing && (root.time - 0.4).abs() < 1e-4, "{root:?}");
    }
}
