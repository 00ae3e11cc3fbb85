//! The collision screen of a pair: curves, and where contacts are among them.

use chasles::glam::DVec3;
use chasles::motion::Part;
use chasles::screen::{Place, Projection, projection, typical_edge};
use wasm_bindgen::prelude::*;

use crate::contacts::CONTACT_NUMBERS;
use crate::pair::Pair;

/// Steps along a side of the screen: shorts.
const FINEST: f64 = 65_535.0;

/// The collision screen of one part of a step.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Screen {
    projection: Projection,
    /// How long a typical short edge of the bodies is, and how fine the curves are.
    edge: f64,
    fine: f64,
    times: [f64; 2],
    ranges: [[f64; 2]; 2],
}

#[wasm_bindgen]
impl Pair {
    /// The collision screen of a part of the step, curves being followed to this part of the
    /// smaller body; none for bodies that are no meshes, that do not move, or that never share a
    /// place on a screen.
    pub fn screen(&self, part: u32, fine: f64) -> Option<Screen> {
        let [a, b] = self.bodies().map(|body| body.collider());
        let part = self.step().part(part.min(self.step().parts() - 1));
        let bodies = [a?, b?];
        let size = bodies.map(|body| {
            let [low, high] = body.mesh().bounds();
            (high - low).length()
        });
        let pixel = (fine.max(1e-4) * size[0].min(size[1])).max(f64::MIN_POSITIVE);
        let edges = bodies.map(typical_edge).into_iter().filter(|edge| *edge > 0.0);
        let edge = edges.fold(f64::INFINITY, f64::min);
        Some(Screen::of(projection(bodies, &part, pixel)?, &part, [edge, pixel]))
    }
}

#[wasm_bindgen]
impl Screen {
    /// When its part of the step begins and ends.
    #[wasm_bindgen(getter)]
    pub fn times(&self) -> Vec<f64> {
        self.times.to_vec()
    }

    /// The least and the largest r, and h.
    #[wasm_bindgen(getter)]
    pub fn ranges(&self) -> Vec<f64> {
        self.ranges.as_flattened().to_vec()
    }

    /// How long a typical short edge of the bodies is, along which pixels are counted, and how many
    /// pixels along it the curves are good for; nothing where they are good for none.
    #[wasm_bindgen(getter)]
    pub fn edge(&self) -> Vec<f64> {
        // Curves depart by an eighth of `fine`, and points by half of a step of the shorts: both
        // are at most a quarter of a pixel then.
        let [r, h] = self.ranges.map(|[low, high]| high - low);
        let finest = (0.5 * self.fine).max(2.0 * r.max(h) / FINEST);
        let most = (self.edge / finest).floor();
        if most.is_finite() && most >= 1.0 { vec![self.edge, most] } else { Vec::new() }
    }

    /// Whether r is the distance from the axis.
    #[wasm_bindgen(getter, js_name = isFromAxis)]
    pub fn is_from_axis(&self) -> bool {
        self.projection.is_from_axis()
    }

    /// How many points each curve of body 0 or 1 has.
    pub fn lengths(&self, body: usize) -> Vec<u32> {
        self.curves(body).iter().map(|curve| curve.len() as u32).collect()
    }

    /// The points of all curves of body 0 or 1: r and h as shares of the ranges, from 0 to 65535.
    pub fn points(&self, body: usize) -> Vec<u16> {
        let [of_r, of_h] = self.ranges;
        // Casts saturate, and what is no number becomes 0.
        let share = |x: f64, [low, high]: [f64; 2]| ((x - low) / (high - low) * FINEST) as u16;
        let point = |place: &Place| [share(place.r, of_r), share(place.h, of_h)];
        self.curves(body).iter().flatten().flat_map(point).collect()
    }

    /// r and h of each contact of an answer, by the numbers of its rows; no numbers where it is in
    /// another part of the step.
    pub fn places(&self, contacts: &[f64]) -> Vec<f64> {
        let [from, to] = self.times;
        let place = |row: &[f64]| {
            if !(from..=to).contains(&row[0]) {
                return [f64::NAN; 2];
            }
            let point = DVec3::new(row[3], row[4], row[5]);
            let at = self.projection.place(point, (row[0] - from) / (to - from));
            [at.r, at.h]
        };
        contacts.chunks_exact(CONTACT_NUMBERS).flat_map(place).collect()
    }
}

impl Screen {
    fn of(projection: Projection, part: &Part, [edge, fine]: [f64; 2]) -> Self {
        let ranges = [|place: &Place| place.r, |place: &Place| place.h];
        let ranges = ranges.map(|of| range(&projection, of));
        Self { projection, edge, fine, times: part.times(), ranges }
    }

    fn curves(&self, body: usize) -> &[Vec<Place>] {
        self.projection.curves()[body.min(1)]
    }
}

/// The ends of a coordinate of all curves, apart even where all are at one place.
fn range(projection: &Projection, of: fn(&Place) -> f64) -> [f64; 2] {
    let places = projection.curves().into_iter().flatten().flatten().map(of);
    let wider = |[low, high]: [f64; 2], x: f64| [low.min(x), high.max(x)];
    let [low, high] =
        places.filter(|x| x.is_finite()).fold([f64::INFINITY, f64::NEG_INFINITY], wider);
    match low < high {
        true => [low, high],
        false if low.is_finite() => {
            [low - 0.5 * low.abs().max(1.0), low + 0.5 * low.abs().max(1.0)]
        }
        false => [0.0, 1.0],
    }
}
