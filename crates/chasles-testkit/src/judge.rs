//! Judges reported contacts against events whose truth is known.
//!
//! An event is *clear* if rounding cannot change it, and *borderline* otherwise. Every clear event
//! must be reported exactly once, with the right numbers and not as grazing; a borderline one may
//! be reported, at most once; nothing else may be.

use std::cmp::Ordering;
use std::fmt;

use chasles::{Contact, Features};
use glam::DVec3;

/// Margins below this make an event borderline, in lengths or in fractions of the step.
const MARGIN: f64 = 1e-8;
/// Another root of the same pair within this makes both borderline.
pub const ROOT_DISTANCE: f64 = 1e-5;
/// Positions are known to this part of the size; a hundred times `f64` rounding after a few
/// hundred operations.
const ROUNDING: f64 = 1e-13;
/// How far a reported time may be off.
const TIME: f64 = 1e-9;
/// How far points, normals and properness may be off.
const PLACE: f64 = 1e-7;
/// How far the normal speed may be off, relative to itself.
const SPEED: f64 = 1e-6;
/// Below this angle of two edges their crossing point is known worse than [`PLACE`].
const PARALLEL: f64 = ROUNDING / PLACE;

/// One touch of two features, with what is needed to tell whether it is clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// What touches what, in the numbers of the input.
    pub features: Features,
    /// When, as a fraction of the step.
    pub time: f64,
    /// Where, in A's frame.
    pub point_in_a: DVec3,
    /// Unit normal from A to B, in A's frame.
    pub normal_in_a: DVec3,
    /// As in [`Contact::properness`].
    pub properness: f64,
    /// As in [`Contact::normal_speed`].
    pub normal_speed: f64,
    /// Distance of the point from the border of the face or the nearest end of the edges;
    /// negative outside.
    pub feature_margin: f64,
    /// Distance of the time from the nearer end of the step; negative outside.
    pub time_margin: f64,
    /// Whether both margins are at least zero.
    pub inside: bool,
    /// The nearest other root of the same pair, in time.
    pub other_root: f64,
    /// The sine of the angle between two edges; 1 for other kinds.
    pub sin_angle: f64,
    /// The two signs of the normal are equally good, so either may be reported.
    pub either_sign: bool,
    /// Where a report counts as this event if the event is borderline.
    pub window: [f64; 2],
}

impl Event {
    /// Whether rounding cannot change the event, for bodies of this size.
    pub fn is_clear(&self, size: f64) -> bool {
        self.inside
            && self.feature_margin >= MARGIN.max(ROUNDING * size / self.sin_angle)
            && self.time_margin >= MARGIN
            && self.other_root >= ROOT_DISTANCE
            && ROUNDING * size <= TIME * self.normal_speed.abs()
            && self.sin_angle >= PARALLEL
    }

    /// The event as a report, to try the judge on the truth itself.
    pub fn to_contact(&self) -> Contact {
        Contact {
            features: self.features,
            time: self.time,
            time_bracket: [self.time; 2],
            point_in_a: self.point_in_a,
            normal_in_a: self.normal_in_a,
            point: self.point_in_a,
            normal: self.normal_in_a,
            properness: self.properness,
            normal_speed: self.normal_speed,
            grazing: false,
            touchable: true,
        }
    }

    /// What is wrong with a report of this event, if anything.
    fn flaw(&self, contact: &Contact, size: f64) -> Option<String> {
        let turned = self.either_sign && contact.normal_in_a.dot(self.normal_in_a) < 0.0;
        let sign = if turned { -1.0 } else { 1.0 };
        // Rounding grows with the size, and with the sharpness of the angle between edges.
        let place = PLACE * size.max(1.0);
        let checks = [
            ("point", (contact.point_in_a - self.point_in_a).length(), place),
            ("normal", (contact.normal_in_a * sign - self.normal_in_a).length(), PLACE),
            ("properness", (contact.properness - self.properness).abs(), PLACE),
            (
                "normal speed",
                (contact.normal_speed * sign - self.normal_speed).abs(),
                SPEED * self.normal_speed.abs(),
            ),
            ("grazing flag", f64::from(u8::from(contact.grazing)), 0.0),
        ];
        let wrong = checks.into_iter().find(|(_, error, allowed)| exceeds(*error, *allowed));
        wrong.map(|(what, error, allowed)| format!("{what} off by {error:e}, allowed {allowed:e}"))
    }
}

/// Whether `value` is above `limit`, or either is NaN.
pub(crate) fn exceeds(value: f64, limit: f64) -> bool {
    value.partial_cmp(&limit).is_none_or(Ordering::is_gt)
}

/// What the judge objects to.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// A clear event that nobody reported.
    Missed(Box<Event>),
    /// A clear event reported several times.
    Repeated(Box<Event>, usize),
    /// A clear event reported with a wrong number.
    Wrong(Box<Event>, Box<Contact>, String),
    /// A report without an event.
    Invented(Box<Contact>),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missed(event) => write!(
                f,
                "missed {:?} at {} (feature margin {:e}, normal speed {:e}, other root {:e})",
                event.features,
                event.time,
                event.feature_margin,
                event.normal_speed,
                event.other_root
            ),
            Self::Repeated(event, times) => {
                write!(f, "{:?} at {} reported {times} times", event.features, event.time)
            }
            Self::Wrong(event, contact, what) => {
                write!(f, "{:?} at {}: {what}\n    {contact:?}", event.features, event.time)
            }
            Self::Invented(contact) => {
                write!(f, "no such event: {:?} at {}", contact.features, contact.time)
            }
        }
    }
}

/// What the judge found.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Verdict {
    /// Clear events that were to be found.
    pub clear: usize,
    /// Borderline events, reported or not.
    pub borderline: usize,
    /// Everything that is wrong.
    pub faults: Vec<Fault>,
}

impl Verdict {
    /// Whether nothing is wrong.
    pub fn is_good(&self) -> bool {
        self.faults.is_empty()
    }

    /// Fails the test with the verdict's text unless it is good.
    ///
    /// # Panics
    ///
    /// If there are faults.
    #[track_caller]
    pub fn expect_good(&self, name: &str) {
        assert!(self.is_good(), "{name}: {self}");
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (clear, borderline, faults) = (self.clear, self.borderline, self.faults.len());
        write!(f, "{clear} clear events, {borderline} borderline, {faults} faults")?;
        for fault in self.faults.iter().take(10) {
            write!(f, "\n  {fault}")?;
        }
        if faults > 10 { write!(f, "\n  and {} more", faults - 10) } else { Ok(()) }
    }
}

/// Compares reported contacts with all events of bodies of this size.
pub fn judge(contacts: &[Contact], events: &[Event], size: f64) -> Verdict {
    let mut verdict = Verdict::default();
    let mut explained = vec![false; contacts.len()];
    let (clear, borderline): (Vec<&Event>, Vec<&Event>) =
        events.iter().partition(|e| e.is_clear(size));
    for event in &clear {
        let matches: Vec<usize> = (0..contacts.len())
            .filter(|&i| contacts[i].features == event.features)
            .filter(|&i| (contacts[i].time - event.time).abs() <= TIME)
            .collect();
        matches.iter().for_each(|&i| explained[i] = true);
        verdict.faults.extend(fault_of(event, &matches, contacts, size));
    }
    for event in &borderline {
        // A contact claims its time to its bracket only.
        let [from, to] = event.window;
        let near = |c: &Contact| c.time_bracket[1] >= from && c.time_bracket[0] <= to;
        let found = (0..contacts.len()).find(|&i| {
            !explained[i] && contacts[i].features == event.features && near(&contacts[i])
        });
        found.into_iter().for_each(|i| explained[i] = true);
    }
    let invented = contacts.iter().zip(&explained).filter(|(_, explained)| !**explained);
    verdict.faults.extend(invented.map(|(c, _)| Fault::Invented(Box::new(*c))));
    Verdict { clear: clear.len(), borderline: borderline.len(), ..verdict }
}

fn fault_of(event: &Event, matches: &[usize], all: &[Contact], size: f64) -> Option<Fault> {
    let event = || Box::new(*event);
    match matches {
        [] => Some(Fault::Missed(event())),
        [i] => {
            event().flaw(&all[*i], size).map(|what| Fault::Wrong(event(), Box::new(all[*i]), what))
        }
        several => Some(Fault::Repeated(event(), several.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(vertex: u32, time: f64) -> Event {
        Event {
            features: Features::Fv { face: 0, vertex },
            time,
            point_in_a: DVec3::ZERO,
            normal_in_a: DVec3::Z,
            properness: 0.5,
            normal_speed: -1.0,
            feature_margin: 0.1,
            time_margin: time.min(1.0 - time),
            inside: true,
            other_root: 1.0,
            sin_angle: 1.0,
            either_sign: false,
            window: [time - 1e-9, time + 1e-9],
        }
    }

    #[test]
    fn each_kind_of_fault_is_found() {
        let events = [event(0, 0.25), event(1, 0.5)];
        let good = events.map(|e| e.to_contact());
        assert!(judge(&good, &events, 1.0).is_good());
        let faults = |contacts: &[Contact]| judge(contacts, &events, 1.0).faults;
        assert!(matches!(faults(&good[..1])[..], [Fault::Missed(_)]));
        assert!(matches!(faults(&[good[0], good[1], good[1]])[..], [Fault::Repeated(_, 2)]));
        let late = Contact { time: 0.75, ..good[0] };
        assert!(matches!(faults(&[good[0], good[1], late])[..], [Fault::Invented(_)]));
        for wrong in [
            Contact { point_in_a: DVec3::X * 1e-6, ..good[0] },
            Contact { normal_in_a: -DVec3::Z, ..good[0] },
            Contact { properness: 0.6, ..good[0] },
            Contact { normal_speed: 1.0, ..good[0] },
            Contact { normal_speed: f64::NAN, ..good[0] },
            Contact { grazing: true, ..good[0] },
        ] {
            assert!(matches!(faults(&[wrong, good[1]])[..], [Fault::Wrong(..)]));
        }
    }

    #[test]
    fn borderline_events_may_be_reported_or_not_but_not_twice() {
        let events = [Event { feature_margin: 1e-9, ..event(0, 0.25) }];
        let contact = events[0].to_contact();
        assert!(judge(&[], &events, 1.0).is_good());
        assert!(judge(&[contact], &events, 1.0).is_good());
        assert!(!judge(&[contact, contact], &events, 1.0).is_good());
        let late = Contact { time: 0.3, time_bracket: [0.3; 2], ..contact };
        assert!(!judge(&[late], &events, 1.0).is_good());
        let vague = Contact { time_bracket: [0.2, 0.4], ..late };
        assert!(judge(&[vague], &events, 1.0).is_good());
    }
}
