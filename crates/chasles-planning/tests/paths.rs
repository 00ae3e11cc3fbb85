//! Clearances of paths, and many edges at once.

mod support;

use chasles::Pose;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use chasles::query::Geometry;
use chasles::query::batch::Watch;
use chasles_planning::{Edge, EdgesError, Packages, Robot, Scene};
use chasles_testkit::generate::Random;
use support::{along, among, configuration};

/// Free paths of three configurations among obstacles.
fn paths(scene: &Scene, count: usize, random: &mut Random) -> Vec<[Vec<f64>; 3]> {
    let mut paths = Vec::new();
    while paths.len() < count {
        let q0 = configuration(scene.robot(), random);
        let [far, back] = [(); 2].map(|()| configuration(scene.robot(), random));
        let q1 = along([&q0, &far], 0.2);
        let q2 = along([&q1, &back], 0.2);
        let free = |a: &[f64], b: &[f64]| scene.edge(a, b, 0.0).expect("finite").is_free();
        if free(&q0, &q1) && free(&q1, &q2) {
            paths.push([q0, q1, q2]);
        }
    }
    paths
}

#[test]
fn the_clearance_of_a_path_brackets_all_samples() {
    let mut random = Random::new(11);
    for _ in 0..3 {
        let scene = among(20, &mut random);
        for path in paths(&scene, 5, &mut random) {
            for width in [1e-2, 1e-4] {
                let found = scene.clearance(&path, width).expect("finite").expect("pairs");
                assert!(found.lower > 0.0 && found.upper - found.lower <= width, "{found:?}");
                let ends = [&*path[found.edge], &*path[found.edge + 1]];
                assert_eq!(found.configuration, along(ends, found.at));
                let there = scene.distance(&found.configuration).expect("finite").expect("pairs");
                assert!((there.distance - found.upper).abs() < 1e-9, "{there:?}, {found:?}");
                let mut least = f64::INFINITY;
                for (edge, i) in (0..2).flat_map(|edge| (0..=300).map(move |i| (edge, i))) {
                    let q = along([&path[edge], &path[edge + 1]], f64::from(i) / 300.0);
                    least = least.min(scene.distance(&q).expect("finite").expect("pairs").distance);
                }
                assert!(found.lower <= least, "{least}: {found:?}");
            }
        }
    }
}

#[test]
fn the_clearance_of_a_path_that_hits_is_0_where_it_hits() {
    let mut random = Random::new(12);
    let scene = among(30, &mut random);
    let mut count = 0;
    for _ in 0..40 {
        let [q0, q1] = [(); 2].map(|()| configuration(scene.robot(), &mut random));
        if scene.edge(&q0, &q1, 0.0).expect("finite").hit().is_none() {
            continue;
        }
        count += 1;
        let found = scene.clearance(&[&q0, &q1], 1e-3).expect("finite").expect("pairs");
        assert!(found.lower == 0.0 && found.upper < 1e-3, "{found:?}");
        let there = scene.distance(&found.configuration).expect("finite").expect("pairs");
        assert!(there.distance <= found.upper + 1e-12);
    }
    assert!(count > 10);
}

#[test]
fn edges_have_the_same_bits_at_any_number_of_threads() {
    let mut random = Random::new(13);
    let scene = among(30, &mut random);
    let mut ends = || [(); 2].map(|()| configuration(scene.robot(), &mut random));
    let edges: Vec<[Vec<f64>; 2]> = (0..60).map(|_| ends()).collect();
    let alone: Vec<Edge> =
        edges.iter().map(|[q0, q1]| scene.edge(q0, q1, 0.01).expect("finite")).collect();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let found = pool.install(|| scene.edges(&edges, 0.01)).expect("finite");
        // Bits: numbers compare by value, and their text by all digits.
        assert_eq!(format!("{found:?}"), format!("{alone:?}"), "{threads} threads");
    }
}

#[test]
fn what_was_asked_before_does_not_matter() {
    let mut random = Random::new(14);
    let scene = among(30, &mut random);
    let [q0, q1, q2] = [(); 3].map(|()| configuration(scene.robot(), &mut random));
    let after = scene.edges(&[[&q1, &q2], [&q0, &q1]], 0.0).expect("finite");
    assert_eq!(after[1], scene.edge(&q0, &q1, 0.0).expect("finite"));
}

#[test]
fn joints_that_mimic_move_on_edges() {
    let text = r#"<robot name="grip"><link name="palm"/>
        <link name="a"/><joint name="a" type="prismatic"><parent link="palm"/><child link="a"/>
            <axis xyz="0 1 0"/><limit lower="0" upper="1"/></joint>
        <link name="b"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
        <joint name="b" type="prismatic"><parent link="palm"/><child link="b"/>
            <axis xyz="0 1 0"/><limit lower="0" upper="1"/>
            <mimic joint="a" multiplier="-3"/></joint>
        </robot>"#;
    let robot = Robot::parse(text, "grip.urdf", &Packages::new()).expect("a robot");
    let mut scene = Scene::new(robot);
    let ball = Geometry::sphere(0.1).expect("a ball");
    scene.add("ball", ball, Pose::from_position([0.0, -1.0, 0.0]).expect("finite")).expect("new");
    let found = scene.edge(&[0.0], &[0.5], 0.0).expect("finite");
    // The finger is at minus three times the value, and 0.8 from the ball.
    let first = 0.8 / 1.5;
    let hit = found.hit().expect("the finger comes down");
    assert!(found.fraction <= first && (hit.at - first).abs() < 2e-6, "{found:?}");
    let near = scene.distance(&[0.1]).expect("finite").expect("a pair");
    assert!((near.distance - 0.5).abs() < 1e-12 && (near.gradient[0] + 3.0).abs() < 1e-12);
}

#[test]
fn many_edges_tell_how_many_are_done_and_end_when_they_are_cancelled() {
    let mut random = Random::new(14);
    let scene = among(5, &mut random);
    let edges: Vec<[Vec<f64>; 2]> =
        (0..200).map(|_| [(); 2].map(|()| configuration(scene.robot(), &mut random))).collect();
    let (most, cancel) = (AtomicUsize::new(0), AtomicBool::new(false));
    let tell = |done| {
        most.fetch_max(done, Ordering::Relaxed);
    };
    let watch = Watch { progress: Some(&tell), cancel: Some(&cancel) };
    let found = scene.edges_watched(&edges, 0.0, &watch).expect("finite");
    assert_eq!(found, scene.edges(&edges, 0.0).expect("finite"));
    assert_eq!(most.swap(0, Ordering::Relaxed), 200);

    let end = |done| {
        most.fetch_max(done, Ordering::Relaxed);
        cancel.store(true, Ordering::Relaxed);
    };
    let watch = Watch { progress: Some(&end), cancel: Some(&cancel) };
    assert_eq!(scene.edges_watched(&edges, 0.0, &watch), Err(EdgesError::Cancelled));
    assert!(most.into_inner() < 100, "it ended soon");
}
