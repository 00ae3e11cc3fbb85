//! The oracle agrees with the parity of piercings, which knows nothing of roots, and finds what is
//! planted.

use chasles::screw::RawEvent;
use chasles::{Pose, Screw};
use chasles_testkit::generate::{self, Plant};
use chasles_testkit::parity::parity;
use chasles_testkit::query::size_of;
use chasles_testkit::shapes;
use chasles_testkit::{Event, Query, judge, oracle, oracle_of_step, step_along};
use glam::DVec3;

fn raw(events: &[Event], size: f64) -> Vec<RawEvent> {
    let listed = events.iter().filter(|e| e.inside || e.other_root == 0.0);
    let raw = |e: &Event| {
        let borderline = !e.is_clear(size);
        RawEvent { features: e.features, time: e.time, grazing: borderline }
    };
    listed.map(raw).collect()
}

fn parity_holds(seed: u64, query: &Query) -> [usize; 3] {
    let events = oracle(query);
    let parity = parity(query, &raw(&events, query.size()), &[]);
    assert!(parity.is_good(), "seed {seed}: {parity}");
    [events.len(), parity.judged, parity.set_apart]
}

#[test]
fn parity_holds_for_random_queries() {
    let mut sums = [0; 3];
    for seed in 0..200 {
        let counts = parity_holds(seed, &generate::query(seed));
        (0..3).for_each(|i| sums[i] += counts[i]);
    }
    let [events, judged, apart] = sums;
    assert!(events > 5_000 && judged > 5_000, "{sums:?}: the queries hardly touch");
    assert!(apart < judged / 20, "{sums:?}: too much is set apart");
}

#[test]
fn parity_holds_for_open_meshes() {
    for seed in 0..200 {
        parity_holds(seed, &generate::open_query(seed));
    }
}

#[test]
fn a_lost_event_breaks_the_parity() {
    let query = generate::query(3);
    let events = oracle(&query);
    let mut raw = raw(&events, query.size());
    assert!(!raw.is_empty());
    raw.swap_remove(0);
    assert!(!parity(&query, &raw, &[]).is_good());
}

#[test]
fn a_planted_double_root_is_borderline_and_listed() {
    let mut touches = 0;
    for seed in 0..180 {
        let (plant, query) = generate::adversarial(seed);
        let events = oracle(&query);
        if matches!(plant, Plant::TangentVertex | Plant::TangentEdge) {
            let near = |e: &&Event| e.other_root < 1e-5 && e.window[1] - e.window[0] < 1e-2;
            assert!(events.iter().filter(near).count() > 0, "{plant:?}, seed {seed}");
            touches += 1;
        }
    }
    assert!(touches >= 36);
}

#[test]
fn cutting_a_step_into_more_parts_changes_no_clear_event() {
    let mut clear = 0;
    for seed in 0..60 {
        let mut random = generate::Random::new(seed);
        let (a, b) = (generate::closed_mesh(&mut random), generate::closed_mesh(&mut random));
        let angular = random.direction() * random.between(0.5, 9.0);
        let twist = Screw::from_twist(angular, random.vector()).expect("finite");
        let start = Pose::from_position(random.vector() * 1.5).expect("finite");
        // A stands still, so the relative motion is one screw however it is cut.
        let step = step_along((Pose::IDENTITY, Screw::STILL), (start, twist));
        let events = oracle_of_step(&a, &b, &step);
        let finer = oracle_of_step(&a, &b, &step.with_parts(2 * step.parts() + 1));
        let inside = finer.iter().filter(|e| e.inside).map(Event::to_contact);
        let verdict = judge(&inside.collect::<Vec<_>>(), &events, size_of(&a, &b));
        verdict.expect_good(&format!("seed {seed}"));
        clear += verdict.clear;
    }
    assert!(clear > 500, "{clear} clear events: the bodies hardly touch");
}

#[test]
fn cubes_in_translation_have_the_times_of_the_closed_form() {
    // Half-sizes 0.5 and 0.25, from x = 3 to x = -1: vertex planes at 0.75 and 0.25 either way.
    let place = |x: f64| Pose::from_position([x, 0.1, 0.05]).expect("finite");
    let query = Query {
        a: shapes::cube(),
        b: shapes::cuboid(DVec3::splat(0.5)),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [place(3.0), place(-1.0)],
    };
    let fv = oracle(&query).into_iter().filter(|e| e.features.kind() == "fv" && e.inside);
    let mut times: Vec<f64> = fv.filter(|e| e.is_clear(query.size())).map(|e| e.time).collect();
    assert_eq!(times.len(), 16);
    times.dedup();
    assert_eq!(times, [0.5625, 0.6875, 0.8125, 0.9375]);
}
