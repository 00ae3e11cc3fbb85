//! The picture of a simulation: bodies at one moment, in the colours of their tables.

use std::path::Path;

use chasles::glam::{DQuat, DVec3};
use chasles::{Polyhedron, Pose};
use chasles_dynamics::world::Kind;
use chasles_picture::{Colour, Look, Still, View};
use chasles_scene::SimulateScene;

use super::{Canvas, Reel, diameter};
use crate::progress::Progress;
use crate::simulate::{Course, Moment, sheet_mesh};
use crate::words::plural;

/// The colour of what does not move: none of those that bodies have.
const FIXED: Colour = Colour::hex(0xb4_bd_c9);

/// How far from the others a body may be, in sizes of the scene, before the picture leaves it out
/// rather than showing all others small; and the share of what moves that it leaves out at most.
const STRAY: f64 = 1.0;
const LEFT_OUT: f64 = 0.25;

/// Frames that are looked at for the view of all.
const LOOKS: usize = 24;

/// A body that is so many times larger than all that moves is a floor, and need not be seen whole.
const LARGE: f64 = 2.0;

/// Draws the bodies of a simulation at the moment that it kept.
///
/// *Accepts* any scene and its course. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the pixels and of all vertices.
pub fn draw_simulation(scene: &SimulateScene, course: &Course, path: &Path) -> Vec<u8> {
    draw_simulation_on(scene, course, &Canvas::default(), path)
}

/// The same on a canvas.
pub fn draw_simulation_on(
    scene: &SimulateScene,
    course: &Course,
    canvas: &Canvas,
    path: &Path,
) -> Vec<u8> {
    draw_simulated(scene, &course.moment, (canvas, path), &caption(course))
}

/// Draws the bodies of a simulation at some moment.
pub(crate) fn draw_simulated(
    scene: &SimulateScene,
    moment: &Moment,
    (canvas, path): (&Canvas, &Path),
    caption: &str,
) -> Vec<u8> {
    let sheets = sheets(moment);
    let mut still = canvas.still();
    still.caption(caption);
    add(&mut still, scene, moment, &sheets);
    canvas.bytes(path, || still.to_svg(), || still.render())
}

/// Draws the frames that a simulation kept, one after the other.
///
/// *Accepts* any scene and its course. *Guarantees* the same bytes for the same input, and one view
/// for all frames. Nothing is written. *Cost* of the pixels and of all vertices, for each frame.
pub fn animate_simulation(
    scene: &SimulateScene,
    course: &Course,
    (canvas, reel): (&Canvas, &Reel),
    progress: &Progress,
) -> Vec<u8> {
    let every = course.frames.len().div_ceil(LOOKS).max(1);
    let looks = course.frames.iter().step_by(every).chain(course.frames.last());
    let points: Vec<DVec3> = looks.flat_map(|moment| seen(scene, moment)).collect();
    let slow = slow(course, reel.fps);
    let frame = |number: u32| {
        let moment = &course.frames[number as usize];
        let sheets = sheets(moment);
        let mut still = canvas.still();
        still.caption(&format!("{:.2} s{slow}", moment.time)).steady(&points);
        add(&mut still, scene, moment, &sheets);
        still.render()
    };
    let reel = Reel { frames: course.frames.len() as u32, ..*reel };
    reel.roll(canvas.size, (frame, held(course)), progress)
}

/// The first frame after the strongest impact, which stays for a while.
fn held(course: &Course) -> Option<u32> {
    let [_, time] = course.strongest?;
    let frame = course.frames.iter().position(|moment| moment.time >= time)?;
    u32::try_from(frame).ok()
}

/// How much slower than real time it plays, if one notices.
fn slow(course: &Course, fps: u32) -> String {
    let last = course.frames.last().map_or(0.0, |moment| moment.time);
    let shown = course.frames.len().saturating_sub(1) as f64 / f64::from(fps);
    let times = shown / last;
    if times > 1.5 && times.is_finite() {
        format!(", {times:.0} times slower than real time")
    } else {
        String::new()
    }
}

/// The vertices that all frames show at one moment.
fn seen(scene: &SimulateScene, moment: &Moment) -> Vec<DVec3> {
    let frame = Framed::at(scene, &moment.poses);
    let bodies = scene.world().bodies()[..scene.names().len()].iter().zip(&moment.poses);
    let corners = bodies.flat_map(|(body, pose)| {
        let mesh = body.collider().mesh();
        let is_seen = frame.shows(pose.position(), diameter(mesh));
        let corners = mesh.positions().iter().filter(move |_| is_seen);
        corners.map(|&corner| pose.point(corner))
    });
    corners.chain(moment.sheets.iter().flat_map(|sheet| sheet.positions().to_vec())).collect()
}

fn sheets(moment: &Moment) -> Vec<Option<Polyhedron>> {
    moment.sheets.iter().map(sheet_mesh).collect()
}

/// Adds title, bodies, sheets and legend.
fn add<'p>(
    still: &mut Still<'p>,
    scene: &'p SimulateScene,
    moment: &Moment,
    sheets: &'p [Option<Polyhedron>],
) {
    let bodies = &scene.world().bodies()[..scene.names().len()];
    still.title(scene.title()).without_scale();
    let frame = Framed::at(scene, &moment.poses);
    for (index, body) in bodies.iter().enumerate() {
        let (mesh, pose) = (body.collider().mesh(), &moment.poses[index]);
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
    still.view(simulated_view(scene.world().options().gravity));
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

/// What moves: where it is, how large it was at first, and how far it reaches now.
pub(crate) struct Framed {
    middle: DVec3,
    size: f64,
    reach: f64,
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
        let size = (high - low).length();
        Self { middle: low * 0.5 + high * 0.5, size, reach: (0.5 + STRAY) * size }
    }

    /// Of a scene with its bodies at some poses: the camera goes along with most of what moves, and
    /// leaves out only the few that are far from all others.
    pub(crate) fn at(scene: &SimulateScene, poses: &[Pose]) -> Self {
        let start = Self::of(scene);
        let bodies = scene.world().bodies().iter().zip(poses);
        let moving = bodies.filter(|(body, _)| !matches!(body.kind(), Kind::Static));
        let places: Vec<DVec3> = moving.map(|(_, pose)| pose.position()).collect();
        let Some(middle) = median(&places) else { return start };
        let mut ways: Vec<f64> = places.iter().map(|place| place.distance(middle)).collect();
        ways.sort_unstable_by(f64::total_cmp);
        let strays = (LEFT_OUT * ways.len() as f64) as usize;
        let farthest = ways[ways.len() - 1 - strays];
        let reach = (0.5 + STRAY) * start.size.max(2.0 * farthest);
        Self { middle, reach, ..start }
    }

    /// Whether the camera makes sure to show a body.
    pub(crate) fn shows(&self, place: DVec3, size: f64) -> bool {
        self.is_small(size) && place.distance(self.middle) <= self.reach
    }

    /// Whether a body of this size is no floor.
    pub(crate) fn is_small(&self, size: f64) -> bool {
        size <= LARGE * self.size
    }
}

/// The place in the middle of most places, whatever a few of them are; none of none.
fn median(places: &[DVec3]) -> Option<DVec3> {
    let last = places.len().checked_sub(1)?;
    let along = |axis: usize| {
        let mut all: Vec<f64> = places.iter().map(|place| place[axis]).collect();
        all.sort_unstable_by(f64::total_cmp);
        0.5 * (all[last / 2] + all[places.len() / 2])
    };
    Some(DVec3::new(along(0), along(1), along(2)))
}

/// The usual view, turned so that what falls falls down.
pub(crate) fn simulated_view(gravity: DVec3) -> View {
    let usual = View::default();
    let Some(up) = (-gravity).try_normalize() else { return usual };
    let turn = DQuat::from_rotation_arc(usual.up, up);
    View { towards_eye: turn * usual.towards_eye, up, ..usual }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of a metre in a row.
    fn row(count: usize) -> SimulateScene {
        let body = |i: usize| {
            format!(
                "[[body]]\nname = \"b{i}\"\nshape = {{ box = {{ size = [1, 1, 1] }} }}\n\
                 density = 1\nstart = {{ position = [{}, 0, 0] }}\n",
                2 * i
            )
        };
        let text: String = (0..count).map(body).collect();
        SimulateScene::from_text(&text, "row.toml", Path::new(".")).expect("a scene")
    }

    /// Which boxes of a row are shown if they are at these places.
    fn shown(places: &[DVec3]) -> Vec<bool> {
        let scene = row(places.len());
        let pose = |place: &DVec3| Pose::from_position(*place).expect("finite");
        let poses: Vec<Pose> = places.iter().map(pose).collect();
        let framed = Framed::at(&scene, &poses);
        places.iter().map(|place| framed.shows(*place, 1.7)).collect()
    }

    #[test]
    fn the_camera_goes_along_with_what_drives_away() {
        assert_eq!(shown(&[DVec3::X * 500.0]), [true]);
        assert_eq!(shown(&[DVec3::X * -300.0, DVec3::X * 500.0]), [true; 2]);
        let away = [0.0, 2.0, 4.0, 6.0].map(|y| DVec3::new(1e3, y, 0.0));
        assert_eq!(shown(&away), [true; 4]);
    }

    #[test]
    fn a_stray_of_many_is_left_out() {
        let mut places: Vec<DVec3> = (0..8).map(|i| DVec3::X * f64::from(i)).collect();
        places[3] = DVec3::Y * -1e4;
        let shown = shown(&places);
        assert_eq!(shown.iter().filter(|shown| !**shown).count(), 1);
        assert!(!shown[3]);
    }
}
