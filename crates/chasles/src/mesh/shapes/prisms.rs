//! Boxes, rectangles, and what stands on a regular polygon.

use glam::DVec3;

use super::builder::Builder;
use super::error::{Check, ShapeError};
#[cfg(feature = "serde")]
use super::error::{LARGEST, SMALLEST};
use crate::mesh::Polygons;

/// A box, centred at the origin: 8 vertices, 6 rectangles.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Cuboid {
    /// Lengths along x, y and z.
    #[cfg_attr(feature = "serde", schemars(inner(range(min = SMALLEST, max = LARGEST))))]
    pub size: [f64; 3],
}

impl Default for Cuboid {
    /// A cube with sides of 1.
    fn default() -> Self {
        Self { size: [1.0; 3] }
    }
}

impl Cuboid {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let [x, y, z] = self.size;
        Check("box").sizes(&[("size[0]", x), ("size[1]", y), ("size[2]", z)])?;
        let half = DVec3::from(self.size) / 2.0;
        let sign = |number: u32, bit: u32| if number & bit == 0 { -1.0 } else { 1.0 };
        let corner = |i| half * DVec3::new(sign(i, 1), sign(i, 2), sign(i, 4));
        // Corner numbers are bits: 1 for high x, 2 for high y, 4 for high z.
        let faces =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        Ok(Polygons::new((0..8).map(corner), faces))
    }
}

/// A rectangle in the xz plane, seen from above. It is open: it has no inside.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Plane {
    /// Lengths along x and z.
    #[cfg_attr(feature = "serde", schemars(inner(range(min = SMALLEST, max = LARGEST))))]
    pub size: [f64; 2],
}

impl Default for Plane {
    /// 10 by 10.
    fn default() -> Self {
        Self { size: [10.0; 2] }
    }
}

impl Plane {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let [x, z] = self.size;
        Check("plane").sizes(&[("size[0]", x), ("size[1]", z)])?;
        let corners = [[1., -1.], [-1., -1.], [-1., 1.], [1., 1.]];
        let corner = |[i, j]: [f64; 2]| DVec3::new(i * x / 2.0, 0.0, j * z / 2.0);
        Ok(Polygons::new(corners.map(corner), [[0, 1, 2, 3]]))
    }
}

/// A prism over a regular polygon, from `-height / 2` to `height / 2` along y.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Prism {
    /// From the axis to a corner.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Length along y.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub height: f64,
    /// Corners of the polygon, the first on the x axis.
    #[cfg_attr(feature = "serde", schemars(range(min = 3)))]
    pub sides: u32,
}

impl Default for Prism {
    /// Radius 0.5, height 1, 6 sides.
    fn default() -> Self {
        Self { radius: 0.5, height: 1.0, sides: 6 }
    }
}

impl Prism {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        upright(&Check("prism"), "sides", self)
    }
}

/// A cylinder along y, as a prism inscribed in it: its caps are polygons of `segments` corners.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Cylinder {
    /// From the axis to a corner.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Length along y.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub height: f64,
    /// Rectangles around the axis.
    #[cfg_attr(feature = "serde", schemars(range(min = 3)))]
    pub segments: u32,
}

impl Default for Cylinder {
    /// Radius 0.5, height 1, 32 segments.
    fn default() -> Self {
        Self { radius: 0.5, height: 1.0, segments: 32 }
    }
}

impl Cylinder {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let prism = Prism { radius: self.radius, height: self.height, sides: self.segments };
        upright(&Check("cylinder"), "segments", &prism)
    }
}

/// A cone with its apex at `height / 2` and its base at `-height / 2` along y.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Cone {
    /// From the axis to a corner of the base.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub radius: f64,
    /// Length along y.
    #[cfg_attr(feature = "serde", schemars(range(min = SMALLEST, max = LARGEST)))]
    pub height: f64,
    /// Triangles around the axis.
    #[cfg_attr(feature = "serde", schemars(range(min = 3)))]
    pub segments: u32,
}

impl Default for Cone {
    /// Radius 0.5, height 1, 32 segments.
    fn default() -> Self {
        Self { radius: 0.5, height: 1.0, segments: 32 }
    }
}

impl Cone {
    pub(super) fn polygons(&self) -> Result<Polygons, ShapeError> {
        let check = Check("cone");
        check.sizes(&[("radius", self.radius), ("height", self.height)])?;
        check.count("segments", self.segments, 3)?;
        check.faces(f64::from(self.segments) + 1.0)?;
        let mut builder = Builder::default();
        let base = builder.ring(self.segments, self.radius, -self.height / 2.0);
        let apex = builder.vertex(DVec3::Y * (self.height / 2.0));
        builder.fan_up(&base, apex);
        builder.cap_down(&base);
        Ok(builder.finish())
    }
}

fn upright(check: &Check, sides: &'static str, prism: &Prism) -> Result<Polygons, ShapeError> {
    check.sizes(&[("radius", prism.radius), ("height", prism.height)])?;
    check.count(sides, prism.sides, 3)?;
    check.faces(f64::from(prism.sides) + 2.0)?;
    let mut builder = Builder::default();
    let lower = builder.ring(prism.sides, prism.radius, -prism.height / 2.0);
    let upper = builder.ring(prism.sides, prism.radius, prism.height / 2.0);
    builder.band(&lower, &upper);
    builder.cap_up(&upper);
    builder.cap_down(&lower);
    Ok(builder.finish())
}
