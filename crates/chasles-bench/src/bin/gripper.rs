//! First contacts of a gripper that moves among things on a table, in bulk, written down so that
//! conservative advancement on Coal answers the same questions.
//!
//! `cargo run --release -p chasles-bench --bin gripper -- FOLDER`, then
//! `python crates/chasles-bench/coal/gripper.py FOLDER` with the package `coal`.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::query::{Geometry, Options, QueryError, Workspace, first_contact};
use chasles::{Polyhedron, Step};
use chasles_bench::grips::{Grip, gripper, half_hits, table, write_off};
use chasles_bench::stopwatch::{median, processor_time};
use chasles_testkit::generate::Random;
use clap::Parser;

type Failure = Box<dyn std::error::Error>;

/// First contacts of a gripper among things on a table.
#[derive(Parser)]
struct Args {
    /// Where meshes and questions go; made if it is not there.
    folder: PathBuf,
    /// About how many triangles the gripper has.
    #[arg(long, default_value_t = 6_000)]
    gripper: usize,
    /// About how many triangles the scene has.
    #[arg(long, default_value_t = 55_000)]
    scene: usize,
    /// How many motions: every other one is a hit.
    #[arg(long, default_value_t = 2_000)]
    motions: usize,
    /// Other numbers make other things and other motions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    fs::create_dir_all(&args.folder)?;
    let mut random = Random::new(args.seed);
    let meshes = [table(args.scene, &mut random), gripper(args.gripper)];
    for (mesh, name) in meshes.iter().zip(["scene", "gripper"]) {
        write_off(&args.folder.join(format!("{name}.off")), mesh)?;
    }
    let [scene, gripper] = meshes.each_ref().map(Polyhedron::new);
    let bodies = [Geometry::mesh(scene?), Geometry::mesh(gripper?)];
    let [a, b] = &bodies;
    let grips = half_hits([a, b], args.motions, &mut random)?;
    let measured = measure([a, b], &grips)?;
    let mut questions = csv::Writer::from_path(args.folder.join("questions.csv"))?;
    for (grip, answer) in grips.iter().zip(&measured.answers) {
        questions.write_record(row(grip, *answer, measured.seconds))?;
    }
    questions.flush()?;
    let [hits, misses] = measured.slowest;
    writeln!(
        io::stdout().lock(),
        "{} and {} triangles, {} motions: {:.0} queries a second; slowest hit {:.0} us, slowest \
         miss {:.0} us",
        meshes[1].faces.len(),
        meshes[0].faces.len(),
        grips.len(),
        1.0 / measured.seconds,
        1e6 * hits,
        1e6 * misses,
    )?;
    Ok(())
}

/// What the queries took and found.
struct Measured {
    /// The time of the first contact of each, or none.
    answers: Vec<Option<f64>>,
    /// Of the mean query: the median of the rounds.
    seconds: f64,
    /// Of the slowest hit and of the slowest miss, the least of its rounds.
    slowest: [f64; 2],
}

/// Rounds over all motions: an odd number, so that the median is one of them.
const ROUNDS: usize = 5;

fn measure([a, b]: [&Geometry; 2], grips: &[Grip]) -> Result<Measured, Failure> {
    let steps = grips.iter().map(Grip::step).collect::<Result<Vec<Step>, _>>()?;
    let options = Options::default();
    let mut workspace = Workspace::new();
    let mut ask = |step: &Step| -> Result<Option<f64>, QueryError> {
        Ok(first_contact(a, b, step, &options, &mut workspace)?.map(|contact| contact.time))
    };
    let answers = steps.iter().map(&mut ask).collect::<Result<Vec<_>, _>>()?;
    let mut rounds = Vec::new();
    let mut least = vec![Duration::MAX; steps.len()];
    for _ in 0..ROUNDS {
        let start = processor_time();
        for step in &steps {
            ask(step)?;
        }
        rounds.push((processor_time() - start).as_secs_f64() / steps.len() as f64);
        for (step, least) in steps.iter().zip(&mut least) {
            let start = processor_time();
            ask(step)?;
            *least = (*least).min(processor_time() - start);
        }
    }
    let slowest = [true, false].map(|is_hit| {
        let those = answers.iter().zip(&least).filter(|(answer, _)| answer.is_some() == is_hit);
        those.map(|(_, time)| time.as_secs_f64()).fold(0.0, f64::max)
    });
    Ok(Measured { answers, seconds: median(rounds), slowest })
}

/// Time of a query, time of the first contact or NaN; then position, quaternion, turn and way.
fn row(grip: &Grip, answer: Option<f64>, seconds: f64) -> Vec<String> {
    let Grip { start, angular, linear } = grip;
    let turn = start.rotation();
    let numbers = [seconds, answer.unwrap_or(f64::NAN)].into_iter();
    let numbers = numbers.chain(start.position().to_array());
    let numbers = numbers.chain([turn.w, turn.x, turn.y, turn.z]);
    let numbers = numbers.chain(angular.to_array()).chain(linear.to_array());
    numbers.map(|x| x.to_string()).collect()
}
