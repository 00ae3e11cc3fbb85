//! What a device found, tested again as the sweep would have tested it.

use super::listed::Listed;
use crate::screen::drawing::drawn::Mark;
use crate::screen::drawing::front_edges::NONE;
use crate::screen::drawing::pieces::Ink;
use crate::screen::judging::judge::Judge;
use crate::screen::rows::records::Record;
use crate::screen::rows::sweep::{Touching, cross, enter};

/// What may share pixels at the same time, as numbers in the order in which a
/// [`Sheet`](super::Sheet) lists things.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// A curve of A and one of B.
    pub edges: Vec<[u32; 2]>,
    /// A point of A and a face of B; a point of B and a face of A.
    pub points: [Vec<[u32; 2]>; 2],
}

impl Candidates {
    /// How many there are. *Cost* constant. *Fails* never.
    pub fn count(&self) -> usize {
        self.edges.len() + self.points[0].len() + self.points[1].len()
    }

    pub(super) fn sort(&mut self) {
        let [p, q] = &mut self.points;
        for pairs in [&mut self.edges, p, q] {
            // Faces are dearer to draw than points.
            pairs.sort_unstable_by_key(|&[first, second]| [second, first]);
            pairs.dedup();
        }
    }
}

/// Tests pairs of curves; returns how many cross.
pub(super) fn crossings(
    [(a, of_a), (b, of_b)]: [(&Listed, &Ink<'_>); 2],
    pairs: &[[u32; 2]],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let [mut drawn_a, mut drawn_b] = [Vec::new(), Vec::new()];
    let mut latest = None;
    let mut confirmed = 0;
    for &[p, q] in pairs {
        if latest != Some(q) {
            b.draw(&[q], of_b, &mut drawn_b);
            latest = Some(q);
        }
        a.draw(&[p], of_a, &mut drawn_a);
        let edges = [a.edge_of(&a.strokes[p as usize]), b.edge_of(&b.strokes[q as usize])];
        if edges.contains(&NONE) {
            continue;
        }
        let mut meets = false;
        for record in &drawn_a {
            for other in drawn_b.iter().filter(|other| shares_pixel(record, other, touching)) {
                meets |= cross([record, other], edges, touching, judge);
            }
        }
        confirmed += usize::from(meets);
    }
    confirmed
}

/// Whether the sweep compares a record of A and one of B.
fn shares_pixel(p: &Record, q: &Record, touching: &Touching) -> bool {
    let [[early, late], times] = [p.times(), q.times()];
    let [[low, high], span] = [p.span(), q.span()];
    let [soonest, latest] = touching.window;
    p.row == q.row
        && span[0] <= high
        && span[1] >= low
        && times[0] <= late - soonest
        && times[1] >= early - latest
}

/// Tests points of the first body, A's if `from_a`, in faces of the second; returns how many are
/// in.
pub(super) fn points_in_faces(
    [marked, bounded]: [&Listed; 2],
    (from_a, ink): (bool, &Ink<'_>),
    pairs: &[[u32; 2]],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let mut prints = Vec::new();
    let mut latest = None;
    let mut confirmed = 0;
    for &[point, face] in pairs {
        if latest != Some(face) {
            bounded.footprints(face, ink, &mut prints);
            latest = Some(face);
        }
        let (_, mark, _) = &marked.marks[point as usize];
        let mut is_in = false;
        for print in prints.iter().filter(|print| is_over(mark, from_a, print, touching)) {
            is_in |= enter((mark, from_a), (&bounded.drawn, print), touching, judge);
        }
        confirmed += usize::from(is_in);
    }
    confirmed
}

/// Whether the sweep compares a vertex and a footprint.
fn is_over(mark: &Mark, from_a: bool, print: &Record, touching: &Touching) -> bool {
    let Mark { dot, .. } = *mark;
    let &Touching { margin, window: [soonest, latest], band, .. } = touching;
    let times =
        if from_a { [dot.t - latest, dot.t - soonest] } else { [dot.t + soonest, dot.t + latest] };
    band.rows([dot.rho; 2], margin).contains(&print.row)
        && print.from.h <= dot.h + margin
        && print.to.h >= dot.h - margin
        && print.from.t <= times[1]
        && print.to.t >= times[0]
}
