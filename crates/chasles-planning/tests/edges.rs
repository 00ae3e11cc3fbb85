//! Random edges of an arm among obstacles: hits are hits, and what is free is free.

mod support;

use chasles_planning::{Edge, Scene, Verdict};
use chasles_testkit::generate::Random;
use support::{along, among, configuration, span};

#[test]
fn stats() {
    let mut random = Random::new(7);
    let scene = among(30, &mut random);
    let robot = scene.robot().clone();
    let mut ends = Vec::new();
    while ends.len() < 200 {
        let q0 = configuration(&robot, &mut random);
        let q1 = configuration(&robot, &mut random);
        if scene.is_free(&q0).unwrap() { ends.push([q0, q1]); }
    }
    println!("pairs {}", scene.pair_count());
    let start = std::time::Instant::now();
    let found: Vec<Edge> = ends.iter().map(|[a, b]| scene.edge(a, b, 0.0).unwrap()).collect();
    println!("{:?} per edge", start.elapsed() / 200);
    let (mut free, mut hit, mut und) = (0, 0, 0);
    for e in &found { match &e.verdict { Verdict::Free => free += 1, Verdict::Hit(h) => {hit += 1; if hit < 10 {println!("{} {} {:?} {} {:?}", e.fraction, h.at, h.near.bodies, h.near.distance, e.distances)}}, Verdict::Undecided(d) => { und += 1; println!("{} {d:?}", e.fraction);} } }
    let total: u32 = found.iter().map(|e| e.distances).sum();
    println!("free {free} hit {hit} und {und}, distances {total}");
}
