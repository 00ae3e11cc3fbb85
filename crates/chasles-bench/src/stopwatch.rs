//! Times of things that are measured side by side.
//!
//! On a machine that others use, absolute times drift; ratios of medians hold if the contenders
//! take turns. So each round runs one batch of every contender.
//!
//! The clock is the processor time of this process, all threads together. A clock on the wall
//! favours the faster contender there: a call of a microsecond fits between two interruptions, a
//! call of a second never does. On an idle machine both clocks agree for one thread.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// A batch is repeated until it takes about this long, far above the clock's resolution.
const BATCH: Duration = Duration::from_millis(2);

/// How long and how often to measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Rounds stop after this time on the wall, but not before `min_rounds`.
    pub budget: Duration,
    /// At least so many rounds; a median of fewer says little.
    pub min_rounds: usize,
    /// At most so many rounds.
    pub max_rounds: usize,
}

impl Default for Effort {
    /// A few seconds a case.
    fn default() -> Self {
        Self { budget: Duration::from_secs(4), min_rounds: 5, max_rounds: 101 }
    }
}

/// Something to be timed: makes that many calls and returns how long they took. What it does
/// between the calls, and leaves out of the time, is its own business.
pub type Contender<'a> = Box<dyn FnMut(u32) -> Duration + 'a>;

/// A contender that is nothing but its calls.
pub fn steady<'a, R>(mut call: impl FnMut() -> R + 'a) -> Contender<'a> {
    Box::new(move |calls| {
        let start = processor_time();
        for _ in 0..calls {
            black_box(call());
        }
        processor_time() - start
    })
}

/// A contender whose calls use up something that is made, and thrown away, off the clock.
pub fn prepared<'a, P, R>(
    mut prepare: impl FnMut() -> P + 'a,
    mut call: impl FnMut(P) -> R + 'a,
) -> Contender<'a> {
    Box::new(move |calls| {
        let mut total = Duration::ZERO;
        for _ in 0..calls {
            let input = prepare();
            let start = processor_time();
            let output = black_box(call(input));
            total += processor_time() - start;
            drop(output);
        }
        total
    })
}

/// Median seconds of one call of each contender, measured in turns.
///
/// *Guarantees* as many rounds for each contender as for the others.
pub fn medians(contenders: &mut [Contender<'_>], effort: &Effort) -> Vec<f64> {
    let sizes: Vec<u32> = contenders.iter_mut().map(batch_size).collect();
    let mut samples = vec![Vec::new(); contenders.len()];
    let start = Instant::now();
    for round in 0..effort.max_rounds {
        if round >= effort.min_rounds && start.elapsed() > effort.budget {
            break;
        }
        for (i, contender) in contenders.iter_mut().enumerate() {
            samples[i].push(contender(sizes[i]).as_secs_f64() / f64::from(sizes[i]));
        }
    }
    samples.into_iter().map(median).collect()
}

/// The middle of the values; the mean of the two middle ones if their number is even.
///
/// # Panics
///
/// If there are no values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let n = values.len();
    assert!(n > 0, "the median of nothing");
    0.5 * (values[(n - 1) / 2] + values[n / 2])
}

/// The processor time of this process so far, all threads together.
pub fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

/// Doubles the batch until it is long enough; warms the caches on the way.
fn batch_size(contender: &mut Contender<'_>) -> u32 {
    let mut size = 1;
    // A single call is repeated too: the first one pays for memory that later ones reuse.
    contender(size);
    while size < 1 << 20 && contender(size) < BATCH / 2 {
        size *= 2;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_ignores_outliers() {
        assert_eq!(median(vec![3.0, 1.0, 1000.0]), 3.0);
        assert_eq!(median(vec![3.0, 1.0, 2.0, 1000.0]), 2.5);
    }

    #[test]
    fn every_contender_runs_equally_often() {
        let effort = Effort { budget: Duration::ZERO, min_rounds: 3, max_rounds: 9 };
        let work = || {
            let start = processor_time();
            while processor_time() - start < BATCH {}
        };
        let [mut first, mut second] = [0, 0];
        let mut contenders =
            [steady(|| (work(), first += 1)), prepared(|| (), |()| (work(), second += 1))];
        assert_eq!(medians(&mut contenders, &effort).len(), 2);
        drop(contenders);
        // Two calls to find the size of a batch, three rounds of one.
        assert_eq!([first, second], [5, 5]);
    }
}
