//! Scenes of a public benchmark for intersection-free rigid bodies (Ferguson et al.,
//! "Intersection-free Rigid Body Dynamics", SIGGRAPH 2021), as worlds.
//!
//! The scenes are data from elsewhere. They are read from the folder that `CHASLES_SHARED` names,
//! and never copied.

mod convert;
mod fixture;
mod follow;
mod form;

use std::io;
use std::path::{Path, PathBuf};

use chasles_dynamics::Options;
use serde::{Deserialize, Serialize};

pub use convert::Scene;

use crate::table::{duration, three_digits};

/// What became of a scene.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
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
    /// Pairs in each other in a frame, all frames together; those that may be are not among them.
    pub overlaps: usize,
    /// Pairs in each other between two frames, all steps together; likewise.
    pub crossings: usize,
    /// The same of pairs that may be in each other: neither body is dynamic, or both are of one
    /// group, of which each counts once.
    pub passing: usize,
    /// How often a body had to wait.
    pub waits: usize,
    /// The longest run of steps in which one body waited.
    pub longest_wait: usize,
    /// Seconds of the scene that bodies lost, all together.
    pub lost: f64,
    /// Processor time of the steps, without looking.
    pub processor_s: f64,
}

impl Row {
    /// What tables show of it: name, bodies, result, time, overlaps, crossings, passing, waits, the
    /// longest run of them, seconds lost, and processor time for each second of the scene.
    pub fn cells(&self) -> Vec<String> {
        let mut cells = vec![self.scene.clone(), self.bodies.to_string(), self.result.clone()];
        if self.simulated > 0.0 {
            let [overlaps, crossings] = [self.overlaps, self.crossings];
            let counts = [overlaps, crossings, self.passing, self.waits, self.longest_wait];
            cells.push(format!("{} s", three_digits(self.simulated)));
            cells.extend(counts.map(|count| count.to_string()));
            cells.push(if self.lost > 0.0 { duration(self.lost) } else { "0".to_string() });
            cells.push(duration(self.processor_s / self.simulated));
        } else {
            cells.extend(["-"; 8].map(String::from));
        }
        cells
    }
}

/// How far scenes are run, and how.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seconds of the scene at most; none: its own time.
    pub seconds: Option<f64>,
    /// Processor time after which no step is begun, with the looking, in seconds.
    pub limit: f64,
    /// How to step; gravity is that of the scene.
    pub options: Options,
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
    let row = Row { scene: name.to_string(), ..Row::default() };
    match Scene::load(path, &meshes, effort.options) {
        Ok(scene) => follow::follow(scene, &effort, row),
        Err(error) => Row { result: format!("cannot be read: {error}"), ..row },
    }
}
