//! What is known of two convex bodies on the way through time, from left to right.
//!
//! Intervals come in order, each with what is proven of it (meet.rs). What is undecided between two
//! proofs is a stretch in which the bodies begin to meet, or part, or touch for a while:
//!
//! ```text
//! proof   Apart |  None  |   Meet    |  None   | Apart
//!               |_touch__|           |__touch__|
//! ```

use super::find::WIDE;
use super::meet::COARSE;

/// What is proven of an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Proof {
    Apart,
    Meet,
    /// They touch all along.
    Touch,
    None,
}

/// A stretch in which the bodies touch, and what is proven before and after it.
pub(super) type Found = ([f64; 2], [Option<Proof>; 2]);

/// What is known on the way from left to right.
pub(super) struct Walk {
    shortest: f64,
    /// What was proven last.
    last: Option<Proof>,
    /// The stretch that is undecided since then.
    open: Option<[f64; 2]>,
    /// What is proven since, and from when on: it may still be a part of the stretch.
    since: Option<(Proof, f64)>,
}

impl Walk {
    /// At the beginning, with the shortest interval that is looked at.
    pub(super) fn new(shortest: f64) -> Self {
        Self { shortest, last: None, open: None, since: None }
    }

    /// Passes an interval, with what is clear in its middle, by more than rounding.
    ///
    /// Next to a touch proofs come and go by rounding, so a stretch is taken as ended when it is
    /// followed by a proof that is clear, or holds for longer than the stretch lasted or than what
    /// is halved in any case.
    pub(super) fn pass(
        &mut self,
        [from, to]: [f64; 2],
        proof: Proof,
        clear: Option<Proof>,
    ) -> Option<Found> {
        if matches!(proof, Proof::None | Proof::Touch) {
            return self.pass_undecided([from, to], clear);
        }
        if self.open.is_none() && self.last.is_none_or(|last| last == proof) {
            self.last = Some(proof);
            return None;
        }
        let open = self.open.get_or_insert([from, from]);
        let start = match self.since {
            Some((same, start)) if same == proof => start,
            _ => {
                open[1] = from;
                from
            }
        };
        self.since = Some((proof, start));
        let enough = (open[1] - open[0]).min(COARSE).max(16.0 * self.shortest);
        if clear.is_some() || to - start > enough { self.finish() } else { None }
    }

    /// Passes an undecided interval: a stretch ends in its middle if what is clear there is not
    /// what was proven before. Otherwise it goes on, since the bodies may come and go between.
    fn pass_undecided(&mut self, [from, to]: [f64; 2], clear: Option<Proof>) -> Option<Found> {
        let start = self.open.map_or(from, |open| open[0]);
        self.since = None;
        let Some(proof) = clear.filter(|clear| self.last != Some(*clear)) else {
            self.open = Some([start, to]);
            return None;
        };
        let middle = 0.5 * (from + to);
        self.open = Some([start, middle]);
        self.since = Some((proof, middle));
        let found = self.finish();
        self.open = Some([middle, to]);
        found
    }

    /// Ends with what is known of a time, which an undecided interval before it may hide.
    pub(super) fn end(&mut self, time: f64, proof: Proof) {
        self.since.get_or_insert((proof, time));
    }

    /// The stretch that is open, unless the bodies meet before and after it: how much they do is
    /// then below rounding for so short a time that it says nothing.
    pub(super) fn finish(&mut self) -> Option<Found> {
        let open = self.open.take()?;
        let after = self.since.take().map(|since| since.0);
        let before = std::mem::replace(&mut self.last, after);
        let hidden = before == Some(Proof::Meet) && after == before && open[1] - open[0] < WIDE;
        (!hidden).then_some((open, [before, after]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const APART: Option<Proof> = Some(Proof::Apart);
    const MEET: Option<Proof> = Some(Proof::Meet);

    /// All stretches on a way of intervals, each from the end of the one before.
    fn stretches(way: &[(f64, Proof, Option<Proof>)]) -> Vec<Found> {
        let mut walk = Walk::new(1e-11);
        let mut from = 0.0;
        let mut found = Vec::new();
        for &(to, proof, clear) in way {
            found.extend(walk.pass([from, to], proof, clear));
            from = to;
        }
        found.extend(walk.finish());
        found
    }

    #[test]
    fn a_stretch_ends_with_a_proof_that_is_clear_or_lasts() {
        let way = |to: f64, clear: Option<Proof>| {
            let none = |to: f64| (to, Proof::None, None);
            stretches(&[(0.1, Proof::Meet, MEET), none(0.2), (to, Proof::Apart, clear), none(0.5)])
        };
        assert_eq!(way(0.2001, None), [([0.1, 0.5], [MEET, None])]);
        let two = |to: f64| vec![([0.1, 0.2], [MEET, APART]), ([to, 0.5], [APART, None])];
        assert_eq!(way(0.2001, APART), two(0.2001));
        assert_eq!(way(0.21, None), two(0.21));
    }

    #[test]
    fn what_is_clear_in_the_middle_of_undecided_intervals_tells_crossings() {
        let none = |to: f64, clear: Option<Proof>| (to, Proof::None, clear);
        let way = [
            (0.1, Proof::Apart, APART),
            none(0.2, None),
            none(0.3, MEET),
            none(0.4, MEET),
            none(0.5, APART),
            (0.6, Proof::Apart, APART),
        ];
        let [enters, leaves, rest] = stretches(&way)[..] else { panic!("three stretches") };
        assert_eq!(enters, ([0.1, 0.25], [APART, MEET]));
        assert_eq!(leaves, ([0.25, 0.45], [MEET, APART]));
        assert_eq!(rest, ([0.45, 0.5], [APART, APART]), "whether it touches there is not known");
    }
}
