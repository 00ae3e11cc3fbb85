//! What bodies keep: momentum, restitution, rest.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use chasles::Pose;
use chasles_dynamics::body::{MassProperties, Velocity};
use chasles_dynamics::world::{Kind, Route};
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, made_of, wall};

#[test]
fn a_stack_of_boxes_comes_to_rest() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let cube = cuboid([1.0; 3]);
    for i in 0..5 {
        world.add(dynamic(&cube, 1.0).at(at(0.0, 0.0, 0.6 + 1.05 * f64::from(i))));
    }
    for _ in 0..240 {
        world.step(1.0 / 60.0).expect("a step");
    }
    assert!(world.bodies()[1..].iter().all(Body::is_asleep));
}

#[test]
fn a_ball_bounces_as_high_as_its_restitution_says() {
    let mut world = World::new(crate::options());
    world.add(floor().made_of(made_of(1.0, 0.0)));
    let cube = cuboid([0.2; 3]);
    let body = dynamic(&cube, 1.0).made_of(made_of(0.8, 0.0));
    world.add(body.at(at(0.0, 0.0, 1.1)));
    let mut heights = vec![];
    let mut last = [0.0; 2];
    for _ in 0..240 {
        world.step(1.0 / 60.0).expect("a step");
        let body = &world.bodies()[1];
        let [z, v] = [body.pose().position().z - 0.1, body.velocity().linear.z];
        if v < 0.0 && last[1] >= 0.0 {
            heights.push(last[0] + last[1] * last[1] / (2.0 * 9.81));
        }
        last = [z, v];
    }
    for (i, height) in heights.iter().enumerate().take(9).skip(1) {
        let expected = 0.64f64.powi(i as i32);
        assert!((height / expected - 1.0).abs() < 0.01, "bounce {i}: {height} for {expected}");
    }
}

#[test]
fn a_wall_stands_for_a_minute_and_sleeps() {
    let mut world = wall(5, 5, false);
    let before: Vec<DVec3> = world.bodies().iter().map(|body| body.pose().position()).collect();
    for _ in 0..3600 {
        world.step(1.0 / 60.0).expect("a step");
    }
    assert!(world.bodies()[1..].iter().all(Body::is_asleep));
    for (body, before) in world.bodies().iter().zip(before) {
        let drift = body.pose().position().distance(before);
        assert!(drift < 1e-3, "a brick is {drift} m from where it was");
    }
}

/// Cards of which two lean on each other, twice, a card across them, and two more on top.
fn house_of_cards() -> World {
    let mut world = World::new(crate::options());
    world.add(floor().made_of(made_of(0.0, 0.8)));
    let [length, thickness, lean] = [0.1, 0.003, 20f64.to_radians()];
    let [sin, cos] = [lean.sin(), lean.cos()];
    let card = cuboid([thickness, 0.06, length]);
    let mut put = |x: f64, z: f64, angle: f64| {
        let pose = Pose::new([x, 0.0, z], DQuat::from_rotation_y(angle)).expect("finite");
        world.add(dynamic(&card, 900.0).made_of(made_of(0.0, 0.8)).at(pose));
    };
    let gap = 1e-6;
    // From the middle of a card that leans to its lowest, its highest and its innermost edge.
    let [low, inner] =
        [0.5 * (length * cos + thickness * sin), 0.5 * (length * sin + thickness * cos)];
    let mut tent = |x: f64, z: f64| {
        for side in [-1.0, 1.0] {
            put(x + side * (inner + gap), z + low + gap, -side * lean);
        }
    };
    tent(-0.04, 0.0);
    tent(0.04, 0.0);
    let roof = 2.0 * (low + gap);
    tent(0.0, roof + thickness + 2.0 * gap);
    put(0.0, roof + 0.5 * thickness + gap, FRAC_PI_2);
    world
}

#[test]
fn a_house_of_cards_stands_for_a_minute_and_sleeps() {
    let mut world = house_of_cards();
    let before: Vec<DVec3> = world.bodies().iter().map(|body| body.pose().position()).collect();
    for _ in 0..3600 {
        world.step(1.0 / 60.0).expect("a step");
    }
    assert!(world.bodies()[1..].iter().all(Body::is_asleep));
    for (body, before) in world.bodies().iter().zip(before) {
        let drift = body.pose().position().distance(before);
        assert!(drift < 1e-3, "a card is {drift} m from where it was");
    }
}

/// How fast a box turns after it has landed with a tilt.
fn turned_by_landing(degrees: f64, window: f64) -> f64 {
    let mut world = World::new(Options { window, ..Options::events() });
    world.add(floor().made_of(made_of(1.0, 0.3)));
    let turn = DQuat::from_rotation_y(degrees.to_radians());
    let pose = Pose::new([0.0, 0.0, 0.5], turn).expect("finite");
    let body = dynamic(&cuboid([1.0, 0.5, 0.25]), 1000.0).made_of(made_of(0.5, 0.3));
    world.add(body.at(pose).moving(DVec3::Z * -3.0, DVec3::ZERO));
    while world.bodies()[1].velocity().linear.z < 0.0 {
        world.step(1.0 / 240.0).expect("a step");
    }
    world.bodies()[1].velocity().angular.length()
}

#[test]
fn contacts_of_a_short_time_answer_together() {
    // A degree lifts the upper edge by 17 mm, which takes 5 ms.
    assert!(turned_by_landing(0.0, 0.01) < 1e-3);
    let [apart, together] = [0.0, 0.01].map(|window| turned_by_landing(1.0, window));
    assert!(apart > 2.0 && together < 0.1, "{apart} and {together} rad/s");
    // What comes later than that is for later.
    assert!(turned_by_landing(1.0, 1e-3) > 2.0);
}

#[test]
fn a_block_on_a_slope_slips_at_the_angle_of_friction() {
    let slides = |degrees: f64| {
        // It slides off too slowly for sleep to see.
        let mut world = World::new(Options { sleep_below: 0.0, ..crate::options() });
        let turn = DQuat::from_rotation_y(degrees.to_radians());
        let plank = Pose::new(turn * DVec3::new(0.0, 0.0, -0.5), turn).expect("finite");
        let rough = made_of(0.0, 0.5);
        world.add(Body::fixed(cuboid([40.0, 4.0, 1.0])).at(plank).made_of(rough));
        let place = Pose::new(turn * DVec3::new(0.0, 0.0, 0.10001), turn).expect("finite");
        world.add(dynamic(&cuboid([0.4, 0.4, 0.2]), 500.0).at(place).made_of(rough));
        for _ in 0..120 {
            world.step(1.0 / 60.0).expect("a step");
        }
        world.bodies()[1].pose().position().distance(place.position()) > 0.01
    };
    let angle = 0.5f64.atan().to_degrees();
    assert!(!slides(angle - 0.1) && slides(angle + 0.1));
}

#[test]
fn what_cannot_be_is_refused_before_anything_moves() {
    let error = |options: Options, body: Body, dt: f64| {
        let mut world = World::new(options);
        world.add(floor());
        world.add(body);
        let before = world.fingerprint();
        let error = world.step(dt).expect_err("something is impossible");
        assert_eq!(world.fingerprint(), before);
        error
    };
    let usual = crate::options();
    let cube = || dynamic(&cuboid([1.0; 3]), 1.0).at(at(0.0, 0.0, 2.0));
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(error(usual, cube(), dt), WorldError::Step(_)));
    }
    for zone in [0.0, -1e-5, 0.1, f64::NAN] {
        let options = Options { zone, ..usual };
        assert!(matches!(error(options, cube(), 0.01), WorldError::Zone(_)));
    }
    for wrong in [-1.0, f64::NAN, f64::INFINITY] {
        for options in [
            Options { gentle: wrong, ..usual },
            Options { sleep_below: wrong, ..usual },
            Options { window: wrong, ..usual },
        ] {
            assert!(matches!(error(options, cube(), 0.01), WorldError::Option(..)));
        }
    }
    let options = Options { gravity: DVec3::NAN, ..usual };
    assert!(matches!(error(options, cube(), 0.01), WorldError::Gravity(_)));
    let lost = cube().moving(DVec3::INFINITY, DVec3::ZERO);
    assert_eq!(error(usual, lost, 0.01), WorldError::Lost(BodyId(1)));
    let deep = cube().at(at(0.0, 0.0, 0.3));
    assert_eq!(error(usual, deep, 0.01), WorldError::Overlap(BodyId(0), BodyId(1)));
}

#[test]
fn a_body_on_its_route_yields_to_another_that_does_not() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let cube = cuboid([1.0; 3]);
    let mass_properties = MassProperties::of_mesh(cube.mesh(), 1.0).expect("a volume");
    let route = |x: f64, speed: f64| {
        Route::twist(at(x, 0.0, 0.0), DVec3::X * speed, DVec3::ZERO).expect("finite")
    };
    world.add(Body::kinematic(Arc::clone(&cube), route(-2.0, 2.0)));
    world.add(Body::yielding(Arc::clone(&cube), route(2.0, -2.0), mass_properties));
    for _ in 0..90 {
        world.step(1.0 / 60.0).expect("a step");
    }
    let [first, second] = [0, 1].map(|i| world.bodies()[i].pose().position().x);
    assert!((first - 1.0).abs() < 1e-9, "the first is at {first}");
    assert!(
        second > 2.0 && world.bodies()[1].mass_properties().is_some(),
        "the second is at {second}"
    );
}

#[test]
fn a_body_that_yielded_goes_back_to_its_route_when_its_caller_says_so() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..crate::options() });
    let cube = cuboid([1.0; 3]);
    let mass_properties = MassProperties::of_mesh(cube.mesh(), 1.0).expect("a volume");
    let climb = |start: Pose| Route::twist(start, DVec3::Z, DVec3::ZERO).expect("finite");
    // What hits it stops, and does not come again.
    let ivory = made_of(1.0, 0.0);
    let ball = dynamic(&cube, 1.0).at(at(-2.0, 0.0, 0.2)).moving(DVec3::X * 4.0, DVec3::ZERO);
    world.add(ball.made_of(ivory));
    let id =
        world.add(Body::yielding(cube, climb(at(0.0, 0.0, 0.0)), mass_properties).made_of(ivory));
    let mut is_over = false;
    let mut waits = 0;
    for _ in 0..120 {
        let report = world.step(1.0 / 60.0).expect("a step");
        waits += report.waiting.len();
        let is_hit = report.impacts.iter().any(|impact| impact.bodies.contains(&id));
        let body = &world.bodies()[id.0];
        if body.mass_properties().is_some() && !is_hit && !is_over {
            assert!(body.velocity().linear.x > 1.0, "the blow moved it");
            let route = climb(body.pose());
            world.steer(id, Kind::Yielding(route, mass_properties)).expect("it begins here");
            is_over = true;
        }
    }
    assert!(is_over && waits == 0, "{is_over} {waits}");
    let Velocity { linear, angular } = world.bodies()[id.0].velocity();
    assert!(linear.distance(DVec3::Z) < 1e-9 && angular.length() < 1e-9, "{linear} {angular}");
    // What does not move any more has no velocity.
    world.steer(id, Kind::Static).expect("no route");
    assert_eq!(world.bodies()[id.0].velocity(), Velocity::ZERO);
}

#[test]
fn bodies_on_their_routes_halt_before_what_cannot_give_way() {
    let cube = cuboid([1.0; 3]);
    let route = |x: f64, speed: f64| {
        Route::twist(at(x, 0.0, 2.0), DVec3::X * speed, DVec3::ZERO).expect("finite")
    };
    let mut world = World::new(Options::events());
    world.add(floor());
    world.add(Body::fixed(Arc::clone(&cube)).at(at(0.0, 0.0, 2.0)));
    world.add(Body::kinematic(Arc::clone(&cube), route(-3.0, 2.0)));
    world.add(Body::kinematic(Arc::clone(&cube), route(7.0, 3.0)));
    world.add(Body::kinematic(Arc::clone(&cube), route(11.0, -2.0)));
    // It rides on one of them, and stays where that halts.
    world.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(at(-3.0, 0.0, 2.6001)));
    let mut waits = [0; 6];
    for _ in 0..180 {
        let report = world.step(1.0 / 60.0).expect("a step");
        report.waiting.iter().for_each(|body| waits[body.0] += 1);
    }
    let x = [2, 3, 4, 5].map(|i: usize| world.bodies()[i].pose().position().x);
    assert!(x[0] < -1.0 && x[0] > -1.001, "in front of what stands: {x:?}");
    assert!(x[2] - x[1] > 1.0 && x[2] - x[1] < 1.001, "in front of each other: {x:?}");
    assert!((x[3] - x[0]).abs() < 0.5 && world.bodies()[5].pose().position().z > 2.59, "{x:?}");
    assert!(waits[2] > 100 && waits[3] > 60 && waits[4] > 60, "the report tells: {waits:?}");
    assert_eq!(waits[5], 0, "what rides on one goes on");
}

#[test]
fn the_report_says_what_the_solver_left() {
    let dt = 1.0 / 60.0;
    let enough = 1e-8 * 9.81 * dt;
    let mut alone = World::new(crate::options());
    alone.add(floor());
    alone.add(dynamic(&cuboid([0.2; 3]), 1000.0).at(at(0.0, 0.0, 0.10001)));
    let error = alone.step(dt).expect("a step").error;
    assert!(error <= enough, "a box is left with {error} m/s");
    // So many contacts are not solved to the end, if nothing is known about them.
    let error = wall(8, 8, false).step(dt).expect("a step").error;
    assert!(error > enough && error < 0.1, "a wall is left with {error} m/s");
}
