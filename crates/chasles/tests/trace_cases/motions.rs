//! What shifts, turns and travels answer.

use std::f64::consts::{FRAC_PI_2, PI};

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles::trace::{Body, Travel, Turn, Workspace};
use chasles_testkit::shapes;

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
