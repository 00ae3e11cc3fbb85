//! When and where a pair of features touches.
//!
//! A vertex touches a face when it is in the face's plane and inside the polygon; two edges touch
//! when their lines meet on both segments. Each root of a gap function is looked at once. What
//! lies on a border is a coincidence (EV, VE, VV of [Buss04 §5]) and is resolved later.

use glam::DVec3;

use super::cache::{Fixed, Lines};
use super::gaps::{LineGap, PlaneGap};
use super::locate::{OnSegment, Place, in_polygon, on_length};
use super::pairs::Candidate;
use super::query::Query;
use super::relative::{Relative, along};
use super::resolve::range;
use crate::numeric::HelixAt;
use crate::numeric::roots::{Root, Roots, all_roots, is_clear};

/// What meets what: a feature of A and one of B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Met {
    FaceVertex,
    VertexFace,
    EdgeEdge,
    EdgeVertex,
    VertexEdge,
    VertexVertex,
}

/// A pair of features, in the numbers of the colliders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pair {
    pub(crate) met: Met,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// One moment at which a pair touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// The smallest features that contain the point.
    pub(crate) pair: Pair,
    /// The pair whose gap function has the root.
    pub(crate) tested: Pair,
    pub(crate) root: Root,
}

/// Edges whose directions differ by less than this (sine) are parallel and never meet as edges;
/// their vertices do. Far above rounding (1e-15), and at this angle a crossing still has its place
/// on edges of ordinary length.
const PARALLEL: f64 = 1e-9;

/// Which body's vertex and which body's face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moving {
    A,
    B,
}

impl Query<'_> {
    /// Tests a vertex of one body against a face of the other.
    #[inline]
    pub(crate) fn vertex(&mut self, pair: &Candidate, moving: Moving) {
        let &Candidate { moving: vertex, fixed: face, window } = pair;
        let (mover, fixed) = match moving {
            Moving::A => (&mut self.a, &mut self.b),
            Moving::B => (&mut self.b, &mut self.a),
        };
        let plane = fixed.plane(face);
        let spread = mover.spread(vertex);
        let mut k = spread.map(|v| plane.normal.dot(v));
        k[0] -= plane.offset;
        let relative = self.relative;
        let gap = PlaneGap { helix: &relative.helix, k };
        let [bend, noise] = [gap.bend(), relative.plane_noise];
        let half = 0.5 * (window[1] - window[0]);
        let middle = relative.helix.at(window[0] + half);
        if is_clear(gap.line_at(&middle), half, bend, noise)
            || self.is_improper_vertex(pair, moving, &middle, half)
        {
            return;
        }
        match all_roots(&gap, window, bend, noise) {
            Roots::Always => self.slide(vertex, face, moving, &spread),
            roots => {
                for &root in roots.as_slice() {
                    self.place_vertex(vertex, face, moving, (&spread, root));
                }
            }
        }
    }

    /// Whether the properness is too low during the whole window: it changes no faster than the
    /// bodies turn.
    #[inline]
    fn is_improper_vertex(
        &mut self,
        pair: &Candidate,
        moving: Moving,
        middle: &HelixAt,
        half: f64,
    ) -> bool {
        let least = self.options.min_properness - self.relative.angle * half;
        if least <= -1.0 {
            return false;
        }
        let [low, high] = match moving {
            Moving::B => {
                let normal = self.a.plane(pair.fixed).normal;
                let in_b = self.b.unplace_vector(self.relative.turn(normal, middle, -1.0));
                range(self.b.collider.rays(pair.moving).iter().map(|ray| ray.dot(in_b)))
            }
            Moving::A => {
                let normal = self.relative.turn(self.b.plane(pair.fixed).normal, middle, 1.0);
                range(self.a.collider.rays(pair.moving).iter().map(|ray| ray.dot(normal)))
            }
        };
        let fixed = if moving == Moving::B { &self.a } else { &self.b };
        low < least && (-high < least || !fixed.collider.mesh().is_two_sided(pair.fixed))
    }

    /// Where a vertex that is in the plane of a face at a root lies in the face.
    fn place_vertex(
        &mut self,
        vertex: u32,
        face: u32,
        moving: Moving,
        (spread, root): (&[DVec3; 4], Root),
    ) {
        let at = self.relative.helix.at(root.time);
        let fixed = if moving == Moving::B { &mut self.a } else { &mut self.b };
        let normal = fixed.plane(face).normal;
        let mesh = fixed.collider.mesh();
        let corners = mesh.face(face);
        let width = root.bracket[1] - root.bracket[0];
        let tolerance = self.relative.tolerance + width * spread[1].length();
        let place = in_polygon(
            along(spread, &at),
            normal,
            |i| fixed.point(corners[i]),
            corners.len(),
            tolerance,
        );
        let feature = match place {
            Place::Outside => return,
            Place::Inside => face,
            Place::Edge(i) => mesh.face_edges(face)[i],
            Place::Corner(i) => corners[i],
        };
        let pair = |met_of_b: Met, met_of_a: Met, feature: u32| match moving {
            Moving::B => Pair { met: met_of_b, a: feature, b: vertex },
            Moving::A => Pair { met: met_of_a, a: vertex, b: feature },
        };
        let tested = pair(Met::FaceVertex, Met::VertexFace, face);
        let pair = match place {
            Place::Edge(_) => pair(Met::EdgeVertex, Met::VertexEdge, feature),
            Place::Corner(_) => pair(Met::VertexVertex, Met::VertexVertex, feature),
            _ => tested,
        };
        self.touches.push(Touch { pair, tested, root });
    }

    /// A vertex that stays in the plane of a face: the earliest time at which it is in the face.
    /// It enters through an edge, when it is in the plane that stands on that edge.
    fn slide(&mut self, vertex: u32, face: u32, moving: Moving, spread: &[DVec3; 4]) {
        let fixed = if moving == Moving::B { &mut self.a } else { &mut self.b };
        let normal = fixed.plane(face).normal;
        let corners = fixed.collider.mesh().face(face);
        self.times.clear();
        self.times.push(0.0);
        for (i, &corner) in corners.iter().enumerate() {
            let [p, q] = [fixed.point(corner), fixed.point(corners[(i + 1) % corners.len()])];
            let upright = normal.cross(q - p).normalize_or_zero();
            add_times(self.times, self.relative, spread, (upright, p));
        }
        self.times.sort_unstable_by(f64::total_cmp);
        let found = self.touches.len();
        for i in 0..self.times.len() {
            let time = self.times[i];
            let root = Root { time, bracket: [time, time], grazing: true };
            self.place_vertex(vertex, face, moving, (spread, root));
            if self.touches.len() > found {
                return;
            }
        }
    }

    /// Tests an edge of B against an edge of A.
    #[inline]
    pub(crate) fn edges(&mut self, pair: &Candidate) {
        let &Candidate { moving: eb, fixed: ea, window } = pair;
        let lines = self.b.lines(eb);
        let fixed = self.a.fixed(ea);
        let side = |line: &[DVec3; 2]| -(fixed.along.dot(line[1]) + fixed.moment.dot(line[0]));
        let relative = self.relative;
        let gap = LineGap { helix: &relative.helix, k: lines.lines.each_ref().map(side) };
        let [bend, noise] = [gap.bend(), relative.line_noise * fixed.length * lines.length];
        let half = 0.5 * (window[1] - window[0]);
        let middle = relative.helix.at(window[0] + half);
        if is_clear(gap.line_at(&middle), half, bend, noise)
            || self.are_improper_edges([ea, eb], (&fixed, &lines), &middle, half)
        {
            return;
        }
        match all_roots(&gap, window, bend, noise) {
            Roots::Always => self.slide_edges(ea, eb, &fixed, &lines),
            roots => {
                for &root in roots.as_slice() {
                    self.place_edges(ea, eb, &fixed, (&lines, root));
                }
            }
        }
    }

    /// Whether the properness is too low during the whole window.
    ///
    /// The normal is the unit vector along the product of the two directions, of which one turns
    /// at rate `theta`: it changes by at most `theta / sine` a step, and the wings of B by `theta`.
    #[inline]
    fn are_improper_edges(
        &mut self,
        [ea, eb]: [u32; 2],
        (fixed, lines): (&Fixed, &Lines),
        middle: &HelixAt,
        half: f64,
    ) -> bool {
        let least = self.options.min_properness;
        if least <= -1.0 {
            return false;
        }
        let across = fixed.along.cross(self.relative.turn(lines.lines[0][0], middle, 1.0));
        let length = across.length();
        let turn = self.relative.angle * half;
        let sine = length / (fixed.length * lines.length) - turn;
        let change = turn * (1.0 + 1.0 / sine);
        if sine.is_nan() || sine <= turn || least - change <= -1.0 {
            return false;
        }
        let normal = across / length;
        let in_b = self.b.unplace_vector(self.relative.turn(normal, middle, -1.0));
        let [low, high] = self.edge_range([ea, eb], normal, in_b);
        low.max(-high) < least - change
    }

    /// Where two lines that meet at a root meet on their segments.
    fn place_edges(&mut self, ea: u32, eb: u32, fixed: &Fixed, (lines, root): (&Lines, Root)) {
        let at = self.relative.helix.at(root.time);
        let spread = self.b.spread(self.b.collider.mesh().edge(eb)[0]);
        let from = along(&spread, &at) - fixed.from;
        let moved = self.relative.turn(lines.lines[0][0], &at, 1.0);
        let across = fixed.along.cross(moved);
        let across_sq = across.length_squared();
        let sine = across_sq.sqrt() / (fixed.length * lines.length);
        if sine.is_nan() || sine < PARALLEL {
            return;
        }
        let fa = from.cross(moved).dot(across) / across_sq;
        let fb = from.cross(fixed.along).dot(across) / across_sq;
        let speed = self.relative.screw.flow(fixed.from + fa * fixed.along).length();
        let width = root.bracket[1] - root.bracket[0];
        let tolerance = (self.relative.tolerance + width * speed) / sine;
        let on_a = on_length(fa, fixed.length, tolerance);
        let on_b = on_length(fb, lines.length, tolerance);
        let [[a0, a1], [b0, b1]] =
            [self.a.collider.mesh().edge(ea), self.b.collider.mesh().edge(eb)];
        let end = |on: OnSegment, e: u32, ends: [u32; 2]| match on {
            OnSegment::Off => None,
            OnSegment::Between => Some((false, e)),
            OnSegment::First => Some((true, ends[0])),
            OnSegment::Second => Some((true, ends[1])),
        };
        let (Some((corner_a, a)), Some((corner_b, b))) =
            (end(on_a, ea, [a0, a1]), end(on_b, eb, [b0, b1]))
        else {
            return;
        };
        let met = match (corner_a, corner_b) {
            (false, false) => Met::EdgeEdge,
            (false, true) => Met::EdgeVertex,
            (true, false) => Met::VertexEdge,
            (true, true) => Met::VertexVertex,
        };
        let tested = Pair { met: Met::EdgeEdge, a: ea, b: eb };
        self.touches.push(Touch { pair: Pair { met, a, b }, tested, root });
    }

    /// Two edges whose lines always meet: the earliest time at which the segments do. Apart from
    /// the start, that is when an end of one comes to lie on the other.
    fn slide_edges(&mut self, ea: u32, eb: u32, fixed: &Fixed, lines: &Lines) {
        let [p, q] = self.b.collider.mesh().edge(eb).map(|v| self.b.point(v));
        self.times.clear();
        self.times.push(0.0);
        let standing = [fixed.from, fixed.from + fixed.along];
        for end in [p, q] {
            let spread = self.relative.spread(end, 1.0);
            add_times_on_line(self.times, self.relative, &spread, standing);
        }
        for end in standing {
            let spread = self.relative.spread(end, -1.0);
            add_times_on_line(self.times, self.relative, &spread, [p, q]);
        }
        self.times.sort_unstable_by(f64::total_cmp);
        let found = self.touches.len();
        for i in 0..self.times.len() {
            let time = self.times[i];
            let root = Root { time, bracket: [time, time], grazing: true };
            self.place_edges(ea, eb, fixed, (lines, root));
            if self.touches.len() > found {
                return;
            }
        }
    }
}

/// Adds the times at which a path crosses the plane through a point with this unit normal.
fn add_times(
    times: &mut Vec<f64>,
    relative: &Relative,
    spread: &[DVec3; 4],
    (normal, point): (DVec3, DVec3),
) {
    let helix = &relative.helix;
    let k = [spread[0] - point, spread[1], spread[2], spread[3]].map(|v| normal.dot(v));
    let gap = PlaneGap { helix, k };
    let roots = all_roots(&gap, [0.0, 1.0], gap.bend(), relative.plane_noise);
    times.extend(roots.as_slice().iter().map(|root| root.time));
}

/// Adds the times at which a path can meet the line through two points or pass its ends.
fn add_times_on_line(
    times: &mut Vec<f64>,
    relative: &Relative,
    spread: &[DVec3; 4],
    [p, q]: [DVec3; 2],
) {
    let Some(direction) = (q - p).try_normalize() else { return };
    let (u, v) = direction.any_orthonormal_pair();
    for (normal, point) in [(u, p), (v, p), (direction, p), (direction, q)] {
        add_times(times, relative, spread, (normal, point));
    }
}
