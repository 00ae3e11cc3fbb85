//! Whether two bodies at rest are in each other, whatever they are.

use chasles::query::{self, Overlap};
use chasles::{Pose, near};
use chasles_dynamics::Body;

/// Memory of the tests for bodies at rest.
#[derive(Debug, Default)]
pub(super) struct Inside {
    meshes: near::Workspace,
    others: query::Workspace,
}

impl Inside {
    /// Whether two bodies are in each other at these poses: meshes by [`near::intersect`], round
    /// bodies by their own distance.
    pub(super) fn are_in(&mut self, bodies: [&Body; 2], poses: [Pose; 2]) -> bool {
        let [a, b] = bodies.map(|body| body.shape().geometry());
        match (a.collider(), b.collider()) {
            (Some(a), Some(b)) => near::intersect(a, b, poses, &mut self.meshes),
            _ => query::overlaps(a, b, poses, &mut self.others) != Ok(Overlap::Apart),
        }
    }
}
