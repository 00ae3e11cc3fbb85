//! `Solid`: anything that answers for its distance, from a few parts or a formula.

use std::sync::Arc;

use chasles::glam::DVec3;
use chasles::query::Geometry;
use chasles::solid::{
    self, Complement, Cone, Cuboid, Cylinder, Difference, Ellipsoid, Expression, HalfSpace,
    HeightField, Intersection, MeshSolid, Offset, Sdf, SdfOptions, Solid, SolidError, Sphere,
    Torus, Transformed, Union,
};
use chasles::{Polygons, Pose};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::{Deserialize, Serialize};

use crate::array::{Floats, pair, points, shaped, sizes, vector};
use crate::error::{MeshError, mesh as mesh_error};
use crate::geometry::{About, PyGeometry, Source, body};
use crate::mesh::Mesh;
use crate::pickle;
use crate::pose::pose;

/// Anything that answers for its distance: shapes, their unions, intersections and differences
/// (`|`, `&`, `-`), formulas, height fields, distance fields. Contacts are found at samples of the
/// surfaces, to a precision.
///
/// >>> import chasles
/// >>> ring = chasles.Solid.torus(1.0, 0.3) - chasles.Solid.box([4, 4, 0.1])
/// >>> egg = chasles.Solid.formula("x^2 + y^2 + 2*z^2 - 1", bounds=[[-1, -1, -1], [1, 1, 1]])
/// >>> chasles.overlaps(ring, egg)
/// True
#[pyclass(module = "chasles", name = "Solid", extends = PyGeometry, frozen)]
pub(crate) struct PySolid;

/// What a solid was made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum SolidSource {
    Sphere(f64),
    Box(DVec3),
    Cylinder(f64, f64),
    Cone(f64, f64),
    Torus(f64, f64),
    Ellipsoid(DVec3),
    HalfSpace(DVec3, f64),
    Formula(String, Option<[DVec3; 2]>),
    Heights { heights: Vec<f64>, columns: usize, origin: [f64; 2], spacing: f64, floor: f64 },
    Mesh(Vec<DVec3>, Vec<Vec<u32>>),
    Field(Box<Self>, u32),
    Union(Vec<Self>),
    Intersection(Vec<Self>),
    Difference(Box<Self>, Vec<Self>),
    Complement(Box<Self>),
    Offset(Box<Self>, f64),
    Moved(Box<Self>, Pose, f64),
}

impl SolidSource {
    /// The word that names it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Sphere(_) => "sphere",
            Self::Box(_) => "box",
            Self::Cylinder(..) => "cylinder",
            Self::Cone(..) => "cone",
            Self::Torus(..) => "torus",
            Self::Ellipsoid(_) => "ellipsoid",
            Self::HalfSpace(..) => "half-space",
            Self::Formula(..) => "formula",
            Self::Heights { .. } => "heights",
            Self::Mesh(..) => "mesh",
            Self::Field(..) => "distance field",
            Self::Union(_) => "union",
            Self::Intersection(_) => "intersection",
            Self::Difference(..) => "difference",
            Self::Complement(_) => "complement",
            Self::Offset(..) => "offset",
            Self::Moved(inner, ..) => inner.word(),
        }
    }

    fn made(&self) -> Result<Box<dyn Solid>, SolidError> {
        Ok(match self {
            Self::Sphere(radius) => Box::new(Sphere::new(DVec3::ZERO, *radius)?),
            Self::Box(size) => Box::new(Cuboid::new(*size)?),
            Self::Cylinder(radius, height) => Box::new(Cylinder::new(*radius, *height)?),
            Self::Cone(radius, height) => Box::new(Cone::new(*radius, *height)?),
            Self::Torus(major, minor) => Box::new(Torus::new(*major, *minor)?),
            Self::Ellipsoid(half_axes) => Box::new(Ellipsoid::new(*half_axes)?),
            Self::HalfSpace(normal, offset) => Box::new(HalfSpace::new(*normal, *offset)?),
            Self::Formula(text, bounds) => Box::new(Expression::parse(text, *bounds)?),
            Self::Heights { heights, columns, origin, spacing, floor } => {
                Box::new(HeightField::new(heights.clone(), *columns, *origin, *spacing, *floor)?)
            }
            Self::Mesh(vertices, faces) => {
                let (vertices, faces) = (vertices.clone(), faces.clone());
                let polygons = Polygons { vertices, faces, ..Polygons::default() };
                Box::new(MeshSolid::from_polygons(&polygons)?)
            }
            Self::Field(inner, cells) => {
                let inner = inner.made()?;
                Box::new(Sdf::sample(&*inner, &SdfOptions::across(&*inner, *cells)?)?)
            }
            Self::Union(all) => Box::new(Union::new(each(all)?)?),
            Self::Intersection(all) => Box::new(Intersection::new(each(all)?)?),
            Self::Difference(base, removed) => {
                Box::new(Difference::new(base.made()?, each(removed)?)?)
            }
            Self::Complement(inner) => Box::new(Complement::new(inner.made()?)?),
            Self::Offset(inner, by) => Box::new(Offset::new(inner.made()?, *by)?),
            Self::Moved(inner, pose, scale) => {
                Box::new(Transformed::new(inner.made()?, *pose, *scale)?)
            }
        })
    }
}

impl SolidSource {
    /// How deep parts are nested in it.
    fn depth(&self) -> usize {
        let of_all = |all: &[Self]| all.iter().map(Self::depth).max().unwrap_or(0);
        1 + match self {
            Self::Union(all) | Self::Intersection(all) => of_all(all),
            Self::Difference(base, removed) => base.depth().max(of_all(removed)),
            Self::Field(inner, _)
            | Self::Complement(inner)
            | Self::Offset(inner, _)
            | Self::Moved(inner, ..) => inner.depth(),
            _ => 0,
        }
    }
}

/// Solids are nested so deep at most: each level needs stack wherever the solid is asked.
const MOST_DEPTH: usize = 200;

fn each(all: &[SolidSource]) -> Result<Vec<Box<dyn Solid>>, SolidError> {
    all.iter().map(SolidSource::made).collect()
}

fn made(py: Python<'_>, source: SolidSource, about: About) -> PyResult<Py<PySolid>> {
    let depth = source.depth();
    if depth > MOST_DEPTH {
        return Err(MeshError::new_err(format!(
            "the solid is nested {depth} deep; at most {MOST_DEPTH} is taken: unions of unions are \
             one, so join parts before they are moved or taken away"
        )));
    }
    let solid: Arc<dyn Solid> = py.detach(|| source.made()).map_err(mesh_error)?.into();
    let body = PyGeometry::new(Geometry::from(solid), Source::Solid(Arc::new(source)), about);
    Py::new(py, (PySolid, body))
}

fn plain(py: Python<'_>, source: SolidSource) -> PyResult<Py<PySolid>> {
    made(py, source, About::default())
}

fn source(body: &PyGeometry) -> PyResult<SolidSource> {
    match &body.source {
        Source::Solid(source) => Ok((**source).clone()),
        Source::Mesh(mesh) => {
            let Polygons { vertices, faces, .. } = mesh.polygons.clone();
            Ok(SolidSource::Mesh(vertices, faces))
        }
        Source::Round(_) => Err(MeshError::new_err(
            "a Round is no Solid: Solid.sphere, Solid.cylinder and Solid.ellipsoid make one",
        )),
    }
}

fn own(slf: &Bound<'_, PySolid>) -> PyResult<SolidSource> {
    source(slf.as_super().get())
}

/// A solid, or a mesh taken as one.
fn other(value: &Bound<'_, PyAny>) -> PyResult<SolidSource> {
    source(body("the other solid", value)?.get())
}

#[pymethods]
impl PySolid {
    /// A ball about the origin.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5))]
    fn sphere(py: Python<'_>, radius: f64) -> PyResult<Py<Self>> {
        plain(py, SolidSource::Sphere(radius))
    }

    /// A box about the origin; `size` is one length or three.
    #[staticmethod]
    #[pyo3(name = "box")]
    fn cuboid(size: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        plain(size.py(), SolidSource::Box(sizes("size", size)?.into()))
    }

    /// A cylinder along y, about the origin.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, height=1.0))]
    fn cylinder(py: Python<'_>, radius: f64, height: f64) -> PyResult<Py<Self>> {
        plain(py, SolidSource::Cylinder(radius, height))
    }

    /// A cone along y, about the origin, with its tip up.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, height=1.0))]
    fn cone(py: Python<'_>, radius: f64, height: f64) -> PyResult<Py<Self>> {
        plain(py, SolidSource::Cone(radius, height))
    }

    /// A torus about y.
    #[staticmethod]
    #[pyo3(signature = (major=1.0, minor=0.3))]
    fn torus(py: Python<'_>, major: f64, minor: f64) -> PyResult<Py<Self>> {
        plain(py, SolidSource::Torus(major, minor))
    }

    /// An ellipsoid about the origin.
    #[staticmethod]
    fn ellipsoid(half_axes: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        plain(half_axes.py(), SolidSource::Ellipsoid(sizes("half_axes", half_axes)?.into()))
    }

    /// All points `p` with `normal . p <= offset`, for a unit normal; it has no end.
    #[staticmethod]
    #[pyo3(signature = (normal, offset=0.0))]
    fn half_space(normal: &Bound<'_, PyAny>, offset: f64) -> PyResult<Py<Self>> {
        plain(normal.py(), SolidSource::HalfSpace(vector("normal", normal)?, offset))
    }

    /// All points where a formula of x, y and z is not positive, within bounds, (2, 3).
    ///
    /// >>> import chasles
    /// >>> chasles.Solid.formula("x^2 + y^2 + z^2 - 1", bounds=[[-1, -1, -1], [1, 1, 1]])
    /// Solid(formula)
    /// >>> chasles.Solid.formula("x^2 +", bounds=[[-1, -1, -1], [1, 1, 1]])
    /// Traceback (most recent call last):
    ///     ...
    /// chasles.MeshError: the formula does not parse: ...
    #[staticmethod]
    #[pyo3(signature = (text, bounds=None))]
    fn formula(
        py: Python<'_>,
        text: String,
        bounds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let corners = |value: &Bound<'_, PyAny>| match *points("bounds", value)? {
            [low, high] => Ok([low, high]),
            ref all => Err(shaped("bounds", &[all.len(), 3], "(2, 3)")),
        };
        plain(py, SolidSource::Formula(text, bounds.map(corners).transpose()?))
    }

    /// The ground under heights, (rows, columns): rows go along z and columns along x, `spacing`
    /// apart from `origin` (x, z) on; down to `floor`.
    #[staticmethod]
    #[pyo3(signature = (heights, *, spacing=1.0, origin=None, floor=None))]
    fn heights(
        heights: &Bound<'_, PyAny>,
        spacing: f64,
        origin: Option<&Bound<'_, PyAny>>,
        floor: Option<f64>,
    ) -> PyResult<Py<Self>> {
        let floats = Floats::of("heights", heights)?;
        let [_, columns] = *floats.shape() else {
            return Err(shaped("heights", floats.shape(), "(rows, columns)"));
        };
        let all = floats.numbers()?.to_vec();
        let lowest = all.iter().copied().fold(f64::INFINITY, f64::min);
        let origin =
            origin.map_or(Ok([0.0; 2]), |at| Ok::<_, PyErr>(pair("origin", at)?.into()))?;
        let floor = floor.unwrap_or(lowest - spacing);
        let source = SolidSource::Heights { heights: all, columns, origin, spacing, floor };
        plain(heights.py(), source)
    }

    /// What a mesh encloses, or a soup of triangles as sheets.
    #[staticmethod]
    fn mesh(mesh: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        plain(mesh.py(), other(mesh)?)
    }

    /// The signed distance of a mesh or solid, sampled on a grid with so many cells along its
    /// longest side: cheap to ask, at the price of an error that it knows.
    #[staticmethod]
    #[pyo3(signature = (solid, cells=64))]
    fn field(solid: &Bound<'_, PyAny>, cells: u32) -> PyResult<Py<Self>> {
        plain(solid.py(), SolidSource::Field(Box::new(other(solid)?), cells))
    }

    /// What is in this or the other.
    fn __or__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mut all = Vec::new();
        for part in [own(slf)?, self::other(other)?] {
            match part {
                SolidSource::Union(parts) => all.extend(parts),
                part => all.push(part),
            }
        }
        plain(slf.py(), SolidSource::Union(all))
    }

    /// What is in this and the other.
    fn __and__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let mut all = Vec::new();
        for part in [own(slf)?, self::other(other)?] {
            match part {
                SolidSource::Intersection(parts) => all.extend(parts),
                part => all.push(part),
            }
        }
        plain(slf.py(), SolidSource::Intersection(all))
    }

    /// What is in this and not in the other.
    fn __sub__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<Py<Self>> {
        let (base, mut removed) = match own(slf)? {
            SolidSource::Difference(base, removed) => (base, removed),
            base => (Box::new(base), Vec::new()),
        };
        removed.push(self::other(other)?);
        plain(slf.py(), SolidSource::Difference(base, removed))
    }

    /// What is not in this; it has no end.
    fn __invert__(slf: &Bound<'_, Self>) -> PyResult<Py<Self>> {
        plain(slf.py(), SolidSource::Complement(Box::new(own(slf)?)))
    }

    /// All points within a distance of it; a negative one shrinks it.
    fn offset(slf: &Bound<'_, Self>, by: f64) -> PyResult<Py<Self>> {
        plain(slf.py(), SolidSource::Offset(Box::new(own(slf)?), by))
    }

    /// The same solid scaled, and then at another pose.
    #[pyo3(signature = (pose=None, *, scale=1.0))]
    fn transformed(
        slf: &Bound<'_, Self>,
        pose: Option<&Bound<'_, PyAny>>,
        scale: f64,
    ) -> PyResult<Py<Self>> {
        let pose = self::pose("pose", pose)?;
        plain(slf.py(), SolidSource::Moved(Box::new(own(slf)?), pose, scale))
    }

    /// A mesh that looks like it, with so many cells along its longest side: for pictures, since
    /// edges are rounded off.
    #[pyo3(signature = (cells=48))]
    fn surface<'py>(slf: &Bound<'py, Self>, cells: u32) -> PyResult<Bound<'py, PyAny>> {
        let polygons = self::surface(slf.py(), slf.as_super().get(), cells)?;
        let vertices = crate::array::rows(slf.py(), polygons.vertices.iter().map(DVec3::to_array))?;
        slf.py().get_type::<Mesh>().call1((vertices, polygons.faces))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, body) = (slf.py(), slf.as_super().get());
        let About { name, cover } = &body.about;
        pickle::dumped(py, "_solid", &own(slf)?, (name, cover))
    }
}

/// A mesh that looks like a solid.
pub(crate) fn surface(py: Python<'_>, body: &PyGeometry, cells: u32) -> PyResult<Polygons> {
    let source = source(body)?;
    let made = || solid::surface(&*source.made().map_err(mesh_error)?, cells).map_err(mesh_error);
    py.detach(made)
}

/// A solid that was pickled.
#[pyfunction]
pub(crate) fn _solid(
    py: Python<'_>,
    bytes: &[u8],
    name: Option<String>,
    cover: Option<f64>,
) -> PyResult<Py<PySolid>> {
    made(py, pickle::loaded(bytes)?, About { name, cover })
}
