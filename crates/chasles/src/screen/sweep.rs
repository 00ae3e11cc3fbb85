//! Row by row, what of A and what of B share pixels [Buss04 §9, steps five and six].
//!
//! *Vertices in faces.* In the row of pixels around a vertex, a face of the other body covers those
//! from the lowest to the highest of the runs that bound it, its *footprint*. If the vertex is in
//! that range it may meet the face.
//!
//! *Crossings.* Two runs whose ranges of `h` and, up to the step, of `t` overlap are tested as the
//! straight lines that they are.

use super::axes::Dot;
use super::drawn::{Drawn, NONE};
use super::judge::{Guess, Judge};
use super::rows::{Band, Record, Window};

/// What counts as sharing a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touching {
    pub(super) band: Band,
    /// Runs that come this close cross, in pixels; 0 asks for a true crossing.
    pub(super) distance: f32,
    /// A vertex is compared with the part of a face that is this near in `rho`, and may be this
    /// far outside it, in pixels.
    pub(super) margin: f32,
    /// Collision times that count.
    pub(super) window: [f32; 2],
}

/// The pixels of a face in one row of pixels, with the times at both ends.
#[derive(Clone, Copy, Debug, Default)]
struct Footprint {
    stamp: u32,
    low: Dot,
    high: Dot,
}

/// Footprints of the faces of one body in one row of pixels.
#[derive(Clone, Debug, Default)]
pub(super) struct Footprints {
    of_face: Vec<Footprint>,
    in_row: Vec<u32>,
    stamp: u32,
}

impl Footprints {
    /// Makes room for `copies` of faces.
    fn prepare(&mut self, copies: usize) {
        if self.of_face.len() < copies {
            self.of_face.resize(copies, Footprint::default());
        }
    }

    /// The footprints of all faces in the row of pixels around `rho`.
    fn fill(&mut self, numbers: &[u32], drawn: &Drawn, rho: [f32; 2]) {
        self.in_row.clear();
        if self.stamp == u32::MAX {
            self.of_face.iter_mut().for_each(|f| f.stamp = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        for &number in numbers {
            let record = &drawn.records[number as usize];
            let [low, high] = [record.from.rho.max(rho[0]), record.to.rho.min(rho[1])];
            if low > high {
                continue;
            }
            let part = record.between([low, high]);
            for face in drawn.subs[record.sub as usize].faces {
                if face != NONE {
                    self.add(face, part);
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, face: u32, [low, high]: [Dot; 2]) {
        let print = &mut self.of_face[face as usize];
        if print.stamp != self.stamp {
            *print = Footprint { stamp: self.stamp, low, high };
            self.in_row.push(face);
            return;
        }
        if low.h < print.low.h {
            print.low = low;
        }
        if high.h > print.high.h {
            print.high = high;
        }
    }
}

/// Finds vertices of `marked` in faces of `bounded`; `from_a` if the vertices are A's.
pub(super) fn vertices_in_faces(
    [marked, bounded]: [&Drawn; 2],
    from_a: bool,
    touching: &Touching,
    footprints: &mut Footprints,
    judge: &mut Judge<'_>,
) {
    let faces = bounded.face_count();
    footprints.prepare(bounded.copies());
    for row in 0..touching.band.count {
        for mark in marked.vertices.row(row) {
            let near = [mark.dot.rho - touching.margin, mark.dot.rho + touching.margin];
            let numbers = bounded.rows.numbers(touching.band.rows(near, 0.0));
            footprints.fill(numbers, bounded, near);
            for &copy in &footprints.in_row {
                let Footprint { low, high, .. } = footprints.of_face[copy as usize];
                let above = mark.dot.h - low.h;
                let length = high.h - low.h;
                if above < -touching.margin || above > length + touching.margin {
                    continue;
                }
                let part = if length > 0.0 { (above / length).clamp(0.0, 1.0) } else { 0.5 };
                let on_face = low.t + part * (high.t - low.t);
                let slack = (high.t - low.t).abs() + judge.time_resolution;
                let lag = on_face - mark.dot.t;
                let time = if from_a { -lag } else { lag };
                if time < touching.window[0] - slack || time > touching.window[1] + slack {
                    continue;
                }
                judge.vertex(from_a, mark.vertex, copy % faces, Guess { time, slack });
            }
        }
    }
}

/// Finds where edges of A and B cross on the screen.
pub(super) fn crossings(a: &Drawn, b: &Drawn, touching: &Touching, judge: &mut Judge<'_>) {
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
                b.rows.search(row, &window, |other| {
                    cross([p, &b.records[other as usize]], [a, b], touching, judge);
                });
            }
        }
    }
}

/// Tests two records, and has their edges judged if they meet.
fn cross([p, q]: [&Record; 2], [a, b]: [&Drawn; 2], touching: &Touching, judge: &mut Judge<'_>) {
    if let Some([of_p, of_q]) = meeting(p, q, touching.distance) {
        let time = of_p.t - of_q.t;
        if time >= touching.window[0] && time <= touching.window[1] {
            judge.edges([a.edge_of(p), b.edge_of(q)], time);
        }
    }
}

/// Rounding of fractions: runs that end on each other still meet.
const ROUNDING: f32 = 1e-3;

/// Where two runs cross, or come as close as `distance`.
pub(super) fn meeting(p: &Record, q: &Record, distance: f32) -> Option<[Dot; 2]> {
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
