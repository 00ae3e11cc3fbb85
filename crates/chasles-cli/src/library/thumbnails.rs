//! `chasles scenes --thumbnails`: a small picture of every scene, each made by its own command.

use chasles_scene::library::{BuiltIn, SCENES};

use super::folder::{LibraryError, made_folder};
use crate::args::{Cli, ScenesArgs};
use crate::output;
use crate::progress::Progress;
use crate::words::plural;

/// Width and height: three in a row fit a page.
const SIZE: &str = "360x240";

/// Runs every scene and draws it.
pub(super) fn run(args: &ScenesArgs) -> miette::Result<()> {
    let path = |scene: &BuiltIn| args.folder().join(format!("{}.png", scene.name));
    if let Some(scene) = SCENES.iter().find(|scene| path(scene).exists() && !args.force) {
        return Err(LibraryError::Exists(path(scene)).into());
    }
    made_folder(args.folder())?;
    let progress = Progress::new(args.quiet);
    progress.count(SCENES.len() as u64, "scenes");
    for scene in SCENES {
        let mut words = vec!["chasles".into(), scene.command.into(), scene.name.into()];
        words.extend(scene.options.split_whitespace().map(Into::into));
        words.extend(moment(scene).map(Into::into));
        words.extend(["--picture".into(), path(scene).into_os_string()]);
        words.extend(["--size", SIZE, "--plain", "--quiet"].map(Into::into));
        let words: Vec<std::ffi::OsString> = words;
        let cli = Cli::read(words).map_err(|error| miette::miette!("{error}"))?;
        crate::obey(cli.command)?;
        progress.advance();
    }
    drop(progress);
    if args.quiet {
        return Ok(());
    }
    let (count, folder) = (plural(SCENES.len(), "picture"), args.folder().display());
    output::to_stdout(|out| writeln!(out, "{count} in {folder}"))?;
    Ok(())
}

/// How far a simulation runs until it is worth a look.
fn moment(scene: &BuiltIn) -> impl Iterator<Item = &'static str> {
    let seconds = match scene.name {
        "simulate-wall" => "0.4",
        "simulate-cars" => "0.2",
        "simulate-dominoes" => "1.8",
        "simulate-cradle" => "0.9",
        "simulate-chain" => "0.9",
        "simulate-stairs" => "1.6",
        "simulate-sitting" => "2",
        "simulate-bolt" => "1",
        "simulate-cloth" => "2",
        "simulate-rocks" => "1.5",
        _ => "1.2",
    };
    ["--seconds", seconds].into_iter().filter(|_| scene.command == "simulate")
}
