//! Row by row, what of A and what of B share pixels [Buss04 §9, steps five and six].
//!
//! *Vertices in faces.* In a row, a face covers the pixels from the lowest to the highest of the
//! runs that bound it, its *footprint*. A vertex of the other body that is in that range, and whose
//! time is, may meet the face.
//!
//! *Crossings.* Two runs whose ranges of `h` and, up to the step, of `t` overlap are tested as the
//! straight lines that they are.

use crate::screen::drawing::drawn::{Drawn, Mark};
use crate::screen::judging::judge::{Guess, Judge};
use crate::screen::place::axes::Dot;
use crate::screen::rows::band::Band;
use crate::screen::rows::records::{Record, Window};

/// What counts as sharing a pixel.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Touching {
    pub(in crate::screen) band: Band,
    /// Runs that come this close cross, in pixels; 0 asks for a true crossing.
    pub(in crate::screen) distance: f32,
    /// Vertices this far outside a footprint are in it, in pixels.
    pub(in crate::screen) margin: f32,
    /// Collision times that count.
    pub(in crate::screen) window: [f32; 2],
}

/// Finds vertices of `marked` in faces of `bounded`; `from_a` if the vertices are A's. Returns how
/// many pairs were compared.
pub(in crate::screen) fn vertices_in_faces(
    [marked, bounded]: [&Drawn; 2],
    from_a: bool,
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let mut compared = 0;
    let margin = touching.margin;
    let [soonest, latest] = touching.window;
    for mark in &marked.marks {
        let dot = mark.dot;
        let window = Window {
            h: [dot.h - margin, dot.h + margin],
            // The collision time is that of A's feature less that of B's.
            t: if from_a {
                [dot.t - latest, dot.t - soonest]
            } else {
                [dot.t + soonest, dot.t + latest]
            },
        };
        for row in touching.band.rows([dot.rho; 2], margin) {
            compared += bounded.footprints.search(row, &window, |print| {
                enter((mark, from_a), (bounded, print), touching, judge);
            });
        }
    }
    compared
}

/// Tests a vertex, A's if `from_a`, and a footprint, and has it judged if it is in the face;
/// whether it is.
#[inline]
pub(in crate::screen) fn enter(
    (mark, from_a): (&Mark, bool),
    (bounded, print): (&Drawn, &Record),
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> bool {
    let Mark { dot, vertex } = *mark;
    let &Touching { margin, window: [soonest, latest], .. } = touching;
    if dot.rho < print.from.rho - margin || dot.rho > print.to.rho + margin {
        return false;
    }
    let (face, on_face) = bounded.time_on_face(print.sub, [print.from.t, print.to.t], dot);
    let lag = on_face.time - dot.t;
    let time = if from_a { -lag } else { lag };
    let is_in_time = time - on_face.slack <= latest && time + on_face.slack >= soonest;
    if is_in_time {
        judge.vertex(from_a, vertex, face, Guess { time, ..on_face });
    }
    is_in_time
}

/// Finds where edges of A and B cross on the screen. Returns how many pairs were compared.
pub(in crate::screen) fn crossings(
    a: &Drawn,
    b: &Drawn,
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> usize {
    let mut compared = 0;
    let reach = touching.distance;
    for row in 0..touching.band.count {
        for place in a.rows.places(row) {
            let Window { h: [low, high], t: [early, late] } = a.rows.window(place);
            // Virtual edges have empty ranges.
            if low > high {
                continue;
            }
            let window = Window {
                h: [low - reach, high + reach],
                t: [early - touching.window[1], late - touching.window[0]],
            };
            let p = &a.records[a.rows.number(place) as usize];
            let rows = if reach > 0.0 {
                touching.band.rows([p.from.rho, p.to.rho], reach)
            } else {
                row..row + 1
            };
            for row in rows {
                compared += b.rows.search(row, &window, |other| {
                    let q = &b.records[other as usize];
                    cross([p, q], [a.edge_of(p), b.edge_of(q)], touching, judge);
                });
            }
        }
    }
    compared
}

/// Tests two records, and has their edges judged if they meet; whether they do.
#[inline]
pub(in crate::screen) fn cross(
    [p, q]: [&Record; 2],
    edges: [u32; 2],
    touching: &Touching,
    judge: &mut Judge<'_>,
) -> bool {
    let Some([of_p, of_q]) = meeting(p, q, touching.distance) else { return false };
    let time = of_p.t - of_q.t;
    let is_in_time = time >= touching.window[0] && time <= touching.window[1];
    if is_in_time {
        judge.edges(edges, time);
    }
    is_in_time
}

/// Rounding of fractions: runs that end on each other still meet.
pub(in crate::screen) const ROUNDING: f32 = 1e-3;

/// Where two runs cross, or come as close as `distance`.
pub(in crate::screen) fn meeting(p: &Record, q: &Record, distance: f32) -> Option<[Dot; 2]> {
    let [px, py] = [p.to.rho - p.from.rho, p.to.h - p.from.h];
    let [qx, qy] = [q.to.rho - q.from.rho, q.to.h - q.from.h];
    let [wx, wy] = [q.from.rho - p.from.rho, q.from.h - p.from.h];
    let turn = px * qy - py * qx;
    let u = (wx * qy - wy * qx) / turn;
    let v = (wx * py - wy * px) / turn;
    let inside = -ROUNDING..=1.0 + ROUNDING;
    if inside.contains(&u) && inside.contains(&v) {
        return Some([Dot::between(p.from, p.to, u), Dot::between(q.from, q.to, v)]);
    }
    if distance > 0.0 { nearest(p, q, distance) } else { None }
}

/// The closest points of two runs that do not cross, if they are within `distance`.
fn nearest(p: &Record, q: &Record, distance: f32) -> Option<[Dot; 2]> {
    let mut best = distance * distance;
    let mut found = None;
    for (end, run, swap) in
        [(p.from, q, false), (p.to, q, false), (q.from, p, true), (q.to, p, true)]
    {
        let foot = foot_on(run, end);
        let apart = (foot.rho - end.rho).powi(2) + (foot.h - end.h).powi(2);
        if apart <= best {
            best = apart;
            found = Some(if swap { [foot, end] } else { [end, foot] });
        }
    }
    found
}

/// The point of a run closest to another point.
fn foot_on(run: &Record, point: Dot) -> Dot {
    let [dx, dy] = [run.to.rho - run.from.rho, run.to.h - run.from.h];
    let [wx, wy] = [point.rho - run.from.rho, point.h - run.from.h];
    let length_sq = dx * dx + dy * dy;
    let f = if length_sq > 0.0 { ((wx * dx + wy * dy) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
    Dot::between(run.from, run.to, f)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(from: [f32; 3], to: [f32; 3]) -> Record {
        let dot = |[rho, h, t]: [f32; 3]| Dot { rho, h, t };
        Record { from: dot(from), to: dot(to), sub: 0, row: 0 }
    }

    #[test]
    fn diagonals_that_share_no_pixel_of_bresenham_cross() {
        let p = run([0.0, 0.2, 0.5], [1.0, 1.8, 0.7]);
        let q = run([0.0, 1.8, 0.1], [1.0, 0.2, 0.3]);
        let [of_p, of_q] = meeting(&p, &q, 0.0).unwrap();
        assert!((of_p.rho - 0.5).abs() < 1e-6 && (of_p.h - 1.0).abs() < 1e-6);
        assert!((of_p.t - of_q.t - 0.4).abs() < 1e-6);
    }

    #[test]
    fn a_near_miss_meets_only_if_asked() {
        let p = run([0.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        let q = run([0.0, 0.7, 0.0], [1.0, 0.6, 1.0]);
        assert_eq!(meeting(&p, &q, 0.0), None);
        let [of_p, of_q] = meeting(&p, &q, 1.0).unwrap();
        assert!((of_p.rho - of_q.rho).abs() < 0.1 && of_q.h < 0.61);
        assert_eq!(meeting(&p, &q, 0.5), None);
    }
}
