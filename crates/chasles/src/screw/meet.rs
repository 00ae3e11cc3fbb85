//! Which features of two leaves may touch, four of A's at a time.
//!
//! Whether two bounds overlap cannot be foreseen, so hardly anything here branches on it: bounds
//! that overlap are bits, and every place is written, but the list moves on only if it counts.

use crate::bounds::{Chart, Quad, Spread};

/// Lists that are longer than what counts of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Meeting {
    /// Which quads of A meet B's leaf at all.
    near: Vec<u32>,
    /// Which features of B meet A's leaf at all.
    others: Vec<u32>,
}

/// The lanes that a mask selects come first.
const LANES: [[u32; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut bit = 0;
    while bit < 64 {
        let [mask, lane] = [bit / 4, bit % 4];
        if mask >> lane & 1 == 1 {
            table[mask][(mask & ((1 << lane) - 1)).count_ones() as usize] = lane as u32;
        }
        bit += 1;
    }
    table
};

/// How many lanes a mask selects.
const COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

impl Meeting {
    /// Calls `found` with the places of each feature of A, moved by whole turns, and each of B that
    /// it may touch; `in_a`, moved, and `in_b`, moved back, bound all of them.
    #[inline]
    pub(super) fn meet(
        &mut self,
        [a, b]: [&[Quad]; 2],
        [in_a, in_b]: [&Spread; 2],
        (chart, turn): (&Chart, i32),
        mut found: impl FnMut(u32, u32),
    ) {
        let Self { near, others } = self;
        grow(near, a.len());
        let mut quads = 0;
        for (quad, i) in a.iter().zip(0..) {
            near[quads] = i;
            quads += usize::from(quad.overlapping(in_b) != 0);
        }
        if quads == 0 {
            return;
        }
        grow(others, 4 * b.len());
        let mut count = 0;
        for (quad, first) in b.iter().zip((0..).step_by(4)) {
            let mask = quad.overlapping(in_a);
            others[count..count + 4].copy_from_slice(&LANES[mask].map(|lane| first + lane));
            count += usize::from(COUNTS[mask]);
        }
        // Sixteen quads have as many features as a mask has bits.
        for near in near[..quads].chunks(16) {
            for &j in &others[..count] {
                let quad = &b[j as usize / 4];
                let one = match turn {
                    0 => quad.spread(j as usize % 4),
                    _ => chart.turned(&quad.slab(j as usize % 4), -turn).spread(),
                };
                let mut mask = 0;
                for (k, &i) in near.iter().enumerate() {
                    mask |= (a[i as usize].overlapping(&one) as u64) << (4 * k);
                }
                while mask != 0 {
                    let bit = mask.trailing_zeros();
                    found(4 * near[bit as usize / 4] + bit % 4, j);
                    mask &= mask - 1;
                }
            }
        }
    }
}

/// Makes a list at least this long.
#[inline]
fn grow(list: &mut Vec<u32>, count: usize) {
    if list.len() < count {
        list.resize(count, 0);
    }
}
