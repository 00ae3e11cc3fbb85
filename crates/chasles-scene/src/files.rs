//! Where the files are that a scene names: the only place that knows a file system.
//!
//! A scene names meshes and distance fields. [`Files`] gives their bytes: [`Folder`] from the file
//! system, a map of names to bytes from memory, as in a browser.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use chasles::Polygons;
use chasles::mesh::files::{self, FileError};

/// Gives the files that a scene names.
///
/// ```
/// use std::collections::BTreeMap;
/// use chasles_scene::{Document, Scene};
///
/// let mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n".to_vec();
/// let files = BTreeMap::from([("triangle.obj".to_string(), mesh)]);
/// let text = "[[body]]\nmesh = 'triangle.obj'\n";
/// let scene = Scene::read(&Document::new(text, "scene.toml", files))?;
/// assert_eq!(scene.bodies()[0].mesh().face_count(), 1);
/// # Ok::<(), chasles_scene::SceneError>(())
/// ```
pub trait Files: fmt::Debug {
    /// The bytes of a file, by the name that the scene has for it.
    ///
    /// *Accepts* any name, and the most bytes that are of use. *Guarantees* the whole file. *Fails*
    /// where there is none, and where it is longer.
    fn read(&self, name: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// The mesh of a file; its extension says how it is read.
    ///
    /// *Accepts* any name. *Guarantees* and *Cost* as [`files::load`]; buffers of glTF must be
    /// embedded, unless the files say otherwise. *Fails* as [`files::load`].
    fn mesh(&self, name: &Path) -> Result<Polygons, FileError> {
        let path = self.path(name);
        let bytes = self
            .read(name, u64::MAX)
            .map_err(|source| FileError::Read { path: path.clone(), source })?;
        files::parse(&path, &bytes, None)
    }

    /// What messages and results call a file.
    fn path(&self, name: &Path) -> PathBuf {
        name.to_path_buf()
    }
}

/// Files of the file system, by their names relative to a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// The files of this folder; empty for the current one.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }
}

impl Files for Folder {
    /// Refuses devices and pipes, which may never end.
    fn read(&self, name: &Path, most: u64) -> io::Result<Vec<u8>> {
        let path = self.path(name);
        let meta = fs::metadata(&path)?;
        if !meta.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        check_length(meta.len(), most)?;
        let mut bytes = Vec::with_capacity(meta.len() as usize);
        fs::File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        check_length(bytes.len() as u64, most)?;
        Ok(bytes)
    }

    fn mesh(&self, name: &Path) -> Result<Polygons, FileError> {
        files::load(self.path(name))
    }

    fn path(&self, name: &Path) -> PathBuf {
        self.0.join(name)
    }
}

impl Files for BTreeMap<String, Vec<u8>> {
    fn read(&self, name: &Path, most: u64) -> io::Result<Vec<u8>> {
        let found = name.to_str().and_then(|name| self.get(name));
        let bytes = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        check_length(bytes.len() as u64, most)?;
        Ok(bytes.clone())
    }
}

/// Fails if a file is longer than any that is of use.
fn check_length(bytes: u64, most: u64) -> io::Result<()> {
    match bytes > most {
        true => Err(io::Error::other(format!("it has {bytes} bytes, more than {most}"))),
        false => Ok(()),
    }
}
