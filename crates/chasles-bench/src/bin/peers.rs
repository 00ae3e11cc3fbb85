//! Nine queries, chasles and parry side by side in one process.
//!
//! `cargo run --release -p chasles-bench --bin peers -- [--csv FILE] [--json FILE]`

use std::hint::black_box;
use std::io::{self, Write};
use std::{env, fs};

use chasles_bench::parry::{Cast, Path};
use chasles_bench::stopwatch::{Effort, medians};
use chasles_bench::table::{Table, duration, three_digits};
use chasles_bench::{Case, Mode, Query, cases};
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// What was measured on one query; times in seconds.
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
    facing_bar: f64,
    all_bar: Option<f64>,
    meets_bars: bool,
    facing_contacts: usize,
    all_contacts: usize,
    certified_time: Option<f64>,
    chasles_time: Option<f64>,
    chasles_facing_time: Option<f64>,
    parry_time: Option<f64>,
    parry_screw_time: Option<f64>,
}

fn main() -> Result<(), Failure> {
    let outputs = Outputs::from_args(env::args().skip(1))?;
    let mut out = io::stdout().lock();
    let cases = cases::speed_cases()?;
    if cases.is_empty() {
        writeln!(out, "{}", cases::absence())?;
        return Ok(());
    }
    let mut rows = Vec::new();
    for case in &cases {
        rows.push(measure(case)?);
    }
    write!(out, "{}\n{}", times(&rows).to_text(), answers(&rows).to_text())?;
    if let Some(path) = outputs.csv {
        fs::write(path, csv(&rows)?)?;
    }
    if let Some(path) = outputs.json {
        fs::write(path, serde_json::to_string_pretty(&rows)? + "\n")?;
    }
    Ok(())
}

#[derive(Default)]
struct Outputs {
    csv: Option<String>,
    json: Option<String>,
}

impl Outputs {
    fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let mut outputs = Self::default();
        while let Some(arg) = args.next() {
            let file = args.next().ok_or_else(|| format!("{arg} needs a file"))?;
            match arg.as_str() {
                "--csv" => outputs.csv = Some(file),
                "--json" => outputs.json = Some(file),
                _ => return Err(format!("unknown option {arg}: --csv FILE or --json FILE").into()),
            }
        }
        Ok(outputs)
    }
}

fn measure(case: &Case) -> Result<Row, Failure> {
    let [mut facing, mut all, mut first] = [
        Query::new(case, Mode::Facing)?,
        Query::new(case, Mode::All)?,
        Query::new(case, Mode::First)?,
    ];
    let [straight, screw] = [Cast::new(case, Path::Straight), Cast::new(case, Path::Screw)];
    let answers = (
        facing.run().first().map(|c| c.time),
        facing.run().len(),
        all.run().len(),
        first.run().first().map(|c| c.time),
    );
    let seconds = medians(
        &mut [
            &mut || _ = black_box(facing.run()),
            &mut || _ = black_box(all.run()),
            &mut || _ = black_box(first.run()),
            &mut || _ = black_box(straight.run()),
            &mut || _ = black_box(screw.run()),
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
        facing_bar: facing_bar.unwrap_or(0.0),
        all_bar,
        meets_bars: facing_bar.is_none_or(|bar| ratio(0) >= bar)
            && all_bar.is_none_or(|bar| ratio(1) >= bar),
        facing_contacts: answers.1,
        all_contacts: answers.2,
        certified_time: case.first_contact_time,
        chasles_time: answers.3,
        chasles_facing_time: answers.0,
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
            bar(Some(row.facing_bar)),
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
        "certified",
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
            time(row.certified_time),
            time(row.chasles_time),
            time(row.chasles_facing_time),
            time(row.parry_screw_time),
            time(row.parry_time),
        ]);
    }
    table
}

/// One column for each field of a row, in full precision.
fn csv(rows: &[Row]) -> Result<String, Failure> {
    let objects = rows.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?;
    let mut lines = Vec::new();
    for object in objects.iter().filter_map(|value| value.as_object()) {
        if lines.is_empty() {
            lines.push(object.keys().cloned().collect::<Vec<_>>().join(","));
        }
        let cell =
            |value: &serde_json::Value| value.to_string().replace(['"'], "").replace("null", "");
        lines.push(object.values().map(cell).collect::<Vec<_>>().join(","));
    }
    Ok(lines.join("\n") + "\n")
}
