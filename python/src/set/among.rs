//! One body under many motions among the bodies of a set.

use chasles::query::batch::{self, BatchError, Visitor, Watch};
use chasles::query::{BodyId, Contact, Outcome, Set, Trajectory};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::{PySet, filter};
use crate::array::column;
use crate::batch::moves::{Moving, motions};
use crate::batch::run::Work;
use crate::batch::{accuracy, clearance_columns, first_columns, taken};
use crate::error::Error;
use crate::feature::fixed;
use crate::geometry::{PyGeometry, body};
use crate::options::options;
use crate::rest::{columns, word};

/// A body, how it moves in each of many steps, and what it meets of a set.
struct Visit {
    body: Py<PyGeometry>,
    motions: Vec<Trajectory>,
    ignored: Vec<BodyId>,
    groups: Option<(u32, u32)>,
    work: Work,
    /// What is left of the keywords: options of the question.
    options: Py<PyDict>,
}

/// What a batch answers.
type Answers<T> = Result<T, BatchError>;

impl Visit {
    fn new(
        set: &Bound<'_, PySet>,
        visitor: &Bound<'_, PyAny>,
        [starts, ends]: [Option<&Bound<'_, PyAny>>; 2],
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let py = visitor.py();
        let options = given.map_or_else(|| Ok(PyDict::new(py)), |given| given.copy())?;
        let [groups, ignored, threads, progress] =
            taken(&options, ["groups", "ignored", "threads", "progress"])?;
        let ignored: Vec<usize> = ignored.map_or(Ok(Vec::new()), |all| all.extract())?;
        let known = set.try_borrow()?;
        let ignored =
            ignored.into_iter().map(|number| known.id(number)).collect::<PyResult<_>>()?;
        let motions = match motions(["starts", "ends"], [starts, ends])? {
            Moving::Still => {
                return Err(Error::new_err(
                    "starts is missing: where the body is, for each motion",
                ));
            }
            Moving::Motions(all) => all.into_iter().map(Into::into).collect(),
            Moving::Any(all) => all.into_iter().map(|motion| motion.trajectory).collect(),
        };
        Ok(Self {
            body: body("body", visitor)?,
            motions,
            ignored,
            groups: groups.map_or(Ok(None), |groups| groups.extract())?,
            work: Work::new(threads.as_ref(), progress.as_ref())?,
            options: options.unbind(),
        })
    }

    /// Asks about all motions.
    fn ask<T: Send>(
        &self,
        set: &Bound<'_, PySet>,
        ask: impl Send + FnOnce(&Set, Visitor<'_>, &[Trajectory], &Watch<'_>) -> Answers<T>,
    ) -> PyResult<T> {
        let borrowed = set.try_borrow()?;
        let (set_of, py) = (&borrowed.set, set.py());
        let geometry = &self.body.get().geometry;
        let visitor = Visitor { geometry, filter: filter(self.groups), ignored: &self.ignored };
        let motions = &self.motions;
        self.work.run(py, motions.len(), |watch| ask(set_of, visitor, motions, watch))
    }
}

/// The numbers of bodies, -1 for none.
fn numbers(
    py: Python<'_>,
    ids: impl Iterator<Item = Option<BodyId>>,
) -> Bound<'_, numpy::PyArray1<i64>> {
    column(py, ids.map(|id| id.map_or(-1, |id| id.index() as i64)))
}

/// A question about many motions of a body among those of a set.
macro_rules! of_visits {
    (
        $(#[$doc:meta])*
        $name:ident, $answer:ty, |$set:ident, $visit:ident, $options:ident| $ask:expr
    ) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(
            signature = (set, body, starts, ends=None, **options),
            text_signature = "(set, body, starts, ends=None, *, groups=(1, 4294967295), \
                              ignored=(), threads=0, progress=None, facing=False, \
                              touchable=False, proper=False, min_properness=-1.0, \
                              window=(0.0, 1.0), max_departure=None, method='auto', pixels=12, \
                              robust=False, precision=1e-06)"
        )]
        pub(crate) fn $name<'py>(
            set: &Bound<'py, PySet>,
            body: &Bound<'py, PyAny>,
            starts: &Bound<'py, PyAny>,
            ends: Option<&Bound<'py, PyAny>>,
            options: Option<&Bound<'py, PyDict>>,
        ) -> PyResult<$answer> {
            let ($set, $visit) = (set, Visit::new(set, body, [Some(starts), ends], options)?);
            let $options = self::options(Some($visit.options.bind(set.py())))?;
            $ask
        }
    };
}

of_visits! {
    /// The first contacts of a body with a `Set`, for many motions of the body, as columns: `body`,
    /// the number of the body of the set, which is A, and those of `first_contacts`; -1 and NaN
    /// where there is none.
    ///
    /// `starts` and `ends` are poses of the body, (n, 4, 4) or (n, 7); without `ends`, `starts` is
    /// a list of motions. `groups` are those of the body, as in `Set.add`, and `ignored` numbers of
    /// bodies that it passes through. Other options are those of `first_times`.
    ///
    /// >>> import chasles
    /// >>> pins = chasles.Set()
    /// >>> for x in range(5):
    /// ...     pin = pins.add(chasles.Round.sphere(0.2), [x, 0, 0, 0, 0, 0, 1])
    /// >>> ways = [chasles.twist([x, 5, 0, 0, 0, 0, 1], linear=(0, -9, 0)) for x in (0, 2.5, 4)]
    /// >>> chasles.first_contacts_in(pins, chasles.Round.sphere(0.2), ways).body.tolist()
    /// [0, -1, 4]
    first_contacts_in, Bound<'py, PyAny>, |set, visit, options| {
        let found = visit.ask(set, |all, visitor, motions, watch| {
            batch::first_contacts_in(all, visitor, motions, &options, watch)
        })?;
        let table = PyDict::new(set.py());
        table.set_item("body", numbers(set.py(), found.iter().map(|hit| hit.map(|(id, _)| id))))?;
        let contacts: Vec<Option<Contact>> =
            found.into_iter().map(|hit| hit.map(|(_, contact)| contact)).collect();
        table.update(first_columns(set.py(), &contacts)?.as_mapping())?;
        columns(set.py(), "first contacts", table)
    }
}

of_visits! {
    /// What becomes of each of many motions of a body among those of a `Set`, as columns: `outcome`
    /// is `free`, `overlap` (at the start), `hit` or `undecided`, `time` that of the hit, and
    /// `body` who is in the way, -1 if it is free. Arguments are those of `first_contacts_in`.
    ///
    /// >>> import chasles
    /// >>> pins = chasles.Set()
    /// >>> for x in range(5):
    /// ...     pin = pins.add(chasles.Round.sphere(0.2), [x, 0, 0, 0, 0, 0, 1])
    /// >>> places = [[x, y, 0, 0, 0, 0, 1] for x, y in [(0, 5), (3.1, 0)]]
    /// >>> found = chasles.outcomes_in(pins, chasles.Round.sphere(0.2), places)
    /// >>> found.outcome.tolist(), found.body.tolist()
    /// (['free', 'overlap'], [-1, 3])
    outcomes_in, Bound<'py, PyAny>, |set, visit, options| {
        let found: Vec<(Outcome, Option<BodyId>)> = visit.ask(set, |all, visitor, motions, watch| {
            batch::outcomes_in(all, visitor, motions, &options, watch)
        })?;
        let times = found.iter().map(|(outcome, _)| outcome.contact().map_or(f64::NAN, |c| c.time));
        let table = PyDict::new(set.py());
        let words = found.iter().map(|(outcome, _)| fixed(word(outcome)));
        table.set_item("outcome", column(set.py(), words))?;
        table.set_item("time", column(set.py(), times))?;
        table.set_item("body", numbers(set.py(), found.iter().map(|(_, id)| *id)))?;
        columns(set.py(), "outcomes", table)
    }
}

of_visits! {
    /// The lowest number of a motion of a body that hits a `Set`, or None; ends as soon as that is
    /// known. Arguments are those of `first_contacts_in`.
    first_hit_in, Option<usize>, |set, visit, options| {
        visit.ask(set, |all, visitor, motions, watch| {
            batch::first_hit_in(all, visitor, motions, &options, watch)
        })
    }
}

/// The least distances of a body to those of a `Set`, over many motions of the body, as columns:
/// `body`, to which, and those of `clearances`; -1 and infinite if the set has none that it meets.
/// Arguments are those of `first_contacts_in`, and `width`, by default a millionth of the size of
/// the body.
#[pyfunction]
#[pyo3(
    signature = (set, body, starts, ends=None, **options),
    text_signature = "(set, body, starts, ends=None, *, width=None, max_departure=None, \
                      groups=(1, 4294967295), ignored=(), threads=0, progress=None)"
)]
pub(crate) fn clearances_in<'py>(
    set: &Bound<'py, PySet>,
    body: &Bound<'py, PyAny>,
    starts: &Bound<'py, PyAny>,
    ends: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, visit) = (set.py(), Visit::new(set, body, [Some(starts), ends], options)?);
    let accuracy = accuracy(visit.body.get().size(), visit.options.bind(py))?;
    let found = visit.ask(set, |set, visitor, motions, watch| {
        batch::clearances_in(set, visitor, motions, accuracy, watch)
    })?;
    let table = PyDict::new(py);
    table.set_item("body", numbers(py, found.iter().map(|near| near.map(|(id, _)| id))))?;
    table.update(
        clearance_columns(py, found.iter().map(|near| near.as_ref().map(|(_, c)| c)))?.as_mapping(),
    )?;
    columns(py, "clearances", table)
}
