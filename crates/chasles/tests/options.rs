//! Options choose among the contacts; they do not change them.

use chasles::glam::{DQuat, DVec3};
use chasles::{Contact, Options, Pose};
use chasles_testkit::parity::convex_bodies_start_apart;
use chasles_testkit::{Query, generate, oracle, shapes};

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
fn the_bounds_of_a_window_belong_to_it() {
    // A point passes a face at half time, exactly.
    let at = |z: f64| Pose::from_position([0.1, 0.1, z]).expect("finite");
    let query = Query {
        a: shapes::polygon(&shapes::regular(3, 0.0)),
        b: shapes::point(DVec3::ZERO),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [at(1.0), at(-1.0)],
    };
    let count = |window| query.sound_contacts(&Options { window, ..Options::default() }).len();
    assert_eq!([[0.0, 0.5], [0.5, 1.0], [0.5, 0.5]].map(count), [1; 3]);
    assert_eq!([[0.0, 0.5_f64.next_down()], [0.5_f64.next_up(), 1.0]].map(count), [0; 2]);
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
fn facing_keeps_a_grazing_contact() {
    // A point turns about z and touches the plane x = 1 at half time without crossing it.
    let wall = shapes::mapped(shapes::cuboid(DVec3::new(1.0, 6.0, 6.0)), |v| v + DVec3::X * 1.5);
    let pose = |s: f64| Pose::new(DVec3::ZERO, DQuat::from_xyzw(0.0, 0.0, 0.25 * s, 1.0));
    let query = Query {
        a: wall,
        b: shapes::point(DVec3::X),
        poses_a: [Pose::IDENTITY; 2],
        poses_b: [-1.0, 1.0].map(|s| pose(s).expect("finite")),
    };
    let facing = query.sound_contacts(&Options { facing: true, ..Options::default() });
    assert_eq!(facing, all(&query));
    assert!(facing.len() == 1 && facing[0].grazing);
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
