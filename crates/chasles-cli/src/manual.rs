//! `chasles man`: manual pages, made of what `--help` says.
//!
//! What stands below the options there, examples and notes, are sections of their own here.

use std::io::{self, Write};

use chasles_scene::spelling::nearest;
use clap_mangen::Man;
use miette::Diagnostic;
use thiserror::Error;

use crate::args::Cli;
use crate::output;

/// The line above the examples of a command.
const EXAMPLES: &str = "Examples:\n";

/// A command that is none.
#[derive(Debug, Error, Diagnostic)]
#[error("there is no command {name:?}")]
#[diagnostic(help("{help}"))]
struct NoCommand {
    name: String,
    help: String,
}

/// Prints the page of the program, or of one of its commands.
pub(crate) fn print(name: Option<&str>) -> miette::Result<()> {
    let mut program = Cli::described();
    program.build();
    let page = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => {
                let known = program.get_subcommands().map(clap::Command::get_name);
                let known: Vec<&str> = known.collect();
                let meant = nearest(name, known.iter().copied());
                let meant = meant.map(|word| format!("did you mean {word}? "));
                let help =
                    format!("{}the commands are {}", meant.unwrap_or_default(), known.join(", "));
                return Err(NoCommand { name: name.to_string(), help }.into());
            }
        },
    };
    let mut text = Vec::new();
    let rendered = render(page, &mut text);
    Ok(output::to_stdout(|out| rendered.and_then(|()| out.write_all(&text)))?)
}

fn render(command: clap::Command, out: &mut dyn Write) -> io::Result<()> {
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let has_commands = command.has_subcommands();
    let has_version = command.get_version().is_some();
    let man = Man::new(command);
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)?;
    if has_commands {
        man.render_subcommands_section(out)?;
    }
    write_notes(&notes, out)?;
    if has_version {
        man.render_version_section(out)?;
    }
    Ok(())
}

/// Examples line by line, and the paragraphs after them.
fn write_notes(notes: &str, out: &mut dyn Write) -> io::Result<()> {
    let mut paragraphs = notes.split("\n\n").filter(|text| !text.is_empty()).peekable();
    if let Some(examples) = paragraphs.peek().and_then(|text| text.strip_prefix(EXAMPLES)) {
        writeln!(out, ".SH EXAMPLES\n.nf")?;
        for line in examples.lines() {
            writeln!(out, "{}", escaped(line.trim_start()))?;
        }
        writeln!(out, ".fi")?;
        paragraphs.next();
    }
    if paragraphs.peek().is_some() {
        writeln!(out, ".SH NOTES")?;
    }
    for paragraph in paragraphs {
        writeln!(out, ".PP\n{}", escaped(paragraph))?;
    }
    Ok(())
}

/// Text as roff shows it: a stroke is no hyphen, and no line begins a command.
fn escaped(text: &str) -> String {
    let line = |line: &str| {
        let line = line.replace('\\', "\\e").replace('-', "\\-");
        if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(notes: &str) -> String {
        let mut out = Vec::new();
        write_notes(notes, &mut out).expect("memory can be written");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn examples_and_notes_are_sections() {
        assert_eq!(
            written("Examples:\n  chasles x --y\n  .z 'a\\b'\n\nA note.\n\nAnother."),
            ".SH EXAMPLES\n.nf\nchasles x \\-\\-y\n\\&.z 'a\\eb'\n.fi\n.SH NOTES\n.PP\nA note.\n.PP\nAnother.\n"
        );
        assert_eq!(written("A note."), ".SH NOTES\n.PP\nA note.\n");
        assert_eq!(written(""), "");
    }
}
