//! Whether a point lies inside a closed mesh.

use std::f64::consts::PI;

use glam::DVec3;

use crate::bounds::Collider;
use crate::contact::locate::{Place, in_polygon};

/// Away from the surface the faces wind round a point a whole number of times.
const HALF: f64 = 0.5;

/// Whether a local point lies inside a closed mesh, farther than `clear` from its surface.
///
/// The sum of the solid angles under which the triangles are seen is the whole sphere from inside
/// and nothing from outside, whatever the shape. A polygon is seen under the sum of its fan, which
/// has signs.
pub(super) fn contains(collider: &Collider, point: DVec3, clear: f64) -> bool {
    let root = &collider.nodes()[0];
    if (point - root.centre).abs().cmpgt(root.half).any() {
        return false;
    }
    let mesh = collider.mesh();
    let mut angle = 0.0;
    for face in 0..mesh.face_count() as u32 {
        if is_at(collider, face, point, clear) {
            return false;
        }
        let ring = mesh.face(face);
        let at = |i: usize| collider.local(ring[i]) - point;
        angle += (1..ring.len() - 1).map(|i| solid_angle([at(0), at(i), at(i + 1)])).sum::<f64>();
    }
    angle > HALF * 4.0 * PI
}

/// Whether a point is this close to a face.
fn is_at(collider: &Collider, face: u32, point: DVec3, clear: f64) -> bool {
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

/// The solid angle of a triangle seen from the origin, positive if its back is seen: the tangent of
/// its half is `a . (b x c)` over a sum of products of lengths.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [x, y, z] = [a.length(), b.length(), c.length()];
    let volume = a.dot(b.cross(c));
    2.0 * volume.atan2(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}
