//! An axial BSP tree over the faces of a world [Waveren05 §5].
//!
//! Planes are bounding planes of the faces' boxes, each the one that leaves the least to do on
//! both sides. A face on both sides is listed in both, and met once in a search.

use super::broad::{Front, Pending};
use super::tree::half_area;
use crate::bounds::Aabb;

/// Sets of at most this many faces are not split.
const LEAF: usize = 4;

/// What a step down the tree costs, in tests of a face's box.
const STEP: f64 = 0.5;

/// Planes one after the other, at most; each halves the work roughly, so 2^40 faces are enough.
const DEEPEST: u32 = 40;

/// A tree of planes.
#[derive(Clone, Debug)]
pub(super) struct Bsp {
    nodes: Vec<Node>,
    /// The faces of the leaves.
    listed: Vec<u32>,
    faces: usize,
}

#[derive(Clone, Copy, Debug)]
enum Node {
    /// A plane across an axis: what is below it is in the next node, what is above it in `above`.
    Plane { axis: u32, at: f64, above: u32 },
    /// A range of the list.
    Leaf { first: u32, end: u32 },
}

impl Bsp {
    /// *Guarantees* the same tree for the same boxes. *Cost* `n log² n` where planes
    /// cut few faces, as in levels; more where long faces cross each other.
    pub(super) fn new(faces: &[Aabb]) -> Self {
        let mut bsp = Self { nodes: Vec::new(), listed: Vec::new(), faces: faces.len() };
        let all = faces.iter().fold(Aabb::EMPTY, |all, one| all.join(one));
        bsp.add(faces, (0..faces.len() as u32).collect(), all, 0);
        bsp
    }

    fn add(&mut self, faces: &[Aabb], own: Vec<u32>, place: Aabb, depth: u32) {
        let plane = (own.len() > LEAF && depth < DEEPEST).then(|| best_plane(faces, &own, &place));
        let Some((axis, at)) = plane.flatten() else {
            let first = self.listed.len() as u32;
            self.listed.extend(own);
            self.nodes.push(Node::Leaf { first, end: self.listed.len() as u32 });
            return;
        };
        let of = |keeps: fn(&Aabb, usize, f64) -> bool| -> Vec<u32> {
            own.iter().copied().filter(|&i| keeps(&faces[i as usize], axis, at)).collect()
        };
        let [below, above] = [of(is_below), of(is_above)];
        drop(own);
        let number = self.nodes.len();
        let [mut lower, mut upper] = [place; 2];
        lower.high[axis] = at;
        upper.low[axis] = at;
        self.nodes.push(Node::Plane { axis: axis as u32, at, above: 0 });
        self.add(faces, below, lower, depth + 1);
        let next = self.nodes.len() as u32;
        self.nodes[number] = Node::Plane { axis: axis as u32, at, above: next };
        self.add(faces, above, upper, depth + 1);
    }

    /// See [`super::broad::Index::visit`].
    pub(super) fn visit(
        &self,
        faces: &[Aabb],
        front: &Front,
        pending: &mut Pending,
        mut each: impl FnMut(u32) -> f64,
    ) {
        let Pending { halves: waiting, met, search, .. } = pending;
        if met.len() < self.faces || *search == u32::MAX {
            met.clear();
            met.resize(self.faces, 0);
            *search = 0;
        }
        *search += 1;
        let mut end = f64::MAX;
        waiting.clear();
        waiting.push(([0.0, 1.0], 0));
        while let Some((when, i)) = waiting.pop() {
            if when[0] > end {
                continue;
            }
            match self.nodes[i as usize] {
                Node::Leaf { first, end: last } => {
                    for &face in &self.listed[first as usize..last as usize] {
                        let is_new = std::mem::replace(&mut met[face as usize], *search) != *search;
                        let reached = || front.reaches(&faces[face as usize]);
                        if is_new && reached().is_some_and(|reached| reached <= end) {
                            end = each(face);
                        }
                    }
                }
                Node::Plane { axis, at, above } => {
                    let [lower, upper] = front.sides(axis as usize, at, when);
                    let [lower, upper] = [(lower, i + 1), (upper, above)];
                    let is_lower_first = lower.0[0] <= upper.0[0];
                    let order = if is_lower_first { [upper, lower] } else { [lower, upper] };
                    waiting.extend(order.into_iter().filter(|([enter, leave], _)| enter <= leave));
                }
            }
        }
    }
}

impl Front {
    /// When the box is below and when it is above a plane, of the given times; empty where the
    /// second number is less than the first.
    #[inline]
    fn sides(&self, axis: usize, at: f64, [enter, leave]: [f64; 2]) -> [[f64; 2]; 2] {
        const NEVER: [f64; 2] = [f64::INFINITY, f64::NEG_INFINITY];
        match self {
            Self::Still(place) => [
                if place.low[axis] <= at { [enter, leave] } else { NEVER },
                if place.high[axis] >= at { [enter, leave] } else { NEVER },
            ],
            Self::Moving { middle, half, velocity, inverse } => {
                let [from, half] = [at - middle[axis], half[axis]];
                // When the box's low side, and when its high side, is at the plane.
                let [low, high] = [from + half, from - half].map(|way| way * inverse[axis]);
                match velocity[axis] {
                    v if v > 0.0 => [[enter, leave.min(low)], [enter.max(high), leave]],
                    v if v < 0.0 => [[enter.max(low), leave], [enter, leave.min(high)]],
                    _ => [
                        if from + half >= 0.0 { [enter, leave] } else { NEVER },
                        if from - half <= 0.0 { [enter, leave] } else { NEVER },
                    ],
                }
            }
        }
    }
}

/// Whether a face is listed below a plane; what lies in the plane is.
fn is_below(face: &Aabb, axis: usize, at: f64) -> bool {
    face.low[axis] < at || face.high[axis] <= at
}

fn is_above(face: &Aabb, axis: usize, at: f64) -> bool {
    face.high[axis] > at
}

/// The bounding plane with the least expected work, if it is less than that without a plane.
fn best_plane(faces: &[Aabb], own: &[u32], place: &Aabb) -> Option<(usize, f64)> {
    let mut best = (half_area(place) * (own.len() as f64 - STEP), None);
    let mut sides: Vec<[f64; 2]> = Vec::with_capacity(own.len());
    let mut highs: Vec<f64> = Vec::with_capacity(own.len());
    for axis in 0..3 {
        sides.clear();
        sides.extend(
            own.iter().map(|&i| [faces[i as usize].low[axis], faces[i as usize].high[axis]]),
        );
        sides.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]));
        highs.clear();
        highs.extend(sides.iter().map(|side| side[1]));
        highs.sort_unstable_by(f64::total_cmp);
        for at in sides.iter().map(|side| side[0]).chain(highs.iter().copied()) {
            if at <= place.low[axis] || at >= place.high[axis] {
                continue;
            }
            // Faces in the plane count below; they are those that start at it and end at it.
            let below = sides.partition_point(|side| side[0] < at);
            let above = own.len() - highs.partition_point(|high| *high <= at);
            let below = below.max(own.len() - above);
            let [mut lower, mut upper] = [*place; 2];
            lower.high[axis] = at;
            upper.low[axis] = at;
            let work = half_area(&lower) * below as f64 + half_area(&upper) * above as f64;
            let is_progress = below < own.len() && above < own.len();
            if is_progress && work < best.0 {
                best = (work, Some((axis, at)));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn every_box_on_the_way_is_met_once() {
        let middle = |i: f64| DVec3::new((7.1 * i) % 5.0, (3.3 * i) % 7.0, (11.7 * i) % 3.0);
        let around = |i: u32| {
            // Some are flat, as walls are.
            let half = DVec3::new(0.1, 0.2, if i.is_multiple_of(3) { 0.0 } else { 0.1 });
            Aabb::around([middle(f64::from(i)).round()]).grown(half)
        };
        let faces: Vec<Aabb> = (0..300).map(around).collect();
        let bsp = Bsp::new(&faces);
        let start = Aabb::around([DVec3::new(-0.4, -0.2, -0.3), DVec3::new(-0.1, 0.2, 0.1)]);
        for by in [DVec3::new(5.0, 6.0, 3.0), DVec3::new(5.0, 0.0, 0.0), DVec3::ZERO] {
            for front in [Front::moving(&start, by), Front::Still(start.grown(by))] {
                let mut met = Vec::new();
                bsp.visit(&faces, &front, &mut Pending::default(), |face| {
                    met.push(face);
                    1.0
                });
                met.sort_unstable();
                let is_reached = |i: &u32| front.reaches(&faces[*i as usize]).is_some();
                assert_eq!(met, (0..300).filter(is_reached).collect::<Vec<u32>>(), "{by}");
            }
        }
    }
}
