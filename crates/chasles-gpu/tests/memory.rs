//! Lists that are too short grow, or are an error; nothing is cut short.

mod common;

use chasles_gpu::{Device, Error, Memory, Pair};
use common::{Query, around, assert_same, open, pixels, random, screen, turning};

#[test]
fn lists_that_are_too_short_grow() {
    let kinds = [random(0..40), around(0..10), open(0..5), turning(0..3)];
    let queries: Vec<Query> = kinds.into_iter().flatten().collect();
    let Some(mut small) = screen(Memory { at_first: 0, ..Memory::default() }) else { return };
    let cost = assert_same(&mut small, &queries, &pixels(12));
    assert!(cost.runs > 1, "{cost:?}");
    let again = assert_same(&mut small, &queries, &pixels(12));
    assert_eq!(again.runs, 1, "they stay as long as they were");
    assert_eq!(again.candidates, cost.candidates);
}

#[test]
fn pairs_that_are_too_many_for_the_memory_are_drawn_in_turns() {
    let queries = random(0..60);
    let memory = Memory { limit: 200_000, at_first: 100_000 };
    let Some(mut screen) = screen(memory) else { return };
    let cost = assert_same(&mut screen, &queries, &pixels(12));
    assert!(cost.runs > 2, "{cost:?}");
}

#[test]
fn a_pair_that_needs_too_much_is_an_error() {
    let Some(mut screen) = screen(Memory { limit: 1000, at_first: 1000 }) else { return };
    let queries = random(0..3);
    let pairs: Vec<Pair<'_>> = queries.iter().map(Query::pair).collect();
    let error = screen.contacts(&pairs, &pixels(12)).unwrap_err();
    assert!(matches!(error, Error::Memory { needed: 1001.., limit: 1000 }), "{error}");
    let none = pixels(0);
    let error = screen.contacts(&pairs, &none).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pair 0: the screen has 0 pixels along a typical edge: at least 1 is needed"
    );
}

#[test]
fn the_same_pairs_give_the_same_bits_in_any_order() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    let queries = random(300..340);
    let pairs: Vec<Pair<'_>> = queries.iter().map(Query::pair).collect();
    let first = screen.contacts(&pairs, &pixels(12)).unwrap();
    assert_eq!(screen.contacts(&pairs, &pixels(12)).unwrap(), first);
    let backward: Vec<Pair<'_>> = pairs.iter().rev().copied().collect();
    let mut found = screen.contacts(&backward, &pixels(12)).unwrap();
    found.reverse();
    assert_eq!(found, first);
    assert_eq!(screen.contacts(&[], &pixels(12)).unwrap().len(), 0);
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_names_those_that_are() {
    let error = Device::named("no such device").unwrap_err();
    let Error::NoAdapter { seen } = error else { panic!("{error}") };
    assert!(seen.iter().all(|adapter| adapter.contains("does not contain no such device")));
}
