//! Axes: from values to places, and where ticks go.

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equal lengths.
    #[default]
    Linear,
    /// Equal ratios are equal lengths. Values that are not positive are left out.
    Log,
}

/// An axis of a plot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// What is measured, with its unit.
    pub title: String,
    /// Linear or logarithmic.
    pub scale: Scale,
    /// The values at both ends; without it the axis shows all data. Ends that are not finite,
    /// equal or (on a log axis) not positive count as none.
    pub range: Option<[f64; 2]>,
}

impl Axis {
    /// A linear axis that shows all data.
    pub fn linear(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A logarithmic axis that shows all positive data.
    pub fn log(title: &str) -> Self {
        Self { scale: Scale::Log, ..Self::linear(title) }
    }

    /// Fits the axis to the data.
    pub(crate) fn fitted(&self, data: impl Iterator<Item = f64>) -> Fitted {
        let scale = self.scale;
        let levels = |[a, b]: [f64; 2]| Some([level(scale, a)?, level(scale, b)?]);
        let given = self.range.and_then(levels).filter(|[a, b]| a != b);
        let ends = given.map(|[a, b]| [a.min(b), a.max(b)]).unwrap_or_else(|| {
            let mut ends: Option<[f64; 2]> = None;
            for value in data.filter_map(|value| level(scale, value)) {
                let [low, high] = ends.unwrap_or([value; 2]);
                ends = Some([low.min(value), high.max(value)]);
            }
            with_room(scale, ends.unwrap_or([0.0, 1.0]))
        });
        Fitted { scale, ends: distinct(ends) }
    }
}

/// A value as the axis measures it: itself or its decimal logarithm. Values near the end of the
/// number range are brought in, so that differences stay finite.
fn level(scale: Scale, value: f64) -> Option<f64> {
    match scale {
        _ if !value.is_finite() => None,
        Scale::Linear => Some(value.clamp(-1e300, 1e300)),
        Scale::Log => (value > 0.0).then(|| value.log10()),
    }
}

/// Room of 4 % at both ends, and zero included where the data comes near it.
fn with_room(scale: Scale, [low, high]: [f64; 2]) -> [f64; 2] {
    let room = 0.04 * (high - low);
    let near_zero = |end: f64, other: f64| end.abs() < 0.25 * other.abs();
    let at_zero = |end: f64, other: f64| {
        scale == Scale::Linear && end * other >= 0.0 && near_zero(end, other)
    };
    [
        if at_zero(low, high) { 0.0 } else { low - room },
        if at_zero(high, low) { 0.0 } else { high + room },
    ]
}

/// Ends far enough apart for ticks to differ in the digits that a label shows, and for steps
/// between them to have reciprocals.
fn distinct([low, high]: [f64; 2]) -> [f64; 2] {
    const TINY: f64 = 1e-290;
    let size = low.abs().max(high.abs());
    if high - low > (1e-9 * size).max(TINY) {
        [low, high]
    } else {
        let room = if size > TINY { 0.05 * size } else { 0.5 };
        [low - room, high + room]
    }
}

/// A tick: where it stands between the ends (0 to 1) and its label.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) place: f64,
    /// Empty for the small ticks between.
    pub(crate) label: String,
}

/// An axis with known ends, in levels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fitted {
    scale: Scale,
    ends: [f64; 2],
}

impl Fitted {
    /// Where a value stands, 0 and 1 being the ends; nothing if it has no place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        level(self.scale, value).map(|level| self.place_of_level(level))
    }

    /// The length of the axis, in its own measure.
    pub(crate) fn span(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    fn place_of_level(&self, level: f64) -> f64 {
        (level - self.ends[0]) / (self.ends[1] - self.ends[0])
    }

    /// Ticks, about `count` of them with labels, and the factor that all labels were divided by,
    /// as text for the axis title; empty for none.
    pub(crate) fn ticks(&self, count: f64) -> (Vec<Tick>, String) {
        match self.scale {
            Scale::Linear => self.linear_ticks(count),
            Scale::Log => (self.log_ticks(count), String::new()),
        }
    }

    fn linear_ticks(&self, count: f64) -> (Vec<Tick>, String) {
        let [low, high] = self.ends;
        let step = nice_step((high - low) / count.max(2.0));
        let exponent = common_exponent(low.abs().max(high.abs()));
        let unit = f64::powi(10.0, exponent);
        let decimals = (-(step / unit).log10().floor()).clamp(0.0, 12.0) as usize;
        let tick = |i: f64| {
            let level = i * step;
            Tick { place: self.place_of_level(level), label: decimal(level / unit, decimals) }
        };
        let factor = if exponent == 0 { String::new() } else { format!("×{}", power(exponent)) };
        (multiples(low, high, step).map(tick).collect(), factor)
    }

    /// Decades, or every few if there are many, and small ticks at 2 to 9 if there is room; over
    /// little more than a decade 2 and 5 are labelled too.
    fn log_ticks(&self, count: f64) -> Vec<Tick> {
        let [low, high] = self.ends;
        let decades = high - low;
        if decades < 0.7 {
            return self.short_log_ticks(count);
        }
        let step = (decades / count.max(2.0)).ceil().max(1.0);
        let plain = low >= -3.01 && high <= 4.01;
        let label = |e: f64| if plain { plain_power(e as i32) } else { power(e as i32) };
        let mut ticks: Vec<Tick> = multiples(low, high, step)
            .map(|i| Tick { place: self.place_of_level(i * step), label: label(i * step) })
            .collect();
        if step == 1.0 {
            let between = |(e, digit): (f64, u8)| {
                let level = e + f64::from(digit).log10();
                let labelled = decades < 1.5 && matches!(digit, 2 | 5);
                let value = || f64::from(digit) * f64::powf(10.0, e);
                let label =
                    if labelled { scientific(value(), f64::powf(10.0, e)) } else { String::new() };
                Tick { place: self.place_of_level(level), label }
            };
            let digits = |e| (2..10).map(move |digit| (e, digit));
            let small = multiples(low - 1.0, high, 1.0).flat_map(digits).map(between);
            ticks.extend(small.filter(|tick| (0.0..=1.0).contains(&tick.place)));
        }
        ticks
    }

    /// A log axis over less than a decade has the ticks of a linear one.
    fn short_log_ticks(&self, count: f64) -> Vec<Tick> {
        let ends = self.ends.map(|level| f64::powf(10.0, level).clamp(1e-300, 1e300));
        let linear = Fitted { scale: Scale::Linear, ends: distinct(ends) };
        let step = nice_step((linear.ends[1] - linear.ends[0]) / count.max(2.0));
        let tick = |i: f64| {
            let place = self.place(i * step)?;
            Some(Tick { place, label: scientific(i * step, step) })
        };
        let inside = |tick: &Tick| (0.0..=1.0).contains(&tick.place);
        multiples(linear.ends[0], linear.ends[1], step).filter_map(tick).filter(inside).collect()
    }
}

/// The whole numbers `i` with `low <= i step <= high`, up to rounding; never many.
fn multiples(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    // An end that is a tick but for rounding keeps its tick.
    let slack = 1e-9;
    let first = (low / step - slack).ceil();
    let count = ((high / step + slack).floor() - first + 1.0).clamp(0.0, 1000.0);
    (0..count as u32).map(move |i| first + f64::from(i))
}

/// The nearest to `step`, by ratio, of 1, 2 or 5 times a power of ten.
fn nice_step(step: f64) -> f64 {
    let power = f64::powf(10.0, step.log10().floor());
    // The borders are the geometric means of neighbours.
    let digit = match step / power {
        ratio if ratio < f64::sqrt(2.0) => 1.0,
        ratio if ratio < f64::sqrt(10.0) => 2.0,
        ratio if ratio < f64::sqrt(50.0) => 5.0,
        _ => 10.0,
    };
    digit * power
}

/// The power of ten, a multiple of three, that is taken out of labels; 0 for handy numbers.
fn common_exponent(largest: f64) -> i32 {
    if largest == 0.0 || (1e-2..1e5).contains(&largest) {
        0
    } else {
        3 * (largest.log10() / 3.0).floor() as i32
    }
}

/// A number with the minus of the keyboard, and no sign for zero.
fn decimal(value: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", value.abs());
    let is_zero = digits.bytes().all(|c| matches!(c, b'0' | b'.'));
    if value < 0.0 && !is_zero { format!("-{digits}") } else { digits }
}

/// A positive value with the digits that `step` makes meaningful.
fn scientific(value: f64, step: f64) -> String {
    let exponent = value.log10().floor() as i32;
    let digits = (f64::from(exponent) - step.log10()).ceil().clamp(0.0, 12.0) as usize;
    if (-3..5).contains(&exponent) {
        decimal(value, (digits as i32 - exponent).max(0) as usize)
    } else {
        format!("{}×{}", decimal(value / f64::powi(10.0, exponent), digits), power(exponent))
    }
}

/// A power of ten as digits: 0.01, 1, 100.
fn plain_power(exponent: i32) -> String {
    decimal(f64::powi(10.0, exponent), (-exponent).max(0) as usize)
}

/// A power of ten with its exponent raised.
fn power(exponent: i32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let raise = |c: char| c.to_digit(10).map_or('⁻', |digit| RAISED[digit as usize]);
    format!("10{}", exponent.to_string().chars().map(raise).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, data: &[f64]) -> (Vec<String>, String) {
        let (ticks, factor) = axis.fitted(data.iter().copied()).ticks(5.0);
        (ticks.into_iter().map(|t| t.label).filter(|l| !l.is_empty()).collect(), factor)
    }

    #[test]
    fn linear_labels_are_round_and_share_their_decimals() {
        let (found, factor) = labels(&Axis::linear(""), &[0.0, 1.0]);
        assert_eq!((found.join(" "), factor.as_str()), ("0.0 0.2 0.4 0.6 0.8 1.0".into(), ""));
        let (found, _) = labels(&Axis::linear(""), &[-20.0, 20.0]);
        assert_eq!(found.join(" "), "-20 -10 0 10 20");
        let (found, factor) = labels(&Axis::linear(""), &[0.0, 4e-9]);
        assert_eq!((found.join(" "), factor.as_str()), ("0 1 2 3 4".into(), "×10⁻⁹"));
    }

    #[test]
    fn log_labels_are_decades_or_round_numbers() {
        assert_eq!(labels(&Axis::log(""), &[1e-9, 1e3]).0.join(" "), "10⁻⁹ 10⁻⁶ 10⁻³ 10⁰ 10³");
        assert_eq!(labels(&Axis::log(""), &[0.1, 100.0]).0.join(" "), "0.1 1 10 100");
        assert_eq!(labels(&Axis::log(""), &[2.0, 6.0]).0.join(" "), "2 3 4 5 6");
        assert_eq!(labels(&Axis::log(""), &[-1.0, 0.0]).0.join(" "), "1 10 2 5", "no data");
    }

    #[test]
    fn any_data_gives_a_few_finite_ticks() {
        let awkward =
            [0.0, 1.0, -1.0, 1e308, -1e308, 5e-324, f64::NAN, f64::INFINITY, 1e9, 1e9 + 1e-3];
        for a in awkward {
            for b in awkward {
                for axis in [Axis::linear(""), Axis::log("")] {
                    let (ticks, _) = axis.fitted([a, b].into_iter()).ticks(6.0);
                    assert!((1..100).contains(&ticks.len()), "{a} {b} {axis:?}: {}", ticks.len());
                    assert!(ticks.iter().all(|t| (-1e-6..=1.000001).contains(&t.place)), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_given_range_is_kept() {
        let axis = Axis { range: Some([2.0, 4.0]), ..Axis::linear("") };
        assert_eq!(axis.fitted([100.0].into_iter()).place(3.0), Some(0.5));
        let useless = Axis { range: Some([2.0, f64::NAN]), ..Axis::linear("") };
        assert_eq!(useless.fitted([0.0, 1.0].into_iter()).place(0.0), Some(0.0));
    }
}
