//! `chasles demo`: a first result without a scene, and what to look at next.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::args::{Cli, DemoArgs};
use crate::output::{self, OutputError};

/// The scene: two bodies, a turn and a fall, and contacts of every kind.
const SCENE: &str = "tori";

/// What to try after it.
const NEXT: &str = "\
Next:
  chasles collide tori --open --report tori.html  the same page, and your browser opens it
  chasles collide tori --min-properness -0.1 --facing  the 9 with which the collision begins
  chasles simulate simulate-wall --report wall.html  a ball hits a wall at 150 mph
  chasles trace trace-level --report level.html  a player runs, climbs and jumps
  chasles scenes  all built-in scenes; --copy makes files of them to change
  chasles docs guide  the first hour, step by step";

/// Runs the command: `chasles collide` on a built-in scene, with a page.
pub(crate) fn run(args: &DemoArgs) -> miette::Result<()> {
    let page = match &args.report {
        Some(path) => path.clone(),
        None => new_place().map_err(|(path, error)| OutputError::at(&path, error))?,
    };
    let words = ["chasles", "collide", SCENE, "--report"].map(OsString::from);
    let flags = [(args.open, "--open"), (args.quiet, "--quiet")];
    let flags = flags.iter().filter(|(is_given, _)| *is_given).map(|(_, flag)| flag.into());
    let words = words.into_iter().chain([page.clone().into_os_string()]).chain(flags);
    let cli = Cli::read(words).map_err(|error| miette::miette!("{error}"))?;
    crate::obey(cli.command)?;
    if args.quiet {
        return Ok(());
    }
    Ok(output::to_stdout(|out| write_next(&page, out))?)
}

fn write_next(page: &Path, out: &mut dyn Write) -> io::Result<()> {
    let page = crate::words::plain(&page.display().to_string());
    writeln!(out, "\nOpen {page} in a browser: play the fall, turn it, choose a contact.\n")?;
    let (head, lines) = NEXT.split_once('\n').unwrap_or((NEXT, ""));
    writeln!(out, "{head}")?;
    let rows: Vec<(&str, &str)> =
        lines.lines().filter_map(|line| line.trim_start().split_once("  ")).collect();
    let width = rows.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    rows.iter().try_for_each(|(command, shows)| writeln!(out, "  {command:width$}  {shows}"))
}

/// A file in a new folder where temporary files go; nobody else can have made it before.
fn new_place() -> Result<PathBuf, (PathBuf, io::Error)> {
    let process = std::process::id();
    for number in 0_u32.. {
        let folder = std::env::temp_dir().join(format!("chasles-demo-{process}-{number}"));
        match std::fs::create_dir(&folder) {
            Ok(()) => return Ok(folder.join(format!("{SCENE}.html"))),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err((folder, error)),
        }
    }
    Err((std::env::temp_dir(), io::ErrorKind::AlreadyExists.into()))
}
