//! What a command wrote is named on standard error, and shown where that is asked for.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a program that shall show a file may take to say that it cannot.
const PATIENCE: Duration = Duration::from_secs(2);

/// The programs that show files, the usual one first, each with the words before the name.
const OPENERS: &[&[&str]] = if cfg!(target_os = "macos") {
    &[&["open"]]
} else if cfg!(windows) {
    // The first word in quotes is the title of a window.
    &[&["cmd", "/C", "start", ""]]
} else {
    &[&["xdg-open"], &["gio", "open"], &["wslview"]]
};

/// The files that a command was asked for, each with what it is, in the order in which they are
/// named.
#[derive(Debug)]
pub(crate) struct Written<'w> {
    /// A word for each, and its name; absent where it was not asked for.
    pub(crate) files: &'w [(&'static str, Option<&'w Path>)],
    /// Whether to say nothing.
    pub(crate) quiet: bool,
    /// Whether to show the first.
    pub(crate) open: bool,
}

impl Written<'_> {
    /// Names every file, and shows the first if that is asked for.
    ///
    /// To be called when all of them have their names. *Fails* never: the work is done, so what
    /// cannot be shown is told, and nothing more.
    pub(crate) fn tell(&self) {
        let say = |text: String| {
            if !self.quiet {
                say(&text);
            }
        };
        self.named().filter_map(|(what, path)| line(what, path)).for_each(say);
        if let Some((_, path)) = self.named().next().filter(|_| self.open) {
            open(path, OPENERS).unwrap_or_else(say);
        }
    }

    /// The files that were asked for, without standard output.
    fn named(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let given = self.files.iter().filter_map(|(what, path)| Some((*what, (*path)?)));
        given.filter(|(_, path)| path.as_os_str() != "-")
    }
}

/// Shows an address of this machine with the first program that there is; says so if none is.
#[cfg(feature = "play")]
pub(crate) fn open_address(address: &str) {
    if !OPENERS.iter().any(|words| start(words, Path::new(address)).is_some()) {
        say(&format!("nothing here can open it: open {address} in a browser"));
    }
}

/// A line on standard error; nobody may be there to read it.
fn say(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// What was written, where, and how large it is; of a device there is nothing to say.
fn line(what: &str, path: &Path) -> Option<String> {
    let meta = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    let name = crate::words::plain(&path.display().to_string());
    Some(format!("wrote the {what} {name} ({})", bytes(meta.len())))
}

fn bytes(count: u64) -> String {
    match count {
        0..=999 => format!("{count} bytes"),
        1_000..=999_499 => format!("{:.0} KB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

/// Shows a file with the first of these programs that there is; says why it cannot.
fn open(path: &Path, openers: &[&[&str]]) -> Result<(), String> {
    // Programs that begin elsewhere need all of the name. Links are left as they are: without
    // them, names on Windows begin with `\\?\`, which programs do not take.
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let shown = crate::words::plain(&whole.display().to_string());
    let Some(mut child) = openers.iter().find_map(|words| start(words, &whole)) else {
        let names: Vec<&str> = openers.iter().map(|words| words[0]).collect();
        let names = names.join(", ");
        return Err(format!("nothing here can open it (no {names}): open {shown} in a browser"));
    };
    match has_failed(&mut child) {
        true => Err(format!("the system has no program for it: open {shown} in a browser")),
        false => Ok(()),
    }
}

fn start(words: &[&str], path: &Path) -> Option<Child> {
    let mut command = Command::new(words[0]);
    command.args(&words[1..]);
    add_name(&mut command, path);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// Adds the name of a file as one word.
#[cfg(not(windows))]
fn add_name(command: &mut Command, path: &Path) {
    command.arg(path);
}

/// Adds the name of a file as one word: in quotes, or `cmd` would take what follows an `&` for
/// another command. No name on Windows has quotes in it.
#[cfg(windows)]
fn add_name(command: &mut Command, path: &Path) {
    use std::os::windows::process::CommandExt;
    let mut quoted = std::ffi::OsString::from("\"");
    quoted.push(path);
    quoted.push("\"");
    command.raw_arg(quoted);
}

/// Whether a program ends badly soon; one that still runs shows the file.
fn has_failed(child: &mut Child) -> bool {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return !status.success(),
            Err(_) => return true,
            Ok(None) if started.elapsed() >= PATIENCE => return false,
            Ok(None) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        let sizes = [0, 999, 1000, 999_499, 999_500, 12_345_678].map(bytes);
        assert_eq!(sizes, ["0 bytes", "999 bytes", "1 KB", "999 KB", "1.0 MB", "12.3 MB"]);
    }

    #[test]
    fn what_cannot_be_opened_is_told() {
        let path = Path::new("page.html");
        let told = open(path, &[&["no-such-program"], &["nor-this", "open"]]).unwrap_err();
        assert!(told.contains("no-such-program, nor-this") && told.contains("page.html"), "{told}");
    }
}
