//! Where a segment enters a solid, by halving: the earliest piece that is not clear.
//!
//! Solids differ in what they can say of a piece: balls, thin boxes, or bounds of a function along
//! it (`level`). The order of the pieces and the end of the search are here, once.

use glam::DVec3;

use super::{Block, Place, Solid};
use crate::numeric::Halving;

/// Questions about one segment at most, before its entry is where it is not yet clear.
const MAX_QUESTIONS: u32 = 100_000;

/// What a coordinate on a path may be wrong by, relative to the largest one: a few roundings.
pub(crate) const PLACE_ERROR: f64 = 8.0 * f64::EPSILON;

/// What is known of a piece of a segment.
pub(super) enum Piece {
    /// No point of it is in the solid.
    Clear,
    /// Where it begins the solid is as near as is asked.
    Enters,
    /// Neither is proven.
    Unsure,
}

/// Where the earliest piece of `[0, 1]` begins that enters, or that cannot be told from one that
/// does; none if all are clear.
pub(super) fn earliest(look: impl Fn([f64; 2]) -> Piece) -> Option<f64> {
    let mut piece = Halving::WHOLE;
    for _ in 0..MAX_QUESTIONS {
        match look(piece.ends()) {
            Piece::Clear => piece = piece.next()?,
            Piece::Enters => break,
            Piece::Unsure => match piece.first_half() {
                Some(half) => piece = half,
                None => break,
            },
        }
    }
    Some(piece.ends()[0])
}

/// What places on a segment may be wrong by.
pub(super) fn rounding(from: DVec3, to: DVec3) -> f64 {
    PLACE_ERROR * from.abs().max(to.abs()).max_element()
}

/// [`Solid::entry`] from distances alone: a piece is dropped once a ball around it is clear.
pub(super) fn by_balls<S: Solid + ?Sized>(
    solid: &S,
    from: DVec3,
    to: DVec3,
    precision: f64,
) -> Option<f64> {
    let half_length = 0.5 * from.distance(to);
    let rounding = rounding(from, to);
    let near = precision + 2.0 * solid.error();
    earliest(|[start, end]| {
        let middle = from.lerp(to, 0.5 * (start + end));
        let radius = half_length * (end - start) + rounding;
        let distance = solid.distance(middle);
        if distance.low > radius {
            Piece::Clear
        } else if distance.high + radius <= near {
            Piece::Enters
        } else {
            Piece::Unsure
        }
    })
}

/// [`Solid::entry`] of a solid that places boxes better than by the ball around them: a thin box
/// along the segment is clear of a flat surface however long it is.
pub(super) fn by_boxes<S: Solid>(solid: &S, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
    let half_length = 0.5 * from.distance(to);
    let rounding = rounding(from, to);
    let near = precision + 2.0 * solid.error();
    let axes = Block::axes_along(to - from);
    earliest(|[start, end]| {
        let center = from.lerp(to, 0.5 * (start + end));
        let radius = half_length * (end - start) + rounding;
        let half = DVec3::new(radius, rounding, rounding);
        let is_near = || radius <= near && solid.distance(center).high + radius <= near;
        match solid.place(&Block { center, axes, half }) {
            Place::Outside => Piece::Clear,
            Place::Inside => Piece::Enters,
            Place::Unsure if is_near() => Piece::Enters,
            Place::Unsure => Piece::Unsure,
        }
    })
}
