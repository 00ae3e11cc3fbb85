//! Times the questions of `figures.py` in Rust.
//!
//! `native FILE THREADS` reads motions of a torus past another, 14 doubles each (a position and a
//! quaternion at both ends), and prints the seconds of a batch and of single questions.

use std::time::Instant;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Torus};
use chasles::query::{Geometry, Options, Workspace, batch, first_contact};
use chasles::{Motion, Pose, Step};

fn pose(numbers: &[f64]) -> Pose {
    let place = DVec3::new(numbers[0], numbers[1], numbers[2]);
    let turn = DQuat::from_xyzw(numbers[3], numbers[4], numbers[5], numbers[6]);
    Pose::new(place, turn).expect("a pose")
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let bytes = std::fs::read(arguments.next().ok_or("a file of motions")?)?;
    let threads = arguments.next().ok_or("a number of threads")?.parse()?;
    let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
    let still = Motion::still(Pose::IDENTITY);
    let step = |n: &[f64]| Step::new(still, Motion::between(pose(&n[..7]), pose(&n[7..])));
    let steps: Vec<Step> = numbers.chunks_exact(14).map(step).collect();
    let torus = Geometry::shape(&Shape::Torus(Torus::default()))?;
    let options = Options::all();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let watch = batch::Watch::default();
    for _ in 0..3 {
        let begun = Instant::now();
        pool.install(|| batch::first_times(&torus, &torus, &steps, &options, &watch))?;
        println!("batch {}", begun.elapsed().as_secs_f64());
    }
    let mut memory = Workspace::new();
    for _ in 0..7 {
        let begun = Instant::now();
        for step in steps.iter().take(2000) {
            std::hint::black_box(first_contact(&torus, &torus, step, &options, &mut memory)?);
        }
        println!("single {}", begun.elapsed().as_secs_f64() / 2000.0);
    }
    Ok(())
}
