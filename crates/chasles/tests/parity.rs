//! No crossing is lost: every piercing that appears or disappears has its events.

use chasles::Features;
use chasles_testkit::labelled::{screw_cases, speed_cases};
use chasles_testkit::parity::parity_of_library;
use chasles_testkit::{Query, generate, oracle};

#[track_caller]
fn holds(name: &str, query: &Query, doubtful: &[Features]) {
    let parity = parity_of_library(query, doubtful);
    assert!(parity.is_good(), "{name}: {parity}");
}

#[test]
fn parity_holds_on_the_labelled_cases() {
    for case in screw_cases().unwrap_or_default() {
        holds(&case.name, &case.query, &[]);
    }
    for case in speed_cases().unwrap_or_default() {
        holds(&case.name, &case.query, &[]);
    }
}

/// Features of events that rounding may add or remove.
fn doubtful(query: &Query) -> Vec<Features> {
    let size = query.size();
    oracle(query).iter().filter(|e| !e.is_clear(size)).map(|e| e.features).collect()
}

#[test]
fn parity_holds_on_random_closed_meshes() {
    for seed in 0..300 {
        let query = generate::query(seed);
        holds(&format!("query {seed}"), &query, &doubtful(&query));
    }
}

#[test]
fn parity_holds_on_random_open_meshes() {
    for seed in 0..300 {
        let query = generate::open_query(seed);
        holds(&format!("open query {seed}"), &query, &doubtful(&query));
    }
}
