//! The expel zone around a mesh: cells of panels and bevels, strips of ridges.
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
//! The strip between a ridge and its expel line is the ridge's own cell: an edge that crosses it is
//! in the zone. Where the expel line would be further than [`CAP`] thicknesses out, there are two,
//! cut off by the plane through the edge that looks halfway between the panels, moved out by that
//! much. Between panels the cut begins at [`BLUNT`] thicknesses, and the space between their cells
//! is the cell of a bevel, a panel without width. Spikes at sharp corners of a panel are cut as
//! well, so that no cell reaches further than [`REACH`] thicknesses.
//!
//! Differs from [Waveren05 §3.5], where the one expel line of a sharp edge is moved back, and that
//! of a dangling edge lies in the panel's plane: an edge that passes over such an edge nearly along
//! the panel was then let through to a small part of the thickness.

use std::cmp::Reverse;
use std::f64::consts::{PI, TAU};

use glam::DVec3;

use super::model::{Bound, Panel, Ridge};
use super::tube::add_tubes;
use crate::mesh::Polyhedron;
use crate::numeric::Elementary;

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

/// Edges of a panel go on straight where their loop turns by an angle of a larger cosine, by less
/// than a thousandth: different bounds would cut each other along a thousand thicknesses.
const STRAIGHT: f64 = 1.0 - 5e-7;

/// Faces at a smaller angle than this lie on each other.
const CLOSED: f64 = 1e-9;

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
        let angle = other.inward.dot(self.normal).arctangent_over(other.inward.dot(self.inward));
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
        let (sine, cosine) = angle.sine_cosine();
        self.normal * cosine - self.inward * sine
    }

    /// How far beyond the edge the plane moved out by 1 meets the one that is turned by `turn` and
    /// moved out by `cap`, or its mirror image where that is nearer.
    fn spread(turn: f64, cap: f64) -> f64 {
        let (sine, cosine) = turn.sine_cosine();
        if is_cut(turn, cap) { (cap - cosine) / sine } else { sine / cosine }
    }
}

/// Whether planes moved out by 1 that turn by `2 turn` meet further out than `cap`.
fn is_cut(turn: f64, cap: f64) -> bool {
    turn > 0.0 && turn.cosine() * cap < 1.0
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
pub(super) struct Cells<'a> {
    pub(super) mesh: &'a Polyhedron,
    pub(super) panels: Vec<Panel>,
    pub(super) bounds: Vec<Bound>,
    pub(super) ridges: Vec<Ridge>,
    /// Where the panels of a face or a lone segment begin; one more at the end.
    pub(super) face_panels: Vec<u32>,
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
    pub(super) fn of(mesh: &'a Polyhedron) -> Self {
        let mut cells = Self::new(mesh);
        (0..mesh.edge_count() as u32).for_each(|edge| cells.add_edge(edge));
        // The bevels of the first face last, to be taken from the end.
        cells.bevels.sort_by_key(|(home, _)| Reverse(*home));
        (0..mesh.face_count() as u32).for_each(|face| cells.add_face(face));
        add_tubes(&mut cells);
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
        // What the narrower one is turned by is a matter of rounding first.
        let reach = corners.map(|own| own.iter().map(from_edge).fold(0.0, f64::max));
        let reach = reach[0].min(reach[1]);
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
                normal: self.normal(side.face),
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
        self.normal(face).cross(along).normalize()
    }

    /// A face's outward unit normal. That of a sliver is wrong across its length by rounding, but
    /// must not be so along it, or its plane would be elsewhere at its far end.
    fn normal(&self, face: u32) -> DVec3 {
        let corners = self.mesh.face(face);
        let at = |i: usize| self.mesh.position(corners[i % corners.len()]);
        let edges = (0..corners.len()).map(|i| at(i + 1) - at(i));
        let longest = edges.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        let normal = self.mesh.normal(face);
        let along = longest.map_or(DVec3::ZERO, DVec3::normalize_or_zero);
        let off = along.dot(normal);
        if off.abs() <= 4.0 * f64::EPSILON { normal } else { (normal - along * off).normalize() }
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
        let front = self.normal(face);
        let (normal, first_slot) = match is_back {
            false => (front, self.slots[face as usize]),
            true => (-front, self.slots[face as usize] + count),
        };
        let point = corners[0];
        let first_bound = self.bounds.len() as u32;
        let along = |i: usize| (corners[(i + 1) % count] - corners[i % count]).normalize();
        let slots = &self.edges[first_slot..first_slot + count];
        let tilts = common_tilts(slots, normal, |i| along(i).dot(along((i + 1) % count)));
        for (i, corner) in corners.iter().enumerate() {
            let before = (i + count - 1) % count;
            let [arriving, leaving] = [along(before), along(i)];
            let [last, slot] = [before, i].map(|k| self.edges[first_slot + k]);
            let from = corner - point;
            let inward = self.inward(face, leaving);
            let bound = match tilts[i] {
                Some(tilt) => inward * (1.0 - tilt * tilt).sqrt() + normal * tilt,
                None => slot.normal.unwrap_or(inward),
            };
            self.add_bound(bound, from, 0.0);
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

    pub(super) fn add_bound(&mut self, normal: DVec3, through: DVec3, growth: f64) {
        self.bounds.push(Bound { normal, offset: normal.dot(through), growth });
    }
}

/// How much the bounds of a panel lean outward at edges that go on straight after a corner, as a
/// sine: as much as the one of them that leans most, since each of them bounds the cell along all.
/// None where the edge's own bound is it.
fn common_tilts(
    slots: &[Slot],
    normal: DVec3,
    cosine_after: impl Fn(usize) -> f64,
) -> Vec<Option<f64>> {
    let count = slots.len();
    let own = |i: usize| slots[i].normal.map_or(0.0, |bound| bound.dot(normal));
    let mut tilts: Vec<f64> = (0..count).map(own).collect();
    let straight: Vec<usize> = (0..count).filter(|&i| cosine_after(i) > STRAIGHT).collect();
    // From edge to edge, as often as there are corners in one line.
    for _ in 0..straight.len() {
        for &i in &straight {
            let next = (i + 1) % count;
            let most = tilts[i].max(tilts[next]);
            [tilts[i], tilts[next]] = [most; 2];
        }
    }
    (0..count).map(|i| (tilts[i] > own(i)).then_some(tilts[i])).collect()
}

/// How far from a corner two sides meet that are moved out by `p` and `q`, where the loop turns by
/// an angle of this cosine: 0 up to a quarter turn, where they meet nearer than [`SPIKE`] or beside
/// one of them.
fn spike([p, q]: [f64; 2], cosine: f64) -> f64 {
    if p.max(q) == 0.0 || cosine >= 0.0 {
        return 0.0;
    }
    ((p * p + q * q - 2.0 * p * q * cosine) / (1.0 - cosine * cosine).max(1e-12)).sqrt()
}
