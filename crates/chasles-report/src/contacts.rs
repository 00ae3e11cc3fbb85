//! Contacts as a page shows them: columns, markers, the screws on which bodies come, and words.

use std::collections::BTreeMap;

use chasles::glam::DVec3;
use chasles::motion::Part;
use chasles::{Contact, Step};
use chasles_picture::ROUNDING;

use crate::data::{Axis, Cells, Column, Events, Group, Layers, Value, Words};
use crate::encode::{doubles, isolated};
use crate::frame::Frame;
use crate::scales::properness_scales;
use crate::words::{rests, short, turns};

/// Contacts of at least this properness are nearly proper: what is worth an arrow.
pub const PROPER_ENOUGH: f64 = -0.1;

/// With more contacts than this the page begins with those that are proper enough.
const MANY: usize = 40;

/// The words of a contact's row: its kind, and the features of A and of B.
pub type Names = [String; 3];

/// Contacts as rows of the table and markers, `total` being how many there are in all.
///
/// *Accepts* contacts in the order of time with their words, and where they are on the collision
/// screen. *Cost* linear. *Fails* never.
pub fn events<F>(rows: &[(Names, &Contact<F>)], total: usize, places: Option<Vec<f64>>) -> Events {
    let all = || rows.iter().map(|(_, contact)| *contact);
    let numbers = |of: fn(&Contact<F>) -> f64| doubles(all().map(of));
    let name = |i: usize| Cells::words(rows.iter().map(move |(names, _)| names[i].clone()));
    let flag = |is: fn(&Contact<F>) -> bool, word: &'static str| {
        Cells::words(all().map(move |c| if is(c) { word } else { "" }.to_string()))
    };
    let vectors = |of: fn(&Contact<F>) -> DVec3| doubles(all().flat_map(|c| of(c).to_array()));
    let columns = BTreeMap::from([
        ("kind", name(0)),
        ("a", name(1)),
        ("b", name(2)),
        ("properness", Cells::Numbers(numbers(|c| c.properness))),
        ("speed", Cells::Numbers(numbers(|c| c.normal_speed))),
        ("grazing", flag(|c| c.grazing, "grazing")),
        ("untouchable", flag(|c| !c.touchable, "untouchable")),
    ]);
    Events {
        count: rows.len(),
        total,
        time: numbers(|c| c.time),
        point: vectors(|c| c.point),
        normal: vectors(|c| c.normal),
        places: places.map(doubles),
        columns,
    }
}

/// The group of a body without others.
pub fn alone() -> Group {
    let words = ["kind", "a", "b", "grazing", "untouchable"].map(|key| (key, Cells::words([])));
    let numbers = ["properness", "speed"].map(|key| (key, Cells::Numbers(String::new())));
    let columns = words.into_iter().chain(numbers).collect();
    Group { events: Events { columns, ..Events::default() }, ..Group::of_all() }
}

/// The screws of the first parts of a step, at most so many.
pub fn axes(frame: &Frame, step: &Step, names: [&str; 2], most: u32) -> Vec<Axis> {
    let parts = step.parts();
    let axis = |index: u32| {
        let part = step.part(index);
        let (screw, [from, to]) = (part.relative(), part.times());
        Axis {
            from,
            to,
            point: frame.local_exact(screw.axis_point()),
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

/// By what contacts are coloured and left out.
pub fn value<'c, F: 'c>(contacts: impl Iterator<Item = &'c Contact<F>> + Clone) -> Value {
    let is_near = |contact: &Contact<F>| contact.properness >= PROPER_ENOUGH;
    let choose = contacts.clone().count() > MANY && { contacts }.any(is_near);
    Value {
        key: "properness",
        label: "properness",
        unit: "",
        low: -1.0,
        high: 1.0,
        start: if choose { PROPER_ENOUGH } else { -1.0 },
        rounding: ROUNDING,
        enough: PROPER_ENOUGH,
        scale: properness_scales(),
    }
}

/// The columns of the table.
pub fn columns<'c, F: 'c>(contacts: impl Iterator<Item = &'c Contact<F>> + Clone) -> Vec<Column> {
    let proper =
        "how well the surfaces face each other: 1 is best, below 0 the bodies overlap next to it";
    let mut columns = vec![
        Column::text("kind", "").called(
            "kind",
            "fv: a face of A and a vertex of B; vf: the reverse; ee: two edges; sp, ps: samples",
        ),
        Column::text("a", "1fr").called("of A", "the feature of the first body"),
        Column::text("b", "1fr").called("of B", "the feature of the second body"),
        Column::number("time", 6, "5em").called("time", "as a fraction of the step"),
        Column::number("properness", 4, "6.3em").fixed().called("properness", proper),
        Column::number("speed", 3, "4.6em")
            .called("speed", "the rate of the gap per step: negative where the bodies approach"),
    ];
    if contacts.clone().any(|c| c.grazing) {
        columns.push(Column::text("grazing", "").called("", "they touch without crossing"));
    }
    if { contacts }.any(|c| !c.touchable) {
        let what = "the shape of a closed body forbids a touch from outside: the bodies overlap";
        columns.push(Column::text("untouchable", "").called("", what));
    }
    columns
}

/// All other words of a page of contacts: of a body alone or of several, which perhaps overlap at
/// the start.
pub fn words(is_alone: bool, overlaps: bool) -> Words {
    Words {
        list: "Contacts",
        timeline: "Contacts over time, by properness",
        empty: match (is_alone, overlaps) {
            (true, _) => "No contacts: a body alone meets nothing. The view shows how it moves.",
            (_, true) => {
                "No contacts: bodies are in each other from the start, as the line under the \
                 title says, and in this step no features come to touch, as far as was asked. The \
                 view shows how they move."
            }
            _ => {
                "No contacts: in this step the bodies do not touch, as far as was asked. The view \
                 shows how they move."
            }
        },
        layers: Layers {
            edges: "edges",
            start: Some("the start, faintly"),
            paths: Some("flow lines"),
            axis: (!is_alone).then_some("the screw axis"),
            joints: None,
            ground: "grid and shadows",
            markers: "contacts",
            normals: "normals",
        },
        help: vec![
            "The view shows the bodies during one step. They are carried along their screws: the \
             dashed line is the axis of the screw on which the second body goes as the first sees \
             it, the thin curves are paths of some vertices, and the faint bodies are where they \
             start.",
            "A disc is a contact, carried along with the first body, in the colour of its \
             properness: how well the surfaces face each other, from 1 down to -1; below 0 the \
             bodies overlap next to it already. Contacts of the moment are larger, with their \
             normal. Discs behind a body are pale. Choose one in any of the views, or in the \
             table: all show it, and the view goes to its time.",
            "The collision screen shows both bodies as they are seen along the motion: points at \
             one place meet at some time. The contacts are where the edges of the two cross. The \
             wheel or two fingers zoom, a double click shows all.",
        ],
    }
}
