//! Segments into a solid that places boxes better than by the ball around them.

use glam::{DMat3, DVec3};

use super::super::{Block, MAX_QUESTIONS, PLACE_ERROR, Place, Solid};
use crate::numeric::Halving;

/// [`Solid::entry`] by halving: a piece is dropped once the thin box around it is outside.
///
/// As [`super::super::march`], but for asking for boxes first: a box along the segment as long as
/// a piece is clear of a flat surface however long it is.
pub(super) fn walk<S: Solid>(solid: &S, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
    let half_length = 0.5 * from.distance(to);
    let rounding = PLACE_ERROR * from.abs().max(to.abs()).max_element();
    let near = precision + 2.0 * solid.error();
    let axes = along(to - from);
    let mut piece = Halving::WHOLE;
    for _ in 0..MAX_QUESTIONS {
        let [start, end] = piece.ends();
        let center = from.lerp(to, 0.5 * (start + end));
        let radius = half_length * (end - start) + rounding;
        let half = DVec3::new(radius, rounding, rounding);
        let is_near = || radius <= near && solid.distance(center).high + radius <= near;
        match solid.place(&Block { center, axes, half }) {
            Place::Outside => piece = piece.next()?,
            Place::Inside => return Some(start),
            Place::Unsure if is_near() => return Some(start),
            Place::Unsure => match piece.first_half() {
                Some(half) => piece = half,
                None => return Some(start),
            },
        }
    }
    Some(piece.ends()[0])
}

/// Axes of which the first is along the segment.
fn along(way: DVec3) -> DMat3 {
    let x = way.try_normalize().unwrap_or(DVec3::X);
    let (y, z) = x.any_orthonormal_pair();
    DMat3::from_cols(x, y, z)
}
