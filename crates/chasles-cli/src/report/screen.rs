//! The collision screens of a pair, and where its contacts are on them.

use chasles::Step;
use chasles::screen::{Place, Projection, projection};

use super::data::{CurvesData, ScreenData};
use super::encode::{shorts, words};
use crate::results::{Found, PairResult};
use crate::scene::Scene;

/// Curves are followed to this part of a body: a pixel of a small panel.
const FINE: f64 = 4e-3;

/// Screens of a pair at most: a twist of many turns has one for each quarter.
const MOST_SCREENS: usize = 8;

/// Points of curves at most, over all pairs.
const MOST_POINTS: usize = 150_000;

/// What a pair has on its screens.
pub(super) struct Screens {
    /// None where there is none: for bodies that deform or are solids.
    pub(super) data: Option<Vec<ScreenData>>,
    /// r and h of each contact; no numbers where it is on no screen.
    pub(super) places: Option<Vec<f32>>,
    /// Why there is none.
    pub(super) note: String,
}

/// Draws screens until they have too many points.
pub(super) struct Draughtsman<'r> {
    pub(super) scene: &'r Scene,
    points: usize,
    /// Whether a pair had to go without.
    pub(super) is_full: bool,
}

impl<'r> Draughtsman<'r> {
    pub(super) fn new(scene: &'r Scene) -> Self {
        Self { scene, points: 0, is_full: false }
    }

    /// The screens of a pair with those of its contacts that the page has.
    pub(super) fn screens(&mut self, pair: &PairResult, contacts: &[&Found]) -> Screens {
        let rigid = pair.bodies.map(|body| self.scene.bodies()[body].rigid());
        let ([Some(a), Some(b)], Some(step)) = (rigid, &pair.step) else {
            let note = "Bodies that deform and solids have no screen.".to_string();
            return Screens { data: None, places: None, note };
        };
        if self.points > MOST_POINTS {
            self.is_full = true;
            let note = "This page has no room for the screen of this pair.".to_string();
            return Screens { data: Some(Vec::new()), places: None, note };
        }
        let colliders = [&a.collider, &b.collider];
        let size = colliders.map(|collider| {
            let [low, high] = collider.mesh().bounds();
            (high - low).length()
        });
        let fine = (FINE * size[0].min(size[1])).max(f64::MIN_POSITIVE);
        let mut data = Vec::new();
        let mut places = vec![f32::NAN; 2 * contacts.len()];
        for part in parts(step, contacts) {
            let part = step.part(part);
            let Some(screen) = projection(colliders, &part, fine) else { continue };
            let [from, to] = part.times();
            for (place, contact) in places.chunks_exact_mut(2).zip(contacts) {
                if (from..=to).contains(&contact.time) {
                    let at = screen.place(contact.point_in_a, (contact.time - from) / (to - from));
                    place.copy_from_slice(&[at.r as f32, at.h as f32]);
                }
            }
            self.points += screen.curves().into_iter().flatten().map(Vec::len).sum::<usize>();
            data.push(screen_data(&screen, [from, to]));
        }
        let note = "The bodies never share a place on a screen.".to_string();
        Screens { data: Some(data), places: Some(places), note }
    }
}

/// The parts of the step that are drawn: those with contacts, or else the first.
fn parts(step: &Step, contacts: &[&Found]) -> Vec<u32> {
    let count = step.parts();
    let of = |contact: &&Found| ((contact.time * f64::from(count)) as u32).min(count - 1);
    let mut parts: Vec<u32> = contacts.iter().map(of).collect();
    parts.dedup();
    parts.truncate(MOST_SCREENS);
    if parts.is_empty() { vec![0] } else { parts }
}

fn screen_data(screen: &Projection, [from, to]: [f64; 2]) -> ScreenData {
    let places = || screen.curves().into_iter().flatten().flatten();
    let ranges = [range(places().map(|place| place.r)), range(places().map(|place| place.h))];
    let curves = screen.curves().map(|curves| curves_data(curves, &ranges));
    ScreenData { from, to, ranges, curves }
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite());
    let [low, high] =
        finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
    match high - low {
        span if span > 0.0 && span.is_finite() => [low, high],
        _ if low.is_finite() => [low - 0.5, low + 0.5],
        _ => [0.0, 1.0],
    }
}

fn curves_data(curves: &[Vec<Place>], ranges: &[[f64; 2]; 2]) -> CurvesData {
    // Casts saturate, and what is no number becomes 0.
    let short = |x: f64, [low, high]: [f64; 2]| ((x - low) / (high - low) * 65535.0).round() as u16;
    let points = curves.iter().flatten();
    CurvesData {
        lengths: words(curves.iter().map(|curve| curve.len() as u32)),
        points: shorts(points.flat_map(|p| [short(p.r, ranges[0]), short(p.h, ranges[1])])),
    }
}
