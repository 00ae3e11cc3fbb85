//! Random worlds that are as hard as can be keep the promise, and the clock.

use chasles_bench::adversary::{Adversary, Row};

fn run(seed: u64, steps: u32) -> Row {
    Adversary::new(seed).expect("a world").run(seed, steps, 600.0)
}

/// What every world keeps, however hard it is.
fn assert_apart(row: &Row) {
    assert_eq!(row.result, "ran", "{row:?}");
    assert_eq!((row.overlaps, row.crossings), (0, 0), "{row:?}");
}

/// What the clock of every world keeps.
fn assert_on_time(row: &Row) {
    assert!(row.free_error < 1e-9, "{row:?}");
    assert!(row.longest_wait <= 10, "{row:?}");
    assert!(row.dt > 0.1 || row.lost < 0.01, "{row:?}");
}

#[test]
fn some_random_worlds_stay_apart_and_lose_no_time() {
    // Of all kinds: chains, balls, routes, and cloth. In the first chains of a millionth of the
    // mass of others slide at a thousand metres a second.
    for seed in [1, 4, 12, 16, 22, 26, 34, 49, 53] {
        let row = run(seed, 20);
        assert_apart(&row);
        assert_on_time(&row);
    }
}

#[test]
fn a_seed_makes_the_same_world() {
    let hash = |seed| Adversary::new(seed).expect("a world").world.hash();
    assert_eq!(hash(7), hash(7));
    assert_ne!(hash(7), hash(8));
}

/// `cargo test --release -p chasles-bench --test adversaries -- --ignored`, for some minutes.
#[test]
#[ignore = "it takes minutes"]
fn sixty_random_worlds_stay_apart() {
    for seed in 0..60 {
        assert_apart(&run(seed, 50));
    }
}
