//! A binary tree of boxes whose shape is fixed and whose boxes are fitted anew for each step.

use glam::DVec3;

use super::aabb::Aabb;

/// Items in a leaf at most: small, since a pair of items costs more than a pair of boxes.
const LEAF: usize = 2;

/// The shape of a tree over numbered items.
#[derive(Clone, Debug)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    /// Items in the order of the leaves.
    order: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    /// The first of two children side by side; 0 for a leaf.
    child: u32,
    first: u32,
    end: u32,
}

/// Pairs of nodes that wait to be looked at, or one with itself; the caller keeps the memory.
pub(crate) type Stack = Vec<(u32, u32)>;

impl Bvh {
    /// Splits items at the middle one along the longest side, again and again.
    ///
    /// *Guarantees* the same tree for the same points. *Cost* `n log n`.
    pub(crate) fn new(middles: &[DVec3]) -> Self {
        let mut order: Vec<u32> = (0..middles.len() as u32).collect();
        let mut nodes = vec![Node { child: 0, first: 0, end: order.len() as u32 }];
        let mut next = 0;
        while next < nodes.len() {
            let Node { first, end, .. } = nodes[next];
            let items = &mut order[first as usize..end as usize];
            if items.len() > LEAF {
                let around = Aabb::around(items.iter().map(|&i| middles[i as usize]));
                let axis = (around.high - around.low).max_position();
                let by_place = |i: &u32, j: &u32| {
                    let [p, q] = [i, j].map(|i| middles[*i as usize][axis]);
                    p.total_cmp(&q).then(i.cmp(j))
                };
                let half = items.len() / 2;
                items.select_nth_unstable_by(half, by_place);
                let middle = first + half as u32;
                nodes[next].child = nodes.len() as u32;
                nodes.push(Node { child: 0, first, end: middle });
                nodes.push(Node { child: 0, first: middle, end });
            }
            next += 1;
        }
        Self { nodes, order }
    }

    /// Boxes of all nodes, from those of the items.
    pub(crate) fn fit(&self, items: &[Aabb], boxes: &mut Vec<Aabb>) {
        boxes.clear();
        boxes.resize(self.nodes.len(), Aabb::EMPTY);
        for (i, node) in self.nodes.iter().enumerate().rev() {
            boxes[i] = if node.child == 0 {
                let items = self.items(node).iter().map(|&item| &items[item as usize]);
                items.fold(Aabb::EMPTY, |all, one| all.join(one))
            } else {
                boxes[node.child as usize].join(&boxes[node.child as usize + 1])
            };
        }
    }

    /// The two children of a node, or none if it is a leaf.
    pub(crate) fn children(&self, node: u32) -> Option<[u32; 2]> {
        let child = self.nodes[node as usize].child;
        (child != 0).then_some([child, child + 1])
    }

    /// Where the items of a node begin in the [order](Bvh::order), and how many they are.
    pub(crate) fn leaf(&self, node: u32) -> (u32, u32) {
        let Node { first, end, .. } = self.nodes[node as usize];
        (first, end - first)
    }

    /// All items, in the order of the leaves.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    fn items(&self, node: &Node) -> &[u32] {
        &self.order[node.first as usize..node.end as usize]
    }

    /// Calls `each` with every pair of different items of which the leaves overlap, once.
    pub(crate) fn pairs_within(
        &self,
        boxes: &[Aabb],
        stack: &mut Stack,
        mut each: impl FnMut(u32, u32),
    ) {
        stack.clear();
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            let [p, q] = [&self.nodes[i as usize], &self.nodes[j as usize]];
            if i == j {
                match p.child {
                    0 => {
                        let items = self.items(p);
                        for (k, &one) in items.iter().enumerate() {
                            items[k + 1..].iter().for_each(|&other| each(one, other));
                        }
                    }
                    child => {
                        stack.extend([(child, child), (child + 1, child + 1), (child, child + 1)]);
                    }
                }
            } else if boxes[i as usize].overlaps(&boxes[j as usize]) {
                self.step((i, p), (j, (self, q)), stack, &mut each);
            }
        }
    }

    /// Calls `each` with every item of this tree and every one of the other of which the leaves
    /// overlap.
    pub(crate) fn pairs_between(
        &self,
        boxes: &[Aabb],
        (other, other_boxes): (&Self, &[Aabb]),
        stack: &mut Stack,
        mut each: impl FnMut(u32, u32),
    ) {
        stack.clear();
        stack.push((0, 0));
        while let Some((i, j)) = stack.pop() {
            if boxes[i as usize].overlaps(&other_boxes[j as usize]) {
                let [p, q] = [&self.nodes[i as usize], &other.nodes[j as usize]];
                self.step((i, p), (j, (other, q)), stack, &mut each);
            }
        }
    }

    /// Calls `each` with every item of which the leaf overlaps a box.
    pub(crate) fn items_in(
        &self,
        boxes: &[Aabb],
        place: &Aabb,
        stack: &mut Stack,
        mut each: impl FnMut(u32),
    ) {
        stack.clear();
        stack.push((0, 0));
        while let Some((i, _)) = stack.pop() {
            if boxes[i as usize].overlaps(place) {
                match self.children(i) {
                    Some(children) => stack.extend(children.map(|child| (child, 0))),
                    None => self.items(&self.nodes[i as usize]).iter().for_each(|&i| each(i)),
                }
            }
        }
    }

    /// Descends into the node with more items, or calls `each` for two leaves.
    #[inline]
    fn step(
        &self,
        (i, p): (u32, &Node),
        (j, (other, q)): (u32, (&Self, &Node)),
        stack: &mut Stack,
        each: &mut impl FnMut(u32, u32),
    ) {
        let into_first = p.child != 0 && (q.child == 0 || p.end - p.first >= q.end - q.first);
        if into_first {
            stack.extend([(p.child, j), (p.child + 1, j)]);
        } else if q.child != 0 {
            stack.extend([(i, q.child), (i, q.child + 1)]);
        } else {
            for &one in self.items(p) {
                other.items(q).iter().for_each(|&another| each(one, another));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_overlapping_pair_is_found_once() {
        let middle = |i: u32| {
            let i = f64::from(i);
            DVec3::new((7.0 * i) % 5.0, (3.0 * i) % 7.0, (11.0 * i) % 3.0)
        };
        let middles: Vec<DVec3> = (0..60).map(middle).collect();
        let boxes: Vec<Aabb> =
            middles.iter().map(|&m| Aabb::around([m]).grown(DVec3::splat(0.6))).collect();
        let tree = Bvh::new(&middles);
        let mut fitted = Vec::new();
        tree.fit(&boxes, &mut fitted);
        let overlap = |i: u32, j: u32| boxes[i as usize].overlaps(&boxes[j as usize]);
        let mut stack = Stack::new();
        let mut within = Vec::new();
        tree.pairs_within(&fitted, &mut stack, |i, j| {
            within.extend(overlap(i, j).then_some([i.min(j), i.max(j)]))
        });
        within.sort_unstable();
        let all = (0..60).flat_map(|i| (i + 1..60).map(move |j| [i, j]));
        let expected: Vec<[u32; 2]> = all.filter(|&[i, j]| overlap(i, j)).collect();
        assert!(!expected.is_empty());
        assert_eq!(within, expected);
        let mut between = Vec::new();
        tree.pairs_between(&fitted, (&tree, &fitted), &mut stack, |i, j| {
            between.extend(overlap(i, j).then_some([i, j]));
        });
        assert_eq!(between.len(), 2 * expected.len() + 60);
        let mut near_first = Vec::new();
        tree.items_in(&fitted, &boxes[0], &mut stack, |i| {
            near_first.extend(overlap(0, i).then_some(i));
        });
        near_first.sort_unstable();
        assert_eq!(near_first, (0..60).filter(|&i| overlap(0, i)).collect::<Vec<u32>>());
        assert_eq!(Bvh::new(&[]).nodes.len(), 1);
    }
}
