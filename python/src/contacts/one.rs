//! `Contact`: one row of contacts.

use chasles::query::Contact;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::row::Row;
use crate::array::of_vector;
use crate::feature::{kind, numbers};
use crate::pickle;

/// One contact, with the names of a row of `Contacts`.
///
/// >>> import chasles
/// >>> ball = chasles.Round.sphere(0.5)
/// >>> way = ([-2, 0, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 0, 1])
/// >>> hit = chasles.first_contact(ball, ball, b_motion=way)
/// >>> hit.normal.tolist(), hit.features
/// ([-1.0, 0.0, 0.0], 'end 0 and end 0')
#[pyclass(module = "chasles", name = "Contact", frozen)]
pub(crate) struct PyContact(pub(crate) Contact);

#[pymethods]
impl PyContact {
    /// When, as a fraction of the step.
    #[getter]
    fn time(&self) -> f64 {
        self.0.time
    }

    /// An interval that contains the true time, (2,).
    #[getter]
    fn bracket<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.0.time_bracket)
    }

    /// Where, in the world, (3,).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.point)
    }

    /// The unit normal from A to B, in the world, (3,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal)
    }

    /// Where, in A's frame, (3,).
    #[getter]
    fn point_in_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.point_in_a)
    }

    /// The unit normal from A to B, in A's frame, (3,).
    #[getter]
    fn normal_in_a<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        of_vector(py, self.0.normal_in_a)
    }

    /// What touches what, as in `Contacts.kind`.
    #[getter]
    fn kind(&self) -> String {
        kind(self.0.features)
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

    /// Both features in words, as `face 2 and vertex 7`.
    #[getter]
    fn features(&self) -> String {
        self.0.features.to_string()
    }

    /// How well the features face each other, from -1 to 1.
    #[getter]
    fn properness(&self) -> f64 {
        self.0.properness
    }

    /// The rate of the gap per step, negative where the features approach.
    #[getter]
    fn normal_speed(&self) -> f64 {
        self.0.normal_speed
    }

    /// Whether the features can be touched from outside.
    #[getter]
    fn touchable(&self) -> bool {
        self.0.touchable
    }

    /// Whether the features touch without crossing, or stay in touch.
    #[getter]
    fn grazing(&self) -> bool {
        self.0.grazing
    }

    fn __repr__(&self) -> String {
        let Contact { features, time, properness, normal_speed, point, .. } = self.0;
        format!(
            "Contact(time={time:.6}, {features}, point={point:.4}, properness={properness:.4}, \
             normal_speed={normal_speed:.4})"
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::dumped(py, "_contact", &Row::from(&self.0), ())
    }
}

/// A contact that was pickled.
#[pyfunction]
pub(crate) fn _contact(bytes: &[u8]) -> PyResult<PyContact> {
    Ok(PyContact(pickle::loaded::<Row>(bytes)?.into()))
}
