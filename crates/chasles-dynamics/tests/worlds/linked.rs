//! Linkages in a world: pendulums, Newton's cradle, chains.

use chasles::Pose;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

/// Hangs a body on a fixed one by a joint at a point of the world.
fn hang(world: &mut World, fixed: BodyId, body: BodyId, point: DVec3, axis: DVec3) {
    let [a, b] = [fixed, body].map(|id| world.bodies()[id.0].pose());
    let anchor = Anchor::along(point, axis).expect("finite");
    let anchors = anchor.in_bodies([&a, &b]);
    let joint = Joint::hinge([fixed.0, body.0], anchors).expect("two bodies");
    world.link(joint).expect("bodies of the world");
}

/// The period of a pendulum by the arithmetic-geometric mean.
fn period(amplitude: f64, small: f64) -> f64 {
    let [mut a, mut g] = [1.0, (0.5 * amplitude).cos()];
    for _ in 0..20 {
        [a, g] = [0.5 * (a + g), f64::sqrt(a * g)];
    }
    small / a
}

#[test]
fn a_pendulum_keeps_its_period_and_its_energy() {
    let mut world = World::new(crate::options());
    let pivot = world.add(Body::fixed(cuboid([0.1; 3])));
    let rod = dynamic(&cuboid([0.02, 0.02, 1.0]), 1000.0);
    let amplitude = 1.2;
    let turn = DQuat::from_rotation_y(amplitude);
    let pose = Pose::new(turn * DVec3::new(0.0, 0.0, -0.6), turn).expect("finite");
    let rod = world.add(rod.at(pose));
    hang(&mut world, pivot, rod, DVec3::ZERO, DVec3::Y);
    let energy = |world: &World| {
        let body = &world.bodies()[1];
        let mass = body.mass_properties().expect("dynamic").mass();
        body.kinetic_energy() + mass * 9.81 * body.centre().z
    };
    let start = energy(&world);
    let mut before = 0.0;
    let mut times = Vec::new();
    let dt = 1.0 / 240.0;
    for step in 1..=2400 {
        world.step(dt).expect("a step");
        let x = world.bodies()[1].centre().x;
        if before < 0.0 && x >= 0.0 {
            times.push(dt * (f64::from(step) - x / (x - before)));
        }
        before = x;
        let now = energy(&world);
        assert!((now - start).abs() < 2e-3 * start.abs(), "{start} became {now} J");
    }
    let measured = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
    // A rod of length 1, hung up 0.6 from its middle: inertia l^2/12 + 0.36 about the pivot.
    let small = std::f64::consts::TAU * f64::sqrt((1.0 / 12.0 + 0.36) / (9.81 * 0.6));
    let expected = period(amplitude, small);
    assert!((measured / expected - 1.0).abs() < 2e-3, "{measured} for {expected} s");
}

/// Four cubes of steel that hang side by side, the first lifted by half a radian.
pub(crate) fn cradle() -> World {
    cradle_by(Options::events())
}

fn cradle_by(options: Options) -> World {
    let mut world = World::new(options);
    let beam = world.add(Body::fixed(cuboid([2.0, 0.1, 0.1])).at(at(0.0, 0.0, 1.2)));
    let ball = cuboid([0.1; 3]);
    let steel = made_of(1.0, 0.0);
    for i in 0..4 {
        let x = 0.10002 * f64::from(i);
        let hook = DVec3::new(x, 0.0, 1.0);
        let turn = DQuat::from_rotation_y(if i == 0 { 0.5 } else { 0.0 });
        let pose = Pose::new(hook + turn * DVec3::new(0.0, 0.0, -1.0), turn).expect("finite");
        let id = world.add(dynamic(&ball, 7800.0).made_of(steel).at(pose));
        hang(&mut world, beam, id, hook, DVec3::Y);
    }
    world
}

/// The fastest that each cube of a cradle gets to one side within some steps.
fn fastest(world: &mut World, steps: u32, side: f64) -> [f64; 4] {
    let mut fastest = [0.0f64; 4];
    for _ in 0..steps {
        world.step(1.0 / 120.0).expect("a step");
        for (i, fastest) in fastest.iter_mut().enumerate() {
            *fastest = fastest.max(side * world.bodies()[i + 1].velocity().linear.x);
        }
    }
    fastest
}

#[test]
fn a_cradle_passes_the_ball_on() {
    let [first, second, third, last] = fastest(&mut cradle(), 70, 1.0);
    assert!(last > 0.95 * first, "the last has {last} of {first} m/s");
    assert!(second.max(third) < 0.05 * first, "{second} and {third} of {first} m/s");
}

/// Those in the middle have moved a little by then, and hang within reach of each other rather than
/// in touch.
#[test]
fn a_cradle_passes_the_ball_back() {
    let mut world = cradle();
    fastest(&mut world, 120, 1.0);
    let [first, second, third, last] = fastest(&mut world, 90, -1.0);
    assert!(first > 0.95 * last, "the first has {first} of {last} m/s");
    assert!(second.max(third) < 0.05 * last, "{second} and {third} of {last} m/s");
}

#[test]
fn a_chain_falls_on_the_floor_and_holds_together() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let link = cuboid([0.2, 0.05, 0.05]);
    let mut last: Option<BodyId> = None;
    for i in 0..6 {
        let x = 0.22 * f64::from(i);
        let id = world.add(dynamic(&link, 1000.0).at(at(x, 0.0, 0.5)));
        if let Some(last) = last {
            let [a, b] = [last, id].map(|id| world.bodies()[id.0].pose());
            let anchor = Anchor::at([x - 0.11, 0.0, 0.5]).expect("finite");
            let joint = Joint::ball([last.0, id.0], anchor.in_bodies([&a, &b])).expect("two");
            world.link(joint).expect("bodies of the world");
        }
        last = Some(id);
    }
    for _ in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
        for joint in world.joints() {
            let [p, q] = [0, 1].map(|i| {
                let pose = world.bodies()[joint.bodies()[i]].pose();
                pose.point(joint.anchors()[i].frame().position())
            });
            assert!(p.distance(q) < 1e-6, "a joint is {} m apart", p.distance(q));
        }
    }
    let height = |body: &Body| body.pose().position().z;
    assert!(world.bodies()[1..].iter().all(|body| height(body) < 0.06));
}

/// A cube on an arm of two metres that lies flat, with this joint at the other end of the arm.
fn arm(joint: impl Fn(Joint) -> Joint) -> World {
    let mut world = World::new(crate::options());
    world.add(Body::fixed(cuboid([0.1; 3])).intangible());
    world.add(dynamic(&cuboid([1.0; 3]), 1000.0).at(at(2.0, 0.0, 0.0)));
    let [a, b] = [0, 1].map(|i| world.bodies()[i].pose());
    let anchors = Anchor::along(DVec3::ZERO, DVec3::Y).expect("finite").in_bodies([&a, &b]);
    world.link(joint(Joint::hinge([0, 1], anchors).expect("two"))).expect("bodies of the world");
    world
}

#[test]
fn a_limit_stops_what_falls_against_it_and_lets_it_sleep() {
    for dt in [1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0] {
        let mut world = arm(|hinge| hinge.limit_angle(-1.0, 0.4).expect("an interval"));
        let mut met = false;
        for _ in 0..(2.0 / dt) as u32 {
            world.step(dt).expect("a step");
            let angle = -world.bodies()[1].centre().z.atan2(world.bodies()[1].centre().x);
            assert!(angle < 0.4 + 1e-6, "{angle} is beyond the limit");
            met |= angle > 0.4 - 1e-6;
            assert!(!met || angle > 0.4 - 1e-4, "thrown back to {angle} with steps of {dt} s");
        }
        assert!(met && world.bodies()[1].is_asleep(), "with steps of {dt} s");
    }
}

#[test]
fn a_motor_keeps_its_speed_in_every_step() {
    let mut world = arm(|hinge| hinge.drive_angle(1.5, f64::INFINITY).expect("a motor"));
    for _ in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
        let speed = world.bodies()[1].velocity().angular.y;
        assert!((speed - 1.5).abs() < 1e-9, "{speed} rad/s");
    }
}

#[test]
fn bodies_pass_through_an_intangible_one_and_collide_if_joined_so() {
    let sunk = |world: &mut World| {
        world.add(floor());
        let id = world.add(dynamic(&cuboid([0.5; 3]), 1000.0).at(at(0.0, 0.0, 0.3)));
        let rail = Anchor::along(DVec3::ZERO, DVec3::Z).expect("finite");
        let poses = [0, 1].map(|i| world.bodies()[i].pose());
        let joint = Joint::rail([0, id.0], rail.in_bodies([&poses[0], &poses[1]])).expect("two");
        (joint, id)
    };
    let height = |mut world: World, id: BodyId| {
        for _ in 0..60 {
            world.step(1.0 / 60.0).expect("a step");
        }
        world.bodies()[id.0].centre().z
    };
    let mut linked = World::new(crate::options());
    let (joint, id) = sunk(&mut linked);
    let mut joined = linked.clone();
    linked.link(joint).expect("bodies of the world");
    linked.ignore(BodyId(0), id);
    joined.join(joint).expect("bodies of the world");
    assert!(!linked.collides(BodyId(0), id) && joined.collides(id, BodyId(0)));
    assert!(height(linked, id) < -2.0);
    assert!(height(joined, id) > 0.25);
    let mut free = World::new(crate::options());
    free.add(floor().intangible());
    let id = free.add(dynamic(&cuboid([0.5; 3]), 1000.0).at(at(0.0, 0.0, 0.1)));
    assert!(!free.collides(BodyId(0), id));
    assert!(height(free, id) < -2.0);
}

/// Two bars that lean against each other on a floor without friction, with this joint at the top.
fn trestle(joint: impl Fn(Joint) -> Joint) -> World {
    let mut world = World::new(crate::options());
    let ice = made_of(0.0, 0.0);
    world.add(floor().made_of(ice));
    let bar = cuboid([0.05, 0.05, 1.0]);
    for side in [-1.0, 1.0] {
        let turn = DQuat::from_rotation_y(0.5 * side);
        // The top is the hinge, half a bar and a little from the middle.
        let middle = DVec3::Z * 1.0 - turn * DVec3::Z * 0.55;
        let lowest = 0.5 * f64::cos(0.5) + 0.025 * f64::sin(0.5);
        let down = DVec3::Z * (middle.z - lowest - 1e-5);
        world.add(
            dynamic(&bar, 1000.0).made_of(ice).at(Pose::new(middle - down, turn).expect("a pose")),
        );
    }
    let [a, b] = [1, 2].map(|i| world.bodies()[i].pose());
    let top = a.point(DVec3::Z * 0.55);
    let anchors = Anchor::along(top, DVec3::Y).expect("finite").in_bodies([&a, &b]);
    world.link(joint(Joint::hinge([1, 2], anchors).expect("two"))).expect("bodies of the world");
    world
}

#[test]
fn limits_and_brakes_carry_weights_on_a_floor() {
    let still = |name: &str, mut world: World| {
        let before = world.bodies()[1].centre().z;
        for step in 0..120 {
            let report = world.step(1.0 / 60.0).expect("a step");
            assert!(report.waiting.is_empty(), "{name} waits in step {step}");
        }
        let after = world.bodies()[1].centre().z;
        assert!((before - after).abs() < 1e-3, "{name} sinks from {before} to {after} m");
        assert!(world.bodies()[1].is_asleep(), "{name} does not rest");
    };
    still("a limit", trestle(|hinge| hinge.limit_angle(0.0, 0.0).expect("an interval")));
    still("a brake", trestle(|hinge| hinge.drive_angle(0.0, f64::INFINITY).expect("a motor")));
    still("a weak brake", trestle(|hinge| hinge.drive_angle(0.0, 5.6).expect("a motor")));
}

/// Each bar weighs 24.5 N and its foot carries as much, 0.217 m farther out than its middle: 5.3 N
/// m.
#[test]
fn a_brake_that_is_too_weak_gives_way() {
    let mut world = trestle(|hinge| hinge.drive_angle(0.0, 5.0).expect("a motor"));
    for _ in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
    }
    assert!(world.bodies()[1].centre().z < 0.2);
}

#[test]
fn a_cradle_gains_no_energy() {
    for (dt, options) in [0.1, 1.0 / 30.0, 1.0 / 60.0]
        .into_iter()
        .flat_map(|dt| [(dt, Options::events()), (dt, crate::options())])
    {
        let mut world = cradle_by(options);
        let by_events = options == Options::events();
        let energy = |world: &World| {
            let height = |body: &Body| {
                body.mass_properties()
                    .map_or(0.0, |mass_properties| 9.81 * mass_properties.mass() * body.centre().z)
            };
            world.bodies().iter().map(|body| body.kinetic_energy() + height(body)).sum::<f64>()
        };
        // The weight of a cube that is lifted by half a radian on a metre.
        let swing = 7.8 * 9.81 * (1.0 - f64::cos(0.5));
        let start = energy(&world);
        for step in 0..(30.0 / dt) as u32 {
            world.step(dt).expect("a step");
            let gain = energy(&world) / start - 1.0;
            assert!(gain < 1e-9, "gained {gain} of its energy in step {step} of {dt} s");
        }
        let gain = (energy(&world) - start) / swing;
        // In windows what meets again and again within a step loses more.
        assert!(gain > -0.2 || dt > 0.05 || !by_events, "lost {gain} of the swing at {dt}");
    }
}

#[test]
fn joints_stay_closed_while_bodies_wait() {
    let mut waits = 0;
    for max_parts in [0, 1, 2] {
        let mut world = World::new(Options { max_parts, ..crate::options() });
        world.add(floor());
        let bar = cuboid([0.4, 0.05, 0.05]);
        for i in 0..4 {
            let body = dynamic(&bar, 1000.0).at(at(0.42 * f64::from(i), 0.0, 0.5));
            world.add(body.moving(DVec3::Z * -9.0, DVec3::Y * f64::from(i)));
        }
        for i in 1..4 {
            let [a, b] = [i, i + 1].map(|i| world.bodies()[i].pose());
            let middle = Anchor::at(0.5 * (a.position() + b.position())).expect("finite");
            let joint = Joint::ball([i, i + 1], middle.in_bodies([&a, &b])).expect("two bodies");
            world.link(joint).expect("bodies of the world");
        }
        for step in 0..60 {
            waits += world.step(1.0 / 60.0).expect("a step").waiting.len();
            for joint in world.joints() {
                let [a, b] = [0, 1].map(|end| {
                    let pose = world.bodies()[joint.bodies()[end]].pose();
                    pose.point(joint.anchors()[end].frame().position())
                });
                let open = a.distance(b);
                assert!(open < 1e-3, "a joint is open by {open} m in step {step} of {max_parts}");
            }
        }
    }
    assert!(waits > 0, "nothing had to wait");
}
