//! Solids given by a formula: all points where it is not positive.
//!
//! *Question.* The same as of every [`Solid`], of the set where a formula in `x`, `y` and `z` is
//! zero or less: `x^2 + y^2 + z^2 - 1` is the unit ball.
//!
//! The text becomes a short list of operations ([`Expression::parse`] has the words it may use),
//! which is run on intervals that are rounded outward: at a point, over a box, and backwards for
//! the gradient over a box. So answers are proven, whatever the formula: it need not be a
//! distance, nor smooth. Where it has no value, because of a root of a negative number, say, no
//! point is in the solid, but no box there is proven clear either; `sqrt(max(0, ...))` helps.
//!
//! *Accepts* formulas up to [`Expression::MAX_LENGTH`] bytes. *Guarantees* those of [`Solid`].
//! *Cost* for ten sums and products about a fifth of a microsecond to place a box. *Fails* with an
//! error that points at the character, and if the solid is empty or the formula nowhere a number.
//! The farther a formula is from a distance, the weaker are its bounds of one.

mod error;
mod grad;
mod number;
mod parse;
mod tape;

use glam::DVec3;

pub use error::{Expected, ParseError, ParseErrorKind};

use super::level::solid_by_level;
use super::level::{Cell, Field, Level, Slopes, at};
use super::{Interval, SolidError};
use tape::{Tape, with_slots};

/// All points where a formula is not positive, cut by a box.
///
/// ```
/// use chasles::glam::DVec3;
/// use chasles::solid::{Expression, Solid};
///
/// let torus = Expression::parse("hypot(hypot(x, y) - 2, z) - 0.5", None)?;
/// let gap = torus.distance(DVec3::new(4.0, 0.0, 0.0));
/// assert!(gap.contains(1.5) && gap.radius() < 1e-3);
/// let wrong = Expression::parse("x + sine(y)", None).unwrap_err();
/// assert!(wrong.to_string().contains("column 5"));
/// # Ok::<(), chasles::solid::SolidError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    text: String,
    level: Level<Tape>,
}

impl Expression {
    /// The longest text that is accepted, in bytes.
    pub const MAX_LENGTH: usize = parse::MAX_LENGTH;

    /// How deep parentheses, calls and exponents may be nested.
    pub const MAX_DEPTH: usize = parse::MAX_DEPTH;

    /// The solid of a formula.
    ///
    /// *Accepts* numbers, `x y z`, the constants `pi tau e`, the operators `+ - * / ^`,
    /// parentheses, and the functions `abs sqrt exp ln sin cos tan asin acos atan floor` of one,
    /// `atan2 mod` of two, `clamp` of three and `min max hypot length` of two or more numbers.
    /// `bounds` are the lowest and the highest corner of a box that cuts the solid, infinite where
    /// it does not; without them nothing does. *Guarantees* that decimals are meant exactly.
    /// *Cost* linear in the text, and with finite bounds up to some thousand values. *Fails* with
    /// [`SolidError::Expression`] if it does not parse; if the bounds are not in order; if the
    /// formula is proven positive all over the bounds, or is not a number at any point that was
    /// tried in them.
    pub fn parse(text: &str, bounds: Option<[DVec3; 2]>) -> Result<Self, SolidError> {
        let tape = parse::parse(text)?;
        // Nothing that is computed with such a constant has a value.
        if tape.constants.iter().any(|constant| constant.is_nan()) {
            return Err(SolidError::Undefined("anywhere"));
        }
        Ok(Self { text: text.to_owned(), level: Level::new(tape, bounds)? })
    }

    /// The formula.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many operations it takes, after equal ones have become one.
    pub fn operations(&self) -> usize {
        self.level.field.ops.len()
    }

    /// The value at a point.
    ///
    /// *Accepts* any point. *Guarantees* to contain the real one, or NaN if the formula may have
    /// none. *Cost* a few nanoseconds for each operation. *Fails* never.
    pub fn value(&self, point: DVec3) -> Interval {
        self.level.field.over(&at(point))
    }

    /// The values over the box with this lowest and highest corner.
    ///
    /// *Accepts* corners in order, also infinite ones. *Guarantees* to contain all of them, or NaN
    /// if the formula may have none somewhere in it. *Cost* that of a value. *Fails* never.
    pub fn value_over(&self, [low, high]: [DVec3; 2]) -> Interval {
        self.level.field.over(&cell(low, high))
    }

    /// The partial derivatives along `x`, `y` and `z` over the box with this lowest and highest
    /// corner.
    ///
    /// *Accepts* corners in order. *Guarantees* to contain all of them, those on both sides of a
    /// kink included, or NaN if one may not exist. *Cost* about three times that of a value.
    /// *Fails* never.
    pub fn gradient_over(&self, [low, high]: [DVec3; 2]) -> [Interval; 3] {
        self.level.field.over_with_slopes(&cell(low, high), |_| false).1.parts
    }

    /// The same formula as far as a box needs it: of two numbers the smaller or larger of which is
    /// asked for, the one that never is gets left out.
    ///
    /// *Accepts* corners in order. *Guarantees* the same solid in the box, which becomes part of
    /// its bounds. *Cost* that of copying it. *Fails* never. Worth it before many questions about
    /// that box, of a formula with many `min` and `max`.
    pub fn within(&self, [low, high]: [DVec3; 2]) -> Self {
        let field = &self.level.field;
        let narrowed = field.narrowed(cell(low, high)).unwrap_or_else(|| field.clone());
        let bounds = [self.level.bounds[0].max(low), self.level.bounds[1].min(high)];
        Self { text: self.text.clone(), level: Level { field: narrowed, bounds } }
    }
}

fn cell(low: DVec3, high: DVec3) -> Cell {
    [Interval::new(low.x, high.x), Interval::new(low.y, high.y), Interval::new(low.z, high.z)]
}

impl Field for Tape {
    fn over(&self, cell: &Cell) -> Interval {
        whole(self.value(*cell))
    }

    fn over_with_slopes(
        &self,
        cell: &Cell,
        enough: impl FnOnce(Interval) -> bool,
    ) -> (Interval, Slopes) {
        with_slots(self.slots(), |slots| {
            let value = whole(self.run(*cell, slots));
            if value.is_nan() || enough(value) {
                return (value, Slopes::NAN);
            }
            (value, Slopes::of(self.gradient(slots)))
        })
    }

    fn guess(&self, point: DVec3) -> (f64, DVec3) {
        with_slots(self.slots(), |slots: &mut [f64]| {
            let value = self.run(point.to_array(), slots);
            (value, DVec3::from_array(self.gradient(slots)))
        })
    }

    fn narrowed(&self, cell: &Cell) -> Option<Self> {
        Tape::narrowed(self, *cell)
    }
}

/// Two ends that are NaN if one is: then comparisons with either are false.
#[inline]
fn whole(value: Interval) -> Interval {
    if value.is_nan() { Interval::NAN } else { value }
}

solid_by_level!(Expression);

#[cfg(test)]
mod tests {
    use super::*;

    fn tape(text: &str) -> Tape {
        parse::parse(text).expect("a formula")
    }

    #[test]
    fn equal_parts_stand_once_and_constants_are_worked_out() {
        assert_eq!(tape("sin(x*y) + sin(y*x)^2").ops.len(), 4);
        assert_eq!(tape("2*3 - 5 + cos(0)").ops.len(), 0);
        assert_eq!(tape("x + 0 + (y*1)/1 - -z").ops.len(), 3);
        assert_eq!(tape("min(x, x)").ops.len(), 0);
        assert_eq!(tape("x*x").value([Interval::new(-1.0, 1.0); 3]).low, 0.0);
    }

    #[test]
    fn decimals_are_meant_exactly() {
        for (text, is_point) in [("0.5", true), ("3", true), ("1e22", true), ("0.125e1", true)] {
            assert_eq!(tape(text).constants[0].radius() == 0.0, is_point, "{text}");
        }
        for text in ["0.1", "1e23", "9007199254740993", "1e-400"] {
            assert!(tape(text).constants[0].radius() > 0.0, "{text}");
        }
        assert_eq!(tape("0.0").constants[0], Interval::point(0.0));
    }

    #[test]
    fn gradients_are_those_of_closed_forms() {
        let near = |text: &str, expected: [f64; 3]| {
            let (_, slopes) =
                tape(text).over_with_slopes(&at(DVec3::new(2.0, 3.0, 0.5)), |_| false);
            for (slope, expected) in slopes.parts.into_iter().zip(expected) {
                let is_close = slope.radius() < 1e-12 && (slope.low - expected).abs() < 1e-12;
                assert!(is_close, "{text}: {slope:?} {expected}");
            }
        };
        near("x^2 + y*z - 1", [4.0, 0.5, 3.0]);
        near("x/y", [1.0 / 3.0, -2.0 / 9.0, 0.0]);
        near("max(x, y) - min(x, z) + abs(-y)", [0.0, 2.0, -1.0]);
        near("atan2(y, x)", [-3.0 / 13.0, 2.0 / 13.0, 0.0]);
        near("mod(y, x) + floor(x + z)", [-1.0, 1.0, 0.0]);
        near("x^y", [12.0, 8.0 * 2_f64.ln(), 0.0]);
        near("length(x, y, z)", [2.0, 3.0, 0.5].map(|leg: f64| leg / 13.25_f64.sqrt()));
        near("asin(z) + acos(z) + ln(x)", [0.5, 0.0, 0.0]);
    }
}
