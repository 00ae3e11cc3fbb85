//! What `collide` found, before it is written anywhere.

use std::time::Duration;

use chasles::screen::{Options, Resolution, Statistics};
use chasles::{Contact, Step};

use crate::args::Method;
use crate::scene::Query;

/// The method, with the options that change what it finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HowFound {
    /// To rounding.
    Exact,
    /// To a pixel.
    Screen(Options),
}

impl HowFound {
    /// The method alone.
    pub fn method(&self) -> Method {
        match self {
            Self::Exact => Method::Exact,
            Self::Screen(_) => Method::Screen,
        }
    }

    /// The resolution in words; none for the exact method.
    pub fn resolution(&self) -> Option<String> {
        let Self::Screen(options) = self else { return None };
        let size = match options.resolution {
            Resolution::Pixels(1) => "1 pixel along a short edge".to_string(),
            Resolution::Pixels(n) => format!("{n} pixels along a short edge"),
            Resolution::Length(length) => format!("pixels of {length}"),
        };
        Some(if options.robust { size + ", robust" } else { size })
    }
}

/// What the screen of a pair cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenCost {
    /// The length of a pixel.
    pub pixel: f64,
    /// Records, and comparisons of them.
    pub statistics: Statistics,
}

/// The contacts of two bodies.
#[derive(Clone, Debug)]
pub struct PairResult {
    /// The bodies A and B, as positions in [`crate::scene::Scene::bodies`].
    pub bodies: [usize; 2],
    /// How they move; absent where a body deforms.
    pub step: Option<Step>,
    /// Their contacts, sorted by time: all, or the first if no more are shown.
    pub contacts: Vec<Contact>,
    /// How many contacts there are.
    pub total: usize,
    /// Present if the screen found them.
    pub screen: Option<ScreenCost>,
}

impl PairResult {
    /// A pair of which nothing is known yet.
    pub fn new(bodies: [usize; 2], query: &Query) -> Self {
        let step = match query {
            Query::Rigid { step, .. } => Some(**step),
            Query::Straight { .. } | Query::Itself(_) => None,
        };
        Self { bodies, step, contacts: Vec::new(), total: 0, screen: None }
    }
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
    pub method: HowFound,
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
