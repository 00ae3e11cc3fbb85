//! The table of the paper's section 9.1: cubes, cars and tori at three resolutions.
//!
//! `cargo run --release -p chasles-bench --bin screen -- [--csv FILE] [--pixels N,N,...]`
//!
//! As in the paper, contacts with a properness of at least -0.1 are asked for. The exact engine
//! answers the same question beside it.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::screen::{Drawing, Options, Resolution, ScreenError, Workspace, contacts};
use chasles::{Collider, Motion, Polyhedron, Step};
use chasles_bench::stopwatch::{Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, three_digits, write_csv};
use chasles_bench::{Case, Mode, Pair, cases};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// The screen's times on the labelled speed cases.
#[derive(Parser)]
struct Args {
    /// Pixels along a typical short edge.
    #[arg(long, value_delimiter = ',', default_value = "6,12,24")]
    pixels: Vec<u32>,
    /// Only cases whose name contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// One cell of the table.
#[derive(Serialize)]
struct Row {
    query: String,
    pixels: u32,
    /// By the paper's own drawing.
    pixels_s: f64,
    /// By what is fastest.
    auto_s: f64,
    exact_s: f64,
    paper_s: Option<f64>,
    contacts: usize,
    auto_contacts: usize,
    exact_contacts: usize,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let cases = cases::speed_cases();
    if cases.is_empty() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    let csv = reserve(args.csv.as_deref())?;
    let mut rows = Vec::new();
    for case in cases.iter().filter(|case| case.name.contains(&args.only)) {
        rows.extend(measure(case, &args.pixels)?);
    }
    write!(out, "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// The printed times of the paper, in seconds.
fn paper(shape: &str, pixels: u32) -> Option<f64> {
    let microseconds = match shape {
        "cube" => [56.0, 63.0, 77.0],
        "car" => [109.0, 128.0, 170.0],
        "torus" => [2040.0, 2560.0, 3480.0],
        _ => return None,
    };
    let column = [6, 12, 24].iter().position(|&n| n == pixels)?;
    Some(1e-6 * microseconds[column])
}

fn measure(case: &Case, pixels: &[u32]) -> Result<Vec<Row>, Failure> {
    let exact = Pair::new(case)?;
    let a = Collider::new(Polyhedron::new(&case.a.polygons)?);
    let b = Collider::new(Polyhedron::new(&case.b.polygons)?);
    let options = |drawing: Drawing| {
        move |n: &u32| Options {
            resolution: Resolution::Pixels(*n),
            drawing,
            min_properness: -0.1,
            ..Options::default()
        }
    };
    let count = |options: &Options, workspace: &mut Workspace| -> Result<usize, ScreenError> {
        let step = Step::new(
            Motion::between(case.a.poses[0], case.a.poses[1]),
            Motion::between(case.b.poses[0], case.b.poses[1]),
        );
        Ok(contacts(&a, &b, &step, options, workspace)?.len())
    };
    let by_pixels = pixels.iter().map(options(Drawing::Pixels));
    let settings: Vec<Options> =
        by_pixels.chain(pixels.iter().map(options(Drawing::Auto))).collect();
    let counts = settings.iter().map(|o| count(o, &mut Workspace::new()));
    let counts = counts.collect::<Result<Vec<usize>, ScreenError>>()?;
    let mut query = exact.query(Mode::Facing);
    let exact_contacts = query.run().len();
    let mut contenders = vec![steady(move || query.run().len())];
    for options in &settings {
        let mut workspace = Workspace::new();
        contenders.push(steady(move || count(options, &mut workspace)));
    }
    let effort = Effort { budget: Duration::from_secs(2), ..Effort::default() };
    let seconds = medians(&mut contenders, &effort);
    let all = pixels.len();
    let row = |(i, &pixels): (usize, &u32)| Row {
        query: case.name.clone(),
        pixels,
        pixels_s: seconds[i + 1],
        auto_s: seconds[i + 1 + all],
        exact_s: seconds[0],
        paper_s: paper(case.shape(), pixels),
        contacts: counts[i],
        auto_contacts: counts[i + all],
        exact_contacts,
    };
    Ok(pixels.iter().enumerate().map(row).collect())
}

fn table(rows: &[Row]) -> Table {
    let head = [
        "query",
        "pixels",
        "by pixels",
        "auto",
        "paper",
        "paper/pixels",
        "paper/auto",
        "exact",
        "contacts",
        "auto has",
        "exact has",
    ];
    let mut table = Table::new(&head);
    for row in rows {
        let ratio =
            |seconds: f64| row.paper_s.map_or("-".into(), |paper| three_digits(paper / seconds));
        table.push(vec![
            row.query.clone(),
            row.pixels.to_string(),
            duration(row.pixels_s),
            duration(row.auto_s),
            row.paper_s.map_or("-".into(), duration),
            ratio(row.pixels_s),
            ratio(row.auto_s),
            duration(row.exact_s),
            row.contacts.to_string(),
            row.auto_contacts.to_string(),
            row.exact_contacts.to_string(),
        ]);
    }
    table
}
