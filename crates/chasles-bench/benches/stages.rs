//! Which stage of a query takes the time, and how does it depend on scene and size?
//!
//! Ids are `stage/method/scene/size`. Scenes are built in code, those with random poses from a
//! fixed seed; the labelled speed cases join them where they are present.

use std::f64::consts::FRAC_PI_3;
use std::hint::black_box;

use chasles::deform::{Options, Surface, Workspace, self_contacts};
use chasles::glam::{DQuat, DVec3};
use chasles::{Collider, Motion, Polyhedron, Pose, Step};
use chasles_bench::scenes::{Passing, folded_cloth, passing_tori, torus};
use chasles_bench::{Body, Case, Mode, Pair, cases};
use chasles_testkit::labelled::linear_files;
use chasles_testkit::shapes::cube;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use fastrand::Rng;

/// The sizes of the tori; larger ones are the business of the binary `growth`.
const QUADS: [usize; 2] = [300, 3000];

/// Queries with random poses in one bench.
const QUERIES: usize = 64;

fn preparation(c: &mut Criterion) {
    for quads in QUADS {
        let polygons = torus(quads);
        c.bench_function(&format!("mesh/polyhedron/torus/{quads}"), |b| {
            b.iter(|| Polyhedron::new(black_box(&polygons)));
        });
        let mesh = Polyhedron::new(&polygons).expect("a torus is a mesh");
        c.bench_function(&format!("bounds/collider/torus/{quads}"), |b| {
            b.iter_batched(|| mesh.clone(), Collider::new, BatchSize::LargeInput);
        });
    }
}

fn motion(c: &mut Criterion) {
    let poses = random_poses(QUERIES);
    c.bench_function(&format!("motion/step/random/{QUERIES}"), |b| {
        b.iter(|| {
            for [start, end] in black_box(&poses) {
                let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(*start, *end));
                black_box(step.part(0).relative());
            }
        });
    });
}

fn random_cubes(c: &mut Criterion) {
    let pairs: Vec<Pair> = random_poses(QUERIES)
        .into_iter()
        .map(|poses| {
            let a = Body { polygons: cube(), poses: [Pose::IDENTITY; 2] };
            let b = Body { polygons: cube(), poses };
            let name = "cube-random".into();
            Pair::new(&Case { name, a, b, first_contact_time: None }).expect("cubes are meshes")
        })
        .collect();
    for mode in Mode::ALL {
        let mut queries: Vec<_> = pairs.iter().map(|pair| pair.query(mode)).collect();
        c.bench_function(&format!("screw/{}/cubes/{QUERIES}", mode.name()), |b| {
            b.iter(|| queries.iter_mut().map(|query| query.run().len()).sum::<usize>());
        });
    }
}

fn tori(c: &mut Criterion) {
    for quads in QUADS {
        for passing in Passing::ALL {
            let case = passing_tori(quads, passing).expect("tori are meshes");
            bench_case(c, &case, &format!("{quads}-{}", passing.name()));
        }
    }
}

fn speed_cases(c: &mut Criterion) {
    for case in cases::speed_cases() {
        let faces = case.a.polygons.faces.len();
        let size = format!("{faces}-{}", case.situation());
        bench_case(c, &case, &size);
        bench_mixed(c, &case, &size);
    }
}

/// The same bodies under motions that differ from call to call.
fn bench_mixed(c: &mut Criterion, case: &Case, size: &str) {
    let pair = Pair::new(case).expect("the bodies are meshes");
    let motions = pair.mixed();
    for mode in Mode::ALL {
        let mut queries = pair.in_turn(mode, &motions);
        let id = format!("screw/{}/{}/{size}-mixed", mode.name(), case.shape());
        c.bench_function(&id, |b| b.iter(|| black_box(queries.run()).len()));
    }
}

fn bench_case(c: &mut Criterion, case: &Case, size: &str) {
    let pair = Pair::new(case).expect("the bodies are meshes");
    for mode in Mode::ALL {
        let mut query = pair.query(mode);
        let id = format!("screw/{}/{}/{size}", mode.name(), case.shape());
        c.bench_function(&id, |b| b.iter(|| black_box(query.run()).len()));
    }
}

/// Decisions of all pairs of a labelled file together; `deform` has the times of single ones.
fn straight_paths(c: &mut Criterion) {
    for file in linear_files().unwrap_or_default() {
        let id = format!("deform/decide/{}/{}", file.name, file.queries.len());
        c.bench_function(&id, |b| {
            b.iter(|| black_box(&file.queries).iter().filter(|q| q.pair.touches()).count());
        });
    }
}

fn cloth(c: &mut Criterion) {
    for quads in [20, 100] {
        let (mesh, end) = folded_cloth(quads);
        let surface = Surface::new(&mesh).expect("a cloth is a mesh");
        let moving = surface.moving(&mesh.vertices, &end).expect("the positions are finite");
        let mut workspace = Workspace::default();
        c.bench_function(&format!("deform/self/cloth/{quads}"), |b| {
            b.iter(|| self_contacts(&moving, &Options::default(), &mut workspace).len());
        });
    }
}

/// Paths of a unit-sized body past the origin, near enough for about every second cube to hit.
fn random_poses(count: usize) -> Vec<[Pose; 2]> {
    let mut rng = Rng::with_seed(1);
    let mut vector = |size: f64| DVec3::from([0; 3].map(|_| (2.0 * rng.f64() - 1.0) * size));
    let mut path = || {
        let [offset, start, turn] = [vector(1.2), vector(1.0), vector(FRAC_PI_3)];
        let pose = |x: f64, rotation: DQuat| {
            Pose::new(DVec3::new(x, offset.y, offset.z), rotation).expect("random but finite")
        };
        let rotation = DQuat::from_scaled_axis(start);
        [pose(-2.5, rotation), pose(2.5, DQuat::from_scaled_axis(turn) * rotation)]
    };
    (0..count).map(|_| path()).collect()
}

criterion_group!(
    benches,
    preparation,
    motion,
    random_cubes,
    tori,
    speed_cases,
    straight_paths,
    cloth
);
criterion_main!(benches);
