//! Contact events: which pairs begin to touch, go on and part, where, and with which impulses.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::island::Island;
use super::trial::Trial;
use super::{BodyId, Impact, World};

/// What a pair of bodies that touch did in a step.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactEvent {
    /// The bodies, the lower [place](BodyId::index) first.
    pub bodies: [BodyId; 2],
    /// Whether they began to touch, went on, or parted.
    pub phase: Phase,
    /// Where they pressed on each other last in the step; nowhere if they have parted.
    pub points: Vec<ContactPoint>,
    /// What the first body got in the whole step, in newton seconds, and the second the opposite
    /// of.
    pub impulse: DVec3,
}

/// How long a pair has touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Phase {
    /// It presses, and did not in the step before.
    Began,
    /// It presses, and did in the step before.
    Persisted,
    /// It pressed in the step before and does not any more, or one of both was removed.
    Ended,
}

/// A point where two bodies press on each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactPoint {
    /// Where, between both surfaces.
    pub point: DVec3,
    /// Unit, from the second body to the first.
    pub normal: DVec3,
    /// What the first body got here in the last part of the step in which it was pressed, in newton
    /// seconds.
    pub impulse: DVec3,
}

/// A point where two members press on each other in a part of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pressing {
    pub(super) part: u32,
    /// Numbers in the world.
    pub(super) bodies: [usize; 2],
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
    /// On the first body.
    pub(super) impulse: DVec3,
}

impl Pressing {
    pub(super) fn of(impact: &Impact, part: u32) -> Self {
        let &Impact { bodies, point, normal, impulse, .. } = impact;
        Self { part, bodies: bodies.map(|body| body.0), point, normal, impulse }
    }

    /// The same with the smaller number first.
    fn sorted(self) -> Self {
        let [a, b] = self.bodies;
        match a <= b {
            true => self,
            false => Self { bodies: [b, a], normal: -self.normal, impulse: -self.impulse, ..self },
        }
    }
}

/// What presses at the end of a window: rows of the solver, but for those that collided there,
/// which have their whole impulse from the impacts.
pub(super) fn pressing<'i>(
    rows: Vec<Pressing>,
    impacts: impl Iterator<Item = &'i Impact> + Clone,
    part: u32,
) -> Vec<Pressing> {
    let hits = |row: &Pressing, impact: &Impact| {
        impact.point == row.point && impact.bodies.map(|body| body.0) == row.bodies
    };
    let is_hit = |row: &Pressing| impacts.clone().any(|impact| hits(row, impact));
    let rows = rows.into_iter().filter(|row| !is_hit(row));
    rows.chain(impacts.clone().map(|impact| Pressing::of(impact, part))).collect()
}

impl Island<'_> {
    /// Takes down what presses in a part, if someone listens. Springs do not tell their impulses.
    pub(super) fn tell_presses(&mut self, trial: &Trial) {
        if !self.world.is_listening {
            return;
        }
        let part = self.outcome.report.parts;
        let is_pressed = |bodies: &[usize; 2]| trial.presses.contains(bodies);
        let impulses = trial.impulses.iter().copied().map(Some).chain(std::iter::repeat(None));
        for (touch, impulse) in self.touches.iter().zip(impulses) {
            let presses = impulse.map_or_else(|| is_pressed(&touch.bodies), |p| p != DVec3::ZERO);
            if presses {
                self.outcome.pressing.push(Pressing {
                    part,
                    bodies: touch.bodies.map(|i| self.members[i]),
                    point: touch.point,
                    normal: touch.normal,
                    impulse: impulse.unwrap_or_default(),
                });
            }
        }
    }
}

/// What is known of a pair that pressed in a step.
#[derive(Default)]
struct Pressed {
    last: u32,
    points: Vec<ContactPoint>,
    impulse: DVec3,
}

impl Pressed {
    fn add(&mut self, Pressing { part, point, normal, impulse, .. }: Pressing) {
        if part > self.last {
            self.points.clear();
            self.last = part;
        }
        self.points.push(ContactPoint { point, normal, impulse });
        self.impulse += impulse;
    }
}

impl World {
    /// Lets reports tell [contact events](super::Report::events), or no longer.
    ///
    /// *Guarantees* that motions do not depend on it, to the bit. Where it begins, all pairs that
    /// press begin to touch. *Cost* a few words for each point that presses, in each part of a
    /// step. *Fails* never.
    pub fn listen(&mut self, is_listening: bool) {
        self.is_listening = is_listening;
        self.touching.clear();
    }

    /// The events of a step that has been taken.
    pub(super) fn contact_events(&mut self, pressing: Vec<Pressing>) -> Vec<ContactEvent> {
        if !self.is_listening {
            return Vec::new();
        }
        let mut pressed: BTreeMap<[usize; 2], Pressed> = BTreeMap::new();
        for point in pressing.into_iter().map(Pressing::sorted) {
            pressed.entry(point.bodies).or_default().add(point);
        }
        // Bodies that sleep touch on without being looked at.
        let sleeps = |pair: &[usize; 2]| pair.iter().any(|&i| self.bodies[i].is_asleep);
        let parted = |pair: &&[usize; 2]| !pressed.contains_key(*pair) && !sleeps(pair);
        let parted: Vec<[usize; 2]> = self.touching.iter().filter(parted).copied().collect();
        let mut events: Vec<ContactEvent> = parted.iter().map(|&pair| ended(pair)).collect();
        parted.iter().for_each(|pair| {
            self.touching.remove(pair);
        });
        for (pair, Pressed { points, impulse, .. }) in pressed {
            let is_new = self.touching.insert(pair);
            let phase = if is_new { Phase::Began } else { Phase::Persisted };
            events.push(ContactEvent { bodies: pair.map(BodyId), phase, points, impulse });
        }
        events.sort_by_key(|event| event.bodies);
        events
    }

    /// Ends the contacts of a body that is removed; the next report tells.
    pub(super) fn end_contacts(&mut self, slot: usize) {
        let (gone, left): (BTreeSet<_>, BTreeSet<_>) =
            std::mem::take(&mut self.touching).into_iter().partition(|pair| pair.contains(&slot));
        self.touching = left;
        let named = |pair: [usize; 2]| ContactEvent {
            bodies: pair.map(|slot| self.slots.id(slot)),
            ..ended(pair)
        };
        let gone: Vec<ContactEvent> = gone.into_iter().map(named).collect();
        self.due.events.extend(gone);
    }
}

fn ended(pair: [usize; 2]) -> ContactEvent {
    let bodies = pair.map(BodyId);
    ContactEvent { bodies, phase: Phase::Ended, points: Vec::new(), impulse: DVec3::ZERO }
}
