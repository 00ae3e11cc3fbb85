//! Gradients of a tape, backwards through it.
//!
//! Every operation knows the slopes of its result along its operands. From the last operation to
//! the first, each passes on to its operands the slope of the formula along its own result times
//! those (reverse accumulation): the three partial derivatives cost about as much as two values.
//!
//! Over a box all numbers are intervals, and the slopes contain those at every point of it; where
//! a number is the smaller of two and neither is so all over the box, its slope lies between
//! theirs. Along any segment in the box the formula is then no steeper than the slopes say, since
//! it is differentiable almost everywhere on it and continuous: a jump makes the slopes NaN.

use super::number::Number;
use super::tape::{Binary, Op, Tape, Unary, with_slots};
use crate::numeric::Interval;

impl Unary {
    /// The slope of the result `v` along the operand `a`.
    #[inline]
    fn slope<T: Number>(self, a: T, v: T) -> T {
        match self {
            Self::Neg => -T::ONE,
            Self::Abs => a.sign(),
            Self::Square => a + a,
            Self::Sqrt => T::ONE / (v + v),
            Self::Exp => v,
            Self::Ln => T::ONE / a,
            Self::Sin => a.cos(),
            Self::Cos => -a.sin(),
            Self::Tan => v.square() + T::ONE,
            Self::Asin => T::ONE / (T::ONE - a.square()).sqrt(),
            Self::Acos => -(T::ONE / (T::ONE - a.square()).sqrt()),
            Self::Atan => T::ONE / (a.square() + T::ONE),
            Self::Floor => v.steady() - v.steady(),
            Self::Power(0) => T::ZERO,
            Self::Power(exponent) => whole::<T>(exponent) * a.powi(exponent.saturating_sub(1)),
        }
    }
}

/// A whole number.
#[inline]
fn whole<T: Number>(number: i32) -> T {
    T::constant(Interval::point(f64::from(number)))
}

impl Binary {
    /// The slope of the result `v` along the first operand.
    #[inline]
    fn slope_first<T: Number>(self, a: T, b: T, v: T) -> T {
        match self {
            Self::Add | Self::Sub => T::ONE,
            Self::Mul => b,
            Self::Div => T::ONE / b,
            Self::Min => a.share(b),
            Self::Max => b.share(a),
            Self::Hypot => a.leg_over(v),
            Self::Atan2 => b / (a.square() + b.square()) + a.jump(b),
            Self::Modulo => (a / b).floor().steady() * T::ZERO + T::ONE,
            Self::Pow => b * a.pow(b - T::ONE),
        }
    }

    /// The slope of the result `v` along the second operand.
    #[inline]
    fn slope_second<T: Number>(self, a: T, b: T, v: T) -> T {
        match self {
            Self::Add => T::ONE,
            Self::Sub => -T::ONE,
            Self::Mul => a,
            Self::Div => -(v / b),
            Self::Min => b.share(a),
            Self::Max => a.share(b),
            Self::Hypot => b.leg_over(v),
            Self::Atan2 => a.jump(b) - a / (a.square() + b.square()),
            Self::Modulo => -(a / b).floor().steady(),
            Self::Pow => v * a.ln(),
        }
    }
}

impl Tape {
    /// The partial derivatives along `x`, `y` and `z`, from slots that [`Tape::run`] has filled.
    ///
    /// *Guarantees* over a box that they contain those at each of its points, and NaN where one
    /// may not exist. Without a guarantee on doubles.
    #[inline]
    pub(super) fn gradient<T: Number>(&self, slots: &[T]) -> [T; 3] {
        with_slots(self.slots(), |passed: &mut [T]| {
            let first = self.first();
            passed[self.result as usize] = T::ONE;
            for (at, op) in self.ops.iter().enumerate().rev() {
                let [own, v] = [passed[first + at], slots[first + at]];
                if own.is_zero() {
                    continue;
                }
                match *op {
                    // Slopes of 1 need no product.
                    Op::One(Unary::Neg, a) => pass(&mut passed[a as usize], -own),
                    Op::Two(Binary::Add, a, b) => {
                        pass(&mut passed[a as usize], own);
                        pass(&mut passed[b as usize], own);
                    }
                    Op::Two(Binary::Sub, a, b) => {
                        pass(&mut passed[a as usize], own);
                        pass(&mut passed[b as usize], -own);
                    }
                    Op::One(unary, a) => {
                        let slope = unary.slope(slots[a as usize], v);
                        pass(&mut passed[a as usize], own * slope);
                    }
                    Op::Two(binary, a, b) => {
                        let [x, y] = [slots[a as usize], slots[b as usize]];
                        let constant = |slot: u32| (3..first).contains(&(slot as usize));
                        if !constant(a) {
                            pass(&mut passed[a as usize], own * binary.slope_first(x, y, v));
                        }
                        if !constant(b) {
                            pass(&mut passed[b as usize], own * binary.slope_second(x, y, v));
                        }
                    }
                }
            }
            [passed[0], passed[1], passed[2]]
        })
    }
}

/// Adds to what an operand has been passed, without rounding if that is nothing yet.
#[inline]
fn pass<T: Number>(sum: &mut T, slope: T) {
    *sum = if sum.is_zero() { slope } else { *sum + slope };
}
