//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// What the engine is compiled for.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// The folder of the project.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("this program is two folders below the project").to_path_buf()
}

/// Where cargo puts what it compiles for the project.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
