//! The picture of a scene and its contacts: one moment, and the paths that lead through it.
//!
//! ```text
//! moment    that of the first proper, approaching contact, or half time
//! bodies    solid at the moment, faint at the start
//! paths     of a few vertices of each body that moves
//! markers   contacts, where they are on A at the moment
//! ```
//!
//! The pair of the moment's contact stands as the contacts see it: A along its own screw, B by the
//! relative one. Contacts of other times are carried along with A, so that every marker lies on the
//! surface of A.

mod canvas;
mod choice;
mod features;
mod film;
mod mesh;
mod panels;
mod screen;
mod simulate;
mod trace;

use std::borrow::Cow;
use std::path::Path;

use chasles::glam::DVec3;
use chasles::{Motion, Polyhedron, Pose};

use crate::args::At;
use crate::results::{Features, Found, Results};
use crate::table::overlaps;
pub use canvas::{Canvas, Reel};
use chasles_picture::{Look, Size, Still, palette};
use chasles_scene::{Body, Deforming, Form, Scene};
pub(crate) use choice::{Moment, PROPER_ENOUGH, Sight, view};
use choice::{Shown, far_apart};
pub use film::animate;
pub use mesh::{draw_mesh, draw_mesh_on};
pub use screen::draw_screen;
pub(crate) use screen::{ranges, why_none, words_of_r};
pub(crate) use simulate::{Framed, draw_simulated, simulated_colour, simulated_view};
pub use simulate::{animate_simulation, draw_simulation, draw_simulation_on};
pub(crate) use trace::{WORLD, in_the_way, trace_view};
pub use trace::{draw_trace, draw_trace_on};

/// Width and height in pixels: fits a page, and a PNG stays below 300 KB.
const SIZE: [u32; 2] = [1200, 800];

/// Paths drawn for each body: enough to see the flow, few enough to see the body.
const PATHS: usize = 5;

/// Straight pieces of a path in each part of the step; a quarter-turn of 24 looks round.
const PIECES: u32 = 24;

/// The most pieces of a path, however often a body turns.
const MOST_PIECES: u32 = 1200;

/// Features are drawn as touching so near to the time at which they do, as a part of the step.
const NOW: f64 = 1e-9;

/// What captions say of bodies that are faint, and of paths.
const FAINT: &str = "faint: the start";
const LINES: &str = "lines: paths of some vertices";

/// A body that is so many times larger than all others is a floor: a picture need not show it all.
pub(crate) const FLOOR: f64 = 8.0;

/// Draws the scene with its contacts, at the moment `at` or else at that which tells most; of
/// several moments each has a panel of its own.
///
/// *Accepts* any scene and its results. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the pixels and of all vertices.
pub fn draw(scene: &Scene, results: &Results, at: &[At], path: &Path) -> Vec<u8> {
    draw_on(scene, results, at, (&Canvas::default(), path))
}

/// The same on a canvas.
pub fn draw_on(
    scene: &Scene,
    results: &Results,
    at: &[At],
    (canvas, path): (&Canvas, &Path),
) -> Vec<u8> {
    match *at {
        [] => draw_moment(scene, results, None, (canvas, path)),
        [At::Time(time)] => draw_moment(scene, results, Some(time), (canvas, path)),
        _ => panels::draw(scene, results, at, (canvas, path)),
    }
}

fn draw_moment(
    scene: &Scene,
    results: &Results,
    at: Option<f64>,
    (canvas, path): (&Canvas, &Path),
) -> Vec<u8> {
    let moment = Moment::of(results, at);
    let shown = Shown::of(results);
    let paths = Paths { scene, results, moment };
    let placed = paths.placed(moment.time);
    let mut still = canvas.still();
    let Moment { time, reason, .. } = moment;
    still.title(scene.title());
    let curves: Vec<Vec<Vec<DVec3>>> = (0..scene.bodies().len()).map(|i| paths.of(i)).collect();
    let parts = [
        Some(format!("Time {time:.4}{reason}; {}", shown.choice)),
        results.filters(),
        overlaps(scene, results),
        placed.iter().any(|placed| placed.has_moved).then(|| FAINT.to_string()),
        curves.iter().any(|curves| !curves.is_empty()).then(|| LINES.to_string()),
    ];
    still.caption(&parts.into_iter().flatten().collect::<Vec<_>>().join("; "));
    for (index, body) in scene.bodies().iter().enumerate() {
        add_body(&mut still, scene, index, &placed[index]);
        for path in &curves[index] {
            still.curve(path, palette(index), 2.2);
        }
        still.body_key(palette(index), &body.name);
    }
    paths.add_markers(&mut still, &placed, &shown.contacts);
    let sight = shown.contacts.iter().find(|(_, contact)| contact.time >= moment.time);
    still.view(view(
        sight.map(|&(a, contact)| sight_of(&placed[a], paths.mark(a, &placed[a], contact))),
    ));
    canvas.bytes(path, || still.to_svg(), || still.render())
}

fn size() -> Size {
    Size::new(SIZE[0], SIZE[1]).expect("the size is within its limits")
}

/// A body at the moment, and its ghost at the start unless it is there already.
fn add_body<'p>(still: &mut Still<'p>, scene: &'p Scene, index: usize, placed: &'p Placed) {
    let body = &scene.bodies()[index];
    let others = scene.bodies().iter().filter(|other| other.name != body.name);
    let largest = others.map(|other| diameter(other.mesh())).fold(0.0, f64::max);
    let is_floor = largest > 0.0 && diameter(body.mesh()) > FLOOR * largest;
    let look = Look { framed: !is_floor, ..look_of(body, index) };
    still.body(&placed.mesh, &placed.pose, look);
    if placed.has_moved {
        let start = body.motion().map_or(Pose::IDENTITY, Motion::start);
        still.body(body.mesh(), &start, look.ghost());
    }
}

/// A solid has no edges: those of the mesh that shows it are of the grid.
fn look_of(body: &Body, index: usize) -> Look {
    Look { edges: !matches!(body.form, Form::Solid(_)), ..Look::of(index) }
}

fn diameter(mesh: &Polyhedron) -> f64 {
    let [low, high] = mesh.bounds();
    (high - low).length()
}

/// Where bodies are during the step.
struct Paths<'r> {
    scene: &'r Scene,
    results: &'r Results,
    moment: Moment,
}

/// A body at one time.
struct Placed<'r> {
    time: f64,
    mesh: Cow<'r, Polyhedron>,
    pose: Pose,
    /// Whether it stands elsewhere at the start, or looked otherwise.
    has_moved: bool,
}

impl Placed<'_> {
    /// Its vertices in the world.
    fn corners(&self) -> impl Iterator<Item = DVec3> {
        self.mesh.positions().iter().map(|&corner| self.pose.point(corner))
    }
}

impl<'r> Paths<'r> {
    /// All bodies at one time.
    fn placed(&self, time: f64) -> Vec<Placed<'r>> {
        let whole = |index: usize, mesh: &'r Polyhedron, motion: &Motion| {
            let pose = self.pose(index, motion, time);
            let has_moved = pose != motion.start();
            Placed { time, mesh: Cow::Borrowed(mesh), pose, has_moved }
        };
        let body = |(index, body): (usize, &'r Body)| match &body.form {
            Form::Rigid(rigid) => whole(index, rigid.collider.mesh(), &rigid.motion),
            Form::Solid(solid) => whole(index, solid.look(), &solid.motion),
            Form::Deforming(deforming) => {
                let [start, end] = deforming.frames.ends();
                let has_moved = time > 0.0 && start != end;
                Placed { time, mesh: deforming.mesh_at(time), pose: Pose::IDENTITY, has_moved }
            }
        };
        self.scene.bodies().iter().enumerate().map(body).collect()
    }

    /// The pose of a rigid body at time `t`: that of B by the relative screw in the pair of the
    /// moment, that of every other body by its own motion.
    fn pose(&self, body: usize, motion: &Motion, t: f64) -> Pose {
        let pair = self.moment.pair.map(|pair| &self.results.pairs[pair]);
        let step = pair.filter(|pair| pair.bodies[1] == body).and_then(|pair| pair.step.as_ref());
        step.map_or_else(|| motion.pose_at(t), |step| step.pose_of_b_by_relative(t))
    }

    /// Where a contact is on its body A, which is placed at some time, and its normal there.
    fn mark(&self, a: usize, placed: &Placed, contact: &Found) -> [DVec3; 2] {
        match &self.scene.bodies()[a].form {
            Form::Rigid(_) | Form::Solid(_) => {
                [placed.pose.point(contact.point_in_a), placed.pose.vector(contact.normal_in_a)]
            }
            Form::Deforming(body) => [carried(body, contact, placed.time), contact.normal],
        }
    }

    /// Marks contacts on bodies that are placed: the first large, with its features if it is now,
    /// and others small; all alike if there is no first.
    fn add_markers(&self, still: &mut Still, placed: &[Placed], contacts: &[(usize, &Found)]) {
        let first = choice::first(self.results);
        let is_first = |contact: &Found| first.is_some_and(|(_, it)| std::ptr::eq(it, contact));
        for &(a, contact) in contacts {
            let [point, normal] = self.mark(a, &placed[a], contact);
            let has_arrow = contact.properness >= PROPER_ENOUGH;
            let arrow = if has_arrow { normal } else { DVec3::ZERO };
            match first {
                Some(_) if is_first(contact) => {
                    still.first_marker(point, arrow, contact.properness)
                }
                Some(_) => still.later_marker(point, contact.properness),
                None => still.marker(point, arrow, contact.properness),
            };
        }
        let now = first.filter(|(_, contact)| {
            contacts.iter().any(|(_, other)| std::ptr::eq(*other, *contact))
        });
        if let Some((pair, contact)) = now {
            let both = self.results.pairs[pair].bodies.map(|body| &placed[body]);
            if (both[0].time - contact.time).abs() < NOW {
                features::outlines(contact, both).iter().for_each(|line| {
                    still.outline(line);
                });
            }
        }
    }

    /// The paths of a few vertices of a body; none if it stands still.
    fn of(&self, body: usize) -> Vec<Vec<DVec3>> {
        let size = diameter(self.scene.bodies()[body].mesh());
        let is_seen = |path: &Vec<DVec3>| {
            let reach = path.iter().map(|p| p.distance(path[0])).fold(0.0, f64::max);
            reach > 1e-6 * size
        };
        let paths = match self.scene.bodies()[body].deforming() {
            None => self.of_rigid(body),
            Some(deforming) => {
                let [start, end] = deforming.frames.ends();
                let chosen = far_apart(start, PATHS).into_iter();
                chosen.map(|vertex| vec![start[vertex], end[vertex]]).collect()
            }
        };
        paths.into_iter().filter(is_seen).collect()
    }

    fn of_rigid(&self, body: usize) -> Vec<Vec<DVec3>> {
        let Some(motion) = self.scene.bodies()[body].motion() else { return Vec::new() };
        let pieces = (PIECES * self.scene.parts()).clamp(2 * PIECES, MOST_PIECES);
        let times = (0..=pieces).map(|i| f64::from(i) / f64::from(pieces));
        let poses: Vec<Pose> = times.map(|t| self.pose(body, motion, t)).collect();
        let corners = self.scene.bodies()[body].mesh().positions();
        let path = |corner: usize| poses.iter().map(|pose| pose.point(corners[corner])).collect();
        far_apart(corners, PATHS).into_iter().map(path).collect()
    }
}

/// Where a contact is at time `t` on a body A that deforms: it moves with the corners of its feature,
/// the more with one the nearer it is. On an edge this is exact, and on a face it stays near.
fn carried(body: &Deforming, contact: &Found, t: f64) -> DVec3 {
    let Features::Meshes(features) = &contact.features else { return contact.point };
    let corners = match features {
        chasles::Features::Fv { face, .. } => body.face(*face),
        chasles::Features::Vf { vertex, .. } => std::slice::from_ref(vertex),
        chasles::Features::Ee { a, .. } => a,
    };
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for &corner in corners {
        let from = body.frames.position(corner, contact.time);
        let shift = body.frames.position(corner, t) - from;
        let distance = from.distance(contact.point);
        if distance == 0.0 {
            return contact.point + shift;
        }
        sum += shift / distance;
        weights += 1.0 / distance;
    }
    contact.point + sum / weights
}

/// How a contact, marked at a point with a normal, lies on its body A.
fn sight_of(placed: &Placed, [point, normal]: [DVec3; 2]) -> Sight {
    let [low, high] = placed.mesh.bounds();
    let place = point - placed.pose.point(low * 0.5 + high * 0.5);
    Sight { place: place / diameter(&placed.mesh).max(f64::MIN_POSITIVE), normal }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::HowFound;

    #[test]
    fn a_body_alone_is_a_picture() {
        let text = "[[body]]\nshape = { box = {} }\nend = { position = [1, 0, 0] }\n";
        let scene = Scene::from_text(text, "alone", Path::new("")).unwrap();
        let none = Results {
            method: HowFound::Exact,
            asked: chasles::Options::default(),
            pairs: Vec::new(),
            open: Vec::new(),
            device: None,
            timing: None,
        };
        let svg = String::from_utf8(draw(&scene, &none, &[], Path::new("alone.SVG"))).unwrap();
        assert!(svg.contains("Time 0.5000") && svg.contains("no contacts"), "{:.300}", svg);
        assert!(draw(&scene, &none, &[], Path::new("alone.png")).starts_with(b"\x89PNG"));
        let at = [At::Time(0.0), At::Proper, At::Time(1.0)];
        let svg = String::from_utf8(draw(&scene, &none, &at, Path::new("alone.svg"))).unwrap();
        assert!(svg.contains("(a) time 0.0000") && svg.contains("(b) time 1.0000"), "{:.300}", svg);
        let svg = String::from_utf8(draw_screen(&scene, &none, Path::new("alone.svg"))).unwrap();
        assert!(svg.contains("no pair"), "{:.300}", svg);
    }
}
