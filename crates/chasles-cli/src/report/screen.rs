//! The collision screens of pairs, and where their contacts are on them.

use chasles::Collider;
use chasles::Step;
use chasles::screen::{Projection, projection, typical_edge};
use chasles_scene::{Rigid, Scene};

use super::curves::{OnGrid, Point, on_grid};
use super::data::{CurvesData, EdgeData, ScreenData};
use super::encode::{isolated, shorts, words};
use super::limits::CURVES;
use crate::results::{Found, PairResult};
use crate::still::{ranges, why_none, words_of_r};
use crate::words::{listed, plural};

/// Curves are followed to this part of a body: a pixel of a small panel.
const FINE: f64 = 4e-3;

/// Screens of a pair at most: a twist of many turns has one for each quarter.
const MOST_SCREENS: usize = 8;

/// Bytes of a screen that is worth a look.
const LEAST: usize = 4_000;

/// So many pixels along a short edge at least and at most: the ends of the dial of the notes.
const LEAST_PIXELS: u32 = 3;
const MOST_PIXELS: f64 = 96.0;

/// What a pair has on its screens.
pub(super) struct Screens {
    /// None where there can be none: for bodies that deform or are solids.
    pub(super) data: Option<Vec<ScreenData>>,
    /// r and h of each contact; no numbers where it is on no screen.
    pub(super) places: Option<Vec<f64>>,
    /// Why there is none, if there is none.
    pub(super) note: String,
}

impl Screens {
    fn none(data: Option<Vec<ScreenData>>, note: &str) -> Self {
        Self { data, places: None, note: note.to_string() }
    }
}

/// Draws screens as long as there is room.
pub(super) struct Draughtsman<'r> {
    scene: &'r Scene,
    /// Bytes that are left, and those of a screen at most.
    room: usize,
    share: usize,
    /// Pairs that have to go without.
    without: usize,
    /// Pairs with fewer screens than parts with contacts.
    cut: Vec<String>,
    /// Pairs with coarser curves than they might have, and the fewest cells that one has.
    coarse: Vec<String>,
    fewest: u32,
}

impl<'r> Draughtsman<'r> {
    /// Somebody who has to draw so many screens.
    pub(super) fn new(scene: &'r Scene, screens: usize) -> Self {
        let share = (CURVES / screens.max(1)).max(LEAST);
        let (cut, coarse) = (Vec::new(), Vec::new());
        Self { scene, room: CURVES, share, without: 0, cut, coarse, fewest: u32::MAX }
    }

    /// How many screens a pair has at most.
    pub(super) fn planned(scene: &Scene, pair: &PairResult, contacts: &[&Found]) -> usize {
        match rigid(scene, pair) {
            Some((_, step)) => parts(step, contacts).len().min(MOST_SCREENS),
            None => 0,
        }
    }

    /// The screens of a pair with those of its contacts that the page has.
    pub(super) fn screens(&mut self, pair: &PairResult, contacts: &[&Found]) -> Screens {
        let Some((bodies, step)) = rigid(self.scene, pair) else {
            return Screens::none(None, "Bodies that deform and solids have no screen.");
        };
        if self.room < self.share {
            self.without += 1;
            let note = "This page has no room for the screen of this pair.";
            return Screens::none(Some(Vec::new()), note);
        }
        let names = pair.bodies.map(|body| isolated(&self.scene.bodies()[body].name));
        let parts = parts(step, contacts);
        let colliders = bodies.map(|body| &*body.collider);
        let size = colliders.map(|collider| {
            let [low, high] = collider.mesh().bounds();
            (high - low).length()
        });
        let fine = (FINE * size[0].min(size[1])).max(f64::MIN_POSITIVE);
        let mut data = Vec::new();
        let mut places = vec![f64::NAN; 2 * contacts.len()];
        let fewest = std::mem::replace(&mut self.fewest, u32::MAX);
        for (number, part) in parts.into_iter().enumerate() {
            if number >= MOST_SCREENS || self.room < self.share {
                self.cut.push(names.join(" with "));
                break;
            }
            let part = step.part(part);
            let Some(screen) = projection(colliders, &part, fine) else { continue };
            place(&screen, part.times(), contacts, &mut places);
            let edge = short_edge(colliders);
            data.push(self.screen(&screen, part.times(), (edge, fine)));
        }
        if self.fewest < u32::MAX {
            self.coarse.push(names.join(" with "));
        }
        self.fewest = self.fewest.min(fewest);
        let note = if data.is_empty() { why_none(&step.part(0)) } else { "" };
        Screens { data: Some(data), places: Some(places), note: note.to_string() }
    }

    /// `edge` is as long as a typical short edge, and curves are followed to `fine`.
    fn screen(
        &mut self,
        screen: &Projection,
        [from, to]: [f64; 2],
        (edge, fine): (f64, f64),
    ) -> ScreenData {
        let ranges = ranges(screen);
        let OnGrid { curves, cells } = on_grid(screen.curves(), &ranges, self.share);
        let bytes: usize = curves.iter().flatten().map(|curve| 4 + 4 * curve.len()).sum();
        self.room = self.room.saturating_sub(bytes);
        self.fewest = self.fewest.min(cells.unwrap_or(u32::MAX));
        let curves = curves.map(|curves| curves_data(&curves));
        let cell = cells.map_or(0.0, |cells| width(&ranges) / f64::from(cells));
        // Curves depart by an eighth of `fine`, and points by half a cell: both are a quarter of a
        // pixel then.
        let finest = (0.5 * fine).max(2.0 * cell);
        let most = (edge / finest).min(MOST_PIXELS) as u32;
        let edge = (most >= LEAST_PIXELS).then_some(EdgeData { length: edge, most });
        ScreenData { from, to, r: words_of_r(screen), ranges, edge, curves }
    }

    /// What is left out or coarser than it might be.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.coarse.is_empty() {
            notes.push(format!(
                "The collision screen of {} is drawn coarser than the bodies are, on a grid of {} cells along a side; contacts are where they are.",
                listed(&self.coarse),
                self.fewest
            ));
        }
        if !self.cut.is_empty() {
            notes.push(format!(
                "Of {} only the first parts of the step with contacts have a collision screen.",
                listed(&self.cut)
            ));
        }
        if self.without > 0 {
            let pairs = plural(self.without, "pair");
            notes.push(format!(
                "There is no room for the collision screens of {pairs}; --picture FILE --screen draws one."
            ));
        }
        notes
    }
}

/// The bodies of a pair and how they move, if both are rigid meshes.
fn rigid<'p>(scene: &'p Scene, pair: &'p PairResult) -> Option<([&'p Rigid; 2], &'p Step)> {
    let [a, b] = pair.bodies.map(|body| scene.bodies()[body].rigid());
    Some(([a?, b?], pair.step.as_ref()?))
}

/// The parts of the step with contacts, or else the first.
fn parts(step: &Step, contacts: &[&Found]) -> Vec<u32> {
    let count = step.parts();
    let of = |contact: &&Found| ((contact.time * f64::from(count)) as u32).min(count - 1);
    let mut parts: Vec<u32> = contacts.iter().map(of).collect();
    parts.dedup();
    if parts.is_empty() { vec![0] } else { parts }
}

/// The length along which pixels are counted: that of a typical short edge of either body.
fn short_edge(bodies: [&Collider; 2]) -> f64 {
    let edges = bodies.map(typical_edge);
    let shortest = edges.into_iter().filter(|edge| *edge > 0.0).fold(f64::INFINITY, f64::min);
    if shortest.is_finite() { shortest } else { 0.0 }
}

/// The longer side of a screen.
fn width(ranges: &[[f64; 2]; 2]) -> f64 {
    ranges.iter().map(|[low, high]| high - low).fold(0.0, f64::max)
}

/// Says where the contacts of a part are.
fn place(screen: &Projection, [from, to]: [f64; 2], contacts: &[&Found], places: &mut [f64]) {
    for (place, contact) in places.chunks_exact_mut(2).zip(contacts) {
        if (from..=to).contains(&contact.time) {
            let at = screen.place(contact.point_in_a, (contact.time - from) / (to - from));
            place.copy_from_slice(&[at.r, at.h]);
        }
    }
}

fn curves_data(curves: &[Vec<Point>]) -> CurvesData {
    CurvesData {
        lengths: words(curves.iter().map(|curve| curve.len() as u32)),
        points: shorts(curves.iter().flatten().flatten().copied()),
    }
}
