//! Where a body is at one time, and how it looks.

use std::borrow::Cow;

use chasles::glam::DVec3;
use chasles::{Polyhedron, Pose};
use chasles_picture::Look;
use chasles_scene::{Body, Form};

use super::choice::Sight;

/// What captions say of bodies that are faint, and of paths.
pub(super) const FAINT: &str = "faint: the start";
pub(super) const LINES: &str = "lines: paths of some vertices";

/// A body that is so many times larger than all others is a floor: a picture need not show it all.
pub(crate) const FLOOR: f64 = 8.0;

/// A body at one time.
pub(super) struct Placed<'r> {
    pub(super) time: f64,
    pub(super) mesh: Cow<'r, Polyhedron>,
    pub(super) pose: Pose,
    /// Whether it stands elsewhere at the start, or looked otherwise.
    pub(super) has_moved: bool,
}

impl Placed<'_> {
    /// Its vertices in the world.
    pub(super) fn corners(&self) -> impl Iterator<Item = DVec3> {
        self.mesh.positions().iter().map(|&corner| self.pose.point(corner))
    }
}

/// A solid has no edges: those of the mesh that shows it are of the grid.
pub(super) fn look_of(body: &Body, index: usize) -> Look {
    Look { edges: !matches!(body.form, Form::Solid(_)), ..Look::of(index) }
}

pub(super) fn diameter(mesh: &Polyhedron) -> f64 {
    let [low, high] = mesh.bounds();
    (high - low).length()
}

/// How a contact, marked at a point with a normal, lies on its body A.
pub(super) fn sight_of(placed: &Placed, [point, normal]: [DVec3; 2]) -> Sight {
    let [low, high] = placed.mesh.bounds();
    let place = point - placed.pose.point(low * 0.5 + high * 0.5);
    Sight { place: place / diameter(&placed.mesh).max(f64::MIN_POSITIVE), normal }
}
