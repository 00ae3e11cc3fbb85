//! The oracle agrees with the labelled cases, judged as the library is.

use chasles::Contact;
use chasles_testkit::labelled::{ScrewCase, screw_cases};
use chasles_testkit::{Event, judge, oracle};

/// The oracle's clear events and everything else it calls inside, as if they were reported.
fn reported(events: &[Event]) -> Vec<Contact> {
    events.iter().filter(|e| e.inside).map(Event::to_contact).collect()
}

fn check(case: &ScrewCase) {
    let size = case.query.size();
    let events = oracle(&case.query);
    judge(&reported(&events), &case.events, size).expect_good(&case.name);
    judge(&reported(&case.events), &events, size).expect_good(&case.name);
}

#[test]
fn the_oracle_finds_the_labelled_events_of_small_meshes_and_no_others() {
    let cases = screw_cases().unwrap_or_default();
    cases.iter().filter(|c| !c.name.starts_with("torus")).for_each(check);
}

#[test]
fn the_oracle_finds_the_labelled_events_of_tori_and_no_others() {
    let cases = screw_cases().unwrap_or_default();
    cases.iter().filter(|c| c.name.starts_with("torus")).for_each(check);
}
