//! The projection of [`Axes`](crate::screen::place::axes::Axes) in single precision, four points at
//! a time.
//!
//! Lengths are in pixels from the origin of the screen, which is near the bodies. Singles then err
//! by less than a thousandth of a pixel on bodies of ten thousand pixels, and nothing on a screen
//! asks for more. Where the curvature is below their rounding the screen is flat to them.

use wide::f32x4;

use crate::screen::place::axes::Dot;

/// A point along X, Y and Z, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::screen) struct Spot {
    pub(in crate::screen) x: f32,
    pub(in crate::screen) y: f32,
    pub(in crate::screen) z: f32,
}

impl Spot {
    pub(in crate::screen) fn to_array(self) -> [f32; 3] {
        [self.x, self.y, self.z]
    }

    #[inline]
    pub(in crate::screen) fn between(p: Self, q: Self, f: f32) -> Self {
        let mix = |a: f32, b: f32| a + f * (b - a);
        Self { x: mix(p.x, q.x), y: mix(p.y, q.y), z: mix(p.z, q.z) }
    }
}

/// The numbers of a screen, in every lane.
#[derive(Clone, Copy, Debug)]
pub(in crate::screen) struct Lanes {
    pub(in crate::screen) kappa: f32,
    pub(in crate::screen) sigma: f32,
    pub(in crate::screen) glide: f32,
}

/// `atan(t) / t` as a polynomial in `t²` on `[0, 1]`, interpolated at Chebyshev points; the error
/// is below 8e-7.
const ARC: [f32; 7] = [
    0.999_999_2,
    -0.333_256_78,
    0.198_720_4,
    -0.134_478_64,
    0.083_126_456,
    -0.036_360_43,
    0.007_648_354,
];

impl Lanes {
    /// Where four points fall on the screen: `rho`, `h` and `t`.
    #[inline]
    pub(in crate::screen) fn places(&self, [x, y, z]: [f32x4; 3]) -> [f32x4; 3] {
        let [one, kappa] = [f32x4::splat(1.0), f32x4::splat(self.kappa)];
        let [cx, cz] = [kappa * x, one + kappa * z];
        let root = (cx * cx + cz * cz).sqrt();
        let rho = (z + z + kappa * (x * x + z * z)) / (one + root);
        let s = if self.kappa > 0.0 { angle(cx, cz) / kappa } else { x };
        let across = f32x4::splat(self.sigma) * root.fast_max(f32x4::splat(1e-12));
        let glide = f32x4::splat(self.glide);
        let arc = root * s;
        let inverse = one / (across * across + glide * glide).sqrt();
        let h = (y * across - arc * glide) * inverse;
        let t = (y * glide + arc * across) * inverse * inverse;
        [rho, h, t]
    }

    /// The same as dots.
    #[inline]
    fn dots(&self, x: f32x4, y: f32x4, z: f32x4) -> [Dot; 4] {
        let [rho, h, t] = self.places([x, y, z]).map(f32x4::to_array);
        [0, 1, 2, 3].map(|i| Dot { rho: rho[i], h: h[i], t: t[i] })
    }

    /// Three points between two, at the quarters.
    #[inline]
    pub(in crate::screen) fn quarters(&self, p: Spot, q: Spot) -> [Dot; 3] {
        let f = f32x4::new([0.25, 0.5, 0.75, 0.5]);
        let mix = |a: f32, b: f32| f32x4::splat(a) + f * f32x4::splat(b - a);
        let [a, m, b, _] = self.dots(mix(p.x, q.x), mix(p.y, q.y), mix(p.z, q.z));
        [a, m, b]
    }

    /// Where two points fall.
    #[inline]
    pub(in crate::screen) fn pair(&self, [p, q]: [Spot; 2]) -> [Dot; 2] {
        let two = |a: f32, b: f32| f32x4::new([a, b, a, b]);
        let [p, q, ..] = self.dots(two(p.x, q.x), two(p.y, q.y), two(p.z, q.z));
        [p, q]
    }

    /// Where four points fall.
    #[inline]
    pub(in crate::screen) fn four(&self, of: [Spot; 4]) -> [Dot; 4] {
        let lane = |of: [f32; 4]| f32x4::new(of);
        self.dots(lane(of.map(|s| s.x)), lane(of.map(|s| s.y)), lane(of.map(|s| s.z)))
    }

    /// Appends where points fall.
    pub(in crate::screen) fn project(&self, spots: &[Spot], dots: &mut Vec<Dot>) {
        let mut chunks = spots.chunks_exact(4);
        for chunk in &mut chunks {
            dots.extend(self.four([chunk[0], chunk[1], chunk[2], chunk[3]]));
        }
        let rest = chunks.remainder();
        let last = |i: usize| rest.get(i).copied().unwrap_or_default();
        dots.extend(&self.four([last(0), last(1), last(2), last(3)])[..rest.len()]);
    }
}

/// `atan2(y, x)`.
#[inline]
fn angle(y: f32x4, x: f32x4) -> f32x4 {
    let [ax, ay] = [x.abs(), y.abs()];
    let t = ax.fast_min(ay) / ax.fast_max(ay).fast_max(f32x4::splat(f32::MIN_POSITIVE));
    let z = t * t;
    let [c0, c1, c2, c3, c4, c5, c6] = ARC.map(f32x4::splat);
    let w = z * z;
    let small = t * ((c0 + c1 * z) + w * ((c2 + c3 * z) + w * ((c4 + c5 * z) + w * c6)));
    let quarter =
        ay.simd_gt(ax).bitselect(f32x4::splat(std::f32::consts::FRAC_PI_2) - small, small);
    let half = x
        .simd_lt(f32x4::splat(0.0))
        .bitselect(f32x4::splat(std::f32::consts::PI) - quarter, quarter);
    half | (y & f32x4::splat(-0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_in_singles_are_good_to_a_few_units() {
        for i in -1000..=1000 {
            let exact = f64::from(i) * 0.003;
            for radius in [1e-3, 1.0, 7.0] {
                let [y, x] = [radius * exact.sin(), radius * exact.cos()].map(|c| c as f32);
                let found = angle(f32x4::splat(y), f32x4::splat(x)).to_array()[0];
                let error = (f64::from(found) - exact).abs();
                assert!(error <= 2e-6 * exact.abs() + 1e-9, "{exact} {found}");
            }
        }
    }
}
