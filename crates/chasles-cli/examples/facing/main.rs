//! Draws the figures of docs/screen.md that show which parts of a surface face the motion.
//!
//! ```text
//! cargo run --release -p chasles-cli --example facing -- square docs/screen-square.svg
//! cargo run --release -p chasles-cli --example facing -- cube docs/screen-cube.png
//! ```

mod figures;

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [figure, file] = &arguments[..] else {
        return Err("name a figure, square or cube, and a file, .svg or .png".into());
    };
    let bytes = figures::draw(figure, Path::new(file))?;
    std::fs::write(file, bytes).map_err(|error| format!("cannot write {file}: {error}"))?;
    Ok(())
}
