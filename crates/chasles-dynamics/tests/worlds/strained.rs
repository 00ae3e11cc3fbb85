//! What joints bear, and joints that break.

use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::world::{ChangeError, JointForce, Load, Strength};
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor};

const DT: f64 = 1.0 / 120.0;

/// Cubes of a kilogram in a row along x from a post, a metre from each other, and what joins them
/// in the middle between.
fn row(count: usize, joint: impl Fn([usize; 2], [Anchor; 2]) -> Joint) -> (World, Vec<BodyId>) {
    let mut world = World::new(Options::default());
    let mut ids = vec![world.add(Body::fixed(cuboid([0.1; 3])))];
    let cube = cuboid([0.1; 3]);
    let anchor = |x: f64| Anchor::along([x, 0.0, 0.0], DVec3::Y).expect("finite");
    for i in 1..=count {
        ids.push(world.add(dynamic(&cube, 1000.0).at(at(i as f64, 0.0, 0.0))));
        let pair = [ids[i - 1].0, ids[i].0];
        world.link(joint(pair, [anchor(0.5), anchor(-0.5)])).expect("of the world");
    }
    world.listen(true);
    (world, ids)
}

fn weld(bodies: [usize; 2], anchors: [Anchor; 2]) -> Joint {
    Joint::weld(bodies, anchors).expect("two")
}

fn forces(world: &mut World) -> Vec<JointForce> {
    world.step(DT).expect("a step").joint_forces
}

#[test]
fn a_beam_bears_its_weight_and_the_moment_of_it() {
    let (mut world, _) = row(3, weld);
    let mut last = Vec::new();
    (0..10).for_each(|_| last = forces(&mut world));
    assert_eq!(last.len(), 3);
    for (i, bore) in last.iter().enumerate() {
        // The second body is held up: by joint i hang 3 - i kilograms, at 0.5, 1.5, ... metres.
        let hung = 3 - i;
        let weight = 9.81 * hung as f64;
        let moment: f64 = (0..hung).map(|k| 9.81 * (k as f64 + 0.5)).sum();
        assert!(bore.force.distance(DVec3::Z * weight) < 1e-3 * weight, "{bore:?}");
        assert!(bore.torque.distance(DVec3::Y * -moment) < 1e-3 * moment, "{bore:?}");
    }
}

/// The floor carries a cube but for what friction and its reach beside the centre leave to the
/// joint.
#[test]
fn a_joint_bears_what_a_contact_does_not() {
    let hinge = |bodies, anchors| Joint::hinge(bodies, anchors).expect("two");
    for (joint, carried) in [(weld as fn(_, _) -> _, false), (hinge, true)] {
        let (mut world, _) = row(1, joint);
        let gap = if carried { 1e-4 } else { 0.1 };
        world.add(floor().at(at(1.0, 0.0, -0.55 - gap)));
        let mut bore = Vec::new();
        (0..20).for_each(|_| bore = forces(&mut world));
        let weight = bore[0].force.z / 9.81;
        assert!(
            if carried { weight.abs() < 0.25 } else { (weight - 1.0).abs() < 1e-3 },
            "{weight}"
        );
        assert!(
            !carried || bore[0].torque.y.abs() < 0.05,
            "hinges bear no torque about themselves"
        );
    }
}

/// A circling weight is held by the centripetal force; a motor's torque is part of what is borne.
#[test]
fn motion_and_motors_count() {
    let hinge = |bodies, anchors| Joint::hinge(bodies, anchors).expect("two");
    let (mut world, ids) = row(1, hinge);
    world.set_gravity(DVec3::ZERO);
    let speed = 2.0;
    let turn = DVec3::Y * speed;
    let state = world.body(ids[1]).expect("there").pose();
    let velocity = turn.cross(DVec3::X * 0.5);
    let velocity = chasles_dynamics::body::Velocity { linear: velocity, angular: turn };
    world.place(ids[1], state, velocity).expect("free");
    let bore = forces(&mut world);
    assert!((bore[0].force.length() - speed * speed * 0.5).abs() < 0.02, "{bore:?}");
    let joint = world.joint_ids().next().expect("one").0;
    world.change_joint(joint, |joint| joint.drive_angle(100.0, 3.0)).expect("a motor");
    let bore = forces(&mut world);
    assert!((bore[0].torque.y - 3.0).abs() < 0.1, "{bore:?}");
}

#[test]
fn a_joint_breaks_where_it_bears_too_much_and_what_hung_on_it_falls() {
    let (mut world, ids) = row(2, weld);
    world.listen(false);
    let joints: Vec<_> = world.joint_ids().map(|(id, _)| id).collect();
    let strength = Strength { force: 25.0, torque: f64::INFINITY };
    for &joint in &joints {
        world.set_strength(joint, Some(strength)).expect("there");
    }
    let moment = world.save();
    for _ in 0..10 {
        let report = world.step(DT).expect("a step");
        assert!(report.broken.is_empty() && report.events.is_empty());
    }
    world.load(ids[2], Load { force: DVec3::Z * -6.0, ..Load::default() });
    let broken: Vec<_> = (0..3).flat_map(|_| world.step(DT).expect("a step").broken).collect();
    assert_eq!(broken, [joints[0]], "two weights and six newtons are too much for the first alone");
    (0..60).for_each(|_| drop(world.step(DT).expect("a step")));
    assert!(world.body(ids[1]).expect("there").pose().position().z < -0.5);
    assert_eq!(world.set_strength(joints[0], None), Err(ChangeError::NoJoint(joints[0])));
    world.restore(&moment).expect("the same world");
    world.set_strength(joints[0], None).expect("it is whole again");
    world.load(ids[2], Load { force: DVec3::Z * -6.0, ..Load::default() });
    assert!((0..3).all(|_| world.step(DT).expect("a step").broken.is_empty()));
}
