//! In robust mode every contact is the closest approach of its features, above seams too, between
//! wires, and across the parts of a step.

use chasles::glam::{DQuat, DVec3};
use chasles::screen::{Options, Resolution, ScreenError, Workspace, contacts};
use chasles::{Collider, Contact, Features, Motion, Polygons, Polyhedron, Pose, Screw, Step};
use chasles_testkit::generate::{Random, built_in_query, convex_mesh, query, spun};
use chasles_testkit::screen::feature_gap;
use chasles_testkit::shapes::{cuboid, mapped, octahedron, prism, regular, segment, tiles, torus};
use chasles_testkit::step_along;

const PIXEL: f64 = 0.02;

fn collider(mesh: &Polygons) -> Collider {
    Collider::new(Polyhedron::new(mesh).expect("a mesh"))
}

fn robust() -> Options {
    Options { resolution: Resolution::Length(PIXEL), robust: true, ..Options::default() }
}

fn shown(meshes: [&Polygons; 2], step: &Step) -> Vec<Contact> {
    let [a, b] = meshes.map(collider);
    contacts(&a, &b, step, &robust(), &mut Workspace::new()).expect("few records").to_vec()
}

/// The gap of a contact's features at a time, in pixels.
fn gap_at(meshes: [&Polygons; 2], step: &Step, contact: &Contact, time: f64) -> f64 {
    feature_gap(meshes, step, &Contact { time, ..*contact }) / PIXEL
}

/// The least gap of a contact's features in the step, sampled, and when.
fn least_gap(meshes: [&Polygons; 2], step: &Step, contact: &Contact) -> (f64, f64) {
    let times = (0..=400).map(|i| f64::from(i) / 400.0);
    let gap = |time: f64| (feature_gap(meshes, step, &Contact { time, ..*contact }), time);
    times.map(gap).min_by(|p, q| p.0.total_cmp(&q.0)).expect("there are times")
}

#[test]
fn grazing_contacts_are_closest_approaches() {
    let mut workspace = Workspace::new();
    let [mut grazing, mut elsewhere] = [0, 0];
    for seed in 0..60 {
        let query = if seed % 2 == 0 { query(seed) } else { built_in_query(seed) };
        let step = Step::new(
            Motion::between(query.poses_a[0], query.poses_a[1]),
            Motion::between(query.poses_b[0], query.poses_b[1]),
        );
        let meshes = [&query.a, &query.b];
        let [a, b] = meshes.map(collider);
        let options = Options { robust: true, ..Options::default() };
        let pixel = options.pixel(&a, &b).expect("good options");
        let found = contacts(&a, &b, &step, &options, &mut workspace).expect("few records");
        for contact in found.iter().filter(|contact| contact.grazing) {
            let gap = feature_gap(meshes, &step, contact) / pixel;
            let (least, time) = least_gap(meshes, &step, contact);
            let least = least / pixel;
            // Where the features are closest at a border, a face next to them may stand for it.
            let is_there = |other: &Contact| {
                feature_gap(meshes, &step, other) / pixel <= least + 0.06
                    && (other.time - time).abs() <= 0.01
            };
            let is_closest = gap <= least + 0.06;
            assert!(
                is_closest || found.iter().any(is_there),
                "{seed}: {gap}, {least}: {contact:?}"
            );
            grazing += 1;
            elsewhere += u32::from(!is_closest);
        }
    }
    assert!(grazing > 500 && elsewhere < grazing / 20, "{elsewhere} of {grazing}");
}

/// All pairs of a face and a vertex, or of two edges, of closed meshes.
fn all_pairs([a, b]: [&Polygons; 2]) -> Vec<Features> {
    let numbers = |count: usize| 0..count as u32;
    let edges = |mesh: &Polygons| -> Vec<[u32; 2]> {
        let around = |face: &Vec<u32>| {
            let next: Vec<u32> = face.iter().copied().cycle().skip(1).take(face.len()).collect();
            face.iter().copied().zip(next).collect::<Vec<_>>()
        };
        let sides = mesh.faces.iter().flat_map(around);
        sides.filter(|(p, q)| p < q).map(|(p, q)| [p, q]).collect()
    };
    let mut pairs = Vec::new();
    for face in numbers(a.faces.len()) {
        pairs.extend(numbers(b.vertices.len()).map(|vertex| Features::Fv { face, vertex }));
    }
    for vertex in numbers(a.vertices.len()) {
        pairs.extend(numbers(b.faces.len()).map(|face| Features::Vf { vertex, face }));
    }
    for of_a in edges(a) {
        pairs.extend(edges(b).into_iter().map(|of_b| Features::Ee { a: of_a, b: of_b }));
    }
    pairs
}

/// The vertices of features.
fn corners(meshes: [&Polygons; 2], features: &Features) -> [Vec<u32>; 2] {
    match *features {
        Features::Fv { face, vertex } => [meshes[0].faces[face as usize].clone(), vec![vertex]],
        Features::Vf { vertex, face } => [vec![vertex], meshes[1].faces[face as usize].clone()],
        Features::Ee { a, b } => [a.to_vec(), b.to_vec()],
    }
}

/// Fails unless each pair of features that comes within nine tenths of a pixel is reported, or one
/// that has vertices in common with it and is as close; how many there are.
fn expect_all(meshes: [&Polygons; 2], step: &Step, options: &Options) -> usize {
    let [a, b] = meshes.map(collider);
    let pixel = options.pixel(&a, &b).expect("good options");
    let mut workspace = Workspace::new();
    let found = contacts(&a, &b, step, options, &mut workspace).expect("few records");
    let reported: Vec<_> = found
        .iter()
        .map(|c| (corners(meshes, &c.features), feature_gap(meshes, step, c) / pixel))
        .collect();
    let mut near = 0;
    let Some(any) = found.first() else { return 0 };
    for features in all_pairs(meshes) {
        let (least, _) = least_gap(meshes, step, &Contact { features, ..*any });
        let least = least / pixel;
        if least > 0.9 {
            continue;
        }
        near += 1;
        let wanted = corners(meshes, &features);
        let stands = |(found, gap): &([Vec<u32>; 2], f64)| {
            *gap <= least + 0.06
                && (0..2).all(|i| found[i].iter().any(|vertex| wanted[i].contains(vertex)))
        };
        assert!(reported.iter().any(stands), "{features:?} comes within {least}");
    }
    near
}

#[test]
fn all_that_comes_near_is_reported() {
    let mut near = 0;
    for seed in 0..16 {
        let mut random = Random::new(seed);
        let bodies = [convex_mesh(&mut random), convex_mesh(&mut random)];
        let turn = random.between(0.1, 2.0) * random.direction();
        let query = spun(bodies[0].clone(), bodies[1].clone(), turn, 0.2 * random.direction());
        let step = Step::new(
            Motion::between(query.poses_a[0], query.poses_a[1]),
            Motion::between(query.poses_b[0], query.poses_b[1]),
        );
        let resolution = Resolution::Pixels(random.one_of(&[12, 200]));
        let options = Options { resolution, robust: true, ..Options::default() };
        near += expect_all([&query.a, &query.b], &step, &options);
    }
    assert!(near > 200, "{near}");
}

/// Boxes that slide and turn in a common plane, on one side of it or on both.
#[test]
fn all_that_slides_in_a_plane_is_reported() {
    let mut near = 0;
    for seed in 0..24 {
        let mut random = Random::new(seed);
        let [a, b] = [(); 2].map(|()| cuboid(DVec3::new(random.between(0.3, 1.5), 1.0, 0.8)));
        let side = random.one_of(&[0.0, 1.0]);
        let placed = Pose::new(random.vector(), random.rotation()).expect("finite");
        let mut at = |x: f64| {
            let turn = DQuat::from_rotation_y(random.between(-1.0, 1.0));
            let pose = Pose::new([x, side, random.between(-0.2, 0.2)], turn).expect("finite");
            placed.after(&pose)
        };
        let step = Step::new(Motion::still(placed), Motion::between(at(1.2), at(-0.3)));
        near += expect_all([&a, &b], &step, &robust());
    }
    assert!(near > 1000, "{near}");
}

/// Edges of thousands of pixels that turn past each other at a gap that is constant, shrinks or
/// grows.
#[test]
fn long_bars_that_turn_come_near() {
    let bar = prism(&regular(6, 0.0), 60.0);
    let mut near = 0;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(1.0, 0.1, 0.0).normalize()] {
        for gaps in [[0.2, 0.2], [0.8, 0.8], [3.0, 0.2], [0.8, 0.1], [0.1, 0.8]] {
            let turned = |gap: f64, angle: f64| {
                let at = [0.0, 3.0_f64.sqrt() + gap * PIXEL, 0.0];
                Pose::new(at, DQuat::from_axis_angle(axis, angle)).expect("finite")
            };
            let poses = [turned(gaps[0], 0.0), turned(gaps[1], 1.4)];
            let step =
                Step::new(Motion::still(Pose::IDENTITY), Motion::between(poses[0], poses[1]));
            near += expect_all([&bar, &bar], &step, &robust());
        }
    }
    assert!(near > 100, "{near}");
}

/// A body with a vertex at the origin, below everything else of it.
fn tip() -> Polygons {
    mapped(octahedron(), |v| 0.2 * v + 0.2 * DVec3::Z)
}

/// What slides in, straight or on a circle, at a constant gap.
#[test]
fn of_equally_close_approaches_the_earliest_counts() {
    let bodies = [&tiles(1), &tip()];
    let mut random = Random::new(7);
    for round in 0..30 {
        let gap = [0.05, 0.3, 0.9][round % 3];
        let placed = Pose::new(random.vector(), random.rotation()).expect("finite");
        let at = |x: f64| Pose::from_position([x, 0.1, gap * PIXEL]).expect("finite");
        let around = |angle: f64| {
            let turn = Pose::new([-3.0, 0.0, 0.0], DQuat::from_rotation_z(angle)).expect("finite");
            placed.after(&turn.after(&at(3.0)))
        };
        let between =
            |from: Pose, to: Pose| Step::new(Motion::still(placed), Motion::between(from, to));
        let straight = between(placed.after(&at(-2.0)), placed.after(&at(2.0)));
        let circle = between(around(-1.2), around(0.8));
        // The circle enters through the side at y = -1.
        let enters = ((-1.0_f64 / 3.0).asin() + 1.2) / 2.0;
        for (step, due) in [(straight, 0.25), (circle, enters)] {
            let found = shown(bodies, &step);
            let is_tip = |c: &&Contact| matches!(c.features, Features::Fv { .. });
            let first = found.iter().find(is_tip).expect("it is near");
            let late = (first.time - due).abs();
            assert!(late < 0.03, "{gap}: at {} instead of {due}", first.time);
        }
    }
}

#[test]
fn parallel_wires_that_touch_are_seen() {
    let wire = segment(-DVec3::X, DVec3::X);
    let mut random = Random::new(6);
    for round in 0..100 {
        let placed = Pose::new(random.vector(), random.rotation()).expect("finite");
        let at = |z: f64| {
            let shift = Pose::from_position([random.between(-0.5, 0.5), 0.0, z]).expect("finite");
            placed.after(&shift)
        };
        let (from, to) = ([0.5, 0.0][round % 2], [-0.7, 0.4, 0.0][round % 3]);
        let [from, to] = [from, to].map(at);
        let step = Step::new(Motion::still(placed), Motion::between(from, to));
        let found = shown([&wire, &wire], &step);
        let touches = |contact: &Contact| {
            gap_at([&wire, &wire], &step, contact, contact.time) < 1e-3
                && contact.normal.is_normalized()
                && contact.normal.dot(placed.rotation() * DVec3::X).abs() < 1e-6
        };
        let meets = round % 2 == 1 || round % 3 != 1;
        assert_eq!(found.iter().any(touches), meets, "{round}: {found:?}");
    }
}

/// What comes nearer through several parts is reported where it is nearest, and not at the end of
/// each part.
#[test]
fn what_comes_nearer_in_the_next_part_is_closest_there() {
    let bodies = [&tiles(1), &tip()];
    let at = |z: f64| Pose::from_position([0.1, 0.2, z * PIXEL]).expect("finite");
    let turn = Pose::new([0.0; 3], DQuat::from_rotation_z(0.4)).expect("finite");
    for parts in [1, 2, 3, 7] {
        for (from, to) in [(1.2, 0.2), (0.2, 1.2), (6.0, 0.5), (0.5, 8.0), (0.9, 0.2)] {
            for after in [Pose::IDENTITY, turn] {
                let step = Step::new(
                    Motion::still(Pose::IDENTITY),
                    Motion::between(at(from), after.after(&at(to))),
                );
                let step = step.with_parts(parts);
                let found = shown(bodies, &step);
                let [contact] = found[..] else { panic!("{parts}, {from} to {to}: {found:?}") };
                assert_eq!(contact.time, if to < from { 1.0 } else { 0.0 });
            }
        }
    }
}

/// A closest approach between two parts is reported once.
#[test]
fn what_is_closest_between_parts_is_reported_once() {
    let bodies = [&tiles(1), &tip()];
    let turn = std::f64::consts::PI;
    for gap in [0.1, 0.5, 0.9] {
        // Around an axis along y, far above: the tip is lowest in the middle of the step.
        let screw = Screw::from_twist(turn * DVec3::Y, turn * DVec3::Y.cross(-3.0 * DVec3::Z));
        let screw = screw.expect("finite");
        let low = Pose::from_position([0.0, 0.0, gap * PIXEL]).expect("finite");
        let start = screw.pose_at(-0.5).after(&low);
        let step = step_along((Pose::IDENTITY, Screw::STILL), (start, screw));
        assert_eq!(step.parts(), 2);
        let found = shown(bodies, &step);
        let [contact] = found[..] else { panic!("{gap}: {found:?}") };
        assert!((contact.time - 0.5).abs() < 1e-2, "{}", contact.time);
    }
}

#[test]
fn what_meets_between_parts_is_reported_once() {
    let bodies = [&tiles(1), &tip()];
    let at = |z: f64| Pose::from_position([0.1, 0.2, z * PIXEL]).expect("finite");
    let step =
        Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(4.0), at(-4.0))).with_parts(2);
    let found = shown(bodies, &step);
    let meets = found.iter().filter(|c| matches!(c.features, Features::Fv { .. }));
    let times: Vec<f64> = meets.map(|contact| contact.time).collect();
    assert_eq!(times, [0.5], "{found:?}");
}

#[test]
fn more_near_pairs_than_are_allowed_are_refused() {
    let ring = torus(12, 8, 1.0, 0.3);
    let [a, b] = [&ring, &ring].map(collider);
    let at = |x: f64| Pose::from_position([x, 0.1, 0.05]).expect("finite");
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(0.8), at(0.7)));
    let mut workspace = Workspace::new();
    let mut with = |robust: bool, max_records: usize| {
        let resolution = Resolution::Pixels(1);
        let options = Options { resolution, max_records, robust, ..Options::default() };
        contacts(&a, &b, &step, &options, &mut workspace).map(<[Contact]>::len)
    };
    let all = with(true, 1 << 20).expect("few records");
    let most = all - 100;
    assert!(with(false, most).is_ok());
    let few = with(true, most);
    assert!(matches!(few, Err(ScreenError::TooManyRecords { .. })), "{few:?}");
}
