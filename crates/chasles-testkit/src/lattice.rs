//! Random queries on a coarse grid, where coincidences are the rule: faces in one plane, edges
//! along each other, gaps that vanish at the start, at half time and at the end at once.
//!
//! Such geometry is what people draw and what general random queries never have.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_8, PI};

use chasles::{Motion, Polygons, Pose, Screw, Step};
use glam::{DQuat, DVec3};

use crate::generate::Random;
use crate::query::Query;
use crate::shapes;
use crate::step_along;

/// At a half-turn the way round is open, so queries stay below it.
const LARGEST_ANGLE: f64 = PI - 1e-3;

/// Triangles with a smaller area, doubled, have no plane to speak of.
const LEAST_AREA: f64 = 0.01;

/// Two meshes and their poses on the grid; most keep to the axes of the grid or turn by quarters
/// and eighths of a turn, some turn by any angle.
pub fn query(seed: u64) -> Query {
    let mut random = Random::new(seed ^ 0x1a77);
    let (a, b) = (mesh(&mut random), mesh(&mut random));
    let motion = || {
        let start = pose(&mut random);
        let end = if random.below(3) > 0 { start } else { pose(&mut random) };
        let b_in_a = match random.below(4) {
            0 => [0; 2].map(|_| pose(&mut random)),
            1 => symmetric(&mut random),
            _ => along(&mut random),
        };
        ([start, end], [start.after(&b_in_a[0]), end.after(&b_in_a[1])])
    };
    let has_one_way = |(a, b): &([Pose; 2], [Pose; 2])| {
        turns_one_way(&Step::new(Motion::between(a[0], a[1]), Motion::between(b[0], b[1])))
    };
    let (poses_a, poses_b) = first(motion, has_one_way);
    Query { a, b, poses_a, poses_b }
}

/// Two meshes on the grid and a step by twists, whole eighths of a turn or anything; of one to
/// several parts.
pub fn turning(seed: u64) -> (Polygons, Polygons, Step) {
    let mut random = Random::new(seed ^ 0x1a7b);
    let (a, b) = (mesh(&mut random), mesh(&mut random));
    let motion = || {
        let still = (pose(&mut random), Screw::STILL);
        let of_a = if random.below(2) == 0 { still } else { (still.0, twist(&mut random)) };
        step_along(of_a, (pose(&mut random), twist(&mut random)))
    };
    (a, b, first(motion, turns_one_way))
}

fn first<T>(make: impl FnMut() -> T, is_good: impl Fn(&T) -> bool) -> T {
    std::iter::repeat_with(make).take(100).find(is_good).expect("most are good")
}

fn turns_one_way(step: &Step) -> bool {
    (0..step.parts()).all(|index| step.part(index).relative().angle() < LARGEST_ANGLE)
}

/// Closed solids and loose triangles.
fn mesh(random: &mut Random) -> Polygons {
    match random.below(7) {
        0 | 1 => triangles(random),
        2 => shapes::cube(),
        3 => shapes::octahedron(),
        4 => shapes::l_prism(),
        5 => shapes::tetrahedron([DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]),
        _ => shapes::cuboid(DVec3::from_array([0; 3].map(|_| random.one_of(&[0.5, 1.0, 1.5])))),
    }
}

/// Up to four triangles that may share corners and edges, lie in one plane, or cross.
fn triangles(random: &mut Random) -> Polygons {
    let count = 3 + random.below(6);
    let vertices = || (0..count).map(|_| vector(random)).collect::<Vec<DVec3>>();
    let area = |v: &[DVec3], [i, j, k]: [usize; 3]| (v[j] - v[i]).cross(v[k] - v[i]).length();
    let has_area = |v: &Vec<DVec3>| area(v, [0, 1, 2]) > LEAST_AREA;
    let vertices = first(vertices, has_area);
    let any = |_| [0; 3].map(|_| random.below(count));
    let more: Vec<[usize; 3]> =
        (0..3).map(any).filter(|f| area(&vertices, *f) > LEAST_AREA).collect();
    let faces = std::iter::once([0, 1, 2]).chain(more).map(|face| face.map(|v| v as u32));
    Polygons::new(vertices, faces)
}

/// On the grid, or off it by a little or by much.
fn coordinate(random: &mut Random) -> f64 {
    let grid = random.below(9) as f64 * 0.25 - 1.0;
    match random.below(10) {
        0 => grid + random.below(4) as f64 * 1e-17,
        1 => grid + 0.2 * random.unit(),
        2 => grid + 1e-9 * random.unit(),
        _ => grid,
    }
}

fn vector(random: &mut Random) -> DVec3 {
    DVec3::from_array([0; 3].map(|_| coordinate(random)))
}

/// On a coarser and wider grid.
fn place(random: &mut Random) -> DVec3 {
    let coordinate = |_| {
        let grid = random.below(7) as f64 * 0.5 - 1.5;
        if random.below(10) == 0 { grid + 0.2 * random.unit() } else { grid }
    };
    DVec3::from_array([0; 3].map(coordinate))
}

fn axis(random: &mut Random) -> DVec3 {
    random.one_of(&[DVec3::X, DVec3::Y, DVec3::Z])
}

fn rotation(random: &mut Random) -> DQuat {
    match random.below(4) {
        0 | 1 => DQuat::IDENTITY,
        2 => DQuat::from_axis_angle(axis(random), random.below(9) as f64 * FRAC_PI_4),
        _ => random.rotation(),
    }
}

fn pose(random: &mut Random) -> Pose {
    Pose::new(place(random), rotation(random)).expect("finite")
}

/// Along an axis of the grid or in one of its planes, so that faces stay in their planes; half of
/// them turn meanwhile.
fn along(random: &mut Random) -> [Pose; 2] {
    let quarters = random.below(4) as f64;
    let turned = DQuat::from_axis_angle(axis(random), quarters * FRAC_PI_2);
    let start = place(random);
    let way = random.one_of(&[-3.0, -2.0, 2.0, 3.0]) * axis(random)
        + random.one_of(&[0.0, 0.0, 1.0]) * axis(random);
    let eighths = random.one_of(&[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let turn = DQuat::from_axis_angle(axis(random), eighths * FRAC_PI_4);
    let pose = |place: DVec3, rotation: DQuat| Pose::new(place, rotation).expect("finite");
    [pose(start, turned), pose(start + way, turn * turned)]
}

/// As far to one side at the start as to the other at the end.
fn symmetric(random: &mut Random) -> [Pose; 2] {
    let (axis, angle) = (axis(random), random.below(9) as f64 * FRAC_PI_8);
    let (middle, way) = (vector(random), place(random));
    [-1.0, 1.0].map(|side| {
        let turn = DQuat::from_axis_angle(axis, side * angle);
        Pose::new(middle + side * way, turn).expect("finite")
    })
}

fn twist(random: &mut Random) -> Screw {
    let angular = if random.below(2) == 0 {
        axis(random) * random.below(9) as f64 * FRAC_PI_4
    } else {
        4.0 * random.vector()
    };
    Screw::from_twist(angular, vector(random)).expect("finite")
}
