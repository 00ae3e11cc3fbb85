//! Certified edges of a Panda among obstacles, beside samples every 5 mm: by the same distances
//! here, and by Pinocchio.
//!
//! `cargo run --release -p chasles-bench --bin planning -- PANDA FOLDER [--python PYTHON]`
//!
//! PANDA is the folder `pyroboplan/models/panda_description` of the package `pyroboplan` 1.3.1.
//! Questions and answers go to FOLDER; `coal/planning.py` asks Pinocchio the same in the same run,
//! with a Python that has the package `pin`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use chasles::Pose;
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::query::Geometry;
use chasles_bench::stopwatch::{median, processor_time};
use chasles_planning::{Edge, Packages, Robot, Scene, SceneError, Verdict};
use chasles_testkit::generate::Random;
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// Certified edges of an arm, beside sampled ones.
#[derive(Parser)]
struct Args {
    /// The description of the robot.
    panda: PathBuf,
    /// Where questions and answers go; made if it is not there.
    folder: PathBuf,
    /// How many edges.
    #[arg(long, default_value_t = 500)]
    edges: usize,
    /// How many obstacles.
    #[arg(long, default_value_t = 30)]
    obstacles: usize,
    /// Which share of the way to another random configuration an edge goes.
    #[arg(long, default_value_t = 1.0)]
    share: f64,
    /// Other numbers make other obstacles and other edges.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// A Python with the package `pin`; without it Pinocchio is not asked.
    #[arg(long)]
    python: Option<PathBuf>,
}

/// What another program needs to ask the same.
#[derive(Serialize)]
struct Questions {
    obstacles: Vec<Obstacle>,
    edges: Vec<Row>,
    /// Processor time of a certified edge.
    seconds: f64,
}

/// A box or a ball.
#[derive(Serialize)]
struct Obstacle {
    size: Option<[f64; 3]>,
    radius: Option<f64>,
    position: [f64; 3],
    /// x, y, z, w.
    rotation: [f64; 4],
}

#[derive(Serialize)]
struct Row {
    from: Vec<f64>,
    to: Vec<f64>,
    /// Into how many steps the edge is cut for samples.
    steps: usize,
    verdict: &'static str,
    /// Proven free before this.
    fraction: f64,
}

/// How far a joint's origin moves between two samples at most.
const RESOLUTION: f64 = 0.005;

/// Rounds over all edges: an odd number, so that the median is one of them.
const ROUNDS: usize = 5;

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    fs::create_dir_all(&args.folder)?;
    let mut random = Random::new(args.seed);
    let packages = Packages::new().with("panda_description", &args.panda);
    let robot = Robot::load(args.panda.join("urdf/panda.urdf"), &packages)?;
    let robot = robot.with_srdf(args.panda.join("srdf/panda.srdf"))?;
    let mut scene = Scene::new(robot);
    let obstacles: Vec<Obstacle> = (0..args.obstacles).map(|i| obstacle(i, &mut random)).collect();
    for (number, obstacle) in obstacles.iter().enumerate() {
        let (geometry, pose) = body(obstacle)?;
        scene.add(format!("obstacle {number}"), geometry, pose)?;
    }
    let edges = random_edges(&scene, args.edges, args.share, &mut random)?;
    let (found, seconds) = certified(&scene, &edges)?;
    let mut rows = Vec::new();
    for ([from, to], edge) in edges.iter().zip(&found) {
        let steps = steps(scene.robot(), from, to)?;
        let verdict = match edge.verdict {
            Verdict::Free => "free",
            Verdict::Hit(_) => "hit",
            Verdict::Undecided(_) => "undecided",
        };
        let [from, to] = [from.clone(), to.clone()];
        rows.push(Row { from, to, steps, verdict, fraction: edge.fraction });
    }
    let sampled = sampled(&scene, &rows)?;
    report(&scene, &rows, &found, seconds, sampled)?;
    let questions = Questions { obstacles, edges: rows, seconds };
    let file = args.folder.join("planning.json");
    fs::write(&file, serde_json::to_string(&questions)?)?;
    args.python.map_or(Ok(()), |python| beside(&python, &args.panda, &file))
}

fn obstacle(number: usize, random: &mut Random) -> Obstacle {
    let size = [(); 3].map(|()| random.between(0.03, 0.2));
    let is_box = number.is_multiple_of(2);
    let [angle, out] = [random.between(-3.2, 3.2), random.between(0.4, 0.9)];
    Obstacle {
        size: is_box.then_some(size),
        radius: (!is_box).then_some(0.5 * size[0]),
        position: [out * angle.cos(), out * angle.sin(), random.between(0.0, 1.0)],
        rotation: random.rotation().to_array(),
    }
}

fn body(obstacle: &Obstacle) -> Result<(Geometry, Pose), Failure> {
    let geometry = match (obstacle.size, obstacle.radius) {
        (Some(size), _) => Geometry::shape(&Shape::Box(Cuboid { size }))?,
        (None, radius) => Geometry::sphere(radius.unwrap_or(0.1))?,
    };
    let turn = chasles::glam::DQuat::from_array(obstacle.rotation);
    Ok((geometry, Pose::new(obstacle.position, turn)?))
}

/// Edges from free configurations towards any.
fn random_edges(
    scene: &Scene,
    count: usize,
    share: f64,
    random: &mut Random,
) -> Result<Vec<[Vec<f64>; 2]>, SceneError> {
    let mut edges = Vec::new();
    while edges.len() < count {
        let [from, far] = [(); 2].map(|()| configuration(scene.robot(), random));
        if scene.is_free(&from)? {
            let to = between(&from, &far, share);
            edges.push([from, to]);
        }
    }
    Ok(edges)
}

fn configuration(robot: &Robot, random: &mut Random) -> Vec<f64> {
    robot.variables().iter().map(|v| random.between(v.limits[0], v.limits[1])).collect()
}

fn between(from: &[f64], to: &[f64], t: f64) -> Vec<f64> {
    from.iter().zip(to).map(|(p, q)| p + t * (q - p)).collect()
}

/// The answers, and the processor time of an edge.
fn certified(scene: &Scene, edges: &[[Vec<f64>; 2]]) -> Result<(Vec<Edge>, f64), SceneError> {
    let ask = || edges.iter().map(|[from, to]| scene.edge(from, to, 0.0)).collect();
    let found: Result<Vec<Edge>, SceneError> = ask();
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        let start = processor_time();
        let again: Result<Vec<Edge>, SceneError> = ask();
        rounds.push((processor_time() - start).as_secs_f64() / edges.len() as f64);
        again?;
    }
    Ok((found?, median(rounds)))
}

/// How many steps of the resolution the origin of some link makes on an edge.
fn steps(robot: &Robot, from: &[f64], to: &[f64]) -> Result<usize, SceneError> {
    let mut before = robot.poses(from)?;
    let mut ways = vec![0.0; before.len()];
    for i in 1..=100 {
        let next = robot.poses(&between(from, to, f64::from(i) / 100.0))?;
        for (way, (p, q)) in ways.iter_mut().zip(before.iter().zip(&next)) {
            *way += p.position().distance(q.position());
        }
        before = next;
    }
    let longest = ways.into_iter().fold(0.0, f64::max);
    Ok((longest / RESOLUTION).ceil().max(1.0) as usize)
}

/// The processor time of a sampled edge, in order and until a sample hits; and how many hits the
/// samples miss.
fn sampled(scene: &Scene, rows: &[Row]) -> Result<(f64, usize), SceneError> {
    let start = processor_time();
    let mut missed = 0;
    for row in rows {
        let mut is_free = true;
        for i in 0..=row.steps {
            let q = between(&row.from, &row.to, i as f64 / row.steps as f64);
            is_free = scene.is_free(&q)?;
            if !is_free {
                break;
            }
        }
        missed += usize::from(is_free && row.verdict == "hit");
    }
    Ok(((processor_time() - start).as_secs_f64() / rows.len() as f64, missed))
}

fn report(
    scene: &Scene,
    rows: &[Row],
    found: &[Edge],
    seconds: f64,
    (sampled, missed): (f64, usize),
) -> io::Result<()> {
    let count = |verdict: &str| rows.iter().filter(|row| row.verdict == verdict).count();
    let evaluations: u32 = found.iter().map(|edge| edge.evaluations).sum();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{} edges, {} pairs: {} free, {} hit, {} undecided; {:.1} evaluations an edge",
        rows.len(),
        scene.pair_count(),
        count("free"),
        count("hit"),
        count("undecided"),
        f64::from(evaluations) / rows.len() as f64,
    )?;
    writeln!(out, "certified: {:.0} edges a second", 1.0 / seconds)?;
    writeln!(
        out,
        "sampled every 5 mm by chasles: {:.0} edges a second, {missed} hits missed",
        1.0 / sampled
    )
}

/// Asks Pinocchio the same.
fn beside(python: &Path, panda: &Path, file: &Path) -> Result<(), Failure> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("coal/planning.py");
    let status = Command::new(python).arg(script).arg(panda).arg(file).status()?;
    if status.success() { Ok(()) } else { Err(format!("Python ended with {status}").into()) }
}
