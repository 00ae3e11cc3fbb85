//! Bodies of edges and of points, without faces: they keep apart from each other and from surfaces.

use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::Arc;

use chasles::mesh::Polygons;
use chasles::{Collider, Polyhedron, Pose};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::world::Report;
use chasles_dynamics::{Body, Options, World};
use glam::{DQuat, DVec3};

use crate::scenes::{at, cuboid, dynamic, floor, made_of};

const DT: f64 = 1.0 / 60.0;

fn both() -> [Options; 2] {
    [Options::default(), Options::windows()]
}

fn mesh(vertices: Vec<DVec3>, segments: Vec<[u32; 2]>) -> Polyhedron {
    let polygons = Polygons { vertices, segments, ..Polygons::default() };
    Polyhedron::new(&polygons).expect("a mesh")
}

/// Corners of a ring of radius 1 about z.
fn corners(count: u32) -> impl Iterator<Item = DVec3> {
    let angle = move |i: u32| TAU * f64::from(i) / f64::from(count);
    (0..count).map(move |i| DVec3::new(angle(i).cos(), angle(i).sin(), 0.0))
}

fn ring(count: u32) -> Polyhedron {
    mesh(corners(count).collect(), (0..count).map(|i| [i, (i + 1) % count]).collect())
}

/// A straight piece of wire along an axis.
fn needle(axis: DVec3) -> Polyhedron {
    mesh(vec![-axis, axis], vec![[0, 1]])
}

fn wire(mesh: Polyhedron) -> Body {
    let mass_properties = MassProperties::of_wire(&mesh, 1000.0, 0.01).expect("edges");
    Body::dynamic(Arc::new(Collider::new(mesh)), mass_properties).made_of(made_of(0.0, 0.3))
}

fn fixed(mesh: Polyhedron) -> Body {
    Body::fixed(Arc::new(Collider::new(mesh))).made_of(made_of(0.0, 0.3))
}

/// How often the edges of a body pass the disc that another, a ring, spans: up less down.
fn linking(disc: &Body, other: &Body, count: u32) -> i32 {
    let place = |v: u32| {
        let at = other.pose().point(other.collider().mesh().position(v));
        disc.pose().inverse().point(at)
    };
    let inside = |p: DVec3| {
        let all: Vec<DVec3> = corners(count).collect();
        (0..all.len()).all(|i| {
            let [a, b] = [all[i], all[(i + 1) % all.len()]];
            (b - a).cross(p - a).z > 0.0
        })
    };
    let edges = 0..other.collider().mesh().edge_count() as u32;
    let passes = |edge: u32| {
        let [p, q] = other.collider().mesh().edge(edge).map(place);
        let through = p + (q - p) * (p.z / (p.z - q.z));
        let sign = (q.z > 0.0) as i32 - (p.z > 0.0) as i32;
        if sign != 0 && inside(through) { 1 } else { 0 }
    };
    edges.map(passes).sum()
}

fn steps(world: &mut World, count: u32) -> Vec<Report> {
    (0..count).map(|_| world.step(DT).expect("a step")).collect()
}

#[test]
fn a_wire_ring_hangs_in_another() {
    for options in both() {
        let mut world = World::new(options);
        let upright = DQuat::from_rotation_x(FRAC_PI_2);
        world.add(fixed(ring(12)).at(Pose::new([0.0; 3], upright).expect("finite")));
        let across = DQuat::from_rotation_y(FRAC_PI_2) * DQuat::from_rotation_z(0.1);
        let hanging = Pose::new([0.0, 0.1, -1.4], across).expect("finite");
        world.add(wire(ring(12)).at(hanging).moving(DVec3::X, DVec3::new(0.3, 1.0, 2.0)));
        assert_eq!(linking(&world.bodies()[0], &world.bodies()[1], 12), 1);
        for step in 0..180 {
            world.step(DT).expect("a step");
            let [a, b] = [0, 1].map(|i| &world.bodies()[i]);
            assert_eq!(linking(a, b, 12), 1, "the rings come apart in step {step}");
        }
        let height = world.bodies()[1].centre().z;
        assert!(height > -2.01 && height < -1.0, "{height}");
    }
}

#[test]
fn wires_that_cross_at_speed_do_not_pass_each_other() {
    for options in both() {
        for speed in [1.0, 30.0, 1000.0] {
            let mut world = World::new(Options { gravity: DVec3::ZERO, ..options });
            world.add(fixed(needle(DVec3::X)));
            let above = wire(needle(DVec3::new(0.2, 1.0, 0.1))).at(at(0.3, 0.1, 0.7));
            world.add(above.moving(DVec3::NEG_Z * speed, DVec3::ZERO));
            steps(&mut world, 60);
            let body = &world.bodies()[1];
            let ends = [-1.0, 1.0].map(|s| body.pose().point(s * DVec3::new(0.2, 1.0, 0.1)));
            // Where it crosses the plane of x and z it is above; or it has slid off an end.
            let share = ends[0].y / (ends[0].y - ends[1].y);
            let crosses = ends[0] + share * (ends[1] - ends[0]);
            let is_over = (0.0..=1.0).contains(&share) && crosses.x.abs() <= 1.0;
            assert!(!is_over || crosses.z > 0.0, "{crosses} at {speed} m/s");
            assert!(body.velocity().linear.z > -0.9 * speed, "it was stopped at {speed} m/s");
        }
    }
}

#[test]
fn a_wire_ring_lies_on_the_floor_at_the_gap_that_is_kept() {
    for options in both() {
        let mut world = World::new(options);
        world.add(floor().made_of(made_of(0.0, 0.5)));
        let tilted = DQuat::from_rotation_x(0.4);
        let pose = Pose::new([0.0, 0.0, 1.0], tilted).expect("finite");
        world.add(wire(ring(16)).at(pose));
        let reports = steps(&mut world, 300);
        let body = &world.bodies()[1];
        let heights: Vec<f64> = corners(16).map(|corner| body.pose().point(corner).z).collect();
        // The ring is two metres wide.
        let kept = 2.0 * options.zone;
        let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
        let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert!(low > 0.0 && high < 4.0 * kept, "{low} to {high}, kept {kept}");
        assert!(reports.iter().all(|report| report.lost.is_empty()));
    }
}

#[test]
fn points_carry_a_box_and_a_body_of_points_lies_on_a_floor() {
    for options in both() {
        let mut world = World::new(options);
        world.add(floor().made_of(made_of(0.0, 0.5)));
        let tops = [[-0.4, -0.4], [0.4, -0.3], [0.3, 0.4], [-0.3, 0.3]];
        let nails = tops.map(|[x, y]| DVec3::new(x, y, 1.0)).to_vec();
        world.add(fixed(mesh(nails, vec![])));
        world.add(dynamic(&cuboid([1.0, 1.0, 0.2]), 100.0).at(at(0.0, 0.0, 1.3)));
        let dots = [[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]];
        let dots = mesh(dots.map(|[x, y]| DVec3::new(x, y, 0.0)).to_vec(), vec![]);
        let mass_properties = MassProperties::of_beads(&dots, 1000.0, 0.05).expect("points");
        let beads = Body::dynamic(Arc::new(Collider::new(dots)), mass_properties);
        world.add(beads.at(at(2.0, 0.0, 0.8)).moving(DVec3::NEG_Z * 20.0, DVec3::X * 3.0));
        steps(&mut world, 240);
        let lid = world.bodies()[2].pose().position();
        assert!(lid.z > 1.1 && lid.z < 1.1 + 5e-3, "{lid}");
        let dots = &world.bodies()[3];
        let heights = [DVec3::ZERO, DVec3::X * 0.5, DVec3::Y * 0.5].map(|p| dots.pose().point(p).z);
        assert!(heights.iter().all(|z| *z > 0.0 && *z < 5e-3), "{heights:?}");
    }
}

#[test]
fn a_needle_does_not_pass_a_sheet_of_no_thickness() {
    for options in both() {
        for speed in [3.0, 300.0] {
            let mut world = World::new(Options { gravity: DVec3::ZERO, ..options });
            let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
            let sheet = Polyhedron::new(&Polygons::new(corners, [[0, 1, 2, 3]])).expect("a mesh");
            world.add(fixed(sheet));
            let dart = wire(needle(DVec3::Z * 0.5)).at(at(0.1, 0.2, 1.3));
            world.add(dart.moving(DVec3::NEG_Z * speed, DVec3::new(0.1, 0.0, 0.0)));
            steps(&mut world, 60);
            let body = &world.bodies()[1];
            let ends = [-0.5, 0.5].map(|s| body.pose().point(DVec3::Z * s));
            let is_over = |p: &DVec3| p.x.abs() < 1.0 && p.y.abs() < 1.0;
            let fell_off = !ends.iter().all(is_over);
            assert!(fell_off || ends.iter().all(|p| p.z > 0.0), "{ends:?} at {speed} m/s");
            assert!(body.velocity().linear.z > -0.5 * speed, "it was stopped at {speed} m/s");
        }
    }
}
