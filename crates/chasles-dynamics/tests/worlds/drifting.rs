//! Bodies that nothing holds go on as they are, however slowly; those that something carries sleep.

use chasles::Pose;
use chasles_dynamics::body::Velocity;
use chasles_dynamics::{Body, Options, World};
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

fn weightless() -> World {
    World::new(Options { gravity: DVec3::ZERO, ..crate::options() })
}

fn run(world: &mut World, steps: u32) {
    for _ in 0..steps {
        world.step(1.0 / 60.0).expect("a step");
    }
}

#[test]
fn a_body_without_weight_drifts_and_turns_for_ever() {
    let mut world = weightless();
    world.add(floor());
    let cube = cuboid([0.2; 3]);
    let [slow, turn] = [DVec3::new(1e-3, 0.0, -1e-7), DVec3::new(0.0, 1e-3, 0.0)];
    world.add(dynamic(&cube, 1000.0).at(at(0.0, 0.0, 0.5)).moving(slow, DVec3::ZERO));
    world.add(dynamic(&cube, 1000.0).at(at(5.0, 0.0, 0.5)).moving(DVec3::ZERO, turn));
    world.add(dynamic(&cube, 1000.0).at(at(-5.0, 0.0, 0.5)));
    run(&mut world, 600);
    let [drifts, turns, rests] = [1, 2, 3].map(|i: usize| &world.bodies()[i]);
    assert_eq!(drifts.velocity().linear, slow);
    assert!((drifts.pose().position().x - 0.01).abs() < 1e-12, "at {}", drifts.pose().position());
    assert!(turns.velocity().angular.distance(turn) < 1e-15);
    assert!(rests.is_asleep() && !drifts.is_asleep() && !turns.is_asleep());
}

#[test]
fn bodies_that_drift_together_keep_their_momentum() {
    // Each is in the box of the other, or touches it.
    let cube = cuboid([0.2; 3]);
    for gap in [1e-2, 1e-5] {
        let mut world = weightless();
        let slow = DVec3::new(1e-3, -5e-4, 0.0);
        for x in [0.0, 0.2 + gap] {
            world.add(dynamic(&cube, 1000.0).at(at(x, 0.0, 0.0)).moving(slow, DVec3::ZERO));
        }
        run(&mut world, 120);
        for body in world.bodies() {
            assert!(body.velocity().linear.distance(slow) < 1e-15, "{gap}: {:?}", body.velocity());
        }
    }
}

#[test]
fn a_body_that_slides_along_a_wall_without_pressing_on_it_goes_on() {
    let mut world = weightless();
    world.add(floor());
    let slow = DVec3::X * 1e-3;
    world.add(
        dynamic(&cuboid([0.2; 3]), 1000.0).at(at(0.0, 0.0, 0.10001)).moving(slow, DVec3::ZERO),
    );
    run(&mut world, 120);
    assert!(world.bodies()[1].velocity().linear.distance(slow) < 1e-15);
}

#[test]
fn what_stands_on_what_stands_sleeps() {
    for springs in [None, Some(chasles_dynamics::world::Springs::default())] {
        let mut world = World::new(Options { springs, ..crate::options() });
        world.add(floor().made_of(made_of(0.0, 0.6)));
        let cube = cuboid([0.3; 3]);
        for i in 0..4 {
            world.add(dynamic(&cube, 500.0).at(at(0.0, 0.0, 0.1501 + 0.3001 * f64::from(i))));
        }
        run(&mut world, 240);
        let is_still = |body: &Body| body.is_asleep() && body.velocity() == Velocity::ZERO;
        assert!(world.bodies()[1..].iter().all(is_still), "with springs {springs:?}");
    }
}

#[test]
fn of_two_materials_the_lower_restitution_and_the_larger_friction_count() {
    let [dull, lively] = [made_of(0.25, 0.4), made_of(0.75, 0.1)];
    for [ground, thrown] in [[dull, lively], [lively, dull]] {
        for is_thrown_first in [false, true] {
            // By events: in a window it has turned by friction when it bounces.
            let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::events() });
            let velocity = DVec3::new(12.0, 0.0, -2.0);
            let down = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::NEG_Z);
            let pose = Pose::new([0.0, 0.0, 0.5], down).expect("finite");
            let cube = dynamic(&cuboid([0.2; 3]), 1000.0).at(pose).made_of(thrown);
            let bodies = [floor().made_of(ground), cube.moving(velocity, DVec3::ZERO)];
            let mut numbers = [0, 1];
            if is_thrown_first {
                numbers.reverse();
            }
            numbers.iter().for_each(|&i| _ = world.add(bodies[i].clone()));
            let mut impacts = Vec::new();
            while impacts.is_empty() {
                impacts = world.step(1.0 / 60.0).expect("a step").impacts;
            }
            let body = &world.bodies()[usize::from(!is_thrown_first)];
            let after = body.velocity().linear;
            let mass = body.mass_properties().expect("a mass").mass();
            let impulse: DVec3 = impacts.iter().map(|impact| impact.impulse).sum();
            let impulse = if is_thrown_first { impulse } else { -impulse };
            // It lands on a corner below its centre, so it slides, and what slides does not lift
            // it.
            assert!((after.z / 2.0 - 0.25).abs() < 1e-9, "it leaves with {after}");
            let rubbed = -impulse.x / impulse.z;
            assert!((rubbed - 0.4).abs() < 1e-9, "the ratio of impulses is {rubbed}");
            assert!((impulse / mass - (after - velocity)).length() < 1e-9);
        }
    }
}
