//! The parts of the page: templates, styles and modules.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use crate::project;
use crate::script;

/// The modules of the playground, each of which uses those before it but for functions; the place
/// where its parts are comes first.
pub const PLAY: [&str; 13] = [
    "document.js",
    "handles.js",
    "scene.js",
    "share.js",
    "client.js",
    "panel.js",
    "collide.js",
    "trace.js",
    "simulate.js",
    "play-outside.js",
    "play.js",
    "place.js",
    "worker.js",
];

/// The modules of the viewer, in the order of [`MODULES`].
pub const VIEWER: [&str; 16] = [
    "motion.js",
    "model.js",
    "camera.js",
    "viewer.js",
    "gestures.js",
    "plots.js",
    "pixels.js",
    "screen.js",
    "table.js",
    "explain.js",
    "space.js",
    "ground.js",
    "parts.js",
    "input.js",
    "page.js",
    "outside.js",
];

/// The folder of the viewer: that of reports.
pub fn viewer() -> PathBuf {
    project::root().join("crates/chasles-report/src/page")
}

/// The folder of the playground.
pub fn page() -> PathBuf {
    project::root().join("web/page")
}

/// A file of the playground.
pub fn read(name: &str) -> Result<String, Box<dyn Error>> {
    let path = page().join(name);
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// The page with what it consists of; what is not known yet keeps its place.
pub fn page_of(parts: &[(&str, &str)]) -> Result<String, Box<dyn Error>> {
    let mut page = fs::read_to_string(viewer().join("page.html"))?;
    let style = fs::read_to_string(viewer().join("style.css"))?;
    for (name, part) in parts {
        let part = if *name == "style" { format!("{style}{part}") } else { (*part).to_string() };
        page = page.replace(&format!("{{{{{name}}}}}"), &part);
    }
    Ok(page)
}

/// The page of a report, with places for its title, its summary and its data.
pub fn report() -> Result<String, Box<dyn Error>> {
    let script = script::script();
    page_of(&[("style", ""), ("bar", ""), ("panel", ""), ("script", &script)])
}
