//! Folders from which the meshes of a robot may come.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folders of packages, by name: where `package://name/..` leads.
///
/// Meshes are read from these folders, and from that of the robot's file, and from nowhere else:
/// a path that leads out of them, also through links of the file system, is refused.
///
/// ```
/// use chasles_planning::Packages;
/// let packages = Packages::new().with("panda_description", "models/panda_description");
/// # let _ = packages;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packages {
    folders: BTreeMap<String, PathBuf>,
}

impl Packages {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// These, and the folder of another package.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, folder: impl Into<PathBuf>) -> Self {
        self.folders.insert(name.into(), folder.into());
        self
    }

    /// Where a file name of a robot leads, or why it leads nowhere. `own` is the folder of the
    /// robot's file, if it has one.
    pub(crate) fn find(&self, name: &str, own: Option<&Path>) -> Result<PathBuf, String> {
        if let Some(rest) = name.strip_prefix("package://") {
            let (package, inner) = rest.split_once('/').unwrap_or((rest, ""));
            let folder = self.folders.get(package).ok_or_else(|| self.unknown(package))?;
            return within(&folder.join(inner.trim_start_matches('/')), [folder.as_path()]);
        }
        let plain = name.strip_prefix("file://").unwrap_or(name);
        if plain.contains("://") {
            return Err("it should be `package://..` or the path of a file".into());
        }
        let path = match own {
            _ if Path::new(plain).is_absolute() => PathBuf::from(plain),
            Some(own) => own.join(plain),
            None => return Err("a text without a folder takes meshes of packages only".into()),
        };
        within(&path, self.folders.values().map(PathBuf::as_path).chain(own))
    }

    fn unknown(&self, package: &str) -> String {
        let names: Vec<&str> = self.folders.keys().map(String::as_str).collect();
        let known = if names.is_empty() { "none".into() } else { names.join(", ") };
        format!("no folder is given for the package {package:?}; given: {known}")
    }
}

/// The path without links of the file system, if it is in one of the folders.
fn within<'f>(path: &Path, folders: impl IntoIterator<Item = &'f Path>) -> Result<PathBuf, String> {
    let real = path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?;
    let mut real_folders = folders.into_iter().filter_map(|folder| folder.canonicalize().ok());
    if real_folders.any(|folder| real.starts_with(folder)) {
        Ok(real)
    } else {
        Err("it leads out of the folders that are given".into())
    }
}
