//! Bodies of a world: how they are added, changed and removed.

use chasles::glam::{DMat3, DVec3};
use chasles::mesh::Mass;
use chasles::query::{Geometry, Trajectory};
use chasles_dynamics::body::{Locks, MassProperties, Material};
use chasles_dynamics::world::{Body, BodyId, ChangeError, Damping, Filter, Kind, Route, Shape};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::change::{rate, there};
use super::{Inner, PyWorld, choice};
use crate::array::{finite, of_vector, points, refuse_others};
use crate::error::{Error, world as world_error};
use crate::geometry::{Source, body as geometry};
use crate::motion::motion;
use crate::pose::{of_pose, pose};

/// The keywords of a body.
const KNOWN: [&str; 18] = [
    "density",
    "mass",
    "inertia",
    "centre",
    "kind",
    "route",
    "velocity",
    "angular_velocity",
    "restitution",
    "friction",
    "damping",
    "angular_damping",
    "surface_velocity",
    "locked_shifts",
    "locked_turns",
    "sensor",
    "intangible",
    "groups",
];

/// A motion is followed past so many poses at most: more than anyone sees.
const MOST_KEYS: u32 = 1 << 20;

/// What is said of a body by keywords.
struct Said<'py>(Option<Bound<'py, PyDict>>);

impl<'py> Said<'py> {
    fn get(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = self.0.as_ref().map_or(Ok(None), |said| said.get_item(key))?;
        Ok(value.filter(|value| !value.is_none()))
    }

    fn number(&self, key: &str) -> PyResult<Option<f64>> {
        self.get(key)?.map(|value| value.extract()).transpose()
    }

    /// A number that is finite and not below 0; 0 where nothing is said.
    fn rate(&self, key: &str) -> PyResult<f64> {
        rate(key, self.number(key)?.unwrap_or(0.0))
    }

    fn vector(&self, key: &str) -> PyResult<DVec3> {
        self.get(key)?.map_or(Ok(DVec3::ZERO), |value| finite(key, &value))
    }

    fn is(&self, key: &str) -> PyResult<bool> {
        self.get(key)?.map_or(Ok(false), |value| value.extract())
    }

    fn axes(&self, key: &str) -> PyResult<[bool; 3]> {
        self.get(key)?.map_or(Ok([false; 3]), |value| value.extract())
    }
}

/// The surface of a body of a world.
pub(super) fn shape(body: &Geometry, source: &Source) -> PyResult<Shape> {
    match (source, body.shared_core()) {
        (Source::Mesh(_), Some((collider, _))) => Ok(Shape::from(collider.clone())),
        (Source::Round(_), _) => {
            Shape::try_from(*body.round().expect("it is round")).map_err(world_error)
        }
        _ => Err(world_error("worlds take meshes, spheres and capsules: a solid has .surface()")),
    }
}

/// Mass and inertia from keywords: of a density, scaled to a mass, or all that is given.
fn mass_properties(body: &Geometry, said: &Said<'_>) -> PyResult<Option<MassProperties>> {
    let [density, mass] = [said.number("density")?, said.number("mass")?];
    if let Some(inertia) = said.get("inertia")? {
        let mass = mass.ok_or_else(|| Error::new_err("an inertia needs a mass"))?;
        let rows = points("inertia", &inertia)?;
        let [x, y, z] = *rows else {
            return Err(Error::new_err("inertia has another shape than (3, 3)"));
        };
        let inertia = DMat3::from_cols(x, y, z).transpose();
        let all = Mass { mass, centre: said.vector("centre")?, inertia };
        return Ok(Some(MassProperties::new(&all).map_err(world_error)?));
    }
    if density.is_none() && mass.is_none() {
        return Ok(None);
    }
    let of_density = |density: f64| match (body.round(), body.collider()) {
        (Some(round), _) => MassProperties::of_round(round, density),
        (_, Some(mesh)) => MassProperties::of_mesh(mesh.mesh(), density),
        _ => unreachable!("a shape of a world is a mesh or round"),
    };
    let made = of_density(density.unwrap_or(1.0)).map_err(world_error)?;
    Ok(Some(match mass {
        Some(mass) => made.with_mass(mass).map_err(world_error)?,
        None => made,
    }))
}

/// The route of a body that goes its own way: poses at times in seconds, or a velocity.
fn route(start: chasles::Pose, said: &Said<'_>) -> PyResult<Route> {
    let [linear, angular] = [said.vector("velocity")?, said.vector("angular_velocity")?];
    let Some(keys) = said.get("route")? else {
        return Route::twist(start, linear, angular).map_err(world_error);
    };
    let one = |key: PyResult<Bound<'_, PyAny>>| {
        let (time, at): (f64, Bound<'_, PyAny>) = key?.extract()?;
        Ok((time, pose("route", Some(&at))?))
    };
    let keys = keys.try_iter()?.map(one).collect::<PyResult<Vec<_>>>()?;
    Route::keys(keys).map_err(world_error)
}

/// What moves a body.
#[derive(Clone, Copy)]
enum Moved {
    Dynamic,
    Kinematic,
    Yielding,
    Static,
}

const KINDS: [(&str, Moved); 4] = [
    ("dynamic", Moved::Dynamic),
    ("kinematic", Moved::Kinematic),
    ("yielding", Moved::Yielding),
    ("static", Moved::Static),
];

fn kind(body: &Geometry, start: chasles::Pose, said: &Said<'_>) -> PyResult<Kind> {
    let word = said.get("kind")?.map_or(Ok("dynamic".to_owned()), |word| word.extract())?;
    let massive = || {
        let missing = "a body that forces move needs a density or a mass; or kind=\"static\"";
        mass_properties(body, said)?.ok_or_else(|| world_error(missing))
    };
    Ok(match choice("kind", &word, &KINDS)? {
        Moved::Dynamic => Kind::Dynamic(massive()?),
        Moved::Kinematic => Kind::Kinematic(route(start, said)?),
        Moved::Yielding => Kind::Yielding(route(start, said)?, massive()?),
        Moved::Static => Kind::Static,
    })
}

fn made(value: &Bound<'_, PyAny>, start: chasles::Pose, said: &Said<'_>) -> PyResult<Body> {
    let object = geometry("body", value)?;
    let of = object.get();
    let shape = shape(&of.geometry, &of.source)?;
    let body = match kind(&of.geometry, start, said)? {
        Kind::Dynamic(mass_properties) => Body::dynamic(shape, mass_properties).at(start),
        Kind::Kinematic(route) => Body::kinematic(shape, route),
        Kind::Yielding(route, mass_properties) => Body::yielding(shape, route, mass_properties),
        Kind::Static => Body::fixed(shape).at(start),
    };
    let usual = Material::default();
    let restitution = said.number("restitution")?.unwrap_or(usual.restitution());
    let friction = said.number("friction")?.unwrap_or(usual.friction());
    let locks = Locks { shifts: said.axes("locked_shifts")?, turns: said.axes("locked_turns")? };
    let damping = Damping { linear: said.rate("damping")?, angular: said.rate("angular_damping")? };
    let mut body = body
        .made_of(Material::new(restitution, friction).map_err(world_error)?)
        .damped(damping)
        .conveying(said.vector("surface_velocity")?)
        .locked(locks);
    if matches!(body.kind(), Kind::Dynamic(_)) {
        body = body.moving(said.vector("velocity")?, said.vector("angular_velocity")?);
    }
    if let Some(groups) = said.get("groups")? {
        let (groups, mask) = groups.extract()?;
        body = body.filtered(Filter { groups, mask });
    }
    if said.is("sensor")? {
        return Ok(body.sensing());
    }
    Ok(if said.is("intangible")? { body.intangible() } else { body })
}

impl Inner {
    /// A body of the world.
    pub(super) fn body(&self, id: usize) -> PyResult<&Body> {
        let body = self.world.body(BodyId(id));
        body.ok_or_else(|| world_error(ChangeError::NoBody(BodyId(id))))
    }
}

#[pymethods]
impl PyWorld {
    /// Adds a body at a pose and gives its number. It must overlap no other.
    ///
    /// A body with a `density` or a `mass` (or a mass, an `inertia`, (3, 3), and a `centre`) is
    /// moved by forces; `kind` "static" stays, "kinematic" goes with its velocity, or along a
    /// `route`, a list of (seconds, pose), and "yielding" does until something hits it. `groups`
    /// are the bits of the groups that it is in, and of those that it meets. A `sensor` touches
    /// nothing and tells who is in it.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World()
    /// >>> ball = world.add(chasles.Round.sphere(0.5), [0, 0, 5, 0, 0, 0, 1], mass=2.0,
    /// ...                  velocity=(1, 0, 0), restitution=0.8)
    /// >>> world.mass(ball)
    /// 2.0
    #[pyo3(
        signature = (body, pose=None, **keywords),
        text_signature = "($self, body, pose=None, *, density=None, mass=None, inertia=None, \
                          centre=None, kind='dynamic', route=None, velocity=None, \
                          angular_velocity=None, restitution=0.3, friction=0.5, damping=0.0, \
                          angular_damping=0.0, surface_velocity=None, \
                          locked_shifts=(False, False, False), \
                          locked_turns=(False, False, False), sensor=False, intangible=False, \
                          groups=(1, 4294967295))"
    )]
    fn add(
        &self,
        body: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        keywords: Option<Bound<'_, PyDict>>,
    ) -> PyResult<usize> {
        refuse_others(keywords.as_ref(), &KNOWN)?;
        let py = body.py();
        let body = made(body, self::pose("pose", pose)?, &Said(keywords))?;
        Ok(self.free(py, |world| world.try_add(body))?.map_err(world_error)?.0)
    }

    /// Removes a body with its joints; its number is never that of another.
    fn remove(&self, py: Python<'_>, body: usize) -> PyResult<()> {
        there(self.lock(py)?.world.remove(BodyId(body)).is_some(), body)
    }

    /// Where a body is, (4, 4).
    fn pose<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        of_pose(py, &self.lock(py)?.body(body)?.pose())
    }

    /// The velocity of a body's centre of mass, (3,).
    fn velocity<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(of_vector(py, self.lock(py)?.body(body)?.velocity().linear))
    }

    /// The angular velocity of a body, (3,).
    fn angular_velocity<'py>(
        &self,
        py: Python<'py>,
        body: usize,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(of_vector(py, self.lock(py)?.body(body)?.velocity().angular))
    }

    /// The mass of a body, or None if forces do not move it.
    fn mass(&self, py: Python<'_>, body: usize) -> PyResult<Option<f64>> {
        Ok(self.lock(py)?.body(body)?.mass_properties().map(MassProperties::mass))
    }

    /// The centre of mass of a body, (3,), in the world.
    fn centre<'py>(&self, py: Python<'py>, body: usize) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(of_vector(py, self.lock(py)?.body(body)?.centre()))
    }

    /// What moves a body: "dynamic", "kinematic", "yielding" or "static".
    fn kind(&self, py: Python<'_>, body: usize) -> PyResult<&'static str> {
        Ok(match self.lock(py)?.body(body)?.kind() {
            Kind::Dynamic(_) => "dynamic",
            Kind::Kinematic(_) => "kinematic",
            Kind::Yielding(..) => "yielding",
            Kind::Static => "static",
        })
    }

    /// Puts a body elsewhere, at rest unless velocities are given; it must overlap no other there.
    #[pyo3(signature = (body, pose, *, velocity=None, angular_velocity=None))]
    fn place(
        &self,
        body: usize,
        pose: &Bound<'_, PyAny>,
        velocity: Option<&Bound<'_, PyAny>>,
        angular_velocity: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (py, pose) = (pose.py(), self::pose("pose", Some(pose))?);
        let of = |what, value: Option<&Bound<'_, PyAny>>| {
            value.map_or(Ok(DVec3::ZERO), |value| finite(what, value))
        };
        let linear = of("velocity", velocity)?;
        let angular = of("angular_velocity", angular_velocity)?;
        let velocity = chasles_dynamics::body::Velocity { linear, angular };
        self.free(py, |world| world.place(BodyId(body), pose, velocity))?.map_err(world_error)
    }

    /// Has something else move a body from now on; keywords are those of `add`, and a route begins
    /// where the body is, at time 0.
    ///
    /// >>> import chasles
    /// >>> world = chasles.World(gravity=(0, 0, 0))
    /// >>> lift = world.add(chasles.Mesh.box(), kind="static")
    /// >>> world.steer(lift, kind="kinematic", velocity=(0, 0, 2))
    /// >>> _ = world.step(0.5)
    /// >>> float(world.pose(lift)[2, 3])
    /// 1.0
    #[pyo3(
        signature = (body, **keywords),
        text_signature = "($self, body, *, kind='dynamic', density=None, mass=None, inertia=None, \
                          centre=None, route=None, velocity=None, angular_velocity=None)"
    )]
    fn steer(
        &self,
        py: Python<'_>,
        body: usize,
        keywords: Option<Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let known = [&KNOWN[..6], &KNOWN[6..8]].concat();
        refuse_others(keywords.as_ref(), &known)?;
        let mut inner = self.lock(py)?;
        let now = inner.body(body)?;
        let kind = kind(now.shape().geometry(), now.pose(), &Said(keywords))?;
        inner.world.steer(BodyId(body), kind).map_err(world_error)
    }

    /// Has a body follow a motion of this package, of so many seconds, and stay at its end.
    #[pyo3(signature = (body, motion, seconds, keys=32))]
    fn follow(
        &self,
        body: usize,
        motion: &Bound<'_, PyAny>,
        seconds: f64,
        keys: u32,
    ) -> PyResult<()> {
        let py = motion.py();
        if keys > MOST_KEYS {
            return Err(Error::new_err(format!("keys is {keys}; at most {MOST_KEYS} are taken")));
        }
        let way: Trajectory = self::motion("motion", Some(motion))?.trajectory;
        let key = |i: u32| {
            let share = f64::from(i) / f64::from(keys.max(1));
            (share * seconds, way.pose_at(share))
        };
        let route = Route::keys((0..=keys.max(1)).map(key).collect()).map_err(world_error)?;
        let kind = Kind::Kinematic(route);
        self.lock(py)?.world.steer(BodyId(body), kind).map_err(world_error)
    }
}
