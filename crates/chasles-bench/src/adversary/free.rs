//! Bodies that nothing touches, beside what collides: they show whether the clock is right.

use std::sync::Arc;

use chasles::glam::{DQuat, DVec3};
use chasles::mesh::shapes::{Cuboid, Shape};
use chasles::{Collider, Pose};
use chasles_dynamics::body::MassProperties;
use chasles_dynamics::{Body, BodyId, World};
use chasles_testkit::generate::Random;

use super::arena::{Arena, Nature};

/// A cube in free flight, and how it began.
#[derive(Clone, Debug)]
pub(super) struct Free {
    id: BodyId,
    start: Pose,
    linear: DVec3,
    angular: DVec3,
}

/// Adds three cubes that nothing touches: one that meets nobody flies through the middle, one
/// leaves from behind a wall, or from far away where there are no walls, and one flies farther out
/// beside two that collide with each other, in one island with them.
pub(super) fn beside(
    world: &mut World,
    nature: &Nature,
    reach: f64,
    random: &mut Random,
) -> Result<Vec<Free>, Box<dyn std::error::Error>> {
    let gravity = nature.gravity;
    let away = if gravity == DVec3::ZERO { DVec3::X } else { DVec3::X * gravity.x.signum() };
    let near = 2.0 * reach + 4.0 * nature.size;
    // More steps than are made.
    let time = 60.0 * nature.dt;
    let far = 100.0 * (near + nature.speed * time + gravity.length() * time * time);
    let distance = if nature.arena == Arena::Closed { near } else { far };
    let places = [(DVec3::ZERO, true), (distance * away, false)];
    let shape = Shape::Box(Cuboid { size: [nature.size; 3] }).build()?;
    let cube = Arc::new(Collider::new(shape));
    let mass_properties = MassProperties::of_mesh(cube.mesh(), 1000.0)?;
    let mut free = Vec::new();
    for (place, is_ghost) in places {
        let start = Pose::new(place, random.rotation())?;
        let linear = nature.speed * (away + 0.5 * random.vector());
        let angular = nature.spin * random.direction();
        let body = Body::dynamic(Arc::clone(&cube), mass_properties).at(start);
        let body = if is_ghost { body.intangible() } else { body };
        let id = world.add(body.moving(linear, angular));
        free.push(Free { id, start, linear, angular });
    }
    let mut cube_at = |place: DVec3, [linear, angular]: [DVec3; 2]| {
        let start = Pose::from_position(place)?;
        let body =
            Body::dynamic(Arc::clone(&cube), mass_properties).at(start).moving(linear, angular);
        Ok::<_, chasles::motion::MotionError>((world.add(body), start))
    };
    // The two meet in some steps, and the third has its turns between them and nobody.
    let linear = nature.speed * away;
    let meeting = nature.size / (8.0 * nature.dt) * DVec3::Z;
    // No cube of before catches up with them.
    let place = (distance + 40.0 * nature.size + nature.speed * time) * away;
    for sign in [-1.0, 1.0] {
        let start = place + sign * nature.size * DVec3::Z;
        cube_at(start, [linear - sign * meeting, DVec3::ZERO])?;
    }
    let angular = nature.spin * random.direction();
    let beside = place + 2.0 * nature.size * away.any_orthonormal_vector();
    let (id, start) = cube_at(beside, [linear, angular])?;
    free.push(Free { id, start, linear, angular });
    Ok(free)
}

impl Free {
    /// How far the cube is from where its closed form has it, in place and turn, as a share of how
    /// far it came.
    pub(super) fn error(&self, world: &World) -> f64 {
        let time = world.time();
        let body = &world.bodies()[self.id.index()];
        let fall = 0.5 * time * time * world.options().gravity;
        let way = time * self.linear + fall;
        let off = body.centre().distance(self.start.position() + way);
        let turn = DQuat::from_scaled_axis(time * self.angular) * self.start.rotation();
        let twist = (body.pose().rotation() * turn.conjugate()).xyz().length();
        let scale = self.start.position().length() + time * self.linear.length() + fall.length();
        let turned = (time * self.angular.length()).max(1.0);
        (off / scale).max(twist / turned)
    }
}
