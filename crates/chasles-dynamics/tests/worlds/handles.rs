//! Bodies and joints that come, go and change while a world runs.

use chasles_dynamics::body::{MassProperties, Velocity};
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::world::{ChangeError, Kind};
use chasles_dynamics::{Body, BodyId, Options, World, WorldError};
use glam::DVec3;

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

const DT: f64 = 1.0 / 60.0;

fn run(world: &mut World, steps: u32) {
    (0..steps).for_each(|_| drop(world.step(DT).expect("a step")));
}

fn height(world: &World, id: BodyId) -> f64 {
    world.body(id).expect("it is there").pose().position().z
}

/// A floor and a stack of cubes on it, at rest.
fn stack(count: u32, options: Options) -> (World, Vec<BodyId>) {
    let mut world = World::new(options);
    world.add(floor());
    let cube = cuboid([0.5; 3]);
    let body = |i: u32| dynamic(&cube, 1.0).at(at(0.0, 0.0, 0.2502 + 0.5002 * f64::from(i)));
    let ids = (0..count).map(|i| world.add(body(i))).collect();
    run(&mut world, 90);
    (world, ids)
}

fn both() -> [Options; 2] {
    [Options::default(), Options::windows()]
}

#[test]
fn what_a_removed_body_carried_falls() {
    for options in both() {
        let (mut world, ids) = stack(3, options);
        assert!(world.body(ids[2]).expect("there").is_asleep(), "the stack rests");
        let before = height(&world, ids[2]);
        assert!(world.remove(ids[0]).is_some() && world.remove(ids[0]).is_none());
        run(&mut world, 60);
        assert!((before - height(&world, ids[2]) - 0.5).abs() < 0.01, "it fell by a cube");
    }
}

#[test]
fn a_handle_stays_that_of_its_body() {
    let (mut world, ids) = stack(2, Options::default());
    let heights = ids.iter().map(|&id| height(&world, id)).collect::<Vec<f64>>();
    world.remove(ids[0]);
    let new = world.add(dynamic(&cuboid([0.1; 3]), 1.0).at(at(5.0, 0.0, 3.0)));
    assert_eq!(new.index(), ids[0].index(), "the place is taken again");
    assert!(world.body(ids[0]).is_none());
    assert!((height(&world, ids[1]), height(&world, new)) == (heights[1], 3.0));
    // Whatever is asked of the one that is gone is refused, and does nothing to the other.
    assert!(!world.wake(ids[0]) && !world.apply_impulse(ids[0], DVec3::X, DVec3::ZERO));
    assert!(!world.ignore(ids[0], ids[1]) && world.collides(new, ids[1]));
    assert_eq!(world.steer(ids[0], Kind::Static), Err(ChangeError::NoBody(ids[0])));
    let place = world.place(ids[0], at(9.0, 0.0, 0.0), Velocity::ZERO);
    assert_eq!(place, Err(ChangeError::NoBody(ids[0])));
    assert_eq!(height(&world, new), 3.0);
    assert_eq!(world.iter().count(), 3);
    assert!(world.iter().all(|(id, body)| world.body(id) == Some(body)));
}

/// Reports and errors have the handle, not the place.
#[test]
fn reports_name_the_body_that_is_there() {
    for options in both() {
        let mut world = World::new(options);
        world.add(floor());
        let cube = cuboid([0.5; 3]);
        let gone = world.add(dynamic(&cube, 1.0).at(at(0.0, 0.0, 1.0)));
        world.remove(gone);
        let id = world.add(dynamic(&cube, 1.0).at(at(0.0, 0.0, 0.4)));
        world.record(true);
        let mut impacts = Vec::new();
        for _ in 0..30 {
            let report = world.step(DT).expect("a step");
            impacts.extend(report.impacts.iter().map(|impact| impact.bodies[1]));
            let moves = report.record.iter().flat_map(|part| &part.moves);
            let named = moves.map(|way| way.body).chain(report.waiting.iter().copied());
            named.for_each(|body| assert!(world.body(body).is_some(), "{body}"));
        }
        assert!(impacts.contains(&id), "{impacts:?}");
        world.place(id, at(0.0, 0.0, 9.0), Velocity::ZERO).expect("free");
        let last = world.add(dynamic(&cube, 1.0).at(at(0.1, 0.0, 9.0)));
        assert_eq!(world.check(), Err(WorldError::Overlap(id, last)));
        assert!(world.check().expect_err("both").to_string().contains("1#1 and 2 overlap"));
    }
}

#[test]
fn a_world_goes_on_after_an_overlap() {
    let cube = cuboid([0.5; 3]);
    let (mut world, ids) = stack(2, Options::default());
    let refused = world.try_add(dynamic(&cube, 1.0).at(at(0.1, 0.0, 0.4)));
    assert!(matches!(refused, Err(ChangeError::Overlap { with, .. }) if with == ids[0]));
    run(&mut world, 1);
    let beside = world.try_add(dynamic(&cube, 1.0).at(at(2.0, 0.0, 0.4))).expect("free");
    let [first, second] = [0.4, 0.5].map(|z| world.add(dynamic(&cube, 1.0).at(at(0.1, 0.0, z))));
    assert_eq!(world.step(DT), Err(WorldError::Overlap(ids[0], first)));
    let pairs = world.remove_overlapping();
    assert_eq!(pairs, [[first, ids[0]], [second, ids[0]]]);
    run(&mut world, 30);
    assert!(world.body(first).is_none() && world.body(beside).is_some());
    // One that was there before stays, also if it has the higher place.
    let low = world.add(dynamic(&cube, 1.0).at(at(2.0, 0.1, height(&world, beside))));
    assert!(low.index() > ids[1].index() && low != first);
    assert_eq!(world.remove_overlapping(), [[low, beside]]);
}

#[test]
fn a_step_moves_nothing_and_says_so_until_one_of_a_pair_is_gone() {
    let cube = cuboid([0.5; 3]);
    let (mut world, ids) = stack(1, Options::windows());
    let second = world.add(dynamic(&cube, 1.0).at(at(0.1, 0.0, 0.4)));
    let before = world.fingerprint();
    for _ in 0..2 {
        assert_eq!(world.step(DT), Err(WorldError::Overlap(ids[0], second)));
    }
    assert_eq!(world.fingerprint(), before);
    world.remove(ids[0]);
    run(&mut world, 60);
    assert!((height(&world, second) - 0.25).abs() < 0.01, "it lies on the floor");
}

#[test]
fn a_teleport_is_refused_where_something_is() {
    for options in both() {
        let (mut world, ids) = stack(2, options);
        let before = world.fingerprint();
        let there = world.place(ids[1], at(0.1, 0.1, 0.3), Velocity::ZERO);
        assert_eq!(there, Err(ChangeError::Overlap { body: ids[1], with: ids[0] }));
        let nowhere = Velocity { linear: DVec3::X * f64::NAN, angular: DVec3::ZERO };
        let lost = world.place(ids[1], at(0.0, 0.0, 9.0), nowhere);
        assert_eq!(lost, Err(ChangeError::Lost(ids[1])));
        assert_eq!(world.fingerprint(), before);
        // The lower one goes, and the upper one falls.
        let up = Velocity { linear: DVec3::Z * 9.81, angular: DVec3::ZERO };
        world.place(ids[0], at(3.0, 0.0, 2.0), up).expect("free");
        run(&mut world, 60);
        assert!((height(&world, ids[1]) - 0.25).abs() < 0.01);
        let flown = 2.0 + 9.81 - 0.5 * 9.81;
        assert!((height(&world, ids[0]) - flown).abs() < 1e-9);
    }
}

#[test]
fn kinds_materials_masses_and_gravity_change_while_it_runs() {
    let (mut world, ids) = stack(2, Options::default());
    world.steer(ids[0], Kind::Static).expect("no route");
    world.set_gravity(DVec3::Z * 9.81);
    run(&mut world, 30);
    assert!((height(&world, ids[0]) - 0.2502).abs() < 1e-3, "what stands still stays");
    assert!(height(&world, ids[1]) > 1.5, "what does not falls up");
    world.set_mass(ids[1], 7.0).expect("a mass");
    assert_eq!(
        world.body(ids[1]).and_then(Body::mass_properties).map(MassProperties::mass),
        Some(7.0)
    );
    assert!(matches!(world.set_mass(ids[1], -1.0), Err(ChangeError::Mass(..))));
    assert_eq!(world.set_mass(ids[0], 1.0), Err(ChangeError::Massless(ids[0])));
    // On ice a sleeping cube slides off as soon as the ground is tilted.
    let (mut world, ids) = stack(1, Options::default());
    let ground = world.iter().next().expect("the floor").0;
    world.set_gravity(DVec3::new(2.0, 0.0, -9.81));
    run(&mut world, 30);
    let start = world.body(ids[0]).expect("there").pose().position().x;
    assert!(start.abs() < 1e-3, "friction holds it");
    for id in [ground, ids[0]] {
        world.set_material(id, made_of(0.0, 0.0)).expect("there");
    }
    run(&mut world, 30);
    let slid = world.body(ids[0]).expect("there").pose().position().x - start;
    assert!((slid - 0.5 * 2.0 * 0.25).abs() < 0.02, "{slid}");
}

#[test]
fn joints_are_removed_and_changed_while_it_runs() {
    let mut world = World::new(Options { gravity: DVec3::ZERO, ..Options::default() });
    let cube = cuboid([0.5; 3]);
    let post = world.add(Body::fixed(cuboid([0.1; 3])));
    let arm = world.add(dynamic(&cube, 1.0).at(at(1.0, 0.0, 0.0)));
    let anchor = |x: f64| Anchor::along([x, 0.0, 0.0], DVec3::Z).expect("finite");
    let hinge = Joint::hinge([post.0, arm.0], [anchor(0.0), anchor(-1.0)]).expect("two");
    let id = world.link(hinge).expect("bodies of the world");
    assert_eq!(world.joined(id), Some([post, arm]));
    world.change_joint(id, |joint| joint.drive_angle(1.0, f64::INFINITY)).expect("a motor");
    run(&mut world, 30);
    let spin = |world: &World| world.body(arm).expect("there").velocity().angular.z;
    assert!((spin(&world) - 1.0).abs() < 1e-6, "the motor turns it");
    let wrong = world.change_joint(id, |joint| joint.limit_travel(0.0, 1.0));
    assert!(matches!(wrong, Err(ChangeError::Joint(joint, _)) if joint == id));
    world.change_joint(id, |joint| joint.undriven().limit_angle(-0.6, 0.6)).expect("limits");
    run(&mut world, 30);
    assert!(spin(&world).abs() < 1e-6, "the limit stops it");
    world.change_joint(id, |joint| Ok(joint.unlimited())).expect("no limits");
    world.apply_impulse(arm, DVec3::Y * 0.125, DVec3::new(1.0, 0.0, 0.0));
    assert!(world.unlink(id).is_some() && world.unlink(id).is_none());
    let gone = world.change_joint(id, Ok);
    assert_eq!((gone, world.joint(id)), (Err(ChangeError::NoJoint(id)), None));
    let other = world.link(hinge).expect("bodies of the world");
    assert_ne!(id, other);
    assert!(world.remove(arm).is_some() && world.joint(other).is_none());
    assert!(world.joints().is_empty());
    run(&mut world, 1);
}

#[test]
fn a_joint_holds_the_body_that_took_a_place() {
    let mut world = World::new(Options::default());
    let cube = cuboid([0.2; 3]);
    let post = world.add(Body::fixed(cuboid([0.1; 3])));
    let gone = world.add(dynamic(&cube, 1.0).at(at(1.0, 0.0, 0.0)));
    world.remove(gone);
    let arm = world.add(dynamic(&cube, 1.0).at(at(1.0, 0.0, 0.0)));
    let anchors = [[0.0; 3], [-1.0, 0.0, 0.0]].map(|p| Anchor::at(p).expect("finite"));
    let of = |body: BodyId| Joint::ball([post.0, body.0], anchors).expect("two");
    assert!(world.link(of(gone)).is_err());
    let id = world.link(of(arm)).expect("bodies of the world");
    run(&mut world, 60);
    assert_eq!(world.joined(id), Some([post, arm]));
    let reach = world.body(arm).expect("there").pose().position().length();
    assert!((reach - 1.0).abs() < 1e-6, "{reach}");
}

#[test]
fn a_world_goes_back_over_what_came_and_went() {
    for options in both() {
        let (mut world, ids) = stack(3, options);
        let cube = cuboid([0.4; 3]);
        let moment = world.save();
        run(&mut world, 30);
        let first = world.fingerprint();
        world.restore(&moment).expect("the same world");
        world.remove(ids[1]);
        let [new, last] = [3.0, 5.0].map(|x| world.add(dynamic(&cube, 1.0).at(at(x, 0.0, 3.0))));
        world.set_material(ids[2], made_of(0.9, 0.0)).expect("there");
        run(&mut world, 30);
        assert_ne!(world.fingerprint(), first);
        world.restore(&moment).expect("the same world");
        assert!(world.body(new).is_none() && world.body(last).is_none());
        assert!(ids.iter().all(|&id| world.body(id).is_some()));
        run(&mut world, 30);
        assert_eq!(world.fingerprint(), first);
        world.remove(ids[1]);
        let again = world.add(dynamic(&cube, 1.0).at(at(3.0, 0.0, 3.0)));
        assert!(again != new && again.index() == new.index(), "no handle is given twice");
    }
}
