//! The picture of a simulation: bodies at one moment, in the colours of their tables.

use std::path::Path;

use chasles::Pose;
use chasles::glam::{DQuat, DVec3};
use chasles_dynamics::world::Kind;

use super::{bytes, diameter, size};
use crate::picture::{Colour, Look, Still, View};
use crate::scene::SimulateScene;
use crate::simulate::{Course, sheet_mesh};
use crate::table::plural;

/// The colour of what does not move: none of those that bodies have.
const FIXED: Colour = Colour::hex(0xb4_bd_c9);

/// How far from the others a body may be, in sizes of the scene, before the picture leaves it out
/// rather than showing all others small.
const STRAY: f64 = 1.0;

/// A body that is so many times larger than all that moves is a floor, and need not be seen whole.
const LARGE: f64 = 2.0;

/// Draws the bodies of a simulation at the moment that it kept.
///
/// *Accepts* any scene and its course. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the pixels and of all vertices.
pub fn draw_simulation(scene: &SimulateScene, course: &Course, path: &Path) -> Vec<u8> {
    let sheets: Vec<_> = course.moment.sheets.iter().map(sheet_mesh).collect();
    let mut still = Still::new(size());
    let bodies = &scene.world().bodies()[..scene.names().len()];
    still.title(scene.title()).caption(&caption(course)).without_scale();
    let frame = Framed::of(scene);
    for (index, body) in bodies.iter().enumerate() {
        let (mesh, pose) = (body.collider().mesh(), &course.moment.poses[index]);
        let framed = frame.shows(pose.position(), diameter(mesh));
        let colour = simulated_colour(scene, scene.table(index), index);
        still.body(mesh, pose, Look { colour, framed, ..Look::default() });
    }
    let tables = scene.tables().count();
    for (number, mesh) in sheets.iter().enumerate() {
        if let Some(mesh) = mesh {
            still.body(mesh, &Pose::IDENTITY, Look::of(tables + number));
        }
    }
    for (number, (name, index)) in scene.tables().enumerate() {
        still.body_key(simulated_colour(scene, number, index), name);
    }
    for (number, name) in scene.sheets().iter().enumerate() {
        still.body_key(Look::of(tables + number).colour, name);
    }
    still.view(simulated_view(course.world.options().gravity));
    bytes(path, || still.to_svg(), || still.render())
}

/// The colour of a body, which is of this table.
pub(crate) fn simulated_colour(scene: &SimulateScene, table: usize, body: usize) -> Colour {
    let is_fixed = matches!(scene.world().bodies()[body].kind(), Kind::Static);
    if is_fixed { FIXED } else { Look::of(table).colour }
}

fn caption(course: &Course) -> String {
    let impacts = plural(course.impacts, "impact");
    format!("After {:.3} s; {impacts} in {:.3} s", course.moment.time, course.world.time())
}

/// What moves at first, and how large it is.
pub(crate) struct Framed {
    middle: DVec3,
    size: f64,
}

impl Framed {
    /// Of a scene at its start.
    pub(crate) fn of(scene: &SimulateScene) -> Self {
        let moving = scene.world().bodies().iter().filter(|b| !matches!(b.kind(), Kind::Static));
        let corners = moving.flat_map(|body| {
            let pose = body.pose();
            body.collider().mesh().positions().iter().map(move |&corner| pose.point(corner))
        });
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let [low, high] = corners.fold(none, |[low, high], p| [low.min(p), high.max(p)]);
        Self { middle: low * 0.5 + high * 0.5, size: (high - low).length() }
    }

    /// Whether the camera makes sure to show a body.
    pub(crate) fn shows(&self, place: DVec3, size: f64) -> bool {
        let is_stray = place.distance(self.middle) > (0.5 + STRAY) * self.size;
        self.is_small(size) && !is_stray
    }

    /// Whether a body of this size is no floor.
    pub(crate) fn is_small(&self, size: f64) -> bool {
        size <= LARGE * self.size
    }
}

/// The usual view, turned so that what falls falls down.
pub(crate) fn simulated_view(gravity: DVec3) -> View {
    let usual = View::default();
    let Some(up) = (-gravity).try_normalize() else { return usual };
    let turn = DQuat::from_rotation_arc(usual.up, up);
    View { towards_eye: turn * usual.towards_eye, up, ..usual }
}
