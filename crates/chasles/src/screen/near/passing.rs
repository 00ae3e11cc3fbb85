//! From near features to contacts, next to those that the screen shows.

use crate::bounds::Collider;
use crate::contact::locate::Place;
use crate::contact::{Met, Pair, Terms};
use crate::motion::Part;
use crate::screen::judging::judge::{Entry, Judge, UNSEEN};
use crate::screen::judging::locate::closest_on_lines;
use crate::screen::judging::resolve::Found;
use crate::screen::near::closest::{Closest, EQUAL, Passage, SAME};
use crate::screen::near::over_edge::closest_on_segments;
use crate::screen::near::over_face::VertexOverFace;
use crate::screen::near::pairs_near::{Finder, Near, Scratch};
use crate::screen::options::{Grid, Options, ScreenError};
use crate::screen::place::relative::Relative;

/// Adds what comes within a pixel in a part to the contacts of the part, which are sorted by
/// pairs; how many pairs were compared. Of contacts that the screen shows without a touch the
/// closest approaches are left.
pub(in crate::screen) fn add(
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
    judge.place_shown(found);
    let shown = found.len();
    for near in &scratch.near {
        let contact = judge.passing(near, &found[..shown]);
        found.extend(contact);
    }
    keep_closest(found, SAME * grid.pixel);
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

impl Judge<'_> {
    /// Gives contacts that the screen shows their gaps, and those of vertices near seams the face
    /// that the vertex is over, as near misses have it; sorted by pairs.
    fn place_shown(&self, found: &mut [Found]) {
        let passages = Passage::both(self.relative);
        for contact in &mut *found {
            let &mut Found { pair, time, doubt, .. } = contact;
            if let Some(over) = VertexOverFace::of(pair, [self.a, self.b], &passages) {
                let (face, place) = over.place(time, [UNSEEN * self.pixel; 2]);
                if face != over.face && place == Place::Inside {
                    let there = match pair.met {
                        Met::FaceVertex => Pair { a: face, ..pair },
                        _ => Pair { b: face, ..pair },
                    };
                    let moved = self.resolved(there, time);
                    *contact = moved.map_or(*contact, |moved| Found { doubt, ..moved });
                }
            }
            contact.gap = self.seen(self.apart(contact));
        }
        found.sort_unstable_by(|p, q| p.pair.cmp(&q.pair).then(p.time.total_cmp(&q.time)));
    }

    /// A gap, or none if it is too small to see.
    pub(in crate::screen) fn seen(&self, gap: f64) -> f64 {
        if gap > UNSEEN * self.pixel { gap } else { 0.0 }
    }

    /// The contact of a near pair, if it is proper enough and not among those that are `shown` as
    /// close, which are sorted by pairs.
    fn passing(&self, near: &Near, shown: &[Found]) -> Option<Found> {
        let &Near { pair, closest } = near;
        let Closest { time, gap } = closest;
        let gap = self.seen(gap);
        let is_closest = |known: &Found| known.gap <= gap;
        if self.is_shown(pair, time, shown, is_closest) {
            return None;
        }
        let found = self.nearest(pair, closest)?;
        if found.properness < self.min_properness {
            return None;
        }
        let first = shown.partition_point(|known| known.pair < found.pair);
        let mut same = shown[first..].iter().take_while(|known| known.pair == found.pair);
        let found = Found { gap, doubt: self.doubt(&found, gap == 0.0), ..found };
        (!same.any(is_closest)).then_some(found)
    }

    /// When features that all but touch do touch: the search for their closest approach ends a
    /// little off. For a vertex and a face, or two edges.
    pub(in crate::screen) fn sharpest(&self, pair: Pair, closest: Closest) -> Closest {
        let Closest { time, gap } = closest;
        if gap > EQUAL * self.pixel || gap <= UNSEEN * self.pixel {
            return closest;
        }
        let touches = |time: f64| self.apart_at(pair, time) <= UNSEEN * self.pixel;
        let nearest = |times: &mut dyn Iterator<Item = f64>| {
            let inside = times.filter(|time| (0.0..=1.0).contains(time) && touches(*time));
            inside.min_by(|p, q| (p - time).abs().total_cmp(&(q - time).abs()))
        };
        let Pair { met, a, b } = pair;
        let met = match met {
            Met::FaceVertex => nearest(&mut self.meetings(false, b, a, time).map(|(met, _)| met)),
            Met::VertexFace => nearest(&mut self.meetings(true, a, b, time).map(|(met, _)| met)),
            Met::EdgeEdge => {
                let roots = self.crossing_times([a, b], self.window);
                nearest(&mut roots.as_slice().iter().map(|root| root.time))
            }
            _ => None,
        };
        met.map_or(closest, |time| Closest { time, gap: 0.0 })
    }

    /// The contact that stands for a pair at its closest approach.
    fn nearest(&self, pair: Pair, Closest { time, gap }: Closest) -> Option<Found> {
        if pair.met == Met::EdgeEdge {
            let is_wire = |body: &Collider, e: u32| body.mesh().edge_sides(e).is_empty();
            let are_wires = is_wire(self.a, pair.a) && is_wire(self.b, pair.b);
            let is_apart = gap > UNSEEN * self.pixel;
            if are_wires && is_apart || !self.pass_between([pair.a, pair.b], time) {
                return Some(self.beside(pair, time));
            }
        }
        let touching = || (gap <= UNSEEN * self.pixel).then(|| self.beside(pair, time));
        let found = self.resolved(pair, time).or_else(touching)?;
        Some(self.toward(found, gap))
    }

    /// The contact with its normal toward what is apart, if that is a lone point over a face
    /// without an outside: nothing else tells.
    fn toward(&self, found: Found, gap: f64) -> Found {
        let Found { pair: Pair { met, a, b }, point, normal, normal_speed, time, .. } = found;
        let at = self.relative.helix.at(time);
        let (is_lone, between) = match met {
            Met::FaceVertex => (self.b.rays(b).is_empty(), point - self.a.face_local(a)),
            Met::VertexFace => {
                let on_face = self.relative.placed(self.b.face_local(b));
                (self.a.rays(a).is_empty(), self.relative.moved(on_face, &at) - point)
            }
            _ => return found,
        };
        let is_toward = normal.dot(between) >= 0.0;
        let (mesh, face) =
            if met == Met::FaceVertex { (self.a.mesh(), a) } else { (self.b.mesh(), b) };
        let has_outside = !mesh.is_two_sided(face);
        if is_toward || !is_lone || has_outside || gap <= UNSEEN * self.pixel {
            return found;
        }
        Found { normal: -normal, normal_speed: -normal_speed, ..found }
    }

    /// Whether two edges are closest between their ends.
    fn pass_between(&self, edges: [u32; 2], time: f64) -> bool {
        let [of_a, of_b] = self.lines(edges, &self.relative.helix.at(time));
        let is_inside = |f: &f64| (-ROUNDING..=1.0 + ROUNDING).contains(f);
        closest_on_lines(of_a, of_b).is_some_and(|(at, _)| at.iter().all(is_inside))
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

    /// Edges without faces that are parallel, or closest at an end of one: the normal is the line
    /// between them; where they touch, it is across the first and against the motion.
    fn beside(&self, pair: Pair, time: f64) -> Found {
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
        // Nothing tells the better side of wires, but the line between them.
        let has_outside = terms == Terms::NONE && gap > UNSEEN * self.pixel;
        self.found((pair, time), (point, normal), (terms, has_outside))
    }
}

/// Fractions of edges that are so little beyond their ends are at them.
const ROUNDING: f64 = 1e-9;

/// Keeps of several contacts between the same features those that touch, at about the same time the
/// first; or else the closest, of those that differ by `same` at most the earliest.
fn keep_closest(found: &mut Vec<Found>, same: f64) {
    found.sort_unstable_by(|p, q| {
        let touches = |contact: &Found| contact.gap > 0.0;
        let order = p.pair.cmp(&q.pair).then(touches(p).cmp(&touches(q)));
        order.then(p.time.total_cmp(&q.time))
    });
    found.dedup_by(|next, kept| {
        let is_soon = next.time - kept.time <= kept.doubt;
        let is_same = next.pair == kept.pair && (next.gap > 0.0 || is_soon);
        if is_same && next.gap < kept.gap - same {
            *kept = *next;
        }
        is_same
    });
}
