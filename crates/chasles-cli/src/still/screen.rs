//! The picture of a collision screen: the edges that are drawn on it, and the contacts among them.

use std::path::Path;

use chasles::Step;
use chasles::screen::{Place, Projection, projection};

use super::Canvas;
use super::choice::{Moment, Shown};
use crate::picture::{Axis, Plot, Size, Style, palette};
use crate::results::{Found, PairResult, Results, begins};
use crate::scene::Scene;

/// The width in pixels; the height follows from the screen, between these.
const WIDTH: u32 = 1000;
const HEIGHTS: [f64; 2] = [600.0, 1250.0];

/// What titles, legend and labels take of width and height.
const AROUND: [f64; 2] = [190.0, 400.0];

/// The curves of a picture without pixels of its own are followed to this part of a body.
const FINE: f64 = 1e-3;

/// Draws the collision screen of the pair and the part of the step in which the first proper, approaching
/// contact is; or the first contact, if none is; or of the first pair.
///
/// *Accepts* any scene and its results. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the edges and the pixels.
pub fn draw_screen(scene: &Scene, results: &Results, path: &Path) -> Vec<u8> {
    let pair = Moment::of(results, None).pair.unwrap_or(0);
    let screen = results.pairs.get(pair).and_then(|pair| Screen::new(scene, results, pair));
    let aspect = screen.as_ref().and_then(Screen::aspect).unwrap_or(1.0);
    let [wide, high] = AROUND;
    let height = high + aspect * (f64::from(WIDTH) - wide);
    let height = if height.is_finite() { height.clamp(HEIGHTS[0], HEIGHTS[1]) } else { HEIGHTS[0] };
    let size = Size::new(WIDTH, height as u32).expect("the size is within its limits");
    let [r, h] = ["r, distance from the axis", "h, along the screen"].map(Axis::linear);
    let mut plot = Plot::new(size, r, h);
    plot.title(&format!("{}: the collision screen", scene.title())).same_unit();
    match screen {
        Some(screen) => screen.draw(&mut plot),
        None => {
            plot.caption("no pair of rigid bodies");
        }
    }
    Canvas::default().bytes(path, || plot.to_svg(), || plot.render())
}

/// The screen of one part of one pair.
struct Screen<'r> {
    scene: &'r Scene,
    results: &'r Results,
    pair: &'r PairResult,
    step: &'r Step,
    part: u32,
    pixel: f64,
    /// None if the bodies never share a place.
    projection: Option<Projection>,
}

impl<'r> Screen<'r> {
    /// None for bodies that deform, which have no screen.
    fn new(scene: &'r Scene, results: &'r Results, pair: &'r PairResult) -> Option<Self> {
        let [Some(a), Some(b)] = pair.bodies.map(|body| scene.bodies()[body].rigid()) else {
            return None;
        };
        let step = pair.step.as_ref()?;
        let contacts = &pair.contacts;
        let first = contacts.iter().find(|c| begins(c)).or(contacts.first());
        let parts = step.parts();
        let part = first.map_or(0, |c| ((c.time * f64::from(parts)) as u32).min(parts - 1));
        let colliders = [&a.collider, &b.collider];
        let sizes = colliders.map(|collider| super::diameter(collider.mesh()));
        let fine = (FINE * sizes[0].min(sizes[1])).max(f64::MIN_POSITIVE);
        let pixel = pair.screen.map_or(fine, |cost| cost.pixel);
        let projection = projection(colliders, &step.part(part), pixel);
        Some(Self { scene, results, pair, step, part, pixel, projection })
    }

    /// How wide and how high the screen is, along r and h.
    fn spans(&self) -> Option<[f64; 2]> {
        let places = || self.projection.iter().flat_map(Projection::curves).flatten().flatten();
        let span = |coordinate: fn(&Place) -> f64| {
            let high = places().map(coordinate).fold(f64::NEG_INFINITY, f64::max);
            high - places().map(coordinate).fold(f64::INFINITY, f64::min)
        };
        let spans = [span(|place| place.r), span(|place| place.h)];
        spans.iter().all(|span| span.is_finite()).then_some(spans)
    }

    /// Height over width of the screen.
    fn aspect(&self) -> Option<f64> {
        self.spans().map(|[r, h]| h / r)
    }

    fn draw(&self, plot: &mut Plot) {
        let bodies = self.pair.bodies.map(|body| &self.scene.bodies()[body]);
        let part = self.step.part(self.part);
        let shown = Shown::among(self.contacts(part.times()));
        let Some(screen) = &self.projection else {
            plot.caption("the bodies never share a place on a screen");
            return;
        };
        plot.caption(&self.caption(&shown.choice));
        let names = [("A", "backward"), ("B", "forward")];
        for (i, curves) in screen.curves().into_iter().enumerate() {
            let (letter, facing) = names[i];
            let name = format!("{letter} ({}): {facing} parts", bodies[i].name);
            plot.coloured(&name, Style::Hair, palette(self.pair.bodies[i]), &strokes(curves));
        }
        let [from, to] = part.times();
        for (_, contact) in shown.contacts {
            let time = (contact.time - from) / (to - from);
            let place = screen.place(contact.point_in_a, time);
            plot.marker([place.r, place.h], contact.properness);
        }
    }

    /// The contacts of the part.
    fn contacts(&self, [from, to]: [f64; 2]) -> Vec<(usize, &'r Found)> {
        let of_part = self.pair.contacts.iter().filter(|c| (from..=to).contains(&c.time));
        of_part.map(|contact| (self.pair.bodies[0], contact)).collect()
    }

    fn caption(&self, choice: &str) -> String {
        let pixels = |span: f64| (span / self.pixel).ceil();
        let [r, h] = self.spans().map_or([0.0; 2], |spans| spans.map(pixels));
        let resolution = self.results.method.resolution();
        let resolution =
            resolution.map_or(String::new(), |words| format!("{words}, {r} × {h} in all\n"));
        let part = match self.step.parts() {
            1 => String::new(),
            parts => format!("part {} of {parts}; ", self.part + 1),
        };
        let filters = self.results.filters().map_or(String::new(), |words| format!("\n{words}"));
        format!("{resolution}{part}{choice}{filters}")
    }
}

/// Curves as the points of one series, which what is no number breaks.
fn strokes(curves: &[Vec<Place>]) -> Vec<[f64; 2]> {
    let stroke = |curve: &Vec<Place>| {
        let points = curve.iter().map(|place| [place.r, place.h]);
        points.chain([[f64::NAN; 2]]).collect::<Vec<_>>()
    };
    curves.iter().flat_map(stroke).collect()
}
