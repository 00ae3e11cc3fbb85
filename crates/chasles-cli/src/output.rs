//! Output that is whole or absent, and readers that may leave early.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use thiserror::Error;

use crate::progress::Progress;
use crate::temporary::Temporary;

/// Why a result could not be written.
#[derive(Debug, Error, Diagnostic)]
pub enum OutputError {
    /// A file cannot be written.
    #[error("cannot write {}: {error}", path.display())]
    File {
        /// The file the user asked for.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
        /// What would be right.
        #[help]
        help: &'static str,
    },
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    #[diagnostic(help("make room where standard output goes, or name a file with --json"))]
    Stdout(io::Error),
    /// A result would overwrite what it is made from.
    #[error("{} is the input, and would be overwritten", .0.display())]
    #[diagnostic(help("name another file for the result"))]
    Input(PathBuf),
    /// Two results would overwrite each other.
    #[error("{} is named for two results", .0.display())]
    #[diagnostic(help("give each result a file of its own"))]
    Shared(PathBuf),
}

impl OutputError {
    /// A file or folder that cannot be made.
    pub(crate) fn at(path: &Path, error: io::Error) -> Self {
        Self::file(path, error)
    }

    fn file(path: &Path, error: io::Error) -> Self {
        let help = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "make room there, or name a file elsewhere"
            }
            io::ErrorKind::IsADirectory => "this is a folder: name a file in it",
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                "name a file in an existing folder"
            }
            _ => "name a file in a folder that you may write to",
        };
        Self::File { path: path.to_path_buf(), error, help }
    }
}

/// A file that appears under its name only when it is complete.
///
/// It grows under a temporary name in the same folder, so that the last step is a rename. Made
/// before the work starts, it also finds out early whether the folder can be written to.
#[derive(Debug)]
pub struct OutputFile {
    target: PathBuf,
    /// Absent where the target is a device or a pipe, which cannot be replaced.
    temporary: Option<Temporary>,
}

impl OutputFile {
    /// Reserves a place for `target`, a result made from the files `inputs`.
    ///
    /// *Accepts* a new name, a file, a link to a file, or a device. *Fails* if the target is a
    /// folder, may not be written to, lies in a folder where nothing can be created, or is one of
    /// the inputs by whatever name.
    pub fn reserve(target: &Path, inputs: &[PathBuf]) -> Result<Self, OutputError> {
        let reserved =
            Self::reserve_inner(target).map_err(|error| OutputError::file(target, error))?;
        let is_target =
            |input: &&PathBuf| fs::canonicalize(input).is_ok_and(|input| input == reserved.target);
        match inputs.iter().find(is_target) {
            Some(input) => Err(OutputError::Input(input.clone())),
            None => Ok(reserved),
        }
    }

    fn reserve_inner(target: &Path) -> io::Result<Self> {
        let existing = fs::metadata(target).ok();
        if existing.is_some() {
            OpenOptions::new().write(true).open(target)?;
        }
        if existing.as_ref().is_some_and(|meta| !meta.is_file()) {
            return Ok(Self { target: target.to_path_buf(), temporary: None });
        }
        let target = canonical(target);
        let temporary = Temporary::beside(&target)?;
        let reserved = Self { target, temporary: Some(temporary) };
        if let Some(meta) = existing {
            fs::set_permissions(reserved.path(), meta.permissions())?;
        }
        Ok(reserved)
    }

    /// Where to write meanwhile; ends like the target, so that a format can be told from it.
    pub fn path(&self) -> &Path {
        self.temporary.as_ref().map_or(&self.target, Temporary::path)
    }

    /// Writes the contents; the file still waits under its temporary name.
    pub fn write(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let write = || {
            let mut out = BufWriter::new(File::create(self.path())?);
            contents(&mut out)?;
            out.flush()
        };
        write().map_err(|error| OutputError::file(&self.target, error))
    }

    /// Gives the finished file its name.
    pub fn publish(self) -> Result<(), OutputError> {
        let Some(temporary) = self.temporary else { return Ok(()) };
        let renamed = temporary.rename(&self.target);
        renamed.map_err(|error| OutputError::file(&self.target, error))
    }
}

/// The one name of a file, whichever links lead to it. What does not exist yet has that of its
/// folder in front.
fn canonical(target: &Path) -> PathBuf {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let in_folder = || {
        let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
        Some(folder.join(target.file_name()?))
    };
    let existing = fs::canonicalize(target).ok();
    existing.or_else(in_folder).unwrap_or_else(|| target.to_path_buf())
}

/// Where JSON goes.
#[derive(Debug)]
pub enum Destination {
    /// Standard output.
    Stdout,
    /// A file.
    File(OutputFile),
}

impl Destination {
    /// `-` is standard output, everything else a file, which is reserved at once and must be none
    /// of the `inputs`.
    pub fn reserve(path: &Path, inputs: &[PathBuf]) -> Result<Self, OutputError> {
        if path.as_os_str() == "-" {
            return Ok(Self::Stdout);
        }
        OutputFile::reserve(path, inputs).map(Self::File)
    }

    /// Writes the contents; a file still waits for [`Destination::publish`].
    pub fn write(
        &self,
        contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        match self {
            Self::Stdout => to_stdout(contents),
            Self::File(file) => file.write(contents),
        }
    }

    /// Gives a finished file its name.
    pub fn publish(self) -> Result<(), OutputError> {
        match self {
            Self::Stdout => Ok(()),
            Self::File(file) => file.publish(),
        }
    }
}

/// Reserves a place for each of two results that is asked for.
///
/// *Accepts* names as [`Destination::reserve`] does. *Fails* as it does, and if both results would
/// go to one place.
pub fn reserve_both(
    targets: [Option<&Path>; 2],
    inputs: &[PathBuf],
) -> Result<[Option<Destination>; 2], OutputError> {
    let [first, second] =
        targets.map(|path| path.map(|path| Destination::reserve(path, inputs)).transpose());
    let (first, second) = (first?, second?);
    apart(first.as_ref(), second.as_ref())?;
    Ok([first, second])
}

/// Fails if two results would go to one place.
pub fn apart(first: Option<&Destination>, second: Option<&Destination>) -> Result<(), OutputError> {
    match (first, second) {
        (Some(Destination::Stdout), Some(Destination::Stdout)) => {
            Err(OutputError::Shared(PathBuf::from("standard output")))
        }
        (Some(Destination::File(first)), Some(Destination::File(second)))
            if first.target == second.target =>
        {
            Err(OutputError::Shared(second.target.clone()))
        }
        _ => Ok(()),
    }
}

/// The files that a command was asked for, reserved before the work starts.
#[derive(Debug)]
pub struct Targets {
    json: Option<Destination>,
    picture: Option<OutputFile>,
}

impl Targets {
    /// Reserves the JSON and the picture. *Fails* as [`OutputFile::reserve`], and if two results
    /// share a file.
    pub fn reserve(
        [json, picture]: [Option<&Path>; 2],
        inputs: &[PathBuf],
    ) -> Result<Self, OutputError> {
        let json = json.map(|path| Destination::reserve(path, inputs));
        let picture = picture.map(|path| OutputFile::reserve(path, inputs));
        let (json, picture) = (json.transpose()?, picture.transpose()?);
        match (&json, &picture) {
            (Some(Destination::File(json)), Some(picture)) if json.target == picture.target => {
                Err(OutputError::Shared(picture.target.clone()))
            }
            _ => Ok(Self { json, picture }),
        }
    }

    /// Reserves a place for one more result, if it is asked for. *Fails* as [`Targets::reserve`].
    pub fn beside(
        &self,
        path: Option<&Path>,
        inputs: &[PathBuf],
    ) -> Result<Option<Destination>, OutputError> {
        let more = path.map(|path| Destination::reserve(path, inputs)).transpose()?;
        apart(self.json.as_ref(), more.as_ref())?;
        match (&more, &self.picture) {
            (Some(Destination::File(file)), Some(other)) if file.target == other.target => {
                Err(OutputError::Shared(file.target.clone()))
            }
            _ => Ok(more),
        }
    }

    /// Writes everything, then gives all files their names. Standard output comes last, as it
    /// cannot be taken back. The picture is told its name, from which its format follows.
    pub fn write(
        self,
        progress: &Progress,
        picture: impl FnOnce(&Path) -> Vec<u8>,
        json: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        if let Some(file) = &self.picture {
            progress.stage("drawing the picture");
            let bytes = picture(file.path());
            file.write(|out| out.write_all(&bytes))?;
        }
        if let Some(destination) = &self.json {
            match destination {
                Destination::File(_) => progress.stage("writing the JSON"),
                // It may be the same terminal.
                Destination::Stdout => progress.finish(),
            }
            destination.write(json)?;
        }
        if let Some(file) = self.picture {
            file.publish()?;
        }
        self.json.map_or(Ok(()), Destination::publish)
    }
}

/// Writes to standard output. A reader that has left is no error: it has seen enough.
pub fn to_stdout(
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    let mut out = BufWriter::new(io::stdout().lock());
    match contents(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            // What is left in the buffer would only meet the closed pipe again.
            let _ = out.into_parts();
            Ok(())
        }
        other => other.map_err(OutputError::Stdout),
    }
}
