//! Solids given by a function written in Rust: all points where it is not positive.
//!
//! A function alone says nothing between the points at which it is asked. With it comes a bound:
//! a number that its slope never exceeds, or a second form of it that takes boxes.
//!
//! *Accepts* any function. *Guarantees* those of [`Solid`], provided that the caller's bound is
//! true; this is not checked, and answers from a bound that is not are wrong without notice. *Cost*
//! one call for a box with a constant, three with intervals; some dozen for a distance. *Fails* if
//! a constant is not positive and finite, or the solid is proven empty.

use std::fmt;

use glam::DVec3;

use super::level::solid_by_level;
use super::level::{Cell, Field, Level, Slopes};
use super::{Interval, SolidError};

/// All points where a function is not positive, cut by a box.
#[derive(Debug)]
pub struct Implicit {
    level: Level<Function>,
}

type Value = Box<dyn Fn(DVec3) -> f64 + Send + Sync>;
type Range = Box<dyn Fn([Interval; 3]) -> Interval + Send + Sync>;

enum Function {
    /// A function that changes by no more than `constant` per length, known up to `error`.
    Lipschitz { value: Value, constant: f64, error: f64 },
    /// A function of boxes.
    Boxes(Range),
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lipschitz { constant, error, .. } => {
                write!(f, "Lipschitz {{ constant: {constant}, error: {error} }}")
            }
            Self::Boxes(_) => f.write_str("Boxes"),
        }
    }
}

impl Implicit {
    /// The solid of a function that changes by no more than `constant` from one point to another
    /// at distance 1; of a distance that is 1.
    ///
    /// *Accepts* a constant above zero, the error of the function's own rounding, which is not
    /// negative, and the corners of a box that cuts the solid, if any. *Guarantees* those of
    /// [`Solid`](super::Solid) if `|value(p) - f(p)| <= error` and
    /// `|f(p) - f(q)| <= constant |p - q|` for some `f` and all points; the solid is that of `f`. A
    /// value that is NaN makes the distance NaN there. *Cost* with finite bounds up to some
    /// thousand values. *Fails* if a number is not in its range, or the solid is proven empty.
    ///
    /// ```
    /// use chasles::glam::DVec3;
    /// use chasles::solid::{Implicit, Solid};
    ///
    /// let ball = Implicit::lipschitz(|p: DVec3| p.length() - 1.0, [1.0, 1e-14], None)?;
    /// assert!(ball.distance(DVec3::X * 3.0).contains(2.0));
    /// # Ok::<(), chasles::solid::SolidError>(())
    /// ```
    pub fn lipschitz(
        value: impl Fn(DVec3) -> f64 + Send + Sync + 'static,
        [constant, error]: [f64; 2],
        bounds: Option<[DVec3; 2]>,
    ) -> Result<Self, SolidError> {
        let number = |what, value, expected| Err(SolidError::Number { what, value, expected });
        if !(constant > 0.0 && constant.is_finite()) {
            return number("the Lipschitz constant", constant, "above zero and finite");
        }
        if !(error >= 0.0 && error.is_finite()) {
            return number("the error of the values", error, "not negative and finite");
        }
        let field = Function::Lipschitz { value: Box::new(value), constant, error };
        Ok(Self { level: Level::new(field, bounds)? })
    }

    /// The solid of a function that takes boxes: three intervals, for `x`, `y` and `z`.
    ///
    /// *Accepts* with it the corners of a box that cuts the solid, if any. *Guarantees* those of
    /// [`Solid`](super::Solid) if the result contains the function's value at every point of the
    /// box; for convergence it must shrink with it. NaN says that there may be no value. *Cost*
    /// with finite bounds up to some thousand values. *Fails* if the solid is proven empty or the
    /// function is not a number at any point that was tried.
    pub fn boxes(
        value: impl Fn([Interval; 3]) -> Interval + Send + Sync + 'static,
        bounds: Option<[DVec3; 2]>,
    ) -> Result<Self, SolidError> {
        Ok(Self { level: Level::new(Function::Boxes(Box::new(value)), bounds)? })
    }
}

/// Differences of values are taken this far apart, relative to the coordinates: the cube root of
/// the rounding, where the errors of a central difference are least.
const STEP: f64 = 6e-6;

impl Function {
    fn about(&self, point: DVec3) -> f64 {
        match self {
            Self::Lipschitz { value, .. } => value(point),
            Self::Boxes(value) => {
                let Interval { low, high } = value(super::level::at(point));
                0.5 * (low + high)
            }
        }
    }
}

impl Field for Function {
    fn over(&self, cell: &Cell) -> Interval {
        match self {
            Self::Boxes(value) => {
                let range = value(*cell);
                if range.is_nan() { Interval::NAN } else { range }
            }
            Self::Lipschitz { value, constant, error } => {
                let [low, high] = [cell.map(|side| side.low), cell.map(|side| side.high)];
                let [low, high] = [DVec3::from_array(low), DVec3::from_array(high)];
                let middle = low + 0.5 * (high - low);
                let radius = (high - middle).max(middle - low).length();
                // Four roundings; infinite boxes have no middle and every value.
                let most = constant * radius * (1.0 + 4.0 * f64::EPSILON) + error;
                if most.is_finite() { checked(value(middle), most) } else { Interval::ALL }
            }
        }
    }

    fn over_with_slopes(
        &self,
        cell: &Cell,
        enough: impl FnOnce(Interval) -> bool,
    ) -> (Interval, Slopes) {
        let value = self.over(cell);
        match self {
            _ if value.is_nan() || enough(value) => (value, Slopes::NAN),
            Self::Boxes(_) => (value, Slopes::NAN),
            Self::Lipschitz { constant, .. } => {
                let part = Interval::new(-constant, *constant);
                (value, Slopes { parts: [part; 3], steepest: *constant })
            }
        }
    }

    fn guess(&self, point: DVec3) -> (f64, DVec3) {
        let step = STEP * (1e-3 + point.abs().max_element());
        let slope = |axis: DVec3| {
            (self.about(point + step * axis) - self.about(point - step * axis)) / (2.0 * step)
        };
        let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(slope);
        (self.about(point), DVec3::new(x, y, z))
    }
}

/// A value that is known up to an error; one that is not finite says nothing.
fn checked(value: f64, error: f64) -> Interval {
    if value.is_finite() { Interval::about(value, error) } else { Interval::NAN }
}

solid_by_level!(Implicit);
