//! The program `chasles`: scene files in, contacts out.
//!
//! ```text
//! arguments -> scene file -> Scene -> Results -> table, JSON, picture
//! ```
//!
//! Every stage is a module; `main` only calls [`run`].

pub mod args;
pub mod bodies;
pub mod collide;
pub mod compare;
pub mod engine;
pub mod field;
pub mod gltf;
pub mod inspect;
pub mod json;
pub mod library;
mod manual;
pub mod output;
pub mod picture;
pub mod probes;
pub mod progress;
pub mod queries;
pub mod report;
pub mod results;
pub mod scene;
pub mod simulate;
pub mod still;
pub mod table;
mod temporary;
pub mod trace;

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use miette::{MietteHandlerOpts, Report, ReportHandler};

use args::{Cli, Command};

/// What the program answers when the input is wrong or a result cannot be written.
const FAILED: u8 = 2;

/// Runs the program: 0 if the command did its work, 2 if the input is wrong or a result cannot be
/// written.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::read(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help goes to a reader that may have left; that is no failure of ours.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(FAILED));
        }
    };
    match obey(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(report) => {
            let _ = writeln!(std::io::stderr().lock(), "{}", Drawn(&report));
            ExitCode::from(FAILED)
        }
    }
}

/// Does what a command asks for.
pub(crate) fn obey(command: Command) -> miette::Result<()> {
    match command {
        Command::Collide(args) => collide::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Trace(args) => trace::run(&args),
        Command::Inspect(args) => inspect::run(&args),
        Command::Field(args) => field::run(&args),
        Command::Queries(args) => queries::run(&args),
        Command::Scenes(args) => library::run(&args),
        Command::Schema => Ok(output::to_stdout(scene::write_schema)?),
        Command::Man { command } => manual::print(command.as_deref()),
        Command::Completions { shell } => Ok(output::to_stdout(|out| {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::described(), "chasles", &mut script);
            out.write_all(&script)
        })?),
    }
}

/// An error with the lines of the file it speaks of.
struct Drawn<'r>(&'r Report);

impl std::fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Scripts search for whole phrases, so lines are wrapped for eyes only.
        let wrap = std::io::stderr().is_terminal();
        let options = MietteHandlerOpts::new().terminal_links(false).wrap_lines(wrap);
        options.build().debug(self.0.as_ref(), f)
    }
}
