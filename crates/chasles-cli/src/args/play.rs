//! Arguments of `chasles play`.

use std::path::PathBuf;

use clap::Args;

use super::examples::PLAY_EXAMPLES;
use super::known::any_scene;
use super::report_path;

/// Arguments of `chasles play`.
#[derive(Debug, Args)]
#[command(after_help = PLAY_EXAMPLES)]
pub struct PlayArgs {
    /// The scene file (TOML or JSON), or the name of a built-in scene [default: tori]
    #[arg(value_name = "SCENE.toml", value_parser = any_scene(), hide_possible_values = true)]
    pub scene: Option<PathBuf>,
    /// Write the playground with the scene as one file, instead of serving it
    #[arg(long, value_name = "FILE.html", value_parser = report_path)]
    pub page: Option<PathBuf>,
    /// Serve it at this port of this machine [default: a free one]
    #[arg(long, value_name = "N", conflicts_with = "page")]
    pub port: Option<u16>,
    /// Show it with the program that the system has for pages
    #[arg(long)]
    pub open: bool,
}
