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
use wide::{f32x4, f64x2};

use super::chord::{Chords, Ends};
use super::slab::{Quad, ROUNDING, Slab};
use crate::motion::Screw;
use crate::numeric::Elementary;
use crate::numeric::{ANGLE_ERROR, angle, angles, lower, upper};

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
    rho: f64,
    s: f64,
    /// Distance from the axis over `r0`; 1 for a translation.
    root: f64,
}

/// What most features need of a point in the chart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spot {
    /// As in a slab, not widened yet.
    pub(super) at: f32x4,
}

impl Spot {
    /// Where the point is, and no more.
    #[inline(always)]
    pub(crate) fn slab(&self) -> Slab {
        Slab::of_point(self.at)
    }
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
    lanes: Lanes,
    pub(super) widening: Widening,
}

/// What [`Chart::spots`] needs, twice.
#[derive(Clone, Copy, Debug)]
struct Lanes {
    axes: [[f64x2; 3]; 3],
    origin: [f64x2; 3],
    kappa: f64x2,
    toward: [f64x2; 2],
}

/// What [`Chart::widened`] needs, in single precision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widening {
    kappa: f32x4,
    per_length_sq: f32x4,
    /// How an error of `s` shows in `h` and `tau`.
    glide: f32x4,
    advance: f32x4,
    /// Rounding, and the error of [`angle`].
    pub(super) base: f32x4,
    /// How an error of `s` shows in each coordinate.
    pub(super) turned: f32x4,
    travel: f32,
}

/// Bounds of four features, and of each how far lines on it depart from their chords in
/// `(rho, h)`.
pub(crate) struct Widened {
    pub(crate) quad: Quad,
    pub(crate) slacks: f32x4,
    /// Which of the four could not be bounded, as bits.
    pub(crate) awkward: u32,
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
        let travel = sigma.hypotenuse(g);
        let toward = if travel > 0.0 { [sigma / travel, g / travel] } else { [1.0, 0.0] };
        let [along_s, along_y] = toward.map(|c| c.abs() as f32);
        let base = ROUNDING + 2.0 * PAD as f32;
        let axes = DMat3::from_cols(x, axis, z).transpose() * (1.0 / unit);
        let origin = z * (shift * unit);
        Self {
            axes,
            origin,
            kappa,
            half_turn: if turning { std::f64::consts::PI * r0 } else { f64::INFINITY },
            toward,
            travel,
            sigma,
            lanes: Lanes {
                axes: axes.to_cols_array_2d().map(|column| column.map(f64x2::splat)),
                origin: origin.to_array().map(f64x2::splat),
                kappa: f64x2::splat(kappa),
                toward: toward.map(f64x2::splat),
            },
            widening: Widening {
                kappa: f32x4::splat(kappa as f32),
                per_length_sq: f32x4::splat((kappa / (unit * unit)) as f32),
                glide: f32x4::splat(along_y),
                advance: f32x4::splat(along_s),
                base: f32x4::new([base, base, base, 0.0]),
                turned: f32x4::new([0.0, along_y, along_s, 0.0]),
                travel: travel as f32,
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
        ChartPoint { at, rho: self.rho(at.x, at.z, root), s, root }
    }

    /// Two points of the frame at once, as [`Chart::point`] has them.
    #[inline]
    pub(crate) fn spots(&self, [p, q]: [DVec3; 2]) -> [Spot; 2] {
        let Lanes { axes, origin, kappa, toward: [c, g] } = &self.lanes;
        let [u, v, w] = [0, 1, 2].map(|i| f64x2::new([p[i], q[i]]) - origin[i]);
        let [x, y, z] = [0, 1, 2].map(|i| axes[0][i] * u + axes[1][i] * v + axes[2][i] * w);
        let [cx, cz] = [*kappa * x, f64x2::ONE + *kappa * z];
        let root = (cx * cx + cz * cz).sqrt();
        let s = if self.kappa > 0.0 { angles(cx, cz) / *kappa } else { x };
        let rho = (f64x2::splat(2.0) * z + *kappa * (x * x + z * z)) / (f64x2::ONE + root);
        let [h, tau] = [*c * y - *g * s, *g * y + *c * s];
        // Within a quarter-turn of the middle, straight lines between points do not wrap.
        let simple = s.abs().simd_lt(f64x2::splat(0.499 * self.half_turn))
            & root.simd_gt(f64x2::splat(2e-2));
        let simple = simple.to_bitmask();
        let [rho, h, tau] = [rho, h, tau].map(f64x2::to_array);
        [0, 1].map(|i| {
            let flag = if simple >> i & 1 == 1 { 0.0 } else { -1.0 };
            let at = f32x4::new([rho[i] as f32, h[i] as f32, tau[i] as f32, flag]);
            Spot { at }
        })
    }

    /// Widens the joined slabs of the corners of four features by what straight lines between them
    /// can add, if these are no longer than the roots of `length_sq` (in the frame's units). Empty
    /// slabs stay so, and those whose lines may come so close to the axis that these bounds are
    /// useless are left to [`Chart::awkward`].
    ///
    /// A chord of length `len` between points no nearer than `root` comes no nearer than
    /// `low = sqrt(root² - (kappa len / 2)²)`. The distance from the axis is convex along it, with
    /// a second derivative of at most `len²` over that distance, so `rho` departs from its linear
    /// interpolation by at most an eighth of that, downward.
    #[inline]
    pub(crate) fn widened(&self, slabs: &[Slab; 4], length_sq: [f32; 4]) -> Widened {
        self.widened_four(Quad::new(slabs), length_sq)
    }

    /// The same bounds of four segments, and their chords on the screen without slacks.
    #[inline]
    pub(crate) fn segments(&self, Ends { ends, length_sq, absent }: &Ends) -> (Widened, Chords) {
        let [p, q] = ends.map(f32x4::transpose);
        let chords = Chords::new([p[0], p[1]], [q[0], q[1]]);
        let slabs = Quad::between(p, q, f32x4::new(*absent));
        (self.widened_four(slabs, *length_sq), chords)
    }

    #[inline(always)]
    fn widened_four(&self, (quad, simple): (Quad, f32x4), length_sq: [f32; 4]) -> Widened {
        let Widening { kappa, per_length_sq, glide, advance, base, .. } = self.widening;
        let all = f32x4::splat;
        let bulge = per_length_sq * f32x4::new(length_sq);
        let root = f32x4::ONE + kappa * quad.low_rho();
        let root_sq = root * root;
        let low_sq = root_sq - all(0.2501) * kappa * bulge;
        // Beyond 1e6 in units of r0 singles do not tell distances from the axis any more.
        let ok = simple.simd_gt(all(-0.5))
            & root.simd_gt(all(1e-2))
            & root.simd_lt(all(1e6))
            & low_sq.simd_gt(all(0.04) * root_sq);
        let empty = quad.low_rho().simd_ge(all(f32::INFINITY));
        let inverse = f32x4::ONE / low_sq;
        // 0.126 instead of 1/8 covers the rounding of these bounds themselves.
        let bend = all(0.126) * bulge * inverse;
        let dip = bend * low_sq.sqrt();
        let turn = all(ANGLE_PAD) * (f32x4::ONE + inverse) + bend;
        let base = all(base.as_array()[0]);
        let [drift, shift] = [glide * turn, advance * turn];
        let high = [base & ok, (base + drift) & ok, (base + shift) & ok];
        let low = [(base + dip) & ok, high[1], high[2]];
        let slacks = dip + drift + all(2.0 * ROUNDING);
        Widened {
            slacks: ok.bitselect(slacks, all(f32::INFINITY)),
            awkward: !(ok | empty).to_bitmask() & 0b1111,
            quad: quad.widened(low, high),
        }
    }

    /// The same bounds, covering the whole way of something that moves.
    #[inline]
    pub(crate) fn swept(&self, slab: &Slab) -> Slab {
        let travel = f32x4::new([0.0, 0.0, self.widening.travel, 0.0]);
        slab.widened(f32x4::ZERO, travel)
    }

    /// The same bounds of four, covering the whole way of something that moves.
    #[inline]
    pub(crate) fn swept_four(&self, quad: &Quad) -> Quad {
        let still = [f32x4::ZERO; 3];
        quad.widened(still, [f32x4::ZERO, f32x4::ZERO, f32x4::splat(self.widening.travel)])
    }

    /// The slab of a segment or polygon that [`Chart::widened`] cannot bound.
    #[cold]
    pub(crate) fn awkward(&self, corners: impl Iterator<Item = ChartPoint>) -> Slab {
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
    fn polygon(&self, mut corners: impl Iterator<Item = ChartPoint>) -> Extent {
        let mut extent = Extent::EMPTY;
        let mut y = [f64::INFINITY, f64::NEG_INFINITY];
        let mut range = [f64::INFINITY, f64::NEG_INFINITY];
        let mut around = false;
        let mut total = 0.0;
        let Some(first) = corners.next() else { return extent };
        let (mut p, mut from) = (first, first.s);
        // A corner costs more than a side, so each is looked at once.
        for q in corners.chain([first]) {
            let mut turn = q.s - p.s;
            if turn.abs() > self.half_turn {
                turn -= turn.signum() * 2.0 * self.half_turn;
            }
            let (one, at_axis) = self.stretch(&p, &q, [from, from + turn]);
            extent = extent.join(&one);
            around |= at_axis;
            y = [y[0].min(p.at.y), y[1].max(p.at.y)];
            range = [range[0].min(from + turn), range[1].max(from + turn)];
            from += turn;
            total += turn;
            p = q;
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
    use super::super::cover::Cover;
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
            let spots = corners.map(|p| chart.spots([p; 2])[1]);
            let face = chart.swept(&bounded(&chart, &corners).0);
            let (segment, slack) = bounded(&chart, &corners[..2]);
            let cover = cover(&chart, &screw, &corners);
            for i in 0..30 {
                let [u, v] = [f64::from(i % 6) / 5.0, f64::from(i / 6) / 5.0];
                let weights = if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] };
                let inside = corners[0]
                    + weights[0] * (corners[1] - corners[0])
                    + weights[1] * (corners[2] - corners[0]);
                let moved = screw.pose_at(u).point(inside);
                assert!(reaches(&chart, &face, moved), "{case} {i}");
                assert!(cover.may_hold(&chart.spots([inside; 2])[0], 0.0), "{case} {i}");
                let on_edge = corners[0] + u * (corners[1] - corners[0]);
                assert!(reaches(&chart, &segment, on_edge), "edge {case} {i}");
                let [dot, _] = chart.spots([on_edge; 2]);
                let chord = segment_of([&spots[0], &spots[1]]).with_slacks([slack; 4]);
                assert_eq!(chord.crossing(&segment_of([&dot; 2])), 0b1111, "{case} {i}");
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
            let (slab, _) = chart.boxed(&frame, &Hull::new(centre, (sides, DVec3::ONE), 2.0));
            for _ in 0..10 {
                let inside = turned * (centre + sides * vector(1.0)) + offset;
                assert!(reaches(&chart, &slab, inside), "{case}");
            }
        }
    }

    /// The chord between two places, four times.
    fn segment_of(ends: [&Spot; 2]) -> Chords {
        let [from, to] = ends.map(|spot| f32x4::transpose([spot.at; 4]));
        Chords::new([from[0], from[1]], [to[0], to[1]])
    }

    fn cover(chart: &Chart, screw: &Screw, corners: &[DVec3; 3]) -> Cover {
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let speeds = corners.map(|p| normal.dot(screw.flow(p)));
        let slack = bounded(chart, corners).1;
        let is_passed = speeds.iter().all(|v| *v > 0.0) || speeds.iter().all(|v| *v < 0.0);
        if !is_passed || slack == f32::INFINITY {
            return Cover::EVERYTHING;
        }
        let spots = corners.map(|p| chart.spots([p; 2])[0]);
        Cover::new(|i| &spots[i], 3, slack)
    }

    fn bounded(chart: &Chart, corners: &[DVec3]) -> (Slab, f32) {
        let spots = corners.iter().map(|p| chart.spots([*p; 2])[0]);
        let slab = spots.fold(Slab::EMPTY, |all, spot| all.join(&spot.slab()));
        let next = corners.iter().cycle().skip(1);
        let length_sq = corners.iter().zip(next).map(|(p, q)| p.distance_squared(*q));
        let length_sq = length_sq.fold(0.0, f64::max) as f32;
        let four = [Slab::EMPTY, Slab::EMPTY, slab, Slab::EMPTY];
        let Widened { quad, slacks, awkward } = chart.widened(&four, [0.0, 0.0, length_sq, 0.0]);
        if awkward == 0 {
            (quad.slab(2), slacks.as_array()[2])
        } else {
            (chart.awkward(corners.iter().map(|p| chart.point(*p))), f32::INFINITY)
        }
    }

    fn reaches(chart: &Chart, slab: &Slab, point: DVec3) -> bool {
        let of_point = chart.awkward([chart.point(point)].into_iter());
        let turns = if chart.half_turn.is_finite() { -2..=2 } else { 0..=0 };
        turns.into_iter().any(|k| chart.turned(slab, k).overlaps(&of_point))
    }
}
