//! `chasles play`: the engine in a browser; and live reports.
//!
//! ```text
//! scene and its files -> Given -> the page of the playground -> a file, or a server on loopback
//! ```
//!
//! The page is made by `web/build` and embedded with the feature `play`. Without it everything here
//! says how to get it.

mod error;
mod given;
#[cfg(feature = "play")]
mod serve;

use std::path::{Path, PathBuf};

use crate::args::{CollideArgs, PlayArgs};
#[cfg(feature = "play")]
use crate::output;
use crate::output::{Destination, OutputError};
use crate::report::Parts;
use crate::written::Written;
pub use error::PlayError;
use given::Given;

/// The page, with places for what it says.
#[cfg(has_page)]
const PAGE: Option<&str> = Some(include_str!(env!("CHASLES_PLAY_PAGE")));
#[cfg(not(has_page))]
const PAGE: Option<&str> = None;

/// What stands where a summary will be.
const LOADING: &str = "A collision engine in your browser: loading…";

/// Runs the command: writes the page, or serves it until the program is interrupted.
pub(crate) fn run(args: &PlayArgs) -> miette::Result<()> {
    let template = template()?;
    let given = args.scene.as_deref().map(Given::open).transpose()?;
    let page = filled(template, given.as_ref(), None);
    if let Some(path) = &args.page {
        write_page(path, &page, args.scene.as_slice())?;
        let files = &[("playground", Some(path.as_path()))];
        Written { files, quiet: false, open: args.open }.tell();
        return Ok(());
    }
    served(args, page)
}

#[cfg(feature = "play")]
fn served(args: &PlayArgs, page: String) -> miette::Result<()> {
    let port = args.port.unwrap_or(0);
    let server =
        serve::Server::bind(port, page).map_err(|error| PlayError::Port { port, error })?;
    let address = server.address();
    output::to_stdout(|out| {
        writeln!(out, "The playground is at {address} until you press ctrl-c.")
    })?;
    if args.open {
        crate::written::open_address(&address);
    }
    server.run();
    Ok(())
}

#[cfg(not(feature = "play"))]
fn served(_: &PlayArgs, _: String) -> miette::Result<()> {
    Err(PlayError::Without.into())
}

/// The page of the playground; *fails* where it is not part of the program.
pub(crate) fn template() -> Result<&'static str, PlayError> {
    PAGE.ok_or(PlayError::Without)
}

/// The page of a report whose options recompute: what was found is in it, and the engine.
pub(crate) fn live(args: &CollideArgs, parts: &Parts) -> miette::Result<String> {
    let given = Given::open(&args.scene)?.asked(args);
    Ok(filled(template()?, Some(&given), Some(parts)))
}

/// The page with a scene, and with what was found.
fn filled(template: &str, given: Option<&Given>, found: Option<&Parts>) -> String {
    let title = found.map_or("Chasles", |parts| &parts.title);
    let summary = found.map_or(LOADING, |parts| &parts.summary);
    let document = found.map(|parts| parts.data.as_str());
    let data = given.map_or_else(|| "null".to_string(), |given| given.json(document));
    let parts = [("title", title.to_string()), ("summary", summary.to_string()), ("data", data)];
    crate::report::filled(template, &parts)
}

fn write_page(path: &Path, page: &str, inputs: &[PathBuf]) -> Result<(), OutputError> {
    let file = Destination::reserve(path, inputs)?;
    file.write(|out| out.write_all(page.as_bytes()))?;
    file.publish()
}
