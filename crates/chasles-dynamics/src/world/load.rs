//! What a caller does to bodies between steps: forces that last, blows, and other ways to go.

use glam::DVec3;

use super::body::{Body, Kind};
use super::broad::radius_about;
use super::{BodyId, ChangeError, World};
use crate::body::{Locks, Velocity};

/// A force on the centre of mass of a body, in newtons, and a torque, in newton metres; both in the
/// world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Load {
    /// Through the centre of mass.
    pub force: DVec3,
    /// About the centre of mass.
    pub torque: DVec3,
}

impl Load {
    /// A force at a point of a body with its centre of mass here.
    ///
    /// *Accepts* any vectors. *Guarantees* the force and its torque about the centre. *Cost*
    /// constant. *Fails* never.
    pub fn at(force: DVec3, point: DVec3, centre: DVec3) -> Self {
        Self { force, torque: (point - centre).cross(force) }
    }

    pub(super) fn is_finite(&self) -> bool {
        self.force.is_finite() && self.torque.is_finite()
    }
}

impl World {
    /// Loads a dynamic body from now on, besides gravity, in place of what loaded it before.
    ///
    /// *Accepts* any load; a step refuses one that is not finite. *Guarantees* that the load is
    /// constant in the world frame until the next call, and that the body wakes up if it is another
    /// than before. Bodies that forces do not move keep it for when they do. *Cost* constant.
    /// *Fails* never: false if the body is not there.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use chasles::mesh::shapes::{Cuboid, Shape};
    /// use chasles::Collider;
    /// use chasles_dynamics::body::MassProperties;
    /// use chasles_dynamics::world::{Body, Load, Options, World};
    /// use glam::DVec3;
    ///
    /// let cube = Shape::Box(Cuboid::default()).build()?;
    /// let mass_properties = MassProperties::of_mesh(&cube, 1.0)?;
    /// let mut world = World::new(Options::default());
    /// let id = world.add(Body::dynamic(Arc::new(Collider::new(cube)), mass_properties));
    /// // As much as the weight of a kilogram, upwards: it hovers.
    /// world.load(id, Load { force: DVec3::Z * 9.81 * mass_properties.mass(), ..Load::default() });
    /// world.step(0.1)?;
    /// assert!(world.bodies()[id.0].pose().position().length() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(&mut self, id: BodyId, load: Load) -> bool {
        let Some(slot) = self.slots.slot(id) else { return false };
        if self.bodies[slot].load != load {
            self.bodies[slot].load = load;
            self.rouse(slot);
        }
        true
    }

    /// Adds a force at a point of the world to what loads a body, until the next
    /// [`load`](World::load).
    ///
    /// *Accepts* any vectors; a step refuses ones that are not finite. *Guarantees* the force
    /// through the centre of mass, and the torque that it has about that now: the point does not
    /// move along with the body. *Cost* constant. *Fails* never: false if the body is not there.
    pub fn apply_force(&mut self, id: BodyId, force: DVec3, point: DVec3) -> bool {
        let Some(body) = self.body(id) else { return false };
        let (load, more) = (body.load, Load::at(force, point, body.centre()));
        let [force, torque] = [load.force + more.force, load.torque + more.torque];
        self.load(id, Load { force, torque })
    }

    /// The older name of [`World::apply_force`].
    #[deprecated(note = "it is `apply_force`")]
    pub fn push(&mut self, id: BodyId, force: DVec3, point: DVec3) -> bool {
        self.apply_force(id, force, point)
    }

    /// Gives a dynamic body an angular impulse, in newton metre seconds.
    ///
    /// *Accepts*, *Guarantees*, *Cost* and *Fails* as [`World::apply_impulse`].
    pub fn apply_angular_impulse(&mut self, id: BodyId, impulse: DVec3) -> bool {
        let Some(slot) = self.slots.slot(id) else { return false };
        let body = &mut self.bodies[slot];
        body.state.velocity.angular += body.inertia().inv_inertia * impulse;
        self.rouse(slot);
        true
    }

    /// The older name of [`World::apply_angular_impulse`].
    #[deprecated(note = "it is `apply_angular_impulse`")]
    pub fn spin(&mut self, id: BodyId, impulse: DVec3) -> bool {
        self.apply_angular_impulse(id, impulse)
    }

    /// Gives a dynamic body an impulse at a point of the world, in newton seconds.
    ///
    /// *Accepts* any vectors; a step refuses velocities that are not finite. *Guarantees* that
    /// linear and angular momentum change by just this, and that the body wakes up; others are not
    /// moved. *Cost* constant. *Fails* never: false if the body is not there.
    pub fn apply_impulse(&mut self, id: BodyId, impulse: DVec3, point: DVec3) -> bool {
        let Some(slot) = self.slots.slot(id) else { return false };
        let body = &mut self.bodies[slot];
        let change = body.inertia().answer(point, impulse);
        body.state.velocity = body.state.velocity.plus(&change);
        self.rouse(slot);
        true
    }

    /// The older name of [`World::apply_impulse`].
    #[deprecated(note = "it is `apply_impulse`")]
    pub fn kick(&mut self, id: BodyId, impulse: DVec3, point: DVec3) -> bool {
        self.apply_impulse(id, impulse, point)
    }

    /// Has something else move a body from now on: a route, forces, or nothing.
    ///
    /// So a body that was on a route is dynamic for the duration of a collision only [MW88 §3.3]:
    /// one of [`Kind::Yielding`] is dynamic once it is hit, the impacts of the step's report name
    /// it, and when its collision is over the caller steers it back.
    ///
    /// *Accepts* any kind; the time of a route is 0 now, and where it then is, the body must be, to
    /// within the gap that is kept to it ([`Options::zone`](super::Options::zone) of its size).
    /// *Guarantees* that the body is where it was, and that a dynamic one goes on as it moved: what
    /// was the velocity of its origin on a route becomes that of its centre of mass. *Cost*
    /// constant; where a static body becomes another, the next step finds out again whether bodies
    /// overlap. *Fails* if the route begins elsewhere, or the body is not there; nothing has
    /// changed then.
    pub fn steer(&mut self, id: BodyId, kind: Kind) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        let body = &mut self.bodies[slot];
        let distance = jump(body, &kind);
        if distance > self.options.zone * body.size() {
            return Err(ChangeError::NotAtRouteStart { body: id, distance });
        }
        let gives_way = |kind: &Kind| matches!(kind, Kind::Dynamic(_) | Kind::Yielding(..));
        // Bodies that do not give way may have been let through each other.
        let may_be_in = gives_way(&kind) && !gives_way(&body.kind);
        let is_new = may_be_in || !body.is_movable();
        body.is_new |= is_new;
        self.is_checked &= !is_new;
        let before = body.centre();
        body.kind = kind;
        body.state.velocity = match body.kind {
            Kind::Static => Velocity::ZERO,
            _ => body.allowed(&body.state.velocity.about(before, body.centre())),
        };
        body.state.on_route = 0.0;
        self.wake_beside(slot);
        Ok(())
    }

    /// Keeps a body from moving in some directions of the world from now on, instead of those that
    /// were locked before.
    ///
    /// *Accepts* any locks; a body without mass keeps none. *Guarantees* that the speed in locked
    /// directions is gone and that in others stays, and that the body wakes up. *Cost* constant.
    ///
    /// # Panics
    ///
    /// If the body is not of this world.
    pub fn lock(&mut self, id: BodyId, locks: Locks) {
        self.bodies[id.0].set_locks(locks);
        self.wake(id);
    }

    /// Wakes a body that sleeps.
    ///
    /// *Guarantees* that it is looked at in the next step, and those that it touches with it.
    /// *Cost* constant. *Fails* never: false if the body is not there.
    pub fn wake(&mut self, id: BodyId) -> bool {
        let slot = self.slots.slot(id);
        slot.inspect(|slot| self.rouse(*slot)).is_some()
    }
}

/// How far a point of a body would have to go, at most, to be where a kind has it at the start.
fn jump(body: &Body, kind: &Kind) -> f64 {
    let (Kind::Kinematic(route) | Kind::Yielding(route, _)) = kind else { return 0.0 };
    let [from, to] = [body.pose(), route.pose_at(0.0)];
    // Twice the sine of half the angle is the chord that a point at distance 1 goes.
    let chord = 2.0 * (to.rotation() * from.rotation().conjugate()).xyz().length();
    from.position().distance(to.position()) + chord * radius_about(body, DVec3::ZERO)
}
