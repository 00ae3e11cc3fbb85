//! Whether a body stands between the eye and a point.

use chasles::glam::{DVec2, DVec3};

use crate::camera::Camera;
use crate::still::Body;

/// What is so near behind a surface is not hidden by it, in units of half the content's size:
/// contacts lie on surfaces, and those of other times are carried along with A.
const SLACK: f64 = 0.02;

/// Which of some points in the world solid bodies hide.
///
/// *Accepts* any bodies; seen-through ones hide nothing. *Cost* of all faces for each point.
pub(crate) fn hidden(camera: &Camera, bodies: &[Body], points: &[DVec3]) -> Vec<bool> {
    let rays: Vec<Ray> = points.iter().map(|&point| Ray::to(camera.point(point))).collect();
    let mut found = vec![false; points.len()];
    for body in bodies.iter().filter(|body| body.look.opacity >= 1.0) {
        let seen: Vec<DVec3> =
            body.mesh.positions().iter().map(|&p| camera.point(body.pose.point(p))).collect();
        for face in 0..body.mesh.face_count() as u32 {
            let corners: Vec<DVec3> =
                body.mesh.face(face).iter().map(|&v| seen[v as usize]).collect();
            let normal = camera.direction(body.pose.vector(body.mesh.normal(face)));
            for (is_hidden, ray) in found.iter_mut().zip(&rays) {
                *is_hidden = *is_hidden || ray.is_stopped(&corners, normal);
            }
        }
    }
    found
}

/// The way from the eye, which is the origin, towards a point in the camera's frame, and how far
/// it must be free.
struct Ray {
    towards: DVec3,
    free: f64,
}

impl Ray {
    fn to(point: DVec3) -> Self {
        Self { towards: point, free: 1.0 - SLACK / point.length().max(SLACK) }
    }

    /// Whether a polygon crosses it: its plane on the way, and the place in the outline, by the
    /// even-odd rule, as the eye sees both.
    fn is_stopped(&self, corners: &[DVec3], normal: DVec3) -> bool {
        let Some(&corner) = corners.first() else { return false };
        let share = normal.dot(corner) / normal.dot(self.towards);
        if !(share > 0.0 && share < self.free) || corners.iter().any(|p| p.z <= 0.0) {
            return false;
        }
        let flat = |p: DVec3| DVec2::new(p.x, p.y) / p.z;
        let at = flat(self.towards);
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let crosses = |(&p, &q): (&DVec3, &DVec3)| {
            let [p, q] = [flat(p), flat(q)];
            (p.y > at.y) != (q.y > at.y) && at.x < p.x + (at.y - p.y) / (q.y - p.y) * (q.x - p.x)
        };
        ends.filter(|&ends| crosses(ends)).count() % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_hides_what_is_behind_it() {
        let square = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let square = square.map(|[x, y]| DVec3::new(x, y, 4.0));
        for (point, is_hidden) in [
            ([0.0, 0.0, 5.0], true),
            ([0.0, 0.0, 3.0], false),
            ([0.0, 0.0, 4.01], false),
            ([1.4, 0.0, 5.0], false),
            ([1.2, 0.0, 5.0], true),
        ] {
            let ray = Ray::to(DVec3::from(point));
            assert_eq!(ray.is_stopped(&square, DVec3::Z), is_hidden, "{point:?}");
        }
    }
}
