//! The least distance over a motion: below all that is sampled, reached at its time, and as narrow
//! as asked.

use chasles::distance::{Clearance, Workspace, clearance, distance};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Sphere};
use chasles::{Collider, Motion, Polygons, Polyhedron, Pose, Screw, Step};
use chasles_testkit::distance::{of_surfaces, passes_through};
use chasles_testkit::generate::{self, Random};
use chasles_testkit::shapes;

/// Two meshes on their way.
struct Way {
    bodies: [Collider; 2],
    step: Step,
}

impl Way {
    fn new(meshes: [Polygons; 2], step: Step) -> Self {
        let collider = |mesh: &Polygons| Collider::new(Polyhedron::new(mesh).expect("a mesh"));
        Self { bodies: meshes.each_ref().map(collider), step }
    }

    fn clearance(&self, width: f64, workspace: &mut Workspace) -> Clearance {
        let [a, b] = &self.bodies;
        clearance(a, b, &self.step, width, workspace)
    }

    fn poses(&self, time: f64) -> [Pose; 2] {
        [self.step.pose_of_a(time), self.step.pose_of_b_by_relative(time)]
    }

    fn distance(&self, time: f64, workspace: &mut Workspace) -> f64 {
        let [a, b] = &self.bodies;
        distance(a, b, self.poses(time), workspace).distance
    }

    /// By every pair of features; a body inside another has the distance of its wall.
    fn brute_distance(&self, time: f64) -> f64 {
        let meshes = self.bodies.each_ref().map(Collider::mesh);
        let poses = self.poses(time);
        if passes_through(meshes, poses) { 0.0 } else { of_surfaces(meshes, poses) }
    }

    /// Of both bodies together; points count as a tenth, since no width is a part of nothing.
    fn size(&self) -> f64 {
        let size = |collider: &Collider| {
            let [low, high] = collider.mesh().bounds();
            (high - low).length()
        };
        self.bodies.iter().map(size).sum::<f64>().max(0.1)
    }
}

fn pose(position: DVec3, rotation: DQuat) -> Pose {
    Pose::new(position, rotation).expect("finite")
}

/// A motion of any kind, of both bodies, past each other or through.
fn random_way(seed: u64) -> Way {
    let mut random = Random::new(seed);
    let mesh = |random: &mut Random| match random.below(6) {
        0 => generate::open_mesh(random),
        1 => shapes::torus(9, 7, 1.0, 0.4),
        2 | 3 => generate::convex_mesh(random),
        _ => generate::closed_mesh(random),
    };
    let meshes = [mesh(&mut random), mesh(&mut random)];
    let aside = random.between(0.5, 4.0) * random.direction();
    let motion = |at: DVec3, random: &mut Random| {
        let start = pose(at + 1.5 * random.vector(), random.rotation());
        let turn = random.one_of(&[0.0, 0.1, 1.0, 3.0]) * random.direction();
        let end =
            pose(at + 1.5 * random.vector(), DQuat::from_scaled_axis(turn) * start.rotation());
        let twist = Screw::from_twist(2.0 * turn, 2.0 * random.vector()).expect("finite");
        match random.below(4) {
            0 => Motion::still(start),
            1 => Motion::along(start, twist).expect("few turns"),
            _ => Motion::between(start, end),
        }
    };
    let step = Step::new(motion(DVec3::ZERO, &mut random), motion(aside, &mut random));
    Way::new(meshes, step)
}

fn check_random_ways(seeds: std::ops::Range<u64>) {
    let mut workspace = Workspace::new();
    let mut touching = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        touching += u64::from(check_way(&random_way(seed), seed, &mut workspace));
    }
    assert!(touching * 10 > count && touching * 10 < 7 * count, "{touching} of {count}");
}

/// Whether the bodies touch.
fn check_way(way: &Way, seed: u64, workspace: &mut Workspace) -> bool {
    let size = way.size();
    let width = [1e-2, 1e-3, 1e-4][seed as usize % 3] * size;
    let found = way.clearance(width, workspace);
    assert!(found.lower <= found.upper && found.upper - found.lower <= width, "{seed}: {found:?}");
    let there = way.distance(found.time, workspace);
    assert!((there - found.upper).abs() <= 1e-12 * size, "{seed}: {there} {found:?}");
    assert!((0.0..=1.0).contains(&found.time) && found.normal.is_normalized(), "{seed}");
    for i in 0..=48 {
        let time = f64::from(i) / 48.0;
        let sampled = way.distance(time, workspace);
        assert!(found.lower <= sampled + 1e-12 * size, "{seed}: {sampled} at {time}, {found:?}");
    }
    for i in 0..3 {
        let time = (f64::from(i) + 0.4) / 3.0;
        let sampled = way.brute_distance(time);
        assert!(found.lower <= sampled + 1e-12 * size, "{seed}: {sampled} at {time}, {found:?}");
    }
    found.upper == 0.0
}

#[test]
fn no_sampled_distance_is_below_the_bound() {
    check_random_ways(0..600);
    // Two points: the first distance that is tried is the answer.
    check_way(&random_way(2779), 2779, &mut Workspace::new());
}

/// `cargo test --release -p chasles --test clearance -- --ignored`
#[test]
#[ignore = "takes minutes"]
fn no_sampled_distance_is_below_the_bound_of_ten_thousand_motions() {
    check_random_ways(0..10_000);
}

/// Bodies that pass each other at some distance while one of them turns by up to a radian.
fn smooth_way(seed: u64) -> Way {
    let mut random = Random::new(seed ^ 0x5300);
    let sphere = Shape::Sphere(Sphere { segments: [24, 12], ..Sphere::default() });
    let round = sphere.polygons().expect("fitting parameters");
    let meshes = match seed % 3 {
        0 => [round.clone(), shapes::torus(20, 15, 1.0, 0.4)],
        1 => [generate::convex_mesh(&mut random), generate::convex_mesh(&mut random)],
        _ => [shapes::torus(20, 15, 1.0, 0.4), generate::closed_mesh(&mut random)],
    };
    let apart = random.direction();
    let across = apart.any_orthonormal_vector();
    let way = random.between(0.5, 3.0) * across;
    let middle = random.between(3.0, 4.0) * apart;
    let start = pose(middle - random.between(0.2, 0.8) * way, random.rotation());
    let turn = random.unit() * random.direction();
    let end = pose(middle + way, DQuat::from_scaled_axis(turn) * start.rotation());
    let a = Motion::still(pose(DVec3::ZERO, random.rotation()));
    Way::new(meshes, Step::new(a, Motion::between(start, end)))
}

#[test]
fn smooth_motions_take_few_pairs() {
    let mut workspace = Workspace::new();
    for (width, most) in [(1e-3, 20_000), (1e-6, 40_000)] {
        let mut counts = Vec::new();
        for seed in 0..150 {
            let way = smooth_way(seed);
            let width = width * way.size();
            let found = way.clearance(width, &mut workspace);
            assert!(found.lower > 0.0 && found.upper - found.lower <= width, "{seed}: {found:?}");
            counts.push(found.pairs);
        }
        counts.sort_unstable();
        let [median, greatest] = [counts[counts.len() / 2], counts[counts.len() - 1]];
        assert!(greatest <= most, "width {width}: median {median}, greatest {greatest}");
    }
}

/// Bars that are turned in their own frame and stand parallel, edge over edge, in the middle of a
/// first interval: the direction across the edges is all rounding there.
#[test]
fn bounds_hold_where_edges_are_parallel_in_the_middle_of_an_interval() {
    let mut workspace = Workspace::new();
    for seed in 0..3000 {
        let mut random = Random::new(seed ^ 0xba2);
        let turn = random.rotation();
        let on_edge = DQuat::from_rotation_x(std::f64::consts::FRAC_PI_4);
        let bar = shapes::mapped(cuboid(10.0, 1.0, 1.0), |v| turn * (on_edge * v));
        let place = DVec3::new(3.0 * random.unit(), 0.05 * random.unit(), 2.0_f64.sqrt() + 0.3);
        let at = pose(turn * place, DQuat::IDENTITY);
        let axis = (DVec3::Z + 0.3 * random.vector()).normalize();
        let angular = turn * (axis * random.between(0.5, 1.5));
        let linear = turn * (random.vector() * DVec3::new(1.0, 1.0, 0.3));
        let through = turn * (place + random.vector() * DVec3::new(3.0, 1.0, 1.0));
        let screw = Screw::from_twist(angular, linear - angular.cross(through)).expect("finite");
        let start = screw.pose_at(-[0.125, 0.375, 0.625, 0.875][seed as usize % 4]).after(&at);
        let b = Motion::along(start, screw).expect("few turns");
        let way = Way::new([bar.clone(), bar], Step::new(Motion::still(Pose::IDENTITY), b));
        let found = way.clearance(1e-3, &mut workspace);
        for i in 0..=64 {
            let time = f64::from(i) / 64.0;
            let sampled = way.distance(time, &mut workspace);
            assert!(found.lower <= sampled + 1e-11, "{seed}: {sampled} at {time}, {found:?}");
        }
    }
}

fn cuboid(x: f64, y: f64, z: f64) -> Polygons {
    shapes::cuboid(DVec3::new(x, y, z))
}

#[test]
fn a_rod_that_turns_over_a_floor_is_lowest_when_upright() {
    // From level to beyond upright: its end comes within 0.5 of the floor at a known time.
    let rod = cuboid(2.0, 0.1, 0.1);
    let floor = cuboid(9.0, 1.0, 9.0);
    let turn = |angle: f64| pose(DVec3::new(0.0, 2.0, 0.0), DQuat::from_rotation_z(angle));
    let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(turn(0.0), turn(2.5)));
    let found = Way::new([floor, rod], step).clearance(1e-7, &mut Workspace::new());
    // The corner at (1, 0.05) is lowest at its own angle, and there is one on either side.
    let lowest = 1.5 - 1.0_f64.hypot(0.05);
    assert!(found.lower <= lowest && lowest <= found.upper && found.upper - found.lower <= 1e-7);
    let upright = std::f64::consts::FRAC_PI_2;
    let times = [upright - 0.05_f64.atan(), upright + 0.05_f64.atan()].map(|angle| angle / 2.5);
    assert!(times.iter().any(|time| (time - found.time).abs() < 1e-3), "{found:?} {times:?}");
    assert!(found.normal.abs_diff_eq(DVec3::Y, 1e-3), "{found:?}");
}

#[test]
fn bodies_that_touch_on_the_way_have_no_clearance() {
    let mut workspace = Workspace::new();
    let still = Motion::still(Pose::IDENTITY);
    let at = |x: f64, y: f64| pose(DVec3::new(x, y, 0.3), DQuat::IDENTITY);
    let sheet = shapes::sheet(3, 3);
    let ball = shapes::icosahedron();
    // Through a sheet, which is open and has no inside.
    let through = pose(DVec3::new(1.2, 1.3, 3.0), DQuat::IDENTITY);
    let under = pose(DVec3::new(1.2, 1.3, -4.0), DQuat::IDENTITY);
    let falls = Motion::between(through, under);
    // A graze: a cube slides along another, face on face.
    let slides = Motion::between(at(-3.0, 1.0), at(3.0, 1.0));
    let inside = Motion::between(at(0.1, 0.0), at(-0.1, 0.0));
    let ways = [
        Way::new([sheet, ball], Step::new(still, falls)),
        Way::new([cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0)], Step::new(still, slides)),
        Way::new([cuboid(4.0, 4.0, 4.0), cuboid(1.0, 1.0, 1.0)], Step::new(still, inside)),
        Way::new([cuboid(1.0, 1.0, 1.0), cuboid(4.0, 4.0, 4.0)], Step::new(still, inside)),
    ];
    for (number, way) in ways.iter().enumerate() {
        let found = way.clearance(1e-3, &mut workspace);
        assert!(found.lower == 0.0 && found.upper == 0.0, "{number}: {found:?}");
        let there = way.distance(found.time, &mut workspace);
        assert!(there <= 1e-12 * way.size(), "{number}: {there} {found:?}");
    }
    // Faster than any time that is looked at would tell.
    let speck = shapes::mapped(shapes::icosahedron(), |v| 1e-4 * v);
    let way = Way::new([shapes::sheet(3, 3), speck], Step::new(still, falls));
    let found = way.clearance(0.05, &mut workspace);
    assert!(found.lower == 0.0 && found.upper == 0.0, "{found:?}");
    assert!(way.distance(found.time, &mut workspace) < 1e-12, "{found:?}");
    // Crossed bars that hardly move: they touch at no time, since they are through each other.
    let bars = [cuboid(4.0, 1.0, 1.0), cuboid(1.0, 4.0, 1.0)];
    let stirs = Motion::between(at(0.0, 0.0), at(0.001, 0.001));
    let found = Way::new(bars, Step::new(still, stirs)).clearance(1e-3, &mut workspace);
    assert!(found.lower == 0.0 && found.upper == 0.0 && found.pairs < 1000, "{found:?}");
    // A little higher it is a clearance, however small.
    let slides = Motion::between(at(-3.0, 1.0 + 1e-7), at(3.0, 1.0 + 1e-7));
    let cubes = [cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0)];
    let found = Way::new(cubes, Step::new(still, slides)).clearance(1e-8, &mut workspace);
    assert!(found.lower > 0.8e-7 && found.upper < 1.1e-7, "{found:?}");
}

#[test]
fn earlier_queries_leave_no_trace() {
    let mut used = Workspace::new();
    for seed in 0..100 {
        let way = random_way(seed);
        let width = 1e-3 * way.size();
        let found = way.clearance(width, &mut used);
        assert_eq!(found, way.clearance(width, &mut Workspace::new()), "{seed}");
    }
}

#[test]
fn widths_that_are_no_numbers_are_as_narrow_as_can_be() {
    let way = smooth_way(4);
    for width in [f64::NAN, -1.0, 0.0] {
        let found = way.clearance(width, &mut Workspace::new());
        assert!(found.upper - found.lower <= 1e-11 * way.size(), "{found:?}");
    }
}
