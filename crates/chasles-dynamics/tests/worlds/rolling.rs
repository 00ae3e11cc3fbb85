//! True spheres and capsules: they roll, rest and collide as closed forms say, and cross nothing.

use chasles::Pose;
use chasles::query::{self, Geometry, Overlap};
use chasles::round::Round;
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::world::{RoundShapeError, Shape};
use chasles_dynamics::{Body, Options, World, WorldError};
use chasles_testkit::generate::Random;
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

fn round(round: Round) -> Body {
    let mass_properties = MassProperties::of_round(&round, 1000.0).expect("a mass");
    Body::dynamic(Shape::try_from(round).expect("no cylinder"), mass_properties)
}

fn ball(radius: f64) -> Body {
    round(Round::sphere(radius).expect("a radius"))
}

fn pill(half: f64, radius: f64) -> Body {
    let ends = [DVec3::X * -half, DVec3::X * half];
    round(Round::capsule(ends, radius).expect("a capsule"))
}

#[test]
fn a_ball_rolls_down_a_slope_as_a_ball_does() {
    let slope = 0.2_f64;
    let turn = DQuat::from_rotation_y(slope);
    let down = turn * DVec3::X;
    let up = turn * DVec3::Z;
    let mut world = World::new(crate::options());
    let plate = cuboid([40.0, 4.0, 1.0]);
    world.add(Body::fixed(plate).at(Pose::new(-0.5 * up, turn).expect("finite")));
    let start = 0.50001 * up - 15.0 * down;
    let place = Pose::from_position(start).expect("finite");
    let rolling = world.add(ball(0.5).at(place).made_of(made_of(0.0, 0.6)));
    let steps = 120;
    for _ in 0..steps {
        let report = world.step(1.0 / 60.0).expect("a step");
        assert!(report.waiting.is_empty());
    }
    // A ball that rolls gains 5/7 of what one that slides would.
    let time = f64::from(steps) / 60.0;
    let expected = 0.5 * 5.0 / 7.0 * 9.81 * slope.sin() * time * time;
    let body = &world.bodies()[rolling.0];
    let way = (body.centre() - start).dot(down);
    assert!((way / expected - 1.0).abs() < 0.02, "{way} m, not {expected}");
    let [speed, spin] = [body.velocity().linear.dot(down), body.velocity().angular.y];
    assert!((speed - 0.5 * spin).abs() < 1e-3 * speed, "slips: {speed} m/s, {spin} rad/s");
}

#[test]
fn a_ball_that_slides_comes_to_roll_and_goes_on() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let body = ball(0.2).at(at(-15.0, 0.0, 0.20001)).made_of(made_of(0.0, 0.5));
    let thrown = world.add(body.moving(DVec3::X * 2.0, DVec3::ZERO));
    for _ in 0..300 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let speed = world.bodies()[thrown.0].velocity().linear.x;
    assert!((speed - 2.0 * 5.0 / 7.0).abs() < 5e-3, "{speed} m/s");
}

#[test]
fn balls_exchange_their_speeds() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let steel = made_of(1.0, 0.0);
    let left = ball(0.5).at(at(-2.0, 0.0, 0.0)).made_of(steel);
    let left = world.add(left.moving(DVec3::X * 3.0, DVec3::ZERO));
    let right = world.add(ball(0.5).at(at(2.0, 0.0, 0.0)).made_of(steel));
    let mut impacts = 0;
    for _ in 0..120 {
        impacts += world.step(1.0 / 60.0).expect("a step").impacts.len();
    }
    let [left, right] = [left, right].map(|id| world.bodies()[id.0].velocity().linear.x);
    assert!(impacts == 1 && left.abs() < 1e-9 && (right - 3.0).abs() < 1e-9, "{left} {right}");
}

#[test]
fn a_capsule_lies_down_and_sleeps() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let lean = Pose::new([0.0, 0.0, 0.9], DQuat::from_rotation_y(0.7)).expect("finite");
    let id = world.add(pill(0.5, 0.2).at(lean).made_of(made_of(0.1, 0.5)));
    for _ in 0..600 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let body = &world.bodies()[id.0];
    let axis = body.pose().vector(DVec3::X);
    assert!(axis.z.abs() < 1e-3 && (body.centre().z - 0.2).abs() < 1e-3, "{axis}");
    assert!(body.velocity().linear.length() < 0.05, "{:?}", body.velocity());
}

/// How far apart two segments are, by a search in thirds; knows nothing of how the world finds it.
fn distance_of_segments(p: [DVec3; 2], q: [DVec3; 2]) -> f64 {
    let at = |s: [DVec3; 2], t: f64| s[0].lerp(s[1], t);
    let nearest = |point: DVec3, s: [DVec3; 2]| {
        let way = s[1] - s[0];
        let t = (point - s[0]).dot(way) / way.length_squared().max(1e-300);
        at(s, t.clamp(0.0, 1.0))
    };
    let [mut low, mut high] = [0.0, 1.0];
    for _ in 0..100 {
        let [s, t] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        let of = |t: f64| at(p, t).distance(nearest(at(p, t), q));
        if of(s) < of(t) {
            high = t;
        } else {
            low = s;
        }
    }
    at(p, low).distance(nearest(at(p, low), q))
}

/// Balls, capsules and boxes that fall into a box.
fn heap(seed: u64) -> World {
    let mut world = World::new(crate::options());
    world.add(floor());
    for (x, y, size) in
        [(-1.0, 0.0, [0.1, 2.4, 2.0]), (1.0, 0.0, [0.1, 2.4, 2.0]), (0.0, -1.0, [1.8, 0.1, 2.0])]
    {
        world.add(Body::fixed(cuboid(size)).at(at(x, y, 1.1)));
    }
    world.add(Body::fixed(cuboid([1.8, 0.1, 2.0])).at(at(0.0, 1.0, 1.1)));
    let random = &mut Random::new(seed);
    for i in 0..12 {
        let body = match i % 3 {
            0 => ball(random.between(0.1, 0.3)),
            1 => pill(random.between(0.1, 0.3), random.between(0.08, 0.2)),
            _ => dynamic(&cuboid([0.3, 0.4, 0.2]), 1000.0),
        };
        let place = DVec3::new(random.between(-0.3, 0.3), random.between(-0.3, 0.3), 0.0);
        let place = place + (0.8 + 0.8 * f64::from(i)) * DVec3::Z;
        let pose = Pose::new(place, random.rotation()).expect("finite");
        world.add(body.at(pose).made_of(made_of(0.2, 0.5)));
    }
    world
}

#[test]
fn round_bodies_in_a_heap_cross_nothing() {
    for seed in 0..3 {
        let mut world = heap(seed);
        let mut memory = query::Workspace::new();
        let mut touched = 0;
        for step in 0..180 {
            touched += world.step(1.0 / 60.0).expect("a step").contacts;
            let bodies = world.bodies();
            for j in 5..bodies.len() {
                for i in 0..j {
                    let poses = [bodies[i].pose(), bodies[j].pose()];
                    let rounds = [i, j].map(|n| bodies[n].shape().geometry().round());
                    if let [Some(a), Some(b)] = rounds {
                        let ends =
                            |round: &Round, n: usize| round.ends().map(|p| poses[n].point(p));
                        let apart = distance_of_segments(ends(a, 0), ends(b, 1));
                        assert!(apart > a.radius() + b.radius(), "{seed}, {step}: {i} in {j}");
                    }
                    let [a, b] = [i, j].map(|n| bodies[n].shape().geometry());
                    let overlap = query::overlaps(a, b, poses, &mut memory);
                    assert_eq!(overlap, Ok(Overlap::Apart), "{seed}, {step}: {i} and {j}");
                }
            }
        }
        assert!(touched > 500, "{touched}");
    }
}

#[test]
fn near_places_of_round_bodies_are_those_of_their_cores() {
    let random = &mut Random::new(3);
    let cube = Geometry::from(cuboid([1.0; 3]));
    let mut memory = query::Workspace::new();
    let mut seen = 0;
    for _ in 0..400 {
        let shape = pill(random.between(0.0, 0.6), random.between(0.05, 0.4));
        let place = 1.4 * random.vector();
        let poses = [Pose::IDENTITY, Pose::new(place, random.rotation()).expect("finite")];
        let capsule = shape.shape().geometry();
        if query::overlaps(&cube, capsule, poses, &mut memory) != Ok(Overlap::Apart) {
            continue;
        }
        let distance = query::distance(&cube, capsule, poses, &mut memory).expect("a distance");
        let places = query::near(&cube, capsule, poses, 0.5, &mut memory).expect("places");
        let least = places.iter().map(|place| place.gap).fold(f64::INFINITY, f64::min);
        let expected = if distance.distance <= 0.5 { distance.distance } else { f64::INFINITY };
        assert!(least == expected || (least - expected).abs() < 1e-12, "{least}, {expected}");
        seen += usize::from(least.is_finite());
        for place in places {
            let apart = place.point_b - place.point_a;
            assert!((apart - place.gap * place.normal).length() < 1e-12);
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn a_ray_strikes_the_ball_itself() {
    let mut world = World::new(crate::options());
    let id = world.add(ball(0.5).at(at(0.0, 0.0, 1.0)));
    let struck = world.ray(DVec3::new(-3.0, 0.3, 1.0), DVec3::new(3.0, 0.3, 1.0)).expect("a ball");
    assert_eq!(struck.body, id);
    assert!((struck.point.x + 0.4).abs() < 1e-12 && struck.normal.x < -0.79, "{struck:?}");
}

#[test]
fn what_a_world_cannot_do_with_round_bodies_is_said() {
    let can = Round::cylinder([DVec3::ZERO, DVec3::Z], 0.5).expect("a cylinder");
    assert_eq!(Shape::try_from(can).map(|_| ()), Err(RoundShapeError::Cylinder));
    let mut world = World::new(crate::options());
    let first = world.add(ball(0.5));
    let second = world.add(ball(0.5).at(at(0.9, 0.0, 0.0)));
    assert_eq!(world.step(0.01).map(|_| ()), Err(WorldError::Overlap(first, second)));
}
