//! Joints, limits and motors as rows for a solver that has contacts too.

use super::Linkage;
use super::bounded_impulses::Bound;
use super::limits::{Act, Acts, Stop};
use super::rows::Row;
use crate::body::Velocity;

/// A rate of two bodies that is to be in an interval, with an impulse of at most so much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bond {
    pub(crate) bodies: [usize; 2],
    /// The gradient: the rate is the sum of `pull . velocity`.
    pub(crate) pull: [Velocity; 2],
    /// The interval: one number for joints and motors.
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// The greatest impulse to that end.
    pub(crate) most: f64,
    /// What the rate gives way by, for a unit impulse: that of springs and damped motors.
    pub(crate) soft: f64,
}

impl Linkage {
    /// The rows of all joints, then those of limits and motors for so many seconds.
    pub(crate) fn bonds(&self, seconds: f64) -> Vec<Bond> {
        let stop = |stop: &Stop| {
            let bound = stop.rates(seconds);
            bond(stop.row(), &bound)
        };
        let joints = self.rows.iter().map(|row| bond(row, &EXACT));
        joints.chain(self.stops.iter().map(stop)).collect()
    }

    /// Changes velocities so that all joints fit to rounding, and limits and motors that act, but
    /// do not spend all they have, keep their rates: a solver leaves an error there, which adds up.
    ///
    /// `impulses` are those of [`Linkage::bonds`].
    pub(crate) fn hold_exactly(&self, velocities: &mut [Velocity], impulses: &[f64], seconds: f64) {
        let act = |(number, stop): (usize, &Stop)| {
            let (impulse, bound) = (impulses[self.rows.len() + number], stop.rates(seconds));
            let rate = if impulse > 0.0 { bound.low } else { bound.high };
            let keeps = impulse != 0.0 && impulse.abs() < bound.most && bound.soft == 0.0;
            keeps.then_some((number, Act::Keeps(rate)))
        };
        let acts: Acts = self.stops.iter().enumerate().filter_map(act).collect();
        self.brace(velocities, &acts);
    }

    /// The rows of joints, limits and motors for displacements: joints do not open, limits are not
    /// passed, and motors give no way.
    pub(crate) fn closed_bonds(&self) -> Vec<Bond> {
        let stop = |stop: &Stop| {
            let Bound { low, high, .. } = stop.room();
            let [low, high] = [low.min(0.0), high.max(0.0)];
            bond(stop.row(), &Bound { low, high, most: f64::INFINITY, soft: 0.0 })
        };
        let joints = self.rows.iter().map(|row| bond(row, &EXACT));
        joints.chain(self.stops.iter().map(stop)).collect()
    }

    /// The impulses of all [bonds](Linkage::bonds) if contacts did nothing more than these
    /// velocities show, which are then changed by them.
    pub(crate) fn guess(&self, velocities: &mut [Velocity], bonds: &[Bond]) -> Vec<f64> {
        let mut settled = velocities.to_vec();
        let bound = |number: usize, _: &Stop| {
            let Bond { low, high, most, soft, .. } = bonds[self.rows.len() + number];
            Bound { low, high, most, soft }
        };
        let acting = self.hold(&mut settled, |_| 0.0, bound);
        let mut stops = vec![0.0; self.stops.len()];
        for (number, impulse) in acting {
            self.stops[number].row().push(velocities, impulse);
            stops[number] = impulse;
        }
        let mut impulses: Vec<f64> = self.rows.iter().map(|row| -row.rate(velocities)).collect();
        self.factor.solve(&mut impulses);
        self.rows.iter().zip(&impulses).for_each(|(row, &impulse)| row.push(velocities, impulse));
        impulses.extend(stops);
        impulses
    }
}

/// What a joint asks of its rate.
const EXACT: Bound = Bound { low: 0.0, high: 0.0, most: f64::INFINITY, soft: 0.0 };

fn bond(row: &Row, &Bound { low, high, most, soft }: &Bound) -> Bond {
    Bond { bodies: row.bodies, pull: row.pull(), low, high, most, soft }
}
