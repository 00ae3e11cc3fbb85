//! What a step moved, part by part, for whoever wants to look at it again.

use chasles::Pose;
use glam::DVec3;

use super::island::Island;
use super::trial::Trial;
use super::{BodyId, SheetId, World};
use crate::spring::sheet::Stop;

/// A part of a step: what the bodies of an island did between two moments.
///
/// Any two of them moved along their relative screw, from the first poses to the second. Of bodies
/// of different islands nothing was asked but that they stay in boxes that do not overlap.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// When it began and when it ended, in seconds since the world began.
    pub times: [f64; 2],
    /// All bodies of the island, in the order of their numbers, also those that stayed.
    pub moves: Vec<Move>,
}

/// Where a body was before and after a part of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Move {
    /// Whose.
    pub body: BodyId,
    /// Before and after.
    pub poses: [Pose; 2],
}

/// What a sheet did in a part of a step.
///
/// In pieces it moved straight, its bodies and the sheets before it straight from the beginning of
/// the part to its end, all points at once.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetPart {
    /// Whose.
    pub sheet: SheetId,
    /// When it began and when it ended, in seconds since the world began.
    pub times: [f64; 2],
    /// Where its vertices were before.
    pub start: Vec<DVec3>,
    /// Where they went, piece by piece.
    pub stops: Vec<Stop>,
    /// Bodies that it came near, before and after. What collisions did to them ends a part, so they
    /// went straight but for their turning, and but for a thousandth of the thickness.
    pub moves: Vec<Move>,
}

impl World {
    /// Lets reports tell what every part of a step moved, or no longer.
    ///
    /// *Guarantees* that motions do not depend on it, to the bit. *Cost* two poses for each body
    /// and part of a step, and for sheets all vertices of each piece. *Fails* never.
    pub fn record(&mut self, is_recording: bool) {
        self.is_recording = is_recording;
    }
}

impl Island<'_> {
    /// Notes that members go where a trial has them.
    pub(super) fn note(&mut self, trial: &Trial) {
        if !self.is_recording {
            return;
        }
        let poses = self.states.iter().zip(&trial.states).map(|(p, q)| [p.pose, q.pose]);
        let moves = self.members.iter().zip(poses);
        let moves = moves.map(|(&body, poses)| Move { body: BodyId(body), poses }).collect();
        let times = [self.clock, self.clock + trial.h];
        self.outcome.report.record.push(Part { times, moves });
    }
}
