//! The picture of one moment.

use std::path::Path;

use chasles::glam::DVec3;
use chasles::{Motion, Pose};
use chasles_picture::{Look, Still, palette};
use chasles_scene::Scene;

use super::canvas::Canvas;
use super::choice::{Moment, Shown, view};
use super::paths::Paths;
use super::placed::{FAINT, FLOOR, LINES, Placed, diameter, look_of, sight_of};
use crate::results::Results;
use crate::table::overlaps;

/// Draws the bodies with their contacts at a time, or at the moment that tells most.
pub(super) fn draw_moment(
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
