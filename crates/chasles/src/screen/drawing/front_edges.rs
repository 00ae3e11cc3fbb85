//! Edges of a body as strokes: an edge is drawn where a face beside it is, cut where one of them
//! turns away, and again for each sector at the cut behind the axis [Buss04 §9, step two].

use glam::DVec3;

use crate::mesh::Side;
use crate::screen::drawing::body::Body;
use crate::screen::drawing::doppel::Sectors;
use crate::screen::drawing::facing::{Class, Crossing, Slope, clip_into};
use crate::screen::drawing::front_faces::Tiles;
use crate::screen::drawing::pieces::{Knot, Stylus};
use crate::screen::pairs::chord::Chords;
use crate::screen::place::axes::Sector;
use crate::screen::place::lanes::Spot;

/// No feature.
pub(in crate::screen) const NONE: u32 = u32::MAX;

/// A part of an edge of the body, or a virtual edge that only bounds a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::screen) struct Sub {
    /// The edge; [`NONE`] if virtual.
    pub(in crate::screen) edge: u32,
    /// The drawn faces that it bounds: face numbers, or numbers of copies, or [`NONE`].
    pub(in crate::screen) faces: [u32; 2],
}

/// The sub-edges of one body. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Strokes {
    pub(in crate::screen) subs: Vec<Sub>,
    /// Sub-edges from this number on are virtual.
    pub(in crate::screen) first_virtual: u32,
    /// Edges that depart from their chords by less, in pixels, are drawn as lines.
    departure: f64,
    crossings: Vec<Crossing>,
    border: Vec<DVec3>,
    corners: Vec<DVec3>,
    parts: [Vec<DVec3>; 2],
}

impl Strokes {
    /// Draws the edges of all tiles that are left.
    pub(in crate::screen) fn draw(
        &mut self,
        body: &Body<'_>,
        tiles: &Tiles,
        pen: &mut impl Stylus,
    ) {
        // Where the motion is slow, times ask for more than places do.
        let [departure, time] = pen.allowed();
        self.departure = f64::from(departure.min(time / body.steps_per_pixel));
        self.subs.clear();
        each_part((body, tiles), |sub, part| self.draw_part((body, tiles), sub, part, pen));
        self.first_virtual = self.subs.len() as u32;
        self.draw_cuts((body, tiles), pen);
        self.draw_awkward((body, tiles), pen);
    }

    /// Lists the edges of all tiles that are left as chords: whole ones, of which a part faces the
    /// other body.
    pub(in crate::screen) fn list((body, tiles): (&Body<'_>, &Tiles), chords: &mut Chords) {
        let mesh = body.facing.collider.mesh();
        let mut push = |edge: u32| {
            let ends = mesh.edge(edge);
            if ends.iter().any(|&v| tiles.is_kept(v)) {
                chords
                    .push(edge, ends.map(|v| (&tiles.spots[v as usize], &tiles.dots[v as usize])));
            }
        };
        for &face in &tiles.listed {
            for &edge in mesh.face_edges(face) {
                let is_left = |side: &&Side| tiles.class(side.face) != Class::Away;
                let first = mesh.edge_sides(edge).iter().find(is_left);
                if first.is_some_and(|side| side.face == face) {
                    push(edge);
                }
            }
        }
        body.lone_edges().for_each(push);
    }

    /// Draws a part of an edge.
    fn draw_part(
        &mut self,
        (body, tiles): (&Body<'_>, &Tiles),
        stroke: Sub,
        [from, to]: [f64; 2],
        pen: &mut impl Stylus,
    ) {
        let sub = self.subs.len() as u32;
        self.subs.push(stroke);
        let edge = stroke.edge;
        let are_vertices = [from == 0.0, to == 1.0];
        pen.name_ends(are_vertices);
        let collider = body.facing.collider;
        let [p, q] = collider.mesh().edge(edge);
        let straight = body.bend * collider.edge_length_sq(edge) <= self.departure;
        if straight && from == 0.0 && to == 1.0 {
            return pen
                .line(sub, [p, q].map(|v| (tiles.spots[v as usize], tiles.dots[v as usize])));
        }
        if let Some(sectors) = &body.sectors {
            let [at_p, at_q] = [body.at(p), body.at(q)];
            let ends = [from, to].map(|f| at_p.lerp(at_q, f));
            if !sectors.is_plain(ends.iter().copied()) {
                for (_, sector) in sectors.all() {
                    draw_in_sector(pen, (sub, are_vertices), sectors, ends, &sector);
                }
                return;
            }
        }
        draw_curve(pen, sub, ends_of((body, tiles), edge, [from, to]), straight);
    }

    /// Virtual edges along the cuts of faces of which a part faces away, or which are folded there.
    fn draw_cuts(&mut self, (body, tiles): (&Body<'_>, &Tiles), pen: &mut impl Stylus) {
        pen.name_ends([false; 2]);
        for &f in &tiles.listed {
            let tile = &tiles.tiles[f as usize];
            let is_cut = tile.class == Class::Cut || body.facing.is_folded(f);
            if !is_cut || tile.awkward {
                continue;
            }
            body.facing.cut(f, &mut self.crossings);
            for pair in self.crossings.chunks_exact(2) {
                let sub = self.subs.len() as u32;
                self.subs.push(Sub { edge: NONE, faces: [f, NONE] });
                let ends = [pair[0], pair[1]].map(|crossing| crossing.point);
                let length_sq = ends[0].distance_squared(ends[1]);
                let spots = ends.map(|point| body.axes.spot(body.frame.at(point)));
                let dots = body.lanes.pair(spots);
                let straight = body.bend * length_sq <= self.departure;
                draw_curve(pen, sub, [(spots[0], dots[0]), (spots[1], dots[1])], straight);
            }
        }
    }

    /// Faces at the cut behind the axis: clipped by sectors, and drawn with virtual edges only.
    fn draw_awkward(&mut self, (body, tiles): (&Body<'_>, &Tiles), pen: &mut impl Stylus) {
        pen.name_ends([false; 2]);
        let Some(sectors) = &body.sectors else { return };
        let mesh = body.facing.collider.mesh();
        let count = tiles.tiles.len() as u32;
        let is_awkward = |f: &u32| tiles.tiles[*f as usize].awkward;
        for f in tiles.listed.iter().copied().filter(is_awkward) {
            let local = |&v: &u32| body.facing.collider.local(v);
            self.border.clear();
            self.border.extend(mesh.face(f).iter().map(local));
            let slope = body.facing.slope(f);
            // What is folded has two parts, which share the cut.
            let signs: &[f64] = match tiles.class(f) {
                Class::Cut => &[1.0],
                _ if body.facing.is_folded(f) => &[1.0, -1.0],
                _ => &[],
            };
            let first = self.subs.len() as u32;
            for (i, _) in sectors.all() {
                self.subs.push(Sub { edge: NONE, faces: [f + count * (i + 1), NONE] });
            }
            for part in 0..signs.len().max(1) {
                match signs.get(part) {
                    Some(sign) => {
                        clip_into(&self.border, |p| sign * slope.at(p), &mut self.corners);
                    }
                    None => self.corners.clone_from(&self.border),
                }
                self.corners.iter_mut().for_each(|p| *p = body.frame.at(*p));
                for (i, sector) in sectors.all() {
                    sectors.clip(&self.corners, &sector, &mut self.parts);
                    let corners = &self.parts[1];
                    let next = corners.iter().cycle().skip(1);
                    for (&p, &q) in corners.iter().zip(next) {
                        pen.curve_in(first + i, [p, q], &sector);
                    }
                }
            }
        }
    }
}

/// Calls `draw` with every part of an edge that is drawn.
fn each_part((body, tiles): (&Body<'_>, &Tiles), mut draw: impl FnMut(Sub, [f64; 2])) {
    for &face in &tiles.listed {
        for &edge in body.facing.collider.mesh().face_edges(face) {
            each_part_of((body, tiles), (edge, face), &mut draw);
        }
    }
    for edge in body.lone_edges() {
        draw(Sub { edge, faces: [NONE; 2] }, [0.0, 1.0]);
    }
}

/// The parts of an edge of a face, unless the face on its other side comes first.
#[inline]
fn each_part_of(
    (body, tiles): (&Body<'_>, &Tiles),
    (edge, face): (u32, u32),
    draw: &mut impl FnMut(Sub, [f64; 2]),
) {
    // Two faces at a time: where more meet, the edge is drawn more than once.
    for pair in body.facing.collider.mesh().edge_sides(edge).chunks(2) {
        let class = |i: usize| pair.get(i).map_or(Class::Away, |s: &Side| tiles.class(s.face));
        let classes = [class(0), class(1)];
        let first = usize::from(classes[0] == Class::Away);
        if classes[first] == Class::Away || pair[first].face != face {
            continue;
        }
        // A face at the cut behind the axis is drawn apart from its edges.
        let name = |i: usize| match pair.get(i) {
            Some(side) if !tiles.tiles[side.face as usize].awkward => side.face,
            _ => NONE,
        };
        let part = |i: usize| match classes[i] {
            Class::Away => None,
            Class::Whole => Some([0.0, 1.0]),
            Class::Cut => Slope::part_of(body.facing.along(pair[i].face, edge)),
        };
        each_part_between(Sub { edge, faces: [name(0), name(1)] }, [part(0), part(1)], draw);
    }
}

/// The parts of an edge between two faces, of each of which a part is drawn: up to three.
#[inline]
fn each_part_between(
    whole: Sub,
    parts: [Option<[f64; 2]>; 2],
    draw: &mut impl FnMut(Sub, [f64; 2]),
) {
    let Sub { edge, faces } = whole;
    let (p, q) = match parts {
        [None, None] => return,
        [Some(p), None] => return draw(Sub { edge, faces: [faces[0], NONE] }, p),
        [None, Some(q)] => return draw(Sub { edge, faces: [NONE, faces[1]] }, q),
        [Some(p), Some(q)] if p == q => return draw(whole, p),
        [Some(p), Some(q)] => (p, q),
    };
    let mut stops = [p[0], p[1], q[0], q[1]];
    stops.sort_unstable_by(f64::total_cmp);
    for stop in stops.windows(2) {
        let middle = 0.5 * (stop[0] + stop[1]);
        let inside = |part: [f64; 2]| part[0] <= middle && middle <= part[1];
        let [in_p, in_q] = [inside(p), inside(q)];
        if stop[0] < stop[1] && (in_p || in_q) {
            let faces = [if in_p { faces[0] } else { NONE }, if in_q { faces[1] } else { NONE }];
            draw(Sub { edge, faces }, [stop[0], stop[1]]);
        }
    }
}

/// The ends of a part of an edge.
#[inline]
fn ends_of((body, tiles): (&Body<'_>, &Tiles), edge: u32, [from, to]: [f64; 2]) -> [Knot<Spot>; 2] {
    let ends = body.facing.collider.mesh().edge(edge);
    let [p, q] = ends.map(|v| tiles.spots[v as usize]);
    if from == 0.0 && to == 1.0 {
        let [at_p, at_q] = ends.map(|v| tiles.dots[v as usize]);
        return [(p, at_p), (q, at_q)];
    }
    let spots = [from, to].map(|f| Spot::between(p, q, f as f32));
    let [at_p, at_q] = body.lanes.pair(spots);
    [(spots[0], at_p), (spots[1], at_q)]
}

#[inline]
fn draw_curve(pen: &mut impl Stylus, sub: u32, ends: [Knot<Spot>; 2], straight: bool) {
    if straight {
        pen.line(sub, ends);
    } else {
        pen.curve(sub, ends);
    }
}

fn draw_in_sector(
    pen: &mut impl Stylus,
    (sub, are_vertices): (u32, [bool; 2]),
    sectors: &Sectors,
    [p, q]: [DVec3; 2],
    sector: &Sector,
) {
    if let Some(part) = sectors.part_of([p, q], sector) {
        let [from, to] = are_vertices;
        pen.name_ends([from && part[0] == 0.0, to && part[1] == 1.0]);
        pen.curve_in(sub, part.map(|f| p.lerp(q, f)), sector);
    }
}
