//! Which of the pairs that share a pixel touch: properness first, then the exact place.
//!
//! Properness is that of [Buss04 §5] as `screw` reports it: for a face and a vertex the least
//! `e_i . n` over the unit vectors along the vertex's edges; for two edges the least of `-n . wing`
//! over A's wings and `n . wing` over B's, a wing being the unit vector from an edge into a face.
//! It depends on time only through the turn of the bodies, so a guess of the time decides most
//! pairs before Newton's method is asked.
//!
//! What comes within half a pixel of an edge or a vertex is put down as EV, VE or VV, and resolved
//! into a face and a vertex later.

use glam::DVec3;

use super::locate::{Place, closest_on_lines, meet_plane, place_in_face};
use super::relative::Relative;
use crate::bounds::Collider;
use crate::contact::{Met, Pair, Terms};
use crate::numeric::HelixAt;

/// A meeting that is not resolved yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) pair: Pair,
    pub(super) time: f64,
    /// Whether Newton's method found the time; if not, it is what the pixels say.
    pub(super) settled: bool,
}

/// A time that the pixels suggest, and how far off it may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guess {
    pub(super) time: f32,
    pub(super) slack: f32,
}

/// When two edges cross, and where on each, as fractions.
struct Crossing {
    time: f64,
    at: [f64; 2],
    settled: bool,
}

/// Judges pairs of features and keeps those that meet.
pub(super) struct Judge<'q> {
    pub(super) a: &'q Collider,
    pub(super) b: &'q Collider,
    pub(super) relative: &'q Relative,
    pub(super) angle: f64,
    pub(super) min_properness: f64,
    pub(super) pixel: f64,
    /// Whether near misses count too.
    pub(super) robust: bool,
    /// How far outside a face a vertex may pass, in pixels.
    pub(super) outside: f64,
    /// Collision times that count.
    pub(super) window: [f64; 2],
    pub(super) time_resolution: f32,
    /// How long the motion takes for a pixel; many steps, where it is slow.
    pub(super) steps_per_pixel: f64,
    pub(super) entries: &'q mut Vec<Entry>,
    /// If given, faces that may meet are only marked, A's and B's.
    pub(super) marked: Option<[&'q mut Vec<bool>; 2]>,
}

/// Within this many pixels a meeting is at the edge or vertex.
const NEAR: f64 = 0.5;

/// A guess that may be off by more than this part of the step is tried in several places.
const SHARP: f64 = 0.01;

/// Places at most.
const MOST_STARTS: u32 = 9;

/// Where edges graze, times from pixels can be off by this part of the step.
const FAR_OFF: f64 = 0.1;

impl Judge<'_> {
    /// The terms for a face of A, or of B if `from_a` (the vertex is A's), at a time.
    #[inline]
    fn face_terms(&self, from_a: bool, vertex: u32, face: u32, at: &HelixAt) -> Terms {
        if from_a {
            let outward = self.relative.turned * self.b.mesh().normal(face);
            let outward = self.relative.screw.turn(outward, at, 1.0);
            Terms::of(self.a.rays(vertex).iter().map(|ray| ray.dot(outward)))
        } else {
            let in_b = self.relative.in_b(self.a.mesh().normal(face), at);
            Terms::of(self.b.rays(vertex).iter().map(|ray| ray.dot(in_b)))
        }
    }

    /// Judges a vertex (A's if `from_a`) and a face of the other body.
    pub(super) fn vertex(&mut self, from_a: bool, vertex: u32, face: u32, guess: Guess) {
        let bodies = if from_a { [self.a, self.b] } else { [self.b, self.a] };
        if bodies[0].best_properness(vertex) < self.min_properness {
            return;
        }
        let has_outside = !bodies[1].mesh().is_two_sided(face);
        let time = f64::from(guess.time).clamp(0.0, 1.0);
        let terms = self.face_terms(from_a, vertex, face, &self.relative.helix.at(time));
        let doubt = self.angle * f64::from(2.0 * guess.slack + self.time_resolution);
        if terms.properness(has_outside) < self.min_properness - doubt {
            return;
        }
        if self.marked.is_some() {
            let at_vertex = bodies[0].mesh().vertex_faces(vertex).iter().copied();
            self.mark(usize::from(!from_a), at_vertex);
            return self.mark(usize::from(from_a), [face].into_iter());
        }
        // A face that bends much on the screen may have another root nearer to the guess.
        let [time, slack] = [guess.time, guess.slack].map(f64::from);
        let [first, last] =
            [(time - slack).max(self.window[0]), (time + slack).min(self.window[1])];
        let more = ((slack / SHARP).ceil() as u32).min(MOST_STARTS);
        let others = (0..more).map(|i| first + (last - first) * f64::from(i) / f64::from(more - 1));
        let starts = std::iter::once(time).chain(others.filter(|_| more > 1));
        let is_met = |&(time, place): &(f64, Place)| {
            let in_window = (self.window[0]..=self.window[1]).contains(&time);
            in_window && place.margin >= -self.outside * self.pixel
        };
        let mut meetings = starts.filter_map(|start| self.meet_face(from_a, vertex, face, start));
        let Some((time, place)) = meetings.find(is_met) else { return };
        let terms = self.face_terms(from_a, vertex, face, &self.relative.helix.at(time));
        if terms.properness(has_outside) >= self.min_properness {
            self.put_down(from_a, vertex, face, (time, place));
        }
    }

    /// Marks faces of A (0) or B (1).
    fn mark(&mut self, body: usize, faces: impl Iterator<Item = u32>) {
        if let Some(marked) = &mut self.marked {
            faces.for_each(|face| marked[body][face as usize] = true);
        }
    }

    /// When a vertex meets the plane of a face from outside, and where in the face.
    pub(super) fn meet_face(
        &self,
        from_a: bool,
        vertex: u32,
        face: u32,
        guess: f64,
    ) -> Option<(f64, Place)> {
        let relative = self.relative;
        let tolerance = 1e-3 * self.pixel;
        if from_a {
            let spread = relative.screw.spread(self.a.local(vertex), -1.0);
            let normal = relative.turned * self.b.mesh().normal(face);
            let plane = (normal, relative.placed(self.b.face_local(face)));
            let (time, rate) = meet_plane(&relative.helix, &spread, plane, guess, tolerance)?;
            let met = relative.helix.at(time).along(&spread);
            let local = relative.turned.transpose() * (met - relative.offset);
            enters(self.b, face, rate).then(|| (time, place_in_face(self.b, face, local)))
        } else {
            let spread = relative.screw.spread(relative.placed(self.b.local(vertex)), 1.0);
            let plane = (self.a.mesh().normal(face), self.a.face_local(face));
            let (time, rate) = meet_plane(&relative.helix, &spread, plane, guess, tolerance)?;
            let met = relative.helix.at(time).along(&spread);
            enters(self.a, face, rate).then(|| (time, place_in_face(self.a, face, met)))
        }
    }

    fn put_down(&mut self, from_a: bool, vertex: u32, face: u32, (time, place): (f64, Place)) {
        let near = NEAR * self.pixel;
        let (of_face, of_edge) = if from_a {
            (Met::VertexFace, Met::VertexEdge)
        } else {
            (Met::FaceVertex, Met::EdgeVertex)
        };
        let (met, feature) = if place.margin.abs() > near && place.margin > 0.0 {
            (of_face, face)
        } else if place.corner_distance <= near {
            (Met::VertexVertex, place.corner)
        } else {
            (of_edge, place.edge)
        };
        let [a, b] = if from_a { [vertex, feature] } else { [feature, vertex] };
        self.entries.push(Entry { pair: Pair { met, a, b }, time, settled: true });
    }

    /// Judges two edges that cross on the screen.
    pub(super) fn edges(&mut self, [ea, eb]: [u32; 2], guess: f32) {
        let time = f64::from(guess).clamp(0.0, 1.0);
        let at = self.relative.helix.at(time);
        let along_b =
            self.relative.screw.turn(self.relative.turned * self.b.direction(eb), &at, 1.0);
        let Some(normal) = self.a.direction(ea).cross(along_b).try_normalize() else { return };
        let doubt = self.angle * f64::from(self.time_resolution);
        let terms = self.edge_terms([ea, eb], normal, &at);
        if terms.properness(false) < self.min_properness - doubt {
            return;
        }
        if self.marked.is_some() {
            self.mark(0, self.a.mesh().edge_sides(ea).iter().map(|side| side.face));
            return self.mark(1, self.b.mesh().edge_sides(eb).iter().map(|side| side.face));
        }
        let Some(Crossing { time, at: [u, v], settled }) =
            self.meet_edge([ea, eb], f64::from(guess))
        else {
            return;
        };
        if !(self.window[0]..=self.window[1]).contains(&time) {
            return;
        }
        let near = |body: &Collider, edge: u32, f: f64| {
            let length = body.edge_length_sq(edge).sqrt();
            let [p, q] = body.mesh().edge(edge);
            let (vertex, apart) = if f < 0.5 { (p, f * length) } else { (q, (1.0 - f) * length) };
            (apart <= NEAR * self.pixel).then_some(vertex)
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
        self.entries.push(Entry { pair: Pair { met, a, b }, time, settled });
    }

    /// The terms of eq. (7) for a normal at a time.
    #[inline]
    pub(super) fn edge_terms(&self, [ea, eb]: [u32; 2], normal: DVec3, at: &HelixAt) -> Terms {
        let in_b = self.relative.in_b(normal, at);
        let of_a = self.a.wings(ea).iter().map(|wing| -wing.dot(normal));
        let of_b = self.b.wings(eb).iter().map(|wing| wing.dot(in_b));
        Terms::of(of_a.chain(of_b))
    }

    /// Newton's method for two edges may leave the pixels' time by this much.
    fn far_off(&self) -> f64 {
        FAR_OFF.max(4.0 * self.steps_per_pixel)
    }

    /// The lines of two edges at a time: a point and the way to the other end.
    #[inline]
    pub(super) fn lines(&self, [ea, eb]: [u32; 2], at: &HelixAt) -> [[DVec3; 2]; 2] {
        let [p, q] = self.a.mesh().edge(ea).map(|v| self.a.local(v));
        let of_b = self.b.mesh().edge(eb).map(|v| self.relative.placed(self.b.local(v)));
        let [r, s] = of_b.map(|point| self.relative.moved(point, at));
        [[p, q - p], [r, s - r]]
    }

    /// When and where, as fractions, two edges meet: Newton's method from a guess. Where it does
    /// not settle near the guess, the guess is kept, as the paper does.
    fn meet_edge(&self, edges: [u32; 2], guess: f64) -> Option<Crossing> {
        // A slow motion is nearly straight for many steps, so any start will do.
        let start = guess.clamp(self.window[0], self.window[1]);
        let mut t = start;
        let mut settled = None;
        for _ in 0..6 {
            let at = self.relative.helix.at(t);
            let [of_a, of_b] = self.lines(edges, &at);
            let ([u, v], across) = closest_on_lines(of_a, of_b)?;
            let met = of_b[0] + v * of_b[1];
            let gap = (met - of_a[0]).dot(across);
            let late = gap / self.relative.screw.flow(met).dot(across);
            if !late.is_finite() || (t - late - guess).abs() > self.far_off() {
                break;
            }
            t -= late;
            if late.abs() < 1e-9 {
                settled = Some(Crossing { time: t, at: [u, v], settled: true });
                break;
            }
        }
        let slack = self.outside.max(NEAR) * self.pixel;
        let allowed = |body: &Collider, edge: u32, f: f64| {
            let slack = slack / body.edge_length_sq(edge).sqrt();
            f >= -slack && f <= 1.0 + slack
        };
        let is_on_both = |crossing: &Crossing| {
            let [u, v] = crossing.at;
            allowed(self.a, edges[0], u) && allowed(self.b, edges[1], v)
        };
        settled.filter(is_on_both).or_else(|| {
            let [of_a, of_b] = self.lines(edges, &self.relative.helix.at(start));
            let (fractions, _) = closest_on_lines(of_a, of_b)?;
            let at = fractions.map(|f| f.clamp(0.0, 1.0));
            Some(Crossing { time: start, at, settled: false })
        })
    }
}

/// Whether a vertex whose height over a face changes at this rate comes from outside.
fn enters(body: &Collider, face: u32, rate: f64) -> bool {
    rate <= 0.0 || body.mesh().is_two_sided(face)
}
