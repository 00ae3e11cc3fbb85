//! Makes what browsers load: the engine, the playground as a folder and as one file, and the npm
//! package.
//!
//!     cargo run --release --manifest-path web/build/Cargo.toml
//!     cargo run --release --manifest-path web/build/Cargo.toml -- --keep-engine
//!
//! The second takes the engine that was made before: for work on the page.
//! All of it goes to `target/web`:
//!
//! | | |
//! |---|---|
//! | `site` | the playground as a static folder, ready for any server of files |
//! | `play.html` | the same as one file, with a place for the scene that it begins with |
//! | `package` | the npm package |

mod assets;
mod engine;
mod one;
mod package;
mod project;
mod scenes;
#[path = "../../../crates/chasles-report/src/script.rs"]
mod script;
mod site;
mod sizes;

use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let web = project::target().join("web");
    let engine = web.join("engine");
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => {
            engine::make(&engine::DETECTION, &engine)?;
            engine::make(&engine::WHOLE, &engine)?;
        }
        ["--keep-engine"] => {}
        _ => return Err("usage: chasles-web-build [--keep-engine]".into()),
    }
    for folder in ["site", "package"] {
        let folder = web.join(folder);
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
    }
    site::make(&engine, &web.join("site"))?;
    one::make(&engine, &web.join("play.html"))?;
    package::make(&engine, &web.join("package"))?;
    sizes::tell(&web)
}
