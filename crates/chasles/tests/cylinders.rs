//! Distances of cylinders are proven by both ends: two points that far apart, and a direction along
//! which the bodies are. Clearances hold at all times that are looked at.

use std::f64::consts::FRAC_PI_2;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::query::{self, Feature, Geometry, Overlap, Workspace};
use chasles::round::Round;
use chasles::{Motion, Pose, Screw, Step};
use chasles_testkit::generate::Random;

/// A cylinder, long or flat, with its middle beside the origin of its frame.
fn cylinder(random: &mut Random, case: usize) -> Round {
    let [radius, half] = [[0.3, 1.0], [1.0, 0.05], [0.02, 2.0], [0.7, 0.7]][case % 4];
    let middle = 0.5 * random.vector();
    let axis = half * random.direction();
    Round::cylinder([middle - axis, middle + axis], radius).expect("a cylinder")
}

/// How far a cylinder reaches along a unit direction.
fn extent(round: &Round, pose: &Pose, direction: DVec3) -> f64 {
    let [from, to] = round.ends().map(|end| pose.point(end));
    let axis = (to - from).normalize();
    let across = direction.cross(axis).length();
    from.dot(direction).max(to.dot(direction)) + round.radius() * across
}

/// How far a point is outside of a cylinder.
fn outside(round: &Round, pose: &Pose, point: DVec3) -> f64 {
    let [from, to] = round.ends().map(|end| pose.point(end));
    let axis = (to - from).normalize();
    let along = (point - from).dot(axis);
    let off = (point - from - along * axis).length() - round.radius();
    off.max(-along).max(along - from.distance(to))
}

fn pose(random: &mut Random, far: f64) -> Pose {
    Pose::new(far * random.vector(), random.rotation()).expect("finite")
}

#[test]
fn distances_of_cylinders_are_proven_by_points_and_by_a_direction() {
    let mut random = Random::new(3);
    let mut workspace = Workspace::new();
    let [mut apart, mut overlapping] = [0, 0];
    for case in 0..4000 {
        let rounds = [cylinder(&mut random, case), cylinder(&mut random, case / 4)];
        let mut poses = [pose(&mut random, 2.0), pose(&mut random, 2.0)];
        if case % 5 == 0 {
            // Parallel, or crossed at right angles: sides, caps and rims beside each other.
            let turn = DQuat::from_rotation_x([0.0, FRAC_PI_2, 1e-9][case % 3]);
            let axes = rounds.map(|round| (round.ends()[1] - round.ends()[0]).normalize());
            let first = DQuat::from_rotation_arc(axes[0], DVec3::Z);
            let second = turn * DQuat::from_rotation_arc(axes[1], DVec3::Z);
            poses = [(first, 0), (second, 1)]
                .map(|(q, i)| Pose::new(poses[i].position(), q).expect("finite"));
        }
        let bodies = rounds.map(Geometry::from);
        let found = query::distance(&bodies[0], &bodies[1], poses, &mut workspace).expect("exact");
        let [p, q] = found.points;
        for i in 0..2 {
            let off = outside(&rounds[i], &poses[i], found.points[i]);
            assert!(off < 1e-12, "{case}: {off}");
        }
        let of_a = extent(&rounds[0], &poses[0], found.normal);
        let of_b = -extent(&rounds[1], &poses[1], -found.normal);
        assert!((found.normal.length() - 1.0).abs() < 1e-12, "{case}: {found:?}");
        if found.overlaps {
            overlapping += 1;
            assert!(p == q && found.distance == 0.0, "{case}: {found:?}");
            continue;
        }
        apart += 1;
        assert!((p.distance(q) - found.distance).abs() < 1e-12, "{case}: {found:?}");
        assert!(of_b - of_a > found.distance - 1e-12, "{case}: {} {found:?}", of_b - of_a);
        let back = [poses[1], poses[0]];
        let swapped = query::distance(&bodies[1], &bodies[0], back, &mut workspace);
        let swapped = swapped.expect("exact").distance;
        assert!((swapped - found.distance).abs() < 1e-12, "{case}");
    }
    assert!(apart > 500 && overlapping > 250, "{apart} {overlapping}");
}

#[test]
fn parts_of_cylinders_are_named_and_overlaps_are_decided() {
    let mut workspace = Workspace::new();
    let rod = Geometry::cylinder([-DVec3::Y, DVec3::Y], 0.5).expect("a cylinder");
    let across = DQuat::from_rotation_z(FRAC_PI_2);
    let mut ask = |place: [f64; 3], turn: DQuat| {
        let poses = [Pose::IDENTITY, Pose::new(place, turn).expect("finite")];
        let found = query::distance(&rod, &rod, poses, &mut workspace).expect("exact");
        let overlap = query::overlaps(&rod, &rod, poses, &mut workspace).expect("exact");
        assert_eq!(overlap.is_overlapping(), found.overlaps);
        assert!(overlap != Overlap::Undecided);
        (found.features.a, found.features.b, found.overlaps)
    };
    let tilted = DQuat::from_rotation_z(0.3);
    assert_eq!(ask([0.1, 3.0, 0.0], tilted), (Feature::Cap(1), Feature::Rim(0), false));
    assert_eq!(ask([0.0, 0.0, 3.0], across), (Feature::Side, Feature::Side, false));
    let (of_a, of_b, _) = ask([3.0, 3.0, 0.0], DQuat::IDENTITY);
    assert_eq!((of_a, of_b), (Feature::Rim(1), Feature::Rim(0)));
    // A cross, and one whose end is in the other's side.
    assert!(ask([0.0, 0.2, 0.6], across).2 && ask([1.3, 0.2, 0.1], across).2);
    assert!(!ask([1.5, 0.2, 0.1], across).2 && !ask([0.0, 2.0, 0.0], DQuat::IDENTITY).2);
}

/// Bodies of all kinds beside a cylinder.
fn others(random: &mut Random, case: usize) -> Geometry {
    let ends = [[0.0, -0.5, 0.1], [0.2, 0.6, 0.0]];
    match case % 5 {
        0 => Geometry::shape(&Shape::Torus(Torus { segments: [12, 8], ..Torus::default() })),
        1 => Geometry::shape(&Shape::Box(Cuboid { size: [0.3, 1.4, 0.8] })),
        2 => return Geometry::sphere(0.4).expect("a sphere"),
        3 => return Geometry::capsule(ends, 0.2).expect("a capsule"),
        _ => return Geometry::from(cylinder(random, case / 5)),
    }
    .expect("a mesh")
}

#[test]
fn clearances_of_cylinders_hold_at_all_times() {
    let mut random = Random::new(8);
    let mut workspace = Workspace::new();
    let [mut apart, mut touching] = [0, 0];
    let mut most = 0;
    for case in 0..300 {
        let width = [1e-2, 1e-4, 1e-6][case / 5 % 3];
        let round = Geometry::from(cylinder(&mut random, case));
        let other = others(&mut random, case);
        let mut motion = || {
            let start = pose(&mut random, 2.2);
            let [angular, linear] = [1.2 * random.vector(), 1.5 * random.vector()];
            let twist = Screw::from_twist(angular, linear - angular.cross(start.position()));
            Motion::along(start, twist.expect("finite")).expect("few turns")
        };
        let step = match case % 3 {
            0 => Step::new(Motion::still(Pose::IDENTITY), motion()),
            _ => Step::new(motion(), motion()),
        };
        let (a, b) = if case % 2 == 0 { (&other, &round) } else { (&round, &other) };
        let found = query::clearance(a, b, &step, width, &mut workspace).expect("an interval");
        assert!(found.upper - found.lower <= width * 1.000001, "{case}: {found:?}");
        let mut at = |t: f64| {
            let poses = [step.pose_of_a(t), step.pose_of_b_by_relative(t)];
            query::distance(a, b, poses, &mut workspace).expect("exact")
        };
        let then = at(found.time);
        assert!((then.distance - found.upper).abs() < 1e-12, "{case}: {then:?} {found:?}");
        let [p, q] = found.points;
        assert!((p.distance(q) - found.upper).abs() < 1e-11, "{case}: {found:?}");
        let is_told = found.upper < 1e-6 || then.normal.distance(found.normal) < 1e-6;
        assert!(is_told && (q - p).dot(found.normal) > -1e-12, "{case}: {found:?} {then:?}");
        for i in 0..=128 {
            let sampled = at(f64::from(i) / 128.0).distance;
            assert!(sampled >= found.lower - 1e-12, "{case}: {sampled} {found:?}");
        }
        apart += usize::from(found.lower > 0.0);
        touching += usize::from(found.upper == 0.0);
        most = most.max(found.pairs);
    }
    assert!(apart > 60 && touching > 40, "{apart} {touching}");
    assert!(most < 200_000, "{most} nodes");
}

#[test]
fn a_cylinder_that_rolls_along_another_keeps_its_distance() {
    let mut workspace = Workspace::new();
    let rod = Geometry::cylinder([-DVec3::Y, DVec3::Y], 0.5).expect("a cylinder");
    let start = Pose::from_position([2.0, 0.3, 0.0]).expect("finite");
    for angular in [DVec3::ZERO, 1.5 * DVec3::Y] {
        let twist = Screw::from_twist(angular, 0.2 * DVec3::Y).expect("finite");
        let moving = Motion::along(start, twist).expect("few turns");
        let step = Step::new(Motion::still(Pose::IDENTITY), moving);
        let found = query::clearance(&rod, &rod, &step, 1e-6, &mut workspace).expect("exact");
        assert!((found.upper - 1.0).abs() < 1e-12 && found.lower > 1.0 - 1e-6, "{found:?}");
        assert!(found.pairs < 20_000, "{}", found.pairs);
    }
}
