//! Nothing interpenetrates, at any step.

use crate::scenes::{Judge, cars, dominoes, rocks, wall};
use chasles_dynamics::{Body, World};
use glam::DVec3;

/// Lets a world run, and finds no two bodies that cross at the end of any step.
fn run(name: &str, mut world: World, dt: f64, seconds: f64) -> World {
    let judge = Judge::new(&world);
    assert_eq!(judge.crossing(&world), None, "{name} at the start");
    for step in 0..(seconds / dt).round() as u32 {
        let before = energy(&world);
        world.step(dt).expect("a step");
        assert_eq!(judge.crossing(&world), None, "{name} in step {step} of {dt} s");
        let after = energy(&world);
        assert!(after <= before * 1.01, "{name} gains from {before} to {after} J in step {step}");
    }
    world
}

/// Kinetic and potential energy, from the floor up.
fn energy(world: &World) -> f64 {
    let of = |body: &Body| {
        let height = body.centre().z;
        let weight = body.solidity().map_or(0.0, |solidity| 9.81 * solidity.mass());
        body.kinetic_energy() + weight * height
    };
    world.bodies().iter().map(of).sum()
}

#[test]
fn dominoes_topple_one_another() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0] {
        let world = run("dominoes", dominoes(6), dt, 1.5);
        let upright = |body: &&Body| body.pose().vector(DVec3::Z).z > 0.9;
        let left = world.bodies()[1..].iter().filter(upright).count();
        assert_eq!(left, 0, "{left} stand after steps of {dt} s");
    }
}

#[test]
fn a_wall_that_is_hit_falls_apart() {
    let world = run("wall", wall(4, 4, true), 1.0 / 60.0, 0.3);
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
