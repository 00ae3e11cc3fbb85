//! The npm package: both builds of the engine with their types.

use std::error::Error;
use std::fs;
use std::path::Path;

use crate::project;

/// Makes the folder of the package.
pub fn make(engine: &Path, folder: &Path) -> Result<(), Box<dyn Error>> {
    for build in ["chasles", "chasles-detect"] {
        for ending in [".js", ".d.ts", "_bg.wasm"] {
            let name = format!("{build}{ending}");
            fs::copy(engine.join(&name), folder.join(&name))?;
        }
    }
    // Compilers of TypeScript know this method only with a library that few projects ask for.
    for build in ["chasles", "chasles-detect"] {
        let path = folder.join(format!("{build}.d.ts"));
        let types = fs::read_to_string(&path)?;
        let kept = types.lines().filter(|line| !line.contains("[Symbol.dispose]"));
        fs::write(&path, kept.flat_map(|line| [line, "\n"]).collect::<String>())?;
    }
    let root = project::root();
    for name in ["README.md", "package.json"] {
        fs::copy(root.join("web/package").join(name), folder.join(name))?;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(name), folder.join(name))?;
    }
    Ok(())
}
