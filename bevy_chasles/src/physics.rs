//! Bodies with mass, in a world where nothing interpenetrates.
//!
//! ```text
//! components that changed -> world -> step -> transforms, velocities, messages
//! ```

use std::collections::BTreeMap;
use std::mem::{Discriminant, discriminant};

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
    Body, BodyId, ChangeError, ContactPoint, Filter, Kind, Options, Phase, Report, Route, Shape,
    World, WorldError,
};

use crate::collider::{Collider, Refusal, Refused};
use crate::contacts::Groups;
use crate::pose::ExactPose;
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
    (follow, step).chain().in_set(ChaslesSystems::Physics)
}

/// How an entity moves. It has a [`Collider`] and no parent.
///
/// A change of this or of the collider makes another body, at the same place and velocity; joints
/// of the one before are gone with it.
#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[require(Transform, ExactPose, Velocity, Material)]
pub enum RigidBody {
    /// Forces and impulses move it.
    Dynamic {
        /// Density, in kilograms per cubic metre.
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
    /// The length of a step in seconds: 1/64, as Bevy's `Time<Fixed>` has it by default. Where you
    /// change that, change this too.
    pub step: f64,
    members: BTreeMap<Entity, Member>,
    entities: BTreeMap<BodyId, Entity>,
    /// What was said of entities that are no bodies; it is said once.
    told: BTreeMap<Entity, Discriminant<Refusal>>,
}

struct Member {
    id: BodyId,
    kind: RigidBody,
    /// As it was written last.
    velocity: Velocity,
    filter: Filter,
    /// Of a kinematic body, whether its route leads anywhere.
    moves: bool,
}

impl Default for PhysicsWorld {
    fn default() -> Self {
        // Up is y in Bevy.
        let gravity = DVec3::new(0.0, -9.81, 0.0);
        let mut world = World::new(Options { gravity, ..Options::default() });
        world.listen(true);
        let step = 1.0 / 64.0;
        let (members, entities, told) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { world, step, members, entities, told }
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

    /// Takes the body of an entity out of the world. Its name is kept until the next step has told
    /// whom it touched.
    fn remove(&mut self, entity: Entity) -> Option<Body> {
        let member = self.members.remove(&entity)?;
        self.world.remove(member.id)
    }

    fn enter(&mut self, entity: Entity, member: Member) {
        self.entities.insert(member.id, entity);
        self.members.insert(entity, member);
        self.told.remove(&entity);
    }

    /// Takes down why an entity is no body; a message, if that is new.
    fn refuse(&mut self, entity: Entity, reason: Refusal) -> Option<Refused> {
        // Messages name bodies, which are new ones with each try.
        let kind = discriminant(&reason);
        let is_new = self.told.insert(entity, kind) != Some(kind);
        is_new.then_some(Refused { entity, reason })
    }
}

/// Two bodies began to touch, went on, or parted.
#[derive(Message, Clone, Debug)]
pub struct PhysicsMessage {
    /// The bodies: the impulse is what the first got.
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

type Synced<'w> = (
    Entity,
    &'w RigidBody,
    Ref<'w, Collider>,
    Ref<'w, Material>,
    Option<&'w Groups>,
    &'w Velocity,
    &'w mut Transform,
    &'w mut ExactPose,
    Has<ChildOf>,
);

/// Makes the world that of the entities: removes what is gone, adds what is new, and hands on what
/// systems of the app have changed.
fn follow(
    mut physics: ResMut<PhysicsWorld>,
    mut bodies: Query<Synced>,
    mut refused: MessageWriter<Refused>,
) {
    let physics = &mut *physics;
    // Asked of the entities themselves: a fixed step may miss the frame in which one was removed.
    let gone = |entity: &Entity| bodies.get(*entity).is_err();
    let gone: Vec<Entity> = physics.members.keys().copied().filter(gone).collect();
    for entity in gone {
        physics.remove(entity);
    }
    physics.told.retain(|entity, _| bodies.contains(*entity));
    let mut bodies: Vec<_> = bodies.iter_mut().collect();
    bodies.sort_by_key(|body| order(body.0));
    for mut body in bodies {
        let entity = body.0;
        if let Err(reason) = enter(physics, &mut body) {
            refused.write_batch(physics.refuse(entity, reason));
        }
        if let Some(id) = physics.body(entity) {
            for reason in changed(physics, id, &mut body) {
                refused.write(Refused { entity, reason });
            }
        }
    }
}

type Item<'a, 'w> = (
    Entity,
    &'w RigidBody,
    Ref<'w, Collider>,
    Ref<'w, Material>,
    Option<&'w Groups>,
    &'w Velocity,
    Mut<'a, Transform>,
    Mut<'a, ExactPose>,
    bool,
);

fn filter_of(groups: Option<&Groups>) -> Filter {
    groups.map_or_else(Filter::default, |groups| groups.0)
}

/// Adds a body that is not in the world, or that has become another. One that cannot be what it has
/// become stays what it was.
fn enter(physics: &mut PhysicsWorld, body: &mut Item) -> Result<(), Refusal> {
    let (entity, kind, collider, material, groups, velocity, transform, exact, is_child) = body;
    if *is_child {
        physics.remove(*entity);
        return Err(Refusal::Parent);
    }
    let known = physics.members.get(entity);
    if known.is_some_and(|member| member.kind == **kind && !collider.is_changed()) {
        return Ok(());
    }
    let pose = match exact.if_unchanged(transform) {
        Some(pose) => pose,
        None => exact.adopt(transform)?,
    };
    let made = made_of(**kind, collider, pose)?
        .made_of(material.0)
        .moving(velocity.linear, velocity.angular)
        .filtered(filter_of(*groups));
    let before = physics.members.get(entity).map(|member| (member.kind, member.filter));
    let old = physics.remove(*entity);
    let (added, kind, failed) = match (physics.world.try_add(made), old, before) {
        (Ok(id), ..) => (id, **kind, None),
        (Err(error), Some(old), Some((kind, _))) => match physics.world.try_add(old) {
            Ok(id) => (id, kind, Some(error)),
            Err(error) => return Err(error.into()),
        },
        (Err(error), ..) => return Err(error.into()),
    };
    exact.put(pose, transform);
    let filter = filter_of(*groups);
    let member = Member { id: added, kind, velocity: **velocity, filter, moves: false };
    physics.enter(*entity, member);
    failed.map_or(Ok(()), |error| Err(error.into()))
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

/// Hands on a material, groups, a velocity and a pose that are not what the world has; what it
/// refuses, each for itself.
fn changed(physics: &mut PhysicsWorld, id: BodyId, body: &mut Item) -> Vec<Refusal> {
    let (entity, _, _, material, groups, velocity, transform, exact, _) = body;
    let PhysicsWorld { world, members, step, .. } = physics;
    let Some(member) = members.get_mut(entity) else { return Vec::new() };
    let mut refused = Vec::new();
    if material.is_changed() {
        refused.extend(world.set_material(id, material.0).err().map(Refusal::from));
    }
    let filter = filter_of(*groups);
    if std::mem::replace(&mut member.filter, filter) != filter {
        refused.extend(world.set_filter(id, filter).err().map(Refusal::from));
    }
    if let Err(reason) = placed(world, member, *step, (**velocity, transform, exact)) {
        refused.push(reason);
        // Where the world has it, it stays.
        if let Some(body) = world.body(id) {
            exact.put(body.pose(), transform);
        }
    }
    refused
}

/// Hands on a pose and a velocity that a system of the app has changed.
fn placed(
    world: &mut World,
    member: &mut Member,
    step: f64,
    (velocity, transform, exact): (Velocity, &mut Mut<Transform>, &mut Mut<ExactPose>),
) -> Result<(), Refusal> {
    let Some(before) = exact.pose() else { return Ok(()) };
    let is_moved = exact.if_unchanged(transform).is_none();
    let is_pushed = std::mem::replace(&mut member.velocity, velocity) != velocity;
    let to = if is_moved { exact.adopt(transform)? } else { before };
    let id = member.id;
    if member.kind == RigidBody::Kinematic {
        let here = world.body(id).map_or(before, Body::pose);
        let moves = here != to;
        if !moves && !member.moves {
            return Ok(());
        }
        member.moves = moves;
        let keys = if moves { vec![(0.0, here), (step, to)] } else { vec![(0.0, here)] };
        world.steer(id, Kind::Kinematic(Route::keys(keys)?))?;
    } else if is_moved || is_pushed {
        let Velocity { linear, angular } = velocity;
        world.place(id, to, body::Velocity { linear, angular })?;
    }
    Ok(())
}

/// Steps the world, and writes where everything is.
fn step(
    mut physics: ResMut<PhysicsWorld>,
    mut bodies: Query<(&RigidBody, &mut Transform, &mut ExactPose, &mut Velocity)>,
    (mut messages, mut failed): (MessageWriter<PhysicsMessage>, MessageWriter<PhysicsStepFailed>),
    mut refused: MessageWriter<Refused>,
) {
    let (report, taken_out) = match stepped(&mut physics) {
        Ok(done) => done,
        Err(error) => {
            failed.write(PhysicsStepFailed(error));
            return;
        }
    };
    refused.write_batch(taken_out);
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
    // Names of bodies that are gone were needed for the end of their contacts.
    entities.retain(|id, _| world.body(*id).is_some());
}

/// Steps the world. Bodies that overlap since their groups have changed are taken out of it.
fn stepped(physics: &mut PhysicsWorld) -> Result<(Report, Vec<Refused>), WorldError> {
    let dt = physics.step;
    match physics.world.step(dt) {
        Err(WorldError::Overlap(..)) => {}
        done => return Ok((done?, Vec::new())),
    }
    let mut refused = Vec::new();
    for [body, with] in physics.world.remove_overlapping() {
        if let Some(entity) = physics.entity(body) {
            physics.members.remove(&entity);
            let reason = Refusal::Change(ChangeError::Overlap { body, with });
            refused.extend(physics.refuse(entity, reason));
        }
    }
    Ok((physics.world.step(dt)?, refused))
}
