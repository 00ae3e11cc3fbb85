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
    let mut world = World::new(Options::default());
    let pivot = world.add(Body::fixed(cuboid([0.1; 3])));
    let rod = dynamic(&cuboid([0.02, 0.02, 1.0]), 1000.0);
    let amplitude = 1.2;
    let turn = DQuat::from_rotation_y(amplitude);
    let pose = Pose::new(turn * DVec3::new(0.0, 0.0, -0.6), turn).expect("finite");
    let rod = world.add(rod.at(pose));
    hang(&mut world, pivot, rod, DVec3::ZERO, DVec3::Y);
    let energy = |world: &World| {
        let body = &world.bodies()[1];
        let mass = body.solidity().expect("dynamic").mass();
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

#[test]
fn a_cradle_passes_the_ball_on() {
    let mut world = World::new(Options::default());
    let beam = world.add(Body::fixed(cuboid([2.0, 0.1, 0.1])).at(at(0.0, 0.0, 1.2)));
    let ball = cuboid([0.1; 3]);
    let steel = made_of(1.0, 0.0);
    for i in 0..4 {
        let x = 0.10002 * f64::from(i);
        let hook = DVec3::new(x, 0.0, 1.0);
        // The first is lifted by half a radian.
        let turn = DQuat::from_rotation_y(if i == 0 { 0.5 } else { 0.0 });
        let pose = Pose::new(hook + turn * DVec3::new(0.0, 0.0, -1.0), turn).expect("finite");
        let id = world.add(dynamic(&ball, 7800.0).made_of(steel).at(pose));
        hang(&mut world, beam, id, hook, DVec3::Y);
    }
    let mut fastest = [0.0f64; 4];
    for _ in 0..70 {
        world.step(1.0 / 120.0).expect("a step");
        for (i, fastest) in fastest.iter_mut().enumerate() {
            *fastest = fastest.max(world.bodies()[i + 1].velocity().linear.x);
        }
    }
    let [first, second, third, last] = fastest;
    assert!(last > 0.95 * first, "the last has {last} of {first} m/s");
    assert!(second.max(third) < 0.05 * first, "{second} and {third} of {first} m/s");
}

#[test]
fn a_chain_falls_on_the_floor_and_holds_together() {
    let mut world = World::new(Options::default());
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
