//! Findings in words.

use super::{Bent, Inspection, Sample};
use crate::mesh::Opening;

/// All findings, the most serious first.
pub(super) fn of(found: &Inspection, opening: Option<Opening>) -> Vec<String> {
    let near = format!("is within {:.1e} of", found.weld);
    let joined = format!("{near} an earlier one and becomes one with it");
    let apart = format!("{near} another, but one in their stead would collapse an edge or a face");
    let sentences = [
        opening.map(|opening| format!("the surface is open: {opening}")),
        edges("has one face only: the surface ends there", &found.border_edges),
        edges("has more than two faces", &found.crowded_edges),
        edges("has two faces that disagree about the outside", &found.twisted_edges),
        vertices("joins parts of the surface that share no edge there", &found.pinched_vertices),
        inward(&found.inward_components),
        inside_out(&found.inside_out_components),
        found.inside_out_undecided.then(|| UNDECIDED.to_owned()),
        doubtful(&found.doubtful_components),
        faces("has no area and is treated as segments", &found.flat_faces),
        faces("crosses itself", &found.crossing_faces),
        faces("has the vertices of an earlier face", &found.repeated_faces),
        bent(&found.bent_faces),
        lone("edge", "edges", found.counts.lone_segments),
        lone("vertex", "vertices", found.counts.lone_points),
        vertices(
            "is at the place of an earlier one and becomes one with it",
            &found.repeated_vertices,
        ),
        vertices(&joined, &found.joined_vertices),
        vertices(&apart, &found.kept_apart_vertices),
        vertices("is used by nothing", &found.unused_vertices),
        faces("has a reflex corner", &found.concave_faces),
    ];
    sentences.into_iter().flatten().collect()
}

fn edges(what: &str, sample: &Sample<[u32; 2]>) -> Option<String> {
    sentence(["edge", "edges"], what, sample, |ends| format!("{}-{}", ends[0], ends[1]))
}

fn vertices(what: &str, sample: &Sample<u32>) -> Option<String> {
    sentence(["vertex", "vertices"], what, sample, u32::to_string)
}

fn faces(what: &str, sample: &Sample<u32>) -> Option<String> {
    sentence(["face", "faces"], what, sample, u32::to_string)
}

fn bent(sample: &Sample<Bent>) -> Option<String> {
    let name = |bent: &Bent| format!("{} (by {:.2e})", bent.face, bent.deviation);
    sentence(["face", "faces"], "is not planar and is split into triangles", sample, name)
}

fn inward(sample: &Sample<u32>) -> Option<String> {
    let nouns = ["the component of face", "components, by their first faces,"];
    let what = "is closed and oriented inwards: a cavity, or clockwise faces";
    sentence(nouns, what, sample, u32::to_string)
}

fn inside_out(sample: &Sample<u32>) -> Option<String> {
    let nouns = ["the component of face", "components, by their first faces,"];
    let what = "is inside out, or in one that is: scenes turn it";
    sentence(nouns, what, sample, u32::to_string)
}

const UNDECIDED: &str =
    "there are too many components oriented inwards to tell which of them are cavities";

fn doubtful(sample: &Sample<u32>) -> Option<String> {
    let nouns = ["the component of face", "components, by their first faces,"];
    let what = "has a volume of one sign and faces that look the other way: the surface goes \
        through itself";
    sentence(nouns, what, sample, u32::to_string)
}

fn lone(one: &str, many: &str, count: usize) -> Option<String> {
    match count {
        0 => None,
        1 => Some(format!("1 {one} belongs to no face")),
        _ => Some(format!("{count} {many} belong to no face")),
    }
}

/// `face 12 has no area`, or `7 faces have no area: 12, 14, 15, 16, 20 and 2 more`.
fn sentence<T>(
    [one, many]: [&str; 2],
    what: &str,
    sample: &Sample<T>,
    name: impl Fn(&T) -> String,
) -> Option<String> {
    let names: Vec<String> = sample.first.iter().map(name).collect();
    match (sample.total, &names[..]) {
        (0, _) => None,
        (1, [only]) => Some(format!("{one} {only} {what}")),
        (total, names) => {
            let rest = total - names.len();
            let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
            Some(format!("{total} {many} {}: {}{more}", plural(what), names.join(", ")))
        }
    }
}

/// The same predicate for several; every verb and pronoun in use is listed here.
fn plural(what: &str) -> String {
    let verb = |word| match word {
        "has" => "have",
        "is" => "are",
        "joins" => "join",
        "crosses" => "cross",
        "becomes" => "become",
        "itself" => "themselves",
        other => other,
    };
    what.split(' ').map(verb).collect::<Vec<_>>().join(" ")
}
