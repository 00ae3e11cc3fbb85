//! Limits and motors: rows that act one way only, or with limited force.
//!
//! With the joints eliminated, impulses `lambda` along these rows change their rates by `A lambda`,
//!
//! ```text
//! A = G M⁻¹ Gᵀ - Yᵀ D⁻¹ Y,        L Y = J M⁻¹ Gᵀ
//! ```
//!
//! where `G` are their gradients. A limit bounds what is left of the way within the time, so bodies
//! come to rest at it and are not thrown back; the bound is on the far side of 0 from its impulse,
//! so a limit takes energy and never gives any. Only rows that would leave their bounds take part.

use std::f64::consts::TAU;

use super::Linkage;
use super::bounded::{Bound, Mobility};
use super::joint::{Joint, Motor};
use super::rows::{Frames, Row};
use crate::body::{Inertia, Velocity};

/// An impulse is of no use if the joints leave less than this share of the row's mobility: it is
/// the rounding of the difference that `A` is.
const BLOCKED: f64 = 1e-10;

/// A limit or a motor of a joint where the bodies stand now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stop {
    row: Row,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// How far it is to the lower limit (not above 0, if it is kept) and to the upper one.
    Limit([f64; 2]),
    Motor(Motor),
}

/// The angle of a joint with limits, counted on over turns from the angle where it was last; at first from
/// the middle of the limits. Without the count, a way that leaves wide limits would begin at the other one.
pub(super) fn angle(joint: &Joint, frames: &Frames, last: Option<f64>) -> Option<f64> {
    let [min, max] = joint.angle?;
    let from = last.unwrap_or(0.5 * (min + max));
    let off = frames.angle() - from;
    Some(from + off - TAU * (off / TAU).round())
}

/// The limits and motors of a joint, at this angle.
pub(super) fn of(
    joint: &Joint,
    frames: &Frames,
    angle: Option<f64>,
    all: &[Inertia],
) -> impl Iterator<Item = Stop> {
    let angle = joint.angle.zip(angle).map(|([min, max], value)| {
        (frames.turning(joint, all), Kind::Limit([min - value, max - value]))
    });
    let travel = joint.travel.map(|[min, max]| {
        let value = frames.travel();
        (frames.sliding(joint, all), Kind::Limit([min - value, max - value]))
    });
    let swing = joint.swing.map(|max| {
        let room = max - frames.swing().0;
        (frames.swinging(joint, all), Kind::Limit([f64::NEG_INFINITY, room]))
    });
    let turning = joint.turning.map(|motor| (frames.turning(joint, all), Kind::Motor(motor)));
    let sliding = joint.sliding.map(|motor| (frames.sliding(joint, all), Kind::Motor(motor)));
    let stops = [angle, travel, swing, turning, sliding].into_iter().flatten();
    stops.map(|(row, kind)| Stop { row, kind })
}

impl Stop {
    /// What velocities should be for this many seconds. A limit that is passed stops what goes
    /// farther, and leaves the way back to the correction of poses.
    pub(super) fn rates(&self, seconds: f64) -> Bound {
        match self.kind {
            Kind::Limit([low, high]) => Bound {
                low: (low / seconds).min(0.0),
                high: (high / seconds).max(0.0),
                most: f64::INFINITY,
            },
            Kind::Motor(Motor { speed, force }) => {
                let most = if seconds > 0.0 { force * seconds } else { 0.0 };
                Bound { low: speed, high: speed, most }
            }
        }
    }

    /// What displacements should be.
    pub(super) fn room(&self) -> Bound {
        match self.kind {
            Kind::Limit([low, high]) => Bound { low, high, most: f64::INFINITY },
            Kind::Motor(_) => Bound { low: 0.0, high: 0.0, most: 0.0 },
        }
    }
}

/// The rows which take part.
#[derive(Default)]
struct Held {
    stops: Vec<usize>,
    columns: Vec<Vec<f64>>,
    mobility: Mobility,
}

impl Held {
    fn add(&mut self, linkage: &Linkage, number: usize) {
        let row = &linkage.stops[number].row;
        let mut column = vec![0.0; linkage.rows.len()];
        for &body in &row.bodies {
            for &other in linkage.order.rows_of(body) {
                column[other] = linkage.rows[other].coupling(row);
            }
        }
        linkage.factor.forward(&mut column);
        self.stops.push(number);
        self.columns.push(column);
        let own = self.columns.last().expect("it has just been put there");
        let entry = |(&stop, column): (&usize, &Vec<f64>)| {
            row.coupling(&linkage.stops[stop].row) - linkage.factor.product(own, column)
        };
        let mut entries: Vec<f64> = self.stops.iter().zip(&self.columns).map(entry).collect();
        if entries.last().is_some_and(|&diagonal| diagonal <= BLOCKED * row.coupling(row)) {
            entries.fill(0.0);
        }
        self.mobility.push(entries);
    }
}

impl Linkage {
    /// Moves rates of joints to their aims, and those of limits and motors into their bounds; whether
    /// limits or motors did anything.
    pub(super) fn hold(
        &self,
        velocities: &mut [Velocity],
        aim: impl Fn(usize) -> f64,
        bound: impl Fn(&Stop) -> Bound,
    ) -> bool {
        self.project(velocities, &aim);
        let start = velocities.to_vec();
        let mut held = Held::default();
        loop {
            let is_new = |number: usize| {
                let stop = &self.stops[number];
                let push = bound(stop).impulse(stop.row.rate(velocities), 1.0);
                push != 0.0 && !held.stops.contains(&number)
            };
            let new: Vec<usize> = (0..self.stops.len()).filter(|&stop| is_new(stop)).collect();
            if new.is_empty() {
                return !held.stops.is_empty();
            }
            for number in new {
                held.add(self, number);
            }
            let stops = || held.stops.iter().map(|&number| &self.stops[number]);
            let rates: Vec<f64> = stops().map(|stop| stop.row.rate(&start)).collect();
            let bounds: Vec<Bound> = stops().map(&bound).collect();
            let impulses = held.mobility.impulses(&rates, &bounds);
            velocities.copy_from_slice(&start);
            for (stop, impulse) in stops().zip(impulses) {
                stop.row.push(velocities, impulse);
            }
            self.project(velocities, &aim);
        }
    }
}
