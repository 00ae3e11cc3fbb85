//! The nine queries of `peers` under 256 motions that differ, in turn: what a processor does not
//! know by heart.
//!
//! `cargo run --release -p chasles-bench --bin mixed -- [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;

use chasles_bench::parry::{Cast, Path};
use chasles_bench::stopwatch::{Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, three_digits, write_csv};
use chasles_bench::{Case, Mode, Pair, cases};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// What was measured on one query; times in seconds of processor time. Ratios are parry's time, on
/// the screw, over ours.
#[derive(Serialize)]
struct Row {
    query: String,
    facing_s: f64,
    all_s: f64,
    first_s: f64,
    parry_s: f64,
    facing_ratio: f64,
    all_ratio: f64,
    first_ratio: f64,
    /// Of facing contacts: different motions in turn over the same one again and again.
    over_same: f64,
}

/// The nine queries under motions that differ.
#[derive(Parser)]
struct Args {
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let cases = cases::speed_cases();
    if cases.is_empty() {
        return Ok(());
    }
    let csv = reserve(args.csv.as_deref())?;
    let rows = cases.iter().map(measure).collect::<Result<Vec<Row>, Failure>>()?;
    write!(io::stdout().lock(), "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

fn measure(case: &Case) -> Result<Row, Failure> {
    let pair = Pair::new(case)?;
    let motions = pair.mixed();
    let [mut facing, mut all, mut first] = Mode::ALL.map(|mode| pair.in_turn(mode, &motions));
    let mut same = pair.query(Mode::Facing);
    let mut casts = Cast::new(case, Path::Screw);
    let mut next = motions.iter().cycle();
    let mut cast = || {
        casts.set_poses(*next.next().expect("a cycle has no end"));
        casts.run()
    };
    let seconds = medians(
        &mut [
            steady(|| facing.run().len()),
            steady(|| all.run().len()),
            steady(|| first.run().len()),
            steady(&mut cast),
            steady(|| same.run().len()),
        ],
        &Effort::default(),
    );
    let ratio = |i: usize| seconds[3] / seconds[i];
    Ok(Row {
        query: case.name.clone(),
        facing_s: seconds[0],
        all_s: seconds[1],
        first_s: seconds[2],
        parry_s: seconds[3],
        facing_ratio: ratio(0),
        all_ratio: ratio(1),
        first_ratio: ratio(2),
        over_same: seconds[0] / seconds[4],
    })
}

fn table(rows: &[Row]) -> Table {
    let ratios = ["parry/facing", "parry/all", "parry/first", "over the same motion"];
    let head = ["mixed", "facing", "all", "first", "parry"];
    let mut table = Table::new(&[&head[..], &ratios].concat());
    for row in rows {
        let times = [row.facing_s, row.all_s, row.first_s, row.parry_s].map(duration);
        let ratios = [row.facing_ratio, row.all_ratio, row.first_ratio, row.over_same];
        let cells = [row.query.clone()].into_iter().chain(times);
        table.push(cells.chain(ratios.map(three_digits)).collect());
    }
    table
}
