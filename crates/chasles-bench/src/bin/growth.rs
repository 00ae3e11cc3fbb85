//! How the time of a query grows from 300 to 300,000 faces, with and without preprocessing.
//!
//! `cargo run --release -p chasles-bench --bin growth -- [--csv FILE] [--json FILE] [--plot FILE]`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::mesh::MeshError;
use chasles::{Polyhedron, Pose};
use chasles_bench::growth::{self, Phase, Point, Series};
use chasles_bench::scenes::{Passing, passing_tori};
use chasles_bench::stopwatch::{Contender, Effort, medians, prepared, steady};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv, write_json};
use chasles_bench::{Mode, Pair};
use clap::Parser;

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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let files = [&args.csv, &args.json, &args.plot].map(|path| reserve(path.as_deref()));
    let [csv, json, plot] = files;
    let (csv, json, plot) = (csv?, json?, plot?);
    let mut series = Vec::new();
    for passing in Passing::ALL {
        let sizes = args.quads.iter().map(|&quads| Size::new(quads, passing));
        let sizes = sizes.collect::<Result<Vec<Size>, MeshError>>()?;
        for mode in [Mode::Facing, Mode::All] {
            series.extend(Phase::ALL.map(|phase| measure(&sizes, passing, mode, phase)));
        }
    }
    write!(io::stdout().lock(), "{}", table(&series, &args.quads).to_text())?;
    let rows = growth::rows(&series);
    publish(csv, |out| write_csv(out, &rows))?;
    publish(json, |out| write_json(out, &rows))?;
    let svg = growth::plot(&series)?.to_svg();
    publish(plot, |out| out.write_all(svg.as_bytes()))?;
    Ok(())
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
    Series { scene: passing.name().into(), mode: mode.name().into(), phase, points }
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
            [&line.scene, &line.mode, line.phase.name()].map(String::from).into();
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
