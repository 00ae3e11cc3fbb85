//! Every labelled event is found, and nothing else.

use chasles::Options;
use chasles_testkit::judge;
use chasles_testkit::labelled::{screw_cases, speed_cases};

#[test]
fn every_labelled_event_is_found_and_nothing_else() {
    for case in screw_cases().unwrap_or_default() {
        let contacts = case.query.sound_contacts(&Options::default());
        judge(&contacts, &case.events, case.query.size()).expect_good(&case.name);
    }
}

#[test]
fn the_first_contact_has_its_labelled_time() {
    for case in speed_cases().unwrap_or_default() {
        for facing in [false, true] {
            let options = Options { first_only: true, facing, ..Options::default() };
            let contacts = case.query.sound_contacts(&options);
            let times: Vec<f64> = contacts.iter().map(|c| c.time).collect();
            match (case.first_contact_time, &times[..]) {
                (None, []) => {}
                (Some(expected), &[time]) if (time - expected).abs() <= 1e-9 => {}
                (expected, _) => panic!("{}: {times:?} instead of {expected:?}", case.name),
            }
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
