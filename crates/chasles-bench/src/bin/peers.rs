//! Nine queries, chasles and parry side by side in one process.
//!
//! `cargo run --release -p chasles-bench --bin peers -- [--csv FILE] [--json FILE]`

use std::io::{self, Write};
use std::path::PathBuf;

use chasles_bench::parry::{Cast, Path};
use chasles_bench::stopwatch::{Effort, medians, steady};
use chasles_bench::table::{
    Table, duration, publish, reserve, three_digits, write_csv, write_json,
};
use chasles_bench::{Case, Mode, Pair, Query, cases};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// What was measured on one query; times in seconds of processor time. Ratios are parry's time on
/// the straight path over ours, unless they name the screw.
#[derive(Serialize)]
struct Row {
    query: String,
    facing_s: f64,
    all_s: f64,
    first_s: f64,
    parry_s: f64,
    parry_screw_s: f64,
    facing_ratio: f64,
    all_ratio: f64,
    first_ratio: f64,
    facing_screw_ratio: f64,
    facing_bar: Option<f64>,
    all_bar: Option<f64>,
    meets_bars: bool,
    facing_contacts: usize,
    all_contacts: usize,
    labelled_time: Option<f64>,
    chasles_time: Option<f64>,
    chasles_facing_time: Option<f64>,
    parry_time: Option<f64>,
    parry_screw_time: Option<f64>,
}

/// Nine queries, chasles and parry side by side.
#[derive(Parser)]
struct Args {
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the measurements as JSON, times in seconds.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let cases = cases::speed_cases();
    if cases.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let (csv, json) = (reserve(args.csv.as_deref())?, reserve(args.json.as_deref())?);
    let rows = cases.iter().map(measure).collect::<Result<Vec<Row>, Failure>>()?;
    write!(out, "{}\n{}", times(&rows).to_text(), answers(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    publish(json, |out| write_json(out, &rows))?;
    Ok(())
}

fn measure(case: &Case) -> Result<Row, Failure> {
    let pair = Pair::new(case)?;
    let [mut facing, mut all, mut first] = Mode::ALL.map(|mode| pair.query(mode));
    let [straight, screw] = [Cast::new(case, Path::Straight), Cast::new(case, Path::Screw)];
    let time = |query: &mut Query<'_>| query.run().first().map(|contact| contact.time);
    let [facing_contacts, all_contacts] = [facing.run().len(), all.run().len()];
    let [chasles_facing_time, chasles_time] = [time(&mut facing), time(&mut first)];
    let seconds = medians(
        &mut [
            steady(|| facing.run().len()),
            steady(|| all.run().len()),
            steady(|| first.run().len()),
            steady(|| straight.run()),
            steady(|| screw.run()),
        ],
        &Effort::default(),
    );
    let [facing_bar, all_bar] = bars(case.shape());
    let ratio = |i: usize| seconds[3] / seconds[i];
    Ok(Row {
        query: case.name.clone(),
        facing_s: seconds[0],
        all_s: seconds[1],
        first_s: seconds[2],
        parry_s: seconds[3],
        parry_screw_s: seconds[4],
        facing_ratio: ratio(0),
        all_ratio: ratio(1),
        first_ratio: ratio(2),
        facing_screw_ratio: seconds[4] / seconds[0],
        facing_bar,
        all_bar,
        meets_bars: facing_bar.is_none_or(|bar| ratio(0) >= bar)
            && all_bar.is_none_or(|bar| ratio(1) >= bar),
        facing_contacts,
        all_contacts,
        labelled_time: case.first_contact_time,
        chasles_time,
        chasles_facing_time,
        parry_time: straight.run().map(|hit| hit.time_of_impact),
        parry_screw_time: screw.run().map(|hit| hit.time_of_impact),
    })
}

/// How many times faster than parry the facing mode and all contacts are meant to be.
fn bars(shape: &str) -> [Option<f64>; 2] {
    match shape {
        "cube" => [Some(2.0), None],
        "car" => [Some(20.0), None],
        "torus" => [Some(3000.0), Some(1000.0)],
        _ => [None, None],
    }
}

fn times(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "query",
        "facing",
        "all",
        "first",
        "parry",
        "parry on the screw",
        "parry/facing",
        "same on the screw",
        "bar",
        "parry/all",
        "bar",
        "parry/first",
        "bars met",
    ]);
    for row in rows {
        let bar = |bar: Option<f64>| bar.map_or("-".into(), three_digits);
        table.push(vec![
            row.query.clone(),
            duration(row.facing_s),
            duration(row.all_s),
            duration(row.first_s),
            duration(row.parry_s),
            duration(row.parry_screw_s),
            three_digits(row.facing_ratio),
            three_digits(row.facing_screw_ratio),
            bar(row.facing_bar),
            three_digits(row.all_ratio),
            bar(row.all_bar),
            three_digits(row.first_ratio),
            if row.meets_bars { "yes" } else { "no" }.into(),
        ]);
    }
    table
}

fn answers(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "query",
        "facing contacts",
        "all contacts",
        "labelled",
        "chasles",
        "chasles facing",
        "parry on the screw",
        "parry",
    ]);
    for row in rows {
        let time = |t: Option<f64>| t.map_or("-".into(), |t| format!("{t:.9}"));
        table.push(vec![
            row.query.clone(),
            row.facing_contacts.to_string(),
            row.all_contacts.to_string(),
            time(row.labelled_time),
            time(row.chasles_time),
            time(row.chasles_facing_time),
            time(row.parry_screw_time),
            time(row.parry_time),
        ]);
    }
    table
}
