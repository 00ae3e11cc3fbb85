//! What a flat figure sweeps when it turns about y: cylinders, cones and tori.
//!
//! The distance is that of the figure in the half-plane of the radius `ρ = √(x² + z²)` and the
//! height `y`: the nearest point lies in the plane through the axis and the point, on its side of
//! the axis.

use glam::{DVec2, DVec3};

use super::super::{Block, Interval, Place, Solid, SolidError};
use super::convex::{self, Convex};
use super::{known, size, sum, widened};

/// A point as radius and height.
#[inline]
fn flattened(point: DVec3) -> DVec2 {
    DVec2::new(DVec2::new(point.x, point.z).length(), point.y)
}

/// A direction of the half-plane of a point, in space; its radius is along x on the axis.
fn turned(direction: DVec2, point: DVec3) -> DVec3 {
    let out = DVec2::new(point.x, point.z).try_normalize().unwrap_or(DVec2::X);
    DVec3::new(direction.x * out.x, direction.y, direction.x * out.y)
}

/// The box around what turns about y.
fn around(radius: f64, half_height: f64) -> [DVec3; 2] {
    let corner = DVec3::new(radius, half_height, radius);
    widened([-corner, corner], 0.0)
}

/// A cylinder along y, its middle at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    radius: f64,
    half_height: f64,
}

impl Cylinder {
    /// The cylinder of this radius from `-height / 2` to `height / 2`.
    ///
    /// *Accepts* sizes from 1e-60 to 1e60. *Guarantees* exact answers up to rounding. *Cost*
    /// constant. *Fails* with [`SolidError::Number`] on other sizes.
    pub fn new(radius: f64, height: f64) -> Result<Self, SolidError> {
        let radius = size("the radius of the cylinder", radius)?;
        let half_height = 0.5 * size("the height of the cylinder", height)?;
        Ok(Self { radius, half_height })
    }

    /// How far a point is beyond the side and beyond the nearer cap.
    #[inline]
    fn beyond(&self, point: DVec3) -> DVec2 {
        let flat = flattened(point);
        DVec2::new(flat.x - self.radius, flat.y.abs() - self.half_height)
    }
}

impl Solid for Cylinder {
    fn bounds(&self) -> [DVec3; 2] {
        around(self.radius, self.half_height)
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let beyond = self.beyond(point);
        let deepest = beyond.max_element();
        let value = if deepest > 0.0 { beyond.max(DVec2::ZERO).length() } else { deepest };
        known(value, sum(point) + self.extent())
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let beyond = self.beyond(point);
        let nearest = if beyond.x >= beyond.y { DVec2::X } else { DVec2::Y };
        let deepest = beyond.max_element();
        let outward = if deepest > 0.0 { beyond.max(DVec2::ZERO) } else { nearest };
        let outward = outward.try_normalize().unwrap_or(nearest);
        turned(DVec2::new(outward.x, outward.y.copysign(point.y)), point)
    }

    fn place(&self, block: &Block) -> Place {
        convex::place(self, block)
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for Cylinder {
    #[inline]
    fn support(&self, direction: DVec3) -> f64 {
        let flat = flattened(direction);
        flat.x * self.radius + flat.y.abs() * self.half_height
    }

    #[inline]
    fn extent(&self) -> f64 {
        self.radius + self.half_height
    }
}

/// A cone along y, its apex above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    radius: f64,
    half_height: f64,
    /// From the apex down the side, a unit vector of the half-plane.
    down: DVec2,
    /// The length of the side.
    side: f64,
}

/// What of a cone is next to a point.
enum Nearest {
    /// The side or the base, with its normal and the height above it.
    Face(DVec2, f64),
    /// The apex or the rim, with the way from there.
    Corner(DVec2),
}

impl Cone {
    /// The cone with its apex at `height / 2` and a base of this radius at `-height / 2`.
    ///
    /// *Accepts* sizes from 1e-60 to 1e60. *Guarantees* exact answers up to rounding. *Cost*
    /// constant. *Fails* with [`SolidError::Number`] on other sizes.
    pub fn new(radius: f64, height: f64) -> Result<Self, SolidError> {
        let radius = size("the radius of the cone", radius)?;
        let half_height = 0.5 * size("the height of the cone", height)?;
        let side = DVec2::new(radius, -height);
        Ok(Self { radius, half_height, down: side.normalize(), side: side.length() })
    }

    /// The nearest feature of the figure, a triangle of which the axis is no side.
    ///
    /// A point below the base and within its radius is next to the base, one above the side and
    /// between its ends is next to the side; another one outside is next to the apex or the rim.
    /// Inside, the nearer of the two lines is the nearest, as the triangle is convex.
    #[inline]
    fn nearest(&self, point: DVec3) -> Nearest {
        let flat = flattened(point);
        let arm = flat - DVec2::new(0.0, self.half_height);
        let out = DVec2::new(-self.down.y, self.down.x);
        let (height, along) = (out.dot(arm), self.down.dot(arm));
        let below = -self.half_height - flat.y;
        if below > 0.0 && flat.x <= self.radius {
            Nearest::Face(DVec2::NEG_Y, below)
        } else if height > 0.0 && (0.0..=self.side).contains(&along) {
            Nearest::Face(out, height)
        } else if height <= 0.0 && below <= 0.0 {
            let base_is_nearer = below > height;
            if base_is_nearer {
                Nearest::Face(DVec2::NEG_Y, below)
            } else {
                Nearest::Face(out, height)
            }
        } else if along < 0.0 {
            Nearest::Corner(arm)
        } else {
            Nearest::Corner(flat - DVec2::new(self.radius, -self.half_height))
        }
    }
}

impl Solid for Cone {
    fn bounds(&self) -> [DVec3; 2] {
        around(self.radius, self.half_height)
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let value = match self.nearest(point) {
            Nearest::Face(_, height) => height,
            Nearest::Corner(arm) => arm.length(),
        };
        known(value, sum(point) + self.extent())
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        let outward = match self.nearest(point) {
            Nearest::Face(normal, _) => normal,
            Nearest::Corner(arm) => arm.try_normalize().unwrap_or(DVec2::Y),
        };
        turned(outward, point)
    }

    fn place(&self, block: &Block) -> Place {
        convex::place(self, block)
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        convex::entry(self, from, to, precision)
    }
}

impl Convex for Cone {
    #[inline]
    fn support(&self, direction: DVec3) -> f64 {
        let flat = flattened(direction);
        let up = flat.y * self.half_height;
        up.max(flat.x * self.radius - up)
    }

    #[inline]
    fn extent(&self) -> f64 {
        self.radius + 2.0 * self.half_height
    }
}

/// A torus around y, its middle at the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    major: f64,
    minor: f64,
}

impl Torus {
    /// The points within `minor` of the circle of radius `major` in the xz plane.
    ///
    /// *Accepts* sizes from 1e-60 to 1e60, `minor` below `major`. *Guarantees* exact distances up
    /// to rounding; boxes are placed by the ball around them and segments halved, since no plane
    /// parts what goes through the hole. *Cost* constant. *Fails* with [`SolidError::Number`] on
    /// other sizes.
    pub fn new(major: f64, minor: f64) -> Result<Self, SolidError> {
        let major = size("the major radius of the torus", major)?;
        let what = "the minor radius of the torus";
        let minor = size(what, minor)?;
        if minor < major {
            return Ok(Self { major, minor });
        }
        Err(SolidError::Number { what, value: minor, expected: "less than the major radius" })
    }

    /// From the middle of the tube to a point.
    #[inline]
    fn arm(&self, point: DVec3) -> DVec2 {
        flattened(point) - DVec2::new(self.major, 0.0)
    }
}

impl Solid for Torus {
    fn bounds(&self) -> [DVec3; 2] {
        around((self.major + self.minor).next_up(), self.minor)
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let value = self.arm(point).length() - self.minor;
        known(value, sum(point) + self.major + self.minor)
    }

    fn is_smooth(&self) -> bool {
        true
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        turned(self.arm(point).try_normalize().unwrap_or(DVec2::Y), point)
    }
}
