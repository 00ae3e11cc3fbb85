//! Sensors: bodies that touch nothing and tell who is in them.

use std::collections::BTreeMap;

use chasles::query::{self, Workspace};
use chasles::{Motion, Pose, Screw, Step};

use super::broad::{Bounds, pairs};
use super::record::Part;
use super::{BodyId, World};

/// What a sensor noticed in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sensed {
    /// The sensor.
    pub sensor: BodyId,
    /// The body that it noticed.
    pub body: BodyId,
    /// What the body did.
    pub change: Passage,
}

/// What a body did that a sensor noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Passage {
    /// It is in the sensor at the end of the step, and was not before.
    Entered,
    /// It was in the sensor, and is not any more, or was removed.
    Left,
    /// It touched the sensor within the step, and was in it neither before nor at the end.
    Crossed,
}

/// Which bodies were in which sensors when they were last looked at: by sensor and body, the pose
/// of the body as the sensor sees it, and whether it was in.
pub(super) type Watched = BTreeMap<[usize; 2], (Pose, bool)>;

/// The poses of a body at some times of a step.
struct Way(Vec<(f64, Pose)>);

impl Way {
    fn is_still(&self) -> bool {
        self.0.windows(2).all(|ends| ends[0].1 == ends[1].1)
    }

    /// Where the body is at a time of the step, on the screw from one pose to the next.
    fn pose_at(&self, time: f64) -> Pose {
        let next = self.0.partition_point(|(at, _)| *at < time).min(self.0.len() - 1);
        let (end, to) = self.0[next];
        let (start, from) = self.0[next.saturating_sub(1)];
        match end > start && time < end {
            true => {
                let share = (time - start) / (end - start);
                Screw::between(&from, &to).pose_at(share).after(&from)
            }
            false => to,
        }
    }
}

impl World {
    /// Whether any body is a sensor.
    pub(super) fn has_sensors(&self) -> bool {
        self.bodies.iter().any(|body| body.is_sensor)
    }

    /// The bodies that were in a sensor at the end of the last step, in the order of their places.
    ///
    /// *Accepts* any handle. *Cost* logarithmic, and linear in the answer. *Fails* never: nobody is
    /// in a body that is no sensor or not there.
    pub fn inside(&self, sensor: BodyId) -> Vec<BodyId> {
        let Some(slot) = self.slots.slot(sensor) else { return Vec::new() };
        let all = self.watched.range([slot, 0]..=[slot, usize::MAX]);
        all.filter(|(_, (_, is_in))| *is_in).map(|([_, i], _)| self.slots.id(*i)).collect()
    }

    /// What sensors notice of a step: `before` are the poses of bodies at its start, `record` says
    /// how they moved, and boxes hold all that they did.
    pub(super) fn sense(
        &mut self,
        before: &[Pose],
        record: &[Part],
        boxes: &[Bounds],
    ) -> Vec<Sensed> {
        let near = pairs(boxes, |i| self.bodies[i].is_sensor);
        let near = near.into_iter().filter_map(|pair| self.watches(pair));
        let mut memory = Workspace::new();
        let mut sensed = Vec::new();
        let mut now = Watched::new();
        for pair in near {
            let seen = self.seen(pair);
            let known = self.watched.get(&pair).copied();
            let was_in = known.is_some_and(|(_, was_in)| was_in);
            // What has not moved against the sensor is where it was.
            let is_still = known.is_some_and(|(before, _)| before == seen);
            let is_in = if is_still { was_in } else { self.is_in(pair, &mut memory) };
            now.insert(pair, (seen, is_in));
            let change = match [was_in, is_in] {
                [false, true] => Some(Passage::Entered),
                [true, false] => Some(Passage::Left),
                [true, true] => None,
                [false, false] => {
                    let crosses = self.crosses(pair, before, record, &mut memory);
                    crosses.then_some(Passage::Crossed)
                }
            };
            sensed.extend(change.map(|change| told(pair, change)));
        }
        let left =
            self.watched.iter().filter(|(pair, (_, was_in))| *was_in && !now.contains_key(*pair));
        sensed.extend(left.map(|(pair, _)| told(*pair, Passage::Left)));
        sensed.sort_by_key(|sensed| [sensed.sensor, sensed.body]);
        self.watched = now;
        sensed
    }

    /// A pair with the sensor first, if it is one of a sensor and a body that it may notice.
    fn watches(&self, [i, j]: [usize; 2]) -> Option<[usize; 2]> {
        let pair = if self.bodies[i].is_sensor { [i, j] } else { [j, i] };
        let moves = pair.iter().any(|&i| self.bodies[i].is_movable());
        let is_solid = !self.bodies[pair[1]].is_intangible;
        (moves && is_solid && self.admits([i, j])).then_some(pair)
    }

    fn seen(&self, pair: [usize; 2]) -> Pose {
        let [sensor, body] = pair.map(|i| self.bodies[i].pose());
        sensor.inverse_after(&body)
    }

    fn is_in(&self, pair: [usize; 2], memory: &mut Workspace) -> bool {
        let [a, b] = pair.map(|i| self.bodies[i].geometry());
        let poses = pair.map(|i| self.bodies[i].pose());
        query::overlaps(a, b, poses, memory).is_ok_and(query::Overlap::is_overlapping)
    }

    /// Whether a body touches a sensor on the way.
    fn crosses(
        &self,
        pair: [usize; 2],
        before: &[Pose],
        record: &[Part],
        memory: &mut Workspace,
    ) -> bool {
        let ways = pair.map(|i| self.way(i, before[i], record));
        if ways.iter().all(Way::is_still) {
            return false;
        }
        let mut times: Vec<f64> = ways.iter().flat_map(|way| way.0.iter().map(|k| k.0)).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let [a, b] = pair.map(|i| self.bodies[i].geometry());
        let options = query::Options::default();
        times.windows(2).any(|ends| {
            let motion = |way: &Way| Motion::between(way.pose_at(ends[0]), way.pose_at(ends[1]));
            let step = Step::new(motion(&ways[0]), motion(&ways[1]));
            let contact = query::first_contact(a, b, &step, &options, memory);
            contact.is_ok_and(|contact| contact.is_some())
        })
    }

    /// How a body moved through a step that ends now.
    fn way(&self, slot: usize, before: Pose, record: &[Part]) -> Way {
        let of_body = |part: &Part| {
            let place = part.moves.iter().find(|way| way.body.0 == slot)?;
            Some((part.times, place.poses))
        };
        let mut knots = Vec::new();
        for (times, poses) in record.iter().filter_map(of_body) {
            knots.extend(times.into_iter().zip(poses));
        }
        if knots.is_empty() {
            knots.extend([(self.time, before), (self.time, self.bodies[slot].pose())]);
        }
        Way(knots)
    }

    /// Lets a body leave all sensors, and all bodies leave it, since it is removed; the next report
    /// tells.
    pub(super) fn end_passages(&mut self, slot: usize) {
        let (gone, left): (Watched, Watched) = std::mem::take(&mut self.watched)
            .into_iter()
            .partition(|(pair, _)| pair.contains(&slot));
        self.watched = left;
        let left = gone.into_iter().filter(|(_, (_, was_in))| *was_in).map(|([i, j], _)| Sensed {
            sensor: self.slots.id(i),
            body: self.slots.id(j),
            change: Passage::Left,
        });
        let left: Vec<Sensed> = left.collect();
        self.due.sensed.extend(left);
    }
}

fn told([sensor, body]: [usize; 2], change: Passage) -> Sensed {
    Sensed { sensor: BodyId(sensor), body: BodyId(body), change }
}
