//! Readers for the labelled cases: meshes, poses and every event with its certified time.
//!
//! The data stand beside the repository, in `../shared` seen from the workspace, or where the
//! variable `CHASLES_SHARED` says. A checkout without them skips the tests and benches that need
//! them. Files that are there but cannot be read are a fault of the data, and end the run with
//! the name of the file.

use std::fs;
use std::path::PathBuf;

use chasles::deform::{Kind, Labelled, labelled};
use chasles::{Features, Polygons, Pose};
use glam::{DQuat, DVec3};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::judge::Event;
use crate::query::Query;

/// A query with all its events.
#[derive(Clone, Debug)]
pub struct ScrewCase {
    /// The name of the case.
    pub name: String,
    /// The question.
    pub query: Query,
    /// The answer, clear and borderline.
    pub events: Vec<Event>,
}

/// A query with its first contact only.
#[derive(Clone, Debug)]
pub struct SpeedCase {
    /// The name of the case.
    pub name: String,
    /// The question.
    pub query: Query,
    /// When the bodies first touch; none for a miss.
    pub first_contact_time: Option<f64>,
    /// The least distance of the bodies during the step, 0 if they touch.
    pub closest_approach: f64,
}

/// All cases of `screw-cases`, by name; none, with a printed line, where the data are absent.
///
/// # Panics
///
/// On a file that is not a case.
pub fn screw_cases() -> Option<Vec<ScrewCase>> {
    Some(read_all("screw-cases")?.into_iter().map(screw_case).collect())
}

/// All cases of `speed-cases`, by name; none, with a printed line, where the data are absent.
///
/// # Panics
///
/// On a file that is not a case.
pub fn speed_cases() -> Option<Vec<SpeedCase>> {
    let case = |file: SpeedFile| SpeedCase {
        name: file.name,
        query: query(file.a, file.b),
        first_contact_time: file.first_contact_time,
        closest_approach: file.closest_approach,
    };
    Some(read_all("speed-cases")?.into_iter().map(case).collect())
}

/// A file of labelled pairs on straight paths.
#[derive(Clone, Debug)]
pub struct LinearFile {
    /// The name of the file.
    pub name: String,
    /// Its queries.
    pub queries: Vec<Labelled>,
}

/// All files of `linear-ccd-queries`, by name; none, with a printed line, where they are absent.
///
/// # Panics
///
/// On a file that does not hold queries.
pub fn linear_files() -> Option<Vec<LinearFile>> {
    let read = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let bytes = fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let queries = Kind::of_file(&name).and_then(|kind| labelled(kind, &bytes));
        LinearFile { queries: queries.unwrap_or_else(|e| panic!("{}: {e}", path.display())), name }
    };
    Some(paths("linear-ccd-queries", "bin")?.iter().map(read).collect())
}

#[derive(Deserialize)]
struct ScrewFile {
    name: String,
    a: BodyFile,
    b: BodyFile,
    events: Vec<EventFile>,
}

#[derive(Deserialize)]
struct SpeedFile {
    name: String,
    a: BodyFile,
    b: BodyFile,
    first_contact_time: Option<f64>,
    closest_approach: f64,
}

#[derive(Deserialize)]
struct BodyFile {
    vertices: Vec<[f64; 3]>,
    faces: Vec<Vec<u32>>,
    start: PoseFile,
    end: PoseFile,
}

#[derive(Deserialize)]
struct PoseFile {
    position: [f64; 3],
    rotation: [f64; 4],
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FeatureFile {
    Vertex(u32),
    Face(u32),
    Edge([u32; 2]),
}

#[derive(Deserialize)]
struct EventFile {
    a: FeatureFile,
    b: FeatureFile,
    time: f64,
    point_in_a: [f64; 3],
    normal_in_a: [f64; 3],
    properness: f64,
    feature_margin: f64,
    time_margin: f64,
    normal_speed: f64,
    inside: bool,
}

/// The folder of shared data.
fn shared() -> PathBuf {
    match std::env::var_os("CHASLES_SHARED") {
        Some(folder) => folder.into(),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
    }
}

fn read_all<T: DeserializeOwned>(folder: &str) -> Option<Vec<T>> {
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    };
    Some(paths(folder, "json")?.iter().map(read).collect())
}

/// The files of a folder of shared data with this extension, by name.
#[allow(clippy::print_stdout, reason = "a skipped test must say so in the log")]
fn paths(folder: &str, extension: &str) -> Option<Vec<PathBuf>> {
    let folder = shared().join(folder);
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} not found; CHASLES_SHARED may name its parent", folder.display());
        return None;
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == extension));
    paths.sort();
    assert!(!paths.is_empty(), "{} is there but holds no case", folder.display());
    Some(paths)
}

fn query(a: BodyFile, b: BodyFile) -> Query {
    let pose = |p: PoseFile| {
        Pose::new(p.position, DQuat::from_array(p.rotation)).expect("labelled poses are finite")
    };
    let body = |b: BodyFile| (Polygons::new(b.vertices, b.faces), [pose(b.start), pose(b.end)]);
    let ((a, poses_a), (b, poses_b)) = (body(a), body(b));
    Query { a, b, poses_a, poses_b }
}

fn screw_case(file: ScrewFile) -> ScrewCase {
    let query = query(file.a, file.b);
    let size = query.size();
    let mut events: Vec<Event> = file.events.iter().map(|e| event(e, size)).collect();
    let all = events.clone();
    for (i, event) in events.iter_mut().enumerate() {
        let others =
            all.iter().enumerate().filter(|(j, o)| *j != i && o.features == event.features);
        event.other_root =
            others.map(|(_, o)| (o.time - event.time).abs()).fold(f64::INFINITY, f64::min);
    }
    ScrewCase { name: file.name, query, events }
}

fn event(file: &EventFile, size: f64) -> Event {
    let features = match (&file.a, &file.b) {
        (&FeatureFile::Face(face), &FeatureFile::Vertex(vertex)) => Features::Fv { face, vertex },
        (&FeatureFile::Vertex(vertex), &FeatureFile::Face(face)) => Features::Vf { vertex, face },
        (&FeatureFile::Edge(a), &FeatureFile::Edge(b)) => Features::Ee { a, b },
        _ => panic!("a labelled event is of a face and a vertex or of two edges"),
    };
    // How far rounding of 1e-12 of the size can shift a root, but no farther than its neighbours.
    let shift = (1e-12 * size / file.normal_speed.abs()).min(1e-3);
    Event {
        features,
        time: file.time,
        point_in_a: DVec3::from_array(file.point_in_a),
        normal_in_a: DVec3::from_array(file.normal_in_a),
        properness: file.properness,
        normal_speed: file.normal_speed,
        feature_margin: file.feature_margin,
        time_margin: file.time_margin,
        inside: file.inside,
        other_root: f64::INFINITY,
        sin_angle: 1.0,
        either_sign: false,
        window: [file.time - 1e-9 - shift, file.time + 1e-9 + shift],
    }
}
