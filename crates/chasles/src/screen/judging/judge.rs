//! Which of the pairs that share a pixel touch: properness first, then the exact place.
//!
//! Properness is that of [Buss04 §5] as `screw` reports it: for a face and a vertex the least
//! `e_i . n` over the unit vectors along the vertex's edges; for two edges the least of `-n . wing`
//! over A's wings and `n . wing` over B's, a wing being the unit vector from an edge into a face.
//! It depends on time only through the turn of the bodies, so a guess of the time decides most
//! pairs before roots are asked for.
//!
//! What comes within half a pixel of an edge or a vertex is put down as EV, VE or VV, and resolved
//! into a face and a vertex later.

use glam::{DMat3, DVec3};

use crate::bounds::Collider;
use crate::contact::locate::Place;
use crate::contact::{Met, Pair, Terms};
use crate::numeric::HelixAt;
use crate::numeric::gaps::HelixGap;
use crate::numeric::roots::{Roots, all_roots};
use crate::screen::drawing::facing::Facing;
use crate::screen::judging::locate::{Approach, Meeting, closest_on_lines, side_product};
use crate::screen::place::relative::Relative;

/// A meeting that is not resolved yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Entry {
    pub(in crate::screen) pair: Pair,
    pub(in crate::screen) time: f64,
    /// Whether the time is that of a root; if not, it is what the pixels say.
    pub(in crate::screen) settled: bool,
}

/// A time that the pixels suggest, and how far off it may be.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Guess {
    pub(in crate::screen) time: f32,
    pub(in crate::screen) slack: f32,
}

impl Guess {
    /// About this time, in a range.
    #[inline]
    pub(in crate::screen) fn near(time: f32, slack: f32, [early, late]: [f32; 2]) -> Self {
        Self { time: time.clamp(early, late), slack: slack.min(late - early) }
    }

    /// Any time in a range.
    #[inline]
    pub(in crate::screen) fn between([early, late]: [f32; 2]) -> Self {
        Self { time: 0.5 * (early + late), slack: 0.5 * (late - early) }
    }
}

/// When two edges cross, and where on each, as fractions.
struct Crossing {
    time: f64,
    at: [f64; 2],
    settled: bool,
}

/// Judges pairs of features and keeps those that meet.
pub(in crate::screen) struct Judge<'q> {
    pub(in crate::screen) a: &'q Collider,
    pub(in crate::screen) b: &'q Collider,
    pub(in crate::screen) relative: &'q Relative,
    pub(in crate::screen) angle: f64,
    /// Turns B's local axes into A's, half-way through the step.
    pub(in crate::screen) half_way: DMat3,
    pub(in crate::screen) min_properness: f64,
    pub(in crate::screen) pixel: f64,
    /// How far outside a face a vertex may pass, in pixels.
    pub(in crate::screen) outside: f64,
    /// Collision times that count.
    pub(in crate::screen) window: [f64; 2],
    pub(in crate::screen) time_resolution: f32,
    /// How long the motion takes for a pixel; many steps, where it is slow.
    pub(in crate::screen) steps_per_pixel: f64,
    pub(in crate::screen) entries: &'q mut Vec<Entry>,
    /// If given, edges are compared as wholes, and only what meets where these draw them counts.
    pub(in crate::screen) facing: Option<[Facing<'q>; 2]>,
    /// If given, faces that may meet are only marked.
    pub(in crate::screen) marked: Option<Marks<'q>>,
}

/// What a first look finds.
pub(in crate::screen) struct Marks<'q> {
    /// For each face, A's and B's, whether it may meet something.
    pub(in crate::screen) faces: [&'q mut Vec<bool>; 2],
    /// Whether anything may, with faces or without.
    pub(in crate::screen) any: bool,
}

/// Within this many pixels a meeting is at the edge or vertex.
const NEAR: f64 = 0.5;

/// Heights below this many pixels count as none.
pub(in crate::screen) const UNSEEN: f64 = 1e-3;

/// Where edges graze, times from pixels can be off by this part of the step.
const FAR_OFF: f64 = 0.1;

/// Terms may be beyond -1 and 1 by rounding, and below this.
const ROUNDING: f64 = 1e-12;

/// Lines that pass by less than this, in pixels times the sine of their angle, meet.
const PASSING: f64 = 1e-6;

impl<'q> Judge<'q> {
    /// The normal of a face of A, or of B if `from_a` (the vertex is A's), at a time, in the axes
    /// of the other body.
    #[inline]
    fn outward(&self, from_a: bool, face: u32, at: &HelixAt) -> DVec3 {
        if from_a {
            let outward = self.relative.turned * self.b.mesh().normal(face);
            self.relative.screw.turn(outward, at, 1.0)
        } else {
            self.relative.in_b(self.a.mesh().normal(face), at)
        }
    }

    /// The terms for a vertex and the normal of a face.
    #[inline]
    fn terms(&self, from_a: bool, vertex: u32, outward: DVec3) -> Terms {
        let body = if from_a { self.a } else { self.b };
        Terms::of(body.rays(vertex).iter().map(|ray| ray.dot(outward)))
    }

    #[inline]
    fn face_terms(&self, from_a: bool, vertex: u32, face: u32, at: &HelixAt) -> Terms {
        self.terms(from_a, vertex, self.outward(from_a, face, at))
    }

    /// The normal of a face in the axes of the other body, half-way through the step.
    pub(in crate::screen) fn normal_half_way(&self, from_a: bool, face: u32) -> DVec3 {
        if from_a {
            self.half_way * self.b.mesh().normal(face)
        } else {
            self.half_way.transpose() * self.a.mesh().normal(face)
        }
    }

    /// Whether a vertex and a face with an outside and this normal half-way can be proper enough at
    /// any time: until then and from then on bodies turn by half the angle, and a term, the cosine
    /// of an angle, changes by no more than that.
    #[inline]
    pub(in crate::screen) fn may_be_proper(
        &self,
        from_a: bool,
        vertex: u32,
        normal: DVec3,
    ) -> bool {
        let body = if from_a { self.a } else { self.b };
        let least = self.min_properness - 0.5 * self.angle - ROUNDING;
        body.rays(vertex).iter().all(|ray| ray.dot(normal) >= least)
    }

    /// Whether two edges can be proper enough at any time to be looked at: their normal and the
    /// terms change by no more than bodies turn until half-way or from then on.
    pub(in crate::screen) fn edges_may_be_proper(&self, [ea, eb]: [u32; 2]) -> bool {
        let across = self.a.direction(ea).cross(self.half_way * self.b.direction(eb));
        let in_b = self.half_way.transpose() * across;
        let of_b = Terms::of(self.b.wings(eb).map(|wing| wing.dot(in_b)));
        let terms = self.terms_of_a(ea, across).and(of_b);
        let change = 0.5 * self.angle + ROUNDING;
        let length = across.length();
        let least = self.least_of_edges();
        let extreme = if least < 0.0 { length + change } else { length - change };
        terms.properness(false) + change >= least * extreme.clamp(0.0, 1.0)
    }

    /// Two edges are looked at if at the guessed time they are as proper as this.
    #[inline]
    fn least_of_edges(&self) -> f64 {
        self.min_properness - self.angle * f64::from(self.time_resolution) - ROUNDING
    }

    /// Judges a vertex (A's if `from_a`) and a face of the other body.
    pub(in crate::screen) fn vertex(&mut self, from_a: bool, vertex: u32, face: u32, guess: Guess) {
        if !self.may_meet(from_a, vertex, face, guess) || self.mark_pair(from_a, vertex, face) {
            return;
        }
        let time = f64::from(guess.time).clamp(0.0, 1.0);
        for (time, place) in self.meetings(from_a, vertex, face, time) {
            if self.is_proper(from_a, vertex, face, time) {
                self.put_down(from_a, vertex, face, (time, place));
            }
        }
    }

    /// Whether a vertex and a face are proper enough about a time to be looked at.
    #[inline]
    pub(in crate::screen) fn may_meet(
        &self,
        from_a: bool,
        vertex: u32,
        face: u32,
        guess: Guess,
    ) -> bool {
        let bodies = if from_a { [self.a, self.b] } else { [self.b, self.a] };
        if bodies[0].best_properness(vertex) < self.min_properness {
            return false;
        }
        let has_outside = !bodies[1].mesh().is_two_sided(face);
        let time = f64::from(guess.time).clamp(0.0, 1.0);
        let terms = self.face_terms(from_a, vertex, face, &self.relative.helix.at(time));
        let doubt = self.angle * f64::from(2.0 * guess.slack + self.time_resolution);
        terms.properness(has_outside) >= self.min_properness - doubt
    }

    /// Whether a vertex and a face are proper enough at a time.
    #[inline]
    pub(in crate::screen) fn is_proper(
        &self,
        from_a: bool,
        vertex: u32,
        face: u32,
        time: f64,
    ) -> bool {
        let body = if from_a { self.b } else { self.a };
        let terms = self.face_terms(from_a, vertex, face, &self.relative.helix.at(time));
        terms.properness(!body.mesh().is_two_sided(face)) >= self.min_properness
    }

    /// Marks the faces at a vertex, and a face of the other body, if this is a first look.
    pub(in crate::screen) fn mark_pair(&mut self, from_a: bool, vertex: u32, face: u32) -> bool {
        if self.marked.is_some() {
            let body = if from_a { self.a } else { self.b };
            let at_vertex = body.mesh().vertex_faces(vertex).iter().copied();
            self.mark(usize::from(!from_a), at_vertex);
            self.mark(usize::from(from_a), [face].into_iter());
        }
        self.marked.is_some()
    }

    /// Marks the faces at two edges, if this is a first look.
    pub(in crate::screen) fn mark_edges(&mut self, [ea, eb]: [u32; 2]) -> bool {
        if self.marked.is_some() {
            self.mark(0, self.a.mesh().edge_sides(ea).iter().map(|side| side.face));
            self.mark(1, self.b.mesh().edge_sides(eb).iter().map(|side| side.face));
        }
        self.marked.is_some()
    }

    /// Marks faces of A (0) or B (1).
    fn mark(&mut self, body: usize, faces: impl Iterator<Item = u32>) {
        if let Some(marked) = &mut self.marked {
            marked.any = true;
            faces.for_each(|face| marked.faces[body][face as usize] = true);
        }
    }

    /// The way of a vertex (A's if `from_a`) over a face.
    #[inline]
    pub(in crate::screen) fn approach(&self, from_a: bool, vertex: u32, face: u32) -> Approach<'q> {
        let relative = self.relative;
        let (body, spread, plane) = if from_a {
            let normal = relative.turned * self.b.mesh().normal(face);
            let plane = [normal, relative.placed(self.b.face_local(face))];
            (self.b, relative.screw.spread(self.a.local(vertex), -1.0), plane)
        } else {
            let plane = [self.a.mesh().normal(face), self.a.face_local(face)];
            let start = relative.placed(self.b.local(vertex));
            (self.a, relative.screw.spread(start, 1.0), plane)
        };
        Approach { relative, body, face, spread, plane, is_of_b: from_a }
    }

    /// When a vertex (A's if `from_a`) meets a face from outside, and where.
    pub(in crate::screen) fn meetings(
        &self,
        from_a: bool,
        vertex: u32,
        face: u32,
        guess: f64,
    ) -> impl Iterator<Item = (f64, Place)> + use<'q> {
        let border = self.outside * self.pixel;
        self.approach(from_a, vertex, face).meetings(Meeting {
            window: self.window,
            noise: UNSEEN * self.pixel,
            border,
            guess,
        })
    }

    fn put_down(&mut self, from_a: bool, vertex: u32, face: u32, (time, place): (f64, Place)) {
        if let Some(pair) = self.pair_at_vertex(from_a, [vertex, face], place) {
            self.entries.push(Entry { pair, time, settled: true });
        }
    }

    /// What a vertex (A's if `from_a`) at a place of a face of the other body meets.
    #[inline]
    pub(in crate::screen) fn pair_at_vertex(
        &self,
        from_a: bool,
        [vertex, face]: [u32; 2],
        place: Place,
    ) -> Option<Pair> {
        let mesh = if from_a { self.b.mesh() } else { self.a.mesh() };
        let (of_face, of_edge) = if from_a {
            (Met::VertexFace, Met::VertexEdge)
        } else {
            (Met::FaceVertex, Met::EdgeVertex)
        };
        let (met, feature) = match place {
            Place::Outside => return None,
            Place::Inside => (of_face, face),
            Place::Edge(i) => (of_edge, mesh.face_edges(face)[i]),
            Place::Corner(i) => (Met::VertexVertex, mesh.face(face)[i]),
        };
        let [a, b] = if from_a { [vertex, feature] } else { [feature, vertex] };
        Some(Pair { met, a, b })
    }

    /// Whether two edges are proper enough at a time to be looked at.
    #[inline]
    fn are_proper_at(&self, [ea, eb]: [u32; 2], time: f64) -> bool {
        let at = self.relative.helix.at(time);
        let along_b =
            self.relative.screw.turn(self.relative.turned * self.b.direction(eb), &at, 1.0);
        // Terms of a vector along the normal are as much smaller as it is shorter.
        let across = self.a.direction(ea).cross(along_b);
        let length = across.length();
        let least = self.least_of_edges();
        let is_bad = |terms: Terms| terms.properness(false) < least * length;
        // More terms only make it worse, and those of A need not be turned.
        let of_a = self.terms_of_a(ea, across);
        length != 0.0 && !is_bad(of_a) && !is_bad(of_a.and(self.terms_of_b(eb, across, &at)))
    }

    /// Judges two edges that cross on the screen.
    pub(in crate::screen) fn edges(&mut self, [ea, eb]: [u32; 2], guess: f32) {
        let is_proper = self.are_proper_at([ea, eb], f64::from(guess).clamp(0.0, 1.0));
        if !is_proper || self.mark_edges([ea, eb]) {
            return;
        }
        let Some(Crossing { time, at: [u, v], settled }) =
            self.meet_edge([ea, eb], f64::from(guess))
        else {
            return;
        };
        if !(self.window[0]..=self.window[1]).contains(&time) {
            return;
        }
        let pair = self.pair_at_edges([ea, eb], [u, v], NEAR * self.pixel);
        self.entries.push(Entry { pair, time, settled });
    }

    /// What meets where two edges are met at these places, as fractions; at a vertex within a
    /// distance of it.
    #[inline]
    pub(in crate::screen) fn pair_at_edges(
        &self,
        [ea, eb]: [u32; 2],
        [u, v]: [f64; 2],
        at_vertex: f64,
    ) -> Pair {
        let near = |body: &Collider, edge: u32, f: f64| {
            let length = body.edge_length_sq(edge).sqrt();
            let [p, q] = body.mesh().edge(edge);
            let (vertex, apart) = if f < 0.5 { (p, f * length) } else { (q, (1.0 - f) * length) };
            (apart <= at_vertex).then_some(vertex)
        };
        let has_faces = |body: &Collider, edge: u32| !body.mesh().edge_sides(edge).is_empty();
        let [on_a, on_b] = [has_faces(self.a, ea), has_faces(self.b, eb)];
        // Wires have no faces that a coincidence could be resolved into.
        let (met, a, b) = match (near(self.a, ea, u), near(self.b, eb, v)) {
            (Some(va), None) if on_b => (Met::VertexEdge, va, eb),
            (None, Some(vb)) if on_a => (Met::EdgeVertex, ea, vb),
            (Some(va), Some(vb)) if on_a || on_b => (Met::VertexVertex, va, vb),
            _ => (Met::EdgeEdge, ea, eb),
        };
        Pair { met, a, b }
    }

    /// Whether edges, if they are compared as wholes, are drawn at some places on them.
    fn is_drawn(&self, edges: [u32; 2], at: [f64; 2]) -> bool {
        let is_drawn = |(facing, (edge, f)): (&Facing<'_>, (u32, f64))| {
            let length = facing.collider.edge_length_sq(edge).sqrt();
            facing.draws(edge, f, NEAR * self.pixel / length)
        };
        let places = || edges.into_iter().zip(at);
        self.facing.as_ref().is_none_or(|both| both.iter().zip(places()).all(is_drawn))
    }

    /// The terms of eq. (7) for a normal at a time.
    #[inline]
    pub(in crate::screen) fn edge_terms(
        &self,
        [ea, eb]: [u32; 2],
        normal: DVec3,
        at: &HelixAt,
    ) -> Terms {
        self.terms_of_a(ea, normal).and(self.terms_of_b(eb, normal, at))
    }

    #[inline]
    fn terms_of_a(&self, edge: u32, normal: DVec3) -> Terms {
        Terms::of(self.a.wings(edge).map(|wing| -wing.dot(normal)))
    }

    #[inline]
    fn terms_of_b(&self, edge: u32, normal: DVec3, at: &HelixAt) -> Terms {
        let in_b = self.relative.in_b(normal, at);
        Terms::of(self.b.wings(edge).map(|wing| wing.dot(in_b)))
    }

    /// The lines of two edges at a time: a point and the way to the other end.
    #[inline]
    pub(in crate::screen) fn lines(&self, [ea, eb]: [u32; 2], at: &HelixAt) -> [[DVec3; 2]; 2] {
        let [p, q] = self.a.mesh().edge(ea).map(|v| self.a.local(v));
        let of_b = self.b.mesh().edge(eb).map(|v| self.relative.placed(self.b.local(v)));
        let [r, s] = of_b.map(|point| self.relative.moved(point, at));
        [[p, q - p], [r, s - r]]
    }

    /// When and where, as fractions, two edges meet where they are drawn: the root nearest to the
    /// guess. Where they meet nowhere, the guess is kept, as the paper does.
    fn meet_edge(&self, edges: [u32; 2], guess: f64) -> Option<Crossing> {
        let slack = self.outside.max(NEAR) * self.pixel;
        let allowed = |body: &Collider, edge: u32, f: f64| {
            let slack = slack / body.edge_length_sq(edge).sqrt();
            f >= -slack && f <= 1.0 + slack
        };
        let is_on_both = |crossing: &Crossing| {
            let [u, v] = crossing.at;
            allowed(self.a, edges[0], u) && allowed(self.b, edges[1], v)
        };
        let crossing = |time: f64| {
            let [of_a, of_b] = self.lines(edges, &self.relative.helix.at(time));
            closest_on_lines(of_a, of_b).map(|(at, _)| Crossing { time, at, settled: true })
        };
        let start = guess.clamp(self.window[0], self.window[1]);
        let away = |crossing: &Crossing| (crossing.time - start).abs();
        let far_off = FAR_OFF.max(4.0 * self.steps_per_pixel).min(1.0);
        // Also beyond the step: edges that meet there do not meet in it.
        let window = [start - far_off, start + far_off];
        let roots = self.crossing_times(edges, window);
        let settled = roots.as_slice().iter().filter_map(|root| crossing(root.time));
        let mut settled = settled.filter(is_on_both).peekable();
        if settled.peek().is_none() {
            let Crossing { at, .. } = crossing(start)?;
            let at = at.map(|f| f.clamp(0.0, 1.0));
            return Some(Crossing { time: start, at, settled: false });
        }
        let drawn = settled.filter(|crossing| self.is_drawn(edges, crossing.at));
        drawn.min_by(|p, q| away(p).total_cmp(&away(q)))
    }

    /// When the lines of two edges meet: the roots of their side product.
    pub(in crate::screen) fn crossing_times(&self, [ea, eb]: [u32; 2], window: [f64; 2]) -> Roots {
        let Relative { screw, helix, turned, .. } = self.relative;
        let of_a = [self.a.local(self.a.mesh().edge(ea)[0]), self.a.direction(ea)];
        let start = self.relative.placed(self.b.local(self.b.mesh().edge(eb)[0]));
        let of_b = [start, *turned * self.b.direction(eb)];
        let gap = side_product(of_a, of_b, screw, helix);
        // Beyond the step the bound grows.
        let bend = gap.bend() * window[1].max(1.0).powi(2);
        all_roots(&gap, window, bend, PASSING * self.pixel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{Polygons, Polyhedron};
    use crate::motion::{Motion, Pose, Step};
    use glam::DQuat;

    fn block() -> Collider {
        let corner = |i: u32| [0, 1, 2].map(|axis| f64::from(i >> axis & 1) - 0.5);
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        Collider::new(Polyhedron::new(&Polygons::new((0..8).map(corner), faces)).unwrap())
    }

    #[test]
    fn edges_that_are_proper_at_a_time_are_not_left_out_half_way() {
        let [a, b] = [block(), block()];
        let [mut proper, mut left_out] = [0, 0];
        for i in 0..60 {
            let number = f64::from(i);
            let axis = DVec3::new(number.sin(), (2.0 * number).cos(), 0.3).normalize();
            let turn = |angle: f64| DQuat::from_axis_angle(axis, angle);
            let start = Pose::new([2.0, 0.0, 0.0], turn(0.7 * number)).unwrap();
            let end = Pose::new([0.5, 0.2, 0.0], turn(0.7 * number + 0.04 * number)).unwrap();
            let step = Step::new(Motion::still(Pose::IDENTITY), Motion::between(start, end));
            let relative = Relative::new(&step.part(0), &a, &b);
            let mut judge = Judge {
                a: &a,
                b: &b,
                relative: &relative,
                angle: relative.screw.angle(),
                half_way: relative.turned_at(0.5),
                min_properness: 0.0,
                pixel: 0.1,
                outside: 0.5,
                window: [0.0, 1.0],
                time_resolution: 0.01,
                steps_per_pixel: 0.1,
                entries: &mut Vec::new(),
                facing: None,
                marked: None,
            };
            for least in [-0.5, -0.1, 0.0, 0.3] {
                judge.min_properness = least;
                for pair in (0..12).flat_map(|ea| (0..12).map(move |eb| [ea, eb])) {
                    let may_be = judge.edges_may_be_proper(pair);
                    let mut times = (0..=20).map(|k| 0.05 * f64::from(k));
                    let is = times.any(|time| judge.are_proper_at(pair, time));
                    assert!(may_be || !is, "{i} {least} {pair:?}");
                    proper += u32::from(is);
                    left_out += u32::from(!may_be);
                }
            }
        }
        assert!(proper > 1000 && left_out > 1000, "{proper} {left_out}");
    }
}
