//! Arguments of `chasles scenes`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::examples::SCENES_EXAMPLES;
use super::known::scene_name;

/// Arguments of `chasles scenes`.
#[derive(Debug, Args)]
#[command(after_help = SCENES_EXAMPLES)]
pub struct ScenesArgs {
    /// Copy a scene with the mesh files that it names, or `all` scenes
    #[arg(long, value_name = "NAME", group = "made", conflicts_with = "json")]
    #[arg(value_parser = scene_name(), hide_possible_values = true)]
    pub copy: Option<String>,
    /// Run every scene and draw a small picture of it
    #[arg(long, group = "made", conflicts_with = "json")]
    pub thumbnails: bool,
    /// Where copies and pictures go; the folder is made if it is not there [default: this folder]
    #[arg(value_name = "DIR", requires = "made")]
    pub folder: Option<PathBuf>,
    /// Overwrite files that are there
    #[arg(long, requires = "made")]
    pub force: bool,
    /// Write the list as JSON; `-` is standard output, and then nothing else is printed there
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Print no list and show no progress
    #[arg(long)]
    pub quiet: bool,
}

impl ScenesArgs {
    /// Where copies and pictures go.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new("."))
    }

    /// Whether the list is printed.
    pub fn has_table(&self) -> bool {
        !self.quiet && self.json.as_deref().is_none_or(|path| path.as_os_str() != "-")
    }
}
