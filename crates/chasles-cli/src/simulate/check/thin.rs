//! Whether a body without faces passes another between two moments.
//!
//! At rest two wires are never in each other, and a point is in nothing but closed bodies, so only
//! the way tells. From moment to moment vertices are taken to go straight, and the exact contacts
//! of straight motions are asked for ([`deform::contacts`]). Moments are so close that a chord
//! leaves the screw by less than a hundredth of the gap that a world keeps.

use std::collections::BTreeMap;

use chasles::Pose;
use chasles::deform::{self, Options, Surface, Workspace};
use chasles::glam::DVec3;
use chasles_dynamics::Body;

/// Follows the bodies of one world.
#[derive(Debug, Default)]
pub(super) struct Thin {
    /// By the numbers of bodies; none for those without a surface.
    surfaces: BTreeMap<usize, Option<Surface>>,
    workspace: Workspace,
}

/// Whether a body has neither faces nor a radius.
pub(super) fn is_thin(body: &Body) -> bool {
    body.shape().geometry().collider().is_some_and(|collider| collider.mesh().face_count() == 0)
}

impl Thin {
    /// Whether two bodies touch on the straight way from poses to later ones.
    pub(super) fn meet(
        &mut self,
        pair: [usize; 2],
        bodies: [&Body; 2],
        [from, to]: [[Pose; 2]; 2],
    ) -> bool {
        let make = |body: &Body| Surface::new(&body.collider().mesh().to_polygons()).ok();
        for (number, body) in pair.into_iter().zip(bodies) {
            self.surfaces.entry(number).or_insert_with(|| make(body));
        }
        let surfaces = pair.map(|number| self.surfaces.get(&number).and_then(Option::as_ref));
        let [Some(a), Some(b)] = surfaces else { return false };
        let places = |side: usize, pose: &Pose| -> Vec<DVec3> {
            bodies[side].collider().mesh().positions().iter().map(|p| pose.point(*p)).collect()
        };
        let ends =
            [0, 1].map(|side: usize| [&from[side], &to[side]].map(|pose| places(side, pose)));
        let [Ok(a), Ok(b)] =
            [a.moving(&ends[0][0], &ends[0][1]), b.moving(&ends[1][0], &ends[1][1])]
        else {
            return false;
        };
        !deform::contacts(&a, &b, &Options::default(), &mut self.workspace).is_empty()
    }
}
