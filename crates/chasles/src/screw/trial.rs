//! How often a test is tried that costs more than others and seldom says no.

/// Whether boxes in space are worth their cost. Far from the axis the chart has separated nearly
/// all that they would, and then they are tried seldom.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trial {
    /// So many trials more may fail before there are fewer of them.
    credit: u32,
    /// Pairs to be let through before the next trial.
    rest: u32,
    /// How many those are the next time.
    pause: u32,
}

impl Trial {
    /// A trial costs about a fifth of what it saves when two nodes are found to be apart.
    const CREDIT: u32 = 5;
    const LONGEST_PAUSE: u32 = 64;
    pub(super) const OFTEN: Self = Self { credit: 2 * Self::CREDIT, rest: 0, pause: 1 };
    /// The leaves of small bodies are bounded by their features, and then boxes add little.
    pub(super) const SELDOM: Self =
        Self { credit: 0, rest: Self::LONGEST_PAUSE, pause: Self::LONGEST_PAUSE };

    #[inline]
    pub(super) fn is_due(&mut self) -> bool {
        let due = self.rest == 0;
        self.rest = self.rest.saturating_sub(1);
        due
    }

    #[inline]
    pub(super) fn note(&mut self, meet: bool) {
        if !meet {
            self.credit = (self.credit + Self::CREDIT).min(Self::OFTEN.credit);
            self.pause = (self.pause / 4).max(1);
        } else if self.credit > 0 {
            self.credit -= 1;
        } else {
            self.rest = self.pause;
            self.pause = (2 * self.pause).min(Self::LONGEST_PAUSE);
        }
    }
}
