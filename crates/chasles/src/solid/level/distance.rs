//! How far a point is from a set where a function is not positive.
//!
//! With `f` the value at the point and `L` the steepest slope over a cube of half length `r` about
//! it, no zero lies closer than `min(r, |f| / L)`: the function cannot fall that fast. `r` begins
//! at `|f| / |grad f|`, the distance if the function were linear, so that next to the surface the
//! bound is the distance up to its square; a cube over which the value keeps its sign is proven
//! whole, and doubled. The other end needs a witness: a point of the other sign, which Newton's
//! method finds with a little more than its step and an interval confirms.

use glam::DVec3;

use super::{Cell, Field, Level, at, below, cube, length_above};
use crate::numeric::Interval;

/// Cubes that are tried at most.
const TRIALS: usize = 6;

/// Newton's steps to a witness; each doubles the digits, so four are plenty next to the surface.
const STEPS: usize = 8;

/// How often a witness is brought nearer: by a factor of sixty thousand in all.
const HALVINGS: usize = 16;

/// How much farther than Newton's step a witness is looked for: above what the curvature leaves
/// of the last step, below what makes the bound loose.
const OVERSHOOT: f64 = 1.0 / 1024.0;

/// The side of the surface on which something is proven.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    In,
    Out,
}

impl Side {
    /// How far values are beyond zero on this side: positive if they are proven to be on it, NaN
    /// if nothing is known.
    #[inline]
    fn depth(self, value: Interval) -> f64 {
        match self {
            Self::In => -value.high,
            Self::Out => value.low,
        }
    }

    /// Whether values are on this side; zero is in the set.
    #[inline]
    fn has(self, value: Interval) -> bool {
        match self {
            Self::In => value.high <= 0.0,
            Self::Out => value.low > 0.0,
        }
    }
}

impl<F: Field> Level<F> {
    /// An interval that contains the signed distance of a point.
    pub(in crate::solid) fn distance(&self, point: DVec3) -> Interval {
        if !point.is_finite() {
            return Interval::NAN;
        }
        let edge = self.edge(point);
        if edge.low > 0.0 {
            let clear = self.clear_beyond(point, edge.low);
            return Interval::new(clear, self.witness(point, Side::In));
        }
        let value = self.field.over(&at(point));
        if value.is_nan() {
            return Interval::NAN;
        }
        if Side::Out.has(value) {
            let clear = self.clear(point, value, Side::Out);
            return Interval::new(clear.max(edge.low.max(0.0)), self.witness(point, Side::In));
        }
        let low = (-self.witness(point, Side::Out)).max(edge.low);
        if Side::In.has(value) && edge.high <= 0.0 {
            let inside = self.clear(point, value, Side::In);
            Interval::new(low, (-inside).max(edge.high))
        } else {
            Interval::new(low.min(0.0), self.witness(point, Side::In))
        }
    }

    /// The signed distance of a point from the bounds, minus infinity if there are none.
    pub(super) fn edge(&self, point: DVec3) -> Interval {
        let beyond = (self.bounds[0] - point).max(point - self.bounds[1]);
        let largest = beyond.max_element();
        if largest <= 0.0 {
            // Differences of doubles are within one rounding.
            return Interval::point(largest).outward();
        }
        let outward = beyond.max(DVec3::ZERO);
        let length = outward.length();
        // Squares may overflow; then the largest coordinate is a bound, too.
        let low = if length.is_finite() { length } else { largest };
        Interval::new(below(low), length_above(outward))
    }

    /// The radius of a ball about a point that is proven to be on its side.
    fn clear(&self, point: DVec3, value: Interval, side: Side) -> f64 {
        let depth = side.depth(value);
        let slope = self.field.guess(point).1.length();
        let (mut best, mut grown) = (0.0_f64, false);
        let linear = depth / slope;
        let mut radius = if linear < self.largest(point) { linear } else { self.largest(point) };
        for _ in 0..TRIALS {
            let proven = self.clear_within(point, depth, radius, side);
            best = best.max(proven);
            if proven >= radius {
                (radius, grown) = (2.0 * radius, true);
            } else if grown || proven > 0.75 * radius {
                break;
            } else {
                radius = if proven > 0.0 { 0.5 * (proven + radius) } else { 0.125 * radius };
            }
        }
        best
    }

    /// The largest ball that is tried: as far as the bounds, or as the origin is.
    fn largest(&self, point: DVec3) -> f64 {
        let size = (self.bounds[1] - self.bounds[0]).length();
        if size.is_finite() { size } else { 4.0 * (1.0 + point.abs().max_element()) }
    }

    /// How much of a ball is proven to be on a side, by the cube around it.
    fn clear_within(&self, point: DVec3, depth: f64, radius: f64, side: Side) -> f64 {
        let around = cube(point, radius);
        let cell: Cell = match side {
            Side::In => around,
            Side::Out => match self.clipped(&around) {
                Some(part) => part,
                None => return radius,
            },
        };
        let (value, slopes) = self.field.over_with_slopes(&cell, |value| side.has(value));
        if side.has(value) {
            return radius;
        }
        let reached = below(depth / slopes.steepest);
        // Not a number if nothing is known of the slopes.
        if reached > 0.0 { reached.min(radius) } else { 0.0 }
    }

    /// For a point beyond the bounds: the radius of a ball that misses the set.
    fn clear_beyond(&self, point: DVec3, edge: f64) -> f64 {
        let mut clear = edge;
        for _ in 0..TRIALS {
            let missed = |part: Cell| self.field.over(&part).low > 0.0;
            if !self.clipped(&cube(point, 2.0 * clear)).is_none_or(missed) {
                break;
            }
            clear *= 2.0;
        }
        clear
    }

    /// A distance within which some point is proven to be in the set, infinite if none is found.
    pub(super) fn reach(&self, point: DVec3) -> f64 {
        self.witness(point, Side::In)
    }

    /// The distance to some point that is proven to be on a side, infinite if none is found.
    fn witness(&self, point: DVec3, side: Side) -> f64 {
        let kept = |place: DVec3| match side {
            Side::In => place.clamp(self.bounds[0], self.bounds[1]),
            Side::Out => place,
        };
        let smallest = super::ROUNDING * point.abs().max_element() + f64::MIN_POSITIVE;
        let mut place = kept(point);
        for step in 0..STEPS {
            if self.has(place, side) {
                let nearer = self.nearer(point, place, side);
                return length_above(nearer - point);
            }
            let (value, gradient) = self.field.guess(place);
            let slope = gradient.length();
            if !(value.is_finite() && slope.is_finite()) {
                break;
            }
            let toward = if side == Side::In { -1.0 } else { 1.0 };
            let missing = (-toward * value).max(0.0);
            // Rounding may hide a sign next to the surface: steps of it grow by powers of 8.
            let floor = smallest * f64::from(1_u32 << (3 * step));
            let move_by = match gradient.try_normalize() {
                Some(direction) => direction * (missing / slope * (1.0 + OVERSHOOT) + floor),
                // At the top of a hill any direction leads down.
                None => DVec3::new(0.48, 0.6, 0.64) * self.largest(point) * OVERSHOOT,
            };
            place = kept(place + toward * move_by);
        }
        f64::INFINITY
    }

    /// A witness brought nearer by halves as long as it is one: Newton's steps are far too long
    /// where the function is almost level.
    fn nearer(&self, point: DVec3, mut witness: DVec3, side: Side) -> DVec3 {
        for _ in 0..HALVINGS {
            let middle = point.lerp(witness, 0.5);
            if !self.has(middle, side) {
                break;
            }
            witness = middle;
        }
        witness
    }

    /// Whether a point is proven to be on a side.
    fn has(&self, point: DVec3, side: Side) -> bool {
        let value = self.field.over(&at(point));
        side.has(value) && (side == Side::Out || self.is_within(point))
    }
}
