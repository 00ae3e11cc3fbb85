//! Sheets of springs in a world of bodies.
//!
//! ```text
//! step:  bodies -> their paths -> sheets, part by part -> pushes on bodies
//!          ^                                                   |too much for a body that gives way
//!          +------- again, with bodies that have got them -----+
//! ```
//!
//! Bodies move first, as if there were no sheets; then the sheets move among the paths of the
//! bodies ([`super::obstacle_motion`]), certified by `chasles::deform`
//! ([`crate::spring::sheet::Sheet::step`]), and what they push bodies with changes the velocities
//! of these ([`super::sheet_impulses`]). A later sheet gives way to those before it. Bodies that
//! sheets carry, and that are stepped in windows, move with what the sheets will do to them
//! ([`super::sheet_support`]).
//!
//! **A step is halved** where a body near a sheet goes farther than it is large, its tips included,
//! and where sheets gain energy that no body has lost, up to 256 parts of it; and up to 16 parts
//! where a sheet is caught between bodies and cannot move out of their way. If that does not help a
//! sheet that is caught, the bodies near it wait for it, with their islands, and the report says
//! so; if that does not help either, all sheets wait, and the bodies near them.
//!
//! *Where it fails*: by events, or on springs, a sheet between a body and the floor does not carry
//! the body's weight: both wait. So does a body on joints or with locked directions, and one that a
//! route presses on. Bodies that bounce or turn by more than 64 parts of a step allow are seen on
//! cruder paths. Sheets give speed back only on springs ([`super::Options::springs`]), and do not
//! sleep.

use std::sync::Arc;

use chasles::deform::{Surface, Workspace, closings};
use chasles::near::{self, intersect};
use chasles::{Collider, Polyhedron, Pose};
use glam::DVec3;

use super::broad::{Bounds, radius_about};
use super::obstacle_motion::{BOW, Path, follow, moments};
use super::sheet_impulses::Tried;
use super::sheet_motion::{among, bounds};
use super::sheet_support::Carried;
use super::{Body, BodyId, JointId, Lost, LostSheet, Part, Report, Saved, World, WorldError};
use crate::body::Velocity;
use crate::spring::sheet::Sheet;

/// How often a step is halved at most, for bodies that are fast or light beside sheets.
const HALVINGS: u32 = 8;

/// How often it is halved for other reasons.
const FEW: u32 = 4;

/// The number of a sheet, in the order in which sheets are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SheetId(pub usize);

impl World {
    /// Adds a sheet; whether it touches bodies or other sheets is found out by the next step.
    ///
    /// *Accepts* any sheet. *Guarantees* the next number. *Cost* constant. *Fails* never.
    pub fn add_sheet(&mut self, sheet: Sheet) -> SheetId {
        self.sheets.push(sheet);
        self.is_checked = false;
        SheetId(self.sheets.len() - 1)
    }

    /// The older name of [`World::add_sheet`].
    #[deprecated(note = "it is `add_sheet`")]
    pub fn lay(&mut self, sheet: Sheet) -> SheetId {
        self.add_sheet(sheet)
    }

    /// All sheets, in the order of their numbers.
    pub fn sheets(&self) -> &[Sheet] {
        &self.sheets
    }

    /// Moves bodies and sheets on, with as many halvings as there may be.
    pub(super) fn step_with_sheets(&mut self, dt: f64) -> Result<Report, WorldError> {
        // What was caught in the last step will hardly come free in a part of this one.
        self.step_all(dt, if self.is_caught { 0 } else { HALVINGS })
    }

    /// Moves bodies and sheets on; nothing, if that fails.
    fn step_all(&mut self, dt: f64, halvings: u32) -> Result<Report, WorldError> {
        let before = self.save();
        self.attempt(&before, dt, halvings).inspect_err(|_| self.go_back(&before))
    }

    /// The same in two halves.
    fn step_halves(&mut self, dt: f64, halvings: u32) -> Result<Report, WorldError> {
        let mut report = self.step_all(0.5 * dt, halvings - 1)?;
        // Those of the last part count.
        report.contacts = 0;
        report.add(self.step_all(0.5 * dt, halvings - 1)?);
        Ok(report)
    }

    /// Moves bodies and sheets on from a moment that is now.
    fn attempt(&mut self, now: &Saved, dt: f64, halvings: u32) -> Result<Report, WorldError> {
        if halvings > 0 && self.is_hurried(dt) {
            return self.step_halves(dt, halvings);
        }
        let first = match self.tried_foreseen(now, dt)? {
            Ok(first) => first,
            Err(sheet) => return self.step_caught(now, sheet, (dt, halvings)),
        };
        let after = self.save();
        let balance = self.finish(&first, &self.felt(&first), dt);
        if balance.is_alone() || balance.is_mild() && (!balance.is_capped || balance.is_foreseen())
        {
            return Ok(self.settle_sheets(first, &balance));
        }
        self.go_back(&after);
        self.attempt_shared([now, &after], first, (dt, halvings))
    }

    /// The same where bodies give way to sheets: from a moment, and from the one after a step in
    /// which they did not, which is now.
    fn attempt_shared(
        &mut self,
        [before, after]: [&Saved; 2],
        first: Tried,
        (dt, halvings): (f64, u32),
    ) -> Result<Report, WorldError> {
        let shared = self.shared(&first.moved.pushes);
        let balance = self.finish(&first, &shared, dt);
        self.go_back(before);
        let mut is_mild = true;
        if let Ok(second) = self.tried(&shared, dt)? {
            let end = self.finish(&second, &self.changes(&second.moved.pushes), dt);
            is_mild = end.is_mild();
            let is_best = halvings == 0 && !balance.is_mild() && end.excess < balance.excess;
            // Springs push whatever a body does, and most of all as they part: what cannot be
            // foreseen in short steps is right all the same.
            let is_on_springs = self.options.springs.is_some() && halvings <= HALVINGS - FEW;
            if is_mild && (end.is_foreseen() || is_on_springs) || is_best {
                return Ok(self.settle_sheets(second, &end));
            }
        }
        let is_halved = if is_mild { halvings > HALVINGS - FEW } else { halvings > 0 };
        if is_halved {
            self.go_back(before);
            return self.step_halves(dt, halvings);
        }
        self.go_back(after);
        let balance = self.finish(&first, &shared, dt);
        Ok(self.settle_sheets(first, &balance))
    }

    /// Whether a point of a body that comes near a sheet may go farther, as the sheet sees it, than
    /// the body is large.
    fn is_hurried(&self, dt: f64) -> bool {
        self.sheets.iter().any(|sheet| {
            let mean = sheet.velocities().iter().sum::<DVec3>() / sheet.velocities().len() as f64;
            let around = bounds(sheet.positions());
            let is_fast = |i: usize| {
                let body = &self.bodies[i];
                let seen = Velocity { linear: mean, angular: DVec3::ZERO };
                let way = dt * body.fastest(&body.velocity().minus(&seen));
                way > body.size()
                    && !body.is_intangible
                    && self.is_awake(i)
                    && Bounds::of(body, &body.pose()).grown(way).overlaps(&around)
            };
            (0..self.bodies.len()).any(is_fast)
        })
    }

    /// Moves bodies that first get velocities, and then sheets among them; the number of a sheet
    /// that is caught, if one is.
    fn tried(&mut self, given: &[Velocity], dt: f64) -> Result<Result<Tried, SheetId>, WorldError> {
        self.is_caught = false;
        let (starts, begin) = (self.poses(), self.time);
        let given_energy = self.give(given, dt);
        let report = self.step_recorded(dt);
        self.borne.clear();
        let (report, given) = (report?, given.to_vec());
        let (sheets, moved) = (self.sheets.clone(), Default::default());
        let is_foreseen = vec![false; given.len()];
        let tried = Tried { report, sheets, moved, given, given_energy, is_foreseen };
        self.with_sheets(tried, &starts, [begin, dt])
    }

    /// Moves bodies with what sheets will do to them, from a moment that is now, and then sheets
    /// among them, likewise.
    fn tried_foreseen(
        &mut self,
        now: &Saved,
        dt: f64,
    ) -> Result<Result<Tried, SheetId>, WorldError> {
        self.is_caught = false;
        let (starts, begin) = (self.poses(), self.time);
        let Carried { report, given, energy, is_foreseen } = self.step_carried(now, dt)?;
        let (sheets, moved) = (self.sheets.clone(), Default::default());
        let tried = Tried { report, sheets, moved, given, given_energy: energy, is_foreseen };
        self.with_sheets(tried, &starts, [begin, dt])
    }

    fn poses(&self) -> Vec<Pose> {
        self.bodies.iter().map(Body::pose).collect()
    }

    /// Moves bodies, and tells in which parts.
    pub(super) fn step_recorded(&mut self, dt: f64) -> Result<Report, WorldError> {
        let is_recording = std::mem::replace(&mut self.is_recording, true);
        let report = self.step_bodies(dt);
        self.is_recording = is_recording;
        report
    }

    /// Moves the sheets of a step among bodies that have moved from other poses.
    fn with_sheets(
        &self,
        mut tried: Tried,
        starts: &[Pose],
        times: [f64; 2],
    ) -> Result<Result<Tried, SheetId>, WorldError> {
        let mut paths: Vec<Option<Path<'_>>> =
            (0..self.bodies.len()).map(|i| self.path(i, &starts[i])).collect();
        follow(&mut paths, &tried.report.record, times);
        let [_, dt] = times;
        let wide = |sheet: &Sheet| {
            let Bounds { low, high } = bounds(sheet.positions());
            let fastest = sheet.velocities().iter().map(|v| v.length()).fold(0.0, f64::max);
            Bounds { low, high }.grown(low.distance(high) + fastest * dt)
        };
        let around: Vec<Bounds> = self.sheets.iter().map(wide).collect();
        let is_near = |path: &&Path<'_>| {
            let way = path.bounds();
            around.iter().any(|around| around.overlaps(&way))
        };
        let near: Vec<&Path<'_>> = paths.iter().flatten().filter(is_near).collect();
        let thinnest = self.sheets.iter().map(Sheet::thickness).fold(f64::INFINITY, f64::min);
        let moments = moments(&near, thinnest);
        let moved = among(self, &mut tried.sheets, (&paths, &moments), times)?;
        Ok(moved.map(|moved| Tried { moved, ..tried }))
    }

    /// The path of a body that stands, if it is one that sheets do not pass through.
    fn path(&self, number: usize, start: &Pose) -> Option<Path<'_>> {
        let body = &self.bodies[number];
        let surface = self.surfaces.get(number)?.as_deref()?;
        (!body.is_intangible).then(|| Path::new(body, surface, *start))
    }

    /// A step in which a sheet is caught: in halves, or with bodies that wait.
    fn step_caught(
        &mut self,
        now: &Saved,
        sheet: SheetId,
        (dt, halvings): (f64, u32),
    ) -> Result<Report, WorldError> {
        self.go_back(now);
        if halvings > HALVINGS - FEW {
            return self.step_halves(dt, halvings);
        }
        let (starts, begin) = (self.poses(), self.time);
        let mut report = self.step_without(now, dt, &[sheet.0])?;
        let given = vec![Velocity::ZERO; self.bodies.len()];
        let sheets = self.sheets.clone();
        let moved = Default::default();
        let is_foreseen = vec![false; given.len()];
        let tried = Tried { report, sheets, moved, given, given_energy: 0.0, is_foreseen };
        if let Ok(tried) = self.with_sheets(tried, &starts, [begin, dt])? {
            let balance = self.finish(&tried, &self.shared(&tried.moved.pushes), dt);
            return Ok(self.settle_sheets(tried, &balance));
        }
        // Bodies that stand still rarely catch a sheet; if they do, or sheets catch each other, all
        // sheets wait as well.
        self.go_back(now);
        let all: Vec<usize> = (0..self.sheets.len()).collect();
        report = self.step_without(now, dt, &all)?;
        let lost = |&number: &usize| LostSheet { sheet: SheetId(number), seconds: dt };
        report.lost_sheets.extend(all.iter().map(lost));
        if !self.is_recording {
            report.record.clear();
        }
        Ok(report)
    }

    /// A step of bodies in which those near some sheets wait.
    fn step_without(
        &mut self,
        now: &Saved,
        dt: f64,
        sheets: &[usize],
    ) -> Result<Report, WorldError> {
        let mut report = self.step_recorded(dt)?;
        self.is_caught = true;
        let waits = self.held_by(sheets, &report.record);
        self.go_back_for(now, &waits);
        report.record.retain(|part| !part.moves.iter().any(|way| waits[way.body.0]));
        report.impacts.retain(|impact| !impact.bodies.iter().any(|id| waits[id.0]));
        report.waiting.retain(|id| !waits[id.0]);
        report.lost.retain(|lost| !waits[lost.body.0]);
        report.events.retain(|event| !event.bodies.iter().any(|id| waits[id.0]));
        report.sensed.retain(|sensed| !waits[sensed.sensor.0] && !waits[sensed.body.0]);
        let waits_on = |id: JointId| {
            let joint = self.joint_place(id).map(|place| self.joints[place].bodies());
            joint.is_some_and(|bodies| bodies.iter().any(|&i| waits[i]))
        };
        report.joint_forces.retain(|bore| !waits_on(bore.joint));
        let waiting = (0..waits.len()).filter(|&i| waits[i] && self.is_awake(i)).map(BodyId);
        for body in waiting {
            report.waiting.push(body);
            report.lost.push(Lost { body, seconds: dt });
        }
        Ok(report)
    }

    /// Whether a body moves, or does so when it is woken.
    fn may_move(&self, number: usize) -> bool {
        self.is_awake(number) || self.bodies[number].is_dynamic()
    }

    /// Bodies that come near some sheets in a step, and those of their islands.
    fn held_by(&self, sheets: &[usize], record: &[Part]) -> Vec<bool> {
        let around = |&number: &usize| {
            let sheet = &self.sheets[number];
            bounds(sheet.positions()).grown(2.0 * sheet.thickness())
        };
        let around: Vec<Bounds> = sheets.iter().map(around).collect();
        let is_near = |way: Bounds| around.iter().any(|sheet| sheet.overlaps(&way));
        let mut held = vec![false; self.bodies.len()];
        for (i, body) in self.bodies.iter().enumerate() {
            held[i] = self.may_move(i) && is_near(Bounds::of(body, &body.pose()));
        }
        let ways = record.iter().flat_map(|part| &part.moves);
        for way in ways.filter(|way| self.may_move(way.body.0)) {
            let body = &self.bodies[way.body.0];
            let [from, to] = way.poses.map(|pose| Bounds::of(body, &pose));
            let bow = BOW * radius_about(body, DVec3::ZERO);
            held[way.body.0] |= is_near(from.join(&to).grown(bow));
        }
        // All parts of an island have the same bodies.
        for part in record {
            if part.moves.iter().any(|way| held[way.body.0]) {
                let members = part.moves.iter().map(|way| way.body.0).filter(|&i| self.may_move(i));
                members.for_each(|i| held[i] = true);
            }
        }
        held
    }

    /// Makes the surfaces of all bodies for sheets to meet, where there are sheets.
    pub(super) fn make_surfaces(&mut self) -> Result<(), WorldError> {
        if self.sheets.is_empty() {
            return Ok(());
        }
        for number in self.surfaces.len()..self.bodies.len() {
            let shape = self.bodies[number].shape();
            if shape.is_round() {
                return Err(WorldError::SheetBesideRound(BodyId(number)));
            }
            let mesh = shape.drawn().mesh();
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
        let starts = self.poses();
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
                if is_inside(sheet, path.body) {
                    return Err(WorldError::SheetInside(SheetId(number), BodyId(i)));
                }
            }
        }
        Ok(())
    }
}

/// Whether a sheet that touches no body is in one.
fn is_inside(sheet: &Sheet, body: &Body) -> bool {
    let around = bounds(sheet.positions());
    if !Bounds::of(body, &body.pose()).contains(&around) {
        return false;
    }
    let mut polygons = sheet.net().mesh().clone();
    polygons.vertices.copy_from_slice(sheet.positions());
    Polyhedron::new(&polygons).is_ok_and(|mesh| {
        let poses = [Pose::IDENTITY, body.pose()];
        intersect(&Collider::new(mesh), body.collider(), poses, &mut near::Workspace::new())
    })
}

#[cfg(test)]
mod tests {
    use chasles::mesh::shapes::{Cuboid, Shape};

    use super::*;
    use crate::body::MassProperties;
    use crate::spring::net::{Fabric, Net};
    use crate::world::Options;

    #[test]
    fn a_rod_whose_tips_swing_past_a_sheet_hurries() {
        let net = Net::grid(DVec3::Z, [DVec3::X, DVec3::Y], [4; 2], &Fabric::default());
        let sheet = Sheet::new(net.expect("a net")).expect("a sheet");
        let rod = Shape::Box(Cuboid { size: [2.0, 0.1, 0.1] }).build().expect("a rod");
        let mass_properties = MassProperties::of_mesh(&rod, 1000.0).expect("a volume");
        let rod = Arc::new(Collider::new(rod));
        let hurries = |spin: f64| {
            let mut world = World::new(Options::default());
            world.add_sheet(sheet.clone());
            let body = Body::dynamic(Arc::clone(&rod), mass_properties)
                .at(Pose::from_position([0.5, 0.5, 0.9]).expect("finite"));
            world.add(body.moving(DVec3::ZERO, DVec3::Z * spin));
            world.is_hurried(1.0 / 60.0)
        };
        // The tips are a metre away from the centre, and go by this much a step.
        assert!(hurries(60.0 * 0.11) && !hurries(60.0 * 0.08));
    }
}
