//! Nothing interpenetrates, at any step.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use chasles::mesh::Mass;
use chasles::mesh::shapes::{Prism, Shape};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::world::Method;
use chasles_dynamics::{Body, Options, World};
use glam::{DMat3, DQuat, DVec3};

use crate::scenes::{
    Judge, at, cars, cuboid, dominoes, dynamic, energy, floor, made_of, rocks, wall, weight,
};

/// Lets a world run, and finds no two bodies that cross at the end of any step, and none in which
/// energy grows.
fn run(name: &str, world: World, dt: f64, seconds: f64) -> World {
    run_lifting(name, world, dt, seconds, 0.0)
}

/// The same for bodies that tip over each other: those that bend into others are lifted out by a
/// displacement, which takes nothing from their speed. The mean lift in a step is at most this
/// height.
fn run_lifting(name: &str, mut world: World, dt: f64, seconds: f64, lift: f64) -> World {
    let lifted = lift * weight(&world);
    let judge = Judge::new(&world);
    assert_eq!(judge.crossing(&world), None, "{name} at the start");
    for step in 0..(seconds / dt).round() as u32 {
        let before = energy(&world);
        world.step(dt).expect("a step");
        assert_eq!(judge.crossing(&world), None, "{name} in step {step} of {dt} s");
        let after = energy(&world);
        let most = before * (1.0 + 1e-9) + lifted;
        assert!(after <= most, "{name} gains from {before} to {after} J in step {step} of {dt} s");
    }
    world
}

#[test]
fn dominoes_topple_one_another() {
    // A thousandth of their thickness, and less in shorter steps.
    for (dt, lift) in [(1.0 / 30.0, 2e-5), (1.0 / 60.0, 2e-5), (1.0 / 240.0, 1e-6)] {
        let world = run_lifting("dominoes", dominoes(6), dt, 1.5, lift);
        let upright = |body: &&Body| body.pose().vector(DVec3::Z).z > 0.9;
        let left = world.bodies()[1..].iter().filter(upright).count();
        assert_eq!(left, 0, "{left} stand after steps of {dt} s");
    }
}

#[test]
fn a_wall_that_is_hit_falls_apart() {
    // Bricks that begin too near each other make room in the first step.
    let world = run_lifting("wall", wall(4, 4, true), 1.0 / 60.0, 0.3, 1e-5);
    let moved = |body: &&Body| body.velocity().linear.length() > 0.1;
    assert!(world.bodies()[1..19].iter().filter(moved).count() > 2);
}

#[test]
fn cars_that_meet_do_not_pass_through_each_other() {
    let start = cars();
    let before = energy(&start);
    let after = energy(&run("cars", start, 1.0 / 30.0, 0.5));
    assert!(after < 0.8 * before, "they keep {after} of {before} J");
}

#[test]
fn rocks_stay_in_their_box() {
    let world = run("rocks", rocks(8), 1.0 / 60.0, 1.5);
    let is_in = |body: &Body| body.pose().position().truncate().abs().max_element() < 1.1;
    assert!(world.bodies()[5..].iter().all(is_in));
}

#[test]
fn a_bullet_does_not_pass_a_body_that_turns() {
    for spin in [0.0, 6.0, 12.0, 20.0, 23.9, 60.0] {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
        world.add(dynamic(&cuboid([0.1; 3]), 1000.0).moving(DVec3::ZERO, DVec3::Z * spin));
        let bullet = dynamic(&cuboid([0.04; 3]), 1000.0).at(at(-1.0, 0.0, 0.0));
        world.add(bullet.moving(DVec3::X * 120.0, DVec3::ZERO));
        let impacts: usize =
            (0..2).map(|_| world.step(1.0 / 60.0).expect("a step").impacts.len()).sum();
        assert!(impacts > 0, "passed at {spin} rad/s");
    }
}

#[test]
fn a_prism_that_is_thrown_into_the_floor_stays_finite() {
    let prism = Shape::Prism(Prism { radius: 0.5, height: 1.0, sides: 6 });
    let prism = Arc::new(Collider::new(prism.build().expect("a prism")));
    for dt in [1.0 / 30.0, 1.0 / 60.0] {
        let mut world = World::new(crate::options());
        world.add(floor());
        // The axis of a prism is y, and up is z here.
        let pose = Pose::new([0.0, 0.0, 0.5], DQuat::from_rotation_x(FRAC_PI_2)).expect("finite");
        let [linear, angular] = [[-11.7, 7.78, 37.5], [32.64, 75.0, 250.5]].map(DVec3::from_array);
        world.add(dynamic(&prism, 1000.0).at(pose).moving(linear, angular));
        for _ in 0..10 {
            world.step(dt).expect("a step");
            let velocity = world.bodies()[1].velocity();
            assert!(velocity.linear.is_finite() && velocity.angular.is_finite());
        }
    }
}

#[test]
fn a_single_point_keeps_its_gap() {
    let point = Polygons { vertices: vec![DVec3::ZERO], ..Polygons::default() };
    let point = Arc::new(Collider::new(Polyhedron::new(&point).expect("a point")));
    let mass = Mass { mass: 1.0, centre: DVec3::ZERO, inertia: DMat3::IDENTITY };
    let mut world = World::new(crate::options());
    world.add(floor());
    let body = Body::dynamic(point, MassProperties::new(&mass).expect("a body"));
    let body = body.made_of(made_of(0.0, 0.5));
    world.add(body.at(at(0.1, 0.2, 0.5)).moving(DVec3::new(3.0, 0.0, -20.0), DVec3::ZERO));
    for step in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
        let height = world.bodies()[1].pose().position().z;
        assert!(height > 2e-5, "at {height} after step {step}");
    }
}

#[test]
fn other_methods_keep_bodies_apart_as_well() {
    for method in [Method::Screen, Method::Trace] {
        let options = Options { method, ..crate::options() };
        let with = |world: World| {
            let mut other = World::new(options);
            for body in world.bodies() {
                other.add(body.clone());
            }
            other
        };
        let dominoes = run_lifting("dominoes", with(dominoes(3)), 1.0 / 60.0, 1.0, 1e-5);
        let upright = |body: &&Body| body.pose().vector(DVec3::Z).z > 0.9;
        assert_eq!(dominoes.bodies()[1..].iter().filter(upright).count(), 0, "{method:?}");
        let start = with(cars());
        let before = energy(&start);
        let after = energy(&run("cars", start, 1.0 / 30.0, 0.4));
        assert!(after < 0.8 * before, "{method:?}: they keep {after} of {before} J");
        let rocks = run("rocks", with(rocks(4)), 1.0 / 60.0, 1.0);
        let is_in = |body: &Body| body.pose().position().truncate().abs().max_element() < 1.1;
        assert!(rocks.bodies()[5..].iter().all(is_in), "{method:?}");
    }
}

#[test]
fn bodies_wait_where_a_step_may_have_few_parts() {
    for max_parts in [0, 1, 2] {
        let mut world = World::new(Options { max_parts, ..crate::options() });
        world.add(floor());
        let cube = cuboid([0.3, 0.2, 0.1]);
        for i in 0..5 {
            let spin = DVec3::new(30.0, f64::from(i), -50.0);
            let pose = at(0.02 * f64::from(i), 0.0, 0.4 + 0.4 * f64::from(i));
            world.add(dynamic(&cube, 1000.0).at(pose).moving(DVec3::Z * -9.0, spin));
        }
        // What has come to rest has no motion to pay with for what displacements leave: a
        // thousandth of the gap that is kept.
        run_lifting("few parts", world, 1.0 / 60.0, 0.5, 1e-7);
    }
}

#[test]
fn a_body_that_is_struck_meets_what_it_was_not_expected_to() {
    // The first cube strikes the second, which would fly through the third within the step.
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::events() });
    let cube = cuboid([0.1; 3]);
    for (x, speed) in [(0.0, 60.0), (0.3, 0.0), (0.6, 0.0)] {
        let body = dynamic(&cube, 1000.0).made_of(made_of(1.0, 0.0)).at(at(x, 0.0, 0.0));
        world.add(body.moving(DVec3::X * speed, DVec3::ZERO));
    }
    let world = run("cubes in a row", world, 1.0 / 60.0, 1.0 / 60.0);
    let [first, second, third] = [0, 1, 2].map(|i| world.bodies()[i].velocity().linear.x);
    assert!(first.abs() < 1e-6 && second.abs() < 1e-6, "{first} and {second} m/s are left");
    assert!((third - 60.0).abs() < 1e-6, "{third} m/s are passed on");
}
