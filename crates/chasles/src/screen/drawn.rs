//! One body on the screen: which features are drawn, and their records [Buss04 §9, steps two and
//! three].
//!
//! ```text
//! vertices -> Dots -> Classes of faces, those out of reach left out
//!          -> Subs (edges cut where a face turns away) -> Records by rows
//!          -> Marks (vertices) by rows
//! ```

use glam::DVec3;

use super::axes::{Axes, Dot, Extent, Frame, Sector};
use super::doppel::{COPIES, Sectors};
use super::draw::{DEPARTURE, Ink, Knot, Pen};
use super::facing::{Class, Crossing, Facing, Slope, clip_into};
use super::relative::Ball;
use super::rows::{Mark, Record, Rows};
use crate::mesh::Side;

/// No feature.
pub(super) const NONE: u32 = u32::MAX;

/// A part of an edge of the body, or a virtual edge that only bounds a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sub {
    /// The edge; [`NONE`] if virtual.
    pub(super) edge: u32,
    /// The drawn faces that it bounds: face numbers, or numbers of copies, or [`NONE`].
    pub(super) faces: [u32; 2],
}

/// What drawing a body needs to know.
#[derive(Clone, Copy, Debug)]
pub(super) struct Body<'q> {
    pub(super) facing: Facing<'q>,
    pub(super) axes: &'q Axes,
    pub(super) frame: Frame,
    /// If the body may reach the cut.
    pub(super) sectors: Option<Sectors>,
    /// How far the curve of an edge can depart from its chord, in pixels over its length squared;
    /// infinite near the axis.
    pub(super) bend: f64,
    /// How long the slowest point takes for a pixel.
    steps_per_pixel: f32,
}

impl<'q> Body<'q> {
    pub(super) fn new(
        facing: Facing<'q>,
        axes: &'q Axes,
        frame: Frame,
        ball: &Ball,
        reached_from: f64,
    ) -> Self {
        let sectors = axes.wraps.then(|| Sectors::new(axes, reached_from));
        let root = axes.root(frame.at(facing.collider.nodes()[0].centre));
        let nearest = root - axes.kappa * ball.radius;
        // rho departs by kappa len²/8 over root, the arc by as much over root², and h and t again
        // by as much through the change of their directions with the distance from the axis.
        let bend = 0.5 * axes.kappa * axes.pixels_per_length() / (nearest * nearest);
        let bend = if nearest > 0.05 && sectors.is_none() { bend } else { f64::INFINITY };
        let bend = if axes.kappa == 0.0 { 0.0 } else { bend };
        let steps_per_pixel = axes.steps_per_pixel(nearest);
        Self { facing, axes, frame, sectors, bend, steps_per_pixel }
    }

    fn at(&self, vertex: u32) -> DVec3 {
        self.frame.at(self.facing.collider.local(vertex))
    }

    /// Bounds of a face, given those of its corners.
    #[inline]
    fn widened(&self, corners: &Extent, face: u32) -> Extent {
        let pixels = (self.bend * self.facing.collider.face_length_sq(face)) as f32;
        corners.widened(pixels, pixels * self.steps_per_pixel)
    }
}

/// One body on the screen. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    dots: Vec<Dot>,
    classes: Vec<Class>,
    awkward: Vec<bool>,
    kept: Vec<bool>,
    pub(super) subs: Vec<Sub>,
    /// Sub-edges from this number on are virtual.
    pub(super) first_virtual: u32,
    records: Vec<Record>,
    marks: Vec<Mark>,
    pub(super) rows: Rows<Record>,
    pub(super) vertices: Rows<Mark>,
    crossings: Vec<Crossing>,
    corners: Vec<DVec3>,
    loops: [Vec<DVec3>; 2],
}

/// What of the other body a face must reach to be drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) other: Extent,
    /// Collision times that count.
    pub(super) window: [f32; 2],
    /// Whether the faces are A's.
    pub(super) is_a: bool,
}

impl Reach {
    #[inline]
    fn holds(&self, extent: &Extent) -> bool {
        if self.is_a {
            extent.meets_in(&self.other, self.window)
        } else {
            self.other.meets_in(extent, self.window)
        }
    }
}

impl Drawn {
    /// Projects all vertices and asks which faces face the other body; returns bounds of these.
    pub(super) fn prepare(&mut self, body: &Body<'_>, mask: Option<&[bool]>) -> Extent {
        let Self { dots, classes, awkward, .. } = self;
        let mesh = body.facing.collider.mesh();
        dots.clear();
        dots.extend((0..mesh.vertex_count() as u32).map(|v| body.axes.dot(body.at(v))));
        classes.clear();
        awkward.clear();
        let mut extent = Extent::EMPTY;
        let bounded = body.bend.is_finite();
        for f in 0..mesh.face_count() as u32 {
            let class = match mask {
                Some(mask) if !mask[f as usize] => Class::Away,
                _ => body.facing.class(f),
            };
            classes.push(class);
            if class != Class::Away {
                let mut bounds = Extent::EMPTY;
                mesh.face(f).iter().for_each(|&v| bounds.add(dots[v as usize]));
                extent.join(&if bounded { body.widened(&bounds, f) } else { bounds });
            }
            let is_plain = |s: &Sectors| s.is_plain(mesh.face(f).iter().map(|&v| body.at(v)));
            awkward.push(class != Class::Away && !body.sectors.as_ref().is_none_or(is_plain));
        }
        for e in body.lone_edges() {
            mesh.edge(e).iter().for_each(|&v| extent.add(dots[v as usize]));
        }
        for v in body.lone_vertices() {
            extent.add(dots[v as usize]);
        }
        if bounded { extent } else { extent.all_around(body.axes.rho_of_axis()) }
    }

    /// Leaves out faces beyond the other body's reach, and finds the vertices that are left.
    pub(super) fn cull(&mut self, body: &Body<'_>, reach: &Reach) {
        let Self { dots, classes, kept, .. } = self;
        let mesh = body.facing.collider.mesh();
        kept.clear();
        kept.resize(mesh.vertex_count(), false);
        let bounded = body.bend.is_finite();
        for f in 0..mesh.face_count() as u32 {
            let class = &mut classes[f as usize];
            if *class == Class::Away {
                continue;
            }
            let mut bounds = Extent::EMPTY;
            mesh.face(f).iter().for_each(|&v| bounds.add(dots[v as usize]));
            if bounded && !reach.holds(&body.widened(&bounds, f)) {
                *class = Class::Away;
            } else if *class == Class::Whole {
                mesh.face(f).iter().for_each(|&v| kept[v as usize] = true);
            } else {
                let slope = body.facing.slope(f);
                for &v in mesh.face(f) {
                    kept[v as usize] |= slope.at(body.facing.collider.local(v)) >= 0.0;
                }
            }
        }
        let ends = body.lone_edges().flat_map(|e| mesh.edge(e));
        ends.chain(body.lone_vertices()).for_each(|v| kept[v as usize] = true);
    }

    /// Draws everything that is left, and sorts it by rows. True if there were too many records.
    pub(super) fn draw(&mut self, body: &Body<'_>, ink: &Ink<'_>) -> bool {
        let mut records = std::mem::take(&mut self.records);
        records.clear();
        let mut pen = Pen::new(ink, &mut records);
        self.subs.clear();
        for edge in 0..body.facing.collider.mesh().edge_count() as u32 {
            self.draw_edge(body, edge, &mut pen);
        }
        self.first_virtual = self.subs.len() as u32;
        self.draw_cuts(body, &mut pen);
        self.draw_awkward(body, &mut pen);
        let (band, full) = (pen.band, pen.full);
        self.rows.sort(&records, band.count);
        self.records = records;
        self.mark_vertices(body, band.base, band.count);
        self.vertices.sort(&self.marks, band.count);
        full
    }

    /// The edge that a record belongs to.
    #[inline]
    pub(super) fn edge_of(&self, record: &Record) -> u32 {
        self.subs[record.sub as usize].edge
    }

    /// How many faces the body has.
    pub(super) fn face_count(&self) -> u32 {
        self.classes.len() as u32
    }

    /// One more than the highest number of a copy of a face.
    pub(super) fn copies(&self) -> usize {
        self.classes.len() * COPIES as usize
    }

    fn draw_edge(&mut self, body: &Body<'_>, edge: u32, pen: &mut Pen<'_>) {
        let mesh = body.facing.collider.mesh();
        let sides = mesh.edge_sides(edge);
        if sides.is_empty() {
            return self.draw_part(body, edge, [NONE; 2], [0.0, 1.0], pen);
        }
        // Two faces at a time: where more meet, the edge is drawn more than once.
        for pair in sides.chunks(2) {
            let of = |i: usize| pair.get(i).map(|side: &Side| side.face);
            let faces = [of(0), of(1)].map(|face| face.map_or(NONE, |face| self.named(face)));
            let parts =
                [of(0), of(1)].map(|face| face.and_then(|face| self.part_of(body, face, edge)));
            self.draw_between(body, edge, faces, parts, pen);
        }
    }

    /// The part of an edge along which one of its faces is drawn, as fractions.
    #[inline]
    fn part_of(&self, body: &Body<'_>, face: u32, edge: u32) -> Option<[f64; 2]> {
        match self.classes[face as usize] {
            Class::Away => None,
            Class::Whole => Some([0.0, 1.0]),
            Class::Cut => Slope::part_of(body.facing.along(face, edge)),
        }
    }

    /// The name of a face in sub-edges; none if it is drawn apart from its edges.
    #[inline]
    fn named(&self, face: u32) -> u32 {
        if self.awkward[face as usize] { NONE } else { face }
    }

    /// Draws an edge between two faces, of each of which a part is drawn: up to three sub-edges.
    fn draw_between(
        &mut self,
        body: &Body<'_>,
        edge: u32,
        faces: [u32; 2],
        parts: [Option<[f64; 2]>; 2],
        pen: &mut Pen<'_>,
    ) {
        let (p, q) = match parts {
            [None, None] => return,
            [Some(p), None] => return self.draw_part(body, edge, [faces[0], NONE], p, pen),
            [None, Some(q)] => return self.draw_part(body, edge, [NONE, faces[1]], q, pen),
            [Some(p), Some(q)] if p == q => return self.draw_part(body, edge, faces, p, pen),
            [Some(p), Some(q)] => (p, q),
        };
        let mut stops = [p[0], p[1], q[0], q[1]];
        stops.sort_unstable_by(f64::total_cmp);
        for stop in stops.windows(2) {
            let middle = 0.5 * (stop[0] + stop[1]);
            let inside = |part: [f64; 2]| part[0] <= middle && middle <= part[1];
            let [in_p, in_q] = [inside(p), inside(q)];
            if stop[0] < stop[1] && (in_p || in_q) {
                let faces =
                    [if in_p { faces[0] } else { NONE }, if in_q { faces[1] } else { NONE }];
                self.draw_part(body, edge, faces, [stop[0], stop[1]], pen);
            }
        }
    }

    /// Draws a part of an edge.
    fn draw_part(
        &mut self,
        body: &Body<'_>,
        edge: u32,
        faces: [u32; 2],
        [from, to]: [f64; 2],
        pen: &mut Pen<'_>,
    ) {
        let sub = self.subs.len() as u32;
        self.subs.push(Sub { edge, faces });
        let collider = body.facing.collider;
        let [p, q] = collider.mesh().edge(edge);
        let straight = body.bend * collider.edge_length_sq(edge) <= f64::from(DEPARTURE);
        let [dot_p, dot_q] = [p, q].map(|v| self.dots[v as usize]);
        if straight && from == 0.0 && to == 1.0 {
            return pen.line(sub, dot_p, dot_q);
        }
        let [at_p, at_q] = [body.at(p), body.at(q)];
        let ends = [from, to].map(|f| at_p.lerp(at_q, f));
        let plain = |s: &Sectors| s.is_plain(ends.iter().copied());
        if body.sectors.as_ref().is_none_or(plain) {
            let knot = |f: f64, end: Dot, at: DVec3| {
                if f == 0.0 || f == 1.0 { (at, end) } else { (at, pen.axes.dot(at)) }
            };
            let ends = [knot(from, dot_p, ends[0]), knot(to, dot_q, ends[1])];
            draw_curve(pen, sub, ends, None, straight);
        } else if let Some(sectors) = &body.sectors {
            for (_, sector) in sectors.all() {
                draw_in_sector(pen, sub, sectors, ends, &sector);
            }
        }
    }

    /// Virtual edges along the cuts of faces of which a part faces away.
    fn draw_cuts(&mut self, body: &Body<'_>, pen: &mut Pen<'_>) {
        let mut crossings = std::mem::take(&mut self.crossings);
        for f in 0..self.classes.len() {
            if self.classes[f] != Class::Cut || self.awkward[f] {
                continue;
            }
            body.facing.cut(f as u32, &mut crossings);
            for pair in crossings.chunks_exact(2) {
                let sub = self.subs.len() as u32;
                self.subs.push(Sub { edge: NONE, faces: [f as u32, NONE] });
                let ends: [Knot; 2] = [pair[0], pair[1]].map(|crossing| {
                    let at = body.frame.at(crossing.point);
                    (at, pen.axes.dot(at))
                });
                let length_sq = ends[0].0.distance_squared(ends[1].0);
                let straight = body.bend * length_sq <= f64::from(DEPARTURE);
                draw_curve(pen, sub, ends, None, straight);
            }
        }
        self.crossings = crossings;
    }

    /// Faces at the cut behind the axis: clipped by sectors, and drawn with virtual edges only.
    fn draw_awkward(&mut self, body: &Body<'_>, pen: &mut Pen<'_>) {
        let Some(sectors) = &body.sectors else { return };
        let mesh = body.facing.collider.mesh();
        let count = self.classes.len() as u32;
        for f in (0..count).filter(|&f| self.awkward[f as usize]) {
            let local = |&v: &u32| body.facing.collider.local(v);
            self.loops[0].clear();
            self.loops[0].extend(mesh.face(f).iter().map(local));
            if self.classes[f as usize] == Class::Cut {
                let slope = body.facing.slope(f);
                clip_into(&self.loops[0], |p| slope.at(p), &mut self.corners);
            } else {
                self.corners.clone_from(&self.loops[0]);
            }
            self.corners.iter_mut().for_each(|p| *p = body.frame.at(*p));
            for (i, sector) in sectors.all() {
                sectors.clip(&self.corners, &sector, &mut self.loops);
                let corners = &self.loops[1];
                let sub = self.subs.len() as u32;
                self.subs.push(Sub { edge: NONE, faces: [f + count * (i + 1), NONE] });
                let next = corners.iter().cycle().skip(1);
                for (&p, &q) in corners.iter().zip(next) {
                    let ends = [p, q].map(|at| (at, pen.axes.dot_in(at, &sector)));
                    pen.curve(sub, ends, Some(&sector));
                }
            }
        }
    }

    fn mark_vertices(&mut self, body: &Body<'_>, base: f32, count: u32) {
        self.marks.clear();
        let marks = &mut self.marks;
        let mut mark = |dot: Dot, vertex: u32| {
            let row = dot.rho - base;
            if row >= 0.0 && row < count as f32 {
                marks.push(Mark { dot, vertex, row: (row as u32).min(count - 1) });
            }
        };
        for v in (0..self.dots.len()).filter(|&v| self.kept[v]) {
            let vertex = v as u32;
            match &body.sectors {
                None => mark(self.dots[v], vertex),
                Some(sectors) => {
                    let at = body.at(vertex);
                    for sector in sectors.places(at) {
                        mark(body.axes.dot_in(at, &sector), vertex);
                    }
                }
            }
        }
    }
}

impl Body<'_> {
    fn lone_edges(&self) -> impl Iterator<Item = u32> {
        let mesh = self.facing.collider.mesh();
        let any = !mesh.is_closed();
        let count = if any { mesh.edge_count() as u32 } else { 0 };
        (0..count).filter(|&e| mesh.edge_sides(e).is_empty())
    }

    fn lone_vertices(&self) -> impl Iterator<Item = u32> {
        let mesh = self.facing.collider.mesh();
        let any = !mesh.is_closed();
        let count = if any { mesh.vertex_count() as u32 } else { 0 };
        (0..count).filter(|&v| mesh.vertex_edges(v).is_empty())
    }
}

#[inline]
fn draw_curve(
    pen: &mut Pen<'_>,
    sub: u32,
    ends: [Knot; 2],
    sector: Option<&Sector>,
    straight: bool,
) {
    if straight {
        pen.line(sub, ends[0].1, ends[1].1);
    } else {
        pen.curve(sub, ends, sector);
    }
}

fn draw_in_sector(
    pen: &mut Pen<'_>,
    sub: u32,
    sectors: &Sectors,
    [p, q]: [DVec3; 2],
    sector: &Sector,
) {
    if let Some(part) = sectors.part_of([p, q], sector) {
        let ends = part.map(|f| p.lerp(q, f)).map(|at| (at, pen.axes.dot_in(at, sector)));
        pen.curve(sub, ends, Some(sector));
    }
}
