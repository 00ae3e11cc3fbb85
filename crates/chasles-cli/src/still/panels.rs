//! Several moments of a scene next to each other.

use std::path::Path;

use chasles::glam::DVec3;
use chasles_picture::{Panels, Still, View, palette};
use chasles_scene::Scene;

use super::canvas::Canvas;
use super::choice::{Moment, view};
use super::moment::draw_moment;
use super::paths::Paths;
use super::placed::{LINES, Placed, look_of, sight_of};
use crate::args::At;
use crate::results::{Found, Results, begins};
use crate::words::plural;

/// Contacts closer in time than this share a panel: far above rounding, below what a panel shows.
const SAME_TIME: f64 = 1e-6;

/// A moment and the contacts that are at it, each with its body A.
struct Frame<'r> {
    time: f64,
    contacts: Vec<(usize, &'r Found)>,
}

/// All moments asked for, in the order in which they were.
fn frames<'r>(results: &'r Results, at: &[At]) -> Vec<Frame<'r>> {
    let mut frames: Vec<Frame> = Vec::new();
    for at in at {
        match *at {
            At::Time(time) => frames.push(Frame { time, contacts: Vec::new() }),
            At::Proper => frames.extend(proper_frames(results)),
        }
    }
    frames
}

fn proper_frames(results: &Results) -> Vec<Frame<'_>> {
    let of_pairs = results.pairs.iter();
    let all = of_pairs.flat_map(|pair| pair.contacts.iter().map(|c| (pair.bodies[0], c)));
    let mut proper: Vec<(usize, &Found)> = all.filter(|(_, c)| begins(c)).collect();
    proper.sort_by(|(_, p), (_, q)| p.time.total_cmp(&q.time));
    let mut frames: Vec<Frame> = Vec::new();
    for (a, contact) in proper {
        match frames.last_mut() {
            Some(last) if contact.time - last.time < SAME_TIME => last.contacts.push((a, contact)),
            _ => frames.push(Frame { time: contact.time, contacts: vec![(a, contact)] }),
        }
    }
    frames
}

/// Draws a panel for each moment, all at the same scale and from the same side.
pub(super) fn draw(
    scene: &Scene,
    results: &Results,
    at: &[At],
    (canvas, path): (&Canvas, &Path),
) -> Vec<u8> {
    let mut frames = frames(results, at);
    let all = frames.len();
    if all == 0 {
        return draw_moment(scene, results, None, (canvas, path));
    }
    frames.truncate(Panels::MOST);
    let paths = Paths { scene, results, moment: Moment::of(results, None) };
    let placed: Vec<Vec<Placed>> = frames.iter().map(|frame| paths.placed(frame.time)).collect();
    let sheet = Sheet::new(paths, &placed, &frames);
    let mut page = Panels::new(canvas.size, frames.len(), sheet.aspect());
    if !canvas.is_plain {
        page.title(scene.title()).caption(&caption(results, frames.len(), all));
    }
    for (index, body) in scene.bodies().iter().enumerate() {
        page.body_key(palette(index), &body.name);
    }
    if frames.iter().any(|frame| !frame.contacts.is_empty()) {
        page.properness_key();
    }
    for (number, (frame, placed)) in frames.iter().zip(&placed).enumerate() {
        let mut still = Still::new(page.panel());
        still.drawing(canvas.drawing);
        sheet.draw(&mut still, number, frame, placed);
        page.push(still);
    }
    canvas.bytes(path, || page.to_svg(), || page.render())
}

fn caption(results: &Results, shown: usize, all: usize) -> String {
    let contacts = results.contact_count();
    let proper = results.pairs.iter().flat_map(|pair| &pair.contacts).filter(|c| begins(c));
    let proper = plural(proper.count(), "proper, approaching contact");
    let filters = results.filters().map_or(String::new(), |words| format!("; {words}"));
    let first =
        if shown < all { format!("the first {shown} of {all} moments; ") } else { String::new() };
    format!("{first}{proper}, of {contacts} in all{filters}; {LINES}")
}

/// What all panels share.
struct Sheet<'r> {
    paths: Paths<'r>,
    /// Every vertex at every moment.
    points: Vec<DVec3>,
    view: View,
}

impl<'r> Sheet<'r> {
    fn new(paths: Paths<'r>, placed: &[Vec<Placed>], frames: &[Frame]) -> Self {
        let points = placed.iter().flatten().flat_map(Placed::corners).collect();
        let mut moments = frames.iter().zip(placed);
        let sight = moments.find_map(|(frame, placed)| {
            let &(a, contact) = frame.contacts.first()?;
            Some(sight_of(&placed[a], paths.mark(a, &placed[a], contact)))
        });
        Self { paths, points, view: view(sight) }
    }

    /// Width over height of all that is shown, seen from far away.
    fn aspect(&self) -> f64 {
        let away = -self.view.towards_eye.normalize();
        let right = away.cross(self.view.up).normalize();
        let span = |along: DVec3| {
            let places = || self.points.iter().map(|point| point.dot(along));
            places().fold(f64::NEG_INFINITY, f64::max) - places().fold(f64::INFINITY, f64::min)
        };
        span(right) / span(right.cross(away))
    }

    fn draw<'p>(&self, still: &mut Still<'p>, number: usize, frame: &Frame, placed: &'p [Placed]) {
        let letter = char::from(b'a' + number as u8);
        still.title(&format!("({letter}) time {:.4}", frame.time));
        still.without_scale().view(self.view).include(&self.points);
        for (index, body) in placed.iter().enumerate() {
            let look = look_of(&self.paths.scene.bodies()[index], index);
            still.body(&body.mesh, &body.pose, look);
            for path in self.paths.of(index) {
                still.curve(&path, palette(index), 2.2);
            }
        }
        for &(a, contact) in &frame.contacts {
            let [point, normal] = self.paths.mark(a, &placed[a], contact);
            still.marker(point, normal, contact.properness);
        }
    }
}
