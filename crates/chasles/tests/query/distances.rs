//! Distances, clearances and penetrations by the front door.

use chasles::glam::DVec3;
use chasles::query::{self, Geometry, Overlap, Route, Waypoints, Workspace};
use chasles::{Motion, Pose, Step, distance};
use chasles_testkit::generate::Random;

use crate::{cube, pose, rounds, torus};

#[test]
fn distances_are_those_of_the_module_and_of_cores_less_radii() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let [sphere, capsule, cylinder] = rounds();
    let mut workspace = Workspace::new();
    let mut own = distance::Workspace::new();
    let mut random = Random::new(6);
    let mut seen = [0; 2];
    for _ in 0..80 {
        let poses = [1.0, 1.8].map(|s| pose(s * random.vector(), random.vector()));
        let found = query::distance(&of_a, &of_b, poses, &mut workspace).expect("meshes");
        let expected = distance::distance(&a, &b, poses, &mut own);
        assert_eq!((found.distance, found.points), (expected.distance, expected.points));
        assert_eq!((found.normal, found.overlaps), (expected.normal, expected.overlaps));
        for round in [sphere, capsule] {
            let body = Geometry::from(round);
            let found = query::distance(&of_b, &body, poses, &mut workspace).expect("exact");
            let overlap = query::overlaps(&of_b, &body, poses, &mut workspace).expect("exact");
            assert_eq!(found.overlaps, overlap == Overlap::Overlapping);
            seen[usize::from(found.overlaps)] += 1;
            let [p, q] = found.points;
            assert!((p.distance(q) - found.distance).abs() < 1e-12);
            // The point of the round body is on it, or in it if they overlap.
            let depth = round.distance(poses[1].inverse().point(q));
            assert!(if found.overlaps { depth < 1e-12 } else { depth.abs() < 1e-12 }, "{depth}");
            let back = query::distance(&body, &of_b, [poses[1], poses[0]], &mut workspace);
            assert!((back.expect("exact").distance - found.distance).abs() < 1e-12);
        }
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    let at_rest = [Pose::IDENTITY; 2];
    let error = query::distance(&of_a, &cylinder.into(), at_rest, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("Geometry::shape"), "{error}");
}

#[test]
fn clearances_are_those_of_the_module_and_of_cores_less_radii() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let [_, capsule, cylinder] = rounds();
    let capsule = Geometry::from(capsule);
    let mut workspace = Workspace::new();
    let mut own = distance::Workspace::new();
    let mut random = Random::new(9);
    let mut seen = [0; 2];
    for _ in 0..40 {
        let [from, to] = [3.0, 2.0].map(|s| pose(s * random.direction(), random.vector()));
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
        let found = query::clearance(&of_a, &of_b, &step, 1e-4, &mut workspace).expect("meshes");
        let expected = distance::clearance(&a, &b, &step, 1e-4, &mut own);
        let bounds = [expected.lower, expected.upper, expected.time];
        assert_eq!([found.lower, found.upper, found.time], bounds);
        // A route in two pieces is the same way, and a capsule is its core less its radius.
        let way = Waypoints::evenly([from, step.pose_of_b(0.5), to]).expect("in order");
        let route = Route::new(&Waypoints::still(Pose::IDENTITY), &way);
        let near = query::clearance(&of_a, &capsule, &route, 1e-4, &mut workspace).expect("exact");
        assert!(near.lower <= near.upper && near.upper - near.lower <= 1e-4 + 1e-12);
        for i in 0..=16 {
            let t = f64::from(i) / 16.0;
            let poses = [Pose::IDENTITY, step.pose_of_b(t)];
            let there = query::distance(&of_a, &capsule, poses, &mut workspace).expect("exact");
            assert!(near.lower <= there.distance + 1e-9, "{near:?} {there:?}");
        }
        let poses = [Pose::IDENTITY, step.pose_of_b(near.time)];
        let then = query::distance(&of_a, &capsule, poses, &mut workspace).expect("exact");
        assert!((then.distance - near.upper).abs() < 1e-9, "{near:?} {then:?}");
        seen[usize::from(near.upper > 0.0)] += 1;
    }
    assert!(seen.iter().all(|&count| count > 4), "{seen:?}");
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::still(Pose::IDENTITY));
    let cylinder = Geometry::from(cylinder);
    let error = query::clearance(&of_a, &cylinder, &step, 1e-4, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("Geometry::shape"), "{error}");
}

#[test]
fn penetrations_are_those_of_the_module() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let mut workspace = Workspace::new();
    let mut own = distance::Workspace::new();
    for x in [0.8, 1.1, 4.0] {
        let poses = [Pose::IDENTITY, pose(DVec3::X * x, DVec3::new(0.2, 0.3, 0.1))];
        let found = query::penetration(&of_a, &of_b, poses, &mut workspace).expect("meshes");
        assert_eq!(found, distance::penetration(&a, &b, poses, &mut own));
        assert_eq!(found.is_some(), x < 2.0);
    }
    let ball = Geometry::sphere(1.0).expect("positive");
    let error = query::penetration(&of_a, &ball, [Pose::IDENTITY; 2], &mut workspace).unwrap_err();
    assert!(error.to_string().contains("Geometry::shape"), "{error}");
}
