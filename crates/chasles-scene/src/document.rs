//! The text of a scene, what it is called, and where the files are that it names.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Fault, SceneError};
use crate::files::{Files, Folder};
use crate::{library, text};

/// The text of a scene, TOML or JSON, before anything is known of it.
///
/// ```
/// use chasles_scene::{Document, Folder, Scene};
/// let text = "[[body]]\nshape = { box = { size = [1, 1, 1] } }\n";
/// let scene = Scene::read(&Document::new(text, "box.toml", Folder::new("")))?;
/// assert_eq!(scene.title(), "box");
/// # Ok::<(), chasles_scene::SceneError>(())
/// ```
#[derive(Debug)]
pub struct Document {
    name: PathBuf,
    text: String,
    files: Box<dyn Files>,
}

impl Document {
    /// A scene from memory; messages call it `name`, and `files` has what it names.
    ///
    /// *Accepts* any text: what is wrong with it is said when a scene is read from it. *Guarantees*
    /// nothing of it. *Cost* a copy of the text. *Fails* never.
    pub fn new(
        text: impl Into<String>,
        name: impl Into<PathBuf>,
        files: impl Files + 'static,
    ) -> Self {
        Self { name: name.into(), text: text.into(), files: Box::new(files) }
    }

    /// The same from bytes. *Fails* if they are not UTF-8, and names the line.
    pub fn from_bytes(
        bytes: Vec<u8>,
        name: impl Into<PathBuf>,
        files: impl Files + 'static,
    ) -> Result<Self, SceneError> {
        let path = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(text, path, files)),
            Err(error) => {
                let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + valid.iter().filter(|&&byte| byte == b'\n').count();
                Err(SceneError::NotText { path, line })
            }
        }
    }

    /// A scene file; what is no file may be a built-in scene, with or without its ending.
    ///
    /// *Accepts* any path. *Guarantees* the text of the file. *Cost* reads the file, but none that
    /// it names. *Fails* where there is none, or it is not text.
    pub fn open(path: &Path) -> Result<Self, SceneError> {
        if let Some(scene) = library::scene(path) {
            return Ok(Self::new(scene.text, path, library::Embedded));
        }
        let bytes = fs::read(path).map_err(|error| SceneError::read(path, error))?;
        let folder = Folder::new(path.parent().unwrap_or(Path::new("")));
        Self::from_bytes(bytes, path, folder)
    }

    /// What it is called where the text does not say: its name without the ending.
    pub(crate) fn title(&self) -> String {
        self.name.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn files(&self) -> &dyn Files {
        &*self.files
    }

    /// Makes something of the document; a fault gets the lines that it speaks of.
    pub(crate) fn read<S>(
        &self,
        build: impl FnOnce(&Self) -> Result<S, Fault>,
    ) -> Result<S, SceneError> {
        let made = text::check_ending(&self.name, &self.text).and_then(|()| build(self));
        made.map_err(|fault| SceneError::wrong(fault, &self.name, &self.text))
    }
}
