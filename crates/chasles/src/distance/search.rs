//! The closest features of two bodies, by both trees.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::leaf::{Crossing, Found, Least, Leaves};
use super::scene::Scene;
use super::sweep::Sweep;
use crate::bounds::{Collider, Twins};

/// A pair of nodes and a lower bound of their distance.
#[derive(Clone, Copy, Debug)]
struct Visit {
    bound: f64,
    nodes: [u32; 2],
}

/// The greatest is the nearest, and of equally near ones the first.
impl Ord for Visit {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound).then_with(|| other.nodes.cmp(&self.nodes))
    }
}

impl PartialOrd for Visit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Visit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Visit {}

/// Memory of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    queue: BinaryHeap<Visit>,
    leaves: Leaves,
    /// Pairs of nodes that were opened, or compared if both are leaves, since this was set to 0.
    pub(super) pairs: u64,
}

/// Features that are nearer than others.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearer {
    pub(super) distance: f64,
    /// The leaves that have them.
    pub(super) leaves: [u32; 2],
    /// An edge of one passes through a face of the other.
    pub(super) is_crossing: bool,
}

/// How a search ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ending {
    /// The closest features, and how far they are apart.
    Apart(f64, Found),
    /// An edge of one passes through a face of the other.
    Crossing(Crossing),
}

impl Search {
    /// The least distance of features of the two bodies; stops at an edge that passes through a
    /// face.
    ///
    /// Pairs of nodes are looked at in the order of their bounds, so no pair is opened whose bound
    /// is above the answer. What is nearer by less than rounding is not looked for: else bodies
    /// that are small beside their distance would be compared feature by feature.
    pub(super) fn run(&mut self, scene: &Scene) -> Ending {
        let mut least = Least::new(scene);
        match self.look(scene, &mut least).1 {
            Some(crossing) => Ending::Crossing(crossing),
            None => Ending::Apart(least.distance, least.found),
        }
    }

    /// The closest features, if they are nearer than `than`.
    pub(super) fn nearer(&mut self, scene: &Scene, than: f64) -> Option<Nearer> {
        let mut least = Least { distance: than, ..Least::new(scene) };
        let (leaves, crossing) = self.look(scene, &mut least);
        let is_crossing = crossing.is_some();
        Some(Nearer { distance: least.distance, leaves: leaves?, is_crossing })
    }

    /// Looks for features nearer than `least`, or one that passes through another. Returns the
    /// leaves that have them.
    fn look(&mut self, scene: &Scene, least: &mut Least) -> (Option<[u32; 2]>, Option<Crossing>) {
        let mut nearest = None;
        self.queue.clear();
        self.queue.push(Visit { bound: 0.0, nodes: [0, 0] });
        while let Some(visit) = self.queue.pop() {
            if visit.bound + scene.noise >= least.distance {
                break;
            }
            self.pairs += 1;
            if !are_leaves(scene, visit.nodes) {
                self.open(scene, visit, least.distance - scene.noise, |p, q| scene.bounds(p, q));
                continue;
            }
            let before = least.distance;
            self.leaves.compare(scene, visit.nodes, least);
            if least.distance < before {
                nearest = Some(visit.nodes);
            }
            // Boxes that are apart have nothing that crosses.
            if visit.bound <= scene.noise
                && let Some(crossing) = self.leaves.crossing(scene, visit.nodes)
            {
                return (Some(visit.nodes), Some(crossing));
            }
        }
        (nearest, None)
    }

    /// A lower bound of the distance over a while around the time at which the scene stands, of at
    /// most `goal`; after `limit` pairs of nodes it is what it is.
    ///
    /// Nothing is opened that stays as far apart as `goal`, and the first pair of features that may
    /// not ends the search: a shorter while has to be looked at then, whatever the others do.
    /// `first` are leaves that are compared before all others.
    pub(super) fn sweep(
        &mut self,
        scene: &Scene,
        sweep: &Sweep,
        (goal, first): (f64, Option<[u32; 2]>),
        limit: u64,
    ) -> f64 {
        self.pairs += u64::from(first.is_some());
        if first.is_some_and(|leaves| self.leaves.sweep(scene, leaves, sweep, goal) < goal) {
            return f64::NEG_INFINITY;
        }
        let end = self.pairs + limit;
        self.queue.clear();
        self.queue.push(Visit { bound: f64::NEG_INFINITY, nodes: [0, 0] });
        while let Some(visit) = self.queue.pop() {
            if self.pairs >= end {
                return visit.bound;
            }
            self.pairs += 1;
            if !are_leaves(scene, visit.nodes) {
                self.open(scene, visit, goal, |p, q| scene.swept_bounds(p, q, sweep));
                continue;
            }
            let lower = self.leaves.sweep(scene, visit.nodes, sweep, goal);
            if lower < goal {
                let others = self.queue.peek().map_or(goal, |next| next.bound);
                return lower.max(visit.bound).min(others);
            }
        }
        goal
    }

    /// Queues the pairs of children whose `bounds` are below `least`; of a leaf, the leaf itself. A
    /// child is no nearer than its parents, whatever its box says.
    fn open(
        &mut self,
        scene: &Scene,
        visit: Visit,
        least: f64,
        bounds: impl Fn(&Twins, &Twins) -> [f64; 4],
    ) {
        let range = |collider: &Collider, number: u32| {
            let node = &collider.nodes()[number as usize];
            if node.is_leaf() { number..number + 1 } else { node.child..node.child + 2 }
        };
        let [first, second] = [range(scene.a, visit.nodes[0]), range(scene.b, visit.nodes[1])];
        let (of_a, lane_a) = scene.a.fitted().of(first.start);
        let (of_b, lane_b) = scene.b.fitted().of(second.start);
        let bounds = bounds(of_a, of_b);
        for (i, p) in first.enumerate() {
            for (j, q) in second.clone().enumerate() {
                let bound = bounds[2 * (lane_a + i) + lane_b + j].max(visit.bound);
                if bound < least {
                    self.queue.push(Visit { bound, nodes: [p, q] });
                }
            }
        }
    }
}

fn are_leaves(scene: &Scene, nodes: [u32; 2]) -> bool {
    let [i, j] = nodes.map(|node| node as usize);
    scene.a.nodes()[i].is_leaf() && scene.b.nodes()[j].is_leaf()
}
