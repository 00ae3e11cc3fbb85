//! `World`: bodies with mass that move, collide and rest, and never pass through each other.

mod ask;
mod body;
mod change;
mod joint;
mod report;
mod rule;
mod sheet;

use std::sync::{Arc, Mutex, MutexGuard};

use chasles::glam::DVec3;
use chasles_dynamics::world::{BodyId, JointId, Method, Options, Saved, Springs, Stepping};
use chasles_dynamics::{World, WorldError};
use numpy::{PyArray1, PyArray2, PyArray3};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyTuple;

use crate::array::{column, finite, of_vector, rows};
use crate::batch::run::on_all_cores;
use crate::error::{Error, world as world_error};
use crate::pickle;
use crate::pose::of_poses;

pub(crate) use ask::{_struck, PyCastHit};
pub(crate) use report::{_report, PyReport};

/// Bodies with mass that move, collide and come to rest, and never pass through each other.
///
/// Lengths are in metres, masses in kilograms, times in seconds. `stepping` is "windows" (all
/// contacts, joints and motors of a step together) or "events"; `springs` (True, or the keywords
/// reach, period and hard in a dictionary) lets bodies rest on contact springs. `max_work` is what
/// a step in windows may cost for each body of an island, in visits of a contact (about 50 ns
/// each): once it is spent bodies wait, and `Report.lost` says which.
///
/// Steps run without Python's lock, on all cores; the same world gives the same bits on any number
/// of cores. A world can be pickled, unless it has sheets.
///
/// >>> import chasles
/// >>> world = chasles.World(gravity=(0, 0, -9.81))
/// >>> floor = world.add(chasles.Mesh.box([10, 10, 1]), [0, 0, -0.5, 0, 0, 0, 1], kind="static")
/// >>> crate = world.add(chasles.Mesh.box(), [0, 0, 1, 0, 0, 0, 1], density=1000)
/// >>> report = world.step(1 / 60, steps=60)
/// >>> bool(0.5 < world.poses()[crate, 2, 3] < 0.502), round(world.time, 9)
/// (True, 1.0)
#[pyclass(module = "chasles", name = "World", frozen)]
pub(crate) struct PyWorld {
    world: Mutex<Inner>,
}

pub(crate) struct Inner {
    pub(crate) world: World,
    /// The body that stands for the world in joints, once there is one.
    pub(crate) ground: Option<BodyId>,
    /// The handles of joints by their numbers in Python.
    pub(crate) joints: Vec<JointId>,
    /// What `collide_if` was given.
    rule: Option<Arc<rule::Rule>>,
}

impl Inner {
    /// A joint from its number.
    pub(crate) fn joint(&self, number: usize) -> PyResult<JointId> {
        let known = self.joints.get(number).copied();
        known.ok_or_else(|| world_error(format!("there is no joint {number}")))
    }

    /// The number of a joint.
    pub(crate) fn joint_number(&self, id: JointId) -> usize {
        self.joints.iter().position(|known| *known == id).unwrap_or(usize::MAX)
    }
}

impl PyWorld {
    fn of(inner: Inner) -> Self {
        Self { world: Mutex::new(inner) }
    }

    /// The world, when no other thread has it; other threads of Python go on meanwhile.
    pub(crate) fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Inner>> {
        if rule::is_asking() {
            return Err(world_error("a rule of collide_if may not ask a world: it is busy"));
        }
        let lost = "the world is lost: a thread ended in the middle of a change";
        self.world.lock_py_attached(py).map_err(|_| PyRuntimeError::new_err(lost))
    }

    /// Asks or changes the world on all cores; other threads of Python go on meanwhile, so that any
    /// thread of the world may ask a rule.
    pub(crate) fn free<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut World) -> T + Send,
    ) -> PyResult<T> {
        let mut inner = self.lock(py)?;
        let world = &mut inner.world;
        let done = py.detach(|| on_all_cores(|| work(world)))?;
        inner.settle()?;
        Ok(done)
    }
}

/// The words of an option.
fn choice<T: Copy>(what: &str, word: &str, known: &[(&str, T)]) -> PyResult<T> {
    let found = known.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        Error::new_err(format!("{what} is {word:?}; expected {}", words.join(" or ")))
    })
}

fn springs(value: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Springs>> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(None) };
    if let Ok(wanted) = value.extract::<bool>() {
        return Ok(wanted.then(Springs::default));
    }
    let usual = Springs::default();
    let number = |key: &str, usual: f64| {
        value.get_item(key).map_or(Ok(usual), |number| number.extract::<f64>())
    };
    Ok(Some(Springs {
        reach: number("reach", usual.reach)?,
        period: number("period", usual.period)?,
        hard: number("hard", usual.hard)?,
    }))
}

#[pymethods]
impl PyWorld {
    #[new]
    #[pyo3(signature = (
        gravity=None, *, zone=None, gentle=None, sleep_below=None, max_parts=None, max_work=None,
        window=None, stepping="windows", method="exact", springs=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn new(
        gravity: Option<&Bound<'_, PyAny>>,
        zone: Option<f64>,
        gentle: Option<f64>,
        sleep_below: Option<f64>,
        max_parts: Option<u32>,
        max_work: Option<f64>,
        window: Option<f64>,
        stepping: &str,
        method: &str,
        springs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let ways = [("windows", Options::windows()), ("events", Options::events())];
        let usual = choice("stepping", stepping, &ways)?;
        let methods =
            [("exact", Method::Exact), ("screen", Method::Screen), ("trace", Method::Trace)];
        let options = Options {
            gravity: gravity.map_or(Ok(usual.gravity), |gravity| finite("gravity", gravity))?,
            zone: zone.unwrap_or(usual.zone),
            gentle: gentle.unwrap_or(usual.gentle),
            sleep_below: sleep_below.unwrap_or(usual.sleep_below),
            max_parts: max_parts.unwrap_or(usual.max_parts),
            max_work: max_work.unwrap_or(usual.max_work),
            window: window.unwrap_or(usual.window),
            springs: self::springs(springs)?,
            method: choice("method", method, &methods)?,
            ..usual
        };
        let mut world = World::new(options);
        // What is impossible is refused here, and not at the first step.
        world.check().map_err(world_error)?;
        Ok(Self::of(Inner { world, ground: None, joints: Vec::new(), rule: None }))
    }

    /// Moves all bodies on by `dt` seconds, `steps` times; the report is that of all steps.
    ///
    /// Other threads of Python go on meanwhile, and Ctrl-C ends it between two steps.
    #[pyo3(signature = (dt, steps=1))]
    fn step(&self, py: Python<'_>, dt: f64, steps: usize) -> PyResult<PyReport> {
        let mut report = PyReport::default();
        for _ in 0..steps {
            py.check_signals()?;
            let mut inner = self.lock(py)?;
            let world = &mut inner.world;
            let stepped: Result<_, WorldError> = py.detach(|| on_all_cores(|| world.step(dt)))?;
            report.add(stepped.map_err(world_error)?, &inner);
            inner.settle()?;
        }
        Ok(report)
    }

    /// Finds out whether the world can be stepped: whether bodies overlap, and what is impossible.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.free(py, World::check)?.map_err(world_error)
    }

    /// The seconds since the world began.
    #[getter]
    fn time(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.world.time())
    }

    /// The acceleration of all dynamic bodies, (3,).
    #[getter]
    fn gravity<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(of_vector(py, self.lock(py)?.world.options().gravity))
    }

    /// Another gravity from now on; all bodies wake up.
    fn set_gravity(&self, gravity: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, gravity) = (gravity.py(), finite("gravity", gravity)?);
        self.lock(py)?.world.set_gravity(gravity);
        Ok(())
    }

    /// How worlds are stepped: "windows" or "events".
    #[getter]
    fn stepping(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(match self.lock(py)?.world.options().stepping {
            Stepping::Windows => "windows",
            Stepping::Events => "events",
        })
    }

    /// The numbers of all bodies, (n,), in the order of `poses` and its like: a body that `add`
    /// called i is in row i as long as none was removed.
    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let inner = self.lock(py)?;
        Ok(column(py, inner.world.iter().map(|(id, _)| id.0 as i64)))
    }

    /// Where all bodies are, (n, 4, 4).
    fn poses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let inner = self.lock(py)?;
        of_poses(py, inner.world.iter().map(|(_, body)| body.pose()))
    }

    /// The velocities of all centres of mass, (n, 3).
    fn velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock(py)?;
        rows(py, inner.world.iter().map(|(_, body)| body.velocity().linear.to_array()))
    }

    /// The angular velocities of all bodies, (n, 3).
    fn angular_velocities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock(py)?;
        rows(py, inner.world.iter().map(|(_, body)| body.velocity().angular.to_array()))
    }

    /// Which bodies rest and are not looked at until something comes near, (n,).
    fn asleep<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let inner = self.lock(py)?;
        Ok(column(py, inner.world.iter().map(|(_, body)| body.is_asleep())))
    }

    /// The kinetic energy of all bodies together, in joules.
    fn kinetic_energy(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.lock(py)?.world.iter().map(|(_, body)| body.kinetic_energy()).sum())
    }

    /// The linear momentum of all bodies, and the angular one about the origin, (2, 3).
    fn momentum<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let inner = self.lock(py)?;
        let all = inner.world.iter().fold([DVec3::ZERO; 2], |[p, l], (_, body)| {
            let [linear, angular] = body.momentum();
            [p + linear, l + angular]
        });
        rows(py, all.map(|momentum| momentum.to_array()))
    }

    /// Lets reports tell contact events and what joints bear, or no longer.
    #[pyo3(signature = (is_listening=true))]
    fn listen(&self, py: Python<'_>, is_listening: bool) -> PyResult<()> {
        self.lock(py)?.world.listen(is_listening);
        Ok(())
    }

    /// A moment to go back to with `restore`; it can be pickled.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World()
    /// >>> ball = world.add(chasles.Round.sphere(), density=1.0)
    /// >>> moment, before = world.save(), world.fingerprint()
    /// >>> _ = world.step(0.1)
    /// >>> world.restore(moment); world.fingerprint() == before
    /// True
    fn save(&self, py: Python<'_>) -> PyResult<PySaved> {
        Ok(PySaved(self.lock(py)?.world.save()))
    }

    /// Goes back to a moment, bodies that came or went since included.
    fn restore(&self, py: Python<'_>, moment: &PySaved) -> PyResult<()> {
        self.free(py, |world| world.restore(&moment.0))?.map_err(world_error)
    }

    /// A number for where all bodies are and how they move: the same for the same bits.
    fn fingerprint(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.lock(py)?.world.fingerprint())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.lock(py)?.world.iter().count())
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let Inner { world, ground, joints, rule } = &*self.lock(py)?;
        let (world, joints, rule) = (world.clone(), joints.clone(), rule.clone());
        Ok(Self::of(Inner { world, ground: *ground, joints, rule }))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let inner = self.lock(py)?;
        let (count, time) = (inner.world.iter().count(), inner.world.time());
        Ok(format!("World({count} bodies, {} joints, {time:.4} s)", inner.world.joints().len()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Inner { world, ground, joints, rule } = &*self.lock(py)?;
        if !world.sheets().is_empty() {
            return Err(world_error("a world with sheets cannot be pickled"));
        }
        let rule = rule.as_ref().map(|rule| rule.function.clone_ref(py));
        pickle::dumped(py, "_world", &(world, ground, joints), (rule,))
    }
}

/// A moment of a world, made by `World.save`.
#[pyclass(module = "chasles", name = "Saved", frozen)]
pub(crate) struct PySaved(Saved);

#[pymethods]
impl PySaved {
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::dumped(py, "_saved", &self.0, ())
    }
}

/// A world that was pickled.
#[pyfunction]
#[pyo3(signature = (bytes, rule=None))]
pub(crate) fn _world(bytes: &[u8], rule: Option<Py<PyAny>>) -> PyResult<PyWorld> {
    let (world, ground, joints) = pickle::loaded(bytes)?;
    let mut inner = Inner { world, ground, joints, rule: None };
    if let Some(rule) = rule {
        inner.collide_if(rule);
    }
    Ok(PyWorld::of(inner))
}

/// A moment that was pickled.
#[pyfunction]
pub(crate) fn _saved(bytes: &[u8]) -> PyResult<PySaved> {
    Ok(PySaved(pickle::loaded(bytes)?))
}
