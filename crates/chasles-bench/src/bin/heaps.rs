//! Heaps of growing size in this world, in rapier and in MuJoCo: what a second costs, the worst
//! step, and how that grows.
//!
//! `cargo run --release -p chasles-bench --bin heaps -- [--heap NAME] [--most N] [--csv FILE]
//! [--mujoco PYTHON] [--plots FOLDER]`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chasles_bench::heaps::Heap;
use chasles_bench::heaps::row::{self, Row};
use chasles_bench::mujoco;
use chasles_bench::rapier::Peer;
use chasles_bench::stopwatch::{median, processor_time};
use chasles_bench::table::{Table, publish, reserve, write_csv};
use chasles_cli::simulate::Inspector;
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, Options, World};
use clap::Parser;

type Failure = Box<dyn std::error::Error>;

/// Heaps of growing size, here, in rapier and in MuJoCo, on one thread.
#[derive(Parser)]
struct Args {
    /// Only heaps of this kind, such as pile; `scene` for all scenes of the project.
    #[arg(long)]
    heap: Option<String>,
    /// Only heaps of at least so many.
    #[arg(long, default_value = "0")]
    least: usize,
    /// Only heaps of at most so many.
    #[arg(long, default_value = "300")]
    most: usize,
    /// How long, in seconds of the scene.
    #[arg(long, default_value = "3")]
    seconds: f64,
    /// When the second begins that is measured at rest and asleep, in seconds of the scene.
    #[arg(long)]
    rest: Option<f64>,
    /// Heaps of more than so many are not measured at rest.
    #[arg(long, default_value = "300")]
    rest_most: usize,
    /// The length of a step in seconds.
    #[arg(long, default_value_t = 1.0 / 60.0)]
    dt: f64,
    /// How often the first seconds are measured; the medians count.
    #[arg(long, default_value = "1")]
    rounds: u32,
    /// Step by events instead of windows.
    #[arg(long)]
    events: bool,
    /// Look for overlaps in every frame and on the way between.
    #[arg(long)]
    check: bool,
    /// Leave rapier out.
    #[arg(long)]
    alone: bool,
    /// A Python that has the package mujoco; without it MuJoCo is left out.
    #[arg(long, value_name = "PYTHON")]
    mujoco: Option<PathBuf>,
    /// Write the table as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw a plot for each kind of heap into this folder.
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut told = Told::default();
    if args.mujoco.is_none() {
        told.once("MuJoCo is left out: --mujoco names no Python that has it".into())?;
    }
    let mut rows = Vec::new();
    for (heap, counts) in Heap::ALL {
        let name = heap.name();
        let is_wanted =
            |wanted: &String| name == *wanted || name.starts_with(&format!("{wanted} "));
        if !args.heap.as_ref().is_none_or(is_wanted) {
            continue;
        }
        for &count in counts.iter().filter(|n| (args.least..=args.most).contains(*n)) {
            let measured = || measure(heap, count, &args, &mut told).map_err(|e| e.to_string());
            let row = pool.install(measured)?;
            writeln!(io::stderr(), "{}", row.cells().join("  "))?;
            rows.push(row);
        }
    }
    print(&rows)?;
    draw(&rows, args.plots.as_deref())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// The table, and the exponents of what grows.
fn print(rows: &[Row]) -> io::Result<()> {
    let mut table = Table::new(&row::HEAD);
    rows.iter().for_each(|row| table.push(row.cells()));
    let mut growth = Table::new(&["growth", "Chasles", "rapier", "MuJoCo"]);
    for heap in row::growing(rows) {
        growth.push(row::exponent_cells(rows, &heap));
    }
    write!(io::stdout().lock(), "{}\n{}", table.to_text(), growth.to_text())
}

fn draw(rows: &[Row], folder: Option<&Path>) -> Result<(), Failure> {
    let Some(folder) = folder else { return Ok(()) };
    for heap in row::growing(rows) {
        let svg = row::plot(rows, &heap)?.to_svg();
        std::fs::write(folder.join(format!("heaps-{heap}.svg")), svg)?;
    }
    Ok(())
}

/// Lines that are printed once.
#[derive(Default)]
struct Told(Vec<String>);

impl Told {
    fn once(&mut self, line: String) -> io::Result<()> {
        if !self.0.contains(&line) {
            writeln!(io::stderr(), "{line}")?;
            self.0.push(line);
        }
        Ok(())
    }
}

fn measure(heap: Heap, count: usize, args: &Args, told: &mut Told) -> Result<Row, Failure> {
    let options = if args.events { Options::events() } else { Options::windows() };
    let world = heap.world(count, options)?;
    let is_dynamic = |body: &&Body| matches!(body.kind(), Kind::Dynamic(_));
    let bodies = world.bodies().iter().filter(is_dynamic).count();
    let mut row = Row { heap: heap.name(), count, bodies, ..Row::default() };
    let steps = (args.seconds / args.dt).round() as u32;
    let runs = (0..args.rounds.max(1)).map(|_| here(&world, steps, args, &mut row));
    let runs = runs.collect::<Result<Vec<Times>, Failure>>()?;
    [row.second_s, row.worst_s] = Times::medians(&runs, args.seconds);
    if !args.alone {
        told.once(Peer::new(&world, args.dt).map_err(stranger)?.settings())?;
        let runs = (0..args.rounds.max(1)).map(|_| there(&world, steps, args.dt));
        let runs = runs.collect::<Result<Vec<Times>, Failure>>()?;
        let [second, worst] = Times::medians(&runs, args.seconds);
        [row.rapier_s, row.rapier_worst_s] = [Some(second), Some(worst)];
    }
    if let Some(python) = &args.mujoco {
        match in_mujoco(python, &world, steps, args) {
            Ok(run) => {
                row.mujoco_s = Some(run.all_s / args.seconds);
                row.mujoco_worst_s = Some(run.worst_s);
                told.once(run.settings)?;
            }
            Err(why) => told.once(format!("MuJoCo is left out of {}: {why}", heap.name()))?,
        }
    }
    if let Some(rest) = args.rest.filter(|_| count <= args.rest_most) {
        at_rest(&world, rest, args, &mut row)?;
    }
    Ok(row)
}

fn stranger(body: usize) -> String {
    format!("body {body} is not for rapier")
}

/// Processor seconds of each step.
struct Times(Vec<f64>);

impl Times {
    fn of(steps: u32, mut step: impl FnMut() -> Result<(), Failure>) -> Result<Self, Failure> {
        let mut times = Vec::new();
        for _ in 0..steps {
            let start = processor_time();
            step()?;
            times.push((processor_time() - start).as_secs_f64());
        }
        Ok(Self(times))
    }

    /// For a second, and of the longest step: medians over several runs.
    fn medians(runs: &[Self], seconds: f64) -> [f64; 2] {
        let second = runs.iter().map(|run| run.0.iter().sum::<f64>() / seconds).collect();
        let worst = runs.iter().map(|run| run.0.iter().copied().fold(0.0, f64::max)).collect();
        [median(second), median(worst)]
    }
}

/// The first seconds in this world; what happened in them goes to the row.
fn here(start: &World, steps: u32, args: &Args, row: &mut Row) -> Result<Times, Failure> {
    let mut world = start.clone();
    world.check()?;
    world.record(args.check);
    let mut inspector = Inspector::default();
    (row.waits, row.windows) = (0, 0);
    let mut times = Vec::new();
    for _ in 0..steps {
        let start = processor_time();
        let report = world.step(args.dt)?;
        times.push((processor_time() - start).as_secs_f64());
        row.waits += report.waiting.len();
        row.windows += report.parts;
        row.contacts = row.contacts.max(report.contacts);
        if args.check {
            inspector.follow(&world, &report);
            inspector.look(&world);
        }
    }
    let findings = inspector.into_findings();
    [row.overlaps, row.crossings] = [findings.overlaps.len(), findings.crossings.len()];
    row.asleep = world.bodies().iter().filter(|body| body.is_asleep()).count();
    row.energy = energy(&world);
    Ok(Times(times))
}

fn there(world: &World, steps: u32, dt: f64) -> Result<Times, Failure> {
    let mut peer = Peer::new(world, dt).map_err(stranger)?;
    Times::of(steps, || {
        peer.step();
        Ok(())
    })
}

fn in_mujoco(python: &Path, world: &World, steps: u32, args: &Args) -> Result<mujoco::Run, String> {
    let model = mujoco::model(world, args.dt)?;
    let path = std::env::temp_dir().join(format!("chasles-heap-{}.xml", std::process::id()));
    std::fs::write(&path, model).map_err(|error| error.to_string())?;
    let run = mujoco::run(python, &path, steps);
    // A file that stays in the folder for such files does no harm.
    let _ = std::fs::remove_file(&path);
    run
}

/// A second in both engines after some time, while nothing may sleep and while all may.
fn at_rest(start: &World, rest: f64, args: &Args, row: &mut Row) -> Result<(), Failure> {
    let [before, during] = [rest, 1.0].map(|seconds| (seconds / args.dt).round() as u32);
    for is_awake in [true, false] {
        let mut world = start.clone();
        if is_awake {
            world.set_options(Options { sleep_below: 0.0, ..*world.options() });
        }
        let mut step = || world.step(args.dt).map(drop).map_err(Failure::from);
        Times::of(before, &mut step)?;
        let second = Some(Times::of(during, &mut step)?.0.iter().sum());
        let theirs = if args.alone {
            None
        } else {
            let mut peer = Peer::new(start, args.dt).map_err(stranger)?;
            if is_awake {
                peer.never_sleeps();
            }
            (0..before).for_each(|_| peer.step());
            let run = Times::of(during, || {
                peer.step();
                Ok(())
            })?;
            Some(run.0.iter().sum())
        };
        if is_awake {
            (row.rest_s, row.rapier_rest_s) = (second, theirs);
        } else {
            (row.asleep_s, row.rapier_asleep_s) = (second, theirs);
        }
    }
    Ok(())
}

/// Kinetic and potential energy.
fn energy(world: &World) -> f64 {
    let gravity = world.options().gravity;
    world
        .bodies()
        .iter()
        .map(|body| {
            let mass = body.mass_properties().map_or(0.0, |mass_properties| mass_properties.mass());
            body.kinetic_energy() - mass * gravity.dot(body.centre())
        })
        .sum()
}
