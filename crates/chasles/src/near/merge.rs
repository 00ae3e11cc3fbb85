//! One contact for each place.

use super::find::Found;
use super::scene::Scene;
use crate::contact::Met;

/// Places this many tolerances apart are one: each of the two is known to one tolerance, and so is
/// on which side of a rim it lies.
const SAME: f64 = 4.0;

/// Properness is compared in steps of this, so that rounding does not choose.
const STEP: f64 = 1e-6;

/// The order of preference: the better properness, then what stands for itself, then faces before
/// ridges, then the lower numbers.
fn rank(found: &Found) -> (i64, bool, crate::contact::Pair) {
    (-(found.properness / STEP).round() as i64, found.resolved, found.pair)
}

/// Places are thinned out when there are this many: more than usual bodies have, and little memory.
const MANY: usize = 1 << 12;

/// Memory of merging.
#[derive(Clone, Debug, Default)]
pub(super) struct Memory {
    order: Vec<u32>,
    beaten: Vec<bool>,
    /// Places are thinned out when there are this many.
    many: usize,
}

impl Memory {
    /// Before anything is found.
    pub(super) fn begin(&mut self) {
        self.many = MANY;
    }

    /// Where tips of many edges meet, leaves of these the best while more are sought.
    pub(super) fn thin(&mut self, found: &mut Vec<Found>, scene: &Scene) {
        if found.len() < self.many {
            return;
        }
        found.sort_unstable_by_key(rank);
        self.beat_in_cells(found, scene);
        retain(found, &self.beaten);
        self.many = MANY.max(2 * found.len());
    }

    /// Leaves of all that is at one place the best, in the order of preference of places.
    ///
    /// *Cost* `n log n`, and for each place that is left what is beside it along an axis.
    pub(super) fn merge(&mut self, found: &mut Vec<Found>, scene: &Scene) {
        found.sort_unstable_by_key(rank);
        found.dedup_by(|next, kept| next.pair == kept.pair && same_place(next, kept, scene));
        self.beat_in_cells(found, scene);
        let Self { order, beaten, .. } = self;
        order.sort_unstable_by(|&i, &j| {
            let [p, q] = [i, j].map(|i| found[i as usize].point.x);
            p.total_cmp(&q).then(i.cmp(&j))
        });
        for (k, &j) in order.iter().enumerate() {
            if !beaten[j as usize] {
                let [before, after] = [&order[..k], &order[k + 1..]];
                let beside = |i: &&u32| {
                    let apart = found[**i as usize].point.x - found[j as usize].point.x;
                    apart.abs() <= SAME * scene.tolerance
                };
                let before = before.iter().rev().take_while(beside);
                let mut beside = before.chain(after.iter().take_while(beside));
                beaten[j as usize] = beside.any(|&i| beats(found, [i, j], scene));
            }
        }
        retain(found, beaten);
    }

    /// Marks what something better in the same small cell beats: all there is at one place, so few
    /// are asked.
    fn beat_in_cells(&mut self, found: &[Found], scene: &Scene) {
        let Self { order, beaten, .. } = self;
        order.clear();
        order.extend(0..found.len() as u32);
        beaten.clear();
        beaten.resize(found.len(), false);
        let key = |i: u32| cell(&found[i as usize], scene);
        order.sort_unstable_by_key(|&i| (key(i), i));
        for at_one_place in order.chunk_by(|&i, &j| key(i) == key(j)) {
            for (k, &j) in at_one_place.iter().enumerate() {
                let mut better = at_one_place[..k].iter();
                beaten[j as usize] = better.any(|&i| beats(found, [i, j], scene));
            }
        }
    }
}

fn retain(found: &mut Vec<Found>, beaten: &[bool]) {
    let mut kept = beaten.iter();
    found.retain(|_| kept.next() == Some(&false));
}

/// Whether the first of two is better and at the same place.
fn beats(found: &[Found], [i, j]: [u32; 2], scene: &Scene) -> bool {
    let [one, other] = [i, j].map(|i| &found[i as usize]);
    i < j && same_place(one, other, scene) && !valley(one, other, scene)
}

/// The cells of both points: what is in the same is at the same place.
fn cell(found: &Found, scene: &Scene) -> [i64; 6] {
    let size = 0.5 * SAME * scene.tolerance;
    let [p, q] = [found.point, found.point_b()].map(|point| (point / size).floor().to_array());
    [p[0], p[1], p[2], q[0], q[1], q[2]].map(|number| number as i64)
}

fn same_place(p: &Found, q: &Found, scene: &Scene) -> bool {
    let near = SAME * scene.tolerance;
    p.point.distance_squared(q.point) <= near * near
        && p.point_b().distance_squared(q.point_b()) <= near * near
}

/// Whether the two keep a vertex from two faces of one body that rise from their common edge: both
/// count there, as on the floor and at the wall. Away from a valley one normal tells all.
fn valley(p: &Found, q: &Found, scene: &Scene) -> bool {
    if p.normal.dot(q.normal) > 1.0 - STEP || p.resolved || q.resolved {
        return false;
    }
    let (owner, faces, vertices) = match (p.pair.met, q.pair.met) {
        (Met::FaceVertex, Met::FaceVertex) => (0, [p.pair.a, q.pair.a], [p.pair.b, q.pair.b]),
        (Met::VertexFace, Met::VertexFace) => (1, [p.pair.b, q.pair.b], [p.pair.a, q.pair.a]),
        _ => return false,
    };
    let collider = scene.sides[owner].collider;
    let mesh = collider.mesh();
    // A normal from A to B leads into the faces of B.
    let upward = if owner == 0 { q.normal } else { -scene.sides[1].vector(q.normal) };
    let shared = mesh.face_edges(faces[0]).iter().find(|e| mesh.face_edges(faces[1]).contains(e));
    let rises = |&e: &u32| {
        let sides = mesh.edge_sides(e).iter().zip(collider.wings(e));
        let mut of_first = sides.filter(|(side, _)| side.face == faces[0]);
        of_first.any(|(_, wing)| wing.dot(upward) > STEP)
    };
    vertices[0] == vertices[1] && shared.is_some_and(rises)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::bounds::Collider;
    use crate::contact::Pair;
    use crate::mesh::shapes::{Cuboid, Shape};
    use crate::motion::Pose;

    #[test]
    fn of_one_place_the_most_proper_is_left_also_across_borders_of_cells() {
        let cube = Collider::new(Shape::Box(Cuboid::default()).build().expect("a box"));
        let scene = Scene::new([&cube, &cube], &[Pose::IDENTITY; 2], 0.0);
        let found = |number: u32, tolerances: f64, properness: f64| Found {
            pair: Pair { met: Met::EdgeEdge, a: number, b: number },
            resolved: false,
            point: DVec3::X * (tolerances * scene.tolerance),
            normal: DVec3::Y,
            gap: 0.0,
            properness,
        };
        // Cells are two tolerances wide and begin at 0.
        for (places, left) in [
            ([0.1, 0.2], vec![1]),
            ([-0.1, 0.1], vec![1]),
            ([1.9, 2.1], vec![1]),
            ([-1.5, 1.5], vec![1]),
            ([0.0, 5.0], vec![1, 0]),
            ([-2.5, 2.5], vec![1, 0]),
        ] {
            let mut all = vec![found(0, places[0], 0.2), found(1, places[1], 0.7)];
            Memory::default().merge(&mut all, &scene);
            let numbers: Vec<u32> = all.iter().map(|found| found.pair.a).collect();
            assert_eq!(numbers, left, "at {places:?}");
        }
    }
}
