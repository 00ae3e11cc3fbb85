//! Edges on the collision screen: which of them may cross.

use super::chart::Spot;

/// A segment on the collision screen, the `(rho, h)` plane that the motion does not change: a curve
/// that stays within `slack` of the chord between its ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Chord {
    from: [f64; 2],
    along: [f64; 2],
    /// An upper bound of the chord's length: the sum of its components.
    span: f64,
    slack: f64,
}

impl Chord {
    #[inline]
    pub(crate) fn new(from: &Spot, to: &Spot) -> Self {
        let along = [to.rho - from.rho, to.h - from.h];
        let span = along[0].abs() + along[1].abs();
        Self { from: [from.rho, from.h], along, span, slack: 0.0 }
    }

    #[inline]
    pub(crate) fn set_slack(&mut self, slack: f32) {
        self.slack = f64::from(slack);
    }

    /// Whether two segments may cross on the screen. They can touch only where their curves cross
    /// [Buss04 §6], so we ask whether neither chord's line separates the two.
    #[inline]
    pub(crate) fn may_cross(&self, other: &Self) -> bool {
        let across = |p: [f64; 2], q: [f64; 2]| p[0] * q[1] - p[1] * q[0];
        let between = [other.from[0] - self.from[0], other.from[1] - self.from[1]];
        let turn = across(self.along, other.along);
        // Where the ends of each chord lie beside the other's line.
        let of_other = across(self.along, between);
        let of_self = across(between, other.along);
        let slack = self.slack + other.slack;
        !(is_apart([of_other, of_other + turn], slack * self.span)
            | is_apart([of_self, of_self - turn], slack * other.span))
    }
}

/// Whether two values lie on one side of zero and farther from it than `least`.
#[inline]
fn is_apart([p, q]: [f64; 2], least: f64) -> bool {
    (p > least) & (q > least) | (p < -least) & (q < -least)
}
