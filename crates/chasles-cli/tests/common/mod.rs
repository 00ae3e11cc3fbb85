//! Runs the program in folders of its own.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub(crate) mod page;
pub(crate) mod solids;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An empty folder for one test, below the build folder.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A folder named after the test, emptied first.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the build folder can be written to");
        Self(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("new folder");
        fs::write(path, contents).expect("the build folder can be written to");
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder exists");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        let mut names: Vec<String> = entries.flatten().map(name).collect();
        names.sort();
        names
    }

    /// Runs the program in this folder.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let output = command(arguments).current_dir(&self.0).output().expect("the program starts");
        Run::from(output)
    }
}

/// The program with arguments.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chasles"));
    command.args(arguments).env_remove("RUST_BACKTRACE").env("NO_COLOR", "1");
    // What goes to a temporary place stays below the build folder.
    command.env("TMPDIR", env!("CARGO_TARGET_TMPDIR"));
    command
}

/// What a run left behind.
pub(crate) struct Run {
    /// Exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().expect("the program was not killed"),
            out: String::from_utf8(output.stdout).expect("output is text"),
            err: String::from_utf8(output.stderr).expect("errors are text"),
        }
    }
}

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The scene files of the repository for `collide` with any method, sorted.
pub(crate) fn scenes() -> Vec<PathBuf> {
    let is_any = |path: &PathBuf| is_collide(path) && !has_solid(path);
    all_scenes().into_iter().filter(is_any).collect()
}

/// The scene files of the repository for `collide --method path`, sorted: those of rigid bodies.
pub(crate) fn path_scenes() -> Vec<PathBuf> {
    let is_rigid = |path: &PathBuf| is_collide(path) && !has_frames(path);
    all_scenes().into_iter().filter(is_rigid).collect()
}

/// Whether a scene of the repository has a body that is no mesh.
pub(crate) fn has_solid(scene: &Path) -> bool {
    let names = ["housing.toml", "drill.toml", "bowling.toml", "toys.toml"];
    names.iter().any(|name| scene.ends_with(name))
}

/// The scene files of the repository for `trace`, sorted.
pub(crate) fn trace_scenes() -> Vec<PathBuf> {
    all_scenes().into_iter().filter(|path| begins(path, "trace-")).collect()
}

/// The scene files of the repository for `simulate`, sorted.
pub(crate) fn simulate_scenes() -> Vec<PathBuf> {
    all_scenes().into_iter().filter(|path| begins(path, "simulate-")).collect()
}

fn is_collide(scene: &Path) -> bool {
    !begins(scene, "trace-") && !begins(scene, "simulate-")
}

fn begins(scene: &Path, word: &str) -> bool {
    scene.file_name().is_some_and(|name| name.to_string_lossy().starts_with(word))
}

fn all_scenes() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("scenes")).expect("there are scenes");
    let paths = entries.flatten().map(|entry| entry.path());
    let mut scenes: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    scenes.sort();
    assert!(!scenes.is_empty(), "there are no scenes");
    scenes
}

/// Whether every pair of a scene of the repository has a body that deforms.
pub(crate) fn has_frames(scene: &Path) -> bool {
    ["cloth.toml", "fold.toml"].iter().any(|name| scene.ends_with(name))
}

/// Two unit cubes that meet in the middle of the step.
pub(crate) const CUBES: &str = "\
title = \"Cubes\"

[[body]]
name = \"a\"
shape = { box = { size = [1, 1, 1] } }

[[body]]
name = \"b\"
shape = { box = { size = [1, 1, 1] } }
start = { position = [3, 0.25, 0.25] }
end = { position = [0, 0.25, 0.25], rotation = { axis = [0, 0, 1], degrees = 40 } }
";
