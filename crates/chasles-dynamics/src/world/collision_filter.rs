//! Which bodies collide: groups and masks, pairs that are left out, and a rule of the caller.

use std::fmt;
use std::sync::Arc;

use chasles::query::Filter;

use super::{BodyId, ChangeError, World};

/// A rule of the caller: which pairs may collide.
#[derive(Clone)]
pub(super) struct Rule(Arc<dyn Fn(BodyId, BodyId) -> bool + Send + Sync>);

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rule")
    }
}

impl World {
    /// Lets two bodies pass through each other. For many pairs, [groups](World::set_filter) cost
    /// less.
    ///
    /// *Accepts* any handles, also twice. *Guarantees* that they do not collide any more, and that
    /// they wake up: one may lie on the other. *Cost* logarithmic in the pairs that do not collide.
    /// *Fails* never: false, and nothing has changed, if a body is not there.
    pub fn ignore(&mut self, a: BodyId, b: BodyId) -> bool {
        let Some(pair) = self.pair(a, b) else { return false };
        self.ignored.insert(pair);
        pair.into_iter().for_each(|slot| self.rouse(slot));
        true
    }

    /// Lets two bodies collide again that were [ignored](World::ignore).
    ///
    /// *Accepts* any handles. *Guarantees* that the next step finds out whether they overlap.
    /// *Cost* as [`World::ignore`]. *Fails* never: false if they were not ignored.
    pub fn heed(&mut self, a: BodyId, b: BodyId) -> bool {
        let Some(pair) = self.pair(a, b) else { return false };
        let was_ignored = self.ignored.remove(&pair);
        if was_ignored {
            pair.into_iter().for_each(|slot| self.renew(slot));
        }
        was_ignored
    }

    /// Lets two bodies pass through each other if they overlap when the next step begins; otherwise
    /// they collide from then on.
    ///
    /// So linkages may be made of crude shapes: a pin in a box without a hole. [`World::ignored`]
    /// tells which pairs it were, after [`World::check`] or a step.
    ///
    /// *Accepts* any handles, also twice. *Guarantees* what [`World::ignore`] does, for pairs that
    /// overlap. *Cost* as that, and a query in the next check. *Fails* as that.
    pub fn ignore_inside(&mut self, a: BodyId, b: BodyId) -> bool {
        let Some(pair) = self.pair(a, b) else { return false };
        self.ignored_inside.insert(pair);
        pair.into_iter().for_each(|slot| self.renew(slot));
        true
    }

    /// Two bodies that are there, the smaller slot first.
    fn pair(&self, a: BodyId, b: BodyId) -> Option<[usize; 2]> {
        let [a, b] = [self.slots.slot(a)?, self.slots.slot(b)?];
        Some([a.min(b), a.max(b)])
    }

    /// Pairs that pass through each other, each with the smaller place first, in order. Those that
    /// [overlap at the start](World::ignore_inside) are among them once the world is checked; those
    /// that filters part are not.
    pub fn ignored(&self) -> impl Iterator<Item = [BodyId; 2]> {
        self.ignored.iter().map(|pair| pair.map(|slot| self.slots.id(slot)))
    }

    /// Puts a body into groups, and says which groups it collides with.
    ///
    /// *Accepts* any filter: bodies collide if each is in a group of the other's mask. *Guarantees*
    /// that what it touches wakes up, and that the next step finds out whether it overlaps what it
    /// collides with now. *Cost* linear in the bodies. *Fails* if the body is not there.
    pub fn set_filter(&mut self, id: BodyId, filter: Filter) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        self.bodies[slot].filter = filter;
        self.renew(slot);
        self.wake_beside(slot);
        Ok(())
    }

    /// Lets only those pairs collide that a rule admits, besides groups and ignored pairs.
    ///
    /// *Accepts* a rule that gives the same answer for the same pair, in either order, until
    /// another is set. It is asked often, from many threads. *Guarantees* that all bodies wake up,
    /// and that the next step finds out whether any overlap that collide now. *Cost* linear in the
    /// bodies. *Fails* never.
    ///
    /// ```
    /// use chasles_dynamics::world::{Body, Options, Shape, World};
    /// let mut world = World::new(Options::default());
    /// let [a, b] = [(); 2].map(|()| world.add(Body::fixed(Shape::sphere(0.5).expect("a ball"))));
    /// world.collide_if(move |first, second| ![first, second].contains(&a));
    /// assert!(!world.collides(a, b));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn collide_if(&mut self, rule: impl Fn(BodyId, BodyId) -> bool + Send + Sync + 'static) {
        self.rule = Some(Rule(Arc::new(rule)));
        self.renew_all();
    }

    /// Lets all pairs collide again that only a [rule](World::collide_if) kept from it.
    pub fn collide_freely(&mut self) {
        self.rule = None;
        self.renew_all();
    }

    fn renew_all(&mut self) {
        (0..self.bodies.len()).for_each(|slot| {
            self.renew(slot);
            self.rouse(slot);
        });
    }

    /// Has the next check look at a body as if it had just come.
    pub(super) fn renew(&mut self, slot: usize) {
        self.bodies[slot].is_new = true;
        self.is_checked = false;
    }

    /// Whether two bodies keep apart: neither is one that all others pass through, their filters
    /// and the rule admit each other, and they are not [ignored](World::ignore).
    ///
    /// *Accepts* any handles. *Cost* logarithmic in the pairs that do not collide. *Fails* never.
    pub fn collides(&self, a: BodyId, b: BodyId) -> bool {
        self.pair(a, b).is_some_and(|pair| self.meet(pair))
    }

    /// The same for the bodies in two slots, the smaller one first.
    pub(super) fn meet(&self, pair: [usize; 2]) -> bool {
        let [a, b] = pair.map(|slot| &self.bodies[slot]);
        let is_solid = !a.is_intangible && !b.is_intangible;
        is_solid && !self.ignored.contains(&pair) && self.admits(pair)
    }

    /// Whether filters and the rule let two bodies meet.
    pub(super) fn admits(&self, pair: [usize; 2]) -> bool {
        let [a, b] = pair.map(|slot| self.bodies[slot].filter);
        let [first, second] = pair.map(|slot| self.slots.id(slot));
        a.admits(b) && self.rule.as_ref().is_none_or(|Rule(rule)| rule(first, second))
    }
}
