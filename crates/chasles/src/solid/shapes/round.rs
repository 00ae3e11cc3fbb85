//! What lies within a radius of a point or of a segment.

use glam::DVec3;

use super::super::{Block, Interval, Place, Solid, SolidError};
use super::convex::{self, Convex};
use super::{known, place, size, sum, unit_or, widened};

/// A ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    center: DVec3,
    radius: f64,
}

impl Sphere {
    /// The ball around a point.
    ///
    /// *Accepts* a radius from 1e-60 to 1e60 and a center up to 1e60. *Guarantees* exact answers up
    /// to rounding. *Cost* constant. *Fails* with [`SolidError::Number`] on other numbers.
    pub fn new(center: impl Into<DVec3>, radius: f64) -> Result<Self, SolidError> {
        let radius = size("the radius of the sphere", radius)?;
        Ok(Self { center: place("the center of the sphere", center.into())?, radius })
    }
}

impl Solid for Sphere {
    fn bounds(&self) -> [DVec3; 2] {
        widened([self.center - self.radius, self.center + self.radius], 0.0)
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let value = point.distance(self.center) - self.radius;
        known(value, sum(point) + self.extent())
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        unit_or(point - self.center, DVec3::Y)
    }

    fn place(&self, block: &Block) -> Place {
        // The nearest point and the farthest corner of the box; better than a plane.
        let middle = (block.axes.transpose() * (self.center - block.center)).abs();
        let nearest = (middle - block.half).max(DVec3::ZERO).length();
        let scale = sum(block.center) + sum(block.half) + self.extent();
        if known(nearest - self.radius, scale).low > 0.0 {
            Place::Outside
        } else if known((middle + block.half).length() - self.radius, scale).high < 0.0 {
            Place::Inside
        } else {
            Place::Unsure
        }
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for Sphere {
    #[inline]
    fn support(&self, direction: DVec3) -> f64 {
        direction.dot(self.center) + self.radius
    }

    #[inline]
    fn extent(&self) -> f64 {
        sum(self.center) + self.radius
    }
}

/// All points within a radius of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule {
    ends: [DVec3; 2],
    /// From the first end to the second, a unit vector.
    along: DVec3,
    length: f64,
    radius: f64,
}

impl Capsule {
    /// The points within `radius` of the segment from `p0` to `p1`, which may be a point.
    ///
    /// *Accepts* a radius from 1e-60 to 1e60 and ends up to 1e60. *Guarantees* exact answers up to
    /// rounding. *Cost* constant. *Fails* with [`SolidError::Number`] on other numbers.
    pub fn new(
        p0: impl Into<DVec3>,
        p1: impl Into<DVec3>,
        radius: f64,
    ) -> Result<Self, SolidError> {
        let p0 = place("the first end of the capsule", p0.into())?;
        let p1 = place("the second end of the capsule", p1.into())?;
        let radius = size("the radius of the capsule", radius)?;
        let along = unit_or(p1 - p0, DVec3::Y);
        Ok(Self { ends: [p0, p1], along, length: p0.distance(p1), radius })
    }

    /// From the nearest point of the segment to a point.
    #[inline]
    fn off(&self, point: DVec3) -> DVec3 {
        let arm = point - self.ends[0];
        arm - self.along * self.along.dot(arm).clamp(0.0, self.length)
    }
}

impl Solid for Capsule {
    fn bounds(&self) -> [DVec3; 2] {
        let [p0, p1] = self.ends;
        widened([p0.min(p1) - self.radius, p0.max(p1) + self.radius], 0.0)
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        known(self.off(point).length() - self.radius, sum(point) + self.extent())
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        unit_or(self.off(point), self.along.any_orthonormal_vector())
    }

    fn place(&self, block: &Block) -> Place {
        convex::place(self, block)
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for Capsule {
    #[inline]
    fn support(&self, direction: DVec3) -> f64 {
        let [p0, p1] = self.ends;
        direction.dot(p0).max(direction.dot(p1)) + self.radius
    }

    #[inline]
    fn extent(&self) -> f64 {
        sum(self.ends[0]) + sum(self.ends[1]) + self.radius
    }
}
