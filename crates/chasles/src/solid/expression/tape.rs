//! A formula as a list of operations, each of which reads results of earlier ones.
//!
//! A tape has slots: `x`, `y` and `z`, then the constants, then one for each operation. Equal
//! operations on equal slots stand once, what has constant operands is worked out once, in
//! intervals, and what does not lead to the result is left out.
//!
//! ```text
//!      max(x^2 + y^2 - 1, abs(z) - 2)          slots  x y z 1 2 | x^2  y^2  +  - 1  abs(z)  - 2  max
//! ```
//!
//! Over a box a smaller or larger number may be known to be always the same of two; then the
//! other is not needed there, nor what leads to it. [`Tape::narrowed`] writes the shorter tape.
//! Fidget, by Keeter, does the same in single precision and without regard to rounding.

use rustc_hash::FxHashMap;

use super::number::Number;
use crate::numeric::Interval;

/// Operations on one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unary {
    Neg,
    Abs,
    Square,
    Sqrt,
    Exp,
    Ln,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Floor,
    Power(i32),
}

/// Operations on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Hypot,
    Atan2,
    Modulo,
    Pow,
}

/// An operation and the slots that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Op {
    One(Unary, u32),
    Two(Binary, u32, u32),
}

impl Unary {
    #[inline]
    pub(super) fn apply<T: Number>(self, a: T) -> T {
        match self {
            Self::Neg => -a,
            Self::Abs => a.abs(),
            Self::Square => a.square(),
            Self::Sqrt => a.sqrt(),
            Self::Exp => a.exp(),
            Self::Ln => a.ln(),
            Self::Sin => a.sin(),
            Self::Cos => a.cos(),
            Self::Tan => a.tan(),
            Self::Asin => a.asin(),
            Self::Acos => a.acos(),
            Self::Atan => a.atan(),
            Self::Floor => a.floor(),
            Self::Power(exponent) => a.powi(exponent),
        }
    }
}

impl Binary {
    #[inline]
    pub(super) fn apply<T: Number>(self, a: T, b: T) -> T {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Min => a.min(b),
            Self::Max => a.max(b),
            Self::Hypot => a.hypot(b),
            Self::Atan2 => a.atan2(b),
            Self::Modulo => a.modulo(b),
            Self::Pow => a.pow(b),
        }
    }
}

impl Op {
    /// The slots that it reads.
    fn reads(self) -> impl Iterator<Item = u32> {
        let (a, b) = match self {
            Self::One(_, a) => (a, None),
            Self::Two(_, a, b) => (a, Some(b)),
        };
        std::iter::once(a).chain(b)
    }

    /// The same on other slots.
    fn on(self, slot: impl Fn(u32) -> u32) -> Self {
        match self {
            Self::One(unary, a) => Self::One(unary, slot(a)),
            Self::Two(binary, a, b) => Self::Two(binary, slot(a), slot(b)),
        }
    }
}

/// Slots of `x`, `y` and `z`, before all others.
pub(super) const VARIABLES: u32 = 3;

/// A formula, ready to be run.
#[derive(Clone, Debug)]
pub(super) struct Tape {
    pub(super) constants: Vec<Interval>,
    pub(super) ops: Vec<Op>,
    /// The slot of the result.
    pub(super) result: u32,
}

impl Tape {
    /// How many slots there are.
    #[inline]
    pub(super) fn slots(&self) -> usize {
        VARIABLES as usize + self.constants.len() + self.ops.len()
    }

    /// The slot of the first operation.
    #[inline]
    pub(super) fn first(&self) -> usize {
        VARIABLES as usize + self.constants.len()
    }

    /// Fills all slots: the value of every operation at a point or over a box.
    #[inline]
    pub(super) fn run<T: Number>(&self, at: [T; 3], slots: &mut [T]) -> T {
        slots[..3].copy_from_slice(&at);
        for (slot, &constant) in slots[3..].iter_mut().zip(&self.constants) {
            *slot = T::constant(constant);
        }
        for (next, op) in (self.first()..).zip(&self.ops) {
            slots[next] = match *op {
                Op::One(unary, a) => unary.apply(slots[a as usize]),
                Op::Two(binary, a, b) => binary.apply(slots[a as usize], slots[b as usize]),
            };
        }
        slots[self.result as usize]
    }

    /// The value at a point or over a box.
    #[inline]
    pub(super) fn value<T: Number>(&self, at: [T; 3]) -> T {
        with_slots(self.slots(), |slots| self.run(at, slots))
    }

    /// A shorter tape with the same values all over a box, or none if nothing is decided there.
    pub(super) fn narrowed(&self, cell: [Interval; 3]) -> Option<Self> {
        let chooses = |op: &Op| {
            use {
                Binary::{Max, Min},
                Unary::{Abs, Floor},
            };
            matches!(op, Op::Two(Min | Max, ..) | Op::One(Abs | Floor, _))
        };
        if !self.ops.iter().any(chooses) {
            return None;
        }
        let values = with_slots(self.slots(), |slots| {
            self.run(cell, slots);
            slots.to_vec()
        });
        let mut builder = Builder::default();
        let mut kept: Vec<u32> = (0..VARIABLES).collect();
        kept.extend(self.constants.iter().map(|&value| builder.constant(value)));
        let mut decided = false;
        for (at, op) in self.ops.iter().enumerate() {
            let same = decide(*op, &values, values[self.first() + at]);
            decided |= !matches!(same, Decided::No);
            kept.push(match same {
                Decided::Slot(slot) => kept[slot as usize],
                Decided::Minus(slot) => builder.push(Op::One(Unary::Neg, kept[slot as usize])),
                Decided::Constant(value) => builder.constant(value),
                Decided::No => builder.push(op.on(|slot| kept[slot as usize])),
            });
        }
        decided.then(|| builder.finish(kept[self.result as usize]))
    }
}

/// What an operation is over a box, if it is simpler there.
enum Decided {
    Slot(u32),
    Minus(u32),
    Constant(Interval),
    No,
}

/// Comparisons with NaN are false, so what may have no value is never dropped.
fn decide(op: Op, values: &[Interval], result: Interval) -> Decided {
    let at = |slot: u32| values[slot as usize];
    match op {
        Op::Two(Binary::Min, a, b) if at(a).high <= at(b).low => Decided::Slot(a),
        Op::Two(Binary::Min, a, b) if at(b).high <= at(a).low => Decided::Slot(b),
        Op::Two(Binary::Max, a, b) if at(a).low >= at(b).high => Decided::Slot(a),
        Op::Two(Binary::Max, a, b) if at(b).low >= at(a).high => Decided::Slot(b),
        Op::One(Unary::Abs, a) if at(a).low >= 0.0 && at(a).high >= 0.0 => Decided::Slot(a),
        Op::One(Unary::Abs, a) if at(a).low <= 0.0 && at(a).high <= 0.0 => Decided::Minus(a),
        Op::One(Unary::Floor, _) if result.low == result.high => Decided::Constant(result),
        _ => Decided::No,
    }
}

/// A sum or a difference of two numbers that is a double: if taking either from it gives back the
/// other, rounding took nothing.
fn exact(binary: Binary, a: Interval, b: Interval) -> Option<Interval> {
    if a.low != a.high || b.low != b.high {
        return None;
    }
    let [a, b] = match binary {
        Binary::Add => [a.low, b.low],
        Binary::Sub => [a.low, -b.low],
        _ => return None,
    };
    let sum = a + b;
    let is_exact = sum.is_finite() && sum - a == b && sum - b == a;
    is_exact.then_some(Interval::point(sum))
}

/// Writes a tape: constants are numbered from the top until it is finished.
#[derive(Debug, Default)]
pub(super) struct Builder {
    constants: Vec<Interval>,
    ops: Vec<Op>,
    seen: FxHashMap<Op, u32>,
    known: FxHashMap<[u64; 2], u32>,
}

/// Slots from here on are constants while a tape is written.
const CONSTANTS: u32 = 1 << 31;

impl Builder {
    /// The slot of a constant.
    pub(super) fn constant(&mut self, value: Interval) -> u32 {
        let next = CONSTANTS + self.constants.len() as u32;
        let slot = *self.known.entry([value.low.to_bits(), value.high.to_bits()]).or_insert(next);
        if slot == next {
            self.constants.push(value);
        }
        slot
    }

    /// The constant in a slot, if that is one.
    pub(super) fn known(&self, slot: u32) -> Option<Interval> {
        slot.checked_sub(CONSTANTS).map(|index| self.constants[index as usize])
    }

    /// The slot of an operation: a new one, or that of an equal one, or that of what it equals.
    pub(super) fn push(&mut self, op: Op) -> u32 {
        let op = match op {
            Op::Two(Binary::Mul, a, b) if a == b => Op::One(Unary::Square, a),
            Op::Two(Binary::Min | Binary::Max, a, b) if a == b => return a,
            Op::Two(kind @ (Binary::Add | Binary::Mul | Binary::Min | Binary::Max), a, b) => {
                Op::Two(kind, a.min(b), a.max(b))
            }
            op => op,
        };
        if let Some(value) = self.folded(op) {
            return self.constant(value);
        }
        if let Some(slot) = self.neutral(op) {
            return slot;
        }
        let next = VARIABLES + self.ops.len() as u32;
        let slot = *self.seen.entry(op).or_insert(next);
        if slot == next {
            self.ops.push(op);
        }
        slot
    }

    /// The result of an operation on constants: one number where it is one, so that `asin(1 - 2)`
    /// has a value.
    fn folded(&self, op: Op) -> Option<Interval> {
        Some(match op {
            Op::One(unary, a) => unary.apply(self.known(a)?),
            Op::Two(binary, a, b) => {
                let [a, b] = [self.known(a)?, self.known(b)?];
                exact(binary, a, b).unwrap_or_else(|| binary.apply(a, b))
            }
        })
    }

    /// The operand that an operation does not change: plus 0, times 1, minus of minus.
    fn neutral(&self, op: Op) -> Option<u32> {
        let is = |slot: u32, value: f64| self.known(slot) == Some(Interval::point(value));
        match op {
            Op::Two(Binary::Add, a, b) if is(b, 0.0) => Some(a),
            Op::Two(Binary::Sub, a, b) if is(b, 0.0) => Some(a),
            Op::Two(Binary::Mul | Binary::Div, a, b) if is(b, 1.0) => Some(a),
            Op::One(Unary::Neg, a) => match self.ops.get(a.checked_sub(VARIABLES)? as usize) {
                Some(&Op::One(Unary::Neg, inner)) => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// The tape of what leads to a slot.
    pub(super) fn finish(self, result: u32) -> Tape {
        let [used, used_constants] = self.leads_to(result);
        let constant_slots = numbered(&used_constants, VARIABLES);
        let kept = used_constants.iter().filter(|&&is_used| is_used).count() as u32;
        let op_slots = numbered(&used, VARIABLES + kept);
        let slot = |slot: u32| match place(slot) {
            Place::Variable => slot,
            Place::Op(index) => op_slots[index],
            Place::Constant(index) => constant_slots[index],
        };
        let constants = self.constants.iter().zip(&used_constants).filter(|(_, used)| **used);
        let ops = self.ops.iter().zip(&used).filter(|(_, used)| **used);
        Tape {
            constants: constants.map(|(&value, _)| value).collect(),
            ops: ops.map(|(op, _)| op.on(slot)).collect(),
            result: slot(result),
        }
    }

    /// Which operations and which constants lead to a slot.
    fn leads_to(&self, result: u32) -> [Vec<bool>; 2] {
        let mut used = vec![false; self.ops.len()];
        let mut used_constants = vec![false; self.constants.len()];
        let mut mark = |slot: u32, used: &mut [bool]| match place(slot) {
            Place::Variable => {}
            Place::Op(index) => used[index] = true,
            Place::Constant(index) => used_constants[index] = true,
        };
        mark(result, &mut used);
        for at in (0..self.ops.len()).rev() {
            if used[at] {
                self.ops[at].reads().for_each(|slot| mark(slot, &mut used));
            }
        }
        [used, used_constants]
    }
}

/// What a slot holds while a tape is written.
enum Place {
    Variable,
    Op(usize),
    Constant(usize),
}

fn place(slot: u32) -> Place {
    match slot {
        0..VARIABLES => Place::Variable,
        VARIABLES..CONSTANTS => Place::Op((slot - VARIABLES) as usize),
        CONSTANTS.. => Place::Constant((slot - CONSTANTS) as usize),
    }
}

/// New numbers, from a first one on, for those that are used.
fn numbered(used: &[bool], first: u32) -> Vec<u32> {
    let mut next = first;
    used.iter().map(|&is_used| (next, next += u32::from(is_used)).0).collect()
}

/// Slots for a tape: on the stack if they are few, as they are in formulas written by hand.
#[inline]
pub(super) fn with_slots<T: Number, R>(count: usize, run: impl FnOnce(&mut [T]) -> R) -> R {
    if count <= 24 {
        run(&mut [T::ZERO; 24][..count])
    } else if count <= 96 {
        run(&mut [T::ZERO; 96][..count])
    } else {
        run(&mut vec![T::ZERO; count])
    }
}
