//! How far two parts stay apart along a direction that is fixed to the first.
//!
//! In the frame of X a point `x` of Y has, in the middle of a while, the velocity `w x x + v`, and
//! at most the acceleration `M`. Along a unit direction `n` at a time `t` from the middle it is at
//!
//! ```text
//! n . x(t) >= n . x + t n . (w x x + v) - M t²/2 = (n + t n x w) . x + t n . v - M t²/2
//! ```
//!
//! The least of the first two terms over Y is a least product of its hull with one vector; as a
//! function of `t` it is concave, being a least of linear functions. So over the while it is least
//! at an end, and two products with the hull bound the gap.

use chasles::glam::DVec3;

use crate::frame::{Frame, Twist};
use crate::part::Part;

/// Two parts, the second moving as seen from the first, in the world.
pub(crate) struct Plane<'p> {
    pub(crate) parts: [&'p Part; 2],
    pub(crate) frames: [&'p Frame; 2],
    pub(crate) twist: Twist,
    /// The largest acceleration of a point of the second.
    pub(crate) bend: f64,
    /// Half the length of the while.
    pub(crate) half: f64,
}

/// Lengths that two parts are apart at least, along a direction; negative where it does not part
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gap {
    /// In the middle of the while.
    pub(crate) now: f64,
    /// In all of it.
    pub(crate) least: f64,
}

impl Plane<'_> {
    /// The gap along a unit direction of the world in the middle of the while.
    pub(crate) fn gap(&self, n: DVec3) -> Gap {
        let Self { twist, bend, half, .. } = *self;
        let high = -self.low(0, -n);
        let now = self.low(1, n) - high;
        if half == 0.0 {
            return Gap { now, least: now };
        }
        let lean = n.cross(twist.turn);
        let along = n.dot(twist.shift);
        let at = |t: f64| self.low(1, n + t * lean) + t * along;
        let least = at(half).min(at(-half)) - high - 0.5 * half * half * bend;
        Gap { now, least: least.min(now) }
    }

    /// The least product of a vector with points of a part.
    fn low(&self, part: usize, m: DVec3) -> f64 {
        let frame = self.frames[part];
        self.parts[part].low(frame.vector_inside(m)) + m.dot(frame.shift)
    }
}
