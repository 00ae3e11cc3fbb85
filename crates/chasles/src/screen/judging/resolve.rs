//! From meetings to contacts: EV, VE and VV become a face and a vertex [Buss04 §5, §9].
//!
//! | meets | becomes |
//! |---|---|
//! | vertex and edge | the vertex and that face at the edge which gives the best properness |
//! | two vertices | the best of either vertex and the faces at the other |
//! | no face there (wires) | nothing: their edges cross, or pass |
//!
//! Several records of one meeting become one contact, the earliest.

use glam::DVec3;

use crate::contact::{Facing, Met, Pair, Terms};
use crate::screen::judging::judge::{Entry, Judge, UNSEEN};
use crate::screen::judging::locate::{closest_on_lines, segment_distance};
use crate::screen::near::closest::Passage;
use crate::screen::near::over_face::VertexOverFace;

/// A contact in the numbers and coordinates of the query.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Found {
    /// A face and a vertex, a vertex and a face, or two edges.
    pub(in crate::screen) pair: Pair,
    pub(in crate::screen) time: f64,
    pub(in crate::screen) point: DVec3,
    pub(in crate::screen) normal: DVec3,
    pub(in crate::screen) properness: f64,
    pub(in crate::screen) normal_speed: f64,
    /// How far the time may be off.
    pub(in crate::screen) doubt: f64,
    /// How far the features are apart; 0 if they meet.
    pub(in crate::screen) gap: f64,
    pub(in crate::screen) touchable: bool,
}

impl Judge<'_> {
    /// Resolves everything that was put down, and appends the contacts that are proper enough.
    pub(in crate::screen) fn resolve(&mut self, found: &mut Vec<Found>) {
        let soon = self.soon();
        let mut sorted = std::mem::take(self.entries);
        // The time of a root comes before the same from pixels, whatever the order of the sweep.
        let soonest = |p: &Entry, q: &Entry| p.time.total_cmp(&q.time);
        sorted.sort_unstable_by(|p, q| {
            p.pair.cmp(&q.pair).then(soonest(p, q)).then(q.settled.cmp(&p.settled))
        });
        sorted.dedup_by(|next, kept| next.pair == kept.pair && next.time - kept.time <= soon);
        let start = found.len();
        let is_plain = |entry: &Entry| entry.pair.met.is_plain();
        let (plain, coincident) = sorted.split_at(sorted.partition_point(is_plain));
        found.extend(plain.iter().filter_map(|entry| self.contact(entry, &[])));
        let end = found.len();
        for entry in coincident {
            let contact = self.contact(entry, &found[start..end]);
            found.extend(contact);
        }
        drop_repeated(found, start, soon);
        sorted.clear();
        *self.entries = sorted;
    }

    /// Meetings of one pair within this time are one.
    pub(in crate::screen) fn soon(&self) -> f64 {
        4.0 * f64::from(self.time_resolution)
    }

    /// The contact of a meeting, if it is proper enough and approaching, and not a coincidence that
    /// is among the `plain` ones already, which are sorted by pairs.
    fn contact(&self, entry: &Entry, plain: &[Found]) -> Option<Found> {
        let &Entry { pair, time, settled } = entry;
        let met = pair.met;
        let found = self.resolved(pair, time).filter(|_| {
            let is_seen = || self.edges_apart([pair.a, pair.b], time.clamp(0.0, 1.0)) <= self.pixel;
            met != Met::EdgeEdge || settled || is_seen()
        })?;
        let found = if met.is_plain() { found } else { self.sharpened(found, plain)? };
        let wanted = found.properness >= self.min_properness && found.normal_speed <= 0.0;
        let doubt = self.doubt(&found, settled);
        let touchable = found.touchable || self.coincides(pair, found.time);
        wanted.then(|| Found { time: found.time.clamp(0.0, 1.0), doubt, touchable, ..found })
    }

    /// Whether features that can touch from outside coincide at a time, and are not only within a
    /// pixel: the exact method calls the same a coincidence.
    pub(in crate::screen) fn coincides(&self, pair: Pair, time: f64) -> bool {
        let at = self.relative.helix.at(time);
        let of_a = |v: u32| self.a.local(v);
        let of_b = |v: u32| self.relative.moved(self.relative.placed(self.b.local(v)), &at);
        let (point, [p, q]) = match pair.met {
            Met::EdgeVertex => (of_b(pair.b), self.a.mesh().edge(pair.a).map(of_a)),
            Met::VertexEdge => (of_a(pair.a), self.b.mesh().edge(pair.b).map(of_b)),
            Met::VertexVertex => (of_a(pair.a), [of_b(pair.b); 2]),
            _ => return false,
        };
        let along = q - p;
        let share = (point - p).dot(along) / along.length_squared();
        // The share is no number where the edge is a vertex.
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        let nearest = p + along * share;
        point.distance(nearest) <= UNSEEN * self.pixel && pair.is_touchable([self.a, self.b])
    }

    /// How far the time of a contact may be off.
    pub(in crate::screen) fn doubt(&self, found: &Found, settled: bool) -> f64 {
        let sharp = f64::from(self.time_resolution);
        // A pixel of distance at the speed of the approach, where that is all that is known.
        let vague = (self.pixel / found.normal_speed.abs()).clamp(sharp, 0.25);
        if settled { sharp } else { vague }
    }

    /// The contact that stands for a pair at a time: of a coincidence the most proper.
    pub(in crate::screen) fn resolved(&self, Pair { met, a, b }: Pair, time: f64) -> Option<Found> {
        let (of_a, of_b) = (self.a.mesh(), self.b.mesh());
        match met {
            Met::FaceVertex => Some(self.face_vertex(a, b, time)),
            Met::VertexFace => Some(self.vertex_face(a, b, time)),
            Met::EdgeEdge => self.edge_edge([a, b], time),
            Met::EdgeVertex => {
                let faces = of_a.edge_sides(a).iter().map(|side| side.face);
                best(faces.map(|face| self.face_vertex(face, b, time)))
            }
            Met::VertexEdge => {
                let faces = of_b.edge_sides(b).iter().map(|side| side.face);
                best(faces.map(|face| self.vertex_face(a, face, time)))
            }
            Met::VertexVertex => {
                let fv = of_a.vertex_faces(a).iter().map(|&face| self.face_vertex(face, b, time));
                let vf = of_b.vertex_faces(b).iter().map(|&face| self.vertex_face(a, face, time));
                best(fv.chain(vf))
            }
        }
    }

    pub(in crate::screen) fn found(
        &self,
        (pair, time): (Pair, f64),
        (point, normal): (DVec3, DVec3),
        (terms, has_outside): (Terms, bool),
    ) -> Found {
        let flow = self.relative.screw.flow(point);
        let Facing { normal, properness, normal_speed } = terms.facing(normal, flow, has_outside);
        let touchable = pair.is_touchable([self.a, self.b]);
        let [doubt, gap] = [0.0; 2];
        Found { pair, time, point, normal, properness, normal_speed, doubt, gap, touchable }
    }

    /// A vertex and a face at the time they meet, if that is near; `None` if they are among the
    /// plain ones then, or do not meet and are far apart: in motions of about a pixel, the pixels
    /// do not tell when something meets.
    fn sharpened(&self, found: Found, plain: &[Found]) -> Option<Found> {
        let Found { pair, time, .. } = found;
        let away = |met: f64| (met - time).abs();
        let first = plain.partition_point(|known| known.pair < pair);
        let mut same = plain[first..].iter().take_while(|known| known.pair == pair);
        if same.any(|known| away(known.time) <= self.soon()) {
            return None;
        }
        let from_a = pair.met == Met::VertexFace;
        let [vertex, face] = if from_a { [pair.a, pair.b] } else { [pair.b, pair.a] };
        let met = self.meetings(from_a, vertex, face, time).map(|(met, _)| met);
        let near = met.filter(|met| away(*met) <= self.soon() && (0.0..=1.0).contains(met));
        let nearest = near.min_by(|p, q| away(*p).total_cmp(&away(*q)));
        match nearest {
            Some(met) if from_a => Some(self.vertex_face(vertex, face, met)),
            Some(met) => Some(self.face_vertex(face, vertex, met)),
            None => (self.apart(&found) <= self.pixel).then_some(found),
        }
    }

    /// The distance of the features of a contact at its time.
    pub(in crate::screen) fn apart(&self, &Found { pair, time, .. }: &Found) -> f64 {
        self.apart_at(pair, time)
    }

    /// The distance of features at a time.
    pub(in crate::screen) fn apart_at(&self, pair: Pair, time: f64) -> f64 {
        let passages = Passage::both(self.relative);
        match VertexOverFace::of(pair, [self.a, self.b], &passages) {
            Some(over) => over.gap(time),
            None => self.edges_apart([pair.a, pair.b], time),
        }
    }

    fn face_vertex(&self, face: u32, vertex: u32, time: f64) -> Found {
        let at = self.relative.helix.at(time);
        let point = self.relative.moved(self.relative.placed(self.b.local(vertex)), &at);
        let normal = self.a.mesh().normal(face);
        let in_b = self.relative.in_b(normal, &at);
        let terms = Terms::of(self.b.rays(vertex).iter().map(|ray| ray.dot(in_b)));
        let pair = Pair { met: Met::FaceVertex, a: face, b: vertex };
        let has_outside = !self.a.mesh().is_two_sided(face);
        self.found((pair, time), (point, normal), (terms, has_outside))
    }

    fn vertex_face(&self, vertex: u32, face: u32, time: f64) -> Found {
        let at = self.relative.helix.at(time);
        let outward = self.relative.turned * self.b.mesh().normal(face);
        let normal = -self.relative.screw.turn(outward, &at, 1.0);
        let terms = Terms::of(self.a.rays(vertex).iter().map(|ray| -ray.dot(normal)));
        let pair = Pair { met: Met::VertexFace, a: vertex, b: face };
        let has_outside = !self.b.mesh().is_two_sided(face);
        self.found((pair, time), (self.a.local(vertex), normal), (terms, has_outside))
    }

    fn edge_edge(&self, edges: [u32; 2], time: f64) -> Option<Found> {
        let at = self.relative.helix.at(time);
        let [of_a, of_b] = self.lines(edges, &at);
        let ([u, _], across) = closest_on_lines(of_a, of_b)?;
        let point = of_a[0] + u.clamp(0.0, 1.0) * of_a[1];
        let normal = across.normalize();
        let terms = self.edge_terms(edges, normal, &at);
        let pair = Pair { met: Met::EdgeEdge, a: edges[0], b: edges[1] };
        Some(self.found((pair, time), (point, normal), (terms, false)))
    }

    /// The distance of two edges at a time.
    pub(in crate::screen) fn edges_apart(&self, edges: [u32; 2], time: f64) -> f64 {
        let [of_a, of_b] = self.lines(edges, &self.relative.helix.at(time));
        segment_distance(of_a, of_b)
    }
}

fn best(found: impl Iterator<Item = Found>) -> Option<Found> {
    found.reduce(|best, next| if next.properness > best.properness { next } else { best })
}

/// Keeps the earliest of several contacts between the same features, from `start` on.
pub(in crate::screen) fn drop_repeated(found: &mut Vec<Found>, start: usize, soon: f64) {
    let fresh = &mut found[start..];
    fresh.sort_unstable_by(|p, q| p.pair.cmp(&q.pair).then(p.time.total_cmp(&q.time)));
    let mut kept = start;
    for i in start..found.len() {
        let next = found[i];
        let seen = kept > start && {
            let last = &found[kept - 1];
            last.pair == next.pair && next.time - last.time <= soon
        };
        if !seen {
            found[kept] = next;
            kept += 1;
        }
    }
    found.truncate(kept);
}
