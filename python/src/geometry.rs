//! Bodies of any kind: `Geometry`, what its subclasses share, and what is taken for a body.

use std::sync::Arc;

use chasles::Polygons;
use chasles::query::Geometry;
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::array::rows;
use crate::error::wrong_type;
use crate::mesh::{Mesh, MeshSource};
use crate::round::RoundSource;
use crate::solid::SolidSource;

/// The shape of a body in its own frame, made ready once for any number of questions.
///
/// It is a `Mesh`, a `Round` (sphere, capsule, cylinder, cone or ellipsoid, exactly) or a `Solid`
/// (anything that answers for its distance). It never changes, may be used by many threads, and
/// can be pickled. Every question also takes any object with `.vertices` and `.faces`, such as a
/// mesh of trimesh; to make such a body ready only once, make a `Mesh` of it.
#[pyclass(module = "chasles", name = "Geometry", subclass, frozen)]
pub(crate) struct PyGeometry {
    pub(crate) geometry: Geometry,
    pub(crate) source: Source,
    pub(crate) about: About,
}

/// What is said of a body besides its shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct About {
    pub(crate) name: Option<String>,
    pub(crate) cover: Option<f64>,
}

/// What a body was made of.
#[derive(Clone)]
pub(crate) enum Source {
    Mesh(Arc<MeshSource>),
    Round(RoundSource),
    Solid(Arc<SolidSource>),
}

impl PyGeometry {
    pub(crate) fn new(geometry: Geometry, source: Source, about: About) -> Self {
        let geometry = match about.cover {
            Some(cover) => geometry.with_cover(cover),
            None => geometry,
        };
        Self { geometry, source, about }
    }

    /// The name, or what kind of body it is.
    pub(crate) fn label(&self) -> String {
        self.about.name.clone().unwrap_or_else(|| self.geometry.kind().to_string())
    }

    /// The diagonal of the box around it.
    pub(crate) fn size(&self) -> f64 {
        let [low, high] = self.geometry.bounds();
        (high - low).length()
    }

    fn with(&self, about: About) -> Self {
        Self::new(self.geometry.clone(), self.source.clone(), about)
    }

    /// A Python object of the subclass that suits the source.
    fn into_object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.source {
            Source::Mesh(_) => Py::new(py, (Mesh, self))?.into_any(),
            Source::Round(_) => Py::new(py, (crate::round::PyRound, self))?.into_any(),
            Source::Solid(_) => Py::new(py, (crate::solid::PySolid, self))?.into_any(),
        })
    }
}

#[pymethods]
impl PyGeometry {
    /// What kind of body it is: mesh, sphere, capsule, cylinder, cone, ellipsoid or solid.
    #[getter]
    fn kind(&self) -> String {
        self.geometry.kind().to_string()
    }

    /// The name that reports and pictures show; None if it has none.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.about.name.as_deref()
    }

    /// The lowest and the highest corner of a box around it, (2, 3); infinite where it has no end.
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.geometry.bounds().map(|corner| corner.to_array()))
    }

    /// The same body with a name.
    ///
    /// >>> import chasles
    /// >>> chasles.Mesh.box().named("crate").name
    /// 'crate'
    fn named(&self, py: Python<'_>, name: String) -> PyResult<Py<PyAny>> {
        self.with(About { name: Some(name), ..self.about.clone() }).into_object(py)
    }

    /// The same body, its surface sampled so densely for the path method that no point of it is
    /// farther than `cover` from a sample.
    fn with_cover(&self, py: Python<'_>, cover: f64) -> PyResult<Py<PyAny>> {
        self.with(About { cover: Some(cover), ..self.about.clone() }).into_object(py)
    }

    fn __repr__(&self) -> String {
        let name = self.about.name.as_ref().map(|name| format!("{name:?}, ")).unwrap_or_default();
        match &self.source {
            Source::Mesh(source) => {
                let Polygons { vertices, faces, .. } = &source.polygons;
                format!("Mesh({name}{} vertices, {} faces)", vertices.len(), faces.len())
            }
            Source::Round(_) => format!("Round({name}{})", self.geometry.kind()),
            Source::Solid(source) => format!("Solid({name}{})", source.word()),
        }
    }
}

/// What is taken for a body: one of ours, or an object with vertices and faces.
pub(crate) fn body(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Py<PyGeometry>> {
    if let Ok(body) = value.cast::<PyGeometry>() {
        return Ok(body.clone().unbind());
    }
    let is_class = value.is_instance_of::<PyType>();
    let parts = [value.getattr("vertices"), value.getattr("faces")];
    let (false, [Ok(vertices), Ok(faces)]) = (is_class, parts) else {
        let name = value.get_type().qualname()?.to_string();
        let expected = "a chasles.Mesh, Round or Solid, or an object with .vertices and .faces";
        return Err(wrong_type(what, &format!("of the type {name}"), expected));
    };
    let source = MeshSource::of_arrays(&vertices, &faces)?;
    let made = source.made(value.py())?;
    let body = PyGeometry::new(made, Source::Mesh(Arc::new(source)), About::default());
    Ok(Py::new(value.py(), (Mesh, body))?.into_bound(value.py()).into_super().unbind())
}
