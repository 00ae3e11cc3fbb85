//! Gentle contact by springs.

use chasles_dynamics::world::Springs;
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

fn springy() -> World {
    World::new(Options { springs: Some(Springs::default()), ..Options::default() })
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
        let options = Options {
            gravity: DVec3::ZERO,
            springs: Some(Springs::default()),
            ..Options::default()
        };
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
    let mut world = World::new(Options { springs: Some(springs), ..Options::default() });
    assert_eq!(world.step(0.01), Err(WorldError::Springs(springs)));
}
