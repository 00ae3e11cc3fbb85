//! Solids made of solids: unions, intersections, differences, complements, offsets, and solids
//! put elsewhere.
//!
//! *Question.* As in [`crate::solid`]. What follows about the signed distance `s` of the result
//! from the intervals `[low, high]` of the parts is not always both of its ends:
//!
//! | | proven | when |
//! |---|---|---|
//! | union | `s <= min(high)` | always: a ball inside a part is inside the union |
//! | | `s >= min(low)` | if that is positive: the ball of this radius misses every part |
//! | | `s >= low` of the deepest part | if the other parts are more than `-low` away: the way out of that part then leads out of all; at that distance exactly the parts may touch, and their common face be inside |
//! | intersection | the mirror image | its complement is the union of the complements |
//! | grown by `k` | `s <= high - k` | always: `s` is Lipschitz with constant 1 |
//! | | `s >= low - k` | if that is not negative: on the way to the nearest point, `s` falls as fast as one goes |
//! | shrunk by `k` | the mirror image | its complement is the complement grown by `k` |
//! | complement | `[-high, -low]` | always |
//! | transformed | both ends times the scale | always |
//!
//! Where an end is not proven by this, a point that is shown proves one: inside a union a
//! point that is in no part, next to an intersection a point that is in all. It is looked for near
//! the surface only, where the end matters. Inside a union or a grown solid the box around it
//! proves another one. What remains is infinite.
//!
//! *Accepts* any solids. *Guarantees* the above, rounding included; boxes are placed by the parts,
//! which is sharper than any distance. *Cost* the parts of a union whose boxes are not farther than
//! the best so far; all parts of an intersection. A union has no tree: with thousands of parts make
//! one of unions. *Fails* with [`SolidError`] if there are no parts, or nothing is left as far as
//! boxes tell, or beyond 256 levels of nesting; below four levels no point is looked for. Signed
//! distances are those of closed sets with an inside next to their surfaces; the complement of a
//! sheet is everything, and its distance the sheet's negative.

mod join;
mod meet;
mod moved;
mod offset;
mod shown;

pub use join::Union;
pub use meet::{Difference, Intersection};
pub use moved::Transformed;
pub use offset::{Complement, Offset};

use glam::{DMat3, DVec3};

use super::{Block, Interval, Solid, SolidError};

/// A number of the interval to compare by: the middle, or the end that is finite.
fn estimate(interval: Interval) -> f64 {
    match (interval.low.is_finite(), interval.high.is_finite()) {
        (true, true) => 0.5 * (interval.low + interval.high),
        (true, false) => interval.low,
        (false, true) => interval.high,
        (false, false) => 0.0,
    }
}

/// How deep solids may be nested: each level takes a little of the stack.
pub(super) const MAX_NESTING: u32 = 256;

/// Up to how deep a point is looked for that proves an end: each look asks the level below several
/// times, so that the cost grows with the power of the depth.
const SHOWN_NESTING: u32 = 4;

/// How deep a solid made of these is nested.
fn nested<'a>(solids: impl IntoIterator<Item = &'a Box<dyn Solid>>) -> Result<u32, SolidError> {
    let depth = 1 + solids.into_iter().map(|solid| solid.nesting()).max().unwrap_or(0);
    if depth <= MAX_NESTING { Ok(depth) } else { Err(SolidError::Nested(depth)) }
}

/// The largest error of solids.
fn largest_error<'a>(solids: impl IntoIterator<Item = &'a Box<dyn Solid>>) -> f64 {
    solids.into_iter().map(|s| s.error()).fold(0.0, f64::max)
}

/// The box as a block, unless it has no end.
fn block([low, high]: [DVec3; 2]) -> Option<Block> {
    let (center, half) = (0.5 * (low + high), 0.5 * (high - low));
    // The ends of the block may be a rounding inside those of the box.
    let half = half + (low.abs() + high.abs()) * f64::EPSILON;
    half.is_finite().then_some(Block { center, axes: DMat3::IDENTITY, half })
}

/// The smaller part of the size of a box within which a distance counts as close to the surface,
/// where a better end is worth some questions; infinite if the box is, and never in deep nests.
fn close([low, high]: [DVec3; 2], nesting: u32) -> f64 {
    if nesting > SHOWN_NESTING {
        return f64::NEG_INFINITY;
    }
    // Contacts are sought to far finer precisions; questions from farther away are only about
    // whether something is near, and the other end answers them.
    (high - low).length() / 64.0
}
