//! Boxes in a tree, to find those around another.

use glam::DVec3;

/// A binary tree of boxes.
pub(super) struct Boxes {
    /// The root is the last; children come before.
    nodes: Vec<Node>,
}

struct Node {
    bounds: [DVec3; 2],
    content: Content,
}

enum Content {
    /// The number of a box.
    Leaf(u32),
    Children([u32; 2]),
}

impl Boxes {
    /// The tree of some of the boxes. *Cost* `n log² n`.
    pub(super) fn new(boxes: &[[DVec3; 2]], mut chosen: Vec<u32>) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * chosen.len()) };
        if !chosen.is_empty() {
            tree.add(boxes, &mut chosen);
        }
        tree
    }

    /// Adds a node for these boxes and returns its number.
    fn add(&mut self, boxes: &[[DVec3; 2]], chosen: &mut [u32]) -> u32 {
        let bounds = chosen.iter().map(|&i| boxes[i as usize]).fold(NOWHERE, union);
        let content = if let [only] = chosen {
            Content::Leaf(*only)
        } else {
            let size = bounds[1] - bounds[0];
            let axis = size.max_position();
            let middle = |i: u32| boxes[i as usize][0][axis] + boxes[i as usize][1][axis];
            chosen.sort_unstable_by(|&i, &j| middle(i).total_cmp(&middle(j)).then(i.cmp(&j)));
            let (low, high) = chosen.split_at_mut(chosen.len() / 2);
            Content::Children([self.add(boxes, low), self.add(boxes, high)])
        };
        self.nodes.push(Node { bounds, content });
        self.nodes.len() as u32 - 1
    }

    /// The numbers of the boxes around a box, itself included, and how many nodes were looked at.
    /// *Cost* logarithmic where few boxes overlap, at most linear.
    pub(super) fn around(&self, [low, high]: [DVec3; 2]) -> (Vec<u32>, u64) {
        let mut found = Vec::new();
        let mut looked_at = 0;
        let mut waiting: Vec<u32> = (self.nodes.len() as u32).checked_sub(1).into_iter().collect();
        while let Some(node) = waiting.pop() {
            let Node { bounds: [from, to], content } = &self.nodes[node as usize];
            looked_at += 1;
            if from.cmple(low).all() && to.cmpge(high).all() {
                match content {
                    Content::Leaf(number) => found.push(*number),
                    Content::Children(children) => waiting.extend(children),
                }
            }
        }
        (found, looked_at)
    }
}

/// The box of nothing.
pub(super) const NOWHERE: [DVec3; 2] = [DVec3::INFINITY, DVec3::NEG_INFINITY];

fn union([low, high]: [DVec3; 2], [from, to]: [DVec3; 2]) -> [DVec3; 2] {
    [low.min(from), high.max(to)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_around_a_box_are_those_of_all_comparisons() {
        let mut state = 3_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut place = || DVec3::new(random(), random(), random());
        let boxes: Vec<[DVec3; 2]> = (0..300)
            .map(|i| {
                let (middle, half) = (place(), place() * [0.02, 0.5][i % 2]);
                [middle - half, middle + half]
            })
            .collect();
        let chosen: Vec<u32> = (0..300).filter(|i| i % 3 != 0).collect();
        let tree = Boxes::new(&boxes, chosen.clone());
        let mut many = 0;
        for own in &boxes {
            let holds =
                |[low, high]: [DVec3; 2]| low.cmple(own[0]).all() && high.cmpge(own[1]).all();
            let (mut found, looked_at) = tree.around(*own);
            found.sort_unstable();
            let all = chosen.iter().copied().filter(|&i| holds(boxes[i as usize]));
            assert_eq!(found, all.collect::<Vec<u32>>());
            assert!(looked_at < 400);
            many += found.len();
        }
        assert!(many > 1000, "{many}");
        assert!(Boxes::new(&boxes, Vec::new()).around(boxes[0]).0.is_empty());
    }
}
