//! The engine: compiled, and wrapped in the code that scripts call.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::project::{self, TARGET};

/// One build of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Build {
    /// The name of its files.
    pub name: &'static str,
    /// What cargo is asked for besides.
    features: &'static [&'static str],
    /// The most bytes that it may have after gzip.
    pub most: usize,
}

/// Everything: scenes and worlds too. Both builds have the bits that a native program has with the
/// feature `libm`.
pub const WHOLE: Build =
    Build { name: "chasles", features: &["--features", "libm"], most: 600_000 };

/// Detection and traces alone.
pub const DETECTION: Build = Build {
    name: "chasles-detect",
    features: &["--no-default-features", "--features", "libm"],
    most: 250_000,
};

/// Compiles the engine and writes `NAME.js`, `NAME_bg.wasm` and `NAME.d.ts` into a folder.
pub fn make(build: &Build, folder: &Path) -> Result<(), Box<dyn Error>> {
    let root = project::root();
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&root).args(["build", "--profile", "web", "-p", "chasles-web"]);
    cargo.args(["--target", TARGET]).args(build.features);
    // Four lanes at a time: without these instructions the engine takes more than twice as long.
    let mut flags = vec!["-Ctarget-feature=+simd128".to_string()];
    // Messages name files by their places in the project and in packages, not on this machine.
    flags.push(format!("--remap-path-prefix={}=", root.display()));
    flags.extend(packages().map(|folder| format!("--remap-path-prefix={}=", folder.display())));
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    if !cargo.status()?.success() {
        return Err("the engine does not compile: see what cargo says above".into());
    }
    let module = project::target().join(TARGET).join("web/chasles_web.wasm");
    fs::create_dir_all(folder)?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(build.name).web(true)?.typescript(true);
    // Without an argument the engine is sought beside its script, as bundlers expect.
    bindgen.omit_default_module_path(false);
    // Names of functions are for profilers, and a third of the file.
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(folder).map_err(|error| format!("no glue can be made: {error:#}"))?;
    fs::remove_file(folder.join(format!("{}_bg.wasm.d.ts", build.name)))?;
    Ok(())
}

/// Where cargo keeps the packages that it fetched.
fn packages() -> impl Iterator<Item = PathBuf> {
    let usual = || env::home_dir().map(|home| home.join(".cargo"));
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(usual);
    home.into_iter().map(|home| home.join("registry/src"))
}
