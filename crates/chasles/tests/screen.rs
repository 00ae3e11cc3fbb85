//! The screen finds what the exact engine finds, up to its pixels, and makes up nothing else.
//!
//! The long run: `cargo test --release -p chasles --test screen -- --ignored --nocapture`

use std::ops::Range;

use chasles::screen::{Options, Resolution};
use chasles_testkit::generate;
use chasles_testkit::labelled::screw_cases;
use chasles_testkit::screen::{Rates, rates};

/// The resolutions of the documented table.
const PIXELS: [u32; 4] = [6, 12, 24, 48];

fn pixels(n: u32) -> Options {
    Options { resolution: Resolution::Pixels(n), ..Options::default() }
}

#[track_caller]
fn expect_good(name: &str, rates: &Rates) {
    assert!(rates.missed.is_empty() && rates.far.is_empty(), "{name}: {rates}\n{rates:?}");
}

/// Checks random pairs of closed meshes, and prints the rates.
#[allow(clippy::print_stdout, reason = "the rates are the documented table")]
fn closed_meshes_agree(seeds: Range<u64>) {
    for n in PIXELS {
        let mut all = Rates::default();
        for seed in seeds.clone() {
            let query = generate::query(seed);
            let one = rates([&query.a, &query.b], &query.step(), &pixels(n));
            expect_good(&format!("query {seed} at {n} pixels"), &one);
            all += one;
        }
        println!("{n} pixels: {all}");
        let count = (seeds.end - seeds.start) as usize;
        assert!(all.due > count / 8, "{all}: the queries hardly touch");
    }
}

#[test]
fn labelled_cases_agree_with_the_exact_engine() {
    for case in screw_cases().unwrap_or_default() {
        for n in PIXELS {
            let query = &case.query;
            let found = rates([&query.a, &query.b], &query.step(), &pixels(n));
            expect_good(&format!("{} at {n} pixels", case.name), &found);
        }
    }
}

#[test]
fn random_closed_meshes_agree_with_the_exact_engine() {
    closed_meshes_agree(0..300);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn two_thousand_closed_meshes_agree_with_the_exact_engine() {
    closed_meshes_agree(1_000_000..1_002_000);
}

#[test]
fn random_open_meshes_agree_with_the_exact_engine() {
    for seed in 0..300 {
        let query = generate::open_query(seed);
        let found = rates([&query.a, &query.b], &query.step(), &pixels(12));
        expect_good(&format!("open query {seed}"), &found);
    }
}

#[test]
fn steps_of_several_parts_agree_with_the_exact_engine() {
    for seed in 0..40 {
        let (a, b, step) = generate::turning(seed);
        expect_good(&format!("turning {seed}"), &rates([&a, &b], &step, &pixels(12)));
    }
}

#[test]
fn adversarial_queries_agree_with_the_exact_engine() {
    for seed in 0..180 {
        let (plant, query) = generate::adversarial(seed);
        let found = rates([&query.a, &query.b], &query.step(), &pixels(12));
        expect_good(&format!("{plant:?}, adversarial {seed}"), &found);
    }
}
