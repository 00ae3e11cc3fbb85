//! Handles: bodies and joints keep theirs while others come and go.
//!
//! Bodies stand in slots. The slot of a body that is removed is taken by the next one that is
//! added, so a world in which bodies come and go for hours does not grow. A handle is a slot and
//! how often that was taken before: a handle of a body that is gone is never that of another.

use std::fmt;

use super::{Body, Report, World, WorldError};
use crate::linkage::Joint;

/// Bits of a handle that name the slot; the others count how often that was taken before.
const SLOT_BITS: u32 = if usize::BITS > 32 { 32 } else { 24 };
const SLOTS: usize = (1 << SLOT_BITS) - 1;
const MOST_TURNS: usize = usize::MAX >> SLOT_BITS;

/// The handle of a body.
///
/// Its number is the place in [`World::bodies`] as long as no body was removed; then
/// [`BodyId::index`] is that place, and [`World::body`] the body if it is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId(pub usize);

impl BodyId {
    /// The place of the body in [`World::bodies`], while it is in the world.
    pub fn index(self) -> usize {
        self.0 & SLOTS
    }

    /// How many bodies were in the same place before.
    fn turn(self) -> usize {
        self.0 >> SLOT_BITS
    }
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.turn() {
            0 => write!(f, "{}", self.index()),
            turn => write!(f, "{}#{turn}", self.index()),
        }
    }
}

/// The handle of a joint, never that of another one in the same world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(pub(super) u64);

impl fmt::Display for JointId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who is in which slot.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Slots {
    /// The turn of the body in each slot; none if that is empty.
    taken: Vec<Option<usize>>,
    /// The turn of the next body in each slot: it only grows, also where a world goes back.
    next: Vec<usize>,
    /// Empty slots, the next to be taken last.
    empty: Vec<usize>,
}

impl Slots {
    /// The slot of the next body.
    pub(super) fn take(&mut self) -> usize {
        loop {
            let slot = self.empty.pop().unwrap_or(self.taken.len());
            if slot == self.taken.len() {
                self.taken.push(None);
            }
            self.next.resize(self.next.len().max(slot + 1), 0);
            let turn = self.next[slot];
            if turn <= MOST_TURNS {
                self.next[slot] += 1;
                self.taken[slot] = Some(turn);
                return slot;
            }
        }
    }

    /// Empties a slot.
    pub(super) fn give(&mut self, slot: usize) {
        self.taken[slot] = None;
        self.empty.push(slot);
    }

    /// The slot of a body that is there.
    pub(super) fn slot(&self, id: BodyId) -> Option<usize> {
        let turn = *self.taken.get(id.index())?;
        (turn == Some(id.turn())).then_some(id.index())
    }

    /// The handle of the body in a slot; of an empty slot that of the next body.
    pub(super) fn id(&self, slot: usize) -> BodyId {
        let turn = |slot: usize| self.taken.get(slot).copied().flatten();
        let next = || self.next.get(slot).copied().unwrap_or_default();
        BodyId(slot | turn(slot).unwrap_or_else(next) << SLOT_BITS)
    }

    pub(super) fn is_taken(&self, slot: usize) -> bool {
        self.taken.get(slot).is_some_and(Option::is_some)
    }

    /// Whether handles and slots are the same numbers.
    fn is_plain(&self) -> bool {
        self.taken.iter().all(|turn| turn.unwrap_or_default() == 0)
    }

    /// Whether they are the slots of so many bodies.
    #[cfg(feature = "serde")]
    pub(super) fn is_sound(&self, count: usize) -> bool {
        let is_empty = |&slot: &usize| self.taken.get(slot).is_some_and(Option::is_none);
        let mut turns = self.taken.iter().zip(&self.next);
        let are_past = turns.all(|(turn, next)| turn.is_none_or(|turn| turn < *next));
        let is_whole = self.taken.len() == count && self.next.len() >= count;
        is_whole && are_past && self.empty.iter().all(is_empty)
    }

    /// Goes back to what was; handles that were given since are of nobody from now on.
    pub(super) fn go_back(&mut self, before: &Self) {
        self.taken.clone_from(&before.taken);
        self.empty.clone_from(&before.empty);
        self.next.resize(self.next.len().max(before.next.len()), 0);
        for (next, before) in self.next.iter_mut().zip(&before.next) {
            *next = (*next).max(*before);
        }
    }
}

impl World {
    /// A body, if it is still there.
    pub fn body(&self, id: BodyId) -> Option<&Body> {
        self.slots.slot(id).map(|slot| &self.bodies[slot])
    }

    /// All bodies with their handles, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = (BodyId, &Body)> {
        let there = |(slot, _): &(usize, &Body)| self.slots.is_taken(*slot);
        let all = self.bodies.iter().enumerate().filter(there);
        all.map(|(slot, body)| (self.slots.id(slot), body))
    }

    /// A joint, if it is still there; its numbers are [places](BodyId::index) of bodies.
    pub fn joint(&self, id: JointId) -> Option<&Joint> {
        self.joint_place(id).map(|place| &self.joints[place])
    }

    /// All joints with their handles, in the order in which they were added.
    pub fn joint_ids(&self) -> impl Iterator<Item = (JointId, &Joint)> {
        self.joint_ids.iter().copied().zip(&self.joints)
    }

    /// The bodies of a joint, if it is still there.
    pub fn joined(&self, id: JointId) -> Option<[BodyId; 2]> {
        self.joint(id).map(|joint| joint.bodies().map(|slot| self.slots.id(slot)))
    }

    /// Where a joint is in the list. Handles only grow, so the list is sorted by them.
    pub(super) fn joint_place(&self, id: JointId) -> Option<usize> {
        self.joint_ids.binary_search(&id).ok()
    }

    /// A report whose bodies are named by handles instead of slots.
    pub(super) fn named(&self, mut report: Report) -> Report {
        if !self.slots.is_plain() {
            report.each_body(|body| *body = self.slots.id(body.0));
        }
        report
    }

    /// An error whose bodies are named by handles instead of slots.
    pub(super) fn named_error(&self, mut error: WorldError) -> WorldError {
        error.each_body(|body| *body = self.slots.id(body.0));
        error
    }
}

impl Report {
    fn each_body(&mut self, mut rename: impl FnMut(&mut BodyId)) {
        let impacts = self.impacts.iter_mut().flat_map(|impact| &mut impact.bodies);
        let moves = self.record.iter_mut().flat_map(|part| &mut part.moves);
        let of_sheets = self.sheet_record.iter_mut().flat_map(|part| &mut part.moves);
        let moves = moves.chain(of_sheets).map(|way| &mut way.body);
        let lost = self.lost.iter_mut().map(|lost| &mut lost.body);
        let events = self.events.iter_mut().flat_map(|event| &mut event.bodies);
        let sensed = self.sensed.iter_mut().flat_map(|told| [&mut told.sensor, &mut told.body]);
        let told = impacts.chain(events).chain(sensed).chain(&mut self.waiting);
        told.chain(lost).chain(moves).for_each(&mut rename);
    }
}

impl WorldError {
    fn each_body(&mut self, mut rename: impl FnMut(&mut BodyId)) {
        match self {
            Self::Load(body)
            | Self::Lost(body)
            | Self::Surface(body)
            | Self::SheetTouches(_, body)
            | Self::SheetInside(_, body)
            | Self::SheetBesideRound(body) => rename(body),
            Self::Overlap(a, b) => [a, b].into_iter().for_each(rename),
            Self::Step(_)
            | Self::Zone(_)
            | Self::Gravity(_)
            | Self::Option(..)
            | Self::Work(_)
            | Self::Springs(_)
            | Self::SheetsTouch(..)
            | Self::SheetLost(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_never_that_of_another_body() {
        let mut slots = Slots::default();
        let [first, second] = [(); 2].map(|()| slots.take());
        let before = slots.clone();
        let gone = slots.id(first);
        slots.give(first);
        assert_eq!((slots.take(), slots.slot(gone)), (first, None));
        let since = slots.id(first);
        slots.go_back(&before);
        assert_eq!([slots.slot(gone), slots.slot(since)], [Some(first), None]);
        slots.give(first);
        slots.take();
        assert_eq!([slots.slot(gone), slots.slot(since)], [None; 2]);
        assert_eq!(slots.slot(slots.id(second)), Some(second));
    }

    #[test]
    fn a_slot_that_was_taken_too_often_is_left_empty() {
        let mut slots = Slots::default();
        let worn = slots.take();
        slots.next[worn] = MOST_TURNS + 1;
        slots.give(worn);
        assert_eq!(slots.take(), worn + 1);
    }
}
