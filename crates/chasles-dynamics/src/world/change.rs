//! Bodies and joints that are removed, moved elsewhere or changed while a world runs.

use chasles::Pose;
use chasles::query::{self, Overlap};
use glam::DVec3;
use thiserror::Error;

use super::body::{Body, Kind};
use super::broad::{Bounds, pairs};
use super::{BodyId, JointId, State, Stepping, World, WorldError};
use crate::body::{BodyError, Material, Velocity};
use crate::linkage::{Joint, JointError};

/// Why a body or a joint is not changed; nothing has changed then.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum ChangeError {
    /// The body was removed, or is of another world.
    #[error("there is no body {0}: it was removed, or is of another world")]
    NoBody(BodyId),
    /// The joint was removed, or is of another world.
    #[error("there is no joint {0}: it was removed, or is of another world")]
    NoJoint(JointId),
    /// A route begins elsewhere than where its body is.
    #[error(
        "the route begins {distance} m from where body {body} is: begin it at the pose of the body"
    )]
    NotAtRouteStart {
        /// The body that is to follow it.
        body: BodyId,
        /// How far a point of the body would have to go, at most, in metres.
        distance: f64,
    },
    /// A body that follows a route is only where that leads.
    #[error("body {0} follows a route: steer it before it is placed")]
    OnRoute(BodyId),
    /// A pose or velocity that no body can have.
    #[error("body {0} cannot be there: its pose or velocity is not finite, or beyond 1e100")]
    Lost(BodyId),
    /// The body would overlap another.
    #[error("body {body} would overlap body {with} there")]
    Overlap {
        /// The body that is refused.
        body: BodyId,
        /// A body that is in its way.
        with: BodyId,
    },
    /// A mass that no body has, or a mass for a body that forces do not move.
    #[error("body {0} cannot have this mass: {1}")]
    Mass(BodyId, BodyError),
    /// Forces do not move the body.
    #[error("forces do not move body {0}, so it has no mass to change")]
    Massless(BodyId),
    /// The joint cannot be changed so.
    #[error("joint {0} cannot be changed so: {1}")]
    Joint(JointId, JointError),
}

/// Bodies whose boxes are this share of a body's size from its own may touch it.
const BESIDE: f64 = 0.05;

impl World {
    /// Adds a body if it overlaps none that it collides with.
    ///
    /// *Accepts* any body. *Guarantees* that the next step does not fail because of it. *Cost*
    /// logarithmic in the bodies, and a query for each whose box overlaps. *Fails* if it overlaps
    /// another, or is not finite; the world is as before then.
    ///
    /// ```
    /// use chasles::round::Round;
    /// use chasles_dynamics::body::MassProperties;
    /// use chasles_dynamics::world::{Body, ChangeError, Options, Shape, World};
    /// let mut world = World::new(Options::default());
    /// let first = world.try_add(Body::fixed(Shape::sphere(0.5)?))?;
    /// let mass_properties = MassProperties::of_round(&Round::sphere(0.5)?, 1.0)?;
    /// let refused = world.try_add(Body::dynamic(Shape::sphere(0.5)?, mass_properties));
    /// assert!(matches!(refused, Err(ChangeError::Overlap { with, .. }) if with == first));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_add(&mut self, body: Body) -> Result<BodyId, ChangeError> {
        let was_checked = self.is_checked;
        let id = self.add(body);
        let slot = id.index();
        let state = self.bodies[slot].state;
        let found = match state.is_possible() {
            true => self.in_the_way(slot, &state.pose).map_or(Ok(()), |with| {
                Err(ChangeError::Overlap { body: id, with: self.slots.id(with) })
            }),
            false => Err(ChangeError::Lost(id)),
        };
        if let Err(error) = found {
            self.vacate(slot);
            self.is_checked = was_checked;
            return Err(error);
        }
        self.bodies[slot].is_new = false;
        self.is_checked = was_checked && self.sheets.is_empty();
        Ok(id)
    }

    /// Removes a body, with its joints and all that is known of its contacts.
    ///
    /// *Accepts* any handle. *Guarantees* that what it touched wakes up, and that the handle is of
    /// nobody from now on. *Cost* linear in the bodies and their contacts. *Fails* never: none if
    /// the body is not there.
    ///
    /// ```
    /// use chasles_dynamics::world::{Body, Options, Shape, World};
    /// let mut world = World::new(Options::default());
    /// let ball = world.add(Body::fixed(Shape::sphere(0.5)?));
    /// assert!(world.remove(ball).is_some());
    /// let other = world.add(Body::fixed(Shape::sphere(1.0)?));
    /// assert!(world.body(ball).is_none() && world.body(other).is_some() && ball != other);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: BodyId) -> Option<Body> {
        let slot = self.slots.slot(id)?;
        self.wake_beside(slot);
        let of_body = |(_, joint): &(JointId, &Joint)| joint.bodies().contains(&slot);
        let joints: Vec<JointId> =
            self.joint_ids().filter(of_body).map(|(joint, _)| joint).collect();
        joints.into_iter().for_each(|joint| {
            self.unlink(joint);
        });
        Some(self.vacate(slot))
    }

    /// Takes a body out of its slot, and forgets what is known of its pairs.
    fn vacate(&mut self, slot: usize) -> Body {
        let is_other = |pair: &[usize; 2]| !pair.contains(&slot);
        self.ignored.retain(is_other);
        self.ignored_inside.retain(is_other);
        self.forget(slot);
        self.end_contacts(slot);
        self.end_passages(slot);
        self.surfaces.truncate(slot);
        self.slots.give(slot);
        self.tree.take(slot);
        std::mem::replace(&mut self.bodies[slot], Body::vacant())
    }

    /// Forgets what is known of the contacts of a body.
    fn forget(&mut self, slot: usize) {
        self.forces.retain(|pair, _| !pair.contains(&slot));
        self.reaches.retain(|pair, _| !pair.contains(&slot));
        self.manifolds.retain(|pair, _| !pair.contains(&slot));
    }

    /// Removes a joint; its bodies wake up.
    ///
    /// *Accepts* any handle. Bodies that were let through each other since they overlapped when
    /// they were linked stay so. *Cost* linear in the joints. *Fails* never: none if the joint is
    /// not there.
    pub fn unlink(&mut self, id: JointId) -> Option<Joint> {
        let place = self.joint_place(id)?;
        let joint = self.joints.remove(place);
        self.joint_ids.remove(place);
        self.strengths.remove(&id);
        joint.bodies().into_iter().for_each(|slot| self.rouse(slot));
        Some(joint)
    }

    /// Changes limits and motors of a joint; its bodies wake up.
    ///
    /// *Accepts* any function of the joint; the bodies stay those that it links. *Cost* constant.
    /// *Fails* if the joint is not there, or where the function does.
    ///
    /// ```
    /// # use chasles_dynamics::linkage::{Anchor, Joint};
    /// # use chasles_dynamics::world::{Body, Options, Shape, World};
    /// # let mut world = World::new(Options::default());
    /// # let [a, b] = [0.0, 2.0].map(|x| {
    /// #     let pose = chasles::Pose::from_position([x, 0.0, 0.0]).expect("finite");
    /// #     world.add(Body::fixed(Shape::sphere(0.5).expect("a ball")).at(pose))
    /// # });
    /// # let anchors = [Anchor::at([1.0, 0.0, 0.0])?, Anchor::at([-1.0, 0.0, 0.0])?];
    /// let hinge = world.join(Joint::hinge([a.0, b.0], anchors)?)?;
    /// world.change_joint(hinge, |joint| joint.drive_angle(2.0, 10.0))?;
    /// world.change_joint(hinge, |joint| joint.undriven().limit_angle(-1.0, 1.0))?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn change_joint(
        &mut self,
        id: JointId,
        change: impl FnOnce(Joint) -> Result<Joint, JointError>,
    ) -> Result<(), ChangeError> {
        let place = self.joint_place(id).ok_or(ChangeError::NoJoint(id))?;
        let bodies = self.joints[place].bodies();
        let changed = change(self.joints[place]).map_err(|error| ChangeError::Joint(id, error))?;
        self.joints[place] = changed.between(bodies);
        bodies.into_iter().for_each(|slot| self.rouse(slot));
        Ok(())
    }

    /// Puts a body elsewhere at once, with another velocity.
    ///
    /// *Accepts* any pose of a body that follows no route. *Guarantees* that what it touched wakes
    /// up, and that nothing is passed on the way: it is there without having gone there. Joints
    /// draw it back. *Cost* logarithmic in the bodies, and a query for each whose box overlaps
    /// there. *Fails* if the body is not there, follows a route, or would overlap one that it
    /// collides with.
    ///
    /// ```
    /// use chasles_dynamics::body::Velocity;
    /// use chasles_dynamics::world::{Body, Options, Shape, World};
    /// let mut world = World::new(Options::default());
    /// let ball = world.add(Body::fixed(Shape::sphere(0.5)?));
    /// let elsewhere = chasles::Pose::from_position([3.0, 0.0, 0.0])?;
    /// world.place(ball, elsewhere, Velocity::ZERO)?;
    /// assert_eq!(world.body(ball).map(Body::pose), Some(elsewhere));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(&mut self, id: BodyId, pose: Pose, velocity: Velocity) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        if self.bodies[slot].route().is_some() {
            return Err(ChangeError::OnRoute(id));
        }
        let state = State { pose, velocity, ..self.bodies[slot].state };
        if !state.is_possible() {
            return Err(ChangeError::Lost(id));
        }
        if let Some(with) = self.in_the_way(slot, &pose) {
            return Err(ChangeError::Overlap { body: id, with: self.slots.id(with) });
        }
        self.wake_beside(slot);
        self.forget(slot);
        self.bodies[slot].state = state;
        self.keep(slot);
        self.is_checked &= self.sheets.is_empty();
        self.wake_beside(slot);
        Ok(())
    }

    /// Makes a body of something else; what it touches wakes up.
    ///
    /// *Accepts* any material. *Cost* logarithmic in the bodies. *Fails* if the body is not there.
    pub fn set_material(&mut self, id: BodyId, material: Material) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        self.bodies[slot].material = material;
        self.wake_beside(slot);
        Ok(())
    }

    /// Gives a dynamic body another mass, with its inertia in proportion; velocities stay.
    ///
    /// *Accepts* a positive mass. *Cost* linear in the bodies. *Fails* for others, if the body is
    /// not there, and if forces do not move it. [`World::steer`] changes centre and inertia.
    pub fn set_mass(&mut self, id: BodyId, mass: f64) -> Result<(), ChangeError> {
        let slot = self.slots.slot(id).ok_or(ChangeError::NoBody(id))?;
        let (Kind::Dynamic(mass_properties) | Kind::Yielding(_, mass_properties)) =
            &mut self.bodies[slot].kind
        else {
            return Err(ChangeError::Massless(id));
        };
        *mass_properties =
            mass_properties.with_mass(mass).map_err(|error| ChangeError::Mass(id, error))?;
        self.wake_beside(slot);
        Ok(())
    }

    /// Lets gravity pull otherwise from the next step on; all bodies wake up.
    ///
    /// *Accepts* any vector; a step refuses one that is not finite. *Cost* linear in the bodies.
    /// *Fails* never.
    pub fn set_gravity(&mut self, gravity: DVec3) {
        self.set_options(super::Options { gravity, ..self.options });
    }

    /// Pairs of bodies that overlap and have not been in the world together before, in order.
    fn overlapping(&self) -> Vec<[usize; 2]> {
        let boxes: Vec<Bounds> = self.bodies.iter().map(|b| Bounds::of(b, &b.pose())).collect();
        let mut memory = query::Workspace::new();
        let mut found = pairs(&boxes, |i| self.bodies[i].is_new);
        found.retain(|&pair| {
            self.keeps_apart(pair)
                && self.overlap(pair, pair.map(|i| self.bodies[i].pose()), &mut memory)
        });
        found
    }

    /// Whether two bodies may not overlap: they can come to each other and do not pass through.
    fn keeps_apart(&self, pair: [usize; 2]) -> bool {
        let [a, b] = pair.map(|i| &self.bodies[i]);
        let gives_way = a.is_dynamic() || a.yields() || b.is_dynamic() || b.yields();
        self.may_meet(pair) && (gives_way || self.options.stepping != Stepping::Windows)
    }

    /// Whether two bodies overlap at these poses.
    fn overlap(&self, pair: [usize; 2], poses: [Pose; 2], memory: &mut query::Workspace) -> bool {
        let [a, b] = pair.map(|i| self.bodies[i].geometry());
        query::overlaps(a, b, poses, memory).is_ok_and(Overlap::is_overlapping)
    }

    /// The first body that one would overlap at a pose.
    fn in_the_way(&self, slot: usize, pose: &Pose) -> Option<usize> {
        let around = Bounds::of(&self.bodies[slot], pose);
        let mut memory = query::Workspace::new();
        self.reaching(&around).into_iter().filter(|&i| i != slot).find(|&i| {
            let pair = [slot.min(i), slot.max(i)];
            let poses = pair.map(|j| if j == slot { *pose } else { self.bodies[j].pose() });
            self.keeps_apart(pair) && self.overlap(pair, poses, &mut memory)
        })
    }

    /// Finds bodies that overlap: those that may are ignored from now on.
    pub(super) fn check_apart(&mut self) -> Result<(), WorldError> {
        let mut inside = self.overlapping();
        inside.retain(|pair| {
            !self.ignored_inside.contains(pair) || {
                self.ignored.insert(*pair);
                false
            }
        });
        if let Some([a, b]) = inside.first() {
            return Err(WorldError::Overlap(BodyId(*a), BodyId(*b)));
        }
        self.ignored_inside.clear();
        self.bodies.iter_mut().for_each(|body| body.is_new = false);
        Ok(())
    }

    /// Removes bodies that overlap others: the body that came later, and with whom it overlapped.
    ///
    /// So a world goes on after [`WorldError::Overlap`]. Of two bodies of which one was in an
    /// earlier step, the other is removed; of two new ones, that in the higher
    /// [place](BodyId::index).
    ///
    /// *Accepts* any world. *Guarantees* that the next step does not fail because bodies overlap.
    /// *Cost* as [`World::check`]. *Fails* never.
    pub fn remove_overlapping(&mut self) -> Vec<[BodyId; 2]> {
        let mut removed = Vec::new();
        for [a, b] in self.overlapping() {
            let is_there = self.slots.is_taken(a) && self.slots.is_taken(b);
            if !is_there || self.ignored_inside.contains(&[a, b]) {
                continue;
            }
            let [stays, goes] = if self.bodies[b].is_new { [a, b] } else { [b, a] };
            let [stays, goes] = [stays, goes].map(|slot| self.slots.id(slot));
            self.remove(goes);
            removed.push([goes, stays]);
        }
        removed
    }

    /// Wakes a body, and all that may touch it.
    pub(super) fn wake_beside(&mut self, slot: usize) {
        let body = &self.bodies[slot];
        let reach = self.options.springs.map_or(0.0, |springs| springs.reach);
        let around = Bounds::of(body, &body.pose()).grown((BESIDE + reach) * body.size());
        self.reaching(&around).into_iter().for_each(|i| self.rouse(i));
    }

    /// Wakes the body in a slot.
    pub(super) fn rouse(&mut self, slot: usize) {
        let body = &mut self.bodies[slot];
        body.is_asleep = false;
        body.still_for = 0.0;
    }
}
