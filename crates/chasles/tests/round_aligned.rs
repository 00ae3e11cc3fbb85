//! Round bodies that slide, lie flat, or turn by next to nothing beside edges and faces: contacts
//! are on both bodies, and when they say.

use chasles::glam::{DQuat, DVec3};
use chasles::round::{self, Contact, Feature, Options, Round, Workspace};
use chasles::{Collider, Pose, Screw, Step};
use chasles_testkit::query::collider;
use chasles_testkit::round::{all, at, between};
use chasles_testkit::{shapes, step_along};

fn some(a: &Collider, b: &Round, step: &Step, options: &Options) -> Vec<Contact> {
    round::contacts(a, b, step, options, &mut Workspace::new()).to_vec()
}

fn sphere(radius: f64) -> Round {
    Round::sphere(radius).expect("fits")
}

fn cylinder(axis: DVec3, radius: f64) -> Round {
    Round::cylinder([-axis, axis], radius).expect("fits")
}

/// How far a contact is from the round body, and from the cube with corners at +-1.
fn off(body: &Round, step: &Step, contact: &Contact) -> f64 {
    let t = contact.time;
    let b_in_a = step.pose_of_a(t).inverse_after(&step.pose_of_b_by_relative(t));
    let point = contact.point_in_a;
    let from_body = body.distance(b_in_a.inverse().point(point)).abs();
    from_body.max((point.abs() - DVec3::ONE).max(DVec3::ZERO).length())
}

/// Small angles of both signs.
fn small_angles() -> impl Iterator<Item = f64> {
    (4..12).flat_map(|exponent| [-1.0, 1.0].map(|sign| sign * 10.0_f64.powi(-exponent)))
}

#[test]
fn contacts_of_bodies_that_slide_and_turn_a_little_are_on_both() {
    let cube = collider(&shapes::cuboid(DVec3::splat(2.0)));
    let lying = [-DVec3::X, DVec3::X];
    let bodies = [
        (cylinder(DVec3::Z, 1.0), 2.0),
        (cylinder(DVec3::X, 0.5), 1.5),
        (cylinder(DVec3::X, 0.5), 1.25),
        (Round::capsule(lying, 0.5).expect("fits"), 1.5),
        (Round::capsule(lying, 0.5).expect("fits"), 1.0),
    ];
    let axes = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, 0.8, 0.0)];
    let ways = [[-1.0, -3.5], [0.5, -3.0], [-1.5, -3.5], [-3.5, 0.25], [-3.5, -1.0]];
    let first = Options { first_only: true, ..Options::default() };
    let facing = Options { facing: true, min_properness: 0.0, ..first };
    let mut found = 0;
    for (body, z) in bodies {
        for (angle, axis) in small_angles().flat_map(|angle| axes.map(|axis| (angle, axis))) {
            for [x, y] in ways {
                for lift in [0.0, 1e-9, -1e-7] {
                    let [p, q] = if y < -2.0 { [x, -y] } else { [-x, y] };
                    let turn = DQuat::from_axis_angle(axis, angle);
                    let end = Pose::new([p, q, z + lift], turn).expect("finite");
                    let step = between(at(x, y, z + lift), end);
                    for options in [Options::default(), first, facing] {
                        for contact in some(&cube, &body, &step, &options) {
                            let off = off(&body, &step, &contact);
                            let name =
                                || format!("{body:?} by {angle:e} about {axis}, {lift:e} up");
                            assert!(off < 1e-11, "{off:e}: {} {contact:?}", name());
                            found += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(found > 10_000, "{found}");
}

#[test]
fn contacts_with_a_sheet_are_on_the_sheet() {
    // |x| + |y| <= 1 in the plane of a cap that tips a little.
    let sheet = shapes::polygon(&shapes::regular(4, 0.0));
    let turn = DQuat::from_rotation_y(1e-6);
    let end = Pose::new([-1.0, 2.5, -1.0], turn).expect("finite");
    let found = all(&sheet, &cylinder(DVec3::Z, 1.0), &between(at(-1.0, -2.5, -1.0), end));
    assert!(!found.is_empty());
    for contact in found {
        let beyond = contact.point_in_a.x.abs() + contact.point_in_a.y.abs() - 1.0;
        assert!(beyond < 1e-11, "{contact:?}");
    }
}

#[test]
fn what_slides_comes_to_a_face_when_it_does() {
    let bar = shapes::cuboid(DVec3::new(1.0, 10.0, 2.0));
    let found = all(&bar, &sphere(0.5), &between(at(-3.0, 0.1, 1.5), at(3.0, 0.1, 1.5)));
    let [low, high] = found[0].time_bracket;
    let truth = 2.5 / 6.0;
    assert!((found[0].time - truth).abs() < 1e-12, "{:?}", found[0]);
    assert!(low <= truth && truth <= high && high - low < 1e-9 && found[0].grazing);
}

#[test]
fn a_short_slide_over_a_narrow_face_is_found() {
    for width in [1.0, 0.1, 0.05, 0.01, 0.001] {
        let bar = shapes::cuboid(DVec3::new(width, 10.0, 2.0));
        let found = all(&bar, &sphere(0.5), &between(at(-3.01, 0.1, 1.5), at(3.0, 0.1, 1.5)));
        let face = found.iter().find(|c| matches!(c.features.a, Feature::Face(_)));
        let time = face.expect("it slides over the face").time;
        assert!((time - (3.01 - 0.5 * width) / 6.01).abs() < 1e-12, "{width}: {time}");
    }
}

#[test]
fn a_flat_touch_does_not_blur_that_of_a_rim() {
    // The cap is in the plane z = 0, in which the disc meets the line x + y = -1 first.
    let can = Round::cylinder([[0.0, 0.0, -0.25], [0.0, 0.0, 0.25]], 0.25).expect("fits");
    let step = between(at(-2.5, -0.75, -0.25), at(2.5, -0.75, -0.25));
    let first = all(&shapes::octahedron(), &can, &step)[0];
    let truth = (2.25 - 0.25 * 2.0_f64.sqrt()) / 5.0;
    let [low, high] = first.time_bracket;
    assert!((first.time - truth).abs() < 1e-12 && high - low < 1e-10, "{first:?}");
}

#[test]
fn a_cap_far_from_the_middle_of_an_edge_touches_in_its_bracket() {
    let floor = shapes::cuboid(DVec3::new(200.0, 2.0, 2.0));
    let can = cylinder(DVec3::Z, 0.5);
    // The lowest point over the edge is an end of the chord that the cap has over it.
    let chord = (0.25_f64 - 0.0625).sqrt();
    for tilt in [0.0, 1e-12, 1e-10, 5e-10, 9e-10, 2e-9, 1e-8] {
        let turn = DQuat::from_rotation_y(tilt);
        let [p, q] = [4.0, 1.0].map(|z| Pose::new([90.0, 1.25, z], turn).expect("finite"));
        let first = all(&floor, &can, &between(p, q))[0];
        let truth = (4.0 - (1.0 + tilt.cos() + tilt.sin() * chord)) / 3.0;
        let [low, high] = first.time_bracket;
        assert!(low <= truth && truth <= high && high - low < 1e-10, "{tilt:e}: {first:?} {truth}");
    }
}

#[test]
fn a_fast_small_ball_enters_and_leaves_a_vertex() {
    let point = shapes::point(DVec3::ZERO);
    for way in [1.0, 1e3, 1e5, 1e6] {
        let step = between(at(-0.5 * way, 0.0, 0.0), at(0.5 * way, 0.0, 0.0));
        let found = all(&point, &sphere(1e-4), &step);
        let signs: Vec<bool> = found.iter().map(|c| c.normal_speed < 0.0).collect();
        assert_eq!(signs, [true, false], "{way}: {found:?}");
    }
}

/// A step in which the body turns about an axis through a point, by the length of the axis.
fn turns(from: Pose, axis: DVec3, through: DVec3) -> Step {
    let twist = Screw::from_twist(axis, through.cross(axis)).expect("finite");
    step_along((Pose::IDENTITY, Screw::STILL), (from, twist))
}

#[test]
fn what_turns_around_a_feature_next_to_it_does_not_touch_it() {
    let cube = collider(&shapes::cuboid(DVec3::splat(2.0)));
    let corner = DVec3::new(1.0, 1.0, 0.0);
    let ball = sphere(0.5);
    let pill = Round::capsule([-DVec3::Z, DVec3::Z], 0.5).expect("fits");
    let can = Round::cylinder([-DVec3::Z, DVec3::Z], 0.5).expect("fits");
    let lean = DQuat::from_rotation_z(0.2);
    for gap in [1e-3, 1e-6, 1e-8, 1e-9, 1e-10, 1e-11, 5e-12] {
        let place = |at: DVec3, turn: DQuat| Pose::new(at, turn).expect("finite");
        let beside = corner + lean * DVec3::X * (0.5 + gap);
        // About the edge; the line of the core is first along it, then aslant beside it.
        let skew = lean * DQuat::from_rotation_x(0.7);
        let around = turns(place(beside, DQuat::IDENTITY), DVec3::Z * 1.2, corner);
        let aslant = turns(place(beside, skew), DVec3::Z * 1.2, corner);
        // About the vertex, and a can on its rim that spins over a face.
        let out = DVec3::new(0.6, 0.6, 0.8).normalize();
        let over = place(DVec3::ONE + (0.5 + gap) * out, DQuat::IDENTITY);
        let about_vertex = turns(over, DVec3::new(0.1, 0.5, 0.2), DVec3::ONE);
        let tilt = DQuat::from_rotation_x(0.7);
        let up = 1.0 + 0.7_f64.cos() + 0.5 * 0.7_f64.sin() + gap;
        let coin = turns(place(DVec3::Z * up, tilt), DVec3::Z * 3.0, DVec3::ZERO);
        // The tip of a capsule that wheels about a vertex, and a can that turns in its place.
        let tip = place(DVec3::ONE + (0.5 + gap) * out + DVec3::Z, DQuat::IDENTITY);
        let wheel = turns(tip, DVec3::new(0.0, -0.2, 0.1), DVec3::ONE);
        let spin = turns(place(beside, DQuat::IDENTITY), DVec3::Z * 3.0, beside);
        let cases = [
            (ball, around),
            (pill, around),
            (can, around),
            (pill, aslant),
            (can, aslant),
            (ball, about_vertex),
            (can, coin),
            (pill, wheel),
            (can, spin),
        ];
        for (number, (body, step)) in cases.into_iter().enumerate() {
            let found = some(&cube, &body, &step, &Options::default());
            assert!(found.is_empty(), "case {number}, {gap:e} away: {found:?}");
        }
    }
}

#[test]
fn what_turns_around_an_edge_comes_to_it_when_it_does() {
    // The axis is beside the edge by next to nothing, so the ball comes nearer as slowly.
    let cube = shapes::cuboid(DVec3::splat(2.0));
    let corner = DVec3::new(1.0, 1.0, 0.0);
    for aside in [1e-3, 1e-6, 1e-8, 1e-9, 1e-10] {
        let axis = corner + aside * DVec3::new(1.0, -1.0, 0.0);
        let start = axis + 0.5 * (DQuat::from_rotation_z(0.3) * DVec3::X);
        let step = turns(Pose::from_position(start).expect("finite"), DVec3::Z * 0.9, axis);
        let found = all(&cube, &sphere(0.5), &step);
        let [touch] = found[..] else { panic!("{aside:e}: one contact, not {found:?}") };
        assert!(off(&sphere(0.5), &step, &touch) < 1e-13, "{aside:e}: {touch:?}");
        // Half of the square of the way aside is all by which it is later than on the diagonal.
        let truth = (0.25 * std::f64::consts::PI - 0.3) / 0.9;
        let [low, high] = touch.time_bracket;
        assert!(low <= truth + 2.0 * aside && truth - 2.0 * aside <= high, "{aside:e}: {touch:?}");
        assert!((touch.time - truth).abs() < 2.0 * aside + 1e-13 / aside, "{aside:e}: {touch:?}");
    }
}

#[test]
fn the_first_contact_alone_is_the_first_of_all() {
    // A capsule that glides past an edge; its side and its end see the touch.
    let bar = collider(&shapes::cuboid(DVec3::new(4.0, 2.0, 0.5)));
    let pill = Round::capsule([-0.5 * DVec3::Z, 0.5 * DVec3::Z], 1.0).expect("fits");
    let step = between(at(-2.5, 0.0, -0.5), at(-4.0, -2.0, 4.0));
    let every = some(&bar, &pill, &step, &Options::default());
    let options = Options { first_only: true, ..Options::default() };
    let first = some(&bar, &pill, &step, &options);
    assert_eq!(first[..], every[..1]);
    assert!(first[0].time_bracket[0] <= 0.2 && 0.2 <= first[0].time_bracket[1], "{first:?}");
}
