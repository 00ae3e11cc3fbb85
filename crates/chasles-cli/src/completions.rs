//! `chasles completions`: scripts with which shells complete commands, options and built-in scenes.

use chasles_scene::library::SCENES;
use clap_complete::Shell;

use crate::args::Cli;

/// Where the script of zsh ends with what calls it.
const ZSH_CALL: &str = "if [ \"$funcstack[1]\" = \"_chasles\" ]";

/// The script for a shell.
pub(crate) fn script(shell: Shell) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut Cli::described(), "chasles", &mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    match shell {
        Shell::Zsh => with_files(text),
        Shell::Fish => text + &offered_by_fish(),
        _ => text,
    }
}

/// The commands that take scenes, each with the scenes that it is for.
fn offers() -> [(&'static str, String); 4] {
    let of = |command: &str| {
        let names = SCENES.iter().filter(|scene| scene.command == command).map(|scene| scene.name);
        names.collect::<Vec<_>>().join(" ")
    };
    [("collide", "collide"), ("compare", "collide"), ("simulate", "simulate"), ("trace", "trace")]
        .map(|(command, fit)| (command, of(fit)))
}

/// Zsh would offer the names alone: scenes are files too.
fn with_files(mut text: String) -> String {
    let mut functions = String::new();
    for (command, names) in offers() {
        let offer = format!(
            "_chasles_scenes_{command}() {{\n    _alternative \"scenes:built-in scene:({names})\" \
             \"files:scene file:_files\"\n}}\n\n"
        );
        let function = format!(":_chasles_scenes_{command}'");
        // `compare` takes the scenes of `collide`, whose function is met first.
        if text.contains(&format!(":({names})'")) {
            text = text.replace(&format!(":({names})'"), &function);
            functions += &offer;
        }
    }
    text.replacen(ZSH_CALL, &format!("{functions}{ZSH_CALL}"), 1)
}

/// Fish is told nothing of what has no dash.
fn offered_by_fish() -> String {
    let line = |(command, names): (&str, String)| {
        format!("complete -c chasles -n \"__fish_seen_subcommand_from {command}\" -a \"{names}\"\n")
    };
    offers().map(line).concat()
}
