//! Rules of Python's that say which pairs of bodies collide.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use chasles_dynamics::world::BodyId;
use pyo3::prelude::*;

use super::{Inner, PyWorld};

thread_local! {
    static IS_ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in the middle of a question to a rule: the world is then busy.
pub(super) fn is_asking() -> bool {
    IS_ASKING.get()
}

/// A function of two numbers of bodies, with what it said: it is asked once for each pair.
pub(super) struct Rule {
    pub(super) function: Py<PyAny>,
    known: Mutex<HashMap<[usize; 2], bool>>,
    failure: Mutex<Option<PyErr>>,
}

impl Rule {
    fn new(function: Py<PyAny>) -> Self {
        Self { function, known: Mutex::default(), failure: Mutex::default() }
    }

    /// What the rule says of a pair. Any thread asks, none of which holds Python's lock for long.
    fn admits(&self, a: BodyId, b: BodyId) -> bool {
        let pair = [a.0.min(b.0), a.0.max(b.0)];
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let said = known().get(&pair).copied();
        if let Some(said) = said {
            return said;
        }
        match Python::attach(|py| self.ask(py, pair)) {
            Ok(said) => *known().entry(pair).or_insert(said),
            Err(error) => {
                let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                // To keep bodies apart that may pass is the lesser harm.
                true
            }
        }
    }

    fn ask(&self, py: Python<'_>, [a, b]: [usize; 2]) -> PyResult<bool> {
        let before = IS_ASKING.replace(true);
        let said = self.function.bind(py).call1((a, b)).and_then(|said| said.is_truthy());
        IS_ASKING.set(before);
        said
    }
}

impl Inner {
    /// Has a function say which pairs collide.
    pub(super) fn collide_if(&mut self, function: Py<PyAny>) {
        let rule = Arc::new(Rule::new(function));
        self.rule = Some(Arc::clone(&rule));
        self.world.collide_if(move |a, b| rule.admits(a, b));
    }

    /// The exception that the rule ended with, if it did since this was last asked.
    pub(super) fn settle(&self) -> PyResult<()> {
        let Some(rule) = &self.rule else { return Ok(()) };
        let failure = rule.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(Ok(()), Err)
    }
}

#[pymethods]
impl PyWorld {
    /// Lets only those pairs collide for which a function of their two numbers, the lower one
    /// first, is true, besides groups and ignored pairs; all bodies wake up.
    ///
    /// It is asked once for each pair that comes near, by any thread, and must not ask the world.
    /// If it raises an exception, the pair collides, and what asked raises it in the end. It is
    /// pickled with the world, if it can be.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World()
    /// >>> floor = world.add(chasles.Mesh.box([9, 9, 1]), kind="static")
    /// >>> ghost, ball = (world.add(chasles.Round.sphere(), [x, 0, 2, 0, 0, 0, 1], density=1.0)
    /// ...                for x in (0, 2))
    /// >>> world.collide_if(lambda a, b: ghost not in (a, b))
    /// >>> _ = world.step(1 / 60, steps=60)
    /// >>> bool(world.pose(ghost)[2, 3] < 0), bool(world.pose(ball)[2, 3] > 1)
    /// (True, True)
    fn collide_if(&self, rule: &Bound<'_, PyAny>) -> PyResult<()> {
        if !rule.is_callable() {
            let is = format!("of the type {}", rule.get_type().qualname()?);
            return Err(crate::error::wrong_type("rule", &is, "a function of two numbers"));
        }
        self.lock(rule.py())?.collide_if(rule.clone().unbind());
        Ok(())
    }

    /// Lets all pairs collide again that only a rule kept from it; all bodies wake up.
    fn collide_freely(&self, py: Python<'_>) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        inner.world.collide_freely();
        inner.rule = None;
        Ok(())
    }
}
