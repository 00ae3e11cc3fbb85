//! How the time of a linkage grows with its links: chains, trees and rings of ball joints.
//!
//! `cargo run --release -p chasles-bench --bin linkages -- [--csv FILE]`
//!
//! What is timed is what a part of a step needs: the linkage is fitted to where its bodies are,
//! which factorizes it, and velocities are settled.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

use chasles::Pose;
use chasles::glam::{DMat3, DVec3};
use chasles_bench::stopwatch::{Contender, Effort, medians, steady};
use chasles_bench::table::{Table, duration, publish, reserve};
use chasles_dynamics::body::{Inertia, Velocity};
use chasles_dynamics::linkage::{Anchor, Joint, JointError, Linkage};
use clap::Parser;

/// How the time of a linkage grows with its links.
#[derive(Parser)]
struct Args {
    /// Numbers of links.
    #[arg(long, value_delimiter = ',', default_value = "10,20,50,100,200,500,1000,2000,4000")]
    links: Vec<usize>,
    /// Write the measurements as CSV, times in seconds.
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// How links hang together.
#[derive(Clone, Copy)]
enum Form {
    Chain,
    Tree,
    Ring,
}

impl Form {
    const ALL: [Self; 3] = [Self::Chain, Self::Tree, Self::Ring];

    fn name(self) -> &'static str {
        match self {
            Self::Chain => "chain",
            Self::Tree => "tree",
            Self::Ring => "ring",
        }
    }

    /// Pairs of links with a joint between them.
    fn pairs(self, links: usize) -> Vec<[usize; 2]> {
        match self {
            Self::Chain => (1..links).map(|i| [i - 1, i]).collect(),
            Self::Tree => (1..links).map(|i| [(i - 1) / 2, i]).collect(),
            Self::Ring => (0..links).map(|i| [i, (i + 1) % links]).collect(),
        }
    }
}

/// Bodies of 1 kg along a helix, with balls half way between those that are joined.
struct System {
    joints: Vec<Joint>,
    inertias: Vec<Inertia>,
    poses: Vec<Pose>,
    velocities: Vec<Velocity>,
}

impl System {
    fn new(form: Form, links: usize) -> Result<Self, Box<dyn std::error::Error>> {
        let place = |i: usize| {
            let turn = 0.3 * i as f64;
            DVec3::new(turn.cos(), turn.sin(), 0.1 * i as f64)
        };
        let inertia = |i: usize| Inertia {
            centre: place(i),
            inv_mass: DVec3::ONE,
            inv_inertia: DMat3::from_diagonal(DVec3::new(8.0, 9.0, 10.0)),
        };
        let poses = (0..links).map(|i| Pose::from_position(place(i)));
        let poses: Vec<Pose> = poses.collect::<Result<_, _>>()?;
        let joint = |pair: [usize; 2]| {
            let middle = 0.5 * (place(pair[0]) + place(pair[1]));
            let [a, b] = pair.map(|i| &poses[i]);
            Joint::ball(pair, Anchor::at(middle)?.in_bodies([a, b]))
        };
        let joints = form.pairs(links).into_iter().map(joint);
        let joints = joints.collect::<Result<Vec<Joint>, JointError>>()?;
        let velocity = |i: usize| Velocity {
            linear: DVec3::new((i % 7) as f64, (i % 5) as f64, (i % 3) as f64),
            angular: DVec3::new((i % 2) as f64, 0.0, 1.0),
        };
        let inertias = (0..links).map(inertia).collect();
        Ok(Self { joints, inertias, poses, velocities: (0..links).map(velocity).collect() })
    }

    fn contender(&self) -> Contender<'_> {
        let mut linkage = Linkage::default();
        steady(move || {
            let fits = linkage.fit(&self.joints, &self.inertias, &self.poses).is_ok();
            let mut velocities = self.velocities.clone();
            linkage.settle(&mut velocities, 0.01);
            (fits, velocities.pop())
        })
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let csv = reserve(args.csv.as_deref())?;
    let mut columns = Vec::new();
    for form in Form::ALL {
        let systems = args.links.iter().map(|&links| System::new(form, links));
        let systems = systems.collect::<Result<Vec<System>, _>>()?;
        let mut contenders: Vec<_> = systems.iter().map(System::contender).collect();
        let effort = Effort { budget: Duration::from_secs(8), min_rounds: 5, max_rounds: 51 };
        columns.push(medians(&mut contenders, &effort));
    }
    let names = Form::ALL.map(Form::name);
    let mut table = Table::new(&["links", names[0], names[1], names[2]]);
    let mut text = format!("links,{}\n", names.join(","));
    for (row, links) in args.links.iter().enumerate() {
        let times: Vec<f64> = columns.iter().map(|column| column[row]).collect();
        let cells = times.iter().map(|seconds| duration(*seconds));
        table.push([links.to_string()].into_iter().chain(cells).collect());
        let cells: Vec<String> = times.iter().map(|seconds| format!("{seconds:e}")).collect();
        text += &format!("{links},{}\n", cells.join(","));
    }
    write!(io::stdout().lock(), "{}", table.to_text())?;
    publish(csv, |out| out.write_all(text.as_bytes()))?;
    Ok(())
}
