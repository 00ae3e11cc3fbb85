//! Questions about two bodies on one motion.

use chasles::glam::DVec3;
use chasles::query::{self, Accuracy, Outcome, Overlap};
use chasles::trace::{Travel, Turn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::array::vector;
use crate::contacts::{Asked, PyContact, PyContacts};
use crate::error::{Error, motion as motion_error, query as query_error};
use crate::geometry::{PyGeometry, body};
use crate::motion::{Both, PyMotion, ask, motion};
use crate::options::{options, word};
use crate::pose::pose;
use crate::rest::{PyCast, PyClearance, PyDistance, PyOutcome, PyPenetration, near_columns};
use crate::workspace;

/// Two bodies and how they move.
struct Pair {
    bodies: [Py<PyGeometry>; 2],
    motions: [PyMotion; 2],
}

impl Pair {
    fn new(
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        motions: [Option<&Bound<'_, PyAny>>; 2],
    ) -> PyResult<Self> {
        let [of_a, of_b] = motions;
        Ok(Self {
            bodies: [body("a", a)?, body("b", b)?],
            motions: [motion("a_motion", of_a)?, motion("b_motion", of_b)?],
        })
    }

    fn geometries(&self) -> [&query::Geometry; 2] {
        self.bodies.each_ref().map(|body| &body.get().geometry)
    }

    fn both(&self) -> Both {
        Both::new(&self.motions[0], &self.motions[1])
    }
}

/// A question about two bodies on one motion, with the options of `contacts`.
macro_rules! of_one_motion {
    (
        $(#[$doc:meta])*
        $name:ident, $answer:ty, |$py:ident, $pair:ident, $options:ident| $ask:expr
    ) => {
        $(#[$doc])*
        #[pyfunction]
        #[pyo3(
            signature = (a, b, a_motion=None, b_motion=None, **options),
            text_signature = "(a, b, a_motion=None, b_motion=None, *, facing=False, \
                              touchable=False, proper=False, min_properness=-1.0, \
                              window=(0.0, 1.0), max_departure=None, method='auto', pixels=12, \
                              robust=False, precision=1e-06)"
        )]
        pub(crate) fn $name(
            a: &Bound<'_, PyAny>,
            b: &Bound<'_, PyAny>,
            a_motion: Option<&Bound<'_, PyAny>>,
            b_motion: Option<&Bound<'_, PyAny>>,
            options: Option<&Bound<'_, PyDict>>,
        ) -> PyResult<$answer> {
            let ($py, $pair) = (a.py(), Pair::new(a, b, [a_motion, b_motion])?);
            let $options = self::options(options)?;
            $ask
        }
    };
}

of_one_motion! {
    /// All contacts of two bodies during a step, in the order of time.
    ///
    /// Bodies are a Mesh, a Round, a Solid, or anything with `.vertices` and `.faces`; motions see
    /// `Motion`. Without options it is every contact, as the program lists them. `facing` keeps
    /// those that approach between surfaces that face each other, `touchable` those that can be
    /// touched from outside, `proper` those beside which the bodies do not overlap yet, and
    /// `min_properness` those of at least a properness. `window` is the part of the step that
    /// counts. `method` is "auto", "exact", "screen" (with `pixels` and `robust`) or "path" (with
    /// `precision`). If both bodies turn, their relative motion is taken to be a screw;
    /// `max_departure` bounds how far that may be from their own motions.
    ///
    /// >>> import chasles
    /// >>> torus = chasles.Mesh.torus()
    /// >>> way = ([0.3, 3, 0.2, 0, 0, 0, 1], [0.3, -3, 0.2, 0, 0, 0, 1])
    /// >>> every = chasles.contacts(torus, torus, b_motion=way)
    /// >>> few = chasles.contacts(torus, torus, b_motion=way, facing=True, proper=True)
    /// >>> 0 < 10 * len(few) < len(every)
    /// True
    /// >>> chasles.contacts(torus, torus, b_motion=way, method="guess")
    /// Traceback (most recent call last):
    ///     ...
    /// chasles.Error: no method "guess"; there are auto, exact, screen and path
    contacts, PyContacts, |py, pair, options| {
        let found = py.detach(|| {
            let ([a, b], both) = (pair.geometries(), pair.both());
            workspace::with(|memory| {
                let found = ask!(&both, |motion| query::contacts(a, b, motion, &options, memory))?;
                Ok((found.to_vec(), found.choice.method, found.guarantee, found.undecided))
            })
        });
        let (contacts, method, guarantee, undecided) = found.map_err(|error| query_error(&error))?;
        let Pair { bodies, motions } = pair;
        let asked = Asked { bodies, motions, method: word(method) };
        Ok(PyContacts::new(contacts, asked, guarantee, undecided))
    }
}

of_one_motion! {
    /// The first contact of two bodies during a step, or None.
    ///
    /// Options are those of `contacts`. None does not mean that the step is free: bodies that
    /// overlap at its start have no contact there; `outcome` tells both apart.
    ///
    /// >>> import chasles
    /// >>> cube = chasles.Mesh.box()
    /// >>> fall = ([0.2, 3, 0.1, 0, 0, 0, 1], [0.2, 0, 0.1, 0, 0, 0, 1])
    /// >>> round(chasles.first_contact(cube, cube, b_motion=fall).time, 12)
    /// 0.666666666667
    /// >>> chasles.first_contact(cube, cube, b_motion=[9, 0, 0, 0, 0, 0, 1]) is None
    /// True
    first_contact, Option<PyContact>, |py, pair, options| {
        let found = py.detach(|| {
            let ([a, b], both) = (pair.geometries(), pair.both());
            workspace::with(|memory| {
                ask!(&both, |motion| query::first_contact(a, b, motion, &options, memory))
            })
        });
        Ok(found.map_err(|error| query_error(&error))?.map(PyContact))
    }
}

of_one_motion! {
    /// Whether a step is free, starts in overlap, or hits, and where. Options are those of
    /// `contacts`.
    ///
    /// >>> import chasles
    /// >>> ball = chasles.Round.sphere(0.5)
    /// >>> away = ([0.5, 0, 0, 0, 0, 0, 1], [3, 0, 0, 0, 0, 0, 1])
    /// >>> chasles.outcome(ball, ball, b_motion=away)
    /// Outcome(overlap)
    /// >>> chasles.outcome(ball, ball, b_motion=away[::-1]).contact.time
    /// 0.8
    outcome, PyOutcome, |py, pair, options| {
        let found = py.detach(|| {
            let ([a, b], both) = (pair.geometries(), pair.both());
            workspace::with(|memory| {
                ask!(&both, |motion| query::outcome(a, b, motion, &options, memory))
            })
        });
        found.map(PyOutcome::from).map_err(|error| query_error(&error))
    }
}

/// Whether two bodies at rest are in each other; None where samples do not tell (of solids).
///
/// >>> import chasles
/// >>> cube = chasles.Mesh.box()
/// >>> chasles.overlaps(cube, cube, b_pose=[0.9, 0, 0, 0, 0, 0, 1])
/// True
#[pyfunction]
#[pyo3(signature = (a, b, a_pose=None, b_pose=None))]
pub(crate) fn overlaps(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    a_pose: Option<&Bound<'_, PyAny>>,
    b_pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<bool>> {
    let bodies = [body("a", a)?, body("b", b)?];
    let poses = [pose("a_pose", a_pose)?, pose("b_pose", b_pose)?];
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found =
        a.py().detach(|| workspace::with(|memory| query::overlaps(of_a, of_b, poses, memory)));
    Ok(told(found.map_err(|error| query_error(&error))?))
}

/// An overlap as True, False, or None where nothing is sure.
pub(crate) fn told(overlap: Overlap) -> Option<bool> {
    match overlap {
        Overlap::Apart => Some(false),
        Overlap::Overlapping(_) => Some(true),
        Overlap::Undecided => None,
    }
}

/// How far two bodies at rest are apart, and where: 0 where they overlap.
///
/// >>> import chasles
/// >>> cube = chasles.Mesh.box()
/// >>> d = chasles.distance(cube, cube, b_pose=[3, 0, 0, 0, 0, 0, 1])
/// >>> d.distance, d.points.shape, d.normal.tolist()
/// (2.0, (2, 3), [1.0, 0.0, 0.0])
#[pyfunction]
#[pyo3(signature = (a, b, a_pose=None, b_pose=None))]
pub(crate) fn distance(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    a_pose: Option<&Bound<'_, PyAny>>,
    b_pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyDistance> {
    let bodies = [body("a", a)?, body("b", b)?];
    let poses = [pose("a_pose", a_pose)?, pose("b_pose", b_pose)?];
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found =
        a.py().detach(|| workspace::with(|memory| query::distance(of_a, of_b, poses, memory)));
    found.map(PyDistance).map_err(|error| query_error(&error))
}

/// A shift of B that separates two meshes in each other, or None if they are not. Of convex bodies
/// it is the shortest.
///
/// >>> import chasles
/// >>> cube = chasles.Mesh.box()
/// >>> out = chasles.penetration(cube, cube, b_pose=[0.25, 0.875, 0.25, 0, 0, 0, 1])
/// >>> out.translation.round(12).tolist(), out.exact
/// ([0.0, 0.125, 0.0], True)
#[pyfunction]
#[pyo3(signature = (a, b, a_pose=None, b_pose=None))]
pub(crate) fn penetration(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    a_pose: Option<&Bound<'_, PyAny>>,
    b_pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<PyPenetration>> {
    let bodies = [body("a", a)?, body("b", b)?];
    let poses = [pose("a_pose", a_pose)?, pose("b_pose", b_pose)?];
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found =
        a.py().detach(|| workspace::with(|memory| query::penetration(of_a, of_b, poses, memory)));
    Ok(found.map_err(|error| query_error(&error))?.map(PyPenetration))
}

/// Clearances are this wide by default, as a part of the size of the smaller body.
const WIDTH: f64 = 1e-6;

/// The width of a clearance beside a body of a size, or the usual one.
pub(crate) fn accuracy_of(size: f64, width: Option<f64>, max_departure: Option<f64>) -> Accuracy {
    Accuracy { max_departure, ..Accuracy::from(width.unwrap_or(WIDTH * size)) }
}

/// How near two bodies come to each other during a step: `.lower` <= least distance <= `.upper`,
/// no farther apart than `width` (by default a millionth of the smaller body's size).
///
/// >>> import chasles
/// >>> post, ball = chasles.Round.sphere(0.25), chasles.Round.sphere(0.5)
/// >>> way = ([-3, 1, 0, 0, 0, 0, 1], [3, 1, 0, 0, 0, 0, 1])
/// >>> c = chasles.clearance(post, ball, b_motion=way)
/// >>> c.lower <= 0.25 <= c.upper + 1e-12, round(c.time, 2)
/// (True, 0.5)
#[pyfunction]
#[pyo3(signature = (a, b, a_motion=None, b_motion=None, *, width=None, max_departure=None))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn clearance(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    a_motion: Option<&Bound<'_, PyAny>>,
    b_motion: Option<&Bound<'_, PyAny>>,
    width: Option<f64>,
    max_departure: Option<f64>,
) -> PyResult<PyClearance> {
    let pair = Pair::new(a, b, [a_motion, b_motion])?;
    let sizes = pair.bodies.each_ref().map(|body| body.get().size());
    let accuracy = accuracy_of(sizes[0].min(sizes[1]), width, max_departure);
    let found = a.py().detach(|| {
        let ([a, b], both) = (pair.geometries(), pair.both());
        workspace::with(|memory| {
            ask!(&both, |motion| query::clearance(a, b, motion, accuracy, memory))
        })
    });
    found.map(PyClearance).map_err(|error| query_error(&error))
}

/// Moves B through A, which stands still, until something stops it, just before it touches: by a
/// `shift`, by a `turn` (`axis`, `angle` in radians, `origin`), or by both at once in `parts`.
///
/// >>> import chasles
/// >>> cube = chasles.Mesh.box()
/// >>> fall = chasles.cast(cube, cube, (0, -4, 0), b_pose=[0.3, 3, 0.2, 0, 0, 0, 1])
/// >>> round(fall.fraction, 6), fall.normal.tolist()
/// (0.5, [0.0, 1.0, 0.0])
#[pyfunction]
#[pyo3(signature = (
    a, b, shift=None, *, axis=None, angle=0.0, origin=None, parts=None, a_pose=None, b_pose=None
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn cast(
    a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    shift: Option<&Bound<'_, PyAny>>,
    axis: Option<&Bound<'_, PyAny>>,
    angle: f64,
    origin: Option<&Bound<'_, PyAny>>,
    parts: Option<u32>,
    a_pose: Option<&Bound<'_, PyAny>>,
    b_pose: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyCast> {
    let bodies = [body("a", a)?, body("b", b)?];
    let poses = [pose("a_pose", a_pose)?, pose("b_pose", b_pose)?];
    let travel = travel([shift, axis, origin], angle, parts)?;
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found =
        a.py().detach(|| workspace::with(|memory| query::cast(of_a, of_b, poses, &travel, memory)));
    found.map(PyCast).map_err(|error| query_error(&error))
}

/// How a body travels: by a shift, by a turn about an axis through an origin, or both in parts.
pub(crate) fn travel(
    [shift, axis, origin]: [Option<&Bound<'_, PyAny>>; 3],
    angle: f64,
    parts: Option<u32>,
) -> PyResult<Travel> {
    let by = shift.map_or(Ok(DVec3::ZERO), |shift| vector("shift", shift))?;
    let Some(axis) = axis else {
        if angle != 0.0 {
            return Err(Error::new_err("an angle needs an axis to turn about"));
        }
        return Ok(Travel::shift(by));
    };
    let origin = origin.map_or(Ok(DVec3::ZERO), |origin| vector("origin", origin))?;
    let turn = Turn::new(origin, vector("axis", axis)?, angle);
    let turn = turn.map_err(|error| motion_error("turn", error))?;
    // Shift and turn take turns, so both together go in small portions.
    let usual = if by == DVec3::ZERO { 1 } else { 16 };
    let parts = parts.unwrap_or(usual).try_into();
    let parts = parts.map_err(|_| Error::new_err("parts is 0; expected 1 or more"))?;
    Ok(Travel { by, turn, parts })
}

/// All places where two bodies at rest are near each other, within `reach`, as columns:
/// `features`, `point_a`, `point_b`, `normal`, `gap` and `properness`.
///
/// >>> import chasles
/// >>> cube = chasles.Mesh.box()
/// >>> places = chasles.near(cube, cube, 0.1, b_pose=[0, 1.05, 0, 0, 0, 0, 1])
/// >>> len(places) > 0 and bool((abs(places.gap - 0.05) < 1e-12).all())
/// True
#[pyfunction]
#[pyo3(signature = (a, b, reach, a_pose=None, b_pose=None))]
pub(crate) fn near<'py>(
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    reach: f64,
    a_pose: Option<&Bound<'py, PyAny>>,
    b_pose: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let bodies = [body("a", a)?, body("b", b)?];
    let poses = [pose("a_pose", a_pose)?, pose("b_pose", b_pose)?];
    let [of_a, of_b] = bodies.each_ref().map(|body| &body.get().geometry);
    let found = a.py().detach(|| {
        workspace::with(|memory| Ok(query::near(of_a, of_b, poses, reach, memory)?.to_vec()))
    });
    near_columns(a.py(), &found.map_err(|error| query_error(&error))?)
}

impl From<Outcome> for PyOutcome {
    fn from(outcome: Outcome) -> Self {
        Self(outcome)
    }
}
