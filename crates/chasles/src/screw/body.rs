//! One body during one query: nodes and leaves are bounded when first met.

use glam::{DMat3, DVec3};

use super::cache::Cache;
use super::pack::Pack;
use super::placed::{Fixed, Line, Lines, Plane};
use super::relative::Relative;
use crate::bounds::{
    Aim, Chart, Chords, Collider, Cover, Frame, Node, Placement, Quad, Slab, Spot, SweptBox,
};
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
    /// The collider's local vertices and points of faces.
    pub(super) locals: &'q [DVec3],
    pub(super) face_locals: &'q [DVec3],
    pub(super) who: Who,
    pub(super) cull: Cull,
    /// How it moves past the other body at the start, in its own local coordinates.
    pub(super) drift: Screw,
    /// The same for faces, four at a time.
    pub(super) aim: Aim,
    /// Where the body's boxes lie in the chart.
    frame: Frame,
    /// Where they lie in space, once that is asked for.
    placement: Option<Placement>,
    pub(super) cache: &'q mut Cache,
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
        let (locals, face_locals) = (collider.locals(), collider.face_locals());
        let placement = None;
        let aim = Aim::new(&drift, [relative.angle, 2.0 * relative.slow], scale);
        Self {
            collider,
            relative,
            locals,
            face_locals,
            who,
            cull,
            drift,
            aim,
            frame,
            placement,
            cache,
        }
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

    /// The centre, at the start, and the radius of a ball around a node.
    pub(crate) fn ball(&self, node: u32) -> (DVec3, f64) {
        let (centre, radius) = self.collider.hull(node).ball();
        (self.place_point(centre), radius)
    }

    /// A vertex at the start.
    #[inline]
    pub(crate) fn point(&self, v: u32) -> DVec3 {
        self.place_point(self.locals[v as usize])
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
        let offset = normal.dot(self.place_point(self.face_locals[f as usize]));
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
            let at_corner = slope.dot(self.locals[v as usize]) + speed;
            [low, high] = [lower(low, at_corner), upper(high, at_corner)];
        }
        let slow = self.relative.slow;
        low > slow || high < -slow
    }

    /// Where a vertex of a leaf that has been looked into is on the collision screen, and how far
    /// from there at most.
    #[inline]
    pub(crate) fn spot(&self, v: u32) -> (&Spot, f32) {
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
        let [p, q] = self.collider.mesh().edge(e).map(|v| self.locals[v as usize]);
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

    /// Looks at B's boxes until some time only, from now on.
    pub(crate) fn look_until(&mut self, until: f64) {
        self.placement = Some(self.relative.placement(self.collider.scale(), until));
        self.cache.begin_boxes();
    }

    /// The box of a node in space.
    #[inline]
    pub(crate) fn swept_box(&mut self, index: u32) -> &SweptBox {
        if self.cache.box_marks[index as usize] != self.cache.boxing {
            self.place_box(index);
        }
        &self.cache.boxes[index as usize]
    }

    #[inline(never)]
    fn place_box(&mut self, index: u32) {
        let Self { relative, collider, who, .. } = *self;
        let placement = self.placement.get_or_insert_with(|| match who {
            Who::A => Placement::still(relative.reach, collider.scale()),
            Who::B => relative.placement(collider.scale(), 1.0),
        });
        self.cache.box_marks[index as usize] = self.cache.boxing;
        self.cache.boxes[index as usize] = placement.boxed(collider.hull(index));
    }

    pub(super) fn set_node(&mut self, index: u32, slab: Slab) {
        self.cache.node_marks[index as usize] = self.cache.query;
        self.cache.nodes[index as usize] = slab;
    }

    /// Whether the body is bounded as a whole.
    pub(crate) fn is_small(&self) -> bool {
        self.collider.moving_nodes().len() <= SMALL
    }

    /// Looks into all leaves of a small body, most of which will be met.
    pub(crate) fn look_into_small(&mut self, chart: &Chart) {
        if !self.is_small() {
            return;
        }
        let nodes = self.collider.moving_nodes();
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
        self.collider.turns_away(index, &self.drift, angle, slow)
    }

    /// A vertex of a leaf that has been looked into, at the start.
    #[inline]
    pub(crate) fn placed(&self, v: u32) -> DVec3 {
        self.cache.points[v as usize]
    }

    /// Bounds of four leaves, those with numbers from four times `quad` on.
    #[inline]
    pub(crate) fn leaf_quad(&mut self, quad: u32, chart: &Chart) -> &Quad {
        if self.cache.quad_marks[quad as usize] != self.cache.query {
            self.bound_leaves(quad, chart);
        }
        &self.cache.leaf_quads[quad as usize]
    }

    #[inline(never)]
    fn bound_leaves(&mut self, quad: u32, chart: &Chart) {
        let leaves = self.collider.moving_nodes()[0].leaves.end;
        let slabs = [0, 1, 2, 3].map(|lane| 4 * quad + lane).map(|leaf| match leaf < leaves {
            true => self.node(self.collider.leaf_node(leaf), chart),
            false => Slab::EMPTY,
        });
        self.cache.quad_marks[quad as usize] = self.cache.query;
        self.cache.leaf_quads[quad as usize] = Quad::of(&slabs);
    }

    /// Where the features of a leaf that has been looked into are.
    #[inline]
    pub(super) fn pack(&self, leaf: &Node) -> Pack {
        self.cache.packs[leaf.leaves.start as usize]
    }

    /// The features of all leaves that have been looked into.
    #[inline]
    pub(super) fn features(&self) -> Features<'_> {
        let Cache { ids, quads, chords, .. } = &*self.cache;
        Features { ids, quads, chords }
    }
}

/// Features, and their bounds four by four.
#[derive(Clone, Copy)]
pub(super) struct Features<'f> {
    pub(super) ids: &'f [u32],
    pub(super) quads: &'f [Quad],
    /// Of edges only.
    pub(super) chords: &'f [Chords],
}
