//! What does a query about two convex bodies cost, by size and by how they stand?
//!
//! Ids are `convex/query/bodies/faces-situation`. Each run asks for [`QUERIES`] poses from a fixed
//! seed with one workspace, so the figure for one query is that of the run divided by as many.

use std::f64::consts::PI;
use std::hint::black_box;

use chasles::Pose;
use chasles::convex::{Convex, Workspace, all_points, deepest_point, first_point};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Sphere};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fastrand::Rng;

/// Poses in one run.
const QUERIES: usize = 64;

/// Distances of the centres of bodies of diameter about 1, and what they make.
const SITUATIONS: [(&str, f64); 4] =
    [("apart", 1.6), ("near", 1.02), ("shallow", 0.9), ("deep", 0.3)];

fn queries(c: &mut Criterion) {
    let sphere =
        |around, along| Shape::Sphere(Sphere { segments: [around, along], ..Sphere::default() });
    let cube = Shape::Box(Cuboid { size: [0.7; 3] });
    let bodies = [("cubes", cube), ("spheres", sphere(12, 8)), ("spheres", sphere(40, 25))];
    for (name, shape) in bodies {
        let mesh = shape.build().expect("fitting parameters");
        let body = Convex::new(mesh).expect("a convex shape");
        let faces = body.mesh().face_count();
        for (situation, distance) in SITUATIONS {
            let id = format!("{name}/{faces}-{situation}");
            bench(c, &id, &body, &poses(distance));
        }
    }
}

fn bench(c: &mut Criterion, id: &str, body: &Convex, poses: &[[Pose; 2]]) {
    let mut workspace = Workspace::new();
    let mut group = c.benchmark_group("convex");
    group.throughput(Throughput::Elements(poses.len() as u64));
    group.bench_function(format!("first/{id}"), |b| {
        let mut meets = |p: &[Pose; 2]| first_point(body, body, *p, &mut workspace).is_some();
        b.iter(|| black_box(poses).iter().filter(|p| meets(p)).count());
    });
    group.bench_function(format!("all/{id}"), |b| {
        let mut count = |p: &[Pose; 2]| all_points(body, body, *p, &mut workspace).len();
        b.iter(|| black_box(poses).iter().map(&mut count).sum::<usize>());
    });
    group.bench_function(format!("deepest/{id}"), |b| {
        let mut depth = |p: &[Pose; 2]| deepest_point(body, body, *p, &mut workspace);
        b.iter(|| black_box(poses).iter().filter_map(&mut depth).map(|d| d.depth).sum::<f64>());
    });
}

/// A and B turned at random, their centres at the distance in a random direction.
fn poses(distance: f64) -> Vec<[Pose; 2]> {
    let mut rng = Rng::with_seed(1);
    let mut vector = || DVec3::from([0; 3].map(|_| 2.0 * rng.f64() - 1.0));
    let mut pose = |place: DVec3| {
        Pose::new(place, DQuat::from_scaled_axis(PI * vector())).expect("random but finite")
    };
    let mut directions = Rng::with_seed(2);
    let mut direction = || {
        let any = DVec3::from([0; 3].map(|_| 2.0 * directions.f64() - 1.0));
        any.normalize_or(DVec3::X)
    };
    (0..QUERIES).map(|_| [pose(DVec3::ZERO), pose(distance * direction())]).collect()
}

criterion_group!(benches, queries);
criterion_main!(benches);
