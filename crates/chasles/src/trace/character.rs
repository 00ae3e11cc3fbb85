//! How a character moves: along walls, up steps, over slopes, and on the ground.
//!
//! A move that is stopped goes on along what stopped it. With normals `n` of the planes met so far,
//! the rest of the move becomes the nearest vector that leads into none of them:
//!
//! ```text
//!   minimise |m - wanted|   subject to   n . m >= 0 for every n
//! ```
//!
//! The answer is the wanted move, its projection onto one plane, onto the line where two meet, or
//! nothing. Trying these in order is exact for any number of planes, and gives the same answer in
//! whatever order planes were met: no jitter where walls meet.
//!
//! Slopes that are too steep to stand on are walls to those who walk. Those who fall slide down
//! along them, and lose what leads into them first: or a run into a slope would lift them.

use glam::DVec3;

use super::body::Body;
use super::cell::Zone;
use super::motion::Touch;
use super::query::Workspace;
use super::world::World;
use crate::motion::{MotionError, Pose, checked};
use crate::numeric::Elementary;

/// As many planes are slid along in one move; a corner has three.
const PLANES: usize = 5;

/// A character: its body and what it can do.
#[derive(Clone, Debug)]
pub struct Walker {
    body: Body,
    up: DVec3,
    step: f64,
    least_rise: f64,
}

/// Where a character got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Where it is.
    pub end: Pose,
    /// What it stands on, if it stands.
    pub ground: Option<Touch>,
    /// The last thing that stopped it, the ground aside.
    pub wall: Option<Touch>,
    /// Whether it starts in the world, and so did not move.
    pub started_solid: bool,
}

/// Where a slide got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// Where the body is.
    pub end: Pose,
    /// What stopped it on the way, in this order; at most five.
    pub touches: [Option<Touch>; PLANES],
    /// Whether it starts in the world, and so did not move.
    pub started_solid: bool,
}

impl Slide {
    /// The last thing that stopped the body, if anything did.
    ///
    /// *Guarantees* a touch of `touches`. *Cost* constant. *Fails* never.
    pub fn last(&self) -> Option<&Touch> {
        self.touches.iter().flatten().last()
    }
}

impl Walker {
    /// A character that climbs steps up to a height and slopes up to an angle in radians.
    ///
    /// *Accepts* any body, any direction as up, a step and an angle from 0; angles from a quarter
    /// turn on count as just below it. *Guarantees* a unit direction. *Cost* constant. *Fails*
    /// where a number is not finite, the direction is zero, or the step or the angle is negative.
    pub fn new(body: Body, up: DVec3, step: f64, steepest: f64) -> Result<Self, MotionError> {
        let up = checked("direction up", up)?.try_normalize().ok_or(MotionError::NoAxis)?;
        checked("step and slope", DVec3::new(step, steepest, 0.0))?;
        for (what, value) in [("step", step), ("slope", steepest)] {
            if value < 0.0 {
                return Err(MotionError::Negative { what, value });
            }
        }
        // A character that could stand on walls would never fall.
        let least_rise = steepest.min(std::f64::consts::FRAC_PI_2 - 1e-6).cosine();
        Ok(Self { body, up, step, least_rise })
    }

    /// Walks through a world: along walls, up and down steps, over slopes.
    ///
    /// *Accepts* where the character wants to go from here, usually a level vector; a vector that
    /// leads up is a jump, which neither climbs steps nor keeps to the ground. *Guarantees* as
    /// [`World::translate`] for each part of the way; the same answer for the same input; a
    /// character that stands still or is pushed into a corner stays where it is, bit for bit, from
    /// the second call on. *Cost* up to 28 traces. *Fails* as [`World::translate`].
    pub fn walk(
        &self,
        world: &World,
        start: &Pose,
        by: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Walk, MotionError> {
        let ground = self.ground(world, start, workspace)?;
        // More than the rounding of a vector that is meant to be level.
        let jumps = by.dot(self.up) > 1e-9 * by.length();
        let direct = match ground {
            Some(_) => self.slide_on_foot(world, start, by, workspace)?,
            None => self.slide_in_air(world, start, by, workspace)?,
        };
        let mut end = direct.end;
        let wall = direct.touches.iter().flatten().rfind(|t| !self.can_stand(t.normal)).copied();
        if ground.is_some() && wall.is_some() && !jumps {
            let stepped = self.step_over(world, start, by, workspace)?;
            let progress = |pose: &Pose| (pose.position() - start.position()).dot(self.level(by));
            // More than rounding: a step that gains nothing would be a jitter.
            let gain = 1e-9 * self.level(by).length_squared();
            end = stepped.filter(|s| progress(s) > progress(&end) + gain).unwrap_or(end);
        }
        let Zone { rounding, thickness } = self.zone(world, start);
        // What moves by rounding only is pushed into a corner.
        if end.position().distance(start.position()) <= rounding {
            end = *start;
        }
        let mut standing = self.ground(world, &end, workspace)?;
        if ground.is_some() && standing.is_none() && !jumps {
            // Down a step or a slope.
            let reach = self.step + 2.0 * thickness;
            let down = world.translate(&self.body, &end, -self.up * reach, workspace)?;
            standing = down.touch.filter(|touch| self.can_stand(touch.normal));
            end = if standing.is_some() { down.end } else { end };
        }
        Ok(Walk { end, ground: standing, wall, started_solid: direct.started_solid })
    }

    /// Up by a step, along, and down again onto something to stand on.
    fn step_over(
        &self,
        world: &World,
        start: &Pose,
        by: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Option<Pose>, MotionError> {
        let rise = world.translate(&self.body, start, self.up * self.step, workspace)?;
        let along = self.slide_on_foot(world, &rise.end, self.level(by), workspace)?;
        let height = |pose: &Pose| self.up.dot(pose.position() - start.position());
        let fall = -self.up * height(&rise.end);
        let down = world.translate(&self.body, &along.end, fall, workspace)?;
        let stands = match down.touch {
            Some(touch) => self.can_stand(touch.normal),
            // Nothing was stepped on; that must not be a way to get higher.
            None => {
                height(&down.end) <= self.zone(world, start).rounding
                    || self.ground(world, &down.end, workspace)?.is_some()
            }
        };
        Ok(stands.then_some(down.end))
    }

    /// A slide of one who walks: steep slopes are walls.
    fn slide_on_foot(
        &self,
        world: &World,
        start: &Pose,
        by: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Slide, MotionError> {
        let wish = |normals: &[DVec3]| onward(by, &normals.iter().map(|n| self.as_wall(*n)));
        world.slide_along((&self.body, start), by, wish, workspace)
    }

    /// A slide of one who falls or jumps: along steep slopes, but they cannot be walked up, so what
    /// leads into one is lost before the rest goes on along it.
    fn slide_in_air(
        &self,
        world: &World,
        start: &Pose,
        by: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Slide, MotionError> {
        let level = self.level(by);
        let wish = |normals: &[DVec3]| {
            let steep = normals.iter().filter_map(|n| self.wall(*n));
            onward(allowed(level, &steep) + (by - level), &normals.iter().copied())
        };
        world.slide_along((&self.body, start), by, wish, workspace)
    }

    /// The normal as those see it who walk: steep slopes are walls.
    fn as_wall(&self, normal: DVec3) -> DVec3 {
        self.wall(normal).unwrap_or(normal)
    }

    /// The level normal of a slope that is too steep to stand on.
    fn wall(&self, normal: DVec3) -> Option<DVec3> {
        let is_steep = !self.can_stand(normal) && normal.dot(self.up) > 0.0;
        self.level(normal).try_normalize().filter(|_| is_steep)
    }

    fn zone(&self, world: &World, pose: &Pose) -> Zone {
        world.zone(&self.body, pose.position().abs().max_element() + self.body.radius)
    }

    /// What the character stands on: what stops it from sinking by two thicknesses of the zone,
    /// also where it sinks along something steep first.
    fn ground(
        &self,
        world: &World,
        pose: &Pose,
        workspace: &mut Workspace,
    ) -> Result<Option<Touch>, MotionError> {
        let down = -self.up * (2.0 * self.zone(world, pose).thickness);
        // What one can stand on ends the search, as if it were level.
        let met = |normal: &DVec3| if self.can_stand(*normal) { self.up } else { *normal };
        let wish = |normals: &[DVec3]| onward(down, &normals.iter().map(met));
        let slide = world.slide_along((&self.body, pose), down, wish, workspace)?;
        Ok(slide.touches.into_iter().flatten().find(|touch| self.can_stand(touch.normal)))
    }

    /// Whether one can stand on a surface.
    ///
    /// *Accepts* a unit normal that points away from the surface. *Guarantees* true for slopes up
    /// to the steepest. *Cost* constant. *Fails* never.
    pub fn can_stand(&self, normal: DVec3) -> bool {
        normal.dot(self.up) >= self.least_rise
    }

    /// The part of a vector that is not along up.
    fn level(&self, v: DVec3) -> DVec3 {
        v - self.up * self.up.dot(v)
    }
}

impl World {
    /// Moves a body along a vector and on along what it meets, up to five planes.
    ///
    /// *Accepts* any finite vector. *Guarantees* as [`World::translate`] for each part of the way;
    /// the body is never moved against the wanted direction. *Cost* up to five traces. *Fails* as
    /// [`World::translate`].
    pub fn slide(
        &self,
        body: &Body,
        start: &Pose,
        by: DVec3,
        workspace: &mut Workspace,
    ) -> Result<Slide, MotionError> {
        let wish = |normals: &[DVec3]| onward(by, &normals.iter().copied());
        self.slide_along((body, start), by, wish, workspace)
    }

    /// As [`World::slide`], where the normals met so far say what is wished from then on, if
    /// anything is.
    fn slide_along(
        &self,
        (body, start): (&Body, &Pose),
        by: DVec3,
        wish: impl Fn(&[DVec3]) -> Option<DVec3>,
        workspace: &mut Workspace,
    ) -> Result<Slide, MotionError> {
        let mut slide = Slide { end: *start, touches: [None; PLANES], started_solid: false };
        let mut normals = [DVec3::ZERO; PLANES];
        let mut share = 1.0;
        let mut wanted = by;
        for i in 0..PLANES {
            let trace = self.translate(body, &slide.end, wanted * share, workspace)?;
            slide.end = trace.end;
            slide.started_solid |= trace.started_solid;
            let Some(touch) = trace.touch else { break };
            slide.touches[i] = Some(touch);
            normals[i] = touch.normal;
            share *= 1.0 - trace.fraction;
            let Some(next) = wish(&normals[..=i]) else { break };
            wanted = next;
        }
        Ok(slide)
    }
}

/// What is allowed of a wanted vector, unless that is nothing or leads back.
fn onward(wanted: DVec3, normals: &(impl Iterator<Item = DVec3> + Clone)) -> Option<DVec3> {
    Some(allowed(wanted, normals)).filter(|m| m.dot(wanted) > 0.0)
}

/// The nearest vector to the wanted one that leads into none of the planes.
fn allowed(wanted: DVec3, normals: &(impl Iterator<Item = DVec3> + Clone)) -> DVec3 {
    // Rounding of a projection must not count as leading into its own plane.
    let slack = 1e-12 * wanted.length();
    let fits = |m: &DVec3| normals.clone().all(|n| n.dot(*m) >= -slack);
    let onto_plane = normals.clone().map(|n| wanted - n * n.dot(wanted));
    let onto_line = normals.clone().enumerate().flat_map(|(i, a)| {
        let line = move |b: DVec3| a.cross(b).try_normalize();
        normals.clone().take(i).filter_map(line).map(|along| along * along.dot(wanted))
    });
    let nearest = |candidates: &mut dyn Iterator<Item = DVec3>| {
        let distance = |m: &DVec3| m.distance_squared(wanted);
        candidates.filter(|m| fits(m)).min_by(|a, b| distance(a).total_cmp(&distance(b)))
    };
    let whole = Some(wanted).filter(|m| fits(m));
    whole
        .or_else(|| nearest(&mut onto_plane.clone()))
        .or_else(|| nearest(&mut onto_line.clone()))
        .unwrap_or(DVec3::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allowed_move_is_the_nearest_one() {
        let wanted = DVec3::new(1.0, -2.0, 0.5);
        assert_eq!(allowed(wanted, &[].into_iter()), wanted);
        assert_eq!(allowed(wanted, &[DVec3::Y].into_iter()), DVec3::new(1.0, 0.0, 0.5));
        let corner = [DVec3::Y, -DVec3::X];
        assert_eq!(allowed(wanted, &corner.into_iter()), DVec3::new(0.0, 0.0, 0.5));
        assert_eq!(allowed(wanted, &[DVec3::Y, -DVec3::X, -DVec3::Z].into_iter()), DVec3::ZERO);
    }

    #[test]
    fn walls_that_meet_at_a_blunt_angle_leave_the_way_along_one() {
        // Into the valley of two walls at 120 degrees: the move follows the flatter one.
        let normals = [DVec3::new(-0.5, 0.0, 0.75_f64.sqrt()), DVec3::Z];
        let m = allowed(DVec3::new(1.0, 0.0, -1.0), &normals.into_iter());
        assert!(normals.iter().all(|n| n.dot(m) >= -1e-12), "{m}");
        assert!(m.length() > 0.3, "{m}");
    }
}
