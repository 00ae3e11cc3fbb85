//! The plugins in an app without a window.

use std::error::Error;

use bevy_app::{App, Update};
use bevy_chasles::{
    Character, CharacterState, ChaslesPlugins, Collider, ContactMessage, ContactSettings,
    ContactsPlugin, Groups, Material, Obstacle, Path, PhysicsMessage, PhysicsPlugin, PhysicsWorld,
    Refusal, Refused, RigidBody, Seen, Velocity,
};
use bevy_ecs::message::{Message, Messages};
use bevy_ecs::prelude::*;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use chasles::glam::DVec3;
use chasles::mesh::shapes::{Capsule, Cuboid, Shape, Torus};
use chasles::query::{Filter, Geometry, Options};
use chasles::trace::{Body, Walker};
use chasles::{Motion, Pose};
use chasles_dynamics::world::Phase;

type Outcome = Result<(), Box<dyn Error>>;

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((ContactsPlugin, bevy_chasles::CharacterPlugin));
    app.add_plugins(PhysicsPlugin::in_schedule(Update));
    app
}

/// Updates and takes the messages of that frame.
fn frame<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().clear();
    app.update();
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

fn place(app: &mut App, entity: Entity, transform: Transform) {
    *app.world_mut().get_mut::<Transform>(entity).expect("it has a transform") = transform;
}

fn torus() -> Result<Collider, Box<dyn Error>> {
    Ok(Collider(Geometry::shape(&Shape::Torus(Torus::default()))?))
}

#[test]
fn messages_are_the_contacts_of_the_library_in_the_order_of_entities() -> Outcome {
    let mut app = app();
    let starts = [
        Transform::default(),
        Transform::from_xyz(0.75, 1.75, 0.125).with_rotation(Quat::from_rotation_x(0.5)),
    ];
    let end = Transform::from_xyz(0.75, -1.75, 0.125).with_rotation(Quat::from_rotation_x(1.25));
    let bodies: Vec<Entity> = starts
        .iter()
        .map(|start| Ok(app.world_mut().spawn((torus()?, *start)).id()))
        .collect::<Result<_, Box<dyn Error>>>()?;
    app.world_mut().entity_mut(bodies[0]).insert(Groups::default());
    assert!(frame::<ContactMessage>(&mut app).is_empty(), "nothing has moved yet");
    place(&mut app, bodies[1], end);
    let found = frame::<ContactMessage>(&mut app);

    let pose = |t: &Transform| bevy_chasles::pose_of(&(*t).into());
    let step = chasles::Step::new(
        Motion::still(Pose::IDENTITY),
        Motion::between(pose(&starts[1])?, pose(&end)?),
    );
    let geometry = torus()?.0;
    let mut workspace = chasles::query::Workspace::new();
    let expected =
        chasles::query::contacts(&geometry, &geometry, &step, &Options::default(), &mut workspace)?;
    assert!(!expected.is_empty());
    assert_eq!(found.len(), expected.len());
    for (message, contact) in found.iter().zip(expected.iter()) {
        assert_eq!(message.entities, [bodies[0], bodies[1]]);
        assert_eq!(message.contact, *contact);
    }
    assert!(frame::<ContactMessage>(&mut app).is_empty(), "it stands still again");
    Ok(())
}

#[test]
fn a_fast_body_is_seen_between_two_frames_and_a_teleported_one_is_not() -> Outcome {
    let mut app = app();
    app.insert_resource(ContactSettings(Options::default().first()));
    app.world_mut().spawn((Collider::cuboid([0.01, 4.0, 4.0])?, Transform::default()));
    let left = Transform::from_xyz(-500.0, 0.0, 0.0);
    let right = Transform::from_xyz(500.0, 0.0, 0.0);
    let ball = app.world_mut().spawn((Collider::sphere(0.1)?, left)).id();
    app.update();
    place(&mut app, ball, right);
    let found = frame::<ContactMessage>(&mut app);
    assert_eq!(found.len(), 1);
    assert!((found[0].contact.time - (500.0 - 0.105) / 1000.0).abs() < 1e-12);
    app.world_mut().entity_mut(ball).insert((Seen::default(), left));
    assert!(frame::<ContactMessage>(&mut app).is_empty());
    Ok(())
}

#[test]
fn children_move_with_their_parents() -> Outcome {
    let mut app = app();
    app.world_mut().spawn((Collider::sphere(0.5)?, Transform::from_xyz(3.0, 0.0, 0.0)));
    let parent = app.world_mut().spawn(Transform::default()).id();
    let arm = (Collider::sphere(0.25)?, Transform::from_xyz(0.0, 3.0, 0.0), ChildOf(parent));
    app.world_mut().spawn(arm);
    app.update();
    // A quarter turn takes the end of the arm into the ball at the other axis.
    let turned = Transform::from_rotation(Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2));
    place(&mut app, parent, turned);
    assert_eq!(frame::<ContactMessage>(&mut app).len(), 1);
    Ok(())
}

#[test]
fn groups_part_and_paths_lead_around() -> Outcome {
    let mut app = app();
    let wall =
        app.world_mut().spawn((Collider::cuboid([0.1, 4.0, 4.0])?, Transform::default())).id();
    let ball =
        app.world_mut().spawn((Collider::sphere(0.1)?, Transform::from_xyz(-1.0, 0.0, 0.0))).id();
    app.update();
    let around = [[-1.0, 0.0, 0.0], [-1.0, 3.0, 0.0], [1.0, 3.0, 0.0], [1.0, 0.0, 0.0]];
    let around = around.map(Pose::from_position).into_iter().collect::<Result<Vec<_>, _>>()?;
    let path = Path(chasles::query::Waypoints::evenly(around)?.into());
    app.world_mut().entity_mut(ball).insert(path);
    place(&mut app, ball, Transform::from_xyz(1.0, 0.0, 0.0));
    assert!(frame::<ContactMessage>(&mut app).is_empty());
    app.world_mut().entity_mut(ball).remove::<Path>();
    place(&mut app, ball, Transform::from_xyz(-1.0, 0.0, 0.0));
    assert!(!frame::<ContactMessage>(&mut app).is_empty());
    app.world_mut().entity_mut(wall).insert(Groups(Filter { groups: 2, mask: 2 }));
    place(&mut app, ball, Transform::from_xyz(1.0, 0.0, 0.0));
    assert!(frame::<ContactMessage>(&mut app).is_empty());
    Ok(())
}

#[test]
fn a_scale_is_refused_once_and_taken_again_when_it_is_gone() -> Outcome {
    let mut app = app();
    let scaled = Transform::from_scale(Vec3::splat(2.0));
    let body = app.world_mut().spawn((Collider::sphere(1.0)?, scaled)).id();
    let refused = frame::<Refused>(&mut app);
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].entity, body);
    assert!(refused[0].reason.to_string().contains("scale the mesh"));
    assert!(frame::<Refused>(&mut app).is_empty(), "it was told already");
    place(&mut app, body, Transform::default());
    assert!(frame::<Refused>(&mut app).is_empty());
    assert!(app.world().get::<Seen>(body).is_some_and(|seen| seen.pose().is_some()));
    Ok(())
}

#[test]
fn a_character_stops_at_a_wall_and_keeps_its_doubles() -> Outcome {
    let mut app = app();
    let block = |size: [f64; 3]| Shape::Box(Cuboid { size }).polygons().map(Obstacle);
    let floor = app
        .world_mut()
        .spawn((block([20.0, 1.0, 20.0])?, Transform::from_xyz(0.0, -0.5, 0.0)))
        .id();
    let wall =
        app.world_mut().spawn((block([1.0, 3.0, 8.0])?, Transform::from_xyz(3.0, 1.5, 0.0))).id();
    let capsule = Body::from_shape(&Shape::Capsule(Capsule::default()))?;
    let walker = Walker::new(capsule, DVec3::Y, 0.3, 0.8)?;
    let start = Transform::from_xyz(0.0, 1.2, 0.0);
    let who = app.world_mut().spawn((Character::new(walker), start)).id();
    for frame in 0..60 {
        let wants = if frame == 0 { Vec3::NEG_Y } else { Vec3::new(0.1, 0.0, 0.0) };
        app.world_mut().get_mut::<Character>(who).expect("it walks").wants = wants;
        app.update();
    }
    let state = *app.world().get::<CharacterState>(who).expect("it has one");
    assert_eq!(state.ground.map(|(entity, _)| entity), Some(floor));
    assert_eq!(state.wall.map(|(entity, _)| entity), Some(wall));
    let stopped = app.world().get::<Transform>(who).expect("it is there").translation;
    assert!(stopped.x > 1.5 && stopped.x < 2.5);
    // Stays to the bit while it pushes on.
    app.world_mut().get_mut::<Character>(who).expect("it walks").wants = Vec3::X * 0.1;
    app.update();
    assert_eq!(app.world().get::<Transform>(who).expect("it is there").translation, stopped);
    // Without the wall the way is free.
    app.world_mut().despawn(wall);
    app.world_mut().get_mut::<Character>(who).expect("it walks").wants = Vec3::X * 0.1;
    app.update();
    let walked = app.world().get::<Transform>(who).expect("it is there").translation;
    assert!((walked.x - stopped.x - 0.1).abs() < 1e-6);
    Ok(())
}

fn heap(app: &mut App) -> Result<Vec<Entity>, Box<dyn Error>> {
    let world = app.world_mut();
    world.spawn((RigidBody::Fixed, Collider::cuboid([9.0, 1.0, 9.0])?, Transform::default()));
    let dynamic = RigidBody::Dynamic { density: 1000.0 };
    let ball = Collider::sphere(0.5)?;
    let cube = Collider::cuboid([0.8; 3])?;
    Ok(vec![
        world.spawn((dynamic, ball, Transform::from_xyz(0.1, 2.0, 0.0))).id(),
        world.spawn((dynamic, cube, Transform::from_xyz(0.0, 3.5, 0.1))).id(),
    ])
}

#[test]
fn bodies_fall_touch_and_never_interpenetrate() -> Outcome {
    let mut app = app();
    let bodies = heap(&mut app)?;
    let mut phases = Vec::new();
    for _ in 0..256 {
        phases.extend(frame::<PhysicsMessage>(&mut app).into_iter().map(|m| m.phase));
        let physics = app.world().resource::<PhysicsWorld>();
        let [a, b] = [0, 1].map(|i| physics.body(bodies[i]).and_then(|id| physics.world.body(id)));
        let (a, b) = (a.ok_or("no ball")?, b.ok_or("no cube")?);
        let [x, y] = [a, b].map(|body| body.shape().geometry());
        let mut workspace = chasles::query::Workspace::new();
        let overlap = chasles::query::overlaps(x, y, [a.pose(), b.pose()], &mut workspace)?;
        assert_eq!(overlap, chasles::query::Overlap::Apart);
    }
    assert!(phases.contains(&Phase::Began) && phases.contains(&Phase::Persisted), "{phases:?}");
    for body in bodies {
        assert!(app.world().get::<Transform>(body).is_some_and(|t| t.translation.y > 0.89));
    }
    Ok(())
}

#[test]
fn two_apps_move_alike_to_the_bit() -> Outcome {
    let mut ends = Vec::new();
    for _ in 0..2 {
        let mut app = app();
        heap(&mut app)?;
        (0..128).for_each(|_| app.update());
        ends.push(app.world().resource::<PhysicsWorld>().world.hash());
    }
    assert_eq!(ends[0], ends[1]);
    Ok(())
}

#[test]
fn what_the_app_changes_counts() -> Outcome {
    let mut app = app();
    app.world_mut().resource_mut::<PhysicsWorld>().world.set_gravity(DVec3::ZERO);
    let dynamic = RigidBody::Dynamic { density: 1.0 };
    let ball = app.world_mut().spawn((dynamic, Collider::sphere(0.5)?)).id();
    app.update();
    let at = |app: &App| app.world().get::<Transform>(ball).expect("it is there").translation;
    assert_eq!(at(&app), Vec3::ZERO);
    // A velocity.
    app.world_mut().get_mut::<Velocity>(ball).expect("it has one").linear = DVec3::X * 6.4;
    app.update();
    assert!((at(&app).x - 0.1).abs() < 1e-6);
    // A place.
    place(&mut app, ball, Transform::from_xyz(0.0, 5.0, 0.0));
    app.update();
    assert!((at(&app) - Vec3::new(0.1, 5.0, 0.0)).length() < 1e-6);
    // A place that is taken is refused, and the ball goes on where it was.
    let wall = (RigidBody::Fixed, Collider::cuboid([1.0; 3])?, Transform::from_xyz(0.0, 9.0, 0.0));
    app.world_mut().spawn(wall);
    app.update();
    place(&mut app, ball, Transform::from_xyz(0.0, 9.0, 0.0));
    let refused = frame::<Refused>(&mut app);
    assert!(matches!(refused[..], [Refused { reason: Refusal::Change(_), .. }]), "{refused:?}");
    assert!((at(&app).y - 5.0).abs() < 1e-6);
    // A material, and the end.
    let rubber = chasles_dynamics::body::Material::new(1.0, 0.0)?;
    app.world_mut().entity_mut(ball).insert(Material(rubber));
    app.update();
    let physics = app.world().resource::<PhysicsWorld>();
    let id = physics.body(ball).ok_or("no body")?;
    assert_eq!(physics.world.body(id).map(|body| body.material()), Some(rubber));
    app.world_mut().despawn(ball);
    app.update();
    assert!(app.world().resource::<PhysicsWorld>().world.body(id).is_none());
    Ok(())
}

#[test]
fn a_kinematic_body_pushes_what_is_in_its_way() -> Outcome {
    let mut app = app();
    app.world_mut().resource_mut::<PhysicsWorld>().world.set_gravity(DVec3::ZERO);
    let plate = (RigidBody::Kinematic, Collider::cuboid([0.1, 2.0, 2.0])?);
    let plate = app.world_mut().spawn((plate, Transform::default())).id();
    let ball = (RigidBody::Dynamic { density: 1.0 }, Collider::sphere(0.25)?);
    let ball = app.world_mut().spawn((ball, Transform::from_xyz(1.0, 0.0, 0.0))).id();
    app.update();
    for i in 1..=64 {
        place(&mut app, plate, Transform::from_xyz(2.0 * i as f32 / 64.0, 0.0, 0.0));
        app.update();
    }
    let x = |entity| app.world().get::<Transform>(entity).expect("it is there").translation.x;
    assert!((x(plate) - 2.0).abs() < 1e-6);
    assert!(x(ball) > 2.29, "pushed to {}", x(ball));
    Ok(())
}

#[test]
fn what_cannot_be_a_body_is_refused_with_a_reason() -> Outcome {
    let mut app = app();
    let dynamic = RigidBody::Dynamic { density: 1.0 };
    let world = app.world_mut();
    let parent = world.spawn(Transform::default()).id();
    let child = world.spawn((dynamic, Collider::sphere(1.0)?, ChildOf(parent))).id();
    let far = Transform::from_xyz(9.0, 0.0, 0.0);
    let massless = (RigidBody::Dynamic { density: -1.0 }, Collider::sphere(1.0)?, far);
    let massless = world.spawn(massless).id();
    let cylinder = Geometry::cylinder([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]], 1.0)?;
    let cylinder = world.spawn((dynamic, Collider(cylinder))).id();
    let refused = frame::<Refused>(&mut app);
    let of = |entity| refused.iter().find(|r| r.entity == entity).map(|r| &r.reason);
    assert!(matches!(of(child), Some(Refusal::Parent)));
    assert!(matches!(of(massless), Some(Refusal::Body(_))));
    assert!(matches!(of(cylinder), Some(Refusal::Shape(_))));
    Ok(())
}

/// A fixed step, which some frames miss.
#[derive(bevy_ecs::schedule::ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Fixed;

fn with_fixed_steps() -> App {
    let mut app = App::new();
    app.init_schedule(Fixed);
    app.add_plugins(PhysicsPlugin::in_schedule(Fixed));
    app
}

#[test]
fn a_body_that_is_gone_between_steps_leaves_the_world() -> Outcome {
    let mut app = with_fixed_steps();
    let ball = app.world_mut().spawn((RigidBody::Fixed, Collider::sphere(0.5)?)).id();
    app.world_mut().run_schedule(Fixed);
    assert_eq!(app.world().resource::<PhysicsWorld>().world.iter().count(), 1);
    app.world_mut().despawn(ball);
    (0..5).for_each(|_| app.update());
    app.world_mut().run_schedule(Fixed);
    assert_eq!(app.world().resource::<PhysicsWorld>().world.iter().count(), 0);
    Ok(())
}

#[test]
fn contacts_of_a_body_that_goes_end() -> Outcome {
    let mut app = app();
    let bodies = heap(&mut app)?;
    (0..256).for_each(|_| app.update());
    app.world_mut().despawn(bodies[0]);
    let ended = frame::<PhysicsMessage>(&mut app);
    let of_ball = |m: &&PhysicsMessage| m.entities.contains(&bodies[0]) && m.phase == Phase::Ended;
    assert!(ended.iter().filter(of_ball).count() > 0, "{ended:?}");
    Ok(())
}

#[test]
fn a_refused_body_is_tried_again_and_one_that_cannot_change_stays_what_it_was() -> Outcome {
    let mut app = app();
    app.world_mut().resource_mut::<PhysicsWorld>().world.set_gravity(DVec3::ZERO);
    let dynamic = RigidBody::Dynamic { density: 1.0 };
    let first = app.world_mut().spawn((dynamic, Collider::sphere(0.5)?)).id();
    let near = Transform::from_xyz(0.9, 0.0, 0.0);
    let second = app.world_mut().spawn((dynamic, Collider::sphere(0.5)?, near)).id();
    assert_eq!(frame::<Refused>(&mut app).len(), 1);
    assert!(frame::<Refused>(&mut app).is_empty(), "it was told already");
    place(&mut app, second, Transform::from_xyz(1.5, 0.0, 0.0));
    assert!(frame::<Refused>(&mut app).is_empty());
    let id = |app: &App, entity| app.world().resource::<PhysicsWorld>().body(entity);
    assert!(id(&app, second).is_some());
    // Too large for where it is.
    app.world_mut().entity_mut(first).insert(Collider::sphere(2.0)?);
    assert_eq!(frame::<Refused>(&mut app).len(), 1);
    let physics = app.world().resource::<PhysicsWorld>();
    let body = physics.body(first).and_then(|id| physics.world.body(id)).ok_or("it stays")?;
    assert_eq!(body.shape().geometry().bounds()[1], DVec3::splat(0.5));
    Ok(())
}

#[test]
fn groups_that_change_or_go_count_and_never_stop_the_world() -> Outcome {
    let mut app = app();
    app.world_mut().resource_mut::<PhysicsWorld>().world.set_gravity(DVec3::ZERO);
    let dynamic = RigidBody::Dynamic { density: 1.0 };
    let apart = Groups(Filter { groups: 2, mask: 2 });
    app.world_mut().spawn((dynamic, Collider::sphere(0.5)?));
    let near = Transform::from_xyz(0.5, 0.0, 0.0);
    let ghost = app.world_mut().spawn((dynamic, Collider::sphere(0.5)?, apart, near)).id();
    assert!(frame::<Refused>(&mut app).is_empty(), "their groups do not meet");
    app.world_mut().entity_mut(ghost).remove::<Groups>();
    let refused = frame::<Refused>(&mut app);
    assert!(refused.iter().any(|r| matches!(r.reason, Refusal::Change(_))), "{refused:?}");
    let time = app.world().resource::<PhysicsWorld>().world.time();
    app.update();
    assert!(app.world().resource::<PhysicsWorld>().world.time() > time, "the world goes on");
    Ok(())
}

#[test]
fn a_collider_that_comes_back_has_not_moved_meanwhile() -> Outcome {
    let mut app = app();
    app.world_mut().spawn((Collider::cuboid([0.1, 4.0, 4.0])?, Transform::default()));
    let left = Transform::from_xyz(-5.0, 0.0, 0.0);
    let ball = app.world_mut().spawn((Collider::sphere(0.1)?, left)).id();
    app.update();
    app.world_mut().entity_mut(ball).remove::<Collider>();
    place(&mut app, ball, Transform::from_xyz(5.0, 0.0, 0.0));
    app.update();
    app.world_mut().entity_mut(ball).insert(Collider::sphere(0.1)?);
    assert!(frame::<ContactMessage>(&mut app).is_empty());
    Ok(())
}

#[test]
fn all_plugins_go_together() {
    let mut app = App::new();
    app.add_plugins(ChaslesPlugins);
    app.update();
    assert!(app.world().contains_resource::<PhysicsWorld>());
}
