//! Bodies that are kept from moving in some directions, by both ways to step.

use chasles::Pose;
use chasles_dynamics::body::{Locks, Velocity};
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::world::{Load, Stepping};
use chasles_dynamics::{Body, Options, World};
use glam::{DQuat, DVec3, Vec3Swizzles};

use crate::scenes::{at, cuboid, dynamic, energy, floor, made_of};

const DT: f64 = 1.0 / 60.0;

/// Both ways to step, with this gravity.
fn both(gravity: DVec3) -> [Options; 2] {
    [Options::default(), Options::windows()].map(|options| Options { gravity, ..options })
}

fn kinetic(world: &World) -> f64 {
    world.bodies().iter().map(Body::kinetic_energy).sum()
}

fn locks(shifts: [bool; 3], turns: [bool; 3]) -> Locks {
    Locks { shifts, turns }
}

#[test]
fn free_directions_are_as_exact_as_free_flight() {
    let gravity = DVec3::new(0.3, -0.4, -9.81);
    for options in both(gravity) {
        let mut world = World::new(options);
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -0.8, 1.3);
        let pose = Pose::new([1.0, 2.0, 3.0], turn).expect("finite");
        let [linear, angular] = [DVec3::new(2.0, 3.0, 1.0), DVec3::new(5.0, -4.0, 3.0)];
        let brick = dynamic(&cuboid([0.5, 1.0, 2.0]), 1.0).at(pose);
        // Slides along x and y, and turns about y alone.
        let locked =
            brick.moving(linear, angular).locked(locks([false, false, true], [true, false, true]));
        world.add(locked);
        let steps = 120;
        (0..steps).for_each(|_| assert!(world.step(DT).is_ok()));
        let t = f64::from(steps) * DT;
        let body = &world.bodies()[0];
        let free = DVec3::new(1.0, 1.0, 0.0);
        let expected = DVec3::new(1.0, 2.0, 3.0) + free * (linear * t + 0.5 * gravity * t * t);
        assert!(body.centre().distance(expected) < 1e-9, "{} for {expected}", body.centre());
        assert_eq!(body.velocity().angular, DVec3::Y * angular.y);
        let turned = body.pose().rotation() * turn.conjugate();
        let off = (turned * DQuat::from_rotation_y(-angular.y * t)).xyz().length();
        assert!(off < 1e-12, "turned by {turned}");
    }
}

#[test]
fn turns_about_two_axes_keep_energy_and_the_momentum_about_them() {
    for options in both(DVec3::ZERO) {
        let mut world = World::new(options);
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -0.8, 1.3);
        let pose = Pose::new([0.0; 3], turn).expect("finite");
        let brick = dynamic(&cuboid([0.5, 1.0, 2.0]), 1.0).at(pose);
        let locked = locks([true; 3], [false, false, true]);
        world.add(brick.moving(DVec3::ZERO, DVec3::new(5.0, -4.0, 3.0)).locked(locked));
        let account = |world: &World| (kinetic(world), world.bodies()[0].momentum()[1]);
        let (before, spin) = account(&world);
        (0..300).for_each(|_| assert!(world.step(DT).is_ok()));
        let (after, left) = account(&world);
        assert!((after / before - 1.0).abs() < 1e-7, "{before} J became {after} J");
        assert!((left - spin).truncate().length() < 1e-10 * spin.length(), "{left} for {spin}");
        assert_eq!(world.bodies()[0].velocity().angular.z, 0.0);
        assert_eq!(world.bodies()[0].pose().position(), DVec3::ZERO);
    }
}

#[test]
fn a_torque_about_the_free_axis_turns_a_table() {
    for options in both(DVec3::NEG_Z * 9.81) {
        let mut world = World::new(options);
        // Tilted, so that its moment about the axis is none of its own three.
        let turn = DQuat::from_rotation_x(0.6);
        let plate = dynamic(&cuboid([2.0, 2.0, 0.1]), 10.0);
        let plate = plate.at(Pose::new([0.0; 3], turn).expect("finite"));
        let id = world.add(plate.locked(locks([true; 3], [true, true, false])));
        world.load(id, Load { torque: DVec3::new(7.0, -3.0, 2.0), ..Load::default() });
        (0..60).for_each(|_| assert!(world.step(DT).is_ok()));
        // m (a² + b²) / 12 about the normal of the plate, m (b² + c²) / 12 about one in it.
        let [flat, edgewise] = [4.0 * 8.0 / 12.0, 4.0 * 4.01 / 12.0];
        let rate = 2.0 / (flat * 0.6f64.cos().powi(2) + edgewise * 0.6f64.sin().powi(2));
        let body = &world.bodies()[0];
        assert!(body.velocity().angular.distance(DVec3::Z * rate) < 1e-9, "{:?}", body.velocity());
        let turned = DQuat::from_rotation_z(0.5 * rate) * turn;
        assert!((body.pose().rotation() * turned.conjugate()).xyz().length() < 1e-9);
        assert_eq!(body.pose().position(), DVec3::ZERO);
    }
}

#[test]
fn impacts_keep_energy_and_the_momentum_along_free_directions() {
    for options in both(DVec3::ZERO) {
        let mut world = World::new(options);
        let cube = cuboid([1.0; 3]);
        let bouncy = made_of(1.0, 0.0);
        let rail = locks([false, true, true], [true; 3]);
        let first = dynamic(&cube, 2.0).made_of(bouncy).locked(rail);
        // Tilted, off the rail, and free: it is thrown aside and spins.
        let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.4, -0.8, 1.3);
        let pose = Pose::new([2.5, 0.3, 0.2], turn).expect("finite");
        let second = dynamic(&cube, 1.0).made_of(bouncy).at(pose);
        world.add(first.moving(DVec3::new(3.0, 1.0, 1.0), DVec3::ONE));
        world.add(second);
        assert_eq!(world.bodies()[0].velocity().linear, DVec3::X * 3.0);
        let along =
            |world: &World| -> f64 { world.bodies().iter().map(|body| body.momentum()[0].x).sum() };
        let (before, push) = (kinetic(&world), along(&world));
        (0..60).for_each(|_| assert!(world.step(DT).is_ok()));
        let [first, second] = [0, 1].map(|i| world.bodies()[i].velocity());
        assert!(second.linear.x > 2.0 && second.angular.length() > 0.1, "{second:?}");
        assert!(first.linear.x < 2.5 && first.angular == DVec3::ZERO, "{first:?}");
        assert_eq!([first.linear.y, first.linear.z], [0.0; 2]);
        assert!((along(&world) - push).abs() < 1e-9 * push, "{} for {push}", along(&world));
        // A window ends after its impact: some of the bounce is lost where bodies turn meanwhile.
        let most = if options.stepping == Stepping::Events { 1e-6 } else { 0.02 };
        let left = kinetic(&world) / before;
        assert!(left < 1.0 + 1e-9 && left > 1.0 - most, "{left} of {before} J");
    }
}

#[test]
fn what_lies_on_a_locked_body_rests() {
    for options in both(DVec3::NEG_Z * 9.81) {
        let mut world = World::new(options);
        world.add(floor());
        let shelf = dynamic(&cuboid([2.0, 2.0, 0.1]), 1.0).at(at(0.0, 0.0, 2.0));
        world.add(shelf.locked(locks([false, false, true], [true; 3])));
        world.add(dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.3, 0.2, 2.31)));
        let mut waits = 0;
        for _ in 0..120 {
            waits += world.step(DT).expect("a step").waiting.len();
        }
        let [shelf, cube] = [1, 2].map(|i| world.bodies()[i].pose().position());
        assert_eq!((shelf.z, waits), (2.0, 0));
        assert!((cube.z - 2.3).abs() < 2e-3 && cube.distance(DVec3::new(0.3, 0.2, 2.3)) < 1e-2);
    }
}

#[test]
fn what_is_pressed_against_locked_directions_does_not_move() {
    for options in both(DVec3::NEG_Z * 9.81) {
        let mut world = World::new(options);
        world.add(floor());
        // It could only go sideways, and the weight above asks it to go down.
        let anvil = dynamic(&cuboid([0.5; 3]), 1.0).at(at(0.0, 0.0, 0.2505));
        world.add(anvil.locked(locks([false, true, true], [true; 3])));
        world.add(dynamic(&cuboid([0.4; 3]), 1000.0).at(at(0.0, 0.0, 0.702)));
        (0..120).for_each(|_| assert!(world.step(DT).is_ok()));
        assert_eq!(world.bodies()[1].pose().position().z, 0.2505);
        assert!(world.bodies()[2].pose().position().z > 0.69);
    }
}

#[test]
fn joints_move_a_locked_body_along_its_rail_only() {
    for options in both(DVec3::NEG_Z * 9.81) {
        let mut world = World::new(options);
        let cube = cuboid([0.2; 3]);
        let slider = dynamic(&cube, 1000.0).locked(locks([false, true, true], [true; 3]));
        let bob = dynamic(&cube, 1000.0).at(at(1.0, 0.0, 0.0));
        let [a, b] = [slider, bob].map(|body| world.add(body).0);
        let anchors = [Anchor::at([0.0; 3]), Anchor::at([-1.0, 0.0, 0.0])];
        let anchors = anchors.map(|anchor| anchor.expect("finite"));
        let joint = Joint::ball([a, b], anchors).expect("two bodies");
        world.join(joint).expect("bodies of this world");
        let before = energy(&world);
        for _ in 0..120 {
            world.step(DT).expect("a step");
            let [slider, bob] = [0, 1].map(|i| world.bodies()[i].centre());
            assert!(slider.yz().abs().max_element() < 1e-12, "{slider}");
            // Nothing pushes the two sideways: their centre stays.
            assert!((slider.x + bob.x - 1.0).abs() < 1e-3, "{slider} {bob}");
        }
        assert!((energy(&world) - before).abs() < 0.02 * 8.0 * 9.81, "{}", energy(&world));
        assert!(world.bodies()[0].pose().position().x.abs() > 1e-3);
    }
}

#[test]
fn locks_can_be_changed_while_a_world_runs() {
    let mut world = World::new(Options::default());
    let id = world.add(dynamic(&cuboid([0.2; 3]), 1.0).moving(DVec3::X, DVec3::Y));
    world.lock(id, locks([true, false, true], [true; 3]));
    assert_eq!(world.bodies()[id.0].velocity(), Velocity::ZERO);
    world.step(DT).expect("a step");
    assert_eq!(world.bodies()[id.0].pose(), Pose::IDENTITY);
    world.lock(id, Locks::NONE);
    world.step(DT).expect("a step");
    assert!(world.bodies()[id.0].pose().position().z < 0.0);
    // A body without mass has nothing to lock.
    let fixed = Body::fixed(cuboid([0.2; 3])).at(at(5.0, 0.0, 0.0)).locked(Locks::TURNS);
    let id = world.add(fixed);
    assert!(world.bodies()[id.0].mass_properties().is_none());
}
