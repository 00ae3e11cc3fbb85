//! Scenes for tests of the world, and a judge that knows nothing of how they move.

use std::sync::Arc;

use chasles::mesh::shapes::{Car, Cuboid, Shape, Sphere};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::body::{MassProperties, Material};
use chasles_dynamics::{Body, World};
use chasles_testkit::generate::{Random, convex_mesh};
use chasles_testkit::trace::Soup;
use glam::{DQuat, DVec3};

pub(crate) fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere { radius, segments: [16, 8] })
}

pub(crate) fn solid(shape: &Shape) -> Arc<Collider> {
    Arc::new(Collider::new(shape.build().expect("a shape")))
}

pub(crate) fn cuboid(size: [f64; 3]) -> Arc<Collider> {
    solid(&Shape::Box(Cuboid { size }))
}

pub(crate) fn dynamic(collider: &Arc<Collider>, density: f64) -> Body {
    let mass_properties = MassProperties::of_mesh(collider.mesh(), density).expect("a volume");
    Body::dynamic(Arc::clone(collider), mass_properties)
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

pub(crate) fn made_of(restitution: f64, friction: f64) -> Material {
    Material::new(restitution, friction).expect("a material")
}

/// A floor whose top is at height 0.
pub(crate) fn floor() -> Body {
    Body::fixed(cuboid([60.0, 60.0, 1.0])).at(at(0.0, 0.0, -0.5))
}

/// Kinetic energy, and that of height.
pub(crate) fn energy(world: &World) -> f64 {
    let of = |body: &Body| body.kinetic_energy() + weight_of(body) * body.centre().z;
    world.bodies().iter().map(of).sum()
}

pub(crate) fn weight(world: &World) -> f64 {
    world.bodies().iter().map(weight_of).sum()
}

fn weight_of(body: &Body) -> f64 {
    body.mass_properties().map_or(0.0, |mass_properties| 9.81 * mass_properties.mass())
}

/// A row of dominoes, the first of them pushed.
pub(crate) fn dominoes(count: u32) -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    let stone = cuboid([0.02, 0.1, 0.2]);
    for i in 0..count {
        let body = dynamic(&stone, 700.0).at(at(0.08 * f64::from(i), 0.0, 0.10001));
        let push = if i == 0 { DVec3::Y * 3.0 } else { DVec3::ZERO };
        world.add(body.moving(DVec3::X * 0.3 * f64::from(i == 0), push));
    }
    world
}

/// A wall of bricks, and a ball of stone that flies at it at 150 miles an hour.
pub(crate) fn wall(columns: u32, rows: u32, is_hit: bool) -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    let brick = cuboid([0.24, 0.115, 0.071]);
    // Half bricks at the ends of every other row, so that every brick stands on two.
    let half = cuboid([0.115, 0.115, 0.071]);
    let end = 0.25 * f64::from(columns - 1) + 0.12 - 0.0575;
    for row in 0..rows {
        let z = 0.03551 + 0.07101 * f64::from(row);
        let odd = row % 2;
        for column in 0..columns - odd {
            let x = 0.25 * (f64::from(column) + 0.5 * f64::from(odd));
            world.add(dynamic(&brick, 1800.0).at(at(x, 0.0, z)));
        }
        for x in [-0.12 + 0.0575, end].into_iter().filter(|_| odd == 1) {
            world.add(dynamic(&half, 1800.0).at(at(x, 0.0, z)));
        }
    }
    if is_hit {
        let ball = cuboid([0.2; 3]);
        let middle = 0.125 * f64::from(columns);
        let start = Pose::new([middle, -3.0, 0.04 * f64::from(rows)], DQuat::from_rotation_x(0.4));
        let body = dynamic(&ball, 2500.0).at(start.expect("finite"));
        world.add(body.moving(DVec3::Y * 67.0, DVec3::new(3.0, 1.0, 2.0)));
    }
    world
}

/// Two cars head-on at 150 miles an hour each.
pub(crate) fn cars() -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    let car = Arc::new(Collider::new(Shape::Car(Car::default()).build().expect("a car")));
    let [low, high] = car.mesh().bounds();
    let up = -low.z + 0.01;
    let length = high.x - low.x;
    let facing = Pose::new([4.0 * length, 0.1, up], DQuat::from_rotation_z(std::f64::consts::PI));
    let metal = made_of(0.2, 0.3);
    let body = || dynamic(&car, 150.0).made_of(metal);
    world.add(body().at(at(-4.0 * length, 0.0, up)).moving(DVec3::X * 67.0, DVec3::ZERO));
    world.add(body().at(facing.expect("finite")).moving(DVec3::X * -67.0, DVec3::ZERO));
    world
}

/// Stones that fall into a box.
pub(crate) fn rocks(count: u32) -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    for (x, y, size) in [
        (-1.1, 0.0, [0.1, 2.4, 1.0]),
        (1.1, 0.0, [0.1, 2.4, 1.0]),
        (0.0, -1.1, [2.0, 0.1, 1.0]),
        (0.0, 1.1, [2.0, 0.1, 1.0]),
    ] {
        world.add(Body::fixed(cuboid(size)).at(at(x, y, 0.6)));
    }
    let mut random = Random::new(7);
    for i in 0..count {
        let mut mesh = convex_mesh(&mut random);
        mesh.vertices.iter_mut().for_each(|v| *v *= 0.2);
        let stone = Arc::new(Collider::new(Polyhedron::new(&mesh).expect("a stone")));
        let place = DVec3::new(
            random.between(-0.6, 0.6),
            random.between(-0.6, 0.6),
            0.8 + 0.45 * f64::from(i),
        );
        let pose = Pose::new(place, random.rotation()).expect("finite");
        world.add(dynamic(&stone, 2500.0).at(pose).made_of(made_of(0.2, 0.6)));
    }
    world
}

/// The surfaces of a world, for a test that is not the world's own.
pub(crate) struct Judge {
    soups: Vec<Soup>,
    sizes: Vec<f64>,
}

impl Judge {
    pub(crate) fn new(world: &World) -> Self {
        let polygons = |body: &Body| {
            let mesh = body.collider().mesh();
            let faces = (0..mesh.face_count() as u32).map(|f| mesh.face(f).to_vec());
            let vertices = (0..mesh.vertex_count() as u32).map(|v| mesh.position(v));
            Polygons::new(vertices.map(|v| v.to_array()), faces)
        };
        let soups = world.bodies().iter().map(|body| Soup::new(&polygons(body)));
        let sizes = world.bodies().iter().map(|body| {
            let [low, high] = body.collider().mesh().bounds();
            (high - low).length()
        });
        Self { soups: soups.collect(), sizes: sizes.collect() }
    }

    /// The first two bodies whose surfaces cross.
    pub(crate) fn crossing(&self, world: &World) -> Option<[usize; 2]> {
        let bodies = world.bodies();
        for j in 1..bodies.len() {
            for i in 0..j {
                let pose = bodies[j].pose().inverse_after(&bodies[i].pose());
                let near = |n: usize| bodies[n].pose().position();
                if near(i).distance(near(j)) > self.sizes[i] + self.sizes[j] {
                    continue;
                }
                if self.soups[i].distance(&pose, &self.soups[j], 1e-12) <= 0.0 {
                    return Some([i, j]);
                }
            }
        }
        None
    }
}
