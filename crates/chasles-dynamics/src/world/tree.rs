//! A tree of boxes around all bodies, kept from step to step, for questions about a few of them.
//!
//! Each body has a box that is a little larger than it. While it stays in there the tree knows
//! where to find it; once it leaves, it is a stray, and looked at by every question. When there are
//! too many strays the tree is made anew, so a question costs the logarithm of the bodies, and what
//! the tree costs is spread over the motions that made it necessary.

use super::broad::Bounds;

/// Boxes are larger than their bodies by this share of their size.
const MARGIN: f64 = 0.2;

/// So many bodies at most are a leaf.
const LEAF: usize = 4;

/// A tree has fewer strays than this and a share of its bodies; after a step, than this and the
/// square root of its bodies.
const FEW: usize = 16;
const SHARE: usize = 8;

/// Where bodies are, by their slots.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The slots of leaves, one leaf after the other.
    order: Vec<usize>,
    /// The box of each slot, if something is in it.
    boxes: Vec<Option<Bounds>>,
    /// Slots that are in no leaf, or outside of the box that they have there.
    strays: Vec<usize>,
    is_stray: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    kind: Kind,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// From this place of the order to that.
    Leaf(usize, usize),
    /// The first child is the next node; the number of the second.
    Branch(usize),
}

impl Tree {
    /// Takes down where the body in a slot is.
    pub(super) fn put(&mut self, slot: usize, bounds: &Bounds) {
        let count = self.boxes.len().max(slot + 1);
        self.boxes.resize(count, None);
        self.is_stray.resize(count, false);
        if self.boxes[slot].is_some_and(|known| known.contains(bounds)) {
            return;
        }
        let size = (bounds.high - bounds.low).max_element();
        self.boxes[slot] = Some(bounds.grown(MARGIN * size));
        if !self.is_stray[slot] {
            self.is_stray[slot] = true;
            self.strays.push(slot);
        }
        if self.strays.len() > FEW + self.boxes.len() / SHARE {
            self.rebuild();
        }
    }

    /// Makes the tree anew if it has more strays than questions should look at.
    pub(super) fn tidy(&mut self) {
        if self.strays.len() > FEW + self.boxes.len().isqrt() {
            self.rebuild();
        }
    }

    /// Forgets the body in a slot: what its leaf says of it no one asks.
    pub(super) fn take(&mut self, slot: usize) {
        if let Some(known) = self.boxes.get_mut(slot) {
            *known = None;
        }
    }

    /// Forgets all bodies.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    fn rebuild(&mut self) {
        self.strays.clear();
        self.is_stray.fill(false);
        self.nodes.clear();
        let mut order: Vec<usize> = (0..self.boxes.len()).collect();
        order.retain(|&slot| self.boxes[slot].is_some());
        if !order.is_empty() {
            self.build(&mut order, 0);
        }
        self.order = order;
    }

    /// Makes the node of some slots, which stand from a place of the order on.
    fn build(&mut self, slots: &mut [usize], from: usize) {
        let boxes = slots.iter().filter_map(|&slot| self.boxes[slot]);
        let Some(bounds) = boxes.reduce(|all, one| all.join(&one)) else { return };
        let number = self.nodes.len();
        self.nodes.push(Node { bounds, kind: Kind::Leaf(from, from + slots.len()) });
        if slots.len() <= LEAF {
            return;
        }
        let sides = bounds.high - bounds.low;
        let axis =
            if sides.x >= sides.y.max(sides.z) { 0 } else { 1 + usize::from(sides.z > sides.y) };
        let middle = |slot: usize| self.boxes[slot].map_or(0.0, |known| known.middle()[axis]);
        let half = slots.len() / 2;
        slots
            .select_nth_unstable_by(half, |&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        let (first, second) = slots.split_at_mut(half);
        self.build(first, from);
        self.nodes[number].kind = Kind::Branch(self.nodes.len());
        self.build(second, from + half);
    }

    /// The slots whose boxes pass a test that every box around one that passes it does too, in
    /// order.
    pub(super) fn find(&self, passes: impl Fn(&Bounds) -> bool) -> Vec<usize> {
        let mut found = self.strays.clone();
        let mut open: Vec<usize> = if self.nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(number) = open.pop() {
            let Node { bounds, kind } = &self.nodes[number];
            if !passes(bounds) {
                continue;
            }
            match *kind {
                Kind::Branch(second) => open.extend([number + 1, second]),
                Kind::Leaf(from, to) => {
                    let here = self.order[from..to].iter().filter(|&&slot| !self.is_stray[slot]);
                    found.extend(here);
                }
            }
        }
        found.retain(|&slot| self.boxes[slot].is_some_and(|known| passes(&known)));
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    /// A number in [0, 1) from the state of a generator.
    fn random(state: &mut u64) -> f64 {
        *state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn small(state: &mut u64) -> Bounds {
        let low = DVec3::from_array([(); 3].map(|()| 20.0 * random(state)));
        Bounds { low, high: low + DVec3::from_array([(); 3].map(|()| random(state))) }
    }

    #[test]
    fn what_is_found_is_what_all_boxes_say_whoever_moves() {
        let mut state = 7;
        let mut tree = Tree::default();
        let mut all: Vec<Option<Bounds>> = Vec::new();
        for round in 0..400 {
            let slot = (random(&mut state) * 120.0) as usize;
            all.resize(all.len().max(slot + 1), None);
            if round % 7 == 0 {
                tree.take(slot);
                all[slot] = None;
            } else {
                let moved = all[slot].filter(|_| round % 3 == 0).map(|known| known.grown(0.01));
                let bounds = moved.unwrap_or_else(|| small(&mut state));
                tree.put(slot, &bounds);
                all[slot] = Some(bounds);
            }
            let asked = small(&mut state).grown(2.0);
            let found = tree.find(|bounds| bounds.overlaps(&asked));
            let hit = |slot: &usize| all[*slot].is_some_and(|known| known.overlaps(&asked));
            let expected: Vec<usize> = (0..all.len()).filter(hit).collect();
            assert!(expected.iter().all(|slot| found.contains(slot)), "round {round}");
            assert!(found.iter().all(|slot| all[*slot].is_some()), "round {round}");
        }
    }

    #[test]
    fn a_question_looks_at_few_of_many() {
        let mut tree = Tree::default();
        let place = |i: usize| DVec3::new((i % 100) as f64, (i / 100) as f64, 0.0);
        for i in 0..10_000 {
            tree.put(i, &Bounds { low: place(i), high: place(i) + 0.5 });
        }
        tree.tidy();
        let looked = std::cell::Cell::new(0);
        let asked = Bounds { low: place(5050), high: place(5050) + 0.1 };
        let found = tree.find(|bounds| {
            looked.set(looked.get() + 1);
            bounds.overlaps(&asked)
        });
        assert_eq!(found, [5050]);
        assert!(looked.get() < 300, "{}", looked.get());
    }
}
