//! Bodies that hang in each other move on: no link of a chain waits, and rings on pins swing in
//! their time.

#[path = "worlds/scenes.rs"]
#[allow(dead_code)]
mod scenes;

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, TAU};
use std::sync::Arc;

use chasles::mesh::shapes::{Shape, Torus};
use chasles::{Collider, Polygons, Polyhedron, Pose};
use chasles_dynamics::world::Shape as Round;
use chasles_dynamics::{Body, Options, World};
use glam::{DQuat, DVec3};
use scenes::{Judge, dynamic, made_of, solid};

const DT: f64 = 0.01;

fn options() -> Options {
    Options::windows()
}

/// Rings of so many faces that hang in each other, slack, the first of them fixed and the last
/// pushed aside.
fn chain(segments: [u32; 2]) -> World {
    let ring = solid(&Shape::Torus(Torus { major: 0.5, minor: 0.1, segments }));
    let mut world = World::new(options());
    world.add(Body::fixed(Arc::clone(&ring)));
    for i in 1..10 {
        let turn = DQuat::from_rotation_z(f64::from(i % 2) * FRAC_PI_2);
        let pose = Pose::new([0.0, 0.0, -0.7 * f64::from(i)], turn).expect("finite");
        let push = if i == 9 { DVec3::new(6.0, 3.0, 0.0) } else { DVec3::ZERO };
        world.add(dynamic(&ring, 1000.0).at(pose).moving(push, DVec3::ZERO));
    }
    world
}

#[test]
fn links_of_a_chain_never_wait() {
    for segments in [[12, 6], [24, 12]] {
        let mut world = chain(segments);
        let judge = Judge::new(&world);
        for step in 0..150 {
            let report = world.step(DT).expect("a step");
            assert_eq!(report.lost, [], "{segments:?} in step {step}");
            assert_eq!(judge.crossing(&world), None, "{segments:?} in step {step}");
        }
    }
}

/// Of nine pairs that hang in each other, each is asked about in most rounds if nothing is kept.
#[test]
fn what_is_proven_is_not_asked_again_in_each_round() {
    let mut world = chain([24, 12]);
    let [mut rounds, mut queries] = [0; 2];
    for _ in 0..150 {
        let work = world.step(DT).expect("a step").work;
        rounds += work.rounds;
        queries += work.queries;
    }
    assert!(queries < 7 * rounds, "{queries} queries in {rounds} rounds");
}

/// A square frame with a square hole, with these sides and depth, about the axis y.
fn frame(outer: f64, inner: f64, depth: f64) -> Arc<Collider> {
    let mut vertices = Vec::new();
    for y in [-0.5 * depth, 0.5 * depth] {
        for side in [outer, inner] {
            for [x, z] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
                vertices.push([0.5 * side * x, y, 0.5 * side * z]);
            }
        }
    }
    let mut faces: Vec<Vec<u32>> = Vec::new();
    for i in 0..4 {
        let j = (i + 1) % 4;
        faces.push(vec![i, j, 4 + j, 4 + i]);
        faces.push(vec![8 + i, 12 + i, 12 + j, 8 + j]);
        faces.push(vec![i, 8 + i, 8 + j, j]);
        faces.push(vec![4 + i, 4 + j, 12 + j, 12 + i]);
    }
    let mesh = Polyhedron::new(&Polygons::new(vertices, faces)).expect("a closed frame");
    Arc::new(Collider::new(mesh))
}

/// A frame hangs with a corner of its hole on a round pin. Without friction the pin stays where it
/// touches both sides of the corner, so its axis is that of a compound pendulum.
#[test]
fn a_frame_on_a_pin_swings_in_the_time_of_a_compound_pendulum() {
    let (outer, inner, radius) = (1.2_f64, 1.0_f64, 0.02);
    let amplitude = 0.5_f64;
    let arm = (0.5 * inner - radius) * 2.0_f64.sqrt();
    let slick = made_of(0.0, 0.0);
    let mut world = World::new(options());
    let pin = Round::capsule([[0.0, -0.3, 0.0], [0.0, 0.3, 0.0]], radius).expect("a capsule");
    world.add(Body::fixed(pin).made_of(slick));
    let turn = DQuat::from_rotation_y(amplitude);
    // A little lower than where it touches.
    let centre = turn * DVec3::new(0.0, 0.0, -arm) + DVec3::new(0.0, 0.0, 2e-4);
    let pose = Pose::new(centre, turn * DQuat::from_rotation_y(FRAC_PI_4)).expect("finite");
    let frame = world.add(dynamic(&frame(outer, inner, 0.2), 1000.0).at(pose).made_of(slick));

    let gyration = (outer * outer + inner * inner) / 6.0;
    let small = TAU * ((gyration + arm * arm) / (9.81 * arm)).sqrt();
    let square = amplitude * amplitude;
    let expected = small * (1.0 + square / 16.0 + 11.0 * square * square / 3072.0);

    let mut crossings = Vec::new();
    let mut before = centre.x;
    while crossings.len() < 7 && world.time() < 20.0 {
        let report = world.step(DT).expect("a step");
        assert_eq!(report.lost, [], "after {} s", world.time());
        let place = world.bodies()[frame.0].pose().position();
        if before * place.x < 0.0 {
            crossings.push(world.time() - DT * place.x / (place.x - before));
        }
        before = place.x;
    }
    let period = (crossings[6] - crossings[0]) / 3.0;
    assert!((period / expected - 1.0).abs() < 0.02, "{period} s for {expected} s");
}
