//! Finds the playground that the feature `play` embeds: `target/web/play.html`, or what
//! `CHASLES_PLAY_PAGE` names. Without it the program compiles and says how it is made.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_page)");
    println!("cargo::rerun-if-env-changed=CHASLES_PLAY_PAGE");
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PLAY").is_none() {
        return;
    }
    let page = env::var_os("CHASLES_PLAY_PAGE").map_or_else(usual, |path| Some(path.into()));
    let Some(page) = page else { return };
    println!("cargo::rerun-if-changed={}", page.display());
    if page.is_file() {
        println!("cargo::rustc-cfg=has_page");
        println!("cargo::rustc-env=CHASLES_PLAY_PAGE={}", page.display());
    }
}

/// Where the page is in a checkout: in the folder into which cargo builds.
fn usual() -> Option<PathBuf> {
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    // target/PROFILE/build/PACKAGE/out, or with a target triple before the profile.
    let folder = out.ancestors().skip(4).find(|folder| folder.join("web").is_dir());
    let target = folder.or_else(|| out.ancestors().nth(4))?;
    Some(target.join("web/play.html"))
}
