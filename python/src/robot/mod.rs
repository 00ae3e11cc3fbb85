//! Robots among obstacles: `Robot`, `Scene`, and what is proven of edges.

mod found;
mod scene;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use chasles::Collider;
use chasles_planning::{Packages, Robot, RobotError};
use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::{Floats, rows, shaped};
use crate::error::{RobotError as PyRobotError, robot as robot_error};
use crate::pose::of_poses;

pub(crate) use found::{_edge, _near, PyEdge, PyNear};
pub(crate) use scene::{_scene, PyScene};

/// The folders of packages, by their names.
type Folders = BTreeMap<String, PathBuf>;

/// Where a robot came from, for pickles.
#[derive(Clone)]
struct Origin {
    text: Option<String>,
    path: PathBuf,
    packages: Folders,
    srdf: Option<PathBuf>,
}

/// What a URDF file says: links with colliders, joints with limits, mimics.
///
/// `packages` are the folders of packages by their names; meshes come from these and from the
/// folder of the file only. `srdf` is a file with pairs that are not checked, groups and named
/// configurations. A pickle has the paths, and reads the files again.
///
/// >>> import chasles
/// >>> arm = chasles.Robot.parse('''<robot name="arm"><link name="base"/>
/// ...   <link name="rod"><collision><origin xyz="0.5 0 0"/>
/// ...     <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
/// ...   <joint name="turn" type="revolute"><parent link="base"/><child link="rod"/>
/// ...     <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
/// ... </robot>''')
/// >>> arm.variables, arm.limits.tolist(), arm.poses([0.5]).shape
/// (['turn'], [[-2.0, 2.0]], (2, 4, 4))
#[pyclass(module = "chasles", name = "Robot", frozen)]
pub(crate) struct PyRobot {
    robot: Arc<Robot>,
    origin: Origin,
}

impl Origin {
    fn read(&self) -> Result<Robot, RobotError> {
        let Self { text, path, packages, srdf } = self;
        let folders = packages.iter().fold(Packages::new(), |all, (name, at)| all.with(name, at));
        let robot = match text {
            Some(text) => Robot::parse(text, path, &folders)?,
            None => Robot::load(path, &folders)?,
        };
        match srdf {
            Some(srdf) => robot.with_srdf(srdf),
            None => Ok(robot),
        }
    }
}

/// The robot of an origin; other threads of Python go on while its files are read.
fn made(py: Python<'_>, origin: Origin) -> PyResult<PyRobot> {
    let robot = py.detach(|| origin.read()).map_err(robot_error)?;
    Ok(PyRobot { robot: Arc::new(robot), origin })
}

/// A value for each variable of a robot.
fn configuration(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    let floats = Floats::of(what, value)?;
    match floats.shape() {
        [_] => Ok(floats.numbers()?.to_vec()),
        shape => Err(shaped(what, shape, "(n,): a value for each variable")),
    }
}

/// Many configurations, `(m, n)`.
fn configurations(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<f64>>> {
    let floats = Floats::of(what, value)?;
    match *floats.shape() {
        [count, 0] => Ok(vec![Vec::new(); count]),
        [_, length] => Ok(floats.numbers()?.chunks_exact(length).map(<[f64]>::to_vec).collect()),
        [0] => Ok(Vec::new()),
        _ => Err(shaped(what, floats.shape(), "(m, n): a configuration in each row")),
    }
}

#[pymethods]
impl PyRobot {
    /// The robot of a URDF file.
    #[staticmethod]
    #[pyo3(signature = (path, packages=None, srdf=None))]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        packages: Option<Folders>,
        srdf: Option<PathBuf>,
    ) -> PyResult<Self> {
        made(py, Origin { text: None, path, packages: packages.unwrap_or_default(), srdf })
    }

    /// The robot of a URDF text; meshes come from packages only.
    #[staticmethod]
    #[pyo3(signature = (text, packages=None, srdf=None))]
    fn parse(
        py: Python<'_>,
        text: String,
        packages: Option<Folders>,
        srdf: Option<PathBuf>,
    ) -> PyResult<Self> {
        let path = PathBuf::from("robot.urdf");
        made(py, Origin { text: Some(text), path, packages: packages.unwrap_or_default(), srdf })
    }

    /// Its name.
    #[getter]
    fn name(&self) -> &str {
        self.robot.name()
    }

    /// The names of its links, parents first.
    #[getter]
    fn links(&self) -> Vec<&str> {
        self.robot.links().iter().map(|link| link.name.as_str()).collect()
    }

    /// The names of the joints that are set: a configuration has a value for each, in this order.
    #[getter]
    fn variables(&self) -> Vec<&str> {
        self.robot.variables().iter().map(|variable| variable.name.as_str()).collect()
    }

    /// The lowest and the highest value of each variable, (n, 2).
    #[getter]
    fn limits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        rows(py, self.robot.variables().iter().map(|variable| variable.limits))
    }

    /// The variables of named groups of joints, from SRDF.
    #[getter]
    fn groups(&self) -> BTreeMap<&str, Vec<&str>> {
        let name = |&variable: &usize| self.robot.variables()[variable].name.as_str();
        let all = self.robot.groups().iter();
        all.map(|group| (group.name.as_str(), group.variables.iter().map(name).collect())).collect()
    }

    /// Named configurations, from SRDF.
    #[getter]
    fn states(&self) -> BTreeMap<&str, Vec<f64>> {
        let all = self.robot.states().iter();
        all.map(|state| (state.name.as_str(), state.configuration.clone())).collect()
    }

    /// Where all links are in a configuration, (links, 4, 4).
    fn poses<'py>(&self, q: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let poses = self.robot.poses(&configuration("q", q)?).map_err(robot_error)?;
        of_poses(q.py(), poses)
    }

    /// Whether every value is within the limits of its joint.
    fn is_within_limits(&self, q: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.robot.is_within_limits(&configuration("q", q)?))
    }

    fn __repr__(&self) -> String {
        let [links, variables] = [self.robot.links().len(), self.robot.variables().len()];
        format!("Robot({:?}, {links} links, {variables} variables)", self.robot.name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Origin { text, path, packages, srdf } = self.origin.clone();
        let restore = py.import("chasles._chasles")?.getattr("_robot")?;
        let print = fingerprint(&self.robot);
        (restore, ((text, path, packages, srdf), print)).into_pyobject(py)
    }
}

/// A number for all that a robot is, the same in every process: files may change after a pickle was
/// made of their names.
fn fingerprint(robot: &Robot) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut add = |text: String| text.hash(&mut hasher);
    add(format!("{:?} {:?} {:?}", robot.joints(), robot.variables(), robot.disabled()));
    for link in robot.links() {
        add(format!("{link:?}"));
        for collider in link.colliders() {
            let mesh = collider.collider().map(Collider::mesh);
            let faces = mesh.map(|mesh| {
                let faces = 0..mesh.face_count() as u32;
                faces.map(|face| mesh.face(face).to_vec()).collect::<Vec<_>>()
            });
            let places = mesh.map(|mesh| mesh.positions());
            add(format!("{:?} {places:?} {faces:?}", collider.round()));
        }
    }
    hasher.finish()
}

/// A robot that was pickled.
#[pyfunction]
pub(crate) fn _robot(
    py: Python<'_>,
    origin: (Option<String>, PathBuf, Folders, Option<PathBuf>),
    print: u64,
) -> PyResult<PyRobot> {
    let (text, path, packages, srdf) = origin;
    let shown = path.display().to_string();
    let robot = made(py, Origin { text, path, packages, srdf })?;
    if fingerprint(&robot.robot) != print {
        return Err(PyRobotError::new_err(format!(
            "the files of the robot {shown} have changed since it was pickled: load it anew"
        )));
    }
    Ok(robot)
}
