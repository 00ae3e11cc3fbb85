//! One body during one query: nodes bounded block by block and features leaf by leaf, when first
//! met.

use glam::{DMat3, DVec3};

use super::cache::Cache;
use super::placed::{Fixed, Line, Lines, Plane};
use super::relative::Relative;
use crate::bounds::{Chart, Chord, Collider, Frame, NO_BLOCK, Node, Slab};

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
        let frame = match who {
            Who::A => chart.frame(&DMat3::IDENTITY, DVec3::ZERO),
            Who::B => chart.frame(&relative.turned, relative.offset),
        };
        Self { collider, relative, who, cull, frame, cache }
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

    /// The vectors of which a vertex's path is a combination.
    #[inline]
    pub(crate) fn spread(&mut self, v: u32) -> &[DVec3; 4] {
        let slot = self.cache.spreads.slot(v).unwrap_or_else(|| {
            let point = self.point(v);
            let spread = self.relative.screw.spread(point, self.direction());
            self.cache.spreads.set(v, spread)
        });
        &self.cache.spreads.values[slot]
    }

    /// A moving edge's line and its derivatives; only B's edges are moved.
    #[inline]
    pub(crate) fn lines(&mut self, e: u32) -> &Lines {
        let slot = self.cache.lines.slot(e).unwrap_or_else(|| {
            let [p, q] = self.collider.mesh().edge(e).map(|v| self.point(v));
            let direction = self.place_vector(self.collider.direction(e));
            let mut line = [direction, p.cross(direction)];
            let mut lines = [Line::new(line[0], line[1]); 5];
            for next in &mut lines[1..] {
                line = self.moved(line);
                *next = Line::new(line[0], line[1]);
            }
            self.cache.lines.set(e, Lines { lines, length: p.distance(q) })
        });
        &self.cache.lines.values[slot]
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
        let slot = self.cache.fixed.slot(e).unwrap_or_else(|| {
            let [p, q] = self.collider.mesh().edge(e).map(|v| self.collider.local(v));
            let direction = self.collider.direction(e);
            let line = Line::new(direction.cross(p), -direction);
            self.cache.fixed.set(e, Fixed { from: p, direction, length: p.distance(q), line })
        });
        &self.cache.fixed.values[slot]
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
        let node = &self.collider.nodes()[index as usize];
        let (slab, s) = chart.boxed(&self.frame, node.centre, node.half);
        (self.swept(&slab, chart), s)
    }

    /// B's bounds cover its whole way.
    #[inline]
    fn swept(&self, slab: &Slab, chart: &Chart) -> Slab {
        if self.who == Who::B { chart.swept(slab) } else { *slab }
    }

    /// Bounds of a node: its box above blocks and where a block has not been looked into yet,
    /// tight inside.
    #[inline]
    pub(crate) fn node(&mut self, index: u32, chart: &Chart) -> Slab {
        if self.cache.node_marks[index as usize] != self.cache.query {
            let (slab, _) = self.boxed(index, chart);
            self.set_node(index, slab);
        }
        self.cache.nodes[index as usize]
    }

    fn set_node(&mut self, index: u32, slab: Slab) {
        self.cache.node_marks[index as usize] = self.cache.query;
        self.cache.nodes[index as usize] = slab;
    }

    /// Bounds the nodes of the block that starts at this node, if one does; true if that has just
    /// been done.
    pub(crate) fn look_into(&mut self, index: u32, chart: &Chart) -> bool {
        let block = self.collider.nodes()[index as usize].block;
        if block == NO_BLOCK || self.cache.block_marks[block as usize] == self.cache.query {
            return false;
        }
        self.cache.block_marks[block as usize] = self.cache.query;
        let block = &self.collider.blocks()[block as usize];
        // A mesh of one block is small, and most of its leaves will be met.
        let small = block.root == 0;
        if small {
            for v in self.collider.nodes()[0].vertices.clone() {
                self.point(v);
            }
        }
        for index in block.below.clone().rev().chain([block.root]) {
            let node = &self.collider.nodes()[index as usize];
            let child = node.child as usize;
            if node.is_leaf() && small {
                self.look_into_leaf(index, chart);
                continue;
            }
            let slab = if node.is_leaf() {
                self.around_corners(index, chart)
            } else {
                self.cache.nodes[child].join(&self.cache.nodes[child + 1])
            };
            self.set_node(index, slab);
        }
        true
    }

    /// Bounds of a leaf, from its corners and its longest edge; nothing if it faces away.
    fn around_corners(&mut self, index: u32, chart: &Chart) -> Slab {
        let collider = self.collider;
        let leaf = &collider.nodes()[index as usize];
        if self.cull.facing && self.turns_away(index) {
            return Slab::EMPTY;
        }
        let mut slab = Slab::EMPTY;
        for f in leaf.faces.clone() {
            for &v in collider.mesh().face(f) {
                slab = slab.join(self.spot(v, chart));
            }
        }
        for e in leaf.edges.clone() {
            if collider.mesh().edge_sides(e).is_empty() {
                for v in collider.mesh().edge(e) {
                    slab = slab.join(self.spot(v, chart));
                }
            }
        }
        for v in leaf.vertices.clone() {
            slab = slab.join(self.spot(v, chart));
        }
        match chart.widened(&slab, collider.leaf(index).length_sq) {
            Some((slab, _)) => self.swept(&slab, chart),
            None => {
                self.look_into_leaf(index, chart);
                self.cache.nodes[index as usize]
            }
        }
    }

    /// Whether no face at a feature of a leaf can face the other body anywhere in the leaf's box.
    fn turns_away(&self, index: u32) -> bool {
        let node = &self.collider.nodes()[index as usize];
        let leaf = self.collider.leaf(index);
        let screw = &self.relative.screw;
        let velocity = self.direction() * screw.flow(self.place_point(node.centre));
        // How fast a point near the box may differ from the centre.
        let spread = self.relative.angle * leaf.radius;
        leaf.normals.greatest(self.unplace_vector(velocity)) + spread < -self.relative.slow
    }

    /// Bounds all features of a leaf whose corners are placed, and the leaf by them; true if that
    /// has just been done.
    pub(crate) fn look_into_leaf(&mut self, index: u32, chart: &Chart) -> bool {
        if self.cache.leaf_marks[index as usize] == self.cache.query {
            return false;
        }
        self.cache.leaf_marks[index as usize] = self.cache.query;
        let collider = self.collider;
        let leaf = &collider.nodes()[index as usize];
        if self.cull.facing {
            for f in leaf.faces.clone() {
                self.mark_facing(f);
            }
            for &f in collider.other_faces(index) {
                for &v in collider.mesh().face(f) {
                    self.point(v);
                }
                self.mark_facing(f);
            }
        }
        self.bound_faces(leaf.faces.clone(), chart);
        self.bound_edges(leaf.edges.clone(), chart);
        self.bound_vertices(leaf.vertices.clone(), chart);
        let mut slab = Slab::EMPTY;
        for list in [self.vertices_of(leaf), self.edges_of(leaf), self.faces_of(leaf)] {
            for one in list {
                slab = slab.join(one);
            }
        }
        self.set_node(index, slab);
        true
    }

    /// Marks a face, and those of its corners and edges, where it faces the other body. The
    /// outward speed is linear, so corners decide for edges and faces.
    fn mark_facing(&mut self, f: u32) {
        let mesh = self.collider.mesh();
        if self.cache.faced_marks[f as usize] == self.cache.query {
            return;
        }
        self.cache.faced_marks[f as usize] = self.cache.query;
        let plane = *self.plane(f);
        let least = -self.relative.slow;
        let Cache { query, points, useful_vertices, useful_edges, useful_faces, .. } = self.cache;
        let edges = mesh.face_edges(f);
        let mut before = edges[edges.len() - 1];
        for (&v, &after) in mesh.face(f).iter().zip(edges) {
            if plane.outward_speed(points[v as usize]) >= least {
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

    /// A vertex's slab before it is widened.
    #[inline]
    fn spot(&mut self, v: u32, chart: &Chart) -> &Slab {
        self.chart_vertex(v, chart);
        &self.cache.spots[v as usize]
    }

    fn bound_vertices(&mut self, vertices: std::ops::Range<u32>, chart: &Chart) {
        for v in vertices {
            let i = v as usize;
            if !self.vertex_is_useful(v) {
                self.cache.vertices[i] = Slab::EMPTY;
                continue;
            }
            self.chart_vertex(v, chart);
            let slab = match chart.widened(&self.cache.spots[i], 0.0) {
                Some((slab, _)) => slab,
                None => chart.awkward([&self.cache.charted[i]].into_iter()),
            };
            self.cache.vertices[i] = self.swept(&slab, chart);
        }
    }

    fn bound_edges(&mut self, edges: std::ops::Range<u32>, chart: &Chart) {
        for e in edges {
            if !self.edge_is_useful(e) {
                self.cache.edges[e as usize] = Slab::EMPTY;
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
                None => (chart.awkward(ends.into_iter()), f64::INFINITY),
            };
            self.cache.chords[e as usize] = Chord::new(ends[0], ends[1], slack);
            self.cache.edges[e as usize] = self.swept(&slab, chart);
        }
    }

    fn bound_faces(&mut self, faces: std::ops::Range<u32>, chart: &Chart) {
        let collider = self.collider;
        for f in faces {
            if !self.face_is_useful(f) {
                self.cache.faces[f as usize] = Slab::EMPTY;
                continue;
            }
            let corners = collider.mesh().face(f);
            let mut slab = Slab::EMPTY;
            for &v in corners {
                self.chart_vertex(v, chart);
                slab = slab.join(&self.cache.spots[v as usize]);
            }
            let slab = match chart.widened(&slab, collider.face_length_sq(f)) {
                Some((slab, _)) => slab,
                None => {
                    let charted = corners.iter().map(|&v| &self.cache.charted[v as usize]);
                    chart.awkward(charted)
                }
            };
            self.cache.faces[f as usize] = self.swept(&slab, chart);
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

    /// Bounds of a node's vertices, in order.
    #[inline]
    pub(crate) fn vertices_of(&self, node: &Node) -> &[Slab] {
        &self.cache.vertices[node.vertices.start as usize..node.vertices.end as usize]
    }

    /// Bounds of a node's edges, in order.
    #[inline]
    pub(crate) fn edges_of(&self, node: &Node) -> &[Slab] {
        &self.cache.edges[node.edges.start as usize..node.edges.end as usize]
    }

    /// A bounded edge on the collision screen.
    #[inline]
    pub(crate) fn chord(&self, e: u32) -> &Chord {
        &self.cache.chords[e as usize]
    }

    /// Bounds of a node's faces, in order.
    #[inline]
    pub(crate) fn faces_of(&self, node: &Node) -> &[Slab] {
        &self.cache.faces[node.faces.start as usize..node.faces.end as usize]
    }
}
