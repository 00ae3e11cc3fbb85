//! Where a moving body of a scene shall go: by a shift, a turn, both, or on foot.

use std::num::NonZeroU32;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles::numeric::rotation_about;
use chasles::trace::Turn;
use toml::Spanned;

use super::walk::Route;
use crate::error::{Fault, Problem};
use crate::file::TurnEntry;
use crate::motion;

/// Where a body shall go.
#[derive(Clone, Debug)]
pub enum Journey {
    /// Along a line.
    Shift(DVec3),
    /// About an axis.
    Turn(Turning),
    /// Both at once: the shift carries the axis along.
    Both {
        /// The shift.
        by: DVec3,
        /// The turn.
        turning: Turning,
        /// In how many portions, each a shift and then a turn.
        portions: NonZeroU32,
    },
    /// On foot.
    Walk(Route),
}

/// A rotation about an axis in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning {
    origin: DVec3,
    axis: DVec3,
    angle: f64,
    pub(super) turn: Turn,
}

impl Turning {
    pub(super) fn new(entry: &Spanned<TurnEntry>) -> Result<Self, Fault> {
        let at = |problem: Problem| Fault::new(problem, entry.span());
        let TurnEntry { origin, axis, degrees } = entry.get_ref();
        let (origin, angle) = (motion::vector(*origin), degrees.to_radians());
        let axis = motion::unit(axis.0).map_err(at)?;
        let turn = Turn::new(origin, axis, angle).map_err(|error| at(error.into()))?;
        Ok(Self { origin, axis, angle, turn })
    }

    /// Where a body is after a part of the turn.
    pub(super) fn carried(&self, pose: &Pose, part: f64) -> Pose {
        let turn = rotation_about(self.axis, self.angle * part);
        let position = self.origin + turn * (pose.position() - self.origin);
        Pose::new(position, turn * pose.rotation()).unwrap_or(*pose)
    }

    /// The angle in radians.
    pub fn angle(&self) -> f64 {
        self.angle
    }
}
