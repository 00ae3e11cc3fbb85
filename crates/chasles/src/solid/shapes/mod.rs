//! Solids with a closed form: spheres, ellipsoids, boxes, capsules, cylinders, cones, tori and
//! half-spaces.
//!
//! *Question.* As in [`crate::solid`]. They stand as those of [`crate::mesh::shapes`] do: axes
//! along y, middles at the origin unless a place is given; [`super::Transformed`] puts them
//! elsewhere.
//!
//! *Accepts* sizes from 1e-60 to 1e60 and places up to 1e60, so that squares neither overflow nor
//! vanish. *Guarantees* distances up to rounding, some 4e-15 of the largest number involved; boxes
//! are placed and segments enter by planes between them and the solid, but for the torus.
//! *Cost* a few nanoseconds a question. *Fails* with [`SolidError::Number`] on other sizes; points
//! beyond 1e100 are told nothing ([`Interval::ALL`]).

mod convex;
mod ellipsoid;
mod flat;
mod round;
mod turned;

pub use ellipsoid::Ellipsoid;
pub use flat::{Cuboid, HalfSpace};
pub use round::{Capsule, Sphere};
pub use turned::{Cone, Cylinder, Torus};

use glam::DVec3;

use super::{Interval, SolidError};
use crate::numeric::LARGEST_COORDINATE;

/// What a distance may be wrong by, relative to the numbers it is made of.
///
/// A point's distance takes differences, a length or two and a projection onto a unit vector that
/// is itself rounded. With `u = 2^-53` and `S` the sum of all coordinates and sizes involved, each
/// difference adds `u S`, a length `3.5 u S`, a unit vector `3 u S`, a projection `3 u S`: all of
/// them at most `20 u S` for the longest chain, that of the capsule. This is `32 u S`.
pub(crate) const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The interval around a computed distance; `scale` is `S` of [`ROUNDING`].
///
/// The least normal number is for products that vanish.
#[inline]
pub(crate) fn known(value: f64, scale: f64) -> Interval {
    if scale < LARGEST_COORDINATE {
        Interval::about(value, ROUNDING * scale + f64::MIN_POSITIVE)
    } else {
        Interval::ALL
    }
}

/// The sum of the sizes of the coordinates.
#[inline]
pub(crate) fn sum(v: DVec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

/// A box with its ends moved outward by what they may be wrong by.
pub(crate) fn widened([low, high]: [DVec3; 2], error: f64) -> [DVec3; 2] {
    let down = |v: f64| (v - error).next_down();
    let up = |v: f64| (v + error).next_up();
    [
        DVec3::new(down(low.x), down(low.y), down(low.z)),
        DVec3::new(up(high.x), up(high.y), up(high.z)),
    ]
}

/// A unit vector along `v`, or another one where `v` has no direction.
#[inline]
pub(crate) fn unit_or(v: DVec3, other: DVec3) -> DVec3 {
    v.try_normalize().unwrap_or(other)
}

/// A length above zero.
pub(crate) fn size(what: &'static str, value: f64) -> Result<f64, SolidError> {
    // NaN is in no range.
    if (1e-60..=1e60).contains(&value) {
        return Ok(value);
    }
    Err(SolidError::Number { what, value, expected: "a positive number from 1e-60 to 1e60" })
}

/// A coordinate, or another number of either sign.
pub(crate) fn number(what: &'static str, value: f64) -> Result<f64, SolidError> {
    if (-1e60..=1e60).contains(&value) {
        return Ok(value);
    }
    Err(SolidError::Number { what, value, expected: "a number from -1e60 to 1e60" })
}

/// A place, each coordinate by itself.
pub(crate) fn place(what: &'static str, value: DVec3) -> Result<DVec3, SolidError> {
    value.to_array().into_iter().try_for_each(|v| number(what, v).map(drop))?;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solid::{Block, Place, Solid};
    use glam::DMat3;

    fn near(solid: &dyn Solid, point: [f64; 3], distance: f64) {
        let found = solid.distance(point.into());
        assert!(found.contains(distance) && found.radius() < 1e-13, "{found:?}, not {distance}");
    }

    #[test]
    fn distances_are_those_of_the_drawing_board() {
        near(&Sphere::new([1.0, 0.0, 0.0], 2.0).expect("a sphere"), [1.0, 3.0, 4.0], 3.0);
        let brick = Cuboid::new([2.0, 4.0, 6.0]).expect("a box");
        near(&brick, [4.0, 2.0, 7.0], 5.0);
        near(&brick, [0.5, 0.0, 0.0], -0.5);
        let capsule = Capsule::new([0.0; 3], [4.0, 0.0, 0.0], 1.0).expect("a capsule");
        near(&capsule, [2.0, 3.0, 0.0], 2.0);
        near(&capsule, [7.0, 0.0, 4.0], 4.0);
        let cylinder = Cylinder::new(1.0, 2.0).expect("a cylinder");
        near(&cylinder, [4.0, 5.0, 0.0], 5.0);
        near(&cylinder, [0.0, 0.9, 0.5], 0.9 - 1.0);
        let cone = Cone::new(3.0, 4.0).expect("a cone");
        near(&cone, [0.0, 3.0, 0.0], 1.0);
        near(&cone, [4.0, 3.0, 0.0], 3.8);
        near(&cone, [6.0, -6.0, 0.0], 5.0);
        near(&cone, [1.0, -1.9, 0.0], 1.9 - 2.0);
        let egg = Ellipsoid::new([1.0, 2.0, 3.0]).expect("an ellipsoid");
        near(&egg, [0.0, 0.0, 5.0], 2.0);
        near(&egg, [0.0, 1.5, 0.0], -0.5);
        near(&egg, [0.0, 0.0, 0.0], -1.0);
        near(&Torus::new(2.0, 0.5).expect("a torus"), [5.0, 4.0, 0.0], 4.5);
        let floor = HalfSpace::new([0.0, 2.0, 0.0], 1.0).expect("a half-space");
        near(&floor, [9.0, 3.0, 9.0], 2.0);
    }

    #[test]
    fn a_long_thin_box_beside_a_flat_wall_is_told_apart_whole() {
        let floor = HalfSpace::new([0.0, 1.0, 0.0], 0.0).expect("a half-space");
        let rod = |y: f64| Block {
            center: DVec3::Y * y,
            axes: DMat3::IDENTITY,
            half: DVec3::new(100.0, 0.01, 0.01),
        };
        assert_eq!(floor.place(&rod(0.02)), Place::Outside);
        assert_eq!(floor.place(&rod(-0.02)), Place::Inside);
        assert_eq!(floor.place(&rod(0.0)), Place::Unsure);
    }

    #[test]
    fn sizes_that_are_none_are_refused_with_their_names() {
        let message = |error: SolidError| error.to_string();
        let sphere = Sphere::new([0.0; 3], f64::NAN).expect_err("refused");
        assert_eq!(
            message(sphere),
            "the radius of the sphere is NaN; it must be a positive number from 1e-60 to 1e60"
        );
        assert!(Cuboid::new([1.0, 0.0, 1.0]).is_err());
        assert!(Capsule::new([f64::INFINITY, 0.0, 0.0], [0.0; 3], 1.0).is_err());
        assert!(HalfSpace::new([0.0; 3], 1.0).is_err());
        assert!(Ellipsoid::new([1.0, 1.0, 0.0]).is_err());
        assert!(Ellipsoid::new([1.0, 1.0, 1e-5]).is_err());
        assert!(Torus::new(1.0, 1.0).is_err());
        assert!(Cone::new(-1.0, 1.0).is_err() && Cylinder::new(1.0, 1e61).is_err());
    }

    #[test]
    fn points_beyond_all_numbers_are_told_nothing() {
        let sphere = Sphere::new([0.0; 3], 1.0).expect("a sphere");
        assert_eq!(sphere.distance(DVec3::splat(1e200)), Interval::ALL);
        assert_eq!(
            sphere.place(&Block {
                center: DVec3::splat(1e200),
                axes: DMat3::IDENTITY,
                half: DVec3::ONE,
            }),
            Place::Unsure
        );
    }
}
