//! What steps did.

use chasles::glam::DVec3;
use chasles_dynamics::Report;
use chasles_dynamics::world::{Passage, Phase};
use numpy::PyFixedUnicode;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::{Deserialize, Serialize};

use super::Inner;
use crate::array::{column, rows};
use crate::feature::fixed;
use crate::pickle;
use crate::rest::columns;

/// What one or several steps of a world did.
///
/// >>> import chasles
/// >>> world = chasles.World()
/// >>> floor = world.add(chasles.Mesh.box([9, 9, 1]), kind="static")
/// >>> ball = world.add(chasles.Round.sphere(), [0, 0, 2, 0, 0, 0, 1], density=1.0)
/// >>> report = world.step(1 / 60, steps=60)
/// >>> report.impacts.body_a[0] in (floor, ball), len(report.waiting)
/// (True, 0)
#[pyclass(module = "chasles", name = "Report", frozen)]
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct PyReport {
    impacts: Vec<Impact>,
    events: Vec<Event>,
    sensed: Vec<([usize; 2], u8)>,
    waiting: Vec<usize>,
    lost: Vec<(usize, f64)>,
    lost_sheets: Vec<(usize, f64)>,
    forces: Vec<(usize, [DVec3; 2])>,
    broken: Vec<usize>,
    /// Points of resting contact in the last part of the last step.
    #[pyo3(get)]
    contacts: usize,
    /// Parts into which the steps were cut, in all.
    #[pyo3(get)]
    parts: u32,
    /// The most by which a contact breaks its law, in metres a second.
    #[pyo3(get)]
    error: f64,
    /// How far joints are from where they should be, in metres, at most.
    #[pyo3(get)]
    joint_gap: f64,
    /// What stepping in windows took, in visits of a contact, about 50 ns each.
    #[pyo3(get)]
    cost: f64,
}

#[derive(Serialize, Deserialize)]
struct Impact {
    time: f64,
    bodies: [usize; 2],
    places: [DVec3; 3],
}

#[derive(Serialize, Deserialize)]
struct Event {
    bodies: [usize; 2],
    phase: u8,
    impulse: DVec3,
    points: usize,
}

/// The words of phases and of passages, by their numbers.
const PHASES: [&str; 3] = ["began", "persisted", "ended"];
const PASSAGES: [&str; 3] = ["entered", "left", "crossed"];

fn phase(phase: Phase) -> u8 {
    match phase {
        Phase::Began => 0,
        Phase::Persisted => 1,
        Phase::Ended => 2,
    }
}

fn passage(passage: Passage) -> u8 {
    match passage {
        Passage::Entered => 0,
        Passage::Left => 1,
        Passage::Crossed => 2,
    }
}

impl PyReport {
    /// Adds what a step did.
    pub(super) fn add(&mut self, step: Report, inner: &Inner) {
        let impact = |i: &chasles_dynamics::world::Impact| Impact {
            time: i.time,
            bodies: i.bodies.map(|body| body.0),
            places: [i.point, i.normal, i.impulse],
        };
        self.impacts.extend(step.impacts.iter().map(impact));
        self.events.extend(step.events.iter().map(|event| Event {
            bodies: event.bodies.map(|body| body.0),
            phase: phase(event.phase),
            impulse: event.impulse,
            points: event.points.len(),
        }));
        let sensed = step.sensed.iter();
        self.sensed.extend(sensed.map(|s| ([s.sensor.0, s.body.0], passage(s.change))));
        self.waiting.extend(step.waiting.iter().map(|body| body.0));
        self.lost.extend(step.lost.iter().map(|lost| (lost.body.0, lost.seconds)));
        let sheets = step.lost_sheets.iter();
        self.lost_sheets.extend(sheets.map(|lost| (lost.sheet.0, lost.seconds)));
        let force = |f: &chasles_dynamics::world::JointForce| {
            (inner.joint_number(f.joint), [f.force, f.torque])
        };
        self.forces.extend(step.joint_forces.iter().map(force));
        self.broken.extend(step.broken.iter().map(|joint| inner.joint_number(*joint)));
        self.contacts = step.contacts;
        self.parts += step.parts;
        self.error = self.error.max(step.error);
        self.joint_gap = self.joint_gap.max(step.gap.length);
        self.cost += step.work.cost();
    }
}

/// The first and the second body of pairs, as columns of a table.
fn bodies<'p>(
    table: &Bound<'_, PyDict>,
    names: [&str; 2],
    pairs: impl Iterator<Item = &'p [usize; 2]> + Clone,
) -> PyResult<()> {
    for (place, name) in names.into_iter().enumerate() {
        let numbers = pairs.clone().map(|pair| pair[place] as i64);
        table.set_item(name, column(table.py(), numbers))?;
    }
    Ok(())
}

#[pymethods]
impl PyReport {
    /// All impacts, as columns: `time`, `body_a`, `body_b`, `point`, `normal` and `impulse`.
    #[getter]
    fn impacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        table.set_item("time", column(py, self.impacts.iter().map(|impact| impact.time)))?;
        bodies(&table, ["body_a", "body_b"], self.impacts.iter().map(|impact| &impact.bodies))?;
        for (place, name) in ["point", "normal", "impulse"].into_iter().enumerate() {
            let vectors = self.impacts.iter().map(|impact| impact.places[place].to_array());
            table.set_item(name, rows(py, vectors)?)?;
        }
        columns(py, "impacts", table)
    }

    /// Pairs that began to touch, went on or parted, if the world listens, as columns: `body_a`,
    /// `body_b`, `phase`, `impulse` and how many `points`.
    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        bodies(&table, ["body_a", "body_b"], self.events.iter().map(|event| &event.bodies))?;
        let phases = self.events.iter().map(|event| fixed(PHASES[usize::from(event.phase)]));
        table.set_item("phase", column::<PyFixedUnicode<16>>(py, phases))?;
        let impulses = self.events.iter().map(|event| event.impulse.to_array());
        table.set_item("impulse", rows(py, impulses)?)?;
        table
            .set_item("points", column(py, self.events.iter().map(|event| event.points as i64)))?;
        columns(py, "events", table)
    }

    /// What sensors noticed, as columns: `sensor`, `body` and `change` (entered, left, crossed).
    #[getter]
    fn sensed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        bodies(&table, ["sensor", "body"], self.sensed.iter().map(|(pair, _)| pair))?;
        let changes = self.sensed.iter().map(|(_, change)| fixed(PASSAGES[usize::from(*change)]));
        table.set_item("change", column::<PyFixedUnicode<16>>(py, changes))?;
        columns(py, "passages", table)
    }

    /// What joints bore, if the world listens, as columns: `joint`, `force` and `torque`.
    #[getter]
    fn joint_forces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let table = PyDict::new(py);
        table.set_item("joint", column(py, self.forces.iter().map(|(joint, _)| *joint as i64)))?;
        for (place, name) in ["force", "torque"].into_iter().enumerate() {
            let vectors = self.forces.iter().map(|(_, both)| both[place].to_array());
            table.set_item(name, rows(py, vectors)?)?;
        }
        columns(py, "joint forces", table)
    }

    /// Bodies that had to wait, since nothing else kept them apart.
    #[getter]
    fn waiting(&self) -> Vec<usize> {
        self.waiting.clone()
    }

    /// How many seconds bodies lost, as pairs of a body and its seconds.
    #[getter]
    fn lost(&self) -> Vec<(usize, f64)> {
        self.lost.clone()
    }

    /// How many seconds sheets lost, as pairs of a sheet and its seconds.
    #[getter]
    fn lost_sheets(&self) -> Vec<(usize, f64)> {
        self.lost_sheets.clone()
    }

    /// Joints that broke.
    #[getter]
    fn broken(&self) -> Vec<usize> {
        self.broken.clone()
    }

    fn __repr__(&self) -> String {
        let Self { impacts, contacts, waiting, .. } = self;
        let [impacts, waiting] = [impacts.len(), waiting.len()];
        format!("Report({impacts} impacts, {contacts} resting contacts, {waiting} waits)")
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        pickle::dumped(py, "_report", self, ())
    }
}

/// A report that was pickled.
#[pyfunction]
pub(crate) fn _report(bytes: &[u8]) -> PyResult<PyReport> {
    pickle::loaded(bytes)
}
