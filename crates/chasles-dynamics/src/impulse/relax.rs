//! Contacts that share bodies, solved together.
//!
//! The problem: impulses `p` in their friction cones, normal speeds of at least `least`, and no
//! impulse where the speed is above it. One contact alone has a closed form (the module of one
//! contact), so the contacts are visited in turn, each finding its impulse as if the others were
//! right (projected Gauss-Seidel). Sweeps run forwards and backwards in alternation: news travels
//! through a stack in one sweep, whichever way it is numbered.
//!
//! Gauss-Seidel needs as many sweeps as the masses differ. Small problems are therefore solved
//! [directly](super::direct) for what the sweeps found to stick, slide and open, and the result is
//! taken if it is the better one.
//!
//! **Error.** One visit to each contact, without acting on it, tells by how much its velocity would
//! still change; the largest is the error, in m/s. It is 0 for a solution only.

use glam::DVec3;

use super::direct::Direct;
use super::spot::{Spot, across};
use super::{Response, Touch};
use crate::body::Velocity;

/// How long to look for a solution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// The most visits to every contact.
    pub sweeps: usize,
    /// The error at which to stop, in m/s.
    pub tolerance: f64,
    /// The most contacts that are also solved directly, at a cost of the cube of their number.
    pub direct: usize,
}

/// How well contacts are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Solved {
    /// The visits to every contact that it took.
    pub sweeps: usize,
    /// By how much the velocity of a contact would still change at the next visit, in m/s.
    pub error: f64,
}

impl Solved {
    /// Both, one after the other: all sweeps, and the larger error.
    pub(super) fn with(self, other: Self) -> Self {
        Self { sweeps: self.sweeps + other.sweeps, error: self.error.max(other.error) }
    }
}

/// What is asked of one contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Nothing where no impulse changes anything.
    pub(super) spot: Option<Spot>,
    /// The least normal speed afterwards.
    pub(super) least: f64,
    /// The cone.
    pub(super) friction: f64,
}

impl Row {
    pub(super) fn new(response: &impl Response, touch: &Touch, least: f64) -> Self {
        Self { spot: Spot::new(response, touch), least, friction: touch.friction }
    }

    /// An impulse brought into the cone: it never pulls, and its tangential part is cut.
    pub(super) fn within(&self, normal: DVec3, impulse: DVec3) -> DVec3 {
        let push = normal.dot(impulse).max(0.0);
        push * normal + across(normal, impulse).clamp_length_max(self.friction * push)
    }
}

/// Velocities with the impulses that made them.
#[derive(Debug)]
pub(super) struct State<'r, R> {
    response: &'r R,
    pub(super) velocities: Vec<Velocity>,
    pub(super) impulses: Vec<DVec3>,
}

/// Where the last sweeps lead: sweeps are steps of a descent, and their directions conjugate.
#[derive(Debug, Default)]
struct Trend {
    size: f64,
    impulses: Vec<DVec3>,
    velocities: Vec<Velocity>,
}

impl<'r, R: Response> State<'r, R> {
    /// No impulses yet.
    pub(super) fn new(response: &'r R, velocities: &[Velocity], count: usize) -> Self {
        let velocities = velocities.to_vec();
        Self { response, velocities, impulses: vec![DVec3::ZERO; count] }
    }

    /// The velocity at a contact.
    pub(super) fn at(&self, spot: &Spot) -> DVec3 {
        self.response.approach(&self.velocities, spot.bodies, spot.point)
    }

    /// Gives a contact another impulse.
    pub(super) fn set(&mut self, index: usize, spot: &Spot, impulse: DVec3) {
        let change = impulse - self.impulses[index];
        if change != DVec3::ZERO {
            self.response.push(&mut self.velocities, spot.bodies, spot.point, change);
            self.impulses[index] = impulse;
        }
    }

    /// Solves the contacts from where they are.
    pub(super) fn relax(&mut self, rows: &[Row], effort: &Effort) -> Solved {
        let mut solved = Solved { sweeps: 0, error: self.error(rows) };
        let mut direct = None;
        let mut trend = Trend::default();
        while solved.sweeps < effort.sweeps && solved.error > effort.tolerance {
            let before = (self.impulses.clone(), self.velocities.clone());
            self.sweep(rows, solved.sweeps % 2 == 1);
            solved.sweeps += 1;
            solved.error = self.error(rows);
            if solved.sweeps < effort.sweeps && solved.error > effort.tolerance {
                self.extrapolate(rows, before, &mut trend);
            }
            // Early for the many small problems, then seldom: each try costs many sweeps.
            let is_due = solved.sweeps == 2 || solved.sweeps.is_multiple_of(8);
            if is_due && solved.error > effort.tolerance && rows.len() <= effort.direct {
                let direct = direct.get_or_insert_with(|| Direct::new(self.response, self, rows));
                solved.error = self.jump(rows, direct, solved.error);
            }
        }
        solved
    }

    /// Goes on in the direction of the last sweeps.
    fn extrapolate(
        &mut self,
        rows: &[Row],
        (impulses, velocities): (Vec<DVec3>, Vec<Velocity>),
        trend: &mut Trend,
    ) {
        let change: Vec<DVec3> =
            self.impulses.iter().zip(&impulses).map(|(new, old)| *new - *old).collect();
        let of = |(row, change): (&Row, &DVec3)| {
            row.spot.as_ref().map_or(0.0, |spot| change.dot(spot.softness * *change))
        };
        let size: f64 = rows.iter().zip(&change).map(of).sum();
        let ratio = size / trend.size;
        // A sweep that changes more than the one before starts anew.
        let goes_on = ratio <= 1.0;
        if !goes_on {
            trend.impulses = change;
            trend.velocities =
                self.velocities.iter().zip(&velocities).map(|(new, old)| new.minus(old)).collect();
        } else {
            for (i, change) in change.into_iter().enumerate() {
                self.impulses[i] += ratio * trend.impulses[i];
                trend.impulses[i] = ratio * trend.impulses[i] + change;
            }
            for (i, old) in velocities.iter().enumerate() {
                let change = self.velocities[i].minus(old);
                self.velocities[i] = self.velocities[i].plus(&trend.velocities[i].times(ratio));
                trend.velocities[i] = trend.velocities[i].times(ratio).plus(&change);
            }
        }
        trend.size = size;
    }

    /// Visits every contact once.
    fn sweep(&mut self, rows: &[Row], backwards: bool) {
        for step in 0..rows.len() {
            let index = if backwards { rows.len() - 1 - step } else { step };
            if let Some(spot) = &rows[index].spot {
                let impulse = self.wanted(index, spot, &rows[index]);
                self.set(index, spot, impulse);
            }
        }
    }

    /// The impulse of a contact if all others are right.
    fn wanted(&self, index: usize, spot: &Spot, row: &Row) -> DVec3 {
        let without = self.at(spot) - spot.softness * self.impulses[index];
        spot.stop(without, row.least, row.friction)
    }

    /// By how much the velocity of a contact would change at the next visit.
    pub(super) fn error(&self, rows: &[Row]) -> f64 {
        let change = |(index, row): (usize, &Row)| {
            let spot = row.spot.as_ref()?;
            let impulse = self.wanted(index, spot, row) - self.impulses[index];
            Some((spot.softness * impulse).length())
        };
        rows.iter().enumerate().filter_map(change).fold(0.0, f64::max)
    }

    /// Takes the direct solution if its error is less; returns the error.
    fn jump(&mut self, rows: &[Row], direct: &Direct, error: f64) -> f64 {
        let (velocities, impulses) = (self.velocities.clone(), self.impulses.clone());
        let mut other = Self { response: self.response, velocities, impulses };
        for (index, impulse) in direct.impulses(self, rows).into_iter().enumerate() {
            if let Some(spot) = &rows[index].spot {
                other.set(index, spot, rows[index].within(spot.normal, impulse));
            }
        }
        let better = other.error(rows);
        if better < error {
            *self = other;
        }
        better.min(error)
    }
}
