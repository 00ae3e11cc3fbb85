//! What a sheet does to bodies that it carries, before these move.
//!
//! A body that lies on a sheet would fall in the step to come; a sheet that sees it do so is
//! crushed, or thrown. So the equations of the sheet are solved once with the bodies that give way
//! among their unknowns ([`Rider`]): vertices, springs, bodies and contacts together. The bodies
//! then move with the impulses of that, and the sheet moves among them, its contacts beginning with
//! the same loads ([`Seed`]). Where nothing else came between, both agree. This is a forecast only:
//! what moves is proven as always.

use chasles::deform::Closing;
use glam::DVec3;

use super::implicit::Rider;
use super::sheet::{Obstacle, Sheet, SheetError, ways};
use super::substep::{Leg, joined};
use super::vertex_impulses::{Hold, Kept, resist};
use crate::body::Velocity;

/// Times that pairs which come near in the motion so far join those that are kept apart: a body on
/// a cloth on a floor takes three.
const ROUNDS: usize = 6;

/// Pairs within this many thicknesses are looked at from the start.
const REACH: f64 = 1.5;

/// A contact that is thought to press.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seed {
    pub(super) closing: Closing,
    /// The name of the obstacle, if there is one.
    pub(super) obstacle: Option<usize>,
    /// Along the normal, in newtons.
    pub(super) force: f64,
}

impl Sheet {
    /// The changes of velocity that obstacles get from the sheet in some seconds, as far as they
    /// give way; the ends of the obstacles are those without the sheet. Contacts keep their loads
    /// for the step to come.
    pub(crate) fn foresee(
        &mut self,
        seconds: f64,
        gravity: DVec3,
        obstacles: &[Obstacle<'_>],
        riders: &[Option<Rider>],
    ) -> Result<Vec<Velocity>, SheetError> {
        self.check(seconds, obstacles)?;
        let (pairs, motion) = self.ridden(seconds, gravity, obstacles, riders)?;
        let seed = |pair: &Kept| Seed {
            closing: *pair.closing(),
            obstacle: pair.obstacle.map(|(number, _)| obstacles[number].name),
            force: pair.load / seconds,
        };
        self.seeds = pairs.iter().filter(|pair| pair.load > 0.0).map(seed).collect();
        Ok(changes(riders, &motion[self.positions().len()..]))
    }

    /// Forgets contacts that carried bodies.
    pub(crate) fn unload(&mut self) {
        self.seeds.clear();
    }

    /// The pairs that are kept apart, and the velocities of all vertices and riders.
    fn ridden(
        &self,
        seconds: f64,
        gravity: DVec3,
        obstacles: &[Obstacle<'_>],
        riders: &[Option<Rider>],
    ) -> Result<(Vec<Kept>, Vec<DVec3>), SheetError> {
        let instant = self.instant();
        let step = instant.linearised(gravity, seconds).carrying(riders.iter().flatten());
        let count = self.positions().len();
        let mut motion = self.velocities().to_vec();
        // What rests is found where it is, as if all went on.
        motion.extend(riders.iter().flatten().flat_map(|rider| {
            let Velocity { linear, angular } = rider.before.minus(&rider.velocity);
            [linear, angular]
        }));
        let mut reach = REACH * self.thickness();
        let hold = Hold { thickness: self.thickness(), seconds, slack: Some(step.slack()) };
        let mut pairs: Vec<Kept> = Vec::new();
        for round in 0..ROUNDS {
            let given = changes(riders, &motion[count..]);
            let mut ways = ways(obstacles, [0.0, 1.0]);
            for ((rider, ends), given) in riders.iter().zip(&mut ways[1]).zip(given) {
                let Some(Rider { inertia, .. }) = rider else { continue };
                ends.iter_mut().for_each(|p| *p += seconds * given.at(inertia.centre, *p));
            }
            let mut leg = Leg::new(self, (self.positions(), 0.0), obstacles, &ways);
            let goal: Vec<DVec3> =
                self.positions().iter().zip(&motion).map(|(p, v)| *p + seconds * *v).collect();
            let mut found = leg.near(&goal, std::mem::replace(&mut reach, self.thickness()))?;
            found.iter_mut().for_each(|pair| self.begin(pair, (obstacles, riders), seconds));
            if !joined(&mut pairs, found) && round > 0 {
                break;
            }
            resist(&mut pairs, &step, &mut motion, &hold);
        }
        Ok((pairs, motion))
    }

    /// Lets a pair begin with what it bore in the last step, and act on its rider.
    fn begin(
        &self,
        pair: &mut Kept,
        (obstacles, riders): (&[Obstacle<'_>], &[Option<Rider>]),
        seconds: f64,
    ) {
        let name = pair.obstacle.map(|(number, _)| obstacles[number].name);
        let key = |closing: &Closing| (closing.kind, closing.surfaces, closing.vertices);
        let is_same =
            |seed: &&Seed| seed.obstacle == name && key(&seed.closing) == key(pair.closing());
        pair.load = self.seeds.iter().find(is_same).map_or(0.0, |seed| seed.force * seconds);
        if let Some((number, _)) = pair.obstacle
            && let Some(rider) = &riders[number]
        {
            let earlier = riders[..number].iter().flatten().count();
            pair.sit(rider, self.positions().len() + 2 * earlier, seconds);
        }
    }
}

/// The changes of velocity of obstacles; none of those that do not give way.
fn changes(riders: &[Option<Rider>], found: &[DVec3]) -> Vec<Velocity> {
    let mut found = found.chunks_exact(2);
    let change = |rider: &Option<Rider>| match rider.as_ref().and_then(|_| found.next()) {
        Some(&[linear, angular]) => Velocity { linear, angular },
        _ => Velocity::ZERO,
    };
    riders.iter().map(change).collect()
}
