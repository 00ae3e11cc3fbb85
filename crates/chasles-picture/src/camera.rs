//! A perspective camera that frames its content.
//!
//! Content is first shifted and scaled to a cube of side 2 about the origin, so that neither huge
//! nor tiny scenes lose digits. In the camera's frame x points right, y up and z away from the eye.
//! With `t` the tangent of half the opening angle, a point is inside the left and right planes when
//! `|x - eye.x| <= t (z - eye.z)`. Over all points that is
//!
//! ```text
//!   eye.x - t eye.z >= right = max( x - t z)        eye.z <= -(right + left) / (2 t)
//!  -eye.x - t eye.z >= left  = max(-x - t z)        eye.x  = (right - left) / 2
//! ```
//!
//! and likewise for y; the smaller `eye.z` of the two frames the content exactly. Along the side
//! that has room to spare the eye is then shifted until the content appears in the middle.

use chasles::glam::{DMat3, DVec2, DVec3};

/// The nearest depth that is drawn, in units of half the content's size.
const NEAR: f64 = 0.05;

/// The least distance from the eye to framed content: well beyond `NEAR`.
const NEAREST_CONTENT: f64 = 0.5;

/// Coordinates beyond this, in units of half the content's size, are drawn as if there: far
/// outside every picture, yet squares and products keep their digits.
const FARTHEST: f64 = 1e6;

/// From where the picture is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// From the content towards the eye, of any length but zero. World frame.
    pub towards_eye: DVec3,
    /// What points up in the picture. World frame.
    pub up: DVec3,
    /// Opening angle across the shorter side of the picture, in radians.
    pub field_of_view: f64,
}

impl Default for View {
    /// From the front, a little to the right and above, with y up and the narrow angle of a
    /// portrait lens, which distorts little.
    fn default() -> Self {
        Self { towards_eye: DVec3::new(0.55, 0.5, 1.0), up: DVec3::Y, field_of_view: 0.45 }
    }
}

impl View {
    /// Rows: right, up, away from the eye. Always orthonormal, whatever the fields are.
    fn axes(&self) -> DMat3 {
        let unit = |v: DVec3| {
            let largest = v.abs().max_element();
            if largest.is_finite() { (v / largest).try_normalize() } else { None }
        };
        let away = -unit(self.towards_eye).unwrap_or(DVec3::Z);
        let right = unit(self.up)
            .and_then(|up| away.cross(up).try_normalize())
            .unwrap_or_else(|| away.any_orthonormal_vector());
        DMat3::from_cols(right, right.cross(away), away).transpose()
    }

    /// Half the opening angle's tangent; angles outside 1 to 120 degrees are brought inside.
    fn half_tangent(&self) -> f64 {
        let angle = if self.field_of_view.is_nan() { 0.45 } else { self.field_of_view };
        (0.5 * angle.clamp(0.0175, 2.1)).tan()
    }
}

/// The part of a picture in which the content shall lie, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) low: DVec2,
    pub(crate) high: DVec2,
}

impl Area {
    pub(crate) fn size(&self) -> DVec2 {
        self.high - self.low
    }
}

/// A placed camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Camera {
    centre: DVec3,
    half_size: f64,
    axes: DMat3,
    eye: DVec3,
    /// Pixels per unit of `x / z`.
    focal: f64,
    /// The pixel straight ahead.
    middle: DVec2,
}

impl Camera {
    /// Frames `points` in `area`. Without points it looks at the origin.
    pub(crate) fn framing(view: &View, area: Area, points: &[DVec3]) -> Self {
        let (centre, half_size) = extent(points);
        let half_area = (area.size() * 0.5).max(DVec2::splat(0.5));
        let focal = half_area.min_element() / view.half_tangent();
        let mut camera = Self {
            centre,
            half_size,
            axes: view.axes(),
            eye: DVec3::ZERO,
            focal,
            middle: (area.low + area.high) * 0.5,
        };
        let seen: Vec<DVec3> = points.iter().map(|&p| camera.point(p)).collect();
        camera.eye = framing_eye(&seen, half_area / focal);
        camera
    }

    /// A world point in the camera's frame, relative to the eye.
    pub(crate) fn point(&self, world: DVec3) -> DVec3 {
        let scaled = world / self.half_size - self.centre / self.half_size;
        let limit = DVec3::splat(FARTHEST);
        self.axes * scaled.clamp(-limit, limit) - self.eye
    }

    /// A world direction in the camera's frame.
    pub(crate) fn direction(&self, world: DVec3) -> DVec3 {
        self.axes * world
    }

    /// The world length that is half the content's size.
    pub(crate) fn half_size(&self) -> f64 {
        self.half_size
    }

    /// Where a point in front of the eye appears, in pixels.
    pub(crate) fn pixel(&self, point: DVec3) -> DVec2 {
        self.middle + DVec2::new(point.x, -point.y) * (self.focal / point.z)
    }

    /// For a plane `normal . x = offset` in the camera's frame, the coefficients of
    /// `1/z = a px + b py + c` at pixel `(px, py)`; nothing if the plane goes through the eye.
    ///
    /// With `x = z X`, `y = z Y` the plane reads `z (normal . (X, Y, 1)) = offset`.
    pub(crate) fn inverse_depth(&self, normal: DVec3, offset: f64) -> Option<[f64; 3]> {
        let a = normal.x / (offset * self.focal);
        let b = -normal.y / (offset * self.focal);
        let c = normal.z / offset - a * self.middle.x - b * self.middle.y;
        (a.is_finite() && b.is_finite() && c.is_finite()).then_some([a, b, c])
    }
}

/// Middle and half of the longest side of the bounding box; 1 for a point.
fn extent(points: &[DVec3]) -> (DVec3, f64) {
    let low = points.iter().copied().reduce(DVec3::min).unwrap_or(DVec3::ZERO) * 0.5;
    let high = points.iter().copied().reduce(DVec3::max).unwrap_or(DVec3::ZERO) * 0.5;
    let half = (high - low).max_element();
    // Below this the reciprocal overflows.
    (low + high, if half > 1e-300 { half } else { 1.0 })
}

fn framing_eye(points: &[DVec3], tangent: DVec2) -> DVec3 {
    if points.is_empty() {
        return DVec3::Z * -4.0;
    }
    let highest = |f: &dyn Fn(&DVec3) -> f64| points.iter().map(f).fold(f64::MIN, f64::max);
    let right = highest(&|p| p.x - tangent.x * p.z);
    let left = highest(&|p| -p.x - tangent.x * p.z);
    let top = highest(&|p| p.y - tangent.y * p.z);
    let bottom = highest(&|p| -p.y - tangent.y * p.z);
    let nearest = -highest(&|p| -p.z) - NEAREST_CONTENT;
    let z =
        nearest.min(-(right + left) / (2.0 * tangent.x)).min(-(top + bottom) / (2.0 * tangent.y));
    centred(points, DVec3::new((right - left) * 0.5, (top - bottom) * 0.5, z))
}

/// The eye shifted sideways until the picture of the points has its middle straight ahead.
///
/// A shift moves the picture of each point by shift over depth, so shifting by the middle times
/// the least depth never overshoots. Twenty rounds leave less than a pixel unless the content is
/// several times deeper than its distance; it is then still inside, but off the middle.
fn centred(points: &[DVec3], mut eye: DVec3) -> DVec3 {
    let nearest = points.iter().map(|p| p.z - eye.z).fold(f64::MAX, f64::min);
    for _ in 0..20 {
        let seen = || points.iter().map(|&p| (p - eye).truncate() / (p.z - eye.z));
        let low = seen().reduce(DVec2::min).unwrap_or(DVec2::ZERO);
        let high = seen().reduce(DVec2::max).unwrap_or(DVec2::ZERO);
        eye += ((low + high) * 0.5 * nearest).extend(0.0);
    }
    eye
}

/// The part of a polygon in front of the near plane, corner after corner. Where a concave polygon
/// falls apart the parts stay joined along the near plane, which an even-odd fill does not show.
pub(crate) fn clipped_polygon(corners: &[DVec3]) -> Vec<DVec3> {
    let mut kept = Vec::with_capacity(corners.len() + 2);
    for (i, &q) in corners.iter().enumerate() {
        let p = corners[(i + corners.len() - 1) % corners.len()];
        if (p.z < NEAR) != (q.z < NEAR) {
            kept.push(near_point(p, q));
        }
        if q.z >= NEAR {
            kept.push(q);
        }
    }
    kept
}

/// The part of a segment in front of the near plane.
pub(crate) fn clipped_segment([p, q]: [DVec3; 2]) -> Option<[DVec3; 2]> {
    match (p.z >= NEAR, q.z >= NEAR) {
        (true, true) => Some([p, q]),
        (true, false) => Some([p, near_point(p, q)]),
        (false, true) => Some([near_point(p, q), q]),
        (false, false) => None,
    }
}

fn near_point(p: DVec3, q: DVec3) -> DVec3 {
    p.lerp(q, (NEAR - p.z) / (q.z - p.z)).with_z(NEAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners() -> Vec<DVec3> {
        (0..8).map(|i| DVec3::new((i & 1).into(), (i >> 1 & 1).into(), (i >> 2).into())).collect()
    }

    #[test]
    fn framed_content_touches_the_area_and_stays_inside() {
        let area = Area { low: DVec2::new(10.0, 50.0), high: DVec2::new(290.0, 190.0) };
        for scale in [1e-200, 1.0, 1e200] {
            let points: Vec<DVec3> = corners().iter().map(|&p| p * scale).collect();
            let camera = Camera::framing(&View::default(), area, &points);
            let pixels: Vec<DVec2> =
                points.iter().map(|&p| camera.pixel(camera.point(p))).collect();
            let low = pixels.iter().copied().reduce(DVec2::min).unwrap();
            let high = pixels.iter().copied().reduce(DVec2::max).unwrap();
            assert!((low.y - 50.0).abs() < 1e-6 && (high.y - 190.0).abs() < 1e-6, "{low} {high}");
            assert!(low.x >= 10.0 && high.x <= 290.0);
            assert!((low.x - 10.0 - (290.0 - high.x)).abs() < 0.1, "in the middle: {low} {high}");
        }
    }

    #[test]
    fn useless_views_still_have_orthonormal_axes() {
        for (eye, up) in [(DVec3::ZERO, DVec3::Y), (DVec3::Y, DVec3::Y), (DVec3::NAN, DVec3::NAN)] {
            let axes = View { towards_eye: eye, up, field_of_view: f64::NAN }.axes();
            assert!(
                (axes * axes.transpose() - DMat3::IDENTITY)
                    .to_cols_array()
                    .iter()
                    .all(|c| c.abs() < 1e-12)
            );
        }
    }

    #[test]
    fn inverse_depth_of_a_plane_is_that_of_its_points() {
        let area = Area { low: DVec2::ZERO, high: DVec2::splat(100.0) };
        let camera = Camera::framing(&View::default(), area, &corners());
        let normal = DVec3::new(0.3, -0.2, 0.9);
        let point = DVec3::new(0.1, 0.2, 5.0);
        let [a, b, c] = camera.inverse_depth(normal, normal.dot(point)).unwrap();
        let pixel = camera.pixel(point);
        assert!((a * pixel.x + b * pixel.y + c - 1.0 / 5.0).abs() < 1e-12);
    }

    #[test]
    fn what_is_behind_the_eye_is_cut_off() {
        let behind = DVec3::new(0.0, 0.0, -1.0);
        let front = DVec3::new(0.0, 0.0, 1.0);
        assert_eq!(clipped_segment([behind, behind]), None);
        assert_eq!(clipped_segment([behind, front]).unwrap()[0].z, NEAR);
        let triangle = [front, behind, front + DVec3::X];
        assert_eq!(clipped_polygon(&triangle).len(), 4);
        assert!(clipped_polygon(&[behind; 3]).is_empty());
    }
}
