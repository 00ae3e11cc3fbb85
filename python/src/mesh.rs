//! `Mesh`: vertices and faces, files, and built-in shapes.

use std::path::PathBuf;
use std::sync::Arc;

use chasles::glam::DVec3;
use chasles::mesh::shapes::{
    Bolt, Capsule, Car, Cone, Cuboid, Cylinder, Gear, Nut, Plane, Prism, Shape, Sphere, Torus,
};
use chasles::mesh::{Inspection, files};
use chasles::query::Geometry;
use chasles::{Collider, Polygons, Polyhedron};
use numpy::PyArray2;
use pyo3::exceptions::PyFileNotFoundError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::array::{column, numbers, pairs, points, rows, shaped, sizes, wholes};
use crate::error::{MeshError, mesh as mesh_error};
use crate::geometry::{About, PyGeometry, Source};
use crate::pose::pose;

/// A body of polygons: any mix of faces, closed or open, also of several pieces.
///
/// `vertices` is (n, 3); `faces` is (m, 3) or (m, k) whole numbers, or a list of polygons of any
/// lengths, counter-clockwise seen from outside. Numbers are kept: results name the vertices and
/// faces of these arrays, from 0. Closed components that look inward are turned, unless
/// `turn_outward` is False. Vertices within `weld` of each other are one (by default within 1e-12
/// of the size; 0: only equal ones).
///
/// >>> import chasles
/// >>> chasles.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]], name="triangle")
/// Mesh("triangle", 3 vertices, 1 faces)
/// >>> chasles.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 7]])
/// Traceback (most recent call last):
///     ...
/// chasles.MeshError: face 0 uses vertex 7, but there are only 3 vertices (from 0)
#[pyclass(module = "chasles", extends = PyGeometry, frozen)]
pub(crate) struct Mesh;

/// What a mesh was made of.
pub(crate) struct MeshSource {
    pub(crate) polygons: Polygons,
    weld: Option<f64>,
    turn_outward: bool,
}

impl MeshSource {
    /// Vertices and faces, with all else as usual.
    pub(crate) fn of_arrays(
        vertices: &Bound<'_, PyAny>,
        polygons: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let polygons = Polygons {
            vertices: points("vertices", vertices)?,
            faces: faces(polygons)?,
            ..Polygons::default()
        };
        Ok(Self { polygons, weld: None, turn_outward: true })
    }

    /// The body; other threads of Python go on while it is made.
    pub(crate) fn made(&self, py: Python<'_>) -> PyResult<Geometry> {
        py.detach(|| self.built()).map_err(mesh_error)
    }

    fn built(&self) -> Result<Geometry, chasles::mesh::MeshError> {
        let polyhedron = match self.weld {
            Some(weld) => Polyhedron::welded(&self.polygons, weld)?,
            None => Polyhedron::new(&self.polygons)?,
        };
        Ok(match self.turn_outward {
            true => Geometry::mesh(polyhedron),
            false => Collider::new(polyhedron).into(),
        })
    }
}

/// Faces as `(m, k)` numbers or as lists of any lengths.
pub(crate) fn faces(value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<u32>>> {
    if let Ok(list) = value.cast::<PyList>() {
        if let Ok(faces) = list.extract() {
            return Ok(faces);
        }
        let one = |(i, face): (usize, Bound<'_, PyAny>)| wholes(&format!("face {i}"), &face);
        return list.iter().enumerate().map(|face| Ok(one(face)?.1)).collect();
    }
    let (shape, numbers) = wholes("faces", value)?;
    match *shape {
        [0, ..] => Ok(Vec::new()),
        [_, corners] if corners > 0 => {
            Ok(numbers.chunks_exact(corners).map(<[u32]>::to_vec).collect())
        }
        _ => Err(shaped("faces", &shape, "(m, 3), (m, k), or a list of polygons")),
    }
}

fn mesh(
    py: Python<'_>,
    source: MeshSource,
    name: Option<String>,
) -> PyResult<PyClassInitializer<Mesh>> {
    let about = About { name, cover: None };
    let body = PyGeometry::new(source.made(py)?, Source::Mesh(Arc::new(source)), about);
    Ok(PyClassInitializer::from((Mesh, body)))
}

/// A mesh of polygons of our own.
fn of_polygons(py: Python<'_>, polygons: Polygons, name: Option<String>) -> PyResult<Py<Mesh>> {
    Py::new(py, mesh(py, MeshSource { polygons, weld: None, turn_outward: true }, name)?)
}

fn shape(py: Python<'_>, shape: &Shape) -> PyResult<Py<Mesh>> {
    // Shapes that are too thin to be closed are refused here.
    shape.build().map_err(mesh_error)?;
    of_polygons(py, shape.polygons().map_err(mesh_error)?, None)
}

fn source<'m>(body: &'m Bound<'_, Mesh>) -> &'m MeshSource {
    match &body.as_super().get().source {
        Source::Mesh(source) => source,
        _ => unreachable!("a mesh is made of one"),
    }
}

fn polyhedron<'m>(body: &'m Bound<'_, Mesh>) -> &'m Polyhedron {
    let collider = body.as_super().get().geometry.collider();
    collider.expect("a mesh has a hierarchy").mesh()
}

#[pymethods]
impl Mesh {
    #[new]
    #[pyo3(signature = (
        vertices, faces=None, *, segments=None, points=None, weld=None, turn_outward=true, name=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        vertices: &Bound<'_, PyAny>,
        faces: Option<&Bound<'_, PyAny>>,
        segments: Option<&Bound<'_, PyAny>>,
        points: Option<&Bound<'_, PyAny>>,
        weld: Option<f64>,
        turn_outward: bool,
        name: Option<String>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let polygons = Polygons {
            vertices: crate::array::points("vertices", vertices)?,
            faces: faces.map_or(Ok(Vec::new()), self::faces)?,
            segments: segments.map_or(Ok(Vec::new()), |all| pairs("segments", all))?,
            points: points.map_or(Ok(Vec::new()), |all| numbers("points", all))?,
        };
        mesh(vertices.py(), MeshSource { polygons, weld, turn_outward }, name)
    }

    /// The mesh of a file: OBJ, STL, PLY, OFF, glTF or GLB, by its extension. Its name is that of
    /// the file.
    #[staticmethod]
    #[pyo3(signature = (path, *, name=None))]
    fn load(py: Python<'_>, path: PathBuf, name: Option<String>) -> PyResult<Py<Self>> {
        if !path.exists() {
            let message = format!("{}: no such file", path.display());
            return Err(PyFileNotFoundError::new_err(message));
        }
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let made = py.detach(|| files::load(&path)).map_err(mesh_error)?;
        let in_file =
            |error: PyErr| MeshError::new_err(format!("{}: {}", path.display(), error.value(py)));
        of_polygons(py, made, name.or(stem)).map_err(in_file)
    }

    /// Writes OBJ, STL, PLY or OFF, by the extension.
    fn save(slf: &Bound<'_, Self>, path: PathBuf) -> PyResult<()> {
        let polygons = &source(slf).polygons;
        slf.py().detach(|| files::save(path, polygons)).map_err(mesh_error)
    }

    /// A box about the origin; `size` is one length or three.
    ///
    /// >>> import chasles
    /// >>> chasles.Mesh.box([1, 2, 3]).volume
    /// 6.0
    #[staticmethod]
    #[pyo3(name = "box", signature = (size=None))]
    fn cuboid(py: Python<'_>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Self>> {
        let size = size.map_or(Ok([1.0; 3]), |size| sizes("size", size))?;
        shape(py, &Shape::Box(Cuboid { size }))
    }

    /// A polyhedron like a sphere; `Round.sphere` is exact. `segments` are those around the axis
    /// (y, as of all shapes) and from pole to pole.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, segments=(24, 12)))]
    fn sphere(py: Python<'_>, radius: f64, segments: (u32, u32)) -> PyResult<Py<Self>> {
        shape(py, &Shape::Sphere(Sphere { radius, segments: segments.into() }))
    }

    /// A polyhedron like a capsule about a segment along y; `Round.capsule` is exact.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, length=1.0, segments=(24, 12)))]
    fn capsule(
        py: Python<'_>,
        radius: f64,
        length: f64,
        segments: (u32, u32),
    ) -> PyResult<Py<Self>> {
        shape(py, &Shape::Capsule(Capsule { radius, length, segments: segments.into() }))
    }

    /// A prism like a cylinder along y; `Round.cylinder` is exact.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, height=1.0, segments=32))]
    fn cylinder(py: Python<'_>, radius: f64, height: f64, segments: u32) -> PyResult<Py<Self>> {
        shape(py, &Shape::Cylinder(Cylinder { radius, height, segments }))
    }

    /// A pyramid like a cone along y; `Solid.cone` has a round one.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, height=1.0, segments=32))]
    fn cone(py: Python<'_>, radius: f64, height: f64, segments: u32) -> PyResult<Py<Self>> {
        shape(py, &Shape::Cone(Cone { radius, height, segments }))
    }

    /// A prism over a regular polygon, along y.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, height=1.0, sides=6))]
    fn prism(py: Python<'_>, radius: f64, height: f64, sides: u32) -> PyResult<Py<Self>> {
        shape(py, &Shape::Prism(Prism { radius, height, sides }))
    }

    /// A torus about y; `segments` are those around the axis and around the tube.
    #[staticmethod]
    #[pyo3(signature = (major=1.0, minor=0.3, segments=(20, 15)))]
    fn torus(py: Python<'_>, major: f64, minor: f64, segments: (u32, u32)) -> PyResult<Py<Self>> {
        shape(py, &Shape::Torus(Torus { major, minor, segments: segments.into() }))
    }

    /// A rectangle in x and z, an open surface that looks up along y.
    #[staticmethod]
    #[pyo3(signature = (size=(10.0, 10.0)))]
    fn plane(py: Python<'_>, size: (f64, f64)) -> PyResult<Py<Self>> {
        shape(py, &Shape::Plane(Plane { size: size.into() }))
    }

    /// A car of twelve faces.
    #[staticmethod]
    #[pyo3(signature = (length=4.0))]
    fn car(py: Python<'_>, length: f64) -> PyResult<Py<Self>> {
        shape(py, &Shape::Car(Car { length }))
    }

    /// A spur gear about y, with a hole along its axis if `bore` is its radius.
    #[staticmethod]
    #[pyo3(signature = (teeth=20, module=0.1, thickness=0.3, bore=None))]
    fn gear(
        py: Python<'_>,
        teeth: u32,
        module: f64,
        thickness: f64,
        bore: Option<f64>,
    ) -> PyResult<Py<Self>> {
        shape(py, &Shape::Gear(Gear { teeth, module, thickness, bore }))
    }

    /// A hexagonal bolt along y, with a thread of this radius and pitch.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, pitch=0.2, length=2.0))]
    fn bolt(py: Python<'_>, radius: f64, pitch: f64, length: f64) -> PyResult<Py<Self>> {
        shape(py, &Shape::Bolt(Bolt { radius, pitch, length, ..Bolt::default() }))
    }

    /// The nut of such a bolt, `clearance` away from it.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, pitch=0.2, clearance=0.01))]
    fn nut(py: Python<'_>, radius: f64, pitch: f64, clearance: f64) -> PyResult<Py<Self>> {
        shape(py, &Shape::Nut(Nut { radius, pitch, clearance, ..Nut::default() }))
    }

    /// The vertices that it was made of, (n, 3).
    #[getter]
    fn vertices<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(slf.py(), source(slf).polygons.vertices.iter().map(DVec3::to_array))
    }

    /// The faces that it was made of: (m, k) where all have k corners, or a list of arrays.
    #[getter]
    fn faces<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, faces) = (slf.py(), &source(slf).polygons.faces);
        let corners = faces.first().map_or(3, Vec::len);
        if faces.iter().all(|face| face.len() == corners) {
            let flat = faces.iter().flatten().map(|&v| i64::from(v));
            return column(py, flat).call_method1("reshape", ((-1, corners),));
        }
        let arrays = faces.iter().map(|face| column(py, face.iter().map(|&v| i64::from(v))));
        Ok(PyList::new(py, arrays)?.into_any())
    }

    /// Whether every edge is between two faces that agree on what is outside.
    #[getter]
    fn is_closed(slf: &Bound<'_, Self>) -> bool {
        polyhedron(slf).is_closed()
    }

    /// The volume inside; of open meshes it means nothing.
    #[getter]
    fn volume(slf: &Bound<'_, Self>) -> f64 {
        polyhedron(slf).volume()
    }

    /// The area of all faces.
    #[getter]
    fn area(slf: &Bound<'_, Self>) -> f64 {
        polyhedron(slf).area()
    }

    /// Counts, sizes, and everything that is odd about the mesh, as a dictionary.
    ///
    /// >>> import chasles
    /// >>> chasles.Mesh.torus().inspect()["counts"]["edges"]
    /// 600
    fn inspect<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let findings = Inspection::new(&source(slf).polygons, polyhedron(slf));
        let text = serde_json::to_string(&findings).map_err(mesh_error)?;
        slf.py().import("json")?.call_method1("loads", (text,))
    }

    /// The same mesh at another scale, one factor or three, and then at another pose.
    ///
    /// >>> import chasles
    /// >>> chasles.Mesh.box().transformed(scale=[1, 2, 3]).volume
    /// 6.0
    #[pyo3(signature = (pose=None, *, scale=None))]
    fn transformed(
        slf: &Bound<'_, Self>,
        pose: Option<&Bound<'_, PyAny>>,
        scale: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let pose = self::pose("pose", pose)?;
        let scale = DVec3::from(scale.map_or(Ok([1.0; 3]), |scale| sizes("scale", scale))?);
        let mut polygons = source(slf).polygons.clone();
        polygons.vertices.iter_mut().for_each(|place| *place = pose.point(*place * scale));
        if scale.x * scale.y * scale.z < 0.0 {
            polygons.faces.iter_mut().for_each(|face| face.reverse());
        }
        let MeshSource { weld, turn_outward, .. } = *source(slf);
        let name = slf.as_super().get().about.name.clone();
        Py::new(slf.py(), mesh(slf.py(), MeshSource { polygons, weld, turn_outward }, name)?)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, about) = (slf.py(), &slf.as_super().get().about);
        let MeshSource { polygons, weld, turn_outward } = source(slf);
        let keywords = PyDict::new(py);
        if !polygons.segments.is_empty() {
            keywords.set_item("segments", rows(py, polygons.segments.iter().copied())?)?;
        }
        if !polygons.points.is_empty() {
            keywords.set_item("points", column(py, polygons.points.iter().copied()))?;
        }
        keywords.set_item("weld", weld)?;
        keywords.set_item("turn_outward", turn_outward)?;
        keywords.set_item("name", &about.name)?;
        let restore = py.import("chasles._chasles")?.getattr("_mesh")?;
        (restore, (Self::vertices(slf)?, Self::faces(slf)?, keywords, about.cover))
            .into_pyobject(py)
    }
}

/// A mesh that was pickled.
#[pyfunction]
pub(crate) fn _mesh<'py>(
    vertices: &Bound<'py, PyAny>,
    faces: &Bound<'py, PyAny>,
    keywords: &Bound<'py, PyDict>,
    cover: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let class = vertices.py().get_type::<Mesh>();
    let mesh = class.call((vertices, faces), Some(keywords))?;
    cover.map_or(Ok(mesh.clone()), |cover| mesh.call_method1("with_cover", (cover,)))
}
