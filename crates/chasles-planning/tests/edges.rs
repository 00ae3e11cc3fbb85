//! Random edges of an arm among obstacles: a hit overlaps or touches in a distance at rest, and
//! what is free is free wherever it is sampled.

mod support;

use chasles_planning::{Edge, Scene, Verdict};
use chasles_testkit::generate::Random;
use support::{along, among, configuration, span};

/// Bodies this near touch, as a share of the smaller one's radius; and what no body here is below.
const TOUCHING: f64 = 1e-9;
const LARGEST: f64 = 0.3;

/// What was seen of the edges of a scene.
#[derive(Default)]
struct Seen {
    free: usize,
    hits: usize,
    undecided: usize,
}

/// Edges from free configurations to any, short and long.
fn random_edges(scene: &Scene, count: usize, random: &mut Random) -> Vec<[Vec<f64>; 2]> {
    let mut edges = Vec::new();
    while edges.len() < count {
        let q0 = configuration(scene.robot(), random);
        if !scene.is_free(&q0).expect("a configuration") {
            continue;
        }
        let far = configuration(scene.robot(), random);
        let share = random.one_of(&[0.02, 0.1, 0.3, 1.0]);
        let q1 = along([&q0, &far], share);
        edges.push([q0, q1]);
    }
    edges
}

/// Holds an edge against distances at rest.
fn judge(scene: &Scene, [q0, q1]: [&[f64]; 2], edge: &Edge, seen: &mut Seen) {
    match &edge.verdict {
        Verdict::Free => {
            seen.free += 1;
            assert!(edge.fraction == 1.0);
            sampled_free(scene, [q0, q1], edge);
        }
        Verdict::Hit(hit) => {
            seen.hits += 1;
            let at_rest = scene.distance(&hit.configuration).expect("one").expect("pairs");
            assert!(at_rest.overlaps || at_rest.distance <= TOUCHING * LARGEST, "{hit:?}");
            assert!(hit.near.overlaps || hit.near.distance <= TOUCHING * LARGEST, "{hit:?}");
            assert!(edge.fraction <= hit.at && hit.at - edge.fraction <= 1e-6, "{edge:?}");
            sampled(scene, [q0, q1], [0.0, edge.fraction], 20);
        }
        Verdict::Undecided(doubt) => {
            seen.undecided += 1;
            assert!(edge.fraction <= doubt.at && doubt.at < 1.0);
            sampled(scene, [q0, q1], [0.0, edge.fraction], 20);
        }
    }
}

/// No sample of an edge hits: every 1e-3 radians, and every 1e-5 about the least clearance.
fn sampled_free(scene: &Scene, ends: [&[f64]; 2], edge: &Edge) {
    let count = (span(ends) / 1e-3).ceil().max(1.0) as usize;
    let (at, least) = sampled(scene, ends, [0.0, 1.0], count);
    let about = 1e-3 / span(ends).max(1e-3);
    let (_, closer) =
        sampled(scene, ends, [at - about, at + about].map(|t| t.clamp(0.0, 1.0)), 200);
    let [lower, upper] = edge.clearance;
    assert!(lower <= least.min(closer) && lower <= upper, "{edge:?}, and {least} was seen");
}

/// Where the least distance of samples is; each of them is free.
fn sampled(scene: &Scene, ends: [&[f64]; 2], [from, to]: [f64; 2], count: usize) -> (f64, f64) {
    let mut least = (0.0, f64::INFINITY);
    for i in 0..count {
        let t = from + (to - from) * i as f64 / count as f64;
        let near = scene.distance(&along(ends, t)).expect("a configuration").expect("pairs");
        assert!(!near.overlaps && near.distance > 0.0, "at {t}: {near:?}");
        if near.distance < least.1 {
            least = (t, near.distance);
        }
    }
    least
}

fn edges_are_what_samples_say(scenes: u64, count: usize) {
    let mut seen = Seen::default();
    for seed in 0..scenes {
        let mut random = Random::new(seed);
        let scene = among(30, &mut random);
        let edges = random_edges(&scene, count, &mut random);
        let found = scene.edges(&edges, 0.0).expect("edges of the robot");
        for ([q0, q1], edge) in edges.iter().zip(&found) {
            judge(&scene, [q0, q1], edge, &mut seen);
        }
    }
    let all = scenes as usize * count;
    let Seen { free, hits, undecided } = seen;
    assert!(undecided * 100 < all, "{undecided} undecided");
    assert!(free * 5 > all && hits * 5 > all, "{free} free, {hits} hits: both count");
}

#[test]
fn a_hundred_random_edges_are_what_samples_say() {
    edges_are_what_samples_say(4, 25);
}

#[test]
#[ignore = "minutes"]
fn two_thousand_random_edges_are_what_samples_say() {
    edges_are_what_samples_say(20, 100);
}
