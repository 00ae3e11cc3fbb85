//! Faces on the collision screen: which points of it they may cover.

use wide::f32x4;

use super::chart::Spot;
use super::slab::ROUNDING;

/// Four lines on the collision screen, the `(rho, h)` plane that the motion does not change, and a
/// face that lies on one side of each.
///
/// A face through which the motion passes one way only lies on the screen without a fold: its area
/// there is that of the face times the speed through it. So it covers a point as often as its
/// border winds round the point, and nothing beyond a line that its border does not reach.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cover {
    /// Vectors across the lines, towards the face, of length 1 at most.
    across: [f32x4; 2],
    /// What the face reaches down to along these vectors, its border taken into account.
    least: f32x4,
}

impl Cover {
    /// Excludes no point.
    pub(crate) const EVERYTHING: Self =
        Self { across: [f32x4::ZERO; 2], least: f32x4::new([f32::NEG_INFINITY; 4]) };

    /// The lines along four edges, evenly chosen, of a face with these corners, whose border stays
    /// within `slack` of the chords between them. Any line would do, so nothing depends on the
    /// rounding of its direction.
    pub(crate) fn new<'s>(corner: impl Fn(usize) -> &'s Spot, count: usize, slack: f32) -> Self {
        let first = [0, 1, 2, 3].map(|k| k * count / 4);
        let next = first.map(|i| if i + 1 == count { 0 } else { i + 1 });
        let lanes = |four: [usize; 4]| f32x4::transpose(four.map(|i| corner(i).at));
        let ([from_rho, from_h, ..], [to_rho, to_h, ..]) = (lanes(first), lanes(next));
        let [along_rho, along_h] = [to_rho - from_rho, to_h - from_h];
        let inverse = f32x4::ONE / (along_rho.abs() + along_h.abs());
        let across = [along_h * inverse, -along_rho * inverse];
        let [mut low, mut high] = [f32x4::splat(f32::INFINITY), f32x4::splat(f32::NEG_INFINITY)];
        for i in 0..count {
            let along = along(across, corner(i));
            [low, high] = [low.fast_min(along), high.fast_max(along)];
        }
        // Towards the side on which there is more of the face.
        let start = from_rho * across[0] + from_h * across[1];
        let turned = (high - start).simd_lt(start - low);
        let least = turned.bitselect(-high, low) - f32x4::splat(slack + ROUNDING);
        Self { across: across.map(|across| turned.bitselect(-across, across)), least }
    }

    /// Whether the face may cover a point that is within `slack` of this place.
    #[inline]
    pub(crate) fn may_hold(&self, at: &Spot, slack: f32) -> bool {
        // Written so that a line of which nothing is a number excludes nothing.
        let beyond = (along(self.across, at) + f32x4::splat(slack)).simd_lt(self.least);
        beyond.to_bitmask() == 0
    }
}

/// How far along each of four vectors a point of the screen is.
#[inline]
fn along(across: [f32x4; 2], at: &Spot) -> f32x4 {
    let [rho, h, ..] = *at.at.as_array();
    across[0] * f32x4::splat(rho) + across[1] * f32x4::splat(h)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot([rho, h]: [f32; 2]) -> Spot {
        Spot { at: f32x4::new([rho, h, 0.0, 0.0]) }
    }

    #[test]
    fn a_face_covers_what_is_inside_and_near_its_border() {
        let square = [[0.1, 0.0], [0.5, 0.1], [0.4, 0.5], [0.0, 0.4]].map(spot);
        for corners in [&square[..], &square[..3]] {
            let cover = Cover::new(|i| &corners[i], corners.len(), 0.01);
            for at in [[0.3, 0.2], [0.1, 0.0], [0.3, 0.045]] {
                assert!(cover.may_hold(&spot(at), 0.0), "{at:?}");
            }
            for at in [[0.3, 0.03], [0.6, 0.3], [0.45, 0.5], [0.0, 0.1]] {
                assert!(!cover.may_hold(&spot(at), 0.0), "{at:?}");
                assert!(cover.may_hold(&spot(at), 0.3), "{at:?}");
            }
        }
    }

    #[test]
    fn corners_in_one_place_exclude_nothing() {
        let corners = [spot([0.2, 0.2]); 3];
        assert!(Cover::new(|i| &corners[i], 3, 0.0).may_hold(&spot([0.7, 0.1]), 0.0));
        assert!(Cover::EVERYTHING.may_hold(&spot([0.7, 0.1]), 0.0));
    }
}
