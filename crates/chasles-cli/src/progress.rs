//! A progress bar on standard error, for eyes only and for long work only.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work that ends before this needs no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Counts finished pieces of work.
#[derive(Debug)]
pub struct Progress {
    /// Absent where nobody looks.
    watched: Option<Watched>,
}

#[derive(Debug)]
struct Watched {
    total: u64,
    done: u64,
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar for `total` pieces, shown once the work has lasted; never if `quiet` or if standard
    /// error is not a terminal.
    pub fn new(total: u64, quiet: bool) -> Self {
        let is_watched = !quiet && std::io::stderr().is_terminal();
        let watched = Watched { total, done: 0, started: Instant::now(), bar: None };
        Self { watched: is_watched.then_some(watched) }
    }

    /// Shows the bar at once, and keeps it alive while a piece takes long.
    pub fn show(&mut self) {
        if let Some(watched) = &mut self.watched {
            let bar = watched.bar.get_or_insert_with(|| bar(watched.total));
            bar.enable_steady_tick(PATIENCE);
        }
    }

    /// One more piece is done.
    pub fn advance(&mut self) {
        let Some(watched) = &mut self.watched else { return };
        watched.done += 1;
        if watched.bar.is_none() && watched.started.elapsed() > PATIENCE {
            watched.bar = Some(bar(watched.total));
        }
        if let Some(bar) = &watched.bar {
            bar.set_position(watched.done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.watched.as_ref().and_then(|watched| watched.bar.as_ref()) {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {bar:40} {pos}/{len} pairs, {eta} left")
        .unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(total).with_style(style)
}
