//! When bodies come to rest, and when they do not: wedged piles, spinning needles, lively bodies.

use chasles::Pose;
use chasles_dynamics::world::Load;
use chasles_dynamics::{Body, Options, World, WorldError};
use chasles_testkit::generate::Random;
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, energy, floor, made_of};

const GRAVITY: f64 = 9.81;

/// Boxes of a kilogram that fall into a funnel of four walls.
fn funnel(friction: f64) -> World {
    let mut world = World::new(crate::options());
    let rough = made_of(0.0, friction);
    for side in 0..4u32 {
        let about = DQuat::from_rotation_z(f64::from(side) * std::f64::consts::FRAC_PI_2);
        let turn = about * DQuat::from_rotation_y(-1.0);
        let pose = Pose::new(about * DVec3::new(0.6, 0.0, 0.5), turn).expect("finite");
        world.add(Body::fixed(cuboid([2.0, 2.0, 0.1])).at(pose).made_of(rough));
    }
    let random = &mut Random::new(3);
    for i in 0..14 {
        let place =
            [random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.8 + 0.35 * f64::from(i)];
        let pose = Pose::new(place, random.rotation()).expect("finite");
        world.add(dynamic(&cuboid([0.2; 3]), 125.0).at(pose).made_of(rough));
    }
    world
}

/// What gravity adds in a step at most, where contacts keep bodies from going the way for it.
#[test]
fn boxes_wedged_in_a_funnel_gain_no_energy() {
    let dt = 1.0 / 60.0;
    for friction in [1.0, 4.0] {
        let mut world = funnel(friction);
        let slack = 14.0 * 0.5 * (GRAVITY * dt).powi(2);
        for step in 0..240 {
            let before = energy(&world);
            world.step(dt).expect("a step");
            let gain = energy(&world) - before;
            assert!(gain < slack, "gained {gain} J in step {step} with a friction of {friction}");
        }
    }
}

#[test]
fn a_needle_that_spins_on_ice_does_not_sleep() {
    let mut world = World::new(crate::options());
    let ice = made_of(0.0, 0.0);
    world.add(floor().made_of(ice));
    let needle = dynamic(&cuboid([2.0, 0.01, 0.01]), 1000.0).made_of(ice).at(at(0.0, 0.0, 0.00501));
    world.add(needle.moving(DVec3::ZERO, DVec3::Z * 0.2));
    for _ in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let body = &world.bodies()[1];
    assert!(!body.is_asleep() && (body.velocity().angular.z - 0.2).abs() < 1e-3);
}

#[test]
fn what_bounces_back_is_not_held_before_it_is_there() {
    for (dt, height) in [(0.25, 0.5), (1.0 / 30.0, 0.01), (1.0 / 60.0, 0.002)] {
        let mut world = World::new(crate::options());
        let rubber = made_of(1.0, 0.0);
        world.add(floor().made_of(rubber));
        world.add(dynamic(&cuboid([1.0; 3]), 1.0).made_of(rubber).at(at(0.0, 0.0, 0.5 + height)));
        let start = energy(&world) - 0.5 * GRAVITY;
        for _ in 0..20 {
            world.step(dt).expect("a step");
            let left = (energy(&world) - 0.5 * GRAVITY) / start;
            // It turns at the gap that is kept.
            assert!((left - 1.0).abs() < 0.05, "{left} of the energy is left at {dt} s");
        }
    }
}

/// At large steps even what bounces little is not put down from high above.
#[test]
fn what_falls_far_in_a_step_bounces_as_its_restitution_says() {
    let mut world = World::new(crate::options());
    world.add(floor());
    world.add(dynamic(&cuboid([1.0; 3]), 1.0).at(at(0.0, 0.0, 1.0)));
    let mut bounced = false;
    for _ in 0..4 {
        let report = world.step(0.25).expect("a step");
        let impulse: f64 = report.impacts.iter().map(|impact| impact.impulse.z.abs()).sum();
        bounced |= impulse > 1.3 * 3.1;
    }
    assert!(bounced, "a fall of half a metre ends at 3.1 m/s");
}

#[test]
fn what_is_torn_away_beyond_all_numbers_is_lost_and_nothing_moves() {
    for torque in [1e200, 1e306] {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
        let id = world.add(dynamic(&cuboid([1.0; 3]), 1.0));
        world.add(dynamic(&cuboid([1.0; 3]), 1.0).at(at(9.0, 0.0, 0.0)).moving(DVec3::X, DVec3::X));
        world.load(id, Load { torque: DVec3::X * torque, ..Load::default() });
        let before = world.fingerprint();
        assert_eq!(world.step(0.01), Err(WorldError::Lost(id)));
        assert_eq!(world.fingerprint(), before);
    }
}

/// A tower of cubes of this size, each with its density, that lie a little askew; how many wait in
/// three seconds. Every `stride`-th of them comes next in the world, round and round.
fn tower(size: f64, densities: &[f64], stride: usize) -> (World, usize) {
    let mut world = World::new(crate::options());
    world.add(floor());
    let cube = cuboid([size; 3]);
    for i in (0..densities.len()).map(|k| k * stride % densities.len()) {
        let density = densities[i];
        let [x, z] = [0.01 * (i % 3) as f64, 0.5001 + 1.0001 * i as f64];
        world.add(dynamic(&cube, density).at(at(size * x, 0.0, size * z)));
    }
    let step = |_| world.step(1.0 / 60.0).expect("a step").waiting.len();
    let waits = (0..180).map(step).sum();
    (world, waits)
}

fn expect_tower(size: f64, densities: &[f64]) {
    expect_tower_of(size, densities, 1);
}

fn expect_tower_of(size: f64, densities: &[f64], stride: usize) {
    let (world, waits) = tower(size, densities, stride);
    let name = format!("{} cubes of {size} m", densities.len());
    assert_eq!(waits, 0, "{name} wait");
    assert!(world.bodies()[1..].iter().all(Body::is_asleep), "{name} do not sleep");
    let heights = world.bodies()[1..].iter().map(|body| body.pose().position() / size);
    let top = heights.max_by(|p, q| p.z.total_cmp(&q.z)).expect("a tower");
    let due =
        DVec3::new(0.01 * ((densities.len() - 1) % 3) as f64, 0.0, densities.len() as f64 - 0.5);
    assert!(top.distance(due) < 0.02, "the top of {name} is at {top}");
}

#[test]
fn towers_that_are_heavy_on_top_stand_and_sleep() {
    let mut densities = [1000.0; 20];
    densities[19] = 10_000.0;
    expect_tower(1.0, &densities);
    expect_tower(0.2, &densities);
}

/// Sweeps over the contacts do not come to an end here: each layer presses on more than it weighs.
#[test]
fn towers_whose_layers_get_heavier_stand_and_sleep() {
    for (count, ratio) in [(20, 1.1), (20, 1.5), (40, 1.1), (60, 1.0)] {
        let densities: Vec<f64> = (0..count).map(|i| 1000.0 * f64::powi(ratio, i)).collect();
        expect_tower(0.2, &densities);
    }
}

#[test]
fn towers_stand_in_any_order_of_their_bodies() {
    let heavier: Vec<f64> = (0..20).map(|i| 1000.0 * f64::powi(1.5, i)).collect();
    expect_tower_of(0.2, &heavier, 7);
    expect_tower_of(0.2, &[1000.0; 60], 17);
}

/// Gravity takes these farther in a step than they are high.
#[test]
fn towers_of_a_centimetre_stand_and_sleep() {
    expect_tower(0.001, &[1000.0; 10]);
    expect_tower(0.0003, &[1000.0; 6]);
}
