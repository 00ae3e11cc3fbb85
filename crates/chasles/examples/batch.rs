//! A hundred thousand motions of one body past another, on all cores.
//!
//! `cargo run --release --example batch -- 100000`

use std::error::Error;
use std::io::{Write, stdout};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape, Torus};
use chasles::query::{Geometry, Options, batch};
use chasles::{Motion, Pose, Step};

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let count: u32 = count.unwrap_or(100_000);
    let torus = Geometry::shape(&Shape::Torus(Torus::default()))?;
    let bar = Geometry::shape(&Shape::Box(Cuboid { size: [0.1, 0.1, 0.8] }))?;

    // Directions and places that look random, the same in every run.
    let wave = |i: f64, k: f64| (i * k + (i * 0.7).sin()).sin();
    let step = |i: u32| {
        let i = f64::from(i);
        let from = 2.0 * DVec3::new(wave(i, 1.3), wave(i, 2.1), wave(i, 3.7));
        let way = DVec3::new(wave(i, 5.1), wave(i, 6.3), wave(i, 7.9));
        let turn = DQuat::from_scaled_axis(0.1 * way);
        let motion = Motion::between(Pose::from_position(from)?, Pose::new(from + way, turn)?);
        Ok(Step::new(Motion::still(Pose::IDENTITY), motion))
    };
    let steps = (0..count).map(step).collect::<Result<Vec<Step>, Box<dyn Error>>>()?;

    let done = AtomicUsize::new(0);
    let progress = |count: usize| done.store(count, Ordering::Relaxed);
    let watch = batch::Watch { progress: Some(&progress), cancel: None };
    let started = Instant::now();
    let times = batch::first_times(&torus, &bar, &steps, &Options::default(), &watch)?;
    let seconds = started.elapsed().as_secs_f64();

    let hits = times.iter().filter(|time| !time.is_nan()).count();
    writeln!(stdout(), "{hits} of {} motions hit", times.len())?;
    writeln!(stdout(), "{:.0} queries a second", times.len() as f64 / seconds)?;
    let first = batch::first_hit(&torus, &bar, &steps, &Options::default(), &watch)?;
    writeln!(stdout(), "the first that hits is motion {first:?}")?;
    Ok(())
}

#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
