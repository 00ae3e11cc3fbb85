//! What pixels a face covers in each row [Buss04 §9, step five].
//!
//! Scanning a row by increasing `h`, a face is entered at the lowest run that bounds it and left at
//! the highest. Both are kept as one record of the face in that row, with the range of times, so
//! that vertices are searched among faces as edges are among edges.

use crate::numeric::{lower, upper};
use crate::screen::drawing::front_edges::{NONE, Sub};
use crate::screen::place::axes::Dot;
use crate::screen::rows::records::{Order, Record, Spans};

/// The footprints of all faces of a body.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Footprints {
    /// As records: `sub` is the face or copy, `from` and `to` have the ranges of `rho`, `h`, `t`.
    prints: Vec<Record>,
    /// For each face or copy, its footprint in the row at hand.
    latest: Vec<u32>,
    spans: Spans,
}

impl Footprints {
    /// Gathers the footprints of `copies` faces and copies from records that are sorted by rows.
    pub(in crate::screen) fn gather(
        &mut self,
        (records, rows): (&[Record], &Spans),
        subs: &[Sub],
        copies: usize,
        count: u32,
    ) {
        self.prints.clear();
        // What another query left there is recognized as such.
        if self.latest.len() < copies {
            self.latest.resize(copies, NONE);
        }
        for row in 0..count {
            for &number in rows.numbers(row..row + 1) {
                let record = &records[number as usize];
                for face in subs[record.sub as usize].faces {
                    if face != NONE {
                        self.add(face, record);
                    }
                }
            }
        }
    }

    #[inline]
    fn add(&mut self, face: u32, record: &Record) {
        let [span, times] = [record.span(), record.times()];
        let latest = &mut self.latest[face as usize];
        match self.prints.get_mut(*latest as usize) {
            Some(print) if print.row == record.row && print.sub == face => {
                print.from.rho = lower(print.from.rho, record.from.rho);
                print.to.rho = upper(print.to.rho, record.to.rho);
                print.from.h = lower(print.from.h, span[0]);
                print.to.h = upper(print.to.h, span[1]);
                print.from.t = lower(print.from.t, times[0]);
                print.to.t = upper(print.to.t, times[1]);
            }
            _ => {
                *latest = self.prints.len() as u32;
                let rho = [record.from.rho, record.to.rho];
                let dot = |i: usize| Dot { rho: rho[i], h: span[i], t: times[i] };
                self.prints.push(Record { from: dot(0), to: dot(1), sub: face, row: record.row });
            }
        }
    }

    /// Widens the times of each face by `pad` and sorts.
    pub(in crate::screen) fn sort(&mut self, count: u32, order: Order, pad: impl Fn(u32) -> f32) {
        for print in &mut self.prints {
            let pad = pad(print.sub);
            print.from.t -= pad;
            print.to.t += pad;
        }
        self.spans.sort(&self.prints, count, NONE, order);
    }

    /// Calls `found` with every footprint of a row that meets a window; returns how many were
    /// compared.
    #[inline]
    pub(in crate::screen) fn search(
        &self,
        row: u32,
        window: &crate::screen::rows::records::Window,
        mut found: impl FnMut(&Record),
    ) -> usize {
        self.spans.search(row, window, |number| found(&self.prints[number as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::screen::rows::records::Window;

    #[test]
    fn a_face_is_entered_at_its_lowest_run_and_left_at_its_highest() {
        let dot = |rho, h, t| Dot { rho, h, t };
        let run = |h: f32, t: f32, sub, row| Record {
            from: dot(0.0, h, t),
            to: dot(1.0, h + 1.0, t + 0.1),
            sub,
            row,
        };
        let records = [run(2.0, 0.1, 0, 0), run(8.0, 0.4, 1, 0), run(3.0, 0.1, 0, 1)];
        let subs = [Sub { edge: 0, faces: [5, NONE] }, Sub { edge: 1, faces: [NONE, 5] }];
        let mut rows = Spans::default();
        rows.sort(&records, 2, 2, Order::Height);
        let mut prints = Footprints::default();
        prints.gather((&records, &rows), &subs, 6, 2);
        prints.sort(2, Order::Height, |_| 0.05);
        let at = |row, h: f32, t: f32| {
            let mut faces = Vec::new();
            prints.search(row, &Window { h: [h; 2], t: [t; 2] }, |print| faces.push(print.sub));
            faces
        };
        assert_eq!(at(0, 5.0, 0.3), [5u32], "inside, though no run is there");
        for (row, h, t) in [(0, 9.5, 0.3), (1, 5.0, 0.3), (0, 5.0, 0.6)] {
            assert!(at(row, h, t).is_empty(), "{row} {h} {t}");
        }
    }
}
