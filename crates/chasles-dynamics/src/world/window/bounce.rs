//! Restitution: what comes back of the speed with which bodies met in a window.
//!
//! A limit lets a gap close to what is kept by the end of the window, so bodies that meet are next
//! to each other then. The speed of the impact is that of a fall over the gap, `u² + 2 a g`, with
//! the rate `u` at the start of the window and the acceleration `a` along the normal, so a body
//! that is dropped comes back to `e²` of its height whatever the window is. Impulses at the end of
//! the window then lift the rates of all contacts that met to `e` times that, and friction acts
//! with them.
//!
//! Where several contacts share bodies this may add energy; what comes back is then cut to what
//! there was. With `d` the change of velocities the energy is `E + s v.M d + s² d.M d / 2` for a
//! share `s` of it.

use glam::DVec3;

use super::super::broad::groups;
use super::super::{BodyId, Impact, Report, State};
use super::candidate::Candidate;
use super::group::Group;
use super::newton::{self, Given};
use super::solver::{Effort, Problem, Row};
use super::{DEAREST, Trial};
use crate::body::{Inertia, Solidity, Velocity};
use crate::linkage::{Bond, Joint};

/// Sweeps of an impact at most.
const SWEEPS: u32 = 60;

/// They end when no visit changes a velocity by more than this share of the fastest impact.
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
    /// Lets members bounce that met in a trial.
    pub(super) fn bounce(&self, candidates: &[Candidate], trial: &mut Trial, report: &mut Report) {
        let mut fastest = 0.0_f64;
        let arrivals: Vec<Arrival> = trial
            .rows
            .iter()
            .zip(&trial.sources)
            .map(|(row, &source)| match row.impulse.x > 0.0 {
                true => self.arrival(&candidates[source]),
                false => Arrival::default(),
            })
            .inspect(|arrival| fastest = fastest.max(arrival.speed))
            .collect();
        if fastest <= self.options.gentle {
            return;
        }
        let inertias: Vec<Inertia> = self.inertias_at(&trial.ends).collect();
        let mut velocities: Vec<Velocity> = trial.ends.iter().map(|end| end.velocity).collect();
        let mut pressing = Vec::new();
        let mut dirty = vec![false; velocities.len()];
        for (number, (row, &source)) in trial.rows.iter().zip(&trial.sources).enumerate() {
            let is_impact = arrivals[number].speed > self.options.gentle;
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
        let effort = Effort { sweeps: SWEEPS, tolerance: PRECISION * fastest };
        let mut rows: Vec<Row> = pressing.iter().map(|pressing| pressing.row).collect();
        let bonds = self.bonds_at(&trial.ends);
        if bonds.is_empty() {
            let velocities = &mut velocities;
            let problem = Problem { rows: &mut rows, velocities, inertias: &inertias };
            trial.sweeps.run(problem, &mut dirty, &effort);
        } else {
            let held = vec![0.0; bonds.len()];
            let (pushed, inertias) = (&velocities[..], &inertias[..]);
            let given = Given { pushed, inertias, bonds: &bonds, held };
            let tolerance = effort.tolerance.max(OF_LINKED * fastest);
            let effort = newton::Effort { tolerance, enough: tolerance, most: DEAREST };
            if let Some(found) = newton::solve(&mut rows, &given, &effort) {
                velocities = found.velocities;
            }
        }
        let share = self.affordable(trial, &velocities, &rows);
        for (end, velocity) in trial.ends.iter_mut().zip(&velocities) {
            let change = velocity.minus(&end.velocity);
            end.velocity = end.velocity.plus(&change.times(share));
        }
        for (row, Pressing { number, point, .. }) in
            rows.iter().zip(&pressing).filter(|(_, pressing)| pressing.is_impact)
        {
            report.impacts.push(Impact {
                time: self.clock + arrivals[*number].after.min(trial.h),
                bodies: row.bodies.map(|i| BodyId(self.members[i])),
                point: *point,
                normal: row.normal,
                impulse: trial.rows[*number].impulse_vector() + share * row.impulse_vector(),
            });
        }
    }

    /// Takes from the motion of members the energy that displacements and what the solver left have
    /// given them: where something fixed carries them, or the solver came to no end, and no body on
    /// a route, torque or sheet does work. Who pays is who presses on each other or is linked; what
    /// flies by is not asked.
    pub(super) fn pay(&self, trial: &mut Trial) {
        let is_moved = |row: &&Row| row.bodies.iter().any(|&i| trial.shifts[i] != Velocity::ZERO);
        let acts = |row: &&Row| row.impulse.x > 0.0 || is_moved(row);
        let pressing = trial.rows.iter().filter(acts).map(|row| row.bodies);
        let joints = self.links.iter().flat_map(|links| &links.joints).map(Joint::bodies);
        let bound: Vec<[usize; 2]> = pressing.chain(joints).collect();
        let moves = |pair: &[usize; 2]| pair.iter().all(|&i| self.masses[i].is_some());
        let is_bound = |members: &Vec<usize>| bound.iter().flatten().any(|i| members.contains(i));
        for members in groups(self.masses.len(), bound.iter().copied().filter(moves)) {
            if self.masses[members[0]].is_some() && is_bound(&members) {
                self.pay_for(&members, &bound, trial);
            }
        }
    }

    /// The same for members that hang together, by these pairs.
    fn pay_for(&self, members: &[usize], bound: &[[usize; 2]], trial: &mut Trial) {
        let of_members = bound.iter().filter(|pair| pair.iter().any(|i| members.contains(i)));
        let all: Vec<usize> = of_members.copied().flatten().collect();
        let is_fixed = |i: usize| self.masses[i].is_none();
        let drives = |i: usize| is_fixed(i) && self.states[i].velocity != Velocity::ZERO;
        let is_turned = |i: usize| self.pull(i).torque != DVec3::ZERO;
        let conveys = |i: usize| self.belt(i) != DVec3::ZERO;
        let does_work =
            |i: usize| drives(i) || is_turned(i) || conveys(i) || self.borne(i).is_some();
        let is_carried = all.iter().any(|&i| is_fixed(i));
        if all.iter().any(|&i| does_work(i)) || !is_carried && trial.is_solved {
            return;
        }
        let [mut allowed, left] = self.energies(trial, members.iter().copied());
        allowed += self.work_of_motors(members, trial.h);
        let mass = |i: usize| self.masses[i].map_or(0.0, Solidity::mass);
        let sum: f64 = members.iter().map(|&i| mass(i)).sum();
        let momentum: DVec3 =
            members.iter().map(|&i| mass(i) * trial.ends[i].velocity.linear).sum();
        // What nothing fixed carries keeps its momentum.
        let common = if is_carried { DVec3::ZERO } else { momentum / sum };
        let least = 0.5 * sum * common.length_squared();
        if left > allowed.max(least) {
            let share = ((allowed.max(least) - least) / (left - least)).sqrt();
            for &i in members {
                let Velocity { linear, angular } = trial.ends[i].velocity;
                let linear = common + share * (linear - common);
                trial.ends[i].velocity = Velocity { linear, angular: share * angular };
            }
        }
    }

    /// The work that motors of members can do in a time: one that aims at a speed pushes no farther
    /// than that goes. Without bound for springs.
    pub(super) fn work_of_motors(&self, members: &[usize], seconds: f64) -> f64 {
        let bonds = self.links.iter().flat_map(|links| links.linkage.bonds(seconds));
        let of_members = |bond: &Bond| bond.bodies.iter().any(|i| members.contains(i));
        let aims = |bond: &Bond| bond.low == bond.high && bond.low != 0.0 || bond.soft > 0.0;
        let work = |bond: Bond| match bond.soft > 0.0 {
            true => f64::INFINITY,
            false => bond.most * bond.low.abs(),
        };
        bonds.filter(|bond| of_members(bond) && aims(bond)).map(work).sum()
    }

    /// The kinetic energy that members may have at the end of a trial, that of the start and the
    /// work of forces, and what they have.
    fn energies(&self, trial: &Trial, members: impl Iterator<Item = usize>) -> [f64; 2] {
        let [mut allowed, mut left] = [0.0; 2];
        for i in members {
            let Some(mass) = self.masses[i] else { continue };
            let (before, end) = (&self.states[i], &trial.ends[i]);
            let way = end.pose.point(mass.centre()) - self.inertias[i].centre;
            let [first, last] = [before, end].map(|state| Kinetic { mass, state });
            allowed += first.energy() + mass.mass() * self.pull(i).acceleration.dot(way);
            left += last.energy();
        }
        [allowed, left]
    }

    /// How fast a contact meets, and after which time; 0 if it does not approach.
    fn arrival(&self, candidate: &Candidate) -> Arrival {
        let (point, normal) = (candidate.place.point, candidate.place.normal);
        let [a, b] =
            candidate.bodies.map(|i| self.states[i].velocity.at(self.inertias[i].centre, point));
        let rate = normal.dot(a - b).min(0.0);
        let [a, b] = candidate.bodies.map(|i| self.pull(i).acceleration);
        let room = (candidate.place.gap - candidate.kept).max(0.0);
        let speed = (rate * rate - 2.0 * normal.dot(a - b) * room).max(0.0).sqrt();
        let after = if room > 0.0 { 2.0 * room / (speed - rate) } else { 0.0 };
        Arrival { speed, after }
    }

    /// The share of a bounce that leaves no more energy than there was; all of it where a body on a
    /// route does work.
    fn affordable(&self, trial: &Trial, after: &[Velocity], rows: &[Row]) -> f64 {
        let drives =
            |i: usize| self.masses[i].is_none() && self.states[i].velocity != Velocity::ZERO;
        if rows.iter().any(|row| row.bodies.into_iter().any(drives)) {
            return 1.0;
        }
        let [allowed, start] = self.energies(trial, 0..self.masses.len());
        let [mut slope, mut bend] = [0.0; 2];
        for (i, mass) in self.masses.iter().enumerate() {
            let Some(mass) = mass else { continue };
            let end = &trial.ends[i];
            let last = Kinetic { mass, state: end };
            let change = after[i].minus(&end.velocity);
            slope += last.product(&end.velocity, &change);
            bend += last.product(&change, &change);
        }
        let room = (allowed - start).max(0.0);
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
struct Arrival {
    speed: f64,
    after: f64,
}

/// The kinetic energy of a body as a quadratic form.
struct Kinetic<'s> {
    mass: &'s Solidity,
    state: &'s State,
}

impl Kinetic<'_> {
    fn energy(&self) -> f64 {
        0.5 * self.product(&self.state.velocity, &self.state.velocity)
    }

    fn product(&self, a: &Velocity, b: &Velocity) -> f64 {
        let axes = self.state.pose.rotation() * self.mass.axes();
        let [x, y]: [DVec3; 2] = [a, b].map(|v| axes.conjugate() * v.angular);
        self.mass.mass() * a.linear.dot(b.linear) + (self.mass.moments() * x).dot(y)
    }
}
