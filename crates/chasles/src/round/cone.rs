//! The shape of a cone: what is farthest, what is nearest, what lies within.
//!
//! With `x` the tip, `a` the unit axis towards it, `r` the radius of the base, `H` the height and
//! `L` the length of the slant, from tip to rim:
//!
//! ```text
//!          x              sin β = r / L,  cos β = H / L
//!         /|\             out    how far a point is from the axis
//!     L  / |β\   m        down   how far below the tip
//!       /  |H \           m      normal of the side, cos β outward and sin β up
//!      /___|___\          side   cos β out - sin β down,  base  down - H
//!            r
//! ```
//!
//! A point inside is as deep as the greater of the two says, and so all points that are `δ` deep
//! are a cone again: its base is `δ` higher, its tip `δ / sin β` lower.

use std::f64::consts::PI;

use glam::{DMat3, DVec3};

use super::body::{Kind, Round, RoundError, unit_across};
use super::gaps::PARALLEL;
use crate::mesh::Mass;
use crate::numeric::Elementary;

/// Radius and height of a cone differ by no more than this ratio: so far it is tested.
const MOST_RATIO: f64 = 1e4;

/// The triangle that a cone is, seen from the side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slant {
    /// Of half of the angle at the tip.
    pub(crate) sin: f64,
    pub(crate) cos: f64,
    /// From the tip to the rim.
    pub(crate) length: f64,
    pub(crate) height: f64,
    pub(crate) radius: f64,
}

impl Slant {
    #[inline]
    pub(crate) fn new(radius: f64, height: f64) -> Self {
        let length = (radius * radius + height * height).sqrt();
        Self { sin: radius / length, cos: height / length, length, height, radius }
    }

    /// The signed distance of a point so far from the axis and below the tip, negative inside, and
    /// its gradient, outward and up.
    #[inline]
    pub(crate) fn distance(&self, out: f64, down: f64) -> (f64, [f64; 2]) {
        let Self { sin, cos, length, height, radius } = *self;
        let [side, base] = [cos * out - sin * down, down - height];
        let along = sin * out + cos * down;
        let corner = |out: f64, up: f64| {
            let distance = out.hypotenuse(up);
            let is_known = distance > 0.0;
            (distance, if is_known { [out / distance, up / distance] } else { [cos, sin] })
        };
        if base > 0.0 && out <= radius || side <= base && base <= 0.0 {
            (base, [0.0, -1.0])
        } else if along >= length {
            corner(out - radius, -base)
        } else if along <= 0.0 {
            corner(out, -down)
        } else {
            (side, [cos, sin])
        }
    }
}

impl Round {
    /// The cone with a round base about one point and its tip at another.
    ///
    /// *Accepts* finite coordinates up to 1e100 and radii from 1e-120 to 1e100: first the middle of
    /// the base, then the tip. *Guarantees* that radius, and ends to rounding. *Cost* constant.
    /// *Fails* on others, and where the radius or the height is over 10,000 times as long as the
    /// other.
    ///
    /// ```
    /// use chasles::round::Round;
    /// let cone = Round::cone([[0.0, 0.0, 0.0], [0.0, 0.0, 4.0]], 3.0)?;
    /// assert_eq!(cone.distance([0.0, 0.0, 6.0].into()), 2.0);
    /// assert!(Round::cone([[0.0; 3], [0.0; 3]], 3.0).is_err(), "flat");
    /// # Ok::<(), chasles::round::RoundError>(())
    /// ```
    pub fn cone([base, tip]: [impl Into<DVec3>; 2], radius: f64) -> Result<Self, RoundError> {
        let cone = Self::between("cone", Kind::Cone, [base.into(), tip.into()], radius)?;
        let height = 2.0 * cone.half;
        if cone.kind != Kind::Cone || radius.max(height) > MOST_RATIO * radius.min(height) {
            return Err(RoundError::Flat { radius, height });
        }
        Ok(cone)
    }

    /// How a cone is seen from the side.
    #[inline]
    pub(super) fn slant(&self) -> Slant {
        Slant::new(self.radius, 2.0 * self.half)
    }

    /// The outward normal of the side at a point of it that lies that way from the axis, by a unit
    /// vector across it.
    #[inline]
    pub(super) fn beside(&self, out: DVec3) -> DVec3 {
        if self.kind != Kind::Cone {
            return out;
        }
        let Slant { sin, cos, .. } = self.slant();
        cos * out + sin * self.axis
    }

    /// The sine of what the normals of the side lean towards the tip; 0 but for a cone.
    pub(super) fn lean(&self) -> f64 {
        if self.kind == Kind::Cone { self.slant().sin } else { 0.0 }
    }

    /// How far a point is from the axis and below the tip of a cone, with the unit vector from the
    /// axis towards it.
    #[inline]
    fn in_profile(&self, point: DVec3) -> (f64, f64, DVec3) {
        let y = point - self.centre;
        let along = y.dot(self.axis);
        let across = y - along * self.axis;
        let out = across.length();
        let radial = if out > 0.0 { across / out } else { DVec3::ZERO };
        (out, self.half - along, radial)
    }

    #[inline]
    pub(super) fn distance_of_cone(&self, point: DVec3) -> f64 {
        let (out, down, _) = self.in_profile(point);
        self.slant().distance(out, down).0
    }

    /// The point of a cone nearest to one outside; a point inside is nearest to itself.
    pub(super) fn nearest_of_cone(&self, point: DVec3) -> DVec3 {
        let (out, down, radial) = self.in_profile(point);
        let (distance, [outward, up]) = self.slant().distance(out, down);
        let away = outward * radial + up * self.axis;
        if distance > 0.0 { point - distance * away } else { point }
    }

    /// How far below the tip along the slant a point is, and how far from the axis.
    pub(super) fn along_slant(&self, point: DVec3) -> (f64, f64) {
        let (out, down, _) = self.in_profile(point);
        let Slant { sin, cos, .. } = self.slant();
        (sin * out + cos * down, out)
    }

    /// The unit normal, outward, of a cone's side where it is nearest to a point; at the tip the
    /// axis, if the point is no farther from that than `unclear`.
    pub(super) fn outward_of_cone(&self, point: DVec3, unclear: f64) -> DVec3 {
        let (out, _, radial) = self.in_profile(point);
        if out > unclear { self.beside(radial) } else { self.axis }
    }

    /// From the centre of a cone to its farthest point along a direction.
    pub(super) fn farthest_of_cone(&self, d: DVec3) -> DVec3 {
        let along = self.half * d.dot(self.axis);
        if self.radius * d.cross(self.axis).length() - along > along {
            self.radius * unit_across(d, self.axis) - self.half * self.axis
        } else {
            self.half * self.axis
        }
    }

    /// How far that is, along a unit direction.
    pub(super) fn extent_of_cone(&self, d: DVec3) -> f64 {
        let along = self.half * d.dot(self.axis);
        along.max(self.radius * d.cross(self.axis).length() - along)
    }

    /// How far the tip reaches beyond the rim along a unit direction.
    pub(super) fn tip_over_rim(&self, d: DVec3) -> f64 {
        2.0 * self.half * d.dot(self.axis) - self.radius * d.cross(self.axis).length()
    }

    /// The radius of the largest ball in a cone.
    pub(super) fn ball_in_cone(&self) -> f64 {
        let Slant { sin, height, .. } = self.slant();
        height * sin / (1.0 + sin)
    }

    /// All points of a cone that are at least this deep in it, if there are any.
    pub(super) fn within_cone(&self, depth: f64) -> Option<Self> {
        let Slant { sin, height, .. } = self.slant();
        let left = height - depth * (1.0 + 1.0 / sin);
        let half = 0.5 * left;
        let centre = self.centre + (depth + half - self.half) * self.axis;
        let radius = self.radius * (left / height);
        (left > 0.0).then_some(Self { centre, half, radius, ..*self })
    }

    /// By how much of what a body overlaps another at a corner of it a point of both is deep in
    /// it, over a half: the sine of half of the sharpest angle of a cone, but for whose corners a
    /// quarter is enough.
    pub(super) fn keenness(&self) -> f64 {
        if self.kind != Kind::Cone {
            return 1.0;
        }
        let Slant { sin, .. } = self.slant();
        // Half of the angle between base and side is the other half of what that at the tip
        // leaves of a right angle.
        let of_rim = (0.5 * (1.0 - sin)).max(0.0).sqrt();
        (2.0 * sin.min(of_rim)).min(1.0)
    }

    /// The generator of a cone, from the tip down, at which a plane through a line touches the cone
    /// on that side of the axis where the line is: its unit vector, the normal of the plane outward
    /// and the sine between the two lines. None of lines that are as steep as the side, or steeper.
    ///
    /// With `u` along the line and `n = |a x u|²` the plane's normal has `m . u = 0` and
    /// `m . a = sin β`:
    ///
    /// ```text
    /// m = (sin β (a - (a . u) u) ± √D (u x a)) / n,   D = cos² β - (a . u)²
    /// ```
    ///
    /// and the sine is `√D / cos β`.
    pub(super) fn generator(&self, p: DVec3, u: DVec3) -> Option<(DVec3, DVec3, f64)> {
        let Slant { sin, cos, .. } = self.slant();
        let along = self.axis.dot(u);
        let rest = (cos - along.abs()) * (cos + along.abs());
        let sine = rest.max(0.0).sqrt() / cos;
        if sine < PARALLEL {
            return None;
        }
        let w = u.cross(self.axis);
        let side = 1.0_f64.copysign((p - self.end(1.0)).dot(w));
        let across = self.axis - along * u;
        let normal = (sin * across + side * rest.sqrt() * w) / w.length_squared();
        let down = sin * unit_across(normal, self.axis) - cos * self.axis;
        Some((down, normal, sine))
    }

    /// The corners of the box around a cone.
    pub(super) fn bounds_of_cone(&self) -> [DVec3; 2] {
        let flat = |c: f64| self.radius * (1.0 - c * c).max(0.0).sqrt();
        let DVec3 { x, y, z } = self.axis;
        let across = DVec3::new(flat(x), flat(y), flat(z));
        let [base, tip] = self.ends();
        [(base - across).min(tip), (base + across).max(tip)]
    }

    /// See [`Round::mass`].
    pub(super) fn mass_of_cone(&self, density: f64) -> Mass {
        let Slant { radius, height, .. } = self.slant();
        let [r_sq, height_sq] = [radius * radius, height * height];
        let mass = density * PI / 3.0 * r_sq * height;
        let along = 0.3 * mass * r_sq;
        let across = mass * (0.15 * r_sq + 0.0375 * height_sq);
        let axis = self.axis;
        let outer = DMat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z);
        let inertia = DMat3::from_diagonal(DVec3::splat(across)) + outer * (along - across);
        Mass { mass, centre: self.centre - 0.5 * self.half * axis, inertia }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions() -> impl Iterator<Item = DVec3> {
        (1..400).map(|i| {
            let t = f64::from(i);
            DVec3::new(t.sin(), (1.7 * t).cos(), (0.3 * t).sin()).normalize()
        })
    }

    fn cones() -> [Round; 3] {
        let ends = [[0.1, 0.2, 0.3], [0.8, -0.3, 0.5]];
        [0.5, 0.02, 20.0].map(|radius| Round::cone(ends, radius).expect("fits"))
    }

    #[test]
    fn what_is_within_is_as_deep_everywhere_and_reaches_as_far_as_it_can() {
        for cone in cones() {
            for share in [1e-6, 0.1, 0.6, 0.99] {
                let depth = share * cone.ball_in_cone();
                let inner = cone.within_cone(depth).expect("not too deep");
                for d in directions() {
                    let point = inner.centre + inner.farthest_of_cone(d);
                    let deep = -cone.distance(point);
                    assert!((deep - depth).abs() < 1e-14 * cone.reach(), "{depth} {d}: {deep}");
                }
            }
            assert!(cone.within_cone(1.01 * cone.ball_in_cone()).is_none());
        }
    }

    #[test]
    fn the_nearest_point_is_as_far_as_the_distance_says_and_no_other_is_nearer() {
        for cone in cones() {
            for (d, e) in directions().zip(directions().skip(7)) {
                let point = cone.centre + 1.3 * cone.reach() * d * d.x.abs();
                let [distance, nearest] =
                    [cone.distance(point), point.distance(cone.nearest(point))];
                assert!((distance.max(0.0) - nearest).abs() < 1e-13 * cone.reach(), "{point}");
                let other = cone.centre + cone.farthest_of_cone(e);
                assert!(distance.abs() <= point.distance(other) + 1e-13, "{point} {other}");
                let spare = cone.extent_of_cone(e) - e.dot(cone.nearest(point) - cone.centre);
                assert!(spare > -1e-13 * cone.reach(), "{point} {e}: {spare}");
            }
        }
    }

    #[test]
    fn the_plane_through_a_line_touches_the_cone_along_its_generator() {
        let mut count = 0;
        for cone in cones() {
            for (u, v) in directions().zip(directions().skip(11)) {
                let p = cone.centre + cone.reach() * v;
                let Some((down, normal, sine)) = cone.generator(p, u) else { continue };
                assert!(normal.dot(u).abs() < 1e-12 && normal.dot(down).abs() < 1e-12, "{u} {v}");
                assert!((normal.length() - 1.0).abs() < 1e-12, "{u} {v}");
                assert!((down.cross(u).length() - sine).abs() < 1e-12, "{u} {v}");
                let low = cone.end(1.0) + 0.3 * cone.slant().length * down;
                assert!(cone.distance(low).abs() < 1e-12, "{u} {v}");
                let over = cone.extent_of_cone(normal) + normal.dot(cone.centre - cone.end(1.0));
                assert!(over.abs() < 1e-12, "{u} {v}: {over}");
                count += 1;
            }
        }
        assert!(count > 300, "{count}");
    }
}
