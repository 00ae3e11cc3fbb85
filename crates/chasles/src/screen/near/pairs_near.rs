//! Robust mode: every pair of features that comes within a pixel [Buss04 §10].
//!
//! The screen shows what crosses on it. What slides along, passes by or stops short leaves no
//! crossing, or one at a time far off, however wide pixels are drawn: a face that is a half pixel
//! off and slides is seen edge-on. So robust mode looks for near misses in space, where a pixel is
//! a length. Both trees are walked together for slices of the part so short that boxes hardly turn
//! in them; the features of leaves that come near each other are asked for their
//! [closest approach](super::closest).
//!
//! Differs from [Buss04 §10]: the paper widens what counts as the same pixel.

use glam::{DMat3, DVec3};

use crate::bounds::{Aabb, Collider, Node};
use crate::contact::{Met, Pair};
use crate::screen::judging::judge::{Judge, UNSEEN};
use crate::screen::near::closest::{Closest, Passage, Placed, SAME};
use crate::screen::near::over_edge::EdgeOverEdge;
use crate::screen::near::over_face::VertexOverFace;
use crate::screen::options::ScreenError;

/// A pair of features that comes near.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Near {
    /// As long as the search goes on, the features that were compared; then what meets there, which
    /// may be a coincidence that is not resolved yet.
    pub(in crate::screen) pair: Pair,
    pub(in crate::screen) closest: Closest,
}

/// Memory that is reused by the next query.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Scratch {
    stack: Vec<[u32; 2]>,
    /// Edges of two leaves that come near each other's boxes.
    edges: [Vec<Segment>; 2],
    pub(in crate::screen) near: Vec<Near>,
}

/// An edge of a leaf.
#[derive(Clone, Copy, Debug)]
struct Segment {
    edge: u32,
    /// In the local coordinates of its body.
    ends: [DVec3; 2],
    /// Around its way in the slice, in A's coordinates.
    around: Aabb,
}

/// A short part of the motion.
struct Slice {
    span: [f64; 2],
    half: f64,
    /// B in A's coordinates in the middle, and A in B's.
    placed: [Placed; 2],
    /// Turns sizes of boxes of B into A's axes.
    sizes: DMat3,
}

/// A box of B in A's coordinates, with its way in a slice.
struct Swept {
    centre: DVec3,
    /// From the middle to the end of the slice.
    half_way: DVec3,
    /// The distance at which it is near, with all that it turns.
    reach: f64,
}

/// How much a body turns in a slice at most, in radians: boxes then grow by an eighth of their
/// size.
const TURN: f64 = 0.25;

/// How far a path departs from its chord in a slice at most, relative to the smaller body.
const BEND: f64 = 0.02;

/// Within this many pixels of an edge or a vertex a pair is taken for one of that edge or vertex.
/// Its distance is known, so this only joins what is at one place.
const BORDER: f64 = 0.1;

/// So many slices at most: finer ones are made where features come near.
const MOST_SLICES: f64 = 64.0;

/// So many near pairs are kept before those of the same features are merged.
const MANY: usize = 1 << 12;

/// Finds near features.
pub(in crate::screen) struct Finder<'q> {
    bodies: [&'q Collider; 2],
    judge: &'q Judge<'q>,
    passages: [Passage<'q>; 2],
    reach: f64,
    scratch: &'q mut Scratch,
    many: usize,
    compared: usize,
}

impl<'q> Finder<'q> {
    pub(in crate::screen) fn new(judge: &'q Judge<'q>, scratch: &'q mut Scratch) -> Self {
        let passages = Passage::both(judge.relative);
        let bodies = [judge.a, judge.b];
        Self { bodies, judge, passages, reach: judge.pixel, scratch, many: MANY, compared: 0 }
    }

    /// Finds all pairs, each once and at its closest; how many were compared. More than `limit` are
    /// too many.
    pub(in crate::screen) fn find(mut self, limit: usize) -> Result<usize, ScreenError> {
        self.scratch.near.clear();
        let count = self.slices();
        for i in 0..count {
            let span = [i, i + 1].map(|k| f64::from(k) / f64::from(count));
            self.walk(&self.slice(span), limit)?;
        }
        self.merge();
        self.place();
        self.merge();
        self.check(limit)?;
        Ok(self.compared)
    }

    fn slices(&self) -> u32 {
        let screw = &self.judge.relative.screw;
        let speed = self.judge.pixel / self.judge.steps_per_pixel;
        let radii = self.bodies.map(|body| body.nodes()[0].half.length());
        let size = radii[0].min(radii[1]).max(self.reach);
        let by_bend = (screw.angle() * speed / (8.0 * BEND * size)).sqrt();
        (screw.angle() / TURN).max(by_bend).ceil().clamp(1.0, MOST_SLICES) as u32
    }

    fn slice(&self, span: [f64; 2]) -> Slice {
        let middle = 0.5 * (span[0] + span[1]);
        let placed = self.passages.map(|passage| passage.at(middle));
        let DMat3 { x_axis, y_axis, z_axis } = placed[0].turned;
        let sizes = DMat3::from_cols(x_axis.abs(), y_axis.abs(), z_axis.abs());
        Slice { span, half: 0.5 * (span[1] - span[0]), placed, sizes }
    }

    /// Walks both trees.
    fn walk(&mut self, slice: &Slice, limit: usize) -> Result<(), ScreenError> {
        let nodes = self.bodies.map(|body| body.nodes());
        self.scratch.stack.clear();
        self.scratch.stack.push([0, 0]);
        while let Some([i, j]) = self.scratch.stack.pop() {
            let [p, q] = [&nodes[0][i as usize], &nodes[1][j as usize]];
            let swept = self.swept(slice, q);
            if !meets(slice, p, q, &swept) {
                continue;
            }
            if p.is_leaf() && q.is_leaf() {
                self.leaves(slice, [p, q], &swept);
                self.limit(limit)?;
            } else if q.is_leaf() || (!p.is_leaf() && p.half.max_element() >= q.half.max_element())
            {
                self.scratch.stack.extend([[p.child, j], [p.child + 1, j]]);
            } else {
                self.scratch.stack.extend([[i, q.child], [i, q.child + 1]]);
            }
        }
        Ok(())
    }

    /// Merges pairs when there are many.
    fn limit(&mut self, limit: usize) -> Result<(), ScreenError> {
        if self.scratch.near.len() > self.many {
            self.merge();
            self.many = MANY.max(2 * self.scratch.near.len());
            self.check(limit)?;
        }
        Ok(())
    }

    fn check(&self, limit: usize) -> Result<(), ScreenError> {
        let is_few = self.scratch.near.len() <= limit;
        let error = ScreenError::TooManyRecords { limit, pixel: self.judge.pixel };
        if is_few { Ok(()) } else { Err(error) }
    }

    /// Puts down where on its features each pair is closest, which may be a vertex or an edge of
    /// them, or a face behind a seam.
    fn place(&mut self) {
        let mut near = std::mem::take(&mut self.scratch.near);
        near.retain_mut(|near| {
            let placed = self.placed(near);
            *near = placed.unwrap_or(*near);
            placed.is_some()
        });
        self.scratch.near = near;
    }

    fn placed(&self, near: &Near) -> Option<Near> {
        let &Near { pair: Pair { met, a, b }, closest } = near;
        let closest = self.judge.sharpest(near.pair, closest);
        let Closest { time, gap } = closest;
        // Features that touch are those that do.
        let touches = self.judge.seen(gap) == 0.0;
        let border = if touches { UNSEEN } else { BORDER } * self.reach;
        let Some(over) = VertexOverFace::of(near.pair, self.bodies, &self.passages) else {
            let places = self.over_edge([a, b]).places(time);
            let pair = self.judge.pair_at_edges([a, b], places, border);
            return Some(Near { pair, closest });
        };
        let from_a = met == Met::VertexFace;
        let vertex = if from_a { a } else { b };
        let seam = UNSEEN * self.reach;
        let (mut face, mut place) = over.place(time, [border, seam]);
        let mut gap = gap;
        if face != over.face {
            let behind = VertexOverFace { face, ..over };
            gap = behind.gap(time);
            if self.judge.seen(gap) == 0.0 {
                (face, place) = behind.place(time, [seam; 2]);
            }
        }
        let pair = self.judge.pair_at_vertex(from_a, [vertex, face], place)?;
        Some(Near { pair, closest: Closest { time, gap } })
    }

    fn over_edge(&self, [a, b]: [u32; 2]) -> EdgeOverEdge<'_> {
        let [still, moving] = [ends_of(self.bodies[0], a), ends_of(self.bodies[1], b)];
        EdgeOverEdge { passage: &self.passages[0], still, moving }
    }

    /// Leaves each pair once, at its closest approach; the earliest of several, or the first that
    /// touches.
    fn merge(&mut self) {
        let same = SAME * self.reach;
        let touches = |near: &Near| self.judge.seen(near.closest.gap) == 0.0;
        let near = &mut self.scratch.near;
        near.sort_unstable_by(|p, q| {
            p.pair.cmp(&q.pair).then(p.closest.time.total_cmp(&q.closest.time))
        });
        near.dedup_by(|next, kept| {
            let is_same = next.pair == kept.pair;
            let is_closer = next.closest.gap < kept.closest.gap - same;
            if is_same && (is_closer || touches(next) && !touches(kept)) {
                *kept = *next;
            }
            is_same
        });
    }

    #[inline]
    fn swept(&self, slice: &Slice, q: &Node) -> Swept {
        let centre = slice.placed[0].point(q.centre);
        let velocity = self.passages[0].screw.flow(centre);
        let error = self.passages[0].error(q.half.length(), velocity, slice.half);
        Swept { centre, half_way: slice.half * velocity, reach: self.reach + error }
    }

    fn leaves(&mut self, slice: &Slice, [p, q]: [&Node; 2], swept: &Swept) {
        self.vertices(false, slice, [q, p]);
        self.vertices(true, slice, [p, q]);
        self.edges(slice, [p, q], swept);
    }

    /// Vertices of one leaf, A's if `from_a`, over the faces of the other.
    fn vertices(&mut self, from_a: bool, slice: &Slice, [moving, still]: [&Node; 2]) {
        let [body, other] = if from_a { [1, 0] } else { [0, 1] }.map(|i| self.bodies[i]);
        let passage = &self.passages[usize::from(from_a)];
        let placed = &slice.placed[usize::from(from_a)];
        let least = self.judge.min_properness;
        let wanted = |v: &u32| other.is_corner(*v) && other.best_properness(*v) >= least;
        for vertex in moving.vertices.clone().filter(wanted) {
            let local = other.local(vertex);
            let x = placed.point(local);
            let velocity = passage.screw.flow(x);
            let reach = self.reach + passage.error(0.0, velocity, slice.half);
            let half_way = slice.half * velocity;
            let room = still.half + half_way.abs() + DVec3::splat(reach);
            if !(x - still.centre).abs().cmple(room).all() {
                continue;
            }
            for face in still.faces.clone() {
                let normal = body.mesh().normal(face);
                let height = normal.dot(x - body.face_local(face)).abs();
                if height > reach + normal.dot(half_way).abs() {
                    continue;
                }
                self.compared += 1;
                let over = VertexOverFace { passage, vertex: local, body, face };
                let closest = over.closest(slice.span, self.reach);
                let pair = match from_a {
                    true => Pair { met: Met::VertexFace, a: vertex, b: face },
                    false => Pair { met: Met::FaceVertex, a: face, b: vertex },
                };
                self.scratch.near.extend(closest.map(|closest| Near { pair, closest }));
            }
        }
    }

    fn edges(&mut self, slice: &Slice, [p, q]: [&Node; 2], swept: &Swept) {
        self.gather(slice, [p, q], swept);
        let [of_a, of_b] = &self.scratch.edges;
        for one in of_a {
            for other in of_b.iter().filter(|other| one.around.overlaps(&other.around)) {
                self.compared += 1;
                let passage = &self.passages[0];
                let over = EdgeOverEdge { passage, still: one.ends, moving: other.ends };
                let closest = over.closest(slice.span, self.reach);
                let pair = Pair { met: Met::EdgeEdge, a: one.edge, b: other.edge };
                self.scratch.near.extend(closest.map(|closest| Near { pair, closest }));
            }
        }
    }

    /// Collects the edges of both leaves that come near the other's box.
    fn gather(&mut self, slice: &Slice, [p, q]: [&Node; 2], swept: &Swept) {
        let [a, b] = self.bodies;
        let [of_a, of_b] = &mut self.scratch.edges;
        let ridges = |body: &'q Collider, node: &Node| {
            node.edges.clone().filter(move |&edge| body.is_ridge(edge))
        };
        let room = slice.sizes * q.half + swept.half_way.abs() + DVec3::splat(swept.reach);
        let of_q = Aabb { low: swept.centre - room, high: swept.centre + room };
        of_a.clear();
        of_a.extend(ridges(a, p).filter_map(|edge| {
            let ends = ends_of(a, edge);
            let around = Aabb::around(ends);
            around.overlaps(&of_q).then_some(Segment { edge, ends, around })
        }));
        let of_p = Aabb { low: p.centre - p.half, high: p.centre + p.half };
        of_b.clear();
        if of_a.is_empty() {
            return;
        }
        of_b.extend(ridges(b, q).filter_map(|edge| {
            let ends = ends_of(b, edge);
            let placed = ends.map(|end| slice.placed[0].point(end));
            let velocity = self.passages[0].screw.flow(0.5 * (placed[0] + placed[1]));
            let half_edge = 0.5 * (placed[1] - placed[0]);
            let error = self.passages[0].error_of_edge(half_edge, velocity, slice.half);
            let room = slice.half * velocity.abs() + DVec3::splat(self.reach + error);
            let around = Aabb::around(placed).grown(room);
            around.overlaps(&of_p).then_some(Segment { edge, ends, around })
        }));
    }
}

fn ends_of(body: &Collider, edge: u32) -> [DVec3; 2] {
    body.mesh().edge(edge).map(|v| body.local(v))
}

/// Whether a box of A comes near a box of B in a slice: by the axes of both, and by those across
/// the motion.
fn meets(slice: &Slice, p: &Node, q: &Node, swept: &Swept) -> bool {
    let &Swept { centre, half_way, reach } = swept;
    let between = centre - p.centre;
    let room = p.half + slice.sizes * q.half + half_way.abs() + DVec3::splat(reach);
    if !between.abs().cmple(room).all() {
        return false;
    }
    let back = slice.placed[0].turned.transpose();
    let way = (back * half_way).abs();
    let room = q.half + slice.sizes.transpose() * p.half + way + DVec3::splat(reach);
    if !(back * between).abs().cmple(room).all() {
        return false;
    }
    [DVec3::X, DVec3::Y, DVec3::Z].into_iter().all(|axis| {
        let across = half_way.cross(axis);
        let sizes = p.half.dot(across.abs()) + q.half.dot((back * across).abs());
        between.dot(across).abs() <= sizes + reach * across.length()
    })
}
