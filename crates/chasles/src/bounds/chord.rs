//! Edges on the collision screen: which of them may cross.

use wide::f32x4;

use super::chart::Spot;

/// Where four edges begin and end, some of them perhaps absent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(super) ends: [[f32x4; 4]; 2],
    pub(super) length_sq: [f32; 4],
    /// Infinite for absent ones.
    pub(super) absent: [f32; 4],
}

impl Ends {
    /// No edge yet.
    pub(crate) const NONE: Self =
        Self { ends: [[f32x4::ZERO; 4]; 2], length_sq: [0.0; 4], absent: [f32::INFINITY; 4] };

    /// An edge between two vertices, and the square of its length in the frame's units.
    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize, [from, to]: [&Spot; 2], length_sq: f32) {
        (self.ends[0][lane], self.ends[1][lane]) = (from.at, to.at);
        (self.length_sq[lane], self.absent[lane]) = (length_sq, 0.0);
    }
}

/// Four segments on the collision screen, the `(rho, h)` plane that the motion does not change:
/// curves that stay within `slack` of the chords between their ends. Singles are enough: what they
/// round is far below the least slack, which covers that of places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chords {
    from: [f32x4; 2],
    along: [f32x4; 2],
    /// Upper bounds of the chords' lengths: the sums of their components.
    span: f32x4,
    slack: f32x4,
}

impl Chords {
    /// Between these places; the lists have four of each coordinate.
    #[inline(always)]
    pub(super) fn new([from_rho, from_h]: [f32x4; 2], [to_rho, to_h]: [f32x4; 2]) -> Self {
        let along = [to_rho - from_rho, to_h - from_h];
        let span = along[0].abs() + along[1].abs();
        Self { from: [from_rho, from_h], along, span, slack: f32x4::ZERO }
    }

    #[inline(always)]
    pub(crate) fn with_slacks(self, slacks: [f32; 4]) -> Self {
        Self { slack: f32x4::new(slacks), ..self }
    }

    /// One of the four, four times.
    #[inline(always)]
    pub(crate) fn one(&self, lane: usize) -> Self {
        let spread = |list: &f32x4| f32x4::splat(list.as_array()[lane % 4]);
        Self {
            from: self.from.each_ref().map(spread),
            along: self.along.each_ref().map(spread),
            span: spread(&self.span),
            slack: spread(&self.slack),
        }
    }

    /// Which segments may cross on the screen, lane by lane, as bits. They can touch only where
    /// their curves cross [Buss04 §6], so we ask whether neither chord's line separates the two.
    #[inline(always)]
    pub(crate) fn crossing(&self, other: &Self) -> usize {
        let across = |p: [f32x4; 2], q: [f32x4; 2]| p[0] * q[1] - p[1] * q[0];
        let between = [other.from[0] - self.from[0], other.from[1] - self.from[1]];
        let turn = across(self.along, other.along);
        // Where the ends of each chord lie beside the other's line.
        let of_other = across(self.along, between);
        let of_self = across(between, other.along);
        let slack = self.slack + other.slack;
        let apart = are_apart([of_other, of_other + turn], slack * self.span)
            | are_apart([of_self, of_self - turn], slack * other.span);
        !apart.to_bitmask() as usize & 0b1111
    }
}

/// Whether two values lie on one side of zero and farther from it than `least`.
#[inline(always)]
fn are_apart([p, q]: [f32x4; 2], least: f32x4) -> f32x4 {
    let below = -least;
    (p.simd_gt(least) & q.simd_gt(least)) | (p.simd_lt(below) & q.simd_lt(below))
}
