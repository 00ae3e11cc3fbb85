//! Ellipsoids against polyhedra: closed forms, what affine maps and mirrors do not change, and
//! touches that last.

use std::f64::consts::{PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::round::{self, Contact, Feature, Features, Options, Round, RoundError, Workspace};
use chasles::{Pose, Screw};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::query::{collider, mirrored_pose};
use chasles_testkit::round::{
    all, assert_close, assert_invariant, assert_same, at, between, scene, some,
};
use chasles_testkit::{shapes, step_along};

fn egg(half_axes: [f64; 3]) -> Round {
    Round::ellipsoid(half_axes).expect("fits")
}

#[test]
fn it_falls_on_a_face_an_edge_and_a_vertex() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    let body = egg([1.0, 0.5, 0.25]);
    let drop = |x: f64, y: f64| all(&cube, &body, &between(at(x, y, 3.0), at(x, y, 1.0)))[0];
    let face = drop(0.2, 0.3);
    assert!(matches!(face.features.a, Feature::Face(_)), "{face:?}");
    assert_eq!(face.features.b, Feature::Side);
    assert_close(face.time, 1.75 / 2.0);
    assert_eq!((face.normal, face.point), (DVec3::Z, DVec3::new(0.2, 0.3, 1.0)));
    assert_close(face.normal_speed, -2.0);
    // 0.6 beyond the edge, the centre is 0.8 of the lowest half axis above it.
    let edge = drop(1.6, 0.0);
    assert!(matches!(edge.features.a, Feature::Edge(_)), "{edge:?}");
    assert_close(edge.time, (2.0 - 0.8 * 0.25) / 2.0);
    let normal = DVec3::new(0.6, 0.0, 0.2 / 0.0625).normalize();
    assert!((edge.normal - normal).length() < 1e-12, "{edge:?}");
    let vertex = drop(1.6, 1.2);
    assert!(matches!(vertex.features.a, Feature::Vertex(_)), "{vertex:?}");
    assert_close(vertex.time, (2.0 - 0.25 * (1.0_f64 - 0.36 - 0.16).sqrt()) / 2.0);
    assert!(vertex.properness > 0.0 && edge.properness > 0.0 && vertex.touchable);
}

#[test]
fn a_tilted_one_lands_as_high_as_it_reaches_down() {
    let floor = shapes::cuboid(DVec3::new(20.0, 20.0, 2.0));
    let tilt = DQuat::from_rotation_y(0.3);
    let [from, to] = [5.0, 1.0].map(|z| Pose::new([0.0, 0.0, z], tilt).expect("finite"));
    let contacts = all(&floor, &egg([1.0, 0.5, 0.25]), &between(from, to));
    let height = 0.3_f64.sin().hypot(0.25 * 0.3_f64.cos());
    assert_close(contacts[0].time, (4.0 - height) / 4.0);
    assert_eq!((contacts.len(), contacts[0].normal), (1, DVec3::Z));
}

#[test]
fn one_that_turns_beside_a_wall_hits_it_and_leaves_twice_a_turn() {
    // Half axes 2 and 1 about the origin, wall at x = 1.5: 4 c² + s² = 2.25.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 9.0, 9.0)), |v| v + DVec3::X * 2.0);
    let spin = Screw::from_twist([0.0, 0.0, TAU], DVec3::ZERO).expect("finite");
    let step = step_along((Pose::IDENTITY, Screw::STILL), (Pose::IDENTITY, spin));
    let contacts = all(&wall, &egg([1.0, 2.0, 0.5]), &step);
    let angle = (1.25_f64 / 3.0).sqrt().asin();
    let expected = [angle, PI - angle, PI + angle, TAU - angle];
    assert_eq!(contacts.len(), 4, "{contacts:#?}");
    for (i, (contact, angle)) in contacts.iter().zip(expected).enumerate() {
        assert_close(contact.time, angle / TAU);
        assert_close(contact.point_in_a.x, 1.5);
        assert_eq!(contact.normal_speed < 0.0, i % 2 == 0);
    }
    let facing = Options { facing: true, ..Options::default() };
    assert_eq!(some(&wall, &egg([1.0, 2.0, 0.5]), &step, &facing).len(), 2);
    let late = Options { window: [0.5, 1.0], ..Options::default() };
    assert_eq!(some(&wall, &egg([1.0, 2.0, 0.5]), &step, &late).len(), 2);
}

#[test]
fn what_lands_on_a_border_is_one_contact() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for (x, y) in [(1.0, 0.0), (1.0, 1.0), (0.0, 0.0)] {
        let contacts = all(&cube, &egg([3.0, 0.7, 0.5]), &between(at(x, y, 3.0), at(x, y, 1.2)));
        let first = contacts.iter().filter(|c| (c.time - 1.5 / 1.8).abs() < 1e-9).count();
        assert_eq!(first, 1, "{x} {y}: {contacts:#?}");
        assert!(matches!(contacts[0].features.a, Feature::Face(_)));
    }
}

#[test]
fn one_with_equal_half_axes_is_a_sphere() {
    let mut count = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let (mesh, step) = scene(&mut random);
        let radius = random.one_of(&[1e-6, 0.1, 0.6]);
        let frame = Pose::new(random.vector(), random.rotation()).expect("finite");
        let sphere = Round::sphere_at(frame.position(), radius).expect("fits");
        let body = Round::ellipsoid_at(&frame, [radius; 3]).expect("fits");
        let [one, other] = [&sphere, &body].map(|body| all(&mesh, body, &step));
        // An ellipsoid has a side only.
        let named = |c: &Contact| {
            let features = Features { a: c.features.a, b: Feature::Side };
            Contact { features, ..*c }
        };
        assert_same(&one, &other, &format!("seed {seed}"), named);
        count += one.len();
    }
    assert!(count > 150, "{count}");
}

#[test]
fn straight_ways_are_those_of_a_ball_beside_a_stretched_mesh() {
    let mut counts = [0; 2];
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mesh = match random.below(3) {
            0 => shapes::l_prism(),
            1 => shapes::cuboid(DVec3::new(1.0, 2.0, 4.0)),
            _ => generate::convex_mesh(&mut random),
        };
        // Powers of two and places on a grid: flat slides and borders stay what they are.
        let half_axes = DVec3::new(0.5, random.one_of(&[0.5, 1.0]), random.one_of(&[0.25, 4.0]));
        let mut place = || 0.25 * (random.below(25) as f64 - 12.0);
        let [from, to] = [(); 2].map(|()| DVec3::new(place(), place(), place()));
        let along = seed as usize % 4;
        let to = if along < 3 { from.with_x(to.x) } else { to };
        let ends = |by: DVec3| {
            let [from, to] = [from, to].map(|p| Pose::from_position(p * by).expect("finite"));
            between(from, to)
        };
        let of_egg = all(&mesh, &egg(half_axes.to_array()), &ends(DVec3::ONE));
        let stretched = shapes::mapped(mesh, |v| v / half_axes);
        let ball = Round::sphere(1.0).expect("fits");
        let of_ball = all(&stretched, &ball, &ends(DVec3::ONE / half_axes));
        // A plane's normal is stretched the other way. At a border either feature may be named.
        let is_same = |p: &Contact, q: &Contact| {
            (p.time - q.time).abs() < if p.grazing || q.grazing { 1e-6 } else { 1e-9 }
                && (p.point / half_axes - q.point).length() < 1e-5
                && ((p.normal * half_axes).normalize() - q.normal).length() < 1e-4
        };
        for p in &of_egg {
            assert!(of_ball.iter().any(|q| is_same(p, q)), "seed {seed}: {p:?} {of_ball:#?}");
        }
        for q in &of_ball {
            assert!(of_egg.iter().any(|p| is_same(p, q)), "seed {seed}: {q:?} {of_egg:#?}");
        }
        counts[0] += of_egg.len();
        counts[1] += of_egg.iter().filter(|c| c.grazing).count();
    }
    assert!(counts[0] > 300 && counts[1] > 10, "{counts:?}");
}

#[test]
fn moving_all_mirroring_and_going_back_change_nothing_else() {
    let mut count = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let scene = scene(&mut random);
        let half_axes = [0.1, random.one_of(&[0.2, 0.6]), random.one_of(&[0.1, 0.4])];
        let frame = Pose::new(0.3 * random.vector(), random.rotation()).expect("finite");
        let [body, image] = [frame, mirrored_pose(&frame)]
            .map(|frame| Round::ellipsoid_at(&frame, half_axes).expect("fits"));
        let elsewhere = Pose::new(3.0 * random.vector(), random.rotation()).expect("finite");
        count += assert_invariant(&scene, [&body, &image], &elsewhere, &format!("seed {seed}"));
    }
    assert!(count > 100, "{count}");
}

#[test]
fn what_rests_slides_or_spins_on_a_face_touches_it_from_the_start() {
    let floor = shapes::cuboid(DVec3::new(8.0, 8.0, 2.0));
    let on = |x: f64, turn: DQuat| Pose::new([x, 0.0, 1.25], turn).expect("finite");
    let upright = on(0.1, DQuat::IDENTITY);
    // About the vertical, and a spheroid about its own level axis.
    let spun = on(0.1, DQuat::from_rotation_z(2.0));
    let rolled = on(0.1, DQuat::from_rotation_x(2.0));
    for (half_axes, to) in [
        ([1.0, 0.5, 0.25], upright),
        ([1.0, 0.5, 0.25], on(1.7, DQuat::IDENTITY)),
        ([1.0, 0.5, 0.25], spun),
        ([1.0, 0.25, 0.25], rolled),
    ] {
        let contacts = all(&floor, &egg(half_axes), &between(upright, to));
        let [only] = contacts[..] else { panic!("{to:?}: {contacts:#?}") };
        assert!(only.grazing && only.time == 0.0 && only.normal == DVec3::Z, "{only:?}");
    }
    let above = at(0.0, 0.0, 1.26);
    assert!(all(&floor, &egg([1.0, 0.5, 0.25]), &between(above, above)).is_empty());
}

#[test]
fn what_slides_along_touches_when_its_lowest_point_comes_over_the_edge() {
    let floor = shapes::cuboid(DVec3::new(2.0, 8.0, 2.0));
    let slide = between(at(-3.0, 0.0, 1.25), at(0.0, 0.0, 1.25));
    let contacts = all(&floor, &egg([1.0, 0.5, 0.25]), &slide);
    let first = contacts[0];
    assert!((first.time - 2.0 / 3.0).abs() < 1e-6, "{contacts:#?}");
    // Along an edge whose line it touches, from beyond its end.
    let height = 1.0 + 0.8 * 0.25;
    let slide = between(at(1.6, -7.0, height), at(1.6, 1.0, height));
    let contacts = all(&floor, &egg([1.0, 0.5, 0.25]), &slide);
    let edge = contacts.iter().find(|c| matches!(c.features.a, Feature::Edge(_)));
    assert!(edge.is_some_and(|c| (c.time - 3.0 / 8.0).abs() < 1e-6 && c.grazing), "{contacts:#?}");
}

#[test]
fn a_pass_that_grazes_is_reported_once_and_a_hair_away_not_at_all() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for gap in [0.0, 1e-9] {
        let height = 1.5 + gap;
        let tilt = DQuat::from_rotation_y(1e-3);
        let [from, to] =
            [tilt, tilt.inverse()].map(|turn| Pose::new([0.1, 0.0, height], turn).expect("finite"));
        // Upright half-way, where it reaches down farthest.
        let contacts = all(&cube, &egg([0.25, 0.3, 0.5]), &between(from, to));
        assert_eq!(contacts.len(), usize::from(gap == 0.0), "{gap}: {contacts:#?}");
    }
}

#[test]
fn the_thinnest_are_found_where_they_are() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for half_axes in [[1.0, 1.0, 1e-4], [1e-4, 1e-4, 1.0], [1e-4, 1.0, 1.0]] {
        let body = egg(half_axes);
        let contacts = all(&cube, &body, &between(at(0.3, 0.2, 3.0), at(0.3, 0.2, 1.0)));
        assert!((contacts[0].time - (2.0 - half_axes[2]) / 2.0).abs() < 1e-10, "{contacts:?}");
        let turn = DQuat::from_rotation_x(1.0);
        let to = Pose::new([0.3, 0.2, 0.5], turn).expect("finite");
        for contact in all(&cube, &body, &between(at(0.3, 0.2, 3.0), to)) {
            let placed = between(at(0.3, 0.2, 3.0), to).pose_of_b_by_relative(contact.time);
            let off = body.distance(placed.inverse().point(contact.point));
            assert!(off.abs() < 1e-9, "{half_axes:?}: {off:e} in {contact:?}");
        }
    }
}

#[test]
fn bad_numbers_are_errors() {
    let refused = |half_axes: [f64; 3]| Round::ellipsoid(half_axes).expect_err("refused");
    assert!(matches!(refused([1.0, f64::NAN, 1.0]), RoundError::HalfAxes(_)));
    assert!(matches!(refused([1.0, -1.0, 1.0]), RoundError::HalfAxes(_)));
    assert!(matches!(refused([1.0, 1e101, 1.0]), RoundError::HalfAxes(_)));
    let thin = refused([1.0, 1.0, 1e-5]);
    assert!(thin.to_string().contains("10000 times"), "{thin}");
}

#[test]
fn later_queries_allocate_nothing_and_have_the_same_bits() {
    let cube = collider(&shapes::cuboid(DVec3::splat(2.0)));
    let tilt = Pose::new([0.3, 0.2, 0.0], DQuat::from_rotation_x(1.0)).expect("finite");
    let step = between(at(0.3, 0.2, 3.0), tilt);
    let body = egg([0.5, 0.25, 1.0]);
    let mut workspace = Workspace::new();
    let mut ask = || {
        format!("{:?}", round::contacts(&cube, &body, &step, &Options::default(), &mut workspace))
    };
    let first = ask();
    assert!(first.len() > 100 && ask() == first);
    let mut ask = || {
        round::contacts(&cube, &body, &step, &Options::default(), &mut workspace);
    };
    assert_eq!(allocation_counter::measure(&mut ask).count_total, 0);
}
