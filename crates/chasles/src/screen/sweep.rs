//! Row by row, what of A and what of B share pixels [Buss04 §9, steps five and six].
//!
//! *Vertices in faces.* In a row a face covers the pixels from the lowest to the highest of the
//! runs that bound it, its *footprint*. A vertex of the other body in that range may meet the face.
//!
//! *Crossings.* Two runs whose ranges of `h` and, up to the step, of `t` overlap are tested as the
//! straight lines that they are.

use wide::f32x4;

use super::axes::Dot;
use super::drawn::{Drawn, NONE};
use super::judge::{Guess, Judge};
use super::rows::{Record, SpanRow};

/// What counts as sharing a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touching {
    pub(super) rows: u32,
    /// Rows on either side that are compared too.
    pub(super) reach: u32,
    /// Runs that come this close cross, in pixels; 0 asks for a true crossing.
    pub(super) distance: f32,
    /// Vertices this far outside a footprint are in it, in pixels.
    pub(super) margin: f32,
    /// Collision times that count.
    pub(super) window: [f32; 2],
}

impl Touching {
    fn around(&self, row: u32) -> [u32; 2] {
        [row.saturating_sub(self.reach), (row + 1 + self.reach).min(self.rows)]
    }
}

/// The pixels of a face in one row, with the times at both ends.
#[derive(Clone, Copy, Debug, Default)]
struct Footprint {
    stamp: u32,
    low: Dot,
    high: Dot,
}

/// Footprints of the faces of one body in one row.
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

    fn fill(&mut self, numbers: &[u32], drawn: &Drawn) {
        self.in_row.clear();
        if self.stamp == u32::MAX {
            self.of_face.iter_mut().for_each(|f| f.stamp = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
        for &number in numbers {
            let record = &drawn.records[number as usize];
            for face in drawn.subs[record.sub as usize].faces {
                if face != NONE {
                    self.add(face, record);
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, face: u32, record: &Record) {
        let print = &mut self.of_face[face as usize];
        let (low, high) = if record.from.h < record.to.h {
            (record.from, record.to)
        } else {
            (record.to, record.from)
        };
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
    for row in 0..touching.rows {
        let marks = marked.vertices.row(row);
        if marks.is_empty() {
            continue;
        }
        let [first, end] = touching.around(row);
        footprints.fill(bounded.rows.between(first, end).number, bounded);
        for mark in marks {
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
    for row in 0..touching.rows {
        let of_a = a.rows.between(row, row + 1);
        let [first, end] = touching.around(row);
        let of_b = b.rows.between(first, end);
        if of_b.number.is_empty() {
            continue;
        }
        for (i, &number) in of_a.number.iter().enumerate() {
            let query = Range {
                low: of_a.low[i] - touching.distance,
                high: of_a.high[i] + touching.distance,
                early: of_a.early[i] - touching.window[1],
                late: of_a.late[i] - touching.window[0],
            };
            // Virtual edges have empty ranges.
            if query.low <= query.high {
                query.search(&of_b, |other| {
                    let pair = [&a.records[number as usize], &b.records[other as usize]];
                    cross(pair, [a, b], touching, judge);
                });
            }
        }
    }
}

/// What ranges of B must meet to be tested against one of A.
struct Range {
    low: f32,
    high: f32,
    early: f32,
    late: f32,
}

impl Range {
    /// Calls `found` with the number of every record in the row that is in range, four at a time.
    #[inline]
    fn search(&self, row: &SpanRow<'_>, mut found: impl FnMut(u32)) {
        let [low, high, early, late] =
            [self.low, self.high, self.early, self.late].map(f32x4::splat);
        let count = row.number.len();
        let mut i = 0;
        while i + 4 <= count {
            let lane = |values: &[f32]| {
                f32x4::new([values[i], values[i + 1], values[i + 2], values[i + 3]])
            };
            let meets = lane(&row.low[..count]).simd_le(high)
                & lane(&row.high[..count]).simd_ge(low)
                & lane(&row.early[..count]).simd_le(late)
                & lane(&row.late[..count]).simd_ge(early);
            let mut bits = meets.to_bitmask();
            while bits != 0 {
                found(row.number[i + bits.trailing_zeros() as usize]);
                bits &= bits - 1;
            }
            i += 4;
        }
        for i in i..count {
            let meets = (row.low[i] <= self.high)
                & (row.high[i] >= self.low)
                & (row.early[i] <= self.late)
                & (row.late[i] >= self.early);
            if meets {
                found(row.number[i]);
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
