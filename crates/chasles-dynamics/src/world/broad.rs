//! Boxes in which bodies stay during a step, pairs of them that overlap, and islands.

use chasles::Pose;
use glam::DVec3;

use super::body::Body;

/// A box along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bounds {
    pub(super) low: DVec3,
    pub(super) high: DVec3,
}

impl Bounds {
    /// The box around a body at a pose.
    pub(super) fn of(body: &Body, pose: &Pose) -> Self {
        Self::of_box(body.bounds(), pose)
    }

    /// The box around a box of a frame at a pose, given by its corners.
    pub(super) fn of_box([low, high]: [DVec3; 2], pose: &Pose) -> Self {
        let turn = glam::DMat3::from_quat(pose.rotation());
        let half = 0.5 * (high - low);
        let reach =
            turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let middle = pose.point(0.5 * (low + high));
        Self { low: middle - reach, high: middle + reach }
    }

    pub(super) fn middle(&self) -> DVec3 {
        0.5 * (self.low + self.high)
    }

    /// The largest coordinate.
    pub(super) fn size(&self) -> f64 {
        self.low.abs().max(self.high.abs()).max_element()
    }

    pub(super) fn join(&self, other: &Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn grown(&self, by: f64) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// The box for something that was in another one against expectation: both, and on all sides as
    /// much more as that was outside.
    pub(super) fn reaching(&self, other: &Self) -> Self {
        let both = self.join(other);
        let outside = (both.high - self.high).max(self.low - both.low).max_element();
        both.grown(outside)
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    pub(super) fn contains(&self, other: &Self) -> bool {
        self.low.cmple(other.low).all() && other.high.cmple(self.high).all()
    }
}

/// The longest distance from a point of the body's frame to its surface.
pub(super) fn radius_about(body: &Body, centre: DVec3) -> f64 {
    let [low, high] = body.bounds();
    (low - centre).abs().max((high - centre).abs()).length()
}

/// All pairs of boxes that overlap and of which at least one moves, smaller number first, in order.
pub(super) fn pairs(boxes: &[Bounds], moves: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
    let axis = widest(boxes);
    let ends = |i: usize| [boxes[i].low[axis], boxes[i].high[axis]];
    let mut order: Vec<usize> = (0..boxes.len()).collect();
    order.sort_unstable_by(|&i, &j| ends(i)[0].total_cmp(&ends(j)[0]).then(i.cmp(&j)));
    let mut active: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for &i in &order {
        active.retain(|&j| ends(j)[1] >= ends(i)[0]);
        let near =
            active.iter().filter(|&&j| (moves(i) || moves(j)) && boxes[i].overlaps(&boxes[j]));
        found.extend(near.map(|&j| [i.min(j), i.max(j)]));
        active.push(i);
    }
    found.sort_unstable();
    found
}

/// The axis along which the middles of boxes are spread most: there few of them are side by side.
fn widest(boxes: &[Bounds]) -> usize {
    let middles = || boxes.iter().map(Bounds::middle).filter(|middle| middle.is_finite());
    let count = middles().count().max(1) as f64;
    let mean = middles().sum::<DVec3>() / count;
    let spread = middles().map(|middle| (middle - mean) * (middle - mean)).sum::<DVec3>();
    spread.max_position()
}

/// Groups what links join: for each group its members, in order; groups in the order of their
/// first.
pub(super) fn groups(count: usize, links: impl Iterator<Item = [usize; 2]>) -> Vec<Vec<usize>> {
    let mut parent: Vec<usize> = (0..count).collect();
    for [i, j] in links {
        let [i, j] = [root(&mut parent, i), root(&mut parent, j)];
        // The smaller number leads, so groups do not depend on the order of links.
        parent[i.max(j)] = i.min(j);
    }
    let mut groups = vec![Vec::new(); count];
    for i in 0..count {
        let leader = root(&mut parent, i);
        groups[leader].push(i);
    }
    groups.retain(|group| !group.is_empty());
    groups
}

fn root(parent: &mut [usize], mut i: usize) -> usize {
    while parent[i] != i {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_those_that_overlap() {
        let unit = |x: f64, y: f64| Bounds {
            low: DVec3::new(x, y, 0.0),
            high: DVec3::new(x + 1.0, y + 1.0, 1.0),
        };
        let boxes = [unit(0.5, 0.0), unit(0.0, 0.0), unit(1.2, 0.5), unit(0.5, 2.0)];
        assert_eq!(pairs(&boxes, |_| true), [[0, 1], [0, 2]]);
        assert_eq!(pairs(&boxes, |i| i == 2), [[0, 2]]);
    }

    #[test]
    fn boxes_are_swept_along_the_axis_on_which_they_are_spread() {
        let unit = |x: f64, y: f64, z: f64| Bounds {
            low: DVec3::new(x, y, z),
            high: DVec3::new(x + 1.0, y + 1.0, z + 1.0),
        };
        for (axis, way) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
            let place = |i: u32| 0.9 * f64::from(i) * way;
            let row: Vec<Bounds> = (0..9).map(place).map(|p| unit(p.x, p.y, p.z)).collect();
            assert_eq!(widest(&row), axis);
            let next: Vec<[usize; 2]> = (0..8).map(|i| [i, i + 1]).collect();
            assert_eq!(pairs(&row, |_| true), next);
        }
        assert_eq!(widest(&[]), 0);
    }

    #[test]
    fn groups_are_what_links_join() {
        let links = [[3, 4], [0, 2], [4, 0]];
        assert_eq!(groups(6, links.into_iter()), [vec![0, 2, 3, 4], vec![1], vec![5]]);
    }
}
