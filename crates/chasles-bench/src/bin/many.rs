//! Contacts of many bodies, by their number and by how far they turn.
//!
//! `cargo run --release -p chasles-bench --bin many -- [--csv FILE]`
//!
//! Cubes of 0.9 stand on a grid of side 1; every tenth flies by up to 0.15 along each axis and
//! turns by up to some angle about each. In the last rows all of them, on a grid of side 1.5, go
//! from pose to pose and turn by 1.6 to 3.1: boxes cannot part these.

use std::io::{self, Write};
use std::path::PathBuf;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::{Geometry, Options, Set};
use chasles::{Motion, Pose};
use chasles_bench::stopwatch::{median, processor_time};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use chasles_testkit::generate::Random;
use clap::Parser;
use rayon::ThreadPoolBuilder;
use serde::Serialize;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Contacts of many bodies.
#[derive(Parser)]
struct Args {
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// One set; the time is that of one thread of the processor.
#[derive(Serialize)]
struct Row {
    turn: &'static str,
    bodies: u32,
    asked: usize,
    touching: usize,
    query_s: f64,
}

/// Queries of each set: an odd number, so that the median is one of them.
const ROUNDS: usize = 5;

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let pool = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut rows = Vec::new();
    for (name, turn) in [("0.02", 0.02), ("0.3", 0.3), ("3.0", 3.0)] {
        for bodies in [100, 300, 1000, 2000, 5000, 10_000] {
            let set = grid(bodies, turn)?;
            rows.push(pool.install(|| measure(name, &set))?);
        }
    }
    for bodies in [100, 300, 1000, 2000, 5000] {
        let set = far_turns(bodies)?;
        rows.push(pool.install(|| measure(POSES, &set))?);
    }
    let mut table = Table::new(&["turn", "bodies", "pairs near", "touching", "time"]);
    for row in &rows {
        let counts = [row.bodies as usize, row.asked, row.touching].map(|n| n.to_string());
        let cells = [row.turn.to_string()].into_iter().chain(counts);
        table.push(cells.chain([duration(row.query_s)]).collect());
    }
    write!(io::stdout().lock(), "{}", table.to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// The rows of bodies that go from pose to pose.
const POSES: &str = "1.6 to 3.1, all, from pose to pose";

fn measure(turn: &'static str, set: &Set) -> Result<Row, Failure> {
    let options = Options::default();
    let mut rounds = Vec::new();
    let found = set.contacts(&options)?;
    for _ in 0..ROUNDS {
        let start = processor_time();
        set.contacts(&options)?;
        rounds.push((processor_time() - start).as_secs_f64());
    }
    let (asked, touching) = (found.asked(), found.pairs().len());
    let bodies = set.len() as u32;
    Ok(Row { turn, bodies, asked, touching, query_s: median(rounds) })
}

fn grid(bodies: u32, turn: f64) -> Result<Set, Failure> {
    cubes(bodies, |i, place, random| {
        let start = Pose::from_position(place)?;
        let [linear, angular] = [0.15, turn].map(|size| size * random.vector());
        let motion = Motion::flight(start, linear, angular)?;
        Ok(if i % 10 == 0 { motion } else { Motion::still(start) })
    })
}

/// Bodies that all go from pose to pose and turn by more than a quarter-turn.
fn far_turns(bodies: u32) -> Result<Set, Failure> {
    cubes(bodies, |_, place, random| {
        let start = Pose::new(1.5 * place, random.rotation())?;
        let angle = 1.6 + 1.5 * random.vector().x.abs();
        let turn = DQuat::from_scaled_axis(angle * random.direction());
        let end = Pose::new(1.5 * place + 0.15 * random.vector(), turn * start.rotation())?;
        Ok(Motion::between(start, end))
    })
}

/// Cubes on a grid of side 1, each with the motion for its number and place.
fn cubes(
    bodies: u32,
    mut motion: impl FnMut(u32, DVec3, &mut Random) -> Result<Motion, Failure>,
) -> Result<Set, Failure> {
    let cube = Geometry::shape(&Shape::Box(Cuboid { size: [0.9; 3] }))?;
    let mut random = Random::new(1);
    let side = f64::from(bodies).cbrt().ceil();
    let mut set = Set::new();
    for number in 0..bodies {
        let i = f64::from(number);
        let place = DVec3::new(i % side, (i / side).floor() % side, (i / side / side).floor());
        set.add(cube.clone(), motion(number, place, &mut random)?);
    }
    Ok(set)
}
