//! Bodies from shapes, arrays and files.

use std::sync::Arc;

use chasles::glam::DVec3;
#[cfg(feature = "methods")]
use chasles::mesh::{files, shapes::Shape};
use chasles::query::{Geometry, Kind};
#[cfg(feature = "methods")]
use chasles::round::RoundError;
use chasles::{Polygons, Polyhedron};
use wasm_bindgen::prelude::*;

use crate::{Look, Wrong};

#[cfg(feature = "methods")]
/// Faces around the axis of a round body, and from pole to pole, as it is seen.
const SEGMENTS: [u32; 2] = [48, 24];

/// The shape of a body in its own frame, ready for any number of questions.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Body {
    geometry: Geometry,
    /// What pictures show of a body that is no mesh.
    sketch: Option<Arc<Polyhedron>>,
    /// What a mesh was made of, for rooms.
    polygons: Option<Arc<Polygons>>,
}

#[wasm_bindgen]
impl Body {
    /// A mesh of arrays: three numbers a vertex, how many corners each face has, and the corners of
    /// all faces one after the other.
    ///
    /// *Accepts* any faces, open or closed; results have their numbers. *Fails* on numbers that are
    /// out of range or not finite.
    pub fn mesh(vertices: &[f64], sizes: &[u32], corners: &[u32]) -> Result<Body, Wrong> {
        let given: u64 = sizes.iter().map(|&size| u64::from(size)).sum();
        if !vertices.len().is_multiple_of(3) || given != corners.len() as u64 {
            return Err(Wrong::new(format!(
                "{} coordinates, and {} corners for faces of {given}: three coordinates a vertex \
                 are needed, and as many corners as the sizes say",
                vertices.len(),
                corners.len(),
            )));
        }
        let vertices = vertices.chunks_exact(3).map(DVec3::from_slice).collect();
        let mut rest = corners;
        let face = |&size: &u32| {
            let (face, others) = rest.split_at(size as usize);
            rest = others;
            face.to_vec()
        };
        let faces = sizes.iter().map(face).collect();
        Self::of_polygons(Polygons { vertices, faces, ..Polygons::default() })
    }

    /// `mesh`, `sphere`, `capsule`, `cylinder`, `ellipsoid` or `solid`.
    #[wasm_bindgen(getter)]
    pub fn kind(&self) -> String {
        self.geometry.kind().to_string()
    }

    /// The corners of the box around it: six numbers, of a solid without end infinite.
    #[wasm_bindgen(getter)]
    pub fn bounds(&self) -> Vec<f64> {
        self.geometry.bounds().iter().flat_map(|corner| corner.to_array()).collect()
    }

    /// How many faces its mesh has; 0 if it has none.
    #[wasm_bindgen(getter, js_name = faceCount)]
    pub fn face_count(&self) -> usize {
        self.geometry.collider().map_or(0, |collider| collider.mesh().face_count())
    }

    /// How it looks, its places divided by a length above 0.
    pub fn look(&self, scale: f64) -> Look {
        self.seen().map_or_else(Look::default, |mesh| Look::of(mesh, scale))
    }
}

#[cfg(feature = "methods")]
#[wasm_bindgen]
impl Body {
    /// A mesh of a built-in shape, written as in a scene: `{"box": {"size": [1, 1, 1]}}`.
    ///
    /// *Accepts* the JSON of a shape, once for each body. *Fails* on other text, and on sizes that
    /// are none.
    pub fn shape(text: &str) -> Result<Body, Wrong> {
        let shape: Shape = serde_json::from_str(text)
            .map_err(|error| Wrong::new(format!("{text} is no shape: {error}")))?;
        let polygons = shape.polygons().map_err(Wrong::new)?;
        let geometry = Geometry::shape(&shape).map_err(Wrong::new)?;
        Ok(Self { polygons: Some(Arc::new(polygons)), ..Self::of(geometry) })
    }

    /// A mesh of the bytes of a file; the ending of its name says how they are read.
    ///
    /// *Accepts* OBJ, STL, PLY, OFF, GLB, and glTF with its buffers in it. *Fails* with the line
    /// where there are lines, what is wrong and what would be right.
    pub fn file(name: &str, bytes: &[u8]) -> Result<Body, Wrong> {
        Self::of_polygons(files::parse(name, bytes, None).map_err(Wrong::new)?)
    }

    /// A sphere about the origin, exactly. *Fails* on a radius that is none.
    pub fn sphere(radius: f64) -> Result<Body, Wrong> {
        Self::round(Geometry::sphere(radius))
    }

    /// A capsule, exactly: all that is within a radius of a segment of this length along y. *Fails*
    /// on lengths that are none.
    pub fn capsule(length: f64, radius: f64) -> Result<Body, Wrong> {
        Self::round(Geometry::capsule(upright(length), radius))
    }

    /// A cylinder along y, exactly. *Fails* on lengths that are none.
    pub fn cylinder(length: f64, radius: f64) -> Result<Body, Wrong> {
        Self::round(Geometry::cylinder(upright(length), radius))
    }
}

impl Body {
    /// A body of a geometry.
    pub(crate) fn of(geometry: Geometry) -> Self {
        Self { geometry, sketch: None, polygons: None }
    }

    fn of_polygons(polygons: Polygons) -> Result<Self, Wrong> {
        let mesh = Polyhedron::new(&polygons).map_err(Wrong::new)?;
        let body = Self::of(Geometry::mesh(mesh));
        Ok(Self { polygons: Some(Arc::new(polygons)), ..body })
    }

    /// What its mesh was made of.
    pub(crate) fn polygons(&self) -> Option<&Polygons> {
        self.polygons.as_deref()
    }

    /// The body as questions take it.
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The mesh, or what is seen in its place.
    fn seen(&self) -> Option<&Polyhedron> {
        match self.geometry.kind() {
            Kind::Mesh => self.geometry.collider().map(|collider| collider.mesh()),
            _ => self.sketch.as_deref(),
        }
    }
}

#[cfg(feature = "methods")]
impl Body {
    /// The same with what pictures show of it.
    pub(crate) fn seen_as(self, mesh: &Polyhedron) -> Self {
        Self { sketch: Some(Arc::new(mesh.clone())), ..self }
    }

    /// A round body, with a mesh to be seen.
    fn round(made: Result<Geometry, RoundError>) -> Result<Self, Wrong> {
        let geometry = made.map_err(Wrong::new)?;
        let body = Self::of(geometry);
        let Some(round) = body.geometry.round() else { return Ok(body) };
        let polygons = round.polygons(SEGMENTS).map_err(Wrong::new)?;
        let mesh = Polyhedron::new(&polygons).map_err(Wrong::new)?;
        Ok(body.seen_as(&mesh))
    }
}

#[cfg(feature = "methods")]
/// The ends of a segment of this length along y, about the origin.
fn upright(length: f64) -> [DVec3; 2] {
    [-0.5 * length * DVec3::Y, 0.5 * length * DVec3::Y]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_are_checked_before_they_are_read() {
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let triangle = Body::mesh(&corners, &[3], &[0, 1, 2]).unwrap();
        assert_eq!((triangle.face_count(), triangle.look(2.0).positions()[3]), (1, 0.5));
        let words = |body: Result<Body, Wrong>| body.unwrap_err().to_string();
        assert!(words(Body::mesh(&corners, &[4], &[0, 1, 2])).contains("as many corners"));
        assert!(words(Body::mesh(&corners[..8], &[3], &[0, 1, 2])).contains("8 coordinates"));
        assert!(words(Body::mesh(&corners, &[3], &[0, 1, 9])).contains('9'));
    }

    #[cfg(feature = "methods")]
    #[test]
    fn files_and_shapes_say_what_is_wrong() {
        let words = |body: Result<Body, Wrong>| body.unwrap_err().to_string();
        assert!(words(Body::file("a.obj", b"v 1 x 3")).contains("line 1"));
        assert!(words(Body::file("a.txt", b"")).contains("txt"));
        assert!(words(Body::shape("{\"bx\": {}}")).contains("bx"));
    }
}
