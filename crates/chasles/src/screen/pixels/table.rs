//! The hash table of meetings, by what meets [Buss04 §9, step six].

use crate::contact::{Met, Pair};

/// When two records meet, and which ends of their edges are vertices there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Times {
    pub(super) first: f32,
    pub(super) last: f32,
    /// Of A's edge and of B's: 0 none, 1 its first end, 2 its second.
    pub(super) vertices: [u8; 2],
}

/// What meets, and between which times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Meeting {
    pub(in crate::screen) pair: Pair,
    /// The least time of all pixels that both share, and the greatest.
    pub(in crate::screen) times: [f32; 2],
}

/// All meetings, in the order in which they were found. Memory is kept between queries.
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

    /// Makes the table so large, and enters all meetings anew.
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

    /// Keeps a meeting, or widens its times.
    #[inline]
    pub(super) fn keep(&mut self, pair: Pair, [first, last]: [f32; 2]) {
        let slot = self.slot(pair);
        match self.slots[slot] {
            0 => {
                self.all.push(Meeting { pair, times: [first, last] });
                self.slots[slot] = self.all.len() as u32;
                if 2 * self.all.len() > self.size {
                    self.reserve(2 * self.size);
                }
            }
            number => {
                let times = &mut self.all[number as usize - 1].times;
                *times = [times[0].min(first), times[1].max(last)];
            }
        }
    }

    /// All meetings by what meets, whatever order they were found in.
    pub(in crate::screen) fn sorted(&mut self) -> &[Meeting] {
        self.all.sort_unstable_by_key(|meeting| meeting.pair);
        &self.all
    }
}

/// A number of 32 bits that tells pairs apart as well as chance does: the upper half of a product with
/// an odd number, as in Knuth's multiplicative hashing.
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

    #[test]
    fn a_pair_is_kept_once_with_its_least_and_its_greatest_time() {
        let mut table = Meetings::default();
        for _ in 0..2 {
            table.clear();
            for i in 0..14_000_u32 {
                let met = [Met::EdgeEdge, Met::VertexVertex][i as usize % 2];
                let pair = Pair { met, a: i % 1000 / 2, b: i % 7 };
                table.keep(pair, [i as f32, i as f32 + 1.0]);
            }
            assert_eq!(table.all.len(), 7000);
            let Meeting { pair, times } = table.all[1];
            assert_eq!((pair.a, pair.b, times), (0, 1, [1.0, 7002.0]));
            assert!(table.size < 20_000);
        }
    }
}
