//! Cones against polyhedra: closed forms, what stretches and mirrors do not change, tips that fall
//! on edges and vertices, and touches that last.

use std::f64::consts::{FRAC_PI_4, PI};

use chasles::glam::{DQuat, DVec3};
use chasles::round::{self, Contact, Feature, Options, Round, RoundError, Workspace};
use chasles::{Polyhedron, Pose};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::query::{collider, mirror};
use chasles_testkit::round::{all, assert_close, assert_invariant, at, between, scene};
use chasles_testkit::shapes;

/// Its tip down at z = -1, its base up at z = 1.
fn top(radius: f64) -> Round {
    Round::cone([DVec3::Z, -DVec3::Z], radius).expect("fits")
}

/// Its tip up at z = 1.
fn hat(radius: f64) -> Round {
    Round::cone([-DVec3::Z, DVec3::Z], radius).expect("fits")
}

#[test]
fn it_falls_on_a_face_an_edge_and_a_vertex_with_its_tip_or_its_side() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    let drop = |x: f64, y: f64| all(&cube, &top(1.0), &between(at(x, y, 4.0), at(x, y, 0.5)))[0];
    let time = |z: f64| (4.0 - z) / 3.5;
    let face = drop(0.2, 0.3);
    assert!(matches!(face.features.a, Feature::Face(_)), "{face:?}");
    assert_eq!(face.features.b, Feature::Tip);
    assert_close(face.time, time(2.0));
    assert_eq!((face.normal, face.point), (DVec3::Z, DVec3::new(0.2, 0.3, 1.0)));
    // The side rises by 2 for 1 outward.
    let [cos, sin] = [2.0, 1.0].map(|side: f64| side / 5.0_f64.sqrt());
    let edge = drop(1.6, 0.0);
    assert!(matches!(edge.features.a, Feature::Edge(_)), "{edge:?}");
    assert_eq!(edge.features.b, Feature::Side);
    assert_close(edge.time, time(2.0 - 1.2));
    assert!((edge.normal - DVec3::new(cos, 0.0, sin)).length() < 1e-12, "{edge:?}");
    let vertex = drop(1.3, 1.4);
    assert!(matches!(vertex.features.a, Feature::Vertex(_)), "{vertex:?}");
    assert_close(vertex.time, time(1.0));
    let normal = DVec3::new(0.6 * cos, 0.8 * cos, sin);
    assert!((vertex.normal - normal).length() < 1e-12, "{vertex:?}");
    assert!(vertex.properness > 0.0 && edge.properness > 0.0 && vertex.touchable);
}

#[test]
fn it_lands_on_its_base_on_its_rim_and_lying() {
    let floor = shapes::cuboid(DVec3::new(20.0, 20.0, 2.0));
    let first = |tilt: f64| {
        let turn = DQuat::from_rotation_y(tilt);
        let [from, to] = [5.0, 1.0].map(|z| Pose::new([0.0, 0.0, z], turn).expect("finite"));
        let contacts = all(&floor, &hat(0.5), &between(from, to));
        let parts: Vec<Feature> = contacts.iter().map(|c| c.features.b).collect();
        (4.0 - 4.0 * contacts[0].time, parts)
    };
    let (height, parts) = first(0.0);
    assert_close(height, 1.0);
    assert_eq!(parts, [Feature::Cap(0)]);
    let (height, parts) = first(0.3);
    assert_close(height, 0.3_f64.cos() + 0.5 * 0.3_f64.sin());
    assert_eq!(parts, [Feature::Rim(0)]);
    let (height, parts) = first(3.0);
    assert_close(height, 3.0_f64.cos().abs());
    assert_eq!(parts, [Feature::Tip]);
    // Lying on the side: both ends of the line touch.
    let lying = 0.5 * PI + 0.25_f64.atan();
    let (height, mut parts) = first(lying);
    assert_close(height, 0.25_f64.atan().sin());
    parts.sort();
    assert_eq!(parts, [Feature::Rim(0), Feature::Tip]);
}

#[test]
fn a_tip_that_falls_on_an_edge_or_a_corner_touches_it_once_and_goes_in() {
    let turned = |turn: DQuat| {
        let cube = shapes::cuboid(DVec3::new(2.0, 2.0, 2.0));
        shapes::mapped(cube, move |v| turn * v)
    };
    let roof = turned(DQuat::from_rotation_y(FRAC_PI_4));
    let corner = DQuat::from_rotation_arc(DVec3::ONE.normalize(), DVec3::Z);
    for (mesh, high) in [(roof, 2.0_f64.sqrt()), (turned(corner), 3.0_f64.sqrt())] {
        for radius in [0.1, 0.7, 4.0] {
            let fall = between(at(0.0, 0.0, 4.0), at(0.0, 0.0, 2.0));
            let contacts = all(&mesh, &top(radius), &fall);
            let here = contacts.iter().filter(|c| (c.time - (3.0 - high) / 2.0).abs() < 1e-9);
            let here: Vec<&Contact> = here.collect();
            let [only] = here[..] else { panic!("{radius}: {contacts:#?}") };
            assert!(!only.grazing && only.normal_speed < 0.0, "{radius}: {only:?}");
            assert!(only.normal.z > 0.0 && only.time == contacts[0].time, "{radius}: {only:?}");
            let past = between(at(-3.0, 0.2, high + 1.0), at(3.0, 0.2, high + 1.0));
            let over = all(&mesh, &top(radius), &past);
            let is_roof = high < 1.5;
            assert_eq!(over.len(), usize::from(is_roof), "{over:#?}");
        }
    }
}

#[test]
fn what_lands_on_a_border_is_one_contact() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for (x, y) in [(1.0, 0.0), (1.0, 1.0), (0.0, 0.0)] {
        let contacts = all(&cube, &top(0.7), &between(at(x, y, 3.0), at(x, y, 1.2)));
        let first = contacts.iter().filter(|c| (c.time - 1.0 / 1.8).abs() < 1e-9).count();
        assert_eq!(first, 1, "{x} {y}: {contacts:#?}");
        assert!(matches!(contacts[0].features.a, Feature::Face(_)));
    }
}

#[test]
fn straight_ways_are_those_of_a_cone_beside_a_stretched_mesh() {
    let mut counts = [0; 2];
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let mesh = match random.below(3) {
            0 => shapes::l_prism(),
            1 => shapes::cuboid(DVec3::new(1.0, 2.0, 4.0)),
            _ => generate::convex_mesh(&mut random),
        };
        // Powers of two and places on a grid: flat slides and borders stay what they are.
        let by = DVec3::new(1.0, 1.0, random.one_of(&[0.125, 0.5, 4.0]));
        let radius = random.one_of(&[0.25, 1.0]);
        let mut place = || 0.25 * (random.below(25) as f64 - 12.0);
        let [from, to] = [(); 2].map(|()| DVec3::new(place(), place(), place()));
        let to = if seed % 4 < 3 { from.with_x(to.x) } else { to };
        let ends = |by: DVec3| {
            let [from, to] = [from, to].map(|p| Pose::from_position(p * by).expect("finite"));
            between(from, to)
        };
        let one = all(&mesh, &hat(radius), &ends(DVec3::ONE));
        let stretched = shapes::mapped(mesh, |v| v * by);
        let tall = Round::cone([-by.z * DVec3::Z, by.z * DVec3::Z], radius).expect("fits");
        let other = all(&stretched, &tall, &ends(by));
        // At a border either feature may be named.
        let is_same = |p: &Contact, q: &Contact| {
            (p.time - q.time).abs() < if p.grazing || q.grazing { 1e-6 } else { 1e-9 }
                && (p.point * by - q.point).length() < 1e-5
        };
        for p in &one {
            assert!(other.iter().any(|q| is_same(p, q)), "seed {seed}: {p:?} {other:#?}");
        }
        for q in &other {
            assert!(one.iter().any(|p| is_same(p, q)), "seed {seed}: {q:?} {one:#?}");
        }
        counts[0] += one.len();
        counts[1] += one.iter().filter(|c| c.grazing).count();
    }
    assert!(counts[0] > 300 && counts[1] > 10, "{counts:?}");
}

#[test]
fn moving_all_mirroring_and_going_back_change_nothing_else() {
    let mut count = 0;
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let scene = scene(&mut random);
        let (middle, axis) = (0.3 * random.vector(), random.direction());
        let ends = [middle, middle + random.one_of(&[0.3, 1.0]) * axis];
        let radius = random.one_of(&[0.1, 0.6]);
        let [body, image] = [ends, ends.map(mirror)].map(|ends| Round::cone(ends, radius));
        let bodies = [&body.expect("fits"), &image.expect("fits")];
        let elsewhere = Pose::new(3.0 * random.vector(), random.rotation()).expect("finite");
        count += assert_invariant(&scene, bodies, &elsewhere, &format!("seed {seed}"));
    }
    assert!(count > 100, "{count}");
}

#[test]
fn what_stands_slides_spins_or_rolls_touches_from_the_start() {
    let floor = shapes::cuboid(DVec3::new(8.0, 8.0, 2.0));
    let on = |x: f64, turn: DQuat| Pose::new([x, 0.0, 2.0], turn).expect("finite");
    let upright = on(0.1, DQuat::IDENTITY);
    let spun = on(0.1, DQuat::from_rotation_z(2.0));
    for (body, part) in [(hat(0.5), Feature::Cap(0)), (top(0.5), Feature::Tip)] {
        for to in [upright, on(1.7, DQuat::IDENTITY), spun] {
            let contacts = all(&floor, &body, &between(upright, to));
            let [only] = contacts[..] else { panic!("{to:?}: {contacts:#?}") };
            assert!(only.grazing && only.time == 0.0 && only.normal == DVec3::Z, "{only:?}");
            assert_eq!(only.features.b, part);
        }
    }
    // Rolling about the tip, which lies in the middle of the floor with the rim beside it.
    let cone = Round::cone([4.0 * DVec3::X, DVec3::ZERO], 3.0).expect("fits");
    let lying = DQuat::from_rotation_y(-0.75_f64.atan());
    let roll = DQuat::from_rotation_z(1.0);
    let [from, to] =
        [lying, roll * lying].map(|turn| Pose::new([0.0, 0.0, 1.0], turn).expect("finite"));
    let wide = shapes::cuboid(DVec3::new(40.0, 40.0, 2.0));
    let mut parts: Vec<Feature> = Vec::new();
    for contact in all(&wide, &cone, &between(from, to)) {
        assert!(contact.grazing && contact.time == 0.0, "{contact:?}");
        parts.push(contact.features.b);
    }
    parts.sort();
    assert_eq!(parts, [Feature::Rim(0), Feature::Tip]);
    let above = at(0.0, 0.0, 2.01);
    assert!(all(&floor, &hat(0.5), &between(above, above)).is_empty());
}

#[test]
fn what_slides_along_touches_when_its_tip_comes_over_the_edge() {
    let floor = shapes::cuboid(DVec3::new(2.0, 8.0, 2.0));
    let slide = between(at(-3.0, 0.0, 2.0), at(0.0, 0.0, 2.0));
    let first = all(&floor, &top(0.5), &slide)[0];
    assert!((first.time - 2.0 / 3.0).abs() < 1e-6 && first.features.b == Feature::Tip, "{first:?}");
    // Along an edge whose line touches the side, from beyond its end.
    let height = 2.0 - 4.0 * 0.25;
    let slide = between(at(1.25, -7.0, height), at(1.25, 1.0, height));
    let contacts = all(&floor, &top(0.5), &slide);
    let edge = contacts.iter().find(|c| matches!(c.features.a, Feature::Edge(_)));
    let is_there = |c: &Contact| (c.time - 3.0 / 8.0).abs() < 1e-6 && c.grazing;
    assert!(edge.is_some_and(is_there), "{contacts:#?}");
}

#[test]
fn a_pass_that_grazes_is_reported_once_and_a_hair_away_not_at_all() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for gap in [0.0, 1e-9] {
        // Slantwise past a vertical edge of the cube, to which only the rim comes near.
        let beside = DVec3::ONE + (1.0 + gap) * DVec3::new(0.5, 0.5, 0.0).normalize();
        let [from, to] = [-1.0, 1.0].map(|side| {
            let place = beside + DVec3::new(3.0 * side, -3.0 * side, -0.7);
            Pose::from_position(place).expect("finite")
        });
        let contacts = all(&cube, &hat(1.0), &between(from, to));
        assert_eq!(contacts.len(), usize::from(gap == 0.0), "{gap}: {contacts:#?}");
        let tilt = DQuat::from_rotation_y(1e-3);
        let [from, to] = [tilt, tilt.inverse()]
            .map(|turn| Pose::new([0.1, 0.0, 2.0 + gap], turn).expect("finite"));
        // Upright half-way, where the tip reaches down farthest.
        let contacts = all(&cube, &top(0.25), &between(from, to));
        assert_eq!(contacts.len(), usize::from(gap == 0.0), "{gap}: {contacts:#?}");
    }
}

#[test]
fn the_slimmest_and_the_flattest_are_found_where_they_are() {
    let cube = shapes::cuboid(DVec3::splat(2.0));
    for (height, radius) in [(2.0, 2e-4), (2e-4, 2.0), (2e-4, 1.0)] {
        let body = Round::cone([0.5 * height * DVec3::Z, -0.5 * height * DVec3::Z], radius);
        let body = body.expect("fits");
        let contacts = all(&cube, &body, &between(at(0.3, 0.2, 3.0), at(0.3, 0.2, 1.0)));
        assert!((contacts[0].time - (2.0 - 0.5 * height) / 2.0).abs() < 1e-10, "{contacts:?}");
        let turn = DQuat::from_rotation_x(1.0);
        let to = Pose::new([0.3, 0.2, 0.5], turn).expect("finite");
        let contacts = all(&cube, &body, &between(at(0.3, 0.2, 3.0), to));
        assert!(!contacts.is_empty());
        for contact in contacts {
            let placed = between(at(0.3, 0.2, 3.0), to).pose_of_b_by_relative(contact.time);
            let off = body.distance(placed.inverse().point(contact.point));
            assert!(off.abs() < 1e-9, "{height} {radius}: {off:e} in {contact:?}");
        }
    }
}

#[test]
fn a_cone_has_the_mass_and_the_box_of_the_mesh_that_is_made_of_it() {
    let ends = [DVec3::new(0.3, -0.2, 0.1), DVec3::new(1.0, 0.7, -0.4)];
    let cone = Round::cone(ends, 0.6).expect("fits");
    let mesh = Polyhedron::new(&cone.polygons([2000, 2]).expect("a mesh")).expect("a mesh");
    let [of_cone, of_mesh] = [cone.mass(3.0), mesh.mass(3.0).expect("closed")];
    assert!((of_cone.mass / of_mesh.mass - 1.0).abs() < 1e-5, "{of_cone:?} {of_mesh:?}");
    assert!(of_cone.centre.distance(of_mesh.centre) < 1e-5, "{of_cone:?} {of_mesh:?}");
    for i in 0..3 {
        let [p, q] = [of_cone.inertia.col(i), of_mesh.inertia.col(i)];
        assert!(p.distance(q) < 1e-5, "{of_cone:?} {of_mesh:?}");
    }
    let [of_cone, of_mesh] = [cone.bounds(), mesh.bounds()];
    for (p, q) in of_cone.iter().zip(of_mesh) {
        assert!(p.distance(q) < 1e-5, "{of_cone:?} {of_mesh:?}");
    }
    for face in 0..mesh.face_count() as u32 {
        assert!(cone.distance(mesh.face_point(face)) < 1e-12);
    }
}

#[test]
fn bad_numbers_are_errors() {
    let refused = |height: f64, radius: f64| {
        Round::cone([DVec3::ZERO, DVec3::new(0.0, 0.0, height)], radius).expect_err("refused")
    };
    assert!(matches!(refused(1.0, f64::NAN), RoundError::Radius { what: "cone", .. }));
    assert!(matches!(refused(f64::INFINITY, 1.0), RoundError::Point { what: "cone", .. }));
    assert!(matches!(refused(0.0, 1.0), RoundError::Flat { .. }));
    for (height, radius) in [(1.0, 1e-5), (1e-5, 1.0)] {
        let error = refused(height, radius).to_string();
        assert!(error.contains("10000 times"), "{error}");
    }
}

#[test]
fn later_queries_allocate_nothing_and_have_the_same_bits() {
    let cube = collider(&shapes::cuboid(DVec3::splat(2.0)));
    let tilt = Pose::new([0.3, 0.2, 0.0], DQuat::from_rotation_x(1.0)).expect("finite");
    let step = between(at(0.3, 0.2, 3.0), tilt);
    let body = top(0.5);
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
