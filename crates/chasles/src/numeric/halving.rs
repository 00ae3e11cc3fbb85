//! The order in which an interval is halved: the earliest piece first, without a queue.
//!
//! Pieces have lengths `2^-depth`, so that their ends are doubles without rounding. A piece that
//! is settled gives way to the largest piece that begins where it ends; the pieces seen are those
//! of a queue ordered by their beginnings [TOC, Algorithm 1], with nothing to store.

/// A piece of `[0, 1]`, everything before which is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Halving {
    /// How many pieces of this length lie before it.
    before: u64,
    depth: u32,
}

/// Pieces are not halved below this length, `2^-52`: their ends stay doubles.
const DEEPEST: u32 = 52;

impl Halving {
    /// All of it.
    pub(crate) const WHOLE: Self = Self { before: 0, depth: 0 };

    /// Its two ends.
    #[inline]
    pub(crate) fn ends(self) -> [f64; 2] {
        let length = f64::from_bits((1023 - u64::from(self.depth)) << 52);
        [self.before as f64 * length, (self.before + 1) as f64 * length]
    }

    /// Its first half, or none if it is too short.
    #[inline]
    pub(crate) fn first_half(self) -> Option<Self> {
        let half = Self { before: 2 * self.before, depth: self.depth + 1 };
        (self.depth < DEEPEST).then_some(half)
    }

    /// The next piece, or none at the end.
    #[inline]
    pub(crate) fn next(self) -> Option<Self> {
        let before = self.before + 1;
        let merged = before.trailing_zeros().min(self.depth);
        let next = Self { before: before >> merged, depth: self.depth - merged };
        (next.before >> next.depth == 0).then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other_without_gaps() {
        // Halves whatever contains a third, down to a length of 2^-20.
        let (mut piece, mut end, mut count) = (Halving::WHOLE, 0.0, 0);
        loop {
            let ends = piece.ends();
            assert_eq!(ends[0], end);
            let holds = ends[0] <= 1.0 / 3.0 && 1.0 / 3.0 < ends[1];
            if holds && ends[1] - ends[0] > 1e-6 {
                piece = piece.first_half().expect("not that short");
                continue;
            }
            (end, count) = (ends[1], count + 1);
            match piece.next() {
                Some(next) => piece = next,
                None => break,
            }
        }
        assert_eq!((end, count), (1.0, 21));
    }

    #[test]
    fn the_shortest_piece_is_a_double_apart() {
        let mut piece = Halving::WHOLE;
        while let Some(half) = piece.first_half() {
            piece = half;
        }
        assert_eq!(piece.ends(), [0.0, f64::EPSILON]);
    }
}
