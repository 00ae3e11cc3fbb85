//! Temporary files that nothing leaves behind: neither an error, nor the user's `^C`.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// What the program answers when it is interrupted: 128 and the number of SIGINT, as shells do.
const INTERRUPTED: i32 = 130;

/// The temporary files that exist now.
static EXISTING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Keeps temporary names of one process apart.
static COUNT: AtomicU32 = AtomicU32::new(0);

fn existing() -> MutexGuard<'static, Vec<PathBuf>> {
    EXISTING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is removed when it is dropped, or when SIGINT, SIGTERM or SIGHUP ends the program.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// An empty file in the folder of `target` and with its extension.
    pub(crate) fn beside(target: &Path) -> io::Result<Self> {
        watch_signals();
        let path = name_beside(target)?;
        let mut existing = existing();
        OpenOptions::new().write(true).create_new(true).open(&path)?;
        existing.push(path.clone());
        Ok(Self { path })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its lasting name.
    pub(crate) fn rename(self, target: &Path) -> io::Result<()> {
        let mut existing = existing();
        fs::rename(&self.path, target)?;
        existing.retain(|path| *path != self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut existing = existing();
        if let Some(index) = existing.iter().position(|path| *path == self.path) {
            existing.swap_remove(index);
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn name_beside(target: &Path) -> io::Result<PathBuf> {
    if target.file_name().is_none() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this names no file"));
    }
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = PathBuf::from(format!(".chasles-{}-{count}", std::process::id()));
    if let Some(extension) = target.extension() {
        name.set_extension(extension);
    }
    Ok(target.with_file_name(name))
}

/// From now on signals that end the program remove its temporary files first.
fn watch_signals() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Where signals cannot be watched the files stay, as they would without.
        let _ = ctrlc::set_handler(|| {
            // Held until the end, so that no other file is made or renamed meanwhile.
            let existing = existing();
            for path in existing.iter() {
                let _ = fs::remove_file(path);
            }
            std::process::exit(INTERRUPTED);
        });
    });
}
