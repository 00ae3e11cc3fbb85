//! `Set`: many bodies with motions, and which of them touch.

mod among;

use chasles::query::{BodyId, Filter, Set};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::array::{column, rows};
use crate::batch::run::on_all_cores;
use crate::contacts::{PyContact, all_columns};
use crate::error::{Error, set as set_error};
use crate::geometry::{PyGeometry, body};
use crate::motion::{PyMotion, motion};
use crate::options::options;
use crate::query::{accuracy_of, told};
use crate::rest::columns;

pub(crate) use among::{clearances_in, first_contacts_in, first_hit_in, outcomes_in};

/// Many bodies, each with a motion: which of them touch, when and where.
///
/// Boxes around the motions tell which pairs come near each other, and only these are asked, on all
/// cores. Two bodies that stand still have no contacts: `overlaps` tells whether they are in each
/// other. For many motions of one more body among them see `first_contacts_in` and `outcomes_in`.
///
/// >>> import chasles
/// >>> ball = chasles.Round.sphere(0.5)
/// >>> pins = chasles.Set()
/// >>> for x in range(10):
/// ...     pin = pins.add(ball, [2 * x, 0, 0, 0, 0, 0, 1])
/// >>> flyer = pins.add(ball, ([4.2, 5, 0, 0, 0, 0, 1], [4.2, -5, 0, 0, 0, 0, 1]))
/// >>> a, b, hit = pins.first_contact()
/// >>> (a, b) == (2, flyer), round(hit.time, 4)
/// (True, 0.402)
#[pyclass(module = "chasles", name = "Set")]
pub(crate) struct PySet {
    set: Set,
    ids: Vec<BodyId>,
    bodies: Vec<Py<PyGeometry>>,
    motions: Vec<PyMotion>,
    ignored: Vec<[usize; 2]>,
}

impl PySet {
    /// A body from its number.
    fn id(&self, number: usize) -> PyResult<BodyId> {
        let unknown = || {
            let count = self.ids.len();
            Error::new_err(format!("there is no body {number}: the set has {count} (from 0)"))
        };
        self.ids.get(number).copied().ok_or_else(unknown)
    }

    /// Asks the set on all cores; other threads of Python go on meanwhile.
    fn ask<T: Send>(&self, py: Python<'_>, ask: impl FnOnce(&Set) -> T + Send) -> PyResult<T> {
        let set = &self.set;
        py.detach(|| on_all_cores(|| ask(set)))
    }
}

/// Groups and mask of a body; by default it is in the first group and meets all.
fn filter(groups: Option<(u32, u32)>) -> Filter {
    groups.map_or_else(Filter::default, |(groups, mask)| Filter { groups, mask })
}

/// A table that begins with the bodies of each row.
fn paired<'py>(
    py: Python<'py>,
    pairs: impl Iterator<Item = [BodyId; 2]> + Clone,
) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    let number = |id: BodyId| id.index() as i64;
    table.set_item("body_a", column(py, pairs.clone().map(|[a, _]| number(a))))?;
    table.set_item("body_b", column(py, pairs.map(|[_, b]| number(b))))?;
    Ok(table)
}

#[pymethods]
impl PySet {
    #[new]
    fn new() -> Self {
        let (bodies, motions, ignored) = (Vec::new(), Vec::new(), Vec::new());
        Self { set: Set::new(), ids: Vec::new(), bodies, motions, ignored }
    }

    /// Adds a body with a motion and gives its number, from 0. `groups` are the bits of the groups
    /// that it is in, and of those that it meets: two bodies meet if each is in a group that the
    /// other meets.
    ///
    /// >>> import chasles
    /// >>> things = chasles.Set()
    /// >>> things.add(chasles.Mesh.box(), groups=(2, 1)), things.add(chasles.Mesh.box())
    /// (0, 1)
    #[pyo3(
        signature = (body, motion=None, *, groups=None),
        text_signature = "($self, body, motion=None, *, groups=(1, 4294967295))"
    )]
    fn add(
        &mut self,
        body: &Bound<'_, PyAny>,
        motion: Option<&Bound<'_, PyAny>>,
        groups: Option<(u32, u32)>,
    ) -> PyResult<usize> {
        let (object, motion) = (self::body("body", body)?, self::motion("motion", motion)?);
        let geometry = object.get().geometry.clone();
        self.ids.push(self.set.add_with(geometry, &motion.trajectory, filter(groups)));
        self.bodies.push(object);
        self.motions.push(motion);
        Ok(self.ids.len() - 1)
    }

    /// Gives a body another motion.
    fn set_motion(&mut self, body: usize, motion: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, motion) = (self.id(body)?, self::motion("motion", Some(motion))?);
        if let Some(member) = self.set.body_mut(id) {
            member.motion = motion.trajectory.clone();
        }
        self.motions[body] = motion;
        Ok(())
    }

    /// The groups that a body is in and those that it meets, as bits.
    #[pyo3(signature = (body, groups, mask=u32::MAX))]
    fn set_filter(&mut self, body: usize, groups: u32, mask: u32) -> PyResult<()> {
        let id = self.id(body)?;
        if let Some(member) = self.set.body_mut(id) {
            member.filter = Filter { groups, mask };
        }
        Ok(())
    }

    /// Leaves a pair of bodies out, whatever their groups say.
    fn ignore(&mut self, a: usize, b: usize) -> PyResult<()> {
        let ids = [self.id(a)?, self.id(b)?];
        self.set.ignore(ids[0], ids[1]);
        self.ignored.push([a, b]);
        Ok(())
    }

    /// All bodies, in the order of their numbers.
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.bodies.iter())
    }

    /// Their motions.
    #[getter]
    fn motions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.motions.iter().cloned())
    }

    /// The pairs of bodies that may touch, (n, 2), the lower number first: a pair that is left out
    /// has no contact. Those that both stand still are left out too, unless `still`.
    #[pyo3(
        signature = (still=false, **options),
        text_signature = "($self, still=False, *, method='auto', max_departure=None)"
    )]
    fn near_pairs<'py>(
        &self,
        py: Python<'py>,
        still: bool,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, numpy::PyArray2<i64>>> {
        let options = self::options(options)?;
        let pairs = self.ask(py, |set| set.near_pairs(&options, still))?;
        rows(py, pairs.into_iter().map(|pair| pair.map(|id| id.index() as i64)))
    }

    /// The contacts of all pairs, in the order of pairs and of time, as columns: `body_a` and
    /// `body_b`, and those of `Contacts`. With `first` it is the first contact of each pair.
    /// Options are those of `chasles.contacts`.
    ///
    /// >>> import chasles
    /// >>> things = chasles.Set()
    /// >>> for x in (0, 3, 6):
    /// ...     box = things.add(chasles.Mesh.box(), [x, 0, 0, 0, 0, 0, 1])
    /// >>> way = ([-3, .3, .2, 0, 0, 0, 1], [9, .3, .2, 0, 0, 0, 1])
    /// >>> train = things.add(chasles.Round.sphere(0.25), way)
    /// >>> firsts = things.contacts(first=True)
    /// >>> firsts.body_a.tolist(), firsts.time.round(4).tolist()
    /// ([0, 1, 2], [0.1875, 0.4375, 0.6875])
    /// >>> len(things.contacts()) > len(firsts)
    /// True
    #[pyo3(
        signature = (first=false, **options),
        text_signature = "($self, first=False, *, facing=False, touchable=False, proper=False, \
                          min_properness=-1.0, window=(0.0, 1.0), max_departure=None, \
                          method='auto', pixels=12, robust=False, precision=1e-06)"
    )]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        first: bool,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut options = self::options(options)?;
        options.first_only = first;
        let found = self.ask(py, |set| set.contacts(&options))?;
        let found = found.map_err(|error| set_error(&error))?;
        let mut pairs = Vec::with_capacity(found.contact_count());
        let mut contacts = Vec::with_capacity(found.contact_count());
        for pair in found.pairs() {
            contacts.extend_from_slice(&pair.found);
            pairs.resize(contacts.len(), pair.bodies);
        }
        let table = paired(py, pairs.iter().copied())?;
        table.update(all_columns(py, &contacts)?.as_mapping())?;
        columns(py, "contacts", table)
    }

    /// The first contact of all, as the numbers of both bodies and the contact, or None. Options
    /// are those of `chasles.contacts`.
    #[pyo3(
        signature = (**options),
        text_signature = "($self, *, facing=False, touchable=False, proper=False, \
                          min_properness=-1.0, window=(0.0, 1.0), max_departure=None, \
                          method='auto', pixels=12, robust=False, precision=1e-06)"
    )]
    fn first_contact(
        &self,
        py: Python<'_>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<(usize, usize, PyContact)>> {
        let options = self::options(options)?;
        let found = self.ask(py, |set| set.first_contact(&options))?;
        let found = found.map_err(|error| set_error(&error))?;
        Ok(found.map(|([a, b], contact)| (a.index(), b.index(), PyContact(contact))))
    }

    /// The pairs that are in each other at the start, as columns: `body_a`, `body_b`, and
    /// `overlaps`, which is 1, or -1 where samples do not tell (of solids).
    ///
    /// >>> import chasles
    /// >>> things = chasles.Set()
    /// >>> for x in (0, 0.75, 5):
    /// ...     ball = things.add(chasles.Round.sphere(0.5), [x, 0, 0, 0, 0, 0, 1])
    /// >>> things.overlaps().body_b.tolist()
    /// [1]
    fn overlaps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = self.ask(py, Set::overlaps)?.map_err(|error| set_error(&error))?;
        let table = paired(py, found.iter().map(|pair| pair.bodies))?;
        let said = found.iter().map(|pair| told(pair.overlap).map_or(-1, i8::from));
        table.set_item("overlaps", column(py, said))?;
        columns(py, "overlaps", table)
    }

    /// The least distance of each pair that comes within a reach, as columns: `body_a`, `body_b`,
    /// and those of `chasles.clearances`. Pairs that are left out stay farther apart, or both stand
    /// still. The bounds are no farther apart than `width`, by default a millionth of the size of
    /// the smallest body.
    ///
    /// >>> import chasles
    /// >>> things = chasles.Set()
    /// >>> for x in (0, 3, 9):
    /// ...     ball = things.add(chasles.Round.sphere(0.5), [x, 0, 0, 0, 0, 0, 1])
    /// >>> way = ([1.6, 4, 0, 0, 0, 0, 1], [1.6, -4, 0, 0, 0, 0, 1])
    /// >>> flyer = things.add(chasles.Round.sphere(0.5), way)
    /// >>> near = things.clearances(1.0)
    /// >>> near.body_a.tolist(), near.upper.round(5).tolist()
    /// ([0, 1], [0.6, 0.4])
    #[pyo3(signature = (reach, *, width=None, max_departure=None))]
    fn clearances<'py>(
        &self,
        py: Python<'py>,
        reach: f64,
        width: Option<f64>,
        max_departure: Option<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if reach.is_nan() || reach < 0.0 {
            return Err(Error::new_err(format!("reach is {reach}; expected 0 or more")));
        }
        let sizes = self.bodies.iter().map(|body| body.get().size());
        let accuracy = accuracy_of(sizes.fold(f64::INFINITY, f64::min), width, max_departure);
        let found = self.ask(py, |set| set.clearances(reach, accuracy))?;
        let found = found.map_err(|error| set_error(&error))?;
        let table = paired(py, found.iter().map(|pair| pair.bodies))?;
        let clearances =
            crate::batch::clearance_columns(py, found.iter().map(|p| Some(&p.clearance)))?;
        table.update(clearances.as_mapping())?;
        columns(py, "clearances", table)
    }

    fn __len__(&self) -> usize {
        self.ids.len()
    }

    fn __repr__(&self) -> String {
        format!("Set({} bodies)", self.ids.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let restore = py.import("chasles._chasles")?.getattr("_set")?;
        let filter = |id: &BodyId| {
            let filter = self.set.body(*id).map_or_else(Filter::default, |member| member.filter);
            (filter.groups, filter.mask)
        };
        let parts = self.bodies.iter().zip(&self.motions).zip(&self.ids);
        let members = parts.map(|((body, motion), id)| {
            (body.clone_ref(py), motion.clone(), filter(id)).into_pyobject(py)
        });
        let members = PyList::new(py, members.collect::<PyResult<Vec<_>>>()?)?;
        (restore, (members, self.ignored.clone())).into_pyobject(py)
    }
}

/// A body, how it moves, and its groups and mask.
type Pickled<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, (u32, u32));

/// A set that was pickled: its bodies with motions and filters, and the pairs that are left out.
#[pyfunction]
pub(crate) fn _set(members: Vec<Pickled<'_>>, ignored: Vec<[usize; 2]>) -> PyResult<PySet> {
    let mut set = PySet::new();
    for (body, motion, groups) in members {
        set.add(&body, Some(&motion), Some(groups))?;
    }
    for [a, b] in ignored {
        set.ignore(a, b)?;
    }
    Ok(set)
}
