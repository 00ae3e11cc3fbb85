//! Contact events: begin, persist and end, with points, normals and impulses.

use chasles_dynamics::world::{ContactEvent, Load, Phase, Springs, Stepping};
use chasles_dynamics::{BodyId, Options, World};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

const DT: f64 = 1.0 / 60.0;

fn both() -> [Options; 2] {
    [Options::default(), Options::windows()]
}

/// A cube of a kilogram above the floor.
fn cube_above_floor(options: Options, height: f64, restitution: f64) -> (World, BodyId) {
    let mut world = World::new(options);
    world.add(floor().made_of(made_of(restitution, 0.5)));
    let body = dynamic(&cuboid([0.5; 3]), 8.0).at(at(0.0, 0.0, 0.25 + height));
    let body = world.add(body.made_of(made_of(restitution, 0.5)));
    world.listen(true);
    (world, body)
}

fn events(world: &mut World) -> Vec<ContactEvent> {
    world.step(DT).expect("a step").events
}

#[test]
fn a_body_that_rests_pushes_with_its_weight() {
    for options in both() {
        let (mut world, body) = cube_above_floor(options, 0.02, 0.0);
        let mut phases = Vec::new();
        let mut last = Vec::new();
        for _ in 0..20 {
            let told = events(&mut world);
            phases.extend(told.iter().map(|event| event.phase));
            last = told;
        }
        assert_eq!(phases.iter().filter(|phase| **phase == Phase::Began).count(), 1);
        assert!(!phases.contains(&Phase::Ended));
        let [event] = &last[..] else { panic!("one pair, not {}", last.len()) };
        assert_eq!((event.bodies, event.phase), ([BodyId(0), body], Phase::Persisted));
        // The floor is first, and gets the weight; normals point from the second to the first.
        assert!((event.impulse - DVec3::NEG_Z * 9.81 * DT).length() < 1e-3, "{}", event.impulse);
        let sum: DVec3 = event.points.iter().map(|point| point.impulse).sum();
        if options.stepping == Stepping::Windows {
            assert!(sum.distance(event.impulse) < 1e-12, "the step is one window");
        }
        for point in &event.points {
            assert!((point.normal + DVec3::Z).length() < 1e-6 && point.point.z.abs() < 1e-2);
            assert!(point.point.truncate().abs().max_element() < 0.2501);
        }
    }
}

#[test]
fn a_bounce_begins_and_ends_with_twice_the_momentum() {
    for options in both() {
        let (mut world, body) = cube_above_floor(options, 0.5, 1.0);
        let mut told: Vec<ContactEvent> = Vec::new();
        while told.last().is_none_or(|event| event.phase != Phase::Ended) {
            assert!(world.time() < 1.0, "{told:?}");
            told.extend(events(&mut world));
        }
        assert_eq!(told[0].phase, Phase::Began);
        let total: DVec3 = told.iter().map(|event| event.impulse).sum();
        let speed = (2.0 * 9.81 * 0.5_f64).sqrt();
        // In a window the weight of the window is part of it.
        assert!((-total.z - 2.0 * speed).abs() < 9.81 * DT, "{total} at {speed}");
        assert!(told.last().is_some_and(|event| event.points.is_empty()));
        assert!(world.body(body).expect("there").velocity().linear.z > 0.0);
    }
}

#[test]
fn impulses_of_all_events_are_the_change_of_momentum() {
    for options in both() {
        let (mut world, body) = cube_above_floor(options, 0.1, 0.4);
        world.load(body, Load { force: DVec3::X * 2.0, ..Load::default() });
        let mut total = DVec3::ZERO;
        let steps = 40;
        for _ in 0..steps {
            total -= events(&mut world).iter().map(|event| event.impulse).sum::<DVec3>();
        }
        let momentum = world.body(body).expect("there").momentum()[0];
        let pulled = f64::from(steps) * DT * DVec3::new(2.0, 0.0, -9.81);
        assert!(
            (momentum - pulled - total).length() < 0.02 * pulled.length(),
            "{momentum} {total}"
        );
    }
}

#[test]
fn sleepers_touch_on_until_they_are_woken_or_removed() {
    for options in both() {
        let (mut world, body) = cube_above_floor(options, 1e-4, 0.0);
        let mut steps = 0;
        while !world.body(body).expect("there").is_asleep() {
            events(&mut world);
            steps += 1;
            assert!(steps < 120, "it falls asleep");
        }
        assert!((0..5).all(|_| events(&mut world).is_empty()), "nothing is told of sleepers");
        let moment = world.save();
        world.apply_impulse(body, DVec3::Z * 3.0, at(0.0, 0.0, 0.25).position());
        let phases: Vec<Phase> = (0..5).flat_map(|_| events(&mut world)).map(|e| e.phase).collect();
        assert!(!phases.contains(&Phase::Began) && phases.last() == Some(&Phase::Ended));
        world.restore(&moment).expect("the same world");
        world.remove(body);
        let told = events(&mut world);
        let [event] = &told[..] else { panic!("{told:?}") };
        assert_eq!((event.bodies, event.phase), ([BodyId(0), body], Phase::Ended));
        assert!(events(&mut world).is_empty());
    }
}

#[test]
fn springs_tell_who_touches() {
    let options = Options { springs: Some(Springs::default()), ..Options::default() };
    let (mut world, body) = cube_above_floor(options, 1e-3, 0.0);
    let told: Vec<ContactEvent> = (0..30).flat_map(|_| events(&mut world)).collect();
    assert_eq!(told[0].phase, Phase::Began);
    assert!(told.iter().all(|event| event.bodies == [BodyId(0), body]));
}

#[test]
fn listening_changes_no_motion() {
    for options in both() {
        let run = |listens: bool| {
            let (mut world, _) = cube_above_floor(options, 0.3, 0.5);
            world.listen(listens);
            let told: usize = (0..60).map(|_| events(&mut world).len()).sum();
            assert_eq!(told > 0, listens);
            world.fingerprint()
        };
        assert_eq!(run(true), run(false));
    }
}
