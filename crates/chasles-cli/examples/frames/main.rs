//! Writes the frames of `scenes/cloth.toml` and `scenes/fold.toml`.
//!
//! ```text
//! cargo run --release -p chasles-cli --example frames -- scenes/meshes
//! ```

mod meshes;

use std::path::Path;
use std::{env, fs};

use chasles::mesh::files::to_obj;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = env::args_os().nth(1).ok_or("name the folder for the meshes")?;
    for (name, mesh) in meshes::all() {
        fs::write(Path::new(&folder).join(name), to_obj(&mesh))?;
    }
    Ok(())
}
