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

/// Leaves of all that is at one place the best, in the order of preference of places; `order` and
/// `beaten` are memory.
pub(super) fn merge(
    found: &mut Vec<Found>,
    scene: &Scene,
    order: &mut Vec<u32>,
    beaten: &mut Vec<bool>,
) {
    found.sort_unstable_by_key(rank);
    found.dedup_by(|next, kept| next.pair == kept.pair && same_place(next, kept, scene));
    order.clear();
    order.extend(0..found.len() as u32);
    order.sort_unstable_by(|&i, &j| {
        let [p, q] = [i, j].map(|i| found[i as usize].point.x);
        p.total_cmp(&q).then(i.cmp(&j))
    });
    beaten.clear();
    beaten.resize(found.len(), false);
    for (k, &i) in order.iter().enumerate() {
        let one = &found[i as usize];
        for &j in &order[k + 1..] {
            let other = &found[j as usize];
            if other.point.x - one.point.x > SAME * scene.tolerance {
                break;
            }
            if same_place(one, other, scene) && !valley(one, other, scene) {
                beaten[i.max(j) as usize] = true;
            }
        }
    }
    let mut kept = beaten.iter();
    found.retain(|_| kept.next() == Some(&false));
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
