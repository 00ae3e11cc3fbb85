//! The same world again: at any number of threads, and from a saved moment.

use std::collections::BTreeMap;

use chasles::Pose;
use chasles_dynamics::linkage::{Anchor, Joint};
use chasles_dynamics::spring::net::{Fabric, Net};
use chasles_dynamics::spring::sheet::Sheet;
use chasles_dynamics::world::{Damping, Filter, Load, Springs, Strength};
use chasles_dynamics::{Body, BodyId, Options, World};
use glam::DVec3;
use rayon::ThreadPoolBuilder;

use crate::linked::cradle;
use crate::scenes::{at, cuboid, dynamic, floor, made_of, rocks};

/// Worlds of each kind: of free bodies, on springs, and with joints.
const WORLDS: [fn() -> World; 3] = [|| rocks(6), on_springs, cradle];

/// Boxes that tumble on a floor.
fn on_springs() -> World {
    let mut world = World::new(Options { springs: Some(Springs::default()), ..crate::options() });
    world.add(floor());
    let cube = cuboid([0.4; 3]);
    for i in 0..4 {
        let body = dynamic(&cube, 1.0).at(at(0.1 * f64::from(i), 0.0, 0.3 + 0.5 * f64::from(i)));
        world.add(body.moving(DVec3::X * 0.2, DVec3::Y * 0.5));
    }
    world
}

fn steps(world: &mut World, count: u32) -> u64 {
    for _ in 0..count {
        world.step(1.0 / 60.0).expect("a step");
    }
    world.fingerprint()
}

#[test]
fn threads_do_not_change_a_bit() {
    for world in WORLDS {
        let run = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| steps(&mut world(), 60))
        };
        let alone = run(1);
        assert_eq!(alone, run(2));
        assert_eq!(alone, run(5));
    }
}

#[test]
fn a_restored_world_goes_on_as_before() {
    for make in WORLDS {
        let mut world = make();
        steps(&mut world, 40);
        let moment = world.save();
        let first = steps(&mut world, 30);
        world.restore(&moment).expect("the same world");
        assert_eq!(steps(&mut world, 30), first);
        let mut other = make();
        other.restore(&moment).expect("the same bodies");
        assert_eq!(steps(&mut other, 30), first);
        let added = other.add(dynamic(&cuboid([0.1; 3]), 1.0).at(at(0.0, 0.0, 30.0)));
        other.restore(&moment).expect("as many sheets");
        assert!(other.body(added).is_none());
        assert_eq!(steps(&mut other, 30), first);
    }
}

/// What was joined since, or let pass, is not any more.
#[test]
fn a_restored_world_has_the_joints_of_the_moment() {
    let mut world = on_springs();
    steps(&mut world, 10);
    let moment = world.save();
    let first = steps(&mut world, 20);
    world.restore(&moment).expect("the same world");
    let [one, other] = [1, 2].map(|i| world.bodies()[i].pose());
    let anchors = [one, other].map(|pose| {
        let here = 0.5 * (one.position() + other.position());
        Anchor::at(pose.inverse().point(here)).expect("finite")
    });
    world.link(Joint::ball([1, 2], anchors).expect("two bodies")).expect("of the world");
    world.ignore(BodyId(3), BodyId(4));
    assert_ne!(steps(&mut world, 20), first);
    world.restore(&moment).expect("the same world");
    assert!(world.joints().is_empty() && world.collides(BodyId(3), BodyId(4)));
    assert_eq!(steps(&mut world, 20), first);
}

#[test]
fn a_record_tells_every_move_and_changes_nothing() {
    let mut world = rocks(6);
    world.record(true);
    for _ in 0..40 {
        let (start, mut poses) = (world.time(), poses(&world));
        let mut clocks: BTreeMap<BodyId, f64> = BTreeMap::new();
        let report = world.step(1.0 / 60.0).expect("a step");
        for part in &report.record {
            let [from, to] = part.times;
            assert!(from < to, "{from} {to}");
            for moved in &part.moves {
                assert_eq!(poses[moved.body.0], moved.poses[0], "it goes on from where it was");
                poses[moved.body.0] = moved.poses[1];
                if world.bodies()[moved.body.0].mass_properties().is_some() {
                    let clock = clocks.insert(moved.body, to).unwrap_or(start);
                    assert!((from - clock).abs() < 1e-12, "{from} follows on {clock}");
                }
            }
        }
        assert!(clocks.values().all(|clock| (clock - world.time()).abs() < 1e-12), "{clocks:?}");
        assert_eq!(poses, self::poses(&world));
    }
    let mut silent = rocks(6);
    assert_eq!(steps(&mut silent, 40), world.fingerprint());
    assert_eq!(silent.step(1.0 / 60.0).expect("a step").record, []);
}

fn poses(world: &World) -> Vec<Pose> {
    world.bodies().iter().map(Body::pose).collect()
}

#[test]
fn a_bit_changes_the_fingerprint() {
    let cube = cuboid([1.0; 3]);
    let print = |x: f64, speed: f64, spin: f64| {
        let mut world = World::new(crate::options());
        let body = dynamic(&cube, 1.0).at(at(x, 0.0, 0.0));
        world.add(body.moving(DVec3::Y * speed, DVec3::Z * spin));
        world.fingerprint()
    };
    let all = [
        print(1.0, 1.0, 1.0),
        print(1.0_f64.next_up(), 1.0, 1.0),
        print(1.0, 1.0_f64.next_up(), 1.0),
        print(1.0, 1.0, 1.0_f64.next_up()),
    ];
    for (i, one) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| other != one), "{i} is as another");
    }
    assert_eq!(print(1.0, 1.0, 1.0), all[0]);
}

#[test]
fn a_moment_brings_its_shapes_along() {
    let world = |size: f64| {
        let mut world = World::new(crate::options());
        for x in [0.0, 1.5] {
            world.add(dynamic(&cuboid([size; 3]), 1.0).at(at(x * size, 0.0, 0.0)));
        }
        world.step(0.01).expect("apart");
        world
    };
    let [mut large, mut small] = [world(2.0), world(1.0)];
    large.restore(&small.save()).expect("no sheets");
    assert_eq!(steps(&mut large, 10), steps(&mut small, 10));
    let [one, other] = [large, small].map(|world| world.bodies()[0].shape().clone());
    assert_eq!(one, other);
}

/// A hash has what the next step begins with, and not only poses and velocities.
#[test]
fn a_hash_tells_apart_what_goes_on_otherwise() {
    for options in [Options::default(), Options::windows()] {
        let mut world = World::new(options);
        world.add(floor());
        let id = world.add(dynamic(&cuboid([0.4; 3]), 1.0).at(at(0.0, 0.0, 0.2001)));
        steps(&mut world, 5);
        let moment = world.save();
        let before = world.hash();
        steps(&mut world, 1);
        assert_ne!(world.hash(), before);
        let mut hashes = vec![before];
        let changes: [fn(&mut World, BodyId); 6] = [
            |world, id| assert!(world.load(id, Load { force: DVec3::X, ..Load::default() })),
            |world, id| world.set_mass(id, 3.0).expect("a mass"),
            |world, id| world.set_material(id, made_of(0.1, 0.2)).expect("there"),
            |world, id| world.set_filter(id, Filter { groups: 2, mask: 3 }).expect("there"),
            |world, id| assert!(world.ignore(id, BodyId(0))),
            |world, id| {
                world.set_damping(id, Damping { linear: 1.0, angular: 0.0 }).expect("there")
            },
        ];
        for change in changes {
            world.restore(&moment).expect("the same world");
            assert_eq!(world.hash(), before);
            change(&mut world, id);
            hashes.push(world.hash());
        }
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 7, "all are different");
        // What contacts are known to press with is part of it.
        world.restore(&moment).expect("the same world");
        [BodyId(0), id].into_iter().for_each(|body| assert!(world.wake(body)));
        let mut fresh = world.clone();
        let velocity = world.body(id).expect("there").velocity();
        fresh.place(id, world.body(id).expect("there").pose(), velocity).expect("free");
        assert_eq!(fresh.fingerprint(), world.fingerprint());
        assert_ne!(fresh.hash(), world.hash());
    }
}

/// A cloth that is held at its corners or not, with a body on it, on contact springs or without.
fn hung(springs: Option<Springs>, is_held: bool) -> World {
    let mut world = World::new(Options { springs, ..Options::windows() });
    let sides = [DVec3::X * 0.6, DVec3::Y * 0.6];
    let net = Net::grid(DVec3::ZERO, sides, [6; 2], &Fabric::default()).expect("a net");
    let mut sheet = Sheet::new(net).expect("a sheet");
    [0, 6, 42, 48].into_iter().for_each(|vertex| sheet.pin(vertex, is_held));
    world.add_sheet(sheet);
    world.add(dynamic(&cuboid([0.2; 3]), 10.0).at(at(0.3, 0.3, 0.105)));
    world
}

#[test]
fn a_hash_knows_what_sheets_begin_the_next_step_with() {
    for springs in [None, Some(Springs::default())] {
        let [mut held, loose] = [true, false].map(|is_held| hung(springs, is_held));
        assert_eq!(held.fingerprint(), loose.fingerprint());
        assert_ne!(held.hash(), loose.hash());
        steps(&mut held, 3);
        let mut other = hung(springs, true);
        other.restore(&held.save()).expect("as many sheets");
        assert_eq!(other.hash(), held.hash());
    }
}

#[test]
fn a_hash_knows_what_joints_bear() {
    let mut world = World::new(Options::default());
    let ids: Vec<BodyId> =
        [0.0, 1.0].map(|x| world.add(dynamic(&cuboid([0.4; 3]), 1.0).at(at(x, 0.0, 0.0)))).into();
    let poses = [&world.bodies()[0].pose(), &world.bodies()[1].pose()];
    let anchor = Anchor::along(DVec3::X * 0.5, DVec3::Y).expect("an axis");
    let joint = Joint::ball([ids[0].index(), ids[1].index()], anchor.in_bodies(poses));
    let joint = world.link(joint.expect("a joint")).expect("both are there");
    let before = world.hash();
    let strength = Strength { force: 10.0, torque: f64::INFINITY };
    world.set_strength(joint, Some(strength)).expect("it is there");
    assert_ne!(world.hash(), before);
    world.set_strength(joint, None).expect("it is there");
    assert_eq!(world.hash(), before);
}
