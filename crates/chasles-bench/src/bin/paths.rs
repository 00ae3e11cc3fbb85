//! Points on paths against solids: the cost by samples, and by precision.
//!
//! ```text
//! cargo run --release -p chasles-bench --bin paths -- [--samples FILE.csv] [--precision FILE.csv]
//! ```

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Shape, Torus};
use chasles::path::{Body, Options, Samples, Workspace, contacts};
use chasles::solid::{
    Block, Capsule, Cuboid, Cylinder, Difference, Interval, MeshSolid, Place, Sdf, SdfOptions,
    Solid, Sphere, Transformed, Union,
};
use chasles::{Motion, Polyhedron, Pose, Step};
use chasles_bench::stopwatch::{Contender, Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use chasles_testkit::shapes;
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;
type Named = (&'static str, Box<dyn Solid>);

/// The cost of the time of contact.
#[derive(Parser)]
struct Args {
    /// Samples of the moving body, about.
    #[arg(long, value_delimiter = ',', default_value = "1000,10000,100000")]
    counts: Vec<usize>,
    /// Write the measurements by samples as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// Write the counts by precision as CSV.
    #[arg(long, value_name = "FILE")]
    precision: Option<PathBuf>,
}

/// One body against one solid.
#[derive(Serialize)]
struct SampleRow {
    solid: &'static str,
    samples: usize,
    contacts: usize,
    first_s: f64,
    all_s: f64,
}

/// One precision: questions for each path.
#[derive(Serialize)]
struct PrecisionRow {
    precision: f64,
    transversal: f64,
    grazing: f64,
    near_miss: f64,
    transversal_by_balls: f64,
    grazing_by_balls: f64,
    near_miss_by_balls: f64,
}

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let [samples, precision] =
        [&args.samples, &args.precision].map(|path| reserve(path.as_deref()));
    let (samples, precision) = (samples?, precision?);
    let mut out = io::stdout().lock();
    let mut rows = Vec::new();
    for (name, solid) in solids()? {
        for &count in &args.counts {
            rows.push(by_samples(name, &*solid, count)?);
        }
    }
    write!(out, "{}", sample_table(&rows).to_text())?;
    publish(samples, |out| write_csv(out, &rows))?;
    let rows = (1..=12).map(by_precision).collect::<Result<Vec<_>, Failure>>()?;
    write!(out, "{}", precision_table(&rows).to_text())?;
    publish(precision, |out| write_csv(out, &rows))?;
    Ok(())
}

/// Solids about two units across.
fn solids() -> Result<Vec<Named>, Failure> {
    let torus = Shape::Torus(Torus { major: 1.0, minor: 0.4, segments: [60, 40] }).build()?;
    let mesh = MeshSolid::new(&torus)?;
    let field = Sdf::sample(&mesh, &SdfOptions::across(&mesh, 128)?)?;
    Ok(vec![
        ("sphere", Box::new(Sphere::new([0.0; 3], 1.0)?)),
        ("CSG of ten", Box::new(housing()?)),
        ("field, 128 cells", Box::new(field)),
        ("mesh, 2,400 quads", Box::new(mesh)),
    ])
}

/// A block with feet and holes, of ten primitives.
fn housing() -> Result<Difference, Failure> {
    let at = |solid: Box<dyn Solid>, x: f64, y: f64, z: f64| -> Result<Box<dyn Solid>, Failure> {
        Ok(Box::new(Transformed::new(solid, Pose::from_position([x, y, z])?, 1.0)?))
    };
    let mut parts: Vec<Box<dyn Solid>> = vec![Box::new(Cuboid::new([2.0, 0.8, 1.4])?)];
    for [x, z] in [[-0.8, -0.5], [0.8, -0.5], [-0.8, 0.5], [0.8, 0.5]] {
        parts.push(Box::new(Capsule::new([x, -0.8, z], [x, 0.0, z], 0.15)?));
    }
    parts.push(Box::new(Sphere::new([0.0, 0.4, 0.0], 0.5)?));
    let mut holes: Vec<Box<dyn Solid>> = Vec::new();
    for x in [-0.6, 0.0, 0.6] {
        holes.push(at(Box::new(Cylinder::new(0.2, 2.0)?), x, 0.0, 0.0)?);
    }
    holes.push(at(Box::new(Cuboid::new([3.0, 0.3, 0.3])?), 0.0, 0.1, 0.45)?);
    Ok(Difference::new(Box::new(Union::new(parts)?), holes)?)
}

/// A ball of about so many points that comes down on the solid and turns by half a radian.
fn by_samples(name: &'static str, solid: &dyn Solid, count: usize) -> Result<SampleRow, Failure> {
    let rings = ((count as f64 / 2.0).sqrt()) as usize;
    let ball = shapes::mapped(shapes::torus(2 * rings as u32, rings as u32, 0.45, 0.3), |v| v);
    let samples = Samples::new(Polyhedron::new(&ball)?, f64::INFINITY)?;
    let [start, end] = [
        Pose::from_position([0.3, 2.5, 0.2])?,
        Pose::new([0.2, 0.2, -0.1], DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 0.5))?,
    ];
    let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
    let bodies =
        [Body { solid: Some(solid), samples: None }, Body { solid: None, samples: Some(&samples) }];
    let run = |first_only: bool, workspace: &mut Workspace| {
        let options = Options { first_only, precision: 1e-6, ..Options::default() };
        contacts([&bodies[0], &bodies[1]], &motion, &options, workspace).map(<[_]>::len)
    };
    let contacts = run(false, &mut Workspace::new())?;
    let contender = |first_only| -> Contender<'_> {
        let mut workspace = Workspace::new();
        steady(move || run(first_only, &mut workspace))
    };
    let mut contenders = [contender(true), contender(false)];
    let effort = Effort { budget: Duration::from_secs(4), min_rounds: 3, max_rounds: 31 };
    let seconds = medians(&mut contenders, &effort);
    Ok(SampleRow {
        solid: name,
        samples: samples.len(),
        contacts,
        first_s: seconds[0],
        all_s: seconds[1],
    })
}

/// A sphere that counts how often it is asked, and may know only the distance of points.
#[derive(Debug)]
struct Counting {
    sphere: Sphere,
    by_balls: bool,
    asked: AtomicU64,
}

impl Solid for Counting {
    fn bounds(&self) -> [DVec3; 2] {
        self.sphere.bounds()
    }

    fn distance(&self, point: DVec3) -> Interval {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.sphere.distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.sphere.normal(point)
    }

    fn place(&self, block: &Block) -> Place {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let distance = self.sphere.distance(block.center);
        match self.by_balls {
            true if distance.low > block.radius() => Place::Outside,
            true if distance.high < -block.radius() => Place::Inside,
            true => Place::Unsure,
            false => self.sphere.place(block),
        }
    }
}

/// Questions for a path to the first contact, over a hundred paths of each kind: towards the
/// middle, along the surface in a depth of a tenth of the precision, and past it at twice the
/// precision.
fn by_precision(digits: i32) -> Result<PrecisionRow, Failure> {
    let precision = 10f64.powi(-digits);
    let mean = |offset: f64, by_balls: bool| -> Result<f64, Failure> {
        let sphere = Sphere::new([0.0; 3], 1.0)?;
        let solid = Counting { sphere, by_balls, asked: AtomicU64::new(0) };
        for i in 0..100 {
            let shift = f64::from(i) * 0.001;
            let mesh = Polyhedron::new(&shapes::point(DVec3::ZERO))?;
            let samples = Samples::new(mesh, f64::INFINITY)?;
            let [from, to] =
                [-2.0 + shift, 2.0 + 0.7 * shift].map(|x| Pose::from_position([x, offset, 0.0]));
            let motion = Step::new(Motion::still(Pose::IDENTITY), Motion::between(from?, to?));
            let a = Body { solid: Some(&solid), samples: None };
            let b = Body { solid: None, samples: Some(&samples) };
            let options = Options { precision, first_only: true, ..Options::default() };
            contacts([&a, &b], &motion, &options, &mut Workspace::new())?;
        }
        Ok(solid.asked.load(Ordering::Relaxed) as f64 / 100.0)
    };
    Ok(PrecisionRow {
        precision,
        transversal: mean(0.3, false)?,
        grazing: mean(1.0 - 0.1 * precision, false)?,
        near_miss: mean(1.0 + 2.0 * precision, false)?,
        transversal_by_balls: mean(0.3, true)?,
        grazing_by_balls: mean(1.0 - 0.1 * precision, true)?,
        near_miss_by_balls: mean(1.0 + 2.0 * precision, true)?,
    })
}

fn sample_table(rows: &[SampleRow]) -> Table {
    let mut table = Table::new(&["solid", "samples", "contacts", "first", "all"]);
    for row in rows {
        table.push(vec![
            row.solid.to_owned(),
            row.samples.to_string(),
            row.contacts.to_string(),
            duration(row.first_s),
            duration(row.all_s),
        ]);
    }
    table
}

fn precision_table(rows: &[PrecisionRow]) -> Table {
    let head =
        ["precision", "transversal", "grazing", "near miss", "by balls", "grazing", "near miss"];
    let mut table = Table::new(&head);
    for row in rows {
        let boxes = [row.transversal, row.grazing, row.near_miss];
        let balls = [row.transversal_by_balls, row.grazing_by_balls, row.near_miss_by_balls];
        let counts = boxes.into_iter().chain(balls).map(|n| format!("{n:.1}"));
        table.push([format!("{:.0e}", row.precision)].into_iter().chain(counts).collect());
    }
    table
}
