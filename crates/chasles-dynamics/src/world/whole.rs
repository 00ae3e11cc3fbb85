//! The report of a step that was taken in parts: each joint, pair and body once.
//!
//! A step with sheets may be halved many times. What joints bore is the sum of all parts over the
//! length of the whole step, so that a strength does not depend on how often a sheet elsewhere
//! halves it.

use std::collections::BTreeMap;

use super::event::{ContactEvent, Phase};
use super::strain::JointForce;
use super::{BodyId, JointId, Lost, Report, World};

impl World {
    /// Puts together what parts of a step tell of the same joint, pair or body.
    pub(super) fn tell_as_one(&mut self, report: &mut Report) {
        report.joint_forces = summed(std::mem::take(&mut report.joint_forces));
        report.lost = lost_in_all(std::mem::take(&mut report.lost));
        report.waiting.sort_unstable();
        report.waiting.dedup();
        report.events = merged(std::mem::take(&mut report.events));
        // What pressed in some part of the step has touched in it, and parts in the next.
        let presses = report.events.iter().filter(|event| event.phase != Phase::Ended);
        self.touching.extend(presses.map(|event| event.bodies.map(|body| body.0)));
    }
}

fn summed(parts: Vec<JointForce>) -> Vec<JointForce> {
    let mut all: BTreeMap<JointId, JointForce> = BTreeMap::new();
    for part in parts {
        all.entry(part.joint)
            .and_modify(|bore| {
                bore.force += part.force;
                bore.torque += part.torque;
            })
            .or_insert(part);
    }
    all.into_values().collect()
}

fn lost_in_all(parts: Vec<Lost>) -> Vec<Lost> {
    let mut all: BTreeMap<BodyId, f64> = BTreeMap::new();
    for Lost { body, seconds } in parts {
        *all.entry(body).or_default() += seconds;
    }
    all.into_iter().map(|(body, seconds)| Lost { body, seconds }).collect()
}

/// One event for each pair: it parted only if it did not press in any part.
fn merged(parts: Vec<ContactEvent>) -> Vec<ContactEvent> {
    let mut all: BTreeMap<[BodyId; 2], ContactEvent> = BTreeMap::new();
    for part in parts {
        let Some(known) = all.get_mut(&part.bodies) else {
            all.insert(part.bodies, part);
            continue;
        };
        known.impulse += part.impulse;
        if part.phase != Phase::Ended {
            known.points = part.points;
            // What parted first had touched before.
            known.phase = match known.phase {
                Phase::Began => Phase::Began,
                Phase::Persisted | Phase::Ended => Phase::Persisted,
            };
        }
    }
    all.into_values().collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn a_pair_is_told_of_once_and_parts_only_if_it_did_not_press() {
        let event = |phase| {
            let bodies = [BodyId(0), BodyId(1)];
            ContactEvent { bodies, phase, points: Vec::new(), impulse: DVec3::X }
        };
        use Phase::{Began, Ended, Persisted};
        for (parts, expected) in [
            (vec![Began, Persisted, Ended], Began),
            (vec![Persisted, Ended], Persisted),
            (vec![Ended, Began], Persisted),
            (vec![Ended], Ended),
        ] {
            let count = parts.len();
            let told = merged(parts.into_iter().map(event).collect());
            assert_eq!((told.len(), told[0].phase), (1, expected));
            assert_eq!(told[0].impulse, count as f64 * DVec3::X);
        }
    }
}
