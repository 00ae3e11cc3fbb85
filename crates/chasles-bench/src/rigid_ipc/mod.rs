//! Scenes of a public benchmark for intersection-free rigid bodies (Ferguson et al.,
//! "Intersection-free Rigid Body Dynamics", SIGGRAPH 2021), as worlds.
//!
//! The scenes are data from elsewhere. They are read from the folder that `CHASLES_SHARED` names,
//! and never copied. What needs something that the world does not have is listed with its reason.

mod convert;
mod fixture;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use chasles_cli::simulate::Inspector;
use chasles_dynamics::{World, WorldError};
use serde::{Deserialize, Serialize};

pub use convert::Scene;

use crate::table::{duration, three_digits};

/// What became of a scene.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// Its file below `fixtures`, without the ending.
    pub scene: String,
    /// How many bodies.
    pub bodies: usize,
    /// The length of a step in seconds.
    pub dt: f64,
    /// How far it was run, in seconds of the scene.
    pub simulated: f64,
    /// `ran`, `slow` if its time was up before, or why not.
    pub result: String,
    /// Pairs in each other in a frame, all frames together.
    pub overlaps: usize,
    /// Pairs in each other between two frames, all steps together.
    pub crossings: usize,
    /// How often a body had to wait.
    pub waits: usize,
    /// How long the steps took, without looking.
    pub wall_s: f64,
}

impl Row {
    /// What tables show of it: name, bodies, result, time, overlaps, crossings, waits and cost.
    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.scene.clone(), self.bodies.to_string(), self.result.clone()];
        if self.simulated > 0.0 {
            let counts = [self.overlaps, self.crossings, self.waits];
            cells.push(format!("{} s", three_digits(self.simulated)));
            cells.extend(counts.map(|count| count.to_string()));
            cells.push(duration(self.wall_s));
        } else {
            cells.extend(["-"; 5].map(String::from));
        }
        cells
    }
}

/// How far scenes are run.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seconds of the scene at most; none: its own time.
    pub seconds: Option<f64>,
    /// Seconds of the clock after which no step is begun, with the looking.
    pub limit: f64,
}

/// The folder of the benchmark, if it is there.
pub fn folder() -> Option<PathBuf> {
    let shared = match std::env::var_os("CHASLES_SHARED") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    Some(shared.join("rigid-ipc")).filter(|folder| folder.join("fixtures").is_dir())
}

/// All scenes of a folder of the benchmark with their names, in order.
///
/// *Fails* if the folder cannot be read.
pub fn scenes(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let root = folder.join("fixtures");
    let mut open = vec![root.clone()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "json") {
                let below = path.strip_prefix(&root).unwrap_or(&path).with_extension("");
                // The names have points in them, and no ending after the last but `json`.
                found.push((below.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// Reads and runs a scene.
///
/// *Guarantees* a row for every scene, with the reason where it does not run. *Cost* the limit, and
/// what the step takes that is under way then. *Fails* never.
pub fn run(name: &str, path: &Path, effort: Effort) -> Row {
    let meshes = path.ancestors().find(|folder| folder.ends_with("fixtures"));
    let meshes = meshes.and_then(Path::parent).map(|root| root.join("meshes")).unwrap_or_default();
    let mut row = Row {
        scene: name.to_string(),
        bodies: 0,
        dt: 0.0,
        simulated: 0.0,
        result: String::new(),
        overlaps: 0,
        crossings: 0,
        waits: 0,
        wall_s: 0.0,
    };
    let scene = match Scene::load(path, &meshes) {
        Ok(scene) => scene,
        Err(error) => return Row { result: format!("cannot be read: {error}"), ..row },
    };
    (row.bodies, row.dt) = (scene.bodies, scene.dt);
    let until = effort.seconds.map_or(scene.seconds, |seconds| seconds.min(scene.seconds));
    let steps = (until / scene.dt * (1.0 - 1e-12)).ceil() as u64;
    row.result = match scene.world {
        Err(missing) => {
            format!("needs {}", missing.into_iter().collect::<Vec<_>>().join(", "))
        }
        Ok(world) => match follow(world, (scene.dt, steps), effort.limit, &mut row) {
            Ok(true) => "ran".to_string(),
            Ok(false) => "slow".to_string(),
            Err(error) => error.to_string(),
        },
    };
    row
}

/// Steps through a world and looks at each; whether the time sufficed.
fn follow(
    mut world: World,
    (dt, steps): (f64, u64),
    limit: f64,
    row: &mut Row,
) -> Result<bool, WorldError> {
    world.record(true);
    let mut inspector = Inspector::default();
    let began = Instant::now();
    let mut is_whole = true;
    for _ in 0..steps {
        if began.elapsed().as_secs_f64() > limit {
            is_whole = false;
            break;
        }
        let started = Instant::now();
        let report = world.step(dt)?;
        row.wall_s += started.elapsed().as_secs_f64();
        row.waits += report.waiting.len();
        row.simulated = world.time();
        inspector.follow(&world, &report);
        inspector.look(&world);
    }
    let findings = inspector.into_findings();
    row.overlaps = findings.overlaps.len();
    row.crossings = findings.crossings.len();
    Ok(is_whole)
}
