//! One body on the screen: which features are drawn, and their records [Buss04 §9, steps two and
//! three].
//!
//! ```text
//! vertices -> Dots -> Tiles (faces), those out of reach left out      tiles.rs
//!          -> Subs (edges cut where a face turns away)                strokes.rs
//!             or Chords (whole edges) where faces are few            chord.rs
//!          -> Records by rows, and footprints of faces                draw.rs, rows.rs, footprint.rs
//!          -> Marks (vertices)
//! ```

use std::ops::Range;

use super::axes::Dot;
use super::body::Body;
use super::chord::Chords;
use super::doppel::COPIES;
use super::draw::{Ink, Pen, Rows};
use super::extent::{Extent, Four};
use super::footprint::Footprints;
use super::judge::Guess;
use super::outline::Outline;
use super::pixels::Sheet;
use super::pyramid::Pyramid;
use super::rows::{Record, Spans};
use super::strokes::{Strokes, Sub};
use super::tiles::Tiles;

/// One body on the screen. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(super) struct Drawn {
    pub(super) tiles: Tiles,
    pub(super) strokes: Strokes,
    pub(super) records: Vec<Record>,
    pub(super) marks: Vec<Mark>,
    pub(super) rows: Spans,
    pub(super) footprints: Footprints,
    /// The edges, where features are not drawn; bounds of vertices; the face at hand.
    pub(super) chords: Chords,
    /// Where the pieces of curved ones are, once they are drawn.
    pub(super) pieces: Vec<Range<usize>>,
    pub(super) bounds_of_marks: Pyramid,
    pub(super) outline: Outline,
    /// What is drawn in pixels.
    pub(super) pixels: Sheet,
}

/// A vertex on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mark {
    pub(super) dot: Dot,
    pub(super) vertex: u32,
}

impl Drawn {
    /// Draws everything that is left, and sorts it by rows. True if there were too many records.
    pub(super) fn draw(&mut self, body: &Body<'_>, ink: &Ink<'_>) -> bool {
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

    /// Draws everything that is left in pixels, and sorts it, with the vertices that can be proper enough.
    /// True if there were too many records.
    pub(super) fn draw_pixels(
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
    pub(super) fn list(&mut self, body: &Body<'_>, ink: &Ink<'_>) -> bool {
        let Self { tiles, chords, .. } = self;
        tiles.keep_vertices(body);
        chords.clear();
        Strokes::list((body, tiles), chords);
        chords.measure(ink);
        chords.len() > ink.limit
    }

    /// Lists the vertices of what is left that can be proper, and their bounds.
    pub(super) fn list_vertices(&mut self, body: &Body<'_>, min_properness: f64) {
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
    pub(super) fn edge_of(&self, record: &Record) -> u32 {
        self.strokes.subs[record.sub as usize].edge
    }

    /// The edge of a sub-edge that is not virtual.
    #[inline]
    pub(super) fn edge(&self, sub: u32) -> u32 {
        self.strokes.subs[sub as usize].edge
    }

    /// All sub-edges, and the number of the first that is virtual.
    pub(super) fn subs(&self) -> &[Sub] {
        &self.strokes.subs
    }

    pub(super) fn first_virtual(&self) -> u32 {
        self.strokes.first_virtual
    }

    /// How many faces and copies of faces there may be.
    pub(super) fn copies(&self) -> usize {
        self.tiles.tiles.len() * COPIES as usize
    }

    /// How far times inside a face or copy may exceed those of its border.
    #[inline]
    pub(super) fn time_pad(&self, copy: u32) -> f32 {
        self.tiles.tiles[copy as usize % self.tiles.tiles.len()].time_pad
    }

    /// The face of a face or copy of one, and when the place `dot` on it reaches the screen, if its
    /// border there does so between some times.
    #[inline]
    pub(super) fn time_on_face(&self, copy: u32, times: [f32; 2], dot: Dot) -> (u32, Guess) {
        let faces = self.tiles.tiles.len() as u32;
        let face = if copy < faces { copy } else { copy % faces };
        let tile = &self.tiles.tiles[face as usize];
        let guess = match tile.ramp.time(dot) {
            Some((time, slope)) if copy < faces => {
                // On a face that is seen nearly edge-on a small shift is a long time.
                Guess::near(time, tile.time_pad + slope * tile.bend, times)
            }
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
