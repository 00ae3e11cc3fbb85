//! How the time of the screen grows with its resolution, and with the faces of the bodies.
//!
//! `cargo run --release -p chasles-bench --bin screen_growth -- [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::screen::{Options, Resolution, Workspace, contacts};
use chasles::{Collider, Motion, Polyhedron, Step};
use chasles_bench::scenes::{Passing, passing_tori};
use chasles_bench::screen_growth::{Over, Row};
use chasles_bench::stopwatch::{Contender, Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use chasles_bench::{Case, cases};
use clap::Parser;

type Failure = Box<dyn std::error::Error>;

/// How the time of the screen grows.
#[derive(Parser)]
struct Args {
    /// Pixels along a typical short edge.
    #[arg(long, value_delimiter = ',', default_value = "6,12,24,48,96")]
    pixels: Vec<u32>,
    /// Numbers of quads of each torus.
    #[arg(long, value_delimiter = ',', default_value = "300,3000,30000")]
    quads: Vec<usize>,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let mut rows = Vec::new();
    for case in cases::speed_cases() {
        rows.extend(over_pixels(&case, &case.name, &args.pixels)?);
    }
    // Of these so many faces are near each other that they are drawn.
    if let Some(&most) = args.quads.iter().max() {
        let tori = passing_tori(most, Passing::Touching)?;
        rows.extend(over_pixels(&tori, &format!("{most} quads"), &args.pixels)?);
    }
    for passing in Passing::ALL {
        let queries =
            args.quads.iter().map(|&quads| Query::new(&passing_tori(quads, passing)?, 12));
        let queries = queries.collect::<Result<Vec<Query>, Failure>>()?;
        let seconds = measure(&queries);
        let sizes = queries.iter().map(|query| query.a.mesh().face_count() as u32);
        rows.extend(lines(Over::Faces, passing.name(), sizes.zip(seconds)));
    }
    write!(io::stdout().lock(), "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

fn over_pixels(case: &Case, name: &str, pixels: &[u32]) -> Result<Vec<Row>, Failure> {
    let queries = pixels.iter().map(|&n| Query::new(case, n));
    let queries = queries.collect::<Result<Vec<Query>, Failure>>()?;
    let seconds = measure(&queries);
    Ok(lines(Over::Pixels, name, pixels.iter().copied().zip(seconds)))
}

/// Two bodies and a resolution.
struct Query {
    a: Collider,
    b: Collider,
    step: Step,
    options: Options,
}

impl Query {
    fn new(case: &Case, pixels: u32) -> Result<Self, Failure> {
        let resolution = Resolution::Pixels(pixels);
        Ok(Self {
            a: Collider::new(Polyhedron::new(&case.a.polygons)?),
            b: Collider::new(Polyhedron::new(&case.b.polygons)?),
            step: Step::new(
                Motion::between(case.a.poses[0], case.a.poses[1]),
                Motion::between(case.b.poses[0], case.b.poses[1]),
            ),
            options: Options { resolution, min_properness: -0.1, ..Options::default() },
        })
    }

    fn contender(&self) -> Contender<'_> {
        let mut workspace = Workspace::new();
        steady(move || {
            contacts(&self.a, &self.b, &self.step, &self.options, &mut workspace).map(<[_]>::len)
        })
    }
}

/// Times queries in turns, so that a drift of the machine does not bend the line.
fn measure(queries: &[Query]) -> Vec<f64> {
    let effort = Effort { budget: Duration::from_secs(2), min_rounds: 5, max_rounds: 101 };
    medians(&mut queries.iter().map(Query::contender).collect::<Vec<_>>(), &effort)
}

fn lines(over: Over, query: &str, points: impl Iterator<Item = (u32, f64)>) -> Vec<Row> {
    points.map(|(size, seconds)| Row { over, query: query.into(), size, seconds }).collect()
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&["query", "size", "time"]);
    for row in rows {
        table.push(vec![row.query.clone(), row.size.to_string(), duration(row.seconds)]);
    }
    table
}
