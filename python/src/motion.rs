//! How one body moves: `Motion`, and what becomes one.

use chasles::glam::DVec3;
use chasles::query::{Route, Trajectory, Waypoints};
use chasles::{Pose, Screw, Step};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use serde::{Deserialize, Serialize};

use crate::array::{Floats, shaped, vector};
use crate::error::motion as motion_error;
use crate::pickle;
use crate::pose::{EXPECTED, of_numbers, of_pose, of_poses, pose, poses};

/// How one body moves during a step, from time 0 to 1.
///
/// Made by `chasles.still`, `between`, `twist`, `turn`, `flight` and `waypoints`. Wherever a motion
/// is asked for, a pose (a body that stays) and a pair of poses (the screw between them, turning
/// the shorter way) are taken too.
///
/// >>> import chasles
/// >>> spin = chasles.turn(angle=3.0, axis=(0, 0, 1))
/// >>> spin.pose_at(1.0).shape
/// (4, 4)
#[pyclass(module = "chasles", name = "Motion", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct PyMotion {
    recipe: Recipe,
    pub(crate) trajectory: Trajectory,
}

/// What a motion is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum Recipe {
    Still(Pose),
    Between(Pose, Pose),
    Along { start: Pose, angular: DVec3, linear: DVec3 },
    Flight { start: Pose, angular: DVec3, linear: DVec3, pivot: DVec3 },
    Waypoints(Vec<(f64, Pose)>),
}

impl Recipe {
    fn made(self) -> Result<PyMotion, String> {
        let trajectory = match &self {
            Self::Still(pose) => chasles::Motion::still(*pose).into(),
            Self::Between(start, end) => chasles::Motion::between(*start, *end).into(),
            Self::Along { start, angular, linear } => {
                let twist = Screw::from_twist(*angular, *linear).map_err(|e| e.to_string())?;
                chasles::Motion::along(*start, twist).map_err(|e| e.to_string())?.into()
            }
            Self::Flight { start, angular, linear, pivot } => {
                chasles::Motion::flight_about(*pivot, *start, *linear, *angular)
                    .map_err(|e| e.to_string())?
                    .into()
            }
            Self::Waypoints(points) => {
                Waypoints::new(points.iter().copied()).map_err(|e| e.to_string())?.into()
            }
        };
        Ok(PyMotion { recipe: self, trajectory })
    }
}

#[pymethods]
impl PyMotion {
    /// The pose at time 0, as a 4 x 4 matrix.
    #[getter]
    fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(of_pose(py, &self.trajectory.start())?.into_any())
    }

    /// The pose at time 1, as a 4 x 4 matrix.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(of_pose(py, &self.trajectory.end())?.into_any())
    }

    /// The pose at a time in [0, 1], (4, 4), or at many times, (n, 4, 4).
    ///
    /// >>> import chasles
    /// >>> fall = chasles.twist(linear=(0, 0, -2))
    /// >>> float(fall.pose_at(0.5)[2, 3])
    /// -1.0
    /// >>> fall.pose_at([0.0, 0.5, 1.0]).shape
    /// (3, 4, 4)
    fn pose_at<'py>(&self, time: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = time.py();
        if let Ok(time) = time.extract::<f64>() {
            return Ok(of_pose(py, &self.trajectory.pose_at(time))?.into_any());
        }
        let times = Floats::of("time", time)?;
        match times.shape() {
            [_] => {
                let all = times.numbers()?.iter().map(|&t| self.trajectory.pose_at(t));
                Ok(of_poses(py, all)?.into_any())
            }
            shape => Err(shaped("time", shape, "a number or (n,)")),
        }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.trajectory == other.trajectory
    }

    fn __repr__(&self) -> String {
        match &self.recipe {
            Recipe::Still(_) => "Motion(still)".to_owned(),
            Recipe::Between(..) => "Motion(between two poses)".to_owned(),
            Recipe::Along { angular, .. } => {
                format!("Motion(along a twist, {:.4} rad)", angular.length())
            }
            Recipe::Flight { angular, .. } => {
                format!("Motion(in free flight, {:.4} rad)", angular.length())
            }
            Recipe::Waypoints(points) => format!("Motion(past {} waypoints)", points.len()),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::dumped(py, "_motion", &self.recipe, ())
    }
}

/// A motion that was pickled.
#[pyfunction]
pub(crate) fn _motion(bytes: &[u8]) -> PyResult<PyMotion> {
    made("a pickled motion", pickle::loaded(bytes)?)
}

/// A body that stays at a pose.
///
/// >>> import chasles
/// >>> chasles.still([1, 0, 0, 0, 0, 0, 1])
/// Motion(still)
#[pyfunction]
#[pyo3(signature = (pose=None))]
pub(crate) fn still(pose: Option<&Bound<'_, PyAny>>) -> PyResult<PyMotion> {
    made("still", Recipe::Still(self::pose("pose", pose)?))
}

/// From one pose to another along the screw between them, turning the shorter way.
///
/// For more than a half-turn see `twist` and `turn`.
#[pyfunction]
pub(crate) fn between(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>) -> PyResult<PyMotion> {
    made("between", Recipe::Between(pose("start", Some(start))?, pose("end", Some(end))?))
}

/// Along a twist of the world frame, by any angle: `angular` in radians per step, and `linear`, the
/// velocity per step of what is at the origin of the world.
///
/// >>> import chasles, math
/// >>> twice_around = chasles.twist(angular=(0, 0, 4 * math.pi), linear=(0, 0, 1))
/// >>> twice_around
/// Motion(along a twist, 12.5664 rad)
#[pyfunction]
#[pyo3(signature = (start=None, *, angular=None, linear=None))]
pub(crate) fn twist(
    start: Option<&Bound<'_, PyAny>>,
    angular: Option<&Bound<'_, PyAny>>,
    linear: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyMotion> {
    let [angular, linear] = [vector_or_0("angular", angular)?, vector_or_0("linear", linear)?];
    made("twist", Recipe::Along { start: pose("start", start)?, angular, linear })
}

/// Turning by an angle in radians about an axis through a point, while sliding along it.
///
/// >>> import chasles, math
/// >>> door = chasles.turn(angle=math.pi / 2, axis=(0, 0, 1), point=(2, 0, 0))
/// >>> door.pose_at(1.0)[:2, 3].round(12).tolist()
/// [2.0, -2.0]
#[pyfunction]
#[pyo3(signature = (start=None, *, angle, axis, point=None, slide=0.0))]
pub(crate) fn turn(
    start: Option<&Bound<'_, PyAny>>,
    angle: f64,
    axis: &Bound<'_, PyAny>,
    point: Option<&Bound<'_, PyAny>>,
    slide: f64,
) -> PyResult<PyMotion> {
    let (point, axis) = (vector_or_0("point", point)?, vector("axis", axis)?);
    let screw = Screw::about_axis(point, axis, angle, slide);
    let screw = screw.map_err(|error| motion_error("turn", error))?;
    let [angular, linear] = [screw.angular(), screw.linear()];
    made("turn", Recipe::Along { start: pose("start", start)?, angular, linear })
}

/// In free flight: a point of the body (`pivot`, in its frame) goes straight by `linear` per step,
/// and the body turns about it by `angular` radians per step.
#[pyfunction]
#[pyo3(signature = (start=None, *, linear=None, angular=None, pivot=None))]
pub(crate) fn flight(
    start: Option<&Bound<'_, PyAny>>,
    linear: Option<&Bound<'_, PyAny>>,
    angular: Option<&Bound<'_, PyAny>>,
    pivot: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyMotion> {
    let [angular, linear] = [vector_or_0("angular", angular)?, vector_or_0("linear", linear)?];
    let pivot = vector_or_0("pivot", pivot)?;
    made("flight", Recipe::Flight { start: pose("start", start)?, angular, linear, pivot })
}

/// Past poses, from each to the next along a screw; at even times, or at `times` that rise from 0
/// to 1.
///
/// >>> import chasles
/// >>> way = [[x, 0, 0, 0, 0, 0, 1] for x in (0.0, 1.0, 3.0)]
/// >>> float(chasles.waypoints(way).pose_at(0.75)[0, 3])
/// 2.0
#[pyfunction]
#[pyo3(signature = (poses, times=None))]
pub(crate) fn waypoints(
    poses: &Bound<'_, PyAny>,
    times: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyMotion> {
    let poses = many("poses", poses)?;
    let times: Vec<f64> = match times {
        Some(times) => Floats::of("times", times)?.numbers()?.to_vec(),
        None => {
            let last = (poses.len().max(2) - 1) as f64;
            (0..poses.len()).map(|i| i as f64 / last).collect()
        }
    };
    if times.len() != poses.len() {
        let message = format!("{} poses, but {} times", poses.len(), times.len());
        return Err(motion_error("waypoints", message));
    }
    made("waypoints", Recipe::Waypoints(times.into_iter().zip(poses).collect()))
}

/// Poses of one array, or of a list of such as are poses each.
fn many(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Pose>> {
    match value.cast::<PyList>() {
        Ok(list) => list.iter().map(|one| pose(what, Some(&one))).collect(),
        Err(_) => poses(what, value),
    }
}

fn made(what: &str, recipe: Recipe) -> PyResult<PyMotion> {
    recipe.made().map_err(|error| motion_error(what, error))
}

fn vector_or_0(what: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<DVec3> {
    value.map_or(Ok(DVec3::ZERO), |value| vector(what, value))
}

/// What is taken for a motion: a motion, a pose, or two poses; nothing is still at the identity.
pub(crate) fn motion(what: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<PyMotion> {
    let Some(value) = value.filter(|value| !value.is_none()) else {
        return made(what, Recipe::Still(Pose::IDENTITY));
    };
    if let Ok(motion) = value.cast::<PyMotion>() {
        return Ok(motion.get().clone());
    }
    if value.len().is_ok_and(|len| len == 2) {
        let [start, end] = [value.get_item(0)?, value.get_item(1)?];
        let [start, end] = [pose(what, Some(&start))?, pose(what, Some(&end))?];
        return made(what, Recipe::Between(start, end));
    }
    let floats = Floats::of(what, value)?;
    match floats.shape() {
        [4, 4] | [7] => made(what, Recipe::Still(of_numbers(what, floats.numbers()?)?)),
        shape => {
            let expected = format!("{EXPECTED}; two of them; or a chasles.Motion");
            Err(shaped(what, shape, &expected))
        }
    }
}

/// How two bodies move.
#[expect(clippy::large_enum_variant, reason = "it is made for one question, on the stack")]
pub(crate) enum Both {
    Step(Step),
    Route(Route),
}

impl Both {
    pub(crate) fn new(a: &PyMotion, b: &PyMotion) -> Self {
        match (&a.trajectory, &b.trajectory) {
            (Trajectory::Motion(a), Trajectory::Motion(b)) => Self::Step(Step::new(*a, *b)),
            (a, b) => Self::Route(Route::new(a, b)),
        }
    }
}

/// Asks a question that takes steps and routes.
macro_rules! ask {
    ($both:expr, |$motion:ident| $question:expr) => {
        match $both {
            $crate::motion::Both::Step($motion) => $question,
            $crate::motion::Both::Route($motion) => $question,
        }
    };
}
pub(crate) use ask;
