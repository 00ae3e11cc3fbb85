//! What a page is told, by the names that its script reads.
//!
//! ```text
//! meshes once -> bodies, each with a mesh and its poses frame by frame
//!             -> groups of events (contacts of a pair, impacts, touches), each a list of columns
//!             -> plots over time
//! ```
//!
//! Poses and meshes are drawn, so they are singles, shifted and scaled to a size of about 1. What
//! the table shows has all its digits.

use std::collections::BTreeMap;

use serde::Serialize;

use super::encode::shorts;
use super::scales::Scales;

/// All of it.
#[derive(Serialize)]
pub struct Document<'r> {
    /// The command that made it: what the page shows depends on it.
    pub command: &'static str,
    /// The title.
    pub title: &'r str,
    /// What the page leaves out.
    pub notes: Vec<String>,
    /// The times that it passes through.
    pub time: Span,
    /// What is at the origin, and what is 1 long.
    pub frame: FrameData,
    /// From where the first view looks.
    pub view: ViewData,
    /// The time of each frame, doubles.
    pub frames: String,
    /// The meshes, each once.
    pub meshes: Vec<MeshData>,
    /// The bodies.
    pub bodies: Vec<BodyData>,
    /// The names in the corner of the view.
    pub legend: Vec<Key>,
    /// The joints, if there are any.
    pub joints: Vec<JointData>,
    /// Events that belong together.
    pub groups: Vec<Group>,
    /// The group that is shown first, and the event in it that is chosen.
    pub group: usize,
    /// The number of the event that is chosen first.
    pub chosen: Option<usize>,
    /// The heads of the table.
    pub columns: Vec<Column>,
    /// The column by whose words rows are left out.
    pub kind_key: Option<&'static str>,
    /// By what events are coloured.
    pub value: Option<Value>,
    /// Numbers over time.
    pub plots: Vec<PlotData>,
    /// What is seen without WebGL2.
    pub stills: Vec<StillData>,
    /// Words that depend on the command.
    pub words: Words,
}

/// A picture, and what it shows.
#[derive(Serialize)]
pub struct StillData {
    /// What it shows.
    pub caption: String,
    /// The picture, as an address.
    pub image: String,
}

/// The times that the page passes through.
#[derive(Serialize)]
pub struct Span {
    /// What the time is called.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// Its decimals.
    pub digits: u32,
    /// When it begins.
    pub first: f64,
    /// When it ends.
    pub last: f64,
    /// Where it begins.
    pub start: f64,
    /// How long it plays, and what that means if it is not plain.
    pub seconds: f64,
    /// How fast it plays, in words.
    pub pace: String,
    /// Events so near to the time, as a share of all of it, are of the moment.
    pub now: f64,
    /// Whether only events of the moment have markers.
    pub momentary: bool,
}

/// What is at the origin of the picture, and what is 1 long in it.
#[derive(Clone, Copy, Serialize)]
pub struct FrameData {
    /// The place in the world.
    pub centre: [f64; 3],
    /// The length in the world.
    pub scale: f64,
}

/// From where a view looks at the middle.
#[derive(Serialize)]
pub struct ViewData {
    /// The direction to the eye.
    pub eye: [f64; 3],
    /// The direction that is up.
    pub up: [f64; 3],
}

/// A mesh, packed.
#[derive(Serialize)]
pub struct MeshData {
    /// How many vertices it has.
    pub vertices: usize,
    /// One set for each frame if the mesh deforms: singles, or shorts if there is a `range`.
    pub positions: String,
    /// The corners of the box whose sides shorts divide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[[f32; 3]; 2]>,
    /// Whole numbers, of four bytes if `wide`.
    pub triangles: String,
    /// The edges, two vertices each.
    pub edges: String,
    /// Vertices without an edge.
    pub lone: String,
    /// The number of each vertex in the input, where it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<String>,
    /// The number of each triangle's polygon in the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<String>,
    /// Whether whole numbers have four bytes.
    pub wide: bool,
    /// Whether it is coarser than the mesh of the scene.
    pub thinned: bool,
}

/// A body.
#[derive(Serialize)]
pub struct BodyData {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: String,
    /// The number of its mesh.
    pub mesh: usize,
    /// Singles: place and quaternion for each frame. Absent for what stands still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track: Option<String>,
    /// Its pose, if it stands still.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<[f32; 7]>,
    /// Whether the first view shows all of it.
    pub framed: bool,
    /// Whether its edges are drawn.
    pub edges: bool,
    /// The frames at which it is also seen, faintly.
    pub ghosts: Vec<usize>,
    /// Whether paths of some vertices are drawn.
    pub paths: bool,
    /// Whether it is seen through, since it stands before what matters.
    pub glass: bool,
    /// Its place in the legend.
    pub legend: usize,
}

impl BodyData {
    /// A body that has yet to get what differs from others.
    pub fn plain() -> Self {
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
pub struct JointData {
    /// The bodies, one if the world is the other.
    pub bodies: Vec<usize>,
    /// Where it holds each of them, in the body's frame as it is drawn.
    pub points: Vec<[f32; 3]>,
    /// Its axis in the frame of the first, if it has one.
    pub axis: Option<[f32; 3]>,
}

/// A name in the corner of the view.
#[derive(Serialize)]
pub struct Key {
    /// The name.
    pub name: String,
    /// Its colour.
    pub colour: String,
}

/// Events that belong together: of a pair of bodies, or all.
#[derive(Serialize)]
pub struct Group {
    /// What the group is called.
    pub name: String,
    /// The bodies; -1 where events are of any.
    pub a: i64,
    /// The second body.
    pub b: i64,
    /// How B goes as A sees it, if that is not its own way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track: Option<String>,
    /// The screws on which B goes as A sees it.
    pub axes: Vec<Axis>,
    /// The collision screens, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub screens: Option<Vec<ScreenData>>,
    /// What is said of the screen.
    pub screen_note: String,
    /// The events.
    pub events: Events,
}

impl Group {
    /// The group of all events, none of which are there yet.
    pub fn of_all() -> Self {
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
pub struct Axis {
    /// When the part begins.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// A point of the axis.
    pub point: [f64; 3],
    /// None if nothing turns.
    pub direction: Option<[f64; 3]>,
    /// The screw in words.
    pub words: String,
}

/// The collision screen of a part of the step.
#[derive(Serialize)]
pub struct ScreenData {
    /// When the part begins.
    pub from: f64,
    /// When it ends.
    pub to: f64,
    /// What r is.
    pub r: &'static str,
    /// The least and the largest r, and h.
    pub ranges: [[f64; 2]; 2],
    /// The length of a typical short edge, and how many pixels along it the curves are fine enough
    /// for. Absent where that is hardly any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<EdgeData>,
    /// Of A and B.
    pub curves: [CurvesData; 2],
}

/// What pixels of a screen are measured by.
#[derive(Serialize)]
pub struct EdgeData {
    /// The length of a typical short edge.
    pub length: f64,
    /// How many pixels along it the curves are fine enough for.
    pub most: u32,
}

/// Curves as shorts between the ends of the ranges, r and h in turn.
#[derive(Serialize)]
pub struct CurvesData {
    /// How many points each curve has.
    pub lengths: String,
    /// The points of all.
    pub points: String,
}

/// Events, each a row of the table and a marker.
#[derive(Default, Serialize)]
pub struct Events {
    /// How many events the page has.
    pub count: usize,
    /// How many there are, those included that the page leaves out.
    pub total: usize,
    /// Doubles; the table has them as its column of that name.
    pub time: String,
    /// Where, doubles, three each.
    pub point: String,
    /// Unit normals, doubles, three each.
    pub normal: String,
    /// Doubles: r and h on the screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub places: Option<String>,
    /// The columns of the table by their keys.
    pub columns: BTreeMap<&'static str, Cells>,
}

/// A column: doubles as text, or words.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Cells {
    /// Doubles.
    Numbers(String),
    /// Words.
    Words(WordsData),
}

/// Words that come often: each once, and for each row the number of its own as shorts.
#[derive(Serialize)]
pub struct WordsData {
    /// The words, each once.
    pub list: Vec<String>,
    /// For each row the number of its word.
    pub rows: String,
}

impl Cells {
    /// A column of words; of more than 65,536 different ones the last are the same.
    pub fn words(all: impl IntoIterator<Item = String>) -> Self {
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
pub struct Column {
    /// The key of the column.
    pub key: &'static str,
    /// What stands above it.
    pub label: &'static str,
    /// What it means.
    pub title: &'static str,
    /// Whether it has numbers or words.
    pub kind: &'static str,
    /// The decimals of its numbers.
    pub digits: u32,
    /// Whether small numbers have decimals as well, and no power of ten.
    pub is_fixed: bool,
    /// Of numbers the least width; of words their share of the room that is left, if they have one.
    pub width: &'static str,
}

impl Column {
    /// A column of numbers with so many decimals.
    pub fn number(key: &'static str, digits: u32, width: &'static str) -> Self {
        Self { key, label: key, title: "", kind: "number", digits, is_fixed: false, width }
    }

    /// The same with decimals only.
    pub fn fixed(self) -> Self {
        Self { is_fixed: true, ..self }
    }

    /// A column of words, as wide as they are, or with a share of the room that is left.
    pub fn text(key: &'static str, width: &'static str) -> Self {
        Self { key, label: key, title: "", kind: "text", digits: 0, is_fixed: false, width }
    }

    /// The same with another head, and what it means.
    pub fn called(self, label: &'static str, title: &'static str) -> Self {
        Self { label, title, ..self }
    }
}

/// By what events are coloured and left out.
#[derive(Serialize)]
pub struct Value {
    /// The key of the column.
    pub key: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The least value of the scale.
    pub low: f64,
    /// The greatest value of the scale.
    pub high: f64,
    /// The least that is shown at first.
    pub start: f64,
    /// What rounding may take from a value.
    pub rounding: f64,
    /// What is nearly proper.
    pub enough: f64,
    /// Colours from low to high, by roots of the values.
    pub scale: Scales,
}

/// Numbers over time.
#[derive(Serialize)]
pub struct PlotData {
    /// What is plotted.
    pub title: &'static str,
    /// The unit of its values.
    pub unit: &'static str,
    /// What is said below.
    pub note: String,
    /// Whether the axis has equal lengths for equal ratios; then 0 is not drawn.
    pub is_log: bool,
    /// Whether two of its kind stand next to each other.
    pub is_half: bool,
    /// The lines.
    pub series: Vec<Series>,
}

/// A line of a plot.
#[derive(Serialize)]
pub struct Series {
    /// What it is called.
    pub name: &'static str,
    /// Its colour.
    pub colour: String,
    /// Doubles, one for each frame.
    pub values: String,
}

/// Words of the page that depend on the command.
#[derive(Serialize)]
pub struct Words {
    /// What the table is called.
    pub list: &'static str,
    /// What the plot of all events over time is called.
    pub timeline: &'static str,
    /// What is said where there are no events.
    pub empty: &'static str,
    /// What may be switched off, in this order.
    pub layers: Layers,
    /// The paragraphs of the help.
    pub help: Vec<&'static str>,
}

/// The names of what may be switched off; absent where there is none.
#[derive(Serialize)]
pub struct Layers {
    /// The edges of bodies.
    pub edges: &'static str,
    /// The bodies at the start, faintly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<&'static str>,
    /// The paths of some vertices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<&'static str>,
    /// The axis of the screw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<&'static str>,
    /// The joints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<&'static str>,
    /// The grid and the shadows.
    pub ground: &'static str,
    /// The markers of events.
    pub markers: &'static str,
    /// The normals of events.
    pub normals: &'static str,
}
