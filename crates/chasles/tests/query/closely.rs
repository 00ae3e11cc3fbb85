//! A bound of the departure makes questions ask for the bodies' own motions.

use chasles::glam::DVec3;
use chasles::query::{
    self, Accuracy, Geometry, Options, QueryError, Route, Trajectory, Waypoints, Workspace,
};
use chasles::{Motion, Pose, Step, motion::MotionError};

use crate::{cube, pose};

/// A body that turns in place.
fn spin(x: f64, degrees: f64) -> Motion {
    let [start, end] =
        [0.0, degrees.to_radians()].map(|angle| pose(DVec3::X * x, DVec3::Z * angle));
    Motion::between(start, end)
}

fn closely(length: f64) -> Options {
    Options { max_departure: Some(length), ..Options::default() }
}

#[test]
fn bodies_that_spin_in_place_far_apart_do_not_meet() {
    let cube = Geometry::from(cube());
    let step = Step::new(spin(0.0, -100.0), spin(5.0, 100.0));
    let mut workspace = Workspace::new();
    let mut ask = |options: &Options| {
        query::first_contact(&cube, &cube, &step, options, &mut workspace).expect("exact")
    };
    assert!(ask(&Options::default()).is_some(), "the screw leads through A");
    assert_eq!(ask(&closely(0.01)), None);
    // Nearer, they meet: the corner of one touches the other.
    let near = Step::new(spin(0.0, -100.0), spin(1.3, 100.0));
    let hit = query::first_contact(&cube, &cube, &near, &closely(1e-4), &mut workspace);
    let hit = hit.expect("exact").expect("corners reach 0.7 far");
    let bodies = [near.pose_of_a(hit.time), near.pose_of_b(hit.time)];
    let apart = query::distance(&cube, &cube, bodies, &mut workspace).expect("meshes");
    assert!(apart.distance < 1e-3, "{apart:?}");
}

#[test]
fn a_route_is_followed_as_closely_as_its_steps() {
    let cube = Geometry::from(cube());
    let turned = |x: f64, angle: f64| pose(DVec3::X * x, DVec3::Z * angle);
    let way = |x: f64, sign: f64| {
        Waypoints::evenly([0.0, 1.8, 3.6].map(|angle| turned(x, sign * angle))).expect("in order")
    };
    let route = Route::new(way(0.0, -1.0), way(5.0, 1.0));
    let bounds = [cube.bounds(), cube.bounds()];
    assert!(route.departure(bounds).expect("finite").estimate > 2.0);
    let mut workspace = Workspace::new();
    let ask = |options: &Options, workspace: &mut Workspace| {
        query::first_contact(&cube, &cube, &route, options, workspace).expect("exact")
    };
    assert!(ask(&Options::default(), &mut workspace).is_some());
    assert_eq!(ask(&closely(0.01), &mut workspace), None);
    let cut = route.clone().with_departure_below(0.01, bounds).expect("few parts");
    let found = query::contacts(&cube, &cube, &cut, &Options::default(), &mut workspace);
    assert!(found.expect("exact").is_empty());
    // Apart by 5 less twice half a diagonal.
    let accuracy = Accuracy { max_departure: Some(1e-3), ..Accuracy::from(1e-3) };
    let clearance = query::clearance(&cube, &cube, &route, accuracy, &mut workspace);
    let expected = 5.0 - 2.0_f64.sqrt();
    let found = clearance.expect("meshes");
    assert!((found.lower - expected).abs() < 3e-3, "{found:?}");
    let screws = query::clearance(&cube, &cube, &route, 1e-3, &mut workspace).expect("meshes");
    assert_eq!(screws.lower, 0.0);
}

#[test]
fn what_cannot_be_followed_or_told_is_an_error() {
    let cube = Geometry::from(cube());
    let step = Step::new(spin(0.0, -100.0), spin(5.0, 100.0));
    let mut workspace = Workspace::new();
    for length in [0.0, -1.0, f64::NAN, 1e-300] {
        let error = query::contacts(&cube, &cube, &step, &closely(length), &mut workspace);
        let error = error.expect_err("too close");
        assert!(matches!(error, QueryError::Motion(MotionError::Departs { .. })), "{error}");
    }
    // A true screw needs no parts.
    let still = Step::new(Motion::still(Pose::IDENTITY), spin(5.0, 100.0));
    assert!(query::contacts(&cube, &cube, &still, &closely(0.0), &mut workspace).is_ok());
    for width in [-1e-9, f64::NAN] {
        let error = query::clearance(&cube, &cube, &still, width, &mut workspace);
        assert!(matches!(error, Err(QueryError::Width(_))), "{error:?}");
    }
    assert!(query::clearance(&cube, &cube, &still, f64::INFINITY, &mut workspace).is_ok());
}

#[test]
fn a_motion_becomes_a_trajectory() {
    let motion = spin(1.0, 30.0);
    let one = Trajectory::from(motion);
    assert_eq!((one.start(), one.end()), (motion.start(), motion.end()));
    assert_eq!(one.motion(), Some(&motion));
    assert_eq!(one.pose_at(0.5).rotation(), motion.pose_at(0.5).rotation());
}
