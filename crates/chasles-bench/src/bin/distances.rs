//! The time of a distance at rest, from 1,000 to 70,000 faces and at several gaps, written down so
//! that Coal answers the same questions.
//!
//! `cargo run --release -p chasles-bench --bin distances -- FOLDER`, then
//! `python crates/chasles-bench/coal/distances.py FOLDER` with the package `coal`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use chasles::distance::{Workspace, distance};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::MeshError;
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_bench::grips::{cube_ball, write_off};
use chasles_bench::stopwatch::processor_time;
use chasles_testkit::generate::Random;
use clap::Parser;

/// The time of a distance at rest.
#[derive(Parser)]
struct Args {
    /// Where meshes and questions go; made if it is not there.
    folder: PathBuf,
    /// About how many faces each body has.
    #[arg(long, value_delimiter = ',', default_value = "1000,4000,16000,70000")]
    faces: Vec<u32>,
    /// Distances of the bodies, which are about two units long.
    #[arg(long, value_delimiter = ',', default_value = "0.001,0.01,0.1,1")]
    gaps: Vec<f64>,
    /// Different poses for each.
    #[arg(long, default_value_t = 128)]
    poses: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    fs::create_dir_all(&args.folder)?;
    let mut questions = csv::Writer::from_path(args.folder.join("questions.csv"))?;
    writeln!(io::stdout().lock(), "faces    gap     microseconds")?;
    for &faces in &args.faces {
        let meshes = [scan(faces, 1), scan(faces, 2)];
        for (mesh, name) in meshes.iter().zip(["a", "b"]) {
            write_off(&args.folder.join(format!("{faces}{name}.off")), mesh)?;
        }
        let bodies = bodies(&meshes)?;
        for &gap in &args.gaps {
            let rests = rests(&bodies, gap, args.poses);
            let (seconds, found) = measure(&bodies, &rests);
            for (rest, distance) in rests.iter().zip(found) {
                questions.write_record(row(faces, gap, seconds, distance, rest))?;
            }
            writeln!(io::stdout().lock(), "{faces:6}  {gap:6}  {:8.1}", 1e6 * seconds)?;
        }
    }
    questions.flush()?;
    Ok(())
}

fn bodies(meshes: &[Polygons; 2]) -> Result<[Collider; 2], MeshError> {
    let [a, b] = meshes.each_ref().map(Polyhedron::new);
    Ok([Collider::new(a?), Collider::new(b?)])
}

/// Bodies that approach each other from any side until they are `gap` apart.
fn rests(bodies: &[Collider; 2], gap: f64, count: u32) -> Vec<[Pose; 2]> {
    let [a, b] = bodies;
    let mut random = Random::new(7);
    let mut workspace = Workspace::new();
    let mut rest = || {
        let toward = random.direction();
        let turns = [random.rotation(), random.rotation()];
        let mut far = 5.0;
        loop {
            let at = [DVec3::ZERO, far * toward];
            let poses = [0, 1].map(|i| Pose::new(at[i], turns[i]).expect("finite"));
            let left = distance(a, b, poses, &mut workspace).distance - gap;
            if left < 1e-3 * gap {
                return poses;
            }
            far -= left;
        }
    };
    (0..count).map(|_| rest()).collect()
}

/// The least of three means over all poses in turn, and the distances.
fn measure([a, b]: &[Collider; 2], rests: &[[Pose; 2]]) -> (f64, Vec<f64>) {
    let mut workspace = Workspace::new();
    let mut least = f64::INFINITY;
    let mut found = Vec::new();
    for _ in 0..3 {
        let start = processor_time();
        found = rests.iter().map(|&p| distance(a, b, p, &mut workspace).distance).collect();
        least = least.min((processor_time() - start).as_secs_f64() / rests.len() as f64);
    }
    (least, found)
}

/// Size, gap, time, answer; then the quaternion of A, the position and the quaternion of B.
fn row(faces: u32, gap: f64, seconds: f64, distance: f64, [a, b]: &[Pose; 2]) -> Vec<String> {
    let turn = |q: DQuat| [q.w, q.x, q.y, q.z];
    let numbers = [gap, seconds, distance].into_iter().chain(turn(a.rotation()));
    let numbers = numbers.chain(b.position().to_array()).chain(turn(b.rotation()));
    std::iter::once(faces.to_string()).chain(numbers.map(|x| x.to_string())).collect()
}

/// A stand-in for a scanned body: an ellipsoid with waves of three lengths, in triangles.
fn scan(faces: u32, seed: u64) -> Polygons {
    let mut random = Random::new(seed);
    let sizes = [(10, 3.0, 0.08), (15, 8.0, 0.02), (15, 25.0, 0.004)];
    let mut waves: Vec<(DVec3, f64, f64)> = Vec::new();
    for (count, frequency, height) in sizes {
        waves.extend((0..count).map(|_| {
            (frequency * random.direction(), random.between(0.0, std::f64::consts::TAU), height)
        }));
    }
    let lifted = |direction: DVec3| {
        let wave =
            |(k, phase, height): &(DVec3, f64, f64)| height * (k.dot(direction) + phase).sin();
        let radius = 1.0 + waves.iter().map(wave).sum::<f64>();
        radius * direction * DVec3::new(1.0, 0.8, 0.6)
    };
    let mut ball = cube_ball((f64::from(faces) / 12.0).sqrt().round() as i32);
    for vertex in &mut ball.vertices {
        *vertex = lifted(*vertex);
    }
    ball
}
