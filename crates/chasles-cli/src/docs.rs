//! `chasles docs`: the notes of the project, embedded in the program.

use std::io::{self, Write};

use chasles_scene::spelling::nearest;
use miette::Diagnostic;
use thiserror::Error;

use crate::output;

macro_rules! page {
    ($name:literal, $about:literal) => {
        Page { name: $name, about: $about, text: include_str!(concat!("../docs/", $name, ".md")) }
    };
}

/// A note.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// The name of its file, without the ending.
    pub name: &'static str,
    /// What it is about.
    pub about: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All notes, those for the first hour first. A test compares the list with the folder.
pub const PAGES: &[Page] = &[
    page!("guide", "the first hour, from two tori to your own scenes"),
    page!("games", "a tutorial: projectiles, a character and a heap, in Rust"),
    page!("robotics", "a tutorial: is a motion free, and how near does it come"),
    page!("research", "a tutorial: figures, labelled data and comparisons of the papers"),
    page!("teaching", "a tutorial: a lecture with something to look at in each part"),
    page!("scenes", "every key of scene files, results and pictures"),
    page!("report", "pages to look at results in a browser"),
    page!("gallery", "every built-in scene"),
    page!("web", "the engine in a browser: the playground, live reports, the package"),
    page!("simulate", "bodies with mass: options, results, guarantees"),
    page!("trace", "how far a body gets through a world"),
    page!("compare", "the methods side by side"),
    page!("inspect", "what is odd about a mesh"),
    page!("queries", "labelled queries: their files and what is reported"),
    page!("screw", "the exact method derived, and a glossary"),
    page!("screen", "the collision screen: what it finds, when to use it"),
    page!("gpu", "the collision screen on graphics hardware, and where it pays"),
    page!("path", "points on paths, solids, round bodies"),
    page!("deform", "cloth and soft bodies, decided exactly"),
    page!("distance", "distance, clearance over a motion, penetration: how they are found"),
    page!("convex", "convex bodies at rest, how deep they are in each other"),
    page!("dynamics", "how bodies respond, and why they never interpenetrate"),
    page!("planning", "robots among obstacles, and which of their motions are free"),
    page!("python", "the Python package: recipes, batches, figures"),
    page!("benchmarks", "how fast it is, and how to measure"),
];

/// A note that there is not.
#[derive(Debug, Error, Diagnostic)]
#[error("there is no page {name:?}")]
#[diagnostic(help("{help}"))]
struct NoPage {
    name: String,
    help: String,
}

impl NoPage {
    fn of(name: &str) -> Self {
        let help = match nearest(name, PAGES.iter().map(|page| page.name)) {
            Some(page) => format!("did you mean {page}? `chasles docs` lists all"),
            None => "`chasles docs` lists all".to_string(),
        };
        Self { name: name.to_string(), help }
    }
}

/// Prints a note, or the list of all.
pub(crate) fn print(name: Option<&str>) -> miette::Result<()> {
    let Some(name) = name else { return Ok(output::to_stdout(list)?) };
    let asked = name.strip_suffix(".md").unwrap_or(name);
    let asked = asked.strip_prefix("docs/").unwrap_or(asked);
    let page = PAGES.iter().find(|page| page.name == asked).ok_or_else(|| NoPage::of(asked))?;
    Ok(output::to_stdout(|out| out.write_all(page.text.as_bytes()))?)
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    for Page { name, about, .. } in PAGES {
        writeln!(out, "{name:10}  {about}")?;
    }
    writeln!(out, "\n`chasles docs PAGE` prints one, in Markdown.")
}

/// The examples of these pages compile and run.
#[cfg(doctest)]
mod examples {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../docs/dynamics.md")]
    struct Dynamics;

    #[doc = include_str!("../docs/games.md")]
    struct Games;

    #[doc = include_str!("../docs/robotics.md")]
    struct Robotics;
}
