//! Whether a set has a point at all, and its function a value.
//!
//! The box is halved along its longest side, the largest boxes first, until a middle is in the set,
//! everything is proven clear, or [`CELLS`] boxes have been asked: then it is not known, and the
//! set is accepted. Infinite boxes are asked once.

use std::collections::VecDeque;

use glam::DVec3;

use super::{Cell, Field, Level, at};
use crate::numeric::Interval;
use crate::solid::SolidError;

/// Boxes that are asked at most: parts thinner than a sixteenth of the box may stay unseen, and a
/// formula of a hundred operations is checked in a few milliseconds.
const CELLS: usize = 4096;

/// Whether bounds are in order.
pub(super) fn range(low: f64, high: f64) -> Result<(), SolidError> {
    let wrong = |value: f64, expected: &'static str| {
        Err(SolidError::Number { what: "a coordinate of the bounds", value, expected })
    };
    if low.is_nan() || low == f64::INFINITY {
        wrong(low, "a number below infinity at the lower corner")
    } else if high.is_nan() || high == f64::NEG_INFINITY {
        wrong(high, "a number above minus infinity at the upper corner")
    } else if low > high {
        wrong(high, "no lower than the same coordinate of the lower corner")
    } else {
        Ok(())
    }
}

impl<F: Field> Level<F> {
    /// An error if no point of the bounds is in the set, or the function is nowhere a number.
    pub(super) fn check(&self) -> Result<(), SolidError> {
        let [low, high] = self.bounds.map(|corner| corner.to_array());
        let whole: Cell = std::array::from_fn(|axis| Interval::new(low[axis], high[axis]));
        let empty = SolidError::Empty("the function is positive all over the bounds");
        if !(self.bounds[1] - self.bounds[0]).is_finite() {
            return if self.field.over(&whole).low > 0.0 { Err(empty) } else { Ok(()) };
        }
        let (mut cells, mut seen_number) = (VecDeque::from([whole]), false);
        for _ in 0..CELLS {
            let Some(cell) = cells.pop_front() else {
                return Err(empty);
            };
            let value = self.field.over(&cell);
            if value.low > 0.0 && !value.is_nan() {
                seen_number = true;
                continue;
            }
            let middle = middle(&cell);
            let value = self.field.over(&at(middle));
            if value.high <= 0.0 {
                return Ok(());
            }
            seen_number |= !value.is_nan() || !self.field.guess(middle).0.is_nan();
            cells.extend(halves(&cell));
        }
        if seen_number { Ok(()) } else { Err(SolidError::Undefined("at any point tried")) }
    }
}

fn middle(cell: &Cell) -> DVec3 {
    DVec3::from_array(cell.map(|side| side.low + 0.5 * (side.high - side.low)))
}

/// Both halves along the longest side.
fn halves(cell: &Cell) -> [Cell; 2] {
    let longest = DVec3::from_array(cell.map(|side| side.radius())).max_position();
    let cut = middle(cell)[longest];
    let [mut first, mut second] = [*cell, *cell];
    (first[longest].high, second[longest].low) = (cut, cut);
    [first, second]
}
