//! A mesh prepared for traces: panels, ridges and corners, each with its part of the expel zone.
//!
//! A *panel* is one side of a convex face, a *ridge* an edge over which the free space is wider
//! than a half-space, a *corner* a vertex at such an edge. Only these can be touched first; the
//! other edges are internal [Waveren05 §4]. Faces of open surfaces have two panels, back to back.
//!
//! The expel zone of thickness `e` is made of cells. The cell of a panel reaches from the panel to
//! its plane moved out by `e`, and is bounded at each edge by the plane that halves the free angle
//! there, so that the cells of neighbours meet in the expel line: the intersection of the expanded
//! planes, at `(n1 + n2) / (1 + n1 . n2)` times `e` from the edge [Waveren05 §3.2].
//!
//! ```text
//!        expel line                       sharp or dangling edge
//!     ────────*· · · ·   plane + e        ───────────*──┐  expel line
//!      cell  /  cell                       cell    ／   │  plane halfway, moved out
//!     ______/|       :                    ______／ bevel│
//!     panel  | panel :                    ‾‾‾‾‾‾＼      │
//!                                          cell    ＼   │
//!                                         ───────────*──┘  expel line
//! ```
//!
//! The strip between a ridge and its expel line is the ridge's own cell: an edge that crosses it
//! is in the zone. Where the expel line would be further than [`CAP`] thicknesses out, there are
//! two, cut off by the plane through the edge that looks halfway between the panels, moved out by
//! that much. Between panels the cut begins at [`BLUNT`] thicknesses, and the space between their
//! cells is the cell of a bevel, a panel without width. Spikes at sharp corners of a panel are cut as
//! well, so that no cell reaches further than [`REACH`] thicknesses.
//!
//! Differs from [Waveren05 §3.5], where the one expel line of a sharp edge is moved back, and that
//! of a dangling edge lies in the panel's plane: an edge that passes over such an edge nearly along
//! the panel was then let through to a small part of the thickness.

use std::cmp::Reverse;
use std::f64::consts::{PI, TAU};
use std::ops::Range;

use glam::DVec3;

use crate::bounds::Aabb;
use crate::mesh::{MeshError, Polygons, Polyhedron, Rows, convex_pieces};

/// How far from the edge an expel line may be, in thicknesses, before the edge has two. Above the
/// square root of two, so that edges of boxes have one.
const CAP: f64 = 1.5;

/// How far from the edge the cells of two panels may meet, in thicknesses, before there is a bevel
/// between them. Below the square root of two: what rests on one side of a box, a thickness above
/// it, must get past the edges and corners of boxes at the same height, which are as far from
/// their corners as the diagonal of the thickness.
const BLUNT: f64 = 1.25;

/// How high the cell of a bevel is, in thicknesses: a little below where the cells of the panels
/// end, so that what slides in over an edge at the height of a stop does not touch it.
const BEVEL: f64 = BLUNT * 15.0 / 16.0;

/// How high the strip of a ridge is, as a share of the way to its expel line: below 1 for the same
/// reason, and above that of bevels, since edges come to rest at the top of a strip.
const STRIP: f64 = 31.0 / 32.0;

/// How far the cell of a panel may reach beyond a sharp corner, in thicknesses.
const SPIKE: f64 = 2.0;

/// How far strips and the cells of bevels reach beyond the ends of their edge, in thicknesses: so
/// far that those at a corner of a box overlap, and less than 1 for the same reason as [`BLUNT`].
pub(super) const OVERLAP: f64 = 0.75;

/// No cell reaches further from its panel or ridge, in thicknesses: one up, and [`SPIKE`] times the
/// square root of two sideways where cuts meet at a right angle.
pub(super) const REACH: f64 = 3.0;

/// An edge is flat if the far corners of its faces are as near as this to each other's plane,
/// relative to the largest coordinate: rounding can do that to faces in one plane.
const FLAT: f64 = 16.0 * f64::EPSILON;

/// Faces at a smaller angle than this lie on each other.
const CLOSED: f64 = 1e-9;

/// One side of a convex face, or the bevel of a sharp edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Panel {
    pub(super) face: u32,
    pub(super) normal: DVec3,
    /// A corner, from which everything about the panel is measured.
    pub(super) point: DVec3,
    /// How high the cell is, in thicknesses.
    pub(super) rise: f64,
    /// Whether there is another panel right behind it.
    pub(super) is_sheet: bool,
    first_bound: u32,
    end_bound: u32,
}

impl Panel {
    /// Whether this is no side of a face, but the bevel of an edge.
    pub(super) fn is_bevel(&self) -> bool {
        self.rise > 1.0
    }
}

/// A plane that bounds a cell: `normal . (x - point) >= offset - growth e`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) normal: DVec3,
    pub(super) offset: f64,
    pub(super) growth: f64,
}

/// An edge that can be touched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ridge {
    pub(super) edge: u32,
    pub(super) start: DVec3,
    /// Unit, from the start along the edge.
    pub(super) along: DVec3,
    pub(super) length: f64,
    /// Unit, towards the expel line.
    pub(super) out: DVec3,
    /// How high the strip is, in thicknesses.
    pub(super) rise: f64,
    /// `out x along`: unit, normal to the strip, on the side of the first panel.
    pub(super) across: DVec3,
    /// Normals of the panel on the side of `across` and of the other one.
    pub(super) normals: [DVec3; 2],
}

impl Ridge {
    /// The point of the ridge next to a line through `p` and `q`, and the common normal, outward.
    pub(super) fn meeting(&self, p: DVec3, q: DVec3) -> (DVec3, DVec3) {
        let normal = (q - p).cross(self.along);
        let normal = if normal.dot(self.out) < 0.0 { -normal } else { normal };
        let normal = normal.try_normalize().unwrap_or(self.out);
        // In the plane that the line spans with the normal.
        let across = normal.cross(q - p);
        let u = across.dot(p - self.start) / across.dot(self.along);
        let u = if u.is_finite() { u.clamp(0.0, self.length) } else { 0.0 };
        (self.start + self.along * u, normal)
    }
}

/// A mesh with all of its cells.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) mesh: Polyhedron,
    /// The number in the input of each face that was put into the mesh.
    labels: Vec<u32>,
    panels: Vec<Panel>,
    bounds: Vec<Bound>,
    pub(super) ridges: Vec<Ridge>,
    /// Where the panels of a face begin; one more at the end.
    face_panels: Vec<u32>,
    pub(super) parts: Parts,
    /// One vertex of each connected piece, and for each vertex the number of its piece.
    pub(super) pieces: Vec<u32>,
    pub(super) piece_of: Vec<u32>,
}

/// The features of a model in portions with a box: each face, and each lone segment or point.
///
/// Shared features are listed with one portion only, so that nothing is compared twice
/// [Waveren05 §4].
#[derive(Clone, Debug)]
pub(super) struct Parts {
    vertices: Rows<u32>,
    corners: Rows<u32>,
    ridges: Rows<u32>,
    edges: Rows<u32>,
}

impl Model {
    /// Splits faces that are not convex or not flat, finds ridges and builds cells.
    ///
    /// *Guarantees* that faces keep the numbers of the input. *Cost* linear, besides the splitting.
    /// *Fails* as [`Polyhedron::new`].
    pub(super) fn new(polygons: &Polygons) -> Result<Self, MeshError> {
        polygons.check()?;
        let (convex, labels) = convex_pieces(polygons)?;
        let mesh = Polyhedron::new(&convex)?;
        let Cells { panels, bounds, ridges, face_panels, .. } = Cells::of(&mesh);
        let parts = Parts::new(&mesh, &ridges);
        let (pieces, piece_of) = pieces(&mesh);
        Ok(Self { mesh, labels, panels, bounds, ridges, face_panels, parts, pieces, piece_of })
    }

    #[inline]
    pub(super) fn bounds(&self, panel: &Panel) -> &[Bound] {
        &self.bounds[panel.first_bound as usize..panel.end_bound as usize]
    }

    /// The numbers of the panels of a part, bevels last.
    #[inline]
    pub(super) fn panels(&self, part: u32) -> Range<u32> {
        match self.face_panels.get(part as usize + 1) {
            Some(&end) => self.face_panels[part as usize]..end,
            None => 0..0,
        }
    }

    #[inline]
    pub(super) fn panel(&self, panel: u32) -> &Panel {
        &self.panels[panel as usize]
    }

    /// A face's number in the input.
    pub(super) fn face_label(&self, face: u32) -> u32 {
        self.labels[self.mesh.face_label(face) as usize]
    }

    /// The box of a part.
    pub(super) fn aabb(&self, part: u32) -> Aabb {
        Aabb::around(self.parts.vertices(part).iter().map(|&v| self.mesh.position(v)))
    }

    /// The largest coordinate.
    pub(super) fn extent(&self) -> f64 {
        let [low, high] = self.mesh.bounds();
        low.abs().max(high.abs()).max_element()
    }
}

impl Parts {
    fn new(mesh: &Polyhedron, ridges: &[Ridge]) -> Self {
        let faces = mesh.face_count();
        let lone_edge = |e: &u32| mesh.edge_sides(*e).is_empty();
        let lone_point = |v: &u32| mesh.vertex_edges(*v).is_empty();
        let segments: Vec<u32> = (0..mesh.edge_count() as u32).filter(lone_edge).collect();
        let points: Vec<u32> = (0..mesh.vertex_count() as u32).filter(lone_point).collect();
        let segment_part = |e: u32| (faces + segments.partition_point(|&s| s < e)) as u32;
        let point_part =
            |v: u32| (faces + segments.len() + points.partition_point(|&p| p < v)) as u32;
        let count = faces + segments.len() + points.len();

        let vertices = Rows::from_fn(count, |part, out| {
            let part = part as usize;
            match part.checked_sub(faces) {
                None => out.extend_from_slice(mesh.face(part as u32)),
                Some(i) if i < segments.len() => out.extend(mesh.edge(segments[i])),
                Some(i) => out.push(points[i - segments.len()]),
            }
        });
        let home_of_edge =
            |e: u32| mesh.edge_sides(e).first().map_or_else(|| segment_part(e), |side| side.face);
        let home_of_vertex = |v: u32| match (mesh.vertex_faces(v), mesh.vertex_edges(v)) {
            ([face, ..], _) => *face,
            (_, [edge, ..]) => segment_part(*edge),
            _ => point_part(v),
        };
        let mut edges: Vec<u32> = ridges.iter().map(|r| r.edge).chain(segments.clone()).collect();
        edges.sort_unstable();
        edges.dedup();
        let mut corners: Vec<u32> =
            edges.iter().flat_map(|&e| mesh.edge(e)).chain(points.clone()).collect();
        corners.sort_unstable();
        corners.dedup();
        let numbered = ridges.iter().zip(0..).map(|(r, i)| (home_of_edge(r.edge), i));
        Self {
            vertices,
            corners: Rows::from_pairs(count, corners.iter().map(|&v| (home_of_vertex(v), v))),
            ridges: Rows::from_pairs(count, numbered),
            edges: Rows::from_pairs(count, edges.iter().map(|&e| (home_of_edge(e), e))),
        }
    }

    pub(super) fn count(&self) -> u32 {
        self.vertices.len() as u32
    }

    /// All vertices of a part.
    pub(super) fn vertices(&self, part: u32) -> &[u32] {
        self.vertices.row(part)
    }

    /// The corners listed here.
    #[inline]
    pub(super) fn corners(&self, part: u32) -> &[u32] {
        self.corners.row(part)
    }

    /// The ridges listed here.
    #[inline]
    pub(super) fn ridges(&self, part: u32) -> &[u32] {
        self.ridges.row(part)
    }

    /// The edges listed here: those with a ridge, and lone segments.
    #[inline]
    pub(super) fn edges(&self, part: u32) -> &[u32] {
        self.edges.row(part)
    }
}

/// One side of a face at an edge.
#[derive(Clone, Copy)]
struct Half {
    face: u32,
    /// Where its bound is kept.
    slot: usize,
    /// Whether the panel's loop runs along the edge from its first to its second vertex.
    forward: bool,
    normal: DVec3,
    /// Unit, from the edge into the face.
    inward: DVec3,
}

impl Half {
    /// The angle from this half's surface through its free side to another's surface.
    fn angle_to(&self, other: &Self) -> f64 {
        let angle = other.inward.dot(self.normal).atan2(other.inward.dot(self.inward));
        // Back to back, as the two sides of a sheet are, all around is free.
        if angle > CLOSED { angle } else { angle.min(0.0) + TAU }
    }

    /// The half across the free side and the angle to it; none where a back side is in the way.
    fn across(&self, all: &[Self]) -> Option<(Self, f64)> {
        let others = all.iter().filter(|other| other.slot != self.slot);
        let nearest =
            others.map(|other| (*other, self.angle_to(other))).min_by(|(a, x), (b, y)| {
                let faces_away = |half: &Self| half.forward == self.forward;
                x.total_cmp(y).then(faces_away(a).cmp(&faces_away(b)))
            });
        nearest.filter(|(other, _)| other.forward != self.forward)
    }

    /// The unit vector that is turned from the normal towards the outside of the edge.
    fn turned(&self, angle: f64) -> DVec3 {
        let (sine, cosine) = angle.sin_cos();
        self.normal * cosine - self.inward * sine
    }

    /// How far beyond the edge the plane moved out by 1 meets the one that is turned by `turn` and
    /// moved out by `cap`, or its mirror image where that is nearer.
    fn spread(turn: f64, cap: f64) -> f64 {
        let (sine, cosine) = turn.sin_cos();
        if is_cut(turn, cap) { (cap - cosine) / sine } else { sine / cosine }
    }
}

/// Whether planes moved out by 1 that turn by `2 turn` meet further out than `cap`.
fn is_cut(turn: f64, cap: f64) -> bool {
    turn > 0.0 && turn.cos() * cap < 1.0
}

/// What bounds a cell at an edge of its panel: the inward normal of a plane, and how far the top of
/// the cell reaches beyond the edge.
#[derive(Clone, Copy)]
struct Slot {
    normal: Option<DVec3>,
    spread: f64,
}

/// An edge as a line.
struct Line {
    edge: u32,
    start: DVec3,
    along: DVec3,
    length: f64,
}

impl Line {
    fn new(edge: u32, [start, end]: [DVec3; 2]) -> Self {
        let length = start.distance(end);
        Self { edge, start, along: (end - start) / length, length }
    }

    /// One ridge between two halves, or two where the expel line is cut off at `cap`.
    fn ridges(&self, [one, other]: [&Half; 2], turn: f64, cap: f64) -> (Ridge, Option<Ridge>) {
        let out = |half: &Half| half.normal - half.inward * Half::spread(turn, cap);
        if !is_cut(turn, cap) {
            return (self.ridge(out(one), [one.normal, other.normal]), None);
        }
        let middle = one.turned(turn);
        let second = self.ridge(out(other), [middle, other.normal]);
        (self.ridge(out(one), [one.normal, middle]), Some(second))
    }

    /// The ridge with its expel line at this vector from the edge, in thicknesses.
    fn ridge(&self, out: DVec3, normals: [DVec3; 2]) -> Ridge {
        let Self { edge, start, along, length } = *self;
        let rise = STRIP * out.length();
        let out = out.normalize();
        Ridge { edge, start, along, length, out, rise, across: out.cross(along), normals }
    }
}

/// The panel without width at a sharp edge, between its two ridges.
struct Bevel {
    normal: DVec3,
    sides: [Ridge; 2],
}

/// Cells under construction.
struct Cells<'a> {
    mesh: &'a Polyhedron,
    panels: Vec<Panel>,
    bounds: Vec<Bound>,
    ridges: Vec<Ridge>,
    face_panels: Vec<u32>,
    /// One for each edge of a panel.
    edges: Vec<Slot>,
    /// Bevels with the face that lists them.
    bevels: Vec<(u32, Bevel)>,
    /// The first slot of each face: one for each edge of its front, then those of its back.
    slots: Vec<usize>,
    /// The largest coordinate.
    magnitude: f64,
}

impl<'a> Cells<'a> {
    fn new(mesh: &'a Polyhedron) -> Self {
        let mut slots = Vec::with_capacity(mesh.face_count());
        let mut count = 0;
        for face in 0..mesh.face_count() as u32 {
            slots.push(count);
            count += 2 * mesh.face(face).len();
        }
        Self {
            mesh,
            panels: Vec::new(),
            bounds: Vec::new(),
            ridges: Vec::new(),
            face_panels: vec![0],
            edges: vec![Slot { normal: None, spread: 0.0 }; count],
            bevels: Vec::new(),
            slots,
            magnitude: mesh.positions().iter().map(|p| p.abs().max_element()).fold(0.0, f64::max),
        }
    }

    /// All cells of a mesh.
    fn of(mesh: &'a Polyhedron) -> Self {
        let mut cells = Self::new(mesh);
        (0..mesh.edge_count() as u32).for_each(|edge| cells.add_edge(edge));
        // The bevels of the first face last, to be taken from the end.
        cells.bevels.sort_by_key(|(home, _)| Reverse(*home));
        (0..mesh.face_count() as u32).for_each(|face| cells.add_face(face));
        cells
    }

    /// Finds what bounds the panels at an edge, its ridges and bevels.
    fn add_edge(&mut self, edge: u32) {
        let ends = self.mesh.edge(edge).map(|v| self.mesh.position(v));
        let halves = self.halves(edge, ends);
        for half in halves.iter().filter(|half| half.forward) {
            let Some((other, angle)) = half.across(&halves) else { continue };
            // Half of what the free angle exceeds a half-turn by.
            let turn = (angle - PI) / 2.0;
            let line = Line::new(edge, ends);
            let sides = [half, &other];
            if turn > self.flat_turn(half.face, other.face, &line) {
                let (first, last) = line.ridges(sides, turn, CAP);
                self.ridges.push(first);
                self.ridges.extend(last);
            }
            let (first, last) = line.ridges(sides, turn, BLUNT);
            let spread = Half::spread(turn, BLUNT);
            let across = last.unwrap_or(first).across;
            self.bound(sides, [first.across, -across], spread);
            if let Some(last) = last {
                let normal = half.turned(turn);
                self.bevels.push((half.face, Bevel { normal, sides: [first, last] }));
            }
        }
    }

    /// The largest turn at which the edge between two faces counts as flat.
    fn flat_turn(&self, one: u32, other: u32, line: &Line) -> f64 {
        let corners = [one, other].map(|face| self.mesh.face(face));
        let from_edge = |&v: &u32| (self.mesh.position(v) - line.start).cross(line.along).length();
        let reach = corners.into_iter().flatten().map(from_edge).fold(0.0, f64::max);
        // The planes open by twice the turn.
        FLAT * self.magnitude / (2.0 * reach)
    }

    fn bound(&mut self, halves: [&Half; 2], normals: [DVec3; 2], spread: f64) {
        for (half, normal) in halves.iter().zip(normals) {
            self.edges[half.slot] = Slot { normal: Some(normal), spread: spread.max(0.0) };
        }
    }

    fn halves(&self, edge: u32, [start, end]: [DVec3; 2]) -> Vec<Half> {
        let along = (end - start).normalize();
        let mut halves = Vec::new();
        for side in self.mesh.edge_sides(edge) {
            let edges = self.mesh.face_edges(side.face);
            let Some(place) = edges.iter().position(|&e| e == edge) else { continue };
            let front = Half {
                face: side.face,
                slot: self.slots[side.face as usize] + place,
                forward: side.left,
                normal: self.mesh.normal(side.face),
                inward: self.inward(side.face, if side.left { along } else { -along }),
            };
            halves.push(front);
            if self.mesh.is_two_sided(side.face) {
                let slot = front.slot + edges.len();
                halves.push(Half { slot, forward: !front.forward, normal: -front.normal, ..front });
            }
        }
        halves
    }

    /// From an edge of the face's front, along which its loop runs, into the face.
    fn inward(&self, face: u32, along: DVec3) -> DVec3 {
        self.mesh.normal(face).cross(along).normalize()
    }

    fn add_face(&mut self, face: u32) {
        self.add_panel(face, false);
        if self.mesh.is_two_sided(face) {
            self.add_panel(face, true);
        }
        while let Some((_, bevel)) = self.bevels.pop_if(|(home, _)| *home == face) {
            self.add_bevel(face, &bevel);
        }
        self.face_panels.push(self.panels.len() as u32);
    }

    fn add_panel(&mut self, face: u32, is_back: bool) {
        let corners: Vec<DVec3> =
            self.mesh.face(face).iter().map(|&v| self.mesh.position(v)).collect();
        let count = corners.len();
        let front = self.mesh.normal(face);
        let (normal, first_slot) = match is_back {
            false => (front, self.slots[face as usize]),
            true => (-front, self.slots[face as usize] + count),
        };
        let point = corners[0];
        let first_bound = self.bounds.len() as u32;
        let along = |i: usize| (corners[(i + 1) % count] - corners[i % count]).normalize();
        for (i, corner) in corners.iter().enumerate() {
            let before = (i + count - 1) % count;
            let [arriving, leaving] = [along(before), along(i)];
            let [last, slot] = [before, i].map(|k| self.edges[first_slot + k]);
            let from = corner - point;
            let inward = slot.normal.unwrap_or_else(|| self.inward(face, leaving));
            self.add_bound(inward, from, 0.0);
            if spike([last.spread, slot.spread], arriving.dot(leaving)) > SPIKE {
                self.add_bound((leaving - arriving).normalize(), from, SPIKE);
            }
        }
        let end_bound = self.bounds.len() as u32;
        let is_sheet = self.mesh.is_two_sided(face);
        self.panels.push(Panel {
            face,
            normal,
            point,
            rise: 1.0,
            is_sheet,
            first_bound,
            end_bound,
        });
    }

    fn add_bevel(&mut self, face: u32, Bevel { normal, sides: [first, second] }: &Bevel) {
        let first_bound = self.bounds.len() as u32;
        let length = first.along * first.length;
        self.add_bound(-first.across, DVec3::ZERO, 0.0);
        self.add_bound(second.across, DVec3::ZERO, 0.0);
        self.add_bound(first.along, DVec3::ZERO, OVERLAP);
        self.add_bound(-first.along, length, OVERLAP);
        let end_bound = self.bounds.len() as u32;
        let (normal, point) = (*normal, first.start);
        let is_sheet = self.mesh.is_two_sided(face);
        self.panels.push(Panel {
            face,
            normal,
            point,
            rise: BEVEL,
            is_sheet,
            first_bound,
            end_bound,
        });
    }

    fn add_bound(&mut self, normal: DVec3, through: DVec3, growth: f64) {
        self.bounds.push(Bound { normal, offset: normal.dot(through), growth });
    }
}

/// The lowest vertex of each connected piece, and the piece of each vertex.
fn pieces(mesh: &Polyhedron) -> (Vec<u32>, Vec<u32>) {
    const NONE: u32 = u32::MAX;
    let mut first = Vec::new();
    let mut piece_of = vec![NONE; mesh.vertex_count()];
    let mut waiting = Vec::new();
    for start in 0..mesh.vertex_count() as u32 {
        if piece_of[start as usize] != NONE {
            continue;
        }
        waiting.push(start);
        piece_of[start as usize] = first.len() as u32;
        while let Some(vertex) = waiting.pop() {
            for &edge in mesh.vertex_edges(vertex) {
                let next = mesh.neighbour(edge, vertex);
                if piece_of[next as usize] == NONE {
                    piece_of[next as usize] = first.len() as u32;
                    waiting.push(next);
                }
            }
        }
        first.push(start);
    }
    (first, piece_of)
}

/// How far from a corner two sides meet that are moved out by `p` and `q`, where the loop turns by
/// an angle of this cosine.
fn spike([p, q]: [f64; 2], cosine: f64) -> f64 {
    if p.max(q) == 0.0 {
        return 0.0;
    }
    ((p * p + q * q - 2.0 * p * q * cosine) / (1.0 - cosine * cosine).max(1e-12)).sqrt()
}
