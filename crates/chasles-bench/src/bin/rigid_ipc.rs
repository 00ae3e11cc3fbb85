//! Scenes of a public benchmark for intersection-free rigid bodies, with a look at every frame and
//! every step.
//!
//! `cargo run --release -p chasles-bench --bin rigid_ipc -- [--windows | --events] [--seconds S]
//! [--limit S] [--scene PART] [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;

use chasles_bench::rigid_ipc::{Effort, Row, folder, run, scenes};
use chasles_bench::table::{Table, publish, reserve, write_csv};
use chasles_dynamics::Options;
use clap::Parser;

type Failure = Box<dyn std::error::Error>;

/// Scenes from elsewhere: what runs, and whether anything is ever in anything else.
#[derive(Parser)]
struct Args {
    /// How long, in seconds of a scene; its own time if that is shorter, or if this is not given.
    #[arg(long)]
    seconds: Option<f64>,
    /// How long a scene may take, in seconds of processor time, with the looking; then it is listed
    /// as slow.
    #[arg(long, default_value = "60")]
    limit: f64,
    /// All contacts of a step together; this is what is done if nothing is given.
    #[arg(long, conflicts_with = "events")]
    windows: bool,
    /// One impact after the other.
    #[arg(long)]
    events: bool,
    /// Only scenes whose name contains this.
    #[arg(long)]
    scene: Option<String>,
    /// Write the rows as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let Some(folder) = folder() else {
        return Err(
            "note: no folder rigid-ipc with fixtures; CHASLES_SHARED may name its parent".into()
        );
    };
    let options = if args.events { Options::events() } else { Options::windows() };
    let effort = Effort { seconds: args.seconds, limit: args.limit, options };
    let mut err = io::stderr();
    let mut rows = Vec::new();
    for (name, path) in scenes(&folder)? {
        if args.scene.as_ref().is_none_or(|wanted| name.contains(wanted)) {
            writeln!(err, "{name}")?;
            rows.push(run(&name, &path, effort));
        }
    }
    write!(io::stdout().lock(), "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

fn table(rows: &[Row]) -> Table {
    let head = ["scene", "bodies", "result", "simulated", "overlaps", "crossings", "passing"];
    let more = ["waits", "in a row", "lost", "processor / s"];
    let mut table = Table::new(&[&head[..], &more].concat());
    rows.iter().for_each(|row| table.push(row.cells()));
    table
}
