//! Built-in shapes: parameters in, a closed surface out.
//!
//! Every shape is a plain struct with defaults, and [`Shape`] is any of them. The axis of a round
//! shape is y, which is also up; every shape but the bolt is centred at the origin. Angles run
//! counter-clockwise seen from above, from x towards -z. Faces are planar polygons wherever the
//! shape allows it, and triangles where it does not (threads).
//!
//! | by default | |
//! |---|---|
//! | [`Cuboid`] | a cube with sides of 1 |
//! | [`Sphere`] | radius 0.5 |
//! | [`Capsule`] | radius 0.5, length 1 without its ends |
//! | [`Cylinder`], [`Cone`], [`Prism`] | radius 0.5, height 1 |
//! | [`Torus`] | radii 1 and 0.3, 300 faces |
//! | [`Car`] | length 4 |
//! | [`Bolt`], [`Nut`] | thread of radius 0.5 and pitch 0.2; the bolt's shaft is 2 long |
//! | [`Gear`] | 20 teeth of module 0.1, so a pitch diameter of 2; thickness 0.3 |
//! | [`Plane`] | 10 by 10 |

mod builder;
mod car;
mod error;
mod gear;
mod prisms;
mod round;
mod thread;
mod threaded;

pub use car::Car;
pub use error::ShapeError;
pub use gear::Gear;
pub use prisms::{Cone, Cuboid, Cylinder, Plane, Prism};
pub use round::{Capsule, Sphere, Torus};
pub use threaded::{Bolt, Nut};

use super::{Polygons, Polyhedron};

/// Any built-in shape with its parameters.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Shape {
    /// A box.
    Box(Cuboid),
    /// A sphere of circles of latitude and longitude.
    Sphere(Sphere),
    /// A cylinder with round ends.
    Capsule(Capsule),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A cone.
    Cone(Cone),
    /// A prism over a regular polygon.
    Prism(Prism),
    /// A torus of quadrilaterals.
    Torus(Torus),
    /// A car of 12 faces.
    Car(Car),
    /// A hexagonal bolt.
    Bolt(Bolt),
    /// A hexagonal nut.
    Nut(Nut),
    /// A spur gear.
    Gear(Gear),
    /// A rectangle.
    Plane(Plane),
}

impl Shape {
    /// The shape's vertices and faces, for transforming or saving.
    ///
    /// *Accepts* any parameters. *Guarantees* faces that are counter-clockwise seen from outside,
    /// and a closed surface except for [`Plane`]. *Cost* linear in the number of faces. *Fails* on
    /// sizes that are not positive numbers, too few or too many segments, and parts that do not
    /// fit each other.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// let polygons = Shape::Box(Cuboid { size: [1.0, 2.0, 3.0] }).polygons()?;
    /// assert_eq!((polygons.vertices.len(), polygons.faces.len()), (8, 6));
    /// # Ok::<(), chasles::mesh::shapes::ShapeError>(())
    /// ```
    pub fn polygons(&self) -> Result<Polygons, ShapeError> {
        match self {
            Self::Box(shape) => shape.polygons(),
            Self::Sphere(shape) => shape.polygons(),
            Self::Capsule(shape) => shape.polygons(),
            Self::Cylinder(shape) => shape.polygons(),
            Self::Cone(shape) => shape.polygons(),
            Self::Prism(shape) => shape.polygons(),
            Self::Torus(shape) => shape.polygons(),
            Self::Car(shape) => shape.polygons(),
            Self::Bolt(shape) => shape.polygons(),
            Self::Nut(shape) => shape.polygons(),
            Self::Gear(shape) => shape.polygons(),
            Self::Plane(shape) => shape.polygons(),
        }
    }

    /// The shape as a polyhedron.
    ///
    /// *Accepts* any parameters. *Guarantees* a closed surface except for [`Plane`]. *Cost* linear
    /// in the number of faces. *Fails* as [`Shape::polygons`], and on shapes so thin in places
    /// (about 1e-12 of their size) that a face there has no plane of its own.
    ///
    /// ```
    /// use chasles::mesh::shapes::{Shape, Torus};
    /// let torus = Shape::Torus(Torus::default()).build()?;
    /// assert_eq!((torus.face_count(), torus.edge_count()), (300, 600));
    /// # Ok::<(), chasles::mesh::shapes::ShapeError>(())
    /// ```
    pub fn build(&self) -> Result<Polyhedron, ShapeError> {
        let mesh = Polyhedron::new(&self.polygons()?)?;
        if mesh.is_closed() || matches!(self, Self::Plane(_)) {
            return Ok(mesh);
        }
        Err(ShapeError::TooThin)
    }
}
