//! Linkages that are stiff, loaded or on the floor: they hold, go on, and gain no energy.

use chasles::Pose;
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, floor};

/// A box of this mass in kilograms.
pub(crate) fn boxed(size: [f64; 3], mass: f64) -> Body {
    let collider = cuboid(size);
    let mass_properties = MassProperties::of_mesh(collider.mesh(), 1.0).expect("a volume");
    Body::dynamic(collider, mass_properties.with_mass(mass).expect("a mass"))
}

/// Something that stands still and that nothing touches, to hang joints on.
pub(crate) fn ground(world: &mut World) -> BodyId {
    world.add(Body::fixed(cuboid([0.1; 3])).intangible())
}

/// The anchors of a joint at a point of the world, along an axis.
fn anchors(world: &World, bodies: [BodyId; 2], point: DVec3, axis: DVec3) -> [Anchor; 2] {
    let [a, b] = bodies.map(|id| world.bodies()[id.0].pose());
    Anchor::along(point, axis).expect("finite").in_bodies([&a, &b])
}

pub(crate) fn add_ball(world: &mut World, bodies: [BodyId; 2], point: DVec3) {
    let anchors = anchors(world, bodies, point, DVec3::Z);
    let joint = Joint::ball(bodies.map(|id| id.0), anchors).expect("two bodies");
    world.link(joint).expect("bodies of the world");
}

/// How far the anchors of the joint that is farthest apart are from each other.
pub(crate) fn open(world: &World) -> f64 {
    let apart = |joint: &Joint| {
        let [p, q] = [0, 1].map(|i| {
            let pose = world.bodies()[joint.bodies()[i]].pose();
            pose.point(joint.anchors()[i].frame().position())
        });
        p.distance(q)
    };
    world.joints().iter().map(apart).fold(0.0, f64::max)
}

/// A chain of three that falls on the floor, askew.
fn thrown(masses: [f64; 3]) -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    let speeds = [[-0.64, 0.33, -1.02], [-0.6, 0.01, -1.53], [-0.04, 0.47, -1.63]];
    let mut last = None;
    for (i, (mass, speed)) in masses.into_iter().zip(speeds).enumerate() {
        let x = 0.3 * i as f64;
        let body = boxed([0.25, 0.08, 0.08], mass).moving(DVec3::from(speed), DVec3::ZERO);
        let id = world.add(body.at(at(x, 0.0, 0.6)));
        if let Some(last) = last {
            add_ball(&mut world, [last, id], DVec3::new(x - 0.15, 0.0, 0.6));
        }
        last = Some(id);
    }
    world
}

#[test]
fn linkages_on_the_floor_go_on() {
    for (masses, dt) in [([1.0; 3], 0.05), ([1.0; 3], 1.0 / 30.0), ([1000.0, 1.0, 1.0], 0.05)] {
        let mut world = thrown(masses);
        let mut frozen = 0;
        for step in 0..(3.0 / dt) as u32 {
            let before: Vec<Pose> = world.bodies().iter().map(Body::pose).collect();
            world.step(dt).expect("a step");
            let stands = world.bodies().iter().map(Body::pose).eq(before);
            let moves = |body: &Body| body.velocity().linear.length() > 0.05;
            frozen = if stands && world.bodies().iter().any(moves) { frozen + 1 } else { 0 };
            assert!(frozen < 3, "{masses:?} are frozen in step {step} of {dt} s");
        }
        assert!(open(&world) < 1e-3, "joints of {masses:?} are {} m open", open(&world));
    }
}

#[test]
fn a_wheel_stops_at_limits_that_are_almost_a_turn_apart() {
    for degrees in [90.0_f64, 170.0, 175.0, 179.0] {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
        let ground = ground(&mut world);
        let spin = DVec3::Z * 50.0;
        let wheel = world.add(boxed([1.0, 0.1, 0.2], 1.0).moving(DVec3::ZERO, spin));
        let anchors = anchors(&world, [ground, wheel], DVec3::ZERO, DVec3::Z);
        let limit = degrees.to_radians();
        let joint = Joint::hinge([ground.0, wheel.0], anchors).expect("two bodies");
        world.link(joint.limit_angle(-limit, limit).expect("an interval")).expect("bodies");
        for _ in 0..60 {
            world.step(1.0 / 60.0).expect("a step");
        }
        let body = &world.bodies()[wheel.0];
        let angle = 2.0 * body.pose().rotation().z.atan2(body.pose().rotation().w);
        assert!((angle - limit).abs() < 1e-6, "at {angle} instead of {limit}");
        assert!(body.velocity().angular.length() < 1e-9, "{} rad/s", body.velocity().angular);
    }
}

/// The energy of all bodies, kinetic and of height.
pub(crate) fn energy(world: &World) -> f64 {
    let of = |body: &Body| {
        let weight =
            body.mass_properties().map_or(0.0, |mass_properties| 9.81 * mass_properties.mass());
        body.kinetic_energy() + weight * body.centre().z
    };
    world.bodies().iter().map(of).sum()
}

/// Steps a world in which nothing touches: joints stay closed, and no energy comes from nowhere.
fn swings(name: &str, mut world: World, dt: f64, seconds: f64) -> World {
    let [start, mass] = [
        energy(&world),
        world.bodies().iter().filter_map(Body::mass_properties).map(|s| s.mass()).sum(),
    ];
    let rounding = 1e-9 * mass;
    for step in 0..(seconds / dt) as u32 {
        world.step(dt).expect("a step");
        let gained = energy(&world) - start;
        assert!(gained < rounding, "{name} gains {gained} J by step {step} of {dt} s");
        assert!(open(&world) < 1e-6, "{name} is {} m open in step {step} of {dt} s", open(&world));
    }
    world
}

/// Three planks in line between two hinges: they cannot give way, and only just.
fn bridge() -> World {
    let mut world = World::new(crate::options());
    let mut last = ground(&mut world);
    for i in 0..4 {
        let x = 0.4 * f64::from(i);
        let next = if i < 3 {
            world.add(boxed([0.36, 0.6, 0.05], 1.0).at(at(x + 0.2, 0.0, 0.0)))
        } else {
            BodyId(0)
        };
        let anchors = anchors(&world, [last, next], DVec3::X * x, DVec3::Y);
        world.link(Joint::hinge([last.0, next.0], anchors).expect("two")).expect("bodies");
        last = next;
    }
    world
}

/// Two light links that carry a heavy weight.
fn hoist() -> World {
    let mut world = World::new(crate::options());
    let hook = ground(&mut world);
    let push = DVec3::X * 1e-3;
    let link = || boxed([0.02, 0.02, 0.09], 0.1);
    let first = world.add(link().at(at(0.0, 0.0, -0.05)).moving(push, DVec3::ZERO));
    let second = world.add(link().at(at(0.0, 0.0, -0.15)));
    let weight = world.add(boxed([0.2; 3], 20.0).at(at(0.0, 0.0, -0.3)));
    let all = [hook, first, second, weight];
    for (i, pair) in all.windows(2).enumerate() {
        add_ball(&mut world, [pair[0], pair[1]], DVec3::Z * (-0.1 * i as f64));
    }
    world
}

/// A pendulum of a centimetre, let go from the side.
fn small_pendulum() -> World {
    let mut world = World::new(crate::options());
    let hook = ground(&mut world);
    let bob = world.add(boxed([0.005; 3], 0.01).at(at(0.01, 0.0, 0.0)));
    add_ball(&mut world, [hook, bob], DVec3::ZERO);
    world
}

#[test]
fn stiff_linkages_stay_together_and_gain_no_energy() {
    for dt in [1.0 / 60.0, 0.1] {
        let end = swings("a bridge", bridge(), dt, 6.0);
        assert!(end.bodies()[2].centre().z > -0.02, "it sags to {}", end.bodies()[2].centre());
        let end = swings("a hoist", hoist(), dt, 5.0);
        let weight = &end.bodies()[3];
        assert!((weight.centre() + DVec3::Z * 0.3).length() < 1e-3, "at {}", weight.centre());
        swings("a small pendulum", small_pendulum(), dt, 5.0);
    }
}

/// Two rods of half a metre, let go from the side.
fn double_pendulum() -> World {
    let mut world = World::new(crate::options());
    let mut last = ground(&mut world);
    for i in 0..2 {
        let x = 0.5 * f64::from(i);
        let rod = world.add(boxed([0.5, 0.02, 0.02], 1.0).at(at(x + 0.25, 0.0, 0.0)));
        let anchors = anchors(&world, [last, rod], DVec3::X * x, DVec3::Y);
        world.link(Joint::hinge([last.0, rod.0], anchors).expect("two")).expect("bodies");
        last = rod;
    }
    world
}

#[test]
fn wild_swings_keep_their_energy() {
    for dt in [1.0 / 60.0, 1.0 / 240.0] {
        let start = double_pendulum();
        let before = energy(&start);
        let lost = before - energy(&swings("a double pendulum", start, dt, 10.0));
        assert!(lost < 0.05, "it loses {lost} J in steps of {dt} s");
    }
}

/// A shelf of a kilogram on a rail, and a crate on it.
fn shelf(mass: f64, joint: impl Fn(Joint) -> Joint) -> World {
    let mut world = World::new(crate::options());
    let wall = ground(&mut world);
    let shelf = world.add(boxed([1.0, 1.0, 0.1], 1.0).at(at(0.0, 0.0, 1.0)));
    world.add(boxed([0.3; 3], mass).at(at(0.1, 0.0, 1.2005)));
    let anchors = anchors(&world, [wall, shelf], DVec3::Z, DVec3::Z);
    let rail = Joint::rail([wall.0, shelf.0], anchors).expect("two bodies");
    world.link(joint(rail)).expect("bodies of the world");
    world
}

#[test]
fn brakes_and_limits_hold_heavy_loads() {
    for mass in [1.0, 100.0, 1e4] {
        let brake = |rail: Joint| rail.drive_travel(0.0, f64::INFINITY).expect("a motor");
        let limit = |rail: Joint| rail.limit_travel(0.0, 1.0).expect("an interval");
        for mut world in [shelf(mass, brake), shelf(mass, limit)] {
            for _ in 0..180 {
                world.step(1.0 / 60.0).expect("a step");
            }
            let sunk = 1.0 - world.bodies()[1].centre().z;
            assert!(sunk.abs() < 1e-6, "it sinks by {sunk} m under {mass} kg");
        }
    }
}

/// A crate on a plank that a limit of its hinge holds.
fn plank(mass: f64) -> World {
    let mut world = World::new(crate::options());
    let wall = ground(&mut world);
    let plank = world.add(boxed([2.0, 0.5, 0.05], 1.0));
    world.add(boxed([0.3; 3], mass).at(at(0.5, 0.0, 0.1755)));
    let anchors = anchors(&world, [wall, plank], DVec3::NEG_X, DVec3::NEG_Y);
    let hinge = Joint::hinge([wall.0, plank.0], anchors).expect("two bodies");
    let limit = hinge.limit_angle(-1_f64.to_radians(), 1.0).expect("an interval");
    world.link(limit).expect("bodies of the world");
    world
}

#[test]
fn a_limit_holds_a_plank_with_a_heavy_crate() {
    for mass in [100.0, 1e3, 1e4] {
        let mut world = plank(mass);
        for _ in 0..180 {
            world.step(1.0 / 60.0).expect("a step");
        }
        let sunk = world.bodies()[1].centre().z + 1_f64.to_radians().sin();
        assert!(sunk.abs() < 1e-9, "it is {sunk} m off under {mass} kg");
        let rests = world.bodies()[2].is_asleep();
        assert!(rests || mass > 1e3, "{mass} kg do not rest on it");
    }
}

/// A motor that gets a bar up to 200 radians a second within a step does not take it through a peg.
#[test]
fn a_bar_that_a_motor_spins_up_stops_at_a_peg() {
    for torque in [2e4, f64::INFINITY] {
        let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
        let ground = ground(&mut world);
        let bar = world.add(boxed([1.0, 0.05, 0.05], 2.0).at(at(0.5, 0.0, 0.0)));
        world.add(Body::fixed(cuboid([0.1, 0.1, 0.4])).at(at(0.0, 0.7, 0.0)));
        let anchors = anchors(&world, [ground, bar], DVec3::ZERO, DVec3::Z);
        let hinge = Joint::hinge([ground.0, bar.0], anchors).expect("two bodies");
        world.link(hinge.drive_angle(200.0, torque).expect("a motor")).expect("of the world");
        for step in 0..30 {
            world.step(1.0 / 60.0).expect("a step");
            let tip = world.bodies()[bar.0].pose().point(DVec3::X * 0.5);
            assert!(tip.x > 0.0 && tip.y > -0.3, "the tip is at {tip} after step {step}");
        }
    }
}

/// Against what is fixed a motor of any torque can do nothing, and says so: the bar does not
/// rattle, and sleeps.
#[test]
fn a_bar_that_a_motor_presses_on_a_peg_rests() {
    for torque in [5.0, 2e4, f64::INFINITY] {
        let mut world = World::new(crate::options());
        let ground = ground(&mut world);
        let bar = world.add(boxed([1.0, 0.1, 0.1], 10.0).at(at(0.5, 0.0, 0.0)));
        world.add(Body::fixed(cuboid([0.1, 0.1, 1.0])).at(at(0.0, 0.8, 0.0)));
        let anchors = anchors(&world, [ground, bar], DVec3::ZERO, DVec3::Z);
        let hinge = Joint::hinge([ground.0, bar.0], anchors).expect("two bodies");
        world.link(hinge.drive_angle(2.0, torque).expect("a motor")).expect("of the world");
        let step = |_| world.step(1.0 / 60.0).expect("a step").impacts.len();
        let impacts: usize = (0..300).map(step).sum();
        assert!(impacts < 50, "{impacts} impacts with {torque} Nm");
        let bar = &world.bodies()[bar.0];
        assert!(bar.is_asleep() && bar.pose().point(DVec3::X * 0.5).y > 0.9, "{bar:?}");
    }
}

/// Links that come to rest on a peg with their joints at the corner of it go on, whatever closing
/// joints would lift.
#[test]
fn chains_over_a_peg_do_not_freeze() {
    for (count, length, steps) in [(3, 0.2, 240), (4, 0.05, 240), (4, 0.05, 80), (6, 0.1, 120)] {
        let mut world = World::new(crate::options());
        let ground = ground(&mut world);
        let peg = Body::fixed(cuboid([0.5 * length, 4.0 * length, 0.5 * length]));
        world.add(peg.at(at(0.7 * length, 0.0, -length)));
        let mut last = ground;
        for i in 0..count {
            let x = length * f64::from(i);
            let size = [0.8, 0.2, 0.2].map(|share| share * length);
            let link = world.add(boxed(size, 0.1).at(at(x, 0.0, 0.0)));
            let anchors = anchors(&world, [last, link], DVec3::X * (x - 0.5 * length), DVec3::Y);
            world.link(Joint::hinge([last.0, link.0], anchors).expect("two bodies")).expect("here");
            last = link;
        }
        let speed = |world: &World| {
            let of = |body: &Body| body.velocity().linear.length();
            world.bodies().iter().map(of).fold(0.0, f64::max)
        };
        for step in 0..steps {
            let before = speed(&world);
            let report = world.step(4.0 / f64::from(steps)).expect("a step");
            assert!(report.gap.length < 1e-6 * length, "open by {} m", report.gap.length);
            let stops = before > 0.3 && speed(&world) == 0.0;
            assert!(!stops, "{count} links of {length} m stop at {before} m/s in step {step}");
        }
    }
}
