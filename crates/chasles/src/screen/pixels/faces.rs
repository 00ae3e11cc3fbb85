//! Vertices in faces: a sweep along each row that enters and leaves faces [Buss04 §9, step five].
//!
//! ```text
//!    h_min of the first       vertex          h_max of the last
//!    record of a face            |             record of a face
//!  ------(#######----------------o---------------######)------- h
//!        entered               in it                  left
//! ```
//!
//! Records are taken by increasing `h_min`, to enter faces, and by increasing `h_max`, to leave
//! them. A face is left with its last record in the row, so a hole between the horns of a face that
//! is not convex counts as in it; where the vertex truly is, is asked once its time is known.

use super::Reading;
use super::run::Run;
use super::sheet::{Sheet, Spot, around, shell_sort};
use crate::numeric::{lower, upper};
use crate::screen::drawing::drawn::Drawn;
use crate::screen::drawing::front_edges::{NONE, Sub};
use crate::screen::judging::judge::{Guess, Judge};
use crate::screen::rows::sweep::Touching;

/// A face in the row at hand.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// How many of its records were not left yet.
    left: u32,
    is_open: bool,
    /// The earliest and the latest time at its border.
    times: [f32; 2],
}

impl Open {
    const NOWHERE: Self =
        Self { left: 0, is_open: false, times: [f32::INFINITY, f32::NEG_INFINITY] };
}

/// The faces of a row. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Faces {
    /// For each face or copy, what the row at hand has of it.
    all: Vec<Open>,
    /// Those that are entered and not left.
    open: Vec<u32>,
    /// The records of the row by increasing `h_max`.
    by_high: Vec<[i32; 2]>,
}

/// Finds vertices of the first body in faces of the second; `from_a` if the vertices are A's.
/// Returns how many pairs were compared.
pub(in crate::screen) fn vertices_in_faces(
    [marked, bounded]: [&Drawn; 2],
    from_a: bool,
    reading: &Reading<'_>,
    faces: &mut Faces,
    judge: &mut Judge<'_>,
) -> usize {
    faces.prepare(bounded.copies());
    let mut compared = 0;
    let Reading { touching, reach, .. } = *reading;
    let Touching { window: [soonest, latest], band, .. } = *touching;
    for row in 0..band.count {
        let spots = marked.pixels.spots(row);
        if spots.is_empty() {
            continue;
        }
        for row in around(row, reach, band.count) {
            let sweep = Sweep { sheet: &bounded.pixels, subs: bounded.subs(), row, reach };
            compared += faces.sweep(&sweep, spots, |spot, copy, times| {
                let dot = spot.mark.dot;
                let pad = bounded.time_pad(copy);
                let times = [times[0] - pad, times[1] + pad];
                let (face, on_face) = bounded.time_on_face(copy, times, dot);
                let lag = on_face.time - dot.t;
                let time = if from_a { -lag } else { lag };
                if time - on_face.slack <= latest && time + on_face.slack >= soonest {
                    let guess = Guess { time, ..on_face };
                    judge.vertex_in_face(from_a, spot.mark.vertex, face, guess);
                }
            });
        }
    }
    compared
}

/// The row of a body whose faces are entered and left.
struct Sweep<'s> {
    sheet: &'s Sheet,
    subs: &'s [Sub],
    row: u32,
    /// Vertices so many pixels outside a face are in it.
    reach: u32,
}

impl Sweep<'_> {
    fn faces(&self, run: &Run) -> impl Iterator<Item = u32> + use<> {
        self.subs[run.sub as usize].faces.into_iter().filter(|face| *face != NONE)
    }
}

impl Faces {
    fn prepare(&mut self, copies: usize) {
        if self.all.len() < copies {
            self.all.resize(copies, Open::NOWHERE);
        }
    }

    /// Counts the records of each face in a row, and sorts the row by `h_max`.
    fn count(&mut self, sweep: &Sweep<'_>) {
        self.by_high.clear();
        for (i, run) in (0..).zip(sweep.sheet.row(sweep.row)) {
            self.by_high.push([run.high, i]);
            let [early, late] = run.times();
            for face in sweep.faces(run) {
                let Open { left, times, .. } = &mut self.all[face as usize];
                *left += 1;
                *times = [lower(times[0], early), upper(times[1], late)];
            }
        }
        shell_sort(&mut self.by_high, |key| *key);
    }

    /// Calls `found` with every vertex and every face that is open there, and its times; returns
    /// how many.
    fn sweep(
        &mut self,
        sweep: &Sweep<'_>,
        spots: &[Spot],
        mut found: impl FnMut(&Spot, u32, [f32; 2]),
    ) -> usize {
        let runs = sweep.sheet.row(sweep.row);
        if runs.is_empty() {
            return 0;
        }
        self.count(sweep);
        let reach = sweep.reach as i32;
        let mut entering = runs.iter().peekable();
        let mut leaving = 0;
        let mut compared = 0;
        for spot in spots {
            while let Some(run) = entering.next_if(|run| run.low <= spot.h + reach) {
                sweep.faces(run).for_each(|face| self.enter(face));
            }
            while leaving < runs.len() && self.by_high[leaving][0] < spot.h - reach {
                let run = &runs[self.by_high[leaving][1] as usize];
                sweep.faces(run).for_each(|face| self.leave(face));
                leaving += 1;
            }
            compared += self.open.len();
            self.open.iter().for_each(|&face| found(spot, face, self.all[face as usize].times));
        }
        for run in runs {
            sweep.faces(run).for_each(|face| self.all[face as usize] = Open::NOWHERE);
        }
        self.open.clear();
        compared
    }

    #[inline]
    fn enter(&mut self, face: u32) {
        let here = &mut self.all[face as usize];
        if !here.is_open && here.left > 0 {
            here.is_open = true;
            self.open.push(face);
        }
    }

    #[inline]
    fn leave(&mut self, face: u32) {
        let here = &mut self.all[face as usize];
        here.left -= 1;
        if here.left == 0 && here.is_open {
            here.is_open = false;
            self.open.retain(|open| *open != face);
        }
    }
}
