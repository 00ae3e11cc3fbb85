//! Arguments of `chasles demo` and `chasles docs`.

use std::path::PathBuf;

use clap::Args;

use super::examples::DEMO_EXAMPLES;
use super::report_path;

/// Arguments of `chasles demo`.
#[derive(Debug, Args)]
#[command(after_help = DEMO_EXAMPLES)]
pub struct DemoArgs {
    /// Where the page goes [default: a new folder where the system keeps temporary files]
    #[arg(long, value_name = "FILE.html", value_parser = report_path)]
    pub report: Option<PathBuf>,
    /// Show the page with the program that the system has for it
    #[arg(long)]
    pub open: bool,
    /// Print nothing
    #[arg(long)]
    pub quiet: bool,
}
