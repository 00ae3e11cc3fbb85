//! What sheets and the bodies that they meet give each other.
//!
//! Sheets move among bodies that go their way whatever happens, so a sheet gets out of the way of a
//! feather as fast as of a rock, and pushes back with an impulse `J` that says so. A body that
//! gives way gets less:
//!
//! ```text
//! share = w / (w + q)     w = J . (free - v)    how fast the sheet would come, without the body, to where the
//!                                               body is, that goes at v
//!                         q = J . S J           how fast the body would leave if it got J
//! ```
//!
//! That is the impulse after which both go on together, as far as a sheet answers linearly: a
//! collision without restitution, of the masses of both. If the sheets have gained more energy by
//! the way of the bodies than these have lost, the step starts over with bodies that got their
//! share before it, and then get only what is missing in the end. What is still gained is taken
//! from the velocities of the sheets that gained it; what bodies get less than sheets have lost,
//! sheets get back ([`super::sheet_reactions`]).

use super::sheet_motion::Moved;
use super::sheet_reactions::Missing;
use super::{Report, World};
use crate::body::Velocity;
use crate::spring::sheet::{Push, Sheet};

/// A gain of this share of the energy of motion is mild: it is taken from the sheets, and nothing
/// else.
const MILD: f64 = 0.02;

/// So is a gain of this share of what it takes to lift the bodies that sheets carry by their
/// thickness: what a sheet between bodies is deformed by, to and fro, and what its damping takes.
const PRESSED: f64 = 0.1;

/// A step is as foreseen if bodies have to get no more than this share of what they got before it,
/// as energies.
const FORESEEN: f64 = 0.1;

/// A step of bodies, with sheets that have gone among them and are not the world's yet.
pub(super) struct Tried {
    pub(super) report: Report,
    pub(super) sheets: Vec<Sheet>,
    pub(super) moved: Moved,
    /// What bodies got before the step, and the energy that was in it.
    pub(super) given: Vec<Velocity>,
    pub(super) given_energy: f64,
    /// Bodies that sheets carry, and that moved as the sheets took them to.
    pub(super) is_foreseen: Vec<bool>,
}

/// How a step ends for sheets and bodies together.
#[derive(Clone, Debug, Default)]
pub(super) struct Balance {
    /// The energy that came from nowhere, in joules.
    pub(super) excess: f64,
    /// That of all motion that took part, and that of the sheets that gained energy.
    motion: f64,
    of_gainers: f64,
    /// What bodies that sheets carry lose if they sink by the thickness of a sheet.
    carried: f64,
    /// The energies of what bodies got before the step and after it.
    given: f64,
    rest: f64,
    /// Whether there was not enough energy to give all.
    pub(super) is_capped: bool,
    /// For bodies that got another momentum than sheets have lost to them, what is missing.
    pub(super) missing: Vec<Missing>,
}

/// What a body gains by a change of velocity.
#[derive(Clone, Copy, Debug, Default)]
struct Gain {
    energy: f64,
    /// The share of the change that there was no energy for.
    missing: f64,
}

impl Balance {
    /// Whether sheets have little energy too much, which they can do without.
    pub(super) fn is_mild(&self) -> bool {
        self.excess <= self.of_gainers.min(MILD * self.motion).max(PRESSED * self.carried)
    }

    /// Whether no body was pushed that gives way.
    pub(super) fn is_alone(&self) -> bool {
        self.given == 0.0 && self.rest == 0.0
    }

    pub(super) fn is_foreseen(&self) -> bool {
        self.rest <= FORESEEN * self.given
    }
}

impl World {
    /// How pushes change the velocities of bodies.
    pub(super) fn changes(&self, pushes: &[Push]) -> Vec<Velocity> {
        let mut changes = vec![Velocity::ZERO; self.bodies.len()];
        for push in pushes {
            let change = self.bodies[push.obstacle].inertia().answer(push.point, push.impulse);
            changes[push.obstacle] = changes[push.obstacle].plus(&change);
        }
        changes
    }

    /// How a step changes the velocities of bodies: as its pushes do, or as foreseen. Where a sheet
    /// is between two bodies and both moved as foreseen, their ways no longer tell how much it is
    /// pressed, and its pushes may be of any size. Those of a loose sheet on one body are told, and
    /// keep the momentum of both.
    pub(super) fn felt(&self, tried: &Tried) -> Vec<Velocity> {
        let mut felt = self.changes(&tried.moved.pushes);
        let pushes = &tried.moved.pushes;
        let is_alone = pushes.windows(2).all(|both| both[0].obstacle == both[1].obstacle);
        let is_loose = !tried.sheets.iter().any(Sheet::is_pinned);
        if is_alone && is_loose {
            return felt;
        }
        for ((felt, given), is_foreseen) in
            felt.iter_mut().zip(&tried.given).zip(&tried.is_foreseen)
        {
            if *is_foreseen {
                *felt = *given;
            }
        }
        felt
    }

    /// The same for bodies that give way.
    pub(super) fn shared(&self, pushes: &[Push]) -> Vec<Velocity> {
        let changes = self.changes(pushes);
        let mut sums = vec![[0.0; 2]; changes.len()];
        for &Push { obstacle, point, impulse, free } in pushes {
            let body = &self.bodies[obstacle];
            let centre = body.inertia().centre;
            let [coming, leaving] = &mut sums[obstacle];
            *coming += impulse.dot(free - body.velocity().at(centre, point));
            *leaving += impulse.dot(changes[obstacle].at(centre, point));
        }
        let share = |(change, [coming, leaving]): (&Velocity, [f64; 2])| {
            let coming = coming.max(0.0);
            let all = coming + leaving;
            if all > 0.0 { change.times(coming / all) } else { Velocity::ZERO }
        };
        changes.iter().zip(sums).map(share).collect()
    }

    /// Gives bodies velocities, at once or over the step to come, and returns the energy of that.
    pub(super) fn give(&mut self, velocities: &[Velocity], dt: f64) -> f64 {
        self.borne = vec![Velocity::ZERO; velocities.len()];
        let mut energy = 0.0;
        for (number, velocity) in velocities.iter().enumerate() {
            if *velocity != Velocity::ZERO && self.is_borne(number) {
                self.borne[number] = velocity.times(dt.recip());
                energy += self.energy_of(number, velocity, dt);
            } else {
                energy += self.nudge(number, velocity, f64::INFINITY).energy;
            }
        }
        energy
    }

    /// The energy that a body gains by a change of velocity over a step in which forces act on it.
    fn energy_of(&self, number: usize, change: &Velocity, dt: f64) -> f64 {
        let fall = Velocity { linear: self.options.gravity * dt, ..Velocity::ZERO };
        let end = self.bodies[number].velocity().plus(&fall);
        self.energy_at(number, &end.plus(change)) - self.energy_at(number, &end)
    }

    /// Gives bodies what they are still to get of these changes; how that ends.
    pub(super) fn finish(&mut self, tried: &Tried, changes: &[Velocity], dt: f64) -> Balance {
        let gains = self.gains(&tried.sheets);
        let lost = self.changes(&tried.moved.pushes);
        let gained: f64 = gains.iter().sum();
        let motions = tried.sheets.iter().map(|sheet| sheet.energy(self.options.gravity)[0]);
        let of_gainers = motions.clone().zip(&gains).filter(|(_, gain)| **gain > 0.0);
        let mut balance = Balance {
            excess: gained + tried.given_energy - tried.moved.worked,
            of_gainers: of_gainers.map(|(motion, _)| motion).sum(),
            motion: motions.sum(),
            carried: self.carried(tried),
            ..Balance::default()
        };
        for (number, (change, given)) in changes.iter().zip(&tried.given).enumerate() {
            if *change == Velocity::ZERO && *given == Velocity::ZERO {
                balance.missing.extend(self.missing(number, &lost[number]));
                continue;
            }
            let rest = change.minus(given);
            let before = *given;
            let [given, rest_energy] = [given, &rest].map(|of| self.energy_at(number, of));
            balance.given += given;
            balance.rest += rest_energy;
            let fall = Velocity { linear: self.options.gravity * dt, ..Velocity::ZERO };
            balance.motion +=
                self.bodies[number].kinetic_energy() + 2.0 * self.energy_at(number, &fall) + given;
            // What was too much comes back as far as there is energy; what is missing slows a body,
            // and throws it only with what the sheets have lost.
            let is_back = self.energy_at(number, change) < given;
            let room = if is_back { -balance.excess } else { -gained };
            let gain = self.nudge(number, &rest, room.max(0.0));
            balance.is_capped |= gain.missing > 0.0;
            balance.excess += gain.energy;
            let got = before.plus(&rest.times(1.0 - gain.missing));
            balance.missing.extend(self.missing(number, &lost[number].minus(&got)));
        }
        balance
    }

    /// What bodies that moved as foreseen lose by sinking a thickness.
    fn carried(&self, tried: &Tried) -> f64 {
        let thinnest = tried.sheets.iter().map(Sheet::thickness).fold(f64::INFINITY, f64::min);
        let foreseen = self.bodies.iter().zip(&tried.is_foreseen).filter(|(_, is)| **is);
        let masses = foreseen.filter_map(|(body, _)| body.mass_properties()).map(|one| one.mass());
        masses.sum::<f64>() * self.options.gravity.length() * thinnest
    }

    /// Takes over the sheets of a step, without the energy that came from nowhere.
    pub(super) fn settle_sheets(&mut self, tried: Tried, balance: &Balance) -> Report {
        let mut tried = tried;
        let excess = balance.excess + self.make_up(&mut tried, &balance.missing);
        let gains = self.gains(&tried.sheets);
        std::mem::swap(&mut self.sheets, &mut tried.sheets);
        self.take_back(&tried, &gains, excess);
        let mut report = tried.report;
        report.contacts += tried.moved.contacts;
        report.sheet_record.extend(tried.moved.record);
        if !self.is_recording {
            report.record.clear();
        }
        report
    }

    /// The energy that each sheet has gained.
    fn gains(&self, sheets: &[Sheet]) -> Vec<f64> {
        let energy = |sheet: &Sheet| sheet.energy(self.options.gravity).iter().sum::<f64>();
        self.sheets.iter().zip(sheets).map(|(old, new)| energy(new) - energy(old)).collect()
    }

    /// The kinetic energy of a body if it had a velocity.
    fn energy_at(&self, number: usize, velocity: &Velocity) -> f64 {
        if !self.bodies[number].is_dynamic() {
            return 0.0;
        }
        let mut body = self.bodies[number].clone();
        body.state.velocity = *velocity;
        body.kinetic_energy()
    }

    /// Changes the velocity of a body as far as it gains no more than this energy, and returns what
    /// it gains; what is too little to wake a sleeping one is lost.
    fn nudge(&mut self, number: usize, change: &Velocity, room: f64) -> Gain {
        let body = &self.bodies[number];
        let before = body.kinetic_energy();
        let square = self.energy_at(number, change);
        if square == 0.0 {
            return Gain::default();
        }
        if body.is_asleep {
            if body.fastest(change) <= self.options.sleep_below {
                return Gain::default();
            }
            self.rouse(number);
        }
        let velocity = self.bodies[number].velocity();
        // Of a share `s` the gain is `s slope + s² square`.
        let slope = self.energy_at(number, &velocity.plus(change)) - before - square;
        let root = (slope * slope + 4.0 * square * room).sqrt();
        let share = ((root - slope) / (2.0 * square)).clamp(0.0, 1.0);
        self.bodies[number].state.velocity = velocity.plus(&change.times(share));
        Gain { energy: self.bodies[number].kinetic_energy() - before, missing: 1.0 - share }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chasles::Collider;
    use chasles::mesh::shapes::{Cuboid, Shape};
    use glam::DVec3;

    use super::*;
    use crate::body::MassProperties;
    use crate::world::{Body, Options};

    #[test]
    fn a_push_that_moves_the_tips_of_a_rod_wakes_it() {
        let rod = Shape::Box(Cuboid { size: [2.0, 0.01, 0.01] }).build().expect("a rod");
        let mass_properties = MassProperties::of_mesh(&rod, 1000.0).expect("a volume");
        let mut world = World::new(Options::default());
        world.add(Body::dynamic(Arc::new(Collider::new(rod)), mass_properties));
        world.bodies[0].is_asleep = true;
        let spin = |speed: f64| Velocity { linear: DVec3::ZERO, angular: DVec3::Z * speed };
        // The tips are a metre away from the centre.
        let limit = world.options.sleep_below;
        world.nudge(0, &spin(0.9 * limit), f64::INFINITY);
        assert!(world.bodies[0].is_asleep && world.bodies[0].velocity() == Velocity::ZERO);
        world.nudge(0, &spin(1.1 * limit), f64::INFINITY);
        assert!(!world.bodies[0].is_asleep && world.bodies[0].velocity() == spin(1.1 * limit));
    }
}
