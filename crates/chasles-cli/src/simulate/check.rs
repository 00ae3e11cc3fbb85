//! Whether bodies are in each other, asked of a frame by itself: by what is where, not by what moved.

use chasles::glam::DVec3;
use chasles::near::{self, Workspace};
use chasles_dynamics::world::Kind;
use chasles_dynamics::{Body, BodyId, World};

/// Two bodies in each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overlap {
    /// In seconds.
    pub time: f64,
    /// Their numbers.
    pub bodies: [usize; 2],
}

/// All pairs of bodies, one of which may move, that are in each other and should not.
pub(super) fn overlaps(world: &World) -> Vec<Overlap> {
    let bodies = world.bodies();
    let boxes: Vec<[DVec3; 2]> = bodies.iter().map(around).collect();
    let is_fixed = |body: &Body| matches!(body.kind(), Kind::Static);
    let mut workspace = Workspace::new();
    let mut found = Vec::new();
    for (j, b) in bodies.iter().enumerate() {
        for (i, a) in bodies.iter().enumerate().take(j) {
            let [[low_a, high_a], [low_b, high_b]] = [boxes[i], boxes[j]];
            let may_meet = low_a.cmple(high_b).all() && low_b.cmple(high_a).all();
            let collide = world.collides(BodyId(i), BodyId(j));
            if !may_meet || !collide || is_fixed(a) && is_fixed(b) {
                continue;
            }
            let poses = [a.pose(), b.pose()];
            if near::intersect(a.collider(), b.collider(), poses, &mut workspace) {
                found.push(Overlap { time: world.time(), bodies: [i, j] });
            }
        }
    }
    found
}

/// The box around a body where it is.
fn around(body: &Body) -> [DVec3; 2] {
    let corners = body.collider().mesh().positions().iter();
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    corners
        .map(|&corner| body.pose().point(corner))
        .fold(none, |[low, high], corner| [low.min(corner), high.max(corner)])
}
