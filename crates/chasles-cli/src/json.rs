//! Results as JSON, with the names that scripts rely on.
//!
//! Numbers are written with as many digits as it takes to read back the same `f64`.

use std::borrow::Cow;
use std::io::{self, Write};

use chasles::glam::DVec3;
use chasles::mesh::{Opening, Weld};
use chasles::motion::Departure;
use chasles::path;
use chasles::screen::{self, Drawing, Order, Resolution};
use chasles::{Screw, Step};
use chasles_scene::Scene;
use serde::{Serialize, Serializer};

use crate::device::DeviceCost;
use crate::feature_json::{FeatureJson, features};
use crate::flat::{FlatJson, Flats};
use crate::results::{Cover, Found, HowFound, PairResult, Results, ScreenCost, Timing};

/// The most screws listed for a pair; a twist of a thousand turns has thousands.
const MOST_SCREWS: u32 = 64;

/// Writes the results of `collide` and a line end; with contacts that lie flat up to a length as
/// such, if one is given.
pub fn write(
    scene: &Scene,
    results: &Results,
    flat: Option<f64>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let document = ResultsJson {
        title: scene.title(),
        method: results.method.method().name(),
        screen: ScreenJson::of(&results.method),
        device: results.device.as_ref().map(DeviceJson::from),
        path: PathJson::of(&results.method),
        parts: parts(scene, results),
        max_departure: scene.max_departure(),
        open: results.open.iter().map(OpenJson::from).collect(),
        kept_apart: scene.kept_apart().into_iter().map(ApartJson::from).collect(),
        warnings: scene.warnings(),
        pairs: Pairs { scene, pairs: &results.pairs, flat },
        timing: results.timing.map(TimingJson::from),
    };
    serde_json::to_writer(&mut *out, &document)?;
    writeln!(out)
}

/// The most parts of any pair.
fn parts(scene: &Scene, results: &Results) -> u32 {
    let of_pairs = results.pairs.iter().filter_map(|pair| pair.step.as_ref()).map(Step::parts);
    of_pairs.fold(scene.parts(), u32::max)
}

#[derive(Serialize)]
struct DepartureJson {
    estimate: f64,
    bound: f64,
}

impl From<Departure> for DepartureJson {
    fn from(Departure { estimate, bound }: Departure) -> Self {
        Self { estimate, bound }
    }
}

#[derive(Serialize)]
struct ResultsJson<'r> {
    title: &'r str,
    method: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    screen: Option<ScreenJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<DeviceJson<'r>>,
    #[serde(flatten)]
    path: Option<PathJson>,
    parts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_departure: Option<f64>,
    /// Left out if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open: Vec<OpenJson<'r>>,
    /// Left out if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kept_apart: Vec<ApartJson>,
    /// Left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    pairs: Pairs<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timing: Option<TimingJson>,
}

/// A body with an open mesh.
#[derive(Serialize)]
struct OpenJson<'r> {
    body: &'r str,
    edges: usize,
    /// What `weld` would close it; null if none does.
    closing_weld: Option<f64>,
}

impl<'r> From<&'r (String, Opening)> for OpenJson<'r> {
    fn from((body, opening): &'r (String, Opening)) -> Self {
        Self { body, edges: opening.edges, closing_weld: opening.remedy.weld() }
    }
}

/// A body of which vertices are not joined, though they are within the weld.
#[derive(Serialize)]
struct ApartJson {
    body: String,
    weld: f64,
    vertices: usize,
}

impl From<(String, Weld)> for ApartJson {
    fn from((body, weld): (String, Weld)) -> Self {
        Self { body, weld: weld.length, vertices: weld.kept_apart.total }
    }
}

/// The options of the screen.
#[derive(Serialize)]
struct ScreenJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    pixels: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pixel_length: Option<f64>,
    drawing: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_resolution: Option<f64>,
    robust: bool,
    order: &'static str,
    coarse_first: u32,
    hull_first: bool,
    max_records: usize,
}

impl ScreenJson {
    fn of(method: &HowFound) -> Option<Self> {
        let HowFound::Screen(options) = method else { return None };
        let &screen::Options { time_resolution, robust, coarse_first, hull_first, .. } = options;
        let (pixels, pixel_length) = match options.resolution {
            Resolution::Pixels(pixels) => (Some(pixels), None),
            Resolution::Length(length) => (None, Some(length)),
        };
        let drawing = drawing_name(options.drawing);
        let order = match options.order {
            Order::Height => "height",
            Order::Time => "time",
            Order::Hash => "hash",
        };
        Some(Self {
            pixels,
            pixel_length,
            drawing,
            time_resolution,
            robust,
            order,
            coarse_first,
            hull_first,
            max_records: options.max_records,
        })
    }
}

/// The options of the path method.
#[derive(Serialize)]
struct PathJson {
    precision: f64,
    cover: CoverJson,
    segments: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CoverJson {
    Usual(&'static str),
    /// Null for vertices alone.
    Length(Option<f64>),
}

impl PathJson {
    fn of(method: &HowFound) -> Option<Self> {
        let HowFound::Path(options, cover) = method else { return None };
        Some(Self {
            precision: options.precision,
            cover: match *cover {
                Cover::Usual => CoverJson::Usual("usual"),
                Cover::Length(cover) => CoverJson::Length(cover.is_finite().then_some(cover)),
            },
            segments: options.method == path::Method::Segments,
        })
    }
}

/// What the screen of a pair cost.
#[derive(Serialize)]
struct ScreenCostJson {
    pixel: f64,
    /// What it cost; with a device only known of all pairs.
    #[serde(flatten)]
    cost: Option<PixelCostJson>,
}

#[derive(Serialize)]
struct PixelCostJson {
    /// Null if bounds say that nothing can meet.
    drawing: Option<&'static str>,
    records: usize,
    compared: usize,
}

impl From<screen::Statistics> for PixelCostJson {
    fn from(statistics: screen::Statistics) -> Self {
        let screen::Statistics { records, compared, drawing, .. } = statistics;
        Self { drawing: drawing.map(drawing_name), records, compared }
    }
}

/// What a device did for all pairs.
#[derive(Serialize)]
struct DeviceJson<'r> {
    name: &'r str,
    records: u64,
    handed_on: usize,
    confirmed: usize,
}

impl<'r> From<&'r DeviceCost> for DeviceJson<'r> {
    fn from(DeviceCost { name, records, handed_on, confirmed }: &'r DeviceCost) -> Self {
        Self { name, records: *records, handed_on: *handed_on, confirmed: *confirmed }
    }
}

impl From<ScreenCost> for ScreenCostJson {
    fn from(cost: ScreenCost) -> Self {
        Self { pixel: cost.pixel, cost: cost.statistics.map(PixelCostJson::from) }
    }
}

/// The word of the command line for a way of drawing.
pub(crate) fn drawing_name(drawing: Drawing) -> &'static str {
    match drawing {
        Drawing::Auto => "auto",
        Drawing::Pixels => "pixels",
        Drawing::Rows => "rows",
        Drawing::Pairs => "pairs",
    }
}

/// Written one by one: all at once they would take as much memory as the results themselves.
struct Pairs<'r> {
    scene: &'r Scene,
    pairs: &'r [PairResult],
    flat: Option<f64>,
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { scene, pairs, flat } = self;
        serializer.collect_seq(pairs.iter().map(|pair| PairJson::new(scene, pair, *flat)))
    }
}

#[derive(Serialize)]
struct TimingJson {
    runs: u32,
    median_ns: u64,
    min_ns: u64,
}

impl From<Timing> for TimingJson {
    fn from(timing: Timing) -> Self {
        // 2^64 ns are 584 years.
        let ns = |duration: std::time::Duration| duration.as_nanos() as u64;
        Self { runs: timing.runs, median_ns: ns(timing.median), min_ns: ns(timing.min) }
    }
}

#[derive(Serialize)]
struct PairJson<'r> {
    a: &'r str,
    b: &'r str,
    parts: u32,
    /// Of bodies that deform there is none.
    screw: Option<ScrewJson>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    screws: Vec<ScrewJson>,
    /// Null where a body deforms, and where neither has an end.
    departure: Option<DepartureJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    screen: Option<ScreenCostJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    samples: Option<[usize; 2]>,
    /// Null where nothing bounds it.
    #[serde(skip_serializing_if = "Option::is_none")]
    missed_depth: Option<[Option<f64>; 2]>,
    /// Absent unless both bodies are rigid meshes.
    #[serde(skip_serializing_if = "Option::is_none")]
    overlap_at_start: Option<bool>,
    contacts: Vec<ContactJson>,
    /// If they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    flat: Option<Vec<FlatJson>>,
    /// The exact method settles every feature pair; what the screen does not settle has a wide
    /// bracket.
    undecided: [(); 0],
}

impl<'r> PairJson<'r> {
    fn new(scene: &'r Scene, pair: &'r PairResult, flat: Option<f64>) -> Self {
        let [a, b] = pair.bodies.map(|body| scene.bodies()[body].name.as_str());
        let flat = flat.map(|length| Flats::of(scene, pair, length));
        let is_left = |i: usize| flat.as_ref().is_none_or(|flat| !flat.stands_for(i));
        let left = pair.contacts.iter().enumerate().filter(|(i, _)| is_left(*i));
        let contacts = left.map(|(_, contact)| ContactJson::from(contact)).collect();
        Self {
            a,
            b,
            parts: pair.step.as_ref().map_or(1, Step::parts),
            screw: pair.step.as_ref().map(|step| ScrewJson::from(step.part(0).relative())),
            screws: pair.step.as_ref().map(screws).unwrap_or_default(),
            departure: pair.departure.map(DepartureJson::from),
            screen: pair.screen.map(ScreenCostJson::from),
            samples: pair.samples,
            missed_depth: pair.missed_depth,
            overlap_at_start: pair.overlap_at_start,
            contacts,
            flat: flat.map(Flats::into_json),
            undecided: [],
        }
    }
}

fn screws(step: &Step) -> Vec<ScrewJson> {
    let count = if step.parts() > 1 { step.parts().min(MOST_SCREWS) } else { 0 };
    (0..count).map(|index| ScrewJson::from(step.part(index).relative())).collect()
}

/// Smaller angles are rounding.
const ROUNDING: f64 = 1e-14;

#[derive(Serialize)]
struct ScrewJson {
    angle: f64,
    translation: f64,
    axis_point: [f64; 3],
    axis_direction: [f64; 3],
}

impl From<Screw> for ScrewJson {
    fn from(screw: Screw) -> Self {
        // Poses that are turned alike differ by rounding, about an axis that means nothing.
        let straight = Screw::from_twist(DVec3::ZERO, screw.linear()).ok();
        let screw = straight.filter(|_| screw.angle() <= ROUNDING).unwrap_or(screw);
        Self {
            angle: screw.angle(),
            translation: screw.translation(),
            axis_point: screw.axis_point().to_array(),
            axis_direction: screw.axis_direction().to_array(),
        }
    }
}

#[derive(Serialize)]
struct ContactJson {
    kind: Cow<'static, str>,
    a: FeatureJson,
    b: FeatureJson,
    time: f64,
    time_bracket: [f64; 2],
    point_in_a: [f64; 3],
    normal_in_a: [f64; 3],
    point: [f64; 3],
    normal: [f64; 3],
    properness: f64,
    normal_speed: f64,
    grazing: bool,
    touchable: bool,
}

impl From<&Found> for ContactJson {
    fn from(contact: &Found) -> Self {
        let [a, b] = features(contact.features);
        Self {
            kind: contact.features.kind(),
            a,
            b,
            time: contact.time,
            time_bracket: contact.time_bracket,
            point_in_a: contact.point_in_a.to_array(),
            normal_in_a: contact.normal_in_a.to_array(),
            point: contact.point.to_array(),
            normal: contact.normal.to_array(),
            properness: contact.properness,
            normal_speed: contact.normal_speed,
            grazing: contact.grazing,
            touchable: contact.touchable,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chasles::Features;
    use chasles::glam::DVec3;
    use serde_json::json;

    fn contact(features: impl Into<crate::results::Features>) -> Found {
        Found {
            features: features.into(),
            time: 0.1 + 0.2,
            time_bracket: [0.3, 0.30000000000000004],
            point_in_a: DVec3::X,
            normal_in_a: DVec3::Y,
            point: DVec3::new(1.0, 2.0, 3.0),
            normal: DVec3::Z,
            properness: -0.25,
            normal_speed: -1.5,
            grazing: false,
            touchable: true,
        }
    }

    #[test]
    fn a_contact_has_the_names_of_the_contract() {
        let contact = contact(Features::Fv { face: 12, vertex: 4 });
        let expected = json!({
            "kind": "fv", "a": { "face": 12 }, "b": { "vertex": 4 },
            "time": 0.30000000000000004, "time_bracket": [0.3, 0.30000000000000004],
            "point_in_a": [1.0, 0.0, 0.0], "normal_in_a": [0.0, 1.0, 0.0],
            "point": [1.0, 2.0, 3.0], "normal": [0.0, 0.0, 1.0],
            "properness": -0.25, "normal_speed": -1.5, "grazing": false,
            "touchable": true
        });
        assert_eq!(serde_json::to_value(ContactJson::from(&contact)).unwrap(), expected);
    }

    #[test]
    fn edges_are_two_vertices() {
        let contact = contact(Features::Ee { a: [1, 5], b: [0, 7] });
        let value = serde_json::to_value(ContactJson::from(&contact)).unwrap();
        assert_eq!(value["kind"], "ee");
        assert_eq!(value["a"], json!({ "edge": [1, 5] }));
        assert_eq!(value["b"], json!({ "edge": [0, 7] }));
    }

    #[test]
    fn samples_are_numbered_on_their_edge_or_face() {
        let on_edge = path::Sample::Edge { edge: [2, 9], number: 4 };
        let contact = contact(path::Features::SampleSolid(on_edge));
        let value = serde_json::to_value(ContactJson::from(&contact)).unwrap();
        assert_eq!(value["kind"], "ps");
        assert_eq!(value["a"], json!({ "edge": [2, 9], "sample": 4 }));
        assert_eq!(value["b"], json!({ "solid": true }));
    }

    #[test]
    fn times_read_back_to_the_same_bits() {
        let contact = contact(Features::Vf { vertex: 0, face: 1 });
        let text = serde_json::to_string(&ContactJson::from(&contact)).unwrap();
        assert!(text.contains("\"time\":0.30000000000000004"), "{text}");
    }
}
