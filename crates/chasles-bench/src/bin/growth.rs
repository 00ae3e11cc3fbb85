//! How the time of a query grows from 300 to 300,000 faces, with and without preprocessing.
//!
//! `cargo run --release -p chasles-bench --bin growth -- [--csv FILE] [--json FILE] [--plot FILE]`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::mesh::MeshError;
use chasles::{Polyhedron, Pose};
use chasles_bench::growth::{Phase, Point, Series};
use chasles_bench::scenes::{Passing, passing_tori};
use chasles_bench::stopwatch::{Contender, Effort, medians, prepared, steady};
use chasles_bench::table::{Table, duration, write_csv, write_json};
use chasles_bench::{Mode, Pair};
use chasles_cli::picture::{self, Axis, PictureError, Plot, Style};
use clap::Parser;
use serde::Serialize;

/// How the time of a query grows with the meshes.
#[derive(Parser)]
struct Args {
    /// Numbers of quads of each torus.
    #[arg(long, value_delimiter = ',', default_value = "300,3000,30000,300000")]
    quads: Vec<usize>,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the measurements as JSON, times in seconds.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw the measurements as SVG.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// One point of a series as the files state it.
#[derive(Serialize)]
struct Row {
    scene: &'static str,
    mode: &'static str,
    phase: Phase,
    faces: usize,
    contacts: usize,
    seconds: f64,
    slope: f64,
    bar: Option<f64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let mut series = Vec::new();
    for passing in Passing::ALL {
        let sizes = args.quads.iter().map(|&quads| Size::new(quads, passing));
        let sizes = sizes.collect::<Result<Vec<Size>, MeshError>>()?;
        for mode in [Mode::Facing, Mode::All] {
            series.extend(Phase::ALL.map(|phase| measure(&sizes, passing, mode, phase)));
        }
    }
    write!(io::stdout().lock(), "{}", table(&series, &args.quads).to_text())?;
    let rows: Vec<Row> = series.iter().flat_map(rows).collect();
    if let Some(path) = args.csv {
        write_csv(&path, &rows)?;
    }
    if let Some(path) = args.json {
        write_json(&path, &rows)?;
    }
    if let Some(path) = args.plot {
        std::fs::write(path, plot(&series)?.to_svg())?;
    }
    Ok(())
}

/// Time over faces on logarithmic axes, one line for each series.
fn plot(series: &[Series]) -> Result<Plot, PictureError> {
    let size = picture::Size::new(900, 600)?;
    let mut plot = Plot::new(size, Axis::log("faces of each torus"), Axis::log("seconds"));
    plot.title("Time of a query over the size of the meshes");
    for line in series {
        let name = format!("{}, {}, {}", line.scene, line.mode, line.phase.name());
        let points: Vec<[f64; 2]> =
            line.points.iter().map(|point| [point.faces as f64, point.seconds]).collect();
        plot.series(&name, Style::LineAndDots, &points);
    }
    Ok(plot)
}

/// A scene at one size: the meshes for fresh queries, the colliders for steady ones.
struct Size {
    meshes: [Polyhedron; 2],
    poses: [[Pose; 2]; 2],
    pair: Pair,
}

impl Size {
    fn new(quads: usize, passing: Passing) -> Result<Self, MeshError> {
        let case = passing_tori(quads, passing)?;
        let meshes = [Polyhedron::new(&case.a.polygons)?, Polyhedron::new(&case.b.polygons)?];
        let poses = [case.a.poses, case.b.poses];
        Ok(Self { pair: Pair::from_meshes(meshes.clone(), poses), meshes, poses })
    }

    fn contender(&self, mode: Mode, phase: Phase) -> Contender<'_> {
        match phase {
            Phase::Fresh => prepared(
                || self.meshes.clone(),
                move |meshes| {
                    let pair = Pair::from_meshes(meshes, self.poses);
                    let contacts = pair.query(mode).run().len();
                    (pair, contacts)
                },
            ),
            Phase::Steady => {
                let mut query = self.pair.query(mode);
                steady(move || query.run().len())
            }
        }
    }
}

/// Times all sizes in turns, so that a drift of the machine does not bend the line.
fn measure(sizes: &[Size], passing: Passing, mode: Mode, phase: Phase) -> Series {
    let effort = Effort { budget: Duration::from_secs(8), min_rounds: 5, max_rounds: 51 };
    let mut contenders: Vec<_> = sizes.iter().map(|size| size.contender(mode, phase)).collect();
    let seconds = medians(&mut contenders, &effort);
    let point = |(size, seconds): (&Size, f64)| Point {
        faces: size.meshes[0].face_count(),
        contacts: size.pair.query(mode).run().len(),
        seconds,
    };
    let points = sizes.iter().zip(seconds).map(point).collect();
    Series { scene: passing.name(), mode: mode.name(), phase, points }
}

fn table(series: &[Series], quads: &[usize]) -> Table {
    let sizes: Vec<String> = quads.iter().map(|quads| format!("{quads} quads")).collect();
    let mut head = vec!["scene", "mode", "phase"];
    head.extend(sizes.iter().map(String::as_str));
    head.extend(["contacts at the largest", "slope", "bar", "met"]);
    let mut table = Table::new(&head);
    for line in series {
        let bar = line.bar();
        let met = bar.map_or("-", |bar| if line.slope() <= bar { "yes" } else { "no" });
        let mut row: Vec<String> =
            [line.scene, line.mode, line.phase.name()].map(String::from).into();
        row.extend(line.points.iter().map(|point| duration(point.seconds)));
        row.extend([
            line.points.last().map_or("-".into(), |point| point.contacts.to_string()),
            format!("{:.2}", line.slope()),
            bar.map_or("-".into(), |bar| format!("{bar:.1}")),
            met.into(),
        ]);
        table.push(row);
    }
    table
}

fn rows(series: &Series) -> Vec<Row> {
    let row = |point: &Point| Row {
        scene: series.scene,
        mode: series.mode,
        phase: series.phase,
        faces: point.faces,
        contacts: point.contacts,
        seconds: point.seconds,
        slope: series.slope(),
        bar: series.bar(),
    };
    series.points.iter().map(row).collect()
}
