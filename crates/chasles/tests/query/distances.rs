//! Distances, clearances and penetrations by the front door.

use std::f64::consts::FRAC_PI_2;

use chasles::glam::{DQuat, DVec3};
use chasles::query::{self, Feature, Geometry, Route, Waypoints, Workspace};
use chasles::{Motion, Polygons, Polyhedron, Pose, Step, distance};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;

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
        for round in [sphere, capsule, cylinder] {
            let body = Geometry::from(round);
            let found = query::distance(&of_b, &body, poses, &mut workspace).expect("exact");
            let overlap = query::overlaps(&of_b, &body, poses, &mut workspace).expect("exact");
            assert_eq!(found.overlaps, overlap.is_overlapping());
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
    let cylinder = Geometry::from(cylinder);
    let error = query::near(&cylinder, &cylinder, at_rest, 0.1, &mut workspace).unwrap_err();
    assert!(error.to_string().contains("Geometry::shape"), "{error}");
}

/// The point of a triangle closest to another.
fn in_triangle(triangle: [DVec3; 3], p: DVec3) -> DVec3 {
    let [a, b, c] = triangle;
    let normal = (b - a).cross(c - a).normalize();
    let foot = p - normal * normal.dot(p - a);
    let ends = [[a, b], [b, c], [c, a]];
    if ends.iter().all(|&[from, to]| normal.dot((to - from).cross(foot - from)) >= 0.0) {
        return foot;
    }
    let on_side = ends.map(|[from, to]| {
        let way = to - from;
        from + way * ((p - from).dot(way) / way.length_squared()).clamp(0.0, 1.0)
    });
    on_side.into_iter().min_by(|x, y| x.distance(p).total_cmp(&y.distance(p))).expect("three")
}

/// The point of a cylinder about the y axis closest to another.
fn in_cylinder([radius, half]: [f64; 2], p: DVec3) -> DVec3 {
    let across = DVec3::new(p.x, 0.0, p.z).clamp_length_max(radius);
    across + DVec3::Y * p.y.clamp(-half, half)
}

/// The distance of a triangle and a cylinder, from above: points are taken from one to the other.
fn by_projections(triangle: [DVec3; 3], sizes: [f64; 2]) -> f64 {
    let mut p = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
    for _ in 0..3000 {
        p = in_triangle(triangle, in_cylinder(sizes, p));
    }
    p.distance(in_cylinder(sizes, p))
}

#[test]
fn distances_from_cylinders_are_the_least_of_all_faces() {
    let mut random = Random::new(31);
    let mut workspace = Workspace::new();
    let mut seen = [0; 3];
    for number in 0..300 {
        let sizes = [random.between(0.1, 1.0), random.between(0.1, 1.0)];
        let ends = [-DVec3::Y, DVec3::Y].map(|end| sizes[1] * end);
        let cylinder = Geometry::cylinder(ends, sizes[0]).expect("a cylinder");
        let mesh = generate::convex_mesh(&mut random);
        let mesh = shapes::mapped(mesh, |v| v * random_scale(number));
        let body = Geometry::mesh(Polyhedron::new(&mesh).expect("a mesh"));
        let apart = random.between(0.2, 3.0) * random.direction();
        let poses = [Pose::new(apart, random.rotation()).expect("finite"), Pose::IDENTITY];
        let found = query::distance(&body, &cylinder, poses, &mut workspace).expect("exact");
        let places: Vec<DVec3> = mesh.vertices.iter().map(|&v| poses[0].point(v)).collect();
        let triangles = mesh.faces.iter().flat_map(|face| {
            let at = |i: usize| places[face[i] as usize];
            (2..face.len()).map(move |i| [at(0), at(i - 1), at(i)])
        });
        let least = triangles.map(|t| by_projections(t, sizes)).fold(f64::INFINITY, f64::min);
        let name = format!("{number}: {found:?}, {least} by projections");
        if found.overlaps {
            let is_inside = found.features.a == Feature::Inside;
            assert!(is_inside || least < 1e-3, "{name}");
            seen[if is_inside { 2 } else { 1 }] += 1;
            continue;
        }
        seen[0] += 1;
        // Projections come near the least from above.
        assert!(found.distance <= least + 1e-12 && least < found.distance + 2e-3, "{name}");
        let [p, q] = found.points;
        assert!((p.distance(q) - found.distance).abs() < 1e-12, "{name}");
        assert!(in_cylinder(sizes, q).distance(q) < 1e-12, "{name}");
        assert!((q - p - found.distance * found.normal).length() < 1e-12, "{name}");
        // Nothing of a convex body is beyond the plane through its point.
        let beyond = |v: &DVec3| (*v - p).dot(found.normal) > 1e-9;
        assert!(!places.iter().any(beyond), "{name}");
    }
    assert!(seen[0] > 100 && seen[1] > 50 && seen[2] > 3, "{seen:?}");
}

/// Sizes of all kinds, so that either body may hold the other.
fn random_scale(number: u32) -> f64 {
    [1.0, 0.3, 0.1, 4.0][number as usize % 4]
}

#[test]
fn a_rod_through_a_large_face_and_a_plate_beside_a_disc_are_told() {
    let at = |x: f64, y: f64, z: f64| Pose::from_position([x, y, z]).expect("finite");
    let floor = Polygons::new(
        [[-9.0, 0.0, -9.0], [-9.0, 0.0, 9.0], [9.0, 0.0, 9.0], [9.0, 0.0, -9.0]],
        [[0, 1, 2, 3]],
    );
    let floor = Geometry::mesh(Polyhedron::new(&floor).expect("a quad"));
    let rod = Geometry::cylinder([-DVec3::Y, DVec3::Y], 0.5).expect("a cylinder");
    let mut workspace = Workspace::new();
    let mut ask = |a: &Geometry, b: &Geometry, pose: Pose| {
        query::distance(a, b, [Pose::IDENTITY, pose], &mut workspace).expect("exact")
    };
    // No edge of the floor comes near the rod.
    for y in [-0.99, -0.3, 0.0, 0.7] {
        let found = ask(&floor, &rod, at(0.1, y, 0.2));
        assert!(found.overlaps && found.features.a == Feature::Face(0), "{found:?}");
    }
    for (y, features) in [(1.5, Feature::Cap(0)), (-1.5, Feature::Cap(1))] {
        let found = ask(&floor, &rod, at(0.1, y, 0.2));
        assert!((found.distance - 0.5).abs() < 1e-12 && !found.overlaps, "{found:?}");
        assert_eq!((found.features.a, found.features.b), (Feature::Face(0), features));
    }
    assert!(!ask(&floor, &rod, at(0.1, 1.0, 0.2)).overlaps, "it stands on the floor");
    // Lying, it touches along a line.
    let lying = Pose::new([0.0, 0.75, 0.0], DQuat::from_rotation_x(FRAC_PI_2)).expect("finite");
    assert!((ask(&floor, &rod, lying).distance - 0.25).abs() < 1e-12);
    // Spheres and capsules beside a cap, the side and a rim.
    let ball = Geometry::sphere(0.25).expect("round");
    let cases = [
        ([0.2, 2.0, 0.0], 0.75, Feature::Cap(1)),
        ([2.0, 0.3, 0.0], 1.25, Feature::Side),
        ([3.5, 5.0, 0.0], 4.75, Feature::Rim(1)),
        ([0.0, 1.1, 0.0], 0.0, Feature::Cap(1)),
    ];
    for (place, expected, part) in cases {
        let found = ask(&rod, &ball, at(place[0], place[1], place[2]));
        assert!((found.distance - expected).abs() < 1e-12, "{found:?}");
        assert_eq!((found.features.a, found.overlaps), (part, expected == 0.0), "{found:?}");
    }
    assert!(ask(&rod, &ball, at(0.1, 0.2, 0.0)).overlaps, "inside");
}

#[test]
fn clearances_are_those_of_the_module_and_of_cores_less_radii() {
    let [a, b] = [torus(), cube()];
    let [of_a, of_b] = [&a, &b].map(|c| Geometry::from(c.clone()));
    let [_, capsule, _] = rounds();
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
        let route = Route::new(Motion::still(Pose::IDENTITY), &way);
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
}

#[test]
fn the_points_of_round_bodies_that_touch_are_one() {
    let [ball, capsule, _] = rounds().map(Geometry::from);
    let mut workspace = Workspace::new();
    for (a, b) in [(&ball, &ball), (&ball, &capsule), (&Geometry::from(cube()), &ball)] {
        for x in [0.3, 0.0] {
            let [from, to] = [x, 3.0].map(|x| pose(DVec3::X * x, DVec3::ZERO));
            let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from, to));
            let found = query::clearance(a, b, &step, 1e-6, &mut workspace).expect("exact");
            assert_eq!((found.upper, found.points[0]), (0.0, found.points[1]), "{found:?}");
        }
    }
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
