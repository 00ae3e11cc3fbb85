//! A tree of boxes over the faces of a world, four boxes to a node, compared at once.
//!
//! Boxes are kept in singles, in units of the world's size and from its middle, and padded by more
//! than singles round; so a box may be reached a little early, and never late. A search begins
//! where the moving box reaches the world, so that it does not matter how far away it starts.

use glam::DVec3;
use wide::f32x4;

use super::broad::{Front, Pending};
use super::tree::{Tree, half_area};
use crate::bounds::Aabb;

/// A child that is a face; the other bits are its number.
const FACE: u32 = 1 << 31;

/// A child that is not there.
const NONE: u32 = u32::MAX;

/// What singles may be wrong by, four units of their last place, of coordinates up to 1.
const PAD: f64 = 1.0 / (1 << 21) as f64;

/// Beyond this many sizes of the world singles would overflow; then everything is near.
const FAR: f64 = 1e12;

/// Boxes over faces.
#[derive(Clone, Debug)]
pub(super) struct Boxes {
    nodes: Vec<Node>,
    all: Aabb,
    middle: DVec3,
    /// One over the size of the world.
    unit: f64,
}

/// As long as two lines of the processor's cache, and within them.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Node {
    /// Lower and upper sides of the children along each axis.
    sides: [[f32x4; 3]; 2],
    children: [u32; 4],
}

impl Boxes {
    /// *Guarantees* the same tree for the same boxes. *Cost* `n log n`.
    pub(super) fn new(faces: &[Aabb]) -> Self {
        let tree = Tree::new(faces, 1);
        let mut boxes = Vec::new();
        tree.fit(faces, &mut boxes);
        let all = boxes.first().copied().unwrap_or(Aabb::EMPTY);
        let size = (all.high - all.low).max_element();
        let unit = if size > 0.0 && size.is_finite() { 1.0 / size } else { 1.0 };
        let mut wide = Self { nodes: Vec::new(), all, middle: (all.low + all.high) * 0.5, unit };
        if !faces.is_empty() {
            wide.add(&tree, &boxes, 0);
        }
        wide
    }

    /// Adds the node of a binary node and all below it; returns its number.
    fn add(&mut self, tree: &Tree, boxes: &[Aabb], root: u32) -> u32 {
        let mut below = vec![root];
        // Opens the largest child until there are four.
        while below.len() < 4 {
            let area = |&i: &u32| half_area(&boxes[i as usize]);
            let open = |i: &&u32| tree.children(**i).is_some();
            let largest = below.iter().filter(open).max_by(|p, q| area(p).total_cmp(&area(q)));
            let Some((&largest, children)) = largest.and_then(|i| Some((i, tree.children(*i)?)))
            else {
                break;
            };
            below.retain(|&i| i != largest);
            below.extend(children);
        }
        let number = self.nodes.len() as u32;
        let corner = |place: DVec3, side: f64, axis: usize| {
            ((place - self.middle) * self.unit)[axis] as f32 + (side * PAD) as f32
        };
        let side = |axis: usize, lane: usize, side: usize| match below.get(lane) {
            None => 0.0,
            Some(&i) if side == 0 => corner(boxes[i as usize].low, -1.0, axis),
            Some(&i) => corner(boxes[i as usize].high, 1.0, axis),
        };
        let lanes = |axis, s| f32x4::from([0, 1, 2, 3].map(|lane| side(axis, lane, s)));
        let sides = [0, 1].map(|s| [0, 1, 2].map(|axis| lanes(axis, s)));
        self.nodes.push(Node { sides, children: [NONE; 4] });
        for (lane, &i) in below.iter().enumerate() {
            self.nodes[number as usize].children[lane] = match tree.item(i) {
                Some(face) => FACE | face,
                None => self.add(tree, boxes, i),
            };
        }
        number
    }

    /// See [`super::broad::Index::visit`].
    #[inline]
    pub(super) fn visit(
        &self,
        front: &Front,
        pending: &mut Pending,
        mut each: impl FnMut(u32) -> f64,
    ) {
        let Some(begin) = front.reaches(&self.all) else { return };
        let probe = self.probe(front, begin);
        // Above any parameter until a face was met.
        let mut end = f32::MAX;
        let waiting = &mut pending.nodes;
        waiting.clear();
        waiting.push((0.0, 0));
        while let Some((reached, i)) = waiting.pop() {
            if reached > end {
                continue;
            }
            if i & FACE != 0 {
                end = ((each(i & !FACE) - begin) * 1.000_001).max(0.0) as f32 + f32::MIN_POSITIVE;
                continue;
            }
            let node = &self.nodes[i as usize];
            let (mut met, reached) = probe.meet(node, end);
            let mut found = [(0.0, NONE); 4];
            let mut count = 0;
            while met != 0 {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                if node.children[lane] == NONE {
                    continue;
                }
                // The nearest last, to be taken first.
                let mut place = count;
                while place > 0 && found[place - 1].0 < reached[lane] {
                    found[place] = found[place - 1];
                    place -= 1;
                }
                found[place] = (reached[lane], node.children[lane]);
                count += 1;
            }
            found[..count].iter().for_each(|&entry| waiting.push(entry));
        }
    }

    /// The front in the units of the boxes, from the parameter at which it reaches the world.
    #[inline]
    fn probe(&self, front: &Front, begin: f64) -> Probe {
        let local = |place: DVec3| (place - self.middle) * self.unit;
        let still = |low: DVec3, high: DVec3| Probe {
            is_moving: false,
            offsets: [low, high].map(splat),
            inverse: splat(DVec3::ZERO),
            near: [0; 3],
            rest: 0.0,
        };
        match *front {
            Front::Still(Aabb { low, high }) => {
                let pad = DVec3::splat(PAD);
                // Singles saturate at infinity, which is right here.
                still(local(low) - pad, local(high) + pad)
            }
            Front::Moving { middle, half, velocity, .. } => {
                let [half, speed] = [half * self.unit, velocity * self.unit];
                let middle = local(middle + velocity * begin);
                let [size, fast] = [half.max_element(), speed.abs().max_element()];
                if size.max(fast) > FAR {
                    return still(DVec3::NEG_INFINITY, DVec3::INFINITY);
                }
                // The begin is rounded, and with it the middle, by a few units of the way.
                let pad = PAD * (1.0 + middle.abs().max_element() + size)
                    + 16.0 * f64::EPSILON * (fast + size);
                let half = half + pad;
                let largest = DVec3::splat(1e30);
                let inverse = speed.recip().clamp(-largest, largest);
                Probe {
                    is_moving: true,
                    offsets: [middle + half, middle - half].map(splat),
                    inverse: splat(inverse),
                    near: inverse.to_array().map(|i| usize::from(i < 0.0)),
                    rest: ((1.0 - begin) * 1.000_001) as f32,
                }
            }
        }
    }
}

fn splat(v: DVec3) -> [f32x4; 3] {
    v.to_array().map(|x| f32x4::splat(x as f32))
}

/// A front in singles.
struct Probe {
    is_moving: bool,
    /// What is taken from the lower and from the upper sides of a box; or the box that stands.
    offsets: [[f32x4; 3]; 2],
    inverse: [f32x4; 3],
    /// Which side is reached first along each axis.
    near: [usize; 3],
    /// The parameter at the end.
    rest: f32,
}

impl Probe {
    /// The lanes that are met up to `end`, and when.
    #[inline]
    fn meet(&self, node: &Node, end: f32) -> (u32, [f32; 4]) {
        let [lows, highs] = &node.sides;
        if !self.is_moving {
            let [low, high] = &self.offsets;
            let axis = |i: usize| lows[i].simd_le(high[i]) & highs[i].simd_ge(low[i]);
            return ((axis(0) & axis(1) & axis(2)).to_bitmask(), [0.0; 4]);
        }
        let time =
            |side: usize, i: usize| (node.sides[side][i] - self.offsets[side][i]) * self.inverse[i];
        let enter = |i: usize| time(self.near[i], i);
        let leave = |i: usize| time(1 - self.near[i], i);
        let first = enter(0).fast_max(enter(1)).fast_max(enter(2)).fast_max(f32x4::splat(0.0));
        // Each time is wrong by three units of its last place at most.
        let first = first * f32x4::splat(1.0 - 1e-6);
        let limit = f32x4::splat(end.min(self.rest));
        let last = leave(0).fast_min(leave(1)).fast_min(leave(2)).fast_min(limit);
        (first.simd_le(last).to_bitmask(), first.to_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scattered(count: u32) -> Vec<Aabb> {
        let middle = |i: f64| DVec3::new((7.1 * i) % 5.0, (3.3 * i) % 7.0, (11.7 * i) % 3.0);
        let around = |i: u32| Aabb::around([middle(f64::from(i))]).grown(DVec3::splat(0.1));
        (0..count).map(around).collect()
    }

    #[test]
    fn every_box_on_the_way_is_met_from_near_and_far() {
        let faces = scattered(300);
        let boxes = Boxes::new(&faces);
        let start = Aabb::around([DVec3::new(-0.4, -0.2, -0.3), DVec3::new(-0.1, 0.2, 0.1)]);
        for direction in [DVec3::new(5.0, 6.0, 3.0), DVec3::new(5.0, 0.0, 0.0), DVec3::ZERO] {
            for back in [0.0, 1.0, 1e4, 1e9] {
                let shift = direction * back;
                let start = Aabb { low: start.low - shift, high: start.high - shift };
                let front = Front::moving(&start, direction + shift);
                let mut met = Vec::new();
                boxes.visit(&front, &mut Pending::default(), |face| {
                    met.push(face);
                    1.0
                });
                met.sort_unstable();
                met.dedup();
                let is_reached = |i: &u32| front.reaches(&faces[*i as usize]).is_some();
                let missed: Vec<u32> =
                    (0..300).filter(is_reached).filter(|i| !met.contains(i)).collect();
                assert!(missed.is_empty(), "{missed:?} along {direction} from {back}");
                assert!(back > 1e5 || met.len() < 150, "{} of 300 are met", met.len());
            }
        }
    }
}
