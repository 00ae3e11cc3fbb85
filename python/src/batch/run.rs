//! A batch on its threads, while the calling thread shows progress and looks for Ctrl-C.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use chasles::query::batch::Watch;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::{Error, Stopped};

/// How a batch is done.
pub(crate) struct Work {
    threads: usize,
    progress: Option<Py<PyAny>>,
}

impl Work {
    pub(crate) fn new(
        threads: Option<&Bound<'_, PyAny>>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let threads = threads.filter(|threads| !threads.is_none());
        let threads = threads.map_or(Ok(0), |threads| threads.extract())?;
        if threads > MOST_THREADS {
            let message =
                format!("threads is {threads}; at most {MOST_THREADS}, and 0 is all cores");
            return Err(Error::new_err(message));
        }
        Ok(Self { threads, progress: progress.map(|progress| progress.clone().unbind()) })
    }

    /// Runs a batch on its threads, while the calling thread shows progress and looks for Ctrl-C.
    pub(crate) fn run<T: Send, E: Stopped>(
        &self,
        py: Python<'_>,
        count: usize,
        batch: impl FnOnce(&Watch<'_>) -> Result<T, E> + Send,
    ) -> PyResult<T> {
        let pool = pool(self.threads)?;
        let (cancel, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let count_up = |number: usize| {
            done.fetch_max(number, Ordering::Relaxed);
        };
        let watch = Watch { progress: Some(&count_up), cancel: Some(&cancel) };
        let ask = move |watch: &Watch<'_>| match pool {
            Some(pool) => pool.install(|| batch(watch)),
            None => batch(watch),
        };
        if count <= SMALL {
            return py.detach(|| ask(&watch)).map_err(Stopped::exception);
        }
        let (tell, told) = channel();
        let (watch, cancel, done) = (&watch, &cancel, &done);
        py.detach(move || {
            std::thread::scope(|scope| {
                scope.spawn(move || tell.send(ask(watch)));
                let mut bar = Bar { work: self, count, is_open: None };
                loop {
                    match told.recv_timeout(LOOK) {
                        Ok(answer) => {
                            let closed = Python::attach(|py| bar.close(py));
                            return closed.and(answer.map_err(Stopped::exception));
                        }
                        Err(RecvTimeoutError::Timeout) => {}
                        Err(RecvTimeoutError::Disconnected) => {
                            return Err(Error::new_err("a thread of the batch ended early"));
                        }
                    }
                    let seen = Python::attach(|py| {
                        py.check_signals()?;
                        bar.show(py, done.load(Ordering::Relaxed))
                    });
                    if let Err(error) = seen {
                        cancel.store(true, Ordering::Relaxed);
                        // The scope waits for the thread; how the bar closes changes nothing.
                        let _ = Python::attach(|py| bar.close(py));
                        return Err(error);
                    }
                }
            })
        })
    }
}

/// Far more threads than any machine has cores for.
const MOST_THREADS: usize = 4096;

/// Batches of so many are asked in the calling thread: they take milliseconds.
const SMALL: usize = 64;

/// How often the calling thread looks at signals.
const LOOK: Duration = Duration::from_millis(50);

/// The progress of a batch, shown by Python.
struct Bar<'w> {
    work: &'w Work,
    count: usize,
    is_open: Option<Py<PyAny>>,
}

impl Bar<'_> {
    /// The function that shows progress: what the caller gave, or a bar of our own.
    fn show(&mut self, py: Python<'_>, done: usize) -> PyResult<()> {
        if self.is_open.is_none() {
            let given = self.work.progress.as_ref().map(|given| given.clone_ref(py));
            let bar = py.import("chasles._progress")?.call_method1("shown", (given, self.count))?;
            self.is_open = Some(bar.unbind());
        }
        let bar = self.is_open.as_ref().expect("it was just opened");
        bar.call_method1(py, "update", (done,)).map(drop)
    }

    fn close(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(bar) = self.is_open.take() else { return Ok(()) };
        bar.call_method0(py, "close").map(drop)
    }
}

/// A pool of so many threads, kept for later; none for the usual one, which has all cores.
fn pool(threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
    static POOLS: Mutex<Vec<(usize, u32, Arc<ThreadPool>)>> = Mutex::new(Vec::new());
    // Threads do not survive a fork: a process that was forked makes its own.
    let process = std::process::id();
    let threads = match (threads, FIRST.get_or_init(|| process) == &process) {
        (0, true) => return Ok(None),
        (0, false) => std::thread::available_parallelism().map_or(1, usize::from),
        (threads, _) => threads,
    };
    let mut pools = POOLS.lock().map_err(|_| Error::new_err("the pools of threads are lost"))?;
    if let Some((.., pool)) = pools.iter().find(|(n, id, _)| (*n, *id) == (threads, process)) {
        return Ok(Some(Arc::clone(pool)));
    }
    let made = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = Arc::new(made.map_err(|error| Error::new_err(error.to_string()))?);
    pools.push((threads, process, Arc::clone(&pool)));
    Ok(Some(pool))
}

/// Work on the threads of the process: all cores, also in one that was forked.
pub(crate) fn on_all_cores<T: Send>(work: impl FnOnce() -> T + Send) -> PyResult<T> {
    on_threads(0, work)
}

/// Work on so many threads; 0 are all cores.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    Ok(match pool(threads)? {
        Some(pool) => pool.install(work),
        None => work(),
    })
}

/// Notes the process in which this package was imported.
pub(crate) fn begin() {
    FIRST.get_or_init(std::process::id);
}

/// The process in which this package was imported.
static FIRST: OnceLock<u32> = OnceLock::new();
