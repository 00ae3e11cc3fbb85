//! Where bodies would go in a part of a step, if nothing were in their way.
//!
//! A body that nothing touches falls along its parabola and spins freely: `v1 = v0 + h a`, and the
//! way is that of the mean velocity, so both are exact for a constant force. The way of a body
//! that others hold is that of its new velocity instead, since the mean of two velocities of which
//! only the second respects a contact does not.

use chasles::Pose;
use glam::{DQuat, DVec3};

use super::State;
use super::body::top;
use super::load::Load;
use crate::body::{Solidity, Velocity};
use crate::spin::Top;

/// What moves a body besides contacts and joints.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Pull {
    pub(super) acceleration: DVec3,
    pub(super) torque: DVec3,
}

impl Pull {
    /// Gravity and the load of a body.
    pub(super) fn new(solidity: &Solidity, gravity: DVec3, load: &Load) -> Self {
        Self { acceleration: gravity + load.force / solidity.mass(), torque: load.torque }
    }
}

/// A dynamic body after a time without contact.
pub(super) fn fall(solidity: &Solidity, state: &State, pull: &Pull, h: f64) -> State {
    let linear = state.velocity.linear + pull.acceleration * h;
    let way = 0.5 * h * (state.velocity.linear + linear);
    moved(solidity, state, (linear, way), (DQuat::IDENTITY, pull.torque), h)
}

/// A dynamic body that has these velocities throughout, and is moved a little besides.
pub(super) fn carry(solidity: &Solidity, state: &State, apart: &Velocity, h: f64) -> State {
    let linear = state.velocity.linear;
    let besides = DQuat::from_scaled_axis(apart.angular);
    moved(solidity, state, (linear, linear * h + apart.linear), (besides, DVec3::ZERO), h)
}

/// A body that spins under a torque while its centre goes this way, and is turned besides: half of
/// the torque's impulse comes before the spin and half after it.
fn moved(
    solidity: &Solidity,
    state: &State,
    (linear, way): (DVec3, DVec3),
    (besides, torque): (DQuat, DVec3),
    h: f64,
) -> State {
    let mut top = top(solidity, state);
    top.momentum += 0.5 * h * torque;
    top = top.after(h);
    top.momentum += 0.5 * h * torque;
    let rotation = besides * top.attitude * solidity.axes().conjugate();
    let centre = state.pose.point(solidity.centre()) + way;
    let pose = placed(centre, rotation, solidity).unwrap_or(state.pose);
    State { pose, velocity: Velocity { linear, angular: top.angular_velocity() }, ..*state }
}

/// The pose with this centre of mass; none if there is no such pose.
fn placed(centre: DVec3, rotation: DQuat, solidity: &Solidity) -> Option<Pose> {
    let rotation = rotation.normalize();
    Pose::new(centre - rotation * solidity.centre(), rotation).ok()
}

/// The velocity that carries a body from one pose to another, about the origin of its frame.
pub(super) fn between(from: &Pose, to: &Pose, h: f64) -> Velocity {
    let mut turn = to.rotation() * from.rotation().conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    Velocity { linear: (to.position() - from.position()) / h, angular: turn.to_scaled_axis() / h }
}

/// The angular velocity of a body with this angular momentum.
pub(super) fn turned(solidity: &Solidity, pose: &Pose, momentum: DVec3) -> DVec3 {
    let attitude = pose.rotation() * solidity.axes();
    Top { attitude, momentum, moments: solidity.moments() }.angular_velocity()
}
