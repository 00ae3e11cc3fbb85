//! From a scene of the benchmark to a world.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use chasles::glam::{DQuat, DVec3};
use chasles::{Collider, Pose};
use chasles_dynamics::body::{Locks, Material};
use chasles_dynamics::world::{Load, Route};
use chasles_dynamics::{Body, BodyId, Options, World};

use super::fixture::{Entry, Fixed, Fixture, KindEntry, Problem};
use super::form::{Form, forms};

pub(super) type Failure = Box<dyn std::error::Error>;

/// The time of a scene that states none, as its authors have it.
const SECONDS: f64 = 10.0;

/// A scene of the benchmark.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The length of a step in seconds.
    pub dt: f64,
    /// How long it runs, in seconds.
    pub seconds: f64,
    /// All that takes part.
    pub world: World,
}

impl Scene {
    /// Reads a scene; `meshes` is the folder of its meshes, and the options say how to step, all
    /// but gravity.
    ///
    /// *Accepts* the files that the README of the benchmark describes. *Guarantees* a world that
    /// does all that the scene asks for. *Cost* that of the meshes. *Fails* on files that cannot be
    /// read, and on numbers that no body can have.
    pub fn load(path: &Path, meshes: &Path, options: Options) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path)?;
        let fixture: Fixture = serde_json::from_str(&text)?;
        let dt = fixture.timestep;
        let steps = fixture.max_iterations.map(|steps| steps * dt);
        let seconds = fixture.max_time.or(steps).unwrap_or(SECONDS);
        let gravity = DVec3::from(fixture.problem.gravity);
        let mut build = Build {
            world: World::new(Options { gravity, ..options }),
            material: material(&fixture.problem)?,
            groups: BTreeMap::new(),
        };
        for entry in fixture.problem.rigid_bodies.iter().filter(|body| body.enabled) {
            for form in forms(entry, meshes)? {
                build.add(entry, body(entry, form, dt)?);
            }
        }
        Ok(Self { dt, seconds, world: build.world })
    }
}

fn material(problem: &Problem) -> Result<Material, Failure> {
    let restitution = problem.coefficient_restitution.max(0.0);
    Ok(Material::new(restitution, problem.coefficient_friction)?)
}

/// A world that grows.
struct Build {
    world: World,
    material: Material,
    groups: BTreeMap<i64, Vec<BodyId>>,
}

impl Build {
    fn add(&mut self, entry: &Entry, body: Body) {
        let world = &mut self.world;
        let id = world.add(body.made_of(self.material));
        let torque = radians(entry.torque);
        world.load(id, Load { force: DVec3::from(entry.force), torque });
        let Some(group) = entry.group_id else { return };
        let group = self.groups.entry(group).or_default();
        for &other in &*group {
            world.ignore(other, id);
        }
        group.push(id);
    }
}

/// One body of an entry.
fn body(entry: &Entry, form: Form, dt: f64) -> Result<Body, Failure> {
    let pose = Pose::new(entry.position, rotation(entry.rotation))?;
    let fixed = entry.is_dof_fixed.map_or([false; 6], Fixed::directions);
    let [x, y, z, u, v, w] = fixed;
    let locks = Locks { shifts: [x, y, z], turns: [u, v, w] };
    let is_static = entry.kind == KindEntry::Static || fixed == [true; 6];
    Ok(match entry.kind {
        _ if is_static => Body::fixed(Arc::new(Collider::new(form.mesh))).at(pose),
        KindEntry::Kinematic => {
            let centre = form.mass_properties.centre();
            let route = route(entry, (&pose, centre), locks, dt)?;
            Body::kinematic(Arc::new(form.centred()?), route)
        }
        _ => {
            let [linear, angular] = velocities(entry);
            let Form { mesh, mass_properties } = form;
            let body = Body::dynamic(Arc::new(Collider::new(mesh)), mass_properties).at(pose);
            body.moving(linear, angular).locked(locks)
        }
    })
}

/// The way of a body that turns about its centre of mass, which therefore is its origin: its poses
/// step by step, then its velocities, and rest once its time is up.
fn route(
    entry: &Entry,
    (start, centre): (&Pose, DVec3),
    locks: Locks,
    dt: f64,
) -> Result<Route, Failure> {
    let [linear, angular] = velocities(entry);
    let linear = free(locks.shifts, linear);
    let angular = free(locks.turns, angular);
    let about = |pose: &Pose| Pose::new(pose.point(centre), pose.rotation());
    let mut poses = vec![about(start)?];
    for pose in &entry.kinematic_poses {
        poses.push(about(&Pose::new(pose.position, rotation(pose.rotation))?)?);
    }
    let route = match poses.len() {
        1 => Route::twist(poses[0], linear, angular)?,
        steps => Route::every(dt, &poses)?.then((steps - 1) as f64 * dt, linear, angular)?,
    };
    match entry.kinematic_max_time {
        Some(end) => Ok(route.until(end)?),
        None => Ok(route),
    }
}

/// A vector without its locked parts.
fn free(locked: [bool; 3], vector: DVec3) -> DVec3 {
    vector * DVec3::from_array(locked.map(|locked| f64::from(u8::from(!locked))))
}

fn velocities(entry: &Entry) -> [DVec3; 2] {
    [DVec3::from(entry.linear_velocity), radians(entry.angular_velocity)]
}

fn radians(degrees: [f64; 3]) -> DVec3 {
    DVec3::from_array(degrees.map(f64::to_radians))
}

/// Turns about x, then y, then z, in degrees.
fn rotation(degrees: [f64; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_about_x_first() {
        let turned = rotation([90.0, 0.0, 90.0]) * DVec3::Y;
        assert!(turned.distance(DVec3::Z) < 1e-12, "{turned}");
    }
}
