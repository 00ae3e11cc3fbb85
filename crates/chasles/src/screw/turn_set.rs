//! By how many whole turns one body is to be moved to meet another.

/// A set of whole turns from -1 to 1, a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TurnSet(u8);

impl TurnSet {
    /// No turn at all, which is what most pairs of bodies need.
    pub(super) const NONE: Self = Self(0b010);

    /// Those of a range for which something holds.
    #[inline]
    pub(super) fn of(range: std::ops::RangeInclusive<i32>, holds: impl Fn(i32) -> bool) -> Self {
        Self(range.filter(|turn| holds(*turn)).fold(0, |set, turn| set | 1 << (turn + 1)))
    }

    /// Those for which something holds.
    #[inline]
    pub(super) fn only(self, holds: impl Fn(i32) -> bool) -> Self {
        Self(self.each().filter(|turn| holds(*turn)).fold(0, |set, turn| set | 1 << (turn + 1)))
    }

    #[inline]
    pub(super) fn each(self) -> impl Iterator<Item = i32> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let turn = (left != 0).then(|| left.trailing_zeros() as i32 - 1);
            left &= left.wrapping_sub(1);
            turn
        })
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
