//! `Scene`: a robot among obstacles.

use std::sync::Arc;

use chasles::Pose;
use chasles::query::batch::Watch;
use chasles_planning::{Edge, Options, Scene};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use super::found::{PyEdge, PyNear, word};
use super::{PyRobot, configuration, configurations};
use crate::array::column;
use crate::batch::run::Work;
use crate::error::{Error, robot as robot_error};
use crate::feature::fixed;
use crate::geometry::body as geometry;
use crate::pose::pose;
use crate::rest::columns;

/// Both bounds of a clearance, the edge of the path, the fraction of it, and the pair.
type Nearest = (f64, f64, usize, f64, PyNear);

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
        let shared = Arc::clone(&robot.get().robot);
        let scene = robot.py().detach(|| Scene::new(shared));
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
        let (scene, named) = (&mut self.scene, name.clone());
        body.py().detach(|| scene.add(named, of, pose)).map_err(robot_error)?;
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
        let (scene, named, to) = (&mut self.scene, name.clone(), &link);
        body.py().detach(|| scene.attach(named, to, of, pose)).map_err(robot_error)?;
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
        let at = configuration("q", q)?;
        q.py().detach(|| self.scene.is_free(&at)).map_err(robot_error)
    }

    /// The nearest pair in a configuration, or None if no pair is checked.
    fn distance(&self, q: &Bound<'_, PyAny>) -> PyResult<Option<PyNear>> {
        let at = configuration("q", q)?;
        let found = q.py().detach(|| self.scene.distance(&at)).map_err(robot_error)?;
        Ok(found.map(PyNear))
    }

    /// All pairs within a reach in a configuration, the nearest first.
    fn near(&self, q: &Bound<'_, PyAny>, reach: f64) -> PyResult<Vec<PyNear>> {
        let at = configuration("q", q)?;
        let found = q.py().detach(|| self.scene.near(&at, reach)).map_err(robot_error)?;
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
    /// `at` (NaN if free), `lower` and `upper` (clearances). Long work shows its `progress`, and
    /// Ctrl-C ends it, as with all batches.
    #[pyo3(signature = (
        starts, ends, margin=0.0, *, width=1e-6, threads=None, progress=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn edges<'py>(
        &self,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        margin: f64,
        width: f64,
        threads: Option<&Bound<'py, PyAny>>,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = starts.py();
        let [from, to] = [configurations("starts", starts)?, configurations("ends", ends)?];
        if from.len() != to.len() {
            let [n, m] = [from.len(), to.len()];
            return Err(Error::new_err(format!("{n} configurations in starts, but {m} in ends")));
        }
        let options = Options { width, ..Options::from(margin) };
        let edges: Vec<[Vec<f64>; 2]> = from.into_iter().zip(to).map(|(p, q)| [p, q]).collect();
        let ask = |watch: &Watch<'_>| self.scene.edges_watched(&edges, options, watch);
        let found = Work::new(threads, progress)?.run(py, edges.len(), ask)?;
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
