//! Instructions of the nine queries, counted under valgrind: a record that repeats on a machine
//! that others use.
//!
//! Needs valgrind and `cargo install gungraun-runner --version 0.20.0`, the same version as the
//! library. Without the speed cases it refuses to count.

#![allow(missing_docs, reason = "the macros of gungraun make public items")]

use std::hint::black_box;

use chasles_bench::{Mode, Pair, Query, cases};
use gungraun::prelude::*;

/// A steady query: it has run once, off the count.
fn steady(name: &str, mode: Mode) -> Query<'static> {
    let cases = cases::speed_cases();
    let case = cases.iter().find(|case| case.name == name);
    let case =
        case.unwrap_or_else(|| panic!("no case {name}: the labelled speed cases are absent"));
    // Kept until the process ends, which runs one query only.
    let pair = Box::leak(Box::new(Pair::new(case).expect("the bodies are meshes")));
    let mut query = pair.query(mode);
    query.run();
    query
}

fn facing(name: &str) -> Query<'static> {
    steady(name, Mode::Facing)
}

fn all(name: &str) -> Query<'static> {
    steady(name, Mode::All)
}

fn first(name: &str) -> Query<'static> {
    steady(name, Mode::First)
}

/// Returns the query, so that its memory is freed off the count.
fn run(mut query: Query<'static>) -> Query<'static> {
    black_box(query.run());
    query
}

#[library_benchmark]
#[bench::cube_early(args = ("cube-early"), setup = facing)]
#[bench::cube_deep(args = ("cube-deep"), setup = facing)]
#[bench::cube_miss(args = ("cube-miss"), setup = facing)]
#[bench::car_early(args = ("car-early"), setup = facing)]
#[bench::car_deep(args = ("car-deep"), setup = facing)]
#[bench::car_miss(args = ("car-miss"), setup = facing)]
#[bench::torus_early(args = ("torus-early"), setup = facing)]
#[bench::torus_deep(args = ("torus-deep"), setup = facing)]
#[bench::torus_miss(args = ("torus-miss"), setup = facing)]
fn screw_facing(query: Query<'static>) -> Query<'static> {
    run(query)
}

#[library_benchmark]
#[bench::cube_early(args = ("cube-early"), setup = all)]
#[bench::cube_deep(args = ("cube-deep"), setup = all)]
#[bench::cube_miss(args = ("cube-miss"), setup = all)]
#[bench::car_early(args = ("car-early"), setup = all)]
#[bench::car_deep(args = ("car-deep"), setup = all)]
#[bench::car_miss(args = ("car-miss"), setup = all)]
#[bench::torus_early(args = ("torus-early"), setup = all)]
#[bench::torus_deep(args = ("torus-deep"), setup = all)]
#[bench::torus_miss(args = ("torus-miss"), setup = all)]
fn screw_all(query: Query<'static>) -> Query<'static> {
    run(query)
}

#[library_benchmark]
#[bench::cube_early(args = ("cube-early"), setup = first)]
#[bench::cube_deep(args = ("cube-deep"), setup = first)]
#[bench::cube_miss(args = ("cube-miss"), setup = first)]
#[bench::car_early(args = ("car-early"), setup = first)]
#[bench::car_deep(args = ("car-deep"), setup = first)]
#[bench::car_miss(args = ("car-miss"), setup = first)]
#[bench::torus_early(args = ("torus-early"), setup = first)]
#[bench::torus_deep(args = ("torus-deep"), setup = first)]
#[bench::torus_miss(args = ("torus-miss"), setup = first)]
fn screw_first(query: Query<'static>) -> Query<'static> {
    run(query)
}

library_benchmark_group!(name = screw, benchmarks = [screw_facing, screw_all, screw_first]);

main!(
    config = LibraryBenchmarkConfig::default().pass_through_envs(["CHASLES_SHARED"]),
    library_benchmark_groups = screw
);
