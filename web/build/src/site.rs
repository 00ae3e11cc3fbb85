//! The playground as a static folder.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::assets::{self, PLAY, VIEWER};
use crate::{project, scenes};

/// Makes the folder: modules as they are, the engine beside them, and still pictures.
pub fn make(engine: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    for name in VIEWER {
        fs::copy(assets::viewer().join(name), folder.join(name))?;
    }
    for name in PLAY {
        fs::copy(assets::page().join(name), folder.join(name))?;
    }
    for name in ["chasles.js", "chasles_bg.wasm"] {
        fs::copy(engine.join(name), folder.join(name))?;
    }
    let scenes = scenes::all()?;
    fs::write(folder.join("scenes.js"), scenes::module(&scenes))?;
    fs::create_dir(folder.join("stills"))?;
    for scene in &scenes {
        let still = format!("{}.png", scene.name);
        let drawn = project::root().join("docs/gallery").join(&still);
        fs::copy(drawn, folder.join("stills").join(&still))?;
    }
    fs::write(folder.join("report.html"), assets::report()?)?;
    fs::write(folder.join("index.html"), index()?)?;
    // Some servers of static folders leave out what they take for theirs.
    fs::write(folder.join(".nojekyll"), "")?;
    Ok(())
}

fn index() -> Result<String, Box<dyn Error>> {
    let begin = "import(\"./play.js\").then((play) => play.startPlay());";
    assets::page_of(&[
        ("title", "Chasles"),
        ("summary", "A collision engine in your browser: loading…"),
        ("style", &assets::read("play.css")?),
        ("bar", &assets::read("bar.html")?),
        ("panel", &assets::read("panel.html")?),
        ("data", "null"),
        ("script", begin),
    ])
}
