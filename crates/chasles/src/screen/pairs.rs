//! Few features: what of A and what of B share pixels, pair by pair and without rows.
//!
//! Rows pay where a feature meets few of many others. Two cubes have some ten edges each on the
//! screen, and comparing the bounds of all pairs costs less than drawing the edges and sorting their
//! records. The pairs that are left are tested as [`sweep`](super::sweep) does, with the same
//! allowances; curves are drawn only for them.

use super::body::Body;
use super::chord::Chord;
use super::draw::{Ink, Pen};
use super::drawn::{Drawn, Mark};
use super::extent::Bits;
use super::judge::{Guess, Judge};
use super::rows::Record;
use super::sweep::{Touching, cross};

/// Finds vertices of `marked` in faces of `bounded`, the body of which is given; `from_a` if the
/// vertices are A's. Returns how many pairs were compared.
///
/// Properness comes first: a face is looked at only if a vertex can be proper in it.
pub(super) fn vertices_in_faces(
    [marked, bounded]: [&mut Drawn; 2],
    from_a: bool,
    body: &Body<'_>,
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    marked.list_vertices();
    let [soonest, latest] = touching.window;
    // To the faces of B, A's vertices are what comes.
    let window = if from_a { [-latest, -soonest] } else { [soonest, latest] };
    let Drawn { tiles, outline, .. } = bounded;
    for &face in &tiles.listed {
        let extent = tiles.extent(face).widened(touching.margin, 0.0);
        let mut normal = None;
        let mut is_traced = false;
        for (four, marks) in marked.fours.iter().zip(marked.marks.chunks(4)) {
            for &Mark { dot, vertex } in four.met_by(&extent, window).map(|i| &marks[i]) {
                let normal = *normal.get_or_insert_with(|| judge.normal_half_way(from_a, face));
                if !judge.may_be_proper(from_a, vertex, normal) {
                    continue;
                }
                if !is_traced {
                    outline.trace(body, tiles, face);
                    is_traced = true;
                }
                let Some(on_face) = outline.time_at(dot, touching.margin) else { continue };
                let lag = on_face.time - dot.t;
                let time = if from_a { -lag } else { lag };
                if time - on_face.slack <= latest && time + on_face.slack >= soonest {
                    judge.vertex(from_a, vertex, face, Guess { time, ..on_face });
                }
            }
        }
    }
    marked.marks.len() * tiles.listed.len()
}

/// Finds where edges of A and B cross on the screen. Returns how many pairs were compared.
pub(super) fn crossings(
    [a, b]: [&mut Drawn; 2],
    inks: &[Ink<'_>; 2],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    for of_a in a.chords.quads() {
        for lane in 0..of_a.count {
            let extent = of_a.extent(lane);
            for of_b in b.chords.quads() {
                let met = of_b.bounds.met_by(&extent, touching.window);
                if met.is_empty() {
                    continue;
                }
                let lines = if of_a.straight().has(lane) { of_b.straight() } else { Bits::NONE };
                let (crossed, times) = of_b.crossed_by((of_a, lane), touching.window);
                for i in met.and(lines).and(crossed) {
                    judge.edges([of_a.edges[lane], of_b.edges[i]], times[i]);
                }
                for i in met.and_not(lines) {
                    let [p, q] = [of_a.chord(lane), of_b.chord(i)];
                    let edges = [p.edge, q.edge];
                    if p.may_cross(&q) {
                        draw(&p, &inks[0], &mut a.records);
                        draw(&q, &inks[1], &mut b.records);
                        let of_p = a.records.iter();
                        let pieces = of_p.flat_map(|p| b.records.iter().map(move |q| [p, q]));
                        pieces.for_each(|pair| cross(pair, edges, touching, judge));
                    }
                }
            }
        }
    }
    a.chords.len() * b.chords.len()
}

/// Draws a chord and nothing else.
fn draw(chord: &Chord, ink: &Ink<'_>, pieces: &mut Vec<Record>) {
    pieces.clear();
    let mut pen = Pen::new(ink, pieces);
    if chord.is_straight {
        let [from, to] = chord.ends.map(|(_, dot)| dot);
        pen.line(0, from, to);
    } else {
        pen.curve(0, chord.ends);
    }
}
