//! What shifts, turns and travels answer.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Fixture, Travel, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use chasles_testkit::trace::{Motion, Soup, lowest_distance};

use crate::{THICKNESS, at, cube, floor, half, shift, turn, world};

#[test]
fn a_falling_cube_stops_a_thickness_above_the_floor() {
    let trace = shift(&world(&[floor()]), &cube(), &at(0.3, 2.0, 0.1), DVec3::new(0.0, -4.0, 0.0));
    let bottom = trace.end.position().y - half();
    assert!((bottom - THICKNESS).abs() < 1e-12, "{bottom}");
    let touch = trace.touch.expect("it stops");
    assert_eq!((touch.normal, touch.features.kind()), (DVec3::Y, "vf"));
    assert!((touch.distance - THICKNESS).abs() < 1e-12);
}

#[test]
fn each_kind_of_pair_is_found() {
    let small = Body::new(&shapes::mapped(shapes::cube(), |v| 0.2 * v)).expect("a body");
    let down = DVec3::new(0.0, -4.0, 0.0);
    let spike = world(&[shapes::tetrahedron([
        DVec3::new(-1.0, 0.0, -1.0),
        DVec3::new(0.0, 0.0, 1.0),
        DVec3::new(1.0, 0.0, -1.0),
        DVec3::new(0.0, 1.0, 0.0),
    ])]);
    let onto_tip = shift(&spike, &cube(), &at(0.0, 4.0, 0.0), down);
    assert_eq!(onto_tip.touch.map(|t| t.features.kind()), Some("fv"));
    let onto_floor = shift(&world(&[floor()]), &small, &at(0.0, 2.0, 0.0), down);
    assert_eq!(onto_floor.touch.map(|t| t.features.kind()), Some("vf"));
    // Two roofs, one upside down across the other.
    let roof = shapes::prism(&shapes::regular(3, FRAC_PI_2), 2.0);
    let [below, above] = [0.0, FRAC_PI_2].map(|about_y| {
        let tip = if about_y == 0.0 {
            DQuat::from_rotation_x(-FRAC_PI_2)
        } else {
            DQuat::from_rotation_x(FRAC_PI_2)
        };
        shapes::mapped(roof.clone(), |v| DQuat::from_rotation_y(about_y) * (tip * v))
    });
    let roofs = world(&[below]);
    let falling =
        shift(&roofs, &Body::new(&above).expect("a body"), &at(0.0, 5.0, 0.0), 2.0 * down);
    assert_eq!(falling.touch.map(|t| t.features.kind()), Some("ee"), "{falling:?}");
}

#[test]
fn a_beam_turns_until_it_meets_a_wall() {
    let beam = Body::new(&shapes::cuboid(DVec3::new(4.0, 0.2, 0.2))).expect("a body");
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(0.2, 2.0, 2.0)), |v| {
        v + DVec3::new(0.0, 0.0, -2.0)
    });
    let world = world(&[wall]);
    // The tip comes round the y axis; its corner at (2, 0.1) meets the wall's side x = 0.1 or its
    // end z = -1.
    let trace = turn(&world, &beam, &Pose::IDENTITY, (DVec3::ZERO, DVec3::Y, PI));
    let angle = trace.fraction * PI;
    // The beam's side, 0.1 from its middle, reaches the wall's corner (0.1, -1).
    let expected = (1.0_f64).atan2(0.1) - (0.1 / (1.01_f64).sqrt()).asin();
    assert!((angle - expected).abs() < 1e-5, "{angle} {expected}");
    assert!(trace.touch.is_some());
    let back = turn(&world, &beam, &trace.end, (DVec3::ZERO, DVec3::Y, -angle));
    assert!(back.fraction == 1.0, "{back:?}");
}

#[test]
fn turning_the_other_way_is_turning_about_the_opposite_axis() {
    let world = world(&[floor()]);
    let start = Pose::new([0.0, 0.9, 0.0], DQuat::from_rotation_z(0.3)).expect("finite");
    let origin = DVec3::new(0.5, 0.3, 0.0);
    let one = turn(&world, &cube(), &start, (origin, DVec3::Z, -3.0));
    let other = turn(&world, &cube(), &start, (origin, -DVec3::Z, 3.0));
    assert_eq!(one, other);
    assert!(one.touch.is_some());
}

#[test]
fn a_travel_ends_where_its_first_portion_is_stopped() {
    let world = world(&[floor()]);
    let mut workspace = Workspace::new();
    let start = at(0.0, 2.0, 0.0);
    let turn = Turn::new(start.position(), DVec3::Z, 1.0).expect("finite");
    let travel =
        |by: DVec3, parts: u32| Travel { by, turn, parts: parts.try_into().expect("positive") };
    for parts in [1, 7] {
        let free = world.advance(&cube(), &start, &travel(DVec3::X, parts), &mut workspace);
        let free = free.expect("finite");
        assert_eq!((free.fraction, free.touch), (1.0, None));
        let turned = Pose::new([1.0, 2.0, 0.0], DQuat::from_rotation_z(1.0)).expect("finite");
        assert!(free.end.position().distance(turned.position()) < 1e-12);
        assert!(free.end.rotation().angle_between(turned.rotation()) < 1e-7);
        let down = DVec3::new(0.0, -4.0, 0.0);
        let stopped = world.advance(&cube(), &start, &travel(down, parts), &mut workspace);
        let stopped = stopped.expect("finite");
        assert!(stopped.touch.is_some() && stopped.fraction < 0.6, "{stopped:?}");
    }
}

#[test]
fn no_motion_at_all_is_a_whole_motion() {
    let world = world(&[floor()]);
    let start = at(0.0, half() + THICKNESS / 2.0, 0.0);
    let still = shift(&world, &cube(), &start, DVec3::ZERO);
    assert_eq!((still.fraction, still.end, still.touch), (1.0, start, None));
    let still = turn(&world, &cube(), &start, (DVec3::ZERO, DVec3::X, 0.0));
    assert_eq!((still.fraction, still.touch), (1.0, None));
}

#[test]
fn several_turns_are_one_turn_where_nothing_is_met() {
    let world = world(&[floor()]);
    let start = at(0.0, 5.0, 0.0);
    let trace = turn(&world, &cube(), &start, (DVec3::new(0.0, 5.0, 1.0), DVec3::X, 1e6));
    assert_eq!(trace.fraction, 1.0);
    let expected = DQuat::from_rotation_x(1e6);
    assert!(trace.end.rotation().dot(expected).abs() > 1.0 - 1e-12);
}

#[test]
fn a_shrunk_body_touches_to_the_eye() {
    let world = world(&[floor()]);
    let body = cube().shrunk(THICKNESS).expect("a body");
    let rest = shift(&world, &body, &at(0.0, 2.0, 0.0), DVec3::new(0.0, -4.0, 0.0));
    assert!((rest.end.position().y - half()).abs() < 1e-12);
}

#[test]
fn a_lone_segment_does_not_pass_the_border_of_a_sheet_in_its_plane() {
    let sheets = [
        Polygons::new([[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]], [[0, 1, 2, 3]]),
        Polygons::new([[0., 0., 0.], [2., 0., 0.], [1., 1., 0.]], [[0, 1, 2]]),
    ];
    let mut workspace = Workspace::new();
    let mut counts = [0; 2];
    for seed in 0..2_000 {
        let random = &mut Random::new(seed);
        let tilt = if random.below(2) == 0 { DQuat::IDENTITY } else { random.rotation() };
        let fixed = shapes::mapped(sheets[random.below(2)].clone(), |v| tilt * v);
        let world = World::new(vec![Fixture::new(fixed.clone())]).expect("a world");
        let e = random.one_of(&[1e-9, 1e-6, 1e-3]);
        let world = world.with_thickness(e).expect("positive");
        let half = random.one_of(&[
            DVec3::X,
            5.0 * DVec3::X,
            DVec3::new(2.0, 2.0, 0.0),
            DVec3::new(0.25, -0.25, 0.0),
        ]);
        let mesh = shapes::segment(-half, half);
        let body = Body::new(&mesh).expect("a body");
        let mut halves = |count: usize| 0.5 * random.below(count) as f64 - 1.5;
        let (x, y) = (halves(9), halves(9));
        let (across, down) = (halves(7), halves(7));
        let off = e * random.one_of(&[0.0, 0.0, 0.1, 0.3, 0.6]);
        let start = Pose::new(tilt * DVec3::new(x, y, off), tilt).expect("finite");
        let (fixed, moving) = (Soup::new(&fixed), Soup::new(&mesh));
        if moving.distance(&start, &fixed, 4.0 * e) < 3.0 * e {
            continue;
        }
        let (motion, trace) = if seed % 3 == 0 {
            let (origin, axis) = (tilt * DVec3::new(across, down, 0.0), tilt * DVec3::Z);
            let angle = random.one_of(&[1.0, -1.0, PI, TAU]);
            let turn = Turn::new(origin, axis, angle).expect("finite");
            let trace = world.rotate(&body, &start, &turn, &mut workspace);
            (Motion::Turn(origin, axis, angle), trace)
        } else {
            let by = tilt * (2.0 * DVec3::new(across, down, 0.0));
            (Motion::Shift(by), shift(&world, &body, &start, by))
        };
        let way = (&moving, &start);
        let lowest = lowest_distance(way, &fixed, &motion, trace.fraction, e);
        assert!(lowest > 0.5 * e, "seed {seed}: as near as {} e, {trace:?}", lowest / e);
        if let Some(touch) = trace.touch {
            let end = moving.distance(&trace.end, &fixed, 4.0 * e);
            assert!(end < 3.0 * e && touch.distance < 3.0 * e, "seed {seed}: {end} {trace:?}");
            // It gets back.
            if let Motion::Shift(by) = motion {
                let back = shift(&world, &body, &trace.end, -by);
                assert!(back.fraction > 0.1, "seed {seed}: {back:?}");
            }
        }
        counts[usize::from(trace.touch.is_some())] += 1;
    }
    assert!(counts[0] > 200 && counts[1] > 200, "{counts:?}");
}
