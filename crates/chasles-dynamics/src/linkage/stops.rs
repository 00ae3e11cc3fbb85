//! Limits and motors: rows that act one way only, or with limited force.
//!
//! Each is a [`Bound`]: the rate is to stay in an interval, and an impulse may be spent on that. With the
//! joints eliminated, impulses `lambda` along these rows change their rates by `A lambda`, where
//!
//! ```text
//! A = G M⁻¹ Gᵀ - Yᵀ D⁻¹ Y,        L Y = J M⁻¹ Gᵀ
//! ```
//!
//! Gauss and Seidel's sweeps, each impulse cut to what it may be, guess which rows act; then rows are
//! exchanged until the rates are exact. Every sweep lowers `lambda . A lambda / 2 + lambda . (rate -
//! bound)` from 0, and a limit's bound is on the far side of 0 from its impulse, so the energy is
//! lowered too, at whatever sweep one stops.

use std::f64::consts::TAU;

use super::Linkage;
use super::joint::{Joint, Motor};
use super::rows::{Frames, Row};
use crate::body::{Inertia, Velocity};

/// An impulse is of no use if the joints leave less than this share of the row's mobility: it is
/// the rounding of the difference that `A` is.
const BLOCKED: f64 = 1e-10;

/// Rates within this share of the largest are where they should be.
const EXACT: f64 = 1e-10;

/// Sweeps that guess which rows act.
const SWEEPS: usize = 10;

/// Exchanges for each row at most. About one in two is needed after the sweeps; only rows that follow
/// from others could go on for longer, and what is found by then is feasible.
const EXCHANGES: usize = 5;

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

/// The interval in which a rate should be, and the greatest impulse to that end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    low: f64,
    high: f64,
    most: f64,
}

/// The limits and motors of a joint.
pub(super) fn of(joint: &Joint, frames: &Frames, all: &[Inertia]) -> impl Iterator<Item = Stop> {
    let angle = joint.angle.map(|[min, max]| {
        // The turn of the angle that is nearest to the middle of the limits.
        let middle = 0.5 * (min + max);
        let off = frames.angle() - middle;
        let value = middle + off - TAU * (off / TAU).round();
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

impl Bound {
    /// The impulse for a row of which one unit changes the rate by `softness`, if the rate is this
    /// without it.
    fn impulse(&self, rate: f64, softness: f64) -> f64 {
        let missing = if rate > self.high {
            self.high - rate
        } else if rate < self.low {
            self.low - rate
        } else {
            0.0
        };
        (missing / softness).max(-self.most).min(self.most)
    }

    /// What a row with this impulse does.
    fn role(&self, impulse: f64) -> Role {
        if self.most == 0.0 || (impulse == 0.0 && self.low < self.high) {
            Role::Idle
        } else if impulse <= -self.most {
            Role::Down
        } else if impulse >= self.most {
            Role::Up
        } else if impulse < 0.0 {
            Role::High
        } else {
            Role::Low
        }
    }

    /// What a row that does not act should do at this rate, and how far the rate is off.
    fn wish(&self, role: Role, rate: f64, slack: f64) -> Option<(f64, Role)> {
        let [up, down] = [self.low - rate, rate - self.high];
        let (by, role) = match role {
            Role::Idle if up > down => (up, Role::Low),
            Role::Idle => (down, Role::High),
            Role::Up => (-up, Role::Low),
            Role::Down => (-down, Role::High),
            Role::Low | Role::High | Role::Blocked => return None,
        };
        (by > slack && self.most > 0.0).then_some((by, role))
    }

    /// How far the impulse of a row that acts may change, and what the row does there.
    fn end(&self, role: Role, change: f64) -> (f64, Role) {
        let is_exact = self.low == self.high;
        match (role, change > 0.0) {
            (Role::High, true) if !is_exact => (0.0, Role::Idle),
            (Role::Low, false) if !is_exact => (0.0, Role::Idle),
            (_, true) => (self.most, Role::Up),
            (_, false) => (-self.most, Role::Down),
        }
    }
}

/// What a row does: nothing, holds its lower or upper bound, pushes with all it has; or can do
/// nothing, because the joints leave it no way to move.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Idle,
    Low,
    High,
    Down,
    Up,
    Blocked,
}

/// The rows which act, and how they act on each other.
#[derive(Default)]
struct Held {
    stops: Vec<usize>,
    columns: Vec<Vec<f64>>,
    /// Rows of `A`, up to the diagonal.
    matrix: Vec<Vec<f64>>,
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
        if let Some(diagonal) = entries.last_mut()
            && *diagonal <= BLOCKED * row.coupling(row)
        {
            entries.fill(0.0);
        }
        self.matrix.push(entries);
    }

    fn entry(&self, a: usize, b: usize) -> f64 {
        self.matrix[a.max(b)][a.min(b)]
    }

    /// The impulses that bring rates into their bounds.
    fn impulses(&self, rates: &[f64], bounds: &[Bound]) -> Vec<f64> {
        let mut now = rates.to_vec();
        let mut impulses = vec![0.0; rates.len()];
        for _ in 0..SWEEPS {
            self.sweep(&mut now, &mut impulses, bounds);
        }
        self.refine(rates, &mut impulses, bounds);
        impulses
    }

    fn sweep(&self, rates: &mut [f64], impulses: &mut [f64], bounds: &[Bound]) {
        for (row, bound) in bounds.iter().enumerate() {
            let softness = self.entry(row, row);
            if softness == 0.0 {
                continue;
            }
            let impulse = bound.impulse(rates[row] - softness * impulses[row], softness);
            let change = impulse - impulses[row];
            if change != 0.0 {
                impulses[row] = impulse;
                for (other, rate) in rates.iter_mut().enumerate() {
                    *rate += change * self.entry(row, other);
                }
            }
        }
    }

    /// Makes impulses exact, with one row more or less to act at a time. What the sweeps lower is
    /// lowered in each exchange too, so no set of acting rows comes back.
    fn refine(&self, rates: &[f64], impulses: &mut [f64], bounds: &[Bound]) {
        let both = impulses.iter().zip(bounds);
        let mut roles: Vec<Role> = both.map(|(&push, bound)| bound.role(push)).collect();
        for (row, role) in roles.iter_mut().enumerate() {
            if self.entry(row, row) == 0.0 {
                *role = Role::Blocked;
            }
        }
        let slack = EXACT * rates.iter().fold(0.0, |most: f64, rate| most.max(rate.abs()));
        for _ in 0..EXCHANGES * (1 + rates.len()) {
            if let Some((row, role)) = self.approach(rates, impulses, &roles, bounds) {
                roles[row] = role;
                continue;
            }
            let wish = |row: usize| {
                let rate = self.rate(rates, impulses, row);
                bounds[row].wish(roles[row], rate, slack).map(|(by, role)| (by, row, role))
            };
            let wishes = (0..rates.len()).filter_map(wish);
            let Some((_, row, role)) = wishes.max_by(|a, b| a.0.total_cmp(&b.0)) else { return };
            roles[row] = role;
        }
    }

    /// Moves impulses to where all acting rows hold their bounds; or as far as one of them may go,
    /// and what becomes of that one.
    fn approach(
        &self,
        rates: &[f64],
        impulses: &mut [f64],
        roles: &[Role],
        bounds: &[Bound],
    ) -> Option<(usize, Role)> {
        let acts = |row: usize| matches!(roles[row], Role::Low | Role::High);
        let acting: Vec<usize> = (0..rates.len()).filter(|&row| acts(row)).collect();
        let missing = |&row: &usize| {
            let bound = &bounds[row];
            let aim = if roles[row] == Role::Low { bound.low } else { bound.high };
            aim - self.rate(rates, impulses, row)
        };
        let changes = self.solved(&acting, acting.iter().map(missing).collect());
        let mut way = 1.0;
        let mut first = None;
        for (&row, change) in acting.iter().zip(&changes).filter(|(_, change)| **change != 0.0) {
            let (end, role) = bounds[row].end(roles[row], *change);
            let share = (end - impulses[row]) / change;
            if share < way {
                way = share.max(0.0);
                first = Some((row, role, end));
            }
        }
        for (&row, change) in acting.iter().zip(&changes) {
            impulses[row] += way * change;
        }
        let (row, role, end) = first?;
        impulses[row] = end;
        Some((row, role))
    }

    fn rate(&self, rates: &[f64], impulses: &[f64], row: usize) -> f64 {
        let pushes = impulses.iter().enumerate();
        rates[row] + pushes.map(|(other, push)| push * self.entry(row, other)).sum::<f64>()
    }

    /// Solves for some of the rows, densely; those that follow from others get 0.
    fn solved(&self, rows: &[usize], mut side: Vec<f64>) -> Vec<f64> {
        let n = rows.len();
        let mut lower: Vec<Vec<f64>> = Vec::with_capacity(n);
        let mut inv_pivots = Vec::with_capacity(n);
        for i in 0..n {
            let mut line: Vec<f64> = (0..=i).map(|j| self.entry(rows[i], rows[j])).collect();
            let diagonal = line[i];
            for j in 0..i {
                let sum: f64 = (0..j).map(|k| line[k] * lower[j][k]).sum();
                line[j] -= sum;
            }
            for j in 0..i {
                let scaled: f64 = line[j] * inv_pivots[j];
                line[i] -= scaled * line[j];
                side[i] -= scaled * side[j];
                line[j] = scaled;
            }
            let is_pivot = line[i] > BLOCKED * diagonal;
            inv_pivots.push(if is_pivot { line[i].recip() } else { 0.0 });
            lower.push(line);
        }
        for i in (0..n).rev() {
            let below: f64 = (i + 1..n).map(|j| lower[j][i] * side[j]).sum();
            side[i] = if inv_pivots[i] == 0.0 { 0.0 } else { side[i] * inv_pivots[i] - below };
        }
        side
    }
}

impl Linkage {
    /// Moves rates of joints to their aims, and those of limits and motors into their bounds.
    pub(super) fn hold(
        &self,
        velocities: &mut [Velocity],
        aim: impl Fn(usize) -> f64,
        bound: impl Fn(&Stop) -> Bound,
    ) {
        self.project(velocities, &aim);
        if self.stops.is_empty() {
            return;
        }
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
                return;
            }
            for number in new {
                held.add(self, number);
            }
            let stops = || held.stops.iter().map(|&number| &self.stops[number]);
            let rates: Vec<f64> = stops().map(|stop| stop.row.rate(&start)).collect();
            let bounds: Vec<Bound> = stops().map(&bound).collect();
            let impulses = held.impulses(&rates, &bounds);
            velocities.copy_from_slice(&start);
            for (stop, impulse) in stops().zip(impulses) {
                stop.row.push(velocities, impulse);
            }
            self.project(velocities, &aim);
        }
    }
}
