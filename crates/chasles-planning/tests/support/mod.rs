//! A robot of our own shapes, and obstacles around it.

#![allow(dead_code, unreachable_pub)] // Each test file uses a part of this.

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::query::Geometry;
use chasles_planning::{Packages, Robot, Scene};
use chasles_testkit::generate::Random;

/// An arm of seven joints on a plinth: six that turn and one that slides, with two fingers of which
/// one mimics the other. Shapes of all kinds.
pub const ARM: &str = include_str!("arm.urdf");

/// What the arm need not be checked for.
pub const ARM_SRDF: &str = include_str!("arm.srdf");

pub fn arm() -> Robot {
    let robot = Robot::parse(ARM, "arm.urdf", &Packages::new()).expect("the arm is right");
    robot.with_srdf_text(ARM_SRDF, "arm.srdf").expect("it is of the arm")
}

/// The arm with a ring in its hand, which is not convex.
pub fn scene() -> Scene {
    let mut scene = Scene::new(arm());
    let ring = Torus { major: 0.06, minor: 0.012, ..Torus::default() };
    let ring = Geometry::shape(&Shape::Torus(ring)).expect("a ring");
    let pose = Pose::from_position([0.0, 0.0, 0.17]).expect("a pose");
    scene.attach("ring", "hand", ring, pose).expect("there is a hand");
    for finger in ["left_finger", "right_finger"] {
        scene.allow("ring", finger).expect("there are fingers");
    }
    scene
}

/// The scene with obstacles of all kinds about the arm, none nearer than a little to its base.
pub fn among(count: usize, random: &mut Random) -> Scene {
    let mut scene = scene();
    for number in 0..count {
        let (geometry, pose) = obstacle(number, random);
        scene.add(format!("obstacle {number}"), geometry, pose).expect("a new name");
    }
    scene
}

fn obstacle(number: usize, random: &mut Random) -> (Geometry, Pose) {
    let [x, y, z] = [0.0; 3].map(|_| random.between(-1.0, 1.0));
    let [size, length] = [random.between(0.02, 0.08), random.between(0.05, 0.2)];
    let ends = [DVec3::ZERO, DVec3::Z * length];
    let geometry = match number % 5 {
        0 => Geometry::sphere(size).expect("a ball"),
        1 => Geometry::capsule(ends, size).expect("a capsule"),
        2 => Geometry::cylinder(ends, size).expect("a cylinder"),
        3 => Geometry::shape(&Shape::Box(Cuboid { size: [size, length, 2.0 * size] }))
            .expect("a box"),
        _ => {
            let torus = Torus { major: length, minor: 0.4 * size, ..Torus::default() };
            Geometry::shape(&Shape::Torus(torus)).expect("a torus")
        }
    };
    let round = std::f64::consts::TAU * random.between(0.0, 1.0);
    let out = random.between(0.35, 1.0);
    let position = DVec3::new(out * round.cos(), out * round.sin(), random.between(0.0, 1.2));
    let turn = DQuat::from_scaled_axis(3.0 * DVec3::new(x, y, z));
    (geometry, Pose::new(position, turn).expect("a pose"))
}

/// A configuration within the limits; joints without limits anywhere in a turn.
pub fn configuration(robot: &Robot, random: &mut Random) -> Vec<f64> {
    let of = |limits: [f64; 2]| {
        let [low, high] = limits.map(|limit| limit.clamp(-3.2, 3.2));
        random.between(low, high)
    };
    robot.variables().iter().map(|variable| variable.limits).map(of).collect()
}

/// The configuration at a fraction of an edge.
pub fn along([q0, q1]: [&[f64]; 2], t: f64) -> Vec<f64> {
    q0.iter().zip(q1).map(|(a, b)| a + t * (b - a)).collect()
}

/// The most that any variable changes on an edge.
pub fn span([q0, q1]: [&[f64]; 2]) -> f64 {
    q0.iter().zip(q1).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
