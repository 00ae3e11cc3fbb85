//! The words of the page: heads of columns, what may be switched off, and the help.

use crate::report::data::{Column, Layers, Value, Words};
use crate::report::scales::properness_scales;
use crate::results::{Found, PairResult, ROUNDING, Results};
use crate::still::PROPER_ENOUGH;

/// With more contacts than this the page begins with those that are proper enough.
const MANY: usize = 40;

/// By what contacts are coloured and left out.
pub(super) fn value(results: &Results) -> Value {
    let contacts = || results.pairs.iter().flat_map(|pair| &pair.contacts);
    let is_near = |contact: &&Found| contact.properness >= PROPER_ENOUGH;
    let choose = contacts().count() > MANY && contacts().any(|contact| is_near(&contact));
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
pub(super) fn columns(results: &Results) -> Vec<Column> {
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
    let is_any =
        |is: fn(&Found) -> bool| results.pairs.iter().flat_map(|pair| &pair.contacts).any(is);
    if is_any(|c| c.grazing) {
        columns.push(Column::text("grazing", "").called("", "they touch without crossing"));
    }
    if is_any(|c| !c.touchable) {
        let what = "the shape of a closed body forbids a touch from outside: the bodies overlap";
        columns.push(Column::text("untouchable", "").called("", what));
    }
    columns
}

/// All other words.
pub(super) fn words(results: &Results) -> Words {
    let is_alone = results.pairs.is_empty();
    let overlaps = results.pairs.iter().any(PairResult::starts_in_overlap);
    Words {
        list: "Contacts",
        timeline: "Contacts over time, by properness",
        empty: match (is_alone, overlaps) {
            (true, _) => "No contacts: a body alone meets nothing. The view shows how it moves.",
            (_, true) => {
                "No contacts: bodies are in each other from the start, as the line under the title says, and in this step no features come to touch, as far as was asked. The view shows how they move."
            }
            _ => {
                "No contacts: in this step the bodies do not touch, as far as was asked. The view shows how they move."
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
            "The view shows the bodies during one step. They are carried along their screws: the dashed line is the axis of the screw on which the second body goes as the first sees it, the thin curves are paths of some vertices, and the faint bodies are where they start.",
            "A disc is a contact, carried along with the first body, in the colour of its \
             properness: how well the surfaces face each other, from 1 down to -1; below 0 the \
             bodies overlap next to it already. Contacts of the moment are larger, with their \
             normal. Discs behind a body are pale. Choose one in any of the views, or in the \
             table: all show it, and the view goes to its time.",
            "The collision screen shows both bodies as they are seen along the motion: points at one place meet at some time. The contacts are where the edges of the two cross. The wheel or two fingers zoom, a double click shows all.",
        ],
    }
}
