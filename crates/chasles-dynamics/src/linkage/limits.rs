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
use super::bounded_impulses::{Bound, Mobility};
use super::joint::{Aim, Joint, Motor, Spring};
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
    /// A motor, and how far it is to the place that it aims at, if it does.
    Motor(Motor, f64),
}

/// The angle of a joint with limits, counted on over turns from the angle where it was last; at
/// first from the middle of the limits. Without the count, a way that leaves wide limits would
/// begin at the other one.
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
    let turning = joint.turning.map(|motor| {
        let off = motor.off(frames.angle());
        (frames.turning(joint, all), Kind::Motor(motor, off - TAU * (off / TAU).round()))
    });
    let sliding = joint
        .sliding
        .map(|motor| (frames.sliding(joint, all), Kind::Motor(motor, motor.off(frames.travel()))));
    let [span, drawing] = [joint.span.map(Ok), joint.drawing.map(Err)].map(|along| {
        let (row, value) = frames.spanning(joint, all);
        along.map(|kind| match kind {
            Ok([min, max]) => (row, Kind::Limit([min - value, max - value])),
            Err(motor) => (row, Kind::Motor(motor, Motor::off(&motor, value))),
        })
    });
    let stops = [angle, travel, swing, turning, sliding, span, drawing].into_iter().flatten();
    stops.map(|(row, kind)| Stop { row, kind })
}

impl Motor {
    /// How far it is from a value to the place that it aims at; 0 if it aims at a speed.
    fn off(&self, value: f64) -> f64 {
        match self.aim {
            Aim::Speed(_) => 0.0,
            Aim::Place(spring) => spring.place - value,
        }
    }

    /// The rate that it wants, and how much less it is content with for each unit of impulse.
    ///
    /// A spring of stiffness `k` and damping `c` gives `p = h (k (off - h r) - c r)` in a time `h`
    /// that ends with the rate `r`: `r + g p = g h k off` with `g = 1 / (h² k + h c)`.
    fn wish(&self, off: f64, h: f64) -> (f64, f64) {
        match self.aim {
            Aim::Speed(speed) => (speed, 0.0),
            Aim::Place(Spring { stiffness, damping, .. }) => {
                let soft = (h * h * stiffness + h * damping).recip();
                (soft * h * stiffness * off, soft)
            }
        }
    }
}

impl Stop {
    pub(super) fn row(&self) -> &Row {
        &self.row
    }

    /// What velocities should be for this many seconds. A limit that is passed stops what goes
    /// farther, and leaves the way back to the correction of poses.
    pub(super) fn rates(&self, seconds: f64) -> Bound {
        match self.kind {
            Kind::Limit([low, high]) => Bound {
                low: (low / seconds).min(0.0),
                high: (high / seconds).max(0.0),
                most: f64::INFINITY,
                soft: 0.0,
            },
            Kind::Motor(motor, off) if seconds > 0.0 => {
                let (rate, soft) = motor.wish(off, seconds);
                Bound { low: rate, high: rate, most: motor.force * seconds, soft }
            }
            Kind::Motor(..) => Bound::NONE,
        }
    }

    /// What displacements should be.
    pub(super) fn room(&self) -> Bound {
        match self.kind {
            Kind::Limit([low, high]) => Bound { low, high, most: f64::INFINITY, soft: 0.0 },
            Kind::Motor(..) => Bound::NONE,
        }
    }
}

impl Linkage {
    /// Whether a limit has been passed.
    pub(crate) fn is_beyond(&self) -> bool {
        let passed = |stop: &Stop| match stop.kind {
            Kind::Limit([low, high]) => low > 0.0 || high < 0.0,
            Kind::Motor(..) => false,
        };
        self.stops.iter().any(passed)
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

/// What a limit or a motor does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Act {
    /// It keeps its rate at this.
    Keeps(f64),
    /// It spends all that it has.
    Spends(f64),
}

/// Which limits and motors act, and what they do.
pub(crate) type Acts = Vec<(usize, Act)>;

impl Linkage {
    /// Makes joints fit, limits hold and motors run, as [`Linkage::settle`]; who has a part in it.
    pub(crate) fn acts(&self, velocities: &mut [Velocity], seconds: f64) -> Acts {
        let held = self.hold(velocities, |_| 0.0, |_, stop| stop.rates(seconds));
        let act = |(number, impulse): (usize, f64)| {
            let bound = self.stops[number].rates(seconds);
            if impulse == 0.0 {
                return None;
            }
            let rate = if impulse > 0.0 { bound.low } else { bound.high };
            // What is soft yields to a further push by no more than it would give way by itself.
            let is_spent = impulse.abs() >= bound.most || bound.soft > 0.0;
            Some((number, if is_spent { Act::Spends(impulse) } else { Act::Keeps(rate) }))
        };
        let mut acts: Acts = held.into_iter().filter_map(act).collect();
        acts.sort_unstable_by_key(|&(number, _)| number);
        acts
    }

    /// Does to velocities that fit the joints what these limits and motors do, whatever that takes.
    pub(crate) fn brace(&self, velocities: &mut [Velocity], acts: &Acts) {
        for &(number, act) in acts {
            if let Act::Spends(impulse) = act {
                self.stops[number].row.push(velocities, impulse);
            }
        }
        self.keep(velocities, acts, |rate| rate);
    }

    /// The change of velocities by a push, with what these limits and motors do about it.
    pub(crate) fn braced(&self, change: &mut [Velocity], acts: &Acts) {
        self.keep(change, acts, |_| 0.0);
    }

    fn keep(&self, velocities: &mut [Velocity], acts: &Acts, aim: impl Fn(f64) -> f64) {
        let kept = |number: usize, _: &Stop| {
            let act = acts.binary_search_by_key(&number, |&(number, _)| number);
            match act.map(|at| acts[at].1) {
                Ok(Act::Keeps(rate)) => {
                    Bound { low: aim(rate), high: aim(rate), most: f64::INFINITY, soft: 0.0 }
                }
                _ => Bound::NONE,
            }
        };
        self.hold(velocities, |_| 0.0, kept);
    }

    /// Moves rates of joints to their aims, and those of limits and motors into their bounds; the
    /// limits and motors that had a part in it, with their impulses.
    pub(super) fn hold(
        &self,
        velocities: &mut [Velocity],
        aim: impl Fn(usize) -> f64,
        bound: impl Fn(usize, &Stop) -> Bound,
    ) -> Vec<(usize, f64)> {
        self.project(velocities, &aim);
        let start = velocities.to_vec();
        let mut held = Held::default();
        let mut impulses = Vec::new();
        loop {
            let is_new = |number: usize| {
                let stop = &self.stops[number];
                let push = bound(number, stop).impulse(stop.row.rate(velocities), 1.0);
                push != 0.0 && !held.stops.contains(&number)
            };
            let new: Vec<usize> = (0..self.stops.len()).filter(|&stop| is_new(stop)).collect();
            if new.is_empty() {
                return held.stops.into_iter().zip(impulses).collect();
            }
            for number in new {
                held.add(self, number);
            }
            let stops = || held.stops.iter().map(|&number| &self.stops[number]);
            let rates: Vec<f64> = stops().map(|stop| stop.row.rate(&start)).collect();
            let numbers = held.stops.iter();
            let bounds: Vec<Bound> =
                numbers.map(|&number| bound(number, &self.stops[number])).collect();
            impulses = held.mobility.impulses(&rates, &bounds);
            velocities.copy_from_slice(&start);
            for (stop, impulse) in stops().zip(&impulses) {
                stop.row.push(velocities, *impulse);
            }
            self.project(velocities, &aim);
        }
    }
}
