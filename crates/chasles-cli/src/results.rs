//! What `collide` found, before it is written anywhere.

use std::time::Duration;

use chasles::{Contact, Step};

use crate::args::Method;

/// The contacts of two bodies.
#[derive(Clone, Debug)]
pub struct PairResult {
    /// The bodies A and B, as positions in [`crate::scene::Scene::bodies`].
    pub bodies: [usize; 2],
    /// How they move.
    pub step: Step,
    /// Their contacts, sorted by time: all, or the first if no more are shown.
    pub contacts: Vec<Contact>,
    /// How many contacts there are.
    pub total: usize,
}

/// How long the query took, without set-up and output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// How often the query ran.
    pub runs: u32,
    /// The median duration; of an even number of runs the mean of the middle two.
    pub median: Duration,
    /// The shortest duration.
    pub min: Duration,
}

impl Timing {
    /// Sums up durations; none without runs.
    pub fn of(mut runs: Vec<Duration>) -> Option<Self> {
        runs.sort_unstable();
        let min = *runs.first()?;
        let median = (runs[(runs.len() - 1) / 2] + runs[runs.len() / 2]) / 2;
        Some(Self { runs: u32::try_from(runs.len()).unwrap_or(u32::MAX), median, min })
    }
}

/// The contacts of every pair of bodies.
#[derive(Clone, Debug)]
pub struct Results {
    /// How they were found.
    pub method: Method,
    /// The pairs, in the order of [`crate::scene::Scene::pairs`].
    pub pairs: Vec<PairResult>,
    /// Present if the query was timed.
    pub timing: Option<Timing>,
}

impl Results {
    /// How many contacts there are in all pairs.
    pub fn contact_count(&self) -> usize {
        self.pairs.iter().map(|pair| pair.total).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_an_even_number_of_runs_lies_between_the_middle_two() {
        let runs = [40, 10, 30, 20].map(Duration::from_nanos).to_vec();
        let timing = Timing::of(runs).unwrap();
        assert_eq!(timing.median, Duration::from_nanos(25));
        assert_eq!(timing.min, Duration::from_nanos(10));
    }

    #[test]
    fn the_median_of_an_odd_number_of_runs_is_the_middle_one() {
        let runs = [5, 100, 1].map(Duration::from_nanos).to_vec();
        assert_eq!(Timing::of(runs).unwrap().median, Duration::from_nanos(5));
    }
}
