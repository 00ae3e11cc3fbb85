//! The scenes of the project, embedded in the program with the meshes that they name.
//!
//! A scene that is named on the command line and is no file may be one of these: `chasles collide
//! tori` works in any folder. [`BuiltIn`] is a scene, `contents` what the files that scenes name
//! hold, and [`nearest`] what a user may have meant.

mod copy;
mod list;
mod table;
mod thumbnails;

use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::args::ScenesArgs;
use crate::output::{self, OutputError};
use crate::spelling::edits;
pub use list::{FILES, SCENES};

/// The folder in which built-in scenes seek their meshes: no folder that anyone has.
const FOLDER: &str = "chasles:scenes";

/// A scene of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// The command that it is for.
    pub command: &'static str,
    /// What that command needs beside the name of the scene.
    pub options: &'static str,
    /// The file.
    pub text: &'static str,
}

impl BuiltIn {
    /// The command line that runs it.
    pub fn command_line(&self) -> String {
        format!("chasles {} {} {}", self.command, self.name, self.options).trim_end().to_string()
    }

    /// Its title.
    pub fn title(&self) -> &'static str {
        let title = |line: &'static str| line.strip_prefix("title = \"")?.strip_suffix('"');
        self.text.lines().find_map(title).unwrap_or(self.name)
    }

    /// What it shows: the first sentence of the comment at its beginning.
    pub fn shows(&self) -> String {
        let comment = self.text.lines().map_while(|line| line.strip_prefix("# "));
        let comment = comment.collect::<Vec<_>>().join(" ");
        match comment.split_once(". ") {
            Some((first, _)) => format!("{first}."),
            None => comment,
        }
    }

    /// The files that it names, relative to it.
    pub fn files(&self) -> impl Iterator<Item = &'static (&'static str, &'static [u8])> {
        let text = self.text;
        FILES.iter().filter(move |(file, _)| text.contains(&format!("\"{file}\"")))
    }
}

/// The scene that a path names, if that is no file: by its name, with or without the ending.
pub fn scene(path: &Path) -> Option<&'static BuiltIn> {
    let name = path.to_str()?;
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let scene = SCENES.iter().find(|scene| scene.name == name)?;
    (!path.is_file()).then_some(scene)
}

/// Where the meshes of built-in scenes are sought.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(FOLDER)
}

/// What a file that a built-in scene names holds.
pub(crate) fn contents(path: &Path) -> Option<&'static [u8]> {
    let name = path.strip_prefix(FOLDER).ok()?;
    FILES.iter().find(|(file, _)| Path::new(file) == name).map(|(_, bytes)| *bytes)
}

/// The built-in scene whose name is most like this one, if one is.
pub fn nearest(name: &str) -> Option<&'static str> {
    let name = Path::new(name).file_stem()?.to_string_lossy().to_lowercase();
    let last = |scene: &str| scene.rsplit('-').next().map(str::to_string).unwrap_or_default();
    let distance = |scene: &str| edits(&name, scene).min(edits(&name, &last(scene)));
    let (edits, best) = SCENES.iter().map(|s| (distance(s.name), s.name)).min()?;
    // A third of the letters may be wrong: "torri" is still tori, "banana" is nothing.
    (3 * edits <= name.chars().count()).then_some(best)
}

/// Why scenes cannot be copied.
#[derive(Debug, Error, Diagnostic)]
pub enum LibraryError {
    /// No scene has this name.
    #[error("there is no built-in scene {name:?}")]
    Unknown {
        /// The name.
        name: String,
        /// What would be right.
        #[help]
        help: String,
    },
    /// A file is in the way.
    #[error("{} exists, and is another file", .0.display())]
    #[diagnostic(help("name another folder, or overwrite it with --force"))]
    Exists(PathBuf),
    /// A folder cannot be made.
    #[error("cannot make the folder {}: {error}", path.display())]
    #[diagnostic(help("name a folder where you may write"))]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
}

impl LibraryError {
    fn unknown(name: &str) -> Self {
        let help = match nearest(name) {
            Some(scene) => format!("did you mean {scene}? `chasles scenes` lists all"),
            None => "`chasles scenes` lists all; `all` copies them".to_string(),
        };
        Self::Unknown { name: name.to_string(), help }
    }
}

/// Runs `chasles scenes`.
pub fn run(args: &ScenesArgs) -> miette::Result<()> {
    if let Some(name) = &args.copy {
        return copy::run(name, args);
    }
    if args.thumbnails {
        return thumbnails::run(args);
    }
    let json = args.json.as_deref().map(|path| output::Destination::reserve(path, &[]));
    let json = json.transpose()?;
    if let Some(json) = &json {
        json.write(table::write_json)?;
    }
    json.map_or(Ok(()), output::Destination::publish)?;
    if args.has_table() {
        output::to_stdout(table::write)?;
    }
    Ok(())
}

/// The folder that was named, made if it is not there.
fn made_folder(path: &Path) -> miette::Result<()> {
    std::fs::create_dir_all(path)
        .map_err(|error| LibraryError::Folder { path: path.to_path_buf(), error })?;
    Ok(())
}

/// Writes files, all or none.
fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), OutputError> {
    let reserve = |(path, _): &(PathBuf, Vec<u8>)| output::OutputFile::reserve(path, &[]);
    let reserved = files.iter().map(reserve).collect::<Result<Vec<_>, _>>()?;
    for (file, (_, bytes)) in reserved.iter().zip(files) {
        file.write(|out| out.write_all(bytes))?;
    }
    reserved.into_iter().try_for_each(output::OutputFile::publish)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_one_is_understood() {
        for (written, meant) in [
            ("torri", Some("tori")),
            ("scenes/tori.toml", Some("tori")),
            ("Domino", Some("simulate-dominoes")),
            ("wall", Some("simulate-wall")),
            ("banana", None),
            ("", None),
        ] {
            assert_eq!(nearest(written), meant, "{written}");
        }
    }

    #[test]
    fn every_scene_says_what_it_shows() {
        for scene in SCENES {
            assert!(scene.shows().len() > 20 && scene.title().len() > 3, "{}", scene.name);
        }
    }
}
