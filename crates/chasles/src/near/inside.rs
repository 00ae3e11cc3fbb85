//! Whether a point lies inside a closed mesh.

use glam::DVec3;

use crate::bounds::Collider;

/// A little less than one turn: a point on an edge that is nearly flat from within sees less.
const INSIDE: f64 = 0.9;

/// Whether the faces of a closed mesh wind round a local point, away from the surface.
///
/// The sum of the solid angles under which the triangles are seen is the whole sphere from inside
/// and nothing from outside, whatever the shape. A polygon is seen under the sum of its fan, which
/// has signs.
pub(super) fn contains(collider: &Collider, point: DVec3) -> bool {
    let root = &collider.nodes()[0];
    if (point - root.centre).abs().cmpgt(root.half).any() {
        return false;
    }
    let mesh = collider.mesh();
    let mut turns = 0.0;
    for face in 0..mesh.face_count() as u32 {
        let ring = mesh.face(face);
        let at = |i: usize| collider.local(ring[i]) - point;
        turns += (1..ring.len() - 1).map(|i| solid_angle([at(0), at(i), at(i + 1)])).sum::<f64>();
    }
    turns > INSIDE * 4.0 * std::f64::consts::PI
}

/// The solid angle of a triangle seen from the origin, positive if its back is seen: the tangent of
/// its half is `a . (b x c)` over a sum of products of lengths.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [x, y, z] = [a.length(), b.length(), c.length()];
    let volume = a.dot(b.cross(c));
    2.0 * volume.atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}
