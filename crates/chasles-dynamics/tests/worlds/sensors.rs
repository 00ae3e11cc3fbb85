//! Sensors tell who is in them, and touch nothing.

use chasles::Pose;
use chasles_dynamics::body::Velocity;
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Filter, Passage, Route, Sensed};
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor};

const DT: f64 = 1.0 / 60.0;

fn both() -> [Options; 2] {
    [Options::default(), Options::windows()]
}

fn weightless(options: Options) -> World {
    World::new(Options { gravity: DVec3::ZERO, ..options })
}

fn gate(size: [f64; 3]) -> Body {
    Body::fixed(cuboid(size)).sensing()
}

/// What is noticed in some steps, with the number of the step.
fn watch(world: &mut World, steps: u32) -> Vec<(u32, Sensed)> {
    let step = |i: u32| {
        let report = world.step(DT).expect("a step");
        report.sensed.into_iter().map(move |sensed| (i, sensed))
    };
    (0..steps).flat_map(step).collect()
}

#[test]
fn a_body_that_falls_through_enters_and_leaves_on_its_parabola() {
    for options in both() {
        let mut world = World::new(options);
        let sensor = world.add(gate([2.0, 2.0, 1.0]));
        let body = world.add(dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.0, 0.0, 2.0)));
        let told = watch(&mut world, 90);
        // Its lower side is at 0.5 after falling by 1.25, its upper one at -0.5 after 2.75.
        let when = |fall: f64| ((2.0 * fall / 9.81).sqrt() / DT).floor() as u32;
        let change = |change: Passage| Sensed { sensor, body, change };
        let expected =
            [(when(1.25), change(Passage::Entered)), (when(2.75), change(Passage::Left))];
        assert_eq!(told, expected);
        let height = world.body(body).expect("there").pose().position().z;
        assert!((height - (2.0 - 0.5 * 9.81 * 1.5 * 1.5)).abs() < 1e-9, "nothing held it up");
    }
}

#[test]
fn a_bullet_is_noticed_within_a_step() {
    for options in both() {
        let mut world = weightless(options);
        let thin = world.add(gate([0.001, 1.0, 1.0]));
        let beside = world.add(gate([0.001, 1.0, 1.0]).at(at(0.0, 3.0, 0.0)));
        let bullet = dynamic(&cuboid([0.01; 3]), 1.0).at(at(-1.0, 0.1, 0.1));
        let bullet = world.add(bullet.moving(DVec3::X * 300.0, DVec3::ZERO));
        let told = watch(&mut world, 3);
        assert_eq!(told, [(0, Sensed { sensor: thin, body: bullet, change: Passage::Crossed })]);
        assert!(world.inside(thin).is_empty() && world.inside(beside).is_empty());
    }
}

/// What goes in and bounces back out within a step was there.
#[test]
fn a_bounce_within_a_step_is_noticed() {
    for options in both() {
        let mut world = weightless(options);
        let material = crate::scenes::made_of(1.0, 0.0);
        let wall = Body::fixed(cuboid([1.0, 4.0, 4.0])).at(at(1.0, 0.0, 0.0)).made_of(material);
        world.add(wall);
        let sensor = world.add(gate([0.1, 1.0, 1.0]).at(at(0.4, 0.0, 0.0)));
        let ball = dynamic(&cuboid([0.01; 3]), 1.0).at(at(-0.2, 0.0, 0.0)).made_of(material);
        let ball = world.add(ball.moving(DVec3::X * 90.0, DVec3::ZERO));
        let told = watch(&mut world, 1);
        assert_eq!(told, [(0, Sensed { sensor, body: ball, change: Passage::Crossed })]);
    }
}

#[test]
fn sensors_hear_of_teleports_filters_and_removals() {
    let mut world = weightless(Options::default());
    let filter = Filter { groups: 2, mask: 1 };
    let sensor = world.add(gate([1.0; 3]).filtered(filter));
    let cube = cuboid([0.2; 3]);
    let far = |x: f64| dynamic(&cube, 1.0).at(at(x, 0.0, 0.0));
    let [a, b] = [5.0, 7.0].map(|x| world.add(far(x)));
    let other = world.add(far(9.0).filtered(Filter { groups: 4, mask: u32::MAX }));
    assert!(watch(&mut world, 3).is_empty());
    for (id, z) in [(a, -0.3), (b, 0.0), (other, 0.3)] {
        world.place(id, at(0.0, 0.0, z), Velocity::ZERO).expect("free");
    }
    let told = watch(&mut world, 3);
    let sensed = |body: BodyId, change: Passage| Sensed { sensor, body, change };
    let entered = |body: BodyId| (0, sensed(body, Passage::Entered));
    assert_eq!(told, [entered(a), entered(b)]);
    assert_eq!(world.inside(sensor), [a, b]);
    let moment = world.save();
    world.place(a, at(5.0, 0.0, 0.0), Velocity::ZERO).expect("free");
    world.remove(b);
    let told = watch(&mut world, 2);
    assert_eq!(told, [a, b].map(|body| (0, sensed(body, Passage::Left))));
    world.restore(&moment).expect("the same world");
    assert_eq!(world.inside(sensor), [a, b]);
    world.remove(sensor);
    let told = watch(&mut world, 2);
    assert_eq!(told, [a, b].map(|body| (0, sensed(body, Passage::Left))));
}

/// A sensor may move; one that sweeps over a body within a step notices it.
#[test]
fn a_sensor_on_a_route_notices_what_it_passes() {
    for options in both() {
        let mut world = World::new(options);
        world.add(floor());
        let resting = world.add(dynamic(&cuboid([0.2; 3]), 1.0).at(at(0.0, 0.0, 0.1001)));
        let start = at(-1.0, 0.0, 0.1);
        let route = Route::twist(start, DVec3::X * 100.0, DVec3::ZERO).expect("finite");
        let scanner = world.add(Body::kinematic(cuboid([0.01, 0.1, 0.1]), route).sensing());
        let told = watch(&mut world, 2);
        let of = |body: BodyId| told.iter().filter(|(_, s)| s.body == body).collect::<Vec<_>>();
        let expected = Sensed { sensor: scanner, body: resting, change: Passage::Crossed };
        assert_eq!(of(resting), [&(0, expected)]);
    }
}

#[test]
fn sensors_change_no_motion() {
    let run = |with_sensor: bool| {
        let mut world = World::new(Options::default());
        world.add(floor());
        let body = world.add(dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.0, 0.0, 1.0)));
        if with_sensor {
            world.add(gate([1.0; 3]).at(at(0.0, 0.0, 0.2)));
        }
        let told = watch(&mut world, 60);
        assert_eq!(told.is_empty(), !with_sensor);
        let body = world.body(body).expect("there");
        (body.pose(), body.velocity())
    };
    let [alone, watched]: [(Pose, Velocity); 2] = [run(false), run(true)];
    assert_eq!(alone, watched);
}

/// A world with a sheet that does nothing but cut steps in which the bullet near it is fast.
fn beside_a_sheet() -> World {
    let mut world = weightless(Options::windows());
    let corner = DVec3::new(-0.5, -0.5, 0.5);
    let net = Net::grid(corner, [DVec3::X, DVec3::Y], [2; 2], &Fabric::default());
    world.add_sheet(Sheet::new(net.expect("a net")).expect("a sheet"));
    world
}

/// A sheet has a step taken in parts. The report tells of the step.
#[test]
fn what_crosses_in_parts_of_a_step_is_told_of_once() {
    let mut world = beside_a_sheet();
    let sensor = world.add(gate([0.2, 1.0, 0.5]));
    let bullet = dynamic(&cuboid([0.01; 3]), 1.0).at(at(-0.5, 0.0, 0.0));
    let bullet = world.add(bullet.moving(DVec3::X * 60.0, DVec3::ZERO));
    let report = world.step(DT).expect("a step");
    assert!(report.parts > 1, "the sheet cuts the step");
    assert_eq!(report.sensed, [Sensed { sensor, body: bullet, change: Passage::Crossed }]);
}

#[test]
fn points_of_contact_are_those_of_the_last_part_of_a_step() {
    let mut world = beside_a_sheet();
    let gravity = Options { gravity: DVec3::new(0.0, 0.0, -1.0), ..*world.options() };
    world.set_options(gravity);
    world.add(Body::fixed(cuboid([2.0, 2.0, 0.1])).at(at(5.0, 0.0, -0.05)));
    world.add(dynamic(&cuboid([0.5; 3]), 1.0).at(at(5.0, 0.0, 0.2501)));
    for _ in 0..10 {
        world.step(DT).expect("a step");
    }
    let still = world.step(DT).expect("a step");
    assert_eq!((still.contacts, still.parts), (4, 1));
    let bullet = dynamic(&cuboid([0.01; 3]), 1.0).at(at(-0.5, 0.0, 0.0));
    world.add(bullet.moving(DVec3::X * 60.0, DVec3::ZERO));
    let cut = world.step(DT).expect("a step");
    assert!(cut.parts > 1, "the sheet cuts the step");
    assert_eq!(cut.contacts, 4);
}
