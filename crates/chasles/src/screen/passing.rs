//! From near features to contacts, next to those that the screen shows.

use super::closest::{Closest, SAME};
use super::judge::{Entry, Judge, UNSEEN};
use super::nearby::{Finder, Near, Scratch};
use super::options::{Grid, Options, ScreenError};
use super::over_edge::closest_on_segments;
use super::relative::Relative;
use super::resolve::Found;
use crate::bounds::Collider;
use crate::contact::{Met, Pair};
use crate::motion::Part;

/// Appends what comes within a pixel in a part to the contacts of the part, which are sorted by
/// pairs; how many pairs were compared. What the screen shows without a touch is moved to its closest
/// approach.
pub(super) fn add(
    bodies: [&Collider; 2],
    part: &Part,
    (options, grid): (&Options, Grid),
    scratch: &mut Scratch,
    found: &mut Vec<Found>,
) -> Result<usize, ScreenError> {
    let relative = &Relative::new(part, bodies[0], bodies[1]);
    let mut entries = Vec::new();
    let judge = judge(bodies, relative, (options, grid), &mut entries);
    let compared = Finder::new(&judge, scratch).find(options.max_records)?;
    let shown = found.len();
    for near in &scratch.near {
        match judge.passing(near, &found[..shown]) {
            Some(Passing::New(contact)) => found.push(contact),
            Some(Passing::Instead(i, contact)) => found[i] = contact,
            _ => {}
        }
    }
    keep_closest(found, shown, SAME * grid.pixel);
    Ok(compared)
}

fn judge<'s>(
    [a, b]: [&'s Collider; 2],
    relative: &'s Relative,
    (options, grid): (&Options, Grid),
    entries: &'s mut Vec<Entry>,
) -> Judge<'s> {
    let ball = relative.balls([a, b])[1];
    let screw = &relative.screw;
    let speed = screw.flow(ball.centre).length() + screw.angle() * ball.radius;
    let per_pixel = (grid.pixel / speed).min(1.0);
    let time_resolution = options.sharpness(per_pixel);
    Judge {
        a,
        b,
        relative,
        angle: screw.angle(),
        half_way: relative.turned_at(0.5),
        min_properness: options.min_properness,
        pixel: grid.pixel,
        outside: 1.0,
        window: [0.0, 1.0],
        time_resolution,
        steps_per_pixel: per_pixel,
        entries,
        facing: None,
        marked: None,
    }
}

/// What a near pair becomes.
enum Passing {
    /// It is shown already.
    Shown,
    /// It is shown, but not where it is closest.
    Instead(usize, Found),
    New(Found),
}

impl Judge<'_> {
    /// The contact of a near pair, if it is proper enough, next to those that are `shown`, which are
    /// sorted by pairs.
    fn passing(&self, near: &Near, shown: &[Found]) -> Option<Passing> {
        let &Near { pair, closest: Closest { time, gap } } = near;
        let unseen = UNSEEN * self.pixel;
        let is_closest = |known: &Found| self.apart(known) <= gap + unseen;
        if self.is_shown(pair, time, shown, is_closest) {
            return Some(Passing::Shown);
        }
        let found = self.resolved(pair, time).or_else(|| self.parallel(pair, time))?;
        if found.properness < self.min_properness {
            return None;
        }
        let gap = if gap > unseen { gap } else { 0.0 };
        let found = Found { gap, doubt: self.doubt(&found, gap == 0.0), ..found };
        let first = shown.partition_point(|known| known.pair < found.pair);
        let count = shown[first..].partition_point(|known| known.pair == found.pair);
        let same = &shown[first..first + count];
        if same.iter().any(is_closest) {
            return Some(Passing::Shown);
        }
        let at = same.iter().position(|known| (known.time - time).abs() <= known.doubt);
        Some(at.map_or(Passing::New(found), |i| Passing::Instead(first + i, found)))
    }

    /// Whether a pair is among contacts for which something holds. A coincidence is there as any of
    /// the pairs that can stand for it, at about the same time.
    fn is_shown(
        &self,
        pair: Pair,
        time: f64,
        shown: &[Found],
        holds: impl Fn(&Found) -> bool,
    ) -> bool {
        let same = |pair: Pair| {
            let first = shown.partition_point(|known| known.pair < pair);
            shown[first..].iter().take_while(move |known| known.pair == pair)
        };
        let Pair { met, a, b } = pair;
        if met.is_plain() {
            return same(pair).any(holds);
        }
        let is_there = |met: Met, a: u32, b: u32| {
            let is_timely = |known: &&Found| (known.time - time).abs() <= known.doubt;
            same(Pair { met, a, b }).filter(is_timely).any(&holds)
        };
        let face_vertex = |face: u32| is_there(Met::FaceVertex, face, b);
        let vertex_face = |face: u32| is_there(Met::VertexFace, a, face);
        let [of_a, of_b] = [self.a.mesh(), self.b.mesh()];
        match met {
            Met::EdgeVertex => of_a.edge_sides(a).iter().any(|side| face_vertex(side.face)),
            Met::VertexEdge => of_b.edge_sides(b).iter().any(|side| vertex_face(side.face)),
            _ => {
                of_a.vertex_faces(a).iter().any(|&face| face_vertex(face))
                    || of_b.vertex_faces(b).iter().any(|&face| vertex_face(face))
            }
        }
    }

    /// Edges without faces that are parallel where they are closest: the normal is the line between
    /// them; where they touch, it is across them and against the motion.
    fn parallel(&self, pair: Pair, time: f64) -> Option<Found> {
        if pair.met != Met::EdgeEdge {
            return None;
        }
        let edges = [pair.a, pair.b];
        let at = self.relative.helix.at(time);
        let [p, q] = self.lines(edges, &at).map(|[from, along]| [from, from + along]);
        let ([u, v], gap) = closest_on_segments(p, q);
        let point = p[0].lerp(p[1], u);
        let normal = if gap > UNSEEN * self.pixel {
            q[0].lerp(q[1], v) - point
        } else {
            -self.relative.screw.flow(point).reject_from(p[1] - p[0])
        };
        let normal = normal.try_normalize();
        let normal = normal.unwrap_or_else(|| (p[1] - p[0]).any_orthonormal_vector());
        let terms = self.edge_terms(edges, normal, &at);
        Some(self.found((pair, time), (point, normal), (terms, false)))
    }
}

/// Keeps of several contacts between the same features the closest, from `start` on; of those that
/// differ by `same` at most the earliest.
fn keep_closest(found: &mut Vec<Found>, start: usize, same: f64) {
    let fresh = &mut found[start..];
    fresh.sort_unstable_by(|p, q| p.pair.cmp(&q.pair).then(p.time.total_cmp(&q.time)));
    let mut kept = start;
    for i in start..found.len() {
        let next = found[i];
        if kept == start || found[kept - 1].pair != next.pair {
            found[kept] = next;
            kept += 1;
        } else if next.gap < found[kept - 1].gap - same {
            found[kept - 1] = next;
        }
    }
    found.truncate(kept);
}
