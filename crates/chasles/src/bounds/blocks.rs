//! Lists that are made in blocks, each when it is first asked for.
//!
//! Most of what a query needs of a feature follows from the mesh, and the first query looks at few
//! features of a large body. What is made is the same whoever asks first, so threads may ask at
//! once. Small bodies have all of it from the start, and are asked without a detour.

use std::ops::Range;
use std::sync::OnceLock;

/// Numbers in a block: so many that the lock of a block is little beside it, and so few that a
/// query makes hardly more than it looks at.
pub(super) const SIZE: u32 = 64;

/// Faces of a small body at most: those that take less than a millisecond.
pub(super) const SMALL: usize = 512;

/// What belongs to the numbers below a count.
#[derive(Clone, Debug)]
pub(super) struct Blocks<T> {
    /// All of it, of a small body.
    all: Box<[T]>,
    parts: Parts<T>,
}

/// Blocks of entries, made when first asked for.
#[derive(Clone, Debug)]
pub(super) struct Parts<T> {
    count: u32,
    made: Box<[OnceLock<Box<[T]>>]>,
}

impl<T> Blocks<T> {
    /// Nothing yet, unless the body is small.
    pub(super) fn new(count: usize, is_small: bool, of: impl Fn(u32) -> T) -> Self {
        match is_small {
            true => Self { all: (0..count as u32).map(of).collect(), parts: Parts::new(0) },
            false => Self { all: Box::default(), parts: Parts::new(count) },
        }
    }

    /// What belongs to a number; `of` says so for all of its block.
    #[inline(always)]
    pub(super) fn at(&self, i: u32, of: impl Fn(u32) -> T) -> &T {
        match self.all.get(i as usize) {
            Some(entry) => entry,
            None => &self.parts.of(i, |numbers| numbers.map(of).collect())[(i % SIZE) as usize],
        }
    }
}

impl<T> Parts<T> {
    /// Nothing yet.
    pub(super) fn new(count: usize) -> Self {
        let made = (0..count.div_ceil(SIZE as usize)).map(|_| OnceLock::new()).collect();
        Self { count: count as u32, made }
    }

    /// The block of a number; `make` gets all numbers of the block.
    #[inline]
    pub(super) fn of(&self, i: u32, make: impl FnOnce(Range<u32>) -> Box<[T]>) -> &[T] {
        match self.made[(i / SIZE) as usize].get() {
            Some(block) => block,
            None => self.make(i, make),
        }
    }

    #[cold]
    #[inline(never)]
    fn make(&self, i: u32, make: impl FnOnce(Range<u32>) -> Box<[T]>) -> &[T] {
        let start = i / SIZE * SIZE;
        let numbers = start..self.count.min(start + SIZE);
        self.made[(i / SIZE) as usize].get_or_init(|| make(numbers))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn a_block_is_made_once_and_others_not_at_all() {
        let count = Cell::new(0);
        let square = |i: u32| {
            count.set(count.get() + 1);
            i * i
        };
        let blocks = Blocks::new(2 * SIZE as usize + 3, false, square);
        for i in [SIZE + 1, 2 * SIZE - 1, SIZE] {
            assert_eq!(*blocks.at(i, square), i * i);
        }
        assert_eq!(count.get(), SIZE);
        assert_eq!(*blocks.at(2 * SIZE + 2, square), (2 * SIZE + 2).pow(2));
        assert_eq!(count.get(), SIZE + 3);
    }

    #[test]
    fn small_bodies_have_all_from_the_start() {
        let blocks = Blocks::new(SIZE as usize + 1, true, |i| i);
        assert!((0..=SIZE).all(|i| *blocks.at(i, |_| unreachable!("made before")) == i));
    }
}
