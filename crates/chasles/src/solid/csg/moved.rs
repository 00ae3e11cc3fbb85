//! Solids put elsewhere, turned, and made larger or smaller.

use glam::{DMat3, DVec3};

use super::super::entry::by_boxes;
use super::super::shapes::{ROUNDING, place, size, sum, widened};
use super::super::{Block, Interval, Place, Solid, SolidError};
use super::nested;
use crate::motion::Pose;

/// A solid in another place.
#[derive(Debug)]
pub struct Transformed {
    solid: Box<dyn Solid>,
    position: DVec3,
    /// The axes of the solid in the world, the columns.
    axes: DMat3,
    /// From the world to the solid, without the shift.
    back: DMat3,
    scale: f64,
    nesting: u32,
}

impl Transformed {
    /// The solid scaled about its origin, then moved by a pose.
    ///
    /// *Accepts* a scale from 1e-60 to 1e60 and positions up to 1e60. *Guarantees* the solid's
    /// answers, with the rounding of the frame: some 4e-15 of the distance from the position.
    /// *Cost* that of the solid and a product with a matrix. *Fails* with [`SolidError::Number`] on
    /// other numbers.
    pub fn new(solid: Box<dyn Solid>, pose: Pose, scale: f64) -> Result<Self, SolidError> {
        let scale = size("the scale", scale)?;
        let position = place("the position of the solid", pose.position())?;
        let axes = DMat3::from_quat(pose.rotation());
        let (back, nesting) = (axes.transpose() * (1.0 / scale), nested([&solid])?);
        Ok(Self { solid, position, axes, back, scale, nesting })
    }

    #[inline]
    fn local(&self, point: DVec3) -> DVec3 {
        self.back * (point - self.position)
    }

    /// What a place may be wrong by in the frame of the solid, as a length of the world: nine
    /// products of a difference, which is rounded once, with numbers that are a few roundings
    /// off, and their sums. The least normal number is for products that vanish.
    #[inline]
    fn rounding(&self, point: DVec3) -> f64 {
        ROUNDING * sum(point - self.position) + f64::MIN_POSITIVE
    }
}

impl Solid for Transformed {
    fn bounds(&self) -> [DVec3; 2] {
        let [low, high] = self.solid.bounds();
        // Intervals know that nothing times infinity is nothing.
        let side = |axis: usize| Interval::new(low[axis], high[axis]);
        let end = |row: DVec3, shift: f64| {
            let turned = |axis: usize| Interval::point(row[axis]) * side(axis);
            let scaled = (turned(0) + turned(1) + turned(2)) * Interval::point(self.scale);
            scaled + Interval::point(shift)
        };
        let ends = [0, 1, 2].map(|i| end(self.axes.row(i), self.position[i]));
        let corner = |pick: fn(Interval) -> f64| DVec3::from_array(ends.map(pick));
        // The axes are a few roundings off, by which finite ends move.
        let finite = |v: f64| if v.is_finite() { v.abs() } else { 0.0 };
        let reach = [low, high].map(|v| v.to_array().map(finite).iter().sum::<f64>());
        let error = ROUNDING * (self.scale * (reach[0] + reach[1]) + sum(self.position));
        widened([corner(|i| i.low), corner(|i| i.high)], error)
    }

    #[inline]
    fn distance(&self, point: DVec3) -> Interval {
        let Interval { low, high } = self.solid.distance(self.local(point));
        let error = self.rounding(point);
        let scaled = Interval::new(low * self.scale, high * self.scale).outward();
        Interval::new(scaled.low - error, scaled.high + error).outward()
    }

    fn is_smooth(&self) -> bool {
        self.solid.is_smooth()
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.axes * self.solid.normal(self.local(point))
    }

    fn error(&self) -> f64 {
        self.solid.error() * self.scale
    }

    fn nesting(&self) -> u32 {
        self.nesting
    }

    fn place(&self, block: &Block) -> Place {
        let rounding = self.rounding(block.center) + ROUNDING * sum(block.half);
        self.solid.place(&Block {
            center: self.local(block.center),
            axes: self.axes.transpose() * block.axes,
            half: (block.half + rounding) / self.scale * (1.0 + 2.0 * f64::EPSILON),
        })
    }

    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        by_boxes(self, from, to, precision)
    }
}
