//! Times at which a polynomial vanishes, without rounding.

use std::cmp::Ordering;

use super::dyadic::Dyadic;
use super::polynomial::Polynomial;

/// A time of the step, exactly.
#[derive(Clone, Debug)]
pub(crate) enum Time {
    At(Dyadic),
    /// The only root of a polynomial between two times, where it changes sign; the ends are no
    /// roots.
    Root {
        of: Polynomial,
        low: Dyadic,
        high: Dyadic,
    },
}

/// The distinct roots of a polynomial in `[0, 1]`, in order; none for the polynomial zero.
pub(crate) fn roots_in_step(polynomial: &Polynomial) -> Vec<Time> {
    let mut roots = Vec::new();
    if polynomial.is_zero() {
        return roots;
    }
    let [zero, one] = [Dyadic::ZERO, Dyadic::ONE];
    if polynomial.sign_at(&zero) == 0 {
        roots.push(Time::At(zero.clone()));
    }
    let ends_at_root = polynomial.sign_at(&one) == 0;
    let inner = polynomial.without_root(&zero).without_root(&one);
    isolate(inner, [zero, one.clone()], &mut roots);
    if ends_at_root {
        roots.push(Time::At(one));
    }
    roots
}

/// What is left to be looked at, the earliest last.
enum Waiting {
    /// Roots between two times that are no roots, and whether all of them are known to be simple.
    Between {
        of: Polynomial,
        low: Dyadic,
        high: Dyadic,
        simple: bool,
    },
    Root(Dyadic),
}

/// Adds the roots between two times that are no roots themselves.
fn isolate(of: Polynomial, [low, high]: [Dyadic; 2], roots: &mut Vec<Time>) {
    // Not by recursion: roots may be thousands of halvings apart.
    let mut stack = vec![Waiting::Between { of, low, high, simple: false }];
    while let Some(next) = stack.pop() {
        let (mut of, low, high, mut simple) = match next {
            Waiting::Between { of, low, high, simple } => (of, low, high, simple),
            Waiting::Root(at) => {
                roots.push(Time::At(at));
                continue;
            }
        };
        let (changes, _) = of.changes_between(&low, &high);
        let count = match changes {
            0 | 1 => changes as i64,
            // Halving is cheaper than a chain, and most roots are apart.
            _ if low.shift.max(high.shift) < 3 => changes as i64,
            _ => {
                // Roots must change the sign, or intervals could not be halved.
                of = if simple { of } else { of.with_simple_roots() };
                simple = true;
                index(&of, of.derivative(), [&low, &high])
            }
        };
        if count == 1 {
            roots.push(Time::Root { of, low, high }.narrowed());
        } else if count > 1 {
            let middle = low.middle(&high);
            let at_root = of.sign_at(&middle) == 0;
            let of = if at_root { of.without_root(&middle) } else { of };
            let right = Waiting::Between { of: of.clone(), low: middle.clone(), high, simple };
            stack.push(right);
            stack.extend(at_root.then(|| Waiting::Root(middle.clone())));
            stack.push(Waiting::Between { of, low, high: middle, simple });
        }
    }
}

/// The sum of the signs of `h` over the distinct roots of `g` between two times that are no roots,
/// if `slope` is the derivative of `g` times `h`: Sturm's theorem as Tarski extends it.
fn index(g: &Polynomial, slope: Polynomial, [low, high]: [&Dyadic; 2]) -> i64 {
    let mut before = g.clone();
    let mut now = slope.remainder(g);
    let mut changes = [0_i64; 2];
    let mut signs = [low, high].map(|at| before.sign_at(at));
    while !now.is_zero() {
        for ((at, last), changes) in [low, high].iter().zip(&mut signs).zip(&mut changes) {
            let sign = now.sign_at(at);
            if sign != 0 {
                *changes += i64::from(sign != *last);
                *last = sign;
            }
        }
        let next = -before.remainder(&now);
        before = now;
        now = next;
    }
    changes[0] - changes[1]
}

impl Time {
    pub(crate) const START: Self = Self::At(Dyadic::ZERO);
    pub(crate) const END: Self = Self::At(Dyadic::ONE);

    /// The sign of a polynomial at this time.
    pub(crate) fn sign_of(&self, h: &Polynomial) -> i8 {
        match self {
            _ if h.is_zero() => 0,
            Self::At(time) => h.sign_at(time),
            Self::Root { of, low, high } => match h.changes_between(low, high) {
                (0, sign) => sign,
                _ if self.is_root_of(h) => 0,
                _ => index(of, &of.derivative() * h, [low, high]).signum() as i8,
            },
        }
    }

    /// Whether a polynomial vanishes at this root: then their common factor does.
    fn is_root_of(&self, h: &Polynomial) -> bool {
        let Self::Root { of, low, high } = self else { return false };
        let factor = of.common_factor(h);
        match factor.changes_between(low, high).0 {
            0 => false,
            1 => true,
            _ => index(&factor, factor.derivative(), [low, high]) > 0,
        }
    }

    /// The same time with a short interval where doubles find the root: the shorter it is, the
    /// fewer signs need a chain.
    pub(crate) fn narrowed(self) -> Self {
        /// Far above the error of a root in doubles, far below the distance of most roots.
        const REACH: f64 = 1.0 / (1_u64 << 44) as f64;
        let Self::Root { of, low, high } = self else { return self };
        let guess = of.root_in_doubles([low.rounded()[0], high.rounded()[1]]);
        // Whole multiples of the reach, so that the ends have few digits.
        let guess = (guess / REACH).round() * REACH;
        let ends = [guess - REACH, guess + REACH].map(Dyadic::from_double);
        let [mut low, mut high] = [low, high];
        let sign = of.sign_at(&high);
        let [below, above] = ends;
        if below > low && below < high && of.sign_at(&below) == -sign {
            low = below;
        }
        if above < high && above > low && of.sign_at(&above) == sign {
            high = above;
        }
        Self::Root { of, low, high }
    }

    /// Halves the interval of a root.
    fn refine(&mut self) {
        let Self::Root { of, low, high } = self else { return };
        let middle = low.middle(high);
        match of.sign_at(&middle) {
            0 => *self = Self::At(middle),
            sign if sign == of.sign_at(low) => *low = middle,
            _ => *high = middle,
        }
    }

    fn is_binary(&self) -> bool {
        matches!(self, Self::At(_))
    }

    /// Binary times on both sides, or this time itself twice.
    fn ends(&self) -> [&Dyadic; 2] {
        match self {
            Self::At(time) => [time, time],
            Self::Root { low, high, .. } => [low, high],
        }
    }

    /// Which of two times comes first. Their intervals are apart afterwards if they differ.
    pub(crate) fn compare(&mut self, other: &mut Self) -> Ordering {
        if self.is_same(other) {
            return Ordering::Equal;
        }
        loop {
            let [[low, high], [other_low, other_high]] = [self.ends(), other.ends()];
            // Ends of intervals are no roots, so two intervals may share one.
            let shared = !self.is_binary() && !other.is_binary();
            if high < other_low || shared && high == other_low {
                return Ordering::Less;
            }
            if other_high < low || shared && other_high == low {
                return Ordering::Greater;
            }
            self.refine();
            other.refine();
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::At(p), Self::At(q)) => p == q,
            (Self::At(at), Self::Root { of, low, high })
            | (Self::Root { of, low, high }, Self::At(at)) => {
                low < at && at < high && of.sign_at(at) == 0
            }
            (Self::Root { low, high, .. }, Self::Root { of, low: from, high: to }) => {
                low < to
                    && from < high
                    && self.sign_of(of) == 0
                    && self.sign_of(&side_of(from, 1)) > 0
                    && self.sign_of(&side_of(to, -1)) > 0
            }
        }
    }

    /// A binary time strictly between two times that have been compared, the first being earlier.
    pub(crate) fn between(&self, later: &Self) -> Dyadic {
        self.ends()[1].middle(later.ends()[0])
    }

    /// Doubles on both sides of this time, at most 2^-52 apart.
    pub(crate) fn bracket(mut self) -> [f64; 2] {
        loop {
            let [low, high] = self.ends();
            let [low, high] = [low.rounded()[0], high.rounded()[1]];
            if high - low <= f64::EPSILON {
                return [low, high.min(1.0)];
            }
            self.refine();
        }
    }
}

/// A polynomial that is positive after `at` if `side` is 1, before it if `side` is -1.
fn side_of(at: &Dyadic, side: i64) -> Polynomial {
    let side = dashu_int::IBig::from(side);
    Polynomial::new(vec![-(&side * &at.whole), side << at.shift])
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;

    use super::*;

    fn polynomial<const N: usize>(c: [i64; N]) -> Polynomial {
        Polynomial::new(c.map(IBig::from).to_vec())
    }

    #[test]
    fn roots_are_found_in_order_each_once() {
        // t (2 t - 1)^2 (3 t - 1) (t - 1) (t - 2)
        let factors = [[0, 1], [-1, 2], [-1, 2], [-1, 3], [-1, 1], [-2, 1]].map(polynomial);
        let product = factors.iter().fold(polynomial([1]), |product, factor| &product * factor);
        let times: Vec<[f64; 2]> = roots_in_step(&product).into_iter().map(Time::bracket).collect();
        let third = times[1];
        assert_eq!(times.len(), 4);
        assert_eq!([times[0], times[2], times[3]], [[0.0, 0.0], [0.5, 0.5], [1.0, 1.0]]);
        assert!(third[0] <= 1.0 / 3.0 && third[1] >= 1.0 / 3.0 && third[1] - third[0] < 3e-16);
        assert!(roots_in_step(&polynomial([1, 0, 1])).is_empty());
    }

    #[test]
    fn double_roots_that_are_not_binary_are_found_where_they_are() {
        // (7 t - 1)^2 (t + 1), and (7 t - 1)^2 (3 t - 1)^2.
        let [p, q, r] = [polynomial([-1, 7]), polynomial([1, 1]), polynomial([-1, 3])];
        let square = &p * &p;
        let one = roots_in_step(&(&square * &q));
        let two = roots_in_step(&(&square * &(&r * &r)));
        assert_eq!((one.len(), two.len()), (1, 2));
        for time in [&one[0], &two[0]] {
            assert_eq!(time.sign_of(&p), 0);
            let [low, high] = time.clone().bracket();
            assert!(low <= 1.0 / 7.0 && 1.0 / 7.0 <= high && high - low <= f64::EPSILON);
        }
        assert_eq!(two[1].sign_of(&r), 0);
    }

    #[test]
    fn a_time_with_more_digits_than_a_double_has_a_bracket() {
        // 2^60 t - (2^60 - 1), and a root that no binary number reaches.
        for root in [[-((1 << 60) - 1), 1 << 60], [-3_000_000_000_000_001, 3_000_000_000_000_002]] {
            let time = roots_in_step(&polynomial(root)).remove(0);
            let [low, high] = time.bracket();
            assert!(low < high && high <= 1.0 && high - low <= f64::EPSILON);
        }
        let time =
            Time::At(Dyadic::from_double(0.75).middle(&Dyadic::from_double(f64::MIN_POSITIVE)));
        assert_eq!(time.bracket(), [0.375, 0.375_f64.next_up()]);
    }

    #[test]
    fn signs_at_roots_are_exact() {
        // The root of 2 t^2 - 1 is 0.70710678...
        let root = &roots_in_step(&polynomial([-1, 0, 2]))[0];
        assert_eq!(root.sign_of(&polynomial([-70710678, 100000000])), 1);
        assert_eq!(root.sign_of(&polynomial([-70710679, 100000000])), -1);
        // (2 t^2 - 1) (t - 2)
        assert_eq!(root.sign_of(&polynomial([2, -1, -4, 2])), 0);
        assert_eq!(root.sign_of(&polynomial([])), 0);
    }

    #[test]
    fn times_are_compared_exactly() {
        let mut of_square = roots_in_step(&polynomial([-1, 0, 2])).remove(0);
        let mut of_product = roots_in_step(&polynomial([1, -1, -2, 2])).remove(0);
        assert_eq!(of_square.compare(&mut of_product), Ordering::Equal);
        let mut near = roots_in_step(&polynomial([-7071, 10000])).remove(0);
        assert_eq!(near.compare(&mut of_square), Ordering::Less);
        let between = near.between(&of_square);
        assert!(near.ends()[1] <= &between && &between <= of_square.ends()[0]);
        let mut end = Time::END;
        assert_eq!(end.compare(&mut of_square), Ordering::Greater);
        let [mut start, mut again] = [Time::START, Time::START];
        assert_eq!(start.compare(&mut again), Ordering::Equal);
    }
}
