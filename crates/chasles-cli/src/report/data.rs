//! What a page is told, by the names that its script reads.
//!
//! ```text
//! meshes once -> bodies, each with a mesh and its poses frame by frame
//!             -> groups of events (contacts of a pair, impacts, touches), each a list of columns
//!             -> plots over time
//! ```
//!
//! Poses and meshes are drawn, so they are singles, shifted and scaled to a size of about 1. What the
//! table shows has all its digits.

use std::collections::BTreeMap;

use serde::Serialize;

use super::encode::shorts;
use super::scales::Scales;

/// All of it.
#[derive(Serialize)]
pub(super) struct Document<'r> {
    pub(super) command: &'static str,
    pub(super) title: &'r str,
    /// What the page leaves out.
    pub(super) notes: Vec<String>,
    pub(super) time: Span,
    pub(super) frame: FrameData,
    pub(super) view: ViewData,
    /// The time of each frame, doubles.
    pub(super) frames: String,
    pub(super) meshes: Vec<MeshData>,
    pub(super) bodies: Vec<BodyData>,
    pub(super) legend: Vec<Key>,
    pub(super) joints: Vec<JointData>,
    pub(super) groups: Vec<Group>,
    /// The group that is shown first, and the event in it that is chosen.
    pub(super) group: usize,
    pub(super) chosen: Option<usize>,
    pub(super) columns: Vec<Column>,
    /// The column by whose words rows are left out.
    pub(super) kind_key: Option<&'static str>,
    pub(super) value: Option<Value>,
    pub(super) plots: Vec<PlotData>,
    /// What is seen without WebGL2.
    pub(super) stills: Vec<StillData>,
    pub(super) words: Words,
}

/// A picture, and what it shows.
#[derive(Serialize)]
pub(super) struct StillData {
    pub(super) caption: String,
    pub(super) image: String,
}

/// The times that the page passes through.
#[derive(Serialize)]
pub(super) struct Span {
    pub(super) label: &'static str,
    pub(super) unit: &'static str,
    pub(super) digits: u32,
    pub(super) first: f64,
    pub(super) last: f64,
    /// Where it begins.
    pub(super) start: f64,
    /// How long it plays, and what that means if it is not plain.
    pub(super) seconds: f64,
    pub(super) pace: String,
    /// Events so near to the time, as a share of all of it, are of the moment.
    pub(super) now: f64,
    /// Whether only events of the moment have markers.
    pub(super) momentary: bool,
}

/// What is at the origin of the picture, and what is 1 long in it.
#[derive(Clone, Copy, Serialize)]
pub(super) struct FrameData {
    pub(super) centre: [f64; 3],
    pub(super) scale: f64,
}

#[derive(Serialize)]
pub(super) struct ViewData {
    pub(super) eye: [f64; 3],
    pub(super) up: [f64; 3],
}

#[derive(Serialize)]
pub(super) struct MeshData {
    pub(super) vertices: usize,
    /// One set for each frame if the mesh deforms: singles, or shorts if there is a `range`.
    pub(super) positions: String,
    /// The corners of the box whose sides shorts divide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<[[f32; 3]; 2]>,
    /// Whole numbers, of four bytes if `wide`.
    pub(super) triangles: String,
    pub(super) edges: String,
    /// Vertices without an edge.
    pub(super) lone: String,
    /// The number of each vertex in the input, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) labels: Option<String>,
    /// The number of each triangle's polygon in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) faces: Option<String>,
    pub(super) wide: bool,
    /// Whether it is coarser than the mesh of the scene.
    pub(super) thinned: bool,
}

#[derive(Serialize)]
pub(super) struct BodyData {
    pub(super) name: String,
    pub(super) colour: String,
    pub(super) mesh: usize,
    /// Singles: place and quaternion for each frame. Absent for what stands still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) track: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pose: Option<[f32; 7]>,
    /// Whether the first view shows all of it.
    pub(super) framed: bool,
    pub(super) edges: bool,
    /// The frames at which it is also seen, faintly.
    pub(super) ghosts: Vec<usize>,
    /// Whether paths of some vertices are drawn.
    pub(super) paths: bool,
    /// Whether it is seen through, since it stands before what matters.
    pub(super) glass: bool,
    /// Its place in the legend.
    pub(super) legend: usize,
}

impl BodyData {
    /// A body that has yet to get what differs from others.
    pub(super) fn plain() -> Self {
        Self {
            name: String::new(),
            colour: String::new(),
            mesh: 0,
            track: None,
            pose: None,
            framed: false,
            edges: true,
            ghosts: Vec::new(),
            paths: false,
            glass: false,
            legend: 0,
        }
    }
}

/// Where a joint holds its bodies.
#[derive(Serialize)]
pub(super) struct JointData {
    /// The bodies, one if the world is the other.
    pub(super) bodies: Vec<usize>,
    /// Where it holds each of them, in the body's frame as it is drawn.
    pub(super) points: Vec<[f32; 3]>,
    /// Its axis in the frame of the first, if it has one.
    pub(super) axis: Option<[f32; 3]>,
}

#[derive(Serialize)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) colour: String,
}

/// Events that belong together: of a pair of bodies, or all.
#[derive(Serialize)]
pub(super) struct Group {
    pub(super) name: String,
    /// The bodies; -1 where events are of any.
    pub(super) a: i64,
    pub(super) b: i64,
    /// How B goes as A sees it, if that is not its own way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) track: Option<String>,
    pub(super) axes: Vec<Axis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) screens: Option<Vec<ScreenData>>,
    pub(super) screen_note: String,
    pub(super) events: Events,
}

impl Group {
    /// The group of all events, none of which are there yet.
    pub(super) fn of_all() -> Self {
        Self {
            name: String::new(),
            a: -1,
            b: -1,
            track: None,
            axes: Vec::new(),
            screens: None,
            screen_note: String::new(),
            events: Events::default(),
        }
    }
}

/// The screw of a part of the step, in A's frame.
#[derive(Serialize)]
pub(super) struct Axis {
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) point: [f64; 3],
    /// None if nothing turns.
    pub(super) direction: Option<[f64; 3]>,
    pub(super) words: String,
}

/// The collision screen of a part of the step.
#[derive(Serialize)]
pub(super) struct ScreenData {
    pub(super) from: f64,
    pub(super) to: f64,
    /// What r is.
    pub(super) r: &'static str,
    /// The least and the largest r, and h.
    pub(super) ranges: [[f64; 2]; 2],
    /// The length of a typical short edge, and how many pixels along it the curves are fine enough
    /// for. Absent where that is hardly any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) edge: Option<EdgeData>,
    /// Of A and B.
    pub(super) curves: [CurvesData; 2],
}

/// What pixels of a screen are measured by.
#[derive(Serialize)]
pub(super) struct EdgeData {
    pub(super) length: f64,
    pub(super) most: u32,
}

/// Curves as shorts between the ends of the ranges, r and h in turn.
#[derive(Serialize)]
pub(super) struct CurvesData {
    pub(super) lengths: String,
    pub(super) points: String,
}

/// Events, each a row of the table and a marker.
#[derive(Default, Serialize)]
pub(super) struct Events {
    pub(super) count: usize,
    /// How many there are, those included that the page leaves out.
    pub(super) total: usize,
    /// Doubles; the table has them as its column of that name.
    pub(super) time: String,
    pub(super) point: String,
    pub(super) normal: String,
    /// Doubles: r and h on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) places: Option<String>,
    pub(super) columns: BTreeMap<&'static str, Cells>,
}

/// A column: doubles as text, or words.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Cells {
    Numbers(String),
    Words(WordsData),
}

/// Words that come often: each once, and for each row the number of its own as shorts.
#[derive(Serialize)]
pub(super) struct WordsData {
    pub(super) list: Vec<String>,
    pub(super) rows: String,
}

impl Cells {
    /// A column of words; of more than 65,536 different ones the last are the same.
    pub(super) fn words(all: impl IntoIterator<Item = String>) -> Self {
        let mut numbers: BTreeMap<String, u16> = BTreeMap::new();
        let mut list = Vec::new();
        let number = |word: String| {
            *numbers.entry(word).or_insert_with_key(|word| {
                list.push(word.clone());
                u16::try_from(list.len() - 1).unwrap_or(u16::MAX)
            })
        };
        let rows = shorts(all.into_iter().map(number).collect::<Vec<_>>());
        Self::Words(WordsData { list, rows })
    }
}

/// The head of a column.
#[derive(Serialize)]
pub(super) struct Column {
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) title: &'static str,
    pub(super) kind: &'static str,
    pub(super) digits: u32,
    /// Whether small numbers have decimals as well, and no power of ten.
    pub(super) is_fixed: bool,
    /// Of numbers the least width; of words their share of the room that is left, if they have one.
    pub(super) width: &'static str,
}

impl Column {
    /// A column of numbers with so many decimals.
    pub(super) fn number(key: &'static str, digits: u32, width: &'static str) -> Self {
        Self { key, label: key, title: "", kind: "number", digits, is_fixed: false, width }
    }

    /// The same with decimals only.
    pub(super) fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    /// A column of words, as wide as they are, or with a share of the room that is left.
    pub(super) fn text(key: &'static str, width: &'static str) -> Self {
        Self { key, label: key, title: "", kind: "text", digits: 0, is_fixed: false, width }
    }

    /// The same with another head, and what it means.
    pub(super) fn called(self, label: &'static str, title: &'static str) -> Self {
        Self { label, title, ..self }
    }
}

/// By what events are coloured and left out.
#[derive(Serialize)]
pub(super) struct Value {
    pub(super) key: &'static str,
    pub(super) label: &'static str,
    pub(super) unit: &'static str,
    pub(super) low: f64,
    pub(super) high: f64,
    /// The least that is shown at first.
    pub(super) start: f64,
    /// What rounding may take from a value.
    pub(super) rounding: f64,
    /// What is nearly proper.
    pub(super) enough: f64,
    /// Colours from low to high, by roots of the values.
    pub(super) scale: Scales,
}

/// Numbers over time.
#[derive(Serialize)]
pub(super) struct PlotData {
    pub(super) title: &'static str,
    pub(super) unit: &'static str,
    pub(super) note: String,
    /// Whether the axis has equal lengths for equal ratios; then 0 is not drawn.
    pub(super) is_log: bool,
    /// Whether two of its kind stand next to each other.
    pub(super) is_half: bool,
    pub(super) series: Vec<Series>,
}

#[derive(Serialize)]
pub(super) struct Series {
    pub(super) name: &'static str,
    pub(super) colour: String,
    /// Doubles, one for each frame.
    pub(super) values: String,
}

/// Words of the page that depend on the command.
#[derive(Serialize)]
pub(super) struct Words {
    pub(super) list: &'static str,
    pub(super) timeline: &'static str,
    pub(super) empty: &'static str,
    /// What may be switched off, in this order.
    pub(super) layers: Layers,
    pub(super) help: Vec<&'static str>,
}

/// The names of what may be switched off; absent where there is none.
#[derive(Serialize)]
pub(super) struct Layers {
    pub(super) edges: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) paths: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) axis: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) joints: Option<&'static str>,
    pub(super) ground: &'static str,
    pub(super) markers: &'static str,
    pub(super) normals: &'static str,
}
