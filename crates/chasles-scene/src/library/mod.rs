//! The scenes of the project, embedded with the meshes that they name.
//!
//! A scene that is asked for and is no file may be one of these: `chasles collide tori` works in
//! any folder. [`BuiltIn`] is a scene, [`FILES`] what scenes name, and [`nearest`] what a user may
//! have meant.
//!
//! ```
//! use std::path::Path;
//!
//! use chasles_scene::library::{nearest, scene};
//!
//! let tori = scene(Path::new("tori")).expect("it is built in");
//! assert_eq!(tori.command_line(), "chasles collide tori");
//! assert_eq!(nearest("toroi"), Some("tori"));
//! ```

mod list;

use std::io;
use std::path::{Path, PathBuf};

use crate::files::Files;
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

/// The files that built-in scenes name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Embedded;

impl Files for Embedded {
    fn read(&self, name: &Path, _: u64) -> io::Result<Vec<u8>> {
        let found = FILES.iter().find(|(file, _)| Path::new(file) == name);
        let (_, bytes) = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        Ok(bytes.to_vec())
    }

    fn path(&self, name: &Path) -> PathBuf {
        Path::new(FOLDER).join(name)
    }
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
