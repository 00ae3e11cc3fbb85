//! Robots among obstacles: `Robot`, `Scene`, and what is proven of edges.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use chasles::Pose;
use chasles_planning::{Edge, Near, Options, Packages, Robot, Scene, Verdict};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::array::{Floats, column, of_vector, rows, shaped};
use crate::batch::run::on_threads;
use crate::error::{Error, robot as robot_error};
use crate::feature::fixed;
use crate::geometry::body as geometry;
use crate::pose::{of_poses, pose};
use crate::rest::columns;

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

fn made(origin: Origin) -> PyResult<PyRobot> {
    let Origin { text, path, packages, srdf } = &origin;
    let folders = packages.iter().fold(Packages::new(), |all, (name, at)| all.with(name, at));
    let robot = match text {
        Some(text) => Robot::parse(text, path, &folders),
        None => Robot::load(path, &folders),
    };
    let robot = match srdf {
        Some(srdf) => robot.map_err(robot_error)?.with_srdf(srdf),
        None => robot,
    };
    Ok(PyRobot { robot: Arc::new(robot.map_err(robot_error)?), origin })
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
    fn load(path: PathBuf, packages: Option<Folders>, srdf: Option<PathBuf>) -> PyResult<Self> {
        made(Origin { text: None, path, packages: packages.unwrap_or_default(), srdf })
    }

    /// The robot of a URDF text; meshes come from packages only.
    #[staticmethod]
    #[pyo3(signature = (text, packages=None, srdf=None))]
    fn parse(text: String, packages: Option<Folders>, srdf: Option<PathBuf>) -> PyResult<Self> {
        let path = PathBuf::from("robot.urdf");
        made(Origin { text: Some(text), path, packages: packages.unwrap_or_default(), srdf })
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
        (restore, (text, path, packages, srdf)).into_pyobject(py)
    }
}

/// Both bounds of a clearance, the edge of the path, the fraction of it, and the pair.
type Nearest = (f64, f64, usize, f64, PyNear);

/// A robot that was pickled.
#[pyfunction]
pub(crate) fn _robot(
    text: Option<String>,
    path: PathBuf,
    packages: Folders,
    srdf: Option<PathBuf>,
) -> PyResult<PyRobot> {
    made(Origin { text, path, packages, srdf })
}

/// Two bodies of a scene that are near each other, or in each other.
#[pyclass(module = "chasles", name = "Near", frozen)]
pub(crate) struct PyNear(Near);

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

    fn __repr__(&self) -> String {
        let [a, b] = &self.0.bodies;
        format!("Near({a} and {b}, {:.6})", self.0.distance)
    }
}

/// What is proven of an edge between two configurations.
#[pyclass(module = "chasles", name = "Edge", frozen)]
pub(crate) struct PyEdge(Edge);

/// The word for a verdict.
fn word(verdict: &Verdict) -> &'static str {
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

    /// How many configurations were looked at, and distances asked for.
    #[getter]
    fn evaluations(&self) -> u32 {
        self.0.evaluations
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

/// A robot among obstacles: which configurations and motions of its joints are free, proven.
///
/// Joints do not move links along screws, and samples miss thin things: `edge` certifies the true
/// motion of the joints, and says *undecided* instead of guessing. Adjacent links, and pairs that
/// SRDF names, are not checked.
///
/// >>> import chasles
/// >>> arm = chasles.Robot.parse('''<robot name="arm"><link name="base"/>
/// ...   <link name="rod"><collision><origin xyz="0.5 0 0"/>
/// ...     <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
/// ...   <joint name="turn" type="revolute"><parent link="base"/><child link="rod"/>
/// ...     <axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
/// ... </robot>''')
/// >>> scene = chasles.Scene(arm)
/// >>> scene.add("post", chasles.Mesh.box([0.02, 0.02, 1]), [0, 0.8, 0, 0, 0, 0, 1])
/// >>> edge = scene.edge([-1.0], [2.0])
/// >>> edge.hit, edge.bodies, scene.is_free([0.0]), scene.edge([-1.0], [1.0]).free
/// (True, ('rod', 'post'), True, True)
#[pyclass(module = "chasles", name = "Scene")]
pub(crate) struct PyScene {
    scene: Scene,
    robot: Py<PyRobot>,
    /// What was done, as the names of methods and their arguments, for pickles.
    done: Vec<(&'static str, Py<PyTuple>)>,
}

impl PyScene {
    fn note<'py, A>(&mut self, py: Python<'py>, what: &'static str, arguments: A) -> PyResult<()>
    where
        A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
    {
        self.done.push((what, arguments.into_pyobject(py)?.unbind()));
        Ok(())
    }
}

/// Seven numbers of a pose, for pickles.
fn seven(pose: &Pose) -> [f64; 7] {
    let ([x, y, z], [i, j, k, w]) = (pose.position().to_array(), pose.rotation().to_array());
    [x, y, z, i, j, k, w]
}

#[pymethods]
impl PyScene {
    #[new]
    fn new(robot: &Bound<'_, PyRobot>) -> Self {
        let scene = Scene::new(Arc::clone(&robot.get().robot));
        Self { scene, robot: robot.clone().unbind(), done: Vec::new() }
    }

    /// The robot.
    #[getter]
    fn robot(&self, py: Python<'_>) -> Py<PyRobot> {
        self.robot.clone_ref(py)
    }

    /// The names of all bodies: the links, then what was added.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.scene.names().to_vec()
    }

    /// How many pairs of colliders are checked.
    #[getter]
    fn pair_count(&self) -> usize {
        self.scene.pair_count()
    }

    /// Puts an obstacle into the scene: a mesh, sphere, capsule or cylinder.
    #[pyo3(signature = (name, body, pose=None))]
    fn add(
        &mut self,
        name: String,
        body: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (object, pose) = (geometry("body", body)?, self::pose("pose", pose)?);
        let of = object.get().geometry.clone();
        self.scene.add(name.clone(), of, pose).map_err(robot_error)?;
        self.note(body.py(), "add", (name, object, seven(&pose)))
    }

    /// Fixes a body to a link, at a pose in its frame: a tool, or what a gripper holds.
    #[pyo3(signature = (name, link, body, pose=None))]
    fn attach(
        &mut self,
        name: String,
        link: String,
        body: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (object, pose) = (geometry("body", body)?, self::pose("pose", pose)?);
        let of = object.get().geometry.clone();
        self.scene.attach(name.clone(), &link, of, pose).map_err(robot_error)?;
        self.note(body.py(), "attach", (name, link, object, seven(&pose)))
    }

    /// Lets two bodies meet: their pair is not checked any more.
    fn allow(&mut self, py: Python<'_>, a: String, b: String) -> PyResult<()> {
        self.scene.allow(&a, &b).map_err(robot_error)?;
        self.note(py, "allow", (a, b))
    }

    /// Keeps two bodies this far apart at least, or as far as a question asks if that is more.
    fn set_margin(&mut self, py: Python<'_>, a: String, b: String, margin: f64) -> PyResult<()> {
        self.scene.set_margin(&a, &b, margin).map_err(robot_error)?;
        self.note(py, "set_margin", (a, b, margin))
    }

    /// Whether a configuration is free.
    fn is_free(&self, q: &Bound<'_, PyAny>) -> PyResult<bool> {
        self.scene.is_free(&configuration("q", q)?).map_err(robot_error)
    }

    /// The nearest pair in a configuration, or None if no pair is checked.
    fn distance(&self, q: &Bound<'_, PyAny>) -> PyResult<Option<PyNear>> {
        let found = self.scene.distance(&configuration("q", q)?).map_err(robot_error)?;
        Ok(found.map(PyNear))
    }

    /// All pairs within a reach in a configuration, the nearest first.
    fn near(&self, q: &Bound<'_, PyAny>, reach: f64) -> PyResult<Vec<PyNear>> {
        let found = self.scene.near(&configuration("q", q)?, reach).map_err(robot_error)?;
        Ok(found.into_iter().map(PyNear).collect())
    }

    /// Whether the straight line between two configurations is free, and how far along.
    #[pyo3(signature = (q0, q1, margin=0.0, *, width=1e-6))]
    fn edge(
        &self,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        margin: f64,
        width: f64,
    ) -> PyResult<PyEdge> {
        let [from, to] = [configuration("q0", q0)?, configuration("q1", q1)?];
        let options = Options { width, ..Options::from(margin) };
        let found = q0.py().detach(|| self.scene.edge(&from, &to, options));
        found.map(PyEdge).map_err(robot_error)
    }

    /// Many edges, (m, n) to (m, n), on all cores or `threads`, as columns: `verdict`, `fraction`,
    /// `at` (NaN if free), `lower` and `upper` (clearances).
    #[pyo3(signature = (starts, ends, margin=0.0, *, width=1e-6, threads=0))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn edges<'py>(
        &self,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        margin: f64,
        width: f64,
        threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = starts.py();
        let [from, to] = [configurations("starts", starts)?, configurations("ends", ends)?];
        if from.len() != to.len() {
            let [n, m] = [from.len(), to.len()];
            return Err(Error::new_err(format!("{n} configurations in starts, but {m} in ends")));
        }
        let options = Options { width, ..Options::from(margin) };
        let edges: Vec<[Vec<f64>; 2]> = from.into_iter().zip(to).map(|(p, q)| [p, q]).collect();
        let found = py.detach(|| on_threads(threads, || self.scene.edges(&edges, options)))?;
        let found = found.map_err(|(n, error)| robot_error(format!("motion {n}: {error}")))?;
        let at = |edge: &Edge| {
            let doubt = || edge.undecided().map(|doubt| doubt.at);
            edge.hit().map(|hit| hit.at).or_else(doubt).unwrap_or(f64::NAN)
        };
        let table = PyDict::new(py);
        table.set_item("verdict", column(py, found.iter().map(|e| fixed(word(&e.verdict)))))?;
        table.set_item("fraction", column(py, found.iter().map(|e| e.fraction)))?;
        table.set_item("at", column(py, found.iter().map(at)))?;
        table.set_item("lower", column(py, found.iter().map(|e| e.clearance[0])))?;
        table.set_item("upper", column(py, found.iter().map(|e| e.clearance[1])))?;
        columns(py, "edges", table)
    }

    /// The least distance over a path, (m, n), to within a width: lower and upper bound, the edge
    /// of the path and the fraction of it, and the pair; None if no pair is checked.
    #[pyo3(signature = (path, width=1e-3))]
    fn clearance(&self, path: &Bound<'_, PyAny>, width: f64) -> PyResult<Option<Nearest>> {
        let way = configurations("path", path)?;
        let found = path.py().detach(|| self.scene.clearance(&way, width)).map_err(robot_error)?;
        Ok(found.map(|c| (c.lower, c.upper, c.edge, c.at, PyNear(c.near))))
    }

    fn __repr__(&self) -> String {
        let [bodies, pairs] = [self.scene.names().len(), self.scene.pair_count()];
        format!("Scene({:?}, {bodies} bodies, {pairs} pairs)", self.scene.robot().name())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("chasles._chasles")?.getattr("_scene")?;
        let done = self.done.iter().map(|(what, arguments)| (*what, arguments.bind(py)));
        (restore, (self.robot.clone_ref(py), PyList::new(py, done)?)).into_pyobject(py)
    }
}

/// A scene that was pickled: its robot, and what was done to it.
#[pyfunction]
pub(crate) fn _scene<'py>(
    robot: &Bound<'py, PyRobot>,
    done: Vec<(String, Bound<'py, PyTuple>)>,
) -> PyResult<Bound<'py, PyScene>> {
    let scene = Bound::new(robot.py(), PyScene::new(robot))?;
    for (what, arguments) in done {
        scene.call_method1(what.as_str(), arguments)?;
    }
    Ok(scene)
}
