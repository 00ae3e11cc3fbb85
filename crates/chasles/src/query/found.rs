//! What a set of bodies answers: pairs with contacts, pairs that overlap, and how near pairs come.

use super::clearance::Clearance;
use super::contacts::{Choice, Contacts, Guarantee};
use super::feature::Contact;
use super::rest::Overlap;
use super::set::BodyId;

/// The contacts of the pairs of a [`Set`](super::Set).
#[derive(Clone, Debug, Default)]
pub struct SetContacts {
    contacts: Vec<Contact>,
    pairs: Vec<Row>,
    asked: usize,
}

/// One pair with contacts.
#[derive(Clone, Copy, Debug)]
struct Row {
    bodies: [u32; 2],
    /// Where its contacts end; they begin where those of the pair before end.
    end: usize,
    choice: Choice,
    guarantee: Guarantee,
    undecided: usize,
}

/// Two bodies of a [`Set`](super::Set) that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOverlap {
    /// The bodies A and B.
    pub bodies: [BodyId; 2],
    /// [`Overlap::Overlapping`] with the parts that do, or [`Overlap::Undecided`]; never
    /// [`Overlap::Apart`].
    pub overlap: Overlap,
}

/// How near two bodies of a [`Set`](super::Set) come to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairClearance {
    /// The bodies A and B.
    pub bodies: [BodyId; 2],
    /// Their least distance, when and where.
    pub clearance: Clearance,
}

/// Two bodies that touch.
#[derive(Clone, Copy, Debug)]
pub struct PairContacts<'s> {
    /// The bodies A and B.
    pub bodies: [BodyId; 2],
    /// Their contacts.
    pub found: Contacts<'s>,
}

impl SetContacts {
    /// No contacts yet, of so many pairs that are asked.
    pub(super) fn of(asked: usize) -> Self {
        Self { asked, ..Self::default() }
    }

    /// The pairs that have contacts, in order.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = PairContacts<'_>> {
        self.pairs.iter().enumerate().map(|(i, row)| {
            let &Row { bodies, end, choice, guarantee, undecided } = row;
            let start = if i == 0 { 0 } else { self.pairs[i - 1].end };
            let contacts = &self.contacts[start..end];
            let found = Contacts { contacts, choice, guarantee, undecided };
            PairContacts { bodies: bodies.map(BodyId), found }
        })
    }

    /// How many contacts all pairs have.
    pub fn contact_count(&self) -> usize {
        self.contacts.len()
    }

    /// How many pairs came near each other and were asked.
    pub fn asked(&self) -> usize {
        self.asked
    }

    pub(super) fn add(&mut self, bodies: [u32; 2], found: &Contacts<'_>) {
        if !found.is_empty() {
            self.contacts.extend_from_slice(found.contacts);
            let &Contacts { choice, guarantee, undecided, .. } = found;
            let end = self.contacts.len();
            self.pairs.push(Row { bodies, end, choice, guarantee, undecided });
        }
    }

    pub(super) fn append(&mut self, other: Self) {
        let known = self.contacts.len();
        self.contacts.extend(other.contacts);
        self.pairs.extend(other.pairs.into_iter().map(|row| Row { end: row.end + known, ..row }));
    }
}
