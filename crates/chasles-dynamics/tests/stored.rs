//! Worlds that are written and read go on with the same bits.

use std::sync::Arc;

use chasles::mesh::shapes::{Cuboid, Shape as Form};
use chasles::round::Round;
use chasles::{Collider, Pose};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::linkage::{Anchor, Joint, Spring};
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Route, Saved, Shape, Springs, Strength};
use chasles_dynamics::{Body, Options, World};
use glam::DVec3;
use serde_json::Value;

const DT: f64 = 1.0 / 60.0;

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position([x, y, z]).expect("finite")
}

/// Boxes, balls, a hinge, a spring, a body on a route and a sensor on a floor; one has been
/// removed.
fn world(options: Options) -> World {
    let mut world = World::new(options);
    let cuboid = |size: [f64; 3]| {
        Arc::new(Collider::new(Form::Box(Cuboid { size }).build().expect("a box")))
    };
    world.add(Body::fixed(cuboid([20.0, 20.0, 1.0])).at(at(0.0, 0.0, -0.5)));
    let cube = cuboid([0.4; 3]);
    let mass = MassProperties::of_mesh(cube.mesh(), 500.0).expect("a volume");
    let mut ids = Vec::new();
    for i in 0..6 {
        let body = Body::dynamic(Arc::clone(&cube), mass);
        ids.push(world.add(body.at(at(0.1 * f64::from(i), 0.0, 0.3 + 0.5 * f64::from(i)))));
    }
    world.remove(ids[2]);
    let round = Round::sphere(0.3).expect("a ball");
    let ball = Shape::try_from(round).expect("a ball");
    let mass = MassProperties::of_round(&round, 100.0).expect("a mass");
    ids[2] = world.add(Body::dynamic(ball, mass).at(at(2.0, 0.0, 0.4)).moving(DVec3::X, DVec3::Y));
    let anchors = [[0.25, 0.0, 0.0], [-0.25, 0.0, 0.0]].map(|p| Anchor::along(p, DVec3::Y));
    let anchors = anchors.map(|anchor| anchor.expect("finite"));
    let route = Route::twist(at(4.0, 0.0, 1.0), DVec3::X * 0.1, DVec3::Z).expect("finite");
    let kite = world.add(Body::kinematic(cuboid([0.2; 3]), route));
    let spring = Spring { place: 1.0, stiffness: 30.0, damping: 1.0 };
    world.link(Joint::spring([kite.0, ids[2].0], anchors, spring).expect("two")).expect("here");
    let hinge = world.link(Joint::hinge([ids[4].0, ids[5].0], anchors).expect("two"));
    let strength = Strength { force: 1e6, torque: f64::INFINITY };
    world.set_strength(hinge.expect("here"), Some(strength)).expect("there");
    world.add(Body::fixed(cuboid([1.0; 3])).at(at(0.0, 0.0, 0.5)).sensing());
    world.listen(true);
    world
}

/// What each of some steps tells, and the hash after it.
fn run(world: &mut World, steps: u32) -> Vec<(usize, usize, u64)> {
    let step = |_| {
        let report = world.step(DT).expect("a step");
        (report.events.len(), report.sensed.len(), world.hash())
    };
    (0..steps).map(step).collect()
}

#[test]
fn a_world_that_was_read_goes_on_with_the_same_bits() {
    let springs = Options { springs: Some(Springs::default()), ..Options::default() };
    for options in [Options::default(), Options::windows(), springs] {
        for before in [0, 14] {
            let mut world = world(options);
            run(&mut world, before);
            let text = serde_json::to_string(&world).expect("a world without sheets");
            let mut read: World = serde_json::from_str(&text).expect("what was written");
            assert_eq!(read.hash(), world.hash(), "{before}");
            let ids = world.iter().map(|(id, _)| id);
            assert!(ids.eq(read.iter().map(|(id, _)| id)), "handles are the same");
            assert_eq!(run(&mut read, 12), run(&mut world, 12), "{before}");
        }
    }
}

#[test]
fn a_moment_that_was_read_is_restored_and_shapes_are_stored_once() {
    let mut world = world(Options::windows());
    run(&mut world, 20);
    let text = serde_json::to_string(&world.save()).expect("a moment");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let shapes = value["surfaces"].as_array().expect("a table").len();
    assert_eq!(shapes, 5, "the floor, the cubes, the ball, the kite and the sensor");
    let goes_on = run(&mut world, 20);
    let moment: Saved = serde_json::from_str(&text).expect("what was written");
    world.restore(&moment).expect("no sheets");
    assert_eq!(run(&mut world, 20), goes_on);
}

/// Changes a value of a stored world.
fn spoilt(change: impl FnOnce(&mut Value)) -> Result<World, serde_json::Error> {
    let mut world = world(Options::windows());
    run(&mut world, 20);
    let mut value = serde_json::to_value(&world).expect("a world");
    change(&mut value["moment"]);
    serde_json::from_value(value)
}

#[test]
fn worlds_that_name_what_is_not_there_are_refused() {
    assert!(spoilt(|_| ()).is_ok());
    let changes: [fn(&mut Value); 6] = [
        |moment| moment["shapes"][0] = 99.into(),
        |moment| moment["joints"][0]["bodies"][0] = 99.into(),
        |moment| moment["slots"]["next"] = Value::Array(Vec::new()),
        |moment| moment["touching"] = serde_json::json!([[0, 99]]),
        |moment| moment["joint_ids"][1] = 0.into(),
        |moment| moment["surfaces"][0]["Mesh"]["faces"][0][0] = 99.into(),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        assert!(spoilt(change).is_err(), "{number}");
    }
}

#[test]
fn worlds_with_sheets_say_that_they_cannot_be_stored() {
    let mut world = world(Options::default());
    let sides = [DVec3::X, DVec3::Y];
    let net = Net::grid(DVec3::Z * 9.0, sides, [2; 2], &Fabric::default()).expect("a net");
    world.add_sheet(Sheet::new(net).expect("a sheet"));
    let refused = serde_json::to_string(&world).expect_err("it has a sheet");
    assert!(refused.to_string().contains("sheets"), "{refused}");
}

/// Handles of joints were counted on from the last joint that was there, so that of one that had
/// been removed came again.
#[test]
fn handles_of_joints_that_are_gone_are_not_given_again() {
    let mut world = world(Options::windows());
    let anchors = [Anchor::at([0.0; 3]).expect("finite"); 2];
    let joint = || Joint::ball([1, 2], anchors).expect("two");
    let gone = world.join(joint()).expect("here");
    world.unlink(gone).expect("it was there");
    let text = serde_json::to_string(&world).expect("it is written");
    let mut read: World = serde_json::from_str(&text).expect("it is read");
    assert_ne!(read.join(joint()).expect("here"), gone);
    let moment: Saved =
        serde_json::from_value(serde_json::to_value(world.save()).expect("written"))
            .expect("it is read");
    let mut other = World::new(Options::windows());
    other.restore(&moment).expect("no sheets");
    assert_ne!(other.join(joint()).expect("here"), gone);
}
