//! Makes the engine for browsers.
mod engine;
mod project;

use std::error::Error;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    for build in [engine::DETECTION, engine::WHOLE] {
        let folder = project::target().join("web/engine");
        engine::make(&build, &folder)?;
        let bytes = std::fs::read(folder.join(format!("{}_bg.wasm", build.name)))?;
        let mut z = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        z.write_all(&bytes)?;
        println!("{}: {} bytes, {} after gzip", build.name, bytes.len(), z.finish()?.len());
    }
    Ok(())
}
