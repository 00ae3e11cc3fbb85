//! Several moments of a scene next to each other.

use std::path::Path;

use chasles::glam::DVec3;
use chasles::{Contact, Pose};

use super::choice::{Moment, is_proper, view};
use super::{Paths, bytes, draw_moment, sight_of, size};
use crate::args::At;
use crate::picture::{Look, Panels, Still, View, palette};
use crate::results::Results;
use crate::scene::Scene;

/// Contacts closer in time than this share a panel: far above rounding, below what a panel shows.
const SAME_TIME: f64 = 1e-6;

/// A moment and the contacts that are at it, each with its body A.
struct Frame<'r> {
    time: f64,
    contacts: Vec<(usize, &'r Contact)>,
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
    let mut proper: Vec<(usize, &Contact)> = all.filter(|(_, c)| is_proper(c)).collect();
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
pub(super) fn draw(scene: &Scene, results: &Results, at: &[At], path: &Path) -> Vec<u8> {
    let mut frames = frames(results, at);
    let all = frames.len();
    if all == 0 {
        return draw_moment(scene, results, None, path);
    }
    frames.truncate(Panels::MOST);
    let sheet = Sheet::new(scene, results, &frames);
    let mut page = Panels::new(size(), frames.len(), sheet.aspect());
    page.title(scene.title()).caption(&caption(results, frames.len(), all));
    for (index, body) in scene.bodies().iter().enumerate() {
        page.body_key(palette(index), &body.name);
    }
    if frames.iter().any(|frame| !frame.contacts.is_empty()) {
        page.properness_key();
    }
    for (number, frame) in frames.iter().enumerate() {
        let mut still = Still::new(page.panel());
        sheet.draw(&mut still, number, frame);
        page.push(still);
    }
    bytes(path, || page.to_svg(), || page.render())
}

fn caption(results: &Results, shown: usize, all: usize) -> String {
    let contacts = results.contact_count();
    let proper = results.pairs.iter().flat_map(|pair| &pair.contacts).filter(|c| is_proper(c));
    let proper = match proper.count() {
        1 => "1 proper contact".to_string(),
        count => format!("{count} proper contacts"),
    };
    let first =
        if shown < all { format!("the first {shown} of {all} moments; ") } else { String::new() };
    format!("{first}{proper}, of {contacts} in all; lines: paths of some vertices")
}

/// What all panels share.
struct Sheet<'r> {
    scene: &'r Scene,
    paths: Paths<'r>,
    /// Every vertex at every moment.
    points: Vec<DVec3>,
    view: View,
}

impl<'r> Sheet<'r> {
    fn new(scene: &'r Scene, results: &'r Results, frames: &[Frame]) -> Self {
        let paths = Paths { scene, results, moment: Moment::of(results, None) };
        let mut points = Vec::new();
        for frame in frames {
            for (index, body) in scene.bodies().iter().enumerate() {
                let pose = paths.pose(index, frame.time);
                let corners = body.collider.mesh().positions().iter();
                points.extend(corners.map(|&corner| pose.point(corner)));
            }
        }
        let first = frames.iter().find_map(|frame| Some((frame.time, *frame.contacts.first()?)));
        let sight =
            first.map(|(time, (a, contact))| sight_of(scene, a, &paths.pose(a, time), contact));
        Self { scene, paths, points, view: view(sight) }
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

    fn draw(&self, still: &mut Still<'r>, number: usize, frame: &Frame) {
        let letter = char::from(b'a' + number as u8);
        still.title(&format!("({letter}) time {:.4}", frame.time));
        still.without_scale().view(self.view).include(&self.points);
        let poses: Vec<Pose> =
            (0..self.scene.bodies().len()).map(|body| self.paths.pose(body, frame.time)).collect();
        for (index, body) in self.scene.bodies().iter().enumerate() {
            still.body(body.collider.mesh(), &poses[index], Look::of(index));
            for path in self.paths.of(index) {
                still.curve(&path, palette(index), 2.2);
            }
        }
        for &(a, contact) in &frame.contacts {
            let point = poses[a].point(contact.point_in_a);
            still.marker(point, poses[a].vector(contact.normal_in_a), contact.properness);
        }
    }
}
