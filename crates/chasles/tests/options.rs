//! Options choose among the contacts; they do not change them.

use chasles::{Contact, Options};
use chasles_testkit::parity::convex_bodies_start_apart;
use chasles_testkit::{Query, generate, oracle};

fn all(query: &Query) -> Vec<Contact> {
    query.sound_contacts(&Options::default())
}

/// Queries with their contacts, most of which have some.
fn queries() -> impl Iterator<Item = (Query, Vec<Contact>)> {
    let queries = (0..150).map(generate::query).chain((0..50).map(generate::open_query));
    let answered: Vec<(Query, Vec<Contact>)> = queries.map(|q| (q.clone(), all(&q))).collect();
    let touching = answered.iter().filter(|(_, contacts)| contacts.len() > 1).count();
    assert!(touching > 100, "only {touching} queries have contacts: nothing is tested");
    answered.into_iter()
}

#[test]
fn first_only_is_the_first_of_all() {
    for (query, all) in queries() {
        let options = Options { first_only: true, ..Options::default() };
        let first = query.sound_contacts(&options);
        assert_eq!(first, all.into_iter().take(1).collect::<Vec<_>>());
    }
}

#[test]
fn min_properness_is_a_filter() {
    for (query, all) in queries() {
        for min_properness in [-1.0, -0.5, 0.0, 0.3] {
            let options = Options { min_properness, ..Options::default() };
            let kept = all.iter().filter(|c| c.properness >= min_properness).copied();
            assert_eq!(query.sound_contacts(&options), kept.collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_window_is_a_filter() {
    for (query, all) in queries() {
        for window in [[0.0, 0.4], [0.3, 0.6], [0.5, 1.0], [0.25, 0.25]] {
            let near_bound = |c: &Contact| window.iter().any(|w| (c.time - w).abs() < 1e-9);
            // A grazing pair is reported at its earliest time, which a window may change.
            if all.iter().any(|c| near_bound(c) || c.grazing) {
                continue;
            }
            let found = query.sound_contacts(&Options { window, ..Options::default() });
            let kept: Vec<_> =
                all.iter().filter(|c| window[0] <= c.time && c.time <= window[1]).collect();
            let features = |c: &Contact| c.features;
            assert_eq!(
                found.iter().map(features).collect::<Vec<_>>(),
                kept.iter().map(|c| c.features).collect::<Vec<_>>()
            );
            assert!(found.iter().zip(&kept).all(|(f, k)| (f.time - k.time).abs() < 1e-12));
        }
    }
}

#[test]
fn facing_contacts_are_contacts() {
    let options = Options { facing: true, ..Options::default() };
    for (query, all) in queries() {
        let facing = query.sound_contacts(&options);
        for contact in &facing {
            assert!(all.contains(contact), "not among all contacts: {contact:?}");
            assert!(contact.normal_speed <= 0.0 || contact.grazing, "separating: {contact:?}");
        }
    }
}

#[test]
fn facing_keeps_proper_approaching_contacts_of_convex_bodies() {
    let options = Options { facing: true, ..Options::default() };
    let mut kept = 0;
    for query in (0..200).map(generate::convex_query) {
        let facing = query.sound_contacts(&options);
        let proper = |c: &&Contact| c.properness >= 0.0 && c.normal_speed < 0.0;
        for contact in all(&query).iter().filter(proper) {
            assert!(facing.contains(contact), "lost {contact:?}");
            kept += 1;
        }
    }
    assert!(kept > 50, "only {kept} proper contacts: nothing was tested");
}

#[test]
fn facing_keeps_the_first_contact_of_bodies_that_start_apart() {
    let options = Options { facing: true, ..Options::default() };
    let mut tested = 0;
    for query in (0..300).map(generate::convex_query).filter(convex_bodies_start_apart) {
        let size = query.size();
        let Some(first) = oracle(&query).into_iter().next().filter(|e| e.is_clear(size)) else {
            continue;
        };
        let facing = query.sound_contacts(&options);
        let found = facing.first().expect("the bodies touch");
        assert_eq!(found.features, first.features);
        assert!((found.time - first.time).abs() < 1e-9);
        tested += 1;
    }
    assert!(tested > 50, "only {tested} queries start apart: nothing was tested");
}
