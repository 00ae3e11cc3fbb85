//! Round bodies against polyhedra: closed forms, agreement with the exact engine, and odd input.

use std::f64::consts::{FRAC_PI_2, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes as built;
use chasles::round::{self, Contact, Feature, Options, Round, RoundError, Workspace};
use chasles::{Features, Pose, Screw, Step};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::query::collider;
use chasles_testkit::round::{all, assert_close, at, between, some};
use chasles_testkit::{shapes, step_along};

/// B from one place to another; A rests.
fn slide(from: [f64; 3], to: [f64; 3]) -> Step {
    let [p, q] = [from, to].map(|[x, y, z]| at(x, y, z));
    between(p, q)
}

fn sphere(radius: f64) -> Round {
    Round::sphere(radius).expect("fits")
}

fn upright(half: f64) -> [DVec3; 2] {
    [-half * DVec3::Z, half * DVec3::Z]
}

#[test]
fn a_sphere_falls_on_a_face_an_edge_and_a_vertex() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    let drop = |x: f64, y: f64| {
        let contacts = all(&cube, &sphere(0.5), &slide([x, y, 3.0], [x, y, 1.0]));
        (contacts[0], contacts.len())
    };
    let (face, count) = drop(0.2, 0.3);
    assert!(matches!(face.features.a, Feature::Face(_)) && count == 1);
    assert_close(face.time, 0.75);
    assert_eq!((face.normal, face.point), (DVec3::Z, DVec3::new(0.2, 0.3, 1.0)));
    assert_close(face.normal_speed, -2.0);
    // 0.3 beyond the edge: the centre is 0.4 above it.
    let (edge, _) = drop(1.3, 0.0);
    assert!(matches!(edge.features.a, Feature::Edge(_)), "{edge:?}");
    assert_close(edge.time, (2.0 - 0.4) / 2.0);
    assert_close(edge.normal.x, 0.6);
    let (vertex, _) = drop(1.3, 1.2);
    assert!(matches!(vertex.features.a, Feature::Vertex(_)), "{vertex:?}");
    assert_close(vertex.time, (2.0 - (0.25_f64 - 0.09 - 0.04).sqrt()) / 2.0);
    assert!(vertex.properness > 0.0 && edge.properness > 0.0);
}

#[test]
fn a_sphere_that_lands_on_a_border_is_one_contact() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for (x, y) in [(1.0, 0.0), (1.0, 1.0), (0.0, 0.0)] {
        let contacts = all(&cube, &sphere(0.5), &slide([x, y, 3.0], [x, y, 1.2]));
        let first = contacts.iter().filter(|c| (c.time - 1.5 / 1.8).abs() < 1e-9).count();
        assert_eq!(first, 1, "{x} {y}: {contacts:#?}");
        assert!(matches!(contacts[0].features.a, Feature::Face(_)));
    }
}

#[test]
fn a_spinning_capsule_hits_a_wall_with_its_end() {
    // Half length 1 and radius 0.1 about the origin, wall at x = 0.8: cos(angle) = 0.7.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 9.0, 9.0)), |v| v + DVec3::X * 1.3);
    let pill = Round::capsule([[0.0, -1.0, 0.0], [0.0, 1.0, 0.0]], 0.1).expect("fits");
    let spin = Screw::from_twist([0.0, 0.0, TAU], DVec3::ZERO).expect("finite");
    let still = (Pose::IDENTITY, Screw::STILL);
    let step = step_along(still, (Pose::IDENTITY, spin));
    assert!(step.parts() > 1);
    let contacts = all(&wall, &pill, &step);
    // The ends point along y: end 0 enters at the sine 0.7, and so on.
    let angle = 0.7_f64.asin();
    let pi = std::f64::consts::PI;
    let expected = [angle, pi - angle, pi + angle, TAU - angle];
    assert_eq!(contacts.len(), 4, "{contacts:#?}");
    for (i, (contact, angle)) in contacts.iter().zip(expected).enumerate() {
        assert_close(contact.time, angle / TAU);
        assert_close(contact.point_in_a.x, 0.8);
        assert_eq!(contact.features.b, Feature::End(u8::from(i > 1)));
        assert_eq!(contact.normal_speed < 0.0, i % 2 == 0);
    }
    let facing = some(&wall, &pill, &step, &Options { facing: true, ..Options::default() });
    assert_eq!(facing.len(), 2);
}

#[test]
fn a_tilted_cylinder_lands_on_its_rim() {
    let floor = shapes::cuboid(DVec3::new(20.0, 20.0, 2.0));
    let can = Round::cylinder(upright(1.0), 0.5).expect("fits");
    let tilt = DQuat::from_rotation_y(0.3);
    let [from, to] = [5.0, 1.0].map(|z| Pose::new([0.0, 0.0, z], tilt).expect("finite"));
    let contacts = all(&floor, &can, &between(from, to));
    let height = 0.3_f64.cos() + 0.5 * 0.3_f64.sin();
    assert_close(contacts[0].time, (4.0 - height) / 4.0);
    assert_eq!(contacts[0].features.b, Feature::Rim(0));
    assert_eq!(contacts[0].normal, DVec3::Z);
}

#[test]
fn flat_touches_are_found() {
    let floor = shapes::cuboid(DVec3::new(20.0, 20.0, 2.0));
    let can = Round::cylinder(upright(1.0), 0.5).expect("fits");
    let spin = DQuat::from_rotation_z(1.0);
    // Upright, while it spins about its axis.
    let fall = |x: f64| {
        let end = Pose::new([x, 0.1, 0.0], spin).expect("finite");
        between(at(x, 0.1, 4.0), end)
    };
    let contacts = all(&floor, &can, &fall(0.0));
    assert_close(contacts[0].time, 0.5);
    assert_eq!(contacts[0].features.b, Feature::Cap(0));
    assert!(
        !contacts[0].grazing && contacts[0].time_bracket[1] - contacts[0].time_bracket[0] < 1e-12
    );
    // Half over the edge of the floor, and with its middle beyond: the edge is in the cap.
    let contacts = all(&floor, &can, &fall(10.25));
    assert_close(contacts[0].time, 0.5);
    assert!(matches!(contacts[0].features.a, Feature::Edge(_)), "{contacts:#?}");
    assert_eq!(contacts[0].features.b, Feature::Cap(0));
    // Lying down: both rims, or both ends of a capsule.
    let ends = [[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let step = slide([0.3, 0.2, 4.0], [0.3, 0.2, 1.2]);
    for (body, kind) in [(Round::cylinder(ends, 0.5), "rim"), (Round::capsule(ends, 0.5), "end")] {
        let contacts = all(&floor, &body.expect("fits"), &step);
        assert_eq!(contacts.len(), 2, "{contacts:#?}");
        for contact in &contacts {
            assert_close(contact.time, 2.5 / 2.8);
            assert_eq!(contact.features.b.kind(), kind);
        }
    }
    // Along an edge of a bar that is shorter than the body, and of one that is longer.
    for length in [0.5, 9.0] {
        let bar = shapes::cuboid(DVec3::new(length, 2.0, 2.0));
        for body in [Round::cylinder(ends, 0.5), Round::capsule(ends, 0.5)] {
            let step = slide([0.0, 1.3, 4.0], [0.0, 1.3, 1.2]);
            let contacts = all(&bar, &body.expect("fits"), &step);
            assert_close(contacts[0].time, (3.0 - 0.4) / 2.8);
        }
    }
}

#[test]
fn grazing_passes_are_reported_once() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    // Over an edge on an arc about the middle of the cube that just touches; higher, it misses.
    let turned = shapes::mapped(cube.clone(), |v| DQuat::from_rotation_y(FRAC_PI_2 / 2.0) * v);
    let pass = |above: f64| {
        let height = 2.0_f64.sqrt() + above;
        let spin = Screw::from_twist([0.0, 1.0, 0.0], DVec3::ZERO).expect("finite");
        let place = Pose::from_position([-height * 0.5_f64.sin(), 0.0, height * 0.5_f64.cos()]);
        step_along((Pose::IDENTITY, Screw::STILL), (place.expect("finite"), spin))
    };
    let contacts = all(&turned, &sphere(0.5), &pass(0.5));
    assert_eq!(contacts.len(), 1, "{contacts:#?}");
    assert!(contacts[0].grazing && (contacts[0].time - 0.5).abs() < 1e-6);
    assert!(all(&turned, &sphere(0.5), &pass(0.5 + 1e-9)).is_empty());
    assert!(all(&turned, &sphere(0.5), &pass(0.5 - 1e-9)).len() == 2);
    // Sliding on the top all the time, turning or not.
    for turn in [0.0, 1.0] {
        let end = Pose::new([0.5, 0.2, 1.5], DQuat::from_rotation_z(turn)).expect("finite");
        let step = between(at(-0.5, 0.2, 1.5), end);
        let contacts = all(&cube, &sphere(0.5), &step);
        assert_eq!(contacts.len(), 1, "{contacts:#?}");
        assert!(contacts[0].grazing && contacts[0].time == 0.0);
    }
    // Rolling around an edge.
    let about = Screw::from_twist([0.0, 1.0, 0.0], DVec3::ZERO).expect("finite");
    let about =
        Screw::from_twist(about.angular(), -about.angular().cross(DVec3::new(1.0, 0.0, 1.0)));
    let start = at(1.1, 0.0, 1.0 + (0.25_f64 - 0.01).sqrt());
    let step = step_along((Pose::IDENTITY, Screw::STILL), (start, about.expect("finite")));
    let contacts = all(&cube, &sphere(0.5), &step);
    let edge = contacts.iter().filter(|c| matches!(c.features.a, Feature::Edge(_))).count();
    assert_eq!(edge, 1, "{contacts:#?}");
}

#[test]
fn tiny_spheres_touch_when_points_do() {
    let (mut found, mut workspace) = (0, chasles::Workspace::new());
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let mesh = generate::closed_mesh(&mut random);
        let query = generate::meeting(mesh, shapes::point(DVec3::ZERO), &mut random);
        let options = chasles::Options { facing: true, ..Default::default() };
        let [a, b] = [&query.a, &query.b].map(collider);
        let exact = chasles::contacts(&a, &b, &query.step(), &options, &mut workspace);
        let scale = query.size();
        let contacts = all(&query.a, &sphere(1e-6 * scale), &query.step());
        for contact in exact.iter().filter(|c| c.normal_speed < -0.1 * scale) {
            let Features::Fv { face, .. } = contact.features else { continue };
            let near = |c: &&Contact| {
                (c.time - contact.time).abs() < 1e-4
                    && c.point.distance(contact.point) < 1e-4 * scale
            };
            let same = contacts.iter().filter(near).any(|c| c.features.a == Feature::Face(face));
            // Beside an edge the sphere meets the edge first, and the face never.
            assert!(same || contacts.iter().any(|c| near(&c)), "seed {seed}: {contact:?}");
            found += usize::from(same);
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn fine_meshes_of_a_sphere_touch_a_little_later() {
    let fine = built::Shape::Sphere(built::Sphere { segments: [96, 64], ..Default::default() });
    let polygons = fine.polygons().expect("fits");
    let (mut found, mut workspace) = (0, chasles::Workspace::new());
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mesh = generate::convex_mesh(&mut random);
        let query = generate::meeting(mesh, polygons.clone(), &mut random);
        let options = chasles::Options { facing: true, first_only: true, ..Default::default() };
        let [a, b] = [&query.a, &query.b].map(collider);
        let exact = chasles::contacts(&a, &b, &query.step(), &options, &mut workspace);
        let first = Options { first_only: true, ..Options::default() };
        let radius = query.b.vertices.iter().map(|v| v.length()).fold(0.0, f64::max);
        let contacts = some(&query.a, &sphere(radius), &query.step(), &first);
        let fast = -0.3 * radius;
        let Some(exact) = exact.first().filter(|c| c.normal_speed < fast && c.time > 0.01) else {
            continue;
        };
        let Some(round) = contacts.first().filter(|c| c.normal_speed < fast) else { continue };
        // The mesh lies inside the sphere, by the sagitta of its facets.
        let depth = 1.0 - (FRAC_PI_2 / 32.0).cos();
        let late = exact.time - round.time;
        assert!(late > -1e-9 && late < 4.0 * depth / 0.3, "seed {seed}: {late}");
        found += 1;
    }
    assert!(found > 20, "{found}");
}

#[test]
fn options_choose_among_all_contacts() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    let step = slide([0.1, 0.2, 4.0], [0.3, -0.2, -4.0]);
    let can = Round::cylinder([[0.0, -0.4, 0.0], [0.3, 0.4, 0.1]], 0.7).expect("fits");
    let every = all(&cube, &can, &step);
    assert!(every.len() > 2);
    assert!(every.windows(2).all(|pair| pair[0].time <= pair[1].time));
    let late = Options { window: [0.5, 1.0], ..Options::default() };
    let expected: Vec<Contact> = every.iter().filter(|c| c.time >= 0.5).copied().collect();
    assert_eq!(some(&cube, &can, &step, &late), expected);
    let first = some(&cube, &can, &step, &Options { first_only: true, ..late });
    assert!((first[0].time - expected[0].time).abs() < 1e-12 && first.len() == 1);
    let facing = some(&cube, &can, &step, &Options { facing: true, ..Options::default() });
    assert_eq!(facing.len(), every.iter().filter(|c| c.normal_speed < 0.0).count());
    let proper = some(&cube, &can, &step, &Options { min_properness: 0.0, ..Options::default() });
    assert_eq!(proper.len(), every.iter().filter(|c| c.properness >= 0.0).count());
    for nothing in [f64::NAN, 2.0] {
        let options = Options { min_properness: nothing, ..Options::default() };
        assert!(some(&cube, &can, &step, &options).is_empty());
        let options = Options { window: [nothing, nothing], ..Options::default() };
        assert!(some(&cube, &can, &step, &options).is_empty());
    }
}

#[test]
fn bad_numbers_are_errors() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e101, 1e-121] {
        assert!(matches!(Round::sphere(bad), Err(RoundError::Radius { .. })), "{bad}");
    }
    let far = [DVec3::ZERO, DVec3::new(0.0, f64::NAN, 0.0)];
    assert!(matches!(Round::capsule(far, 1.0), Err(RoundError::Point { .. })));
    let same = [DVec3::ONE; 2];
    assert_eq!(Round::cylinder(same, 1.0), Err(RoundError::NoAxis(DVec3::ONE)));
    assert!(Round::capsule(same, 1.0).is_ok());
    let message = Round::sphere(-1.0).expect_err("negative").to_string();
    assert_eq!(message, "the radius of the sphere is -1: it must be from 1e-120 to 1e100");
}

/// Bodies and motions of all sizes; nothing is not a number, and the same question has one answer.
#[test]
fn odd_sizes_and_motions_give_sound_answers() {
    let mut workspace = Workspace::new();
    for seed in 0..1500 {
        let mut random = Random::new(seed);
        let scale = random.one_of(&[1e-9, 1.0, 1e9, 1e60]);
        let mesh = if random.below(2) == 0 {
            generate::closed_mesh(&mut random)
        } else {
            generate::open_mesh(&mut random)
        };
        let mesh = shapes::mapped(mesh, |v| v * scale);
        let radius = scale * random.one_of(&[1e-12, 1e-6, 0.3, 1.0, 1e6]);
        let axis = if random.below(3) == 0 { DVec3::Z } else { random.direction() };
        let half = scale * random.one_of(&[1e-9, 0.5, 1e4]);
        let ends = [-half * axis, half * axis];
        let body = match random.below(3) {
            0 => Round::sphere(radius),
            1 => Round::capsule(ends, radius),
            _ => Round::cylinder(ends, radius),
        };
        let body = body.expect("fits");
        let angle = random.one_of(&[0.0, 1e-9, 0.5, 3.0, 20.0]);
        let way = scale * random.one_of(&[0.0, 1.0, 1e5]);
        let turn = if random.below(2) == 0 { axis } else { random.direction() };
        let twist = Screw::from_twist(angle * turn, way * random.vector()).expect("finite");
        let start = Pose::from_position(scale * random.vector()).expect("finite");
        let step = step_along((Pose::IDENTITY, Screw::STILL), (start, twist));
        let a = collider(&mesh);
        let contacts = round::contacts(&a, &body, &step, &Options::default(), &mut workspace);
        for contact in contacts {
            let at = format!("seed {seed}: {contact:?}");
            assert!(contact.point.is_finite() && contact.normal.is_finite(), "{at}");
            assert!((contact.normal.length() - 1.0).abs() < 1e-9, "{at}");
            assert!((0.0..=1.0).contains(&contact.time), "{at}");
            let [low, high] = contact.time_bracket;
            assert!(low <= contact.time && contact.time <= high, "{at}");
            assert!((-1.0..=1.0).contains(&contact.properness), "{at}");
        }
        let contacts = contacts.to_vec();
        let mut fresh = Workspace::new();
        let again = round::contacts(&a, &body, &step, &Options::default(), &mut fresh);
        assert_eq!(contacts, again, "seed {seed}");
    }
}

#[test]
fn later_queries_allocate_nothing() {
    let a = collider(&shapes::icosahedron());
    let can = Round::cylinder(upright(0.4), 0.3).expect("fits");
    let step = slide([3.0, 0.1, 0.2], [-3.0, 0.1, 0.2]);
    let mut workspace = Workspace::new();
    let mut run = || {
        let found = round::contacts(&a, &can, &step, &Options::default(), &mut workspace).len();
        let of_two =
            round::contacts_of_rounds(&can, &can, &step, &Options::default(), &mut workspace).len();
        assert!(found > 0 && of_two > 0);
    };
    run();
    assert_eq!(allocation_counter::measure(run).count_total, 0);
}
