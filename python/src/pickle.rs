//! What is pickled: the bytes of what an object was made of, to the bit.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The answer of `__reduce__`: a function of this module that restores, its bytes, and more
/// arguments.
pub(crate) fn dumped<'py>(
    py: Python<'py>,
    restore: &str,
    what: &impl Serialize,
    more: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let bytes =
        postcard::to_stdvec(what).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let restore = py.import("chasles._chasles")?.getattr(restore)?;
    let mut arguments = vec![PyBytes::new(py, &bytes).into_any()];
    arguments.extend(more.into_pyobject(py).map_err(Into::into)?.iter());
    (restore, PyTuple::new(py, arguments)?).into_pyobject(py)
}

/// What was pickled.
pub(crate) fn loaded<T: DeserializeOwned>(bytes: &[u8]) -> PyResult<T> {
    postcard::from_bytes(bytes).map_err(|error| {
        PyValueError::new_err(format!("these bytes were not pickled here: {error}"))
    })
}
