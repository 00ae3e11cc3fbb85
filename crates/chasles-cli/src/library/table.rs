//! The list of built-in scenes, for eyes and for scripts.

use std::io::{self, Write};

use chasles_scene::library::{BuiltIn, SCENES};
use serde::Serialize;

/// Writes three lines for each scene: name and title, what it shows, the command that runs it.
pub(super) fn write(out: &mut dyn Write) -> io::Result<()> {
    for scene in SCENES {
        writeln!(out, "{}: {}", scene.name, scene.title())?;
        writeln!(out, "    {}", scene.shows())?;
        writeln!(out, "    {}\n", scene.command_line())?;
    }
    writeln!(
        out,
        "{} scenes. A scene runs by its name; `chasles scenes --copy NAME DIR` makes files of it to \
         change.",
        SCENES.len()
    )
}

/// Writes all scenes as a list.
pub(super) fn write_json(out: &mut dyn Write) -> io::Result<()> {
    let scenes: Vec<SceneJson> = SCENES.iter().map(SceneJson::of).collect();
    serde_json::to_writer(&mut *out, &scenes)?;
    writeln!(out)
}

#[derive(Serialize)]
struct SceneJson {
    name: &'static str,
    title: &'static str,
    shows: String,
    command: String,
    files: Vec<&'static str>,
}

impl SceneJson {
    fn of(scene: &BuiltIn) -> Self {
        Self {
            name: scene.name,
            title: scene.title(),
            shows: scene.shows(),
            command: scene.command_line(),
            files: scene.files().map(|(file, _)| *file).collect(),
        }
    }
}
