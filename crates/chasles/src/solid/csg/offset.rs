//! Complements, and solids grown or shrunk by a length.

use glam::{DMat3, DVec3};

use super::super::entry::by_boxes;
use super::super::shapes::{number, widened};
use super::super::{Block, Interval, Place, Solid, SolidError, within};
use super::shown::shown;
use super::{SHOWN_NESTING, nested};

/// All that is not inside of a solid.
#[derive(Debug)]
pub struct Complement {
    solid: Box<dyn Solid>,
    nesting: u32,
}

impl Complement {
    /// The outside of a solid, with its surface.
    ///
    /// *Accepts* any solid. *Guarantees* the solid's interval with the other sign. *Cost* that of
    /// the solid. *Fails* beyond 256 levels of nesting.
    pub fn new(solid: Box<dyn Solid>) -> Result<Self, SolidError> {
        let nesting = nested([&solid])?;
        Ok(Self { solid, nesting })
    }
}

impl Solid for Complement {
    fn bounds(&self) -> [DVec3; 2] {
        [DVec3::NEG_INFINITY, DVec3::INFINITY]
    }

    fn distance(&self, point: DVec3) -> Interval {
        -self.solid.distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        -self.solid.normal(point)
    }

    fn error(&self) -> f64 {
        self.solid.error()
    }

    fn nesting(&self) -> u32 {
        self.nesting
    }

    fn place(&self, block: &Block) -> Place {
        match self.solid.place(block) {
            Place::Outside => Place::Inside,
            Place::Inside => Place::Outside,
            Place::Unsure => Place::Unsure,
        }
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        by_boxes(self, from, to, precision)
    }
}

/// A solid grown or shrunk by a length.
///
/// Grown by `k` it is all that is within `k` of the solid; shrunk by `k`, what has a ball of radius
/// `k` around it in the solid. Shrinking mirrors growing: it grows the complement, and so both are
/// computed as one, with the signs of the complement.
#[derive(Debug)]
pub struct Offset {
    solid: Box<dyn Solid>,
    /// How far the solid, or its complement, is grown.
    by: f64,
    is_grown: bool,
    bounds: [DVec3; 2],
    nesting: u32,
}

impl Offset {
    /// The solid grown by a positive length, or shrunk by a negative one.
    ///
    /// *Accepts* lengths up to 1e60 of either sign. *Guarantees* an interval with both ends where
    /// the solid's has them, but for places that are not closest to any point of the new surface
    /// (deep inside what is grown, far outside what is shrunk). *Cost* a question or two to the
    /// solid. *Fails* with [`SolidError::Number`] on other numbers, and with [`SolidError::Empty`]
    /// if the box around the solid is shrunk to nothing.
    pub fn new(solid: Box<dyn Solid>, by: f64) -> Result<Self, SolidError> {
        let by = number("the offset", by)?;
        let [low, high] = solid.bounds();
        let bounds = widened([low - by, high + by], 0.0);
        if bounds[0].cmpgt(bounds[1]).any() {
            return Err(SolidError::Empty("the solid is shrunk to nothing"));
        }
        let nesting = nested([&solid])?;
        Ok(Self { solid, by: by.abs(), is_grown: by >= 0.0, bounds, nesting })
    }

    /// An interval with the sign of what is grown.
    #[inline]
    fn signed(&self, interval: Interval) -> Interval {
        if self.is_grown { interval } else { -interval }
    }

    /// A box around all that is within the offset of a box.
    fn around(&self, block: &Block) -> Block {
        let normal = self.solid.normal(block.center);
        let (y, z) = normal.any_orthonormal_pair();
        let axes = DMat3::from_cols(normal, y, z);
        let seen = Block { axes: axes.transpose() * block.axes, ..*block };
        // The factor is for the rounding of the axes and of this line.
        let half = (seen.reach() + self.by) * (1.0 + 16.0 * f64::EPSILON);
        Block { center: block.center, axes, half }
    }

    /// A lower end inside of what is grown: how far a point is that is outside.
    fn low_inside(&self, point: DVec3) -> f64 {
        let look = |at| {
            let normal = self.solid.normal(at);
            let away = self.signed(self.solid.distance(at)).low;
            (self.by - away, if self.is_grown { normal } else { -normal })
        };
        let is_shown = self.nesting <= SHOWN_NESTING;
        let out = if is_shown { shown(point, look) } else { f64::INFINITY };
        let [low, high] = self.bounds;
        let by_box = (point - low).min(high - point).min_element();
        if self.is_grown { (-out).max((-by_box).next_down()) } else { -out }
    }
}

impl Solid for Offset {
    fn bounds(&self) -> [DVec3; 2] {
        self.bounds
    }

    fn distance(&self, point: DVec3) -> Interval {
        let away = self.signed(self.solid.distance(point)) - Interval::point(self.by);
        if away.is_nan() {
            return away;
        }
        let low = if away.low >= 0.0 { away.low } else { self.low_inside(point) };
        self.signed(Interval::new(low.min(away.high), away.high))
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.solid.normal(point)
    }

    fn error(&self) -> f64 {
        self.solid.error()
    }

    fn nesting(&self) -> u32 {
        self.nesting
    }

    /// By the box, and by a larger one that holds all within the offset of it. The larger one
    /// stands along the normal, so that it reaches no farther than it must towards the surface.
    fn place(&self, block: &Block) -> Place {
        // Two questions a level are a power of two in deep nests.
        if self.nesting > SHOWN_NESTING {
            return within(self.distance(block.center), block.radius());
        }
        let [inner, outer] = [*block, self.around(block)].map(|b| self.solid.place(&b));
        let [grown, shrunk] = if self.is_grown { [inner, outer] } else { [outer, inner] };
        if grown == Place::Inside {
            Place::Inside
        } else if shrunk == Place::Outside {
            Place::Outside
        } else {
            within(self.distance(block.center), block.radius())
        }
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        by_boxes(self, from, to, precision)
    }
}
