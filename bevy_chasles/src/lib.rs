//! Chasles for [Bevy](https://bevy.org): continuous collision detection and response.
//!
//! Three plugins, each of use without the others:
//!
//! | plugin | components | what it does |
//! |---|---|---|
//! | [`ContactsPlugin`] | [`Collider`] | tells every contact between the last frame and this one |
//! | [`CharacterPlugin`] | [`Character`], [`Obstacle`] | moves characters along walls and up steps |
//! | [`PhysicsPlugin`] | [`RigidBody`] with [`Collider`] | moves bodies that never interpenetrate |
//!
//! [`ChaslesPlugins`] adds all of them; add it after Bevy's own plugins. Results are messages,
//! contacts in the order of entities; the same scene gives the same messages in each run.
//!
//! ```
//! use bevy_app::{App, Update};
//! use bevy_chasles::{Collider, ContactMessage, ContactsPlugin};
//! use bevy_ecs::prelude::*;
//! use bevy_transform::components::Transform;
//!
//! #[derive(Resource, Default)]
//! struct Hits(usize);
//!
//! let mut app = App::new();
//! app.add_plugins(ContactsPlugin).init_resource::<Hits>();
//! app.add_systems(Update, |mut messages: MessageReader<ContactMessage>, mut hits: ResMut<Hits>| {
//!     hits.0 += messages.read().count();
//! });
//! let wall = Collider::cuboid([0.1, 4.0, 4.0])?;
//! app.world_mut().spawn((wall, Transform::default()));
//! let ball = app.world_mut().spawn((Collider::sphere(0.1)?, Transform::from_xyz(-5.0, 0.0, 0.0)));
//! let ball = ball.id();
//! app.update();
//! // Through the wall within one frame: no tunnelling.
//! app.world_mut().get_mut::<Transform>(ball).expect("it is there").translation.x = 5.0;
//! app.update();
//! app.update();
//! assert_eq!(app.world().resource::<Hits>().0, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Single precision
//!
//! Bevy's transforms are singles and Chasles computes in doubles. Positions are converted
//! without loss on the way in, rotations to rounding, and both are rounded on the way out: what a
//! plugin moves, it keeps in doubles ([`ExactPose`]), and takes the transform again only if
//! somebody else changed that.
//!
//! Collision shapes do not scale. A transform with a scale, a shear or a mirror is refused with a
//! message ([`Refused`]) that names the entity; give the mesh its size instead.

mod character;
mod collider;
mod contacts;
mod physics;
mod pose;
mod seen;

use bevy_app::plugin_group;
use bevy_ecs::entity::Entity;
use bevy_ecs::schedule::SystemSet;

pub use character::{Character, CharacterPlugin, CharacterState, Obstacle, Obstacles};
pub use collider::{Collider, ColliderError, Refusal, Refused};
pub use contacts::{ContactMessage, ContactSettings, ContactsPlugin, Groups, Path};
pub use physics::{
    Material, PhysicsMessage, PhysicsPlugin, PhysicsStepFailed, PhysicsWorld, RigidBody, Velocity,
};
pub use pose::{ExactPose, PoseError, pose_of, transform_of};
pub use seen::Seen;

/// When the systems of this crate run; order your own with these.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChaslesSystems {
    /// Characters move, in `Update`.
    Characters,
    /// Rigid bodies move, in the schedule of [`PhysicsPlugin`].
    Physics,
    /// Contacts of the frame are found, in `PostUpdate`, after transforms are propagated.
    Contacts,
}

/// Sorts entities by index, then by generation; `Entity`'s own order is another.
fn order(entity: Entity) -> (u32, u32) {
    (entity.index_u32(), entity.generation().to_bits())
}

plugin_group! {
    /// All plugins of this crate.
    pub struct ChaslesPlugins {
        :ContactsPlugin,
        :CharacterPlugin,
        :PhysicsPlugin,
    }
}

/// The example of the README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
