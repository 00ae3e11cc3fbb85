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

mod choice;
mod mesh;
mod panels;
mod screen;

use std::path::Path;

use chasles::glam::DVec3;
use chasles::{Contact, Polyhedron, Pose};

use crate::args::At;
use crate::picture::{Image, Look, Size, Still, palette};
use crate::results::Results;
use crate::scene::Scene;
use choice::{Moment, PROPER_ENOUGH, Shown, Sight, far_apart, view};
pub use mesh::draw_mesh;
pub use screen::draw_screen;

/// Width and height in pixels: fits a page, and a PNG stays below 300 KB.
const SIZE: [u32; 2] = [1200, 800];

/// Paths drawn for each body: enough to see the flow, few enough to see the body.
const PATHS: usize = 5;

/// Straight pieces of a path in each part of the step; a quarter-turn of 24 looks round.
const PIECES: u32 = 24;

/// The most pieces of a path, however often a body turns.
const MOST_PIECES: u32 = 1200;

/// A body that is so many times larger than all others is a floor: a picture need not show it all.
const FLOOR: f64 = 8.0;

/// Draws the scene with its contacts, at the moment `at` or else at that which tells most; of
/// several moments each has a panel of its own.
///
/// *Accepts* any scene and its results. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the pixels and of all vertices.
pub fn draw(scene: &Scene, results: &Results, at: &[At], path: &Path) -> Vec<u8> {
    match *at {
        [] => draw_moment(scene, results, None, path),
        [At::Time(time)] => draw_moment(scene, results, Some(time), path),
        _ => panels::draw(scene, results, at, path),
    }
}

fn draw_moment(scene: &Scene, results: &Results, at: Option<f64>, path: &Path) -> Vec<u8> {
    let moment = Moment::of(results, at);
    let shown = Shown::of(results);
    let mut still = Still::new(size());
    let Moment { time, reason, .. } = moment;
    still.title(scene.title());
    still.caption(&format!("Time {time:.4}{reason}; {}; faint: the start", shown.choice));
    let paths = Paths { scene, results, moment };
    let poses: Vec<Pose> =
        (0..scene.bodies().len()).map(|body| paths.pose(body, moment.time)).collect();
    for (index, body) in scene.bodies().iter().enumerate() {
        add_body(&mut still, scene, index, &poses[index]);
        for path in paths.of(index) {
            still.curve(&path, palette(index), 2.2);
        }
        still.body_key(palette(index), &body.name);
    }
    for &(a, contact) in &shown.contacts {
        let [point, normal] =
            [poses[a].point(contact.point_in_a), poses[a].vector(contact.normal_in_a)];
        let has_arrow = contact.properness >= PROPER_ENOUGH;
        still.marker(point, if has_arrow { normal } else { DVec3::ZERO }, contact.properness);
    }
    let sight = shown.contacts.iter().find(|(_, contact)| contact.time >= moment.time);
    still.view(view(sight.map(|&(a, contact)| sight_of(scene, a, &poses[a], contact))));
    bytes(path, || still.to_svg(), || still.render())
}

fn size() -> Size {
    Size::new(SIZE[0], SIZE[1]).expect("the size is within its limits")
}

/// The picture as SVG if `path` ends so, and as PNG otherwise.
fn bytes(path: &Path, svg: impl FnOnce() -> String, image: impl FnOnce() -> Image) -> Vec<u8> {
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        svg().into_bytes()
    } else {
        image().to_png()
    }
}

/// A body at the moment, and its ghost at the start unless it is there already.
fn add_body<'s>(still: &mut Still<'s>, scene: &'s Scene, index: usize, pose: &Pose) {
    let body = &scene.bodies()[index];
    let others = scene.bodies().iter().filter(|other| other.name != body.name);
    let largest = others.map(|other| diameter(other.collider.mesh())).fold(0.0, f64::max);
    let is_floor = largest > 0.0 && diameter(body.collider.mesh()) > FLOOR * largest;
    let look = Look { framed: !is_floor, ..Look::of(index) };
    still.body(body.collider.mesh(), pose, look);
    if *pose != body.motion.start() {
        still.body(body.collider.mesh(), &body.motion.start(), look.ghost());
    }
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

impl Paths<'_> {
    /// The pose of a body at time `t`: that of B by the relative screw in the pair of the moment,
    /// that of every other body by its own motion.
    fn pose(&self, body: usize, t: f64) -> Pose {
        let motion = &self.scene.bodies()[body].motion;
        let pair = self.moment.pair.map(|pair| &self.results.pairs[pair]);
        match pair.filter(|pair| pair.bodies[1] == body) {
            Some(pair) => pair.step.pose_of_b_by_relative(t),
            None if t == 0.0 => motion.start(),
            None if t == 1.0 => motion.end(),
            None => motion.screw().pose_at(t).after(&motion.start()),
        }
    }

    /// The paths of a few vertices of a body; none if it stands still.
    fn of(&self, body: usize) -> Vec<Vec<DVec3>> {
        let mesh = self.scene.bodies()[body].collider.mesh();
        let pieces = (PIECES * self.scene.parts()).clamp(2 * PIECES, MOST_PIECES);
        let times = (0..=pieces).map(|i| f64::from(i) / f64::from(pieces));
        let poses: Vec<Pose> = times.map(|t| self.pose(body, t)).collect();
        let path = |point: DVec3| poses.iter().map(|pose| pose.point(point)).collect();
        let is_seen = |path: &Vec<DVec3>| {
            let reach = path.iter().map(|p| p.distance(path[0])).fold(0.0, f64::max);
            reach > 1e-6 * diameter(mesh)
        };
        far_apart(mesh.positions(), PATHS).into_iter().map(path).filter(is_seen).collect()
    }
}

/// How a contact lies on its body A.
fn sight_of(scene: &Scene, a: usize, pose: &Pose, contact: &Contact) -> Sight {
    let mesh = scene.bodies()[a].collider.mesh();
    let [low, high] = mesh.bounds();
    let place = contact.point_in_a - (low * 0.5 + high * 0.5);
    let place = pose.vector(place) / diameter(mesh).max(f64::MIN_POSITIVE);
    Sight { place, normal: pose.vector(contact.normal_in_a) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::HowFound;

    #[test]
    fn a_body_alone_is_a_picture() {
        let text = "[[body]]\nshape = { box = {} }\nend = { position = [1, 0, 0] }\n";
        let scene = Scene::from_text(text, "alone", Path::new("")).unwrap();
        let none = Results { method: HowFound::Exact, pairs: Vec::new(), timing: None };
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
