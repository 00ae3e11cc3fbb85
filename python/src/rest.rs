//! What is said of bodies at rest and of whole motions.

use chasles::query::{Cast, Clearance, Distance, Near, Outcome, Penetration, Stop};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::array::{column, of_vector, rows};
use crate::contacts::{PyContact, Row};
use crate::feature::{fixed, kind, numbers};
use crate::pickle;
use crate::pose::of_pose;

/// How far two bodies at rest are apart, and where.
#[pyclass(module = "chasles", name = "Distance", frozen)]
pub(crate) struct PyDistance(pub(crate) Distance);

#[pymethods]
impl PyDistance {
    /// The distance, 0 where the bodies touch or overlap.
    #[getter]
    fn distance(&self) -> f64 {
        self.0.distance
    }

    /// The closest points of A and of B, in the world, (2, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.points.map(|point| point.to_array()))
    }

    /// The unit normal from A to B, (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal)
    }

    /// The features that are closest, in words.
    #[getter]
    fn features(&self) -> String {
        self.0.features.to_string()
    }

    /// The feature of A, (2,): the two vertices of an edge, else a number and -1.
    #[getter]
    fn feature_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(py, &numbers(self.0.features.a))
    }

    /// The feature of B, (2,): the two vertices of an edge, else a number and -1.
    #[getter]
    fn feature_b<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(py, &numbers(self.0.features.b))
    }

    /// Whether the bodies overlap.
    #[getter]
    fn overlaps(&self) -> bool {
        self.0.overlaps
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Distance { distance, points, normal, features, overlaps } = self.0;
        pickle::dumped(py, "_distance", &(distance, points, normal, features, overlaps), ())
    }

    fn __repr__(&self) -> String {
        let Distance { distance, features, overlaps, .. } = self.0;
        let more = if overlaps { ", overlapping" } else { "" };
        format!("Distance({distance:.6}, {features}{more})")
    }
}

/// The least distance of two bodies over a step, as an interval.
#[pyclass(module = "chasles", name = "Clearance", frozen)]
pub(crate) struct PyClearance(pub(crate) Clearance);

#[pymethods]
impl PyClearance {
    /// The distance is at least this at all times.
    #[getter]
    fn lower(&self) -> f64 {
        self.0.lower
    }

    /// The distance at `time`.
    #[getter]
    fn upper(&self) -> f64 {
        self.0.upper
    }

    /// When the bodies are that near, as a fraction of the step.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    /// The closest points of A and of B then, in the world, (2, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.points.map(|point| point.to_array()))
    }

    /// The unit normal from A to B then, (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Clearance { lower, upper, time, points, normal, pairs } = self.0;
        let bounds = [lower, upper, time];
        pickle::dumped(py, "_clearance", &(bounds, points, normal, pairs), ())
    }

    fn __repr__(&self) -> String {
        let Clearance { lower, upper, time, .. } = self.0;
        format!("Clearance({lower:.6} to {upper:.6} at time {time:.6})")
    }
}

/// A shift of B that separates bodies in each other.
#[pyclass(module = "chasles", name = "Penetration", frozen)]
pub(crate) struct PyPenetration(pub(crate) Penetration);

#[pymethods]
impl PyPenetration {
    /// The shift of B, (3,).
    #[getter]
    fn translation<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.translation)
    }

    /// Its length.
    #[getter]
    fn depth(&self) -> f64 {
        self.0.translation.length()
    }

    /// No shorter shift separates the bodies.
    #[getter]
    fn lower(&self) -> f64 {
        self.0.lower
    }

    /// The unit normal from A to B where they touch then, (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal)
    }

    /// Whether it is the shortest shift, up to rounding.
    #[getter]
    fn exact(&self) -> bool {
        self.0.exact
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Penetration { translation, lower, normal, exact } = self.0;
        pickle::dumped(py, "_penetration", &(translation, lower, normal, exact), ())
    }

    fn __repr__(&self) -> String {
        let word = if self.0.exact { "exact" } else { "not the shortest, perhaps" };
        format!("Penetration({:.6}, {word})", self.depth())
    }
}

/// Whether a step is free, starts in overlap, or hits.
#[pyclass(module = "chasles", name = "Outcome", frozen)]
pub(crate) struct PyOutcome(pub(crate) Outcome);

/// The word for an outcome.
pub(crate) fn word(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Free => "free",
        Outcome::StartsOverlapping(_) => "overlap",
        Outcome::Hit(_) => "hit",
        Outcome::Undecided => "undecided",
    }
}

#[pymethods]
impl PyOutcome {
    /// `free`, `overlap` (at the start), `hit` or `undecided`.
    #[getter]
    fn word(&self) -> &'static str {
        word(&self.0)
    }

    /// Whether the step is known to be free.
    #[getter]
    fn is_free(&self) -> bool {
        self.0.is_free()
    }

    /// The first contact, if it is a hit.
    #[getter]
    fn contact(&self) -> Option<PyContact> {
        self.0.contact().map(PyContact)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let contact = self.0.contact().map(|contact| Row::from(&contact));
        let parts = match self.0 {
            Outcome::StartsOverlapping(parts) => Some(parts),
            _ => None,
        };
        pickle::dumped(py, "_outcome", &(contact, parts, self.is_free()), ())
    }

    fn __repr__(&self) -> String {
        match self.0 {
            Outcome::Hit(contact) => format!("Outcome(hit at {:.6})", contact.time),
            _ => format!("Outcome({})", self.word()),
        }
    }
}

/// How far a body got, in the world.
#[pyclass(module = "chasles", name = "Cast", frozen)]
pub(crate) struct PyCast(pub(crate) Cast);

#[pymethods]
impl PyCast {
    /// How much of the travel is done, in [0, 1].
    #[getter]
    fn fraction(&self) -> f64 {
        self.0.fraction
    }

    /// Where B is then, (4, 4).
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        of_pose(py, &self.0.end)
    }

    /// Whether B was in A at the start; it then does not move.
    #[getter]
    fn started_solid(&self) -> bool {
        self.0.started_solid
    }

    /// The thickness of the zone around A that B does not enter.
    #[getter]
    fn thickness(&self) -> f64 {
        self.0.thickness
    }

    /// Where it was stopped, (3,), or None.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.stop.map(|stop| of_vector(py, stop.point))
    }

    /// The unit normal there, from A to B, (3,), or None.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.stop.map(|stop| of_vector(py, stop.normal))
    }

    /// What is before what, in words, or None.
    #[getter]
    fn features(&self) -> Option<String> {
        self.0.stop.map(|stop| stop.features.to_string())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Cast { fraction, end, started_solid, thickness, stop } = self.0;
        let stop = stop.map(|s| (s.features, s.point, s.normal, s.distance));
        pickle::dumped(py, "_cast", &(fraction, end, started_solid, thickness, stop), ())
    }

    fn __repr__(&self) -> String {
        match (&self.0.stop, self.0.started_solid) {
            (_, true) => "Cast(starts in A)".to_owned(),
            (Some(stop), _) => format!("Cast({:.6}, {})", self.0.fraction, stop.features),
            (None, _) => "Cast(free)".to_owned(),
        }
    }
}

/// A distance that was pickled.
#[pyfunction]
pub(crate) fn _distance(bytes: &[u8]) -> PyResult<PyDistance> {
    let (distance, points, normal, features, overlaps) = pickle::loaded(bytes)?;
    Ok(PyDistance(Distance { distance, points, normal, features, overlaps }))
}

/// A clearance that was pickled.
#[pyfunction]
pub(crate) fn _clearance(bytes: &[u8]) -> PyResult<PyClearance> {
    let ([lower, upper, time], points, normal, pairs) = pickle::loaded(bytes)?;
    Ok(PyClearance(Clearance { lower, upper, time, points, normal, pairs }))
}

/// A penetration that was pickled.
#[pyfunction]
pub(crate) fn _penetration(bytes: &[u8]) -> PyResult<PyPenetration> {
    let (translation, lower, normal, exact) = pickle::loaded(bytes)?;
    Ok(PyPenetration(Penetration { translation, lower, normal, exact }))
}

/// A cast that was pickled.
#[pyfunction]
pub(crate) fn _cast(bytes: &[u8]) -> PyResult<PyCast> {
    let (fraction, end, started_solid, thickness, stop) = pickle::loaded(bytes)?;
    let stop: Option<(_, _, _, _)> = stop;
    let stop =
        stop.map(|(features, point, normal, distance)| Stop { features, point, normal, distance });
    Ok(PyCast(Cast { fraction, end, started_solid, thickness, stop }))
}

/// An outcome that was pickled.
#[pyfunction]
pub(crate) fn _outcome(bytes: &[u8]) -> PyResult<PyOutcome> {
    let (contact, parts, is_free): (Option<Row>, Option<_>, bool) = pickle::loaded(bytes)?;
    Ok(PyOutcome(match (contact, parts) {
        (Some(row), _) => Outcome::Hit(row.into()),
        (None, Some(parts)) => Outcome::StartsOverlapping(parts),
        (None, None) if is_free => Outcome::Free,
        (None, None) => Outcome::Undecided,
    }))
}

/// Near places as columns.
pub(crate) fn near_columns<'py>(py: Python<'py>, found: &[Near]) -> PyResult<Bound<'py, PyAny>> {
    let table = PyDict::new(py);
    table.set_item("gap", column(py, found.iter().map(|near| near.gap)))?;
    table.set_item("kind", column(py, found.iter().map(|near| fixed(&kind(near.features)))))?;
    table.set_item("feature_a", rows(py, found.iter().map(|near| numbers(near.features.a)))?)?;
    table.set_item("feature_b", rows(py, found.iter().map(|near| numbers(near.features.b)))?)?;
    table.set_item("point_a", rows(py, found.iter().map(|near| near.point_a.to_array()))?)?;
    table.set_item("point_b", rows(py, found.iter().map(|near| near.point_b.to_array()))?)?;
    table.set_item("normal", rows(py, found.iter().map(|near| near.normal.to_array()))?)?;
    table.set_item("properness", column(py, found.iter().map(|near| near.properness)))?;
    columns(py, "near places", table)
}

/// A table of columns, with a word for its rows.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    what: &str,
    table: Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("chasles._frames")?.getattr("Columns")?.call1((table, what))
}
