//! Coordinates in which a screw motion is a translation [MATH 5].
//!
//! In cylindrical coordinates about the axis a screw only shifts angle and height. We scale the
//! angle to a length and put the origin near the bodies, at distance `r0` from the axis, so that
//! the chart becomes Cartesian as the angle of the motion goes to zero:
//!
//! ```text
//!        Y axis                 rho  distance from the axis, minus r0
//!        |                      s    r0 times the angle about the axis
//!        |    r0     O--> X, s  y    height along the axis
//!        |-----------+
//!        |           Z, rho     kappa = 1/r0,  sigma = theta r0 (the shift in s), g (in y)
//! ```
//!
//! The motion moves every point by `(sigma, g)` in the `(s, y)` plane. We turn that plane so that
//! the motion is along one coordinate: `tau` grows by `travel = hypot(sigma, g)` in the step, and
//! `rho` and `h` never change. Two features can touch only if their intervals of `rho` and `h`
//! overlap and those of `tau` do after B's is extended by `travel`.
//!
//! `s` is monotone along a segment and departs from a straight interpolation by at most
//! `kappa len² / (8 root²)`, `root` the smallest distance from the axis over `r0`; neither `h` nor
//! `tau` has an extremum inside a polygon. So bounds on segments bound everything.

use glam::{DMat3, DVec3};
use wide::f32x4;

use super::slab::{ROUNDING, Slab};
use crate::motion::Screw;
use crate::numeric::{ANGLE_ERROR, angle, lower, upper};

/// Closer to the axis than this, relative to `r0`, an angle is not trusted.
pub(super) const NEAR_AXIS: f64 = 1e-6;

/// Static bounds of a feature in the chart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Extent {
    pub(super) rho: [f64; 2],
    pub(super) h: [f64; 2],
    pub(super) tau: [f64; 2],
}

impl Extent {
    const EMPTY: Self = Self {
        rho: [f64::INFINITY, f64::NEG_INFINITY],
        h: [f64::INFINITY, f64::NEG_INFINITY],
        tau: [f64::INFINITY, f64::NEG_INFINITY],
    };

    #[cfg(test)]
    pub(super) const EVERYTHING: Self = Self {
        rho: [f64::NEG_INFINITY, f64::INFINITY],
        h: [f64::NEG_INFINITY, f64::INFINITY],
        tau: [f64::NEG_INFINITY, f64::INFINITY],
    };

    #[inline]
    fn join(&self, other: &Self) -> Self {
        let join = |p: [f64; 2], q: [f64; 2]| [lower(p[0], q[0]), upper(p[1], q[1])];
        Self {
            rho: join(self.rho, other.rho),
            h: join(self.h, other.h),
            tau: join(self.tau, other.tau),
        }
    }
}

/// A point in the chart, with its Cartesian coordinates in the chart's axes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ChartPoint {
    at: DVec3,
    pub(super) rho: f64,
    s: f64,
    pub(super) h: f64,
    tau: f64,
    /// Distance from the axis over `r0`; 1 for a translation.
    root: f64,
}

/// The chart of one relative screw motion. Lengths in the chart are in units of the reach of the
/// motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chart {
    /// Rows X, Y, Z, over the unit.
    pub(super) axes: DMat3,
    pub(super) origin: DVec3,
    pub(super) kappa: f64,
    /// `pi r0`; infinite for a translation.
    pub(super) half_turn: f64,
    /// Direction of the motion in the `(s, y)` plane.
    pub(super) toward: [f64; 2],
    /// How far the motion goes in `tau`.
    pub(crate) travel: f64,
    /// Shift of B in `s` during the step.
    sigma: f64,
    pub(super) widening: Widening,
}

/// What [`Chart::widened`] needs, in single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widening {
    kappa: f32,
    per_length_sq: f32,
    glide: f32,
    /// Rounding, and the error of [`angle`].
    pub(super) base: f32x4,
    /// How an error of `s` shows in each coordinate.
    pub(super) turned: f32x4,
    travel: f32x4,
}

/// Rounding of positions in units of the reach, generously.
pub(super) const PAD: f64 = 64.0 * f64::EPSILON;

/// Error of `s` at a distance `r0` from the axis: simple points have `|s| <= pi/2 reach` over
/// their distance from the axis in units of `r0`.
const ANGLE_PAD: f32 = 2.0 * ANGLE_ERROR as f32;

impl Chart {
    /// The chart of `screw` for bodies near the frame's origin: contacts lie within `radius` of it,
    /// and no coordinate exceeds `reach`.
    pub(crate) fn new(screw: &Screw, radius: f64, reach: f64) -> Self {
        let theta = screw.angle();
        let axis = if theta > 0.0 {
            screw.axis_direction()
        } else {
            screw.linear().try_normalize().map_or(DVec3::Y, |v| v.any_orthonormal_vector())
        };
        let across = screw.linear().reject_from_normalized(axis);
        let unit = if reach > 0.0 { reach } else { 1.0 };
        // Where the motion across the axis is all rounding, it may point along the axis.
        let level = across.try_normalize().map(|x| x.reject_from_normalized(axis));
        let (x, speed) = match level {
            Some(x) if x.length_squared() > 0.5 => (x.normalize(), across.length() / unit),
            _ => (axis.any_orthonormal_vector(), 0.0),
        };
        let z = x.cross(axis);
        // The frame's origin is at distance speed / theta from the axis; move outward if the axis
        // passes through the bodies.
        let distance = speed / theta;
        let r0 = distance.max(radius / unit).max(1e-6);
        let turning = theta > 0.0 && r0 < 1e30;
        let [kappa, sigma, shift] =
            if turning { [1.0 / r0, theta * r0, r0 - distance] } else { [0.0, speed, 0.0] };
        let g = screw.linear().dot(axis) / unit;
        let travel = sigma.hypot(g);
        let toward = if travel > 0.0 { [sigma / travel, g / travel] } else { [1.0, 0.0] };
        let [along_s, along_y] = toward.map(|c| c.abs() as f32);
        let base = ROUNDING + 2.0 * PAD as f32;
        Self {
            axes: DMat3::from_cols(x, axis, z).transpose() * (1.0 / unit),
            origin: z * (shift * unit),
            kappa,
            half_turn: if turning { std::f64::consts::PI * r0 } else { f64::INFINITY },
            toward,
            travel,
            sigma,
            widening: Widening {
                kappa: kappa as f32,
                per_length_sq: (kappa / (unit * unit)) as f32,
                glide: along_y,
                base: f32x4::new([base, base, base, 0.0]),
                turned: f32x4::new([0.0, along_y, along_s, 0.0]),
                travel: f32x4::new([0.0, 0.0, travel as f32, 0.0]),
            },
        }
    }

    #[inline]
    pub(super) fn root(&self, x: f64, z: f64) -> [f64; 3] {
        let [cx, cz] = [self.kappa * x, 1.0 + self.kappa * z];
        [cx, cz, (cx * cx + cz * cz).sqrt()]
    }

    #[inline]
    pub(super) fn rho(&self, x: f64, z: f64, root: f64) -> f64 {
        (2.0 * z + self.kappa * (x * x + z * z)) / (1.0 + root)
    }

    /// A point of the frame in the chart.
    #[inline]
    pub(crate) fn point(&self, point: DVec3) -> ChartPoint {
        let at = self.axes * (point - self.origin);
        let [cx, cz, root] = self.root(at.x, at.z);
        let s = if self.kappa > 0.0 { angle(cx, cz) / self.kappa } else { at.x };
        let [c, g] = self.toward;
        let [h, tau] = [c * at.y - g * s, g * at.y + c * s];
        ChartPoint { at, rho: self.rho(at.x, at.z, root), s, h, tau, root }
    }

    /// The slab of a point, not widened yet.
    #[inline]
    pub(crate) fn slab(&self, p: &ChartPoint) -> Slab {
        // Within a quarter-turn of the middle, straight lines between points do not wrap.
        let simple = (p.s.abs() < 0.499 * self.half_turn) & (p.root > 2e-2);
        Slab::of_point(p.rho, p.h, p.tau, simple)
    }

    /// Widens the joined slabs of corners by what straight lines between them can add, if these
    /// are no longer than the root of `length_sq` (in the frame's units). Also returns how far such
    /// a line departs from its chord in `(rho, h)`. `None` if a line may come so close to the axis
    /// that these bounds are useless.
    ///
    /// A chord of length `len` between points no nearer than `root` comes no nearer than
    /// `low = sqrt(root² - (kappa len / 2)²)`. The distance from the axis is convex along it, with
    /// a second derivative of at most `len²` over that distance, so `rho` departs from its linear
    /// interpolation by at most an eighth of that, downward.
    #[inline]
    pub(crate) fn widened(&self, slab: &Slab, length_sq: f64) -> Option<(Slab, f32)> {
        let Widening { kappa, per_length_sq, glide, base, turned, .. } = self.widening;
        let bulge = per_length_sq * length_sq as f32;
        let root = 1.0 + kappa * slab.low_rho();
        let root_sq = root * root;
        let low_sq = root_sq - 0.2501 * kappa * bulge;
        // Beyond 1e6 in units of r0 singles do not tell distances from the axis any more.
        if !(slab.is_simple() && root > 1e-2 && root < 1e6 && low_sq > 0.04 * root_sq) {
            return None;
        }
        let inverse = 1.0 / low_sq;
        // 0.126 instead of 1/8 covers the rounding of these bounds themselves.
        let bend = 0.126 * bulge * inverse;
        let dip = bend * low_sq.sqrt();
        let turn = ANGLE_PAD * (1.0 + inverse) + bend;
        let high = base + turned * f32x4::splat(turn);
        let low = high + f32x4::new([dip, 0.0, 0.0, 0.0]);
        let slack = dip + glide * turn + 2.0 * ROUNDING;
        Some((slab.widened(low, high), slack))
    }

    /// The same bounds, covering the whole way of something that moves.
    #[inline]
    pub(crate) fn swept(&self, slab: &Slab) -> Slab {
        slab.widened(f32x4::splat(0.0), self.widening.travel)
    }

    /// The slab of a segment or polygon that [`Chart::widened`] cannot bound.
    #[cold]
    pub(crate) fn awkward<'p>(
        &self,
        corners: impl Iterator<Item = &'p ChartPoint> + Clone,
    ) -> Slab {
        Slab::new(&self.polygon(corners))
    }

    /// Bounds from intervals of `rho`, `s` and `y`, by interval arithmetic and padded.
    #[inline]
    fn extent(&self, rho: [f64; 2], s: [f64; 2], y: [f64; 2], root: f64) -> Extent {
        let pad = PAD;
        if root < NEAR_AXIS {
            return self.extent_all_around(rho, y);
        }
        let [c, g] = self.toward;
        let turned = pad / root + ANGLE_ERROR * s[0].abs().max(s[1].abs());
        let combine = |p: f64, u: [f64; 2], q: f64, w: [f64; 2]| {
            let [u, w] = [scaled(p, u), scaled(q, w)];
            [u[0] + w[0], u[1] + w[1]]
        };
        let h = combine(c, y, -g, s);
        let tau = combine(g, y, c, s);
        let h_pad = c * pad + g.abs() * turned;
        let tau_pad = g.abs() * pad + c * turned;
        Extent { rho: padded(rho, pad), h: padded(h, h_pad), tau: padded(tau, tau_pad) }
    }

    /// Bounds of something that goes all around the axis.
    pub(super) fn extent_all_around(&self, rho: [f64; 2], y: [f64; 2]) -> Extent {
        let everything = [f64::NEG_INFINITY, f64::INFINITY];
        let [c, g] = self.toward;
        let along = |of_y: f64, of_s: f64| {
            if of_s == 0.0 { padded(scaled(of_y, y), PAD) } else { everything }
        };
        Extent { rho: padded(rho, PAD), h: along(c, g), tau: along(g, c) }
    }

    /// Bounds of a segment whose angle runs between the given values of `s`.
    #[inline]
    fn stretch(&self, p: &ChartPoint, q: &ChartPoint, s: [f64; 2]) -> (Extent, bool) {
        let [low_rho, root] = self.closest(p, q);
        let rho = [low_rho.min(p.rho.min(q.rho)), p.rho.max(q.rho)];
        let y = sorted([p.at.y, q.at.y]);
        if root < NEAR_AXIS {
            return (self.extent_all_around(rho, y), true);
        }
        let rough = self.extent(rho, sorted(s), y, root);
        let [dx, dz] = [q.at.x - p.at.x, q.at.z - p.at.z];
        // 0.126 instead of 1/8 covers the rounding of this bound itself.
        let bend = 0.126 * self.kappa * (dx * dx + dz * dz) / (root * root);
        let [c, g] = self.toward;
        let turned = PAD / root + bend + ANGLE_ERROR * s[0].abs().max(s[1].abs());
        let along = |of_y: f64, of_s: f64, rough: [f64; 2]| {
            let ends = sorted([of_y * p.at.y + of_s * s[0], of_y * q.at.y + of_s * s[1]]);
            let fine = padded(ends, of_y.abs() * PAD + of_s.abs() * turned);
            [fine[0].max(rough[0]), fine[1].min(rough[1])]
        };
        let h = along(c, -g, rough.h);
        let tau = along(g, c, rough.tau);
        (Extent { rho: rough.rho, h, tau }, false)
    }

    /// The lowest `rho` on a segment and the smallest `root`.
    #[inline]
    fn closest(&self, p: &ChartPoint, q: &ChartPoint) -> [f64; 2] {
        let [cx, cz] = [self.kappa * p.at.x, 1.0 + self.kappa * p.at.z];
        let [dx, dz] = [q.at.x - p.at.x, q.at.z - p.at.z];
        let [ex, ez] = [self.kappa * dx, self.kappa * dz];
        let [along, length_sq] = [-(cx * ex + cz * ez), ex * ex + ez * ez];
        let nearer = if p.rho < q.rho { p } else { q };
        if along <= 0.0 || along >= length_sq {
            return [nearer.rho, nearer.root];
        }
        let f = along / length_sq;
        let [x, z] = [p.at.x + f * dx, p.at.z + f * dz];
        let [_, _, root] = self.root(x, z);
        [self.rho(x, z, root).min(nearer.rho), root.min(nearer.root)]
    }

    /// Bounds of a polygon, or of a segment as a polygon with two corners, that may be near the
    /// axis or wrap around it; a single point is a polygon with one corner.
    fn polygon<'p>(&self, corners: impl Iterator<Item = &'p ChartPoint> + Clone) -> Extent {
        let mut extent = Extent::EMPTY;
        let mut y = [f64::INFINITY, f64::NEG_INFINITY];
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        let mut s = None;
        let mut around = false;
        let mut total = 0.0;
        let next = corners.clone().cycle().skip(1);
        for (p, q) in corners.zip(next) {
            let from = *s.get_or_insert(p.s);
            let mut turn = q.s - p.s;
            if turn.abs() > self.half_turn {
                turn -= turn.signum() * 2.0 * self.half_turn;
            }
            let (one, at_axis) = self.stretch(p, q, [from, from + turn]);
            extent = extent.join(&one);
            around |= at_axis;
            y = [y[0].min(p.at.y), y[1].max(p.at.y)];
            range = [range[0].min(from + turn), range[1].max(from + turn)];
            s = Some(from + turn);
            total += turn;
        }
        // A loop that goes round the axis is pierced by it, so it reaches down to the axis.
        if around || total.abs() > self.half_turn || range[1] - range[0] > self.half_turn {
            let at_axis = if self.kappa > 0.0 { -1.0 / self.kappa } else { extent.rho[0] };
            return self.extent_all_around([at_axis, extent.rho[1]], y);
        }
        self.centred(extent, 0.5 * (range[0] + range[1]))
    }

    /// The same bounds with whole turns removed, so that the middle lies within a half-turn.
    fn centred(&self, extent: Extent, middle: f64) -> Extent {
        if middle.abs() <= self.half_turn {
            return extent;
        }
        let turns = -(middle / (2.0 * self.half_turn)).round();
        self.shifted(&extent, turns as i32)
    }

    /// How `h` and `tau` change with whole turns.
    fn shift(&self, turns: i32) -> [f64; 2] {
        let s = 2.0 * self.half_turn * f64::from(turns);
        let [c, g] = self.toward;
        [if g == 0.0 { 0.0 } else { -g * s }, if c == 0.0 { 0.0 } else { c * s }]
    }

    /// The same place, whole turns further.
    fn shifted(&self, extent: &Extent, turns: i32) -> Extent {
        let [h, tau] = self.shift(turns);
        let slide = |range: [f64; 2], by: f64| [range[0] + by, range[1] + by];
        Extent { rho: extent.rho, h: slide(extent.h, h), tau: slide(extent.tau, tau) }
    }

    /// The same place, whole turns further.
    #[inline(always)]
    pub(crate) fn turned(&self, slab: &Slab, turns: i32) -> Slab {
        if turns == 0 {
            return *slab;
        }
        let [h, tau] = self.shift(turns).map(|by| by as f32);
        slab.moved(f32x4::new([0.0, h, tau, 0.0]))
    }

    /// Which whole turns of A can meet B, given the intervals in `s` of both at the start.
    pub(crate) fn turns(&self, a: [f64; 2], b: [f64; 2]) -> std::ops::RangeInclusive<i32> {
        if self.half_turn == f64::INFINITY {
            return 0..=0;
        }
        // Features of bodies that cross the cut or surround the axis can lie a turn away.
        let wide = |range: [f64; 2]| range[0] < -self.half_turn || range[1] > self.half_turn;
        if wide(a) || wide(b) {
            return -1..=1;
        }
        let possible = |k: f64| {
            let shift = 2.0 * self.half_turn * k;
            a[0] + shift <= b[1] + self.sigma && b[0] <= a[1] + shift
        };
        -i32::from(possible(-1.0))..=i32::from(possible(1.0))
    }
}

#[inline]
fn sorted(pair: [f64; 2]) -> [f64; 2] {
    [lower(pair[0], pair[1]), upper(pair[0], pair[1])]
}

#[inline]
fn scaled(factor: f64, range: [f64; 2]) -> [f64; 2] {
    sorted([factor * range[0], factor * range[1]])
}

#[inline]
pub(super) fn padded(range: [f64; 2], pad: f64) -> [f64; 2] {
    [range[0] - pad, range[1] + pad]
}

#[cfg(test)]
mod tests {
    use super::super::chord::Chord;
    use super::super::hull::Hull;
    use super::*;

    #[test]
    fn sliding_along_the_axis_leaves_the_chart_upright() {
        let axis = DVec3::new(0.3, -0.8, 0.52).normalize();
        for speed in [0.0, 1e-12, 0.6] {
            let screw = Screw::from_twist(axis * 3.0, axis * speed).unwrap();
            let chart = Chart::new(&screw, 1.0, 1.0);
            assert!((chart.axes.determinant().abs() - 1.0).abs() < 1e-12, "{:?}", chart.axes);
        }
    }

    /// Points of features, carried by the motion, stay inside the features' bounds.
    #[test]
    fn bounds_hold_along_the_motion() {
        let mut state = 99u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut vector = |size: f64| DVec3::new(random(), random(), random()) * size;
        for case in 0..3000 {
            let turn = [0.0, 1e-12, 1e-3, 0.5, 1.7][case % 5];
            let scale = [1.0, 1e-3, 1e60][case % 3];
            let screw = Screw::from_twist(vector(turn), vector(1.5 * scale)).unwrap();
            let chart = Chart::new(&screw, scale, 10.0 * scale);
            let corners = [vector(scale), vector(scale), vector(scale)];
            let charted = corners.map(|p| chart.point(p));
            let face = chart.swept(&bounded(&chart, &charted, &corners).0);
            let (segment, slack) = bounded(&chart, &charted[..2], &corners[..2]);
            for i in 0..30 {
                let [u, v] = [f64::from(i % 6) / 5.0, f64::from(i / 6) / 5.0];
                let weights = if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] };
                let inside = corners[0]
                    + weights[0] * (corners[1] - corners[0])
                    + weights[1] * (corners[2] - corners[0]);
                let moved = screw.pose_at(u).point(inside);
                assert!(reaches(&chart, &face, moved), "{case} {i}");
                let on_edge = corners[0] + u * (corners[1] - corners[0]);
                assert!(reaches(&chart, &segment, on_edge), "edge {case} {i}");
                let dot = chart.point(on_edge);
                let chord = Chord::new(&charted[0], &charted[1], f64::from(slack));
                assert!(chord.may_cross(&Chord::new(&dot, &dot, 0.0)), "{case} {i}");
            }
        }
    }

    #[test]
    fn boxes_hold_what_is_in_them() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut vector = |size: f64| DVec3::new(random(), random(), random()) * size;
        for case in 0..5000 {
            let turn = [0.0, 1e-9, 0.5, 1.7][case % 4];
            let screw = Screw::from_twist(vector(turn), vector(1.5)).unwrap();
            let chart = Chart::new(&screw, 1.0, 10.0);
            let turned = DMat3::from_quat(glam::DQuat::from_scaled_axis(vector(2.0)));
            let [offset, centre] = [vector(1.0), vector(1.0)];
            let sides = DMat3::from_cols(vector(0.3), vector(0.3), vector(0.3));
            let frame = chart.frame(&turned, offset, 2.0);
            let (slab, _) = chart.boxed(&frame, &Hull::new(centre, sides, 2.0));
            for _ in 0..10 {
                let inside = turned * (centre + sides * vector(1.0)) + offset;
                assert!(reaches(&chart, &slab, inside), "{case}");
            }
        }
    }

    fn bounded(chart: &Chart, charted: &[ChartPoint], corners: &[DVec3]) -> (Slab, f32) {
        let slab = charted.iter().fold(Slab::EMPTY, |all, p| all.join(&chart.slab(p)));
        let next = corners.iter().cycle().skip(1);
        let length_sq = corners.iter().zip(next).map(|(p, q)| p.distance_squared(*q));
        let length_sq = length_sq.fold(0.0, f64::max);
        let widened = chart.widened(&slab, length_sq);
        widened.unwrap_or_else(|| (chart.awkward(charted.iter()), f32::INFINITY))
    }

    fn reaches(chart: &Chart, slab: &Slab, point: DVec3) -> bool {
        let point = chart.point(point);
        let of_point = chart.awkward([point].iter());
        let turns = if chart.half_turn.is_finite() { -2..=2 } else { 0..=0 };
        turns.into_iter().any(|k| chart.turned(slab, k).overlaps(&of_point))
    }
}
