//! Gentle contact by springs.

use chasles::Pose;
use chasles_dynamics::world::Springs;
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

fn springy() -> World {
    World::new(Options { springs: Some(Springs::default()), ..crate::options() })
}

#[test]
fn a_stack_comes_to_rest_on_springs() {
    let mut world = springy();
    world.add(floor());
    let cube = cuboid([1.0; 3]);
    for i in 0..3 {
        world.add(dynamic(&cube, 1.0).at(at(0.0, 0.0, 0.502 + 1.002 * f64::from(i))));
    }
    for _ in 0..240 {
        world.step(1.0 / 60.0).expect("a step");
    }
    assert!(world.bodies()[1..].iter().all(Body::is_asleep));
    // Impulses keep a gap of 5e-5; springs carry from where they begin.
    let below = world.near(BodyId(1), 1e-3);
    let below: Vec<f64> = below.iter().filter(|(id, _)| id.0 == 0).map(|(_, p)| p.gap).collect();
    assert_eq!(below.len(), 4);
    assert!(below.iter().all(|gap| *gap > 2e-4), "{below:?}");
}

#[test]
fn gentle_bounces_on_springs_are_as_high_as_hard_ones_by_impulses() {
    for (speed, restitution) in [(0.3, 0.5), (0.3, 1.0), (2.0, 0.5)] {
        let options =
            Options { gravity: DVec3::ZERO, springs: Some(Springs::default()), ..crate::options() };
        let mut world = World::new(options);
        world.add(floor().made_of(made_of(1.0, 0.0)));
        let body = dynamic(&cuboid([0.4; 3]), 1.0).made_of(made_of(restitution, 0.0));
        world.add(body.at(at(0.0, 0.0, 0.3)).moving(DVec3::Z * -speed, DVec3::ZERO));
        let mut impacts = 0;
        for _ in 0..60 {
            impacts += world.step(1.0 / 60.0).expect("a step").impacts.len();
        }
        let back = world.bodies()[1].velocity().linear.z;
        assert!((back / (restitution * speed) - 1.0).abs() < 2e-3, "{back} of {speed}");
        assert_eq!(impacts > 0, speed > 0.5, "impulses for hard contact only");
    }
}

/// A box that comes to a wall on springs, by events, which see all of its bounces: kinetic energy
/// before and after, and the speed back.
fn bounced(size: [f64; 3], degrees: f64, speed: f64, e: f64) -> ([f64; 2], f64) {
    let springs = Some(Springs::default());
    let mut world = World::new(Options { gravity: DVec3::ZERO, springs, ..Options::events() });
    world.add(floor().made_of(made_of(1.0, 0.0)));
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 3.0, 2.0).normalize(), degrees.to_radians());
    let reach = DVec3::from(size).length();
    let pose = Pose::new(DVec3::Z * reach, turn).expect("finite");
    let body = dynamic(&cuboid(size), 1000.0).made_of(made_of(e, 0.0));
    let id = world.add(body.at(pose).moving(DVec3::Z * -speed, DVec3::ZERO));
    let before = world.bodies()[id.0].kinetic_energy();
    let seconds = 2.0 * reach / speed;
    for _ in 0..20 {
        world.step(seconds / 20.0).expect("a step");
        let now = world.bodies()[id.0].kinetic_energy();
        assert!(now < (1.0 + 1e-5) * before, "{now} of {before} J: {size:?} at {speed} m/s");
    }
    let body = &world.bodies()[id.0];
    ([before, body.kinetic_energy()], body.velocity().linear.z)
}

#[test]
fn bounces_on_springs_keep_the_restitution_at_all_speeds_sizes_and_angles() {
    let sizes = [[0.002; 3], [0.02; 3], [0.1; 3], [0.4, 0.3, 0.2], [3.0; 3]];
    for size in sizes {
        for speed in [0.03, 0.1, 0.49, 1.0, 2.0, 8.0, 20.0, 300.0] {
            for degrees in [0.0, 3.0, 40.0] {
                let ([before, after], _) = bounced(size, degrees, speed, 1.0);
                let kept = after / before;
                assert!(kept > 0.97, "{kept} of {size:?}, {degrees} degrees, {speed} m/s");
            }
            let (_, back) = bounced(size, 0.0, speed, 0.5);
            assert!((back / (0.5 * speed) - 1.0).abs() < 0.02, "{back} of {size:?}, {speed} m/s");
        }
    }
}

#[test]
fn a_light_box_between_heavy_ones_gives_back_what_springs_cannot_take() {
    let springs = Some(Springs::default());
    let mut world = World::new(Options { gravity: DVec3::ZERO, springs, ..Options::events() });
    let cube = cuboid([0.4; 3]);
    let heavy = |z: f64, speed: f64| {
        let body = dynamic(&cube, 1e6).made_of(made_of(1.0, 0.0));
        body.at(at(0.0, 0.0, z)).moving(DVec3::Z * speed, DVec3::ZERO)
    };
    world.add(heavy(-0.41, 0.2));
    world.add(dynamic(&cube, 1.0).made_of(made_of(1.0, 0.0)));
    world.add(heavy(0.41, -0.2));
    let energy = |world: &World| world.bodies().iter().map(Body::kinetic_energy).sum::<f64>();
    let before = energy(&world);
    for _ in 0..30 {
        world.step(1.0 / 60.0).expect("a step");
        assert!(energy(&world) < (1.0 + 1e-5) * before);
    }
    let kept = energy(&world) / before;
    assert!(kept > 0.9, "{kept}");
}

#[test]
fn springs_add_no_energy_to_bodies_that_begin_within_their_reach() {
    let mut world = springy();
    world.add(floor());
    let id = world.add(dynamic(&cuboid([1.0; 3]), 1.0).at(at(0.0, 0.0, 0.50003)));
    let mut fastest = 0.0f64;
    for _ in 0..120 {
        world.step(1.0 / 60.0).expect("a step");
        fastest = fastest.max(world.bodies()[id.0].velocity().linear.length());
    }
    assert!(fastest < 0.02, "thrown up at {fastest}");
}

#[test]
fn fast_spinning_boxes_stay_apart_on_springs() {
    let mut world = springy();
    world.add(floor());
    let cube = cuboid([0.3, 0.2, 0.1]);
    for i in 0..6 {
        let spin = DVec3::new(3.0, f64::from(i), -5.0);
        let pose = at(0.02 * f64::from(i), 0.0, 0.4 + 0.4 * f64::from(i));
        world.add(dynamic(&cube, 1000.0).at(pose).moving(DVec3::Z * -3.0, spin));
    }
    let mut memory = chasles::near::Workspace::new();
    for _ in 0..180 {
        world.step(1.0 / 60.0).expect("a step");
        let bodies = world.bodies();
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[..i] {
                let poses = [a.pose(), b.pose()];
                assert!(!chasles::near::intersect(a.collider(), b.collider(), poses, &mut memory));
            }
        }
    }
}

#[test]
fn springs_that_are_none_are_refused() {
    let springs = Springs { period: 0.0, ..Springs::default() };
    let mut world = World::new(Options { springs: Some(springs), ..crate::options() });
    assert_eq!(world.step(0.01), Err(WorldError::Springs(springs)));
}
