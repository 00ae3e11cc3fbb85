//! Bounds of many features, four by four, and bounds of these.
//!
//! Features are listed in the order of the faces of a hierarchy of boxes, so neighbours in the list
//! are neighbours on the screen, and bounds of four in a row are tight enough to pass over most.

use crate::screen::place::extent::{Bits, Four, Probe};

/// Bounds of a list of features. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Pyramid {
    /// Of features.
    fours: Vec<Four>,
    /// How many features there are.
    count: usize,
    /// Of fours, four by four; none if there are few.
    above: Vec<Four>,
}

/// So few fours are compared one by one: two tests above them would save little.
const FEW: usize = 8;

impl Pyramid {
    /// Bounds of `count` features in the order of the list, four at a time.
    pub(in crate::screen) fn build(&mut self, count: usize, features: impl Iterator<Item = Four>) {
        let Self { fours, above, .. } = self;
        fours.clear();
        fours.extend(features);
        above.clear();
        if fours.len() > FEW {
            above.extend(fours.chunks(4).map(|four| Four::new(four.iter().map(Four::joined))));
        }
        self.count = count;
    }

    /// Bounds of four features.
    #[inline]
    pub(in crate::screen) fn four(&self, number: usize) -> &Four {
        &self.fours[number]
    }

    /// Calls `found` with the number of each four of features, and which of them can be met.
    /// Returns how many bounds were compared.
    #[inline]
    pub(in crate::screen) fn search(
        &self,
        probe: &Probe,
        mut found: impl FnMut(usize, Bits),
    ) -> usize {
        let mut compared = 4 * self.above.len();
        for (i, fours) in self.fours.chunks(4).enumerate() {
            // Bounds without end meet even the empty ones of lanes that are not used.
            let used = Bits::first(fours.len());
            let met = self.above.get(i).map_or(used, |four| used.and(four.met_by(probe)));
            for j in met {
                let number = 4 * i + j;
                compared += 4;
                let met = fours[j].met_by(probe).and(Bits::first(self.count - 4 * number));
                if !met.is_empty() {
                    found(number, met);
                }
            }
        }
        compared
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::place::axes::Dot;
    use crate::screen::place::extent::Extent;

    #[test]
    fn a_search_finds_what_comparing_all_finds() {
        let mut state = 5u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32
        };
        let mut pyramid = Pyramid::default();
        for count in [1, 4, 15, 17, 64, 65, 300, 30] {
            let near = (count as f32).recip();
            let mut extents = Vec::new();
            for i in 0..count {
                let along = i as f32 * near;
                let dot = Dot { rho: along, h: random(), t: random() };
                extents.push(Extent { low: dot, high: dot }.widened(near, 0.1 * random()));
            }
            let fours = extents.chunks(4).map(|four| Four::new(four.iter().copied()));
            pyramid.build(count, fours);
            let mut compared = 0;
            for _ in 0..50 {
                let dot = Dot { rho: random(), h: random(), t: random() };
                let of_a = Extent { low: dot, high: dot }.widened(0.05, 0.1);
                let window = [-0.2, 0.3];
                let mut met = Vec::new();
                let probe = Probe::around(&of_a, 0.0, window);
                compared += pyramid.search(&probe, |four, bits| {
                    met.extend(bits.map(|i| 4 * four + i));
                });
                let each = (0..count).filter(|&i| of_a.meets_in(&extents[i], window));
                assert_eq!(met, each.collect::<Vec<usize>>(), "{count}");
            }
            let [low, high] =
                [f32::NEG_INFINITY, f32::INFINITY].map(|end| Dot { rho: end, h: end, t: end });
            let endless = Probe::around(&Extent { low, high }, 0.0, [0.0, 1.0]);
            let mut met = 0;
            pyramid.search(&endless, |_, bits| met += bits.count());
            assert_eq!(met, count, "all, and nothing in lanes that are not used");
            assert!(count < 65 || compared < 50 * count, "{compared} of {count}");
        }
    }
}
