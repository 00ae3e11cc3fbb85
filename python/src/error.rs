//! Exceptions: what a caller can fix is a `chasles.Error`, which is a `ValueError`.

use chasles::query;
use chasles::query::batch::BatchError;
use chasles_planning::EdgesError;
use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};

create_exception!(
    chasles,
    Error,
    PyValueError,
    "What Chasles cannot use or answer; every exception of its own is one."
);
create_exception!(chasles, MeshError, Error, "Vertices, faces or a file that make no body.");
create_exception!(chasles, MotionError, Error, "A pose or a motion that is none.");
create_exception!(chasles, QueryError, Error, "A question that has no answer for these bodies.");
create_exception!(chasles, WorldError, Error, "What a world or a joint cannot be, or do.");

/// An argument of the wrong type: what it is, and what would be right.
pub(crate) fn wrong_type(what: &str, is: &str, expected: &str) -> PyErr {
    PyTypeError::new_err(format!("{what} is {is}; expected {expected}"))
}

create_exception!(chasles, RobotError, Error, "What no robot, scene or configuration can be.");

/// What no robot can be.
pub(crate) fn robot(error: impl std::fmt::Display) -> PyErr {
    RobotError::new_err(error.to_string())
}

/// What makes no body.
pub(crate) fn mesh(error: impl std::fmt::Display) -> PyErr {
    MeshError::new_err(error.to_string())
}

/// What is no motion; `what` names the argument.
pub(crate) fn motion(what: &str, error: impl std::fmt::Display) -> PyErr {
    MotionError::new_err(format!("{what}: {error}"))
}

/// What a world cannot be.
pub(crate) fn world(error: impl std::fmt::Display) -> PyErr {
    WorldError::new_err(error.to_string())
}

/// A question without an answer, in the words of this package.
pub(crate) fn query(error: &query::QueryError) -> PyErr {
    QueryError::new_err(in_python(&error.to_string()))
}

/// The same for bodies of a set.
pub(crate) fn set(error: &query::SetError) -> PyErr {
    QueryError::new_err(in_python(&error.to_string()))
}

/// Why a batch has no answers.
pub(crate) trait Stopped: Send {
    /// As an exception: one that names the motion, or an interrupt for what was cancelled.
    fn exception(self) -> PyErr;
}

fn cancelled() -> PyErr {
    PyKeyboardInterrupt::new_err("the batch was cancelled")
}

impl Stopped for BatchError {
    fn exception(self) -> PyErr {
        match self {
            Self::Cancelled => cancelled(),
            error @ Self::Query { .. } => QueryError::new_err(in_python(&error.to_string())),
        }
    }
}

impl Stopped for EdgesError {
    fn exception(self) -> PyErr {
        match self {
            Self::Cancelled => cancelled(),
            Self::Edge { index, error } => robot(format!("motion {index}: {error}")),
        }
    }
}

/// The words of the library with the names of this package.
fn in_python(text: &str) -> String {
    const NAMES: [(&str, &str); 12] = [
        ("Geometry::shape makes one of", "Mesh.sphere, Mesh.capsule and Mesh.cylinder make one of"),
        ("Geometry::shape makes a mesh of Shape::Cylinder", "Mesh.cylinder makes a mesh of one"),
        (
            "Geometry::shape or Round::polygons makes",
            "Mesh.sphere and the like, or .surface(), make",
        ),
        (
            "Geometry::mesh takes what Round::polygons makes of an ellipsoid",
            "Mesh takes other shapes",
        ),
        ("solid::surface makes", "Solid.surface() makes"),
        ("make the solid a mesh by solid::surface", "make the solid a mesh by its .surface()"),
        ("Method::Auto", "method=\"auto\""),
        ("Method::Exact", "method=\"exact\""),
        ("Method::Screen", "method=\"screen\""),
        ("Method::Path", "method=\"path\""),
        ("first_contact", "chasles.first_contact"),
        ("overlaps and", "chasles.overlaps and"),
    ];
    NAMES.iter().fold(text.to_owned(), |text, (rust, python)| text.replace(rust, python))
}
