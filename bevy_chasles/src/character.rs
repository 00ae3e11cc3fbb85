//! Characters that walk through a static world: along walls, up steps, over slopes.

use std::collections::BTreeMap;

use bevy_app::{App, Plugin, Update};
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use bevy_transform::helper::TransformHelper;
use chasles::mesh::Polygons;
use chasles::trace::{Fixture, Touch, Walker, Workspace, World};

use crate::collider::{Refusal, Refused};
use crate::pose::{ExactPose, double, pose_of};
use crate::{ChaslesSystems, order};

/// Moves each [`Character`] through the world of all [`Obstacle`]s, once in each `Update`.
///
/// Systems that say where a character wants to go run before [`ChaslesSystems::Characters`].
#[derive(Default)]
pub struct CharacterPlugin;

impl Plugin for CharacterPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Obstacles>().add_message::<Refused>().add_systems(
            Update,
            (build_obstacles, move_characters).chain().in_set(ChaslesSystems::Characters),
        );
    }
}

/// A mesh that stands still and stops characters. Its transform may have parents, and may change:
/// the world is then built anew, which costs `n log n` in all faces.
#[derive(Component, Clone, Debug)]
#[require(Transform)]
pub struct Obstacle(pub Polygons);

/// The world of all obstacles.
#[derive(Resource, Debug, Default)]
pub struct Obstacles {
    world: Option<World>,
    entities: Vec<Entity>,
    /// What was said of obstacles that are none; it is said once.
    told: BTreeMap<Entity, String>,
}

impl Obstacles {
    /// The world, for traces of your own; none while there is no obstacle.
    pub fn world(&self) -> Option<&World> {
        self.world.as_ref()
    }

    /// The entity whose obstacle was touched.
    pub fn entity(&self, touch: &Touch) -> Option<Entity> {
        self.entities.get(touch.fixture as usize).copied()
    }
}

/// Somebody who walks. The entity has no parent.
#[derive(Component, Clone, Debug)]
#[require(Transform, ExactPose, CharacterState)]
pub struct Character {
    /// The body, and which steps and slopes it climbs.
    pub walker: Walker,
    /// Where it wants to go in this frame, in the world. It is zero again afterwards.
    pub wants: Vec3,
}

impl Character {
    /// A character that wants to go nowhere yet.
    pub fn new(walker: Walker) -> Self {
        Self { walker, wants: Vec3::ZERO }
    }
}

/// What became of a character's last move.
#[derive(Component, Clone, Copy, Debug, Default)]
pub struct CharacterState {
    /// What it stands on, and whose that is.
    pub ground: Option<(Entity, Touch)>,
    /// What stopped it last, the ground aside.
    pub wall: Option<(Entity, Touch)>,
    /// It is inside an obstacle, and did not move: place it elsewhere.
    pub is_stuck: bool,
    is_refused: bool,
}

type Moved = Or<(Changed<Obstacle>, Changed<Transform>, Changed<ChildOf>)>;

/// What tells whether the world is still that of the obstacles.
#[derive(SystemParam)]
struct Changes<'w, 's> {
    moved: Query<'w, 's, (), Moved>,
    parents: Query<'w, 's, &'static ChildOf>,
    gone: RemovedComponents<'w, 's, Obstacle>,
    orphaned: RemovedComponents<'w, 's, ChildOf>,
}

impl Changes<'_, '_> {
    /// Whether an obstacle, or what one hangs on, has changed since it was asked last.
    fn any(&mut self, obstacles: &Query<(Entity, &Obstacle)>) -> bool {
        let is_fewer = self.gone.read().count() > 0;
        let orphaned: Vec<Entity> = self.orphaned.read().collect();
        let is_other = |entity| self.moved.contains(entity) || orphaned.contains(&entity);
        let has_moved = |(entity, _): (Entity, &Obstacle)| {
            is_other(entity) || self.parents.iter_ancestors(entity).any(is_other)
        };
        is_fewer || obstacles.iter().any(has_moved)
    }
}

/// Builds the world again if obstacles have changed.
fn build_obstacles(
    obstacles: Query<(Entity, &Obstacle)>,
    mut changes: Changes,
    transforms: TransformHelper,
    mut built: ResMut<Obstacles>,
    mut refused: MessageWriter<Refused>,
) {
    if !changes.any(&obstacles) {
        return;
    }
    let (mut fixtures, mut told) = (Vec::new(), BTreeMap::new());
    let mut sorted: Vec<_> = obstacles.iter().collect();
    sorted.sort_by_key(|(entity, _)| order(*entity));
    for (entity, obstacle) in sorted {
        let transform = transforms.compute_global_transform(entity);
        let pose = transform.map_err(|_| Refusal::Hierarchy);
        let pose = pose.and_then(|transform| pose_of(&transform).map_err(Refusal::Pose));
        let made = pose.and_then(|pose| {
            let fixture = Fixture::new(obstacle.0.clone()).at(pose);
            // One bad mesh must not take the others away: each is tried alone.
            World::new(vec![fixture.clone()]).map_err(Refusal::Obstacle)?;
            Ok(fixture)
        });
        match made {
            Ok(fixture) => fixtures.push((entity, fixture)),
            Err(reason) => {
                let text = reason.to_string();
                if built.told.get(&entity) != Some(&text) {
                    refused.write(Refused { entity, reason });
                }
                told.insert(entity, text);
            }
        }
    }
    let (entities, fixtures): (Vec<_>, Vec<_>) = fixtures.into_iter().unzip();
    *built = Obstacles { world: World::new(fixtures).ok(), entities, told };
}

type Walking<'w> = (
    Entity,
    &'w mut Character,
    &'w mut CharacterState,
    &'w mut Transform,
    &'w mut ExactPose,
    Has<ChildOf>,
);

fn move_characters(
    obstacles: Res<Obstacles>,
    mut characters: Query<Walking>,
    mut workspace: Local<Workspace>,
    mut refused: MessageWriter<Refused>,
) {
    let named = |touch: Touch| obstacles.entity(&touch).map(|entity| (entity, touch));
    let mut sorted: Vec<_> = characters.iter_mut().collect();
    sorted.sort_by_key(|character| order(character.0));
    for (entity, mut character, mut state, mut transform, mut exact, is_child) in sorted {
        let by = double(std::mem::take(&mut character.wants));
        let start = match is_child {
            true => Err(Refusal::Parent),
            false => match exact.if_unchanged(&transform) {
                Some(pose) => Ok(pose),
                None => exact.adopt(&transform).map_err(Refusal::Pose),
            },
        };
        let walk = start.and_then(|start| match obstacles.world() {
            Some(world) => {
                let walk = character.walker.walk(world, &start, by, &mut workspace);
                let walk = walk.map_err(|error| Refusal::Pose(error.into()))?;
                Ok((walk.end, walk.ground, walk.wall, walk.started_solid))
            }
            None => {
                let end = chasles::Pose::new(start.position() + by, start.rotation());
                Ok((end.map_err(|error| Refusal::Pose(error.into()))?, None, None, false))
            }
        });
        match walk {
            Ok((end, ground, wall, is_stuck)) => {
                exact.put(end, &mut transform);
                let (ground, wall) = (ground.and_then(named), wall.and_then(named));
                *state = CharacterState { ground, wall, is_stuck, is_refused: false };
            }
            Err(reason) => {
                if !std::mem::replace(&mut state.is_refused, true) {
                    refused.write(Refused { entity, reason });
                }
            }
        }
    }
}
