//! Conveyors: bodies whose surface runs along while they stay.
//!
//! Friction acts against the motion of surfaces, and a belt adds to that of its body: where it
//! touches another, the part of its velocity along the contact plane. The solvers see the relative
//! velocity of two bodies at a touch; that of a belt is given to them by a member that is not
//! there, which answers as the body does and moves along its belt besides.

use glam::{DMat3, DVec3};

use super::island::Island;
use super::{BodyId, ChangeError, World};
use crate::body::Velocity;
use crate::impulse::{Response, Touch};

impl World {
    /// Lets the surface of a body run along with this velocity, in the frame of the body; what
    /// touches it wakes up.
    ///
    /// Friction carries what lies on it, up to that speed; impacts have the friction of a surface
    /// that stands.
    ///
    /// *Accepts* any vector; a step refuses one that is not finite. *Cost* linear in the bodies.
    /// *Fails* if the body is not there.
    pub fn set_surface_velocity(&mut self, id: BodyId, velocity: DVec3) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        self.bodies[slot].belt = velocity;
        self.wake_beside(slot);
        Ok(())
    }
}

/// Members, and behind them for each touch with a belt another that answers as one of its bodies.
pub(super) struct Belted<'r, R> {
    inner: &'r R,
    /// The member that each number stands for.
    members: Vec<usize>,
    count: usize,
}

impl<R> Belted<'_, R> {
    fn member(&self, body: usize) -> usize {
        if body < self.count { body } else { self.members[body - self.count] }
    }

    /// How fast the belt of a number runs, as far as these are velocities and not changes of them.
    fn belt(&self, velocities: &[Velocity], body: usize) -> DVec3 {
        if body < self.count { DVec3::ZERO } else { velocities[body].linear }
    }
}

impl<R: Response> Response for Belted<'_, R> {
    fn inv_effective_mass(&self, bodies: [usize; 2], point: DVec3) -> DMat3 {
        self.inner.inv_effective_mass(bodies.map(|i| self.member(i)), point)
    }

    fn rigid(&self, bodies: [usize; 2], point: DVec3) -> f64 {
        self.inner.rigid(bodies.map(|i| self.member(i)), point)
    }

    fn push(&self, velocities: &mut [Velocity], bodies: [usize; 2], point: DVec3, impulse: DVec3) {
        let bodies = bodies.map(|i| self.member(i));
        self.inner.push(&mut velocities[..self.count], bodies, point, impulse);
    }

    fn approach(&self, velocities: &[Velocity], bodies: [usize; 2], point: DVec3) -> DVec3 {
        let [first, second] = bodies.map(|i| self.belt(velocities, i));
        let members = bodies.map(|i| self.member(i));
        self.inner.approach(&velocities[..self.count], members, point) + first - second
    }

    fn may_move(&self, pushed: [usize; 2], body: usize) -> bool {
        self.inner.may_move(pushed.map(|i| self.member(i)), self.member(body))
    }
}

impl Island<'_> {
    /// How fast the belt of the first of a pair runs along a plane, as that of the second sees it.
    fn belt_along(&self, pair: [usize; 2], normal: DVec3) -> DVec3 {
        let [a, b] = pair.map(|i| self.states[i].pose.vector(self.body(i).belt));
        (a - b).reject_from_normalized(normal)
    }

    /// Whether a member has a belt.
    pub(super) fn has_belts(&self) -> bool {
        (0..self.states.len()).any(|i| self.body(i).belt != DVec3::ZERO)
    }

    /// Calls a solver of touches with the belts that they have: with the response, the velocities
    /// and the touches for it.
    pub(super) fn on_belts<R: Response, T>(
        &self,
        response: &R,
        velocities: &mut Vec<Velocity>,
        solve: impl FnOnce(&Belted<'_, R>, &mut [Velocity], &[Touch]) -> T,
    ) -> T {
        let count = velocities.len();
        let mut belted = Belted { inner: response, members: Vec::new(), count };
        let mut touches = self.touches.clone();
        for touch in &mut touches {
            let linear = self.belt_along(touch.bodies, touch.normal);
            if linear != DVec3::ZERO {
                // Of a pair it is the one that stands, so that bodies which answer keep their
                // number.
                let side = usize::from(self.is_dynamic(touch.bodies[0]));
                let linear = if side == 0 { linear } else { -linear };
                belted.members.push(touch.bodies[side]);
                touch.bodies[side] = velocities.len();
                velocities.push(Velocity { linear, angular: DVec3::ZERO });
            }
        }
        let solved = solve(&belted, velocities, &touches);
        velocities.truncate(count);
        solved
    }
}
