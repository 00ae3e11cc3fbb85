//! The dial of the screen, and what the extensions of the paper's section 10 gain.
//!
//! `cargo run --release -p chasles-bench --bin dial -- [--csv FILE] [--pixels N,N,...]`
//! `cargo run --release -p chasles-bench --bin dial -- --extensions [--csv FILE]`
//!
//! The first asks for everything that faces the motion, at each resolution and by each drawing, and
//! compares the times with those of the exact method. The second counts comparisons and takes times
//! of the drawing in pixels with each extension: on a bolt that turns in its nut, and on tori of
//! 30,000 quads.

use std::f64::consts::TAU;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::mesh::shapes::{Bolt, Nut, Shape, Torus};
use chasles::screen::{Drawing, Options, Order, Resolution, Workspace, contacts};
use chasles::{Collider, Motion, Polyhedron, Pose, Screw, Step};
use chasles_bench::dial::Row;
use chasles_bench::scenes::{Passing, passing_tori};
use chasles_bench::stopwatch::{Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use chasles_bench::{Case, cases};
use chasles_testkit::screen::errors;
use chasles_testkit::step_along;
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// The dial of the screen.
#[derive(Parser)]
struct Args {
    /// Pixels along a typical short edge.
    #[arg(long, value_delimiter = ',', default_value = "3,6,12,24,48,96")]
    pixels: Vec<u32>,
    /// Measure the extensions of section 10 instead.
    #[arg(long)]
    extensions: bool,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// The drawings that are compared.
const DRAWINGS: [(Drawing, &str); 2] = [(Drawing::Pixels, "pixels"), (Drawing::Auto, "auto")];

/// The queries of the notes, and what they are called there.
const QUERIES: [&str; 6] =
    ["cube-early", "cube-deep", "car-early", "car-deep", "torus-early", "torus-deep"];

const QUADS: usize = 30_000;

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let mut out = io::stdout().lock();
    if args.extensions {
        let rows = extensions()?;
        write!(out, "{}", table_of_extensions(&rows).to_text())?;
        publish(csv, |out| write_csv(out, &rows))?;
        return Ok(());
    }
    let mut rows = Vec::new();
    for case in cases::speed_cases().iter().filter(|case| QUERIES.contains(&case.name.as_str())) {
        rows.extend(dial(case, &case.name, &args.pixels)?);
    }
    let tori = passing_tori(QUADS, Passing::Touching)?;
    rows.extend(dial(&tori, &format!("{QUADS} quads"), &args.pixels)?);
    write!(out, "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// A few seconds a query.
fn effort() -> Effort {
    Effort { budget: Duration::from_secs(1), min_rounds: 5, max_rounds: 101 }
}

fn step_of(case: &Case) -> Step {
    Step::new(
        Motion::between(case.a.poses[0], case.a.poses[1]),
        Motion::between(case.b.poses[0], case.b.poses[1]),
    )
}

fn dial(case: &Case, name: &str, pixels: &[u32]) -> Result<Vec<Row>, Failure> {
    let a = Collider::new(Polyhedron::new(&case.a.polygons)?);
    let b = Collider::new(Polyhedron::new(&case.b.polygons)?);
    let step = step_of(case);
    let all: Vec<(Options, &str, u32)> = DRAWINGS
        .iter()
        .flat_map(|&(drawing, name)| pixels.iter().map(move |&n| (drawing, name, n)))
        .map(|(drawing, name, n)| {
            let resolution = Resolution::Pixels(n);
            (Options { resolution, drawing, ..Options::default() }, name, n)
        })
        .collect();
    let contender = |(options, ..): &(Options, &str, u32)| {
        // As in the paper, and in its table.
        let options = Options { min_properness: -0.1, ..*options };
        let (a, b, step) = (&a, &b, &step);
        let mut workspace = Workspace::new();
        steady(move || contacts(a, b, step, &options, &mut workspace).map(<[_]>::len))
    };
    let seconds = medians(&mut all.iter().map(contender).collect::<Vec<_>>(), &effort());
    let mut rows = Vec::new();
    for ((options, drawing, pixels), seconds) in all.iter().zip(seconds) {
        let mut workspace = Workspace::new();
        contacts(&a, &b, &step, &Options { min_properness: -0.1, ..*options }, &mut workspace)?;
        let cost = workspace.statistics();
        let off = errors([&case.a.polygons, &case.b.polygons], &step, options);
        rows.push(Row {
            query: name.into(),
            drawing: (*drawing).into(),
            pixels: *pixels,
            seconds,
            records: cost.records,
            compared: cost.compared,
            facing: off.facing,
            shown: off.shown,
            worst: off.worst,
            mean: off.mean,
            proper: off.proper,
            missed: off.missed,
            extra: off.extra,
        });
    }
    Ok(rows)
}

fn table(rows: &[Row]) -> Table {
    let head = [
        "query", "drawing", "pixels", "time", "records", "compared", "shown", "of", "worst",
        "mean", "proper", "missed", "extra",
    ];
    let mut table = Table::new(&head);
    for row in rows {
        let counts = [row.records, row.compared, row.shown, row.facing].map(|n| n.to_string());
        let off = [row.worst, row.mean].map(|x| format!("{x:.2e}"));
        let found = [row.proper, row.missed, row.extra].map(|n| n.to_string());
        let name = [row.query.clone(), row.drawing.clone(), row.pixels.to_string()];
        let cells = name.into_iter().chain([duration(row.seconds)]);
        table.push(cells.chain(counts).chain(off).chain(found).collect());
    }
    table
}

/// A query with one of the extensions.
#[derive(Serialize)]
struct Extended {
    query: String,
    pixels: u32,
    extension: &'static str,
    seconds: f64,
    records: usize,
    compared: usize,
}

/// The name of an extension of the paper, and how options ask for it.
type Extension = (&'static str, fn(Options) -> Options);

/// The extensions, with what they change.
const EXTENSIONS: [Extension; 8] = [
    ("none", |options| options),
    ("time", |options| Options { order: Order::Time, ..options }),
    ("hash", |options| Options { order: Order::Hash, ..options }),
    ("coarse 4", |options| Options { coarse_first: 4, ..options }),
    ("coarse 16", |options| Options { coarse_first: 16, ..options }),
    ("no boxes", |options| Options { boxes_first: false, ..options }),
    ("hull", |options| Options { hull_first: true, ..options }),
    ("hull, no boxes", |options| Options { hull_first: true, boxes_first: false, ..options }),
];

/// Bolts turn by so many degrees.
const TURNS: [u32; 2] = [3, 360];

fn extensions() -> Result<Vec<Extended>, Failure> {
    let mut rows = Vec::new();
    for degrees in TURNS {
        let bodies = bolt_in_its_nut(degrees)?;
        for pixels in [6, 12, 24] {
            rows.extend(extend(&bodies, &format!("bolt by {degrees} degrees"), pixels)?);
        }
    }
    for (passing, name) in [(Passing::Touching, ""), (Passing::NearMiss, ", past each other")] {
        let tori = passing_tori(QUADS, passing)?;
        for pixels in [12, 100, 500] {
            rows.extend(extend(&made_ready(&tori)?, &format!("{QUADS} quads{name}"), pixels)?);
        }
    }
    for case in cases::speed_cases().iter().filter(|case| case.name.ends_with("-miss")) {
        rows.extend(extend(&made_ready(case)?, &case.name, 12)?);
    }
    rows.extend(extend(&past_a_corner()?, &format!("{QUADS} quads, past a corner"), 12)?);
    Ok(rows)
}

/// Two bodies that are ready for queries, and how they move.
type Pair = (Collider, Collider, Step);

fn made_ready(case: &Case) -> Result<Pair, Failure> {
    let [a, b] = [&case.a, &case.b].map(|body| Polyhedron::new(&body.polygons));
    Ok((Collider::new(a?), Collider::new(b?), step_of(case)))
}

/// Tori that pass each other corner by corner: bounds of both share places on the screen, and the
/// bodies do not.
fn past_a_corner() -> Result<Pair, Failure> {
    let side = ((QUADS / 3) as f64).sqrt().round() as u32;
    let torus = Shape::Torus(Torus { major: 1.0, minor: 0.4, segments: [3 * side, side] });
    let a = Collider::new(torus.build()?);
    let at = |y: f64| Pose::from_position([2.02, y, 2.02]);
    let still = Motion::still(Pose::IDENTITY);
    Ok((a.clone(), a, Step::new(still, Motion::between(at(-3.0)?, at(3.0)?))))
}

/// The bolt and the nut of `scenes/bolt.toml`.
fn bolt_in_its_nut(degrees: u32) -> Result<Pair, Failure> {
    let nut = Nut { radius: 0.5, pitch: 0.2, depth: 0.12, clearance: 0.02, ..Nut::default() };
    let bolt = Bolt { radius: 0.5, pitch: 0.2, depth: 0.12, ..Bolt::default() };
    let nut = Collider::new(Shape::Nut(nut).build()?);
    let bolt = Collider::new(Shape::Bolt(bolt).build()?);
    let turns = f64::from(degrees) / 360.0;
    let turn = Screw::from_twist([0.0, -TAU * turns, 0.0], [0.0, -0.2 * turns, 0.0])?;
    let still = (Pose::IDENTITY, Screw::STILL);
    Ok((nut, bolt, step_along(still, (Pose::IDENTITY, turn))))
}

fn extend((a, b, step): &Pair, query: &str, pixels: u32) -> Result<Vec<Extended>, Failure> {
    let plain = Options {
        resolution: Resolution::Pixels(pixels),
        drawing: Drawing::Pixels,
        min_properness: -0.1,
        max_records: 1 << 24,
        ..Options::default()
    };
    let contender = |(_, change): &Extension| {
        let options = change(plain);
        let mut workspace = Workspace::new();
        steady(move || contacts(a, b, step, &options, &mut workspace).map(<[_]>::len))
    };
    let mut contenders: Vec<_> = EXTENSIONS.iter().map(contender).collect();
    let seconds = medians(&mut contenders, &effort());
    let row = |((extension, change), seconds): (&Extension, f64)| {
        let mut workspace = Workspace::new();
        contacts(a, b, step, &change(plain), &mut workspace)?;
        let cost = workspace.statistics();
        Ok(Extended {
            query: query.into(),
            pixels,
            extension,
            seconds,
            records: cost.records,
            compared: cost.compared,
        })
    };
    EXTENSIONS.iter().zip(seconds).map(row).collect()
}

fn table_of_extensions(rows: &[Extended]) -> Table {
    let mut table = Table::new(&["query", "pixels", "extension", "time", "records", "compared"]);
    for row in rows {
        table.push(vec![
            row.query.clone(),
            row.pixels.to_string(),
            row.extension.to_string(),
            duration(row.seconds),
            row.records.to_string(),
            row.compared.to_string(),
        ]);
    }
    table
}
