//! Sheets of springs in a world of bodies.
//!
//! ```text
//! step:  bodies -> their paths -> sheets, part by part -> pushes on bodies, for the next step
//! ```
//!
//! Bodies move first, as if there were no sheets; then the sheets move among the paths of the bodies,
//! certified by `chasles::deform` ([`crate::spring::sheet::Sheet::step`]), and what they push bodies with
//! changes the velocities of these. Sheets see straight paths, so the step is cut into parts in which
//! no point of a body that turns departs from its chord by more than a tenth of the thickness. A later
//! sheet gives way to those before it.
//!
//! **A sheet that is caught** between bodies cannot move out of their way. Then the step is undone and
//! taken in halves; if that does not help either, all bodies wait for it, and the report says so.
//!
//! *Where it fails*: a body that bounces within a step has a path that is longer than the chord between
//! its poses before and after, which is what the sheets see; at its ends nothing crosses. A sheet between
//! a body and the floor does not carry the body's weight: everything waits. Bodies that turn by more than
//! 64 parts allow, which takes some turns in a step, are seen on cruder paths. Sheets do not sleep.

use std::sync::Arc;

use chasles::deform::{Surface, Workspace, closings};
use chasles::{Pose, Screw};
use glam::DVec3;

use super::broad::{Bounds, radius_about};
use super::certify::turn_bound;
use super::{Body, BodyId, Move, Report, Saved, SheetPart, World, WorldError};
use crate::spring::sheet::{Obstacle, Push, Sheet, SheetError, Stepped};

/// How often a step is halved for a sheet that is caught.
const HALVINGS: u32 = 4;

/// Parts of a step at most, for bodies that turn.
const MAX_PARTS: f64 = 64.0;

/// The share of a thickness by which points may depart from their chords.
const SAG: f64 = 0.1;

/// The number of a sheet, in the order in which sheets are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SheetId(pub usize);

/// A body on its way through a step, as sheets see it.
struct Path<'w> {
    body: &'w Body,
    surface: &'w Surface,
    start: Pose,
    screw: Screw,
}

impl Path<'_> {
    fn pose(&self, share: f64) -> Pose {
        self.screw.pose_at(share).after(&self.start)
    }

    /// The vertices after a share of the step.
    fn at(&self, share: f64) -> Vec<DVec3> {
        let pose = self.pose(share);
        self.body.collider().mesh().positions().iter().map(|p| pose.point(*p)).collect()
    }
}

/// What sheets did in a step.
#[derive(Default)]
struct Moved {
    /// Pairs that were kept apart.
    contacts: usize,
    /// With the numbers of bodies.
    pushes: Vec<Push>,
    record: Vec<SheetPart>,
}

impl Moved {
    fn tell(self, report: &mut Report) {
        report.contacts += self.contacts;
        report.sheet_record.extend(self.record);
    }
}

impl World {
    /// Adds a sheet; whether it touches bodies or other sheets is found out by the next step.
    ///
    /// *Accepts* any sheet. *Guarantees* the next number. *Cost* constant. *Fails* never.
    pub fn lay(&mut self, sheet: Sheet) -> SheetId {
        self.sheets.push(sheet);
        self.is_checked = false;
        SheetId(self.sheets.len() - 1)
    }

    /// All sheets, in the order of their numbers.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// Moves bodies and sheets on; nothing, if that fails.
    fn step_all(&mut self, dt: f64, halvings: u32) -> Result<Report, WorldError> {
        let before = self.save();
        self.attempt(&before, dt, halvings).inspect_err(|_| self.go_back(&before))
    }

    /// Moves bodies and sheets on from a moment that is now.
    fn attempt(&mut self, now: &Saved, dt: f64, halvings: u32) -> Result<Report, WorldError> {
        let starts: Vec<Pose> = self.bodies.iter().map(Body::pose).collect();
        let mut report = self.step_bodies(dt)?;
        if let Some(moved) = self.step_sheets(&starts, dt)? {
            moved.tell(&mut report);
            self.is_caught = false;
            return Ok(report);
        }
        self.go_back(now);
        if halvings > 0 {
            let mut report = self.step_all(0.5 * dt, halvings - 1)?;
            report.add(self.step_all(0.5 * dt, halvings - 1)?);
            return Ok(report);
        }
        self.time += dt;
        self.is_caught = true;
        // Bodies that stand still rarely catch a sheet; if they do, or sheets catch each other, these wait
        // as well.
        let waiting = (0..self.bodies.len()).filter(|&i| self.is_awake(i)).map(BodyId).collect();
        let mut report = Report { waiting, ..Report::default() };
        if let Some(moved) = self.step_sheets(&starts, dt)? {
            moved.tell(&mut report);
        }
        Ok(report)
    }

    /// Moves bodies and sheets on, with as many halvings as there may be.
    pub(super) fn step_with_sheets(&mut self, dt: f64) -> Result<Report, WorldError> {
        // What was caught in the last step will hardly come free in a part of this one.
        self.step_all(dt, if self.is_caught { 0 } else { HALVINGS })
    }

    /// Moves the sheets among bodies that have moved from other poses; nothing if one was caught.
    fn step_sheets(&mut self, starts: &[Pose], dt: f64) -> Result<Option<Moved>, WorldError> {
        let mut sheets = self.sheets.clone();
        let Some(moved) = self.among_bodies(&mut sheets, starts, dt)? else {
            return Ok(None);
        };
        let energy = |sheets: &[Sheet]| -> f64 {
            sheets.iter().flat_map(|sheet| sheet.energy(self.options.gravity)).sum()
        };
        let mut lost = (energy(&self.sheets) - energy(&sheets)).max(0.0);
        self.sheets = sheets;
        moved.pushes.iter().for_each(|push| self.push(push, &mut lost));
        Ok(Some(moved))
    }

    /// Gives a body the push of a sheet; what is too little to wake a sleeping one is lost.
    ///
    /// Sheets take bodies to go their way whatever happens, so a sheet that is pinched pushes as hard as
    /// that needs. A body is stopped, or made as fast as the sheet came there; beyond, it gets no more energy
    /// than the sheets have lost and not given away yet. So it is not thrown.
    fn push(&mut self, push: &Push, lost: &mut f64) {
        let &Push { obstacle: body, point, impulse, velocity } = push;
        let inertia = self.bodies[body].inertia();
        let Some(way) = impulse.try_normalize() else { return };
        let speed = self.bodies[body].velocity().at(inertia.centre, point).dot(way);
        let softness = way.dot(inertia.softness(point) * way);
        if softness == 0.0 {
            return;
        }
        let carried = velocity.dot(way).max(0.0).max(speed);
        let fastest = (carried * carried + 2.0 * softness * *lost).sqrt();
        let size = impulse.length().min((fastest - speed) / softness);
        let gained = size * (speed + 0.5 * softness * size);
        *lost = (*lost - gained).max(0.0).min(*lost);
        let impulse = size * way;
        let change = inertia.answer(point, impulse);
        let speed = change.linear.length() + change.angular.length() * self.bodies[body].size();
        if !self.bodies[body].is_asleep {
            let velocity = &mut self.bodies[body].state.velocity;
            *velocity = velocity.plus(&change);
        } else if speed > self.options.sleep_below {
            self.kick(BodyId(body), impulse, point);
        }
    }

    /// Moves sheets; nothing if one is caught.
    fn among_bodies(
        &self,
        sheets: &mut [Sheet],
        starts: &[Pose],
        dt: f64,
    ) -> Result<Option<Moved>, WorldError> {
        let paths: Vec<Option<Path<'_>>> =
            (0..self.bodies.len()).map(|i| self.path(i, &starts[i])).collect();
        let count = self.parts(sheets, starts);
        let mut moved = Moved::default();
        for part in 0..count {
            let share = |part: u32| f64::from(part) / f64::from(count);
            let shares = [share(part), share(part + 1)];
            let mut gone: Vec<[Vec<DVec3>; 2]> = Vec::new();
            for number in 0..sheets.len() {
                let (earlier, sheet) = sheets.split_at_mut(number);
                let sheet = &mut sheet[0];
                let from = sheet.positions().to_vec();
                let scene = Among { world: self, paths: &paths, earlier, gone: &gone };
                let stepped = scene.step(sheet, shares, dt / f64::from(count));
                let stepped = stepped.map_err(|_| WorldError::SheetLost(SheetId(number)))?;
                let Some((stepped, moves)) = stepped else { return Ok(None) };
                moved.contacts += stepped.contacts;
                moved.pushes.extend(stepped.pushes);
                if self.is_recording {
                    let (start, stops) = (from.clone(), stepped.stops);
                    moved.record.push(SheetPart { sheet: SheetId(number), start, stops, moves });
                }
                gone.push([from, sheet.positions().to_vec()]);
            }
        }
        Ok(Some(moved))
    }

    /// The path of a body, if it is one that sheets do not pass through.
    fn path(&self, number: usize, start: &Pose) -> Option<Path<'_>> {
        let body = &self.bodies[number];
        let surface = self.surfaces.get(number)?.as_deref()?;
        let is_there = !body.is_intangible;
        let screw = Screw::between(start, &body.pose());
        is_there.then_some(Path { body, surface, start: *start, screw })
    }

    /// Parts of the step in which bodies turn little.
    fn parts(&self, sheets: &[Sheet], starts: &[Pose]) -> u32 {
        let thinnest = sheets.iter().map(Sheet::thickness).fold(f64::INFINITY, f64::min);
        let parts = |(body, start): (&Body, &Pose)| {
            let turn = turn_bound(start.rotation(), body.pose().rotation());
            let way = start.position().distance(body.pose().position());
            let arm = radius_about(body, DVec3::ZERO) + way;
            (turn * (arm / (8.0 * SAG * thinnest)).sqrt()).ceil()
        };
        self.bodies.iter().zip(starts).map(parts).fold(1.0, f64::max).min(MAX_PARTS) as u32
    }

    /// Makes the surfaces of all bodies for sheets to meet, where there are sheets.
    pub(super) fn make_surfaces(&mut self) -> Result<(), WorldError> {
        if self.sheets.is_empty() {
            return Ok(());
        }
        for number in self.surfaces.len()..self.bodies.len() {
            let mesh = self.bodies[number].collider().mesh();
            let surface = match mesh.vertex_count() {
                0 => None,
                _ => Some(
                    Surface::new(&mesh.to_polygons())
                        .map_err(|_| WorldError::Lost(BodyId(number)))?,
                ),
            };
            self.surfaces.push(surface.map(Arc::new));
        }
        Ok(())
    }

    /// Whether sheets are apart from bodies and from each other.
    pub(super) fn check_sheets(&self) -> Result<(), WorldError> {
        let starts: Vec<Pose> = self.bodies.iter().map(Body::pose).collect();
        let mut memory = Workspace::default();
        for (number, sheet) in self.sheets.iter().enumerate() {
            let lost = |_| WorldError::SheetLost(SheetId(number));
            let rest = sheet.surface().at_rest(sheet.positions()).map_err(lost)?;
            for (other, before) in self.sheets[..number].iter().enumerate() {
                let before = before.surface().at_rest(before.positions()).map_err(lost)?;
                if !closings(&rest, &before, 0.5 * sheet.thickness(), &mut memory).is_empty() {
                    return Err(WorldError::SheetsTouch(SheetId(other), SheetId(number)));
                }
            }
            for (i, start) in starts.iter().enumerate() {
                let Some(path) = self.path(i, start) else { continue };
                let places = path.at(0.0);
                let body =
                    path.surface.at_rest(&places).map_err(|_| WorldError::Lost(BodyId(i)))?;
                if !closings(&rest, &body, 0.5 * sheet.thickness(), &mut memory).is_empty() {
                    return Err(WorldError::SheetTouches(SheetId(number), BodyId(i)));
                }
            }
        }
        Ok(())
    }
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
    /// Moves a sheet between two shares of the step; what happened with pushes on bodies only, and the
    /// bodies nearby, or nothing if it is caught.
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
                let friction = path.body.material().friction();
                Some(Obstacle { surface: path.surface, start, end, friction })
            }));
            let mut stepped = moved.step(dt, gravity, &obstacles)?;
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
        let both = self.earlier.iter().zip(self.gone);
        both.map(|(sheet, [start, end])| {
            let friction = sheet.net().fabric().friction;
            Obstacle { surface: sheet.surface(), start, end, friction }
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

fn bounds(points: &[DVec3]) -> Bounds {
    let none = Bounds { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
    points.iter().fold(none, |all, p| all.join(&Bounds { low: *p, high: *p }))
}
