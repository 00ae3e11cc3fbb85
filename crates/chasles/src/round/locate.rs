//! When and where the features of a gap touch, given a root of it.
//!
//! The root is one of a line or a plane. Where its time is sharp, the place at that time decides.
//! It is not sharp in two cases. Lines that are nearly parallel lose digits, which the distance of
//! the edge itself has: the time is then where that vanishes. And what slides has a root that
//! lasts: the touch begins when the place comes into the features.

use super::find::WIDE;
use super::gaps::{Gap, Part, Place};
use super::motion::Motion;
use super::skin;
use super::slant;
use super::spot::{Corners, Spot, edge_gap, spot};
use crate::numeric::roots::Root;

/// A root whose bracket is narrower than this has one place.
const SHARP: f64 = 1e-9;

/// How uncertain a place is: rounding, and what the uncertainty of the time leaves open. A root
/// that is not sharp is searched for its time, which leaves nothing open.
pub(super) fn tolerance_at(motion: &Motion, root: &Root) -> f64 {
    let width = root.bracket[1] - root.bracket[0];
    motion.blur * (motion.tolerance + if width > SHARP { 0.0 } else { width * motion.speed })
}

/// Where and when the features of a gap touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Located {
    /// With the time of the touch. Of what lasts, the bracket is that of the beginning.
    pub(super) root: Root,
    /// The end of what lasts; otherwise the time.
    pub(super) until: f64,
    pub(super) spot: Spot,
}

impl Located {
    fn new(root: &Root, time: f64, spot: Spot) -> Self {
        let [from, to] = root.bracket;
        if root.grazing && to - from > WIDE {
            let root = Root { time, bracket: [from, time], grazing: true };
            return Self { root, until: to, spot };
        }
        Self { root: Root { time, ..*root }, until: time, spot }
    }
}

/// Where the features touch at a root. If that is uncertain, or lasts, the earliest time of its
/// bracket at which they do.
pub(super) fn located(gap: &Gap, root: &Root, corners: &Corners) -> Option<Located> {
    let seen = unless_image(gap, root);
    let root = &seen;
    let tolerance = place_tolerance(gap, root);
    let at = |t: f64| spot(gap, t, tolerance, corners);
    if let Some(spot) = at(root.time) {
        return Some(Located::new(root, root.time, spot));
    }
    if let Some(time) = crossing(gap, root)
        && let Some(spot) = at(time)
    {
        return Some(Located::new(root, time, spot));
    }
    let [before, time] = entry(gap, root.bracket, corners, &at)?;
    let mut located = Located::new(root, time, at(time)?);
    if located.until > time {
        located.root.bracket = [before, inside_from(time, located.until, &at)];
    }
    Some(located)
}

/// The root, which is one of a cone and its mirror image, as the cone sees it.
fn unless_image(gap: &Gap, root: &Root) -> Root {
    let is_brief = root.grazing && root.bracket[1] - root.bracket[0] <= WIDE;
    match (gap.part, gap.place) {
        (Part::Slant, Place::Edge(..)) if is_brief => slant::without_image(gap, root),
        _ => *root,
    }
}

/// How far a place may be from its features. Those of edges are proven by the distance of their
/// nearest point, and may be anywhere before that.
fn place_tolerance(gap: &Gap, root: &Root) -> f64 {
    let width = root.bracket[1] - root.bracket[0];
    let is_line = matches!(gap.part, Part::Side | Part::Slant | Part::Rim(_));
    let is_edge = is_line && matches!(gap.place, Place::Edge(..));
    if is_edge && !(root.grazing && width > WIDE) {
        return gap.motion.tolerance + width * gap.motion.speed;
    }
    tolerance_at(gap.motion, root)
}

/// A time soon after the beginning of a touch at which its place is clear of the border.
fn inside_from(begin: f64, end: f64, at: &impl Fn(f64) -> Option<Spot>) -> f64 {
    let mut step = 2.0 * f64::EPSILON;
    while step < SHARP && begin + step < end {
        if at(begin + step).is_some_and(|spot| !spot.is_border) {
            return begin + step;
        }
        step *= 2.0;
    }
    begin
}

/// The time in a bracket at which the nearest point of an edge begins or ceases to be in the body.
///
/// What slides along the body is on it to rounding, whose sign says nothing.
fn crossing(gap: &Gap, root: &Root) -> Option<f64> {
    let [mut low, mut high] = root.bracket;
    let [from, to] = [edge_gap(gap, low)?, edge_gap(gap, high)?];
    let lasts = root.grazing && high - low > WIDE;
    let slides = lasts && from.abs().min(to.abs()) <= gap.motion.noise;
    if from * to > 0.0 || slides {
        return None;
    }
    // Halvings until a double cannot tell the ends apart.
    for _ in 0..52 {
        let middle = 0.5 * (low + high);
        if edge_gap(gap, middle)? * to > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(0.5 * (low + high))
}

/// Steps in a stretch at most, and where nothing tells how long a place stays outside.
const STEPS: [f64; 2] = [8192.0, 64.0];

/// The last time of a stretch without a place and the first with one, if that lasts a step.
fn entry(
    gap: &Gap,
    [from, to]: [f64; 2],
    corners: &Corners,
    at: &impl Fn(f64) -> Option<Spot>,
) -> Option<[f64; 2]> {
    if to - from < SHARP {
        return None;
    }
    let [least, usual] = STEPS.map(|steps| (to - from) / steps);
    let [mut before, mut time] = [from; 2];
    while at(time).is_none() {
        if time >= to {
            return None;
        }
        before = time;
        time = (time + stays_outside(gap, time, corners).unwrap_or(usual).max(least)).min(to);
    }
    // Halvings until a double cannot tell the ends apart.
    for _ in 0..52 {
        let middle = 0.5 * (before + time);
        if at(middle).is_some() {
            time = middle;
        } else {
            before = middle;
        }
    }
    Some([before, time])
}

/// For how long a place stays outside of its feature at least, by the speed of the place; none
/// where that has no bound, or it is not that feature which it is outside of.
fn stays_outside(gap: &Gap, t: f64, corners: &Corners) -> Option<f64> {
    let motion = gap.motion;
    let body = motion.at(t);
    let (beyond, speed) = match (gap.part, gap.place) {
        (Part::End(sign), Place::Face(_, n)) => (corners.outside(body.end(sign), n), motion.speed),
        (Part::Tip, Place::Face(_, n)) => (corners.outside(body.end(1.0), n), motion.speed),
        (Part::Rim(sign), Place::Face(_, n)) if motion.alpha == 0.0 => {
            (corners.outside(body.end(sign), n) - body.radius, motion.speed)
        }
        (Part::End(sign), Place::Edge(p, u, half)) => {
            ((body.end(sign) - p).dot(u).abs() - half, motion.speed)
        }
        (Part::Side, Place::Vertex(v)) => {
            ((v - body.centre).dot(body.axis).abs() - body.half, motion.flow(v).length())
        }
        (Part::Cap(_), Place::Vertex(v)) => {
            ((v - body.centre).cross(body.axis).length() - body.radius, motion.flow(v).length())
        }
        (Part::Slant, Place::Vertex(v)) => slant::beyond_ends(motion, &body, v),
        (Part::Skin, place) => skin::outside(motion, &body, place, corners)?,
        _ => return None,
    };
    (beyond > 0.0).then(|| beyond / speed)
}
