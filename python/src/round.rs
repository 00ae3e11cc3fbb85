//! `Round`: spheres, capsules, cylinders, cones and ellipsoids, taken exactly as they are.

use chasles::Pose;
use chasles::glam::DVec3;
use chasles::query::Geometry;
use chasles::round;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde::{Deserialize, Serialize};

use crate::array::{points, sizes, vector};
use crate::error::{MeshError, mesh as mesh_error};
use crate::geometry::{About, PyGeometry, Source};
use crate::pickle;
use crate::pose::pose;

/// A sphere, capsule, cylinder, cone or ellipsoid, exactly as it is.
///
/// >>> import chasles
/// >>> ball = chasles.Round.sphere(0.5)
/// >>> path = ([-2, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 1])
/// >>> chasles.first_contact(ball, ball, b_motion=path).time
/// 0.25
#[pyclass(module = "chasles", name = "Round", extends = PyGeometry, frozen)]
pub(crate) struct PyRound;

/// What a round body was made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum RoundSource {
    Sphere { center: DVec3, radius: f64 },
    Capsule { ends: [DVec3; 2], radius: f64 },
    Cylinder { ends: [DVec3; 2], radius: f64 },
    Ellipsoid { half_axes: DVec3, pose: Pose },
    Cone { ends: [DVec3; 2], radius: f64 },
}

impl RoundSource {
    fn made(&self) -> Result<Geometry, round::RoundError> {
        let made = match self {
            Self::Sphere { center, radius } => round::Round::sphere_at(*center, *radius),
            Self::Capsule { ends, radius } => round::Round::capsule(*ends, *radius),
            Self::Cylinder { ends, radius } => round::Round::cylinder(*ends, *radius),
            Self::Ellipsoid { half_axes, pose } => round::Round::ellipsoid_at(pose, *half_axes),
            Self::Cone { ends, radius } => round::Round::cone(*ends, *radius),
        };
        made.map(Geometry::from)
    }
}

fn made(py: Python<'_>, source: RoundSource, about: About) -> PyResult<Py<PyRound>> {
    let geometry = source.made().map_err(mesh_error)?;
    Py::new(py, (PyRound, PyGeometry::new(geometry, Source::Round(source), about)))
}

/// Both ends of a segment; without any, half a unit up and down y.
fn ends(value: Option<&Bound<'_, PyAny>>) -> PyResult<[DVec3; 2]> {
    let Some(value) = value else { return Ok([DVec3::Y * -0.5, DVec3::Y * 0.5]) };
    match *points("ends", value)? {
        [p, q] => Ok([p, q]),
        ref all => Err(MeshError::new_err(format!("{} ends; expected 2", all.len()))),
    }
}

#[pymethods]
impl PyRound {
    /// A sphere, about the origin unless `center` says where.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, center=None))]
    fn sphere(
        py: Python<'_>,
        radius: f64,
        center: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let center = center.map_or(Ok(DVec3::ZERO), |center| vector("center", center))?;
        made(py, RoundSource::Sphere { center, radius }, About::default())
    }

    /// All points within a radius of a segment, given by its two ends.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, ends=None))]
    fn capsule(py: Python<'_>, radius: f64, ends: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Self>> {
        made(py, RoundSource::Capsule { ends: self::ends(ends)?, radius }, About::default())
    }

    /// A cylinder with flat ends, given by the two ends of its axis.
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, ends=None))]
    fn cylinder(
        py: Python<'_>,
        radius: f64,
        ends: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        made(py, RoundSource::Cylinder { ends: self::ends(ends)?, radius }, About::default())
    }

    /// A cone, given by the middle of its base, its tip, and the radius of the base.
    ///
    /// >>> import chasles
    /// >>> hat = chasles.Round.cone(0.5, [[0, 0, 0], [0, 0, 1]])
    /// >>> chasles.distance(hat, chasles.Round.sphere(0.5), b_pose=[0, 0, 2, 0, 0, 0, 1]).distance
    /// 0.5
    #[staticmethod]
    #[pyo3(signature = (radius=0.5, ends=None))]
    fn cone(py: Python<'_>, radius: f64, ends: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Self>> {
        made(py, RoundSource::Cone { ends: self::ends(ends)?, radius }, About::default())
    }

    /// An ellipsoid with these half axes along x, y and z of a pose.
    #[staticmethod]
    #[pyo3(signature = (half_axes, pose=None))]
    fn ellipsoid(
        py: Python<'_>,
        half_axes: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Self>> {
        let half_axes = sizes("half_axes", half_axes)?.into();
        let source = RoundSource::Ellipsoid { half_axes, pose: self::pose("pose", pose)? };
        made(py, source, About::default())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, body) = (slf.py(), slf.as_super().get());
        let Source::Round(source) = &body.source else { unreachable!("it is round") };
        let About { name, cover } = &body.about;
        pickle::dumped(py, "_round", source, (name, cover))
    }
}

/// A round body that was pickled.
#[pyfunction]
pub(crate) fn _round(
    py: Python<'_>,
    bytes: &[u8],
    name: Option<String>,
    cover: Option<f64>,
) -> PyResult<Py<PyRound>> {
    made(py, pickle::loaded(bytes)?, About { name, cover })
}
