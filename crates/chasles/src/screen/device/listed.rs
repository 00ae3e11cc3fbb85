//! What of a body is to be drawn: curves, faces and points, as a device takes them and as the CPU
//! would draw them.

use glam::DVec3;

use crate::numeric::{lower, upper};
use crate::screen::drawing::body::Body;
use crate::screen::drawing::drawn::{Drawn, Mark};
use crate::screen::drawing::front_edges::NONE;
use crate::screen::drawing::pieces::{Ink, Knot, Pen, Rows, Stylus};
use crate::screen::place::axes::{Axes, Dot, Sector};
use crate::screen::place::lanes::Spot;
use crate::screen::rows::band::Band;
use crate::screen::rows::records::Record;
use crate::screen::rows::sweep::Touching;

/// The numbers of one screen, in pixels and steps; `docs/screen.md` says how they make places.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Screen {
    /// One over the distance of the origin from the axis; 0 for a translation.
    pub kappa: f32,
    /// How far the origin goes around.
    pub sigma: f32,
    /// How far everything goes along the axis.
    pub glide: f32,
    /// `rho` where row 0 begins.
    pub base: f32,
    /// How high a row is.
    pub row_height: f32,
    /// How many rows there are.
    pub rows: u32,
    /// Where both bodies may be in `h`, roughly: for the layout of memory only.
    pub heights: [f32; 2],
    /// A line may depart so far from its curve, in pixels.
    pub departure: f32,
    /// And so far in time.
    pub time_resolution: f32,
    /// Vertices this far outside a face are in it.
    pub margin: f32,
    /// Collision times that count: the time of A's feature less that of B's.
    pub window: [f32; 2],
}

/// A range of angles about the axis, and by how much they are shifted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Angles {
    /// Where the range begins.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
    /// By how much its angles are shifted on the screen.
    pub shift: f32,
}

/// A straight part of an edge, or of the border of a part of a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Both ends along X, Y and Z, in pixels.
    pub ends: [[f32; 3]; 2],
    /// Whether it is drawn as one line.
    pub is_straight: bool,
    /// Whether it can cross others; if not, it only bounds faces.
    pub is_edge: bool,
    /// The angles in which it is.
    pub angles: Option<Angles>,
}

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Along X, Y and Z, in pixels.
    pub at: [f32; 3],
    /// The angles in which it is.
    pub angles: Option<Angles>,
}

/// A face, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<'p> {
    /// The numbers of the curves that bound it.
    pub curves: &'p [u32],
    /// How far times inside may exceed those of its border.
    pub time_pad: f32,
    /// How its times go with the place: linearly from a place (`rho`, `h`, `t`), by so much in
    /// `rho` and in `h`; and by how much the times depart from that. Not finite where it is seen
    /// edge-on.
    pub ramp: Option<([f32; 3], [f32; 2], f32)>,
}

/// What of a body is to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Listed {
    pub(super) drawn: Drawn,
    pub(super) strokes: Vec<Stroke>,
    pub(super) marks: Vec<(Spot, Mark, Option<Sector>)>,
    borders: Vec<u32>,
    /// Faces, or copies of such, and where their curves are among the borders.
    pub(super) prints: Vec<(u32, [u32; 2])>,
}

/// A curve as the CPU would draw it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    sub: u32,
    path: Path,
}

#[derive(Clone, Copy, Debug)]
enum Path {
    Line([Knot<Spot>; 2]),
    Curve([Knot<Spot>; 2]),
    In([(DVec3, Spot); 2], Sector),
}

/// Lists curves instead of drawing them.
struct List<'l> {
    axes: &'l Axes,
    allowed: [f32; 2],
    strokes: &'l mut Vec<Stroke>,
}

impl Stylus for List<'_> {
    fn allowed(&self) -> [f32; 2] {
        self.allowed
    }

    fn line(&mut self, sub: u32, ends: [Knot<Spot>; 2]) {
        self.strokes.push(Stroke { sub, path: Path::Line(ends) });
    }

    fn curve(&mut self, sub: u32, ends: [Knot<Spot>; 2]) {
        self.strokes.push(Stroke { sub, path: Path::Curve(ends) });
    }

    fn curve_in(&mut self, sub: u32, ends: [DVec3; 2], sector: &Sector) {
        let ends = ends.map(|at| (at, self.axes.spot(at)));
        self.strokes.push(Stroke { sub, path: Path::In(ends, *sector) });
    }
}

impl Screen {
    pub(super) fn new(
        inks: &[Ink<'_>; 2],
        &Touching { margin, window, band, .. }: &Touching,
        [a, b]: [[f32; 2]; 2],
    ) -> Self {
        let Ink { lanes, departure, time_resolution, .. } = inks[0];
        Self {
            kappa: lanes.kappa,
            sigma: lanes.sigma,
            glide: lanes.glide,
            base: band.base,
            row_height: band.height,
            rows: band.count,
            heights: [upper(a[0], b[0]), lower(a[1], b[1])],
            departure,
            time_resolution,
            margin,
            window,
        }
    }
}

impl Listed {
    /// Everything that is left, as curves, faces and points.
    pub(super) fn list(&mut self, body: &Body<'_>, ink: &Ink<'_>) {
        let Self { drawn, strokes, .. } = self;
        drawn.tiles.keep_vertices(body);
        drawn.tiles.ramp(body);
        let allowed = [ink.departure, ink.time_resolution];
        let mut list = List { axes: ink.axes, allowed, strokes };
        drawn.strokes.draw(body, &drawn.tiles, &mut list);
        self.list_faces();
        self.list_points(body, ink.band);
    }

    fn list_faces(&mut self) {
        let Self { drawn, strokes, borders, prints, .. } = self;
        let subs = &drawn.strokes.subs;
        let sides = |i: u32| subs[strokes[i as usize].sub as usize].faces.map(|face| (face, i));
        let mut all: Vec<(u32, u32)> = (0..strokes.len() as u32).flat_map(sides).collect();
        all.retain(|&(face, _)| face != NONE);
        all.sort_unstable();
        borders.extend(all.iter().map(|&(_, stroke)| stroke));
        let mut start = 0;
        for of_face in all.chunk_by(|p, q| p.0 == q.0) {
            let end = start + of_face.len() as u32;
            prints.push((of_face[0].0, [start, end]));
            start = end;
        }
    }

    fn list_points(&mut self, body: &Body<'_>, band: Band) {
        let Self { drawn: Drawn { tiles, .. }, marks, .. } = self;
        let mut mark = |vertex: u32, dot: Dot, sector: Option<Sector>| {
            if dot.rho >= band.base && dot.rho <= band.border(band.count) {
                marks.push((tiles.spots[vertex as usize], Mark { dot, vertex }, sector));
            }
        };
        for vertex in tiles.kept_vertices() {
            let Some(sectors) = &body.sectors else {
                mark(vertex, tiles.dots[vertex as usize], None);
                continue;
            };
            let at = body.at(vertex);
            for sector in sectors.places(at) {
                mark(vertex, body.axes.dot_in(at, &sector), Some(sector));
            }
        }
    }

    /// Between which heights the ends of curves are.
    pub(super) fn heights(&self, ink: &Ink<'_>) -> [f32; 2] {
        let ends = self.strokes.iter().flat_map(|stroke| match stroke.path {
            Path::Line(ends) | Path::Curve(ends) => ends.map(|(_, dot)| dot.h),
            Path::In(ends, sector) => ends.map(|(at, _)| ink.axes.dot_in(at, &sector).h),
        });
        ends.fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], h| {
            [lower(low, h), upper(high, h)]
        })
    }

    /// The curves of edges and of borders of faces. *Cost* linear. *Fails* never.
    pub fn curves(&self) -> impl ExactSizeIterator<Item = Curve> {
        self.strokes.iter().map(|stroke| {
            let is_edge = self.edge_of(stroke) != NONE;
            let (ends, is_straight, sector) = match stroke.path {
                Path::Line(ends) => (ends.map(|end| end.0), true, None),
                Path::Curve(ends) => (ends.map(|end| end.0), false, None),
                Path::In(ends, sector) => (ends.map(|end| end.1), false, Some(sector)),
            };
            let angles = sector.map(Angles::of);
            Curve { ends: ends.map(Spot::to_array), is_straight, is_edge, angles }
        })
    }

    /// The faces, and parts of faces around the axis. *Cost* linear. *Fails* never.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> {
        let count = self.drawn.tiles.tiles.len() as u32;
        self.prints.iter().map(move |&(copy, [start, end])| {
            let tile = &self.drawn.tiles.tiles[(copy % count) as usize];
            let ramp = (copy < count).then(|| {
                let ([rho, h, t], slopes) = tile.ramp.parts();
                ([rho, h, t], slopes, tile.ramp.slack())
            });
            let curves = &self.borders[start as usize..end as usize];
            Face { curves, time_pad: tile.time_pad, ramp }
        })
    }

    /// The vertices. *Cost* linear. *Fails* never.
    pub fn points(&self) -> impl ExactSizeIterator<Item = Point> {
        self.marks
            .iter()
            .map(|&(spot, _, sector)| Point { at: spot.to_array(), angles: sector.map(Angles::of) })
    }

    pub(super) fn edge_of(&self, stroke: &Stroke) -> u32 {
        self.drawn.strokes.subs[stroke.sub as usize].edge
    }

    /// The records that the CPU would draw of some curves.
    pub(super) fn draw(&self, curves: &[u32], ink: &Ink<'_>, records: &mut Vec<Record>) {
        records.clear();
        let mut pen = Pen::new(ink, Rows::new(ink, records));
        for &curve in curves {
            let Stroke { sub, path } = self.strokes[curve as usize];
            match path {
                Path::Line(ends) => pen.line(sub, ends),
                Path::Curve(ends) => pen.curve(sub, ends),
                Path::In(ends, sector) => pen.curve_in(sub, ends.map(|end| end.0), &sector),
            }
        }
    }

    /// The footprints of a face, one for each row.
    pub(super) fn footprints(&self, face: u32, ink: &Ink<'_>, records: &mut Vec<Record>) {
        let (copy, [start, end]) = self.prints[face as usize];
        self.draw(&self.borders[start as usize..end as usize], ink, records);
        let faces = self.drawn.tiles.tiles.len();
        let pad = self.drawn.tiles.tiles[copy as usize % faces].time_pad;
        for record in &mut *records {
            let [h, t] = [record.span(), record.times()];
            let dot = |rho: f32, i: usize| Dot { rho, h: h[i], t: t[i] };
            let [from, to] = [dot(record.from.rho, 0), dot(record.to.rho, 1)];
            *record = Record { from, to, sub: copy, row: record.row };
        }
        records.sort_unstable_by_key(|record| record.row);
        records.dedup_by(|next, print| {
            let is_same = next.row == print.row;
            if is_same {
                let [low, high] = [&mut print.from, &mut print.to];
                let [p, q] = [next.from, next.to];
                *low =
                    Dot { rho: lower(low.rho, p.rho), h: lower(low.h, p.h), t: lower(low.t, p.t) };
                *high = Dot {
                    rho: upper(high.rho, q.rho),
                    h: upper(high.h, q.h),
                    t: upper(high.t, q.t),
                };
            }
            is_same
        });
        for print in &mut *records {
            print.from.t -= pad;
            print.to.t += pad;
        }
    }
}

impl Angles {
    fn of(Sector { from, to, shift }: Sector) -> Self {
        Self { from: from as f32, to: to as f32, shift: shift as f32 }
    }
}
