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
mod moment;
mod panels;
mod paths;
mod placed;
mod screen;
mod simulate;
mod trace;

use std::path::Path;

use crate::args::At;
use crate::results::Results;
pub use canvas::{Canvas, Reel};
use chasles_scene::Scene;
pub(crate) use choice::{Moment, Sight, view};
pub use film::animate;
pub use mesh::{draw_mesh, draw_mesh_on};
use moment::draw_moment;
use paths::{MOST_PIECES, PATHS, PIECES, Paths};
pub(crate) use placed::FLOOR;
use placed::{FAINT, LINES, Placed, diameter, look_of, sight_of};
pub use screen::draw_screen;
pub(crate) use screen::{ranges, why_none, words_of_r};
pub(crate) use simulate::{Framed, draw_simulated, simulated_colour, simulated_view};
pub use simulate::{animate_simulation, draw_simulation, draw_simulation_on};
pub(crate) use trace::{WORLD, in_the_way, trace_view};
pub use trace::{draw_trace, draw_trace_on};

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
