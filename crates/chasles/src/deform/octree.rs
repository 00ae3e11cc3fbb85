//! The paper's octree of points [MW88 §2.1]: every point divides space into eight, and
//! points are inserted in a scrambled order, so that the tree is almost balanced.

use glam::DVec3;

use crate::bounds::Aabb;

const NOBODY: u32 = u32::MAX;

/// Points in a tree; the first is the root.
#[derive(Clone, Debug, Default)]
pub(super) struct Octree {
    points: Vec<DVec3>,
    items: Vec<u32>,
    children: Vec<[u32; 8]>,
    /// For each point, the next one at the same place.
    same: Vec<u32>,
    /// Points that are not inserted yet.
    waiting: Vec<(u32, DVec3)>,
    stack: Vec<u32>,
}

impl Octree {
    /// Inserts numbered points. Memory of an earlier tree is used again.
    pub(super) fn fill(&mut self, points: impl Iterator<Item = (u32, DVec3)>) {
        self.points.clear();
        self.items.clear();
        self.children.clear();
        self.same.clear();
        self.waiting.clear();
        self.waiting.extend(points);
        scramble(&mut self.waiting);
        while let Some((item, point)) = self.waiting.pop() {
            self.insert(item, point);
        }
    }

    fn insert(&mut self, item: u32, point: DVec3) {
        let new = self.points.len() as u32;
        self.points.push(point);
        self.items.push(item);
        self.children.push([NOBODY; 8]);
        self.same.push(NOBODY);
        let mut node = 0;
        while node != new {
            if self.points[node as usize] == point {
                self.same[new as usize] = self.same[node as usize];
                self.same[node as usize] = new;
                return;
            }
            let octant = octant(point, self.points[node as usize]);
            let child = &mut self.children[node as usize][octant];
            if *child == NOBODY {
                *child = new;
            }
            node = *child;
        }
    }

    /// Calls `each` with every item whose point is in a box.
    pub(super) fn inside(&mut self, place: &Aabb, mut each: impl FnMut(u32)) {
        let Self { points, items, children, same, stack, .. } = self;
        stack.clear();
        stack.extend((!points.is_empty()).then_some(0));
        while let Some(node) = stack.pop() {
            let point = points[node as usize];
            let [above, below] = [place.high.cmpge(point), place.low.cmplt(point)];
            if place.low.cmple(point).all() && above.all() {
                let mut one = node;
                while one != NOBODY {
                    each(items[one as usize]);
                    one = same[one as usize];
                }
            }
            let [above, below] = [above.bitmask(), below.bitmask()];
            for (octant, &child) in children[node as usize].iter().enumerate() {
                // An octant lies above the point along the axes of its bits.
                let octant = octant as u32;
                let meets = octant & !above == 0 && !octant & 7 & !below == 0;
                if child != NOBODY && meets {
                    stack.push(child);
                }
            }
        }
    }
}

/// On which side of a node's point along each axis.
fn octant(point: DVec3, node: DVec3) -> usize {
    point.cmpge(node).bitmask() as usize
}

/// The same order for the same number of points, without a pattern.
fn scramble<T>(list: &mut [T]) {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    for i in (1..list.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        list.swap(i, (state % (i as u64 + 1)) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_finds_all_points_in_it() {
        let point = |i: u32| {
            let i = f64::from(i % 280);
            DVec3::new((7.0 * i) % 5.0, (3.0 * i) % 7.0, (11.0 * i) % 3.0)
        };
        let mut tree = Octree::default();
        tree.fill((0..300).map(|i| (i, point(i))));
        for i in 0..50 {
            let place = Aabb::around([point(i), point(3 * i + 1)]);
            let mut found = Vec::new();
            tree.inside(&place, |item| found.push(item));
            found.sort_unstable();
            let holds =
                |&i: &u32| place.low.cmple(point(i)).all() && place.high.cmpge(point(i)).all();
            assert_eq!(found, (0..300).filter(holds).collect::<Vec<_>>());
        }
    }
}
