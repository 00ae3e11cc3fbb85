//! Questions to a world: rays, casts, overlaps, what is near, and who is in a sensor.

use chasles::glam::DVec3;
use chasles_dynamics::World;
use chasles_dynamics::world::{BodyId, CastHit};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::PyWorld;
use super::body::shape;
use crate::array::{column, of_vector, points, rows, vector};
use crate::error::Error;
use crate::geometry::body as geometry;
use crate::pickle;
use crate::pose::pose;
use crate::rest::columns;

/// What a ray or a shape strikes first.
#[pyclass(module = "chasles", name = "CastHit", frozen)]
pub(crate) struct PyCastHit(CastHit);

#[pymethods]
impl PyCastHit {
    /// The body that is struck.
    #[getter]
    fn body(&self) -> usize {
        self.0.body.0
    }

    /// After which share of the way.
    #[getter]
    fn share(&self) -> f64 {
        self.0.share
    }

    /// Where, (3,).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.point)
    }

    /// The unit normal of the surface, (3,), towards where the ray comes from.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal)
    }

    fn __repr__(&self) -> String {
        format!("CastHit(body {}, share {:.6})", self.0.body, self.0.share)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let CastHit { body, share, point, normal } = self.0;
        pickle::dumped(py, "_struck", &(body, share, point, normal), ())
    }
}

/// What was struck, pickled.
#[pyfunction]
pub(crate) fn _struck(bytes: &[u8]) -> PyResult<PyCastHit> {
    let (body, share, point, normal) = pickle::loaded(bytes)?;
    Ok(PyCastHit(CastHit { body, share, point, normal }))
}

#[pymethods]
impl PyWorld {
    /// The first surface on the way from a point to another, or None.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World()
    /// >>> crate = world.add(chasles.Mesh.box(), kind="static")
    /// >>> round(world.ray((0.1, 0.2, 5), (0.1, 0.2, -5)).share, 12)
    /// 0.45
    fn ray(&self, start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> PyResult<Option<PyCastHit>> {
        let (py, [from, to]) = (start.py(), [vector("start", start)?, vector("end", end)?]);
        Ok(self.free(py, |world| world.ray(from, to))?.map(PyCastHit))
    }

    /// Many rays, (n, 3) to (n, 3), as columns: `body` (-1 where nothing is struck), `share`,
    /// `point` and `normal`.
    fn rays<'py>(
        &self,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, [from, to]) = (start.py(), [points("start", start)?, points("end", end)?]);
        if from.len() != to.len() {
            let message = format!("{} points at the start, {} at the end", from.len(), to.len());
            return Err(Error::new_err(message));
        }
        let all = |world: &mut World| -> Vec<Option<CastHit>> {
            from.iter().zip(&to).map(|(&p, &q)| world.ray(p, q)).collect()
        };
        let found = self.free(py, all)?;
        let vectors = |of: fn(&CastHit) -> DVec3| {
            rows(py, found.iter().map(|s| s.as_ref().map_or(DVec3::NAN, of).to_array()))
        };
        let table = PyDict::new(py);
        table.set_item(
            "body",
            column(py, found.iter().map(|s| s.map_or(-1, |s| s.body.0 as i64))),
        )?;
        table
            .set_item("share", column(py, found.iter().map(|s| s.map_or(f64::NAN, |s| s.share))))?;
        table.set_item("point", vectors(|s| s.point)?)?;
        table.set_item("normal", vectors(|s| s.normal)?)?;
        columns(py, "rays", table)
    }

    /// The first body that a shape strikes on its way between two poses, or None.
    fn cast(
        &self,
        body: &Bound<'_, PyAny>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
    ) -> PyResult<Option<PyCastHit>> {
        let (py, object) = (body.py(), geometry("body", body)?);
        let shape = shape(&object.get().geometry, &object.get().source)?;
        let poses = [pose("start", Some(start))?, pose("end", Some(end))?];
        Ok(self.free(py, |world| world.cast(&shape, poses))?.map(PyCastHit))
    }

    /// The bodies that a shape at a pose overlaps.
    #[pyo3(signature = (body, pose=None))]
    fn overlaps(
        &self,
        body: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<usize>> {
        let (py, object) = (body.py(), geometry("body", body)?);
        let shape = shape(&object.get().geometry, &object.get().source)?;
        let pose = self::pose("pose", pose)?;
        let found = self.free(py, |world| world.overlaps(&shape, pose))?;
        Ok(found.into_iter().map(|body| body.0).collect())
    }

    /// The bodies whose boxes reach into a box with these corners.
    fn within(&self, low: &Bound<'_, PyAny>, high: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        let (py, [low, high]) = (low.py(), [vector("low", low)?, vector("high", high)?]);
        let found = self.lock(py)?.world.within(low, high);
        Ok(found.into_iter().map(|body| body.0).collect())
    }

    /// Where a body is near others, within a distance, as columns: `body`, `gap`, `point_a` (on the
    /// body that was asked about), `point_b` and `normal`.
    fn near<'py>(
        &self,
        py: Python<'py>,
        body: usize,
        distance: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.lock(py)?.body(body)?;
        let found = self.free(py, |world| world.near(BodyId(body), distance))?;
        let table = PyDict::new(py);
        table.set_item("body", column(py, found.iter().map(|(other, _)| other.0 as i64)))?;
        table.set_item("gap", column(py, found.iter().map(|(_, near)| near.gap)))?;
        table.set_item("point_a", rows(py, found.iter().map(|(_, n)| n.point_a.to_array()))?)?;
        table.set_item("point_b", rows(py, found.iter().map(|(_, n)| n.point_b.to_array()))?)?;
        table.set_item("normal", rows(py, found.iter().map(|(_, n)| n.normal.to_array()))?)?;
        columns(py, "near places", table)
    }

    /// The bodies that were in a sensor at the end of the last step.
    fn inside(&self, py: Python<'_>, sensor: usize) -> PyResult<Vec<usize>> {
        let found = self.lock(py)?.world.inside(BodyId(sensor));
        Ok(found.into_iter().map(|body| body.0).collect())
    }
}
