//! Random worlds that are as hard as can be, with a look at every frame and every step.
//!
//! `cargo run --release -p chasles-bench --bin adversaries -- [--seed N] [--count N] [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;

use chasles_bench::adversary::{Adversary, Row};
use chasles_bench::table::{Table, publish, reserve, write_csv};
use clap::Parser;

type Failure = Box<dyn std::error::Error>;

/// Random worlds: whether anything is ever in anything else, and whether the clock is right.
#[derive(Parser)]
struct Args {
    /// The first world.
    #[arg(long, default_value = "0")]
    seed: u64,
    /// How many worlds.
    #[arg(long, default_value = "60")]
    count: u64,
    /// Steps in each.
    #[arg(long, default_value = "50")]
    steps: u32,
    /// Processor seconds, with the looking, after which a world is listed as slow.
    #[arg(long, default_value = "120")]
    limit: f64,
    /// Write the rows as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let mut rows = Vec::new();
    let mut err = io::stderr();
    for seed in args.seed..args.seed + args.count {
        let row = Adversary::new(seed)?.run(seed, args.steps, args.limit);
        writeln!(err, "{}", cells(&row).join("  "))?;
        rows.push(row);
    }
    let head = ["seed", "dt", "bodies", "steps", "overlaps", "crossings", "lost", "wait"];
    let more = ["blocked", "free", "processor / step", "result", "world"];
    let mut table = Table::new(&[&head[..], &more].concat());
    rows.iter().for_each(|row| table.push(cells(row)));
    write!(io::stdout().lock(), "{}", table.to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

fn cells(row: &Row) -> Vec<String> {
    vec![
        row.seed.to_string(),
        format!("{:.1e}", row.dt),
        row.bodies.to_string(),
        row.steps.to_string(),
        row.overlaps.to_string(),
        row.crossings.to_string(),
        format!("{:.3} %", 100.0 * row.lost),
        row.longest_wait.to_string(),
        row.longest_block.to_string(),
        format!("{:.0e}", row.free_error),
        format!("{:.1} ms", 1e3 * row.processor_s / f64::from(row.steps.max(1))),
        row.result.clone(),
        row.story.clone(),
    ]
}
