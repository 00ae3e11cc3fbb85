//! The pairs that may be chosen: their contacts, screws and screens.

use std::collections::BTreeMap;

use chasles::Step;
use chasles::glam::DVec3;
use chasles::motion::Part;

use super::{Reel, Report};
use crate::report::data::{Axis, Cells, Events, Group};
use crate::report::encode::{doubles, isolated, singles};
use crate::report::limits::{AXES, EVENTS, PAIRS};
use crate::report::screen::{Draughtsman, Screens};
use crate::results::{Found, PairResult, Results};
use crate::table::{features, listed, plural, rests, short, turns};

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
            let axes = pair.step.as_ref().map(|step| axes(report, step, names, most));
            let Screens { data, places, note } = screens;
            Group {
                name: name(pair, names),
                a: pair.bodies[0] as i64,
                b: pair.bodies[1] as i64,
                track: relative_track(report, pair, reel),
                axes: axes.unwrap_or_default(),
                screens: data,
                screen_note: note,
                events: events(pair, kept, places),
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

/// The screws of the first parts of a step.
fn axes(report: &Report, step: &Step, names: [&str; 2], most: u32) -> Vec<Axis> {
    let parts = step.parts();
    let axis = |index: u32| {
        let part = step.part(index);
        let (screw, [from, to]) = (part.relative(), part.times());
        Axis {
            from,
            to,
            point: report.frame.local_exact(screw.axis_point()),
            direction: turns(&screw).then(|| screw.axis_direction().to_array()),
            words: screw_words(&part, names, [index + 1, parts]),
        }
    };
    (0..parts.min(most)).map(axis).collect()
}

/// The most letters of a name in a line of words; the legend has all of them.
const LETTERS: usize = 24;

/// A name that leaves room for the words around it.
fn brief(name: &str) -> String {
    if name.chars().count() <= LETTERS {
        return name.to_string();
    }
    name.chars().take(LETTERS - 1).chain(['…']).collect()
}

/// A screw in plain words: that of a part of the step, if it has several.
fn screw_words(part: &Part, [a, b]: [&str; 2], [number, parts]: [u32; 2]) -> String {
    let screw = part.relative();
    let [a, b] = [a, b].map(|name| isolated(&brief(name)));
    let seen = match parts {
        1 => format!("Seen from {a}, {b}"),
        _ => format!("Part {number} of {parts}: seen from {a}, {b}"),
    };
    let degrees = screw.angle().to_degrees();
    let degrees = if degrees < 0.1 { short(degrees) } else { format!("{degrees:.1}") };
    match turns(&screw) {
        true => format!(
            "{seen} turns by {}° about the axis and goes {} along it",
            degrees,
            short(screw.translation())
        ),
        false if rests(&screw) => format!("{seen} stays where it is"),
        false => format!("{seen} goes {} straight on", short(screw.linear().length())),
    }
}

fn events(pair: &PairResult, kept: &[&Found], places: Option<Vec<f64>>) -> Events {
    let numbers = |of: fn(&Found) -> f64| doubles(kept.iter().map(|contact| of(contact)));
    let words = |of: fn(&Found) -> String| Cells::words(kept.iter().map(|c| of(c)));
    let vectors = |of: fn(&Found) -> DVec3| doubles(kept.iter().flat_map(|c| of(c).to_array()));
    let columns = BTreeMap::from([
        ("kind", words(|c| c.features.kind().to_string())),
        ("a", words(|c| features(c.features)[0].clone())),
        ("b", words(|c| features(c.features)[1].clone())),
        ("properness", Cells::Numbers(numbers(|c| c.properness))),
        ("speed", Cells::Numbers(numbers(|c| c.normal_speed))),
        ("grazing", words(|c| if c.grazing { "grazing".to_string() } else { String::new() })),
        ("untouchable", words(|c| if c.touchable { "" } else { "untouchable" }.to_string())),
    ]);
    Events {
        count: kept.len(),
        total: pair.total,
        time: numbers(|c| c.time),
        point: vectors(|c| c.point),
        normal: vectors(|c| c.normal),
        places: places.map(doubles),
        columns,
    }
}

/// The group of a body without others.
fn alone() -> Group {
    let words = ["kind", "a", "b", "grazing", "untouchable"].map(|key| (key, Cells::words([])));
    let numbers = ["properness", "speed"].map(|key| (key, Cells::Numbers(String::new())));
    let columns = words.into_iter().chain(numbers).collect();
    Group { events: Events { columns, ..Events::default() }, ..Group::of_all() }
}
