//! Few faces: what of A and what of B share pixels, pair by pair and without rows.
//!
//! Rows pay where a feature meets few of very many others. Below some 500 faces, comparing bounds
//! of four features at a time, and of four such fours before, costs less than drawing the edges and
//! sorting their records. The pairs that are left are tested as [`sweep`](super::sweep) does, with
//! the same allowances; curves are drawn only for them.

pub(super) mod chord;
pub(super) mod outline;
pub(super) mod pyramid;

use std::ops::Range;

use crate::screen::drawing::body::Body;
use crate::screen::drawing::drawn::{Drawn, Mark};
use crate::screen::drawing::pieces::{Ink, Pen, Rows, Stylus};
use crate::screen::judging::judge::{Guess, Judge};
use crate::screen::pairs::chord::Chord;
use crate::screen::place::extent::{Bits, Probe};
use crate::screen::rows::records::Record;
use crate::screen::rows::sweep::{Touching, cross};

/// Finds vertices of the first body in faces of the second; `from_a` if the vertices are A's.
/// Returns how many bounds were compared.
///
/// Properness comes first: a face is looked at only if a vertex can be proper in it.
pub(in crate::screen) fn vertices_in_faces(
    [marked, bounded]: [&mut Drawn; 2],
    from_a: bool,
    bodies: [&Body<'_>; 2],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    marked.list_vertices(bodies[0], judge.min_properness);
    let [soonest, latest] = touching.window;
    // To the faces of B, A's vertices are what comes.
    let window = if from_a { [-latest, -soonest] } else { [soonest, latest] };
    let Drawn { tiles, outline, .. } = bounded;
    let mut compared = 0;
    for &face in &tiles.listed {
        let probe = Probe::around(tiles.extent(face), touching.margin, window);
        let mut normal = None;
        let mut is_traced = false;
        compared += marked.bounds_of_marks.search(&probe, |four, met| {
            for &Mark { dot, vertex } in met.map(|i| &marked.marks[4 * four + i]) {
                let normal = *normal.get_or_insert_with(|| judge.normal_half_way(from_a, face));
                if !judge.may_be_proper(from_a, vertex, normal) {
                    continue;
                }
                if !is_traced {
                    outline.trace(bodies[1], tiles, face);
                    is_traced = true;
                }
                let Some(on_face) = outline.time_at(dot, touching.margin) else { continue };
                let lag = on_face.time - dot.t;
                let time = if from_a { -lag } else { lag };
                if time - on_face.slack <= latest && time + on_face.slack >= soonest {
                    judge.vertex(from_a, vertex, face, Guess { time, ..on_face });
                }
            }
        });
    }
    compared
}

/// Finds where edges of A and B cross on the screen. Returns how many bounds were compared.
pub(in crate::screen) fn crossings(
    [a, b]: [&mut Drawn; 2],
    inks: &[Ink<'_>; 2],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let mut compared = 0;
    let mut curves = Curves::new([&mut a.records, &mut b.records], &mut b.pieces, inks);
    for (number, of_a) in a.chords.quads().iter().enumerate() {
        for lane in 0..of_a.count {
            let probe = a.chords.bounds.four(number).probe(lane, touching.window);
            compared += b.chords.bounds.search(&probe, |four, met| {
                let of_b = &b.chords.quads()[four];
                let lines = if of_a.straight().has(lane) { of_b.straight() } else { Bits::NONE };
                if !met.and(lines).is_empty() {
                    let (crossed, times) = of_b.crossed_by((of_a, lane), touching.window);
                    for i in met.and(lines).and(crossed) {
                        judge.edges([of_a.edges[lane], of_b.edges[i]], times[i]);
                    }
                }
                let curved = met.and_not(lines);
                if curved.is_empty() {
                    return;
                }
                for i in curved.and(of_b.may_be_crossed_by((of_a, lane))) {
                    if judge.edges_may_be_proper([of_a.edges[lane], of_b.edges[i]]) {
                        let numbers = [4 * number + lane, 4 * four + i];
                        curves.cross(numbers, [of_a.chord(lane), of_b.chord(i)], touching, judge);
                    }
                }
            });
        }
    }
    compared
}

/// Edges that are not straight, piece by piece: one of A at a time, and those of B that were asked
/// for.
struct Curves<'r> {
    /// The number of A's edge.
    drawn: Option<usize>,
    /// The pieces of A's edge, and of B's edges.
    pieces: [&'r mut Vec<Record>; 2],
    /// Where those of each of B's edges are.
    places: &'r mut Vec<Range<usize>>,
    inks: &'r [Ink<'r>; 2],
}

/// So many pieces of B's edges are kept: more are as soon drawn again as found in memory.
const KEPT: usize = 1 << 15;

impl<'r> Curves<'r> {
    fn new(
        pieces: [&'r mut Vec<Record>; 2],
        places: &'r mut Vec<Range<usize>>,
        inks: &'r [Ink<'r>; 2],
    ) -> Self {
        let mut curves = Self { drawn: None, pieces, places, inks };
        curves.forget();
        curves
    }

    /// Forgets the pieces of B's edges.
    fn forget(&mut self) {
        self.pieces[1].clear();
        self.places.clear();
    }

    /// Tests two edges with these numbers.
    fn cross(
        &mut self,
        [a, b]: [usize; 2],
        [p, q]: [Chord; 2],
        touching: &Touching,
        judge: &mut Judge<'_>,
    ) {
        if self.drawn != Some(a) {
            self.drawn = Some(a);
            self.pieces[0].clear();
            draw(&p, &self.inks[0], self.pieces[0]);
        }
        if self.pieces[1].len() > KEPT {
            self.forget();
        }
        if self.places.len() <= b {
            self.places.resize(b + 1, 0..0);
        }
        if self.places[b].is_empty() {
            let start = self.pieces[1].len();
            draw(&q, &self.inks[1], self.pieces[1]);
            self.places[b] = start..self.pieces[1].len();
        }
        let of_q = &self.pieces[1][self.places[b].clone()];
        for piece in self.pieces[0].iter().filter(|piece| q.may_cross(piece)) {
            for other in of_q.iter().filter(|other| p.may_cross(other)) {
                cross([piece, other], [p.edge, q.edge], touching, judge);
            }
        }
    }
}

/// Draws a chord.
fn draw(chord: &Chord, ink: &Ink<'_>, pieces: &mut Vec<Record>) {
    let mut pen = Pen::new(ink, Rows::new(ink, pieces));
    if chord.is_straight {
        pen.line(0, chord.ends);
    } else {
        pen.curve(0, chord.ends);
    }
}
