//! Times the questions of `figures.py` in Rust.
//!
//! `native FILE THREADS` reads motions of a torus past another, 14 doubles each (a position and a
//! quaternion at both ends), and prints the seconds of a batch and of single questions: those of
//! the processor, on all threads, and those of the clock.

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

/// The seconds that all threads of this process have had of a processor, as Linux counts them; NaN
/// elsewhere.
fn of_processor() -> f64 {
    let nanoseconds = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    std::fs::read_dir("/proc/self/task").map_or(f64::NAN, |tasks| {
        tasks.flatten().filter_map(nanoseconds).sum::<f64>() * 1e-9
    })
}

/// Does something and prints what it took for each of so many.
fn timed<T>(word: &str, count: f64, work: impl FnOnce() -> T) -> T {
    let (before, begun) = (of_processor(), Instant::now());
    let done = work();
    let wall = begun.elapsed().as_secs_f64();
    println!("{word} {} {}", (of_processor() - before) / count, wall / count);
    done
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
        let ask = || batch::first_times(&torus, &torus, &steps, &options, &watch);
        timed("batch", 1.0, || pool.install(ask))?;
    }
    let mut memory = Workspace::new();
    for _ in 0..7 {
        timed("single", 2000.0, || {
            steps.iter().take(2000).try_for_each(|step| {
                let found = first_contact(&torus, &torus, step, &options, &mut memory)?;
                std::hint::black_box(found);
                Ok::<(), chasles::query::QueryError>(())
            })
        })?;
    }
    Ok(())
}
