//! `chasles scenes`: the built-in scenes, listed, copied and drawn.

mod copy;
mod folder;
mod table;
mod thumbnails;

use crate::args::ScenesArgs;
use crate::output;
pub use folder::LibraryError;

/// Runs `chasles scenes`.
pub fn run(args: &ScenesArgs) -> miette::Result<()> {
    if let Some(name) = &args.copy {
        return copy::run(name, args);
    }
    if args.thumbnails {
        return thumbnails::run(args);
    }
    let json = args.json.as_deref().map(|path| output::Destination::reserve(path, &[]));
    let json = json.transpose()?;
    if let Some(json) = &json {
        json.write(table::write_json)?;
    }
    json.map_or(Ok(()), output::Destination::publish)?;
    if args.has_table() {
        output::to_stdout(table::write)?;
    }
    Ok(())
}
