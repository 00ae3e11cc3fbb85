//! Every scene of `chasles simulate`, at three lengths of a step: what it costs, and whether
//! anything is ever in anything else. Some of them in rapier as well.
//!
//! `cargo run --release -p chasles-bench --bin simulations -- [--csv FILE] [--rapier FILE]`

use std::io::{self, Write};
use std::path::PathBuf;

use chasles_bench::simulation::{PeerRow, Row, measure, measure_peer, scenes, step_name};
use chasles_bench::table::{Table, duration, publish, reserve, three_digits, write_csv};
use clap::Parser;

type Failure = Box<dyn std::error::Error>;

/// Scenes that are run in rapier too.
const SHARED: [&str; 4] = ["cars", "dominoes", "rocks", "wall"];

/// The length of a step of those.
const SHARED_DT: f64 = 1.0 / 60.0;

/// Simulated scenes: time, and truth.
#[derive(Parser)]
struct Args {
    /// Lengths of a step in seconds.
    #[arg(long, value_delimiter = ',', default_value = "1/30,1/60,1/240", value_parser = length)]
    dt: Vec<f64>,
    /// How long, in seconds of the scene.
    #[arg(long, default_value = "10")]
    seconds: f64,
    /// Only the scene of this name, such as wall.
    #[arg(long)]
    scene: Option<String>,
    /// Write what Chasles does as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write what rapier does as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    rapier: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let [csv, rapier] = [&args.csv, &args.rapier].map(|path| reserve(path.as_deref()));
    let (csv, rapier) = (csv?, rapier?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut err = io::stderr();
    let (mut rows, mut peers): (Vec<Row>, Vec<PeerRow>) = (Vec::new(), Vec::new());
    for (name, path) in scenes()? {
        if args.scene.as_ref().is_some_and(|wanted| *wanted != name) {
            continue;
        }
        if SHARED.contains(&name.as_str()) {
            writeln!(err, "{name} in rapier, steps of {} s", step_name(SHARED_DT))?;
            peers.push(measure_peer(&name, &path, (SHARED_DT, args.seconds))?);
        }
        for &dt in &args.dt {
            writeln!(err, "{name}, steps of {} s", step_name(dt))?;
            let run = || measure(&name, &path, (dt, args.seconds)).map_err(|e| e.to_string());
            rows.push(pool.install(run)?);
        }
    }
    let mut out = io::stdout().lock();
    write!(out, "{}\n{}", table(&rows).to_text(), peer_table(&peers).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    publish(rapier, |out| write_csv(out, &peers))?;
    Ok(())
}

/// Seconds, or a fraction of one such as `1/60`.
fn length(text: &str) -> Result<f64, std::num::ParseFloatError> {
    match text.split_once('/') {
        Some((over, under)) => Ok(over.parse::<f64>()? / under.parse::<f64>()?),
        None => text.parse(),
    }
}

fn table(rows: &[Row]) -> Table {
    let head = [
        "scene",
        "dt",
        "bodies",
        "impacts",
        "contacts",
        "waits",
        "overlaps",
        "crossings",
        "worst depth",
        "took",
        "of real time",
    ];
    let mut table = Table::new(&head);
    for row in rows {
        let counts = [row.bodies, row.impacts, row.contacts, row.waits, row.overlaps];
        let last = [row.worst_depth.to_string(), duration(row.wall_s), three_digits(row.real_time)];
        let cells = [row.scene.clone(), step_name(row.dt)].into_iter();
        let counts = counts.into_iter().chain([row.crossings]).map(|count| count.to_string());
        table.push(cells.chain(counts).chain(last).collect());
    }
    table
}

fn peer_table(rows: &[PeerRow]) -> Table {
    let mut table =
        Table::new(&["rapier", "dt", "overlaps", "worst depth", "took", "of real time"]);
    for row in rows {
        table.push(vec![
            row.scene.clone(),
            step_name(row.dt),
            row.overlaps.to_string(),
            format!("{:.2e}", row.worst_depth),
            duration(row.wall_s),
            three_digits(row.real_time),
        ]);
    }
    table
}
