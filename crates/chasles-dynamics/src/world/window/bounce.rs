//! Restitution: what comes back of the speed with which bodies met in a window.
//!
//! A limit lets a gap close to what is kept by the end of the window, so bodies that meet are next
//! to each other then. The speed of the impact is that of a fall over the gap, `u² + 2 a g`, with
//! the rate `u` at the start of the window and the acceleration `a` along the normal, so a body
//! that is dropped comes back to `e²` of its height whatever the window is. Impulses at the end of
//! the window then lift the rates of all contacts that met to `e` times that, and friction acts
//! with them.
//!
//! Where several contacts share bodies this may add energy; what comes back to bodies that press on
//! each other or hang together is then cut to what [`energy`](super::energy) allows them. With `d`
//! the change of velocities the energy is `E + s v.M d + s² d.M d / 2` for a share `s` of it.

use glam::DVec3;

use super::super::{BodyId, Impact};
use super::alternating::Turns;
use super::candidate::Candidate;
use super::energy::{Bundle, Kinetic};
use super::group::Group;
use super::newton::{self, Begin, Given};
use super::solver::{Effort, Problem, Row};
use super::velocities::FEW;
use super::{DEAREST, OF_TOGETHER, Trial};
use crate::body::{Inertia, Velocity};

/// Sweeps of an impact at most.
const SWEEPS: u32 = 60;

/// They end when no visit changes a velocity by more than this share of the fastest impact, or,
/// where there are many contacts, by more than what those of the window are solved to.
const PRECISION: f64 = 1e-8;

/// The same for linkages, whose joints are solved together with the contacts.
const OF_LINKED: f64 = 1e-6;

/// A contact that presses at the end of a window.
struct Pressing {
    /// Its row in the trial, and where it is now.
    number: usize,
    row: Row,
    point: DVec3,
    is_impact: bool,
}

impl Group<'_> {
    /// Lets members bounce that met in a trial, as far as their bundles allow.
    pub(super) fn bounce(
        &self,
        candidates: &[Candidate],
        trial: &mut Trial,
        bundles: &[Bundle],
    ) -> Vec<Met> {
        let mut fastest = 0.0_f64;
        let arrivals: Vec<Arrival> = trial
            .rows
            .iter()
            .zip(&trial.sources)
            .map(|(row, &source)| match row.impulse.x > 0.0 {
                true => self.arrival(&candidates[source]),
                false => Arrival::default(),
            })
            .inspect(|arrival| fastest = fastest.max(arrival.bounces()))
            .collect();
        if fastest == 0.0 {
            return Vec::new();
        }
        let inertias: Vec<Inertia> = self.inertias_at(&trial.ends).collect();
        let mut velocities: Vec<Velocity> = trial.ends.iter().map(|end| end.velocity).collect();
        let mut pressing = Vec::new();
        let mut dirty = vec![false; velocities.len()];
        for (number, (row, &source)) in trial.rows.iter().zip(&trial.sources).enumerate() {
            let is_impact = arrivals[number].is_impact;
            let candidate = &candidates[source];
            let poses = candidate.bodies.map(|i| &trial.ends[i].pose);
            let place = candidate.anchors.place(poses);
            let material = self.pairs[candidate.pair].material;
            let at = (place.point, place.normal);
            let Some(mut row) = Row::new(row.bodies, &inertias, at, material.friction())
                .filter(|_| row.impulse.x > 0.0)
            else {
                continue;
            };
            row.least = row.rate(&velocities).min(0.0);
            if is_impact {
                row.least = row.least.max(material.restitution() * arrivals[number].speed);
                row.bodies.into_iter().for_each(|i| dirty[i] = self.masses[i].is_some());
            }
            pressing.push(Pressing { number, row, point: place.point, is_impact });
        }
        // Of many contacts, velocities are no better than this before.
        let many = pressing.len() > FEW;
        let rough = if many { self.tolerance(candidates, trial.h) } else { 0.0 };
        let effort = Effort { sweeps: SWEEPS, tolerance: rough.max(PRECISION * fastest) };
        let mut rows: Vec<Row> = pressing.iter().map(|pressing| pressing.row).collect();
        if let Some((linkage, bonds)) = self.bonds_at(&trial.ends) {
            let held = vec![0.0; bonds.len()];
            let (pushed, inertias) = (&velocities[..], &inertias[..]);
            let begin = Begin::Still;
            let given = Given { pushed, inertias, bonds: &bonds, held, begin };
            // The linkage is solved no better than this before.
            let left = self.tolerance(candidates, trial.h);
            let left = if self.is_calm(trial) { OF_TOGETHER * left } else { left };
            let tolerance = effort.tolerance.max(OF_LINKED * fastest).max(left);
            let effort = newton::Effort { tolerance, enough: tolerance, most: DEAREST };
            let found = newton::solve(&mut rows, &given, &effort);
            let turns = Turns { linkage: &linkage, bonds: &bonds, pushed, inertias };
            let found = turns.or_found(&mut rows, found, tolerance);
            trial.multiplications += found.multiplications;
            velocities = found.velocities;
        } else {
            let velocities = &mut velocities;
            let problem = Problem { rows: &mut rows, velocities, inertias: &inertias };
            trial.sweeps.run(problem, &mut dirty, &effort);
        }
        let shares = self.shares(candidates, trial, bundles, &velocities);
        for ((end, velocity), share) in trial.ends.iter_mut().zip(&velocities).zip(&shares) {
            let change = velocity.minus(&end.velocity);
            end.velocity = end.velocity.plus(&change.times(*share));
        }
        // Both bodies of a contact are in one bundle, if both move.
        let share = |row: &Row| row.bodies.map(|i| shares[i]).into_iter().fold(1.0, f64::min);
        let hard = self.options.springs.map_or(0.0, |springs| springs.hard);
        let met = |(row, Pressing { number, point, .. }): (&Row, &Pressing)| Met {
            is_hard: arrivals[*number].speed > hard,
            impact: Impact {
                time: self.clock + arrivals[*number].after.min(trial.h),
                bodies: row.bodies.map(|i| BodyId(self.members[i])),
                point: *point,
                normal: row.normal,
                impulse: trial.rows[*number].impulse_vector() + share(row) * row.impulse_vector(),
            },
        };
        let impacts = rows.iter().zip(&pressing).filter(|(_, pressing)| pressing.is_impact);
        impacts.map(met).collect()
    }

    /// How fast a contact meets, and after which time; 0 if it does not approach.
    ///
    /// It is an impact if it does not come to rest within a window: what presses on a spring
    /// already must be hard for that.
    pub(super) fn arrival(&self, candidate: &Candidate) -> Arrival {
        let (point, normal) = (candidate.place.point, candidate.place.normal);
        let [a, b] =
            candidate.bodies.map(|i| self.states[i].velocity.at(self.inertias[i].centre, point));
        let rate = normal.dot(a - b).min(0.0);
        let [a, b] = candidate.bodies.map(|i| self.pull(i).acceleration);
        let room = (candidate.place.gap - candidate.held()).max(0.0);
        let speed = (rate * rate - 2.0 * normal.dot(a - b) * room).max(0.0).sqrt();
        let after = if room > 0.0 { 2.0 * room / (speed - rate) } else { 0.0 };
        let hard = self.options.springs.map_or(0.0, |springs| springs.hard);
        let least = if candidate.is_pressed() { hard } else { 0.0 };
        let is_impact = speed > self.options.gentle.max(least);
        Arrival { speed, after, is_impact }
    }

    /// For each member the share of a bounce to these velocities that its bundle has room for.
    fn shares(
        &self,
        candidates: &[Candidate],
        trial: &Trial,
        bundles: &[Bundle],
        after: &[Velocity],
    ) -> Vec<f64> {
        let mut shares = vec![1.0; after.len()];
        for bundle in bundles {
            let room = self.room(candidates, trial, bundle);
            let share = room.map_or(1.0, |room| self.affordable(trial, bundle, after, room));
            bundle.members.iter().for_each(|&i| shares[i] = share);
        }
        shares
    }

    /// The share of a bounce to these velocities that gives a bundle no more energy than there is
    /// room for.
    fn affordable(&self, trial: &Trial, bundle: &Bundle, after: &[Velocity], room: f64) -> f64 {
        let [mut slope, mut bend] = [0.0; 2];
        for &i in &bundle.members {
            let Some(mass) = self.masses[i] else { continue };
            let end = &trial.ends[i];
            let last = Kinetic { mass, state: end };
            let change = after[i].minus(&end.velocity);
            slope += last.product(&end.velocity, &change);
            bend += last.product(&change, &change);
        }
        if slope + 0.5 * bend <= room {
            return 1.0;
        }
        // The larger root of s slope + s² bend / 2 = room.
        let root = (slope * slope + 2.0 * bend * room).sqrt();
        let share = if slope > 0.0 { 2.0 * room / (slope + root) } else { (root - slope) / bend };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// How a contact meets in a window: at a speed, and so long after its start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Arrival {
    speed: f64,
    after: f64,
    pub(super) is_impact: bool,
}

impl Arrival {
    /// The speed of an impact, or 0.
    fn bounces(&self) -> f64 {
        if self.is_impact { self.speed } else { 0.0 }
    }
}

/// What met in a window and bounced; hard where it is more than springs take.
pub(super) struct Met {
    pub(super) impact: Impact,
    pub(super) is_hard: bool,
}
