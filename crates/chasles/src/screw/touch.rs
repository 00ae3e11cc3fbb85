//! When and where a pair of features touches.
//!
//! A vertex touches a face when it is in the face's plane and inside the polygon; two edges touch
//! when their lines meet on both segments. Each root of a gap function is looked at once. What
//! lies on a border is a coincidence (EV, VE, VV of [Buss04 §5]) and is resolved later.

use glam::DVec3;
use wide::f64x2;

use super::pairs::Candidate;
use super::query::Query;
use super::relative::{Relative, WIDE};
use crate::contact::locate::{OnSegment, Place, in_polygon, on_length};
use crate::contact::{Met, Pair};
use crate::numeric::gaps::{HelixGap, LineGap, PlaneGap};
use crate::numeric::roots::{Root, Roots, all_roots};
use crate::numeric::twins::{Finding, monotone_roots, side_by_side};
use crate::numeric::{HelixAt, lower, upper};

/// One moment at which a pair touches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Touch {
    /// The smallest features that contain the point.
    pub(crate) pair: Pair,
    /// The pair whose gap function has the root.
    pub(crate) tested: Pair,
    pub(crate) root: Root,
    /// The motion at the root.
    pub(crate) at: HelixAt,
    /// Where, in A's local coordinates, for `tested`.
    pub(crate) point: DVec3,
    /// Unit normal of `tested` in A's axes, of either sign for edges.
    pub(crate) normal: DVec3,
    /// Whether the smallest features can touch from outside.
    pub(crate) touchable: bool,
}

/// Edges whose directions differ by less than this (sine) are parallel and never meet as edges;
/// their vertices do. Far above rounding (1e-15), and at this angle a crossing still has its place
/// on edges of ordinary length.
const PARALLEL: f64 = 1e-9;

/// Which body's vertex meets the other's face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moving {
    A,
    B,
}

/// A vertex on its way and a face that stands still, or two edges.
struct VertexTest<'t> {
    vertex: u32,
    face: u32,
    moving: Moving,
    spread: &'t [DVec3; 4],
}

/// One or two candidates, to be tested side by side.
#[derive(Clone, Copy)]
pub(crate) struct Twin<'c> {
    pub(crate) first: &'c Candidate,
    pub(crate) second: Option<&'c Candidate>,
}

impl<'c> Twin<'c> {
    /// A candidate and the one that waits for it; if none waits, it waits itself.
    #[inline]
    pub(crate) fn next(waiting: &mut Option<&'c Candidate>, pair: &'c Candidate) -> Option<Self> {
        match waiting.take() {
            Some(first) => Some(Self { first, second: Some(pair) }),
            None => {
                *waiting = Some(pair);
                None
            }
        }
    }

    #[inline]
    fn count(self) -> usize {
        1 + usize::from(self.second.is_some())
    }

    /// The second is the first again where there is none.
    #[inline]
    fn both(self) -> [&'c Candidate; 2] {
        [self.first, self.second.unwrap_or(self.first)]
    }

    #[inline]
    fn windows(self) -> [f64x2; 2] {
        let [first, second] = self.both();
        side_by_side([first.window, second.window])
    }
}

/// Terms of unit vectors are off by far less than this.
const TERM_ROUNDING: f64 = 1e-12;

impl Query<'_> {
    /// Whether a vertex of one body and a face of the other are worth a test.
    #[inline(always)]
    pub(crate) fn may_meet(&mut self, pair: &Candidate, moving: Moving) -> bool {
        !self.is_improper_vertex(pair, moving) && self.may_cover(pair, moving)
    }

    /// Whether the face may cover the vertex on the collision screen.
    #[inline(always)]
    fn may_cover(&mut self, pair: &Candidate, moving: Moving) -> bool {
        let (mover, fixed) = match moving {
            Moving::A => (&mut self.a, &mut self.b),
            Moving::B => (&mut self.b, &mut self.a),
        };
        let (spot, slack) = mover.spot(pair.moving);
        !self.is_one_turn || fixed.cover(pair.fixed).may_hold(spot, slack)
    }

    /// The touches of a vertex and a face, and of another vertex and face where one is given.
    #[inline(never)]
    pub(crate) fn vertex_roots(&mut self, pairs: Twin<'_>, moving: Moving) {
        let relative = self.relative;
        let (mover, fixed) = match moving {
            Moving::A => (&mut self.a, &mut self.b),
            Moving::B => (&mut self.b, &mut self.a),
        };
        let both = pairs.both();
        let first = *mover.spread(pairs.first.moving);
        let spreads = [first, pairs.second.map_or(first, |pair| *mover.spread(pair.moving))];
        let mut gap = |lane: usize| {
            let plane = fixed.plane(both[lane].fixed);
            let [x, v, w, z] = &spreads[lane];
            let n = plane.normal;
            [n.dot(*x) - plane.offset, n.dot(*v), n.dot(*w), n.dot(*z)]
        };
        let first = gap(0);
        let k = [first, if pairs.second.is_some() { gap(1) } else { first }];
        let gaps = PlaneGap { helix: &relative.helix, k: side_by_side(k) };
        let roots = monotone_roots(&gaps, pairs.windows(), relative.plane_noise);
        for lane in 0..pairs.count() {
            let &Candidate { moving: vertex, fixed: face, window } = both[lane];
            let test = VertexTest { vertex, face, moving, spread: &spreads[lane] };
            match roots.of(lane) {
                Finding::NoRoot => {}
                Finding::OneRoot(root, at) => self.settle_vertex(&test, root, &at),
                Finding::Unknown => self.all_vertex_roots(&test, k[lane], window),
            }
        }
    }

    /// The touches of a vertex and a face whose gap has these coefficients.
    #[cold]
    fn all_vertex_roots(&mut self, test: &VertexTest<'_>, k: [f64; 4], window: [f64; 2]) {
        let helix = &self.relative.helix;
        let gap = PlaneGap { helix, k };
        match all_roots(&gap, window, gap.bend(), self.relative.plane_noise) {
            Roots::Always => self.slide(test, window),
            roots => {
                for &root in roots.as_slice() {
                    self.settle_vertex(test, root, &helix.at(root.time));
                }
            }
        }
    }

    /// Places a vertex at a root. Where the root is so uncertain that the vertex may have passed a
    /// border meanwhile, it is looked for in the whole bracket.
    #[inline]
    fn settle_vertex(&mut self, test: &VertexTest<'_>, root: Root, at: &HelixAt) {
        if !self.place_vertex(test, root, at) && root.width() > WIDE {
            self.slide(test, root.bracket);
        }
    }

    /// Whether the properness is too low during the whole window: it changes no faster than the
    /// bodies turn.
    #[inline]
    fn is_improper_vertex(&mut self, pair: &Candidate, moving: Moving) -> bool {
        let least = self.options.min_properness;
        if least <= -1.0 {
            return false;
        }
        let (axes, turn) = self.turns.near(self.relative, pair.window);
        let (rays, normal, two_sided) = match moving {
            Moving::B => {
                let mesh = self.a.collider.mesh();
                let normal = axes.transpose() * mesh.normal(pair.fixed);
                (self.b.collider.rays(pair.moving), normal, mesh.is_two_sided(pair.fixed))
            }
            Moving::A => {
                let mesh = self.b.collider.mesh();
                let normal = *axes * mesh.normal(pair.fixed);
                (self.a.collider.rays(pair.moving), normal, mesh.is_two_sided(pair.fixed))
            }
        };
        let bound = least - turn;
        rays.iter().any(|ray| ray.dot(normal) < bound)
            && (!two_sided || rays.iter().any(|ray| -ray.dot(normal) < bound))
    }

    /// Where a vertex that is in the plane of a face at a root lies in the face; false if outside.
    fn place_vertex(&mut self, test: &VertexTest<'_>, root: Root, at: &HelixAt) -> bool {
        let &VertexTest { vertex, face, moving, spread } = test;
        let fixed = if moving == Moving::B { &mut self.a } else { &mut self.b };
        let normal = fixed.plane(face).normal;
        let mesh = fixed.collider.mesh();
        let corners = mesh.face(face);
        let point = at.along(spread);
        let tolerance = self.relative.tolerance_at(&root, || spread[1].length());
        let corner = |i: usize| fixed.placed(corners[i]);
        let place = in_polygon(point, normal, corner, corners.len(), tolerance);
        if place == Place::Outside {
            return false;
        }
        let (point, normal) = match moving {
            Moving::B => (point, normal),
            Moving::A => (spread[0], -self.relative.screw.turn(normal, at, 1.0)),
        };
        if place == Place::Inside && self.is_plain(&root) {
            let found = match moving {
                Moving::B => self.with_face_of_a([face, vertex], root, at, (point, normal)),
                Moving::A => self.with_face_of_b([vertex, face], root, (point, normal)),
            };
            self.keep_wanted(found);
        } else {
            let tested = self.held(test, Place::Inside);
            let smallest = self.held(test, place);
            let pair = if root.is_lasting() { tested } else { smallest };
            let touchable = self.is_touchable(&smallest);
            self.report(Touch { pair, tested, root, at: *at, point, normal, touchable });
        }
        true
    }

    /// The vertex and the smallest feature of the face that contains it.
    #[cold]
    fn held(&self, test: &VertexTest<'_>, place: Place) -> Pair {
        let &VertexTest { vertex, face, moving, .. } = test;
        let fixed = if moving == Moving::B { &self.a } else { &self.b };
        let mesh = fixed.collider.mesh();
        let ([met_of_b, met_of_a], feature) = match place {
            Place::Edge(i) => ([Met::EdgeVertex, Met::VertexEdge], mesh.face_edges(face)[i]),
            Place::Corner(i) => ([Met::VertexVertex; 2], mesh.face(face)[i]),
            _ => ([Met::FaceVertex, Met::VertexFace], face),
        };
        match moving {
            Moving::B => Pair { met: met_of_b, a: feature, b: vertex },
            Moving::A => Pair { met: met_of_a, a: vertex, b: feature },
        }
    }

    /// A vertex that stays in the plane of a face: the earliest time at which it is in the face.
    /// It enters through an edge, when it is in the plane that stands on that edge; what it meets
    /// there besides the face is seen by other tests.
    #[cold]
    fn slide(&mut self, test: &VertexTest<'_>, window: [f64; 2]) {
        let fixed = if test.moving == Moving::B { &mut self.a } else { &mut self.b };
        let normal = fixed.plane(test.face).normal;
        let corners = fixed.collider.mesh().face(test.face);
        self.times.clear();
        self.times.push(window[0]);
        for (i, &corner) in corners.iter().enumerate() {
            let [p, q] = [fixed.placed(corner), fixed.placed(corners[(i + 1) % corners.len()])];
            let upright = normal.cross(q - p).normalize_or_zero();
            add_times(self.times, self.relative, test.spread, (upright, p));
        }
        self.sort_times(window);
        for i in 0..self.times.len() {
            let time = self.times[i];
            if self.place_vertex(test, Root::lasting(time), &self.relative.helix.at(time)) {
                return;
            }
        }
    }

    /// Puts the times of the window in order and forgets the others.
    fn sort_times(&mut self, [from, to]: [f64; 2]) {
        self.times.retain(|time| (from..=to).contains(time));
        self.times.sort_unstable_by(f64::total_cmp);
    }

    /// Whether an edge of B and an edge of A are worth a test.
    #[inline(always)]
    pub(crate) fn may_cross(&mut self, pair: &Candidate) -> bool {
        !self.are_improper_edges([pair.fixed, pair.moving], pair.window)
    }

    /// The touches of two edges, and of another two where they are given.
    #[inline(never)]
    pub(crate) fn edge_roots(&mut self, pairs: Twin<'_>) {
        let relative = self.relative;
        let both = pairs.both();
        let mut gap = |pair: &Candidate| self.b.lines(pair.moving).gap_to(self.a.fixed(pair.fixed));
        let first = gap(pairs.first);
        let k = [first, pairs.second.map_or(first, gap)];
        let gaps = LineGap { helix: &relative.helix, k: side_by_side(k) };
        let roots = monotone_roots(&gaps, pairs.windows(), relative.line_noise);
        for lane in 0..pairs.count() {
            let &Candidate { moving: eb, fixed: ea, window } = both[lane];
            match roots.of(lane) {
                Finding::NoRoot => {}
                Finding::OneRoot(root, at) => self.settle_edges([ea, eb], root, &at),
                Finding::Unknown => self.all_edge_roots([ea, eb], k[lane], window),
            }
        }
    }

    /// The touches of two edges whose gap has these coefficients.
    #[cold]
    fn all_edge_roots(&mut self, pair: [u32; 2], k: [f64; 5], window: [f64; 2]) {
        let helix = &self.relative.helix;
        let gap = LineGap { helix, k };
        match all_roots(&gap, window, gap.bend(), self.relative.line_noise) {
            Roots::Always => self.slide_edges(pair, window),
            roots => {
                for &root in roots.as_slice() {
                    self.settle_edges(pair, root, &helix.at(root.time));
                }
            }
        }
    }

    /// Places two edges at a root, or in the whole bracket of an uncertain one.
    #[inline]
    fn settle_edges(&mut self, pair: [u32; 2], root: Root, at: &HelixAt) {
        if !self.place_edges(pair, root, at) && root.width() > WIDE {
            self.slide_edges(pair, root.bracket);
        }
    }

    /// Whether the properness is too low during the whole window.
    ///
    /// With unit directions `u` and `w` the normal is `n = u x w / sine`, and the terms of
    /// eq. (7) are `-n . wing` for A's wings and `n . wing` for B's. The normal changes by at most
    /// `theta / sine` a step, since one of the two directions turns at rate `theta`, and the wings
    /// of B by `theta`.
    #[inline]
    fn are_improper_edges(&mut self, [ea, eb]: [u32; 2], window: [f64; 2]) -> bool {
        let least = self.options.min_properness;
        if least <= -1.0 {
            return false;
        }
        let (a, b) = (self.a.collider.ridge(ea), self.b.collider.ridge(eb));
        let (axes, turn) = self.turns.near(self.relative, window);
        let across = a.direction.cross(*axes * b.direction);
        let sine = across.length();
        let change = turn * (1.0 + 1.0 / (sine - turn));
        if sine <= 2.0 * turn || least - change <= -1.0 {
            return false;
        }
        let bound = (least - change) * sine - TERM_ROUNDING;
        let [first, second] = a.terms(across);
        let [low, high] = [-upper(first, second), -lower(first, second)];
        if (low < bound) & (-high < bound) {
            return true;
        }
        // Without faces at A's edge there are no numbers yet, and these count alone; without faces
        // at B's there are none now, and what was decided above stays.
        let [first, second] = b.terms(axes.transpose() * across);
        let low = lower(lower(low, first), second);
        let high = upper(upper(high, first), second);
        (low < bound) & (-high < bound)
    }

    /// Where two lines that meet at a root meet on their segments; false if beside them.
    fn place_edges(&mut self, [ea, eb]: [u32; 2], root: Root, at: &HelixAt) -> bool {
        let relative = self.relative;
        let from_b = at.along(self.b.spread(self.b.collider.mesh().edge(eb)[0]));
        let (fixed, lines) = (self.a.fixed(ea), self.b.lines(eb));
        let from = from_b - fixed.from;
        let moved = lines.direction(at);
        let across = fixed.direction.cross(moved);
        let sine_sq = across.length_squared();
        let sine = sine_sq.sqrt();
        let inverse = 1.0 / sine_sq;
        let along_a = from.cross(moved).dot(across) * inverse;
        let along_b = from.cross(fixed.direction).dot(across) * inverse;
        let point = fixed.from + along_a * fixed.direction;
        let speed = || relative.screw.flow(point).length();
        let tolerance = relative.tolerance_at(&root, speed) / sine;
        // Where the place is uncertain the edges are as good as parallel, even if they are short.
        let vague = upper(1e-5 * lower(fixed.length, lines.length), 16.0 * relative.tolerance);
        // Also where nothing is a number.
        if !(sine >= PARALLEL && tolerance <= vague) {
            return self.are_lone(ea, eb)
                && self.place_parallel([ea, eb], (root, *at, from, moved));
        }
        // Lines that are nearly parallel can be apart although their gap is all noise.
        let apart = from + along_b * moved - along_a * fixed.direction;
        if root.is_lasting() && apart.length() > 16.0 * relative.tolerance {
            return false;
        }
        let on_a = on_length(along_a, fixed.length, tolerance);
        let on_b = on_length(along_b, lines.length, tolerance);
        if on_a == OnSegment::Off || on_b == OnSegment::Off {
            return false;
        }
        let tested = Pair { met: Met::EdgeEdge, a: ea, b: eb };
        let normal = across * (1.0 / sine);
        if on_a == OnSegment::Between && on_b == OnSegment::Between && self.is_plain(&root) {
            let found = self.between_edges([ea, eb], root, at, (point, normal));
            self.keep_wanted(found);
        } else {
            let pair = self.smallest([ea, eb], [on_a, on_b]);
            let touchable = self.is_touchable(&pair);
            self.report(Touch { pair, tested, root, at: *at, point, normal, touchable });
        }
        true
    }

    /// The smallest features of two edges that contain a point on both.
    #[cold]
    fn smallest(&self, [ea, eb]: [u32; 2], [on_a, on_b]: [OnSegment; 2]) -> Pair {
        let end = |on: OnSegment, e: u32, ends: [u32; 2]| match on {
            OnSegment::First => (true, ends[0]),
            OnSegment::Second => (true, ends[1]),
            _ => (false, e),
        };
        let (corner_a, a) = end(on_a, ea, self.a.collider.mesh().edge(ea));
        let (corner_b, b) = end(on_b, eb, self.b.collider.mesh().edge(eb));
        let met = match (corner_a, corner_b) {
            (false, false) => Met::EdgeEdge,
            (false, true) => Met::EdgeVertex,
            (true, false) => Met::VertexEdge,
            (true, true) => Met::VertexVertex,
        };
        Pair { met, a, b }
    }

    fn are_lone(&self, ea: u32, eb: u32) -> bool {
        let (of_a, of_b) = (self.a.collider.mesh(), self.b.collider.mesh());
        of_a.edge_sides(ea).is_empty() && of_b.edge_sides(eb).is_empty()
    }

    /// Parallel edges that no face belongs to: nothing else would report that they touch.
    // Differs from [Buss04 §5], where every edge has faces and parallel edges are left to their
    // vertices.
    #[cold]
    fn place_parallel(
        &mut self,
        [ea, eb]: [u32; 2],
        (root, at, from, moved): (Root, HelixAt, DVec3, DVec3),
    ) -> bool {
        let fixed = self.a.fixed(ea);
        let unit = fixed.direction;
        let gap = from.reject_from_normalized(unit);
        let ends = [from.dot(unit), (from + moved * self.b.lines(eb).length).dot(unit)];
        let [low, high] = [ends[0].min(ends[1]).max(0.0), ends[0].max(ends[1]).min(fixed.length)];
        let tolerance = self.relative.tolerance;
        if gap.length() > tolerance || low > high + tolerance {
            return false;
        }
        let along_a = 0.5 * (low + high) * unit;
        // Edges that are too short for a place need not be parallel.
        if (along_a - from).reject_from_normalized(moved).length() > 2.0 * tolerance {
            return false;
        }
        let point = fixed.from + along_a;
        let against = -self.relative.screw.flow(point).reject_from_normalized(unit);
        let normal = against.try_normalize().unwrap_or_else(|| unit.any_orthonormal_vector());
        let pair = Pair { met: Met::EdgeEdge, a: ea, b: eb };
        let root = Root { grazing: true, ..root };
        let touchable = self.is_touchable(&pair);
        self.report(Touch { pair, tested: pair, root, at, point, normal, touchable });
        true
    }

    /// Two edges whose lines always meet: the earliest time at which the segments do. Apart from
    /// the start, that is when an end of one comes to lie on the other.
    #[cold]
    fn slide_edges(&mut self, [ea, eb]: [u32; 2], window: [f64; 2]) {
        let [p, q] = self.b.collider.mesh().edge(eb).map(|v| self.b.placed(v));
        let standing = self.a.collider.mesh().edge(ea).map(|v| self.a.placed(v));
        self.times.clear();
        self.times.push(window[0]);
        for end in [p, q] {
            let spread = self.relative.screw.spread(end, 1.0);
            add_times_on_line(self.times, self.relative, &spread, standing);
        }
        for end in standing {
            let spread = self.relative.screw.spread(end, -1.0);
            add_times_on_line(self.times, self.relative, &spread, [p, q]);
        }
        self.sort_times(window);
        for i in 0..self.times.len() {
            let time = self.times[i];
            if self.place_edges([ea, eb], Root::lasting(time), &self.relative.helix.at(time)) {
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
    let k = [spread[0] - point, spread[1], spread[2], spread[3]].map(|v| normal.dot(v));
    let gap = PlaneGap { helix: &relative.helix, k };
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
