//! Contacts and a linkage that answer each other in turns, where both together would cost too much.
//!
//! Each turn solves one half of the problem for what the other half does: sweeps over the contacts,
//! and the linkage, whose joints, limits and motors are solved at once. So it comes nearer to the
//! solution of both; where joints hold what is heavy it takes many turns.

use super::newton::Found;
use super::solver::{Effort, Problem, Row, Sweeps, warm_start};
use crate::body::{Inertia, Velocity};
use crate::linkage::{Bond, Linkage};

/// Turns at most, and sweeps of each. These are solved to this share of the tolerance.
const TURNS: u32 = 8;
const SWEEPS: u32 = 10;
const OF_TURN: f64 = 0.1;

/// What contacts and a linkage have in common: bodies, and the velocities that forces give them.
pub(super) struct Turns<'p> {
    pub(super) linkage: &'p Linkage,
    pub(super) bonds: &'p [Bond],
    pub(super) pushed: &'p [Velocity],
    pub(super) inertias: &'p [Inertia],
}

impl Turns<'_> {
    /// What all together gave, or turns if that would have cost too much.
    pub(super) fn or_found(&self, rows: &mut [Row], found: Option<Found>, tolerance: f64) -> Found {
        found.unwrap_or_else(|| self.run(rows, tolerance))
    }

    /// Turns that begin with the impulses that rows have.
    fn run(&self, rows: &mut [Row], tolerance: f64) -> Found {
        let effort = Effort { sweeps: SWEEPS, tolerance: OF_TURN * tolerance };
        let all: Vec<bool> = self.inertias.iter().map(Inertia::is_dynamic).collect();
        let mut sweeps = Sweeps::default();
        let mut found = self.fitted(rows);
        for _ in 0..TURNS {
            let velocities = &mut found.velocities;
            let problem = Problem { rows, velocities, inertias: self.inertias };
            sweeps.run(problem, &mut all.clone(), &effort);
            found = self.fitted(rows);
            if found.error <= tolerance {
                break;
            }
        }
        found
    }

    /// What the linkage makes of the impulses that rows have.
    fn fitted(&self, rows: &[Row]) -> Found {
        let mut velocities = self.pushed.to_vec();
        warm_start(rows, &mut velocities);
        let held = self.linkage.guess(&mut velocities, self.bonds);
        let breach = |row: &Row| match row.is_released() {
            true => 0.0,
            false => row.breach(row.slides(&velocities), row.impulse),
        };
        let error = rows.iter().map(breach).fold(0.0, f64::max);
        Found { velocities, held, error, multiplications: 0.0 }
    }
}
