//! Traces: how far a body gets through a world of polygons that stands still.

use chasles::Polygons;
use chasles::glam::DVec3;
use chasles::query::Features;
use chasles::trace::{Body, Contents, Fixture, Touch, Trace, Walker, Workspace, World};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::array::{column, of_vector, points, rows, vector};
use crate::error::{Error, mesh as mesh_error, motion as motion_error};
use crate::geometry::{PyGeometry, Source, body};
use crate::pickle;
use crate::pose::{of_pose, pose};
use crate::query::travel;
use crate::rest::columns;

/// A world that stands still, for traces: moves of a body that end just before it would touch,
/// whatever rounding does.
///
/// `fixtures` is a list of meshes, or of tuples of a mesh, a pose and a tag (a whole number that
/// touches tell). `thickness` is that of the zone around the world that nothing enters; a small one
/// that suits the sizes by default.
///
/// >>> import chasles
/// >>> world = chasles.TraceWorld([(chasles.Mesh.box([9, 9, 1]), [0, 0, -.5, 0, 0, 0, 1], 7)])
/// >>> crate = chasles.TraceBody(chasles.Mesh.box())
/// >>> fall = world.travel(crate, [0.1, 0.2, 3, 0, 0, 0, 1], (0, 0, -5))
/// >>> round(fall.fraction, 6), fall.tag, fall.normal.tolist()
/// (0.5, 7, [0.0, 0.0, 1.0])
#[pyclass(module = "chasles", frozen)]
pub(crate) struct TraceWorld {
    world: World,
    fixtures: Py<PyList>,
    thickness: Option<f64>,
}

/// A body that traces move, made ready once: a mesh.
#[pyclass(module = "chasles", frozen)]
pub(crate) struct TraceBody {
    body: Body,
    mesh: Py<PyGeometry>,
}

fn polygons(mesh: &Py<PyGeometry>) -> PyResult<Polygons> {
    match &mesh.get().source {
        Source::Mesh(source) => Ok(source.polygons.clone()),
        _ => Err(Error::new_err("traces take meshes: Mesh.sphere and the like, or .surface()")),
    }
}

#[pymethods]
impl TraceBody {
    #[new]
    fn new(mesh: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, mesh) = (mesh.py(), body("mesh", mesh)?);
        let polygons = polygons(&mesh)?;
        Ok(Self { body: py.detach(|| Body::new(&polygons)).map_err(mesh_error)?, mesh })
    }

    /// The mesh that it was made of.
    #[getter]
    fn mesh(&self, py: Python<'_>) -> Py<PyGeometry> {
        self.mesh.clone_ref(py)
    }

    fn __repr__(&self) -> String {
        format!("TraceBody({})", self.mesh.get().label())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        (slf.get_type(), (slf.get().mesh.clone_ref(py),)).into_pyobject(py)
    }
}

/// A fixture from a mesh, or from a tuple of a mesh, a pose and a tag.
fn fixture(value: &Bound<'_, PyAny>) -> PyResult<Fixture> {
    let Ok(parts) = value.cast::<PyTuple>() else {
        return Ok(Fixture::new(polygons(&body("fixture", value)?)?));
    };
    let mesh = polygons(&body("fixture", &parts.get_item(0)?)?)?;
    let at = parts.get_item(1).ok();
    let tag = parts.get_item(2).map_or(Ok(0), |tag| tag.extract())?;
    Ok(Fixture::new(mesh).at(pose("fixture", at.as_ref())?).tagged(tag))
}

#[pymethods]
impl TraceWorld {
    #[new]
    #[pyo3(signature = (fixtures, *, thickness=None))]
    fn new(fixtures: &Bound<'_, PyAny>, thickness: Option<f64>) -> PyResult<Self> {
        let list = PyList::new(fixtures.py(), fixtures.try_iter()?.collect::<PyResult<Vec<_>>>()?)?;
        let all = list.iter().map(|one| fixture(&one)).collect::<PyResult<_>>()?;
        let world = fixtures.py().detach(|| World::new(all)).map_err(mesh_error)?;
        let world = match thickness {
            Some(thickness) => world.with_thickness(thickness).map_err(mesh_error)?,
            None => world,
        };
        Ok(Self { world, fixtures: list.unbind(), thickness })
    }

    /// Moves a body from a pose: by a `shift`, by a `turn` (`axis`, `angle` in radians, `origin`),
    /// or by both in `parts`.
    #[pyo3(signature = (body, start, shift=None, *, axis=None, angle=0.0, origin=None, parts=None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn travel(
        &self,
        body: &Bound<'_, TraceBody>,
        start: &Bound<'_, PyAny>,
        shift: Option<&Bound<'_, PyAny>>,
        axis: Option<&Bound<'_, PyAny>>,
        angle: f64,
        origin: Option<&Bound<'_, PyAny>>,
        parts: Option<u32>,
    ) -> PyResult<PyTrace> {
        let start = pose("start", Some(start))?;
        let travel = travel([shift, axis, origin], angle, parts)?;
        let (world, moving) = (&self.world, &body.get().body);
        let found =
            body.py().detach(|| world.travel(moving, &start, &travel, &mut Workspace::new()));
        found.map(PyTrace).map_err(|error| motion_error("travel", error))
    }

    /// Moves points straight, (n, 3) to (n, 3), as columns: `fraction`, `end`, `point`, `normal`,
    /// `fixture` and `tag`; the last two are -1, and the others NaN, where nothing is in the way.
    ///
    /// >>> import chasles
    /// >>> world = chasles.TraceWorld([chasles.Mesh.box()])
    /// >>> found = world.points([[0, 2, 0], [3, 2, 0]], [[0, -2, 0], [3, -2, 0]])
    /// >>> found.fraction.round(4).tolist()
    /// [0.375, 1.0]
    fn points<'py>(
        &self,
        start: &Bound<'py, PyAny>,
        end: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, [from, to]) = (start.py(), [points("start", start)?, points("end", end)?]);
        if from.len() != to.len() {
            let message = format!("{} points at the start, {} at the end", from.len(), to.len());
            return Err(Error::new_err(message));
        }
        let world = &self.world;
        let found: Result<Vec<Trace>, _> = py.detach(|| {
            let mut memory = Workspace::new();
            from.iter().zip(&to).map(|(&p, &q)| world.point(p, q, &mut memory)).collect()
        });
        trace_columns(py, &found.map_err(|error| motion_error("points", error))?)
    }

    /// What a body at a pose meets: `free`, `crossing` (its surface crosses a face), `inside` or
    /// `around`.
    fn contents(
        &self,
        body: &Bound<'_, TraceBody>,
        at: &Bound<'_, PyAny>,
    ) -> PyResult<&'static str> {
        let at = pose("at", Some(at))?;
        let (world, body, py) = (&self.world, &body.get().body, body.py());
        let found = py.detach(|| world.contents(body, &at, &mut Workspace::new()));
        Ok(match found {
            Contents::Free => "free",
            Contents::Crossing { .. } => "crossing",
            Contents::Inside => "inside",
            Contents::Around => "around",
        })
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("TraceWorld({} fixtures)", self.fixtures.bind(py).len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let restore = py.import("chasles._chasles")?.getattr("_trace_world")?;
        let own = slf.get();
        (restore, (own.fixtures.clone_ref(py), own.thickness)).into_pyobject(py)
    }
}

/// A world that was pickled.
#[pyfunction]
pub(crate) fn _trace_world(
    fixtures: &Bound<'_, PyAny>,
    thickness: Option<f64>,
) -> PyResult<TraceWorld> {
    TraceWorld::new(fixtures, thickness)
}

fn trace_columns<'py>(py: Python<'py>, found: &[Trace]) -> PyResult<Bound<'py, PyAny>> {
    let vectors = |of: fn(&Touch) -> [f64; 3]| {
        rows(py, found.iter().map(move |t| t.touch.as_ref().map_or([f64::NAN; 3], of)))
    };
    let numbers = |of: fn(&Touch) -> u32| {
        column(py, found.iter().map(move |t| t.touch.as_ref().map_or(-1, |t| i64::from(of(t)))))
    };
    let table = PyDict::new(py);
    table.set_item("fraction", column(py, found.iter().map(|t| t.fraction)))?;
    table.set_item("end", rows(py, found.iter().map(|t| t.end.position().to_array()))?)?;
    table.set_item("point", vectors(|t| t.point.to_array())?)?;
    table.set_item("normal", vectors(|t| t.normal.to_array())?)?;
    table.set_item("fixture", numbers(|t| t.fixture))?;
    table.set_item("tag", numbers(|t| t.tag))?;
    columns(py, "traces", table)
}

/// How far a body got.
#[pyclass(module = "chasles", name = "Trace", frozen)]
pub(crate) struct PyTrace(Trace);

#[pymethods]
impl PyTrace {
    /// How much of the travel is done, in [0, 1].
    #[getter]
    fn fraction(&self) -> f64 {
        self.0.fraction
    }

    /// Where the body is then, (4, 4).
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        of_pose(py, &self.0.end)
    }

    /// Whether it was in the world at the start; it then does not move.
    #[getter]
    fn started_solid(&self) -> bool {
        self.0.started_solid
    }

    /// The thickness of the zone that the body does not enter.
    #[getter]
    fn thickness(&self) -> f64 {
        self.0.thickness
    }

    /// Where it was stopped, (3,), or None.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.touch.map(|touch| of_vector(py, touch.point))
    }

    /// The unit normal there, from the world to the body, (3,), or None.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        self.0.touch.map(|touch| of_vector(py, touch.normal))
    }

    /// The number of the fixture that stopped it, or None.
    #[getter]
    fn fixture(&self) -> Option<u32> {
        self.0.touch.map(|touch| touch.fixture)
    }

    /// The tag of the fixture that stopped it, or None.
    #[getter]
    fn tag(&self) -> Option<u32> {
        self.0.touch.map(|touch| touch.tag)
    }

    /// The feature of the body and that of the world, in words, or None.
    #[getter]
    fn features(&self) -> Option<String> {
        self.0.touch.map(|touch| Features::from(touch.features).to_string())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let Trace { fraction, end, started_solid, thickness, touch } = self.0;
        let touch = touch.map(|t| {
            ([t.fixture, t.tag], Features::from(t.features), [t.point, t.normal], t.distance)
        });
        pickle::dumped(py, "_trace", &(fraction, end, started_solid, thickness, touch), ())
    }

    fn __repr__(&self) -> String {
        match (&self.0.touch, self.0.started_solid) {
            (_, true) => "Trace(starts in the world)".to_owned(),
            (Some(_), _) => format!("Trace(stopped at {:.6})", self.0.fraction),
            (None, _) => "Trace(free)".to_owned(),
        }
    }
}

/// A trace that was pickled.
#[pyfunction]
pub(crate) fn _trace(bytes: &[u8]) -> PyResult<PyTrace> {
    type Saved = ([u32; 2], Features, [DVec3; 2], f64);
    let (fraction, end, started_solid, thickness, touch) = pickle::loaded(bytes)?;
    let touch: Option<Saved> = touch;
    let touch = touch.and_then(|([fixture, tag], features, [point, normal], distance)| {
        let features = features.of_meshes()?;
        Some(Touch { features, fixture, tag, point, normal, distance })
    });
    Ok(PyTrace(Trace { fraction, end, started_solid, thickness, touch }))
}

/// A character: climbs steps up to a height, and slopes up to an angle in radians.
///
/// >>> import chasles
/// >>> world = chasles.TraceWorld([(chasles.Mesh.box([20, 20, 1]), [0, 0, -.5, 0, 0, 0, 1])])
/// >>> body = chasles.TraceBody(chasles.Mesh.box([0.6, 0.6, 1.8]))
/// >>> walker = chasles.Walker(body, step=0.3, steepest=0.8)
/// >>> end, ground, wall = walker.walk(world, [0, 0, 0.9, 0, 0, 0, 1], (1, 0, 0))
/// >>> round(float(end[0, 3]), 3), ground is not None, wall
/// (1.0, True, None)
#[pyclass(module = "chasles", name = "Walker", frozen)]
pub(crate) struct PyWalker {
    walker: Walker,
    body: Py<TraceBody>,
    numbers: ([f64; 3], f64, f64),
}

#[pymethods]
impl PyWalker {
    #[new]
    #[pyo3(signature = (body, *, step, steepest, up=None))]
    fn new(
        body: &Bound<'_, TraceBody>,
        step: f64,
        steepest: f64,
        up: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let up = up.map_or(Ok(DVec3::Z), |up| vector("up", up))?;
        let walker = Walker::new(body.get().body.clone(), up, step, steepest);
        let walker = walker.map_err(|error| motion_error("walker", error))?;
        Ok(Self { walker, body: body.clone().unbind(), numbers: (up.to_array(), step, steepest) })
    }

    /// Walks by a vector from a pose: where it is then, (4, 4), and the normals of the ground on
    /// which it stands and of the last wall that stopped it, each (3,) or None.
    fn walk<'py>(
        &self,
        world: &Bound<'py, TraceWorld>,
        start: &Bound<'py, PyAny>,
        by: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (py, start, by) = (world.py(), pose("start", Some(start))?, vector("by", by)?);
        let world = &world.get().world;
        let found = py.detach(|| self.walker.walk(world, &start, by, &mut Workspace::new()));
        let found = found.map_err(|error| motion_error("walk", error))?;
        let normal = |touch: Option<Touch>| touch.map(|touch| of_vector(py, touch.normal));
        (of_pose(py, &found.end)?, normal(found.ground), normal(found.wall)).into_pyobject(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, own) = (slf.py(), slf.get());
        let restore = py.import("chasles._chasles")?.getattr("_walker")?;
        let (up, step, steepest) = own.numbers;
        (restore, (own.body.clone_ref(py), up, step, steepest)).into_pyobject(py)
    }
}

/// A walker that was pickled.
#[pyfunction]
pub(crate) fn _walker(
    body: &Bound<'_, TraceBody>,
    up: &Bound<'_, PyAny>,
    step: f64,
    steepest: f64,
) -> PyResult<PyWalker> {
    PyWalker::new(body, step, steepest, Some(up))
}
