//! Whether a point lies inside a closed mesh.
//!
//! A ray from the point passes the surface outward once more than inward for each time that the
//! surface winds round the point. The tree finds the faces on the ray. A ray that meets an edge or
//! a vertex exactly does not count, and another is taken; if all do, the solid angles of all faces
//! are summed.

use std::f64::consts::PI;

use glam::DVec3;

use crate::bounds::{Collider, Node};
use crate::contact::locate::{Place, in_polygon};
use crate::numeric::solid_angle;

/// Away from the surface the faces wind round a point a whole number of times.
const HALF: f64 = 0.5;

/// Directions without a pattern, none of them along a plane that bodies often have.
const RAYS: [DVec3; 4] = [
    DVec3::new(0.547_231, 0.683_719, 0.482_671),
    DVec3::new(-0.391_373, 0.277_591, 0.877_369),
    DVec3::new(0.733_141, -0.612_733, -0.295_117),
    DVec3::new(-0.193_857, -0.837_019, 0.511_691),
];

/// A volume of this part of the lengths is rounding.
const FLAT: f64 = 1e-14;

/// Whether a local point lies inside a closed mesh, farther than `clear` from its surface; `stack`
/// is memory.
///
/// *Cost* the leaves at the point and on a ray from it.
pub(crate) fn contains(
    collider: &Collider,
    point: DVec3,
    clear: f64,
    stack: &mut Vec<u32>,
) -> bool {
    let root = &collider.nodes()[0];
    if (point - root.centre).abs().cmpgt(root.half).any() {
        return false;
    }
    let is_far = visit_faces(collider, stack, beside(point, clear), |face| {
        !is_at(collider, face, point, clear)
    });
    let mut winding = || RAYS.iter().find_map(|&ray| winding(collider, point, ray, stack));
    is_far && winding().unwrap_or_else(|| winding_of_all(collider, point)) > 0
}

/// Whether a point is within a distance of the box of a node, by its axes.
pub(super) fn beside(point: DVec3, distance: f64) -> impl Fn(&Node) -> bool {
    move |node| (point - node.centre).abs().cmple(node.half + distance).all()
}

/// Calls `visit` with all faces of leaves whose nodes `meets` accepts, until it returns false; then
/// this is false.
pub(super) fn visit_faces(
    collider: &Collider,
    stack: &mut Vec<u32>,
    meets: impl Fn(&Node) -> bool,
    mut visit: impl FnMut(u32) -> bool,
) -> bool {
    stack.clear();
    stack.push(0);
    while let Some(number) = stack.pop() {
        let node = &collider.nodes()[number as usize];
        if !meets(node) {
            continue;
        }
        if !node.is_leaf() {
            stack.extend([node.child + 1, node.child]);
        } else if !node.faces.clone().all(&mut visit) {
            return false;
        }
    }
    true
}

/// How often the surface winds round a point, by the faces on a ray; none if the ray does not tell.
fn winding(collider: &Collider, point: DVec3, ray: DVec3, stack: &mut Vec<u32>) -> Option<i64> {
    let inverse = ray.recip();
    // Boxes a little larger, for the rounding of the quotients.
    let margin = 1e-12 * (collider.radius() + point.length());
    let meets = |node: &Node| {
        let middle = (node.centre - point) * inverse;
        let half = (node.half + margin) * inverse.abs();
        let [enter, leave] = [(middle - half).max_element(), (middle + half).min_element()];
        enter <= leave && leave >= 0.0
    };
    let mesh = collider.mesh();
    let mut sum = 0;
    let is_told = visit_faces(collider, stack, meets, |face| {
        let ring = mesh.face(face);
        let at = |i: usize| collider.local(ring[i]) - point;
        let mut passes = (1..ring.len() - 1).map(|i| pass([at(0), at(i), at(i + 1)], ray));
        passes.all(|pass| {
            pass.is_some_and(|pass| {
                sum += pass;
                true
            })
        })
    });
    is_told.then_some(sum)
}

/// Whether a ray from the origin passes a triangle outward (1), inward (-1) or not (0); none if it
/// meets its border, or the triangle holds the origin, up to rounding.
///
/// The volumes that the ray spans with the sides are the same but for the sign for two triangles
/// with a common side, also as rounded. So a ray next to a side passes one of the two.
fn pass([a, b, c]: [DVec3; 3], ray: DVec3) -> Option<i64> {
    let sides = [b.cross(c), c.cross(a), a.cross(b)];
    let volumes = sides.map(|side| ray.dot(side));
    if volumes.iter().any(|&v| v > 0.0) && volumes.iter().any(|&v| v < 0.0) {
        return Some(0);
    }
    let volume = a.dot(sides[0]);
    let rounding = FLAT * a.length() * b.length() * c.length();
    if volumes.contains(&0.0) || volume.abs() <= rounding {
        return None;
    }
    let outward = volumes[0] > 0.0;
    Some(if outward == (volume > 0.0) { if outward { 1 } else { -1 } } else { 0 })
}

/// Likewise by the solid angles under which all triangles are seen: their sum is the whole sphere
/// for each time. A polygon is seen under the sum of its fan, which has signs.
#[cold]
pub(super) fn winding_of_all(collider: &Collider, point: DVec3) -> i64 {
    let mesh = collider.mesh();
    let seen = |face: u32| {
        let ring = mesh.face(face);
        let at = |i: usize| collider.local(ring[i]) - point;
        (1..ring.len() - 1).map(|i| solid_angle([at(0), at(i), at(i + 1)])).sum::<f64>()
    };
    let angle: f64 = (0..mesh.face_count() as u32).map(seen).sum();
    (angle / (4.0 * PI) + HALF).floor() as i64
}

/// Whether a point is this close to a face.
pub(super) fn is_at(collider: &Collider, face: u32, point: DVec3, clear: f64) -> bool {
    let mesh = collider.mesh();
    let normal = mesh.normal(face);
    let height = normal.dot(point - collider.face_local(face));
    if height.abs() > clear {
        return false;
    }
    let ring = mesh.face(face);
    let corner = |i: usize| collider.local(ring[i]);
    in_polygon(point - height * normal, normal, corner, ring.len(), clear) != Place::Outside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::shapes::{Cuboid, Gear, Shape, Torus};

    #[test]
    fn rays_and_solid_angles_agree() {
        let shapes = [
            Shape::Box(Cuboid::default()),
            Shape::Torus(Torus::default()),
            Shape::Gear(Gear::default()),
        ];
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut stack = Vec::new();
        for shape in shapes {
            let collider = Collider::new(shape.build().expect("a shape"));
            let root = collider.nodes()[0].clone();
            let mut inside = 0;
            for _ in 0..500 {
                let within = DVec3::new(random(), random(), random());
                let point = root.centre + 1.2 * root.half * within;
                let all = winding_of_all(&collider, point);
                for ray in RAYS {
                    assert_eq!(winding(&collider, point, ray, &mut stack), Some(all), "{point}");
                }
                assert_eq!(contains(&collider, point, 1e-9, &mut stack), all > 0);
                inside += all;
            }
            assert!(inside > 20 && inside < 480, "{inside}");
        }
    }

    #[test]
    fn a_ray_through_a_corner_or_an_edge_does_not_tell() {
        let corners = [DVec3::X, DVec3::Y, DVec3::Z];
        assert_eq!(pass(corners, DVec3::ONE), Some(1));
        assert_eq!(pass(corners, -DVec3::ONE), Some(0));
        assert_eq!(pass([DVec3::Y, DVec3::X, DVec3::Z], DVec3::ONE), Some(-1));
        assert_eq!(pass(corners, DVec3::X), None);
        assert_eq!(pass(corners, DVec3::X + DVec3::Y), None);
    }
}
