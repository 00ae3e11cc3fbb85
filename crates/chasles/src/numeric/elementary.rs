//! Exponentials, logarithms, circular functions and roundings of intervals.
//!
//! The functions of the platform (`f64::sin` and the like) are not rounded correctly. The
//! libraries in use state errors below one unit in the last place, some old ones below two;
//! [`ALLOWANCE`] moves each end outward by at least four, and results are cut to the known range
//! of the function. Between its ends a function that grows takes its lowest value at the lower
//! end; a sine may also pass a crest or a trough, which is found by counting turns.
//!
//! *Accepts* all intervals. *Guarantees* that the result contains every value over the interval,
//! or is NaN because the function may have none. *Cost* two calls of the platform's function, one
//! for an interval of a single number. *Fails* never; sines of angles beyond [`LARGEST_ANGLE`] are
//! only known to lie in `[-1, 1]`.

use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, PI, TAU};

use super::functions::Elementary;
use super::interval::Interval;

/// What a function of the platform may be wrong by, relative to its value: four to eight units in
/// the last place, where one or two are known.
const ALLOWANCE: f64 = 4.0 * f64::EPSILON;

/// The same next to zero: four of the smallest doubles.
const SMALLEST: f64 = 2e-323;

/// Turns of larger angles are not counted: up to here the count is wrong by less than `2^-20` of a
/// turn, and the crest of a sine is flat to `2^-36` that close to its middle.
pub(super) const LARGEST_ANGLE: f64 = 1_073_741_824.0;

/// What a count of turns may be wrong by, relative to itself and to 1: three roundings.
const TURN_ERROR: f64 = 4.0 * f64::EPSILON;

/// The numbers that the nearest double of a constant stands for, which is below all of ours.
const fn just_above(value: f64) -> Interval {
    Interval::new(value, value.next_up())
}

impl Interval {
    /// Half a turn, 3.14159...
    pub const PI: Self = just_above(PI);

    /// A turn, 6.28318...
    pub const TAU: Self = just_above(TAU);

    /// The base of the natural logarithm, 2.71828...
    pub const E: Self = just_above(std::f64::consts::E);

    /// Values of a function at both ends, which grows between them, cut to its range.
    #[inline]
    fn growing(self, function: impl Fn(f64) -> f64, range: Self) -> Self {
        let low = function(self.low);
        let high = if self.low == self.high { low } else { function(self.high) };
        Self { low, high }.widened().cut(range)
    }

    /// Each end moved outward by the allowance for functions of the platform.
    #[inline]
    fn widened(self) -> Self {
        if self.is_nan() {
            return Self::NAN;
        }
        // A lower end that overflows stands for a number above the largest double.
        let [low, high] = [self.low.min(f64::MAX), self.high.max(f64::MIN)];
        let margin = |end: f64| ALLOWANCE * end.abs() + SMALLEST;
        Self { low: low - margin(low), high: high + margin(high) }
    }

    /// Without what lies beyond a range; NaN stays NaN.
    #[inline]
    fn cut(self, range: Self) -> Self {
        if self.is_nan() {
            return Self::NAN;
        }
        Self {
            low: self.low.clamp(range.low, range.high),
            high: self.high.clamp(range.low, range.high),
        }
    }

    /// The range of `e^x`, never negative.
    pub fn exp(self) -> Self {
        self.growing(f64::exponential, Self::new(0.0, f64::INFINITY))
    }

    /// The range of the natural logarithm, not a number unless all of it is above zero.
    pub fn ln(self) -> Self {
        if self.low > 0.0 { self.growing(f64::logarithm, Self::ALL) } else { Self::NAN }
    }

    /// The range of `x^y`: `e^(y ln x)` for `x` above zero, and 0 for `x` zero and `y` above it.
    ///
    /// *Guarantees* not a number where `x` may be negative: see [`Interval::powi`] for that.
    pub fn pow(self, exponent: Self) -> Self {
        let raise = |base: Self| (exponent * base.ln()).exp();
        if self.low > 0.0 {
            raise(self)
        } else if self.low == 0.0 && exponent.low > 0.0 && !self.is_nan() {
            let top = if self.high > 0.0 { raise(Self::point(self.high)).high } else { 0.0 };
            Self::new(0.0, top)
        } else {
            Self::NAN
        }
    }

    /// The range of the sine.
    pub fn sin(self) -> Self {
        self.wave(f64::sine, 0.25)
    }

    /// The range of the cosine.
    pub fn cos(self) -> Self {
        self.wave(f64::cosine, 0.0)
    }

    /// The range of a sine whose crests lie `crest` of a turn after each whole turn, and whose
    /// troughs half a turn later.
    #[inline]
    fn wave(self, function: impl Fn(f64) -> f64, crest: f64) -> Self {
        let unit = Self::new(-1.0, 1.0);
        if self.is_nan() {
            return Self::NAN;
        }
        if self.magnitude() > LARGEST_ANGLE {
            return unit;
        }
        let low = function(self.low);
        let high = if self.low == self.high { low } else { function(self.high) };
        let mut range = Self::new(low.min(high), low.max(high)).widened().cut(unit);
        let turns = Turns::of(self, 0.5 * FRAC_1_PI);
        if turns.pass(crest) {
            range.high = 1.0;
        }
        if turns.pass(crest + 0.5) {
            range.low = -1.0;
        }
        range
    }

    /// The range of the tangent, not a number if a pole may lie in it.
    pub fn tan(self) -> Self {
        if self.magnitude() <= LARGEST_ANGLE && !Turns::of(self, FRAC_1_PI).pass(0.5) {
            self.growing(f64::tangent, Self::ALL)
        } else {
            Self::NAN
        }
    }

    /// The range of the arc sine, not a number unless all of it is in `[-1, 1]`.
    pub fn asin(self) -> Self {
        let right = FRAC_PI_2.next_up();
        if self.magnitude() <= 1.0 {
            self.growing(f64::arcsine, Self::new(-right, right))
        } else {
            Self::NAN
        }
    }

    /// The range of the arc cosine, not a number unless all of it is in `[-1, 1]`.
    pub fn acos(self) -> Self {
        if self.magnitude() <= 1.0 {
            let opposite = |x: f64| -f64::arccosine(x);
            -self.growing(opposite, Self::new(-PI.next_up(), 0.0))
        } else {
            Self::NAN
        }
    }

    /// The range of the arc tangent.
    pub fn atan(self) -> Self {
        let right = FRAC_PI_2.next_up();
        self.growing(f64::arctangent, Self::new(-right, right))
    }

    /// The range of the angle of the point `(x, self)`, between minus and plus half a turn.
    ///
    /// *Guarantees* not a number if that point may be the origin, and all angles if it may cross
    /// the negative half of the first axis, where they jump.
    pub fn atan2(self, x: Self) -> Self {
        let right = Self::new(FRAC_PI_2, FRAC_PI_2.next_up());
        if x.low > 0.0 {
            (self / x).atan()
        } else if self.low > 0.0 {
            right - (x / self).atan()
        } else if self.high < 0.0 {
            -right - (x / self).atan()
        } else if x.high < 0.0 && !self.is_nan() {
            Self::new(-PI.next_up(), PI.next_up())
        } else {
            Self::NAN
        }
    }

    /// The range of the length of the legs' hypotenuse, without overflow where that has none.
    pub fn hypot(self, other: Self) -> Self {
        let largest = self.magnitude().max(other.magnitude());
        if largest < 1e150 && largest > 1e-140 {
            return (self.square() + other.square()).sqrt();
        }
        let [a, b] = [self.abs(), other.abs()];
        let low =
            Self::point(a.low.hypotenuse(b.low)).widened().cut(Self::new(0.0, f64::INFINITY)).low;
        let high = Self::point(a.high.hypotenuse(b.high)).widened().high;
        if a.is_nan() || b.is_nan() { Self::NAN } else { Self { low, high } }
    }

    /// The range of the largest whole number that is no larger: exact.
    pub fn floor(self) -> Self {
        Self { low: self.low.floor(), high: self.high.floor() }
    }

    /// The range of `x - y floor(x / y)`, which lies between 0 and `y`.
    ///
    /// *Guarantees* not a number if `y` may be zero.
    pub fn modulo(self, divisor: Self) -> Self {
        let between = divisor.hull(Self::point(0.0));
        let whole = (self / divisor).floor();
        if whole.is_nan() {
            Self::NAN
        } else if whole.low == whole.high && whole.low.is_finite() {
            (self - divisor * whole).cut(between)
        } else {
            between
        }
    }
}

/// A count of turns, low and high, with room for its rounding.
struct Turns([f64; 2]);

impl Turns {
    #[inline]
    fn of(angle: Interval, per_radian: f64) -> Self {
        let count = [angle.low * per_radian, angle.high * per_radian];
        let error = TURN_ERROR * (1.0 + count[0].abs().max(count[1].abs()));
        Self([count[0] - error, count[1] + error])
    }

    /// Whether a place may be passed that recurs each turn.
    #[inline]
    fn pass(&self, place: f64) -> bool {
        (self.0[0] - place).ceil() <= (self.0[1] - place).floor()
    }
}

#[cfg(test)]
mod tests {
    use super::super::double::Double;
    use super::*;
    use proptest::prelude::*;

    /// A quotient with about 100 correct bits: the rest of a first guess, divided again.
    fn over(a: Double, b: Double) -> Double {
        let guess = Double::new(a.high / b.high);
        let rest = a - guess * b;
        guess + Double::new(rest.high / b.high)
    }

    /// The sum of `x^n / n!` over every `step`th `n` from `first` on, with signs that alternate
    /// if `step` is 2; 120 terms are plenty for `|x| < 20`.
    fn series(x: Double, first: u32, step: u32) -> Double {
        let (mut term, mut sum) = (Double::new(1.0), Double::new(0.0));
        for n in 0..120_u32 {
            if n > 0 {
                term = over(term * x, Double::new(f64::from(n)));
            }
            if n >= first && (n - first).is_multiple_of(step) {
                let odd = step == 2 && ((n - first) / 2) % 2 == 1;
                sum = if odd { sum - term } else { sum + term };
            }
        }
        sum
    }

    fn sine(x: Double) -> Double {
        series(x, 1, 2)
    }

    fn cosine(x: Double) -> Double {
        series(x, 0, 2)
    }

    /// By Newton's method from a double: `y + x e^-y - 1`.
    fn logarithm(x: f64) -> Double {
        let guess = Double::new(x.ln());
        let raised = series(Double::new(-guess.high), 0, 1);
        guess + (Double::new(x) * raised - Double::new(1.0))
    }

    /// The angle of `(x, y)`, by Newton's method from a double that may be wrong by `1e-10`.
    fn angle_of(y: Double, x: Double, guess: f64) -> Double {
        let [sin, cos] = [sine(Double::new(guess)), cosine(Double::new(guess))];
        Double::new(guess) + over(y * cos - x * sin, x * cos + y * sin)
    }

    /// Whether a number of twice the digits lies in an interval, up to the digits it has.
    fn holds(interval: Interval, value: Double) -> bool {
        let allowed = 1e-25 * value.high.abs().max(1e-3);
        let above = (value - Double::new(interval.low)).high;
        let below = (Double::new(interval.high) - value).high;
        above >= -allowed && below >= -allowed
    }

    /// An interval and a place in it, small ones and single numbers among them.
    fn interval_and_place(range: f64) -> impl Strategy<Value = (Interval, f64)> {
        (-range..range, -20.0..1.0, 0.0..=1.0, 0.0..=1.0).prop_map(
            move |(at, size, left, right)| {
                let size: f64 = if size < -19.0_f64 { 0.0 } else { 10_f64.powf(size) };
                (Interval::new(at - size * left, at + size * right), at)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn the_four_operations_contain_exact_results(
            (a, x) in interval_and_place(10.0),
            (b, y) in interval_and_place(10.0),
        ) {
            let [x, y] = [Double::new(x), Double::new(y)];
            prop_assert!(holds(a + b, x + y) && holds(a - b, x - y) && holds(a * b, x * y));
            prop_assert!(holds(a.square(), x * x) && holds(a.powi(3), x * x * x));
            prop_assert!(holds(a.powi(5), x * x * x * x * x) && holds(a.powi(4), x * x * (x * x)));
            prop_assert!((a / b).is_nan() || holds(a / b, over(x, y)));
            let root = a.abs().sqrt();
            prop_assert!(root.low * root.low <= x.high.abs().next_up());
            prop_assert!(holds(root.square(), Double::new(x.high.abs())));
        }

        #[test]
        fn exponentials_and_logarithms_contain_slow_series((a, x) in interval_and_place(15.0)) {
            prop_assert!(holds(a.exp(), series(Double::new(x), 0, 1)));
            let positive = a.abs() + Interval::point(1e-3);
            let place = x.abs() + 1e-3;
            prop_assert!(holds(positive.ln(), logarithm(place)));
        }

        #[test]
        fn sines_and_tangents_contain_slow_series((a, x) in interval_and_place(15.0)) {
            let [sin, cos] = [sine(Double::new(x)), cosine(Double::new(x))];
            prop_assert!(holds(a.sin(), sin), "{:?} {:?}", a.sin(), sin);
            prop_assert!(holds(a.cos(), cos));
            prop_assert!(a.tan().is_nan() || holds(a.tan(), over(sin, cos)) || cos.high.abs() < 1e-3);
        }

        #[test]
        fn arcs_contain_slow_series(
            (a, x) in interval_and_place(4.0),
            (b, y) in interval_and_place(4.0),
        ) {
            let one = Double::new(1.0);
            prop_assert!(holds(a.atan(), angle_of(Double::new(x), one, x.atan())));
            let angle = angle_of(Double::new(x), Double::new(y), x.atan2(y));
            prop_assert!(a.atan2(b).is_nan() || holds(a.atan2(b), angle));
            // The sine of the arc leads back, where it is not flat.
            if a.magnitude() < 0.99 {
                let (low, high) = (a.asin().low, a.asin().high);
                prop_assert!((sine(Double::new(low)) - Double::new(x)).high <= 0.0);
                prop_assert!((sine(Double::new(high)) - Double::new(x)).high >= 0.0);
                prop_assert!((cosine(Double::new(a.acos().low)) - Double::new(x)).high >= 0.0);
                prop_assert!((cosine(Double::new(a.acos().high)) - Double::new(x)).high <= 0.0);
            }
        }

        #[test]
        fn samples_lie_in_the_range_of_every_function(
            (a, x) in interval_and_place(3.0),
            (b, y) in interval_and_place(3.0),
        ) {
            let near = |interval: Interval, value: f64| {
                interval.is_nan() || Interval::about(value, 1e-12 * (1.0 + value.abs())).high >= interval.low
                    && value - 1e-12 * (1.0 + value.abs()) <= interval.high
            };
            prop_assert!(near(a.modulo(b), x - y * (x / y).floor()));
            prop_assert!(a.modulo(b).is_nan() || a.modulo(b).low >= b.low.min(0.0));
            prop_assert!(near(a.floor(), x.floor()) && near(a.hypot(b), x.hypot(y)));
            prop_assert!(near(a.abs().pow(b), x.abs().powf(y)));
            let has_no_power = b.abs().low <= 0.0 && a.abs().low <= 0.0;
            prop_assert!(a.abs().pow(b.abs()).is_nan() == has_no_power);
            prop_assert!(near(a.min(b), x.min(y)) && near(a.max(b), x.max(y)));
        }
    }

    #[test]
    fn a_sine_passes_its_crests_and_troughs() {
        assert_eq!(Interval::new(1.0, 2.0).sin().high, 1.0);
        assert_eq!(Interval::new(4.0, 5.0).sin().low, -1.0);
        assert_eq!(Interval::new(-0.5, 0.5).cos().high, 1.0);
        assert_eq!(Interval::new(0.0, 7.0).sin(), Interval::new(-1.0, 1.0));
        assert_eq!(Interval::new(3e9, 3.0000001e9).cos(), Interval::new(-1.0, 1.0));
        assert_eq!(Interval::ALL.sin(), Interval::new(-1.0, 1.0));
        let steep = Interval::new(0.1, 0.2).sin();
        assert!(steep.low > 0.0998 && steep.high < 0.1987);
    }

    #[test]
    fn outside_of_their_domain_functions_are_not_numbers() {
        let zero = Interval::point(0.0);
        let crossing = Interval::new(-0.5, 2.0);
        for nothing in [zero.ln(), crossing.ln(), crossing.asin(), crossing.acos(), crossing.tan()]
        {
            assert!(nothing.low.is_nan() && nothing.high.is_nan());
        }
        assert!(zero.atan2(zero).is_nan() && crossing.pow(crossing).is_nan());
        assert!(crossing.modulo(zero).is_nan() && Interval::NAN.modulo(crossing).is_nan());
        assert_eq!(zero.pow(Interval::point(2.5)), zero);
    }

    #[test]
    fn ends_at_infinity_are_those_of_the_function() {
        let overflow = Interval::point(1000.0).exp();
        assert_eq!([overflow.low >= 1e308, overflow.high == f64::INFINITY], [true, true]);
        assert_eq!(Interval::ALL.exp(), Interval::new(0.0, f64::INFINITY));
        assert!(Interval::ALL.atan().radius() < FRAC_PI_2 + 1e-15);
        assert!(Interval::point(3e200).hypot(Interval::point(4e200)).contains(5e200));
        assert!(Interval::point(3e-200).hypot(Interval::point(4e-200)).contains(5e-200));
        let power = Interval::new(2.0, f64::INFINITY).pow(Interval::point(0.5));
        assert!(power.low < 1.4143 && power.high == f64::INFINITY);
    }
}
