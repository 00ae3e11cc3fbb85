//! What is proven of edges, and what is near: `Edge` and `Near`.

use chasles::glam::DVec3;
use chasles_planning::{Doubt, Edge, Hit, Near, Verdict};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::{of_vector, rows};
use crate::pickle;

/// Two bodies of a scene that are near each other, or in each other.
#[pyclass(module = "chasles", name = "Near", frozen)]
pub(crate) struct PyNear(pub(super) Near);

#[pymethods]
impl PyNear {
    /// The names of both; a link of the robot comes first.
    #[getter]
    fn bodies(&self) -> (String, String) {
        let [a, b] = self.0.bodies.clone();
        (a, b)
    }

    /// How far apart they are; 0 in overlap.
    #[getter]
    fn distance(&self) -> f64 {
        self.0.distance
    }

    /// Their closest points, in the world, (2, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.0.points.map(|point| point.to_array()))
    }

    /// The unit normal from the first to the second, (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal)
    }

    /// Whether they overlap.
    #[getter]
    fn overlaps(&self) -> bool {
        self.0.overlaps
    }

    /// How fast the distance grows with each variable of the robot, (n,).
    #[getter]
    fn gradient<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.gradient)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::dumped(py, "_near", &near_parts(&self.0), ())
    }

    fn __repr__(&self) -> String {
        let [a, b] = &self.0.bodies;
        format!("Near({a} and {b}, {:.6})", self.0.distance)
    }
}

/// What is proven of an edge between two configurations.
#[pyclass(module = "chasles", name = "Edge", frozen)]
pub(crate) struct PyEdge(pub(super) Edge);

/// The word for a verdict.
pub(super) fn word(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Free => "free",
        Verdict::Hit(_) => "hit",
        Verdict::Undecided(_) => "undecided",
    }
}

#[pymethods]
impl PyEdge {
    /// Whether all of it is proven free.
    #[getter]
    fn free(&self) -> bool {
        self.0.is_free()
    }

    /// Whether it is proven not to be free.
    #[getter]
    fn hit(&self) -> bool {
        self.0.hit().is_some()
    }

    /// Whether neither is proven.
    #[getter]
    fn undecided(&self) -> bool {
        self.0.undecided().is_some()
    }

    /// The robot is free before this fraction of the edge.
    #[getter]
    fn fraction(&self) -> f64 {
        self.0.fraction
    }

    /// The least distance over a free edge is between these, (2,).
    #[getter]
    fn clearance<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.clearance)
    }

    /// Where on the edge it hits, or is in doubt, as a fraction; None if it is free.
    #[getter]
    fn at(&self) -> Option<f64> {
        let doubt = || self.0.undecided().map(|doubt| doubt.at);
        self.0.hit().map(|hit| hit.at).or_else(doubt)
    }

    /// The configuration of the hit, (n,), or None.
    #[getter]
    fn configuration<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.hit().map(|hit| PyArray1::from_slice(py, &hit.configuration))
    }

    /// The two bodies that hit, or are in doubt, or None.
    #[getter]
    fn bodies(&self) -> Option<(String, String)> {
        let doubt = || self.0.undecided().map(|doubt| doubt.bodies.clone());
        let names = self.0.hit().map(|hit| hit.near.bodies.clone()).or_else(doubt);
        names.map(|[a, b]| (a, b))
    }

    /// How near the two bodies are in the configuration of the hit, and where, or None.
    #[getter]
    fn near(&self) -> Option<PyNear> {
        self.0.hit().map(|hit| PyNear(hit.near.clone()))
    }

    /// How many configurations were looked at, and distances asked for.
    #[getter]
    fn evaluations(&self) -> u32 {
        self.0.evaluations
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Edge { fraction, clearance, evaluations, .. } = self.0;
        let hit = self.0.hit().map(|hit| (hit.at, &hit.configuration, near_parts(&hit.near)));
        let doubt = self.0.undecided().map(|doubt| (doubt.at, &doubt.bodies));
        pickle::dumped(py, "_edge", &(fraction, clearance, evaluations, hit, doubt), ())
    }

    fn __repr__(&self) -> String {
        match (self.at(), self.bodies()) {
            (Some(at), Some((a, b))) => {
                format!("Edge({} at {at:.6}, {a} and {b})", word(&self.0.verdict))
            }
            _ => "Edge(free)".to_owned(),
        }
    }
}

/// What two near bodies are pickled as: their names, the distance, places, whether they overlap,
/// and the gradient.
type NearParts = ([String; 2], f64, [DVec3; 3], bool, Vec<f64>);

fn near_parts(near: &Near) -> NearParts {
    let Near { bodies, distance, points: [p, q], normal, overlaps, gradient } = near.clone();
    (bodies, distance, [p, q, normal], overlaps, gradient)
}

fn near_of((bodies, distance, [p, q, normal], overlaps, gradient): NearParts) -> Near {
    Near { bodies, distance, points: [p, q], normal, overlaps, gradient }
}

/// Two near bodies that were pickled.
#[pyfunction]
pub(crate) fn _near(bytes: &[u8]) -> PyResult<PyNear> {
    Ok(PyNear(near_of(pickle::loaded(bytes)?)))
}

/// An edge that was pickled.
#[pyfunction]
pub(crate) fn _edge(bytes: &[u8]) -> PyResult<PyEdge> {
    type Parts = (f64, Vec<f64>, NearParts);
    let (fraction, clearance, evaluations, hit, doubt) = pickle::loaded(bytes)?;
    let (hit, doubt): (Option<Parts>, Option<(f64, [String; 2])>) = (hit, doubt);
    let verdict = match (hit, doubt) {
        (Some((at, configuration, near)), _) => {
            Verdict::Hit(Hit { at, configuration, near: near_of(near) })
        }
        (None, Some((at, bodies))) => Verdict::Undecided(Doubt { at, bodies }),
        (None, None) => Verdict::Free,
    };
    Ok(PyEdge(Edge { verdict, fraction, clearance, evaluations }))
}
