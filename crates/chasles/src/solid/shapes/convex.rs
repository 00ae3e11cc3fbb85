//! Boxes and segments beside a convex solid: a plane between them proves that they are apart.
//!
//! The support `h(n)` of a solid `K` is the largest `n · x` over it, so `K` lies below the plane
//! `n · x = h(n)` whatever `n` is: a normal that is a little off costs tightness, never truth.
//!
//! *A box* with middle `c`, axes `a_i` and halves `h_i` lies above that plane if
//! `n · c - Σ |n · a_i| h_i > h(n)`; with the normal at its middle this is much sharper than the
//! ball around it for boxes that are long and thin, as those around paths are. It lies in `K` if
//! its corners do.
//!
//! *A segment* `x(t)` stays above the plane as long as `n · x(t) > h(n)`, which is linear in `t`.
//! Walking to where that ends and taking the normal there is Newton's method for the distance
//! along the segment, which is convex: it never steps too far, is quick where the segment goes in
//! at an angle, and has proven all that lies behind it.
//!
//! ```text
//!      n
//!      |      x(t) ----.
//!      |                `----.
//!   ---+----- n·x = h(n) -----`o---     no point before o is in K
//!       ...------...             `-.
//!      (    K      )
//! ```

use glam::DVec3;

use super::super::entry::by_balls;
use super::super::{Block, Place, Solid, within};
use super::{ROUNDING, sum};

/// A convex solid that knows its support.
pub(super) trait Convex: Solid {
    /// The largest `direction · x` over the solid, of a direction that [`Solid::normal`] gave;
    /// infinite if there is none. It may be wrong by rounding of the extent.
    fn support(&self, direction: DVec3) -> f64;

    /// How large the numbers are that make the solid; for rounding.
    fn extent(&self) -> f64;
}

/// [`Solid::place`] of a convex solid.
#[inline]
pub(super) fn place<S: Convex>(solid: &S, block: &Block) -> Place {
    let distance = solid.distance(block.center);
    // A sum of ten products and differences of such numbers, each rounded once: below 16 u S.
    let error = ROUNDING * (sum(block.center) + sum(block.half) + solid.extent());
    if distance.low > 0.0 {
        let normal = solid.normal(block.center);
        let across = block.axes.transpose() * normal;
        let lowest = normal.dot(block.center) - across.abs().dot(block.half);
        if lowest - solid.support(normal) > error {
            return Place::Outside;
        }
    } else if distance.high < 0.0 && corners(block).all(|c| solid.distance(c).high < -error) {
        return Place::Inside;
    }
    within(distance, block.radius())
}

/// The corners of a box.
fn corners(block: &Block) -> impl Iterator<Item = DVec3> {
    let (center, axes, half) = (block.center, block.axes, block.half);
    let sign = |number: u32, bit: u32| if number & bit == 0 { -1.0 } else { 1.0 };
    let corner = move |i| half * DVec3::new(sign(i, 1), sign(i, 2), sign(i, 4));
    (0..8).map(move |i| center + axes * corner(i))
}

/// Planes before the search goes on by halving: Newton's method doubles digits or, where the
/// segment grazes, halves the distance; 64 halvings leave nothing of it.
const MAX_PLANES: u32 = 64;

/// [`Solid::entry`] of a convex solid.
pub(super) fn entry<S: Convex>(solid: &S, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
    let way = to - from;
    let error = ROUNDING * (sum(from) + sum(to) + solid.extent());
    let mut time = 0.0;
    for _ in 0..MAX_PLANES {
        let point = from + way * time;
        if solid.distance(point).high + error <= precision {
            return Some(time);
        }
        let normal = solid.normal(point);
        let height = normal.dot(point) - solid.support(normal) - error;
        let speed = error - normal.dot(way);
        // A plane that is within rounding of the point proves no more.
        if height <= 0.0 {
            break;
        }
        // The factors are for the rounding of these lines.
        if height * (1.0 - 4.0 * f64::EPSILON) > (1.0 - time) * speed {
            return None;
        }
        let next = (time + height / speed * (1.0 - 4.0 * f64::EPSILON)).next_down();
        if next <= time {
            break;
        }
        time = next;
    }
    by_balls(solid, from, to, precision)
}
