//! From a scene of the benchmark to a world, or to what the world lacks for it.

use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::PI;
use std::path::Path;
use std::sync::Arc;

use chasles::glam::{DMat3, DQuat, DVec3};
use chasles::mesh::{Mass, Polygons, files};
use chasles::{Collider, Polyhedron, Pose};
use chasles_dynamics::body::{Material, Solidity};
use chasles_dynamics::world::{Load, Route};
use chasles_dynamics::{Body, BodyId, Options, World};

use super::fixture::{Entry, Fixed, Fixture, KindEntry, Problem, Scale};

type Failure = Box<dyn std::error::Error>;

/// The time of a scene that states none, as its authors have it.
const SECONDS: f64 = 10.0;

/// A scene of the benchmark.
#[derive(Clone, Debug)]
pub struct Scene {
    /// How many bodies take part.
    pub bodies: usize,
    /// The length of a step in seconds.
    pub dt: f64,
    /// How long it runs, in seconds.
    pub seconds: f64,
    /// The world, or what it would need to have, in order.
    pub world: Result<World, BTreeSet<&'static str>>,
}

impl Scene {
    /// Reads a scene; `meshes` is the folder of its meshes.
    ///
    /// *Accepts* the files that the README of the benchmark describes. *Guarantees* a world that
    /// does all that the scene asks for, or the list of what it does not have. *Cost* that of the
    /// meshes. *Fails* on files that cannot be read, and on numbers that no body can have.
    pub fn load(path: &Path, meshes: &Path) -> Result<Self, Failure> {
        let text = std::fs::read_to_string(path)?;
        let fixture: Fixture = serde_json::from_str(&text)?;
        let dt = fixture.timestep;
        let steps = fixture.max_iterations.map(|steps| steps * dt);
        let seconds = fixture.max_time.or(steps).unwrap_or(SECONDS);
        let problem = fixture.problem;
        let present: Vec<&Entry> =
            problem.rigid_bodies.iter().filter(|body| body.enabled).collect();
        let mut missing = BTreeSet::new();
        let mut made = Vec::with_capacity(present.len());
        for entry in &present {
            match make(entry, meshes)? {
                Ok(body) => made.push(body),
                Err(lacks) => missing.extend(lacks),
            }
        }
        let world =
            if missing.is_empty() { Ok(build(&problem, &present, made)?) } else { Err(missing) };
        Ok(Self { bodies: present.len(), dt, seconds, world })
    }
}

/// All bodies together.
fn build(problem: &Problem, present: &[&Entry], made: Vec<Body>) -> Result<World, Failure> {
    let gravity = DVec3::from(problem.gravity);
    let mut world = World::new(Options { gravity, ..Options::default() });
    let restitution = problem.coefficient_restitution.max(0.0);
    let material = Material::new(restitution, problem.coefficient_friction)?;
    let mut groups: BTreeMap<i64, Vec<BodyId>> = BTreeMap::new();
    for (entry, body) in present.iter().zip(made) {
        let id = world.add(body.made_of(material));
        world.load(id, Load { force: DVec3::from(entry.force), torque: DVec3::ZERO });
        let Some(group) = entry.group_id else { continue };
        let group = groups.entry(group).or_default();
        for &other in &*group {
            world.ignore(other, id);
        }
        group.push(id);
    }
    Ok(world)
}

/// A body, or what the world lacks for it.
fn make(entry: &Entry, meshes: &Path) -> Result<Result<Body, Vec<&'static str>>, Failure> {
    let mesh = match surface(entry, meshes)? {
        Ok(polygons) => Polyhedron::new(&polygons)?,
        Err(lacks) => return Ok(Err(vec![lacks])),
    };
    let fixed = entry.is_dof_fixed.map_or([false; 6], Fixed::directions);
    let is_static = entry.kind == KindEntry::Static || fixed == [true; 6];
    let is_kinematic = entry.kind == KindEntry::Kinematic && !is_static;
    let is_dynamic = !is_static && !is_kinematic;
    let mass = mass(&mesh, entry.density);
    let lacks = [
        (entry.split_components, "connected pieces as bodies"),
        (is_kinematic && !entry.kinematic_poses.is_empty(), "pose lists"),
        (is_kinematic && entry.kinematic_max_time.is_some(), "an end of kinematic motion"),
        (is_dynamic && fixed.contains(&true), "locked directions"),
        (is_dynamic && entry.torque != [0.0; 3], "torques"),
        (!is_static && mass.is_none(), "mass of what encloses nothing"),
    ];
    let lacks: Vec<&str> =
        lacks.iter().filter(|(is_so, _)| *is_so).map(|(_, what)| *what).collect();
    if !lacks.is_empty() {
        return Ok(Err(lacks));
    }
    let pose = Pose::new(entry.position, rotation(entry.rotation))?;
    let body = match mass.filter(|_| !is_static) {
        None => Body::fixed(Arc::new(Collider::new(mesh))).at(pose),
        Some(mass) if is_kinematic => kinematic(entry, &mesh, pose, (mass.centre, fixed))?,
        Some(mass) => {
            let [linear, angular] = velocities(entry);
            let solidity = Solidity::new(&mass)?;
            Body::dynamic(Arc::new(Collider::new(mesh)), solidity).at(pose).moving(linear, angular)
        }
    };
    Ok(Ok(body))
}

/// A body that turns about its centre of mass, which therefore is its origin here.
fn kinematic(
    entry: &Entry,
    mesh: &Polyhedron,
    pose: Pose,
    (centre, fixed): (DVec3, [bool; 6]),
) -> Result<Body, Failure> {
    let free =
        |i: usize| DVec3::from_array([i, i + 1, i + 2].map(|i| f64::from(u8::from(!fixed[i]))));
    let [linear, angular] = velocities(entry);
    let start = Pose::new(pose.point(centre), pose.rotation())?;
    let route = Route::twist(start, linear * free(0), angular * free(3))?;
    let vertices = mesh.positions().iter().map(|point| *point - centre);
    let faces = (0..mesh.face_count() as u32).map(|face| mesh.face(face).to_vec());
    let centred = Polyhedron::new(&Polygons::new(vertices, faces))?;
    Ok(Body::kinematic(Arc::new(Collider::new(centred)), route))
}

fn velocities(entry: &Entry) -> [DVec3; 2] {
    [DVec3::from(entry.linear_velocity), DVec3::from(entry.angular_velocity) * (PI / 180.0)]
}

/// Turns about x, then y, then z, in degrees.
fn rotation(degrees: [f64; 3]) -> DQuat {
    let [x, y, z] = degrees.map(f64::to_radians);
    DQuat::from_rotation_z(z) * DQuat::from_rotation_y(y) * DQuat::from_rotation_x(x)
}

/// The faces of a body in its size, or what it is made of instead.
fn surface(entry: &Entry, meshes: &Path) -> Result<Result<Polygons, &'static str>, Failure> {
    let mut polygons = match &entry.mesh {
        Some(name) => {
            let path = meshes.join(name);
            if let Some(lacks) = other_than_faces(&path)? {
                return Ok(Err(lacks));
            }
            files::load(&path)?
        }
        None if !entry.faces.is_empty() => {
            Polygons::new(entry.vertices.iter().copied(), entry.faces.iter().cloned())
        }
        None => {
            let lacks = if entry.edges.is_empty() { POINTS } else { EDGES };
            return Ok(Err(lacks));
        }
    };
    let factors = factors(entry, &polygons.vertices);
    polygons.vertices.iter_mut().for_each(|vertex| *vertex *= factors);
    Ok(Ok(polygons))
}

const EDGES: &str = "bodies of edges";
const POINTS: &str = "bodies of points";

/// What an OBJ file without faces is made of; nothing for other files.
fn other_than_faces(path: &Path) -> Result<Option<&'static str>, Failure> {
    if path.extension().is_none_or(|extension| extension != "obj") {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let has =
        |element: &str| text.lines().any(|line| line.split_whitespace().next() == Some(element));
    Ok(match (has("f"), has("l")) {
        (true, _) => None,
        (false, true) => Some(EDGES),
        (false, false) => Some(POINTS),
    })
}

/// By how much coordinates grow.
fn factors(entry: &Entry, vertices: &[DVec3]) -> DVec3 {
    if let Some(reached) = entry.dimensions {
        let low = vertices.iter().fold(DVec3::INFINITY, |low, v| low.min(*v));
        let high = vertices.iter().fold(DVec3::NEG_INFINITY, |high, v| high.max(*v));
        let extents =
            (high - low).to_array().map(|extent| if extent == 0.0 { 1.0 } else { extent });
        return DVec3::from(reached) / DVec3::from(extents);
    }
    match entry.scale {
        None => DVec3::ONE,
        Some(Scale::One(factor)) => DVec3::splat(factor),
        Some(Scale::Three(factors)) => DVec3::from(factors),
    }
}

/// The mass of a mesh; of an open one as if it were closed by cones to the middle of its vertices,
/// whichever way its faces look.
fn mass(mesh: &Polyhedron, density: f64) -> Option<Mass> {
    if mesh.is_closed() {
        return mesh.mass(density);
    }
    let middle = mesh.positions().iter().sum::<DVec3>() / mesh.positions().len() as f64;
    let faces = 0..mesh.face_count() as u32;
    let corners: Vec<[DVec3; 3]> = faces
        .flat_map(|face| {
            let corners = mesh.face(face);
            let at = |i: usize| mesh.position(corners[i]) - middle;
            (2..corners.len()).map(move |i| [at(0), at(i - 1), at(i)]).collect::<Vec<_>>()
        })
        .collect();
    let signed = |[a, b, c]: &[DVec3; 3]| a.dot(b.cross(*c)) / 6.0;
    let outward = corners.iter().map(signed).sum::<f64>().signum();
    let volume = |all: &[DVec3; 3]| outward * signed(all);
    let total: f64 = corners.iter().map(volume).sum();
    if total <= 0.0 {
        return None;
    }
    let moment: DVec3 =
        corners.iter().map(|all| volume(all) * all.iter().sum::<DVec3>() / 4.0).sum();
    let centre = moment / total;
    let second = corners.iter().fold(DMat3::ZERO, |sum, all| sum + second_moment(all, volume(all)));
    let second = second - outer(centre) * total;
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let inertia = (DMat3::from_diagonal(DVec3::splat(trace)) - second) * density;
    Some(Mass { mass: density * total, centre: middle + centre, inertia })
}

/// The integral of `x xᵀ` over a tetrahedron with a corner at the origin:
/// `V / 20 (Σ pᵢ pᵢᵀ + s sᵀ)` with the sum `s` of its other corners.
fn second_moment(corners: &[DVec3; 3], volume: f64) -> DMat3 {
    let squares = corners.iter().fold(DMat3::ZERO, |sum, corner| sum + outer(*corner));
    (squares + outer(corners.iter().sum())) * (volume / 20.0)
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}

#[cfg(test)]
mod tests {
    use chasles::mesh::shapes::{Cuboid, Shape};

    use super::*;

    #[test]
    fn an_open_mesh_has_the_mass_of_what_closes_it() {
        let whole = Shape::Box(Cuboid { size: [1.0, 2.0, 3.0] }).polygons().expect("a box");
        let closed = Polyhedron::new(&whole).expect("a mesh").mass(7.0).expect("a volume");
        // A cut along an edge leaves the surface where it is, and the mesh open.
        let mut cut = whole.clone();
        let corner = cut.faces[0][0] as usize;
        cut.vertices.push(cut.vertices[corner] + DVec3::splat(1e-9));
        cut.faces[0][0] = cut.vertices.len() as u32 - 1;
        let mesh = Polyhedron::new(&cut).expect("a mesh");
        assert!(!mesh.is_closed());
        let open = mass(&mesh, 7.0).expect("a volume");
        assert!((open.mass - closed.mass).abs() < 1e-6, "{open:?}");
        assert!(open.centre.distance(closed.centre) < 1e-6, "{open:?}");
        let off = (open.inertia - closed.inertia).to_cols_array();
        assert!(off.iter().all(|x| x.abs() < 1e-5), "{open:?} {closed:?}");
        // An open surface has no outside.
        cut.faces.iter_mut().for_each(|face| face.reverse());
        let inward = mass(&Polyhedron::new(&cut).expect("a mesh"), 7.0).expect("a volume");
        assert!((inward.mass - open.mass).abs() < 1e-6, "{inward:?}");
        assert!(inward.centre.distance(open.centre) < 1e-6, "{inward:?}");
    }

    #[test]
    fn turns_are_about_x_first() {
        let turned = rotation([90.0, 0.0, 90.0]) * DVec3::Y;
        assert!(turned.distance(DVec3::Z) < 1e-12, "{turned}");
    }
}
