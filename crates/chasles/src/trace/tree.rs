//! A binary tree of boxes over numbered items, built once and fitted to where the items are.
//!
//! Splits follow the surface area heuristic over [`BINS`] bins.

use crate::bounds::Aabb;

/// Places where a split is tried along each axis.
const BINS: usize = 12;

/// Boxes over numbered items.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The first of two children, or the first item of a leaf in the order.
    first: u32,
    /// Items of a leaf; 0 for an inner node.
    count: u32,
}

/// Nodes that wait.
pub(super) type Waiting = Vec<u32>;

impl Tree {
    /// A tree with at most `leaf` items in a leaf.
    ///
    /// *Guarantees* the same tree for the same boxes. *Cost* `n log n`.
    pub(super) fn new(boxes: &[Aabb], leaf: usize) -> Self {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = vec![Node { first: 0, count: boxes.len() as u32 }];
        let mut next = 0;
        while next < nodes.len() {
            let Node { first, count } = nodes[next];
            let items = &mut order[first as usize..][..count as usize];
            if items.len() > leaf {
                let half = split(items, boxes) as u32;
                nodes[next] = Node { first: nodes.len() as u32, count: 0 };
                nodes.push(Node { first, count: half });
                nodes.push(Node { first: first + half, count: count - half });
            }
            next += 1;
        }
        Self { nodes, order }
    }

    /// The boxes of all nodes, from those of the items.
    pub(super) fn fit(&self, items: &[Aabb], boxes: &mut Vec<Aabb>) {
        boxes.clear();
        boxes.resize(self.nodes.len(), Aabb::EMPTY);
        for (i, &Node { first, count }) in self.nodes.iter().enumerate().rev() {
            let first = first as usize;
            boxes[i] = match count {
                0 if items.is_empty() => Aabb::EMPTY,
                0 => boxes[first].join(&boxes[first + 1]),
                _ => joined(&self.order[first..first + count as usize], items),
            };
        }
    }

    /// The children of an inner node.
    pub(super) fn children(&self, node: u32) -> Option<[u32; 2]> {
        let Node { first, count } = self.nodes[node as usize];
        (count == 0).then_some([first, first + 1])
    }

    /// The first item of a leaf.
    pub(super) fn item(&self, node: u32) -> Option<u32> {
        let Node { first, count } = self.nodes[node as usize];
        (count > 0).then(|| self.order[first as usize])
    }

    /// Calls `each` with the items of leaves that overlap a box.
    pub(super) fn overlapping(
        &self,
        boxes: &[Aabb],
        waiting: &mut Waiting,
        place: &Aabb,
        mut each: impl FnMut(u32),
    ) {
        waiting.clear();
        waiting.push(0);
        while let Some(i) = waiting.pop() {
            if !boxes[i as usize].overlaps(place) {
                continue;
            }
            match self.nodes[i as usize] {
                Node { first, count: 0 } => waiting.extend([first + 1, first]),
                Node { first, count } => {
                    self.order[first as usize..][..count as usize].iter().for_each(|&i| each(i));
                }
            }
        }
    }
}

fn joined(items: &[u32], boxes: &[Aabb]) -> Aabb {
    items.iter().fold(Aabb::EMPTY, |all, &i| all.join(&boxes[i as usize]))
}

/// Orders items so that the first ones, as many as are returned, become one child.
fn split(items: &mut [u32], boxes: &[Aabb]) -> usize {
    let middle = |i: u32| (boxes[i as usize].low + boxes[i as usize].high) * 0.5;
    let around = Aabb::around(items.iter().map(|&i| middle(i)));
    let scale = BINS as f64 / (around.high - around.low);
    let bin = |i: u32, axis: usize| {
        // A cast of NaN, where all middles coincide, is 0.
        (((middle(i)[axis] - around.low[axis]) * scale[axis]) as usize).min(BINS - 1)
    };
    let prices = (0..3).map(|axis| {
        let mut bins = [(Aabb::EMPTY, 0u32); BINS];
        for &i in items.iter() {
            let (around, count) = &mut bins[bin(i, axis)];
            *around = around.join(&boxes[i as usize]);
            *count += 1;
        }
        (cheapest(&bins), axis)
    });
    let best = prices.min_by(|((p, _), _), ((q, _), _)| p.total_cmp(q));
    let ((_, first), axis) = best.unwrap_or_default();
    items.sort_by_key(|&i| (bin(i, axis) >= first, i));
    let half = items.partition_point(|&i| bin(i, axis) < first);
    // All middles in one place: any half will do.
    if half == 0 || half == items.len() { items.len() / 2 } else { half }
}

/// The expected work of the best split, and the first bin of its second part.
fn cheapest(bins: &[(Aabb, u32); BINS]) -> (f64, usize) {
    let add = |all: &mut (Aabb, u32), bin: &(Aabb, u32)| {
        *all = (all.0.join(&bin.0), all.1 + bin.1);
        if all.1 == 0 { f64::INFINITY } else { half_area(&all.0) * f64::from(all.1) }
    };
    let mut above = (Aabb::EMPTY, 0);
    let mut prices = [0.0; BINS];
    for (price, bin) in prices.iter_mut().zip(bins).rev() {
        *price = add(&mut above, bin);
    }
    let mut below = (Aabb::EMPTY, 0);
    for (price, bin) in prices[1..].iter_mut().zip(bins) {
        *price += add(&mut below, bin);
    }
    let best = (1..BINS).min_by(|&j, &k| prices[j].total_cmp(&prices[k])).unwrap_or(BINS / 2);
    (prices[best], best)
}

/// Half the surface of a box: how often it is met, up to a factor.
pub(super) fn half_area(around: &Aabb) -> f64 {
    let size = around.high - around.low;
    size.x * size.y + size.y * size.z + size.z * size.x
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn every_overlapping_item_is_found() {
        let middle = |i: u32| {
            let i = f64::from(i);
            DVec3::new((7.0 * i) % 5.0, (3.0 * i) % 7.0, (11.0 * i) % 3.0)
        };
        let boxes: Vec<Aabb> =
            (0..200).map(|i| Aabb::around([middle(i)]).grown(DVec3::splat(0.3))).collect();
        let tree = Tree::new(&boxes, 2);
        let place = Aabb::around([DVec3::splat(1.0), DVec3::splat(2.0)]);
        let expected: Vec<u32> = (0..200).filter(|&i| boxes[i as usize].overlaps(&place)).collect();
        assert!(!expected.is_empty());
        let (mut fitted, mut found) = (Vec::new(), Vec::new());
        tree.fit(&boxes, &mut fitted);
        tree.overlapping(&fitted, &mut Waiting::new(), &place, |i| {
            found.extend(boxes[i as usize].overlaps(&place).then_some(i));
        });
        found.sort_unstable();
        assert_eq!(found, expected);
    }

    #[test]
    fn items_in_one_place_and_no_items_at_all_make_trees() {
        for count in [0, 50] {
            let same = vec![Aabb::around([DVec3::ONE]); count];
            let tree = Tree::new(&same, 2);
            let mut fitted = Vec::new();
            tree.fit(&same, &mut fitted);
            let mut found = 0;
            let place = Aabb::around([DVec3::ONE]);
            tree.overlapping(&fitted, &mut Waiting::new(), &place, |_| found += 1);
            assert_eq!(found, count);
        }
    }
}
