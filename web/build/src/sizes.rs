//! How much a browser loads.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};

use crate::engine::{DETECTION, WHOLE};

/// The most that the whole page may have after gzip, its still pictures left out: a browser loads
/// one only where it cannot draw.
const MOST_OF_PAGE: usize = 1_500_000;

/// Prints the sizes after gzip, each beside what it should be at most.
pub fn tell(web: &Path) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    for build in [DETECTION, WHOLE] {
        let name = format!("{}_bg.wasm", build.name);
        let size = packed(&web.join("engine").join(&name))?;
        writeln!(out, "{name}: {size} bytes after gzip (bar {})", build.most)?;
    }
    let mut page = 0;
    for entry in fs::read_dir(web.join("site"))? {
        let path = entry?.path();
        if path.is_file() {
            page += packed(&path)?;
        }
    }
    writeln!(out, "the whole page: {page} bytes after gzip (bar {MOST_OF_PAGE})")?;
    let one = fs::metadata(web.join("play.html"))?.len();
    writeln!(out, "the page as one file: {one} bytes as it is")?;
    Ok(())
}

fn packed(path: &Path) -> Result<usize, std::io::Error> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&fs::read(path)?)?;
    Ok(encoder.finish()?.len())
}
