//! One body on the screen: which features are drawn, and their records [Buss04 §9, steps two and
//! three].
//!
//! ```text
//! vertices -> Dots -> Classes of faces, those out of reach left out
//!          -> Subs (edges cut where a face turns away) -> Records by rows
//!          -> Marks (vertices) by rows
//! ```

use glam::DVec3;

use super::axes::{Dot, Extent, Sector};
use super::body::{Body, Ramp};
use super::doppel::{COPIES, Sectors};
use super::draw::{DEPARTURE, Ink, Knot, Pen};
use super::facing::{Class, Crossing, Slope, clip_into};
use super::footprint::Footprints;
use super::judge::Guess;
use super::lanes::Spot;
use super::rows::{Band, Mark, Marks, Record, Spans};
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

/// One body on the screen. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    spots: Vec<Spot>,
    dots: Vec<Dot>,
    /// Of each drawn face, before anything is left out.
    extents: Vec<Extent>,
    classes: Vec<Class>,
    awkward: Vec<bool>,
    kept: Vec<bool>,
    pub(super) subs: Vec<Sub>,
    /// Edges that depart from their chords by less, in pixels, are drawn as lines.
    departure: f64,
    /// Sub-edges from this number on are virtual.
    pub(super) first_virtual: u32,
    pub(super) records: Vec<Record>,
    marks: Vec<Mark>,
    pub(super) rows: Spans,
    pub(super) footprints: Footprints,
    /// How far times inside a face may exceed those of its border.
    pads: Vec<f32>,
    /// How far the border of a face may depart from its corners, in pixels.
    bends: Vec<f32>,
    /// For each face how its times go with the place, where that is nearly linear.
    ramps: Vec<Ramp>,
    pub(super) vertices: Marks,
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
        let Self { spots, dots, extents, classes, awkward, .. } = self;
        let mesh = body.facing.collider.mesh();
        spots.clear();
        spots.extend((0..mesh.vertex_count() as u32).map(|v| body.axes.spot(body.at(v))));
        dots.clear();
        body.lanes.project(spots, dots);
        classes.clear();
        extents.clear();
        awkward.clear();
        let mut extent = Extent::EMPTY;
        let bounded = body.bend.is_finite();
        for f in 0..mesh.face_count() as u32 {
            let class = match mask {
                Some(mask) if !mask[f as usize] => Class::Away,
                _ => body.facing.class(f),
            };
            classes.push(class);
            let mut bounds = Extent::EMPTY;
            if class != Class::Away {
                mesh.face(f).iter().for_each(|&v| bounds.add(dots[v as usize]));
                bounds = if bounded { body.widened(&bounds, f) } else { bounds };
                extent.join(&bounds);
            }
            extents.push(bounds);
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
        let Self { extents, classes, kept, .. } = self;
        let mesh = body.facing.collider.mesh();
        kept.clear();
        kept.resize(mesh.vertex_count(), false);
        let bounded = body.bend.is_finite();
        for f in 0..mesh.face_count() as u32 {
            let class = &mut classes[f as usize];
            if *class == Class::Away {
                continue;
            }
            if bounded && !reach.holds(&extents[f as usize]) {
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
        // Where the motion is slow, times ask for more than places do.
        self.departure = f64::from(DEPARTURE.min(ink.time_resolution / body.steps_per_pixel));
        let mut pen = Pen::new(ink, &mut records);
        self.subs.clear();
        for edge in 0..body.facing.collider.mesh().edge_count() as u32 {
            self.draw_edge(body, edge, &mut pen);
        }
        self.first_virtual = self.subs.len() as u32;
        self.draw_cuts(body, &mut pen);
        self.draw_awkward(body, &mut pen);
        let (band, full) = (pen.band, pen.full);
        self.rows.sort(&records, band.count, self.first_virtual, ink.order);
        let copies = self.classes.len() * if body.sectors.is_some() { COPIES as usize } else { 1 };
        self.footprints.gather((&records, &self.rows), &self.subs, copies, band.count);
        self.pads.clear();
        self.pads.extend((0..self.classes.len() as u32).map(|f| body.time_pad(f)));
        self.bends.clear();
        self.bends.extend((0..self.classes.len() as u32).map(|f| body.wide_pad(f).0));
        let (pads, faces) = (&self.pads, self.classes.len());
        self.footprints.sort(band.count, ink.order, |copy| pads[copy as usize % faces]);
        self.records = records;
        self.find_ramps(body);
        self.mark_vertices(body, &band);
        self.vertices.sort(&self.marks, band.count);
        full
    }

    /// The edge that a record belongs to.
    #[inline]
    pub(super) fn edge_of(&self, record: &Record) -> u32 {
        self.subs[record.sub as usize].edge
    }

    /// The face of a footprint, and when the place `dot` on it reaches the screen.
    #[inline]
    pub(super) fn time_on_face(&self, print: &Record, dot: Dot) -> (u32, Guess) {
        let faces = self.classes.len() as u32;
        let face = print.sub % faces;
        let [early, late] = [print.from.t, print.to.t];
        let guess = match self.ramps[face as usize].time(dot) {
            Some((time, slope)) if print.sub < faces => {
                // On a face that is seen nearly edge-on a small shift is a long time.
                let slack = self.pads[face as usize] + slope * self.bends[face as usize];
                Guess { time: time.clamp(early, late), slack: slack.min(late - early) }
            }
            _ => Guess { time: 0.5 * (early + late), slack: 0.5 * (late - early) },
        };
        (face, guess)
    }

    fn draw_edge(&mut self, body: &Body<'_>, edge: u32, pen: &mut Pen<'_>) {
        let mesh = body.facing.collider.mesh();
        let sides = mesh.edge_sides(edge);
        if sides.is_empty() {
            return self.draw_part(body, (edge, [NONE; 2]), [0.0, 1.0], pen);
        }
        // Two faces at a time: where more meet, the edge is drawn more than once.
        for pair in sides.chunks(2) {
            let of = |i: usize| pair.get(i).map(|side: &Side| side.face);
            let faces = [of(0), of(1)].map(|face| face.map_or(NONE, |face| self.named(face)));
            let parts =
                [of(0), of(1)].map(|face| face.and_then(|face| self.part_of(body, face, edge)));
            self.draw_between(body, (edge, faces), parts, pen);
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
        (edge, faces): (u32, [u32; 2]),
        parts: [Option<[f64; 2]>; 2],
        pen: &mut Pen<'_>,
    ) {
        let (p, q) = match parts {
            [None, None] => return,
            [Some(p), None] => return self.draw_part(body, (edge, [faces[0], NONE]), p, pen),
            [None, Some(q)] => return self.draw_part(body, (edge, [NONE, faces[1]]), q, pen),
            [Some(p), Some(q)] if p == q => return self.draw_part(body, (edge, faces), p, pen),
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
                self.draw_part(body, (edge, faces), [stop[0], stop[1]], pen);
            }
        }
    }

    /// Draws a part of an edge.
    fn draw_part(
        &mut self,
        body: &Body<'_>,
        (edge, faces): (u32, [u32; 2]),
        [from, to]: [f64; 2],
        pen: &mut Pen<'_>,
    ) {
        let sub = self.subs.len() as u32;
        self.subs.push(Sub { edge, faces });
        let collider = body.facing.collider;
        let [p, q] = collider.mesh().edge(edge);
        let straight = body.bend * collider.edge_length_sq(edge) <= self.departure;
        let [dot_p, dot_q] = [p, q].map(|v| self.dots[v as usize]);
        if straight && from == 0.0 && to == 1.0 {
            return pen.line(sub, dot_p, dot_q);
        }
        if let Some(sectors) = &body.sectors {
            let [at_p, at_q] = [body.at(p), body.at(q)];
            let ends = [from, to].map(|f| at_p.lerp(at_q, f));
            if !sectors.is_plain(ends.iter().copied()) {
                for (_, sector) in sectors.all() {
                    draw_in_sector(pen, sub, sectors, ends, &sector);
                }
                return;
            }
        }
        let [spot_p, spot_q] = [p, q].map(|v| self.spots[v as usize]);
        let [from, to] = [from, to].map(|f| f as f32);
        let ends = [from, to].map(|f| Spot::between(spot_p, spot_q, f));
        let whole = from == 0.0 && to == 1.0;
        let dots = if whole { [dot_p, dot_q] } else { body.lanes.pair(ends) };
        draw_curve(pen, sub, [(ends[0], dots[0]), (ends[1], dots[1])], straight);
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
                let ends = [pair[0], pair[1]].map(|crossing| crossing.point);
                let length_sq = ends[0].distance_squared(ends[1]);
                let spots = ends.map(|point| body.axes.spot(body.frame.at(point)));
                let dots = body.lanes.pair(spots);
                let straight = body.bend * length_sq <= self.departure;
                draw_curve(pen, sub, [(spots[0], dots[0]), (spots[1], dots[1])], straight);
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
                    pen.curve_in(sub, [p, q], &sector);
                }
            }
        }
    }

    fn find_ramps(&mut self, body: &Body<'_>) {
        let Self { ramps, dots, classes, .. } = self;
        let mesh = body.facing.collider.mesh();
        ramps.clear();
        ramps.extend((0..).zip(classes.iter()).map(|(f, class)| {
            let corners = mesh.face(f);
            let third = |i: usize| dots[corners[i * corners.len() / 3] as usize];
            if *class == Class::Away {
                Ramp::NONE
            } else {
                Ramp::new([third(0), third(1), third(2)])
            }
        }));
    }

    fn mark_vertices(&mut self, body: &Body<'_>, band: &Band) {
        self.marks.clear();
        let marks = &mut self.marks;
        let mut mark = |dot: Dot, vertex: u32| {
            if dot.rho >= band.base && dot.rho <= band.border(band.count) {
                marks.push(Mark { dot, vertex, row: band.row(dot.rho) });
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

#[inline]
fn draw_curve(pen: &mut Pen<'_>, sub: u32, ends: [Knot<Spot>; 2], straight: bool) {
    if straight {
        pen.line(sub, ends[0].1, ends[1].1);
    } else {
        pen.curve(sub, ends);
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
        pen.curve_in(sub, part.map(|f| p.lerp(q, f)), sector);
    }
}
