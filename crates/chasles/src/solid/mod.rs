//! Solids that need not be polyhedra: what a point, a box and a segment may ask them.
//!
//! *Question.* How far is a point from the solid, does a box meet it, where does a segment enter
//! it? Any geometry that answers with bounds can be collided with [TOC §2]: shapes with a closed
//! form, their unions, intersections and differences, meshes and soups, distance fields, height
//! fields and the sets where a function is not positive.
//!
//! One promise carries all of them: [`Solid::distance`] is an [`Interval`] that contains the signed
//! distance, negative inside. A sphere knows it to rounding; an intersection knows only one end of
//! it near its edges; both can be used without knowing which it is. So everything that is said
//! about a solid is a bound, and an answer that follows from bounds is never a guess:
//!
//! ```text
//!      low > 0     the ball of radius low about the point misses the solid
//!      high < 0    the ball of radius -high about the point lies in the solid
//!      high >= 0   some point of the solid is no farther than high
//! ```
//!
//! *Accepts* finite points. *Guarantees* the promise, rounding included. *Cost* see each solid.
//! *Fails* where a solid is made: [`SolidError`] says what is wrong. A function that is not a
//! number somewhere gives an interval with an end that is NaN there.

pub mod csg;
mod entry;
mod expression;
pub mod field;
pub mod heights;
mod implicit;
mod level;
pub mod mesh;
pub mod patch;
pub mod shapes;
mod surface;

pub use csg::{Complement, Difference, Intersection, Offset, Transformed, Union};
pub use heights::HeightField;
pub use patch::{Bend, Patch};
pub use shapes::{Capsule, Cone, Cuboid, Cylinder, Ellipsoid, HalfSpace, Sphere, Torus};

use std::fmt;
use std::sync::Arc;

use glam::{DMat3, DVec3};
use thiserror::Error;

pub(crate) use self::entry::PLACE_ERROR;
pub use self::field::{Sdf, SdfError, SdfOptions};
pub use self::mesh::MeshSolid;
pub use self::surface::surface;
use crate::mesh::MeshError;
pub use crate::numeric::Interval;
use crate::numeric::short;
pub use expression::{Expected, Expression, ParseError, ParseErrorKind};
pub use implicit::Implicit;

/// A box along any axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The middle.
    pub center: DVec3,
    /// Unit axes, the columns, at right angles to each other.
    pub axes: DMat3,
    /// Half of the length along each axis, not negative.
    pub half: DVec3,
}

impl Block {
    /// The radius of the ball around it.
    #[inline]
    pub fn radius(&self) -> f64 {
        self.half.length()
    }

    /// Axes of which the first is along a vector, of any length.
    #[inline]
    pub(crate) fn axes_along(way: DVec3) -> DMat3 {
        let x = way.try_normalize().unwrap_or(DVec3::X);
        let (y, z) = x.any_orthonormal_pair();
        DMat3::from_cols(x, y, z)
    }

    /// Half of the lengths of the box along the world's axes around it.
    #[inline]
    pub fn reach(&self) -> DVec3 {
        let DMat3 { x_axis, y_axis, z_axis } = self.axes;
        x_axis.abs() * self.half.x + y_axis.abs() * self.half.y + z_axis.abs() * self.half.z
    }
}

/// Where a box lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// No point of it is in the solid: proven.
    Outside,
    /// All of it is in the solid: proven.
    Inside,
    /// Neither is proven.
    Unsure,
}

/// A set of points that may be asked for bounds.
pub trait Solid: fmt::Debug + Send + Sync {
    /// The lowest and the highest corner of a box around the solid; infinite where it has no end.
    fn bounds(&self) -> [DVec3; 2];

    /// An interval that contains the distance of a point from the surface, negative inside.
    ///
    /// A sheet has no inside and its distance is never negative. *Guarantees* to contain the true
    /// value, rounding included; ends may be infinite, and are NaN where the solid is.
    fn distance(&self, point: DVec3) -> Interval;

    /// The unit normal, outward, of the surface next to a point.
    ///
    /// *Guarantees* the direction in which the distance grows fastest where there is one, and some
    /// unit vector elsewhere.
    fn normal(&self, point: DVec3) -> DVec3;

    /// What [`Solid::distance`] cannot tell apart close to the surface: sampled fields have such
    /// an error, a closed form none beyond rounding.
    fn error(&self) -> f64 {
        0.0
    }

    /// Whether the surface is known to have one tangent plane at each of its points, so that
    /// nothing can touch it but with what a half-space holds. False if in doubt: then any part of
    /// another body may touch it, at an edge or a tip.
    fn is_smooth(&self) -> bool {
        false
    }

    /// How deep solids are nested in it: 0 for one that is made of no others.
    fn nesting(&self) -> u32 {
        0
    }

    /// Whether a box is clear of the solid or inside it, as far as that is easily proven.
    ///
    /// Unless a solid knows better it asks for the distance of the middle.
    fn place(&self, block: &Block) -> Place {
        within(self.distance(block.center), block.radius())
    }

    /// The fraction in `[0, 1]` at which a segment first meets the solid.
    ///
    /// *Guarantees* that no point before it is in the solid, and that a point at or before it comes
    /// closer than `precision` and twice the solid's [error](Solid::error), unless the distance
    /// cannot tell in 100,000 questions; none if the segment stays clear. *Cost* unless a solid
    /// knows better, a few questions for each halving of the segment down to the precision.
    fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
        entry::by_balls(self, from, to, precision)
    }
}

/// Where a ball lies, from the distance of its middle.
#[inline]
pub(crate) fn within(distance: Interval, radius: f64) -> Place {
    if distance.low > radius {
        Place::Outside
    } else if distance.high < -radius {
        Place::Inside
    } else {
        Place::Unsure
    }
}

/// Why a solid cannot be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SolidError {
    /// A length, a point or another number that is not finite, or not in its range.
    #[error("{what} is {}; it must be {expected}", short(*value))]
    Number {
        /// Which.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// A number in a list that is not finite, or not in its range.
    #[error("{what} {index} is {}; it must be {expected}", short(*value))]
    Entry {
        /// Which list.
        what: &'static str,
        /// Its place in the list, from 0.
        index: usize,
        /// What was given.
        value: f64,
        /// What would be right.
        expected: &'static str,
    },
    /// No point is in it.
    #[error("the solid is empty: {0}")]
    Empty(&'static str),
    /// Solids within solids, too many.
    #[error("solids are nested {0} deep; {limit} are enough for any, so join them otherwise", limit = csg::MAX_NESTING)]
    Nested(u32),
    /// It has no end where one is needed.
    #[error("the solid has no end: {0}")]
    Unbounded(&'static str),
    /// Vertices and faces that do not make a mesh.
    #[error("{0}")]
    Mesh(#[from] MeshError),
    /// A function without a value.
    #[error("the function is not a number {0}")]
    Undefined(&'static str),
    /// A text that is not a formula.
    #[error("the formula does not parse: {0}")]
    Expression(#[from] ParseError),
}

macro_rules! through_pointer {
    ($($pointer:ty),*) => {$(
        impl<T: Solid + ?Sized> Solid for $pointer {
            fn bounds(&self) -> [DVec3; 2] {
                (**self).bounds()
            }
            fn distance(&self, point: DVec3) -> Interval {
                (**self).distance(point)
            }
            fn normal(&self, point: DVec3) -> DVec3 {
                (**self).normal(point)
            }
            fn error(&self) -> f64 {
                (**self).error()
            }
            fn is_smooth(&self) -> bool {
                (**self).is_smooth()
            }
            fn nesting(&self) -> u32 {
                (**self).nesting()
            }
            fn place(&self, block: &Block) -> Place {
                (**self).place(block)
            }
            fn entry(&self, from: DVec3, to: DVec3, precision: f64) -> Option<f64> {
                (**self).entry(from, to, precision)
            }
        }
    )*};
}

through_pointer!(&T, Box<T>, Arc<T>);

#[cfg(test)]
mod tests {
    use super::*;

    /// Where `x` is at least 1.
    #[derive(Debug)]
    struct Wall;

    impl Solid for Wall {
        fn bounds(&self) -> [DVec3; 2] {
            [DVec3::NEG_INFINITY.with_x(1.0), DVec3::INFINITY]
        }

        fn distance(&self, point: DVec3) -> Interval {
            Interval::about(1.0 - point.x, 0.0)
        }

        fn normal(&self, _: DVec3) -> DVec3 {
            DVec3::NEG_X
        }
    }

    #[test]
    fn a_segment_enters_within_the_precision_and_not_late() {
        for precision in [1e-2, 1e-6, 1e-12] {
            let at = Wall.entry(DVec3::ZERO, DVec3::X * 3.0, precision).expect("it goes in");
            assert!(at <= 1.0 / 3.0 && at >= 1.0 / 3.0 - precision, "{at}");
        }
        assert_eq!(Wall.entry(DVec3::ZERO, DVec3::Y * 5.0, 1e-9), None);
    }

    #[test]
    fn a_segment_along_the_surface_is_not_followed_for_ever() {
        let just_off = DVec3::X * (1.0 - 1e-9);
        assert_eq!(Wall.entry(just_off, just_off + DVec3::Y, 1e-6), Some(0.0));
        assert!(Wall.entry(just_off, just_off + DVec3::Y, 1e-12).is_some());
    }

    #[test]
    fn boxes_are_placed_by_the_ball_around_them() {
        let half = DVec3::new(0.3, 0.4, 0.0);
        let at = |x: f64| Wall.place(&Block { center: DVec3::X * x, axes: DMat3::IDENTITY, half });
        assert_eq!([at(0.4), at(0.6), at(1.6)], [Place::Outside, Place::Unsure, Place::Inside]);
    }
}
