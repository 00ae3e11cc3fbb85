//! Sets where a function is not positive, from what is known of it over boxes.
//!
//! *Question.* Given bounds of a function and of its slopes over boxes, which boxes are clear of
//! the set where it is not positive, how far is a point from it, where does a segment enter it?
//!
//! Two bounds hold over a box with the middle `c`, half lengths `h` along its axes `a`:
//!
//! ```text
//!      natural      f over the box along the world's axes around it, by intervals
//!      mean value   f(c) + sum of h_i [-1, 1] (a_i . grad f over that box)
//! ```
//!
//! The first is wide by the first power of the size of the box and by every variable that occurs
//! twice; the second by the square of the size, and follows boxes that are long, thin and aslant.
//! Either decides.
//!
//! *Accepts* a [`Field`] and a box that cuts it, which may be infinite. *Guarantees* the promises
//! of [`Solid`](super::Solid), as far as those of the field are true. *Cost* a value, a gradient
//! and a value at a point for a box; up to some dozen for a distance. *Fails* to prove anything
//! next to places where the function may have no value: nothing there is clear, and nothing inside.

mod check;
mod distance;
mod entry;

use glam::DVec3;

use super::{Block, Place, SolidError};
use crate::numeric::Interval;

/// Answers as the level within does.
macro_rules! solid_by_level {
    ($solid:ty) => {
        impl crate::solid::Solid for $solid {
            fn bounds(&self) -> [glam::DVec3; 2] {
                self.level.bounds
            }
            fn distance(&self, point: glam::DVec3) -> crate::numeric::Interval {
                self.level.distance(point)
            }
            fn normal(&self, point: glam::DVec3) -> glam::DVec3 {
                self.level.normal(point)
            }
            fn place(&self, block: &crate::solid::Block) -> crate::solid::Place {
                self.level.place(block)
            }
            fn entry(&self, from: glam::DVec3, to: glam::DVec3, precision: f64) -> Option<f64> {
                self.level.entry(from, to, precision)
            }
        }
    };
}

pub(super) use solid_by_level;

/// A box along the axes.
pub(super) type Cell = [Interval; 3];

/// A function of space with bounds.
pub(super) trait Field: Sized {
    /// Its values over a box; NaN if it may have none somewhere in it.
    fn over(&self, cell: &Cell) -> Interval;

    /// The same and, unless the values are enough, the slopes over the box.
    fn over_with_slopes(
        &self,
        cell: &Cell,
        enough: impl FnOnce(Interval) -> bool,
    ) -> (Interval, Slopes);

    /// Its value and gradient at a point, about: guesses are made from it, nothing else.
    fn guess(&self, point: DVec3) -> (f64, DVec3);

    /// A function with the same values all over a box that is faster, if there is one.
    fn narrowed(&self, _: &Cell) -> Option<Self> {
        None
    }
}

/// Bounds of a gradient.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slopes {
    /// Each of its coordinates.
    pub(super) parts: Cell,
    /// At least its length.
    pub(super) steepest: f64,
}

/// More than the rounding of a length, a sum of three products and the like: four units of them.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Lengths below this have squares that lose digits, or are zero, as doubles.
const SHORTEST: f64 = 1e-140;

/// At least a number that was computed with a few roundings and is not negative.
#[inline]
fn above(value: f64) -> f64 {
    value + (value * ROUNDING + f64::MIN_POSITIVE)
}

/// The same, at most that number.
#[inline]
fn below(value: f64) -> f64 {
    (value - (value * ROUNDING + f64::MIN_POSITIVE)).max(0.0)
}

/// At least the length of a vector: the sum of its coordinates if squares are too small.
#[inline]
fn length_above(vector: DVec3) -> f64 {
    let length = vector.length();
    above(if length < SHORTEST { vector.abs().element_sum() } else { length })
}

impl Slopes {
    /// Nothing is known.
    pub(super) const NAN: Self = Self { parts: [Interval::NAN; 3], steepest: f64::NAN };

    /// From bounds of the coordinates.
    #[inline]
    pub(super) fn of(parts: Cell) -> Self {
        Self { parts, steepest: length_above(parts.map(Interval::magnitude).into()) }
    }

    /// A bound of the slope along a vector, per its length.
    #[inline]
    pub(super) fn along(&self, vector: DVec3) -> Interval {
        let [x, y, z] = self.parts;
        x * Interval::point(vector.x)
            + y * Interval::point(vector.y)
            + z * Interval::point(vector.z)
    }

    /// How much the function changes at most from the middle of a box to anywhere in it.
    #[inline]
    fn change(&self, block: &Block) -> f64 {
        let along = |axis: DVec3, half: f64| self.along(axis).magnitude() * half;
        let [x, y, z] = [block.axes.x_axis, block.axes.y_axis, block.axes.z_axis];
        let by_axes = along(x, block.half.x) + along(y, block.half.y) + along(z, block.half.z);
        above(by_axes.min(self.steepest * length_above(block.half)))
    }
}

/// A single point as a box.
#[inline]
pub(super) fn at(point: DVec3) -> Cell {
    point.to_array().map(Interval::point)
}

/// The box along the axes about a point.
#[inline]
fn cube(point: DVec3, half: f64) -> Cell {
    point.to_array().map(|middle| Interval::about(middle, half))
}

/// The set where a function is not positive, cut by a box.
#[derive(Clone, Debug)]
pub(super) struct Level<F> {
    pub(super) field: F,
    pub(super) bounds: [DVec3; 2],
}

impl<F: Field> Level<F> {
    /// The set, if it can be told that it is one.
    ///
    /// *Fails* if the box is wrong, if no point is in the set or the function is nowhere a number:
    /// see [`SolidError`].
    pub(super) fn new(field: F, bounds: Option<[DVec3; 2]>) -> Result<Self, SolidError> {
        let bounds = bounds.unwrap_or([DVec3::NEG_INFINITY, DVec3::INFINITY]);
        for (low, high) in bounds[0].to_array().into_iter().zip(bounds[1].to_array()) {
            check::range(low, high)?;
        }
        let level = Self { field, bounds };
        level.check()?;
        Ok(level)
    }

    /// The part of a box that lies in the bounds, or none.
    fn clipped(&self, cell: &Cell) -> Option<Cell> {
        let [low, high] = self.bounds.map(|corner| corner.to_array());
        let mut part = *cell;
        for axis in 0..3 {
            part[axis] = part[axis].clamp_to(Interval::new(low[axis], high[axis]));
            if part[axis].low > part[axis].high {
                return None;
            }
        }
        Some(part)
    }

    /// Whether a point lies in the bounds.
    fn is_within(&self, point: DVec3) -> bool {
        point.cmpge(self.bounds[0]).all() && point.cmple(self.bounds[1]).all()
    }

    /// Whether a box is clear of the set or in it, by the natural bound and the mean value.
    pub(super) fn place(&self, block: &Block) -> Place {
        let reach = (block.reach() * (1.0 + 2.0 * ROUNDING)).to_array();
        let center = block.center.to_array();
        let cell: Cell = std::array::from_fn(|axis| Interval::about(center[axis], reach[axis]));
        let Some(part) = self.clipped(&cell) else { return Place::Outside };
        let is_whole = part == cell;
        if !is_whole && self.field.over(&part).low > 0.0 {
            return Place::Outside;
        }
        let decided = |value: Interval| value.low > 0.0 || (is_whole && value.high <= 0.0);
        let (value, slopes) = self.field.over_with_slopes(&cell, decided);
        if decided(value) {
            return if value.low > 0.0 { Place::Outside } else { Place::Inside };
        }
        let middle = self.field.over(&at(block.center));
        let change = slopes.change(block);
        if middle.low > change {
            Place::Outside
        } else if middle.high <= -change && is_whole {
            Place::Inside
        } else {
            Place::Unsure
        }
    }

    /// The direction in which the function grows, or of the box that cuts it where that is
    /// nearer.
    pub(super) fn normal(&self, point: DVec3) -> DVec3 {
        let (value, gradient) = self.field.guess(point);
        let edge = self.edge(point).low;
        // Not a number where the function or its gradient is none: the bounds are all there is.
        let surface = value / gradient.length();
        if edge.is_finite() && (surface.is_nan() || surface <= edge) {
            return self.edge_normal(point);
        }
        // Scaled first: squares of tiny slopes lose digits.
        let scaled = gradient / gradient.abs().max_element();
        scaled.try_normalize().unwrap_or(DVec3::Z)
    }

    /// The outward normal of the bounds next to a point.
    fn edge_normal(&self, point: DVec3) -> DVec3 {
        let nearest = point.clamp(self.bounds[0], self.bounds[1]);
        if let Some(outward) = (point - nearest).try_normalize() {
            return outward;
        }
        let gaps = [point - self.bounds[1], self.bounds[0] - point];
        let upper = gaps[0].max_element() >= gaps[1].max_element();
        let gap = if upper { gaps[0] } else { gaps[1] };
        let axis = DVec3::AXES[gap.max_position()];
        if upper { axis } else { -axis }
    }
}
