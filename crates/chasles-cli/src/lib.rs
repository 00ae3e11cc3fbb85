//! The program `chasles`: scene files in, contacts out.
//!
//! ```text
//! arguments -> scene file -> Scene -> Results -> table, JSON, picture
//! ```
//!
//! Every stage is a module; `main` only calls [`run`].

pub mod args;
pub mod collide;
pub mod compare;
mod completions;
mod demo;
pub mod device;
pub mod docs;
pub mod engine;
mod feature_json;
pub mod field;
mod flat;
pub mod gltf;
pub mod inspect;
pub mod json;
pub mod library;
mod manual;
pub mod output;
pub mod play;
pub mod probes;
pub mod progress;
pub mod queries;
pub mod report;
pub mod results;
mod room;
pub mod scene;
pub mod simulate;
pub mod still;
pub mod table;
mod temporary;
pub mod trace;
mod words;
mod written;

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
        Command::Demo(args) => demo::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Docs { page } => docs::print(page.as_deref()),
        Command::Schema => Ok(output::to_stdout(chasles_scene::write_schema)?),
        Command::Man { command } => manual::print(command.as_deref()),
        Command::Completions { shell } => {
            Ok(output::to_stdout(|out| out.write_all(completions::script(shell).as_bytes()))?)
        }
    }
}

/// An error with the lines of the file it speaks of. Names in it are text, whatever they contain.
struct Drawn<'r>(&'r Report);

impl std::fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_coloured = Raw(&miette::miette!("an error")).to_string().contains('\u{1b}');
        f.write_str(&harmless(&Raw(self.0).to_string(), is_coloured))
    }
}

/// An error as the library draws it.
struct Raw<'r>(&'r Report);

impl std::fmt::Display for Raw<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Scripts search for whole phrases, so lines are wrapped for eyes only.
        let wrap = std::io::stderr().is_terminal();
        let options = MietteHandlerOpts::new().terminal_links(false).wrap_lines(wrap);
        options.build().debug(self.0.as_ref(), f)
    }
}

/// The text with line ends, and with colours if there are any, but without all else that a terminal
/// obeys.
fn harmless(text: &str, is_coloured: bool) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_control() && c != '\n') {
        kept.push_str(&words::plain_lines(&rest[..start]));
        rest = &rest[start..];
        let length = colour(rest).filter(|_| is_coloured).unwrap_or(0);
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
        if length == 0 {
            let sign = rest.chars().next().map_or(0, char::len_utf8);
            kept.push_str(&words::plain(&rest[..sign]));
            rest = &rest[sign..];
        }
    }
    kept + &words::plain_lines(rest)
}

/// How long the sequence is that sets a colour, if the text begins with one.
fn colour(text: &str) -> Option<usize> {
    let numbers = text.strip_prefix("\u{1b}[")?;
    let end = numbers.find(|c: char| !(c.is_ascii_digit() || c == ';'))?;
    numbers[end..].starts_with('m').then_some(2 + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_all_that_a_terminal_obeys() {
        let text = "a\u{1b}[1;31mb\u{1b}[0m\n\u{1b}[2J\u{9b}5A\u{202e}c\u{1b}";
        let shown = "a\u{1b}[1;31mb\u{1b}[0m\n\\u{1b}[2J\\u{9b}5A\\u{202e}c\\u{1b}";
        assert_eq!(harmless(text, true), shown);
        assert_eq!(harmless("\u{1b}[31m", false), "\\u{1b}[31m");
    }
}
