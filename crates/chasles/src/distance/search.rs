//! The closest features of two bodies, by both trees.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::leaf::{Crossing, Found, Least, Leaves};
use super::scene::Scene;
use super::sweep::{Sweep, Swept};
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
        self.queue.clear();
        self.queue.push(Visit { bound: 0.0, nodes: [0, 0] });
        while let Some(visit) = self.queue.pop() {
            if visit.bound + scene.noise >= least.distance {
                break;
            }
            let [i, j] = visit.nodes.map(|node| node as usize);
            if !(scene.a.nodes()[i].is_leaf() && scene.b.nodes()[j].is_leaf()) {
                self.open(scene, visit, least.distance - scene.noise, |p, q| scene.bounds(p, q));
                continue;
            }
            self.leaves.compare(scene, visit.nodes, &mut least);
            // Boxes that are apart have nothing that crosses.
            if visit.bound <= scene.noise
                && let Some(crossing) = self.leaves.crossing(scene, visit.nodes)
            {
                return Ending::Crossing(crossing);
            }
        }
        Ending::Apart(least.distance, least.found)
    }

    /// Bounds the distance over a while around the time at which the scene stands, after opening
    /// `limit` pairs of nodes at most.
    pub(super) fn sweep(&mut self, scene: &Scene, sweep: &Sweep, limit: u32) -> Swept {
        let upper = Least::new(scene).distance;
        let mut swept = Swept { lower: f64::INFINITY, upper };
        let mut opened = 0;
        self.queue.clear();
        self.queue.push(Visit { bound: f64::NEG_INFINITY, nodes: [0, 0] });
        while let Some(visit) = self.queue.pop() {
            if visit.bound >= swept.lower || opened == limit {
                swept.lower = swept.lower.min(visit.bound);
                break;
            }
            let [i, j] = visit.nodes.map(|node| node as usize);
            if !(scene.a.nodes()[i].is_leaf() && scene.b.nodes()[j].is_leaf()) {
                opened += 1;
                self.open(scene, visit, swept.lower, |p, q| scene.swept_bounds(p, q, sweep));
                continue;
            }
            self.leaves.sweep(scene, visit.nodes, sweep, &mut swept);
        }
        swept
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
