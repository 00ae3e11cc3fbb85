//! The same work on many things: on all cores with the feature `threads`, one after the other
//! without it.
//!
//! Results stand in the order of what they are of, so that threads change nothing.

#[cfg(feature = "threads")]
use rayon::prelude::*;

/// What `of` gives for each item, in their order. Each thread has a memory of its own.
#[cfg(feature = "threads")]
pub(crate) fn map<T: Sync, W, R: Send>(
    items: &[T],
    memory: impl Fn() -> W + Sync + Send,
    of: impl Fn(&mut W, &T) -> R + Sync + Send,
) -> Vec<R> {
    items.par_iter().map_init(memory, of).collect()
}

/// What `of` gives for each item, in their order.
#[cfg(not(feature = "threads"))]
pub(crate) fn map<T, W, R>(
    items: &[T],
    memory: impl Fn() -> W,
    of: impl Fn(&mut W, &T) -> R,
) -> Vec<R> {
    let mut memory = memory();
    items.iter().map(|item| of(&mut memory, item)).collect()
}

/// The first that `of` gives for an item, with the number of that item.
#[cfg(feature = "threads")]
pub(crate) fn find_first<T: Sync, W, R: Send>(
    items: &[T],
    memory: impl Fn() -> W + Sync + Send,
    of: impl Fn(&mut W, (usize, &T)) -> Option<R> + Sync + Send,
) -> Option<R> {
    items.par_iter().enumerate().map_init(memory, of).find_map_first(|found| found)
}

/// The first that `of` gives for an item, with the number of that item.
#[cfg(not(feature = "threads"))]
pub(crate) fn find_first<T, W, R>(
    items: &[T],
    memory: impl Fn() -> W,
    of: impl Fn(&mut W, (usize, &T)) -> Option<R>,
) -> Option<R> {
    let mut memory = memory();
    items.iter().enumerate().find_map(|item| of(&mut memory, item))
}

/// What both give.
#[cfg(feature = "threads")]
pub(crate) fn join<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(a, b)
}

/// What both give.
#[cfg(not(feature = "threads"))]
pub(crate) fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
    (a(), b())
}
