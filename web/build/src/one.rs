//! The playground as one file.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::{Compression, write::GzEncoder};

use crate::assets::{self, PLAY};
use crate::script::{MODULES, joinable, wrapped};
use crate::{project, scenes};

/// Makes the file. It has places for a title, a summary and the data with which it begins.
pub fn make(engine: &Path, file: &Path) -> Result<(), Box<dyn Error>> {
    let mut bar = assets::read("bar.html")?;
    for (id, kind, part) in parts(engine)? {
        bar.push_str(&format!("<script id=\"{id}\" type=\"{kind}\">{part}</script>\n"));
    }
    let page = assets::page_of(&[
        ("style", &assets::read("play.css")?),
        ("bar", &bar),
        ("panel", &assets::read("panel.html")?),
        ("script", &script()?),
    ])?;
    fs::write(file, page)?;
    Ok(())
}

/// What the modules find beside them, as elements: their names, types and texts.
fn parts(engine: &Path) -> Result<[(&'static str, &'static str, String); 4], Box<dyn Error>> {
    let packed = |bytes: Vec<u8>| -> Result<String, std::io::Error> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes)?;
        Ok(STANDARD.encode(encoder.finish()?))
    };
    let wasm = packed(fs::read(engine.join("chasles_bg.wasm"))?)?;
    let report = packed(assets::report()?.into_bytes())?;
    let still = fs::read(project::root().join("docs/gallery/tori.png"))?;
    let still = format!("data:image/png;base64,{}", STANDARD.encode(still));
    Ok([
        ("engine-part", "text/plain", wasm),
        ("report-part", "text/plain", report),
        ("still-part", "text/plain", still),
        ("worker-part", "text/plain", worker(&engine.join("chasles.js"))?),
    ])
}

/// The script of the worker, with that of the engine before it: no module, so nothing in it may ask
/// where that is.
fn worker(glue: &Path) -> Result<String, Box<dyn Error>> {
    let glue = fs::read_to_string(glue)?;
    let (code, _) = glue
        .rsplit_once("export {")
        .ok_or("the script of the engine does not end with its exports, as it did")?;
    let worker = joinable(&assets::read("worker.js")?);
    let code = joinable(code).replace("import.meta.url", "location.href");
    let all = format!("\"use strict\";\n{code}\nconst init = __wbg_init;\n{worker}");
    match all.contains("</script") {
        true => Err("the script of the worker would end the element that it is in".into()),
        false => Ok(all),
    }
}

/// The script of the page.
fn script() -> Result<String, Box<dyn Error>> {
    let mut all: String = MODULES.iter().map(|module| joinable(module)).collect();
    all.push_str(&joinable(&assets::read("place-one.js")?));
    all.push_str(&joinable(&scenes::module(&scenes::all()?)));
    for name in PLAY.into_iter().filter(|name| !["place.js", "worker.js"].contains(name)) {
        all.push_str(&joinable(&assets::read(name)?));
    }
    Ok(wrapped(all, "startPlay"))
}
