//! Scenes as the command line names them, and their errors with the lines that they speak of.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use chasles_scene::{Document, Folder, LookError, SceneError};
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use thiserror::Error;

/// The longest scene that is read from standard input, which might not end: a hundred thousand
/// bodies.
const LONGEST_INPUT: u64 = 1 << 28;

/// Reads a scene file, a built-in scene, or `-`, standard input, which belongs to the current
/// folder.
///
/// *Accepts* any path, and what makes a scene of a document. *Fails* as that does, and where there
/// is no such file; the report shows the lines that are wrong.
pub fn load<S>(
    path: &Path,
    read: impl FnOnce(&Document) -> Result<S, SceneError>,
) -> Result<S, SceneReport> {
    let document = if path == Path::new("-") { standard_input() } else { Document::open(path) };
    document.and_then(|document| read(&document)).map_err(SceneReport::new)
}

fn standard_input() -> Result<Document, SceneError> {
    let name = Path::new("standard input");
    let bytes = read_input().map_err(|error| SceneError::read(name, error))?;
    Document::from_bytes(bytes, name, Folder::new(""))
}

fn read_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LONGEST_INPUT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_INPUT {
        return Err(io::Error::other("it is longer than 256 MiB"));
    }
    Ok(bytes)
}

/// Why a scene cannot be used, with the lines of the file.
#[derive(Debug)]
pub struct SceneReport {
    error: SceneError,
    /// The file, if something in it is wrong.
    text: Option<NamedSource<String>>,
}

impl SceneReport {
    fn new(error: SceneError) -> Self {
        let text = match &error {
            SceneError::Wrong(wrong) => {
                Some(NamedSource::new(wrong.path.display().to_string(), wrong.text.clone()))
            }
            SceneError::Read { .. } | SceneError::NotText { .. } => None,
        };
        Self { error, text }
    }
}

impl fmt::Display for SceneReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            // The place is shown with the lines.
            SceneError::Wrong(wrong) => wrong.problem.fmt(f),
            error => error.fmt(f),
        }
    }
}

impl std::error::Error for SceneReport {}

impl Diagnostic for SceneReport {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.error.help()))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.text.as_ref().map(|text| text as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let SceneError::Wrong(wrong) = &self.error else { return None };
        let label = LabeledSpan::at(wrong.span.clone(), "here");
        Some(Box::new(std::iter::once(label)))
    }
}

/// Why a body of a scene cannot be drawn.
#[derive(Debug, Error, Diagnostic)]
#[error("{}: {error}", scene.display())]
#[diagnostic(help(
    "a picture shows solids with an inside that is thicker than a hundredth of their size, and of \
     those without end what is near other bodies; leave out --picture, or give the body a mesh"
))]
pub struct Undrawn {
    /// The scene.
    pub scene: PathBuf,
    /// What is wrong.
    pub error: LookError,
}
