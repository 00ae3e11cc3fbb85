//! Pairs of features that may touch: both trees are walked together in the chart.

use super::apart::Apart;
use super::body::Body;
use super::meet::Meeting;
use crate::bounds::{Chart, Quad};
use crate::numeric::{lower, upper};

/// Two features that may touch, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Candidate {
    /// The feature that is taken to move.
    pub(crate) moving: u32,
    /// The feature that is taken to stand still.
    pub(crate) fixed: u32,
    /// They cannot touch outside this part of the step.
    pub(crate) window: [f64; 2],
}

/// Candidate pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    /// Vertex of B moving, face of A.
    pub(crate) fv: Vec<Candidate>,
    /// Vertex of A moving, face of B.
    pub(crate) vf: Vec<Candidate>,
    /// Edge of B moving, edge of A.
    pub(crate) ee: Vec<Candidate>,
    /// Nodes of both trees, and by how many turns A's is moved.
    stack: Vec<([u32; 2], Turns)>,
    clock: Clock,
    apart: Option<Apart>,
    meeting: Meeting,
}

/// The narrowest window: far above the rounding of times, far below what features need.
const NARROWEST: f64 = 1e-6;

/// So many pairs are tested before more are looked for, so that memory stays small.
const BATCH: usize = 1 << 16;

/// The same where pairs can be met in several turns: these are sorted, which is cheaper for all at
/// once, and so many take some 20 megabytes, or 60 where the first contact is sought.
const LARGE_BATCH: usize = 1 << 19;

/// A set of whole turns from -1 to 1, a bit for each.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Turns(u8);

impl Turns {
    /// Those of a range for which something holds.
    #[inline]
    fn of(range: std::ops::RangeInclusive<i32>, holds: impl Fn(i32) -> bool) -> Self {
        Self(range.filter(|turn| holds(*turn)).fold(0, |set, turn| set | 1 << (turn + 1)))
    }

    /// Those for which something holds.
    #[inline]
    fn only(self, holds: impl Fn(i32) -> bool) -> Self {
        Self(self.each().filter(|turn| holds(*turn)).fold(0, |set, turn| set | 1 << (turn + 1)))
    }

    #[inline]
    fn each(self) -> impl Iterator<Item = i32> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let turn = (left != 0).then(|| left.trailing_zeros() as i32 - 1);
            left &= left.wrapping_sub(1);
            turn
        })
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Turns overlapping intervals of `tau` into times.
#[derive(Clone, Debug, Default)]
struct Clock {
    rate: f64,
    travel: f64,
    /// A pair can be met more than once.
    several_turns: bool,
    /// Each window is the whole step.
    whole: bool,
}

impl Clock {
    fn new(chart: &Chart, turns: usize) -> Self {
        Self {
            rate: 1.0 / chart.travel,
            travel: chart.travel,
            several_turns: turns > 1,
            whole: turns > 1 || chart.travel == 0.0,
        }
    }

    /// When a pair of these lists can touch, where A is not moved by turns.
    /// B's interval is extended by the way it goes: B's start is at `tau - travel` of its end.
    #[inline]
    fn window(&self, lists: [&[Quad]; 2], pair: [u32; 2]) -> [f64; 2] {
        if self.whole {
            return [0.0, 1.0];
        }
        let tau = |k: usize| lists[k][pair[k] as usize / 4].tau(pair[k] as usize % 4);
        let [a, b] = [tau(0), tau(1)];
        let from = (a[0] - (b[1] - self.travel)) * self.rate;
        let to = (a[1] - b[0]) * self.rate;
        [upper(from - NARROWEST, 0.0), lower(to + NARROWEST, 1.0)]
    }
}

impl Candidates {
    /// Starts to look for pairs; true if none can be met in several turns.
    pub(crate) fn begin(&mut self, a: &mut Body<'_>, b: &mut Body<'_>, chart: &Chart) -> bool {
        let turns = chart.turns(a.angles(chart), b.angles(chart));
        self.clock = Clock::new(chart, turns.clone().count());
        self.apart = Apart::where_bounds_are_coarse(a, b);
        let mut meets = |a: &mut Body<'_>, b: &mut Body<'_>| {
            let [in_a, in_b] = [a.node(0, chart), b.node(0, chart)];
            let meets = |turn: i32| chart.turned(&in_a, turn).overlaps(&in_b);
            let met = Turns::of(turns.clone(), meets);
            self.stack.clear();
            self.stack.extend((!met.is_empty()).then_some(([0, 0], met)));
            !met.is_empty()
        };
        if meets(a, b) {
            a.look_into_small(chart);
            b.look_into_small(chart);
            meets(a, b);
        }
        !self.clock.several_turns
    }

    /// Finds the next pairs whose bounds overlap, each pair once; true if these are the last.
    pub(crate) fn find(&mut self, a: &mut Body<'_>, b: &mut Body<'_>, chart: &Chart) -> bool {
        for list in [&mut self.fv, &mut self.vf, &mut self.ee] {
            list.clear();
        }
        let batch = if self.clock.several_turns { LARGE_BATCH } else { BATCH };
        while let Some((pair, turns)) = self.stack.pop() {
            self.descend(pair, (a, b), (chart, turns));
            if self.fv.len() + self.vf.len() + self.ee.len() > batch {
                break;
            }
        }
        // All turns of two leaves are looked at together, so a pair is never in two batches.
        if self.clock.several_turns {
            for list in [&mut self.fv, &mut self.vf, &mut self.ee] {
                list.sort_unstable_by_key(|c| [c.moving, c.fixed]);
                list.dedup_by_key(|c| [c.moving, c.fixed]);
            }
        }
        self.stack.is_empty()
    }

    /// Splits the larger of two nodes whose bounds overlap.
    #[inline]
    fn descend(
        &mut self,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        (chart, turns): (&Chart, Turns),
    ) {
        if self.apart.as_ref().is_some_and(|apart| apart.holds([a, b], [i, j])) {
            return;
        }
        let in_a = a.node(i, chart);
        let in_b = b.node(j, chart);
        let [p, q] = [&a.collider.nodes()[i as usize], &b.collider.nodes()[j as usize]];
        if p.is_leaf() && q.is_leaf() {
            let looked = a.look_into_leaf(i, chart) | b.look_into_leaf(j, chart);
            for turn in turns.each() {
                let apart = |a: &mut Body<'_>, b: &mut Body<'_>| {
                    !chart.turned(&a.node(i, chart), turn).overlaps(&b.node(j, chart))
                };
                if !(looked && apart(a, b)) {
                    self.leaves([i, j], (a, b), (chart, turn));
                }
            }
        } else if q.is_leaf() || (!p.is_leaf() && p.half.max_element() >= q.half.max_element()) {
            for child in [p.child + 1, p.child] {
                let in_child = a.node(child, chart);
                let met = turns.only(|turn| chart.turned(&in_child, turn).overlaps(&in_b));
                if !met.is_empty() {
                    self.stack.push(([child, j], met));
                }
            }
        } else {
            for child in [q.child + 1, q.child] {
                let in_child = b.node(child, chart);
                let met = turns.only(|turn| chart.turned(&in_a, turn).overlaps(&in_child));
                if !met.is_empty() {
                    self.stack.push(([i, child], met));
                }
            }
        }
    }

    /// Pairs between the features of two leaves.
    fn leaves(
        &mut self,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        shift: (&Chart, i32),
    ) {
        let (chart, turn) = shift;
        let in_a = chart.turned(&a.node(i, chart), turn).spread();
        let in_b = chart.turned(&b.node(j, chart), -turn).spread();
        let [p, q] = [&a.collider.nodes()[i as usize], &b.collider.nodes()[j as usize]];
        let Self { fv, vf, ee, meeting, clock, .. } = self;
        let around = [&in_a, &in_b];
        let [faces_a, edges_a, vertices_a] = a.quads_of(p);
        let [faces_b, edges_b, vertices_b] = b.quads_of(q);
        let lists = [faces_a, vertices_b];
        meeting.meet(lists, around, shift, |i, j| {
            let window = clock.window(lists, [i, j]);
            fv.push(Candidate { moving: q.vertices.start + j, fixed: p.faces.start + i, window });
        });
        let lists = [edges_a, edges_b];
        let [of_a, of_b] = [a.chords_of(p), b.chords_of(q)];
        meeting.meet(lists, around, shift, |i, j| {
            if shift.1 != 0 || of_b[j as usize].may_cross(&of_a[i as usize]) {
                let window = clock.window(lists, [i, j]);
                ee.push(Candidate { moving: q.edges.start + j, fixed: p.edges.start + i, window });
            }
        });
        let lists = [vertices_a, faces_b];
        meeting.meet(lists, around, shift, |i, j| {
            let window = clock.window(lists, [i, j]);
            vf.push(Candidate { moving: p.vertices.start + i, fixed: q.faces.start + j, window });
        });
    }
}
