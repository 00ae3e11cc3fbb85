//! Bodies with mass, in a world where nothing interpenetrates.
//!
//! ```text
//! components that changed -> world -> step -> transforms, velocities, messages
//! ```

use std::collections::BTreeMap;

use bevy_app::{App, FixedUpdate, Plugin};
use bevy_ecs::intern::Interned;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{ScheduleConfigs, ScheduleLabel};
use bevy_ecs::system::ScheduleSystem;
use bevy_transform::components::Transform;
use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::body::{self, MassProperties};
use chasles_dynamics::world::{
    Body, BodyId, ContactPoint, Filter, Kind, Options, Phase, Report, Route, Shape, World,
    WorldError,
};

use crate::collider::{Collider, Refusal, Refused};
use crate::contacts::Groups;
use crate::pose::{ExactPose, PoseError};
use crate::{ChaslesSystems, order};

/// Moves each [`RigidBody`] that has a [`Collider`].
///
/// By default it steps in `FixedUpdate`, which Bevy's `TimePlugin` runs at 64 Hz; the length of a
/// step is [`PhysicsWorld::step`]. An app without that plugin names another schedule:
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_chasles::{Collider, PhysicsPlugin, RigidBody};
/// use bevy_transform::components::Transform;
///
/// let mut app = App::new();
/// app.add_plugins(PhysicsPlugin::in_schedule(Update));
/// let world = app.world_mut();
/// world.spawn((RigidBody::Fixed, Collider::cuboid([9.0, 1.0, 9.0])?, Transform::default()));
/// let ball = (RigidBody::Dynamic { density: 1000.0 }, Collider::sphere(0.5)?);
/// let ball = world.spawn((ball, Transform::from_xyz(0.0, 2.0, 0.0))).id();
/// for _ in 0..192 {
///     app.update();
/// }
/// let height = app.world().get::<Transform>(ball).expect("it is there").translation.y;
/// assert!((1.0..1.01).contains(&height));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PhysicsPlugin {
    schedule: Interned<dyn ScheduleLabel>,
}

impl Default for PhysicsPlugin {
    fn default() -> Self {
        Self::in_schedule(FixedUpdate)
    }
}

impl PhysicsPlugin {
    /// Steps once whenever this schedule runs.
    pub fn in_schedule(schedule: impl ScheduleLabel) -> Self {
        Self { schedule: schedule.intern() }
    }
}

impl Plugin for PhysicsPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<PhysicsWorld>()
            .add_message::<PhysicsMessage>()
            .add_message::<PhysicsStepFailed>()
            .add_message::<Refused>()
            .add_systems(self.schedule, systems());
    }
}

fn systems() -> ScheduleConfigs<ScheduleSystem> {
    (remove_bodies, add_bodies, follow, step).chain().in_set(ChaslesSystems::Physics)
}

/// How an entity moves. It has a [`Collider`] and no parent.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(Transform, ExactPose, Velocity, Material)]
pub enum RigidBody {
    /// Forces and impulses move it.
    Dynamic {
        /// Of what it is made, in kilograms per cubic metre.
        density: f64,
    },
    /// It follows its transform within one step, and pushes dynamic bodies aside on the way.
    Kinematic,
    /// It stands still. Where its transform changes it is taken there at once.
    Fixed,
}

/// How fast a body moves: its centre of mass in metres a second, and about it in radians a second.
///
/// Written after each step; what you write in between counts for the next.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity {
    /// Of the centre of mass.
    pub linear: DVec3,
    /// About the centre of mass, in the world's frame.
    pub angular: DVec3,
}

/// What the surface of a body is made of.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Material(pub body::Material);

/// The world of all rigid bodies.
///
/// Joints, forces, rays and all else that [`World`] has are there for systems that run before or
/// after [`ChaslesSystems::Physics`]. Bodies are added and removed as entities alone.
#[derive(Resource)]
pub struct PhysicsWorld {
    /// The bodies, with gravity (9.81 along -y) and all options.
    pub world: World,
    /// The length of a step in seconds: that of Bevy's `Time<Fixed>`, which is 1/64 unless you
    /// change it.
    pub step: f64,
    members: BTreeMap<Entity, Member>,
    entities: BTreeMap<BodyId, Entity>,
}

struct Member {
    id: BodyId,
    velocity: Velocity,
}

impl Default for PhysicsWorld {
    fn default() -> Self {
        // Up is y in Bevy.
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        let mut world = World::new(Options { gravity, ..Options::default() });
        world.listen(true);
        Self { world, step: 1.0 / 64.0, members: BTreeMap::new(), entities: BTreeMap::new() }
    }
}

impl PhysicsWorld {
    /// The body of an entity; none if it has none, or was refused.
    pub fn body(&self, entity: Entity) -> Option<BodyId> {
        self.members.get(&entity).map(|member| member.id)
    }

    /// The entity of a body.
    pub fn entity(&self, body: BodyId) -> Option<Entity> {
        self.entities.get(&body).copied()
    }

    fn remove(&mut self, entity: Entity) {
        if let Some(member) = self.members.remove(&entity) {
            self.entities.remove(&member.id);
            self.world.remove(member.id);
        }
    }
}

/// Two bodies began to touch, went on, or parted.
#[derive(Message, Clone, Debug)]
pub struct PhysicsMessage {
    /// The bodies, in the order in which they were added.
    pub entities: [Entity; 2],
    /// Whether they began to touch, went on, or parted.
    pub phase: Phase,
    /// Where they pressed on each other last.
    pub points: Vec<ContactPoint>,
    /// What the first body got in the step, in newton seconds, and the second the opposite of.
    pub impulse: DVec3,
}

/// The world cannot step, and nothing has moved.
#[derive(Message, Clone, Debug)]
pub struct PhysicsStepFailed(pub WorldError);

/// Takes out of the world what is no rigid body any more, and what has become another.
fn remove_bodies(
    mut physics: ResMut<PhysicsWorld>,
    (mut bodies, mut colliders): (RemovedComponents<RigidBody>, RemovedComponents<Collider>),
    changed: Query<Entity, Or<(Changed<RigidBody>, Changed<Collider>)>>,
) {
    for entity in bodies.read().chain(colliders.read()).chain(&changed) {
        physics.remove(entity);
    }
}

type New<'w> = (
    Entity,
    &'w RigidBody,
    &'w Collider,
    &'w Material,
    &'w Velocity,
    Option<&'w Groups>,
    &'w mut Transform,
    &'w mut ExactPose,
    Has<ChildOf>,
);

/// Adds what is new or has changed, in the order of entities.
fn add_bodies(
    mut physics: ResMut<PhysicsWorld>,
    mut bodies: Query<New, Or<(Changed<RigidBody>, Changed<Collider>)>>,
    mut refused: MessageWriter<Refused>,
) {
    let mut bodies: Vec<_> = bodies.iter_mut().collect();
    bodies.sort_by_key(|body| order(body.0));
    for (entity, kind, collider, material, velocity, groups, mut transform, mut exact, is_child) in
        bodies
    {
        let pose = match is_child {
            true => Err(Refusal::Parent),
            false => exact.adopt(&transform).map_err(Refusal::Pose),
        };
        let made = pose.and_then(|pose| {
            let body = made_of(*kind, collider, pose)?
                .made_of(material.0)
                .moving(velocity.linear, velocity.angular)
                .filtered(groups.map_or_else(Filter::default, |groups| groups.0));
            Ok((pose, physics.world.try_add(body)?))
        });
        match made {
            Ok((pose, id)) => {
                exact.put(pose, &mut transform);
                physics.members.insert(entity, Member { id, velocity: *velocity });
                physics.entities.insert(id, entity);
            }
            Err(reason) => {
                refused.write(Refused { entity, reason });
            }
        }
    }
}

fn made_of(kind: RigidBody, collider: &Collider, pose: Pose) -> Result<Body, Refusal> {
    let geometry = &collider.0;
    let shape = match geometry.round() {
        Some(round) => Shape::try_from(*round)?,
        None => Shape::from(geometry.shared_core().ok_or(Refusal::Solid)?.0.clone()),
    };
    Ok(match kind {
        RigidBody::Fixed => Body::fixed(shape).at(pose),
        RigidBody::Kinematic => Body::kinematic(shape, Route::keys(vec![(0.0, pose)])?),
        RigidBody::Dynamic { density } => {
            let mass_properties = match geometry.round() {
                Some(round) => MassProperties::of_round(round, density)?,
                None => MassProperties::of_mesh(shape.drawn().mesh(), density)?,
            };
            Body::dynamic(shape, mass_properties).at(pose)
        }
    })
}

type Placed<'w> = (
    Entity,
    &'w RigidBody,
    Ref<'w, Material>,
    Option<Ref<'w, Groups>>,
    &'w Velocity,
    &'w mut Transform,
    &'w mut ExactPose,
);

/// Hands on what systems of the app have changed: poses, velocities, materials, groups.
fn follow(
    mut physics: ResMut<PhysicsWorld>,
    mut bodies: Query<Placed>,
    mut refused: MessageWriter<Refused>,
) {
    let mut bodies: Vec<_> = bodies.iter_mut().collect();
    bodies.sort_by_key(|body| order(body.0));
    let step = physics.step;
    for (entity, kind, material, groups, velocity, mut transform, mut exact) in bodies {
        let Some(member) = physics.members.get_mut(&entity) else { continue };
        let id = member.id;
        let is_pushed = std::mem::replace(&mut member.velocity, *velocity) != *velocity;
        let velocity = body::Velocity { linear: velocity.linear, angular: velocity.angular };
        let world = &mut physics.world;
        let mut change = || -> Result<(), Refusal> {
            if material.is_changed() {
                world.set_material(id, material.0)?;
            }
            if let Some(groups) = groups.filter(|groups| groups.is_changed()) {
                world.set_filter(id, groups.0)?;
            }
            let Some(before) = exact.pose() else { return Ok(()) };
            let is_moved = exact.if_unchanged(&transform).is_none();
            let to = if is_moved { adopted(&mut exact, &transform)? } else { before };
            match kind {
                RigidBody::Kinematic => {
                    let here = world.body(id).map_or(before, Body::pose);
                    let route = match here == to {
                        true => Route::keys(vec![(0.0, here)])?,
                        false => Route::keys(vec![(0.0, here), (step, to)])?,
                    };
                    world.steer(id, Kind::Kinematic(route))?;
                }
                _ if is_moved || is_pushed => world.place(id, to, velocity)?,
                _ => {}
            }
            Ok(())
        };
        if let Err(reason) = change() {
            refused.write(Refused { entity, reason });
            // Where the world has it, it stays.
            if let Some(body) = physics.world.body(id) {
                exact.put(body.pose(), &mut transform);
            }
        }
    }
}

fn adopted(exact: &mut ExactPose, transform: &Transform) -> Result<Pose, PoseError> {
    exact.adopt(transform)
}

/// Steps the world, and writes where everything is.
fn step(
    mut physics: ResMut<PhysicsWorld>,
    mut bodies: Query<(&RigidBody, &mut Transform, &mut ExactPose, &mut Velocity)>,
    (mut messages, mut failed): (MessageWriter<PhysicsMessage>, MessageWriter<PhysicsStepFailed>),
) {
    let dt = physics.step;
    let report: Report = match physics.world.step(dt) {
        Ok(report) => report,
        Err(error) => {
            failed.write(PhysicsStepFailed(error));
            return;
        }
    };
    let PhysicsWorld { world, members, entities, .. } = &mut *physics;
    for (&entity, member) in members.iter_mut() {
        let Some(body) = world.body(member.id) else { continue };
        let Ok((kind, mut transform, mut exact, mut velocity)) = bodies.get_mut(entity) else {
            continue;
        };
        if *kind == RigidBody::Fixed {
            continue;
        }
        exact.put(body.pose(), &mut transform);
        let body::Velocity { linear, angular } = body.velocity();
        let now = Velocity { linear, angular };
        member.velocity = now;
        velocity.set_if_neq(now);
    }
    messages.write_batch(report.events.into_iter().filter_map(|event| {
        let [Some(a), Some(b)] = event.bodies.map(|id| entities.get(&id).copied()) else {
            return None;
        };
        let (phase, impulse) = (event.phase, event.impulse);
        Some(PhysicsMessage { entities: [a, b], phase, points: event.points, impulse })
    }));
}
