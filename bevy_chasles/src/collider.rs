//! Shapes as components, and what becomes of entities that cannot take part.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Message;
use bevy_transform::components::Transform;
use chasles::Polyhedron;
use chasles::mesh::MeshError;
use chasles::mesh::Polygons;
use chasles::mesh::shapes::{Cuboid, Shape, ShapeError};
use chasles::query::{Geometry, QueryError};
use chasles::round::RoundError;
use chasles::trace::WorldError;
use chasles_dynamics::body::BodyError;
use chasles_dynamics::world::{ChangeError, RoundShapeError, RouteError};
use thiserror::Error;

use crate::pose::PoseError;
use crate::seen::Seen;

/// The shape of an entity, in the frame of its transform. Clones share its memory.
#[derive(Component, Clone, Debug)]
#[require(Transform, Seen)]
pub struct Collider(pub Geometry);

/// Why there is no such collider.
#[derive(Debug, Error)]
pub enum ColliderError {
    /// The mesh is wrong.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The sizes of a shape are impossible.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The sizes of a round body are impossible.
    #[error(transparent)]
    Round(#[from] RoundError),
}

impl Collider {
    /// A mesh from its corners and triangles, as a mesh of Bevy's holds them.
    ///
    /// *Accepts* any triangles: open, concave, several pieces. Corners at one place are joined.
    /// *Cost* `n log n`. *Fails* on indices beyond the corners, coordinates that are not finite,
    /// and an empty mesh.
    ///
    /// ```
    /// use bevy_chasles::Collider;
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// assert!(Collider::triangles(&corners, &faces).is_ok());
    /// assert!(Collider::triangles(&corners, &[[0, 1, 4]]).is_err());
    /// ```
    pub fn triangles(corners: &[[f32; 3]], faces: &[[u32; 3]]) -> Result<Self, ColliderError> {
        let vertices = corners.iter().map(|corner| corner.map(f64::from).into()).collect();
        let faces = faces.iter().map(|face| face.to_vec()).collect();
        let polygons = Polygons { vertices, faces, ..Polygons::default() };
        Ok(Self(Geometry::mesh(Polyhedron::new(&polygons)?)))
    }

    /// A box about the origin, of these lengths along its axes.
    ///
    /// *Fails* for lengths that are not positive and finite.
    pub fn cuboid(size: [f64; 3]) -> Result<Self, ColliderError> {
        Ok(Self(Geometry::shape(&Shape::Box(Cuboid { size }))?))
    }

    /// A ball about the origin, exactly round.
    ///
    /// *Fails* for a radius that is not positive and finite.
    pub fn sphere(radius: f64) -> Result<Self, ColliderError> {
        Ok(Self(Geometry::sphere(radius)?))
    }

    /// A capsule about the origin along the axis y, as Bevy's is, exactly round.
    ///
    /// *Accepts* a radius and half the length of the segment. *Fails* for numbers that are not
    /// positive and finite.
    pub fn capsule(radius: f64, half_length: f64) -> Result<Self, ColliderError> {
        let ends = [[0.0, -half_length, 0.0], [0.0, half_length, 0.0]];
        Ok(Self(Geometry::capsule(ends, radius)?))
    }
}

impl<G: Into<Geometry>> From<G> for Collider {
    fn from(geometry: G) -> Self {
        Self(geometry.into())
    }
}

/// An entity does not take part, and why. It is told once, and again if the reason becomes another;
/// whatever of the entity changes, it is tried again.
#[derive(Message, Clone, Debug)]
pub struct Refused {
    /// The entity.
    pub entity: Entity,
    /// What is wrong with it.
    pub reason: Refusal,
}

/// What is wrong with an entity.
#[derive(Clone, Debug, Error)]
pub enum Refusal {
    /// Its transform is no pose.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// No method answers for it and another entity.
    #[error("with {other}: {error}")]
    Pair {
        /// The other entity.
        other: Entity,
        /// Why not.
        error: QueryError,
    },
    /// Its mesh cannot be an obstacle.
    #[error(transparent)]
    Obstacle(#[from] WorldError),
    /// It, or a parent of it, has no transform.
    #[error("it, or one of its parents, has no transform")]
    Hierarchy,
    /// Characters and rigid bodies are placed in the world.
    #[error("it has a parent: characters and rigid bodies must have none")]
    Parent,
    /// A world of rigid bodies has no such shape.
    #[error(transparent)]
    Shape(#[from] RoundShapeError),
    /// A world of rigid bodies takes meshes, spheres and capsules.
    #[error("a solid without a mesh cannot be a rigid body: take a mesh, a sphere or a capsule")]
    Solid,
    /// It has no mass, or an impossible material.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// It would overlap another body there, or cannot be moved so.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// A kinematic body cannot follow its transform there.
    #[error(transparent)]
    Route(#[from] RouteError),
}
