//! Two bodies and how they move.

use chasles::Step;
use chasles::query::Geometry;
use wasm_bindgen::prelude::*;

use crate::motion::numbers;
use crate::{Body, Motion, Wrong};

/// Numbers of a screw: when its part begins and ends, the angle, the translation along the axis,
/// a point of the axis and its direction, in A's frame.
const SCREW_NUMBERS: usize = 10;

/// Two bodies during one step: all that is asked of them is asked of this.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct Pair {
    bodies: [Geometry; 2],
    step: Step,
}

#[wasm_bindgen]
impl Pair {
    /// Two bodies and their motions.
    #[wasm_bindgen(constructor)]
    pub fn new(a: &Body, b: &Body, motion_a: &Motion, motion_b: &Motion) -> Pair {
        let step = Step::new(motion_a.inner(), motion_b.inner());
        Self::of([a.geometry().clone(), b.geometry().clone()], step)
    }

    /// The same bodies with other motions: what a drag does.
    pub fn moved(&mut self, motion_a: &Motion, motion_b: &Motion) {
        self.step = Step::new(motion_a.inner(), motion_b.inner());
    }

    /// The same step in at least so many parts.
    ///
    /// *Accepts* any count; at most 4096 are made.
    #[wasm_bindgen(js_name = withParts)]
    pub fn with_parts(&mut self, parts: u32) {
        self.step = self.step.with_parts(parts.min(Step::MAX_PARTS));
    }

    /// Cuts the step until the relative motion leaves its screws by at most a length.
    ///
    /// *Fails* where no number of parts does that.
    #[wasm_bindgen(js_name = withDepartureBelow)]
    pub fn with_departure_below(&mut self, length: f64) -> Result<(), Wrong> {
        let bounds = [0, 1].map(|i: usize| self.bodies[i].bounds());
        self.step = self.step.with_departure_below(length, bounds).map_err(Wrong::new)?;
        Ok(())
    }

    /// Into how many parts the step is cut, each one screw.
    #[wasm_bindgen(getter)]
    pub fn parts(&self) -> u32 {
        self.step.parts()
    }

    /// How far the relative motion leaves its screws: an estimate and a bound, or nothing where the
    /// boxes of the bodies do not tell.
    pub fn departure(&self) -> Vec<f64> {
        let bounds = [0, 1].map(|i: usize| self.bodies[i].bounds());
        let departure = self.step.departure(bounds);
        departure.map_or_else(Vec::new, |found| vec![found.estimate, found.bound])
    }

    /// Where B is at times from 0 to 1 as A sees it go along the screws: seven numbers each.
    #[wasm_bindgen(js_name = relativePoses)]
    pub fn relative_poses(&self, times: &[f64]) -> Vec<f64> {
        times.iter().flat_map(|&t| numbers(&self.step.pose_of_b_by_relative(t))).collect()
    }

    /// The screws of the first parts, at most so many: ten numbers each.
    pub fn screws(&self, most: u32) -> Vec<f64> {
        let screw = |index: u32| -> [f64; SCREW_NUMBERS] {
            let part = self.step.part(index);
            let (screw, [from, to]) = (part.relative(), part.times());
            let [point, way] = [screw.axis_point(), screw.axis_direction()];
            let [x, y, z] = point.to_array();
            let [i, j, k] = way.to_array();
            [from, to, screw.angle(), screw.translation(), x, y, z, i, j, k]
        };
        (0..self.step.parts().min(most)).flat_map(screw).collect()
    }
}

impl Pair {
    /// A pair of the library.
    pub(crate) fn of(bodies: [Geometry; 2], step: Step) -> Self {
        Self { bodies, step }
    }

    pub(crate) fn bodies(&self) -> [&Geometry; 2] {
        [&self.bodies[0], &self.bodies[1]]
    }

    pub(crate) fn step(&self) -> &Step {
        &self.step
    }
}
