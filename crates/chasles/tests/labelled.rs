//! Every labelled event is found, and nothing else.

use chasles::Options;
use chasles_testkit::labelled::{screw_cases, speed_cases};
use chasles_testkit::{judge, oracle};

#[test]
fn every_labelled_event_is_found_and_nothing_else() {
    for case in screw_cases().unwrap_or_default() {
        let contacts = case.query.sound_contacts(&Options::default());
        judge(&contacts, &case.events, case.query.size()).expect_good(&case.name);
    }
}

/// The labels of the speed cases are times at which the gap has fallen to this, so they are early.
const LABELLED_GAP: f64 = 1e-7;

#[test]
fn the_first_contact_has_its_labelled_time() {
    for case in speed_cases().unwrap_or_default() {
        for facing in [false, true] {
            let options = Options { first_only: true, facing, ..Options::default() };
            let contacts = case.query.sound_contacts(&options);
            match (case.first_contact_time, &contacts[..]) {
                (None, []) => {}
                (Some(label), [contact]) => {
                    let late = (contact.time - label) * contact.normal_speed.abs();
                    assert!((-1e-12..=LABELLED_GAP).contains(&late), "{}: {late:e}", case.name);
                }
                (label, _) => panic!("{}: {contacts:?} instead of {label:?}", case.name),
            }
        }
    }
}

#[test]
fn the_first_contact_is_that_of_the_oracle() {
    for case in speed_cases().unwrap_or_default() {
        let expected = oracle(&case.query).first().map(|e| (e.features, e.time));
        let options = Options { first_only: true, ..Options::default() };
        let first = case.query.sound_contacts(&options).first().map(|c| (c.features, c.time));
        assert_eq!(first.map(|f| f.0), expected.map(|e| e.0), "{}", case.name);
        if let (Some(first), Some(expected)) = (first, expected) {
            assert!((first.1 - expected.1).abs() <= 1e-9, "{}", case.name);
        }
    }
}

#[test]
fn a_miss_has_no_contact_of_any_kind() {
    for case in speed_cases().unwrap_or_default() {
        if case.first_contact_time.is_none() {
            assert!(case.closest_approach > 0.0);
            assert_eq!(case.query.sound_contacts(&Options::default()), [], "{}", case.name);
        }
    }
}
