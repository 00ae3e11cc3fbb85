//! A line on standard error that says what is going on, for eyes only and for long work only.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::words::plain;

/// Work that ends before this needs no sign.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the sign moves: often enough to be seen alive.
const TICK: Duration = Duration::from_millis(200);

/// Says which stage of the work is going on, and how far it is.
#[derive(Debug)]
pub struct Progress {
    /// Absent where nobody looks.
    watched: Option<Watched>,
}

/// The bar is hidden at first; a thread shows it once the work has lasted, whatever stage it is in.
#[derive(Debug)]
struct Watched {
    bar: ProgressBar,
    /// Dropped when the work is done.
    work: Option<mpsc::Sender<()>>,
    opener: Option<JoinHandle<()>>,
}

impl Progress {
    /// A sign on standard error; none if `quiet` or if that is not a terminal.
    pub fn new(quiet: bool) -> Self {
        if quiet || !std::io::stderr().is_terminal() {
            return Self { watched: None };
        }
        Self::on(ProgressDrawTarget::stderr())
    }

    fn on(target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let (work, is_done) = mpsc::channel();
        let shown = bar.clone();
        let opener = thread::spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(target);
                shown.enable_steady_tick(TICK);
            }
        });
        Self { watched: Some(Watched { bar, work: Some(work), opener: Some(opener) }) }
    }

    /// A stage of unknown length begins.
    pub fn stage(&self, what: &str) {
        self.begin("{spinner} {msg} ({elapsed})", what, None);
    }

    /// A stage of `total` pieces begins.
    pub fn count(&self, total: u64, pieces: &str) {
        let template = "{spinner} {bar:40} {pos}/{len} {msg}, {eta} left";
        self.begin(template, pieces, Some(total));
    }

    fn begin(&self, template: &str, message: &str, total: Option<u64>) {
        let Some(Watched { bar, .. }) = &self.watched else { return };
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(message.to_string());
        bar.set_length(total.unwrap_or(0));
        bar.reset();
    }

    /// One more piece is done.
    pub fn advance(&self) {
        self.advance_by(1);
    }

    /// So many more pieces are done.
    pub fn advance_by(&self, pieces: u64) {
        if let Some(Watched { bar, .. }) = &self.watched {
            bar.inc(pieces);
        }
    }

    /// Writes a line on standard error, beside the sign if there is one: `warning: ` and the text,
    /// which may have names of files in it.
    pub fn warn(&self, text: &str) {
        // Who does not listen has left; the work goes on.
        let write = || drop(writeln!(std::io::stderr().lock(), "warning: {}", plain(text)));
        match &self.watched {
            Some(Watched { bar, .. }) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the sign away, for what is printed next.
    pub fn finish(&self) {
        if let Some(Watched { bar, .. }) = &self.watched {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        let Some(watched) = &mut self.watched else { return };
        drop(watched.work.take());
        if let Some(opener) = watched.opener.take() {
            let _ = opener.join();
        }
        watched.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use indicatif::InMemoryTerm;

    use super::*;

    fn watched() -> (InMemoryTerm, Progress) {
        let term = InMemoryTerm::new(5, 100);
        let target = ProgressDrawTarget::term_like(Box::new(term.clone()));
        (term, Progress::on(target))
    }

    /// Waits until the terminal shows a text; a busy machine may take its time.
    fn wait_for(term: &InMemoryTerm, text: &str) {
        let started = Instant::now();
        while !term.contents().contains(text) {
            assert!(started.elapsed() < Duration::from_secs(60), "{:?}", term.contents());
            thread::sleep(TICK);
        }
    }

    #[test]
    fn a_long_stage_of_unknown_length_shows_a_sign_and_takes_it_away() {
        let (term, progress) = watched();
        progress.stage("reading the scene");
        assert_eq!(term.contents(), "", "nothing is shown at first");
        wait_for(&term, "reading the scene");
        drop(progress);
        assert_eq!(term.contents(), "");
    }

    #[test]
    fn pieces_are_counted_by_their_name() {
        let (term, progress) = watched();
        progress.count(201, "queries");
        (0..5).for_each(|_| progress.advance());
        wait_for(&term, "5/201 queries");
    }

    #[test]
    fn short_work_shows_nothing() {
        let (term, progress) = watched();
        progress.stage("reading the scene");
        drop(progress);
        assert_eq!(term.contents(), "");
    }
}
