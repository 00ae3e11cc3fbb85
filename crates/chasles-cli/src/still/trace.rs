//! The picture of traces: bodies where they start and where they end, what stopped them, and walks.

use std::path::Path;

use chasles::Pose;
use chasles::glam::DVec3;
use chasles::trace::Workspace;
use chasles_picture::{Colour, Look, View, properness_colour};
use chasles_scene::{Journey, Mover, TraceScene};

use super::choice::{Sight, far_apart, view};
use super::{Canvas, FAINT, FLOOR, LINES, MOST_PIECES, PATHS, PIECES, diameter};
use crate::trace::TraceResult;

/// The colour of the world: none of those that bodies have.
pub(crate) const WORLD: Colour = Colour::hex(0xb4_bd_c9);

/// Of more bodies the colours repeat, so a legend would tell nothing.
const MOST_KEYS: usize = 7;

/// Bodies of the world that hide what moves let it shine through.
const GLASS: f64 = 0.3;

/// Contacts have the colour of this properness: what a trace meets is always outside.
const CONTACT: f64 = 1.0;

/// Diameter of the dots that stand for lone points.
const POINT_WIDTH: f64 = 9.0;

/// Draws a scene for traces with what became of its bodies: solid where they end, faint where they
/// start and where legs of walks end, with the paths of some vertices, and a disc with the normal
/// where they are stopped.
///
/// *Accepts* any scene and its results. *Guarantees* the same bytes for the same input: SVG if
/// `path` ends so, and PNG otherwise. Nothing is written. *Cost* of the pixels and of all vertices.
pub fn draw_trace(scene: &TraceScene, results: &[TraceResult], path: &Path) -> Vec<u8> {
    draw_trace_on(scene, results, &Canvas::default(), path)
}

/// The same on a canvas.
pub fn draw_trace_on(
    scene: &TraceScene,
    results: &[TraceResult],
    canvas: &Canvas,
    path: &Path,
) -> Vec<u8> {
    let mut still = canvas.still();
    let traced = || scene.movers().iter().zip(results);
    let paths: Vec<Vec<Vec<DVec3>>> = traced().map(|(mover, r)| paths(mover, r)).collect();
    let has_moved = paths.iter().any(|paths| !paths.is_empty());
    still.title(scene.title()).caption(&caption(results, has_moved)).without_scale();
    let view = trace_view(results);
    let reach = extent(paths.iter().flatten().flatten());
    let in_the_way = in_the_way(scene, results, view.towards_eye);
    for (fixed, in_the_way) in scene.fixed().iter().zip(in_the_way) {
        let framed = reach == 0.0 || diameter(&fixed.mesh) <= FLOOR * reach;
        let opacity = if in_the_way { GLASS } else { 1.0 };
        let look = Look { colour: WORLD, framed, opacity, ..Look::default() };
        still.body(&fixed.mesh, &fixed.pose, look);
    }
    for (index, ((mover, result), paths)) in traced().zip(&paths).enumerate() {
        let (look, end) = (Look::of(index), &result.trace.end);
        still.body(&mover.mesh, end, look);
        for pose in earlier(mover, result).iter().filter(|pose| *pose != end) {
            still.body(&mover.mesh, pose, look.ghost());
        }
        for path in paths {
            still.curve(path, look.colour, 2.2);
        }
        let lone = (0..mover.mesh.vertex_count() as u32)
            .filter(|&vertex| mover.mesh.vertex_edges(vertex).is_empty());
        for vertex in lone {
            let point = end.point(mover.mesh.position(vertex));
            still.curve(&[point; 2], look.colour, POINT_WIDTH);
        }
        if let Some(touch) = &result.trace.touch {
            still.marker(touch.point, touch.normal, CONTACT);
        }
        if results.len() <= MOST_KEYS {
            still.body_key(look.colour, &mover.name);
        }
    }
    still.body_key(WORLD, "world");
    if results.iter().any(|result| result.trace.touch.is_some()) {
        still.point_key(properness_colour(CONTACT), "contact");
    }
    still.view(view);
    canvas.bytes(path, || still.to_svg(), || still.render())
}

/// What became of the bodies, and what is drawn of those that moved.
fn caption(results: &[TraceResult], has_moved: bool) -> String {
    let what = match results {
        [result] if result.trace.started_solid => "Starts in the world".to_string(),
        [TraceResult { trace, .. }] if trace.touch.is_some() => {
            format!("Stopped at {:.6} of the way", trace.fraction)
        }
        [result] if result.walks() => {
            let moves = crate::words::plural(result.moves().len(), "move");
            return format!("{moves}; {FAINT} and the ends of legs; {LINES}");
        }
        [_] => "Free all the way".to_string(),
        _ => {
            let stopped = results.iter().filter(|result| result.trace.touch.is_some()).count();
            format!("{} bodies, {stopped} of them stopped", results.len())
        }
    };
    if has_moved { format!("{what}; {FAINT}; {LINES}") } else { what }
}

/// From where the scene is seen.
pub(crate) fn trace_view(results: &[TraceResult]) -> View {
    view(sight(results))
}

/// What a lone body touches is seen from the free side, and its normal rather from the side; of
/// several bodies none comes first.
fn sight(results: &[TraceResult]) -> Option<Sight> {
    let [result] = results else { return None };
    let normal = result.trace.touch.as_ref()?.normal;
    Some(Sight { place: normal, normal })
}

/// Which bodies of the world stand between the eye and the middle of a body at its end: a point
/// that is traced from there towards the eye meets them.
pub(crate) fn in_the_way(scene: &TraceScene, results: &[TraceResult], eye: DVec3) -> Vec<bool> {
    let mut found = vec![false; scene.fixed().len()];
    let mut workspace = Workspace::new();
    let corners = scene.fixed().iter().flat_map(|fixed| {
        let corners = fixed.mesh.positions().iter();
        corners.map(|&corner| fixed.pose.point(corner))
    });
    let all: Vec<DVec3> = corners.collect();
    let away = eye.normalize_or_zero() * 2.0 * extent(&all);
    for (mover, result) in scene.movers().iter().zip(results) {
        let [low, high] = mover.mesh.bounds();
        let middle = result.trace.end.point(low * 0.5 + high * 0.5);
        let sight = scene.world().point(middle, middle + away, &mut workspace);
        if let Some(touch) = sight.ok().and_then(|sight| sight.touch) {
            found[touch.fixture as usize] = true;
        }
    }
    found
}

/// Where a body is drawn faintly: at the start, and where a leg of its walk ends.
fn earlier(mover: &Mover, result: &TraceResult) -> Vec<Pose> {
    let legs = result.moves().chunk_by(|p, q| p.leg == q.leg);
    let ends = legs.filter_map(|leg| leg.last()).map(|last| last.walk.end);
    std::iter::once(mover.start).chain(ends).collect()
}

/// The paths of a few vertices as far as the body got; none if it did not move.
fn paths(mover: &Mover, result: &TraceResult) -> Vec<Vec<DVec3>> {
    let mut poses = poses(mover, result);
    poses.push(result.trace.end);
    let corners = mover.mesh.positions();
    let path = |v: usize| poses.iter().map(|pose| pose.point(corners[v])).collect();
    let paths = far_apart(corners, PATHS).into_iter().map(path);
    paths.filter(|path: &Vec<DVec3>| extent(path) > 0.0).collect()
}

/// Where the body is on its way, from its start until before its end.
fn poses(mover: &Mover, result: &TraceResult) -> Vec<Pose> {
    let turns = match &mover.journey {
        Journey::Shift(_) => 0.0,
        Journey::Turn(turning) | Journey::Both { turning, .. } => turning.angle().abs(),
        Journey::Walk(_) => {
            let moves = result.moves().iter().map(|one| one.walk.end);
            let every = result.moves().len().div_ceil(MOST_PIECES as usize).max(1);
            return std::iter::once(mover.start).chain(moves).step_by(every).collect();
        }
    };
    // Casts saturate, so that any number of turns is a number of pieces.
    let pieces = ((turns * f64::from(PIECES)) as u32).clamp(1, MOST_PIECES);
    let part = |i: u32| result.trace.fraction * f64::from(i) / f64::from(pieces);
    (0..pieces).map(|i| mover.pose_at(part(i))).collect()
}

/// The diagonal of the box around points.
fn extent<'p>(points: impl IntoIterator<Item = &'p DVec3>) -> f64 {
    let mut points = points.into_iter();
    let Some(&first) = points.next() else { return 0.0 };
    let [low, high] = points.fold([first; 2], |[low, high], p| [low.min(*p), high.max(*p)]);
    (high - low).length()
}
