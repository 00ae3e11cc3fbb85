//! Records of a row by time, for bodies with many layers behind each other such as a bolt in its
//! nut [Buss04 §9.1, §10].
//!
//! All turns of a thread fall on the same few pixels, at different times. Within a row, records are
//! put into layers of time; those of a layer keep their order by `h_min`. A layer of A is searched
//! with the layers of B that it can meet in the step:
//!
//! ```text
//!   A      |  0  |  1  |  2  |  3  |  4  |  5  | ...     t_A - t_B is in the step: layer 4 of A
//!   B      |  0  |  1  |[ 2  |  3  |  4 ]|  5  | ...     meets a few of B, however many there are
//! ```
//!
//! Records that last longer than a layer are in one more, which is searched with all.

use super::crossings::Search;
use super::run::Run;
use crate::numeric::{lower, upper};
use crate::screen::rows::band::Starts;

/// One row of one body in layers. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Layers {
    start: f32,
    width: f32,
    /// How many layers there are, with that of the long records, the last.
    count: u32,
    starts: Starts,
    runs: Vec<Run>,
}

/// A layer is twice as long as a record lasts on average, so that few are long, or half as long as
/// the step: thinner ones leave out little more.
const PER_RECORD: f32 = 2.0;
const PER_STEP: f32 = 0.5;

/// So many layers at most: each costs a little in every row.
const MOST: f32 = 256.0;

/// With so few layers a layer of A meets nearly all of B.
const FEW: f32 = 8.0;

impl Layers {
    /// Divides a row of A and one of B into layers of the same times; false if there would be too
    /// few to be of use.
    pub(super) fn divide(layers: &mut [Self; 2], search: &Search<'_>, window: [f32; 2]) -> bool {
        let [mut start, mut end, mut sum] = [f32::INFINITY, f32::NEG_INFINITY, 0.0];
        for run in search.rows.into_iter().flatten() {
            let [early, _] = run.times();
            start = lower(start, early);
            end = upper(end, early);
            sum += run.duration;
        }
        let mean = sum / (search.rows[0].len() + search.rows[1].len()) as f32;
        let least = upper(PER_RECORD * mean, PER_STEP * (window[1] - window[0]));
        let width = upper(least, (end - start) / MOST);
        // Where times have no bounds, there is nothing to divide.
        let count = (end - start) / width;
        if !count.is_finite() || count <= FEW {
            return false;
        }
        for (layers, row) in layers.iter_mut().zip(search.rows) {
            layers.start = start;
            layers.width = width;
            layers.count = count as u32 + 2;
            layers.fill(row);
        }
        true
    }

    fn fill(&mut self, row: &[Run]) {
        let mut starts = std::mem::take(&mut self.starts);
        starts.count(row.iter().map(|run| self.of(run)), self.count);
        self.runs.resize(row.len(), Run::default());
        for run in row {
            let place = starts.place(self.of(run));
            self.runs[place] = *run;
        }
        self.starts = starts;
    }

    #[inline]
    fn of(&self, run: &Run) -> u32 {
        if run.duration > self.width { self.count - 1 } else { self.at(run.times()[0]) }
    }

    /// The layer at a time; conversions saturate.
    #[inline]
    fn at(&self, time: f32) -> u32 {
        (((time - self.start) / self.width) as u32).min(self.count - 2)
    }

    /// All layers.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.count
    }

    /// The layers of B that a layer of A can meet.
    pub(super) fn near(
        &self,
        layer: u32,
        [soonest, latest]: [f32; 2],
    ) -> impl Iterator<Item = u32> + use<> {
        let long = self.count - 1;
        let is_empty = self.runs(layer).is_empty();
        let start = self.start + layer as f32 * self.width;
        let near = if is_empty {
            0..0
        } else if layer == long {
            0..long
        } else {
            // Records last a layer at most; a hundredth of one covers rounding.
            let early = start - latest - 1.01 * self.width;
            self.at(early)..self.at(start + 2.01 * self.width - soonest) + 1
        };
        near.chain((!is_empty).then_some(long))
    }

    /// The records of a layer, by increasing `h_min`.
    #[inline]
    pub(super) fn runs(&self, layer: u32) -> &[Run] {
        &self.runs[self.starts.between(layer..layer + 1)]
    }
}
