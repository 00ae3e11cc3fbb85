//! Linked bodies that are apart at the start collide with each other; those that are not pass
//! through.

use std::f64::consts::FRAC_PI_2;

use chasles::Pose;
use chasles::mesh::shapes::{Capsule, Shape};
use chasles::near::{self, Workspace};
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::{BodyId, Options, World, WorldError};
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, solid};

/// A cube over a floor, or in it, and a vertical rail for it.
fn on_a_rail(height: f64) -> (World, Joint) {
    let mut world = World::new(Options::events());
    world.add(floor());
    world.add(dynamic(&cuboid([0.5; 3]), 1000.0).at(at(0.0, 0.0, height)));
    let rail = Anchor::along(DVec3::ZERO, DVec3::Z).expect("finite");
    let poses = [0, 1].map(|i| world.bodies()[i].pose());
    let joint = Joint::rail([0, 1], rail.in_bodies([&poses[0], &poses[1]])).expect("two");
    (world, joint)
}

/// Where the cube is after a second.
fn height(world: &mut World) -> f64 {
    for _ in 0..60 {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.bodies()[1].centre().z
}

const PAIR: [BodyId; 2] = [BodyId(0), BodyId(1)];

#[test]
fn linked_bodies_collide_unless_they_overlap_at_the_start() {
    let (mut apart, joint) = on_a_rail(0.3);
    apart.link(joint).expect("bodies of the world");
    assert!((0.25..0.2501).contains(&height(&mut apart)));
    assert_eq!(apart.ignored().count(), 0);
    let (mut inside, joint) = on_a_rail(0.2);
    inside.link(joint).expect("bodies of the world");
    assert!(height(&mut inside) < -2.0);
    assert_eq!(inside.ignored().collect::<Vec<_>>(), [PAIR]);
    // That they overlap later, while others are added, changes nothing.
    inside.add(dynamic(&cuboid([0.5; 3]), 1000.0).at(at(9.0, 0.0, 0.5)));
    inside.step(1.0 / 60.0).expect("a step");
}

#[test]
fn bodies_that_shall_collide_may_not_overlap_and_ignored_ones_pass() {
    let (mut joined, joint) = on_a_rail(0.2);
    joined.join(joint).expect("bodies of the world");
    assert_eq!(joined.step(0.01), Err(WorldError::Overlap(PAIR[0], PAIR[1])));
    let (mut ignored, joint) = on_a_rail(0.3);
    ignored.link(joint).expect("bodies of the world");
    ignored.ignore(PAIR[1], PAIR[0]);
    assert!(height(&mut ignored) < -2.0);
    assert_eq!(ignored.ignored().collect::<Vec<_>>(), [PAIR]);
}

/// A leg of a foot, a shin and a thigh, bent at the knee, with brakes that are too weak for it.
/// Each joint turns about the middle of a round end, so that neighbours keep their gap.
fn leg(gap: f64) -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    let limb = |radius: f64, length: f64| {
        solid(&Shape::Capsule(Capsule { radius, length, segments: [10, 4] }))
    };
    let upright = |turn: f64, middle: DVec3| {
        let turn = DQuat::from_rotation_y(turn) * DQuat::from_rotation_x(FRAC_PI_2);
        Pose::new(middle, turn).expect("finite")
    };
    let [along_shin, along_thigh] =
        [0.15, -0.45].map(|turn| DQuat::from_rotation_y(turn) * DVec3::Z);
    let ankle = DVec3::Z * (0.07 + gap + 0.045);
    let knee = ankle + along_shin * (0.33 + 0.045 + gap + 0.06);
    world.add(dynamic(&cuboid([0.26, 0.1, 0.07]), 600.0).at(at(0.05, 0.0, 0.0351)));
    let shin = upright(0.15, ankle + along_shin * 0.165);
    world.add(dynamic(&limb(0.045, 0.33), 1500.0).at(shin));
    let thigh = upright(-0.45, knee + along_thigh * 0.16);
    world.add(dynamic(&limb(0.06, 0.32), 9000.0).at(thigh));
    for (bodies, point) in [([1, 2], ankle), ([2, 3], knee)] {
        let [a, b] = bodies.map(|i| world.bodies()[i].pose());
        let anchors = Anchor::along(point, DVec3::Y).expect("finite").in_bodies([&a, &b]);
        let hinge = Joint::hinge(bodies, anchors).expect("two");
        let hinge = hinge.limit_angle(-1.2, 1.2).expect("an interval");
        world.link(hinge.drive_angle(0.0, 10.0).expect("a motor")).expect("bodies of the world");
    }
    world
}

/// Neighbours are gathered as touches before they touch, here for all of the time. Joints that
/// drift open in a part must be free to close these touches as far as their gaps allow.
#[test]
fn joints_of_neighbours_that_almost_touch_stay_closed() {
    for gap in [0.002, 0.006] {
        for rate in [30.0, 60.0] {
            let mut world = leg(gap);
            for step in 0..60 {
                let report = world.step(1.0 / rate).expect("a step");
                let told = format!("a gap of {gap} m, step {step} of 1/{rate} s");
                assert!(report.gap.length < 1e-6, "{told}: joints open by {} m", report.gap.length);
                assert!(report.waiting.is_empty(), "{told}: {:?} wait", report.waiting);
            }
            let height = world.bodies()[3].centre().z;
            assert!(height < 0.6, "the leg does not give way: its thigh is at {height} m");
        }
    }
}

/// A thigh without brakes and limits folds onto its shin.
#[test]
fn neighbours_stop_each_other_where_no_limit_does() {
    let braked = leg(0.006);
    let mut world = World::new(crate::options());
    for body in braked.bodies() {
        world.add(body.clone());
    }
    for joint in braked.joints() {
        world.link(Joint::hinge(joint.bodies(), joint.anchors()).expect("two")).expect("bodies");
    }
    let mut workspace = Workspace::new();
    let mut nearest = f64::INFINITY;
    for step in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
        for [a, b] in [[1, 2], [2, 3], [1, 3]].map(|pair| pair.map(|i| &world.bodies()[i])) {
            let poses = [a.pose(), b.pose()];
            let [a, b] = [a.collider(), b.collider()];
            assert!(!near::intersect(a, b, poses, &mut workspace), "in each other in step {step}");
        }
        let [shin, thigh] = [2, 3].map(|i| world.bodies()[i].pose());
        nearest = nearest.min(shin.position().distance(thigh.position()));
    }
    // The middles of limbs that lie in a line are 0.46 m apart; passing through, they would meet.
    assert!((0.1..0.3).contains(&nearest), "the middles come as near as {nearest} m");
}
