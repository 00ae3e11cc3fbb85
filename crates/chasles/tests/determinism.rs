//! The same input gives the same bits, whatever the workspace or the bodies have seen before.

use chasles::glam::{DQuat, DVec3};
use chasles::{Collider, Contact, Motion, Options, Polyhedron, Pose, Step, Workspace, contacts};
use chasles_testkit::{Query, generate, lattice, shapes};

/// All digits of all fields; `Debug` prints each `f64` so that it reads back to the same bits.
fn digits(contacts: &[Contact]) -> String {
    format!("{contacts:?}")
}

fn queries() -> Vec<Query> {
    let everyday = (0..40).map(generate::query);
    let planted = (0..40).map(|seed| generate::adversarial(seed).1);
    let queries: Vec<Query> = everyday.chain(planted).chain((0..100).map(lattice::query)).collect();
    let touching = |q: &&Query| !q.sound_contacts(&Options::default()).is_empty();
    let count = queries.iter().filter(touching).count();
    assert!(count > 40, "only {count} queries have contacts: nothing is tested");
    queries
}

#[test]
fn a_reused_workspace_changes_nothing() {
    let mut reused = Workspace::new();
    for query in queries() {
        let [a, b] = query.colliders();
        let fresh = query.contacts(&Options::default());
        for _ in 0..2 {
            let again = contacts(&a, &b, &query.step(), &Options::default(), &mut reused);
            assert_eq!(digits(again), digits(&fresh));
        }
    }
}

/// Large bodies make what belongs to features when they are first looked at.
#[test]
fn bodies_that_no_query_has_seen_are_as_others_on_all_threads() {
    let mesh = Polyhedron::new(&shapes::torus(60, 40, 1.0, 0.4)).expect("a torus");
    let [a, b] = [mesh.clone(), mesh.clone()].map(Collider::new);
    let ask = |[a, b]: [&Collider; 2], i: u32| {
        let x = f64::from(i);
        let turn = DQuat::from_scaled_axis(DVec3::new(x.sin(), (2.0 * x).sin(), x.cos()));
        let [start, end] = [[1.5, 0.2, 0.1 * x], [0.2, 0.1 * x, -0.3]]
            .map(|place| Pose::new(place, turn).expect("finite"));
        let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
        let facing = Options { facing: true, min_properness: -0.1, ..Options::default() };
        let options = if i.is_multiple_of(2) { facing } else { Options::default() };
        digits(contacts(a, b, &step, &options, &mut Workspace::new()))
    };
    let all: Vec<String> = std::thread::scope(|scope| {
        let (ask, pair) = (&ask, [&a, &b]);
        let threads: Vec<_> = (0..8).map(|i| scope.spawn(move || ask(pair, i))).collect();
        threads.into_iter().map(|thread| thread.join().expect("an answer")).collect()
    });
    let shortest = all.iter().skip(1).step_by(2).map(String::len).min();
    assert!(shortest > Some(10_000), "few contacts: {shortest:?}");
    for (i, found) in (0..8).zip(&all) {
        let fresh = [mesh.clone(), mesh.clone()].map(Collider::new);
        assert!(ask([&fresh[0], &fresh[1]], i) == *found, "motion {i}");
    }
}

#[test]
fn options_of_an_earlier_query_leave_no_trace() {
    let mut reused = Workspace::new();
    let narrow =
        Options { first_only: true, facing: true, min_properness: 0.5, ..Default::default() };
    for query in queries() {
        let [a, b] = query.colliders();
        let _ = contacts(&a, &b, &query.step(), &narrow, &mut reused);
        let all = contacts(&a, &b, &query.step(), &Options::default(), &mut reused);
        assert_eq!(digits(all), digits(&query.contacts(&Options::default())));
    }
}
