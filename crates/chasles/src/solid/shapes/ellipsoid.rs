//! A ball stretched along three axes.

use glam::DVec3;

use super::super::{Block, Interval, Place, Solid, SolidError};
use super::convex::{self, Convex};
use super::{ROUNDING, size, sum, unit_or, widened};
use crate::numeric::LARGEST_COORDINATE;
use crate::numeric::ellipsoid::foot;

/// An ellipsoid about the origin, its axes along x, y and z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    half_axes: DVec3,
}

impl Ellipsoid {
    /// The ellipsoid with these half axes along x, y and z.
    ///
    /// *Accepts* half axes from 1e-60 to 1e60, the longest at most 10,000 times as long as the
    /// shortest. *Guarantees* the distance up to rounding, by a point of the surface and a proof
    /// that none is nearer. *Cost* some tens of nanoseconds a question. *Fails* with
    /// [`SolidError::Number`] on other numbers.
    pub fn new(half_axes: impl Into<DVec3>) -> Result<Self, SolidError> {
        let half_axes = half_axes.into();
        for value in half_axes.to_array() {
            size("a half axis of the ellipsoid", value)?;
            if half_axes.max_element() > 1e4 * value {
                let what = "a half axis of the ellipsoid";
                let expected = "at least a 10,000th of the longest";
                return Err(SolidError::Number { what, value, expected });
            }
        }
        Ok(Self { half_axes })
    }
}

impl Solid for Ellipsoid {
    fn bounds(&self) -> [DVec3; 2] {
        widened([-self.half_axes, self.half_axes], 0.0)
    }

    fn distance(&self, point: DVec3) -> Interval {
        let scale = sum(point) + self.extent();
        let is_known = scale < LARGEST_COORDINATE;
        if !is_known {
            return Interval::ALL;
        }
        let found = foot(self.half_axes, point);
        // The foot is on the surface, and its proof true, up to a few roundings of these numbers.
        let error = ROUNDING * scale + f64::MIN_POSITIVE;
        let [low, high] = [found.least - error, found.distance.abs() + error];
        if found.distance > 0.0 {
            Interval { low, high }
        } else {
            Interval { low: -high, high: -low }
        }
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let on_surface = foot(self.half_axes, point).point;
        let shortest = self.half_axes.min_element();
        let stretch = shortest / self.half_axes;
        unit_or(stretch * stretch * on_surface, DVec3::Y)
    }

    fn place(&self, block: &Block) -> Place {
        convex::place(self, block)
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for Ellipsoid {
    fn support(&self, direction: DVec3) -> f64 {
        (self.half_axes * direction).length()
    }

    fn extent(&self) -> f64 {
        sum(self.half_axes)
    }
}
