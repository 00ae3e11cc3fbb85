//! Special angles and slow turns of aligned bodies: gaps that vanish at both ends of a step, or
//! that hardly change. Nothing is lost, and nothing is reported that does not touch.

use std::f64::consts::{PI, TAU};

use chasles::glam::{DQuat, DVec3};
use chasles::{Contact, Features, Options, Polygons, Pose, Screw};
use chasles_testkit::query::sound_contacts_of_step;
use chasles_testkit::sound::farthest;
use chasles_testkit::{Query, generate, judge, oracle, shapes, step_along};

/// B turns about an axis through the origin while A stands still.
fn turned(a: &Polygons, b: &Polygons, turn: DQuat) -> Query {
    let end = Pose::new(DVec3::ZERO, turn).expect("finite");
    let poses_b = [Pose::IDENTITY, end];
    Query { a: a.clone(), b: b.clone(), poses_a: [Pose::IDENTITY; 2], poses_b }
}

/// A rectangle at a height, from x0 to x1.
fn sheet(x0: f64, x1: f64, z: f64) -> Polygons {
    Polygons::new([[x0, -1., z], [x1, -1., z], [x1, 1., z], [x0, 1., z]], [[0, 1, 2, 3]])
}

#[track_caller]
fn are_at(contacts: &[Contact], times: &[f64]) {
    let close = |(c, t): (&Contact, &f64)| {
        c.features == Features::Fv { face: 0, vertex: 0 } && (c.time - t).abs() < 1e-12
    };
    let good = contacts.len() == times.len() && contacts.iter().zip(times).all(close);
    assert!(good && contacts.iter().all(|c| !c.grazing), "{contacts:?} instead of {times:?}");
}

#[test]
fn a_half_turn_from_plane_to_plane_touches_at_the_end() {
    // The point starts in the plane beside the face, and comes down on it.
    let (face, point) = (sheet(-0.9, 3.0, 0.0), shapes::point(-DVec3::X));
    for angle in [PI, PI * (1.0 - 1e-15)] {
        let query = turned(&face, &point, DQuat::from_axis_angle(DVec3::Y, angle));
        are_at(&query.sound_contacts(&Options::default()), &[1.0]);
        let twist = Screw::from_twist([0.0, angle, 0.0], DVec3::ZERO).expect("finite");
        let still = (Pose::IDENTITY, Screw::STILL);
        let step = step_along(still, (Pose::IDENTITY, twist));
        let contacts = sound_contacts_of_step([&face, &point], &step, &Options::default());
        are_at(&contacts, &[1.0]);
    }
}

#[test]
fn a_gap_that_vanishes_at_the_start_and_at_half_time_is_seen_twice() {
    // At height sin(60 + 120 t) degrees, over a plane at the height of the start.
    let height = (TAU / 6.0).sin();
    let point = shapes::point(DVec3::new(0.5, 0.0, height));
    let turn = DQuat::from_axis_angle(DVec3::NEG_Y, TAU / 3.0);
    for (face, times) in
        [(sheet(-3.0, 3.0, height), &[0.0, 0.5][..]), (sheet(-0.8, -0.2, height), &[0.5])]
    {
        let query = turned(&face, &point, turn);
        let contacts = query.sound_contacts(&Options::default());
        are_at(&contacts, times);
        judge(&contacts, &oracle(&query), query.size()).expect_good("a third of a turn");
    }
}

#[test]
fn a_rod_that_swings_from_rod_to_rod_touches_both() {
    // B swings by half a turn about y from a rod at one side to one at the other.
    let rods =
        [-1.5, 1.5].map(|x| shapes::segment(DVec3::new(x, -1.0, 0.0), DVec3::new(x, 1.0, 0.0)));
    let swinging = shapes::segment(DVec3::new(-2.0, 0.25, 0.0), DVec3::new(-1.0, 0.25, 0.0));
    let query = turned(&shapes::joined(&rods), &swinging, DQuat::from_axis_angle(DVec3::Y, PI));
    let contacts = query.sound_contacts(&Options::default());
    let seen: Vec<(Features, f64)> = contacts.iter().map(|c| (c.features, c.time)).collect();
    let edges = |a| Features::Ee { a, b: [0, 1] };
    assert_eq!(seen, [(edges([0, 1]), 0.0), (edges([2, 3]), 1.0)]);
}

/// The farthest that features of a reported contact are from its point, in sizes.
fn farthest_of_aligned_shapes(angle: f64) -> f64 {
    let far = |seed: u64| {
        let query = generate::aligned(seed, angle);
        let [a, b] = query.colliders();
        farthest(&query.contacts(&Options::default()), [&a, &b], &query.step())
    };
    (0..100).map(far).fold(0.0, f64::max)
}

/// Gaps change so little that rounding hides their roots for much of the step.
const SLOW: [f64; 4] = [1e-12, 1e-11, 1e-10, 1e-9];

#[test]
fn aligned_shapes_that_hardly_turn_touch_where_they_say() {
    for angle in [0.0, 1e-14, 1e-13, 1e-8, 1e-7, 1e-6] {
        let far = farthest_of_aligned_shapes(angle);
        assert!(far < 1e-6, "a contact is off by {far:e} sizes at angle {angle:e}");
    }
}

#[test]
fn aligned_shapes_that_turn_by_little_more_than_rounding_touch_nearly_where_they_say() {
    for angle in SLOW {
        let far = farthest_of_aligned_shapes(angle);
        assert!(far < 1e-3, "a contact is off by {far:e} sizes at angle {angle:e}");
    }
}

#[test]
fn aligned_shapes_that_turn_by_little_more_than_rounding_touch_where_they_say() {
    for angle in SLOW {
        let far = farthest_of_aligned_shapes(angle);
        assert!(far < 1e-6, "a contact is off by {far:e} sizes at angle {angle:e}");
    }
}

#[test]
fn aligned_shapes_that_hardly_turn_first_touch_as_if_they_did_not() {
    let options = Options { first_only: true, ..Options::default() };
    for (seed, angle) in (0..100).flat_map(|seed| SLOW.map(|angle| (seed, angle))) {
        let first = |angle: f64| generate::aligned(seed, angle).contacts(&options).first().copied();
        let Some(straight) = first(0.0) else {
            assert_eq!(first(angle), None, "seed {seed}, angle {angle:e}");
            continue;
        };
        // Sheets that slide over each other come apart.
        if !straight.grazing {
            let turned = first(angle).expect("a little turn does not miss");
            let late = turned.time - straight.time;
            assert!(late.abs() < 1e-6, "seed {seed}, angle {angle:e}: late by {late:e}");
        }
    }
}
