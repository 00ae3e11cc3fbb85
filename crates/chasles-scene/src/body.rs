//! Bodies of a scene: rigid ones that move, and surfaces that deform.

use std::borrow::Cow;
use std::sync::Arc;

use chasles::deform::{Moving, Surface, SurfaceError};
use chasles::glam::DVec3;
use chasles::mesh::Opening;
use chasles::query::Geometry;
use chasles::{Collider, Motion, Polygons, Polyhedron};

use crate::SolidBody;
use crate::meshes::Made;

/// A body ready for queries.
#[derive(Clone, Debug)]
pub struct Body {
    /// Unique in the scene.
    pub name: String,
    /// What it is and how it moves.
    pub form: Form,
    /// Whether its mesh is of a file. A shape is open on purpose if it is.
    pub(crate) is_file: bool,
}

/// What a body is and how it moves.
#[derive(Clone, Debug)]
pub enum Form {
    /// It keeps its shape.
    Rigid(Box<Rigid>),
    /// Its vertices move in straight lines.
    Deforming(Box<Deforming>),
    /// It is no mesh.
    Solid(Box<SolidBody>),
}

/// A body that keeps its shape.
#[derive(Clone, Debug)]
pub struct Rigid {
    /// The mesh, scaled.
    pub collider: Arc<Collider>,
    /// The same as the front door takes it.
    pub geometry: Geometry,
    /// How it moves.
    pub motion: Motion,
    /// What bodies that deform meet; absent where there are none.
    pub frames: Option<Frames>,
    /// Its edges as numbers of the input, sorted.
    edges: Vec<[u32; 2]>,
}

impl Rigid {
    pub(crate) fn new(mesh: Polyhedron, motion: Motion, frames: Option<Frames>) -> Self {
        let mut edges: Vec<[u32; 2]> =
            (0..mesh.edge_count() as u32).map(|edge| mesh.edge_label(edge)).collect();
        edges.sort_unstable();
        let collider = Arc::new(Collider::new(mesh));
        let geometry = Geometry::from(Arc::clone(&collider));
        Self { collider, geometry, motion, frames, edges }
    }

    /// Whether two vertices are an edge of the body, and not a cut through a flat polygon, which
    /// surfaces of triangles have too.
    pub fn has_edge(&self, edge: [u32; 2]) -> bool {
        self.edges.binary_search(&edge).is_ok()
    }
}

/// A body whose vertices move in straight lines from one frame to another.
#[derive(Clone, Debug)]
pub struct Deforming {
    /// Its positions, in the world.
    pub frames: Frames,
    /// Whether it is asked for contacts with itself.
    pub meets_itself: bool,
    /// Its faces, with the positions at the start.
    polygons: Polygons,
    /// The mesh at the start.
    start: Polyhedron,
}

/// A surface and where its vertices are at the start and at the end of the step, in the world.
#[derive(Clone, Debug)]
pub struct Frames {
    surface: Surface,
    ends: [Vec<DVec3>; 2],
}

impl Frames {
    /// The vertices of a rigid body that does not turn.
    ///
    /// *Accepts* any mesh, and a motion that is straight. *Fails* as [`Surface::new`].
    pub(crate) fn of_rigid(polygons: &Polygons, motion: &Motion) -> Result<Self, SurfaceError> {
        debug_assert!(motion.is_straight(), "vertices of a body that turns move along arcs");
        let surface = Surface::new(polygons)?;
        let ends = [motion.start(), motion.end()]
            .map(|pose| polygons.vertices.iter().map(|&v| pose.point(v)).collect());
        Self::new(surface, ends)
    }

    fn new(surface: Surface, ends: [Vec<DVec3>; 2]) -> Result<Self, SurfaceError> {
        surface.moving(&ends[0], &ends[1])?;
        Ok(Self { surface, ends })
    }

    /// The surface in the step, as queries take it. *Cost* linear.
    pub fn moving(&self) -> Moving<'_> {
        let [start, end] = &self.ends;
        self.surface.moving(start, end).expect("the positions were checked when this was made")
    }

    /// Where each vertex is at the start and at the end.
    pub fn ends(&self) -> &[Vec<DVec3>; 2] {
        &self.ends
    }

    /// Where a vertex is at time `t`.
    pub fn position(&self, vertex: u32, t: f64) -> DVec3 {
        let [start, end] = &self.ends;
        start[vertex as usize].lerp(end[vertex as usize], t)
    }
}

impl Deforming {
    /// A surface given at two instants.
    ///
    /// *Accepts* two meshes with the same faces. *Fails* as [`Surface::between`].
    pub(crate) fn new([start, end]: [Made; 2], meets_itself: bool) -> Result<Self, SurfaceError> {
        let surface = Surface::between(&start.polygons, &end.polygons)?;
        let ends = [start.polygons.vertices.clone(), end.polygons.vertices];
        let frames = Frames::new(surface, ends)?;
        Ok(Self { frames, meets_itself, polygons: start.polygons, start: start.mesh })
    }

    /// The corners of a face, in the numbers of the input.
    pub fn face(&self, face: u32) -> &[u32] {
        &self.polygons.faces[face as usize]
    }

    /// The mesh at time `t`.
    pub fn mesh_at(&self, t: f64) -> Cow<'_, Polyhedron> {
        let vertices =
            (0..self.polygons.vertices.len() as u32).map(|v| self.frames.position(v, t)).collect();
        let polygons = Polygons { vertices, ..self.polygons.clone() };
        // Whatever is accepted at both ends is accepted between, but for rounding at the largest
        // coordinates.
        Polyhedron::new(&polygons).map_or(Cow::Borrowed(&self.start), Cow::Owned)
    }
}

impl Body {
    /// The mesh: in the body's frame if it is rigid, and at the start of the step if it deforms.
    /// That of a solid is for pictures, and must have been made:
    /// [`Scene::sketch`](crate::Scene::sketch).
    pub fn mesh(&self) -> &Polyhedron {
        match &self.form {
            Form::Rigid(rigid) => rigid.collider.mesh(),
            Form::Deforming(deforming) => &deforming.start,
            Form::Solid(body) => body.look(),
        }
    }

    /// The box around the body in its own frame: of one that deforms at the start, and of a solid
    /// without end infinite.
    pub fn bounds(&self) -> [DVec3; 2] {
        match &self.form {
            Form::Rigid(rigid) => rigid.collider.mesh().bounds(),
            Form::Deforming(deforming) => deforming.start.bounds(),
            Form::Solid(body) => body.solid.bounds(),
        }
    }

    /// The body as queries take it, unless it deforms: a solid that is a sphere, a capsule, a
    /// cylinder, a cone or an ellipsoid is exactly round.
    pub fn geometry(&self) -> Option<Geometry> {
        match &self.form {
            Form::Rigid(rigid) => Some(rigid.geometry.clone()),
            Form::Solid(body) => Some(body.geometry().clone()),
            Form::Deforming(_) => None,
        }
    }

    /// The body as the exact method takes it: a mesh, a sphere, a capsule, a cylinder, a cone or an
    /// ellipsoid. None of other solids, and of bodies that deform.
    pub fn exact(&self) -> Option<&Geometry> {
        match &self.form {
            Form::Rigid(rigid) => Some(&rigid.geometry),
            Form::Solid(body) => body.round(),
            Form::Deforming(_) => None,
        }
    }

    /// How its mesh is open; none if it is closed, a shape, or no mesh of its own.
    ///
    /// *Cost* as [`Polyhedron::opening`].
    pub fn opening(&self) -> Option<Opening> {
        self.rigid().filter(|_| self.is_file)?.collider.mesh().opening()
    }

    /// The body, if it is rigid.
    pub fn rigid(&self) -> Option<&Rigid> {
        match &self.form {
            Form::Rigid(rigid) => Some(rigid),
            Form::Deforming(_) | Form::Solid(_) => None,
        }
    }

    /// How it moves, unless it deforms.
    pub fn motion(&self) -> Option<&Motion> {
        match &self.form {
            Form::Rigid(rigid) => Some(&rigid.motion),
            Form::Solid(body) => Some(&body.motion),
            Form::Deforming(_) => None,
        }
    }

    /// The body, if it deforms.
    pub fn deforming(&self) -> Option<&Deforming> {
        match &self.form {
            Form::Rigid(_) | Form::Solid(_) => None,
            Form::Deforming(deforming) => Some(deforming),
        }
    }

    /// Its vertices on straight paths: of every body in a scene in which one deforms.
    pub(crate) fn frames(&self) -> Option<&Frames> {
        match &self.form {
            Form::Rigid(rigid) => rigid.frames.as_ref(),
            Form::Deforming(deforming) => Some(&deforming.frames),
            Form::Solid(_) => None,
        }
    }
}
