//! Ropes, rods and springs between points, and motors that aim at places.

use std::f64::consts::TAU;

use chasles_dynamics::linkage::{Anchor, Joint, JointError, Spring};
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic};

const DT: f64 = 1.0 / 240.0;

fn anchor(x: f64) -> Anchor {
    Anchor::along([x, 0.0, 0.0], DVec3::Y).expect("finite")
}

/// A bob of a kilogram beside or below a post, and what joins their centres.
fn hung(place: [f64; 3], joint: impl Fn([usize; 2], [Anchor; 2]) -> Joint) -> (World, BodyId) {
    let mut world = World::new(Options::default());
    let post = world.add(Body::fixed(cuboid([0.1; 3])));
    let bob = world.add(dynamic(&cuboid([0.1; 3]), 1000.0).at(at(place[0], place[1], place[2])));
    world.link(joint([post.0, bob.0], [anchor(0.0), anchor(0.0)])).expect("of the world");
    (world, bob)
}

fn place(world: &World, id: BodyId) -> DVec3 {
    world.body(id).expect("there").centre()
}

#[test]
fn a_rope_is_slack_until_it_is_taut() {
    let rope = |bodies, anchors| Joint::rope(bodies, anchors, 1.0).expect("a rope");
    let (mut world, bob) = hung([0.3, 0.0, 0.0], rope);
    let mut longest: f64 = 0.0;
    for step in 1..=480 {
        world.step(DT).expect("a step");
        let time = DT * f64::from(step);
        let fallen = 0.5 * 9.81 * time * time;
        if fallen < 0.9 {
            let off = place(&world, bob).distance(DVec3::new(0.3, 0.0, -fallen));
            assert!(off < 1e-9, "it falls freely while the rope is slack: {off}");
        }
        longest = longest.max(place(&world, bob).length());
    }
    assert!(longest < 1.0 + 1e-3 && longest > 0.999, "{longest}");
    // Thrown up it is slack again.
    world.apply_impulse(bob, DVec3::Z * 3.0, place(&world, bob));
    (0..20).for_each(|_| drop(world.step(DT).expect("a step")));
    assert!(place(&world, bob).length() < 0.95);
}

#[test]
fn a_rod_keeps_its_length_and_swings_as_a_pendulum() {
    let rod = |bodies, anchors| Joint::distance(bodies, anchors, 1.0).expect("a rod");
    let angle: f64 = 0.2;
    let (mut world, bob) = hung([angle.sin(), 0.0, -angle.cos()], rod);
    let mut crossings = Vec::new();
    for _ in 0..1200 {
        let before = place(&world, bob).x;
        world.step(DT).expect("a step");
        let after = place(&world, bob);
        assert!((after.length() - 1.0).abs() < 1e-3, "{}", after.length());
        if before > 0.0 && after.x <= 0.0 {
            crossings.push(world.time());
        }
    }
    let period = crossings[1] - crossings[0];
    let expected = TAU * (1.0 / 9.81_f64).sqrt() * (1.0 + angle * angle / 16.0);
    assert!((period / expected - 1.0).abs() < 0.01, "{period} for {expected}");
}

#[test]
fn a_weight_on_a_spring_swings_about_where_it_carries_it() {
    let spring = Spring { place: 0.5, stiffness: 200.0, damping: 0.0 };
    let make = |spring: Spring| {
        move |bodies, anchors| Joint::spring(bodies, anchors, spring).expect("a spring")
    };
    let (mut world, bob) = hung([0.0, 0.0, -0.5], make(spring));
    let middle = -0.5 - 9.81 / 200.0;
    let mut crossings = Vec::new();
    for _ in 0..480 {
        let before = place(&world, bob).z;
        world.step(DT).expect("a step");
        if before > middle && place(&world, bob).z <= middle {
            crossings.push(world.time());
        }
    }
    let period = crossings[1] - crossings[0];
    let expected = TAU / 200.0_f64.sqrt();
    assert!((period / expected - 1.0).abs() < 0.02, "{period} for {expected}");
    // With damping it comes to rest there.
    let (mut world, bob) = hung([0.0, 0.0, -0.5], make(Spring { damping: 10.0, ..spring }));
    (0..960).for_each(|_| drop(world.step(DT).expect("a step")));
    assert!((place(&world, bob).z - middle).abs() < 1e-4);
}

/// An arm of a kilogram on a hinge, a metre out, that lies along x at angle 0.
fn arm(hinge: impl Fn(Joint) -> Joint) -> (World, BodyId, Joint) {
    let mut world = World::new(Options::default());
    let post = world.add(Body::fixed(cuboid([0.1; 3])));
    let arm = world.add(dynamic(&cuboid([0.1; 3]), 1000.0).at(at(1.0, 0.0, 0.0)));
    let joint = Joint::hinge([post.0, arm.0], [anchor(0.0), anchor(-1.0)]).expect("two");
    let joint = hinge(joint);
    world.link(joint).expect("of the world");
    (world, arm, joint)
}

fn angle(world: &World, joint: &Joint) -> f64 {
    let [a, b] = joint.bodies().map(|i| world.bodies()[i].pose());
    joint.angle([&a, &b])
}

#[test]
fn a_position_motor_holds_its_angle_and_a_soft_one_sags() {
    let drawn = |stiffness: f64, damping: f64, torque: f64, place: f64| {
        let spring = Spring { place, stiffness, damping };
        let (mut world, _, joint) = arm(|joint| joint.draw_angle(spring, torque).expect("a motor"));
        (0..1440).for_each(|_| drop(world.step(DT).expect("a step")));
        angle(&world, &joint)
    };
    for place in [0.5, -1.0] {
        let held = drawn(1e6, 1e4, f64::INFINITY, place);
        assert!((held - place).abs() < 1e-4, "{held} for {place}");
    }
    // The torque of the weight is balanced: k (0 - a) = -9.81 cos a, turning about y is down.
    let sagged = drawn(50.0, 20.0, f64::INFINITY, 0.0);
    assert!((50.0 * sagged - 9.81 * sagged.cos()).abs() < 0.02, "{sagged}");
    // A motor that may not carry the weight does not.
    let weak = drawn(50.0, 20.0, 5.0, 0.0);
    assert!(weak > 0.8, "{weak}");
}

#[test]
fn a_lift_is_drawn_to_its_floor() {
    let mut world = World::new(Options::default());
    let post = world.add(Body::fixed(cuboid([0.1; 3])));
    let cabin = world.add(dynamic(&cuboid([0.1; 3]), 1000.0).at(at(0.0, 0.0, -2.0)));
    let up = |z: f64| Anchor::along([0.0, 0.0, z], DVec3::Z).expect("finite");
    let rail = Joint::rail([post.0, cabin.0], [up(0.0), up(0.0)]).expect("two");
    let spring = |place: f64| Spring { place, stiffness: 400.0, damping: 40.0 };
    let id = world.link(rail.draw_travel(spring(-2.0), 100.0).expect("a motor")).expect("here");
    for floor in [-1.0, -3.0] {
        world.change_joint(id, |joint| joint.draw_travel(spring(floor), 100.0)).expect("a motor");
        (0..960).for_each(|_| drop(world.step(DT).expect("a step")));
        let sag = 9.81 / 400.0;
        assert!((place(&world, cabin).z - (floor - sag)).abs() < 1e-3, "{floor}");
    }
}

#[test]
fn springs_that_are_none_are_refused() {
    let bodies = [0, 1];
    let anchors = [anchor(0.0), anchor(0.0)];
    let spring = Spring { place: 1.0, stiffness: 1.0, damping: 0.0 };
    for wrong in [
        Spring { stiffness: 0.0, ..spring },
        Spring { stiffness: f64::INFINITY, ..spring },
        Spring { damping: -1.0, ..spring },
        Spring { place: f64::INFINITY, ..spring },
    ] {
        let refused = Joint::spring(bodies, anchors, wrong);
        assert!(matches!(refused, Err(JointError::Spring(_))), "{wrong:?}");
    }
    let near = Spring { place: -1.0, ..spring };
    assert_eq!(Joint::spring(bodies, anchors, near), Err(JointError::Distance(-1.0)));
    assert_eq!(Joint::rope(bodies, anchors, -1.0), Err(JointError::Distance(-1.0)));
    assert!(Joint::distance(bodies, anchors, f64::NAN).is_err());
    let ball = Joint::ball(bodies, anchors).expect("two");
    assert!(matches!(ball.draw_angle(spring, 1.0), Err(JointError::Missing(_))));
}
