//! The report of a step that was taken in parts: each joint, pair and body once.
//!
//! A step with sheets may be halved many times. What joints bore is the sum of all parts over the
//! length of the whole step, so that a strength does not depend on how often a sheet elsewhere
//! halves it.

use std::collections::BTreeMap;

use super::event::{ContactEvent, Phase};
use super::joint_forces::JointForce;
use super::sensor::{Passage, Sensed};
use super::{BodyId, JointId, Lost, LostSheet, Report, SheetId, World};

impl World {
    /// Puts together what parts of a step tell of the same joint, pair or body.
    pub(super) fn tell_as_one(&mut self, report: &mut Report) {
        report.joint_forces = summed(std::mem::take(&mut report.joint_forces));
        report.lost = lost_in_all(std::mem::take(&mut report.lost));
        report.lost_sheets = sheets_lost_in_all(std::mem::take(&mut report.lost_sheets));
        report.sensed = noticed(std::mem::take(&mut report.sensed));
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

fn sheets_lost_in_all(parts: Vec<LostSheet>) -> Vec<LostSheet> {
    let mut all: BTreeMap<SheetId, f64> = BTreeMap::new();
    for LostSheet { sheet, seconds } in parts {
        *all.entry(sheet).or_default() += seconds;
    }
    all.into_iter().map(|(sheet, seconds)| LostSheet { sheet, seconds }).collect()
}

/// What a sensor notices of a body between the start and the end of the step: nothing of one that
/// was in it at both, and that a body crossed it which came in and left again.
fn noticed(parts: Vec<Sensed>) -> Vec<Sensed> {
    let mut all: BTreeMap<[BodyId; 2], [Passage; 2]> = BTreeMap::new();
    for Sensed { sensor, body, change } in parts {
        all.entry([sensor, body]).or_insert([change; 2])[1] = change;
    }
    let told = |([sensor, body], [first, last]): ([BodyId; 2], [Passage; 2])| {
        let change = match [first == Passage::Left, last == Passage::Entered] {
            [true, true] => return None,
            [true, false] => Passage::Left,
            [false, true] => Passage::Entered,
            [false, false] => Passage::Crossed,
        };
        Some(Sensed { sensor, body, change })
    };
    all.into_iter().filter_map(told).collect()
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

    #[test]
    fn a_sensor_tells_once_of_a_body_what_the_whole_step_did() {
        use Passage::{Crossed, Entered, Left};
        let [sensor, body] = [BodyId(3), BodyId(1)];
        for (parts, expected) in [
            (vec![Entered], Some(Entered)),
            (vec![Entered, Left], Some(Crossed)),
            (vec![Crossed, Entered], Some(Entered)),
            (vec![Entered, Left, Entered], Some(Entered)),
            (vec![Crossed, Crossed], Some(Crossed)),
            (vec![Left, Crossed], Some(Left)),
            (vec![Left, Entered, Left], Some(Left)),
            (vec![Left, Entered], None),
        ] {
            let parts = parts.into_iter().map(|change| Sensed { sensor, body, change }).collect();
            let expected = expected.map(|change| Sensed { sensor, body, change });
            assert_eq!(noticed(parts), Vec::from_iter(expected));
        }
    }

    #[test]
    fn what_a_sheet_loses_in_parts_of_a_step_is_added_up() {
        let lost = |sheet, seconds| LostSheet { sheet: SheetId(sheet), seconds };
        let all = sheets_lost_in_all(vec![lost(1, 0.25), lost(0, 0.5), lost(1, 0.5)]);
        assert_eq!(all, [lost(0, 0.5), lost(1, 0.75)]);
    }
}
