//! Chains that swing and tops on a point: joints stay closed, and what should stay does.

use chasles::Pose;
use chasles::mesh::shapes::{Cylinder, Shape};
use chasles_dynamics::{Body, Options, World};
use glam::{DQuat, DVec3};

use crate::joined::{add_ball, boxed, energy, ground, open};
use crate::scenes::{at, dynamic, solid};

/// A chain of links of ten centimetres, held level at one end, with a weight in kilograms at the
/// other.
fn chain(links: u32, load: f64) -> World {
    let mut world = World::new(crate::options());
    let mut last = ground(&mut world);
    for i in 0..links {
        let x = 0.1 * f64::from(i);
        let link = boxed([0.09, 0.03, 0.03], 0.081).at(at(x + 0.05, 0.0, 0.0));
        let id = world.add(if links > 20 { link.intangible() } else { link });
        add_ball(&mut world, [last, id], DVec3::X * x);
        last = id;
    }
    if load > 0.0 {
        let x = 0.1 * f64::from(links);
        let id = world.add(boxed([0.3; 3], load).at(at(x + 0.2, 0.0, 0.0)));
        add_ball(&mut world, [last, id], DVec3::X * x);
    }
    world
}

/// Lets a chain swing: joints stay closed to a millionth of a link, and energy never grows.
fn swings(links: u32, load: f64, dt: f64, seconds: f64) {
    let mut world = chain(links, load);
    let name = format!("a chain of {links} links with {load} kg in steps of {dt} s");
    let start = energy(&world);
    let rounding = 1e-9 * (f64::from(links) + load);
    let mut lowest = 0.0_f64;
    for step in 0..(seconds / dt) as u32 {
        let told = world.step(dt).expect("a step").gap;
        let [gained, open] = [energy(&world) - start, open(&world)];
        assert!(told.length <= open && 2.0 * told.length >= open, "{told:?} for {open} m");
        assert!(gained < rounding, "{name} gains {gained} J by step {step}");
        assert!(open < 1e-7, "{name} is {open} m open in step {step}");
        lowest = lowest.min(world.bodies().last().expect("a link").centre().z);
    }
    let length = 0.1 * f64::from(links) + if load > 0.0 { 0.2 } else { 0.0 };
    assert!(lowest > -length - 1e-6, "{name} reaches down to {lowest}");
    let falls = 0.5 * 9.81 * seconds * seconds;
    assert!(lowest < -0.8 * length.min(falls), "{name} reaches down to {lowest} only");
}

#[test]
fn chains_that_swing_stay_together_and_gain_no_energy() {
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        for load in [0.0, 1.0, 100.0] {
            swings(4, load, dt, 5.0);
            swings(20, load, dt, 4.0);
        }
        swings(60, 0.0, dt, 3.0);
        swings(60, 1000.0, dt, 2.0);
    }
    swings(200, 0.0, 1.0 / 30.0, 1.0);
    swings(200, 10.0, 1.0 / 60.0, 1.0);
}

/// A disc on an axle of half a metre that lies level, on a ball joint at the origin.
fn top(gravity: f64, velocity: DVec3, spin: DVec3) -> World {
    let gravity = DVec3::Z * -gravity;
    let mut world = World::new(Options { gravity, ..crate::options() });
    let post = ground(&mut world);
    let disc = solid(&Shape::Cylinder(Cylinder { radius: 0.3, height: 0.1, segments: 24 }));
    let turn = DQuat::from_rotation_arc(DVec3::Y, DVec3::X);
    let pose = Pose::new(DVec3::X * 0.5, turn).expect("a pose");
    let disc = world.add(dynamic(&disc, 1000.0).at(pose).moving(velocity, spin));
    add_ball(&mut world, [post, disc], DVec3::ZERO);
    world
}

/// The angular momentum of the disc about the joint, and its spin about its axle.
fn spins(world: &World) -> (DVec3, f64) {
    let disc: &Body = &world.bodies()[1];
    let [_, momentum] = disc.momentum();
    (momentum, disc.velocity().angular.dot(disc.centre().normalize()))
}

#[test]
fn a_top_without_weight_keeps_its_angular_momentum_and_its_spin() {
    for dt in [1.0 / 60.0, 1.0 / 30.0] {
        let mut world = top(0.0, DVec3::Y * 0.25, DVec3::new(200.0, 0.0, 0.5));
        let (momentum, spin) = spins(&world);
        for step in 0..(20.0 / dt) as u32 {
            world.step(dt).expect("a step");
            let (now, own) = spins(&world);
            let off = (now - momentum).length() / momentum.length();
            assert!(off < 1e-8, "angular momentum is off by {off} of it in step {step} of {dt} s");
            assert!((own / spin - 1.0).abs() < 1e-8, "{own} rad/s in step {step} of {dt} s");
        }
    }
}

/// It has no energy to rise, and its weight has no torque about the vertical nor about its axle.
#[test]
fn a_heavy_top_keeps_its_invariants() {
    for (spin, dt) in [(50.0, 1.0 / 60.0), (200.0, 1.0 / 30.0), (1000.0, 1.0 / 60.0)] {
        let mut world = top(9.81, DVec3::ZERO, DVec3::X * spin);
        let start = energy(&world);
        let (momentum, _) = spins(&world);
        for step in 0..(20.0 / dt) as u32 {
            world.step(dt).expect("a step");
            let (now, own) = spins(&world);
            let off = (now.z - momentum.z).abs() / momentum.length();
            let height = world.bodies()[1].centre().z;
            let name = format!("step {step} of {dt} s at {spin} rad/s");
            assert!(
                off < 1e-3,
                "{off} of the angular momentum has come about the vertical, {name}"
            );
            assert!((own / spin - 1.0).abs() < 1e-6, "it spins at {own} rad/s in {name}");
            assert!(height < 1e-6, "it rises to {height} m in {name}");
            assert!((energy(&world) - start) / start < 1e-9, "it gains energy in {name}");
        }
    }
}
