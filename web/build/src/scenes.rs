//! The scenes of the project, as a module.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use crate::project;

/// A scene that the playground can open.
#[derive(Debug)]
pub struct BuiltIn {
    /// Its name.
    pub name: String,
    command: &'static str,
    title: String,
    text: String,
    files: Vec<(String, String)>,
}

/// The scenes of the project without those that the engine for browsers does not compute: contacts
/// of surfaces that deform.
pub fn all() -> Result<Vec<BuiltIn>, Box<dyn Error>> {
    let folder = project::root().join("scenes");
    let entries = fs::read_dir(&folder)?.map(|entry| Ok(entry?.path()));
    let paths: BTreeSet<_> = entries.collect::<Result<_, std::io::Error>>()?;
    let tomls = paths.iter().filter(|path| path.extension().is_some_and(|end| end == "toml"));
    let scenes = tomls.map(|path| read(path, &folder)).collect::<Result<Vec<_>, _>>()?;
    Ok(scenes.into_iter().flatten().collect())
}

fn read(path: &Path, folder: &Path) -> Result<Option<BuiltIn>, Box<dyn Error>> {
    let text = fs::read_to_string(path)?;
    if text.contains("\nframes") {
        return Ok(None);
    }
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let command = match name.split_once('-') {
        Some(("trace", _)) => "trace",
        Some(("simulate", _)) => "simulate",
        _ => "collide",
    };
    let title = text.lines().find_map(|line| line.strip_prefix("title = \"")?.strip_suffix('"'));
    let title = title.unwrap_or(&name).to_string();
    let quoted = text.split('"').filter(|word| word.starts_with("meshes/"));
    let named: BTreeSet<&str> = quoted.collect();
    let file = |name: &str| Ok((name.to_string(), fs::read_to_string(folder.join(name))?));
    let files = named.into_iter().map(file).collect::<Result<_, std::io::Error>>()?;
    Ok(Some(BuiltIn { name, command, title, text, files }))
}

/// The module that the playground reads them from; the simplest scene comes first.
pub fn module(scenes: &[BuiltIn]) -> String {
    let one = |scene: &BuiltIn| {
        let file = |(name, text): &(String, String)| format!("{}: {}", quoted(name), quoted(text));
        let files: Vec<String> = scene.files.iter().map(file).collect();
        format!(
            "  {{ name: {}, command: {}, title: {}, text: {}, files: {{ {} }} }},\n",
            quoted(&scene.name),
            quoted(scene.command),
            quoted(&scene.title),
            quoted(&scene.text),
            files.join(", ")
        )
    };
    let rows: String = scenes.iter().map(one).collect();
    format!("// The scenes of the project.\n\nexport const BUILT_IN = [\n{rows}];\n")
}

/// A text as JavaScript has it, which ends no script.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for sign in text.chars() {
        match sign {
            '"' | '\\' => out.extend(['\\', sign]),
            '\n' => out.push_str("\\n"),
            '<' => out.push_str("\\x3c"),
            sign if sign.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(sign))),
            sign => out.push(sign),
        }
    }
    out + "\""
}
