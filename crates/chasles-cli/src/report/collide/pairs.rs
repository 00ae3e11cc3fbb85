//! The pairs that may be chosen: their contacts, screws and screens.

use std::collections::BTreeMap;

use chasles::Step;

use super::subject::{Reel, Report};
use crate::report::contacts::{Names, alone, axes, events};
use crate::report::data::Group;
use crate::report::encode::{isolated, singles};
use crate::report::limits::{AXES, EVENTS, PAIRS};
use crate::report::screen::{Draughtsman, Screens};
use crate::results::{Found, PairResult, Results};
use crate::table::features;
use crate::words::{listed, plural};

/// The pairs of a page, and which contacts of each it has.
pub(super) struct Pairs<'r> {
    listed: Vec<(&'r PairResult, Vec<&'r Found>)>,
    /// The one that is shown first.
    first: usize,
    notes: Vec<String>,
}

/// What the page shows of them.
pub(super) struct Shown {
    pub(super) groups: Vec<Group>,
    /// The group that is shown first, and the contact that is chosen in it.
    pub(super) group: usize,
    pub(super) chosen: Option<usize>,
    /// The time of its first contact.
    pub(super) first: f64,
}

impl<'r> Pairs<'r> {
    /// Those with contacts, as many as may be chosen; or else the first in overlap, or the first.
    pub(super) fn of(report: &Report<'r>) -> Self {
        let pairs = &report.results.pairs;
        let mut notes = Vec::new();
        let numbers = numbers(report.results, report.moment.pair, &mut notes);
        let all: usize = numbers.iter().map(|&number| pairs[number].contacts.len()).sum();
        if all > EVENTS {
            notes.push(format!("The table has the {EVENTS} most proper of {all} contacts, of each pair a share; --json has all."));
        }
        let first = numbers.iter().position(|&number| Some(number) == report.moment.pair);
        let listed = numbers.iter().map(|&number| (&pairs[number], kept(&pairs[number], all)));
        Self { listed: listed.collect(), first: first.unwrap_or(0), notes }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.listed.len()
    }

    /// All that the page shows of them; what it leaves out is noted.
    pub(super) fn draw(
        mut self,
        report: &Report<'r>,
        reel: &Reel,
        notes: &mut Vec<String>,
    ) -> Shown {
        notes.append(&mut self.notes);
        let (screens, more) = self.screens(report);
        let most = (AXES / self.listed.len().max(1)).max(1) as u32;
        notes.extend(more.into_iter().chain(self.unlisted_axes(report, most)));
        let groups = self.listed.iter().zip(screens).map(|((pair, kept), screens)| {
            let names = pair.bodies.map(|body| report.scene.bodies()[body].name.as_str());
            let axes = pair.step.as_ref().map(|step| axes(&report.frame, step, names, most));
            let rows: Vec<(Names, &Found)> = kept.iter().map(|contact| row(contact)).collect();
            let Screens { data, places, note } = screens;
            Group {
                name: name(pair, names),
                a: pair.bodies[0] as i64,
                b: pair.bodies[1] as i64,
                track: relative_track(report, pair, reel),
                axes: axes.unwrap_or_default(),
                screens: data,
                screen_note: note,
                events: events(&rows, pair.total, places),
            }
        });
        let mut groups: Vec<Group> = groups.collect();
        if groups.is_empty() {
            groups.push(alone());
        }
        let kept = self.listed.get(self.first).map_or(&[][..], |(_, kept)| kept);
        let begun = kept.iter().position(|contact| contact.time >= report.moment.time);
        let any = (!kept.is_empty()).then_some(0);
        Shown {
            groups,
            group: self.first,
            chosen: begun.filter(|_| report.is_begun).or(any),
            first: kept.first().map_or(0.0, |contact| contact.time),
        }
    }

    /// The screens of all pairs, of which that which is shown first has room in any case.
    fn screens(&self, report: &Report<'r>) -> (Vec<Screens>, Vec<String>) {
        let planned = |(pair, kept): &(&PairResult, Vec<&Found>)| {
            Draughtsman::planned(report.scene, pair, kept)
        };
        let planned = self.listed.iter().map(planned).sum();
        let mut draughtsman = Draughtsman::new(report.scene, planned);
        let mut order: Vec<usize> = (0..self.listed.len()).collect();
        order.sort_by_key(|&number| number != self.first);
        let mut screens = BTreeMap::new();
        for number in order {
            let (pair, kept) = &self.listed[number];
            screens.insert(number, draughtsman.screens(pair, kept));
        }
        (screens.into_values().collect(), draughtsman.notes())
    }

    /// A note if steps have more parts than the page has screws of.
    fn unlisted_axes(&self, report: &Report, most: u32) -> Option<String> {
        let names = |pair: &PairResult| {
            pair.bodies.map(|body| isolated(&report.scene.bodies()[body].name)).join(" with ")
        };
        let parts = |pair: &PairResult| pair.step.as_ref().map_or(0, Step::parts);
        let cut = self.listed.iter().map(|(pair, _)| *pair).filter(|pair| parts(pair) > most);
        let cut: Vec<String> = cut.map(names).collect();
        let screws = if most == 1 { "screw" } else { "screws" };
        (!cut.is_empty()).then(|| {
            format!("Of {} the first {most} {screws} of the step are drawn.", listed(&cut))
        })
    }
}

/// The numbers of the pairs that may be chosen, with the one of the moment among them.
fn numbers(results: &Results, moment: Option<usize>, notes: &mut Vec<String>) -> Vec<usize> {
    let touching = results.pairs.iter().enumerate().filter(|(_, pair)| pair.total > 0);
    let mut numbers: Vec<usize> = touching.map(|(number, _)| number).collect();
    if numbers.is_empty() && !results.pairs.is_empty() {
        let overlapping = results.pairs.iter().position(PairResult::starts_in_overlap);
        numbers.push(overlapping.unwrap_or(0));
    }
    if numbers.len() > PAIRS {
        let all = numbers.len();
        notes.push(format!("The first {PAIRS} of {all} pairs with contacts may be chosen."));
        let first = moment.and_then(|pair| numbers.iter().position(|&number| number == pair));
        numbers.swap(PAIRS - 1, first.unwrap_or(0).max(PAIRS - 1));
        numbers.truncate(PAIRS);
    }
    numbers
}

/// The contacts of a pair that the page has, in the order of time: all, or the most proper.
fn kept(pair: &PairResult, all: usize) -> Vec<&Found> {
    let mut kept: Vec<&Found> = pair.contacts.iter().collect();
    if all > EVENTS {
        let share = (kept.len() as u128 * EVENTS as u128 / all as u128).max(1) as usize;
        kept.sort_by(|p, q| q.properness.total_cmp(&p.properness));
        kept.truncate(share);
        kept.sort_by(|p, q| p.time.total_cmp(&q.time));
    }
    kept
}

fn name(pair: &PairResult, names: [&str; 2]) -> String {
    let [a, b] = names.map(isolated);
    let contacts = plural(pair.total, "contact");
    match pair.bodies[0] == pair.bodies[1] {
        true => format!("{a} and itself: {contacts}"),
        false => format!("{a} and {b}: {contacts}"),
    }
}

/// How B goes by the relative screw, where that is not its own way.
fn relative_track(report: &Report, pair: &PairResult, reel: &Reel) -> Option<String> {
    let step = pair.step.as_ref()?;
    let own = report.scene.bodies()[pair.bodies[1]].motion()?;
    let relative = report.poses(reel, |t| step.pose_of_b_by_relative(t));
    let is_apart = |(one, other): (&[f32; 7], [f32; 7])| {
        one.iter().zip(other).any(|(x, y)| (x - y).abs() > 1e-5)
    };
    let differs = relative.iter().zip(report.poses(reel, |t| own.pose_at(t))).any(is_apart);
    differs.then(|| singles(relative.into_iter().flatten()))
}

/// A contact with the words of its row.
fn row(contact: &Found) -> (Names, &Found) {
    let [a, b] = features(contact.features);
    ([contact.features.kind().to_string(), a, b], contact)
}
