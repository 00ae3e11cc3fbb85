//! What impulses at the touches of a linkage do, found once for each place.
//!
//! A push through a linkage costs a solution of its joints, and a contact is pushed dozens of times
//! before all contacts are found. What a unit impulse along each axis does to all bodies is
//! therefore kept, until the linkage is fitted to other places.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{DMat3, DVec3};

use crate::body::Velocity;
use crate::impulse::Response;
use crate::linkage::{Acts, Linkage};

/// A linkage, and what pushes at some of its places do.
#[derive(Debug, Default)]
pub(super) struct Learned {
    linkage: Linkage,
    /// Limits and motors that hold against pushes.
    acts: Acts,
    known: RefCell<BTreeMap<Place, Rc<Answer>>>,
}

/// Two bodies, and the bits of a point.
type Place = ([usize; 2], [u64; 3]);

/// The velocities of all bodies for a unit impulse along each axis, and the inverse effective mass.
#[derive(Debug)]
struct Answer {
    columns: [Vec<Velocity>; 3],
    inv_effective_mass: DMat3,
}

impl Learned {
    pub(super) fn linkage(&self) -> &Linkage {
        &self.linkage
    }

    /// The linkage to fit it to other places; what was known is forgotten.
    pub(super) fn forget(&mut self) -> &mut Linkage {
        self.known.get_mut().clear();
        &mut self.linkage
    }

    /// The same linkage with limits and motors that hold against pushes.
    pub(super) fn braced(&self, acts: &Acts) -> Self {
        Self { linkage: self.linkage.clone(), acts: acts.clone(), known: RefCell::default() }
    }

    fn answer(&self, bodies: [usize; 2], point: DVec3) -> Rc<Answer> {
        let place = (bodies, point.to_array().map(f64::to_bits));
        if let Some(answer) = self.known.borrow().get(&place) {
            return Rc::clone(answer);
        }
        let mut columns = self.linkage.columns(bodies, point);
        if !self.acts.is_empty() {
            columns.iter_mut().for_each(|column| self.linkage.braced(column, &self.acts));
        }
        let inv_effective_mass = self.linkage.inv_effective_mass_of(&columns, bodies, point);
        let answer = Rc::new(Answer { columns, inv_effective_mass });
        self.known.borrow_mut().insert(place, Rc::clone(&answer));
        answer
    }
}

impl Response for Learned {
    fn inv_effective_mass(&self, bodies: [usize; 2], point: DVec3) -> DMat3 {
        self.answer(bodies, point).inv_effective_mass
    }

    fn rigid(&self, bodies: [usize; 2], point: DVec3) -> f64 {
        self.linkage.rigid(bodies, point)
    }

    fn push(&self, velocities: &mut [Velocity], bodies: [usize; 2], point: DVec3, impulse: DVec3) {
        let answer = self.answer(bodies, point);
        for (column, share) in answer.columns.iter().zip(impulse.to_array()) {
            for (velocity, change) in velocities.iter_mut().zip(column) {
                *velocity = velocity.plus(&change.times(share));
            }
        }
    }

    fn approach(&self, velocities: &[Velocity], bodies: [usize; 2], point: DVec3) -> DVec3 {
        self.linkage.approach(velocities, bodies, point)
    }
}
