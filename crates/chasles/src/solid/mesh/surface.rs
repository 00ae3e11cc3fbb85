//! Triangles in a tree of boxes, and the questions that descend it.
//!
//! The tree halves the triangles again and again, so it is never deeper than the binary logarithm
//! of their number, and a path down it fits into a stack of fixed size: no question allocates.

use glam::DVec3;

use super::triangle::{Closest, Framed, Triangle, in_box};
use super::winding::crossing;
use crate::bounds::{Aabb, Bvh};

/// Nodes that wait at most: one a level, and numbers of 32 bits have no more than 32 levels.
const LEVELS: usize = 40;

#[derive(Clone, Copy, Debug)]
struct Node {
    around: Aabb,
    /// The first of two children side by side, or the first triangle of a leaf.
    first: u32,
    /// Triangles of a leaf; 0 for an inner node.
    count: u32,
}

/// Any set of triangles.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    /// Empty if there are no triangles.
    nodes: Vec<Node>,
    triangles: Vec<Triangle>,
}

/// A closest point, and on which triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub(super) closest: Closest,
    pub(super) triangle: u32,
}

impl Surface {
    /// *Guarantees* the same tree for the same triangles. *Cost* `n log n`.
    pub(super) fn new(triangles: &[[DVec3; 3]]) -> Self {
        if triangles.is_empty() {
            return Self { nodes: Vec::new(), triangles: Vec::new() };
        }
        let boxes: Vec<Aabb> = triangles.iter().map(|&t| Aabb::around(t)).collect();
        let middles: Vec<DVec3> = boxes.iter().map(|b| 0.5 * (b.low + b.high)).collect();
        let tree = Bvh::new(&middles);
        let mut fitted = Vec::new();
        tree.fit(&boxes, &mut fitted);
        let node = |(i, &around): (usize, &Aabb)| {
            let (first, count) = match tree.children(i as u32) {
                Some([first, _]) => (first, 0),
                None => tree.leaf(i as u32),
            };
            Node { around, first, count }
        };
        let nodes = fitted.iter().enumerate().map(node).collect();
        let order = tree.order().iter();
        let triangles = order.map(|&t| Triangle::new(triangles[t as usize])).collect();
        Self { nodes, triangles }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.triangles.len()
    }

    pub(super) fn triangle(&self, triangle: u32) -> &Triangle {
        &self.triangles[triangle as usize]
    }

    /// The point closest to `p`; none if there are no triangles.
    ///
    /// Nodes are dropped by squares of distances, which have a few roundings: what is lost by that
    /// is far less than what a distance may be wrong by.
    pub(super) fn nearest(&self, p: DVec3, sure: f64) -> Option<Nearest> {
        let mut best: Option<Nearest> = None;
        let mut best_sq = f64::INFINITY;
        let mut stack = Stack::new(self.is_empty(), 0.0);
        while let Some((node, lower_sq)) = stack.pop() {
            if lower_sq >= best_sq {
                continue;
            }
            let Node { first, count, .. } = self.nodes[node as usize];
            if count == 0 {
                let near = [first, first + 1].map(|n| (n, self.distance_sq(n, p)));
                stack.push_nearer_last(near);
                continue;
            }
            for triangle in first..first + count {
                let closest = self.triangles[triangle as usize].closest_within(p, sure, best_sq);
                if closest.distance_sq < best_sq {
                    best_sq = closest.distance_sq;
                    best = Some(Nearest { closest, triangle });
                }
            }
        }
        best
    }

    #[inline]
    fn distance_sq(&self, node: u32, p: DVec3) -> f64 {
        let Aabb { low, high } = self.nodes[node as usize].around;
        (low - p).max(p - high).max(DVec3::ZERO).length_squared()
    }

    /// Calls `each` with all triangles in leaves that overlap a box, until it returns true;
    /// returns whether it did.
    pub(super) fn any_in(&self, place: &Aabb, mut each: impl FnMut(&Triangle) -> bool) -> bool {
        let mut stack = Stack::new(self.is_empty(), 0.0);
        while let Some((node, _)) = stack.pop() {
            let Node { around, first, count } = &self.nodes[node as usize];
            if !around.overlaps(place) {
                continue;
            }
            if *count == 0 {
                stack.push(*first, 0.0);
                stack.push(*first + 1, 0.0);
            } else if self.triangles[*first as usize..][..*count as usize].iter().any(&mut each) {
                return true;
            }
        }
        false
    }

    /// How often the surface winds around a point that is not on it.
    pub(super) fn winding(&self, p: DVec3) -> i32 {
        let ahead = Aabb { low: p, high: p.with_x(f64::INFINITY) };
        let mut winding = 0;
        self.any_in(&ahead, |triangle| {
            winding += crossing(p, triangle.corners);
            false
        });
        winding
    }

    /// Whether a box may have a point of the surface.
    pub(super) fn meets(&self, frame: &Framed, reach: DVec3, margin: f64) -> bool {
        let place = Aabb::around([frame.center]).grown(reach + margin);
        self.any_in(&place, |triangle| !triangle.misses(frame, margin))
    }

    /// The earliest fraction that `find` gives for a triangle, of those that a segment comes to.
    pub(super) fn first_on(
        &self,
        ends: [DVec3; 2],
        margin: f64,
        mut find: impl FnMut(&Triangle) -> Option<f64>,
    ) -> Option<f64> {
        let mut best = None;
        let mut until = 1.0;
        let mut stack = Stack::new(self.is_empty(), 0.0);
        while let Some((node, start)) = stack.pop() {
            if start > until {
                continue;
            }
            let Node { first, count, .. } = self.nodes[node as usize];
            if count == 0 {
                let start = |n: u32| {
                    let window = in_box([0.0, until], ends, &self.nodes[n as usize].around, margin);
                    (n, window.map_or(f64::INFINITY, |[start, _]| start))
                };
                stack.push_nearer_last([first, first + 1].map(start));
                continue;
            }
            for triangle in &self.triangles[first as usize..][..count as usize] {
                if let Some(at) = find(triangle).filter(|&at| best.is_none() || at < until) {
                    (best, until) = (Some(at), at);
                }
            }
        }
        best
    }
}

/// Nodes that wait, each with a number: a stack that needs no memory of its own.
struct Stack {
    entries: [(u32, f64); LEVELS],
    count: usize,
}

impl Stack {
    fn new(is_empty: bool, number: f64) -> Self {
        Self { entries: [(0, number); LEVELS], count: usize::from(!is_empty) }
    }

    #[inline]
    fn push(&mut self, node: u32, number: f64) {
        debug_assert!(self.count < LEVELS, "the tree halves its items, so it is not that deep");
        self.entries[self.count] = (node, number);
        self.count += 1;
    }

    /// The one with the lower number is looked at first; infinite ones never.
    #[inline]
    fn push_nearer_last(&mut self, [p, q]: [(u32, f64); 2]) {
        let [near, far] = if p.1 <= q.1 { [p, q] } else { [q, p] };
        for (node, number) in [far, near] {
            if number < f64::INFINITY {
                self.push(node, number);
            }
        }
    }

    #[inline]
    fn pop(&mut self) -> Option<(u32, f64)> {
        self.count = self.count.checked_sub(1)?;
        Some(self.entries[self.count])
    }
}
