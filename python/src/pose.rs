//! Poses: 4 x 4 matrices or seven numbers in, matrices out.

use chasles::Pose;
use chasles::glam::{DMat3, DQuat, DVec3};
use numpy::{IntoPyArray, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::array::{Floats, shaped};
use crate::error::{MotionError, motion};

/// How far a matrix may be from a rotation, and a quaternion from length 1: the rounding of single
/// precision after a few products stays below.
const ROUNDING: f64 = 1e-5;

/// What a pose may be.
pub(crate) const EXPECTED: &str = "a pose: a 4 x 4 matrix, or 7 numbers (x y z, qx qy qz qw)";

/// A pose; nothing is the identity.
pub(crate) fn pose(what: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(Pose::IDENTITY) };
    let floats = Floats::of(what, value)?;
    match floats.shape() {
        [4, 4] | [7] => of_numbers(what, floats.numbers()?),
        shape => Err(shaped(what, shape, EXPECTED)),
    }
}

/// Many poses: `(n, 4, 4)` or `(n, 7)`.
pub(crate) fn poses(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    let floats = Floats::of(what, value)?;
    let length = match floats.shape() {
        [_, 4, 4] => 16,
        [_, 7] => 7,
        [0, ..] => return Ok(Vec::new()),
        shape => return Err(shaped(what, shape, "(n, 4, 4) or (n, 7): poses")),
    };
    let numbered = floats.numbers()?.chunks_exact(length).enumerate();
    let one = |(i, numbers)| of_numbers(what, numbers).map_err(|error| at(value.py(), i, &error));
    numbered.map(one).collect()
}

/// An error of one of many poses.
fn at(py: Python<'_>, index: usize, error: &PyErr) -> PyErr {
    MotionError::new_err(format!("pose {index}: {}", error.value(py)))
}

/// A pose from 16 or 7 numbers.
pub(crate) fn of_numbers(what: &str, numbers: &[f64]) -> PyResult<Pose> {
    match *numbers {
        [x, y, z, i, j, k, w] => of_seven(what, DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w)),
        [a, b, c, x, d, e, f, y, g, h, i, z, p, q, r, s] => {
            if [p, q, r, s] != [0.0, 0.0, 0.0, 1.0] {
                let row =
                    format!("the last row of the matrix is {p} {q} {r} {s}; expected 0 0 0 1");
                return Err(motion(what, row));
            }
            let axes = [[a, d, g], [b, e, h], [c, f, i]].map(DVec3::from);
            let turn = rotation(axes).map_err(|error| motion(what, error))?;
            Pose::new(DVec3::new(x, y, z), turn).map_err(|error| motion(what, error))
        }
        _ => Err(motion(what, format!("{} numbers; expected {EXPECTED}", numbers.len()))),
    }
}

fn of_seven(what: &str, position: DVec3, rotation: DQuat) -> PyResult<Pose> {
    let length = rotation.length();
    if (length - 1.0).abs() > ROUNDING {
        let order = "expected x y z, qx qy qz qw with a quaternion of length 1";
        return Err(motion(what, format!("the quaternion has the length {length}; {order}")));
    }
    Pose::new(position, rotation).map_err(|error| motion(what, error))
}

/// The rotation with these axes as the columns of its matrix.
fn rotation(axes: [DVec3; 3]) -> Result<DQuat, String> {
    if !axes.iter().all(|axis| axis.is_finite()) {
        return Err("the matrix has numbers that are not finite".to_owned());
    }
    let lengths = axes.map(DVec3::length);
    let advice = "a motion keeps shapes: apply it to the vertices instead";
    if lengths.iter().any(|length| (length - 1.0).abs() > ROUNDING) {
        let [x, y, z] = lengths;
        return Err(format!("the matrix scales by {x:.6}, {y:.6}, {z:.6} along x, y, z; {advice}"));
    }
    let [x, y, z] = axes;
    if [x.dot(y), y.dot(z), z.dot(x)].iter().any(|cosine| cosine.abs() > ROUNDING) {
        return Err(format!("the matrix shears: its columns are not at right angles; {advice}"));
    }
    if x.cross(y).dot(z) < 0.0 {
        return Err(format!("the matrix mirrors: its determinant is -1; {advice}"));
    }
    Ok(DQuat::from_mat3(&DMat3::from_cols(x, y, z)))
}

/// The matrix of a pose, row by row.
pub(crate) fn matrix(pose: &Pose) -> [f64; 16] {
    let [x, y, z] = DMat3::from_quat(pose.rotation()).to_cols_array_2d();
    let [p, q, r] = pose.position().to_array();
    [x[0], y[0], z[0], p, x[1], y[1], z[1], q, x[2], y[2], z[2], r, 0.0, 0.0, 0.0, 1.0]
}

/// `(4, 4)` numbers.
pub(crate) fn of_pose<'py>(py: Python<'py>, pose: &Pose) -> PyResult<Bound<'py, PyArray2<f64>>> {
    matrix(pose).to_vec().into_pyarray(py).reshape([4, 4])
}

/// `(n, 4, 4)` numbers.
pub(crate) fn of_poses(
    py: Python<'_>,
    poses: impl IntoIterator<Item = Pose>,
) -> PyResult<Bound<'_, PyArray3<f64>>> {
    let flat: Vec<f64> = poses.into_iter().flat_map(|pose| matrix(&pose)).collect();
    let count = flat.len() / 16;
    flat.into_pyarray(py).reshape([count, 4, 4])
}
