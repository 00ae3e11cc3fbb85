//! The same input gives the same bits, whatever the workspace has seen before.

use chasles::{Contact, Options, Workspace, contacts};
use chasles_testkit::{Query, generate, lattice};

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
