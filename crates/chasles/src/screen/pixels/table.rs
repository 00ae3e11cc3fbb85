//! The hash table of meetings, by what meets [Buss04 §9, step six].

use crate::contact::{Met, Pair};
use crate::numeric::{lower, upper};

/// When two records meet, and which ends of their edges are vertices there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::screen) struct Times {
    pub(super) first: f32,
    pub(super) last: f32,
    /// How much later it may be than the pixels say.
    pub(super) doubt: f32,
    /// Of A's edge and of B's: 0 none, 1 its first end, 2 its second.
    pub(super) vertices: [u8; 2],
}

/// What meets, and between which times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Meeting {
    pub(in crate::screen) pair: Pair,
    /// The least time of all pixels that both share there, and the greatest.
    pub(in crate::screen) times: [f32; 2],
    /// The greatest doubt of these.
    doubt: f32,
}

impl Meeting {
    /// Takes in another meeting of the same pair if it is no later than `soon` after this, or no
    /// earlier.
    fn join(&mut self, other: &Self, soon: f32) -> bool {
        let [start, end] = [self.times[0].max(other.times[0]), self.times[1].min(other.times[1])];
        let doubt = upper(self.doubt, other.doubt);
        if start - end > soon + doubt {
            return false;
        }
        let times = [lower(self.times[0], other.times[0]), upper(self.times[1], other.times[1])];
        *self = Self { times, doubt, ..*self };
        true
    }

    /// The earliest time and the latest, with what it may be later.
    pub(in crate::screen) fn range(&self) -> [f64; 2] {
        [self.times[0], self.times[1] + self.doubt].map(f64::from)
    }
}

/// All meetings, in the order in which they were found. Memory is kept between queries.
///
/// Differs from [Buss04 §9]: two edges that meet twice, as where one cuts across a corner of the
/// other body, are two meetings. With the least time of all their pixels alone, an edge that comes
/// out of an overlap and enters it again would be seen coming out only.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Meetings {
    all: Vec<Meeting>,
    /// Numbers of meetings and 1, or 0; the first `size` are in use, a power of 2.
    slots: Vec<u32>,
    size: usize,
}

/// The table starts with so many places.
const FEW: usize = 64;

impl Meetings {
    pub(in crate::screen) fn clear(&mut self) {
        self.all.clear();
        self.reserve(FEW);
    }

    /// Makes the table so large, and enters all meetings anew: the last of each pair.
    fn reserve(&mut self, size: usize) {
        if self.slots.len() < size {
            self.slots.resize(size, 0);
        }
        self.size = size;
        self.slots[..size].fill(0);
        for number in 0..self.all.len() {
            let slot = self.slot(self.all[number].pair);
            self.slots[slot] = number as u32 + 1;
        }
    }

    /// The place of a pair, or the free place where it belongs.
    #[inline]
    fn slot(&self, pair: Pair) -> usize {
        let mask = self.size - 1;
        let mut slot = hash(pair) as usize & mask;
        while self.slots[slot] != 0 && self.all[self.slots[slot] as usize - 1].pair != pair {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// Keeps a meeting, or widens that of the same pair which was found last, if it is no farther
    /// from that than `soon`.
    #[inline]
    pub(super) fn keep(&mut self, pair: Pair, times: &Times, soon: f32) {
        let Times { first, last, doubt, .. } = *times;
        let meeting = Meeting { pair, times: [first, last], doubt };
        let slot = self.slot(pair);
        let known = self.slots[slot] as usize;
        if known > 0 && self.all[known - 1].join(&meeting, soon) {
            return;
        }
        self.all.push(meeting);
        self.slots[slot] = self.all.len() as u32;
        if 2 * self.all.len() > self.size {
            self.reserve(2 * self.size);
        }
    }

    /// All meetings by what meets and when, whatever order they were found in.
    pub(in crate::screen) fn sorted(&mut self, soon: f32) -> &[Meeting] {
        self.all.sort_unstable_by(|p, q| {
            let starts = p.times[0].total_cmp(&q.times[0]);
            p.pair.cmp(&q.pair).then(starts).then(p.times[1].total_cmp(&q.times[1]))
        });
        self.all.dedup_by(|next, kept| next.pair == kept.pair && kept.join(next, soon));
        &self.all
    }
}

/// A number of 32 bits that tells pairs apart as well as chance does: the upper half of a product
/// with an odd number, as in Knuth's multiplicative hashing.
#[inline]
fn hash(Pair { met, a, b }: Pair) -> u32 {
    let kind = match met {
        Met::EdgeEdge => 0,
        Met::VertexEdge => 1,
        Met::EdgeVertex => 2,
        _ => 3,
    };
    let key = (u64::from(a) << 32 | u64::from(b)).wrapping_add(kind << 29);
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(number: u32) -> Pair {
        let met = [Met::EdgeEdge, Met::VertexVertex][number as usize % 2];
        Pair { met, a: number % 1000 / 2, b: number % 7 }
    }

    #[test]
    fn a_pair_is_kept_once_with_its_least_and_its_greatest_time() {
        let mut table = Meetings::default();
        for _ in 0..2 {
            table.clear();
            for i in 0..14_000_u32 {
                let times = Times { first: i as f32, last: i as f32 + 1.0, ..Times::default() };
                table.keep(pair(i), &times, 1e4);
            }
            assert_eq!(table.all.len(), 7000);
            let Meeting { pair, times, .. } = table.all[1];
            assert_eq!((pair.a, pair.b, times), (0, 1, [1.0, 7002.0]));
            assert!(table.size < 20_000);
        }
    }

    #[test]
    fn meetings_of_a_pair_that_are_long_after_each_other_stay_apart_in_any_order() {
        let times = [[0.1, 0.2], [0.21, 0.3], [0.6, 0.7], [0.65, 0.8], [0.3, 0.35]];
        for turned in 0..times.len() {
            let mut table = Meetings::default();
            table.clear();
            for i in 0..times.len() {
                let [first, last] = times[(i + turned) % times.len()];
                table.keep(pair(3), &Times { first, last, ..Times::default() }, 0.02);
            }
            let found: Vec<_> = table.sorted(0.02).iter().map(|meeting| meeting.times).collect();
            assert_eq!(found, [[0.1, 0.35], [0.6, 0.8]], "{turned}");
        }
    }
}
