//! Labelled speed cases: two meshes, four poses, and the time of the first contact.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use chasles::glam::{DQuat, DVec3};
use chasles::motion::MotionError;
use chasles::{Polygons, Pose};
use serde::Deserialize;
use thiserror::Error;

/// Why a case cannot be read.
#[derive(Debug, Error)]
pub enum CaseError {
    /// The file cannot be opened.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// The file is not a case.
    #[error("{}: {error}", path.display())]
    Json {
        /// Which file.
        path: PathBuf,
        /// What the parser says.
        error: serde_json::Error,
    },
    /// A folder without cases, which would make every test of them pass.
    #[error("{}: holds no case", path.display())]
    Empty {
        /// Which folder.
        path: PathBuf,
    },
    /// A pose of the case is no pose.
    #[error("{}: {error}", path.display())]
    Motion {
        /// Which file.
        path: PathBuf,
        /// Which vector is wrong.
        error: MotionError,
    },
}

/// A mesh and where it goes.
#[derive(Clone, Debug)]
pub struct Body {
    /// The surface, polygons as in the input.
    pub polygons: Polygons,
    /// Start and end of the step.
    pub poses: [Pose; 2],
}

/// One query with what is known about its answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// `shape-situation`, for example `torus-deep`.
    pub name: String,
    /// The first body.
    pub a: Body,
    /// The second body.
    pub b: Body,
    /// Labelled time of the first contact, to about 1e-7; none for a miss.
    pub first_contact_time: Option<f64>,
}

impl Case {
    /// The part of the name before the dash: `cube`, `car` or `torus`.
    pub fn shape(&self) -> &str {
        self.name.split('-').next().unwrap_or(&self.name)
    }

    /// The part of the name after the dash: `deep`, `early` or `miss`.
    pub fn situation(&self) -> &str {
        self.name.split_once('-').map_or("", |(_, situation)| situation)
    }
}

/// Where the labelled data is: `CHASLES_SHARED`, or `../shared` seen from the workspace.
pub fn shared_folder() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    env::var_os("CHASLES_SHARED").map_or_else(beside, PathBuf::from)
}

/// The cases of `speed-cases/` in the order of their names; none if there is no such folder.
///
/// *Fails* on a file that is there but cannot be read, and on a folder without files.
pub fn speed_cases() -> Result<Vec<Case>, CaseError> {
    cases_in(&shared_folder().join("speed-cases"))
}

fn cases_in(folder: &Path) -> Result<Vec<Case>, CaseError> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_json = |path: &PathBuf| path.extension().is_some_and(|ext| ext == "json");
    let mut paths: Vec<PathBuf> = paths.filter(is_json).collect();
    paths.sort();
    if paths.is_empty() {
        return Err(CaseError::Empty { path: folder.into() });
    }
    paths.iter().map(|path| read(path)).collect()
}

/// What to tell the user when [`speed_cases`] found none.
pub fn absence() -> String {
    format!(
        "no speed cases in {}: set CHASLES_SHARED to the folder that holds speed-cases/",
        shared_folder().display()
    )
}

fn read(path: &Path) -> Result<Case, CaseError> {
    let text =
        fs::read_to_string(path).map_err(|error| CaseError::Io { path: path.into(), error })?;
    let file: CaseFile = serde_json::from_str(&text)
        .map_err(|error| CaseError::Json { path: path.into(), error })?;
    let motion = |error| CaseError::Motion { path: path.into(), error };
    Ok(Case {
        name: file.name,
        a: file.a.body().map_err(motion)?,
        b: file.b.body().map_err(motion)?,
        first_contact_time: file.first_contact_time,
    })
}

#[derive(Deserialize)]
struct CaseFile {
    name: String,
    a: BodyFile,
    b: BodyFile,
    first_contact_time: Option<f64>,
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

impl BodyFile {
    fn body(self) -> Result<Body, MotionError> {
        let poses = [self.start.pose()?, self.end.pose()?];
        Ok(Body { polygons: Polygons::new(self.vertices, self.faces), poses })
    }
}

impl PoseFile {
    fn pose(&self) -> Result<Pose, MotionError> {
        Pose::new(DVec3::from(self.position), DQuat::from_array(self.rotation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_folder_is_not_taken_for_a_success() {
        assert!(cases_in(Path::new("no such folder")).is_ok_and(|cases| cases.is_empty()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(matches!(cases_in(&source), Err(CaseError::Empty { .. })));
    }
}
