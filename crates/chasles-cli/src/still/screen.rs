//! The picture of a collision screen: the edges that are drawn on it, and the contacts among them.

use std::collections::BTreeSet;
use std::path::Path;

use chasles::Step;
use chasles::motion::Part;
use chasles::screen::{Drawing, Place, Projection, projection};
use chasles_picture::{Axis, Plot, Size, Style, palette};
use chasles_scene::Scene;

use super::Canvas;
use super::choice::{Moment, Shown};
use crate::results::{Found, HowFound, PairResult, Results, begins};
use crate::words::rests;

/// The width in pixels; the height follows from the screen, between these.
const WIDTH: u32 = 1000;
const HEIGHTS: [f64; 2] = [600.0, 1250.0];

/// What titles, legend and labels take of width and height.
const AROUND: [f64; 2] = [190.0, 400.0];

/// The curves of a picture without pixels of its own are followed to this part of a body.
const FINE: f64 = 1e-3;

/// Half the side of the square of a pixel, in pixels: lines between them stay visible.
const SQUARE: f64 = 0.32;

/// What r is, about an axis.
const FROM_AXIS: &str = "r, distance from the axis";

/// What r is on a screen, for its axis.
pub(crate) fn words_of_r(screen: &Projection) -> &'static str {
    if screen.is_from_axis() { FROM_AXIS } else { "r, across the motion" }
}

/// Why a part of a step has no screen.
pub(crate) fn why_none(part: &Part) -> &'static str {
    if rests(&part.relative()) {
        "There is no screen: neither body moves as the other sees it."
    } else {
        "The bodies never share a place on a screen."
    }
}

/// The least and the largest r, and h, of all curves; if all are on a line, with as much room
/// around it as it is long.
pub(crate) fn ranges(screen: &Projection) -> [[f64; 2]; 2] {
    let ends = [|place: &Place| place.r, |place: &Place| place.h].map(|of| ends(screen, of));
    let spans = ends.map(|[low, high]| high - low);
    let size = ends.as_flattened().iter().fold(0.0, |size: f64, end| size.max(end.abs()));
    // What is a point has the room of its numbers, and of 1 at 0.
    let room = match spans[0].max(spans[1]) {
        span if span > 0.0 => span,
        _ if size > 0.0 => size,
        _ => 1.0,
    };
    [0, 1].map(|i| match ends[i] {
        [low, high] if spans[i] > 0.0 => [low, high],
        [low, high] => [low - 0.5 * room, high + 0.5 * room],
    })
}

/// Whether all curves are at one r, or at one h.
fn is_a_line(screen: &Projection) -> bool {
    let is_one = |[low, high]: [f64; 2]| low >= high;
    is_one(ends(screen, |place| place.r)) || is_one(ends(screen, |place| place.h))
}

/// The ends of a coordinate of all curves; 0 if there are none.
fn ends(screen: &Projection, of: fn(&Place) -> f64) -> [f64; 2] {
    let places = screen.curves().into_iter().flatten().flatten();
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let ends = places.map(of).filter(|x| x.is_finite());
    let ends = ends.fold(none, |[low, high], x| [low.min(x), high.max(x)]);
    if ends[0] <= ends[1] { ends } else { [0.0; 2] }
}

/// Draws the collision screen of the pair and the part of the step in which the first proper,
/// approaching contact is; or the first contact, if none is; or of the first pair.
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
    let projection = screen.as_ref().and_then(|screen| screen.projection.as_ref());
    let r = projection.map_or(FROM_AXIS, words_of_r);
    let [mut r, mut h] = [r, "h, along the screen"].map(Axis::linear);
    if let Some(screen) = projection.filter(|screen| is_a_line(screen)) {
        [r.range, h.range] = ranges(screen).map(Some);
    }
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
        let colliders = [&*a.collider, &*b.collider];
        let sizes = colliders.map(|collider| super::diameter(collider.mesh()));
        let fine = (FINE * sizes[0].min(sizes[1])).max(f64::MIN_POSITIVE);
        let pixel = pair.screen.map_or(fine, |cost| cost.pixel);
        let projection = projection(colliders, &step.part(part), pixel);
        Some(Self { scene, results, pair, step, part, pixel, projection })
    }

    /// How wide and how high the screen is, along r and h.
    fn spans(&self) -> Option<[f64; 2]> {
        self.projection.as_ref().map(|screen| ranges(screen).map(|[low, high]| high - low))
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
            plot.caption(why_none(&part));
            return;
        };
        plot.caption(&self.caption(&shown.choice));
        let names = [("A", "backward"), ("B", "forward")];
        let pixels = self.is_in_pixels().then(|| screen.pixels(self.pixel));
        for (i, curves) in screen.curves().into_iter().enumerate() {
            let (letter, facing) = names[i];
            let name = format!("{letter} ({}): {facing} parts", bodies[i].name);
            let strokes = match &pixels {
                Some(pixels) => squares(&pixels[i], self.pixel),
                None => strokes(curves),
            };
            plot.coloured(&name, Style::Hair, palette(self.pair.bodies[i]), &strokes);
        }
        let [from, to] = part.times();
        for (_, contact) in shown.contacts {
            let time = (contact.time - from) / (to - from);
            let place = screen.place(contact.point_in_a, time);
            plot.marker([place.r, place.h], contact.properness);
        }
    }

    /// Whether the paper's own drawing is asked for, whose pixels are shown.
    fn is_in_pixels(&self) -> bool {
        let HowFound::Screen(options) = &self.results.method else { return false };
        options.drawing == Drawing::Pixels
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

/// Pixels as squares, and lines between those that follow each other, as the points of one series:
/// the paper's Figure 14.
fn squares(chains: &[Vec<[i32; 2]>], pixel: f64) -> Vec<[f64; 2]> {
    let at = |[r, h]: [i32; 2], [x, y]: [f64; 2]| {
        [(f64::from(r) + SQUARE * x) * pixel, (f64::from(h) + SQUARE * y) * pixel]
    };
    let square = |place: &[i32; 2]| {
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0]];
        corners.map(|corner| at(*place, corner)).into_iter().chain([[f64::NAN; 2]])
    };
    let all: BTreeSet<[i32; 2]> = chains.iter().flatten().copied().collect();
    let lines = chains
        .iter()
        .flat_map(|chain| chain.iter().map(|place| at(*place, [0.0; 2])).chain([[f64::NAN; 2]]));
    all.iter().flat_map(square).chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles::mesh::shapes::{Plane, Shape};
    use chasles::{Collider, Motion, Pose};

    /// A sheet that slides in its own plane is a line on the screen.
    #[test]
    fn a_line_has_as_much_room_around_it_as_it_is_long() {
        for size in [1e-6, 1.0, 1e6] {
            let plane = Plane { size: [2.0 * size, size] };
            let plane = Collider::new(Shape::Plane(plane).build().unwrap());
            let way = [0.0, 3.0 * size].map(|x| Pose::from_position([x, 0.0, 0.0]).unwrap());
            let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(way[0], way[1]));
            let screen = projection([&plane; 2], &step.part(0), 1e-3 * size).unwrap();
            assert!(is_a_line(&screen));
            let spans = ranges(&screen).map(|[low, high]| (high - low) / size);
            assert!(spans.iter().all(|span| (0.5..3.0).contains(span)), "{spans:?} at {size}");
        }
    }
}
