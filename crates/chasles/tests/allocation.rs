//! After the first query with a workspace, later ones allocate nothing.
//!
//! This file is a test binary of its own: it counts through a global allocator.

use std::path::{Path, PathBuf};
use std::{env, fs};

use chasles::glam::{DQuat, DVec3};
use chasles::{Collider, Options, Polygons, Polyhedron, Pose, Step, Workspace, contacts};
use serde_json::Value;

/// Two bodies and their motion.
struct Query {
    name: String,
    a: Collider,
    b: Collider,
    step: Step,
}

#[test]
fn cubes_and_tori_allocate_only_once() {
    for (name, polygons) in [("cube", cube()), ("torus", torus(20, 15))] {
        for distance in [0.3, 0.6, 0.9, 1.5, 2.5] {
            assert_steady(&passing(&format!("{name} at {distance}"), &polygons, distance));
        }
    }
}

#[test]
fn speed_cases_allocate_only_once() {
    for path in speed_cases() {
        assert_steady(&read(&path));
    }
}

#[test]
fn a_step_of_many_parts_allocates_only_once() {
    let mut query = passing("torus in parts", &torus(20, 15), 0.6);
    query.step = query.step.with_parts(5);
    assert_steady(&query);
}

#[test]
fn a_workspace_that_has_seen_a_large_query_serves_a_small_one() {
    let [large, small] = [("large", torus(20, 15)), ("small", cube())]
        .map(|(name, shape)| passing(name, &shape, 0.3));
    let mut workspace = Workspace::new();
    let options = Options::default();
    run(&large, &options, &mut workspace);
    for query in [&small, &large, &small] {
        assert_eq!(allocations(query, &options, &mut workspace), 0, "{}", query.name);
    }
}

#[test]
fn the_counter_counts() {
    let query = passing("cube", &cube(), 0.3);
    assert_ne!(allocations(&query, &Options::default(), &mut Workspace::new()), 0);
}

fn assert_steady(query: &Query) {
    for options in modes() {
        let mut workspace = Workspace::new();
        let first = run(query, &options, &mut workspace);
        for _ in 0..3 {
            let count = allocations(query, &options, &mut workspace);
            assert_eq!(count, 0, "{} with {options:?}", query.name);
            assert_eq!(run(query, &options, &mut workspace), first);
        }
    }
}

fn modes() -> [Options; 3] {
    let all = Options::default();
    let facing = Options { facing: true, min_properness: -0.1, ..all };
    [facing, all, Options { first_only: true, ..all }]
}

fn run(query: &Query, options: &Options, workspace: &mut Workspace) -> usize {
    contacts(&query.a, &query.b, &query.step, options, workspace).len()
}

fn allocations(query: &Query, options: &Options, workspace: &mut Workspace) -> u64 {
    allocation_counter::measure(|| _ = run(query, options, workspace)).count_total
}

/// B flies past A at a distance and turns by 35 degrees.
fn passing(name: &str, polygons: &Polygons, distance: f64) -> Query {
    let pose = |x: f64, degrees: f64| {
        let axis = DVec3::new(1.0, 2.0, 0.5).normalize();
        let rotation = DQuat::from_axis_angle(axis, degrees.to_radians());
        Pose::new([x, 0.13, distance], rotation).unwrap()
    };
    let [a, b] = [polygons; 2].map(|p| Collider::new(Polyhedron::new(p).unwrap()));
    let step = Step::between([Pose::IDENTITY; 2], [pose(-3.0, 40.0), pose(3.0, 75.0)]);
    Query { name: name.into(), a, b, step }
}

fn cube() -> Polygons {
    let corner = |i: u32| [i & 1, i >> 1 & 1, i >> 2].map(|bit| f64::from(bit) - 0.5);
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4]];
    let others = [[2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    Polygons::new((0..8).map(corner), sides.into_iter().chain(others))
}

fn torus(along: u32, around: u32) -> Polygons {
    let turn = |i: u32, n: u32| (f64::from(i) / f64::from(n) * std::f64::consts::TAU).sin_cos();
    let vertex = |(i, j): (u32, u32)| {
        let ((sin_u, cos_u), (sin_v, cos_v)) = (turn(i, along), turn(j, around));
        [(1.0 + 0.4 * cos_v) * sin_u, 0.4 * sin_v, (1.0 + 0.4 * cos_v) * cos_u]
    };
    let number = |i: u32, j: u32| i % along * around + j % around;
    let quad = |(i, j)| [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
    let grid = || (0..along).flat_map(|i| (0..around).map(move |j| (i, j)));
    Polygons::new(grid().map(vertex), grid().map(quad))
}

/// None where the labelled data is absent; the scenes built in code are tested all the same.
fn speed_cases() -> Vec<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = env::var_os("CHASLES_SHARED").map_or_else(beside, PathBuf::from);
    let Ok(entries) = fs::read_dir(shared.join("speed-cases")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn read(path: &Path) -> Query {
    let case: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let [a, b] = ["a", "b"].map(|name| &case[name]);
    let step = Step::between(poses(a), poses(b));
    let [a, b] = [a, b].map(|body| Collider::new(Polyhedron::new(&polygons(body)).unwrap()));
    Query { name: path.display().to_string(), a, b, step }
}

fn polygons(body: &Value) -> Polygons {
    let faces: Vec<Vec<u32>> = serde_json::from_value(body["faces"].clone()).unwrap();
    let vertices: Vec<[f64; 3]> = serde_json::from_value(body["vertices"].clone()).unwrap();
    Polygons::new(vertices, faces)
}

fn poses(body: &Value) -> [Pose; 2] {
    ["start", "end"].map(|when| {
        let position: [f64; 3] = serde_json::from_value(body[when]["position"].clone()).unwrap();
        let rotation: [f64; 4] = serde_json::from_value(body[when]["rotation"].clone()).unwrap();
        Pose::new(position, DQuat::from_array(rotation)).unwrap()
    })
}
