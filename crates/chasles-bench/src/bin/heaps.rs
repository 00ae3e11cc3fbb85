//! Heaps of growing size in this world and in rapier: what a second costs, and the worst step.
//!
//! `cargo run --release -p chasles-bench --bin heaps -- [--heap NAME] [--most N] [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;

use chasles_bench::heaps::Heap;
use chasles_bench::rapier::Peer;
use chasles_bench::stopwatch::processor_time;
use chasles_bench::table::{publish, reserve, write_csv};
use chasles_cli::simulate::Inspector;
use chasles_dynamics::world::Stepping;
use chasles_dynamics::{Options, World};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// Heaps of growing size, here and in rapier, on one thread.
#[derive(Parser)]
struct Args {
    /// Only heaps of this kind, such as pile.
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
    /// The length of a step in seconds.
    #[arg(long, default_value_t = 1.0 / 60.0)]
    dt: f64,
    /// Step by events instead of windows.
    #[arg(long)]
    events: bool,
    /// Let nothing sleep.
    #[arg(long)]
    awake: bool,
    /// Look for overlaps in every frame and on the way between.
    #[arg(long)]
    check: bool,
    /// Leave rapier out.
    #[arg(long)]
    alone: bool,
    /// Write the table as CSV.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize)]
struct Row {
    heap: &'static str,
    count: usize,
    /// Processor seconds for a second of the scene.
    second: f64,
    rapier: f64,
    ratio: f64,
    /// Milliseconds of the longest step.
    worst_ms: f64,
    rapier_worst_ms: f64,
    waits: usize,
    windows: u32,
    contacts: usize,
    overlaps: usize,
    crossings: usize,
    asleep: usize,
    energy: f64,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut rows = Vec::new();
    for (heap, counts) in Heap::ALL {
        if args.heap.as_ref().is_some_and(|name| name != heap.name()) {
            continue;
        }
        for &count in counts.iter().filter(|n| (args.least..=args.most).contains(*n)) {
            let row = pool.install(|| measure(heap, count, &args).map_err(|e| e.to_string()))?;
            writeln!(io::stdout(), "{row:?}")?;
            rows.push(row);
        }
    }
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

fn measure(heap: Heap, count: usize, args: &Args) -> Result<Row, Failure> {
    let stepping = if args.events { Stepping::Events } else { Stepping::Windows };
    let zone = if args.events { Options::default().zone } else { 1e-3 };
    let mut options = Options { stepping, zone, ..Options::default() };
    if args.awake {
        options.sleep_below = 0.0;
    }
    let mut world = heap.world(count, options)?;
    let steps = (args.seconds / args.dt).round() as u32;
    let mut row = Row { heap: heap.name(), count, ..Row::default() };
    if !args.alone {
        let mut peer = Peer::new(&world, args.dt).map_err(|i| format!("body {i}"))?;
        if args.awake {
            peer.never_sleeps();
        }
        let mut times = Vec::new();
        for _ in 0..steps {
            let start = processor_time();
            peer.step();
            times.push((processor_time() - start).as_secs_f64());
        }
        row.rapier = times.iter().sum::<f64>() / args.seconds;
        row.rapier_worst_ms = 1e3 * times.iter().copied().fold(0.0, f64::max);
    }
    world.check()?;
    world.record(args.check);
    let mut inspector = Inspector::default();
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
    row.second = times.iter().sum::<f64>() / args.seconds;
    row.ratio = row.second / row.rapier;
    row.worst_ms = 1e3 * times.iter().copied().fold(0.0, f64::max);
    let findings = inspector.into_findings();
    row.overlaps = findings.overlaps.len();
    row.crossings = findings.crossings.len();
    row.asleep = world.bodies().iter().filter(|body| body.is_asleep()).count();
    row.energy = energy(&world);
    Ok(row)
}

/// Kinetic and potential energy.
fn energy(world: &World) -> f64 {
    let gravity = world.options().gravity;
    world
        .bodies()
        .iter()
        .map(|body| {
            let mass = body.solidity().map_or(0.0, |solidity| solidity.mass());
            body.kinetic_energy() - mass * gravity.dot(body.centre())
        })
        .sum()
}
