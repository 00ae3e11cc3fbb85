//! Scenes of `chasles simulate` from beginning to end: once for the clock, once for the truth.

use std::path::{Path, PathBuf};
use std::time::Instant;

use chasles_cli::simulate::Inspector;
use chasles_scene::{Pace, SimulateScene};
use serde::{Deserialize, Serialize};

use crate::rapier::Peer;

type Failure = Box<dyn std::error::Error>;

/// A scene at one length of a step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// The scene's file without `simulate-`.
    pub scene: String,
    /// The length of a step in seconds.
    pub dt: f64,
    /// How long, in seconds of the scene.
    pub seconds: f64,
    /// How many bodies.
    pub bodies: usize,
    /// How many steps.
    pub steps: u32,
    /// Impacts in all.
    pub impacts: usize,
    /// Points of resting contact at the end of a step, at most.
    pub contacts: usize,
    /// How often a body had to wait.
    pub waits: usize,
    /// Pairs in each other in a frame, all frames together.
    pub overlaps: usize,
    /// Pairs in each other between two frames, all steps together.
    pub crossings: usize,
    /// The depth of the deepest overlap, in metres.
    pub worst_depth: f64,
    /// How long it took.
    pub wall_s: f64,
    /// That, as a share of the time of the scene.
    pub real_time: f64,
}

/// The same scene in rapier.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct PeerRow {
    /// As in [`Row`].
    pub scene: String,
    /// The length of a step in seconds.
    pub dt: f64,
    /// How long, in seconds of the scene.
    pub seconds: f64,
    /// Pairs in each other in a frame, all frames together.
    pub overlaps: usize,
    /// The depth of the deepest overlap, in metres.
    pub worst_depth: f64,
    /// How long it took.
    pub wall_s: f64,
    /// That, as a share of the time of the scene.
    pub real_time: f64,
}

/// The length of a step for people: `1/60` if that many make a second.
pub fn step_name(dt: f64) -> String {
    let rate = (1.0 / dt).round();
    if (rate * dt - 1.0).abs() < 1e-12 { format!("1/{rate}") } else { dt.to_string() }
}

/// The files of all scenes of the repository for `simulate`, in the order of their names, each with
/// the name that rows have.
///
/// *Fails* if the folder cannot be read.
pub fn scenes() -> std::io::Result<Vec<(String, PathBuf)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        if let Some(name) = name.strip_prefix("simulate-") {
            found.push((name.to_string(), path.clone()));
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Runs a scene twice, without looking and with.
///
/// *Guarantees* that both runs end in the same state. *Fails* if the scene is wrong, or a step is
/// not possible.
pub fn measure(name: &str, path: &Path, (dt, seconds): (f64, f64)) -> Result<Row, Failure> {
    let scene = load(path, dt, seconds)?;
    let mut row = Row {
        scene: name.to_string(),
        dt,
        seconds: dt * f64::from(scene.steps()),
        bodies: scene.names().len(),
        steps: scene.steps(),
        impacts: 0,
        contacts: 0,
        waits: 0,
        overlaps: 0,
        crossings: 0,
        worst_depth: 0.0,
        wall_s: 0.0,
        real_time: 0.0,
    };
    let mut world = scene.world().clone();
    let started = Instant::now();
    for _ in 0..scene.steps() {
        let report = world.step(dt)?;
        row.impacts += report.impacts.len();
        row.contacts = row.contacts.max(report.contacts);
        row.waits += report.waiting.len();
    }
    row.wall_s = started.elapsed().as_secs_f64();
    row.real_time = row.wall_s / row.seconds;
    let mut again = scene.world().clone();
    again.record(true);
    let mut inspector = Inspector::default();
    for _ in 0..scene.steps() {
        let report = again.step(dt)?;
        inspector.follow(&again, &report);
        inspector.look(&again);
    }
    if again.fingerprint() != world.fingerprint() {
        return Err(format!("{name}: the two runs end differently").into());
    }
    let findings = inspector.into_findings();
    row.overlaps = findings.overlaps.len();
    row.crossings = findings.crossings.len();
    row.worst_depth = findings.worst_depth;
    Ok(row)
}

/// Runs a scene in rapier; time is that of the steps, not of looking.
///
/// *Fails* if the scene is wrong, has bodies that [`Peer::new`] does not accept, or blows up.
pub fn measure_peer(
    name: &str,
    path: &Path,
    (dt, seconds): (f64, f64),
) -> Result<PeerRow, Failure> {
    let scene = load(path, dt, seconds)?;
    let world = scene.world();
    let stranger = |body: usize| format!("{name}: {} is not for rapier", scene.names()[body]);
    let mut peer = Peer::new(world, dt).map_err(stranger)?;
    let mut inspector = Inspector::default();
    let mut wall_s = 0.0;
    for step in 1..=scene.steps() {
        let started = Instant::now();
        peer.step();
        wall_s += started.elapsed().as_secs_f64();
        let poses = peer.poses().ok_or_else(|| format!("{name}: lost in step {step}"))?;
        inspector.look_at(world, &poses, dt * f64::from(step));
    }
    let findings = inspector.into_findings();
    let seconds = dt * f64::from(scene.steps());
    Ok(PeerRow {
        scene: name.to_string(),
        dt,
        seconds,
        overlaps: findings.overlaps.len(),
        worst_depth: findings.worst_depth,
        wall_s,
        real_time: wall_s / seconds,
    })
}

fn load(path: &Path, dt: f64, seconds: f64) -> Result<SimulateScene, Failure> {
    let pace = Pace { seconds: Some(seconds), dt: Some(dt) };
    SimulateScene::load(path, pace).map_err(|error| format!("{}: {error}", path.display()).into())
}
