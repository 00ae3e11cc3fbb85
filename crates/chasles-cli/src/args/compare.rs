//! Arguments of `chasles compare`.

use std::path::PathBuf;

use clap::Args;

use super::examples::COMPARE_EXAMPLES;
use super::known::scene_path;
use super::{MOST_RUNS, above_zero, report_path};

/// Arguments of `chasles compare`.
#[derive(Debug, Args)]
#[command(after_help = COMPARE_EXAMPLES)]
pub struct CompareArgs {
    /// The scene file (TOML or JSON), the name of a built-in scene, or `-` for standard input
    #[arg(value_name = "SCENE.toml", value_parser = scene_path("collide"))]
    #[arg(hide_possible_values = true)]
    pub scene: PathBuf,
    /// Time N repetitions of each method after a first one, without set-up [default: 25, or fewer
    /// but at least 3 if they take longer than a second]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    pub repeat: Option<u32>,
    /// Cut the step, into 4096 parts at most, until points of the smaller body leave the relative
    /// screws by at most this length, as in collide
    #[arg(long, value_name = "LENGTH", value_parser = above_zero, allow_negative_numbers = true)]
    pub max_departure: Option<f64>,
    /// Write the comparison as JSON; `-` is standard output, and then nothing else is printed there
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page with the table and plots, one file that works offline
    #[arg(long, value_name = "FILE.html", value_parser = report_path)]
    pub report: Option<PathBuf>,
    /// Show the report with the program that the system has for it
    #[arg(long, requires = "report")]
    pub open: bool,
    /// Print no table, show no progress, and do not name the files that are written
    #[arg(long)]
    pub quiet: bool,
}

impl CompareArgs {
    /// Whether the table is printed.
    pub fn has_table(&self) -> bool {
        !self.quiet && self.json.as_deref().is_none_or(|path| path.as_os_str() != "-")
    }
}
