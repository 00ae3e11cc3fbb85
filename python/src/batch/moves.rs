//! The motions of a batch, from arrays of poses or lists of motions.

use chasles::query::{Route, Trajectory};
use chasles::{Motion, Pose, Step};
use pyo3::prelude::*;

use crate::error::Error;
use crate::motion::{PyMotion, motion};
use crate::pose::poses;

/// Many motions of two bodies.
pub(crate) enum Steps {
    /// All are steps.
    Steps(Vec<Step>),
    /// Some pass waypoints.
    Routes(Vec<Route>),
}

impl Steps {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Steps(steps) => steps.len(),
            Self::Routes(routes) => routes.len(),
        }
    }
}

/// Asks a question of steps or of routes.
macro_rules! each {
    ($moves:expr, |$each:ident| $question:expr) => {
        match $moves {
            $crate::batch::moves::Steps::Steps($each) => $question,
            $crate::batch::moves::Steps::Routes($each) => $question,
        }
    };
}
pub(crate) use each;

/// The motions of one body: poses at both ends of each, or a list of motions.
pub(crate) enum Moving {
    Still,
    Motions(Vec<Motion>),
    Any(Vec<PyMotion>),
}

pub(crate) fn motions(
    [start, end]: [&str; 2],
    [starts, ends]: [Option<&Bound<'_, PyAny>>; 2],
) -> PyResult<Moving> {
    let of = |value: Option<&Bound<'_, PyAny>>| value.is_some_and(|value| !value.is_none());
    match (starts.filter(|s| of(Some(s))), ends.filter(|e| of(Some(e)))) {
        (None, None) => Ok(Moving::Still),
        (Some(starts), Some(ends)) => {
            let [starts, ends] = [poses(start, starts)?, poses(end, ends)?];
            if starts.len() != ends.len() {
                let [n, m] = [starts.len(), ends.len()];
                return Err(Error::new_err(format!("{n} poses in {start}, but {m} in {end}")));
            }
            let all = starts.into_iter().zip(ends).map(|(from, to)| Motion::between(from, to));
            Ok(Moving::Motions(all.collect()))
        }
        (Some(all), None) => {
            let one = |(i, value): (usize, PyResult<Bound<'_, PyAny>>)| {
                motion(&format!("{start}[{i}]"), Some(&value?))
            };
            Ok(Moving::Any(all.try_iter()?.enumerate().map(one).collect::<PyResult<_>>()?))
        }
        (None, Some(_)) => Err(Error::new_err(format!("{end} is given, but no {start}"))),
    }
}

pub(crate) fn together(a: Moving, b: Moving) -> PyResult<Steps> {
    let still = Motion::still(Pose::IDENTITY);
    match (a, b) {
        (_, Moving::Still) => Err(Error::new_err("starts is missing: where B is, for each motion")),
        (Moving::Still, Moving::Motions(b)) => {
            Ok(Steps::Steps(b.into_iter().map(|b| Step::new(still, b)).collect()))
        }
        (Moving::Motions(a), Moving::Motions(b)) => {
            same(a.len(), b.len())?;
            Ok(Steps::Steps(a.into_iter().zip(b).map(|(a, b)| Step::new(a, b)).collect()))
        }
        (a, b) => {
            let count = match &b {
                Moving::Still => 0,
                Moving::Motions(all) => all.len(),
                Moving::Any(all) => all.len(),
            };
            let [a, b] = [trajectories(a, count), trajectories(b, count)];
            same(a.len(), b.len())?;
            Ok(steps(&a, &b))
        }
    }
}

fn same(a: usize, b: usize) -> PyResult<()> {
    match a == b {
        true => Ok(()),
        false => Err(Error::new_err(format!("{a} motions of A, but {b} of B"))),
    }
}

fn trajectories(moving: Moving, count: usize) -> Vec<Trajectory> {
    match moving {
        Moving::Still => vec![Motion::still(Pose::IDENTITY).into(); count],
        Moving::Motions(all) => all.into_iter().map(Into::into).collect(),
        Moving::Any(all) => all.into_iter().map(|motion| motion.trajectory).collect(),
    }
}

/// Steps if no body has waypoints.
fn steps(a: &[Trajectory], b: &[Trajectory]) -> Steps {
    let pairs = || a.iter().zip(b);
    let step = |(a, b): (&Trajectory, &Trajectory)| Some(Step::new(*a.motion()?, *b.motion()?));
    match pairs().map(step).collect() {
        Some(steps) => Steps::Steps(steps),
        None => Steps::Routes(pairs().map(|(a, b)| Route::new(a, b)).collect()),
    }
}
