//! What the device finds is what the CPU finds, bit for bit.
//!
//! On the device a pair of features is found if its pads are wide enough, its copies behind the
//! axis are there, and no list is cut short. Judging is the same code, so a lost candidate is all
//! that can go wrong; `nothing_is_lost` counts candidates, the others compare contacts.

mod common;

use chasles::Contact;
use chasles::screen::{Options, Workspace};
use chasles_gpu::{Memory, Pair, Statistics};
use common::{
    Query, adversarial, around, assert_same, labelled, open, pixels, random, screen, turning,
};

/// The device hands on at most twice the candidates of the CPU. Of bodies that are planted with
/// coincidences, or reach around the axis, where singles say little, it is up to four times as
/// many.
fn assert_few(cost: Statistics, name: &str) {
    let Statistics { candidates, confirmed, .. } = cost;
    let is_odd = name.starts_with("planted") || name.starts_with("around");
    let most = if is_odd { 4 } else { 2 };
    let counts = format!("{candidates} handed on, {confirmed} confirmed");
    assert!(candidates <= most * confirmed, "{name}: {counts}");
    assert!(confirmed > 0, "{name}: nothing is confirmed");
}

#[test]
fn contacts_of_random_pairs_are_those_of_the_cpu() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    for n in [6, 24] {
        let cost = assert_same(&mut screen, &random(0..150), &pixels(n));
        assert_few(cost, &format!("{n} pixels"));
        assert_eq!(cost.runs, 1, "one batch, and lists that are long enough");
    }
}

#[test]
fn contacts_of_odd_pairs_are_those_of_the_cpu() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    for queries in [open(0..60), adversarial(0..60), around(0..60), turning(0..20)] {
        for n in [6, 12] {
            assert_few(assert_same(&mut screen, &queries, &pixels(n)), &queries[0].name);
        }
    }
}

#[test]
fn contacts_of_labelled_cases_are_those_of_the_cpu() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    let all = labelled();
    if !all.is_empty() {
        assert_few(assert_same(&mut screen, &all, &pixels(12)), "labelled");
    }
}

/// Candidates, one by one: of all pairs of features those that the sweep of the CPU finds.
#[test]
fn nothing_is_lost() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    for queries in [random(500..530), around(500..520), open(500..520)] {
        for n in [5, 40] {
            let options = pixels(n);
            for query in &queries {
                screen.contacts(&[query.pair()], &options).unwrap();
                let confirmed = screen.statistics().confirmed;
                assert_eq!(confirmed, query.confirmed(&options), "{} at {n} pixels", query.name);
            }
        }
    }
}

/// What the options of the screen say holds on the device too.
#[test]
fn options_are_those_of_the_screen() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    let robust = Options { robust: true, ..pixels(12) };
    let sharp = Options { time_resolution: Some(1e-4), min_properness: -0.1, ..pixels(12) };
    for options in [robust, sharp] {
        assert_same(&mut screen, &random(200..230), &options);
    }
}

fn of_default(query: &Query, options: &Options) -> Vec<Contact> {
    let Pair { bodies: [a, b], step } = query.pair();
    chasles::screen::contacts(a, b, step, options, &mut Workspace::new()).unwrap().to_vec()
}

/// Few faces are compared by pairs on the CPU, and not drawn: what is near half a pixel may be told
/// differently there.
#[test]
fn nearly_all_contacts_are_those_of_bodies_that_are_not_drawn() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    let queries = random(0..150);
    let pairs: Vec<Pair<'_>> = queries.iter().map(Query::pair).collect();
    let found = screen.contacts(&pairs, &pixels(12)).unwrap();
    let [mut common, mut apart] = [0, 0];
    for (query, found) in queries.iter().zip(&found) {
        let expected = of_default(query, &pixels(12));
        let is_in = |all: &[Contact], one: &Contact| all.iter().any(|c| c.features == one.features);
        common += expected.iter().filter(|contact| is_in(found, contact)).count();
        apart += expected.iter().filter(|contact| !is_in(found, contact)).count();
        apart += found.iter().filter(|contact| !is_in(&expected, contact)).count();
    }
    assert!(apart * 200 < common, "{apart} apart, {common} in common");
}

/// `cargo test -p chasles-gpu --test agreement -- --ignored --nocapture`
#[test]
#[ignore = "long"]
fn contacts_of_many_pairs_are_those_of_the_cpu() {
    let Some(mut screen) = screen(Memory::default()) else { return };
    let all = [random(0..1000), around(0..300), open(0..300), adversarial(0..300), turning(0..100)];
    for queries in all {
        for n in [6, 12, 48] {
            let cost = assert_same(&mut screen, &queries, &pixels(n));
            eprintln!(
                "{} and {} others at {n} pixels: {cost:?}",
                queries[0].name,
                queries.len() - 1
            );
            assert_few(cost, &queries[0].name);
        }
    }
    for n in [6, 12, 24, 48] {
        let all = labelled();
        eprintln!("labelled at {n} pixels: {:?}", assert_same(&mut screen, &all, &pixels(n)));
    }
}
