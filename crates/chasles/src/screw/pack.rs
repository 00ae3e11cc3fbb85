//! The features of a leaf that count in a query, side by side.

use std::ops::Range;

/// No feature: what fills the last four of a list.
pub(super) const NONE: u32 = u32::MAX;

/// Where the features of one leaf are: faces, edges and vertices, each from a multiple of four on.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pack {
    /// The first quad of each kind, and the one behind the last.
    ends: [u32; 4],
    /// Where the chords of edges begin.
    chords: u32,
}

/// Places in a pack.
pub(super) const FACES: usize = 0;
pub(super) const EDGES: usize = 1;
pub(super) const VERTICES: usize = 2;

impl Pack {
    /// A pack of features of three kinds, listed behind the first `quads` fours.
    pub(super) fn new(quads: [u32; 4], chords: usize) -> Self {
        Self { ends: quads, chords: chords as u32 }
    }

    /// Quads of all features.
    #[inline]
    pub(super) fn all(&self) -> Range<usize> {
        self.ends[0] as usize..self.ends[3] as usize
    }

    /// Quads of one kind.
    #[inline]
    pub(super) fn quads(&self, kind: usize) -> Range<usize> {
        self.ends[kind] as usize..self.ends[kind + 1] as usize
    }

    /// Places of one kind in the list of features.
    #[inline]
    pub(super) fn places(&self, kind: usize) -> Range<usize> {
        4 * self.ends[kind] as usize..4 * self.ends[kind + 1] as usize
    }

    /// The chords of a quad of edges.
    #[inline]
    pub(super) fn chords(&self, quad: usize) -> usize {
        quad - self.ends[EDGES] as usize + self.chords as usize
    }
}

/// A list that is long enough, and how much of it is used.
pub(super) struct Listing<'l> {
    pub(super) ids: &'l mut [u32],
    pub(super) used: usize,
}

impl Listing<'_> {
    /// Lists those of a range that count by their numbers and marks, and fills the last four; where
    /// the next quad begins.
    ///
    /// Every one is written, but the list moves on only if it counts.
    #[inline(always)]
    pub(super) fn list(
        &mut self,
        range: Range<u32>,
        marks: &[u32],
        counts: impl Fn(u32, u32) -> bool,
    ) -> u32 {
        let marks = &marks[range.start as usize..range.end as usize];
        let room = &mut self.ids[self.used..self.used + marks.len() + 4];
        let mut used = 0;
        for (i, mark) in range.zip(marks) {
            room[used] = i;
            used += usize::from(counts(i, *mark));
        }
        while !used.is_multiple_of(4) {
            room[used] = NONE;
            used += 1;
        }
        self.used += used;
        self.used as u32 / 4
    }

    /// Lists all of a range.
    pub(super) fn all(&mut self, range: Range<u32>) -> u32 {
        for i in range {
            self.ids[self.used] = i;
            self.used += 1;
        }
        while !self.used.is_multiple_of(4) {
            self.ids[self.used] = NONE;
            self.used += 1;
        }
        self.used as u32 / 4
    }
}
