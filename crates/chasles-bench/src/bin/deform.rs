//! Pairs on straight paths and whole cloths: what a decision and what a step cost.
//!
//! `cargo run --release -p chasles-bench --bin deform -- [--queries FILE.csv] [--cloth FILE.csv]`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chasles::deform::{BroadPhase, Options, Surface, Workspace, self_contacts};
use chasles_bench::scenes::folded_cloth;
use chasles_bench::stopwatch::{Contender, Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use chasles_testkit::labelled::{LinearFile, linear_files};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// The cost of exact answers for surfaces that deform.
#[derive(Parser)]
struct Args {
    /// Quads along each side of the cloth.
    #[arg(long, value_delimiter = ',', default_value = "20,50,100,200,300")]
    quads: Vec<u32>,
    /// Up to so many quads a side every pair is tried as well.
    #[arg(long, default_value = "50")]
    all_up_to: u32,
    /// Write the measurements of labelled queries as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// Write the measurements of cloths as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    cloth: Option<PathBuf>,
}

/// One file of labelled queries.
#[derive(Serialize)]
struct QueryRow {
    file: String,
    queries: usize,
    false_hits: usize,
    missed: usize,
    exact: usize,
    mean_s: f64,
    median_s: f64,
    p99_s: f64,
    worst_s: f64,
}

/// One cloth.
#[derive(Serialize)]
struct ClothRow {
    quads: u32,
    triangles: usize,
    pairs: u64,
    contacts: usize,
    boxes_s: f64,
    octree_s: f64,
    all_s: Option<f64>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let [queries, cloth] = [&args.queries, &args.cloth].map(|path| reserve(path.as_deref()));
    let (queries, cloth) = (queries?, cloth?);
    let mut out = io::stdout().lock();
    let files = linear_files().unwrap_or_default();
    let rows: Vec<QueryRow> = files.iter().map(measure_file).collect();
    write!(out, "{}", query_table(&rows).to_text())?;
    publish(queries, |out| write_csv(out, &rows))?;
    let rows = args.quads.iter().map(|&quads| measure_cloth(quads, args.all_up_to));
    let rows = rows.collect::<Result<Vec<ClothRow>, Failure>>()?;
    write!(out, "{}", cloth_table(&rows).to_text())?;
    publish(cloth, |out| write_csv(out, &rows))?;
    Ok(())
}

/// Each query by itself: the least of several times, since an interruption of the machine lasts
/// longer than a query.
fn measure_file(file: &LinearFile) -> QueryRow {
    let mut row = QueryRow {
        file: file.name.clone(),
        queries: file.queries.len(),
        false_hits: 0,
        missed: 0,
        exact: 0,
        mean_s: 0.0,
        median_s: 0.0,
        p99_s: 0.0,
        worst_s: 0.0,
    };
    let mut times = Vec::with_capacity(file.queries.len());
    for query in &file.queries {
        let decision = query.pair.decide();
        row.false_hits += usize::from(decision.touches && !query.touches);
        row.missed += usize::from(!decision.touches && query.touches);
        row.exact += usize::from(decision.exact);
        times.push((0..7).map(|_| time_once(|| query.pair.decide())).fold(f64::MAX, f64::min));
    }
    times.sort_unstable_by(f64::total_cmp);
    let rank = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    row.mean_s = times.iter().sum::<f64>() / times.len() as f64;
    [row.median_s, row.p99_s, row.worst_s] = [0.5, 0.99, 1.0].map(rank);
    row
}

fn time_once<T>(run: impl Fn() -> T) -> f64 {
    let started = Instant::now();
    std::hint::black_box(run());
    started.elapsed().as_secs_f64()
}

fn measure_cloth(quads: u32, all_up_to: u32) -> Result<ClothRow, Failure> {
    let (mesh, end) = folded_cloth(quads);
    let surface = Surface::new(&mesh)?;
    let moving = surface.moving(&mesh.vertices, &end)?;
    let run = |broad_phase: BroadPhase, workspace: &mut Workspace| {
        let options = Options { broad_phase, ..Options::default() };
        self_contacts(&moving, &options, workspace).len()
    };
    let mut phases = vec![BroadPhase::Boxes, BroadPhase::Octree];
    phases.extend((quads <= all_up_to).then_some(BroadPhase::All));
    let mut workspace = Workspace::default();
    let contacts = run(BroadPhase::Boxes, &mut workspace);
    let pairs = workspace.statistics().pairs;
    let mut contenders: Vec<Contender<'_>> = phases
        .iter()
        .map(|&phase| {
            let mut workspace = Workspace::default();
            steady(move || run(phase, &mut workspace))
        })
        .collect();
    let effort = Effort { budget: Duration::from_secs(6), min_rounds: 3, max_rounds: 31 };
    let seconds = medians(&mut contenders, &effort);
    Ok(ClothRow {
        quads,
        triangles: surface.triangle_count(),
        pairs,
        contacts,
        boxes_s: seconds[0],
        octree_s: seconds[1],
        all_s: seconds.get(2).copied(),
    })
}

fn query_table(rows: &[QueryRow]) -> Table {
    let head =
        ["file", "queries", "false hits", "missed", "exact", "mean", "median", "p99", "worst"];
    let mut table = Table::new(&head);
    for row in rows {
        let counts = [row.queries, row.false_hits, row.missed, row.exact].map(|n| n.to_string());
        let times = [row.mean_s, row.median_s, row.p99_s, row.worst_s].map(duration);
        table.push([row.file.clone()].into_iter().chain(counts).chain(times).collect());
    }
    table
}

fn cloth_table(rows: &[ClothRow]) -> Table {
    let mut table =
        Table::new(&["quads a side", "triangles", "pairs", "contacts", "boxes", "octree", "all"]);
    for row in rows {
        table.push(vec![
            row.quads.to_string(),
            row.triangles.to_string(),
            row.pairs.to_string(),
            row.contacts.to_string(),
            duration(row.boxes_s),
            duration(row.octree_s),
            row.all_s.map_or("-".into(), duration),
        ]);
    }
    table
}
