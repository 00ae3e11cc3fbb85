//! Whether a body stands between the eye and a point.

use chasles::glam::{DVec2, DVec3};

use crate::camera::Camera;
use crate::look::Body;

/// What is so near behind a surface is not hidden by it, in units of half the content's size:
/// contacts lie on surfaces, and those of other times are carried along with A.
const SLACK: f64 = 0.02;

/// Which of some points in the world solid bodies hide.
///
/// *Accepts* any bodies; seen-through ones hide nothing. *Cost* of all faces of a body for each
/// point that is in the box around the body as the eye sees it.
pub(crate) fn hidden(camera: &Camera, bodies: &[Body], points: &[DVec3]) -> Vec<bool> {
    let rays: Vec<Ray> = points.iter().map(|&point| Ray::to(camera.point(point))).collect();
    let mut found = vec![false; points.len()];
    for body in bodies.iter().filter(|body| body.look.opacity >= 1.0) {
        let seen: Vec<DVec3> =
            body.mesh.positions().iter().map(|&p| camera.point(body.pose.point(p))).collect();
        let around = Frame::around(&seen);
        let is_near = |&i: &usize| !found[i] && around.holds(flat(rays[i].towards));
        let near: Vec<usize> = (0..rays.len()).filter(is_near).collect();
        if near.is_empty() {
            continue;
        }
        for face in 0..body.mesh.face_count() as u32 {
            let corners: Vec<DVec3> =
                body.mesh.face(face).iter().map(|&v| seen[v as usize]).collect();
            let around = Frame::around(&corners);
            let normal = camera.direction(body.pose.vector(body.mesh.normal(face)));
            for &i in &near {
                found[i] = found[i]
                    || around.holds(flat(rays[i].towards)) && rays[i].is_stopped(&corners, normal);
            }
        }
    }
    found
}

/// Where the eye sees a point in the camera's frame.
fn flat(p: DVec3) -> DVec2 {
    DVec2::new(p.x, p.y) / p.z
}

/// A box in the picture.
struct Frame {
    low: DVec2,
    high: DVec2,
}

impl Frame {
    /// Around those points that are before the eye: faces behind it hide nothing.
    fn around(points: &[DVec3]) -> Self {
        let empty = Self { low: DVec2::INFINITY, high: DVec2::NEG_INFINITY };
        let before = points.iter().filter(|p| p.z > 0.0).map(|&p| flat(p));
        before.fold(empty, |Self { low, high }, p| Self { low: low.min(p), high: high.max(p) })
    }

    fn holds(&self, p: DVec2) -> bool {
        p.cmpge(self.low).all() && p.cmple(self.high).all()
    }
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

    #[test]
    fn frames_hold_what_is_before_the_eye() {
        let points = [[1.0, 2.0, 2.0], [-3.0, 1.0, 1.0], [9.0, 9.0, -1.0]].map(DVec3::from);
        let frame = Frame::around(&points);
        assert_eq!((frame.low, frame.high), (DVec2::new(-3.0, 1.0), DVec2::new(0.5, 1.0)));
        assert!(frame.holds(DVec2::new(0.5, 1.0)) && !frame.holds(DVec2::new(0.6, 1.0)));
        assert!(!Frame::around(&points[2..]).holds(DVec2::ZERO));
    }
}
