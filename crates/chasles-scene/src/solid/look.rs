//! A solid body, and the mesh that a picture shows of it.

use std::sync::Arc;

use chasles::glam::DVec3;
use chasles::query::Geometry;
use chasles::round::Round;
use chasles::solid::{Cuboid, Intersection, Solid, SolidError, Transformed, surface};
use chasles::{Motion, Polyhedron, Pose};
use thiserror::Error;

use super::round;

/// Cells of the grid for pictures along the longest side: edges look sharp enough, and a formula
/// of some terms takes a second.
const CELLS: u32 = 80;

/// How much larger than the other bodies what is shown of a solid without end is, on each side, as
/// a part of their size.
const AROUND: f64 = 0.1;

/// A body that is a solid, and not a mesh.
#[derive(Clone, Debug)]
pub struct SolidBody {
    /// In the body's frame, scaled.
    pub solid: Arc<dyn Solid>,
    /// How it moves.
    pub motion: Motion,
    /// The same as queries take it: exactly round if it is. What it keeps is made once.
    geometry: Geometry,
    /// What pictures show, once it is made.
    look: Option<Polyhedron>,
}

/// Why a solid cannot be drawn.
#[derive(Debug, Error)]
#[error("cannot draw the body {body:?}: {error}")]
pub struct LookError {
    /// The name of the body.
    pub body: String,
    /// What is wrong.
    pub error: SolidError,
}

impl LookError {
    pub(crate) fn new(body: &str, error: SolidError) -> Self {
        Self { body: body.to_string(), error }
    }
}

impl SolidBody {
    pub(crate) fn new(solid: Box<dyn Solid>, round: Option<Round>, motion: Motion) -> Self {
        let solid: Arc<dyn Solid> = Arc::from(solid);
        let geometry = match round {
            Some(round) => Geometry::from(round),
            None => Geometry::from(Arc::clone(&solid)),
        };
        Self { solid, motion, geometry, look: None }
    }

    /// The body as queries take it: a sphere, a capsule, a cylinder, a cone or an ellipsoid if it
    /// is one, else a solid.
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The body as the exact method takes it: a sphere, a capsule, a cylinder, a cone or an
    /// ellipsoid. None if it is another solid.
    pub fn round(&self) -> Option<&Geometry> {
        Some(&self.geometry).filter(|geometry| geometry.round().is_some())
    }

    /// The mesh for pictures. It must have been made.
    pub fn look(&self) -> &Polyhedron {
        self.look.as_ref().expect("solids are sketched before they are drawn")
    }

    /// Makes the mesh for pictures; of a solid without end, what is near a box in the world.
    pub(crate) fn sketch(&mut self, near: Option<[DVec3; 2]>) -> Result<(), SolidError> {
        if let Some(mesh) = self.geometry.round().and_then(round::look) {
            self.look = Some(mesh);
            return Ok(());
        }
        let [low, high] = self.solid.bounds();
        let has_end = low.is_finite() && high.is_finite();
        let polygons = match near {
            Some(near) if !has_end => surface(&self.cut(near)?, CELLS)?,
            _ => surface(&self.solid, CELLS)?,
        };
        self.look = Some(Polyhedron::new(&polygons)?);
        Ok(())
    }

    /// The part of the solid that comes near a box in the world.
    fn cut(&self, [low, high]: [DVec3; 2]) -> Result<Intersection, SolidError> {
        let ends = [self.motion.start(), self.motion.end()].map(|pose| pose.inverse());
        let places =
            corners([low, high]).into_iter().flat_map(|corner| ends.map(|end| end.point(corner)));
        let [low, high] = around(places).unwrap_or([DVec3::ZERO; 2]);
        let grown = (high - low) * (1.0 + 2.0 * AROUND) + (high - low).max_element() * AROUND;
        let middle = Pose::from_position(0.5 * (low + high));
        let middle =
            middle.map_err(|_| SolidError::Unbounded("and other bodies are too far away"))?;
        let cuboid = Transformed::new(Box::new(Cuboid::new(grown)?), middle, 1.0)?;
        Intersection::new(vec![Box::new(cuboid), Box::new(Arc::clone(&self.solid))])
    }
}

/// The corners of a box.
pub(crate) fn corners([low, high]: [DVec3; 2]) -> [DVec3; 8] {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|i| {
        let pick = |axis: usize| if i >> axis & 1 == 1 { high[axis] } else { low[axis] };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// The box around points.
pub(crate) fn around(points: impl Iterator<Item = DVec3>) -> Option<[DVec3; 2]> {
    points.fold(None, |found: Option<[DVec3; 2]>, p| {
        Some(found.map_or([p; 2], |[low, high]| [low.min(p), high.max(p)]))
    })
}
