//! Sheets on contact springs.

use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::Springs;
use chasles_dynamics::{Body, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

const DT: f64 = 1.0 / 60.0;

fn springy(gravity: DVec3) -> World {
    World::new(Options { gravity, springs: Some(Springs::default()), ..crate::options() })
}

/// A flat sheet of 40 cm that gives back a share of its speed; the air does not slow it.
fn sheet(restitution: f64, height: f64, velocity: DVec3) -> Sheet {
    let fabric = Fabric { restitution, drag: 0.0, ..Fabric::default() };
    let corner = DVec3::new(-0.2, -0.2, height);
    let sides = [0.4 * DVec3::X, 0.4 * DVec3::Y];
    let net = Net::grid(corner, sides, [4; 2], &fabric).expect("a net");
    let mut sheet = Sheet::new(net).expect("a sheet");
    sheet.throw(velocity);
    sheet
}

fn energy(world: &World) -> f64 {
    let gravity = world.options().gravity;
    let bodies = world.bodies().iter().map(Body::kinetic_energy).sum::<f64>();
    let sheets = world.sheets().iter().flat_map(|sheet| sheet.energy(gravity)).sum::<f64>();
    bodies + sheets
}

fn momentum(world: &World) -> DVec3 {
    let parts = world.sheets()[0].net().masses().iter().zip(world.sheets()[0].velocities());
    let of_sheet = parts.map(|(m, v)| *m * *v).sum::<DVec3>();
    of_sheet + world.bodies().iter().map(|body| body.momentum()[0]).sum::<DVec3>()
}

#[test]
fn a_flat_sheet_leaves_a_floor_with_the_lower_restitution_of_both() {
    for (speed, own, of_floor) in [
        (0.1, 0.5, 1.0),
        (0.4, 1.0, 1.0),
        (0.4, 0.5, 1.0),
        (0.4, 1.0, 0.5),
        (0.4, 0.0, 1.0),
        (2.0, 0.8, 1.0),
        (8.0, 0.5, 1.0),
    ] {
        let mut world = springy(DVec3::ZERO);
        world.add(floor().made_of(made_of(of_floor, 0.4)));
        world.add_sheet(sheet(own, 0.03, DVec3::Z * -speed));
        let start = energy(&world);
        let mut before = start;
        for _ in 0..(0.03 / (speed * DT)) as usize + 6 {
            world.step(DT).expect("a step");
            let now = energy(&world);
            assert!(now <= before + 1e-6 * start, "energy grew from {before} to {now}");
            before = now;
            let low = world.sheets()[0].positions().iter().map(|p| p.z).fold(1.0, f64::min);
            assert!(low > 1e-3, "{low} above the floor");
        }
        let expected = own.min(of_floor) * speed;
        for velocity in world.sheets()[0].velocities() {
            let error = velocity.distance(DVec3::Z * expected) / speed;
            assert!(error < 0.01, "{velocity} for {expected} at {speed} m/s");
        }
    }
}

#[test]
fn a_sheet_that_falls_on_springs_comes_to_rest_above_its_thickness() {
    let mut world = springy(DVec3::Z * -9.81);
    world.add(floor());
    world.add_sheet(sheet(0.3, 0.1, DVec3::ZERO));
    for _ in 0..120 {
        world.step(DT).expect("a step");
    }
    let sheet = &world.sheets()[0];
    let [motion, ..] = sheet.energy(DVec3::ZERO);
    assert!(motion < 1e-7, "it moves still: {motion} J");
    let is_held = |p: &DVec3| p.z > sheet.thickness() && p.z < 2.0 * sheet.thickness();
    assert!(sheet.positions().iter().all(is_held), "{:?}", sheet.positions());
}

#[test]
fn a_sheet_on_springs_and_the_box_that_it_strikes_keep_their_momentum() {
    for (density, restitution) in [(1.0, 0.0), (1.0, 1.0), (100.0, 0.7)] {
        let mut world = springy(DVec3::ZERO);
        world.add(dynamic(&cuboid([0.3; 3]), density).made_of(made_of(1.0, 0.4)));
        world.add_sheet(sheet(restitution, 0.18, DVec3::new(0.1, 0.0, -0.8)));
        let (start, before) = (energy(&world), momentum(&world));
        for _ in 0..20 {
            world.step(DT).expect("a step");
            let drift = momentum(&world).distance(before) / before.length();
            assert!(drift < 1e-6, "{drift} of the momentum at {density} kg/m³, {restitution}");
            assert!(energy(&world) < 1.001 * start, "{} of {start} J", energy(&world));
        }
        assert!(world.bodies()[0].velocity().linear.z < 0.0, "the box was not pushed");
    }
}

#[test]
fn a_sheet_that_begins_within_the_reach_of_its_springs_is_not_thrown() {
    let mut world = springy(DVec3::ZERO);
    world.add(floor().made_of(made_of(1.0, 0.0)));
    world.add_sheet(sheet(1.0, 0.0025, DVec3::ZERO));
    for _ in 0..30 {
        world.step(DT).expect("a step");
        assert!(world.sheets()[0].velocities().iter().all(|v| v.length() < 1e-9));
    }
}

#[test]
fn a_world_with_a_sheet_on_springs_is_restored_bit_by_bit() {
    let mut world = springy(DVec3::Z * -9.81);
    world.add(floor().made_of(made_of(1.0, 0.4)));
    world.add(dynamic(&cuboid([0.1; 3]), 500.0).at(at(0.0, 0.0, 0.2)));
    world.add_sheet(sheet(0.5, 0.01, DVec3::ZERO));
    let run = |world: &mut World| {
        (0..5).for_each(|_| drop(world.step(DT).expect("a step")));
        world.fingerprint()
    };
    run(&mut world);
    let moment = world.save();
    let once = run(&mut world);
    world.restore(&moment).expect("the same world");
    assert_eq!(run(&mut world), once);
}
