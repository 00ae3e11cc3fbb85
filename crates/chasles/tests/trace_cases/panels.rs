//! Faces with odd corners and sheets from the side: none has a hole, none is felt far away.

use std::f64::consts::FRAC_PI_2;

use chasles::glam::{DQuat, DVec2, DVec3};
use chasles::trace::{Body, Contents, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use chasles_testkit::trace::Soup;

use crate::{block, shift, thin, turn};

/// A square with a corner in the middle of a side. Below that side stands a wall under one half
/// only; or it is the top of a solid of which half of that side is steep.
fn with_middle_corner(is_closed: bool) -> Polygons {
    let top = [[-2., 0., -2.], [0.3, 0., -2.], [2., 0., -2.], [2., 0., 2.], [-2., 0., 2.]];
    let bottom = [[-2., -1., -2.], [0.3, -1., -2.], [2., -1., -3.], [2., -1., 2.], [-2., -1., 2.]];
    let open: [&[u32]; 2] = [&[0, 4, 3, 2, 1], &[0, 1, 6, 5]];
    let rest: [&[u32]; 6] =
        [&[1, 2, 7], &[1, 7, 6], &[2, 3, 8, 7], &[3, 4, 9, 8], &[4, 0, 5, 9], &[5, 6, 7, 8, 9]];
    let rest = if is_closed { &rest[..] } else { &[] };
    let faces = open.iter().chain(rest).map(|face| face.to_vec());
    Polygons::new([top, bottom].concat(), faces)
}

#[test]
fn a_corner_in_the_middle_of_a_side_opens_no_panel() {
    let random = &mut Random::new(1);
    let cube = Body::new(&shapes::mapped(shapes::cube(), |v| 0.1 * v)).expect("a body");
    for i in 0..400 {
        let tilt = if i < 2 { DQuat::IDENTITY } else { random.rotation() };
        let offset = random.vector() * random.one_of(&[0.0, 1.0, 10.0]);
        let place = |v: DVec3| tilt * v + offset;
        let world = thin(shapes::mapped(with_middle_corner(i % 2 == 0), place));
        for _ in 0..20 {
            let at = DVec3::new(random.between(-1.8, 1.8), 0.5, random.between(-1.8, 1.8));
            let start = Pose::new(place(at), tilt).expect("finite");
            for body in [&Body::point(), &cube] {
                let trace = shift(&world, body, &start, tilt * -DVec3::Y);
                assert!(trace.fraction < 0.51, "falls through at {at}, tilt {tilt}: {trace:?}");
            }
        }
    }
}

#[test]
fn beside_a_middle_corner_the_zone_is_not_thinner() {
    // Half of a side has a wall that rises from it, the other half is free.
    let vertices = [
        [-2., 0., -2.],
        [0.3, 0., -2.],
        [2., 0., -2.],
        [2., 0., 2.],
        [-2., 0., 2.],
        [-2., 1., -2.],
        [0.3, 1., -2.],
    ];
    let mesh = Polygons::new(vertices, [vec![0, 4, 3, 2, 1], vec![0, 1, 6, 5]]);
    let world = thin(mesh).with_thickness(0.01).expect("positive");
    let start = Pose::from_position([1.0, 0.5, -1.999]).expect("finite");
    let trace = shift(&world, &Body::point(), &start, -DVec3::Y);
    let height = trace.end.position().y;
    assert!((height - 0.01).abs() < 1e-9, "{height}");
}

#[test]
fn slivers_in_a_floor_do_not_catch() {
    let random = &mut Random::new(5);
    let body = Body::new(&shapes::mapped(shapes::cube(), |v| 0.5 * v)).expect("a body");
    for thin_by in [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11] {
        for _ in 0..100 {
            let tilt = random.rotation();
            let world = floor_with_sliver(thin_by, tilt);
            let above = tilt * DVec3::new(-1.0, 1.0, random.between(-1.0, 1.0));
            let above = Pose::new(above, tilt).expect("finite");
            let rest = shift(&world, &body, &above, tilt * -DVec3::Y).end;
            let by = tilt * DVec3::new(2.0, -0.5, 0.1);
            let slide = world.slide(&body, &rest, by, &mut Workspace::new()).expect("finite");
            let x = (tilt.conjugate() * slide.end.position()).x;
            assert!(x > 0.9, "caught at {x} by a sliver of {thin_by}, tilt {tilt}");
        }
    }
}

/// Two halves of a floor and a triangle between them that is hardly wide.
fn floor_with_sliver(width: f64, tilt: DQuat) -> World {
    let vertices = [
        [-5., 0., -5.],
        [0., 0., -5.],
        [0., 0., 5.],
        [-5., 0., 5.],
        [5., 0., -5.],
        [5., 0., 5.],
        [width, 0., 0.],
    ];
    let faces: [&[u32]; 5] = [&[0, 3, 2, 1], &[1, 2, 6], &[1, 6, 4], &[6, 2, 5], &[6, 5, 4]];
    let floor = Polygons::new(vertices, faces.map(<[u32]>::to_vec));
    thin(shapes::mapped(floor, |v| tilt * v))
}

#[test]
fn an_arc_that_begins_at_the_height_of_a_sheet_ends_on_it() {
    let ten = 10_f64.to_radians();
    let y = ten.cos();
    let sheet = Polygons::new(
        [[0.05, y, -1.], [0.05, y, 1.], [1., y, 1.], [1., y, -1.]],
        [[0_u32, 1, 2, 3]],
    );
    let mut turned = sheet.clone();
    turned.faces[0].reverse();
    let card = |x: f64| Polygons::new([[0., 0., 0.], [x, 0., 0.1], [x, 0., -0.1]], [[0_u32, 1, 2]]);
    let bodies = [
        shapes::point(DVec3::ZERO),
        shapes::segment(DVec3::ZERO, 0.3 * DVec3::Z),
        card(-0.2),
        card(0.1),
    ];
    for world in [sheet, turned].map(thin) {
        for mesh in &bodies {
            let body = Body::new(mesh).expect("a body");
            let fraction = |higher: f64| {
                let start = Pose::from_position([-ten.sin(), y + higher, 0.0]).expect("finite");
                let about = (DVec3::ZERO, DVec3::Z, -30_f64.to_radians());
                turn(&world, &body, &start, about).fraction
            };
            // A hair higher is the same in every other respect.
            let [same, hair] = [fraction(0.0), fraction(1e-9)];
            assert!((same - hair).abs() < 1e-6 && hair < 0.7, "{same} {hair} {mesh:?}");
        }
    }
}

#[test]
fn a_card_that_turns_in_line_with_an_edge_stops_near_the_world() {
    let card = [[0., 0., 0.], [1., 0., 0.], [1., 0., 1.], [0., 0., 1.]];
    let card = Polygons::new(card, [[0_u32, 1, 2, 3]]);
    let body = Body::new(&card).expect("a body");
    let spike = [[-1., -1., 0.], [-2., 0., -1.], [-2., -2., 0.], [1., 2., -1.]];
    let cases = [
        (
            [
                shapes::tetrahedron(spike.map(DVec3::from_array)),
                block([2., -2., -1.], [5., -1., 2.]),
            ],
            [1.0, -0.999999999924668, 2.0],
            (DVec3::new(1., 1., -1.), DVec3::Z),
        ),
        (
            [block([2., 2., 2.], [3.5, 3., 2.5]), block([2., -1., 2.], [3., 0., 4.])],
            [0.9999999999733661, -1.0, 3.999999999973366],
            (DVec3::new(1., -2., -2.), DVec3::Y),
        ),
    ];
    for (meshes, at, (origin, axis)) in cases {
        let all = shapes::joined(&meshes);
        let world = thin(all.clone());
        let start = Pose::new(at, DQuat::from_rotation_y(FRAC_PI_2)).expect("finite");
        let trace = turn(&world, &body, &start, (origin, axis, -FRAC_PI_2));
        let Some(touch) = trace.touch else { continue };
        let from = |mesh: &Polygons| {
            Soup::new(&card).distance(&trace.end, &Soup::new(mesh), f64::INFINITY)
        };
        let [apart, off] = [from(&all), from(&shapes::point(touch.point))];
        assert!(apart.max(off) <= 3.0 * trace.thickness, "{apart} {off} {trace:?}");
    }
}

#[test]
fn a_plate_thinner_than_the_zone_is_not_pushed_over_the_border_of_a_sheet() {
    // All edges across the border are much shorter than the zone is thick.
    let sheet =
        Polygons::new([[0., 0., -2.], [0., 0., 2.], [1., 0., 2.], [1., 0., -2.]], [[0, 1, 2, 3]]);
    let world = thin(sheet).with_thickness(1e-3).expect("positive");
    for gap in [0.0, 1e-5, 1e-4] {
        let plate = block([-1., -3e-5, -0.5], [-gap, 4e-5, 0.5]);
        let plate = Body::new(&plate).expect("a body");
        let trace = shift(&world, &plate, &Pose::IDENTITY, DVec3::X);
        assert!(!trace.started_solid);
        assert!(trace.fraction <= gap, "gap {gap}: {trace:?}");
    }
}

#[test]
fn a_dented_face_with_corners_in_one_line_bounds_a_solid() {
    let random = &mut Random::new(8);
    let mut workspace = Workspace::new();
    let small = Body::new(&shapes::mapped(shapes::cube(), |v| 0.05 * v)).expect("a body");
    let dented = [[0., 0.], [2., 0.], [2., 1.], [1., 1.], [1., 2.], [0., 2.]].map(DVec2::from);
    for i in 0..300 {
        let mut profile = Vec::new();
        for (k, &corner) in dented.iter().enumerate() {
            let more = 1 + random.below(3);
            let at = |j: usize| corner.lerp(dented[(k + 1) % 6], j as f64 / more as f64);
            profile.extend((0..more).map(at));
        }
        let tilt = if i % 4 == 0 { DQuat::IDENTITY } else { random.rotation() };
        let offset = random.vector() * random.one_of(&[0.0, 1.0, 1e3]);
        let mesh = shapes::mapped(shapes::prism(&profile, 1.0), |v| tilt * v + offset);
        let inside = Pose::from_position(tilt * DVec3::splat(0.5) + offset).expect("finite");
        let found = thin(mesh).contents(&small, &inside, &mut workspace);
        assert_eq!(found, Contents::Inside, "{i}: {} corners", profile.len());
    }
}
