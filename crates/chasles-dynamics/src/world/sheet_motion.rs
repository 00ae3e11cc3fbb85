//! Sheets on their way among bodies whose own way is known.

use chasles::Pose;
use chasles::numeric::vector_of;
use glam::DVec3;

use super::broad::Bounds;
use super::obstacle_motion::Path;
use super::{BodyId, Move, SheetId, SheetPart, World, WorldError};
use crate::body::Velocity;
use crate::spring::net::Fabric;
use crate::spring::sheet::{Obstacle, Push, Sheet, SheetError, Stepped};

/// What sheets did in a step.
#[derive(Default)]
pub(super) struct Moved {
    /// Pairs that were kept apart.
    pub(super) contacts: usize,
    /// With the numbers of bodies.
    pub(super) pushes: Vec<Push>,
    /// The sheets that these are of.
    pub(super) pushers: Vec<SheetId>,
    /// What bodies that nothing moves off their way have worked on the sheets, in joules.
    pub(super) worked: f64,
    pub(super) record: Vec<SheetPart>,
}

/// Moves sheets between the moments of a step; the number of one that is caught, if any is.
pub(super) fn among(
    world: &World,
    sheets: &mut [Sheet],
    (paths, moments): (&[Option<Path<'_>>], &[f64]),
    [begin, dt]: [f64; 2],
) -> Result<Result<Moved, SheetId>, WorldError> {
    let mut moved = Moved::default();
    for ends in moments.windows(2) {
        let shares = [ends[0], ends[1]];
        let seconds = (shares[1] - shares[0]) * dt;
        let mut gone: Vec<[Vec<DVec3>; 2]> = Vec::new();
        moved.contacts = 0;
        for number in 0..sheets.len() {
            let (earlier, sheet) = sheets.split_at_mut(number);
            let sheet = &mut sheet[0];
            let from = sheet.positions().to_vec();
            let scene = Among { world, paths, earlier, gone: &gone };
            let stepped = scene.step(sheet, shares, seconds);
            let stepped = stepped.map_err(|_| WorldError::SheetLost(SheetId(number)))?;
            let Some((stepped, moves)) = stepped else { return Ok(Err(SheetId(number))) };
            moved.contacts += stepped.contacts;
            moved.worked += work(world, &stepped.pushes, &moves, seconds);
            moved.pushers.resize(moved.pushers.len() + stepped.pushes.len(), SheetId(number));
            moved.pushes.extend(stepped.pushes);
            if world.is_recording {
                let times = shares.map(|share| begin + share * dt);
                let (start, stops) = (from.clone(), stepped.stops);
                moved.record.push(SheetPart { sheet: SheetId(number), times, start, stops, moves });
            }
            gone.push([from, sheet.positions().to_vec()]);
        }
    }
    Ok(Ok(moved))
}

/// What bodies that forces do not move have worked on what pushed them.
fn work(world: &World, pushes: &[Push], moves: &[Move], seconds: f64) -> f64 {
    let of = |push: &Push| {
        let is_led = !world.bodies[push.obstacle].is_dynamic();
        let way = moves.iter().find(|way| way.body.0 == push.obstacle && is_led);
        way.map_or(0.0, |way| {
            let velocity = between(&way.poses[0], &way.poses[1], seconds);
            -push.impulse.dot(velocity.at(way.poses[0].position(), push.point))
        })
    };
    pushes.iter().map(of).sum()
}

/// What a sheet moves among.
struct Among<'w> {
    world: &'w World,
    paths: &'w [Option<Path<'w>>],
    earlier: &'w [Sheet],
    /// Where the earlier sheets were and are.
    gone: &'w [[Vec<DVec3>; 2]],
}

impl Among<'_> {
    /// Moves a sheet between two shares of the step; what happened with pushes on bodies only, and
    /// the bodies nearby, or nothing if it is caught.
    fn step(
        &self,
        sheet: &mut Sheet,
        shares: [f64; 2],
        dt: f64,
    ) -> Result<Option<(Stepped, Vec<Move>)>, SheetError> {
        let gravity = self.world.options.gravity;
        let fastest = sheet.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
        let mut room = 2.0 * (fastest + gravity.length() * dt) * dt + 2.0 * sheet.thickness();
        loop {
            let around = bounds(sheet.positions()).grown(room);
            let mut moved = sheet.clone();
            let (numbers, ways) = self.near(&around, shares);
            let mut obstacles: Vec<Obstacle<'_>> = self.others();
            obstacles.extend(numbers.iter().zip(&ways).filter_map(|(&number, [start, end])| {
                let path = self.paths[number].as_ref()?;
                let material = path.body.material();
                let [friction, restitution] = [material.friction(), material.restitution()];
                let name = self.world.sheets.len() + number;
                Some(Obstacle { surface: path.surface, start, end, friction, restitution, name })
            }));
            let mut stepped = match self.world.options.springs {
                Some(springs) => moved.step_on_springs(dt, gravity, &obstacles, springs.period)?,
                None => moved.step(dt, gravity, &obstacles)?,
            };
            if stepped.fraction < 1.0 {
                return Ok(None);
            }
            if !around.contains(&bounds(moved.positions()).grown(moved.thickness())) {
                room *= 4.0;
                continue;
            }
            *sheet = moved;
            let of_body = |push: Push| {
                let number = push.obstacle.checked_sub(self.gone.len())?;
                Some(Push { obstacle: numbers[number], ..push })
            };
            stepped.pushes = stepped.pushes.into_iter().filter_map(of_body).collect();
            let moves = numbers.iter().filter_map(|&number| self.movement(number, shares));
            return Ok(Some((stepped, moves.collect())));
        }
    }

    /// A body at two shares of the step.
    fn movement(&self, number: usize, shares: [f64; 2]) -> Option<Move> {
        let path = self.paths[number].as_ref()?;
        Some(Move { body: BodyId(number), poses: shares.map(|share| path.pose(share)) })
    }

    /// The earlier sheets as obstacles.
    fn others(&self) -> Vec<Obstacle<'_>> {
        let both = self.earlier.iter().zip(self.gone).enumerate();
        both.map(|(name, (sheet, [start, end]))| {
            let Fabric { friction, restitution, .. } = *sheet.net().fabric();
            Obstacle { surface: sheet.surface(), start, end, friction, restitution, name }
        })
        .collect()
    }

    /// Bodies that come into a box, with their vertices at two shares of the step.
    fn near(&self, around: &Bounds, shares: [f64; 2]) -> (Vec<usize>, Vec<[Vec<DVec3>; 2]>) {
        let mut found = (Vec::new(), Vec::new());
        for (number, path) in self.paths.iter().enumerate() {
            let Some(path) = path else { continue };
            let poses = shares.map(|share| path.pose(share));
            let [from, to] = poses.map(|pose| Bounds::of(path.body, &pose));
            if from.join(&to).overlaps(around) {
                found.0.push(number);
                found.1.push(shares.map(|share| path.at(share)));
            }
        }
        found
    }
}

/// The box around points.
pub(super) fn bounds(points: &[DVec3]) -> Bounds {
    let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
    points.iter().fold(none, |all, p| all.join(&Bounds { low: *p, high: *p }))
}

/// The velocity that carries a body from one pose to another, about the origin of its frame.
fn between(from: &Pose, to: &Pose, h: f64) -> Velocity {
    let mut turn = to.rotation() * from.rotation().conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    Velocity { linear: (to.position() - from.position()) / h, angular: vector_of(turn) / h }
}
