//! Bodies on routes: what they strike on the way, what hangs on them, and how they leave their
//! route.

use std::f64::consts::TAU;
use std::sync::Arc;

use chasles::Pose;
use chasles::mesh::Mass;
use chasles_dynamics::body::{MassProperties, Velocity};
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::world::{ChangeError, Kind, Route};
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::{DMat3, DQuat, DVec3};

use crate::scenes::{at, ball, cuboid, dynamic, floor, made_of, solid};

const DT: f64 = 1.0 / 60.0;

fn weightless() -> World {
    World::new(Options { gravity: DVec3::ZERO, ..crate::options() })
}

/// Where one impact passes on another, and bodies on routes wait for what stands.
fn by_events() -> World {
    World::new(Options { gravity: DVec3::ZERO, ..Options::events() })
}

/// A route that spins on the spot.
fn spin(angular: DVec3) -> Route {
    Route::twist(Pose::IDENTITY, DVec3::ZERO, angular).expect("finite")
}

/// Where a joint's two bodies have its anchor.
fn opening(world: &World, joint: usize) -> f64 {
    let joint = &world.joints()[joint];
    let [p, q] = [0, 1].map(|i| {
        let pose = world.bodies()[joint.bodies()[i]].pose();
        pose.point(joint.anchors()[i].frame().position())
    });
    p.distance(q)
}

fn ball_joint(world: &mut World, bodies: [BodyId; 2], point: DVec3) {
    let [a, b] = bodies.map(|id| world.bodies()[id.0].pose());
    let anchors = Anchor::at(point).expect("finite").in_bodies([&a, &b]);
    let joint = Joint::ball(bodies.map(|id| id.0), anchors).expect("two bodies");
    world.link(joint).expect("bodies of the world");
}

#[test]
fn a_fan_that_turns_once_in_a_step_strikes_what_is_in_its_way() {
    let mut world = weightless();
    let angular = DVec3::Z * 60.0 * TAU;
    world.add(Body::kinematic(cuboid([2.0, 0.1, 0.2]), spin(angular)));
    world.add(dynamic(&cuboid([0.1; 3]), 100.0).at(at(0.0, 0.7, 0.0)));
    let report = world.step(DT).expect("a step");
    assert!(!report.impacts.is_empty(), "nothing is struck in {} parts", report.parts);
    assert!(world.bodies()[1].velocity().linear.length() > 100.0);
    assert!(world.bodies()[0].velocity().angular.distance(angular) < 1e-9 * angular.length());
}

#[test]
fn a_hammer_that_strikes_and_returns_within_a_step_strikes() {
    let mut world = weightless();
    let keys = [(0.0, 0.0), (0.005, 0.5), (0.01, 0.0)];
    let keys = keys.into_iter().map(|(time, x)| (time, at(x, 0.0, 0.0))).collect();
    let route = Route::keys(keys).expect("times that grow");
    world.add(Body::kinematic(cuboid([0.2; 3]), route));
    let iron = made_of(1.0, 0.0);
    world.add(dynamic(&cuboid([0.2; 3]), 100.0).at(at(0.5, 0.0, 0.0)).made_of(iron));
    let report = world.step(DT).expect("a step");
    assert!(!report.impacts.is_empty(), "nothing is struck in {} parts", report.parts);
    let speed = world.bodies()[1].velocity().linear.x;
    // The hammer comes at 100 m/s, and the other has restitution 0.3 with it.
    assert!((speed - 130.0).abs() < 1e-6, "{speed} m/s");
    assert!(world.bodies()[0].pose().position().length() < 1e-12);
}

#[test]
fn a_route_that_has_just_begun_turns_no_further_in_a_part_than_any_other() {
    let mut world = by_events();
    world.add(Body::kinematic(cuboid([2.0, 0.1, 0.2]), spin(DVec3::Z * 60.0)));
    world.add(dynamic(&cuboid([0.1; 3]), 100.0).at(at(0.0, 1.2, 0.0)));
    assert_eq!(world.step(DT).expect("a step").parts, 3, "a radian");
}

#[test]
fn a_body_on_a_fast_hub_stays_on_it() {
    for rate in [20.0, 95.0] {
        let mut world = weightless();
        let hub = world.add(Body::kinematic(cuboid([1.0, 0.1, 0.1]), spin(DVec3::Z * rate)));
        let bob = world.add(dynamic(&cuboid([0.2, 0.1, 0.1]), 1000.0).at(at(0.7, 0.0, 0.0)));
        ball_joint(&mut world, [hub, bob], DVec3::X * 0.7);
        for step in 0..60 {
            world.step(DT).expect("a step");
            let open = opening(&world, 0);
            assert!(open < 1e-6, "open by {open} m after step {step} at {rate} rad/s");
        }
        let speed = world.bodies()[1].velocity().linear.length();
        assert!((speed / (0.7 * rate) - 1.0).abs() < 0.01, "{speed} m/s at {rate} rad/s");
    }
}

/// A kilogram that is half a metre from the origin of a cube.
fn lopsided() -> MassProperties {
    let inertia = DMat3::from_diagonal(DVec3::splat(0.1));
    MassProperties::new(&Mass { mass: 1.0, centre: DVec3::X * 0.5, inertia }).expect("a body")
}

#[test]
fn a_body_that_leaves_its_route_keeps_the_momentum_of_its_mass() {
    let mut world = weightless();
    let angular = DVec3::Z * 2.0;
    let id = world.add(Body::kinematic(cuboid([1.0; 3]), spin(angular)));
    world.step(DT).expect("a step");
    world.steer(id, Kind::Dynamic(lopsided())).expect("no route");
    let body = &world.bodies()[id.0];
    let expected = angular.cross(body.centre());
    assert!((body.momentum()[0] - expected).length() < 1e-12, "{}", body.momentum()[0]);
    // On a route again, it has the velocity of its origin until the next step.
    let route = Route::twist(body.pose(), DVec3::ZERO, DVec3::ZERO).expect("finite");
    world.steer(id, Kind::Kinematic(route)).expect("it begins here");
    assert!(world.bodies()[id.0].velocity().linear.length() < 1e-12);
}

#[test]
fn a_body_that_yields_keeps_the_momentum_of_its_mass() {
    let mut world = weightless();
    let angular = DVec3::Z * 2.0;
    let yielding = Body::yielding(cuboid([1.0; 3]), spin(angular), lopsided());
    let id = world.add(yielding.made_of(made_of(0.0, 0.0)));
    // A grain in its way.
    world.add(dynamic(&cuboid([0.01; 3]), 1.0).at(at(0.0, 0.51, 0.0)));
    while world.bodies()[id.0].mass_properties().is_none() {
        assert!(world.time() < 1.0, "nothing hit it");
        world.step(DT).expect("a step");
    }
    let body = &world.bodies()[id.0];
    let speed = body.momentum()[0].length();
    assert!((speed - 1.0).abs() < 1e-3, "{speed} N s for a kilogram at 1 m/s");
}

#[test]
fn a_route_that_begins_elsewhere_is_refused() {
    let mut world = weightless();
    let cube = cuboid([1.0; 3]);
    let id = world.add(dynamic(&cube, 1.0).moving(DVec3::X, DVec3::ZERO));
    world.add(dynamic(&cube, 1.0).at(at(1.001, 0.0, 0.0)));
    let before = world.bodies()[id.0].velocity();
    let route = |start: Pose| Route::twist(start, DVec3::Y, DVec3::ZERO).expect("finite");
    let error = world.steer(id, Kind::Kinematic(route(at(3.0, 0.0, 0.0)))).expect_err("far away");
    let ChangeError::NotAtRouteStart { body, distance } = error else { panic!("{error}") };
    assert!((distance - 3.0).abs() < 1e-12 && body == id, "{error}");
    let turned = Pose::new(DVec3::ZERO, DQuat::from_rotation_z(1.0)).expect("finite");
    assert!(world.steer(id, Kind::Kinematic(route(turned))).is_err());
    assert_eq!(world.bodies()[id.0].velocity(), before);
    assert!(world.bodies()[id.0].mass_properties().is_some());
    // A hair is no velocity, whatever the length of a step.
    let hair = route(at(1e-5, 0.0, 0.0));
    world.steer(id, Kind::Kinematic(hair)).expect("a hair away");
    world.step(1e-9).expect("a step");
    assert!(world.bodies()[1].velocity().linear.length() < 1.0);
    assert!((world.bodies()[id.0].velocity().linear - DVec3::Y).length() < 1e-6);
}

#[test]
fn static_bodies_in_each_other_cannot_be_set_free() {
    let mut world = weightless();
    let cube = cuboid([1.0; 3]);
    let mass_properties = MassProperties::of_mesh(cube.mesh(), 1.0).expect("a volume");
    let [a, b] = [0.0, 0.5].map(|x| world.add(Body::fixed(Arc::clone(&cube)).at(at(x, 0.0, 0.0))));
    world.step(DT).expect("both are fixed");
    world.steer(b, Kind::Dynamic(mass_properties)).expect("no route");
    assert_eq!(world.step(DT), Err(WorldError::Overlap(a, b)));
}

#[test]
fn a_yielding_body_keeps_its_joint_when_it_is_hit() {
    let mut world = weightless();
    let cube = cuboid([0.2; 3]);
    let mass_properties = MassProperties::of_mesh(cube.mesh(), 1000.0).expect("a volume");
    let pivot = world.add(Body::fixed(cuboid([0.1; 3])).at(at(0.0, 0.0, 1.0)));
    let route = spin(DVec3::ZERO);
    let hung = world.add(Body::yielding(Arc::clone(&cube), route, mass_properties));
    ball_joint(&mut world, [pivot, hung], DVec3::Z);
    world.add(dynamic(&cube, 1000.0).at(at(-0.3, 0.0, 0.0)).moving(DVec3::X * 30.0, DVec3::ZERO));
    for step in 0..30 {
        world.step(DT).expect("a step");
        let body = &world.bodies()[hung.0];
        let anchor = body.pose().point(DVec3::Z);
        let speed = body.velocity().at(body.centre(), anchor).length();
        assert!(opening(&world, 0) < 1e-6 && speed < 1e-6, "{speed} m/s in step {step}");
    }
    assert!(world.bodies()[hung.0].velocity().linear.length() > 1.0, "the blow moved it");
}

#[test]
fn what_lies_on_a_lift_that_has_arrived_falls_asleep() {
    let mut world = World::new(crate::options());
    let keys = vec![(0.0, at(0.0, 0.0, 0.0)), (0.2, at(0.0, 0.0, 0.1))];
    world.add(Body::kinematic(cuboid([2.0, 2.0, 0.2]), Route::keys(keys).expect("grow")));
    world.add(dynamic(&cuboid([0.2; 3]), 100.0).at(at(0.0, 0.0, 0.2001)));
    for _ in 0..120 {
        world.step(DT).expect("a step");
    }
    assert!(world.bodies()[1].is_asleep());
    assert_eq!(world.bodies()[0].velocity(), Velocity::ZERO);
    // Another lift wakes it.
    let up = Route::twist(world.bodies()[0].pose(), DVec3::Z, DVec3::ZERO).expect("finite");
    world.steer(BodyId(0), Kind::Kinematic(up)).expect("it begins here");
    world.step(DT).expect("a step");
    assert!(!world.bodies()[1].is_asleep() && world.bodies()[1].velocity().linear.z > 0.9);
}

#[test]
fn sleepers_wake_when_their_neighbours_change() {
    let asleep = || {
        let mut world = World::new(crate::options());
        let ground = world.add(floor());
        let id = world.add(dynamic(&cuboid([0.2; 3]), 100.0).at(at(0.0, 0.0, 0.1001)));
        for _ in 0..60 {
            world.step(DT).expect("a step");
        }
        assert!(world.bodies()[id.0].is_asleep());
        (world, ground, id)
    };
    let (mut world, ground, id) = asleep();
    world.ignore(ground, id);
    for _ in 0..60 {
        world.step(DT).expect("a step");
    }
    let height = world.bodies()[id.0].pose().position().z;
    assert!(height < -1.0, "it hangs in the floor at {height} m");
    let (mut world, ground, id) = asleep();
    let poses = [ground, id].map(|id| world.bodies()[id.0].pose());
    let anchors = Anchor::at([0.0, 0.0, 0.1]).expect("finite").in_bodies([&poses[0], &poses[1]]);
    let joint = Joint::ball([ground.0, id.0], anchors).expect("two bodies");
    world.join(joint).expect("bodies of the world");
    assert!(!world.bodies()[id.0].is_asleep());
}

/// Jaws that close on a cube at 1 m/s, the first of them tilted by an angle: the fastest that it
/// becomes, and whether they are held off in the end.
fn pinch(tilt: f64, friction: f64) -> (f64, bool) {
    let mut world = weightless();
    let material = made_of(0.0, friction);
    for side in [-1.0, 1.0] {
        let turn = DQuat::from_rotation_z(if side < 0.0 { tilt } else { 0.0 });
        let start = Pose::new([side, 0.3, 0.0], turn).expect("finite");
        let route = Route::twist(start, DVec3::X * -side, DVec3::ZERO).expect("finite");
        world.add(Body::kinematic(cuboid([0.5, 0.4, 0.4]), route).made_of(material));
    }
    world.add(dynamic(&cuboid([0.5; 3]), 8.0).at(at(0.0, 0.3, 0.0)).made_of(material));
    let mut fastest: f64 = 0.0;
    let mut waits = false;
    for _ in 0..90 {
        waits = !world.step(DT).expect("a step").waiting.is_empty();
        fastest = fastest.max(world.bodies()[2].velocity().linear.length());
    }
    (fastest, waits)
}

#[test]
fn jaws_that_close_on_a_body_wait_and_do_not_throw_it() {
    for friction in [0.0, 0.5] {
        for tilt in [0.0, 1e-9, 1e-5, 1e-3] {
            let (fastest, waits) = pinch(tilt, friction);
            assert!(fastest < 8.0 && waits, "{fastest} m/s at a tilt of {tilt}, {waits}");
        }
    }
}

/// Plates that lean together by an angle each, and close at 1 m/s on a ball without friction, push
/// it out.
#[test]
fn a_wedge_that_closes_pushes_a_body_out() {
    for lean in [0.2, 0.4, 0.8] {
        let mut world = weightless();
        let slippery = made_of(0.0, 0.0);
        for side in [-1.0, 1.0] {
            let turn = DQuat::from_rotation_z(side * lean);
            let start =
                Pose::new([side * (0.1 + 0.4 / lean.cos()), 0.0, 0.0], turn).expect("finite");
            let route = Route::twist(start, DVec3::X * -side, DVec3::ZERO).expect("finite");
            world.add(Body::kinematic(cuboid([0.2, 1.2, 1.0]), route).made_of(slippery));
        }
        world.add(dynamic(&solid(&ball(0.3)), 8.0).at(at(0.0, 0.0, 0.0)).made_of(slippery));
        for _ in 0..12 {
            world.step(DT).expect("a step");
        }
        let speed = world.bodies()[2].velocity().linear;
        let pushed = 1.0 / lean.tan();
        assert!((speed.y / pushed + 1.0).abs() < 1e-6, "{speed} m/s, not {pushed} downward");
    }
}

#[test]
fn a_route_at_no_speed_is_refused() {
    for wrong in [f64::NAN, f64::INFINITY, 1e200] {
        let mut world = weightless();
        let id = world.add(Body::kinematic(cuboid([1.0; 3]), spin(DVec3::Z)));
        world.step(DT).expect("a step");
        let start = world.bodies()[0].pose();
        let route = Route::Twist { start, linear: DVec3::X * wrong, angular: DVec3::ZERO };
        world.steer(id, Kind::Kinematic(route)).expect("it begins here");
        assert_eq!(world.step(DT), Err(WorldError::Lost(id)), "{wrong} m/s");
    }
}

/// A pusher near the hinge of a long door throws its middle far faster than it goes itself, and
/// goes on.
#[test]
fn a_pusher_near_the_hinge_of_a_door_opens_it() {
    let mut world = weightless();
    let frame = world.add(Body::fixed(cuboid([0.1; 3])).intangible());
    let door = world.add(dynamic(&cuboid([4.0, 1.0, 0.05]), 1000.0).at(at(2.05, 0.0, 0.0)));
    let poses = [frame, door].map(|id| world.bodies()[id.0].pose());
    let anchor = Anchor::along(DVec3::ZERO, DVec3::Y).expect("finite");
    let anchors = anchor.in_bodies([&poses[0], &poses[1]]);
    world.link(Joint::hinge([frame.0, door.0], anchors).expect("two")).expect("of the world");
    let push = Route::twist(at(0.1, 0.0, 0.2), DVec3::Z * -0.3, DVec3::ZERO).expect("finite");
    let pusher = world.add(Body::kinematic(cuboid([0.05, 0.2, 0.1]), push));
    for _ in 0..60 {
        world.step(DT).expect("a step");
    }
    let place = world.bodies()[pusher.0].pose().position().z;
    assert!((place + 0.1).abs() < 1e-9, "the pusher is at {place}");
    assert!(world.bodies()[door.0].velocity().angular.length() > 1.0, "the door stands");
}

/// Balls in a row, each far lighter than the one below, leave a plate much faster than it comes.
#[test]
fn a_plate_under_a_row_of_balls_goes_on() {
    let mut world = by_events();
    let up = Route::twist(at(0.0, 0.0, -0.3), DVec3::Z, DVec3::ZERO).expect("finite");
    world.add(Body::kinematic(cuboid([2.0, 2.0, 0.2]), up).made_of(made_of(1.0, 0.0)));
    let mut height = 0.0;
    for (i, density) in [1e5, 1e4, 1e3, 1e2, 1e1, 1.0].into_iter().enumerate() {
        let body = dynamic(&cuboid([0.2; 3]), density).made_of(made_of(1.0, 0.0));
        world.add(body.at(at(0.0, 0.0, height + 1e-4 * i as f64)));
        height += 0.2;
    }
    for _ in 0..60 {
        world.step(DT).expect("a step");
    }
    let place = world.bodies()[0].pose().position().z;
    assert!((place - 0.7).abs() < 1e-9, "the plate is at {place}");
    let speed = world.bodies()[6].velocity().linear.z;
    assert!(speed > 9.0, "the lightest goes at {speed}");
}

/// Steps of 1/60 s do not hit the times of the poses, but for rounding.
#[test]
fn a_lift_with_poses_on_the_way_goes_as_smoothly_as_without() {
    let fall = |keys: &[f64]| {
        let mut world = World::new(crate::options());
        let keys = keys.iter().map(|&t| (t, at(0.0, 0.0, -2.0 * t))).collect();
        world.add(Body::kinematic(cuboid([2.0, 2.0, 0.2]), Route::keys(keys).expect("grow")));
        world.add(dynamic(&cuboid([0.3; 3]), 500.0).at(at(0.0, 0.0, 0.2501)));
        let mut farthest = 0.0_f64;
        for _ in 0..120 {
            world.step(DT).expect("a step");
            let [lift, crate_] = [0, 1].map(|i| world.bodies()[i].pose().position().z);
            farthest = farthest.max(crate_ - lift);
        }
        farthest
    };
    let many: Vec<f64> = (0..=60).map(|i| 0.05 * f64::from(i)).collect();
    let [smooth, bumpy] = [fall(&[0.0, 3.0]), fall(&many)];
    assert!((smooth - bumpy).abs() < 1e-3, "{smooth} m without and {bumpy} m with poses");
}

/// A route through places at times.
fn through(places: &[(f64, DVec3)]) -> Route {
    let pose = |at: DVec3| Pose::from_position(at).expect("finite");
    Route::keys(places.iter().map(|&(time, place)| (time, pose(place))).collect()).expect("grow")
}

fn run_until(world: &mut World, time: f64) {
    while world.time() < time - 1e-9 {
        world.step(DT).expect("a step");
    }
}

#[test]
fn a_press_that_a_box_held_up_comes_back_with_its_route() {
    let mut world = World::new(crate::options());
    world.add(floor());
    let block = world.add(dynamic(&cuboid([1.0; 3]), 1000.0).at(at(0.0, 0.0, 0.50003)));
    let [up, down] = [DVec3::Z * 2.0, DVec3::Z * 0.6];
    let press = Body::kinematic(
        cuboid([1.2, 1.2, 0.2]),
        through(&[(0.0, up), (1.0, down), (2.0, up), (3.0, up)]),
    );
    let press = world.add(press);
    run_until(&mut world, 1.0);
    let height = |world: &World, id: BodyId| world.bodies()[id.0].pose().position().z;
    let held = height(&world, press);
    assert!(held > 1.1 && held < 1.11, "it stands on the box at {held}");
    // It stays until its route comes by, and goes on with it.
    run_until(&mut world, 1.25);
    assert!((height(&world, press) - held).abs() < 1e-3);
    for time in [1.6, 1.8, 2.0, 2.5] {
        run_until(&mut world, time);
        let expected = if time < 2.0 { 0.6 + 1.4 * (world.time() - 1.0) } else { 2.0 };
        let found = height(&world, press);
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}, at {time} s");
    }
    assert!((height(&world, block) - 0.5).abs() < 1e-3);
}

#[test]
fn a_door_that_was_held_up_opens_again() {
    let mut world = by_events();
    world.add(Body::fixed(cuboid([1.0; 3])).at(at(2.0, 0.0, 0.0)));
    let [shut, open] = [DVec3::ZERO, DVec3::X * 1.5];
    let keys = [(0.0, shut), (1.0, open), (2.0, shut), (3.0, open), (4.0, shut)];
    let door = world.add(Body::kinematic(cuboid([1.0; 3]), through(&keys)));
    for (time, place) in [(1.0, 1.0), (2.0, 0.0), (3.0, 1.0), (4.0, 0.0)] {
        run_until(&mut world, time);
        let found = world.bodies()[door.0].pose().position().x;
        assert!((found - place).abs() < 1e-3, "{found}, not {place}, at {time} s");
    }
}
