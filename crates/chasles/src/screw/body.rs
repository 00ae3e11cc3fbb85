//! One body during one query: nodes and leaves are bounded when first met.

use glam::{DMat3, DVec3};

use super::cache::Cache;
use super::placed::{Fixed, Line, Lines, Plane};
use super::relative::Relative;
use crate::bounds::{Chart, Chord, Collider, Cover, Frame, Node, Quad, Slab};
use crate::motion::Screw;
use crate::numeric::{lower, upper};

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

/// Nodes of a body that is bounded as a whole, at most.
const SMALL: usize = 15;

/// One body in one query. Positions are in A's local coordinates at the start of the part.
pub(crate) struct Body<'q> {
    pub(crate) collider: &'q Collider,
    pub(crate) relative: &'q Relative,
    who: Who,
    cull: Cull,
    /// How it moves past the other body at the start, in its own local coordinates.
    drift: Screw,
    /// Where the body's boxes lie in the chart.
    frame: Frame,
    cache: &'q mut Cache,
}

impl<'q> Body<'q> {
    pub(crate) fn new(
        collider: &'q Collider,
        (relative, chart): (&'q Relative, &Chart),
        who: Who,
        cull: Cull,
        cache: &'q mut Cache,
    ) -> Self {
        cache.begin(collider);
        let &Relative { ref screw, turned, offset, .. } = relative;
        let scale = collider.scale();
        let (drift, frame) = match who {
            Who::A => (screw.reversed(), chart.frame(&DMat3::IDENTITY, DVec3::ZERO, scale)),
            Who::B => {
                let back = turned.transpose();
                let drift = Screw::from_valid(back * screw.angular(), back * screw.flow(offset));
                (drift, chart.frame(&turned, offset, scale))
            }
        };
        Self { collider, relative, who, cull, drift, frame, cache }
    }

    /// 1 for B, which moves; -1 for A, which B sees moving backwards.
    #[inline]
    pub(crate) fn direction(&self) -> f64 {
        if self.who == Who::B { 1.0 } else { -1.0 }
    }

    #[inline]
    pub(crate) fn place_vector(&self, vector: DVec3) -> DVec3 {
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
        let i = v as usize;
        if self.cache.point_marks[i] != self.cache.query {
            self.cache.point_marks[i] = self.cache.query;
            self.cache.points[i] = self.place_point(self.collider.local(v));
        }
        self.cache.points[i]
    }

    /// A face's plane at the start.
    #[inline]
    pub(crate) fn plane(&mut self, f: u32) -> &Plane {
        let slot = self.cache.planes.slot(f).unwrap_or_else(|| self.new_plane(f));
        &self.cache.planes.values[slot]
    }

    #[inline(never)]
    fn new_plane(&mut self, f: u32) -> usize {
        let normal = self.place_vector(self.collider.mesh().normal(f));
        let offset = normal.dot(self.place_point(self.collider.face_local(f)));
        let screw = &self.relative.screw;
        let outward = self.direction() * normal;
        let (slope, speed) = if self.collider.mesh().is_two_sided(f) {
            (DVec3::ZERO, f64::INFINITY)
        } else {
            (outward.cross(screw.angular()), outward.dot(screw.linear()))
        };
        self.cache.planes.set(f, Plane { normal, offset, slope, speed })
    }

    /// What a face of a leaf that has been looked into may cover on the collision screen.
    #[inline]
    pub(crate) fn cover(&mut self, f: u32) -> &Cover {
        let slot = self.cache.covers.slot(f).unwrap_or_else(|| self.new_cover(f));
        &self.cache.covers.values[slot]
    }

    #[inline(never)]
    fn new_cover(&mut self, f: u32) -> usize {
        let slack = self.cache.face_slacks[f as usize];
        let cover = if slack < f32::INFINITY && self.is_passed_one_way(f) {
            let corners = self.collider.mesh().face(f);
            Cover::new(|i| &self.cache.spots[corners[i] as usize], corners.len(), slack)
        } else {
            Cover::EVERYTHING
        };
        self.cache.covers.set(f, cover)
    }

    /// Whether the motion passes through a face everywhere in the same direction. Its speed is
    /// linear, so corners decide.
    fn is_passed_one_way(&self, f: u32) -> bool {
        let mesh = self.collider.mesh();
        let normal = mesh.normal(f);
        let slope = normal.cross(self.drift.angular());
        let speed = normal.dot(self.drift.linear());
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for &v in mesh.face(f) {
            let at_corner = slope.dot(self.collider.local(v)) + speed;
            [low, high] = [lower(low, at_corner), upper(high, at_corner)];
        }
        let slow = self.relative.slow;
        low > slow || high < -slow
    }

    /// Where a vertex of a leaf that has been looked into is on the collision screen, and how far
    /// from there at most.
    #[inline]
    pub(crate) fn spot(&self, v: u32) -> (&Slab, f32) {
        (&self.cache.spots[v as usize], self.cache.vertex_slacks[v as usize])
    }

    /// The vectors of which a vertex's path is a combination.
    #[inline]
    pub(crate) fn spread(&mut self, v: u32) -> &[DVec3; 4] {
        let slot = self.cache.spreads.slot(v).unwrap_or_else(|| self.new_spread(v));
        &self.cache.spreads.values[slot]
    }

    #[inline(never)]
    fn new_spread(&mut self, v: u32) -> usize {
        let point = self.point(v);
        let spread = self.relative.screw.spread(point, self.direction());
        self.cache.spreads.set(v, spread)
    }

    /// A moving edge's line and its derivatives; only B's edges are moved.
    #[inline]
    pub(crate) fn lines(&mut self, e: u32) -> &Lines {
        let slot = self.cache.lines.slot(e).unwrap_or_else(|| self.new_lines(e));
        &self.cache.lines.values[slot]
    }

    #[inline(never)]
    fn new_lines(&mut self, e: u32) -> usize {
        let [p, q] = self.collider.mesh().edge(e).map(|v| self.point(v));
        let direction = self.place_vector(self.collider.direction(e));
        let mut line = [direction, p.cross(direction)];
        let mut lines = [Line::new(line[0], line[1]); 5];
        for next in &mut lines[1..] {
            line = self.moved(line);
            *next = Line::new(line[0], line[1]);
        }
        self.cache.lines.set(e, Lines { lines, length: p.distance(q) })
    }

    /// The rate of change of a line that moves with B.
    #[inline]
    fn moved(&self, line: [DVec3; 2]) -> [DVec3; 2] {
        let [w, v] = [self.relative.screw.angular(), self.relative.screw.linear()];
        [w.cross(line[0]), w.cross(line[1]) + v.cross(line[0])]
    }

    /// An edge that stands still; only A's are asked for.
    #[inline]
    pub(crate) fn fixed(&mut self, e: u32) -> &Fixed {
        let slot = self.cache.fixed.slot(e).unwrap_or_else(|| self.new_fixed(e));
        &self.cache.fixed.values[slot]
    }

    #[inline(never)]
    fn new_fixed(&mut self, e: u32) -> usize {
        let [p, q] = self.collider.mesh().edge(e).map(|v| self.collider.local(v));
        let direction = self.collider.direction(e);
        let line = Line::new(direction.cross(p), -direction);
        self.cache.fixed.set(e, Fixed { from: p, direction, length: p.distance(q), line })
    }

    /// Whether the body's surface at a point (placed at the start) faces the other body: it moves
    /// outward through itself. Two-sided faces always do.
    #[inline]
    pub(crate) fn is_facing(&mut self, face: u32, point: DVec3) -> bool {
        self.plane(face).outward_speed(point) >= -self.relative.slow
    }

    /// The interval in `s` of the whole body at the start, by its box.
    pub(crate) fn angles(&mut self, chart: &Chart) -> [f64; 2] {
        let (slab, s) = self.boxed(0, chart);
        self.set_node(0, slab);
        s
    }

    fn boxed(&self, index: u32, chart: &Chart) -> (Slab, [f64; 2]) {
        let (slab, s) = chart.boxed(&self.frame, self.collider.hull(index));
        (self.swept(&slab, chart), s)
    }

    /// B's bounds cover its whole way.
    #[inline]
    fn swept(&self, slab: &Slab, chart: &Chart) -> Slab {
        if self.who == Who::B { chart.swept(slab) } else { *slab }
    }

    /// Bounds of a node: of its hull, or nothing if it turns away, until its leaf is looked into.
    #[inline]
    pub(crate) fn node(&mut self, index: u32, chart: &Chart) -> Slab {
        if self.cache.node_marks[index as usize] != self.cache.query {
            self.bound_node(index, chart);
        }
        self.cache.nodes[index as usize]
    }

    #[inline(never)]
    fn bound_node(&mut self, index: u32, chart: &Chart) {
        let away = self.cull.facing && self.turns_away(index);
        let slab = if away { Slab::EMPTY } else { self.boxed(index, chart).0 };
        self.set_node(index, slab);
    }

    fn set_node(&mut self, index: u32, slab: Slab) {
        self.cache.node_marks[index as usize] = self.cache.query;
        self.cache.nodes[index as usize] = slab;
    }

    /// Looks into all leaves of a small body, most of which will be met.
    pub(crate) fn look_into_small(&mut self, chart: &Chart) {
        let nodes = self.collider.nodes();
        if nodes.len() > SMALL {
            return;
        }
        for index in (0..nodes.len() as u32).rev() {
            let node = &nodes[index as usize];
            if node.is_leaf() {
                self.look_into_leaf(index, chart);
            } else {
                let child = node.child as usize;
                self.set_node(index, self.cache.nodes[child].join(&self.cache.nodes[child + 1]));
            }
        }
    }

    /// Whether no face at a feature of a node can face the other body anywhere in the node's box.
    fn turns_away(&self, index: u32) -> bool {
        let Relative { angle, slow, .. } = *self.relative;
        self.collider.hull(index).turns_away(&self.drift, angle, slow)
    }

    /// Bounds all features of a leaf, and the leaf by them; true if that has just been done.
    pub(crate) fn look_into_leaf(&mut self, index: u32, chart: &Chart) -> bool {
        if self.cache.leaf_marks[index as usize] == self.cache.query {
            return false;
        }
        self.cache.leaf_marks[index as usize] = self.cache.query;
        let collider = self.collider;
        let leaf = &collider.nodes()[index as usize];
        if self.cull.facing {
            for f in leaf.faces.clone().chain(collider.other_faces(index).iter().copied()) {
                self.mark_facing(f);
            }
        }
        self.cache.starts[leaf.leaf as usize] = self.cache.quads.len() as u32;
        self.bound_faces(leaf.faces.clone(), chart);
        let faces = self.cache.pack();
        self.bound_edges(leaf.edges.clone(), chart);
        let edges = self.cache.pack();
        self.bound_vertices(leaf.vertices.clone(), chart);
        let vertices = self.cache.pack();
        self.set_node(index, faces.join(&edges).join(&vertices));
        true
    }

    /// Marks a face, and those of its corners and edges, where it faces the other body, or all but
    /// does. The outward speed is linear, so corners decide for edges and faces.
    fn mark_facing(&mut self, f: u32) {
        let mesh = self.collider.mesh();
        let Cache { query, faced_marks, useful_vertices, useful_edges, useful_faces, .. } =
            self.cache;
        if faced_marks[f as usize] == *query {
            return;
        }
        faced_marks[f as usize] = *query;
        // Twice as far as for contacts: rounding differs.
        let least = -2.0 * self.relative.slow;
        let normal = mesh.normal(f);
        let slope = normal.cross(self.drift.angular());
        let speed =
            if mesh.is_two_sided(f) { f64::INFINITY } else { normal.dot(self.drift.linear()) };
        let edges = mesh.face_edges(f);
        let mut before = edges[edges.len() - 1];
        for (&v, &after) in mesh.face(f).iter().zip(edges) {
            if slope.dot(self.collider.local(v)) + speed >= least {
                useful_vertices[v as usize] = *query;
                useful_edges[before as usize] = *query;
                useful_edges[after as usize] = *query;
                useful_faces[f as usize] = *query;
            }
            before = after;
        }
    }

    #[inline(always)]
    fn chart_vertex(&mut self, v: u32, chart: &Chart) {
        if self.cache.charted_marks[v as usize] != self.cache.query {
            self.chart_new_vertex(v, chart);
        }
    }

    #[inline(never)]
    fn chart_new_vertex(&mut self, v: u32, chart: &Chart) {
        let i = v as usize;
        self.cache.charted_marks[i] = self.cache.query;
        let charted = chart.point(self.point(v));
        self.cache.charted[i] = charted;
        self.cache.spots[i] = chart.slab(&charted);
    }

    fn bound_vertices(&mut self, vertices: std::ops::Range<u32>, chart: &Chart) {
        for v in vertices {
            let i = v as usize;
            if !self.vertex_is_useful(v) {
                self.cache.slabs.push(Slab::EMPTY);
                continue;
            }
            self.chart_vertex(v, chart);
            let (slab, slack) = match chart.widened(&self.cache.spots[i], 0.0) {
                Some(bounds) => bounds,
                None => (chart.awkward([&self.cache.charted[i]].into_iter()), f32::INFINITY),
            };
            self.cache.vertex_slacks[i] = slack;
            let slab = self.swept(&slab, chart);
            self.cache.slabs.push(slab);
        }
    }

    fn bound_edges(&mut self, edges: std::ops::Range<u32>, chart: &Chart) {
        for e in edges {
            if !self.edge_is_useful(e) {
                self.cache.slabs.push(Slab::EMPTY);
                continue;
            }
            let [p, q] = self.collider.mesh().edge(e);
            self.chart_vertex(p, chart);
            self.chart_vertex(q, chart);
            let [p, q] = [p as usize, q as usize];
            let slab = self.cache.spots[p].join(&self.cache.spots[q]);
            let ends = [&self.cache.charted[p], &self.cache.charted[q]];
            let (slab, slack) = match chart.widened(&slab, self.collider.edge_length_sq(e)) {
                Some(bounds) => bounds,
                None => (chart.awkward(ends.into_iter()), f32::INFINITY),
            };
            self.cache.chords[e as usize] = Chord::new(ends[0], ends[1], f64::from(slack));
            let slab = self.swept(&slab, chart);
            self.cache.slabs.push(slab);
        }
    }

    fn bound_faces(&mut self, faces: std::ops::Range<u32>, chart: &Chart) {
        let collider = self.collider;
        for f in faces {
            if !self.face_is_useful(f) {
                self.cache.slabs.push(Slab::EMPTY);
                continue;
            }
            let corners = collider.mesh().face(f);
            let mut slab = Slab::EMPTY;
            for &v in corners {
                self.chart_vertex(v, chart);
                slab = slab.join(&self.cache.spots[v as usize]);
            }
            let (slab, slack) = match chart.widened(&slab, collider.face_length_sq(f)) {
                Some(bounds) => bounds,
                None => {
                    let charted = corners.iter().map(|&v| &self.cache.charted[v as usize]);
                    (chart.awkward(charted), f32::INFINITY)
                }
            };
            self.cache.face_slacks[f as usize] = slack;
            let slab = self.swept(&slab, chart);
            self.cache.slabs.push(slab);
        }
    }

    /// A vertex of a leaf that has been looked into, at the start.
    #[inline]
    pub(crate) fn placed(&self, v: u32) -> DVec3 {
        self.cache.points[v as usize]
    }

    /// What has no faces has no sides to face with, and is never left out.
    #[inline]
    fn vertex_is_useful(&self, v: u32) -> bool {
        let facing = !self.cull.facing
            || self.cache.useful_vertices[v as usize] == self.cache.query
            || self.collider.mesh().vertex_faces(v).is_empty();
        facing && self.collider.best_properness(v) >= self.cull.min_properness
    }

    #[inline]
    fn edge_is_useful(&self, e: u32) -> bool {
        !self.cull.facing
            || self.cache.useful_edges[e as usize] == self.cache.query
            || self.collider.mesh().edge_sides(e).is_empty()
    }

    #[inline]
    fn face_is_useful(&self, f: u32) -> bool {
        !self.cull.facing || self.cache.useful_faces[f as usize] == self.cache.query
    }

    /// Bounds of the faces, the edges and the vertices of a leaf that has been looked into.
    #[inline]
    pub(crate) fn quads_of(&self, leaf: &Node) -> [&[Quad]; 3] {
        let quads = &self.cache.quads[self.cache.starts[leaf.leaf as usize] as usize..];
        let (faces, quads) = quads.split_at(leaf.faces.len().div_ceil(4));
        let (edges, quads) = quads.split_at(leaf.edges.len().div_ceil(4));
        [faces, edges, &quads[..leaf.vertices.len().div_ceil(4)]]
    }

    /// A leaf's edges on the collision screen, in order.
    #[inline]
    pub(crate) fn chords_of(&self, leaf: &Node) -> &[Chord] {
        &self.cache.chords[leaf.edges.start as usize..leaf.edges.end as usize]
    }
}
