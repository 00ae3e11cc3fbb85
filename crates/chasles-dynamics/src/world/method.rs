//! How the first contact on a way is found: exactly, on a screen, or by traces.
//!
//! Whatever is asked, bodies do not end up in each other. The exact method and the traces certify
//! the whole way. The screen may miss what is smaller than a pixel, so where it shows nothing the
//! end of the way is looked at as well, and the exact method is asked if bodies would be in each
//! other there.

use std::num::NonZeroU32;

use chasles::query::{self, Contact, Geometry, QueryError, Workspace};
use chasles::trace::{Travel, Turn};
use chasles::{Motion, Pose, Screw, Step};
use glam::DVec3;

use super::island::HALT;

/// How a world finds what is in the way of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Method {
    /// Every contact of the relative screw, to rounding ([`chasles::screw`]).
    #[default]
    Exact,
    /// What the collision screen shows of the relative screw ([`chasles::screen`]). What it misses
    /// is found only if bodies would be in each other at the end of a part of a step.
    Screen,
    /// Traces [`chasles::trace`]: shifts along the axis of the relative screw and turns about it,
    /// one after the other. Bodies that no trace takes, without faces, are left to the exact
    /// method.
    Trace,
}

/// The first contact of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// The share of the motion up to which there is room.
    pub(super) cut: f64,
    /// Where they would touch, and the normal there, from the second body to the first.
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
    /// The contact itself, where a method names its features.
    pub(super) contact: Option<Contact>,
}

/// The first contact of a way, if there is one. An error is no proof that the way is free.
pub(super) type Found = Result<Option<Hit>, QueryError>;

/// Two bodies between two poses each.
#[derive(Clone, Copy)]
pub(super) struct Between<'b> {
    pub(super) bodies: [&'b Geometry; 2],
    pub(super) poses: [[Pose; 2]; 2],
    /// The gap that is kept, and the share of the way to a contact that may be gone in any case, so
    /// that what has come closer can still move.
    pub(super) kept: (f64, f64),
    /// The share of the way up to which contacts matter; later ones may be found or not.
    pub(super) until: f64,
}

/// Portions of a traced way at most, each a shift and a turn.
const PORTIONS: f64 = 16.0;

/// Turns that move no point by more than this share of the kept gap are traced about the body's
/// middle: the axis of the screw may be as far away as numbers go.
const SLIGHT: f64 = 0.1;

impl Between<'_> {
    /// The first contact, and how far the motion may go: until the gap that is kept is left.
    pub(super) fn first_hit(&self, method: Method, workspace: &mut Workspace) -> Found {
        let [first, second] = self.poses;
        if first[0] == first[1] && second[0] == second[1] {
            return Ok(None);
        }
        match method {
            Method::Exact => self.exact(workspace),
            Method::Screen => self.shown(workspace),
            Method::Trace => self.traced(workspace).map_or_else(|| self.exact(workspace), Ok),
        }
    }

    fn step(&self) -> Step {
        let [first, second] = self.poses.map(|[start, end]| Motion::between(start, end));
        Step::new(first, second)
    }

    fn exact(&self, workspace: &mut Workspace) -> Found {
        let [first, second] = self.bodies;
        // Only what approaches, and can be touched at all, can end a motion of bodies that are
        // apart.
        let options = query::Options {
            facing: true,
            touchable: true,
            window: [0.0, self.until],
            ..query::Options::all()
        };
        let hit = query::first_contact(first, second, &self.step(), &options, workspace)?;
        Ok(hit.map(|contact| self.hit(&contact)))
    }

    /// What the screen shows.
    fn shown(&self, workspace: &mut Workspace) -> Found {
        let [first, second] = self.bodies;
        let options = query::Options::all().by(query::Method::Screen);
        let shown = query::contacts(first, second, &self.step(), &options, workspace);
        match shown.map(|contacts| contacts.iter().find(|c| c.touchable).copied()) {
            Ok(Some(contact)) => match self.hit(&contact) {
                // Within a pixel of where bodies are, the screen does not tell what they approach
                // from what they leave.
                hit if hit.cut <= HALT => self.exact(workspace),
                hit => Ok(Some(hit)),
            },
            Ok(None) => {
                let ends = self.poses.map(|poses| poses[1]);
                match query::overlaps(first, second, ends, workspace)?.is_overlapping() {
                    true => self.exact(workspace),
                    false => Ok(None),
                }
            }
            Err(_) => self.exact(workspace),
        }
    }

    fn hit(&self, contact: &Contact) -> Hit {
        let cut = self.cut(contact.time, contact.normal_speed.abs());
        Hit { cut, point: contact.point, normal: -contact.normal, contact: Some(*contact) }
    }

    /// How far a motion may go that makes contact at a time, at a speed along the normal.
    fn cut(&self, time: f64, speed: f64) -> f64 {
        let (gap, least) = self.kept;
        (time - gap / speed).max(least * time)
    }

    /// What stops a trace of the second body among the first; none if traces cannot tell.
    fn traced(&self, workspace: &mut Workspace) -> Option<Option<Hit>> {
        let [fixture, body] = self.bodies;
        let [start, end] = [0, 1].map(|end| self.poses[0][end].inverse_after(&self.poses[1][end]));
        let screw = Screw::between(&start, &end);
        let travel = self.travel(&screw, &start)?;
        let cast = query::cast(fixture, body, [Pose::IDENTITY, start], &travel, workspace).ok()?;
        if cast.started_solid {
            return None;
        }
        let Some(stop) = cast.stop else { return Some(None) };
        let speed = stop.normal.dot(screw.flow(stop.point)).abs();
        let own = Screw::between(&self.poses[0][0], &self.poses[0][1]);
        let there = own.pose_at(cast.fraction).after(&self.poses[0][0]);
        let point = there.point(stop.point);
        let normal = -there.vector(stop.normal);
        let cut = self.cut(cast.fraction, speed);
        Some(Some(Hit { cut, point, normal, contact: None }))
    }

    /// A screw as shifts and turns.
    fn travel(&self, screw: &Screw, start: &Pose) -> Option<Travel> {
        let [low, high] = self.bodies[1].bounds();
        let middle = start.point(0.5 * (low + high));
        let (gap, _) = self.kept;
        let turned = 0.5 * low.distance(high) * screw.angle();
        if turned <= SLIGHT * gap {
            let axis = screw.angular().try_normalize().unwrap_or(DVec3::X);
            let turn = Turn::new(middle, axis, screw.angle()).ok()?;
            let by = screw.pose_at(1.0).point(middle) - middle;
            return Some(Travel { by, turn, parts: NonZeroU32::MIN });
        }
        let by = screw.translation() * screw.axis_direction();
        let turn = Turn::new(screw.axis_point(), screw.axis_direction(), screw.angle()).ok()?;
        // So many that shifts are as short as the gap, where that can be.
        let parts = (by.length() / gap).ceil().clamp(1.0, PORTIONS) as u32;
        Some(Travel { by, turn, parts: NonZeroU32::new(parts)? })
    }
}

#[cfg(test)]
mod tests {
    use chasles::solid::HalfSpace;

    use super::*;

    #[test]
    fn what_no_method_can_tell_is_not_free() {
        let ground = HalfSpace::new(DVec3::Z, 0.0).expect("z is a direction");
        let ground = &Geometry::solid(ground);
        let at = |z: f64| Pose::from_position([0.0, 0.0, z]).expect("numbers are finite");
        let poses = [[at(0.0); 2], [at(5.0), at(-5.0)]];
        let between = Between { bodies: [ground, ground], poses, kept: (1e-3, 0.5), until: 1.0 };
        for method in [Method::Exact, Method::Screen, Method::Trace] {
            let found = between.first_hit(method, &mut Workspace::new());
            assert!(found.is_err(), "{method:?}: {found:?}");
        }
    }
}
