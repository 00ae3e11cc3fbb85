//! Spheres, capsules and tori from circles around the y axis.

use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::builder::Builder;
use super::error::{Check, ShapeError};
#[cfg(feature = "serde")]
use super::error::{LARGEST, SMALLEST};
use crate::mesh::Polygons;
use crate::numeric::Elementary;

/// A sphere of trapezoids between circles of latitude, with triangles at the poles on y.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Sphere {
    /// From the centre to a vertex; the faces lie inside.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Faces around the axis, and from pole to pole.
    #[cfg_attr(feature = "serde", schemars(inner(range(min = 2))))]
    pub segments: [u32; 2],
}

impl Default for Sphere {
    /// Radius 0.5, 24 faces around the axis and 12 from pole to pole.
    fn default() -> Self {
        Self { radius: 0.5, segments: [24, 12] }
    }
}

impl Sphere {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let check = Check("sphere");
        let [around, along] = self.segments;
        check.size("radius", self.radius)?;
        check.count("segments[0]", around, 3)?;
        check.count("segments[1]", along, 2)?;
        check.faces(f64::from(around) * f64::from(along))?;
        let mut builder = Builder::default();
        let south = builder.vertex(-DVec3::Y * self.radius);
        let circles: Vec<Vec<u32>> = (1..along)
            .map(|i| {
                let (sin, cos) = (PI * f64::from(i) / f64::from(along)).sine_cosine();
                builder.ring(around, self.radius * sin, -self.radius * cos)
            })
            .collect();
        let north = builder.vertex(DVec3::Y * self.radius);
        builder.fan_down(&circles[0], south);
        for pair in circles.windows(2) {
            builder.band(&pair[0], &pair[1]);
        }
        builder.fan_up(&circles[circles.len() - 1], north);
        Ok(builder.finish())
    }
}

/// A cylinder around y with half a sphere at each end: what is within the radius of a segment.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Capsule {
    /// From the segment to a vertex; the faces lie inside.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Of the segment, which is the axis of the cylinder.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub length: f64,
    /// Faces around the axis, and from pole to pole without those of the cylinder: an even number.
    #[cfg_attr(feature = "serde", schemars(inner(range(min = 2))))]
    pub segments: [u32; 2],
}

impl Default for Capsule {
    /// Radius 0.5, length 1, so 2 from end to end; 24 faces around the axis, and 12 from pole to
    /// pole without those of the cylinder.
    fn default() -> Self {
        Self { radius: 0.5, length: 1.0, segments: [24, 12] }
    }
}

impl Capsule {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let check = Check("capsule");
        let [around, along] = self.segments;
        check.sizes(&[("radius", self.radius), ("length", self.length)])?;
        check.count("segments[0]", around, 3)?;
        check.count("segments[1]", along, 2)?;
        check.rule(along % 2 == 0, "`segments[1]` must be even, half of it for each end")?;
        check.faces(f64::from(around) * (f64::from(along) + 1.0))?;
        let mut builder = Builder::default();
        let half = 0.5 * self.length;
        let south = builder.vertex(-DVec3::Y * (half + self.radius));
        let lower = (1..=along / 2).map(|i| (i, -half));
        let upper = (along / 2..along).map(|i| (i, half));
        let circles: Vec<Vec<u32>> = lower
            .chain(upper)
            .map(|(i, middle)| {
                let (sin, cos) = (PI * f64::from(i) / f64::from(along)).sine_cosine();
                builder.ring(around, self.radius * sin, middle - self.radius * cos)
            })
            .collect();
        let north = builder.vertex(DVec3::Y * (half + self.radius));
        builder.fan_down(&circles[0], south);
        for pair in circles.windows(2) {
            builder.band(&pair[0], &pair[1]);
        }
        builder.fan_up(&circles[circles.len() - 1], north);
        Ok(builder.finish())
    }
}

/// A torus around y of planar trapezoids.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Torus {
    /// From the axis to the centre of the tube.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub major: f64,
    /// From the centre of the tube to a vertex.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub minor: f64,
    /// Faces around the axis, and around the tube.
    #[cfg_attr(feature = "serde", schemars(inner(range(min = 3))))]
    pub segments: [u32; 2],
}

impl Default for Torus {
    /// Radii 1 and 0.3, 20 faces around the axis and 15 around the tube: 300 faces and 600 edges,
    /// as in \[Buss04\].
    fn default() -> Self {
        Self { major: 1.0, minor: 0.3, segments: [20, 15] }
    }
}

impl Torus {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let check = Check("torus");
        let [around, tube] = self.segments;
        check.sizes(&[("major", self.major), ("minor", self.minor)])?;
        check.count("segments[0]", around, 3)?;
        check.count("segments[1]", tube, 3)?;
        check.faces(f64::from(around) * f64::from(tube))?;
        check.rule(self.minor < self.major, "`minor` must be less than `major`")?;
        let mut builder = Builder::default();
        let circles: Vec<Vec<u32>> = (0..tube)
            .map(|i| {
                let (sin, cos) = (TAU * f64::from(i) / f64::from(tube)).sine_cosine();
                builder.ring(around, self.major + self.minor * cos, self.minor * sin)
            })
            .collect();
        for i in 0..circles.len() {
            builder.band(&circles[i], &circles[(i + 1) % circles.len()]);
        }
        Ok(builder.finish())
    }
}
