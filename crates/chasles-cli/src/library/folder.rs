//! The folder into which scenes are copied and drawn.

use std::path::{Path, PathBuf};

use chasles_scene::library::nearest;
use miette::Diagnostic;
use thiserror::Error;

use crate::output::{self, OutputError};

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
    pub(super) fn unknown(name: &str) -> Self {
        let help = match nearest(name) {
            Some(scene) => format!("did you mean {scene}? `chasles scenes` lists all"),
            None => "`chasles scenes` lists all; `all` copies them".to_string(),
        };
        Self::Unknown { name: name.to_string(), help }
    }
}

/// The folder that was named, made if it is not there.
pub(super) fn made_folder(path: &Path) -> miette::Result<()> {
    std::fs::create_dir_all(path)
        .map_err(|error| LibraryError::Folder { path: path.to_path_buf(), error })?;
    Ok(())
}

/// Writes files, all or none.
pub(super) fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), OutputError> {
    let reserve = |(path, _): &(PathBuf, Vec<u8>)| output::OutputFile::reserve(path, &[]);
    let reserved = files.iter().map(reserve).collect::<Result<Vec<_>, _>>()?;
    for (file, (_, bytes)) in reserved.iter().zip(files) {
        file.write(|out| out.write_all(bytes))?;
    }
    reserved.into_iter().try_for_each(output::OutputFile::publish)
}
