//! The shape of an ellipsoid: what is farthest, what is nearest, what lies within.
//!
//! With the half axes in the diagonal matrix `S`, along the columns of `R`, and `r` the shortest of
//! them, lengths across the *stretch* `T = r S⁻¹` are never longer than they were:
//!
//! ```text
//! P = T Rᵀ (x - c)                  |P| = r on the surface, |P| - r at most the distance from it
//! farthest along d                  c + R S² Rᵀ d / |S Rᵀ d|
//! plane that looks at x             (|P| - r) |P| / |T P|, at most the distance of what is outside
//! ```

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::body::{Kind, Round};
use crate::mesh::shapes::{self, Shape, ShapeError};
use crate::mesh::{Mass, Polygons};
use crate::numeric::ellipsoid::foot;

/// Half axes differ by no more than this ratio. What a gap is wrong by may move a place by as many
/// times that, and so a time: at this ratio by about 1e-9 of the reach.
pub(super) const MOST_RATIO: f64 = 1e4;

impl Round {
    /// The axes of an ellipsoid, the columns.
    #[inline]
    pub(super) fn frame(&self) -> DMat3 {
        DMat3::from_cols(self.side, self.axis.cross(self.side), self.axis)
    }

    /// What the components of a vector along the axes are multiplied with so that an ellipsoid
    /// becomes a ball with the shortest of its half axes.
    #[inline]
    pub(super) fn stretch(&self) -> DVec3 {
        self.radius / self.half_axes
    }

    /// The longest over the shortest half axis; 1 for what is no ellipsoid.
    pub(super) fn ratio(&self) -> f64 {
        match self.kind {
            Kind::Ellipsoid => self.half_axes.max_element() / self.radius,
            _ => 1.0,
        }
    }

    /// An ellipsoid as its own axes see a point, stretched.
    #[inline]
    pub(super) fn stretched(&self, point: DVec3) -> DVec3 {
        self.stretch() * (self.frame().transpose() * (point - self.centre))
    }

    /// The unit normal, outward, of the scaled ellipsoid through a point; none at the centre.
    pub(super) fn outward(&self, point: DVec3) -> Option<DVec3> {
        let p = self.stretched(point);
        let is_known = p.length() > 1e-3 * self.radius;
        let normal = self.frame() * (self.stretch() * p);
        if is_known { normal.try_normalize() } else { None }
    }

    /// From the centre of an ellipsoid to its farthest point along a direction, and how far that is
    /// along it if the direction is a unit vector.
    #[inline]
    pub(super) fn farthest(&self, d: DVec3) -> (DVec3, f64) {
        let frame = self.frame();
        let h = self.half_axes * (frame.transpose() * d);
        let length = h.length();
        let way = if length > 0.0 { self.half_axes * h / length } else { DVec3::ZERO };
        (frame * way, length)
    }

    /// The ellipsoid whose every half axis is this share of what it was.
    pub(super) fn scaled(&self, share: f64) -> Self {
        Self { half_axes: share * self.half_axes, radius: share * self.radius, ..*self }
    }

    /// An ellipsoid of which all points are at least this deep in this one. Along a unit direction
    /// it is no deeper than that, unless an ellipsoid that is would have no thickness: then it is
    /// one of the same shape, deeper by as much as this one is longer that way than it is thick.
    /// None where that has no thickness either.
    ///
    /// With `λ = |S Rᵀ d|` and `n` any unit vector in its axes, `|S n| <= (|S n|² / λ + λ) / 2`, so
    ///
    /// ```text
    /// (|S n| - δ)² = |S n|² - 2 δ |S n| + δ²  >=  |S' n|²,   S'² = (1 - δ/λ) S² - δ (λ - δ)
    /// ```
    ///
    /// with `=` along `d`. Where a half axis of that is none, `S' = (1 - δ/r) S` may do.
    pub(super) fn within(&self, depth: f64, d: DVec3) -> Option<Self> {
        let (_, reach) = self.farthest(d);
        let squares = (1.0 - depth / reach) * self.half_axes * self.half_axes
            - DVec3::splat(depth * (reach - depth));
        if depth < reach && squares.min_element() > 0.0 {
            let half_axes = DVec3::new(squares.x.sqrt(), squares.y.sqrt(), squares.z.sqrt());
            return Some(Self { half_axes, radius: half_axes.min_element(), ..*self });
        }
        (depth < self.radius).then(|| self.scaled(1.0 - depth / self.radius))
    }

    /// At most the distance of a point outside of an ellipsoid, and not positive inside: that of
    /// the plane that touches it below the point, seen from its centre.
    #[inline]
    pub(super) fn beyond_ellipsoid(&self, point: DVec3) -> f64 {
        let p = self.stretched(point);
        let length = p.length();
        let beyond = length - self.radius;
        if beyond > 0.0 { beyond * (length / (self.stretch() * p).length()) } else { beyond }
    }

    /// The signed distance of a point from the surface of an ellipsoid, and the nearest point of
    /// it.
    pub(super) fn nearest_of_ellipsoid(&self, point: DVec3) -> (f64, DVec3) {
        let frame = self.frame();
        let found = foot(self.half_axes, frame.transpose() * (point - self.centre));
        (found.distance, self.centre + frame * found.point)
    }

    /// See [`Round::mass`].
    pub(super) fn mass_of_ellipsoid(&self, density: f64) -> Mass {
        let DVec3 { x, y, z } = self.half_axes;
        let mass = density * 4.0 / 3.0 * PI * x * y * z;
        let [xx, yy, zz] = [x * x, y * y, z * z];
        let along = 0.2 * mass * DVec3::new(yy + zz, zz + xx, xx + yy);
        let frame = self.frame();
        let inertia = frame * DMat3::from_diagonal(along) * frame.transpose();
        Mass { mass, centre: self.centre, inertia }
    }

    /// See [`Round::polygons`]: those of a ball, stretched.
    pub(super) fn polygons_of_ellipsoid(&self, segments: [u32; 2]) -> Result<Polygons, ShapeError> {
        let ball = Shape::Sphere(shapes::Sphere { radius: self.radius, segments });
        let mut polygons = ball.polygons()?;
        let [frame, wider] = [self.frame(), DMat3::from_diagonal(self.half_axes / self.radius)];
        polygons.vertices.iter_mut().for_each(|v| *v = self.centre + frame * (wider * *v));
        Ok(polygons)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::motion::Pose;
    use glam::DQuat;

    #[test]
    fn what_is_within_is_as_deep_everywhere_and_no_deeper_along_its_direction() {
        let turn = DQuat::from_scaled_axis(DVec3::new(0.3, -1.0, 0.7));
        let frame = Pose::new([0.1, 0.2, 0.3], turn).expect("finite");
        let egg = Round::ellipsoid_at(&frame, [1.0, 0.4, 0.2]).expect("fits");
        let directions = (1..200).map(|i| {
            let t = f64::from(i);
            DVec3::new(t.sin(), (1.7 * t).cos(), (0.3 * t).sin()).normalize()
        });
        for d in directions.clone() {
            for depth in [1e-9, 1e-3, 0.02, 0.15] {
                let inner = egg.within(depth, d).expect("not too deep");
                let spare = |n: DVec3| egg.farthest(n).1 - inner.farthest(n).1 - depth;
                let least = directions.clone().map(spare).fold(f64::INFINITY, f64::min);
                assert!(least > -1e-14, "{depth} along {d}: {least:e}");
                let reach = egg.farthest(d).1;
                let most = if depth > 0.02 { depth * (reach / 0.2 - 1.0) } else { 0.0 };
                assert!(spare(d) < most + 1e-14, "{depth} along {d}: {}", spare(d));
            }
        }
        assert!(egg.within(0.2, DVec3::X).is_none());
    }
}
