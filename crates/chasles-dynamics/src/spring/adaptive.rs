//! Equations of motion, in steps as short as they ask for.
//!
//! One step is the pair of orders 5 and 4 of [Hairer93 §II.5]: the difference of both is the error,
//! and a step whose error is above the tolerance, or that leads where a rate is not finite, is
//! tried again with a shorter one.

use chasles::numeric::Elementary;

/// Equations that say how fast a state changes.
pub(super) trait Equations {
    /// How fast each number of a state changes.
    fn change(&self, state: &[f64], rates: &mut [f64]);

    /// What the error of each number is measured by.
    fn scales(&self, state: &[f64], scales: &mut [f64]);

    /// Makes up for what rounding does to a state that has to be of some kind.
    fn unify(&self, _state: &mut [f64]) {}
}

/// Accuracy and effort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The error of one sub-step at most: of positions as a part of the smallest limit of a spring,
    /// of velocities and momenta as a part of themselves.
    pub tolerance: f64,
    /// Sub-steps at most, also those that are tried again.
    pub max_steps: usize,
}

impl Default for Options {
    /// A restitution to four digits and more; the steps suffice for most contacts that come to rest
    /// within a tenth of a second.
    fn default() -> Self {
        Self { tolerance: 1e-9, max_steps: 200_000 }
    }
}

/// How far the steps went.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Gone {
    pub(super) state: Vec<f64>,
    /// Less than asked for if the steps ran out.
    pub(super) seconds: f64,
    pub(super) steps: usize,
    pub(super) rejected: usize,
}

/// The state after some seconds.
pub(super) fn advanced(
    equations: &impl Equations,
    start: Vec<f64>,
    seconds: f64,
    options: &Options,
) -> Gone {
    let mut stages = vec![vec![0.0; start.len()]; 7];
    let mut state = start;
    equations.change(&state, &mut stages[0]);
    let [mut trial, mut scales] = [state.clone(), state.clone()];
    let mut gone = Gone { state: Vec::new(), seconds: 0.0, steps: 0, rejected: 0 };
    let mut h = 1e-3 * seconds;
    let is_possible = stages[0].iter().chain(&state).all(|x| x.is_finite());
    while is_possible && gone.seconds < seconds && gone.steps + gone.rejected < options.max_steps {
        let is_last = gone.seconds + h >= seconds;
        let step = if is_last { seconds - gone.seconds } else { h };
        advance(equations, (&state, step), &mut stages, &mut trial);
        equations.scales(&state, &mut scales);
        let error = error(&scales, step, &stages) / options.tolerance;
        let is_good = error <= 1.0;
        if is_good {
            std::mem::swap(&mut state, &mut trial);
            equations.unify(&mut state);
            // The last stage stands at the new state, but for what `unify` changes.
            stages.swap(0, 6);
            gone.seconds = if is_last { seconds } else { gone.seconds + step };
            gone.steps += 1;
        } else {
            gone.rejected += 1;
        }
        // Order 5, and no change of more than five: the springs begin and end at once.
        let factor = if error.is_finite() { 0.9 * error.max(1e-10).to_power(-0.2) } else { 0.2 };
        h = step * factor.clamp(0.2, 5.0);
    }
    Gone { state, ..gone }
}

/// All stages of a step but the first, and the state at its end.
fn advance(
    equations: &impl Equations,
    (state, h): (&[f64], f64),
    stages: &mut [Vec<f64>],
    trial: &mut [f64],
) {
    for (done, row) in STAGES.iter().enumerate() {
        trial.copy_from_slice(state);
        for (weight, stage) in row.iter().zip(&*stages) {
            trial.iter_mut().zip(stage).for_each(|(x, rate)| *x += h * weight * rate);
        }
        equations.change(trial, &mut stages[done + 1]);
    }
}

/// The error of a step as a multiple of what the state is measured by; infinite where a rate is.
fn error(scales: &[f64], h: f64, stages: &[Vec<f64>]) -> f64 {
    let mut worst = 0.0_f64;
    for (i, scale) in scales.iter().enumerate() {
        let error: f64 = ERROR.iter().zip(stages).map(|(weight, k)| weight * k[i]).sum();
        let error = h * error.abs() / scale;
        if !error.is_finite() {
            return f64::INFINITY;
        }
        worst = worst.max(error);
    }
    worst
}

/// The stages of the method of Dormand and Prince; the last is its result of order 5.
const STAGES: [&[f64]; 6] = [
    &[1.0 / 5.0],
    &[3.0 / 40.0, 9.0 / 40.0],
    &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
    &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
    &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
];

/// What the result of order 5 has more than that of order 4.
const ERROR: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339_200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
