//! No crossing is lost: every piercing that appears or disappears has its events.
//!
//! The long run: `cargo test --release -p chasles --test parity -- --ignored`

use std::ops::Range;

use chasles::{Features, Polygons, Step};
use chasles_testkit::labelled::{screw_cases, speed_cases};
use chasles_testkit::parity::{Parity, parity_of_library, parity_of_step};
use chasles_testkit::query::size_of;
use chasles_testkit::{Event, Query, generate, lattice, oracle, oracle_of_step};

/// How many queries had their parity checked, and how many pairs of an edge and a face that was.
#[derive(Debug, Default)]
struct Tally {
    queries: usize,
    judged: usize,
}

impl Tally {
    #[track_caller]
    fn add(&mut self, name: &str, parity: &Parity) {
        assert!(parity.is_good(), "{name}: {parity}");
        self.queries += 1;
        self.judged += parity.judged;
    }

    #[track_caller]
    fn add_query(&mut self, name: &str, query: &Query) {
        let doubtful = doubtful(&oracle(query), query.size());
        self.add(name, &parity_of_library(query, &doubtful));
    }

    /// A check that sets nearly everything apart says nothing.
    #[track_caller]
    fn expect_judged(&self, pairs_per_query: usize) {
        assert!(
            self.judged > pairs_per_query * self.queries,
            "{self:?}: hardly anything is judged"
        );
    }
}

/// Features of events that rounding may add or remove.
fn doubtful(events: &[Event], size: f64) -> Vec<Features> {
    events.iter().filter(|e| !e.is_clear(size)).map(|e| e.features).collect()
}

fn closed_meshes(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add_query(&format!("query {seed}"), &generate::query(seed));
    }
    tally.expect_judged(50);
}

fn built_in_shapes(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add_query(&format!("built-in {seed}"), &generate::built_in_query(seed));
    }
    tally.expect_judged(200);
}

fn open_meshes(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add_query(&format!("open query {seed}"), &generate::open_query(seed));
    }
    tally.expect_judged(15);
}

/// Double roots, grazing passes and pairs that stay in touch; the pairs at which they are planted
/// are apart, the others are not.
fn planted_queries(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        let (plant, query) = generate::adversarial(seed);
        tally.add_query(&format!("{plant:?}, adversarial {seed}"), &query);
    }
    tally.expect_judged(5);
}

fn lattice_queries(seeds: Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        tally.add_query(&format!("lattice {seed}"), &lattice::query(seed));
    }
    tally.expect_judged(2);
}

fn steps(name: &str, make: fn(u64) -> (Polygons, Polygons, Step), seeds: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    for seed in seeds {
        let (a, b, step) = make(seed);
        let doubtful = doubtful(&oracle_of_step(&a, &b, &step), size_of(&a, &b));
        tally.add(&format!("{name} {seed}"), &parity_of_step([&a, &b], &step, &doubtful));
    }
    tally
}

fn turning_meshes(seeds: Range<u64>) {
    steps("turning", generate::turning, seeds).expect_judged(40);
}

fn lattice_twists(seeds: Range<u64>) {
    steps("lattice twist", lattice::turning, seeds).expect_judged(2);
}

#[test]
fn parity_holds_on_the_labelled_cases() {
    let mut tally = Tally::default();
    for case in screw_cases().unwrap_or_default() {
        tally.add(&case.name, &parity_of_library(&case.query, &[]));
    }
    for case in speed_cases().unwrap_or_default() {
        tally.add(&case.name, &parity_of_library(&case.query, &[]));
    }
}

#[test]
fn parity_holds_on_random_closed_meshes() {
    closed_meshes(0..300);
}

#[test]
fn parity_holds_on_built_in_shapes() {
    built_in_shapes(0..40);
}

#[test]
fn parity_holds_on_random_open_meshes() {
    open_meshes(0..300);
}

#[test]
fn parity_holds_on_planted_double_roots_and_grazing_passes() {
    planted_queries(0..180);
}

#[test]
fn parity_holds_on_lattice_queries() {
    lattice_queries(0..400);
}

#[test]
fn parity_holds_on_lattice_steps_by_twist() {
    lattice_twists(0..150);
}

#[test]
fn parity_holds_on_steps_of_several_parts() {
    turning_meshes(0..40);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_five_thousand_closed_meshes() {
    closed_meshes(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_a_thousand_pairs_of_built_in_shapes() {
    built_in_shapes(1_000_000..1_001_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_five_thousand_open_meshes() {
    open_meshes(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_five_thousand_planted_double_roots_and_grazing_passes() {
    planted_queries(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_a_thousand_steps_of_several_parts() {
    turning_meshes(1_000_000..1_001_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_five_thousand_lattice_queries() {
    lattice_queries(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn parity_holds_on_five_thousand_lattice_steps_by_twist() {
    lattice_twists(1_000_000..1_005_000);
}
