//! What planes bound: half-spaces and boxes.

use glam::DVec3;

use super::super::{Block, Interval, Place, Solid, SolidError};
use super::convex::{self, Convex};
use super::{ROUNDING, known, number, place, size, sum, unit_or};

/// All points on one side of a plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace {
    normal: DVec3,
    offset: f64,
}

impl HalfSpace {
    /// The points that lie at most `offset` along `normal`, which points out of the solid.
    ///
    /// *Accepts* a normal of any length but zero; the offset is a length along the unit normal.
    /// *Guarantees* exact answers up to rounding. *Cost* constant. *Fails* with
    /// [`SolidError::Number`] on a normal that is zero and on numbers beyond 1e60.
    pub fn new(normal: impl Into<DVec3>, offset: f64) -> Result<Self, SolidError> {
        let what = "the normal of the half-space";
        let normal = place(what, normal.into())?;
        let offset = number("the offset of the half-space", offset)?;
        let zero = || SolidError::Number { what, value: 0.0, expected: "longer than 1e-60" };
        let largest = normal.abs().max_element();
        if largest < 1e-60 {
            return Err(zero());
        }
        Ok(Self { normal: (normal / largest).normalize(), offset })
    }

    #[inline]
    fn height(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }
}

impl Solid for HalfSpace {
    fn bounds(&self) -> [DVec3; 2] {
        // Only a plane across an axis ends the solid along it.
        let end = |axis: DVec3| if self.normal == axis { self.offset } else { f64::INFINITY };
        let high = DVec3::new(end(DVec3::X), end(DVec3::Y), end(DVec3::Z));
        let low = DVec3::new(end(DVec3::NEG_X), end(DVec3::NEG_Y), end(DVec3::NEG_Z));
        [-low, high]
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        known(self.height(point), sum(point) + self.extent())
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn normal(&self, _: DVec3) -> DVec3 {
        self.normal
    }

    fn place(&self, block: &Block) -> Place {
        let across = (block.axes.transpose() * self.normal).abs().dot(block.half);
        let scale = sum(block.center) + sum(block.half) + self.extent();
        let height = self.height(block.center);
        if known(height - across, scale).low > 0.0 {
            Place::Outside
        } else if known(height + across, scale).high < 0.0 {
            Place::Inside
        } else {
            Place::Unsure
        }
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for HalfSpace {
    #[inline]
    fn support(&self, direction: DVec3) -> f64 {
        if direction == self.normal { self.offset } else { f64::INFINITY }
    }

    #[inline]
    fn extent(&self) -> f64 {
        self.offset.abs()
    }
}

/// A box along the axes, its middle at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid {
    half: DVec3,
}

impl Cuboid {
    /// The box with these lengths along x, y and z.
    ///
    /// *Accepts* lengths from 1e-60 to 1e60. *Guarantees* exact answers up to rounding. *Cost*
    /// constant. *Fails* with [`SolidError::Number`] on other lengths.
    pub fn new(lengths: impl Into<DVec3>) -> Result<Self, SolidError> {
        let lengths = lengths.into();
        lengths.to_array().into_iter().try_for_each(|l| size("a side of the box", l).map(drop))?;
        Ok(Self { half: 0.5 * lengths })
    }
}

/// `values` with the signs of `signs`.
#[inline]
fn with_signs(values: DVec3, signs: DVec3) -> DVec3 {
    DVec3::new(values.x.copysign(signs.x), values.y.copysign(signs.y), values.z.copysign(signs.z))
}

impl Solid for Cuboid {
    fn bounds(&self) -> [DVec3; 2] {
        [-self.half, self.half]
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let beyond = point.abs() - self.half;
        let deepest = beyond.max_element();
        let value = if deepest > 0.0 { beyond.max(DVec3::ZERO).length() } else { deepest };
        known(value, sum(point) + self.extent())
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let beyond = point.abs() - self.half;
        let deepest = beyond.max_element();
        let nearest = if deepest == beyond.x {
            DVec3::X
        } else if deepest == beyond.y {
            DVec3::Y
        } else {
            DVec3::Z
        };
        let outward = if deepest > 0.0 { beyond.max(DVec3::ZERO) } else { nearest };
        with_signs(unit_or(outward, nearest), point)
    }

    fn place(&self, block: &Block) -> Place {
        let reach = block.reach();
        let (middle, scale) = (block.center.abs(), sum(block.center) + sum(block.half));
        let error = ROUNDING * (scale + self.extent());
        if (middle - reach - self.half).max_element() > error {
            return Place::Outside;
        }
        if (middle + reach - self.half).max_element() < -error {
            return Place::Inside;
        }
        // Along the box's own axes the roles are changed.
        let back = block.axes.transpose();
        let seen = (back * block.center).abs();
        let size = Block { center: DVec3::ZERO, axes: back, half: self.half }.reach();
        if (seen - block.half - size).max_element() > error {
            return Place::Outside;
        }
        convex::place(self, block)
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for Cuboid {
    #[inline]
    fn support(&self, direction: DVec3) -> f64 {
        direction.abs().dot(self.half)
    }

    #[inline]
    fn extent(&self) -> f64 {
        sum(self.half)
    }
}
