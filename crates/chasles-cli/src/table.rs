//! Results for eyes: a short table and a line that sums up.

use std::io::{self, Write};

use chasles::Step;
use chasles::motion::Departure;
use chasles::path::{self, Sample};
use chasles::query::{self, Feature};
use chasles_scene::{Scene, meshes};

use crate::results::{Features, Found, HowFound, Missed, PairResult, ROUNDING, Results};
use crate::room::Room;
use crate::words::{duration, length, listed, plain, plural, point, short, turns};

/// The least width of the column of kinds, which that of its heading is.
const KIND_WIDTH: usize = 4;

/// The least width of the columns of features, which edges of small meshes fill.
const FEATURE_WIDTH: usize = 14;

/// The most pairs that get a line of their own.
const MOST_PAIRS: usize = 20;

/// Writes the contacts of every pair, the first of them in full.
pub(crate) fn write(
    scene: &Scene,
    results: &Results,
    room: Room,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{}", plain(scene.title()))?;
    let mut left = room;
    let touching: Vec<&PairResult> = results.pairs.iter().filter(|pair| pair.total > 0).collect();
    for pair in touching.iter().take(MOST_PAIRS) {
        writeln!(out, "\n{}", heading(scene, pair))?;
        write_rows(&pair.contacts, pair.total, left, out)?;
        left.rows = left.rows.saturating_sub(pair.total);
    }
    if touching.len() > MOST_PAIRS {
        writeln!(out, "\n... and {} more pairs with contacts", touching.len() - MOST_PAIRS)?;
    }
    if let Some(sentence) = departures(scene, results) {
        writeln!(out, "\n{sentence}")?;
    }
    writeln!(out)?;
    for (name, opening) in results.open.iter().take(MOST_PAIRS) {
        writeln!(out, "{}", plain(&meshes::open(name, opening)))?;
    }
    if results.open.len() > MOST_PAIRS {
        writeln!(out, "... and {} more open meshes", results.open.len() - MOST_PAIRS)?;
    }
    writeln!(out, "{}", summary(scene, results, touching.len()))
}

/// A sentence on relative motions that leave their screws by more than a trifle; none if none do.
pub(crate) fn departures(scene: &Scene, results: &Results) -> Option<String> {
    let notable = |pair| Some((pair, PairResult::notable_departure(pair, scene)?));
    let all: Vec<_> = results.pairs.iter().filter_map(notable).collect();
    let (pair, Departure { estimate, bound }) =
        *all.iter().max_by(|(_, p), (_, q)| p.bound.total_cmp(&q.bound))?;
    let [a, b] = pair.bodies.map(|body| plain(&scene.bodies()[body].name));
    let others = match all.len() - 1 {
        0 => String::new(),
        others => format!("; {} by less", plural(others, "other pair")),
    };
    let remedy = match pair.step.as_ref().map(Step::parts) {
        Some(Step::MAX_PARTS) => {
            format!("; the step is in {} parts, and no more are made", Step::MAX_PARTS)
        }
        // Who has set a limit knows that there is one.
        _ if scene.max_departure().is_some() => String::new(),
        _ => "; --max-departure LENGTH cuts the step until it is less".to_string(),
    };
    Some(format!(
        "departure: points of the smaller of {a} and {b} leave the relative screws that they are \
         taken to move on by about {}, at most {}, over 0.1 % of its size{others}{remedy}",
        length(estimate),
        length(bound)
    ))
}

fn heading(scene: &Scene, pair: &PairResult) -> String {
    let [a, b] = pair.bodies.map(|body| plain(&scene.bodies()[body].name));
    let b = if pair.bodies[0] == pair.bodies[1] { "itself".to_string() } else { b };
    let other = if pair.samples.is_some() { "constant velocities" } else { "straight paths" };
    let motion = pair.step.as_ref().map_or_else(|| other.to_string(), motion);
    let pixel = pair.screen.map(|cost| format!("; a pixel is {}", short(cost.pixel)));
    let motion = motion + &pixel.unwrap_or_default();
    let missed = pair.missed_depth.map(|depths| format!("; {}", depth_words(depths)));
    let motion = motion + &missed.unwrap_or_default();
    let first = short(pair.contacts.first().map_or(0.0, |contact| contact.time));
    format!("{a} and {b}: {}, first at {first} ({motion})", plural(pair.total, "contact"))
}

/// How deep points of A may be in B, and of B in A, unnoticed.
pub(crate) fn depth_words([of_a, of_b]: [Option<f64>; 2]) -> String {
    let deep = |depth: Option<f64>| match depth {
        Some(depth) => format!("up to {} deep", short(depth)),
        None => "at any depth".to_string(),
    };
    match (of_a, of_b) {
        (Some(of_a), Some(of_b)) if of_a == of_b => {
            format!("points of either up to {} deep may be missed", short(of_a))
        }
        _ => format!("points of A {}, of B {} may be missed", deep(of_a), deep(of_b)),
    }
}

/// How rigid bodies move, in words.
fn motion(step: &Step) -> String {
    let screw = step.part(0).relative();
    let [degrees, along] = match turns(&screw) {
        true => [screw.angle().to_degrees(), screw.translation()],
        false => [0.0, screw.linear().length()],
    };
    let motion = format!("screw of {} degrees, {} along its axis", short(degrees), short(along));
    match step.parts() {
        1 => motion,
        parts => format!("{parts} parts, the first a {motion}"),
    }
}

/// Writes as many contacts of those that are kept as there is room for, and how many more of the
/// `total` there are.
fn write_rows(contacts: &[Found], total: usize, room: Room, out: &mut dyn Write) -> io::Result<()> {
    let shown = &contacts[..contacts.len().min(room.rows)];
    let width = |body: usize| {
        let width = |contact: &Found| features(contact.features)[body].len();
        shown.iter().map(width).fold(FEATURE_WIDTH, usize::max)
    };
    let kinds = shown.iter().map(|contact| contact.features.kind().len());
    let widths = [kinds.fold(KIND_WIDTH, usize::max), width(0), width(1)];
    if !shown.is_empty() {
        let [kind, a, b] = widths;
        writeln!(
            out,
            "  {:>10}  {:kind$}  {:a$}  {:b$}  {:>10}  {:>12}  point",
            "time", "kind", "of A", "of B", "properness", "speed"
        )?;
    }
    for contact in shown {
        writeln!(out, "  {}", row(contact, widths))?;
    }
    match room.more(total - shown.len()) {
        Some(line) => writeln!(out, "  {line}"),
        None => Ok(()),
    }
}

fn row(contact: &Found, [kind_width, a_width, b_width]: [usize; 3]) -> String {
    let [a, b] = features(contact.features);
    let speed = short(contact.normal_speed);
    let grazing = if contact.grazing { "  grazing" } else { "" };
    let untouchable = if contact.touchable { "" } else { "  untouchable" };
    format!(
        "{:10.6}  {:kind_width$}  {a:a_width$}  {b:b_width$}  {:10.4}  {speed:>12}  \
         {}{grazing}{untouchable}",
        contact.time,
        contact.features.kind(),
        // Without the sign of a zero, also of one that comes from rounding.
        if contact.properness.abs() <= ROUNDING { 0.0 } else { contact.properness },
        point(contact.point),
    )
}

pub(crate) fn features(features: impl Into<Features>) -> [String; 2] {
    let solid = || "solid".to_string();
    match features.into() {
        Features::Meshes(features) => of_meshes(features),
        Features::Path(path::Features::SolidSample(of_b)) => [solid(), sample(of_b)],
        Features::Path(path::Features::SampleSolid(of_a)) => [sample(of_a), solid()],
        Features::Round(query::Features { a, b }) => [a, b].map(part),
    }
}

/// A part of a round body, or of a mesh that one touches.
fn part(feature: Feature) -> String {
    let kind = feature.kind();
    match feature {
        Feature::Vertex(number) | Feature::Face(number) => format!("{kind} {number}"),
        Feature::Edge([p, q]) => format!("{kind} {p}-{q}"),
        Feature::End(number) | Feature::Cap(number) | Feature::Rim(number) => {
            format!("{kind} {number}")
        }
        Feature::Sample(of) => sample(of),
        Feature::Side | Feature::Tip | Feature::Surface | Feature::Inside => kind.to_string(),
    }
}

fn sample(sample: Sample) -> String {
    match sample {
        Sample::Vertex(vertex) => format!("vertex {vertex}"),
        Sample::Edge { edge: [p, q], number } => format!("edge {p}-{q}, {number}"),
        Sample::Face { face, number } => format!("face {face}, {number}"),
        Sample::Point(number) => format!("point {number}"),
    }
}

fn of_meshes(features: chasles::Features) -> [String; 2] {
    use chasles::Features;
    let face = |face: u32| format!("face {face}");
    let vertex = |vertex: u32| format!("vertex {vertex}");
    let edge = |[p, q]: [u32; 2]| format!("edge {p}-{q}");
    match features {
        Features::Fv { face: f, vertex: v } => [face(f), vertex(v)],
        Features::Vf { vertex: v, face: f } => [vertex(v), face(f)],
        Features::Ee { a, b } => [edge(a), edge(b)],
    }
}

/// How deep points of bodies may be in another unnoticed, in words.
pub(crate) fn missed_words(missed: &Missed) -> String {
    if missed.is_of_vertices {
        return "points between vertices may be missed at any depth".to_string();
    }
    let names: Vec<String> = missed.without_samples.iter().map(|name| plain(name)).collect();
    let has = if names.len() == 1 { "has" } else { "have" };
    let whose = format!("points of {}, which {has} no samples,", listed(&names));
    let bounded = missed
        .depth
        .map(|depth| format!("points up to {} deep in another body may be missed", short(depth)));
    match bounded {
        Some(bounded) if names.is_empty() => bounded,
        Some(bounded) => format!("{bounded}, and {whose} at any depth"),
        None => format!("{whose} may be missed at any depth"),
    }
}

/// The results in one line; `touching` pairs have contacts.
pub(crate) fn summary(scene: &Scene, results: &Results, touching: usize) -> String {
    let bodies = plural(scene.bodies().len(), "body");
    let pairs = scene.pairs().count();
    if pairs == 0 {
        return format!("{bodies}: no pair to test; add a second [[body]]");
    }
    let mut line = format!(
        "{} in {touching} of {} ({bodies})",
        plural(results.contact_count(), "contact"),
        plural(pairs, "pair"),
    );
    let by =
        if matches!(results.method, HowFound::Path(..)) { "along paths" } else { "by the screen" };
    if let Some(resolution) = results.method.resolution() {
        line += &format!(", {by}: {resolution}");
    }
    if let Some(device) = &results.device {
        line += &format!(", on {}", plain(&device.name));
    }
    if let Some(missed) = results.missed(scene) {
        line += &format!("; {}", missed_words(&missed));
    }
    if let Some(filters) = results.filters() {
        line += &format!("; {filters}");
    }
    if let Some(overlaps) = overlaps(scene, results) {
        line += &format!("; {overlaps}");
    }
    if let Some(timing) = results.timing {
        let [median, min] = [timing.median, timing.min].map(duration);
        line += &format!("; median {median}, min {min} of {}", plural(timing.runs as usize, "run"));
    }
    line
}

/// Which bodies are in each other at the start, in words; none if none are known to be. Their
/// contacts do not tell: those that rest have none.
pub(crate) fn overlaps(scene: &Scene, results: &Results) -> Option<String> {
    let overlapping = results.pairs.iter().filter(|pair| pair.starts_in_overlap());
    let name = |body: usize| plain(&scene.bodies()[body].name);
    let names: Vec<String> = overlapping.map(|pair| pair.bodies.map(name).join(" with ")).collect();
    (!names.is_empty()).then(|| format!("in each other from the start: {}", listed(&names)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use chasles::Features;
    use chasles::glam::DVec3;

    use super::*;

    #[test]
    fn rows_name_the_features() {
        let contact = Found {
            features: Features::Ee { a: [1, 5], b: [0, 7] }.into(),
            time: 0.5,
            time_bracket: [0.5, 0.5],
            point_in_a: DVec3::ZERO,
            normal_in_a: DVec3::Z,
            point: DVec3::new(1.0, 0.0, -2.0),
            normal: DVec3::Z,
            properness: 0.03,
            normal_speed: -1.2,
            grazing: true,
            touchable: false,
        };
        let row = row(&contact, [KIND_WIDTH, FEATURE_WIDTH, FEATURE_WIDTH]);
        for phrase in [
            "0.500000",
            "ee",
            "edge 1-5",
            "edge 0-7",
            "0.0300",
            "-1.2000",
            "grazing",
            "untouchable",
        ] {
            assert!(row.contains(phrase), "{phrase:?} is not in {row:?}");
        }
        assert!(row.contains("(1.0000, 0, -2.0000)"), "{row}");
    }

    #[test]
    fn text_is_printed_as_it_is_but_for_control_characters() {
        assert_eq!(plain("Bob's \"cube\" \\ é"), "Bob's \"cube\" \\ é");
        assert_eq!(plain("a\nb\u{1b}[2J\u{202e}"), "a\\nb\\u{1b}[2J\\u{202e}");
    }

    fn contact(features: Features) -> Found {
        Found {
            features: features.into(),
            time: 0.5,
            time_bracket: [0.5, 0.5],
            point_in_a: DVec3::ZERO,
            normal_in_a: DVec3::Z,
            point: DVec3::ZERO,
            normal: DVec3::Z,
            properness: 0.0,
            normal_speed: 0.0,
            grazing: false,
            touchable: true,
        }
    }

    #[test]
    fn columns_are_aligned_for_large_numbers() {
        let small = contact(Features::Ee { a: [1, 5], b: [0, 7] });
        let large = contact(Features::Ee { a: [196_124, 197_624], b: [1_000_000, 2_000_000] });
        let mut out = Vec::new();
        write_rows(&[small, large], 2, Room { rows: 20, rest: None }, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let places: Vec<_> = text.lines().skip(1).map(|line| line.find("(0, 0, 0)")).collect();
        assert!(places[0].is_some() && places[0] == places[1], "{text}");
    }

    #[test]
    fn long_lists_are_cut_and_say_so() {
        let contact = contact(Features::Fv { face: 1, vertex: 2 });
        let written = |room: Room| {
            let mut out = Vec::new();
            write_rows(&[contact; 25], 25, room, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let text = written(Room::beside([None; 2], None));
        assert_eq!(text.lines().count(), 22);
        assert!(text.ends_with("... and 5 more\n"), "{text}");
        let text = written(Room::beside([None, Some(Path::new("all.json"))], None));
        assert_eq!(text.lines().count(), 14);
        assert!(text.ends_with("... 13 more: all.json\n"), "{text}");
        let text = written(Room::beside([None, Some(Path::new("-"))], Some(Path::new("a.png"))));
        assert!(text.ends_with("... and 13 more\n"), "{text}");
    }
}
