//! Bodies with a round surface: spheres, capsules, flat-ended cylinders, cones and ellipsoids.

use std::f64::consts::PI;

use glam::{DMat3, DQuat, DVec3};
use thiserror::Error;

use super::ellipsoid::MOST_RATIO;
use crate::mesh::shapes::{self, Shape, ShapeError};
use crate::mesh::{Mass, Polygons};
use crate::motion::Pose;
use crate::numeric::Elementary;
use crate::numeric::{LARGEST_COORDINATE, SMALLEST_COORDINATE, short, without_dust};

/// Why a round body cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum RoundError {
    /// The radius is not a length.
    #[error("the radius of the {what} is {}: it must be from 1e-120 to 1e100", short(*value))]
    Radius {
        /// `sphere`, `capsule`, `cylinder` or `cone`.
        what: &'static str,
        /// What was given.
        value: f64,
    },
    /// A point is NaN, infinite, or so far that products overflow.
    #[error("an end of the {what} is at {value}: coordinates must be finite and below 1e100")]
    Point {
        /// `sphere`, `capsule`, `cylinder`, `cone` or `ellipsoid`.
        what: &'static str,
        /// What was given.
        value: DVec3,
    },
    /// Both ends of a cylinder are at one place, so it has no axis.
    #[error("both ends of the cylinder are at {0}: they must be apart")]
    NoAxis(DVec3),
    /// The half axes of an ellipsoid are no lengths.
    #[error("the half axes of the ellipsoid are {0}: they must be from 1e-120 to 1e100")]
    HalfAxes(DVec3),
    /// One half axis of an ellipsoid is much longer than another.
    #[error(
        "the half axes of the ellipsoid are {0}: none may be over 10000 times as long as another"
    )]
    Thin(DVec3),
    /// A cone has no height, or is much higher than wide, or wider than high.
    #[error(
        "the cone has radius {} and height {}: neither may be over 10000 times as long as the \
         other",
        short(*radius), short(*height)
    )]
    Flat {
        /// Of the base.
        radius: f64,
        /// From the base to the tip.
        height: f64,
    },
}

/// What bounds a round body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Kind {
    /// All points at the radius from a point.
    Sphere,
    /// All points at the radius from a segment.
    Capsule,
    /// A side around a segment, and flat ends.
    Cylinder,
    /// A side from a flat round base to a tip.
    Cone,
    /// A sphere stretched along three axes at right angles.
    Ellipsoid,
}

impl Kind {
    /// Whether it is all points within a radius of a point or a segment.
    pub(super) fn has_core(self) -> bool {
        matches!(self, Self::Sphere | Self::Capsule)
    }
}

/// A sphere, a capsule, a cylinder with flat ends, a cone or an ellipsoid, in its own frame.
///
/// The *core* is the segment between the two ends; a sphere's has no length, nor has an
/// ellipsoid's. All points within the radius of the core are a capsule; of these, a cylinder has
/// those that lie between its ends. A cone has its base at end 0, with the radius, and its tip at
/// end 1. The radius of an ellipsoid is the shortest of its half axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Round {
    pub(super) kind: Kind,
    pub(super) centre: DVec3,
    /// The unit vector from end 0 to end 1; z for a sphere, the third axis of an ellipsoid.
    pub(super) axis: DVec3,
    pub(super) half: f64,
    pub(super) radius: f64,
    /// The first axis of an ellipsoid; zero for others.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) side: DVec3,
    /// Those of an ellipsoid; zero for others.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) half_axes: DVec3,
}

impl Round {
    /// A sphere about the origin of its frame.
    ///
    /// *Accepts* radii from 1e-120 to 1e100. *Guarantees* that radius, unrounded. *Cost* constant.
    /// *Fails* on other radii.
    ///
    /// ```
    /// use chasles::round::Round;
    /// assert_eq!(Round::sphere(0.5)?.radius(), 0.5);
    /// assert!(Round::sphere(0.0).is_err() && Round::sphere(f64::NAN).is_err());
    /// # Ok::<(), chasles::round::RoundError>(())
    /// ```
    pub fn sphere(radius: f64) -> Result<Self, RoundError> {
        Self::sphere_at(DVec3::ZERO, radius)
    }

    /// A sphere about any point of its frame.
    ///
    /// *Accepts* finite coordinates up to 1e100 and radii from 1e-120 to 1e100. *Guarantees* that
    /// centre and radius, unrounded but for coordinates below 1e-120, which are 0. *Cost* constant.
    /// *Fails* on others.
    pub fn sphere_at(centre: impl Into<DVec3>, radius: f64) -> Result<Self, RoundError> {
        let centre = centre.into();
        Self::between("sphere", Kind::Sphere, [centre, centre], radius)
    }

    /// All points within `radius` of the segment between two points.
    ///
    /// *Accepts* finite coordinates up to 1e100 and radii from 1e-120 to 1e100; where both points
    /// are one, the capsule is a sphere. *Guarantees* that radius, and ends to rounding. *Cost*
    /// constant. *Fails* on others.
    ///
    /// ```
    /// use chasles::round::Round;
    /// let pill = Round::capsule([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], 0.25)?;
    /// assert_eq!(pill.half_length(), 1.0);
    /// # Ok::<(), chasles::round::RoundError>(())
    /// ```
    pub fn capsule(ends: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundError> {
        Self::between("capsule", Kind::Capsule, ends.map(Into::into), radius)
    }

    /// The cylinder about the segment between two points, with flat ends there.
    ///
    /// *Accepts* finite coordinates up to 1e100 and radii from 1e-120 to 1e100. *Guarantees* that
    /// radius, and ends to rounding. *Cost* constant. *Fails* on others, and where both points are
    /// one.
    pub fn cylinder(ends: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundError> {
        Self::between("cylinder", Kind::Cylinder, ends.map(Into::into), radius)
    }

    /// The ellipsoid about the origin of its frame with these half axes along x, y and z.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`Round::ellipsoid_at`].
    ///
    /// ```
    /// use chasles::round::Round;
    /// let egg = Round::ellipsoid([1.0, 0.5, 0.25])?;
    /// assert_eq!(egg.distance([2.0, 0.0, 0.0].into()), 1.0);
    /// assert!(Round::ellipsoid([1.0, 1.0, 0.0]).is_err());
    /// assert!(Round::ellipsoid([1.0, 1.0, 1e-6]).is_err(), "too thin");
    /// # Ok::<(), chasles::round::RoundError>(())
    /// ```
    pub fn ellipsoid(half_axes: impl Into<DVec3>) -> Result<Self, RoundError> {
        Self::ellipsoid_at(&Pose::IDENTITY, half_axes)
    }

    /// The ellipsoid whose centre and axes are a pose of its frame.
    ///
    /// *Accepts* any pose and half axes from 1e-120 to 1e100, the longest at most 10,000 times as
    /// long as the shortest; all may be equal. *Guarantees* these half axes, unrounded, along x, y
    /// and z of the pose, to rounding. *Cost* constant. *Fails* on others.
    pub fn ellipsoid_at(pose: &Pose, half_axes: impl Into<DVec3>) -> Result<Self, RoundError> {
        let half_axes = half_axes.into();
        let lengths = SMALLEST_COORDINATE..=LARGEST_COORDINATE;
        if !half_axes.to_array().iter().all(|half| lengths.contains(half)) {
            return Err(RoundError::HalfAxes(half_axes));
        }
        let radius = half_axes.min_element();
        if half_axes.max_element() / radius > MOST_RATIO {
            return Err(RoundError::Thin(half_axes));
        }
        let centre = pose.position();
        if centre.abs().max_element() > LARGEST_COORDINATE {
            return Err(RoundError::Point { what: "ellipsoid", value: centre });
        }
        let [side, axis] = [DVec3::X, DVec3::Z].map(|axis| pose.vector(axis));
        let centre = without_dust(centre);
        Ok(Self { kind: Kind::Ellipsoid, centre, axis, half: 0.0, radius, side, half_axes })
    }

    pub(super) fn between(
        what: &'static str,
        kind: Kind,
        ends: [DVec3; 2],
        radius: f64,
    ) -> Result<Self, RoundError> {
        if !(SMALLEST_COORDINATE..=LARGEST_COORDINATE).contains(&radius) {
            return Err(RoundError::Radius { what, value: radius });
        }
        for value in ends {
            if !value.is_finite() || value.abs().max_element() > LARGEST_COORDINATE {
                return Err(RoundError::Point { what, value });
            }
        }
        let ends = ends.map(without_dust);
        let way = ends[1] - ends[0];
        let half = 0.5 * way.length();
        let kind = match kind {
            Kind::Cylinder if half == 0.0 => return Err(RoundError::NoAxis(ends[0])),
            _ if half == 0.0 => Kind::Sphere,
            kind => kind,
        };
        let axis = way.try_normalize().unwrap_or(DVec3::Z);
        let centre = 0.5 * ends[0] + 0.5 * ends[1];
        let [side, half_axes] = [DVec3::ZERO; 2];
        Ok(Self { kind, centre, axis, half, radius, side, half_axes })
    }

    /// Which of the five it is; a capsule without length is a sphere.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The lowest and the highest corner of the box around the body, in its frame.
    ///
    /// *Guarantees* to contain the body, but for rounding. *Cost* constant. *Fails* never.
    pub fn bounds(&self) -> [DVec3; 2] {
        let across = match self.kind {
            Kind::Cone => return self.bounds_of_cone(),
            // A disc across the axis reaches as far along x as the axis is away from x.
            Kind::Cylinder => {
                let flat = |c: f64| (1.0 - c * c).max(0.0).sqrt();
                let DVec3 { x, y, z } = self.axis;
                self.radius * DVec3::new(flat(x), flat(y), flat(z))
            }
            Kind::Ellipsoid => {
                DVec3::from([DVec3::X, DVec3::Y, DVec3::Z].map(|along| self.farthest(along).1))
            }
            _ => DVec3::splat(self.radius),
        };
        let reach = self.half * self.axis.abs() + across;
        [self.centre - reach, self.centre + reach]
    }

    /// The distance of the surface from the core; of a cone that of its base, and of an ellipsoid
    /// the shortest half axis.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// Half of the distance between the ends; 0 for a sphere and an ellipsoid.
    pub fn half_length(&self) -> f64 {
        self.half
    }

    /// The half axes of an ellipsoid, and the unit vectors along them, which are a right-handed
    /// frame; none of other bodies.
    pub fn half_axes(&self) -> Option<([f64; 3], [DVec3; 3])> {
        let DMat3 { x_axis, y_axis, z_axis } = self.frame();
        let axes = [x_axis, y_axis, z_axis];
        (self.kind == Kind::Ellipsoid).then(|| (self.half_axes.to_array(), axes))
    }

    /// The two ends of the core, in the body's frame; both the centre of a sphere or an ellipsoid.
    pub fn ends(&self) -> [DVec3; 2] {
        [self.centre - self.half * self.axis, self.centre + self.half * self.axis]
    }

    /// Mass, centre of mass and inertia, filled with a constant density.
    ///
    /// *Accepts* a density above 0. *Guarantees* the closed forms, to rounding. *Cost* constant.
    /// *Fails* never; bodies beyond 1e60 overflow to infinity.
    ///
    /// ```
    /// use chasles::round::Round;
    /// let mass = Round::sphere(2.0)?.mass(3.0);
    /// assert!((mass.inertia.x_axis.x - 0.4 * mass.mass * 4.0).abs() < 1e-10);
    /// # Ok::<(), chasles::round::RoundError>(())
    /// ```
    pub fn mass(&self, density: f64) -> Mass {
        match self.kind {
            Kind::Ellipsoid => return self.mass_of_ellipsoid(density),
            Kind::Cone => return self.mass_of_cone(density),
            _ => {}
        }
        let (r, length) = (self.radius, 2.0 * self.half);
        let (r_sq, length_sq) = (r * r, length * length);
        let shaft = density * PI * r_sq * length;
        let ends = match self.kind {
            Kind::Cylinder => 0.0,
            _ => density * 4.0 / 3.0 * PI * r_sq * r,
        };
        let along = (0.5 * shaft + 0.4 * ends) * r_sq;
        // The centre of half a ball is 3/8 of the radius from its flat side.
        let across = shaft * (3.0 * r_sq + length_sq) / 12.0
            + ends * (0.4 * r_sq + 0.25 * length_sq + 0.375 * length * r);
        let axis = self.axis;
        let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let inertia = DMat3::from_diagonal(DVec3::splat(across)) + outer * (along - across);
        Mass { mass: shaft + ends, centre: self.centre, inertia }
    }

    /// A mesh of the body for pictures: its vertices are on the surface, its faces inside.
    ///
    /// *Accepts* counts of faces around the axis and from pole to pole, of which the second is even
    /// and means nothing for a cylinder and a cone. *Cost* linear in the faces. *Fails* on other
    /// counts, and on sizes beyond those of [shapes](crate::mesh::shapes).
    ///
    /// ```
    /// use chasles::round::Round;
    /// let ball = Round::sphere_at([1.0, 2.0, 3.0], 0.5)?.polygons([32, 16])?;
    /// assert_eq!(ball.faces.len(), 32 * 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn polygons(&self, segments: [u32; 2]) -> Result<Polygons, ShapeError> {
        if self.kind == Kind::Ellipsoid {
            return self.polygons_of_ellipsoid(segments);
        }
        let (radius, length) = (self.radius, 2.0 * self.half);
        let shape = match self.kind {
            Kind::Sphere | Kind::Ellipsoid => Shape::Sphere(shapes::Sphere { radius, segments }),
            Kind::Capsule => Shape::Capsule(shapes::Capsule { radius, length, segments }),
            Kind::Cylinder => {
                let [segments, _] = segments;
                Shape::Cylinder(shapes::Cylinder { radius, height: length, segments })
            }
            Kind::Cone => {
                let [segments, _] = segments;
                Shape::Cone(shapes::Cone { radius, height: length, segments })
            }
        };
        let mut polygons = shape.polygons()?;
        // Shapes stand around y.
        let turn = match self.half {
            0.0 => DQuat::IDENTITY,
            _ => DQuat::from_rotation_arc(DVec3::Y, self.axis),
        };
        polygons.vertices.iter_mut().for_each(|v| *v = self.centre + turn * *v);
        Ok(polygons)
    }

    /// The same body with its centre and axis somewhere else.
    #[inline]
    pub(super) fn placed(&self, centre: DVec3, axis: DVec3) -> Self {
        Self { centre, axis, ..*self }
    }

    /// At most the distance of a point outside, and not positive inside: the distance itself but
    /// for an ellipsoid, where that takes longer.
    #[inline]
    pub(super) fn beyond(&self, point: DVec3) -> f64 {
        if self.kind == Kind::Ellipsoid {
            self.beyond_ellipsoid(point)
        } else {
            self.distance(point)
        }
    }

    /// The signed distance of a point of the body's frame from the surface, negative inside.
    ///
    /// *Accepts* any finite point. *Guarantees* a few units in the last place of the coordinates;
    /// of an ellipsoid as many times more as its half axes differ. *Cost* constant; of an ellipsoid
    /// about a dozen times as much. *Fails* never.
    #[inline]
    pub fn distance(&self, point: DVec3) -> f64 {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        if self.kind == Kind::Cylinder {
            let out = (y - along * self.axis).length() - self.radius;
            let beyond = along.abs() - self.half;
            if out > 0.0 && beyond > 0.0 { out.hypotenuse(beyond) } else { out.max(beyond) }
        } else if self.kind == Kind::Cone {
            self.distance_of_cone(point)
        } else if self.kind == Kind::Ellipsoid {
            self.nearest_of_ellipsoid(point).0
        } else {
            (y - along.clamp(-self.half, self.half) * self.axis).length() - self.radius
        }
    }

    /// The radius of a ball around the body, about its centre.
    pub(super) fn reach(&self) -> f64 {
        match self.kind {
            Kind::Cylinder | Kind::Cone => self.half.hypotenuse(self.radius),
            Kind::Ellipsoid => self.half_axes.max_element(),
            _ => self.half + self.radius,
        }
    }
}

/// The unit vector along the part of `v` that is across a unit axis; zero if there is hardly one.
///
/// What is left of a vector along the axis is rounding, in any direction; it is made to be across
/// once more before it counts.
#[inline]
pub(super) fn unit_across(v: DVec3, axis: DVec3) -> DVec3 {
    let out = v - v.dot(axis) * axis;
    if out.length() <= 1e-12 * v.length() {
        return DVec3::ZERO;
    }
    let out = out.normalize_or_zero();
    (out - out.dot(axis) * axis).normalize_or_zero()
}
