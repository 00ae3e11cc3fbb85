//! Momentum that sheets have lost to bodies which did not get it, and energy that came from
//! nowhere.
//!
//! A body gets less than the push of a sheet that took it to be infinitely heavy, and less than
//! there is energy for. The difference goes back to the sheet, as a change of its rigid motion: it
//! has been stopped less then, and meets the body again in the next step.
//!
//! Energy is taken from what sheets do besides a rigid motion, then from the motion of sheets and
//! the bodies that they push relative to each other, neither of which has momentum, and only then
//! from all that sheets do.

use glam::DVec3;

use super::World;
use super::sheet_impulses::Tried;
use crate::body::Velocity;

/// The momentum, and the angular momentum about the origin, that a body lacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Missing {
    body: usize,
    momentum: [DVec3; 2],
}

impl World {
    /// What a body lacks if it would need a change of velocity; nothing of one that sleeps, since
    /// what it lies on takes that.
    pub(super) fn missing(&self, number: usize, change: &Velocity) -> Option<Missing> {
        let is_some = *change != Velocity::ZERO && !self.bodies[number].is_asleep;
        is_some.then(|| {
            let mut body = self.bodies[number].clone();
            body.state.velocity = *change;
            Missing { body: number, momentum: body.momentum() }
        })
    }

    /// Gives sheets what bodies lack of their pushes, and returns the energy of that.
    pub(super) fn make_up(&self, tried: &mut Tried, missing: &[Missing]) -> f64 {
        let mut energy = 0.0;
        let missing = if self.is_isolated(tried) { missing } else { &[] };
        for &Missing { body, momentum } in missing {
            // Of several sheets that push a body, the one that does most.
            let mut impulses = vec![0.0; tried.sheets.len()];
            for (push, by) in tried.moved.pushes.iter().zip(&tried.moved.pushers) {
                if push.obstacle == body {
                    impulses[by.0] += push.impulse.length();
                }
            }
            let most = impulses.iter().copied().fold(0.0, f64::max);
            let pusher = impulses.iter().position(|impulse| *impulse == most && most > 0.0);
            if let Some(sheet) = pusher.map(|number| &mut tried.sheets[number]) {
                let [before, ..] = sheet.energy(self.options.gravity);
                sheet.shove(momentum);
                energy += sheet.energy(self.options.gravity)[0] - before;
            }
        }
        energy
    }

    /// Whether sheets push nothing but bodies that give way: others take momentum anyway, and what
    /// they take of a sheet that is pressed against a body was never the body's.
    fn is_isolated(&self, tried: &Tried) -> bool {
        let gives_way = |number: usize| {
            let body = &self.bodies[number];
            body.is_dynamic() && !body.is_asleep
        };
        tried.moved.pushes.iter().all(|push| gives_way(push.obstacle))
    }

    /// Takes energy from sheets that have gained some, in the shares of their motion.
    pub(super) fn take_back(&mut self, tried: &Tried, gains: &[f64], excess: f64) {
        let gravity = self.options.gravity;
        let motions = self.sheets.iter().zip(gains);
        let motions =
            motions.map(|(sheet, gain)| if *gain > 0.0 { sheet.energy(gravity)[0] } else { 0.0 });
        let motions: Vec<f64> = motions.collect();
        let all: f64 = motions.iter().sum();
        if excess <= 0.0 || all <= 0.0 {
            return;
        }
        for (number, motion) in motions.iter().enumerate().filter(|(_, motion)| **motion > 0.0) {
            let mut left = self.sheets[number].settle(excess * motion / all);
            let pushes = tried.moved.pushes.iter().zip(&tried.moved.pushers);
            let mut pushed: Vec<usize> =
                pushes.filter(|(_, by)| by.0 == number).map(|(push, _)| push.obstacle).collect();
            pushed.sort_unstable();
            pushed.dedup();
            for body in pushed {
                left = self.drag_along([number, body], left);
            }
            self.sheets[number].slow(left);
        }
    }

    /// Takes energy from the motion of a sheet and a body relative to each other; what is still to
    /// be taken.
    fn drag_along(&mut self, [sheet, body]: [usize; 2], energy: f64) -> f64 {
        let (sheet, body) = (&mut self.sheets[sheet], &mut self.bodies[body]);
        let Some(mass) = sheet.free_mass() else { return energy };
        let inertia = body.inertia();
        if !inertia.is_dynamic() || body.is_asleep || energy <= 0.0 {
            return energy;
        }
        // Along locked directions the body is infinitely heavy.
        let reduced = (DVec3::splat(1.0 / mass) + inertia.inv_mass).recip();
        let apart = sheet.mean_velocity() - body.state.velocity.linear;
        let motion = 0.5 * apart.dot(reduced * apart);
        let kept = (1.0 - energy / motion.max(f64::MIN_POSITIVE)).max(0.0).sqrt();
        let impulse = (1.0 - kept) * reduced * apart;
        sheet.throw(-impulse / mass);
        body.state.velocity.linear += inertia.inv_mass * impulse;
        (energy - motion).max(0.0)
    }
}
