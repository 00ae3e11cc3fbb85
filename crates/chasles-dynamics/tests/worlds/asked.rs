//! Loads that callers put on bodies, and questions that they ask between steps.

use chasles_dynamics::world::Load;
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

fn weightless() -> World {
    World::new(Options { gravity: DVec3::ZERO, ..crate::options() })
}

#[test]
fn a_force_accelerates_and_a_torque_spins_up() {
    let mut world = weightless();
    let id = world.add(dynamic(&cuboid([1.0, 2.0, 3.0]), 1.0));
    let mass_properties = *world.bodies()[0].mass_properties().expect("dynamic");
    world.load(id, Load { force: DVec3::X * 3.0, torque: DVec3::Z * 0.5 });
    for _ in 0..60 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let body = &world.bodies()[0];
    let speed = 3.0 / mass_properties.mass();
    assert!((body.velocity().linear - DVec3::X * speed).length() < 1e-12);
    assert!((body.pose().position() - DVec3::X * 0.5 * speed).length() < 1e-12);
    let [_, angular] = body.momentum();
    let about_origin =
        angular - body.centre().cross(body.velocity().linear * mass_properties.mass());
    assert!((about_origin - DVec3::Z * 0.5).length() < 1e-12, "{about_origin}");
}

#[test]
fn a_load_that_is_less_than_friction_moves_nothing_and_more_does() {
    for (force, slides) in [(4.8, false), (5.0, true)] {
        let mut world = World::new(crate::options());
        world.add(floor());
        let body = dynamic(&cuboid([1.0, 1.0, 0.2]), 1.0 / 0.2).made_of(made_of(0.0, 0.5));
        let id = world.add(body.at(at(0.0, 0.0, 0.10001)));
        for _ in 0..120 {
            world.step(1.0 / 60.0).expect("a step");
        }
        assert!(world.bodies()[id.0].is_asleep());
        world.load(id, Load { force: DVec3::X * force, ..Load::default() });
        for _ in 0..60 {
            world.step(1.0 / 60.0).expect("a step");
        }
        let way = world.bodies()[id.0].pose().position().x;
        let expected = if slides { 0.5 * (force - 0.5 * 9.81) } else { 0.0 };
        assert!((way - expected).abs() < 2e-3, "{way} for {expected} by {force}");
    }
}

#[test]
fn a_kick_changes_momentum_by_itself() {
    let mut world = weightless();
    let id = world.add(dynamic(&cuboid([0.3, 0.2, 0.1]), 1000.0).at(at(1.0, 2.0, 3.0)));
    let [impulse, point] = [DVec3::new(1.0, -2.0, 0.5), DVec3::new(1.1, 2.1, 3.0)];
    world.apply_impulse(id, impulse, point);
    let [linear, angular] = world.bodies()[0].momentum();
    assert!((linear - impulse).length() < 1e-12);
    assert!((angular - point.cross(impulse)).length() < 1e-12, "{angular}");
}

#[test]
fn a_load_that_is_not_finite_is_refused() {
    let mut world = weightless();
    let id = world.add(dynamic(&cuboid([1.0; 3]), 1.0));
    world.load(id, Load { torque: DVec3::X * f64::NAN, ..Load::default() });
    assert_eq!(world.step(0.01), Err(WorldError::Load(id)));
}

#[test]
fn rays_strike_what_is_first() {
    let mut world = weightless();
    let cube = cuboid([1.0; 3]);
    for x in [4.0, 2.0, 8.0] {
        world.add(dynamic(&cube, 1.0).at(at(x, 0.0, 0.0)));
    }
    let struck = world.ray(DVec3::new(0.0, 0.2, 0.1), DVec3::new(10.0, 0.2, 0.1)).expect("a cube");
    assert_eq!(struck.body, BodyId(1));
    assert!((struck.share - 0.15).abs() < 1e-15, "{}", struck.share);
    assert!((struck.point - DVec3::new(1.5, 0.2, 0.1)).length() < 1e-14);
    assert!((struck.normal + DVec3::X).length() < 1e-14);
    let back = world.ray(DVec3::new(10.0, 0.2, 0.1), DVec3::new(6.0, 0.2, 0.1)).expect("a cube");
    assert_eq!(back.body, BodyId(2));
    assert!((back.normal - DVec3::X).length() < 1e-14);
    assert_eq!(world.ray(DVec3::ZERO, DVec3::new(10.0, 8.0, 0.0)), None);
    assert_eq!(world.ray(DVec3::NAN, DVec3::X), None);
}

#[test]
fn a_ray_from_within_strikes_the_inside() {
    let mut world = weightless();
    world.add(Body::fixed(cuboid([2.0; 3])));
    let struck = world.ray(DVec3::ZERO, DVec3::new(4.0, 0.3, 0.1)).expect("its own wall");
    assert!((struck.point.x - 1.0).abs() < 1e-14);
    assert!((struck.normal + DVec3::X).length() < 1e-14);
}

#[test]
fn boxes_and_distances_find_their_bodies() {
    let mut world = weightless();
    let cube = cuboid([1.0; 3]);
    let ids = [0.0, 1.1, 2.5].map(|x| world.add(dynamic(&cube, 1.0).at(at(x, 0.0, 0.0))));
    assert_eq!(world.within(DVec3::splat(-0.1), DVec3::splat(0.7)), ids[..2]);
    assert_eq!(world.within(DVec3::splat(5.0), DVec3::splat(6.0)), []);
    let near = world.near(ids[1], 0.2);
    assert!(!near.is_empty() && near.iter().all(|(other, _)| *other == ids[0]));
    assert!(near.iter().all(|(_, place)| (place.gap - 0.1).abs() < 1e-14));
    world.ignore(ids[0], ids[1]);
    assert_eq!(world.near(ids[1], 0.2).len(), 0);
}

#[test]
fn a_blow_to_a_sleeper_wakes_only_those_nearby() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let cube = cuboid([0.2; 3]);
    for x in [0.0, 3.0, 6.0] {
        world.add(dynamic(&cube, 1000.0).at(at(x, 0.0, 0.10001)));
    }
    for _ in 0..60 {
        world.step(1.0 / 60.0).expect("a step");
    }
    assert!(world.bodies()[1..].iter().all(Body::is_asleep));
    let bullet = dynamic(&cube, 1000.0).at(at(-0.4, 0.0, 0.15));
    world.add(bullet.moving(DVec3::X * 20.0, DVec3::ZERO));
    let impacts = world.step(1.0 / 60.0).expect("a step").impacts.len();
    let sleeps = [1, 2, 3].map(|i: usize| world.bodies()[i].is_asleep());
    assert!(impacts > 0);
    assert_eq!(sleeps, [false, true, true], "the step needs no island of all bodies");
}
