//! The library and the oracle agree on random queries.
//!
//! The long run: `cargo test --release -p chasles --test agreement -- --ignored`

use chasles::glam::{DQuat, DVec3};
use chasles::{Options, Polygons, Pose, Step};
use chasles_testkit::query::{size_of, sound_contacts_of_step};
use chasles_testkit::{Query, generate, judge, lattice, oracle, oracle_of_step, shapes};

/// Judges one query and returns how many clear events it had.
fn agree(name: &str, query: &Query) -> usize {
    let contacts = query.sound_contacts(&Options::default());
    let verdict = judge(&contacts, &oracle(query), query.size());
    verdict.expect_good(name);
    verdict.clear
}

fn closed_meshes_agree(seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let clear: usize =
        seeds.map(|seed| agree(&format!("query {seed}"), &generate::query(seed))).sum();
    assert!(clear as u64 > 10 * count, "{clear} clear events: the queries hardly touch");
}

fn built_in_shapes_agree(seeds: std::ops::Range<u64>) {
    seeds.for_each(|seed| {
        agree(&format!("built-in {seed}"), &generate::built_in_query(seed));
    });
}

fn open_meshes_agree(seeds: std::ops::Range<u64>) {
    seeds.for_each(|seed| {
        agree(&format!("open query {seed}"), &generate::open_query(seed));
    });
}

fn adversarial_queries_agree(seeds: std::ops::Range<u64>) {
    seeds.for_each(|seed| {
        let (plant, query) = generate::adversarial(seed);
        agree(&format!("{plant:?}, adversarial {seed}"), &query);
    });
}

fn lattice_queries_agree(seeds: std::ops::Range<u64>) {
    let count = seeds.end - seeds.start;
    let clear: usize =
        seeds.map(|seed| agree(&format!("lattice {seed}"), &lattice::query(seed))).sum();
    assert!(clear as u64 > count, "{clear} clear events: the queries hardly touch");
}

/// Judges each step of any number of parts.
fn steps_agree(
    name: &str,
    make: fn(u64) -> (Polygons, Polygons, Step),
    seeds: std::ops::Range<u64>,
) {
    for seed in seeds {
        let (a, b, step) = make(seed);
        let contacts = sound_contacts_of_step([&a, &b], &step, &Options::default());
        let verdict = judge(&contacts, &oracle_of_step(&a, &b, &step), size_of(&a, &b));
        verdict.expect_good(&format!("{name} {seed}"));
    }
}

#[test]
fn random_closed_meshes_agree_with_the_oracle() {
    closed_meshes_agree(0..300);
}

#[test]
fn built_in_shapes_agree_with_the_oracle() {
    built_in_shapes_agree(0..40);
}

#[test]
fn random_open_meshes_agree_with_the_oracle() {
    open_meshes_agree(0..300);
}

#[test]
fn adversarial_queries_agree_with_the_oracle() {
    adversarial_queries_agree(0..180);
}

#[test]
fn lattice_queries_agree_with_the_oracle() {
    lattice_queries_agree(0..400);
}

#[test]
fn lattice_steps_by_twist_agree_with_the_oracle() {
    steps_agree("lattice twist", lattice::turning, 0..150);
}

#[test]
fn steps_of_several_parts_agree_with_the_oracle() {
    steps_agree("turning", generate::turning, 0..40);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn a_thousand_steps_of_several_parts_agree_with_the_oracle() {
    steps_agree("turning", generate::turning, 1_000_000..1_001_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn five_thousand_closed_meshes_agree_with_the_oracle() {
    closed_meshes_agree(1_000_000..1_005_000);
}

/// What belongs to features of bodies this large is made in blocks, when queries first look there.
#[test]
fn bodies_of_many_faces_agree_with_the_oracle() {
    let torus = shapes::torus(30, 20, 1.0, 0.4);
    assert!(torus.faces.len() > 512, "a small body");
    let mut clear = 0;
    for i in 0..6 {
        let x = f64::from(i);
        let turn = DQuat::from_scaled_axis(DVec3::new(x.sin(), (2.0 * x).sin(), x.cos()));
        let start = Pose::new([1.8, 0.3, 0.2 * x], DQuat::IDENTITY).expect("finite");
        let end = Pose::new([0.3, 0.1 * x, -0.4], turn).expect("finite");
        let [moving, still] = [[start, end], [Pose::IDENTITY; 2]];
        let cube = shapes::cube();
        let query = if i % 2 == 0 {
            Query { a: torus.clone(), b: cube, poses_a: still, poses_b: moving }
        } else {
            Query { a: cube, b: torus.clone(), poses_a: still, poses_b: moving }
        };
        clear += agree(&format!("many faces {i}"), &query);
    }
    assert!(clear > 300, "{clear} clear events: the queries hardly touch");
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn a_thousand_pairs_of_built_in_shapes_agree_with_the_oracle() {
    built_in_shapes_agree(1_000_000..1_001_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn five_thousand_open_meshes_agree_with_the_oracle() {
    open_meshes_agree(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn five_thousand_adversarial_queries_agree_with_the_oracle() {
    adversarial_queries_agree(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn five_thousand_lattice_queries_agree_with_the_oracle() {
    lattice_queries_agree(1_000_000..1_005_000);
}

#[test]
#[ignore = "minutes; run with --release -- --ignored"]
fn five_thousand_lattice_steps_by_twist_agree_with_the_oracle() {
    steps_agree("lattice twist", lattice::turning, 1_000_000..1_005_000);
}
