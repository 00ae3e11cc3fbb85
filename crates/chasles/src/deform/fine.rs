//! The polygon with twice the digits.
//!
//! Differences of doubles are exact pairs, so everything here has an error of a few roundings of
//! `2^-100` of the bounds; we allow 64.

use glam::DVec3;

use super::filter::{Answer, Bounds, Crossing, halve};
use super::forms::{Paths, Vector, cross, cross_along, dot};
use crate::numeric::double::Double;

/// Of each bound: 64 roundings of `2^-100`, more than any value here goes through.
const UNIT: f64 = 1.0 / (1_u128 << 94) as f64;

/// Errors below this may come from digits that fell out of the range of doubles.
const SMALLEST: f64 = 1e-290;

/// The filter once more, with heights whose errors are small beside the largest of them and not
/// only beside what that could have been. All roots are settled one by one, so sides are not
/// needed.
pub(super) fn decide<const M: usize>(
    paths: &Paths<Double, M>,
    bounds: Bounds<M>,
    first: bool,
    settle: impl FnMut(&Crossing) -> bool,
) -> Answer {
    let height = paths.height(&paths.normal()).map(|b| b.high);
    let largest = height.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
    // Where all heights may be zero only exact arithmetic can tell.
    if largest <= UNIT * bounds.height || height.iter().any(|b| !b.is_finite()) {
        return Answer::Unknown;
    }
    // The filter's own unit is 32 roundings of a double.
    let share = UNIT / (16.0 * f64::EPSILON);
    let bounds = Bounds { height: largest + share * bounds.height, sides: [] };
    halve((height, []), bounds, first, settle)
}

/// What is left open at a root.
pub(super) enum Doubt {
    /// Everything.
    All,
    /// On which side of some edges the origin lies, along the axis in which `n` is largest and has
    /// this sign; it is inside of all others.
    Sides { axis: usize, upward: bool, open: Vec<usize> },
}

/// Whether the polygon holds the origin at the root in an interval, of which only one is there. `l`
/// and `e` bound the coordinates of corners and edges. The component along the axis in which `n` is
/// largest tells the signs of all `m_i`.
pub(super) fn holds_origin<const M: usize>(
    paths: &Paths<Double, M>,
    crossing: &Crossing,
    [l, e]: [DVec3; 2],
) -> Result<bool, Doubt> {
    let [q0, e0, e1] = [&paths.corners[0], &paths.edges[0], &paths.edges[1]];
    let height = |t: Double| dot(&at(q0, t), &cross(&at(e0, t), &at(e1, t)));
    let error = UNIT * l.dot(2.0 * DVec3::new(e.y * e.z, e.z * e.x, e.x * e.y));
    let (time, reach) = root(height, crossing, error).ok_or(Doubt::All)?;
    let normal = cross(&at(e0, time), &at(e1, time));
    let axis = DVec3::from(normal.map(|n| n.high)).abs().max_position();
    let [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
    // Corners and edges change by no more than twice their bounds in a step.
    let slack = UNIT + 8.0 * reach;
    let of_normal = 2.0 * slack * e[j] * e[k];
    let of_sides = slack * (l[j] * e[k] + l[k] * e[j]);
    if of_normal.min(of_sides) < SMALLEST {
        return Err(Doubt::All);
    }
    let upward = sign(normal[axis].high, of_normal).ok_or(Doubt::All)?;
    let mut open = Vec::new();
    for (i, (corner, edge)) in paths.corners.iter().zip(&paths.edges).enumerate() {
        let side = cross_along(&at(corner, time), &at(edge, time), axis);
        match sign(side.high, of_sides) {
            Some(side) if side != upward => return Ok(false),
            Some(_) => {}
            None => open.push(i),
        }
    }
    if open.is_empty() { Ok(true) } else { Err(Doubt::Sides { axis, upward, open }) }
}

/// The only root in an interval, and how far from it the true one is at most.
fn root(
    height: impl Fn(Double) -> Double,
    crossing: &Crossing,
    error: f64,
) -> Option<(Double, f64)> {
    let (start, slope) = crossing.guess();
    let mut time = Double::new(start);
    for _ in 0..3 {
        time = time + Double::new(-height(time).high / slope);
    }
    let reach = 16.0 * error / slope.abs() + UNIT;
    // The signs at the ends of the interval are known.
    let is_above = |at: Double, rising: bool| match at.high {
        high if high <= crossing.from => Some(!rising),
        high if high >= crossing.to => Some(rising),
        _ => sign(height(at).high, error),
    };
    let rising = crossing.is_rising();
    let below = is_above(time + Double::new(-reach), rising)?;
    let above = is_above(time + Double::new(reach), rising)?;
    let inside = crossing.from < time.high && time.high < crossing.to;
    (below != rising && above == rising && inside).then_some((time, reach))
}

/// Whether a value is positive, if it is not within its error of zero.
fn sign(value: f64, error: f64) -> Option<bool> {
    (value.abs() > error).then_some(value > 0.0)
}

#[inline]
fn at([start, end]: &[Vector<Double>; 2], t: Double) -> Vector<Double> {
    [0, 1, 2].map(|i| start[i] + t * (end[i] - start[i]))
}
