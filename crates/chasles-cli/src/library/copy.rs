//! `chasles scenes --copy`: built-in scenes as files, with the meshes that they name.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use chasles_scene::library::{BuiltIn, SCENES};

use super::folder::{LibraryError, made_folder, write_all};
use crate::args::ScenesArgs;
use crate::output;
use crate::words::plural;

/// Copies a scene, or all. Either all files are there afterwards, or none that was not before.
pub(super) fn run(name: &str, args: &ScenesArgs) -> miette::Result<()> {
    let files: Vec<(PathBuf, Vec<u8>)> = files(name)?
        .into_iter()
        .map(|(file, bytes)| (args.folder().join(file), bytes.to_vec()))
        .collect();
    let differs = |(path, bytes): &&(PathBuf, Vec<u8>)| {
        path.symlink_metadata().is_ok() && fs::read(path).ok().as_ref() != Some(bytes)
    };
    if let Some((path, _)) = files.iter().find(differs).filter(|_| !args.force) {
        return Err(LibraryError::Exists(path.clone()).into());
    }
    for (path, _) in &files {
        made_folder(path.parent().unwrap_or(args.folder()))?;
    }
    write_all(&files)?;
    if args.quiet {
        return Ok(());
    }
    let (count, folder) = (plural(files.len(), "file"), args.folder().display());
    output::to_stdout(|out| writeln!(out, "{count} in {folder}"))?;
    Ok(())
}

/// The files of a scene or of all, by their names relative to the folder of scenes.
fn files(name: &str) -> Result<BTreeMap<String, &'static [u8]>, LibraryError> {
    let asked = name.strip_suffix(".toml").unwrap_or(name);
    let is_asked = |scene: &&BuiltIn| asked == "all" || scene.name == asked;
    let mut files: BTreeMap<String, &'static [u8]> = BTreeMap::new();
    for scene in SCENES.iter().filter(is_asked) {
        files.insert(format!("{}.toml", scene.name), scene.text.as_bytes());
        files.extend(scene.files().map(|(file, bytes)| (file.to_string(), *bytes)));
    }
    if files.is_empty() { Err(LibraryError::unknown(name)) } else { Ok(files) }
}
