//! `chasles man`: manual pages, made of what `--help` says.

use clap::CommandFactory;
use miette::Diagnostic;
use thiserror::Error;

use crate::args::Cli;
use crate::output;

/// A command that is none.
#[derive(Debug, Error, Diagnostic)]
#[error("there is no command {name:?}")]
#[diagnostic(help("the commands are {known}"))]
struct NoCommand {
    name: String,
    known: String,
}

/// Prints the page of the program, or of one of its commands.
pub(crate) fn print(name: Option<&str>) -> miette::Result<()> {
    let mut program = Cli::command();
    program.build();
    let page = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let known = program.get_subcommands().map(clap::Command::get_name);
                let known = known.collect::<Vec<_>>().join(", ");
                return Err(NoCommand { name: name.to_string(), known }.into());
            }
        },
    };
    let mut text = Vec::new();
    let rendered = clap_mangen::Man::new(page).render(&mut text);
    Ok(output::to_stdout(|out| rendered.and_then(|()| out.write_all(&text)))?)
}
