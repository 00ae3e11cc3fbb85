//! Arrays in and out: anything that NumPy makes numbers of goes in.

use chasles::glam::{DVec2, DVec3};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;

use crate::error::{Error, wrong_type};

/// Numbers in the order of C, with their shape.
pub(crate) struct Floats<'py>(PyReadonlyArrayDyn<'py, f64>);

impl<'py> Floats<'py> {
    /// Anything that NumPy takes as real numbers; doubles in the order of C, and at addresses that
    /// suit them, are not copied.
    pub(crate) fn of(what: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
            && array.is_c_contiguous()
            && array.is_aligned()
        {
            return Ok(Self(array.readonly()));
        }
        let array = converted(what, value, "fiub", "float64")?;
        Ok(Self(array.cast::<PyArrayDyn<f64>>()?.readonly()))
    }

    pub(crate) fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    pub(crate) fn numbers(&self) -> PyResult<&[f64]> {
        Ok(self.0.as_slice()?)
    }
}

/// An array of one of some kinds of numbers, of a type, in the order of C.
fn converted<'py>(
    what: &str,
    value: &Bound<'py, PyAny>,
    kinds: &str,
    to: &str,
) -> PyResult<Bound<'py, PyAny>> {
    static NUMPY: PyOnceLock<[Py<PyAny>; 2]> = PyOnceLock::new();
    let py = value.py();
    let make = || -> PyResult<[Py<PyAny>; 2]> {
        let numpy = py.import("numpy")?;
        Ok([numpy.getattr("asarray")?.unbind(), numpy.getattr("require")?.unbind()])
    };
    let [as_array, require] = NUMPY.get_or_try_init(py, make)?;
    let array = as_array.call1(py, (value,)).map_err(|error| {
        Error::new_err(format!("{what} is no array of numbers: {}", error.value(py)))
    })?;
    let dtype = array.getattr(py, "dtype")?;
    let kind: String = dtype.getattr(py, "kind")?.extract(py)?;
    let is_empty = array.getattr(py, "size")?.extract::<usize>(py)? == 0;
    if !kinds.contains(&kind) && !is_empty {
        let expected = if kinds.contains('f') { "real numbers" } else { "whole numbers" };
        return Err(wrong_type(what, &format!("an array of {dtype}"), expected));
    }
    Ok(require.call1(py, (array, to, "CA"))?.into_bound(py))
}

/// Whole numbers with their shape; numbers below 0 and beyond 32 bits are refused.
pub(crate) fn wholes(what: &str, value: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<u32>)> {
    let array = converted(what, value, "iu", "int64")?;
    let array = array.cast::<PyArrayDyn<i64>>()?.readonly();
    let number = |&n: &i64| {
        u32::try_from(n).map_err(|_| Error::new_err(format!("{what} has {n}: numbers are from 0")))
    };
    let numbers: PyResult<Vec<u32>> = array.as_slice()?.iter().map(number).collect();
    Ok((array.shape().to_vec(), numbers?))
}

/// Whole numbers, `(n,)`.
pub(crate) fn numbers(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let (shape, numbers) = wholes(what, value)?;
    match *shape {
        [_] => Ok(numbers),
        _ => Err(shaped(what, &shape, "(n,)")),
    }
}

/// Pairs of whole numbers, `(n, 2)`.
pub(crate) fn pairs(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<[u32; 2]>> {
    let (shape, numbers) = wholes(what, value)?;
    match *shape {
        [_, 2] | [0, ..] => Ok(numbers.as_chunks().0.to_vec()),
        _ => Err(shaped(what, &shape, "(n, 2)")),
    }
}

/// Points from `(n, 3)` numbers.
pub(crate) fn points(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<DVec3>> {
    let floats = Floats::of(what, value)?;
    match floats.shape() {
        [_, 3] => Ok(floats.numbers()?.as_chunks().0.iter().copied().map(DVec3::from).collect()),
        [0] => Ok(Vec::new()),
        shape => Err(shaped(what, shape, "(n, 3)")),
    }
}

/// A vector of three numbers.
pub(crate) fn vector(what: &str, value: &Bound<'_, PyAny>) -> PyResult<DVec3> {
    let floats = Floats::of(what, value)?;
    match *floats.numbers()? {
        [x, y, z] if floats.shape() == [3] => Ok(DVec3::new(x, y, z)),
        _ => Err(shaped(what, floats.shape(), "(3,)")),
    }
}

/// A vector of three finite numbers.
pub(crate) fn finite(what: &str, value: &Bound<'_, PyAny>) -> PyResult<DVec3> {
    let vector = vector(what, value)?;
    match vector.is_finite() {
        true => Ok(vector),
        false => Err(Error::new_err(format!("{what} is {vector}; expected finite numbers"))),
    }
}

/// A vector, or one with a number three times.
pub(crate) fn sizes(what: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    match value.extract::<f64>() {
        Ok(size) => Ok([size; 3]),
        Err(_) => Ok(vector(what, value)?.to_array()),
    }
}

/// A vector of two numbers.
pub(crate) fn pair(what: &str, value: &Bound<'_, PyAny>) -> PyResult<DVec2> {
    let floats = Floats::of(what, value)?;
    match *floats.numbers()? {
        [x, y] if floats.shape() == [2] => Ok(DVec2::new(x, y)),
        _ => Err(shaped(what, floats.shape(), "(2,)")),
    }
}

/// A shape that is not the right one.
pub(crate) fn shaped(what: &str, shape: &[usize], expected: &str) -> PyErr {
    Error::new_err(format!("{what} has the shape {}; expected {expected}", Shape(shape)))
}

struct Shape<'s>(&'s [usize]);

impl std::fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        let comma = if numbers.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", numbers.join(", "))
    }
}

/// `(n,)` numbers.
pub(crate) fn column<T: numpy::Element>(
    py: Python<'_>,
    values: impl IntoIterator<Item = T>,
) -> Bound<'_, PyArray1<T>> {
    values.into_iter().collect::<Vec<T>>().into_pyarray(py)
}

/// `(n, N)` numbers.
pub(crate) fn rows<T: numpy::Element + Copy, const N: usize>(
    py: Python<'_>,
    values: impl IntoIterator<Item = [T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let flat: Vec<T> = values.into_iter().flatten().collect();
    let count = flat.len() / N;
    flat.into_pyarray(py).reshape([count, N])
}

/// `(n, M, N)` numbers.
pub(crate) fn blocks<T: numpy::Element + Copy, const M: usize, const N: usize>(
    py: Python<'_>,
    values: impl IntoIterator<Item = [[T; N]; M]>,
) -> PyResult<Bound<'_, PyArray3<T>>> {
    let flat: Vec<T> = values.into_iter().flatten().flatten().collect();
    let count = flat.len() / (M * N);
    flat.into_pyarray(py).reshape([count, M, N])
}

/// `(3,)` numbers.
pub(crate) fn of_vector(py: Python<'_>, vector: DVec3) -> Bound<'_, PyArray1<f64>> {
    PyArray1::from_slice(py, &vector.to_array())
}

/// The keyword arguments that are not known, as an error that names those that are.
pub(crate) fn refuse_others(given: Option<&Bound<'_, PyDict>>, known: &[&str]) -> PyResult<()> {
    let Some(given) = given else { return Ok(()) };
    for key in given.keys() {
        let key: String = key.extract()?;
        if !known.contains(&key.as_str()) {
            let known = known.join(", ");
            let message = format!("{key:?} is no option here; there are: {known}");
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(())
}
