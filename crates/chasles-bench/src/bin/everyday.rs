//! Ordinary motions of large meshes: turns about the body's own middle, floors, hits, overlaps,
//! bodies far apart.
//!
//! `cargo run --release -p chasles-bench --bin everyday -- [--faces N] [--csv FILE]`
//!
//! With `--near FILE` it measures instead what a miss costs by how near the bodies come, and
//! `--plot FILE` draws that.
//!
//! The bodies are spheres with waves of five lengths, as uneven as scans are.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chasles::distance::{self, distance};
use chasles::glam::{DQuat, DVec3};
use chasles::mesh::MeshError;
use chasles::motion::MotionError;
use chasles::{Collider, Motion, Polygons, Polyhedron, Pose, Screw, Step, Workspace, contacts};
use chasles_bench::Mode;
use chasles_bench::lines::{self, Line};
use chasles_bench::stopwatch::{Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve, write_csv};
use clap::Parser;
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// What ordinary motions of large meshes cost.
#[derive(Parser)]
struct Args {
    /// Triangles of each body, about.
    #[arg(long, default_value_t = 70_000)]
    faces: usize,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Measure misses by the least distance instead, and write them as CSV.
    #[arg(long, value_name = "FILE")]
    near: Option<PathBuf>,
    /// Draw them as SVG.
    #[arg(long, value_name = "FILE", requires = "near")]
    plot: Option<PathBuf>,
}

/// Median times of one motion, in seconds of processor time, and how many contacts there are.
#[derive(Serialize)]
struct Row {
    motion: String,
    all_s: f64,
    facing_s: f64,
    first_s: f64,
    contacts: usize,
}

/// How far apart the bodies are where they miss each other; they are about 1 large.
const CLEARANCE: f64 = 0.05;

fn main() -> Result<(), Failure> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let [a, b] = [1.0, 7.0].map(|seed| rock(args.faces, seed));
    if let Some(near) = &args.near {
        return near_misses(&[collider(&a)?, collider(&b)?], near, args.plot.as_deref());
    }
    let floored = Collider::new(Polyhedron::new(&with_floor(a.clone()))?);
    let [a, b] = [collider(&a)?, collider(&b)?];
    let start = beside(&a, &b)?;
    let mut rows = Vec::new();
    for angle in [0.0, 1e-5, 0.01, 0.1] {
        for from_middle in [0.0, 0.1, 0.4, 0.8, 5.0] {
            let name = format!("miss: turn {angle} rad, axis {from_middle} from the middle");
            rows.push(measure(name, [&a, &b], &turning(start, angle, from_middle)?));
        }
        let step = turning(start, angle, 0.0)?;
        rows.push(measure(
            format!("the same with a floor: turn {angle} rad"),
            [&floored, &b],
            &step,
        ));
    }
    for angle in [0.0, 0.3] {
        let turn = DQuat::from_axis_angle(axis(), angle);
        let to = |place: DVec3| Pose::new(place, turn);
        let hit = still_and(Motion::between(start, to(DVec3::ZERO)?));
        rows.push(measure(format!("hit, through the middle: turn {angle} rad"), [&a, &b], &hit));
        let inside = Pose::from_position(start.position() * 0.6)?;
        let overlap = still_and(Motion::between(inside, to(start.position() * 0.55)?));
        rows.push(measure(format!("overlap at the start: turn {angle} rad"), [&a, &b], &overlap));
    }
    let far = Pose::new([49.0, 1.0, 0.0], DQuat::from_rotation_z(0.3))?;
    let step = still_and(Motion::between(Pose::from_position([50.0, 0.0, 0.0])?, far));
    rows.push(measure("far apart".into(), [&a, &b], &step));
    write!(io::stdout().lock(), "{}", table(&rows).to_text())?;
    publish(csv, |out| write_csv(out, &rows))?;
    Ok(())
}

/// Misses by the least distance on the way: a column for each angle and mode.
fn near_misses(bodies: &[Collider; 2], near: &Path, plot: Option<&Path>) -> Result<(), Failure> {
    let (csv, svg) = (reserve(Some(near))?, reserve(plot)?);
    let [a, b] = bodies;
    let mut lines: Vec<Line> = Vec::new();
    for angle in [0.0, 0.01, 0.1] {
        let mut rows = Vec::new();
        for clearance in [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1] {
            let row = measure(String::new(), [a, b], &passing(bodies, angle, clearance)?);
            writeln!(io::stdout().lock(), "turn {angle}, {clearance} apart: {:?}", row.times())?;
            rows.push((clearance, row.times()));
        }
        for (i, mode) in ["all", "facing", "first"].iter().enumerate() {
            let points = rows.iter().map(|(clearance, times)| [*clearance, times[i]]).collect();
            lines.push((format!("turn {angle} rad, {mode}"), points));
        }
    }
    publish(csv, |out| lines::write(out, "clearance", &lines))?;
    let drawn = lines::plot(&lines, &lines::NEAR)?;
    publish(svg, |out| out.write_all(drawn.to_svg().as_bytes()))?;
    Ok(())
}

/// B turns about its middle and goes on by a hundredth, as near to A on its way as is asked.
fn passing([a, b]: &[Collider; 2], angle: f64, clearance: f64) -> Result<Step, MotionError> {
    let direction = DVec3::new(1.0, 0.3, 0.2).normalize();
    let mut workspace = distance::Workspace::new();
    let [mut near, mut far] = [0.0, 3.0];
    for _ in 0..50 {
        let middle = 0.5 * (near + far);
        let step = turning(Pose::from_position(direction * middle)?, angle, 0.0)?;
        let found = distance::clearance(a, b, &step, 0.01 * clearance, &mut workspace);
        *(if found.upper < clearance { &mut near } else { &mut far }) = middle;
    }
    turning(Pose::from_position(direction * far)?, angle, 0.0)
}

impl Row {
    fn times(&self) -> [f64; 3] {
        [self.all_s, self.facing_s, self.first_s]
    }
}

fn measure(motion: String, [a, b]: [&Collider; 2], step: &Step) -> Row {
    let ask = |mode: Mode| {
        let (options, mut workspace) = (mode.options(), Workspace::new());
        move || contacts(a, b, step, &options, &mut workspace).len()
    };
    let mut counting = ask(Mode::All);
    let mut contenders = [Mode::All, Mode::Facing, Mode::First].map(|mode| steady(ask(mode)));
    let seconds = medians(&mut contenders, &Effort::default());
    let [all_s, facing_s, first_s] = [seconds[0], seconds[1], seconds[2]];
    Row { motion, all_s, facing_s, first_s, contacts: counting() }
}

fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(&["motion", "all", "facing", "first", "contacts"]);
    for row in rows {
        let times = [row.all_s, row.facing_s, row.first_s].map(duration);
        let [all, facing, first] = times;
        table.push(vec![row.motion.clone(), all, facing, first, row.contacts.to_string()]);
    }
    table
}

fn collider(polygons: &Polygons) -> Result<Collider, MeshError> {
    Ok(Collider::new(Polyhedron::new(polygons)?))
}

fn axis() -> DVec3 {
    DVec3::new(0.3, 0.5, 0.4).normalize()
}

fn still_and(motion: Motion) -> Step {
    Step::new(Motion::still(Pose::IDENTITY), motion)
}

/// Where B stands beside A at the clearance, by bisection.
fn beside(a: &Collider, b: &Collider) -> Result<Pose, MotionError> {
    let direction = DVec3::new(1.0, 0.3, 0.2).normalize();
    let mut workspace = distance::Workspace::new();
    let [mut near, mut far] = [0.0, 3.0];
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        let poses = [Pose::IDENTITY, Pose::from_position(direction * middle)?];
        let is_near = distance(a, b, poses, &mut workspace).distance < CLEARANCE;
        *(if is_near { &mut near } else { &mut far }) = middle;
    }
    Pose::from_position(direction * far)
}

/// B turns about an axis at this distance from its middle and goes on by a hundredth.
fn turning(start: Pose, angle: f64, from_middle: f64) -> Result<Step, MotionError> {
    let through = start.position() + DVec3::new(0.0, 0.6, -0.8) * from_middle;
    let angular = axis() * angle;
    let linear = DVec3::new(0.006, 0.008, 0.0) - angular.cross(through);
    Ok(still_and(Motion::along(start, Screw::from_twist(angular, linear)?)?))
}

/// An uneven ball of diameter about 1 with its poles on the z axis.
fn rock(faces: usize, seed: f64) -> Polygons {
    let around = (faces as f64).sqrt() as u32;
    let along = around / 2;
    let at = |i: u32, j: u32| {
        let longitude = std::f64::consts::TAU * f64::from(i) / f64::from(around);
        let latitude = std::f64::consts::PI * f64::from(j) / f64::from(along);
        let (z, ring) = (latitude.cos(), latitude.sin());
        let direction = DVec3::new(ring * longitude.cos(), ring * longitude.sin(), z);
        direction * radius(direction, seed)
    };
    let rings = (1..along).flat_map(|j| (0..around).map(move |i| at(i, j)));
    let vertices = std::iter::once(at(0, 0)).chain(rings).chain([at(0, along)]);
    let number = |i: u32, j: u32| 1 + (j - 1) * around + i % around;
    let last = 1 + (along - 1) * around;
    let caps = (0..around).flat_map(|i| {
        let bottom = [last, number(i + 1, along - 1), number(i, along - 1)];
        [[0, number(i, 1), number(i + 1, 1)], bottom]
    });
    let belts = (1..along - 1).flat_map(|j| (0..around).map(move |i| (i, j)));
    let belts = belts.flat_map(|(i, j)| {
        let below = [number(i, j + 1), number(i + 1, j + 1)];
        [[number(i, j), below[0], below[1]], [number(i, j), below[1], number(i + 1, j)]]
    });
    Polygons::new(vertices, caps.chain(belts))
}

/// How far the surface is from the middle: waves, each half as long as the last.
fn radius(direction: DVec3, seed: f64) -> f64 {
    let [mut sum, mut frequency, mut height] = [1.0, 2.0, 0.12];
    for wave in 0..5 {
        let at = direction * frequency + DVec3::splat(seed + f64::from(wave));
        let waves = at.x.sin() * at.y.cos() + (at.z + 1.3).sin() * (0.7 * at.x).cos();
        sum += height * waves;
        frequency *= 2.1;
        height *= 0.42;
    }
    0.4 * sum
}

/// The body with a floor of two triangles, ten times as wide.
fn with_floor(mut body: Polygons) -> Polygons {
    let first = body.vertices.len() as u32;
    let corners = [[-5.0, -5.0], [5.0, -5.0], [5.0, 5.0], [-5.0, 5.0]];
    body.vertices.extend(corners.map(|[x, y]| DVec3::new(x, y, -0.9)));
    body.faces.extend([vec![first, first + 1, first + 2], vec![first, first + 2, first + 3]]);
    body
}
