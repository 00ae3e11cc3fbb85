//! Which pairs of bodies are looked at, and where bodies are.

use chasles::Pose;
use chasles::glam::DVec3;
use chasles_dynamics::world::{Kind, Stepping};
use chasles_dynamics::{Body, BodyId, World};

/// Whether two bodies may not be in each other: they collide, and one of them is not fixed.
pub(super) fn should_be_apart(world: &World, [i, j]: [usize; 2]) -> bool {
    let is_fixed = |i: usize| matches!(world.bodies()[i].kind(), Kind::Static);
    !(is_fixed(i) && is_fixed(j)) && world.collides(BodyId(i), BodyId(j))
}

/// Whether two bodies may be in each other, since neither gives way and the world has such bodies
/// pass each other.
pub(super) fn pass_each_other(world: &World, pair: [usize; 2]) -> bool {
    let is_stiff = |body: &Body| matches!(body.kind(), Kind::Static | Kind::Kinematic(_));
    world.options().stepping == Stepping::Windows
        && pair.iter().all(|&i| world.bodies().get(i).is_some_and(is_stiff))
}

/// The box around a body where it is.
pub(super) fn around((body, pose): (&Body, &Pose)) -> [DVec3; 2] {
    let Some((core, radius)) = body.shape().geometry().core() else { return [DVec3::ZERO; 2] };
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let corners = core.mesh().positions().iter().map(|&corner| pose.point(corner));
    let [low, high] = corners.fold(none, |[low, high], at| [low.min(at), high.max(at)]);
    [low - radius, high + radius]
}
