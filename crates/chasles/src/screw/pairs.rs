//! Pairs of features that may touch: both trees are walked together, in the chart and in space.
//!
//! For all contacts in any order; for the first one in the order of the earliest time at which
//! nodes can meet, so that what comes after a contact that is found is never looked at.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::apart::Apart;
use super::body::Body;
use super::meet::{Around, lanes};
use super::pack::{EDGES, FACES, VERTICES};
use super::trial::Trial;
use super::turn_set::TurnSet;
use crate::bounds::{Chart, Node, Quad, Slab};
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
    stack: Vec<([u32; 2], TurnSet)>,
    queue: BinaryHeap<Reverse<Due>>,
    /// Both bodies are small.
    few: bool,
    /// Boxes in space are looked at until this time.
    until: f64,
    trial: Trial,
    clock: Clock,
    apart: Option<Apart>,
}

/// Nodes of both trees that cannot meet before some time. The earliest comes first, and of these
/// the deepest, which leads to contacts soonest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    /// The bits of the time, which is not negative: they are in the order of the numbers.
    time: u32,
    nodes: Reverse<[u32; 2]>,
    turns: TurnSet,
}

impl Due {
    fn new(time: f32, nodes: [u32; 2], turns: TurnSet) -> Reverse<Self> {
        Reverse(Self { time: (time + 0.0).to_bits(), nodes: Reverse(nodes), turns })
    }
}

/// Boxes in space are made anew for a shorter time if it is this share of the last at most.
const SHORTER: f64 = 0.5;

/// The narrowest window: far above the rounding of times, far below what features need.
const NARROWEST: f64 = 1e-6;

/// So many pairs are tested before more are looked for, so that memory stays small.
const BATCH: usize = 1 << 16;

/// The same where pairs can be met in several turns: these are sorted, which is cheaper for all at
/// once, and so many take some 20 megabytes.
const LARGE_BATCH: usize = 1 << 19;

/// Nodes with no more leaves than this are compared leaf by leaf, four at a time.
const BLOCK: usize = 16;

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

    /// The earliest time at which nodes with these bounds can touch.
    #[inline]
    fn earliest(&self, a: &Slab, b: &Slab) -> f32 {
        if self.whole {
            return 0.0;
        }
        let from = a.tau()[0] - (b.tau()[1] - self.travel as f32);
        from * self.rate as f32 - NARROWEST as f32
    }

    /// When a pair of these lists can touch, where A is not moved by turns.
    /// B's interval is extended by the way it goes: B's start is at `tau - travel` of its end.
    #[inline]
    fn window(&self, lists: [&[Quad]; 2], pair: [usize; 2]) -> [f64; 2] {
        if self.whole {
            return [0.0, 1.0];
        }
        let tau = |k: usize| lists[k][pair[k] / 4].tau(pair[k] % 4);
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
        self.until = 1.0;
        self.few = a.is_small() && b.is_small();
        self.trial = if self.few { Trial::SELDOM } else { Trial::OFTEN };
        self.apart = Apart::where_bounds_are_coarse(a, b);
        let mut meets = |a: &mut Body<'_>, b: &mut Body<'_>| {
            let [in_a, in_b] = [a.node(0, chart), b.node(0, chart)];
            let meets = |turn: i32| chart.turned(&in_a, turn).overlaps(&in_b);
            let met = TurnSet::of(turns.clone(), meets);
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
        self.clear();
        let batch = if self.clock.several_turns { LARGE_BATCH } else { BATCH };
        while let Some((pair, turns)) = self.stack.pop() {
            self.descend(pair, (a, b), (chart, turns));
            if self.fv.len() + self.vf.len() + self.ee.len() > batch {
                break;
            }
        }
        self.drop_repeated();
        self.stack.is_empty()
    }

    /// Finds the pairs of two leaves that have any and can meet not later than those of others that
    /// are left; false if none can meet before `until`.
    pub(crate) fn find_next(
        &mut self,
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        chart: &Chart,
        until: f64,
    ) -> bool {
        self.clear();
        for (nodes, turns) in self.stack.drain(..) {
            self.queue.push(Due::new(0.0, nodes, turns));
        }
        if until < SHORTER * self.until {
            self.until = until;
            b.look_until(until);
        }
        while let Some(Reverse(Due { time, nodes: Reverse(nodes), turns })) = self.queue.pop() {
            let time = f32::from_bits(time);
            if f64::from(time) > until {
                break;
            }
            // Boxes may be closer now than when the nodes were put there.
            let is_apart = self.until < 1.0 && self.earliest(a, b, nodes).is_none();
            let are_leaves = !is_apart && self.split(time, nodes, (a, b), (chart, turns));
            if are_leaves && self.has_found() {
                self.drop_repeated();
                return true;
            }
        }
        self.queue.clear();
        false
    }

    /// Whether there are so few that it does not pay to look for them in order.
    pub(crate) fn are_few(&self) -> bool {
        self.few
    }

    fn has_found(&self) -> bool {
        !(self.fv.is_empty() && self.vf.is_empty() && self.ee.is_empty())
    }

    fn clear(&mut self) {
        for list in [&mut self.fv, &mut self.vf, &mut self.ee] {
            list.clear();
        }
    }

    /// All turns of two leaves are looked at together, so a pair is never in two batches.
    fn drop_repeated(&mut self) {
        if self.clock.several_turns {
            for list in [&mut self.fv, &mut self.vf, &mut self.ee] {
                list.sort_unstable_by_key(|c| [c.moving, c.fixed]);
                list.dedup_by_key(|c| [c.moving, c.fixed]);
            }
        }
    }

    /// The earliest time at which boxes of two nodes can meet in space; none if they never do.
    #[inline]
    fn earliest(&mut self, a: &mut Body<'_>, b: &mut Body<'_>, [i, j]: [u32; 2]) -> Option<f32> {
        if !self.trial.is_due() {
            return Some(0.0);
        }
        let [from, to] = a.swept_box(i).meeting(b.swept_box(j));
        let from = from.max(0.0);
        let meet = from <= to.min(1.0);
        self.trial.note(meet);
        meet.then_some(from * self.until as f32)
    }

    /// Takes the larger of two nodes apart, or finds the pairs of two leaves and says so.
    fn split(
        &mut self,
        time: f32,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        (chart, turns): (&Chart, TurnSet),
    ) -> bool {
        let [p, q] =
            [&a.collider.moving_nodes()[i as usize], &b.collider.moving_nodes()[j as usize]];
        if p.is_leaf() && q.is_leaf() {
            self.leaf_pair([i, j], (a, b), (chart, turns));
            return true;
        }
        if turns == TurnSet::NONE && p.leaves.len().max(q.leaves.len()) <= BLOCK {
            self.block([p, q], (a, b), chart, |pairs, (a, b), nodes| {
                pairs.enqueue(time, nodes, (a, b), (chart, turns));
            });
            return false;
        }
        let halves = match splits_a(p, q) {
            true => [[p.child, j], [p.child + 1, j]],
            false => [[i, q.child], [i, q.child + 1]],
        };
        for nodes in halves {
            self.enqueue(time, nodes, (a, b), (chart, turns));
        }
        false
    }

    /// Puts nodes into the queue that cannot meet before a time, unless they stay apart.
    #[inline]
    fn enqueue(
        &mut self,
        time: f32,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        (chart, turns): (&Chart, TurnSet),
    ) {
        let [in_a, in_b] = [a.node(i, chart), b.node(j, chart)];
        let met = turns.only(|turn| chart.turned(&in_a, turn).overlaps(&in_b));
        if met.is_empty() || self.is_apart([a, b], [i, j]) {
            return;
        }
        if let Some(from) = self.earliest(a, b, [i, j]) {
            // Bounds of children are not always within those of their parents.
            let from = from.max(self.clock.earliest(&in_a, &in_b)).max(time);
            self.queue.push(Due::new(from, [i, j], met));
        }
    }

    /// Whether two nodes cannot touch, where bounds in the chart are coarse.
    #[inline]
    fn is_apart(&self, bodies: [&Body<'_>; 2], nodes: [u32; 2]) -> bool {
        self.apart.as_ref().is_some_and(|apart| apart.holds(bodies, nodes))
    }

    /// Looks into two nodes whose bounds overlap, or splits the larger one.
    #[inline]
    fn descend(
        &mut self,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        (chart, turns): (&Chart, TurnSet),
    ) {
        if self.is_apart([a, b], [i, j]) {
            return;
        }
        let [p, q] =
            [&a.collider.moving_nodes()[i as usize], &b.collider.moving_nodes()[j as usize]];
        if p.is_leaf() && q.is_leaf() {
            self.leaf_pair([i, j], (a, b), (chart, turns));
        } else if turns == TurnSet::NONE && p.leaves.len().max(q.leaves.len()) <= BLOCK {
            self.block([p, q], (a, b), chart, |pairs, (a, b), nodes| {
                if pairs.earliest(a, b, nodes).is_some() && !pairs.is_apart([a, b], nodes) {
                    pairs.leaf_pair(nodes, (a, b), (chart, turns));
                }
            });
        } else if splits_a(p, q) {
            let in_b = b.node(j, chart);
            for child in [p.child + 1, p.child] {
                let in_a = a.node(child, chart);
                let met = turns.only(|turn| chart.turned(&in_a, turn).overlaps(&in_b));
                if !met.is_empty() && self.earliest(a, b, [child, j]).is_some() {
                    self.stack.push(([child, j], met));
                }
            }
        } else {
            let in_a = a.node(i, chart);
            for child in [q.child + 1, q.child] {
                let in_b = b.node(child, chart);
                let met = turns.only(|turn| chart.turned(&in_a, turn).overlaps(&in_b));
                if !met.is_empty() && self.earliest(a, b, [i, child]).is_some() {
                    self.stack.push(([i, child], met));
                }
            }
        }
    }

    /// All pairs of leaves under two nodes whose bounds overlap, where A is not moved by turns.
    #[inline(always)]
    fn block<'p, 'q>(
        &mut self,
        [p, q]: [&Node; 2],
        (a, b): (&mut Body<'p>, &mut Body<'q>),
        chart: &Chart,
        mut found: impl FnMut(&mut Self, (&mut Body<'p>, &mut Body<'q>), [u32; 2]),
    ) {
        let [first, last] = [p.leaves.start / 4, (p.leaves.end - 1) / 4];
        for j in q.leaves.clone() {
            let j = b.collider.leaf_node(j);
            let in_b = b.node(j, chart).spread();
            for quad in first..=last {
                let mut mask = a.leaf_quad(quad, chart).overlapping(&in_b);
                while mask != 0 {
                    let leaf = 4 * quad + mask.trailing_zeros();
                    mask &= mask - 1;
                    if !p.leaves.contains(&leaf) {
                        continue;
                    }
                    let nodes = [a.collider.leaf_node(leaf), j];
                    found(self, (a, b), nodes);
                }
            }
        }
    }

    /// Looks into two leaves, and finds their pairs unless their features turn out to be apart.
    fn leaf_pair(
        &mut self,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        (chart, turns): (&Chart, TurnSet),
    ) {
        if turns == TurnSet::NONE {
            // One leaf that has been looked into is often enough to see that they are apart; since
            // the two were compared, other pairs may have looked into either.
            let overlap =
                |a: &mut Body<'_>, b: &mut Body<'_>| a.node(i, chart).overlaps(&b.node(j, chart));
            if !overlap(a, b) {
                return;
            }
            a.look_into_leaf(i, chart);
            if overlap(a, b) {
                b.look_into_leaf(j, chart);
                if overlap(a, b) {
                    self.leaves([i, j], (a, b), (chart, 0));
                }
            }
            return;
        }
        a.look_into_leaf(i, chart);
        b.look_into_leaf(j, chart);
        for turn in turns.each() {
            if chart.turned(&a.node(i, chart), turn).overlaps(&b.node(j, chart)) {
                self.leaves([i, j], (a, b), (chart, turn));
            }
        }
    }

    /// Pairs between the features of two leaves.
    #[inline(never)]
    fn leaves(
        &mut self,
        [i, j]: [u32; 2],
        (a, b): (&mut Body<'_>, &mut Body<'_>),
        shift: (&Chart, i32),
    ) {
        let (chart, turn) = shift;
        let around = Around {
            a: chart.turned(&a.node(i, chart), turn).spread(),
            b: chart.turned(&b.node(j, chart), -turn).spread(),
            chart,
            turn,
        };
        let [p, q] =
            [&a.collider.moving_nodes()[i as usize], &b.collider.moving_nodes()[j as usize]];
        let Self { fv, vf, ee, clock, .. } = self;
        let (pack_a, pack_b) = (a.pack(p), b.pack(q));
        let (of_a, of_b) = (a.features(), b.features());
        let quads = [of_a.quads, of_b.quads];
        let ranges = |a: usize, b: usize| [pack_a.quads(a), pack_b.quads(b)];
        let window = |i: usize, j: usize| clock.window(quads, [i, j]);
        around.meet(quads, ranges(FACES, VERTICES), |quad, j, mask| {
            let moving = of_b.ids[j];
            lanes(quad, mask, |i| {
                fv.push(Candidate { moving, fixed: of_a.ids[i], window: window(i, j) });
            });
        });
        around.meet(quads, ranges(EDGES, EDGES), |quad, j, mut mask| {
            if turn == 0 {
                let one = of_b.chords[pack_b.chords(j / 4)].one(j % 4);
                mask &= of_a.chords[pack_a.chords(quad)].crossing(&one);
            }
            let moving = of_b.ids[j];
            lanes(quad, mask, |i| {
                ee.push(Candidate { moving, fixed: of_a.ids[i], window: window(i, j) });
            });
        });
        around.meet(quads, ranges(VERTICES, FACES), |quad, j, mask| {
            let fixed = of_b.ids[j];
            lanes(quad, mask, |i| {
                vf.push(Candidate { moving: of_a.ids[i], fixed, window: window(i, j) });
            });
        });
    }
}

/// Whether A's node is the one to be split: the larger one, unless it is a leaf.
#[inline]
fn splits_a(p: &Node, q: &Node) -> bool {
    q.is_leaf() || (!p.is_leaf() && p.half.max_element() >= q.half.max_element())
}
