//! What a step may cost has a bound, and nobody loses time by it: windows share the step, what
//! swings too fast for them is slowed, and what waits is told with the time that it lost.

#[path = "worlds/scenes.rs"]
#[allow(dead_code)]
mod scenes;

use chasles_dynamics::body::Solidity;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::{Body, Options, World};
use glam::DVec3;
use scenes::{at, cuboid, dynamic, floor};

const DT: f64 = 1.0 / 60.0;

fn options() -> Options {
    Options::windows()
}

/// A rod that spins at 10,000 rad/s turns by 167 radians in a step. Its island is one with a box
/// that falls beside it, and with four windows a step that box lost nearly all of its time.
#[test]
fn what_spins_beside_a_body_takes_none_of_its_time() {
    let options = Options { max_parts: 4, ..options() };
    let mut world = World::new(options);
    let rod = cuboid([2.0, 0.1, 0.1]);
    let solidity = Solidity::of_mesh(rod.mesh(), 1000.0).expect("a volume");
    let spin = DVec3::X * 1e4;
    world.add(Body::dynamic(rod, solidity).at(at(0.0, 0.0, 0.0)).moving(DVec3::ZERO, spin));
    let cube = cuboid([0.1; 3]);
    let falls = world.add(dynamic(&cube, 1000.0).at(at(0.0, 0.3, 0.0)));
    for step in 1..=30 {
        let report = world.step(DT).expect("a step");
        assert_eq!(report.lost, [], "in step {step}");
        assert!(report.parts <= 8, "{} parts in step {step}", report.parts);
    }
    let time = world.time();
    let fall = 0.5 * 9.81 * time * time;
    let centre = world.body(falls).expect("it is there").centre();
    assert!((centre.z + fall).abs() < 1e-9 * fall, "fell {} of {fall} m", -centre.z);
}

/// A chain of small boxes on hinges with limits and motors, and a cube that flies beside it.
fn whip(speed: f64, spin: f64) -> World {
    let mut world = World::new(options());
    world.add(floor());
    let link = cuboid([0.08, 0.025, 0.025]);
    for i in 0..4 {
        let turns = if i == 0 { spin * DVec3::Y } else { DVec3::ZERO };
        let body = dynamic(&link, 1000.0).at(at(0.1 * f64::from(i), 0.0, 0.3));
        world.add(body.moving(-speed * DVec3::Z, turns));
    }
    for i in 1..4 {
        let numbers = [i, i + 1];
        let poses = numbers.map(|n| world.bodies()[n].pose());
        let point = 0.5 * (poses[0].position() + poses[1].position());
        let anchors = Anchor::along(point, DVec3::Y).expect("an axis").in_bodies(poses.each_ref());
        let hinge = Joint::hinge(numbers, anchors).expect("a hinge");
        let joint = match i % 2 {
            0 => hinge.limit_angle(-1.0, 1.0),
            _ => hinge.drive_angle(5.0, 1.0),
        };
        world.link(joint.expect("a joint")).expect("bodies are there");
    }
    world
}

/// Links of eight centimetres that hit the floor at a kilometre a second get spins of 1e4 rad/s.
/// Their windows were as short as that asks for, thousands in a step, and at the end of those the
/// rest of the step was lost.
#[test]
fn a_chain_that_is_thrown_to_the_floor_loses_no_time() {
    let mut world = whip(1e3, 1e5);
    let beside = dynamic(&cuboid([0.1; 3]), 1000.0);
    let start = DVec3::new(60.0, 0.0, 50.0);
    let spin = DVec3::new(3.0, 1.0, 2.0);
    let free = world.add(beside.at(at(start.x, start.y, start.z)).moving(DVec3::X, spin));
    let energy = |world: &World| -> f64 {
        let of = |body: &Body| match body.solidity() {
            Some(mass) => body.kinetic_energy() + mass.mass() * 9.81 * body.centre().z,
            None => 0.0,
        };
        world.bodies()[1..5].iter().map(of).sum()
    };
    let [begun, mut lost] = [energy(&world), 0.0];
    let mut is_slowed = false;
    for step in 0..20 {
        let report = world.step(DT).expect("a step");
        lost += report.lost.iter().map(|lost| lost.seconds).sum::<f64>();
        is_slowed |= !report.slowed.is_empty();
        assert!(report.waiting.len() <= report.lost.len(), "step {step}: {report:?}");
        assert!(report.parts <= 2 * world.options().max_parts, "{} in step {step}", report.parts);
    }
    assert!(lost < 0.01 * 20.0 * DT, "{lost} s are lost");
    assert!(is_slowed, "a hundred thousand radians a second are not followed");
    // The motors may give 5 rad/s times 1 N m for as long.
    assert!(energy(&world) < 1.001 * begun + 10.0 * 20.0 * DT, "{} of {begun} J", energy(&world));
    let time = world.time();
    let way = start + time * DVec3::X - 0.5 * 9.81 * time * time * DVec3::Z;
    let off = world.body(free).expect("it is there").centre().distance(way);
    assert!(off < 1e-9 * way.length(), "a body that flies by is off by {off} m");
}

/// By events a sheet carries no weight against a floor, so the box on it waits: that was told, but
/// not how much time it lost.
#[test]
fn what_waits_for_a_sheet_is_told_with_the_time_that_it_lost() {
    let mut world = World::new(Options::events());
    world.add(floor());
    let corner = DVec3::new(-0.3, -0.3, 0.004);
    let sides = [DVec3::X * 0.6, DVec3::Y * 0.6];
    let net = Net::grid(corner, sides, [6; 2], &Fabric::default()).expect("a net");
    world.lay(Sheet::new(net).expect("a sheet"));
    let cube = cuboid([0.1; 3]);
    world.add(dynamic(&cube, 1000.0).at(at(0.0, 0.0, 0.1)).moving(DVec3::Z * -5.0, DVec3::ZERO));
    let mut waits = 0;
    for step in 0..30 {
        let report = world.step(DT).expect("a step");
        for body in &report.waiting {
            let of_body = report.lost.iter().filter(|lost| lost.body == *body);
            let lost: f64 = of_body.map(|lost| lost.seconds).sum();
            assert!(lost > 0.0 && lost < 1.001 * DT, "{body} lost {lost} s in step {step}");
            waits += 1;
        }
    }
    assert!(waits > 0, "the box never waits");
}
