//! Many motions of the same bodies: arrays in, arrays out, on all cores, until Ctrl-C.

pub(crate) mod moves;
pub(crate) mod run;

use chasles::Pose;
use chasles::query::batch::{self, BatchError, Watch};
use chasles::query::{Accuracy, Clearance, Contact, Distance, Geometry, Outcome};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use self::moves::{Steps, each, motions, together};
use self::run::Work;
use crate::array::{blocks, column, refuse_others, rows};
use crate::error::Error;
use crate::feature::{fixed, kind, numbers};
use crate::geometry::{PyGeometry, body};
use crate::options::options;
use crate::pose::poses;
use crate::query::{accuracy_of, told};
use crate::rest::{columns, word};

/// Two bodies, and how they move in each of many steps.
struct Many {
    bodies: [Py<PyGeometry>; 2],
    moves: Steps,
    work: Work,
    /// What is left of the keywords: options of the question.
    options: Py<PyDict>,
}

impl Many {
    fn new(
        [a, b]: [&Bound<'_, PyAny>; 2],
        [starts, ends]: [Option<&Bound<'_, PyAny>>; 2],
        given: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let of_b = motions(["starts", "ends"], [starts, ends])?;
        let options = given.map_or_else(|| Ok(PyDict::new(a.py())), |given| given.copy())?;
        let keys = ["a_starts", "a_ends", "threads", "progress"];
        let [a_starts, a_ends, threads, progress] = taken(&options, keys)?;
        let of_a = motions(["a_starts", "a_ends"], [a_starts.as_ref(), a_ends.as_ref()])?;
        Ok(Self {
            bodies: [body("a", a)?, body("b", b)?],
            moves: together(of_a, of_b)?,
            work: Work::new(threads.as_ref(), progress.as_ref())?,
            options: options.unbind(),
        })
    }

    /// Asks all, with the motions and the bodies.
    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        ask: impl FnOnce([&Geometry; 2], &Steps, &Watch<'_>) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        let geometries = self.bodies.each_ref().map(|body| &body.get().geometry);
        let moves = &self.moves;
        self.work.run(py, moves.len(), |watch| ask(geometries, moves, watch))
    }
}

/// The values of some keys, which are taken out.
pub(crate) fn taken<'py, const N: usize>(
    keywords: &Bound<'py, PyDict>,
    keys: [&str; N],
) -> PyResult<[Option<Bound<'py, PyAny>>; N]> {
    let mut values = [const { None }; N];
    for (key, value) in keys.iter().zip(&mut values) {
        *value = keywords.get_item(key)?;
        if value.is_some() {
            keywords.del_item(key)?;
        }
    }
    Ok(values)
}

/// A question about many motions of two bodies: the same arguments, and the answer to a `Many`.
macro_rules! of_motions {
    (
        $(#[$doc:meta])*
        $name:ident, $answer:ty, |$py:ident, $many:ident, $options:ident| $ask:expr
    ) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(
            signature = (a, b, starts, ends=None, **options),
            text_signature = "(a, b, starts, ends=None, *, a_starts=None, a_ends=None, threads=0, \
                              progress=None, facing=False, touchable=False, proper=False, \
                              min_properness=-1.0, window=(0.0, 1.0), max_departure=None, \
                              method='auto', pixels=12, robust=False, precision=1e-06)"
        )]
        pub(crate) fn $name<'py>(
            a: &Bound<'py, PyAny>,
            b: &Bound<'py, PyAny>,
            starts: &Bound<'py, PyAny>,
            ends: Option<&Bound<'py, PyAny>>,
            options: Option<&Bound<'py, PyDict>>,
        ) -> PyResult<$answer> {
            let ($py, $many) = (a.py(), Many::new([a, b], [Some(starts), ends], options)?);
            let $options = self::options(Some($many.options.bind($py)))?;
            $ask
        }
    };
}

of_motions! {
    /// The times of the first contacts for many motions of B, (n,): NaN where there is none.
    ///
    /// `starts` and `ends` are poses of B, (n, 4, 4) or (n, 7); without `ends`, `starts` is a list
    /// of motions. A stays at the identity, unless `a_starts` and `a_ends` say otherwise. Runs on
    /// all cores, or on `threads`; other threads of Python go on meanwhile, a long batch shows its
    /// progress (`progress`: True, False, or a function of what is done and of all) and Ctrl-C ends
    /// it. Options are those of `contacts`.
    ///
    /// No contact does not mean free: bodies that overlap at the start have none there; `outcomes`
    /// tells both apart.
    ///
    /// >>> import chasles, numpy as np
    /// >>> ball = chasles.Round.sphere(0.5)
    /// >>> starts = np.tile(np.eye(4), (3, 1, 1)); ends = starts.copy()
    /// >>> starts[:, 0, 3], ends[:, 0, 3] = -2, 2
    /// >>> starts[:, 1, 3] = ends[:, 1, 3] = [0, 0.5, 2]
    /// >>> chasles.first_times(ball, ball, starts, ends).round(4).tolist()
    /// [0.25, 0.2835, nan]
    first_times, Bound<'py, PyArray1<f64>>, |py, many, options| {
        let times = many.ask(py, |[a, b], moves, watch| {
            each!(moves, |m| batch::first_times(a, b, m, &options, watch))
        })?;
        Ok(column(py, times))
    }
}

of_motions! {
    /// The first contacts for many motions of B, as columns: all are NaN or -1, and `kind` is
    /// empty, where there is none. Arguments are those of `first_times`.
    ///
    /// >>> import chasles
    /// >>> ball = chasles.Round.sphere(0.5)
    /// >>> spins = [chasles.twist([-2, y, 0, 0, 0, 0, 1], linear=(4, 0, 0)) for y in (0, 2)]
    /// >>> found = chasles.first_contacts(ball, ball, spins)
    /// >>> found.time.tolist(), found.kind.tolist()
    /// ([0.25, nan], ['end-end', ''])
    first_contacts, Bound<'py, PyAny>, |py, many, options| {
        let found = many.ask(py, |[a, b], moves, watch| {
            each!(moves, |m| batch::first_contacts(a, b, m, &options, watch))
        })?;
        columns(py, "first contacts", first_columns(py, &found)?)
    }
}

/// First contacts as columns; -1 and NaN where there is none.
pub(crate) fn first_columns<'py>(
    py: Python<'py>,
    found: &[Option<Contact>],
) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    let numbered = |of: fn(&Contact) -> f64| {
        column(py, found.iter().map(move |c| c.as_ref().map_or(f64::NAN, of)))
    };
    let vectors = |of: fn(&Contact) -> [f64; 3]| {
        rows(py, found.iter().map(move |c| c.as_ref().map_or([f64::NAN; 3], of)))
    };
    let features = |of: fn(&Contact) -> [i64; 2]| {
        rows(py, found.iter().map(move |c| c.as_ref().map_or([-1; 2], of)))
    };
    let kinds = found.iter().map(|c| fixed(&c.map_or(String::new(), |c| kind(c.features))));
    table.set_item("time", numbered(|c| c.time))?;
    table.set_item("kind", column(py, kinds))?;
    table.set_item("feature_a", features(|c| numbers(c.features.a))?)?;
    table.set_item("feature_b", features(|c| numbers(c.features.b))?)?;
    table.set_item("point", vectors(|c| c.point.to_array())?)?;
    table.set_item("normal", vectors(|c| c.normal.to_array())?)?;
    table.set_item("properness", numbered(|c| c.properness))?;
    table.set_item("normal_speed", numbered(|c| c.normal_speed))?;
    Ok(table)
}

of_motions! {
    /// What becomes of each of many motions, as columns: `outcome` is `free`, `overlap` (at the
    /// start), `hit` or `undecided`, and `time` that of the hit. Arguments are those of
    /// `first_times`.
    ///
    /// >>> import chasles
    /// >>> ball = chasles.Round.sphere(0.5)
    /// >>> found = chasles.outcomes(ball, ball, [[0.1, 0, 0, 0, 0, 0, 1], [9, 0, 0, 0, 0, 0, 1]])
    /// >>> found.outcome.tolist()
    /// ['overlap', 'free']
    outcomes, Bound<'py, PyAny>, |py, many, options| {
        let found: Vec<Outcome> = many.ask(py, |[a, b], moves, watch| {
            each!(moves, |m| batch::outcomes(a, b, m, &options, watch))
        })?;
        let times = found.iter().map(|outcome| outcome.contact().map_or(f64::NAN, |c| c.time));
        let table = PyDict::new(py);
        table.set_item("outcome", column(py, found.iter().map(|outcome| fixed(word(outcome)))))?;
        table.set_item("time", column(py, times))?;
        columns(py, "outcomes", table)
    }
}

of_motions! {
    /// The lowest number of a motion that hits, or None; ends as soon as that is known. Arguments
    /// are those of `first_times`.
    ///
    /// >>> import chasles
    /// >>> ball = chasles.Round.sphere(0.5)
    /// >>> ways = [chasles.twist([-2, y, 0, 0, 0, 0, 1], linear=(4, 0, 0)) for y in (3, 2, 0)]
    /// >>> chasles.first_hit(ball, ball, ways)
    /// 2
    first_hit, Option<usize>, |py, many, options| {
        many.ask(py, |[a, b], moves, watch| {
            each!(moves, |m| batch::first_hit(a, b, m, &options, watch))
        })
    }
}

/// The least distances over many motions, as columns: `lower`, `upper`, `time`, `points` and
/// `normal`; the bounds are no farther apart than `width`. Arguments are those of `first_times`.
///
/// >>> import chasles
/// >>> ball = chasles.Round.sphere(0.5)
/// >>> ways = [chasles.twist([-2, y, 0, 0, 0, 0, 1], linear=(4, 0, 0)) for y in (3, 2)]
/// >>> chasles.clearances(ball, ball, ways).upper.round(5).tolist()
/// [2.0, 1.0]
#[pyfunction]
#[pyo3(
    signature = (a, b, starts, ends=None, **options),
    text_signature = "(a, b, starts, ends=None, *, width=None, max_departure=None, a_starts=None, \
                      a_ends=None, threads=0, progress=None)"
)]
pub(crate) fn clearances<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    starts: &Bound<'py, PyAny>,
    ends: Option<&Bound<'py, PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, many) = (a.py(), Many::new([a, b], [Some(starts), ends], options)?);
    let sizes = many.bodies.each_ref().map(|body| body.get().size());
    let accuracy = accuracy(sizes[0].min(sizes[1]), many.options.bind(py))?;
    let found: Vec<Clearance> = many.ask(py, |[a, b], moves, watch| {
        each!(moves, |m| batch::clearances(a, b, m, accuracy, watch))
    })?;
    columns(py, "clearances", clearance_columns(py, found.iter().map(Some))?)
}

/// The accuracy of clearances from keywords, beside a body of a size.
pub(crate) fn accuracy(size: f64, keywords: &Bound<'_, PyDict>) -> PyResult<Accuracy> {
    let [width, departure] = taken(keywords, ["width", "max_departure"])?;
    refuse_others(Some(keywords), &["width", "max_departure"])?;
    let of = |value: Option<Bound<'_, PyAny>>| value.map_or(Ok(None), |value| value.extract());
    Ok(accuracy_of(size, of(width)?, of(departure)?))
}

/// Clearances as columns; infinite, and NaN, where there is none.
pub(crate) fn clearance_columns<'py, 'c>(
    py: Python<'py>,
    found: impl Iterator<Item = Option<&'c Clearance>> + Clone,
) -> PyResult<Bound<'py, PyDict>> {
    let numbers = |none: f64, of: fn(&Clearance) -> f64| {
        column(py, found.clone().map(move |c| c.map_or(none, of)))
    };
    let points = found
        .clone()
        .map(|c| c.map_or([[f64::NAN; 3]; 2], |c| c.points.map(|point| point.to_array())));
    let normals = found.clone().map(|c| c.map_or([f64::NAN; 3], |c| c.normal.to_array()));
    let table = PyDict::new(py);
    table.set_item("lower", numbers(f64::INFINITY, |c| c.lower))?;
    table.set_item("upper", numbers(f64::INFINITY, |c| c.upper))?;
    table.set_item("time", numbers(f64::NAN, |c| c.time))?;
    table.set_item("points", blocks(py, points)?)?;
    table.set_item("normal", rows(py, normals)?)?;
    Ok(table)
}

/// Poses of A and B, one or many of each.
fn both_poses(
    a_poses: Option<&Bound<'_, PyAny>>,
    b_poses: &Bound<'_, PyAny>,
) -> PyResult<Vec<[Pose; 2]>> {
    let of_b = poses("b_poses", b_poses)?;
    let Some(a_poses) = a_poses.filter(|poses| !poses.is_none()) else {
        return Ok(of_b.into_iter().map(|b| [Pose::IDENTITY, b]).collect());
    };
    let of_a = poses("a_poses", a_poses)?;
    if of_a.len() != of_b.len() {
        let [a, b] = [of_a.len(), of_b.len()];
        return Err(Error::new_err(format!("{a} poses of A, but {b} of B")));
    }
    Ok(of_a.into_iter().zip(of_b).map(|(a, b)| [a, b]).collect())
}

/// How far two bodies are apart at many poses of B (and of A, if they are given), as columns:
/// `distance`, `points`, `normal` and `overlaps`.
///
/// >>> import chasles
/// >>> ball = chasles.Round.sphere(0.5)
/// >>> places = [[2, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 1]]
/// >>> chasles.distances(ball, ball, places).distance.tolist()
/// [1.0, 2.0]
#[pyfunction]
#[pyo3(signature = (a, b, b_poses, a_poses=None, *, threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn distances<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    b_poses: &Bound<'py, PyAny>,
    a_poses: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, bodies) = (a.py(), [body("a", a)?, body("b", b)?]);
    let poses = both_poses(a_poses, b_poses)?;
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found: Vec<Distance> = Work::new(threads, progress)?
        .run(py, poses.len(), |watch| batch::distances(of_a, of_b, &poses, watch))?;
    let points = found.iter().map(|d| d.points.map(|point| point.to_array()));
    let table = PyDict::new(py);
    table.set_item("distance", column(py, found.iter().map(|d| d.distance)))?;
    table.set_item("points", blocks(py, points)?)?;
    table.set_item("normal", rows(py, found.iter().map(|d| d.normal.to_array()))?)?;
    table.set_item("overlaps", column(py, found.iter().map(|d| d.overlaps)))?;
    columns(py, "distances", table)
}

/// Whether two bodies are in each other at many poses of B (and of A, if they are given), (n,):
/// 1 if they are, 0 if not, and -1 where samples do not tell (of solids).
///
/// >>> import chasles
/// >>> ball = chasles.Round.sphere(0.5)
/// >>> chasles.overlaps_each(ball, ball, [[0.9, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 1]]).tolist()
/// [1, 0]
#[pyfunction]
#[pyo3(signature = (a, b, b_poses, a_poses=None, *, threads=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn overlaps_each<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    b_poses: &Bound<'py, PyAny>,
    a_poses: Option<&Bound<'py, PyAny>>,
    threads: Option<&Bound<'py, PyAny>>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let (py, bodies) = (a.py(), [body("a", a)?, body("b", b)?]);
    let poses = both_poses(a_poses, b_poses)?;
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found = Work::new(threads, progress)?
        .run(py, poses.len(), |watch| batch::overlaps(of_a, of_b, &poses, watch))?;
    Ok(column(py, found.into_iter().map(|overlap| told(overlap).map_or(-1, i8::from))))
}
