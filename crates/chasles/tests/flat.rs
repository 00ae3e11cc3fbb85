//! Contacts of two faces, and of a face and an edge: one result with its polygon or segment.

use chasles::contact::{FlatContact, FlatFeatures, flat_contacts};
use chasles::glam::{DQuat, DVec2, DVec3};
use chasles::{Collider, Motion, Options, Polygons, Polyhedron, Pose, Step, contacts, screen};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;

fn collider(mesh: &Polygons) -> Collider {
    Collider::new(Polyhedron::new(mesh).expect("an acceptable mesh"))
}

/// The flat contacts of what the exact method finds, and how many contacts that are.
fn flat_of([a, b]: [&Collider; 2], step: &Step, flatness: f64) -> (Vec<FlatContact>, usize) {
    let mut workspace = chasles::Workspace::new();
    let all = Options { facing: true, ..Options::default() };
    let found = contacts(a, b, step, &all, &mut workspace);
    (flat_contacts([a, b], step, found, flatness), found.len())
}

/// A moves not at all, B from one place to another.
fn slide(from: DVec3, to: DVec3, turn: DQuat) -> Step {
    let at = |place| Pose::new(place, turn).expect("a pose");
    Step::new(Motion::still(Pose::IDENTITY), Motion::between(at(from), at(to)))
}

fn area(polygon: &[DVec3]) -> DVec3 {
    let next = polygon.iter().cycle().skip(1);
    0.5 * polygon
        .iter()
        .zip(next)
        .map(|(p, q)| (p - polygon[0]).cross(q - polygon[0]))
        .sum::<DVec3>()
}

fn area_of(flat: &FlatContact) -> f64 {
    flat.region_in_a.iter().map(|piece| area(piece).dot(flat.normal_in_a)).sum()
}

/// Boxes whose faces are apart by random shifts: the polygon is the rectangle that both cover.
#[test]
fn a_box_that_lands_on_a_box_is_one_contact_of_two_faces() {
    let table = collider(&shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)));
    let cube = collider(&shapes::cuboid(DVec3::new(1.0, 2.0, 1.0)));
    let mut random = Random::new(3);
    for i in 0..100 {
        let [x, y] = [random.between(-2.4, 2.4), random.between(-2.9, 2.9)];
        let step = slide(DVec3::new(x, y, 2.0), DVec3::new(x, y, 0.5), DQuat::IDENTITY);
        let (flat, count) = flat_of([&table, &cube], &step, 1e-9);
        assert_eq!(flat.len(), 1, "{i}: {flat:?}");
        let flat = &flat[0];
        assert!(matches!(flat.features, FlatFeatures::Ff { .. }), "{i}");
        assert!((flat.time - 2.0 / 3.0).abs() < 1e-9 && flat.normal_speed < -1.4, "{i}");
        assert!((flat.normal_in_a - DVec3::Z).length() < 1e-12, "{i}");
        let overlap = |at: f64, half: f64| (at + half).min(2.0) - (at - half).max(-2.0);
        let expected = overlap(x, 0.5) * overlap(y, 1.0);
        assert!((area_of(flat) - expected).abs() < 1e-9, "{i}: {} {expected}", area_of(flat));
        assert!(flat.region.iter().flatten().all(|p| (p.z - 0.5).abs() < 1e-9), "{i}");
        assert!(flat.contacts.len() >= 4 && flat.contacts.len() <= count, "{i}");
    }
}

/// The same, carried to any place of the world, with A moving too, and with bodies exchanged.
#[test]
fn where_bodies_lie_on_each_other_goes_with_the_frame() {
    let table = collider(&shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)));
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let mut random = Random::new(8);
    for i in 0..50 {
        let world = Pose::new(random.direction() * 3.0, random.rotation()).unwrap();
        let drift = Pose::from_position(random.direction()).unwrap();
        let at = |z| Pose::from_position([1.7, 0.2, z]).unwrap();
        let [start, end] = [world, drift.after(&world)];
        let a = Motion::between(start, end);
        let b = Motion::between(start.after(&at(2.0)), end.after(&at(0.5)));
        let (flat, _) = flat_of([&table, &cube], &Step::new(a, b), 1e-8);
        assert_eq!(flat.len(), 1, "{i}: {flat:?}");
        assert!((area_of(&flat[0]) - 0.8).abs() < 1e-7, "{i}");
        let pose = Step::new(a, b).pose_of_a(flat[0].time);
        for (p, q) in flat[0].region_in_a.iter().flatten().zip(flat[0].region.iter().flatten()) {
            assert!(pose.point(*p).distance(*q) < 1e-9, "{i}");
        }
        let (turned, _) = flat_of([&cube, &table], &Step::new(b, a), 1e-8);
        assert_eq!(turned.len(), 1, "{i}");
        assert!((turned[0].normal + flat[0].normal).length() < 1e-7, "{i}");
    }
}

/// A prism on its edge: a segment, cut where the table ends.
#[test]
fn a_roof_that_lands_on_its_ridge_is_one_contact_of_a_face_and_an_edge() {
    let table = collider(&shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)));
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let on_edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    for (x, length) in [(0.0, 1.0), (1.8, 0.7), (-2.2, 0.3)] {
        let step = slide(DVec3::new(x, 0.1, 2.0), DVec3::new(x, 0.1, 1.0), on_edge);
        let (flat, _) = flat_of([&table, &cube], &step, 1e-9);
        assert_eq!(flat.len(), 1, "{x}: {flat:?}");
        assert!(matches!(flat[0].features, FlatFeatures::Fe { .. }), "{x}");
        let [p, q] = flat[0].region[0][..] else { panic!("{x}: {flat:?}") };
        assert!((p.distance(q) - length).abs() < 1e-7, "{x}: {p} {q}");
        let back = slide(DVec3::ZERO, DVec3::new(0.0, 0.0, 1.0), DQuat::IDENTITY);
        let up = [step.motions()[1], back.motions()[0]];
        let (turned, _) = flat_of([&cube, &table], &Step::new(up[0], up[1]), 1e-9);
        assert_eq!(turned.len(), 1, "{x}");
        assert!(matches!(turned[0].features, FlatFeatures::Ef { .. }), "{x}");
        assert!((turned[0].normal + DVec3::Z).length() < 1e-12, "{x}");
    }
}

/// Sides of both boxes in one plane, and looking the same way: only what lies on something counts.
#[test]
fn sides_in_one_plane_do_not_lie_on_each_other() {
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let mut random = Random::new(12);
    let all_aligned = [[0.4, 0.0], [0.0, 0.3], [0.0, 0.0], [-0.25, 0.0]];
    for (i, [x, y]) in all_aligned.into_iter().enumerate() {
        let way = [DVec3::new(x, y, 3.0), DVec3::new(x, y, 0.5)];
        let (flat, _) = flat_of([&cube, &cube], &slide(way[0], way[1], DQuat::IDENTITY), 1e-9);
        assert_eq!(flat.len(), 1, "{i}: {flat:?}");
        let expected = (1.0 - f64::abs(x)) * (1.0 - f64::abs(y));
        assert!((area_of(&flat[0]) - expected).abs() < 1e-9, "{i}: {flat:?}");
        // The same anywhere, with bodies exchanged, up to the rounding of the poses.
        let world = Pose::new(random.direction(), random.rotation()).unwrap();
        let still = Motion::still(world);
        let [start, end] = way.map(|at| world.after(&Pose::from_position(at).unwrap()));
        let step = Step::new(Motion::between(start, end), still);
        let (turned, _) = flat_of([&cube, &cube], &step, 1e-8);
        assert_eq!(turned.len(), 1, "{i}: {turned:?}");
        assert!(matches!(turned[0].features, FlatFeatures::Ff { .. }), "{i}: {turned:?}");
    }
}

/// The rim of the top is the rim of a side too, and the ridge goes on down along that.
#[test]
fn a_roof_lies_with_its_ridge_on_the_rim_but_not_in_the_side() {
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let on_edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    let depth = 0.5_f64.sqrt();
    let way = [2.0, 0.5].map(|z| DVec3::new(0.2, 0.5, z + depth));
    let step = slide(way[0], way[1] - DVec3::Z * 0.2, on_edge);
    let (flat, _) = flat_of([&cube, &cube], &step, 1e-9);
    // The rim lies on the roof as well, which is above it.
    let kinds: Vec<_> = flat.iter().map(|flat| flat.features.kind()).collect();
    assert_eq!(kinds, ["ef", "fe"], "{flat:?}");
    assert!(flat.iter().all(|flat| flat.normal_in_a.z > 0.7), "{flat:?}");
}

/// A sheet has two outsides: what lies on it from below is pushed down.
#[test]
fn the_normal_of_a_sheet_points_to_the_side_of_the_other_body() {
    let corners = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
    let sheet = collider(&Polygons::new(corners, [[0, 1, 2, 3]]));
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let on_edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
    for (turn, kind) in [(DQuat::IDENTITY, "ff"), (on_edge, "fe")] {
        for side in [-1.0, 1.0] {
            let way = [2.0, 0.4].map(|z| DVec3::new(0.1, 0.2, side * z));
            let step = slide(way[0], way[1], turn);
            let (flat, _) = flat_of([&sheet, &cube], &step, 1e-9);
            assert_eq!(flat.len(), 1, "{kind} {side}: {flat:?}");
            assert_eq!(flat[0].features.kind(), kind);
            assert!((flat[0].normal_in_a - side * DVec3::Z).length() < 1e-9, "{kind} {side}");
        }
    }
}

/// An L of one face: two convex pieces or more, of the right area.
#[test]
fn a_face_that_is_not_convex_lies_in_pieces() {
    let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let angle = collider(&shapes::prism(&corners.map(DVec2::from), 1.0));
    let cube = collider(&shapes::cuboid(DVec3::new(2.0, 2.0, 1.0)));
    let step = slide(DVec3::new(1.5, 1.5, 3.0), DVec3::new(1.5, 1.5, 1.0), DQuat::IDENTITY);
    let (flat, _) = flat_of([&angle, &cube], &step, 1e-9);
    assert_eq!(flat.len(), 1, "{flat:?}");
    // The square from 0.5 on, less that from 1 on.
    assert!((area_of(&flat[0]) - (1.5 * 1.5 - 1.0)).abs() < 1e-9, "{flat:?}");
}

/// A box that is tilted, or only turned about an edge, meets in points.
#[test]
fn what_is_tilted_is_not_flat() {
    let table = collider(&shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)));
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let axis = DVec3::new(1.0, 0.3, 0.0).normalize();
    for (tilt, flatness, count) in [(1e-3, 1e-9, 0), (1e-3, 1e-2, 1)] {
        let step = slide(DVec3::Z * 2.0, DVec3::Z * 0.5, DQuat::from_axis_angle(axis, tilt));
        let (flat, contacts) = flat_of([&table, &cube], &step, flatness);
        assert_eq!(flat.len(), count, "{tilt}: {flat:?}");
        assert!(contacts >= 4);
        assert!(flat.iter().all(|flat| flat.contacts.len() >= 4), "{flat:?}");
    }
}

/// Two boxes that are one body.
#[test]
fn two_faces_that_lie_on_one_are_two_contacts() {
    let table = collider(&shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)));
    let boxes = [-0.75, 0.75].map(|x| shapes::mapped(shapes::cube(), |v| v + DVec3::X * x));
    let two = shapes::joined(&boxes);
    let step = slide(DVec3::Z * 2.0, DVec3::Z * 0.5, DQuat::IDENTITY);
    let (flat, _) = flat_of([&table, &collider(&two)], &step, 1e-9);
    assert_eq!(flat.len(), 2, "{flat:?}");
    assert!(flat.iter().all(|flat| (area_of(flat) - 1.0).abs() < 1e-9));
}

/// The screen's contacts are flat up to a pixel.
#[test]
fn the_screen_shows_the_same_faces() {
    let table = collider(&shapes::cuboid(DVec3::new(4.0, 4.0, 1.0)));
    let cube = collider(&shapes::cuboid(DVec3::ONE));
    let step = slide(DVec3::new(0.3, 0.4, 2.0), DVec3::new(0.2, 0.3, 0.5), DQuat::IDENTITY);
    let options = screen::Options::default();
    let pixel = options.pixel(&table, &cube).unwrap();
    let mut workspace = screen::Workspace::new();
    let found = screen::contacts(&table, &cube, &step, &options, &mut workspace).unwrap();
    let flat = flat_contacts([&table, &cube], &step, found, pixel);
    assert_eq!(flat.len(), 1, "{flat:?}");
    let (exact, _) = flat_of([&table, &cube], &step, 1e-9);
    assert_eq!(flat[0].features, exact[0].features);
}
