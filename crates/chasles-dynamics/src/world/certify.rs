//! Whether a motion crosses anything, by the exact method.

use chasles::screw::{self, Workspace};
use chasles::{Collider, Pose, Step};
use glam::DVec3;

/// The first contact of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// The share of the motion up to which there is room.
    pub(super) cut: f64,
    /// Where they would touch, and the normal there, from the second body to the first.
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
}

/// Only what approaches can end a motion of bodies that are apart.
const FIRST: screw::Options =
    screw::Options { min_properness: -1.0, facing: true, first_only: true, window: [0.0, 1.0] };

/// The first contact of two bodies between two poses each, on their relative screw, and how far the
/// motion may go: until the gap that is kept is left, but at least half of the way, so that what has
/// come closer can still move.
pub(super) fn first_hit(
    [first, second]: [&Collider; 2],
    [of_first, of_second]: [[Pose; 2]; 2],
    gap: f64,
    workspace: &mut Workspace,
) -> Option<Hit> {
    if of_first[0] == of_first[1] && of_second[0] == of_second[1] {
        return None;
    }
    let step = Step::between(of_first, of_second);
    let contact = screw::contacts(first, second, &step, &FIRST, workspace).first()?;
    let before = gap / contact.normal_speed.abs();
    let cut = (contact.time - before).max(0.5 * contact.time);
    Some(Hit { cut, point: contact.point, normal: -contact.normal })
}
