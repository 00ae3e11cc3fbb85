//! Asks about many motions on all cores, and counts them.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::{BatchError, Watch};
use crate::parallel;
use crate::query::QueryError;

/// Motions that one thread asks in a row, between looks at the watch.
const CHUNK: usize = 64;

/// Asks for every motion, on all cores.
pub(super) fn run<M: Sync, W, T: Send>(
    motions: &[M],
    memory: impl Fn() -> W + Sync + Send,
    ask: impl Fn(&mut W, &M) -> Result<T, QueryError> + Sync + Send,
    watch: &Watch<'_>,
) -> Result<Vec<T>, BatchError> {
    let count = Count::new(watch);
    let of_chunk = |memory: &mut W, &(number, motions): &(usize, &[M])| {
        if count.is_cancelled() {
            return Err(BatchError::Cancelled);
        }
        let numbered = motions.iter().zip(number * CHUNK..);
        let answers = numbered.map(|(motion, index)| {
            ask(memory, motion).map_err(|error| BatchError::Query { index, error })
        });
        let answers: Result<Vec<T>, BatchError> = answers.collect();
        count.add(motions.len());
        answers
    };
    let chunks: Vec<(usize, &[M])> = motions.chunks(CHUNK).enumerate().collect();
    let chunks = parallel::map(&chunks, memory, of_chunk);
    let mut all = Vec::with_capacity(motions.len());
    for chunk in chunks {
        all.extend(chunk?);
    }
    Ok(all)
}

/// The lowest number of a motion for which the answer is yes, on all cores.
pub(super) fn run_until<M: Sync, W>(
    motions: &[M],
    memory: impl Fn() -> W + Sync + Send,
    ask: impl Fn(&mut W, &M) -> Result<bool, QueryError> + Sync + Send,
    watch: &Watch<'_>,
) -> Result<Option<usize>, BatchError> {
    let count = Count::new(watch);
    let ask = |memory: &mut W, (index, motion): (usize, &M)| {
        if count.is_cancelled() {
            return Some(Err(BatchError::Cancelled));
        }
        let answer = ask(memory, motion);
        count.add(1);
        match answer {
            Ok(false) => None,
            Ok(true) => Some(Ok(index)),
            Err(error) => Some(Err(BatchError::Query { index, error })),
        }
    };
    parallel::find_first(motions, memory, ask).transpose()
}

/// How many motions are done, and whether more are wanted.
struct Count<'w> {
    watch: &'w Watch<'w>,
    done: AtomicUsize,
}

impl<'w> Count<'w> {
    fn new(watch: &'w Watch<'w>) -> Self {
        Self { watch, done: AtomicUsize::new(0) }
    }

    fn is_cancelled(&self) -> bool {
        self.watch.cancel.is_some_and(|cancel| cancel.load(Ordering::Relaxed))
    }

    fn add(&self, count: usize) {
        let done = self.done.fetch_add(count, Ordering::Relaxed) + count;
        if let Some(progress) = self.watch.progress {
            progress(done);
        }
    }
}
