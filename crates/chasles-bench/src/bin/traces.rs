//! Traces through halls of growing size, chasles and parry side by side in one process.
//!
//! `cargo run --release -p chasles-bench --bin traces -- [--csv FILE]`

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use chasles::glam::DVec3;
use chasles::trace::{Body, Broad, Contents, Fixture, Trace, Turn, Workspace, World};
use chasles::{Polygons, Pose};
use chasles_bench::level::hall;
use chasles_bench::parry::{Level, Moving};
use chasles_bench::stopwatch::{Contender, Effort, median, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, three_digits, write_csv};
use chasles_testkit::generate::Random;
use chasles_testkit::shapes;
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// What a trace costs, and what parry's cast on the same level does.
#[derive(Parser)]
struct Args {
    /// Polygons of the levels.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    polygons: Vec<usize>,
    /// Queries of each kind.
    #[arg(long, default_value = "2000")]
    queries: usize,
    /// Leave parry out.
    #[arg(long)]
    alone: bool,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// One kind of query in one level. Means are of processor time over all queries, medians over the
/// least times of each.
#[derive(Serialize)]
struct Row {
    query: &'static str,
    polygons: usize,
    triangles: usize,
    internal_edges: f64,
    internal_vertices: f64,
    queries: usize,
    stopped: usize,
    disagreements: Option<usize>,
    boxes_mean_s: f64,
    boxes_median_s: f64,
    bsp_mean_s: f64,
    bsp_median_s: f64,
    parry_mean_s: Option<f64>,
    parry_median_s: Option<f64>,
    mean_ratio: Option<f64>,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let mut out = io::stdout().lock();
    let mut rows = Vec::new();
    for &polygons in &args.polygons {
        let (mesh, size) = hall(polygons);
        let stage = Stage::new(&mesh, size)?;
        for kind in Kind::ALL {
            rows.push(stage.measure(kind, &args)?);
        }
    }
    write!(out, "{}\n{}", levels(&rows).to_text(), table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Point,
    Box,
    Mesh,
    Turn,
}

impl Kind {
    const ALL: [Self; 4] = [Self::Point, Self::Box, Self::Mesh, Self::Turn];

    fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Box => "box",
            Self::Mesh => "mesh",
            Self::Turn => "turn",
        }
    }

    /// The body: a point, a box the size of a crate, or a torus of 300 quads.
    fn mesh(self) -> Polygons {
        match self {
            Self::Point => shapes::point(DVec3::ZERO),
            Self::Box | Self::Turn => shapes::cuboid(2.0 * HALF),
            Self::Mesh => shapes::torus(20, 15, 0.3, 0.12),
        }
    }

    /// What is timed.
    fn trace(self, world: &World, body: &Body, query: &Query, workspace: &mut Workspace) -> Trace {
        let Query { start, by } = query;
        let from = start.position();
        match self {
            Self::Point => world.point(from, from + *by, workspace).expect("finite"),
            Self::Box | Self::Mesh => world.translate(body, start, *by, workspace).expect("finite"),
            Self::Turn => {
                let turn = Turn::new(from, *by, TURN).expect("finite");
                world.rotate(body, start, &turn, workspace)
            }
        }
    }
}

/// Half of the sides of the box.
const HALF: DVec3 = DVec3::new(0.2, 0.3, 0.4);

/// The longest way of a shift.
const LONGEST: f64 = 6.0;

/// How far a turn goes.
const TURN: f64 = std::f64::consts::FRAC_PI_6;

/// A level for both.
struct Stage {
    /// With boxes and with the BSP.
    worlds: [World; 2],
    level: Level,
    size: DVec3,
    polygons: usize,
}

/// One query: a start, and a shift or the axis of a turn through the body's own middle.
struct Query {
    start: Pose,
    by: DVec3,
}

impl Stage {
    fn new(mesh: &Polygons, size: DVec3) -> Result<Self, Failure> {
        let world = World::new(vec![Fixture::new(mesh.clone())])?;
        let worlds = [world.clone(), world.with_broad(Broad::Bsp)];
        Ok(Self { worlds, level: Level::new(mesh), size, polygons: mesh.faces.len() })
    }

    /// Random queries that start in the free space.
    fn queries(&self, body: &Body, count: usize) -> Result<Vec<Query>, Failure> {
        let mut random = Random::new(count as u64);
        let mut workspace = Workspace::new();
        let mut queries = Vec::with_capacity(count);
        while queries.len() < count {
            let place = self.size * DVec3::new(random.unit(), random.unit(), random.unit());
            let start = Pose::new(place, random.rotation())?;
            let by = random.direction() * random.between(0.1, LONGEST);
            if self.worlds[0].contents(body, &start, &mut workspace) == Contents::Free {
                queries.push(Query { start, by });
            }
        }
        Ok(queries)
    }

    fn measure(&self, kind: Kind, args: &Args) -> Result<Row, Failure> {
        let mesh = kind.mesh();
        let body = Body::new(&mesh)?;
        let moving = match kind {
            _ if args.alone => None,
            Kind::Point => Some(Moving::Point),
            Kind::Box => Some(Moving::cuboid(HALF)),
            Kind::Mesh => Some(Moving::mesh(&mesh)),
            Kind::Turn => None,
        };
        let queries = self.queries(&body, args.queries)?;
        let few = &queries[..queries.len().min(SLOW)];
        let casts = if kind == Kind::Mesh { few } else { &queries };
        let [boxes, bsp] = &self.worlds;
        let mut workspace = Workspace::new();
        let mut trace = |query: &Query| kind.trace(boxes, &body, query, &mut workspace);
        let traces: Vec<Trace> = queries.iter().map(&mut trace).collect();
        let disagreements = moving.as_ref().map(|moving| {
            let pairs = casts.iter().zip(&traces);
            pairs.filter(|(query, trace)| !self.agrees(moving, query, trace)).count()
        });
        let ours = |world| {
            let mut workspace = Workspace::new();
            let body = &body;
            Series::new(&queries, move |query: &Query| {
                kind.trace(world, body, query, &mut workspace).fraction
            })
        };
        let parrys = moving.as_ref().map(|moving| {
            Series::new(casts, move |query: &Query| {
                self.level.cast(moving, &query.start, query.by).unwrap_or(1.0)
            })
        });
        let mut series = vec![ours(boxes), ours(bsp)];
        series.extend(parrys);
        let medians: Vec<f64> = series.iter_mut().map(|series| series.median()).collect();
        let means: Vec<f64> = mean_times(&mut series);
        let census = boxes.census();
        let share = |part: usize, whole: usize| part as f64 / whole as f64;
        Ok(Row {
            query: kind.name(),
            polygons: self.polygons,
            triangles: self.level.triangle_count(),
            internal_edges: share(census.internal_edges, census.edges),
            internal_vertices: share(census.internal_vertices, census.vertices),
            queries: queries.len(),
            stopped: traces.iter().filter(|trace| trace.touch.is_some()).count(),
            disagreements,
            boxes_mean_s: means[0],
            boxes_median_s: medians[0],
            bsp_mean_s: means[1],
            bsp_median_s: medians[1],
            parry_mean_s: means.get(2).copied(),
            parry_median_s: medians.get(2).copied(),
            mean_ratio: means.get(2).map(|parry| parry / means[0]),
        })
    }

    /// Whether both stop at the same height over what is touched, to within the zone and parry's
    /// tolerance, or both at the end.
    fn agrees(&self, moving: &Moving, query: &Query, trace: &Trace) -> bool {
        let parry = self.level.cast(moving, &query.start, query.by).unwrap_or(1.0);
        let apart = query.by * (parry - trace.fraction);
        let height = trace.touch.map_or(apart.length(), |touch| touch.normal.dot(apart).abs());
        height <= 3.0 * trace.thickness + PARRY_TOLERANCE
    }
}

/// A cast of a mesh takes parry milliseconds: so many are enough.
const SLOW: usize = 50;

/// Where parry's iterations end, in metres.
const PARRY_TOLERANCE: f64 = 1e-4;

/// One contender with its queries.
struct Series<'a> {
    queries: &'a [Query],
    run: Box<dyn FnMut(&Query) -> f64 + 'a>,
}

impl<'a> Series<'a> {
    fn new(queries: &'a [Query], run: impl FnMut(&Query) -> f64 + 'a) -> Self {
        Self { queries, run: Box::new(run) }
    }

    /// The median over the least of three times of each query: an interruption of the machine
    /// lasts longer than a query.
    fn median(&mut self) -> f64 {
        let mut least = vec![f64::MAX; self.queries.len()];
        for _ in 0..3 {
            for (least, query) in least.iter_mut().zip(self.queries) {
                let started = Instant::now();
                std::hint::black_box((self.run)(query));
                *least = least.min(started.elapsed().as_secs_f64());
            }
        }
        median(least)
    }
}

fn mean_times(series: &mut [Series<'_>]) -> Vec<f64> {
    let counts: Vec<f64> = series.iter().map(|series| series.queries.len() as f64).collect();
    let mut contenders: Vec<Contender<'_>> = Vec::new();
    for Series { queries, run } in series {
        contenders.push(steady(|| queries.iter().map(&mut *run).sum::<f64>()));
    }
    let effort = Effort { budget: Duration::from_secs(2), min_rounds: 5, max_rounds: 101 };
    let totals = medians(&mut contenders, &effort);
    totals.iter().zip(counts).map(|(total, count)| total / count).collect()
}

fn levels(rows: &[Row]) -> Table {
    let head = ["polygons", "triangles", "internal edges", "internal vertices"];
    let mut table = Table::new(&head);
    for row in rows.iter().filter(|row| row.query == Kind::Point.name()) {
        let counts = [row.polygons, row.triangles].map(|count| count.to_string());
        let shares = [row.internal_edges, row.internal_vertices];
        let shares = shares.map(|share| format!("{:.1} %", 100.0 * share));
        table.push(counts.into_iter().chain(shares).collect());
    }
    table
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&[
        "query", "polygons", "stopped", "apart", "boxes", "median", "bsp", "median", "parry",
        "median", "ratio",
    ]);
    for row in rows {
        let time = |time: Option<f64>| time.map_or("-".into(), duration);
        table.push(vec![
            row.query.into(),
            row.polygons.to_string(),
            row.stopped.to_string(),
            row.disagreements.map_or("-".into(), |count| count.to_string()),
            duration(row.boxes_mean_s),
            duration(row.boxes_median_s),
            duration(row.bsp_mean_s),
            duration(row.bsp_median_s),
            time(row.parry_mean_s),
            time(row.parry_median_s),
            row.mean_ratio.map_or("-".into(), three_digits),
        ]);
    }
    table
}
