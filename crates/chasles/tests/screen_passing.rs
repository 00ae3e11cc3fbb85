//! What robust mode says about near misses: of which face they are where faces are coplanar, where
//! wires are closest, and whether features touch.

use chasles::glam::DVec3;
use chasles::screen::{Options, Resolution, ScreenError, Tracker, Workspace, contacts};
use chasles::{Collider, Contact, Features, Motion, Polygons, Polyhedron, Pose, Screw, Step};
use chasles_testkit::generate::{Random, convex_mesh, spun};
use chasles_testkit::screen::feature_gap;
use chasles_testkit::shapes::{mapped, octahedron, point, segment, tiles};
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

fn gap_at(meshes: [&Polygons; 2], step: &Step, contact: &Contact, time: f64) -> f64 {
    feature_gap(meshes, step, &Contact { time, ..*contact }) / PIXEL
}

/// A body with a vertex at the origin, below everything else of it.
fn tip() -> Polygons {
    mapped(octahedron(), |v| 0.2 * v + 0.2 * DVec3::Z)
}

#[test]
fn vertices_above_seams_are_seen_once() {
    let bodies = [&tiles(4), &tip()];
    let mut random = Random::new(5);
    for round in 0..400 {
        // On seams, and where four tiles meet.
        let along = if round % 2 == 0 { random.between(-0.4, 0.4) } else { 0.0 };
        let height = random.between(0.05, 0.9) * PIXEL;
        let placed = Pose::new(random.vector(), random.rotation()).expect("finite");
        let at = |x: f64, z: f64| {
            let pose = Pose::from_position([x, 0.5, z]).expect("finite");
            placed.after(&pose)
        };
        let (from, to) = match round % 3 {
            0 => (at(along, height + 1.3), at(along, height)),
            1 => (at(along - 0.3, height), at(along + 0.3, height)),
            _ => (at(along, height), at(along, height + 0.4)),
        };
        let step = Step::new(Motion::still(placed), Motion::between(from, to));
        let found = shown(bodies, &step);
        let is_tip = |contact: &&Contact| {
            let Features::Fv { vertex, .. } = contact.features else { return false };
            tip().vertices[vertex as usize].length() < 1e-9
        };
        let of_tip: Vec<&Contact> = found.iter().filter(is_tip).collect();
        assert!(!of_tip.is_empty(), "{round}: not seen");
        for contact in &of_tip {
            let gap = gap_at(bodies, &step, contact, contact.time);
            assert!((gap * PIXEL - height).abs() < 1e-9, "{round}: {gap}");
        }
        // What slides from tile to tile is near each of them.
        let most = if round % 3 == 1 { 4 } else { 1 };
        assert!(of_tip.len() <= most, "{round}: seen {} times", of_tip.len());
    }
}

/// A tip that swings down to a seam, or next to it, and up again.
#[test]
fn swings_over_seams_are_seen() {
    let bodies = [&tiles(4), &tip()];
    let [a, b] = bodies.map(collider);
    let mut random = Random::new(8);
    for round in 0..2000 {
        let gap = random.between(0.005, 0.9);
        // Over a seam, or where four tiles meet; up to a pixel from it.
        let aside = random.one_of(&[0.0, 0.01, 0.1, 1.0]) * random.between(-1.0, 1.0) * PIXEL;
        let along = random.one_of(&[0.0, 1.0]) * random.between(-0.4, 0.4);
        let low = Pose::from_position([aside, along, gap * PIXEL]).expect("finite");
        let turn = random.between(-1.0, 1.0) * DVec3::new(0.2 * random.unit(), 1.0, 0.0);
        let axis_above = random.between(0.3, 3.0);
        let screw = Screw::from_twist(turn, turn.cross(-axis_above * DVec3::Z)).expect("finite");
        let at = random.between(0.1, 0.9);
        let start = screw.pose_at(-at).after(&low);
        let step = step_along((Pose::IDENTITY, Screw::STILL), (start, screw));
        let found = shown(bodies, &step);
        let gaps = found.iter().map(|contact| gap_at(bodies, &step, contact, contact.time));
        let least = gaps.fold(f64::INFINITY, f64::min);
        assert!(least <= gap + 0.06, "{round}: {least} instead of {gap} or less, {found:?}");
        let mut workspace = Workspace::new();
        let mut tracker = Tracker::new([Pose::IDENTITY, start]);
        let next = [Pose::IDENTITY, step.pose_of_b(1.0)];
        let seen = tracker.advance([&a, &b], next, &robust(), &mut workspace);
        let is_apart = step.parts() == 1;
        assert!(!is_apart || !seen.expect("few records").is_empty(), "{round}: not tracked");
    }
}

/// What falls through tiles touches one of them, also next to a seam, and is near no other.
#[test]
fn touches_near_seams_are_reported_once() {
    let bodies = [&tiles(4), &tip()];
    let mut random = Random::new(9);
    for round in 0..400 {
        let aside = random.one_of(&[0.0, 0.001, 0.03, 0.3]) * random.between(-1.0, 1.0) * PIXEL;
        let placed = Pose::new(random.vector(), random.rotation()).expect("finite");
        let at = |z: f64| {
            let pose = Pose::from_position([aside, random.between(0.1, 0.4), z]).expect("finite");
            placed.after(&pose)
        };
        let [from, to] = [0.3, -0.2].map(at);
        let found = shown(bodies, &Step::new(Motion::still(placed), Motion::between(from, to)));
        let of_tip = |contact: &&Contact| {
            let Features::Fv { vertex, .. } = contact.features else { return false };
            tip().vertices[vertex as usize].length() < 1e-9
        };
        let of_tip: Vec<&Contact> = found.iter().filter(of_tip).collect();
        let [contact] = of_tip[..] else { panic!("{round}: {of_tip:?}") };
        assert!(!contact.grazing, "{round}: {contact:?}");
    }
}

/// A point that lifts off from either side of a sheet.
#[test]
fn normals_of_sheets_point_toward_lone_points() {
    let sheet = tiles(1);
    let lone = point(DVec3::ZERO);
    for side in [-1.0, 1.0] {
        let at = |z: f64| Pose::from_position([0.1, 0.2, side * z * PIXEL]).expect("finite");
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(0.4), at(9.0)));
        for (bodies, sign) in [([&sheet, &lone], 1.0), ([&lone, &sheet], -1.0)] {
            let step = if sign > 0.0 { step } else { step.swapped() };
            let found = shown(bodies, &step);
            let [contact] = found[..] else { panic!("{found:?}") };
            assert_eq!(contact.normal, sign * side * DVec3::Z);
            assert!(contact.normal_speed > 0.0);
        }
    }
}

/// The place and the normal are those of the wires, and not of the lines through them.
#[test]
fn wires_are_near_where_they_are() {
    let wire = segment(-DVec3::X, DVec3::X);
    let (mut at_ends, mut all) = (0, 0);
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let at = |random: &mut Random| {
            let close = 1.1 * random.direction() + 0.3 * random.vector();
            Pose::new(close, random.rotation()).expect("finite")
        };
        let step = Step::new(
            Motion::still(Pose::IDENTITY),
            Motion::between(at(&mut random), at(&mut random)),
        );
        for contact in shown([&wire, &wire], &step) {
            let gap = gap_at([&wire, &wire], &step, &contact, contact.time);
            let b = step.pose_of_b_by_relative(contact.time);
            let ends = [-DVec3::X, DVec3::X].map(|end| b.point(end));
            let to_wire = |x: DVec3, [p, q]: [DVec3; 2]| {
                let f = ((x - p).dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
                p.lerp(q, f) - x
            };
            let across = to_wire(contact.point, ends);
            assert!(across.length() <= (gap + 0.01) * PIXEL, "{seed}: {gap}, {contact:?}");
            if gap > 0.05 {
                let aligned = across.normalize().dot(contact.normal);
                assert!(aligned > 0.99, "{seed}: {aligned}, {contact:?}");
            }
            all += 1;
            let at_b = contact.point + across;
            let of_b = ends.iter().any(|end| end.distance(at_b) < 1e-9);
            at_ends += u32::from(of_b || contact.point.x.abs() > 1.0 - 1e-9);
        }
    }
    assert!(all > 100 && at_ends > 5, "{at_ends} of {all}");
}

/// Contacts are marked as grazing where features do not touch, and of those each pair has one.
#[test]
fn grazing_is_what_does_not_touch() {
    let (mut touching, mut near) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let bodies = [convex_mesh(&mut random), convex_mesh(&mut random)];
        let turn = random.between(0.1, 1.5) * random.direction();
        let query = spun(bodies[0].clone(), bodies[1].clone(), turn, 0.2 * random.direction());
        let step = Step::new(
            Motion::between(query.poses_a[0], query.poses_a[1]),
            Motion::between(query.poses_b[0], query.poses_b[1]),
        );
        let meshes = [&query.a, &query.b];
        let [a, b] = meshes.map(collider);
        let options = Options { robust: true, ..Options::default() };
        let pixel = options.pixel(&a, &b).expect("good options");
        let found = contacts(&a, &b, &step, &options, &mut Workspace::new()).expect("few").to_vec();
        for contact in &found {
            let gap = feature_gap(meshes, &step, contact) / pixel;
            // A thousandth of a pixel is a touch, and a face next to it may stand for that.
            let is_true = if contact.grazing { gap > 0.9e-3 } else { gap < 2e-3 };
            assert!(is_true, "{seed}: {gap}, {contact:?}");
            let same = found.iter().filter(|other| other.features == contact.features).count();
            assert!(!contact.grazing || same == 1, "{seed}: {same} times {contact:?}");
            touching += u32::from(!contact.grazing);
            near += u32::from(contact.grazing);
        }
    }
    assert!(touching > 1000 && near > 200, "{touching} {near}");
}

/// A vertex comes near the left side of a horseshoe, and later near its right side, in the same
/// part as the gap.
#[test]
fn separate_approaches_in_parts_stay_separate() {
    let shape = [
        [-1.0, 0.0],
        [1.0, 0.0],
        [1.0, 1.0],
        [0.05, 1.0],
        [0.05, 0.2],
        [-0.05, 0.2],
        [-0.05, 1.0],
        [-1.0, 1.0],
    ];
    let corner = |p: [f64; 2]| [p[0], p[1], 0.0];
    let horseshoe = Polygons::new(shape.map(corner), [[0, 1, 2, 3, 4, 5, 6, 7]]);
    let at = |x: f64, gap: f64| Pose::from_position([x, 0.7, gap * PIXEL]).expect("finite");
    let step =
        Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(-0.52, 0.3), at(0.48, 0.9)));
    for parts in [2, 4] {
        let found = shown([&horseshoe, &tip()], &step.with_parts(parts));
        let times: Vec<f64> = found.iter().map(|contact| contact.time).collect();
        assert!(times.len() == 2 && times[0] == 0.0, "{parts}: {times:?}");
        assert!((times[1] - 0.57).abs() < 0.01, "{parts}: {times:?}");
    }
}

#[test]
fn pixels_beyond_all_numbers_are_refused() {
    let [a, b] = [&tiles(2), &tip()].map(collider);
    let at = |z: f64| Pose::from_position([0.0, 0.0, z]).expect("finite");
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(1.0), at(-1.0)));
    for length in [1e-18, 1e-40, 1e-300, f64::MIN_POSITIVE] {
        for robust in [false, true] {
            let resolution = Resolution::Length(length);
            let options = Options { resolution, robust, ..Options::default() };
            let found = contacts(&a, &b, &step, &options, &mut Workspace::new()).map(<[_]>::len);
            assert!(matches!(found, Err(ScreenError::TooManyRecords { .. })), "{found:?}");
        }
    }
}
