//! Where edges of A and of B share a pixel, or pass each other between pixels [Buss04 §9, step
//! six].
//!
//! Records of a row are taken by increasing `h_min`; each is compared with those of the other body
//! that are not left yet. Two edges meet where they share a pixel. They also *cross* without
//! sharing one, where both step diagonally and change places:
//!
//! ```text
//!    row r + 1     B A       The pixels of an edge are a chain in which each touches the next.
//!    row r         A B       Two such chains that cross share a pixel or step past each other so.
//! ```
//!
//! The paper looks for edges that "cross or intersect" and keeps slope and direction with each
//! pixel, but does not say how it sees a crossing of this kind. A record here keeps the pixel of
//! the next row where its edge goes on, so both records of row `r` tell; nothing is lost, and no
//! other row is asked.
//!
//! Meetings are kept in a hash table by their features: of several pixels that two edges share in a
//! row of time, the one with the least time counts.

use super::layers::Layers;
use super::run::{NOWHERE, Run};
use super::sheet::around;
use super::table::{Meetings, Times};
use super::{Reading, cells::Cells};
use crate::bounds::Collider;
use crate::contact::{Met, Pair};
use crate::numeric::upper;
use crate::screen::drawing::drawn::Drawn;
use crate::screen::judging::judge::Judge;
use crate::screen::query::Grain;
use crate::screen::rows::records::Order;

/// What the search in a row keeps. Memory is kept between queries.
#[derive(Clone, Debug, Default)]
pub(in crate::screen) struct Active {
    /// Records of A and of B that are not left yet.
    of: [Vec<Run>; 2],
    layers: [Layers; 2],
    cells: Cells,
}

/// Rows of fewer records are not divided by time, nor put into a hash table.
const WORTH_DIVIDING: usize = 24;

/// Finds where edges of A and B meet on the screen. Returns how many pairs of records were
/// compared.
pub(in crate::screen) fn crossings(
    [a, b]: [&Drawn; 2],
    reading: &Reading<'_>,
    active: &mut Active,
    mut found: impl FnMut([&Run; 2], Times),
) -> usize {
    let mut compared = 0;
    let firsts = [a, b].map(Drawn::first_virtual);
    let Reading { touching, reach, order } = *reading;
    let mut test = |p: &Run, q: &Run| {
        if let Some(times) = meeting(p, q, (touching.window, reach as i32)) {
            found([p, q], times);
        }
    };
    for row in 0..touching.band.count {
        for other in around(row, reach, touching.band.count) {
            let rows = [a.pixels.row(row), b.pixels.row(other)];
            if rows[0].is_empty() || rows[1].is_empty() {
                continue;
            }
            let is_long = rows[0].len().min(rows[1].len()) >= WORTH_DIVIDING;
            let search = Search { rows, firsts, reach: reach as i32 };
            compared += match order {
                Order::Time if is_long => active.by_time(&search, touching.window, &mut test),
                Order::Hash if is_long => active.cells.search(&search, &mut test),
                _ => active.by_height(&search, &mut test),
            };
        }
    }
    compared
}

/// Records of a row of A and of one of B, by increasing `h_min`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search<'s> {
    pub(super) rows: [&'s [Run]; 2],
    /// Sub-edges from these on are virtual, and meet nothing.
    pub(super) firsts: [u32; 2],
    /// Ranges of `h` that come within this and a pixel are compared.
    pub(super) reach: i32,
}

impl Active {
    /// Tests all pairs whose ranges of `h` come near each other.
    fn by_height(&mut self, search: &Search<'_>, test: &mut impl FnMut(&Run, &Run)) -> usize {
        let [a, b] = search.rows;
        self.of.iter_mut().for_each(Vec::clear);
        let [mut i, mut j] = [0, 0];
        let mut compared = 0;
        // When one row is at its end and nothing of it is left to meet, the rest of the other is
        // done.
        while (i < a.len() || !self.of[0].is_empty()) && (j < b.len() || !self.of[1].is_empty()) {
            let is_of_a = i < a.len() && (j >= b.len() || a[i].low <= b[j].low);
            if !is_of_a && j >= b.len() {
                break;
            }
            let run = if is_of_a { &a[i] } else { &b[j] };
            let [mine, others] = if is_of_a { [0, 1] } else { [1, 0] };
            if is_of_a {
                i += 1;
            } else {
                j += 1;
            }
            if run.sub >= search.firsts[mine] {
                continue;
            }
            let first = run.low - 1 - search.reach;
            self.of[others].retain(|other| other.high >= first);
            compared += self.of[others].len();
            for other in &self.of[others] {
                if is_of_a {
                    test(run, other);
                } else {
                    test(other, run);
                }
            }
            self.of[mine].push(*run);
        }
        compared
    }

    /// The same, layer of time by layer.
    fn by_time(
        &mut self,
        search: &Search<'_>,
        window: [f32; 2],
        test: &mut impl FnMut(&Run, &Run),
    ) -> usize {
        let mut layers = std::mem::take(&mut self.layers);
        let mut compared = 0;
        if Layers::divide(&mut layers, search, window) {
            let [a, b] = &layers;
            for of_a in a.all() {
                for of_b in a.near(of_a, window) {
                    let rows = [a.runs(of_a), b.runs(of_b)];
                    compared += self.by_height(&Search { rows, ..*search }, test);
                }
            }
        } else {
            compared = self.by_height(search, test);
        }
        self.layers = layers;
        compared
    }
}

/// When two records, of A and of B, meet, if they do in a window.
///
/// With a reach above 0, for a coarse look, records that come so close meet at any of their times.
#[inline]
pub(super) fn meeting(
    p: &Run,
    q: &Run,
    ([soonest, latest], reach): ([f32; 2], i32),
) -> Option<Times> {
    let ([p0, p1], [q0, q1]) = (p.times(), q.times());
    if p0 - q1 > latest || p1 - q0 < soonest {
        return None;
    }
    let [low, high] = [p.low.max(q.low), p.high.min(q.high)];
    if reach > 0 {
        return (low - high <= reach).then_some(Times {
            first: p0 - q1,
            last: p1 - q0,
            ..Times::default()
        });
    }
    let doubt = 0.5 * (per_pixel(p) + per_pixel(q));
    let at = |h: i32| p.time_at(h.clamp(p.low, p.high)) - q.time_at(h.clamp(q.low, q.high));
    let (times, vertices) = if low <= high {
        let vertex = |run: &Run| {
            let at_low = if run.low == low { run.vertices[0] } else { 0 };
            if run.high == high { at_low.max(run.vertices[1]) } else { at_low }
        };
        ([at(low), at(high)], [vertex(p), vertex(q)])
    } else if pass_between(p, q) || pass_between(q, p) {
        ([at(low), at(high)], [0; 2])
    } else {
        return None;
    };
    let [first, last] = [times[0].min(times[1]), times[0].max(times[1])];
    let is_in = last + doubt >= soonest && first - doubt <= latest;
    is_in.then_some(Times { first, last, doubt, vertices })
}

/// How long an edge needs for one pixel of a run.
fn per_pixel(run: &Run) -> f32 {
    run.duration / (run.high - run.low + 1) as f32
}

/// Whether the edge of a record steps up past that of the next record, which steps down.
fn pass_between(p: &Run, q: &Run) -> bool {
    let are_side_by_side = p.high.saturating_add(1) == q.low;
    are_side_by_side && p.next != NOWHERE && p.next == q.low && q.next == p.high
}

/// An edge that passes a pixel in a longer time than the motion does, by this factor, is seen
/// end-on.
const END_ON: f32 = 1.0;

/// Keeps a meeting of two edges, of which ends may be vertices there.
pub(in crate::screen) fn keep(
    [a, b]: [&Drawn; 2],
    bodies: [&Collider; 2],
    [p, q]: [&Run; 2],
    (times, grain): (&Times, &Grain),
    meetings: &mut Meetings,
) {
    let [ea, eb] = [a.edge(p.sub), b.edge(q.sub)];
    let has_faces = |i: usize, edge: u32| !bodies[i].mesh().edge_sides(edge).is_empty();
    let end = |i: usize, edge: u32| {
        let named = times.vertices[i].checked_sub(1)?;
        Some(bodies[i].mesh().edge(edge)[usize::from(named)])
    };
    let [on_a, on_b] = [has_faces(0, ea), has_faces(1, eb)];
    // An edge that is seen end-on has its vertices in the same pixel as all of it.
    let is_end_on = upper(p.duration, q.duration) > END_ON * grain.steps_per_pixel as f32;
    let soon = grain.soon();
    if is_end_on {
        meetings.keep(Pair { met: Met::EdgeEdge, a: ea, b: eb }, times, soon);
    }
    // Wires have no faces that a coincidence could be resolved into.
    let (met, a, b) = match (end(0, ea), end(1, eb)) {
        (Some(va), None) if on_b => (Met::VertexEdge, va, eb),
        (None, Some(vb)) if on_a => (Met::EdgeVertex, ea, vb),
        (Some(va), Some(vb)) if on_a || on_b => (Met::VertexVertex, va, vb),
        _ => (Met::EdgeEdge, ea, eb),
    };
    meetings.keep(Pair { met, a, b }, times, soon);
}

/// Marks the faces at two edges that may be proper, in a coarse look.
pub(in crate::screen) fn mark([a, b]: [&Drawn; 2], [p, q]: [&Run; 2], judge: &mut Judge<'_>) {
    let edges = [a.edge(p.sub), b.edge(q.sub)];
    if judge.edges_may_be_proper(edges) {
        judge.mark_edges(edges);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(low: i32, high: i32, next: i32) -> Run {
        Run { low, high, next, ..Run::default() }
    }

    #[test]
    fn diagonals_that_share_no_pixel_pass_between() {
        let met = |p: &Run, q: &Run| meeting(p, q, ([0.0, 1.0], 0)).is_some();
        let up = run(4, 4, 5);
        let down = run(5, 5, 4);
        assert!(met(&up, &down) && met(&down, &up));
        for other in [run(5, 5, 5), run(5, 5, 6), run(6, 6, 5), run(5, 5, NOWHERE)] {
            assert!(!met(&up, &other) && !met(&other, &up), "{other:?}");
        }
        assert!(met(&up, &run(4, 4, 9)), "a shared pixel");
    }

    #[test]
    fn what_is_shared_has_the_time_of_its_pixels() {
        let p = Run { slope: 0.1, duration: 0.5, time: 0.4, ..run(0, 4, 5) };
        let q = Run { slope: -0.1, duration: 0.3, time: 0.3, ..run(3, 5, 2) };
        let Times { first, last, doubt, .. } = meeting(&p, &q, ([0.0, 1.0], 0)).unwrap();
        // At pixel 3: 0.7 - 0.3, at 4: 0.8 - 0.2; and half a pixel of both.
        let last = last + doubt;
        assert!((first - 0.4).abs() < 1e-6 && (last - 0.7).abs() < 1e-6, "{first} {last}");
        assert!(meeting(&p, &q, ([0.8, 1.0], 0)).is_none());
    }

    /// All pairs that a plain search finds, whatever the rows hold.
    #[test]
    fn every_order_compares_whatever_shares_a_pixel_in_time() {
        let mut state = 1u32;
        let mut number = |count: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) % count) as i32
        };
        for _ in 0..200 {
            let mut rows = || -> Vec<Run> {
                let mut runs: Vec<Run> = (0..number(150))
                    .map(|sub| {
                        let low = number(100);
                        let time = 0.1 * number(100) as f32;
                        let duration = [0.01, 0.1, 4.0][number(3) as usize];
                        Run {
                            sub: sub as u32,
                            time,
                            duration,
                            ..run(low, low + number(12), NOWHERE)
                        }
                    })
                    .collect();
                runs.sort_by_key(|run| run.low);
                runs
            };
            let [a, b] = [rows(), rows()];
            let search = &Search { rows: [&a, &b], firsts: [200; 2], reach: 0 };
            let shares = |p: &Run, q: &Run| {
                let lag = p.time - q.time;
                p.low <= q.high && q.low <= p.high && (0.0..=1.0).contains(&lag)
            };
            let found = [Order::Height, Order::Time, Order::Hash].map(|order| {
                let mut found = Vec::new();
                let mut active = Active::default();
                let test = &mut |p: &Run, q: &Run| {
                    if shares(p, q) {
                        found.push([p.sub, q.sub]);
                    }
                };
                match order {
                    Order::Height => active.by_height(search, test),
                    Order::Time => active.by_time(search, [0.0, 1.0], test),
                    Order::Hash => active.cells.search(search, test),
                };
                found.sort_unstable();
                found
            });
            let pairs = a.iter().flat_map(|p| b.iter().map(move |q| (p, q)));
            let mut expected: Vec<[u32; 2]> =
                pairs.filter(|(p, q)| shares(p, q)).map(|(p, q)| [p.sub, q.sub]).collect();
            expected.sort_unstable();
            assert_eq!(found, [0, 1, 2].map(|_| expected.clone()));
        }
    }
}
