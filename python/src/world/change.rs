//! What is changed of bodies once they are in a world, and who collides.

use chasles::glam::DVec3;
use chasles_dynamics::body::{Locks, Material};
use chasles_dynamics::world::{BodyId, ChangeError, Damping, Filter, Load};
use pyo3::prelude::*;

use super::PyWorld;
use crate::array::finite;
use crate::error::world as world_error;

/// What a call that tells whether the body is there says if it is not.
pub(super) fn there(is_there: bool, id: usize) -> PyResult<()> {
    match is_there {
        true => Ok(()),
        false => Err(world_error(ChangeError::NoBody(BodyId(id)))),
    }
}

/// A share that is lost each second: finite, and not below 0.
pub(super) fn rate(what: &str, rate: f64) -> PyResult<f64> {
    match rate >= 0.0 && rate.is_finite() {
        true => Ok(rate),
        false => Err(world_error(format!("{what} is {rate}; expected 0 or more"))),
    }
}

#[pymethods]
impl PyWorld {
    /// The surface of a body is made of something else from now on.
    fn set_material(
        &self,
        py: Python<'_>,
        body: usize,
        restitution: f64,
        friction: f64,
    ) -> PyResult<()> {
        let material = Material::new(restitution, friction).map_err(world_error)?;
        self.lock(py)?.world.set_material(BodyId(body), material).map_err(world_error)
    }

    /// A body has another mass from now on, spread as before.
    fn set_mass(&self, py: Python<'_>, body: usize, mass: f64) -> PyResult<()> {
        self.lock(py)?.world.set_mass(BodyId(body), mass).map_err(world_error)
    }

    /// The shares of its speeds that a body loses each second.
    #[pyo3(signature = (body, linear, angular=0.0))]
    fn set_damping(&self, py: Python<'_>, body: usize, linear: f64, angular: f64) -> PyResult<()> {
        let damping =
            Damping { linear: rate("linear", linear)?, angular: rate("angular", angular)? };
        self.lock(py)?.world.set_damping(BodyId(body), damping).map_err(world_error)
    }

    /// How fast the surface of a body runs along, in its own frame: a conveyor.
    fn set_surface_velocity(&self, body: usize, velocity: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, velocity) = (velocity.py(), finite("velocity", velocity)?);
        self.lock(py)?.world.set_surface_velocity(BodyId(body), velocity).map_err(world_error)
    }

    /// The groups that a body is in and those that it meets, as bits.
    #[pyo3(signature = (body, groups, mask=u32::MAX))]
    fn set_filter(&self, py: Python<'_>, body: usize, groups: u32, mask: u32) -> PyResult<()> {
        let filter = Filter { groups, mask };
        self.lock(py)?.world.set_filter(BodyId(body), filter).map_err(world_error)
    }

    /// Keeps a body from shifting along, and from turning about, axes of the world.
    #[pyo3(signature = (body, shifts=[false; 3], turns=[false; 3]))]
    fn lock_axes(
        &self,
        py: Python<'_>,
        body: usize,
        shifts: [bool; 3],
        turns: [bool; 3],
    ) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        inner.body(body)?;
        inner.world.lock(BodyId(body), Locks { shifts, turns });
        Ok(())
    }

    /// A force and a torque that act on a body from now on, instead of those before.
    #[pyo3(signature = (body, force=None, torque=None))]
    fn load(
        &self,
        py: Python<'_>,
        body: usize,
        force: Option<&Bound<'_, PyAny>>,
        torque: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let of = |what, value: Option<&Bound<'_, PyAny>>| {
            value.map_or(Ok(DVec3::ZERO), |value| finite(what, value))
        };
        let load = Load { force: of("force", force)?, torque: of("torque", torque)? };
        there(self.lock(py)?.world.load(BodyId(body), load), body)
    }

    /// One more force that acts on a body from now on, at a point of the world.
    fn apply_force(
        &self,
        body: usize,
        force: &Bound<'_, PyAny>,
        point: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (py, [force, point]) = (force.py(), [finite("force", force)?, finite("point", point)?]);
        there(self.lock(py)?.world.apply_force(BodyId(body), force, point), body)
    }

    /// An impulse on a body now, at a point of the world; at its centre of mass without one.
    #[pyo3(signature = (body, impulse, point=None))]
    fn apply_impulse(
        &self,
        body: usize,
        impulse: &Bound<'_, PyAny>,
        point: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (py, impulse) = (impulse.py(), finite("impulse", impulse)?);
        let mut inner = self.lock(py)?;
        let centre = inner.body(body)?.centre();
        let point = point.map_or(Ok(centre), |point| finite("point", point))?;
        there(inner.world.apply_impulse(BodyId(body), impulse, point), body)
    }

    /// An angular impulse on a body now.
    fn apply_angular_impulse(&self, body: usize, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let (py, impulse) = (impulse.py(), finite("impulse", impulse)?);
        there(self.lock(py)?.world.apply_angular_impulse(BodyId(body), impulse), body)
    }

    /// Wakes a body up.
    fn wake(&self, py: Python<'_>, body: usize) -> PyResult<()> {
        there(self.lock(py)?.world.wake(BodyId(body)), body)
    }

    /// Lets two bodies pass through each other; `inside`: only if they overlap when the next step
    /// begins.
    #[pyo3(signature = (a, b, *, inside=false))]
    fn ignore(&self, py: Python<'_>, a: usize, b: usize, inside: bool) -> PyResult<()> {
        let mut inner = self.lock(py)?;
        inner.body(a)?;
        inner.body(b)?;
        match inside {
            true => inner.world.ignore_inside(BodyId(a), BodyId(b)),
            false => inner.world.ignore(BodyId(a), BodyId(b)),
        };
        Ok(())
    }

    /// Lets two bodies collide that were ignored, once they are apart.
    fn heed(&self, py: Python<'_>, a: usize, b: usize) -> PyResult<bool> {
        Ok(self.lock(py)?.world.heed(BodyId(a), BodyId(b)))
    }

    /// Whether two bodies collide, by all that was said.
    fn collides(&self, py: Python<'_>, a: usize, b: usize) -> PyResult<bool> {
        self.free(py, |world| world.collides(BodyId(a), BodyId(b)))
    }
}
