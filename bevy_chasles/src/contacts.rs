//! Every contact between two frames.
//!
//! Each frame the plugin makes a [`Set`] of all colliders, in the order of their entities. A body
//! moves from where it was seen last to where it is now, along the screw between both poses, unless
//! it has a [`Path`] of its own.

use std::collections::{BTreeMap, BTreeSet};

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_transform::TransformSystems;
use bevy_transform::components::GlobalTransform;
use bevy_transform::plugins::TransformPlugin;
use chasles::Motion;
use chasles::query::{Contact, Filter, Options, QueryError, Set, SetContacts, Trajectory};

use crate::collider::{Collider, Refusal, Refused};
use crate::seen::Seen;
use crate::{ChaslesSystems, order};

/// Tells every contact of a frame as a [`ContactMessage`].
///
/// It runs in `PostUpdate`, after transforms are propagated, so messages reach systems of the next
/// frame's `Update`. Add it after Bevy's own plugins: it adds a `TransformPlugin` where there is
/// none yet. Bodies that were in each other when the frame began have no contact there.
#[derive(Default)]
pub struct ContactsPlugin;

impl Plugin for ContactsPlugin {
    fn build(&self, app: &mut App) {
        if !app.is_plugin_added::<TransformPlugin>() {
            app.add_plugins(TransformPlugin);
        }
        app.init_resource::<ContactSettings>()
            .add_message::<ContactMessage>()
            .add_message::<Refused>()
            .add_systems(
                PostUpdate,
                find_contacts.in_set(ChaslesSystems::Contacts).after(TransformSystems::Propagate),
            );
    }
}

/// Which contacts are told.
///
/// The default tells what a response needs: approaching, facing, touchable, proper contacts.
/// `Options::all()` tells all of them, `Options::default().first()` the first of each pair.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub struct ContactSettings(pub Options);

/// A contact of two entities in this frame.
#[derive(Message, Clone, Copy, Debug)]
pub struct ContactMessage {
    /// The bodies A and B, in the order of entities.
    pub entities: [Entity; 2],
    /// When (a fraction of the frame), where, between which features, and how fast.
    pub contact: Contact,
}

/// Which colliders an entity meets; without it, it is in the first group and meets all.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct Groups(pub Filter);

/// How an entity moves in this frame, instead of from its last pose to its present one.
///
/// For bodies that turn by more than half a turn a frame, or pass waypoints. Set it anew in each
/// frame, or remove it.
#[derive(Component, Clone, Debug)]
pub struct Path(pub Trajectory);

/// Pairs without an answer.
#[derive(Default)]
struct Unanswered {
    /// Of bodies that no method takes: not asked again until one of both gets another collider, or
    /// other contacts are asked for.
    lasting: BTreeSet<[Entity; 2]>,
    /// What was said of a pair last; it is said once.
    told: BTreeMap<[Entity; 2], String>,
}

impl Unanswered {
    fn forget(&mut self, is_other: impl Fn(Entity) -> bool) {
        let is_same = |pair: &[Entity; 2]| !pair.iter().any(|&entity| is_other(entity));
        self.lasting.retain(is_same);
        self.told.retain(|pair, _| is_same(pair));
    }

    /// Takes down why a pair has no answer; whether that is new.
    fn note(&mut self, pair: [Entity; 2], error: &QueryError) -> bool {
        use QueryError::{NoMethod, Samples, Solid};
        if matches!(error, NoMethod { .. } | Samples { .. } | Solid { .. }) {
            self.lasting.insert(pair);
        }
        let text = error.to_string();
        self.told.insert(pair, text.clone()) != Some(text)
    }
}

type Moving<'w> = (
    Entity,
    Ref<'w, Collider>,
    &'w GlobalTransform,
    Option<&'w Groups>,
    Option<&'w Path>,
    &'w mut Seen,
);

fn find_contacts(
    settings: Res<ContactSettings>,
    mut bodies: Query<Moving>,
    mut unanswered: Local<Unanswered>,
    (mut contacts, mut refused): (MessageWriter<ContactMessage>, MessageWriter<Refused>),
) {
    let is_other = |entity| bodies.get(entity).is_ok_and(|body| body.1.is_changed());
    unanswered.forget(|entity| settings.is_changed() || is_other(entity));
    let mut bodies: Vec<_> = bodies.iter_mut().collect();
    bodies.sort_by_key(|body| order(body.0));
    let mut set = Set::new();
    let mut entities = Vec::new();
    for (entity, collider, transform, groups, path, mut seen) in bodies {
        if collider.is_added() {
            // It was elsewhere when it had its collider before.
            *seen = Seen::default();
        }
        let [from, to] = match seen.look(transform) {
            Ok(poses) => poses,
            Err(error) => {
                let reason = error.map(Refusal::Pose);
                refused.write_batch(reason.map(|reason| Refused { entity, reason }));
                continue;
            }
        };
        let motion = match path {
            Some(Path(path)) => path.clone(),
            None if from == to => Motion::still(to).into(),
            None => Motion::between(from, to).into(),
        };
        set.add_with(collider.0.clone(), motion, groups.copied().unwrap_or_default().0);
        entities.push(entity);
    }
    let found = ask(&mut set, &entities, &settings.0, &mut unanswered, &mut refused);
    for pair in found.pairs() {
        let entities = pair.bodies.map(|body| entities[body.index()]);
        contacts
            .write_batch(pair.found.iter().map(|&contact| ContactMessage { entities, contact }));
    }
}

/// The contacts of a set. Pairs that no method answers for are told and left out.
fn ask(
    set: &mut Set,
    entities: &[Entity],
    options: &Options,
    unanswered: &mut Unanswered,
    refused: &mut MessageWriter<Refused>,
) -> SetContacts {
    let ids: Vec<_> = set.bodies().map(|(id, _)| id).collect();
    let id = |entity: &Entity| {
        entities
            .binary_search_by_key(&order(*entity), |entity| order(*entity))
            .ok()
            .map(|place| ids[place])
    };
    for pair in &unanswered.lasting {
        if let [Some(a), Some(b)] = pair.each_ref().map(id) {
            set.ignore(a, b);
        }
    }
    // Each time around one pair fewer is asked.
    loop {
        match set.contacts(options) {
            Ok(found) => return found,
            Err(error) => {
                let [a, b] = error.bodies;
                set.ignore(a, b);
                let pair = [a, b].map(|body| entities[body.index()]);
                if unanswered.note(pair, &error.error) {
                    let reason = Refusal::Pair { other: pair[1], error: error.error };
                    refused.write(Refused { entity: pair[0], reason });
                }
            }
        }
    }
}
