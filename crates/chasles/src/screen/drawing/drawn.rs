//! One body on the screen: which features are drawn, and their records [Buss04 §9, steps two and
//! three].
//!
//! ```text
//! vertices -> Dots -> Tiles (faces), those out of reach left out      front_faces.rs
//!          -> Subs (edges cut where a face turns away)                front_edges.rs
//!             or Chords (whole edges) where faces are few            pairs/
//!          -> Records by rows, footprints of faces, or pixels         pieces.rs, rows/, pixels/
//!          -> Marks (vertices)
//! ```

use std::ops::Range;

use crate::screen::drawing::body::Body;
use crate::screen::drawing::doppel::COPIES;
use crate::screen::drawing::front_edges::{Strokes, Sub};
use crate::screen::drawing::front_faces::Tiles;
use crate::screen::drawing::pieces::{Ink, Pen, Rows};
use crate::screen::judging::judge::Guess;
use crate::screen::pairs::chord::Chords;
use crate::screen::pairs::outline::Outline;
use crate::screen::pairs::pyramid::Pyramid;
use crate::screen::pixels::Sheet;
use crate::screen::place::axes::Dot;
use crate::screen::place::extent::{Extent, Four};
use crate::screen::rows::footprint::Footprints;
use crate::screen::rows::records::{Record, Spans};

/// One body on the screen. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Drawn {
    pub(in crate::screen) tiles: Tiles,
    pub(in crate::screen) strokes: Strokes,
    pub(in crate::screen) records: Vec<Record>,
    pub(in crate::screen) marks: Vec<Mark>,
    pub(in crate::screen) rows: Spans,
    pub(in crate::screen) footprints: Footprints,
    /// The edges, where features are not drawn; bounds of vertices; the face at hand.
    pub(in crate::screen) chords: Chords,
    /// Where the pieces of curved ones are, once they are drawn.
    pub(in crate::screen) pieces: Vec<Range<usize>>,
    pub(in crate::screen) bounds_of_marks: Pyramid,
    pub(in crate::screen) outline: Outline,
    /// What is drawn in pixels.
    pub(in crate::screen) pixels: Sheet,
}

/// A vertex on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::screen) struct Mark {
    pub(in crate::screen) dot: Dot,
    pub(in crate::screen) vertex: u32,
}

impl Drawn {
    /// Draws everything that is left, and sorts it by rows. True if there were too many records.
    pub(in crate::screen) fn draw(&mut self, body: &Body<'_>, ink: &Ink<'_>) -> bool {
        let Self { tiles, strokes, records, .. } = self;
        tiles.keep_vertices(body);
        tiles.ramp(body);
        records.clear();
        let mut pen = Pen::new(ink, Rows::new(ink, records));
        strokes.draw(body, tiles, &mut pen);
        let (band, full) = (pen.band, pen.full);
        self.rows.sort(records, band.count, strokes.first_virtual, ink.order);
        let faces = tiles.tiles.len();
        let copies = faces * if body.sectors.is_some() { COPIES as usize } else { 1 };
        self.footprints.gather((records, &self.rows), &strokes.subs, copies, band.count);
        let pad = |copy: u32| tiles.tiles[copy as usize % faces].time_pad;
        self.footprints.sort(band.count, ink.order, pad);
        self.mark_vertices(body, ink);
        full
    }

    /// Draws everything that is left in pixels, and sorts it, with the vertices that can be proper
    /// enough. True if there were too many records.
    pub(in crate::screen) fn draw_pixels(
        &mut self,
        body: &Body<'_>,
        ink: &Ink<'_>,
        min_properness: f64,
    ) -> bool {
        let Self { tiles, strokes, pixels, .. } = self;
        tiles.keep_vertices(body);
        tiles.ramp(body);
        let full = {
            let mut pen = Pen::new(ink, pixels.pen(ink));
            strokes.draw(body, tiles, &mut pen);
            pen.full
        };
        self.mark_vertices(body, ink);
        let collider = body.facing.collider;
        self.marks.retain(|mark| collider.best_properness(mark.vertex) >= min_properness);
        self.pixels.sort(&ink.band, &self.marks);
        full
    }

    /// Lists the edges of what is left instead of drawing them. True if there are too many.
    pub(in crate::screen) fn list(&mut self, body: &Body<'_>, ink: &Ink<'_>) -> bool {
        let Self { tiles, chords, .. } = self;
        tiles.keep_vertices(body);
        chords.clear();
        Strokes::list((body, tiles), chords);
        chords.measure(ink);
        chords.len() > ink.limit
    }

    /// Lists the vertices of what is left that can be proper, and their bounds.
    pub(in crate::screen) fn list_vertices(&mut self, body: &Body<'_>, min_properness: f64) {
        let Self { tiles, marks, bounds_of_marks, .. } = self;
        marks.clear();
        let mark = |vertex: u32| Mark { dot: tiles.dots[vertex as usize], vertex };
        let is_proper = |v: &u32| body.facing.collider.best_properness(*v) >= min_properness;
        marks.extend(tiles.kept_vertices().filter(is_proper).map(mark));
        let bounds = |mark: &Mark| Extent { low: mark.dot, high: mark.dot };
        let fours = marks.chunks(4).map(|of| Four::new(of.iter().map(bounds)));
        bounds_of_marks.build(marks.len(), fours);
    }

    /// The edge that a record belongs to.
    #[inline]
    pub(in crate::screen) fn edge_of(&self, record: &Record) -> u32 {
        self.strokes.subs[record.sub as usize].edge
    }

    /// The edge of a sub-edge that is not virtual.
    #[inline]
    pub(in crate::screen) fn edge(&self, sub: u32) -> u32 {
        self.strokes.subs[sub as usize].edge
    }

    /// All sub-edges, and the number of the first that is virtual.
    pub(in crate::screen) fn subs(&self) -> &[Sub] {
        &self.strokes.subs
    }

    pub(in crate::screen) fn first_virtual(&self) -> u32 {
        self.strokes.first_virtual
    }

    /// How many faces and copies of faces there may be.
    pub(in crate::screen) fn copies(&self) -> usize {
        self.tiles.tiles.len() * COPIES as usize
    }

    /// How far times inside a face or copy may exceed those of its border.
    #[inline]
    pub(in crate::screen) fn time_pad(&self, copy: u32) -> f32 {
        self.tiles.tiles[copy as usize % self.tiles.tiles.len()].time_pad
    }

    /// The face of a face or copy of one, and when the place `dot` on it reaches the screen, if its
    /// border there does so between some times.
    #[inline]
    pub(in crate::screen) fn time_on_face(
        &self,
        copy: u32,
        times: [f32; 2],
        dot: Dot,
    ) -> (u32, Guess) {
        let faces = self.tiles.tiles.len() as u32;
        let face = if copy < faces { copy } else { copy % faces };
        let tile = &self.tiles.tiles[face as usize];
        let guess = match tile.ramp.time(dot) {
            Some(time) if copy < faces => Guess::near(time, tile.ramp.slack(), times),
            _ => Guess::between(times),
        };
        (face, guess)
    }

    fn mark_vertices(&mut self, body: &Body<'_>, ink: &Ink<'_>) {
        let Self { marks, tiles, .. } = self;
        let band = ink.band;
        marks.clear();
        let mut mark = |dot: Dot, vertex: u32| {
            if dot.rho >= band.base && dot.rho <= band.border(band.count) {
                marks.push(Mark { dot, vertex });
            }
        };
        for vertex in tiles.kept_vertices() {
            match &body.sectors {
                None => mark(tiles.dots[vertex as usize], vertex),
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
