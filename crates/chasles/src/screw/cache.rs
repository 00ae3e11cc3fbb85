//! One body during one query: its features placed, bounded and made ready, each when first asked.
//!
//! Nothing is cleared between queries: every entry carries the number of the query that wrote it.

use glam::DVec3;

use super::relative::{Relative, along};
use crate::bounds::{Chart, ChartPoint, Collider, Extent, Node};
use crate::mesh::Side;

/// Values that are computed once a query, when first asked.
#[derive(Clone, Debug, Default)]
struct Memo<T> {
    marks: Vec<u32>,
    values: Vec<T>,
}

impl<T: Copy + Default> Memo<T> {
    fn grow(&mut self, count: usize) {
        if self.values.len() < count {
            self.marks.resize(count, 0);
            self.values.resize(count, T::default());
        }
    }

    #[inline]
    fn known(&self, i: u32, query: u32) -> bool {
        self.marks[i as usize] == query
    }

    #[inline]
    fn set(&mut self, i: u32, query: u32, value: T) -> T {
        self.marks[i as usize] = query;
        self.values[i as usize] = value;
        value
    }

    #[inline]
    fn get(&self, i: u32) -> T {
        self.values[i as usize]
    }

    fn forget(&mut self) {
        self.marks.fill(0);
    }
}

/// Control points of a vertex's path (MATH 2).
pub(crate) type Controls = [DVec3; 4];

/// A plane at the start: unit normal and offset.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plane {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
}

/// Control lines of an edge's path, each a direction and a moment (MATH 3).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    pub(crate) lines: [[DVec3; 2]; 5],
    pub(crate) length: f64,
}

/// A fixed edge: start, vector, moment and length.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fixed {
    pub(crate) from: DVec3,
    pub(crate) along: DVec3,
    pub(crate) moment: DVec3,
    pub(crate) length: f64,
}

/// The memory of one body's features, reused from query to query.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    query: u32,
    points: Memo<DVec3>,
    charted: Memo<ChartPoint>,
    planes: Memo<Plane>,
    controls: Memo<Controls>,
    lines: Memo<Lines>,
    fixed: Memo<Fixed>,
    vertices: Memo<Extent>,
    edges: Memo<Extent>,
    plain: Vec<bool>,
    faces: Memo<Extent>,
    nodes: Memo<Extent>,
    leaves: Memo<Extent>,
}

impl Cache {
    fn begin(&mut self, collider: &Collider) {
        let mesh = collider.mesh();
        let [v, e, f] = [mesh.vertex_count(), mesh.edge_count(), mesh.face_count()];
        self.points.grow(v);
        self.charted.grow(v);
        self.controls.grow(v);
        self.vertices.grow(v);
        self.lines.grow(e);
        self.fixed.grow(e);
        self.edges.grow(e);
        if self.plain.len() < e {
            self.plain.resize(e, false);
        }
        self.planes.grow(f);
        self.faces.grow(f);
        self.nodes.grow(collider.nodes().len());
        self.leaves.grow(collider.nodes().len());
        self.query = self.query.wrapping_add(1);
        if self.query == 0 {
            self.forget();
        }
    }

    /// After 2^32 queries the numbers start again.
    fn forget(&mut self) {
        self.points.forget();
        self.charted.forget();
        self.controls.forget();
        self.vertices.forget();
        self.lines.forget();
        self.fixed.forget();
        self.edges.forget();
        self.planes.forget();
        self.faces.forget();
        self.nodes.forget();
        self.leaves.forget();
        self.query = 1;
    }
}

/// Which of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    A,
    B,
}

/// What a query leaves out from the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cull {
    pub(crate) facing: bool,
    pub(crate) min_properness: f64,
}

/// One body in one query. Positions are in A's local coordinates at the start of the part.
pub(crate) struct Body<'q> {
    pub(crate) collider: &'q Collider,
    pub(crate) relative: &'q Relative,
    who: Who,
    cull: Cull,
    cache: &'q mut Cache,
}

impl<'q> Body<'q> {
    pub(crate) fn new(
        collider: &'q Collider,
        relative: &'q Relative,
        who: Who,
        cull: Cull,
        cache: &'q mut Cache,
    ) -> Self {
        cache.begin(collider);
        Self { collider, relative, who, cull, cache }
    }

    /// 1 for B, which moves; -1 for A, which B sees moving backwards.
    #[inline]
    pub(crate) fn direction(&self) -> f64 {
        if self.who == Who::B { 1.0 } else { -1.0 }
    }

    #[inline]
    fn place_vector(&self, vector: DVec3) -> DVec3 {
        if self.who == Who::B { self.relative.turned * vector } else { vector }
    }

    /// A vector of A's axes (at the start) in the body's own.
    #[inline]
    pub(crate) fn unplace_vector(&self, vector: DVec3) -> DVec3 {
        if self.who == Who::B { self.relative.turned.transpose() * vector } else { vector }
    }

    #[inline]
    fn place_point(&self, point: DVec3) -> DVec3 {
        if self.who == Who::B { self.relative.turned * point + self.relative.offset } else { point }
    }

    /// A vertex at the start.
    #[inline]
    pub(crate) fn point(&mut self, v: u32) -> DVec3 {
        let query = self.cache.query;
        if self.cache.points.known(v, query) {
            return self.cache.points.get(v);
        }
        let point = self.place_point(self.collider.local(v));
        self.cache.points.set(v, query, point)
    }

    /// A face's plane at the start.
    #[inline]
    pub(crate) fn plane(&mut self, f: u32) -> Plane {
        let query = self.cache.query;
        if self.cache.planes.known(f, query) {
            return self.cache.planes.get(f);
        }
        let normal = self.place_vector(self.collider.mesh().normal(f));
        let offset = normal.dot(self.place_point(self.collider.face_local(f)));
        self.cache.planes.set(f, query, Plane { normal, offset })
    }

    /// The control points of a vertex's path.
    #[inline]
    pub(crate) fn controls(&mut self, v: u32) -> Controls {
        let query = self.cache.query;
        if self.cache.controls.known(v, query) {
            return self.cache.controls.get(v);
        }
        let point = self.point(v);
        let direction = self.direction();
        let spread = self.relative.spread(point, direction);
        let end = along(&spread, &self.relative.end);
        let mu = self.relative.plane_weight;
        let velocity = direction * self.relative.screw.flow(end);
        let controls = [point, point + mu * spread[1], end - mu * velocity, end];
        self.cache.controls.set(v, query, controls)
    }

    /// The control lines of an edge's path; only B's edges are moved.
    #[inline]
    pub(crate) fn lines(&mut self, e: u32) -> Lines {
        let query = self.cache.query;
        if self.cache.lines.known(e, query) {
            return self.cache.lines.get(e);
        }
        let [p, q] = self.collider.mesh().edge(e);
        let [p0, q0] = [self.point(p), self.point(q)];
        let [p1, q1] = [self.controls(p)[3], self.controls(q)[3]];
        let start = line_through(p0, q0);
        let end = line_through(p1, q1);
        let slope = self.moved(start);
        let curvature = self.moved(slope);
        let slope_at_end = self.moved(end);
        let weights = self.relative.line_weights;
        let second = combined(start, weights.end, slope);
        let third = combined(combined(start, weights.slope, slope), weights.curvature, curvature);
        let fourth = combined(end, -weights.end, slope_at_end);
        let lines = [start, second, third, fourth, end];
        self.cache.lines.set(e, query, Lines { lines, length: start[0].length() })
    }

    /// The rate of change of a line that moves with B.
    #[inline]
    pub(crate) fn moved(&self, line: [DVec3; 2]) -> [DVec3; 2] {
        let [w, v] = [self.relative.screw.angular(), self.relative.screw.linear()];
        [w.cross(line[0]), w.cross(line[1]) + v.cross(line[0])]
    }

    /// An edge that stands still; only A's are asked for.
    #[inline]
    pub(crate) fn fixed(&mut self, e: u32) -> Fixed {
        let query = self.cache.query;
        if self.cache.fixed.known(e, query) {
            return self.cache.fixed.get(e);
        }
        let [p, q] = self.collider.mesh().edge(e).map(|v| self.collider.local(v));
        let [along, moment] = line_through(p, q);
        self.cache.fixed.set(e, query, Fixed { from: p, along, moment, length: along.length() })
    }

    /// Whether the body's surface at a point faces the other body: it moves outward through
    /// itself, `n . w(x) >= 0` for B and `<= 0` for A [Buss04 §4.2]. Two-sided faces always do.
    #[inline]
    pub(crate) fn is_facing(&mut self, face: u32, flow: DVec3) -> bool {
        if self.collider.mesh().is_two_sided(face) {
            return true;
        }
        let speed = self.direction() * self.plane(face).normal.dot(flow);
        // Tangential up to rounding counts as facing, as in the paper.
        speed >= -1e-12 * self.relative.reach
    }

    fn vertex_is_useful(&mut self, v: u32) -> bool {
        if self.collider.best_properness(v) < self.cull.min_properness {
            return false;
        }
        if !self.cull.facing {
            return true;
        }
        let collider = self.collider;
        let faces = collider.mesh().vertex_faces(v);
        let flow = self.relative.screw.flow(self.point(v));
        faces.is_empty() || faces.iter().any(|&f| self.is_facing(f, flow))
    }

    /// The facing value is linear along an edge, so its ends decide.
    fn edge_is_useful(&mut self, e: u32) -> bool {
        if !self.cull.facing {
            return true;
        }
        let collider = self.collider;
        let sides: &[Side] = collider.mesh().edge_sides(e);
        let flows = collider.mesh().edge(e).map(|v| self.relative.screw.flow(self.point(v)));
        sides.is_empty()
            || sides.iter().any(|s| flows.into_iter().any(|flow| self.is_facing(s.face, flow)))
    }

    fn face_is_useful(&mut self, f: u32) -> bool {
        if !self.cull.facing {
            return true;
        }
        let collider = self.collider;
        collider.mesh().face(f).iter().any(|&v| {
            let flow = self.relative.screw.flow(self.point(v));
            self.is_facing(f, flow)
        })
    }

    #[inline]
    fn charted(&mut self, v: u32, chart: &Chart) -> ChartPoint {
        let query = self.cache.query;
        if self.cache.charted.known(v, query) {
            return self.cache.charted.get(v);
        }
        let point = chart.point(self.point(v));
        self.cache.charted.set(v, query, point)
    }

    /// B's bounds cover its whole way.
    #[inline]
    fn swept(&self, mut extent: Extent, chart: &Chart) -> Extent {
        if self.who == Who::B {
            extent.tau[1] += chart.travel;
        }
        extent
    }

    /// Bounds of a node by its box, and the interval in `s` at the start.
    pub(crate) fn root(&self, chart: &Chart) -> (Extent, [f64; 2]) {
        self.boxed(&self.collider.nodes()[0], chart)
    }

    fn boxed(&self, node: &Node, chart: &Chart) -> (Extent, [f64; 2]) {
        let centre = self.place_point(node.centre);
        let (extent, s) = match self.who {
            Who::A => chart.boxed(centre, &glam::DMat3::IDENTITY, node.half),
            Who::B => chart.boxed(centre, &self.relative.turned, node.half),
        };
        (self.swept(extent, chart), s)
    }

    /// Bounds of a node: its box, or for a leaf all its features one by one.
    #[inline]
    pub(crate) fn node(&mut self, index: u32, chart: &Chart) -> Extent {
        let query = self.cache.query;
        if self.cache.nodes.known(index, query) {
            return self.cache.nodes.get(index);
        }
        let collider = self.collider;
        let node = &collider.nodes()[index as usize];
        let (extent, _) = self.boxed(node, chart);
        self.cache.nodes.set(index, query, extent)
    }

    /// Bounds all features of a leaf; the result bounds those that the query does not leave out.
    pub(crate) fn leaf(&mut self, index: u32, chart: &Chart) -> Extent {
        let query = self.cache.query;
        if self.cache.leaves.known(index, query) {
            return self.cache.leaves.get(index);
        }
        let collider = self.collider;
        let node = &collider.nodes()[index as usize];
        let mut all = Extent::EMPTY;
        for v in node.vertices.clone() {
            all = all.join(&self.bound_vertex(v, chart));
        }
        for e in node.edges.clone() {
            if self.edge_is_useful(e) {
                all = all.join(&self.bound_edge(e, chart));
                continue;
            }
            self.cache.edges.set(e, query, Extent::EMPTY);
        }
        for f in node.faces.clone() {
            all = all.join(&self.bound_face(f, chart));
        }
        self.cache.leaves.set(index, query, all)
    }

    fn bound_vertex(&mut self, v: u32, chart: &Chart) -> Extent {
        let extent = if self.vertex_is_useful(v) {
            let point = self.charted(v, chart);
            self.swept(chart.extent_of_point(&point), chart)
        } else {
            Extent::EMPTY
        };
        self.cache.vertices.set(v, self.cache.query, extent)
    }

    fn bound_edge(&mut self, e: u32, chart: &Chart) -> Extent {
        let [p, q] = self.collider.mesh().edge(e).map(|v| self.charted(v, chart));
        let segment = chart.segment(&p, &q);
        self.cache.plain[e as usize] = segment.plain;
        let extent = self.swept(segment.extent, chart);
        self.cache.edges.set(e, self.cache.query, extent)
    }

    fn bound_face(&mut self, f: u32, chart: &Chart) -> Extent {
        let extent =
            if self.face_is_useful(f) { self.around_face(f, chart) } else { Extent::EMPTY };
        self.cache.faces.set(f, self.cache.query, extent)
    }

    fn around_face(&mut self, f: u32, chart: &Chart) -> Extent {
        let collider = self.collider;
        let corners = collider.mesh().face(f);
        let mut extent = Extent::EMPTY;
        let mut plain = true;
        for (i, &v) in corners.iter().enumerate() {
            let next = corners[(i + 1) % corners.len()];
            let [p, q] = [self.charted(v, chart), self.charted(next, chart)];
            let segment = chart.segment(&p, &q);
            plain &= segment.plain;
            extent = extent.join(&segment.extent);
        }
        if !plain {
            extent = chart.polygon(corners.iter().map(|&v| &self.cache.charted.values[v as usize]));
        }
        self.swept(extent, chart)
    }

    #[inline]
    pub(crate) fn vertex_extent(&self, v: u32) -> Extent {
        self.cache.vertices.get(v)
    }

    #[inline]
    pub(crate) fn edge_extent(&self, e: u32) -> Extent {
        self.cache.edges.get(e)
    }

    #[inline]
    pub(crate) fn face_extent(&self, f: u32) -> Extent {
        self.cache.faces.get(f)
    }
}

#[inline]
fn line_through(p: DVec3, q: DVec3) -> [DVec3; 2] {
    [q - p, p.cross(q - p)]
}

#[inline]
fn combined(line: [DVec3; 2], factor: f64, other: [DVec3; 2]) -> [DVec3; 2] {
    [line[0] + factor * other[0], line[1] + factor * other[1]]
}
