//! The surface of a body: a mesh, a sphere or a capsule.
//!
//! A sphere is a point with a radius and a capsule a segment with one, exactly: a ball rolls as a
//! ball does, not over the edges of a mesh. What the world asks of a surface it asks of this core
//! and takes the radius off.

use std::sync::{Arc, OnceLock};

use chasles::query::{Feature, Geometry};
use chasles::round::{Kind, Round, RoundError};
use chasles::{Collider, Polyhedron};
use glam::DVec3;
use thiserror::Error;

/// The surface of a body in its own frame. Clones share everything.
///
/// ```
/// use chasles_dynamics::world::Shape;
/// let ball = Shape::sphere(0.5)?;
/// let pill = Shape::capsule([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]], 0.25)?;
/// assert!(ball.geometry().round().is_some() && Shape::sphere(-1.0).is_err());
/// # Ok::<(), chasles_dynamics::world::RoundShapeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    geometry: Geometry,
    core: Arc<Collider>,
    radius: f64,
    /// What pictures show of it.
    drawn: Arc<Collider>,
    /// Made when they are first asked for.
    numbers: Arc<OnceLock<Numbers>>,
}

/// Faces and vertices of a core in the order of their labels.
#[derive(Debug)]
struct Numbers {
    faces: Vec<u32>,
    vertices: Vec<u32>,
}

/// Why there is no such round body.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum RoundShapeError {
    /// The sizes are impossible.
    #[error(transparent)]
    Round(#[from] RoundError),
    /// The sizes are too large or too small for a mesh that shows the body.
    #[error("no picture of a round body of radius {0} can be made: take another unit of length")]
    Size(f64),
    /// A world has no cylinders with flat ends.
    #[error("a world has no exact cylinders: take a capsule, or the mesh of a cylinder")]
    Cylinder,
    /// A world has no cones.
    #[error("a world has no exact cones: take the mesh of a cone, as Round::polygons makes")]
    Cone,
    /// A world has no ellipsoids.
    #[error(
        "a world has no exact ellipsoids: take a sphere or a capsule, or a mesh, as \
         Round::polygons makes"
    )]
    Ellipsoid,
}

/// Around and along the mesh that shows a round body: smooth to the eye.
const DRAWN: [u32; 2] = [32, 16];

impl From<Arc<Collider>> for Shape {
    fn from(collider: Arc<Collider>) -> Self {
        let [core, drawn] = [Arc::clone(&collider), Arc::clone(&collider)];
        let geometry = Geometry::from(collider);
        Self { geometry, core, radius: 0.0, drawn, numbers: Arc::default() }
    }
}

impl From<Collider> for Shape {
    fn from(collider: Collider) -> Self {
        Arc::new(collider).into()
    }
}

impl TryFrom<Round> for Shape {
    type Error = RoundShapeError;

    fn try_from(round: Round) -> Result<Self, RoundShapeError> {
        let geometry = Geometry::from(round);
        let (core, radius) = geometry.shared_core().ok_or(match round.kind() {
            Kind::Ellipsoid => RoundShapeError::Ellipsoid,
            Kind::Cone => RoundShapeError::Cone,
            _ => RoundShapeError::Cylinder,
        })?;
        let core = Arc::clone(core);
        let drawn = round.polygons(DRAWN).ok().and_then(|mesh| Polyhedron::new(&mesh).ok());
        let drawn = Collider::new(drawn.ok_or(RoundShapeError::Size(radius))?);
        Ok(Self { core, radius, drawn: Arc::new(drawn), geometry, numbers: Arc::default() })
    }
}

impl Shape {
    /// A ball about the origin of its frame.
    ///
    /// *Accepts* and *Fails* as [`Round::sphere`]. *Cost* that of a mesh of 512 faces, which
    /// pictures show.
    pub fn sphere(radius: f64) -> Result<Self, RoundShapeError> {
        Round::sphere(radius)?.try_into()
    }

    /// All points within a radius of a segment.
    ///
    /// *Accepts* and *Fails* as [`Round::capsule`]. *Cost* as [`Shape::sphere`].
    pub fn capsule(ends: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundShapeError> {
        Round::capsule(ends, radius)?.try_into()
    }

    /// The body as queries take it.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// A mesh to show: the surface itself, or one whose corners are on the round surface.
    pub fn drawn(&self) -> &Collider {
        &self.drawn
    }

    /// The mesh around which the surface is, and how far.
    pub(super) fn core(&self) -> (&Collider, f64) {
        (&self.core, self.radius)
    }

    fn numbers(&self) -> &Numbers {
        let mesh = self.core.mesh();
        self.numbers.get_or_init(|| {
            let mut faces: Vec<u32> = (0..mesh.face_count() as u32).collect();
            let mut vertices: Vec<u32> = (0..mesh.vertex_count() as u32).collect();
            faces.sort_by_key(|&face| mesh.face_label(face));
            vertices.sort_by_key(|&vertex| mesh.vertex_label(vertex));
            Numbers { faces, vertices }
        })
    }

    /// The faces of the core with a label: more than one of a polygon that was split.
    pub(super) fn faces(&self, label: u32) -> &[u32] {
        let mesh = self.core.mesh();
        let faces = &self.numbers().faces;
        let first = faces.partition_point(|&face| mesh.face_label(face) < label);
        let count = faces[first..].partition_point(|&face| mesh.face_label(face) == label);
        &faces[first..first + count]
    }

    /// The ends of an edge of the core; none for what is no edge.
    pub(super) fn ends(&self, feature: Feature) -> Option<[DVec3; 2]> {
        let mesh = self.core.mesh();
        let vertices = &self.numbers().vertices;
        let place = |label: u32| {
            let found = vertices.binary_search_by_key(&label, |&vertex| mesh.vertex_label(vertex));
            found.ok().map(|found| mesh.position(vertices[found]))
        };
        let edge = match feature {
            Feature::Edge([from, to]) => match (place(from), place(to)) {
                (Some(from), Some(to)) => return Some([from, to]),
                // Where vertices were joined, an edge has the name that the input gave it.
                _ => (0..mesh.edge_count() as u32).find(|&e| mesh.edge_label(e) == [from, to]),
            },
            Feature::Side => (mesh.edge_count() > 0).then_some(0),
            _ => None,
        };
        Some(mesh.edge(edge?).map(|vertex| mesh.position(vertex)))
    }

    /// Whether the body is round.
    pub(super) fn is_round(&self) -> bool {
        self.radius > 0.0
    }

    /// The lowest and the highest corner of the box around the surface.
    pub(super) fn bounds(&self) -> [DVec3; 2] {
        self.geometry.bounds()
    }

    /// Whether both are the surface of the same body, or of a copy.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.core, &other.core)
    }
}

impl PartialEq for Shape {
    /// Whether both surfaces have the same corners, faces and radius.
    fn eq(&self, other: &Self) -> bool {
        let [a, b] = [self, other].map(|shape| shape.core.mesh());
        let faces = || (0..a.face_count() as u32).all(|face| a.face(face) == b.face(face));
        self.is_same(other)
            || self.radius == other.radius
                && a.positions() == b.positions()
                && a.face_count() == b.face_count()
                && faces()
    }
}
