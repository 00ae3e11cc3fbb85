//! One cell: what the distances at its eight corners say about those within.
//!
//! Lengths are in cells. With `f` the signed distance, `p` the point, `x_i` the corners,
//! `r_i = |p - x_i|` and `f_i` the distance at a corner:
//!
//! 1. `f` changes no more than the place does, so `f_i - r_i <= f(p) <= f_i + r_i`. The largest of
//!    the lower and the smallest of the upper bounds cannot be improved upon by this property alone
//!    [McShane34], and contain what interpolation gives: with weights `w_i` of sum 1,
//!
//!    ```text
//!    max (f_i - r_i)  >=  Σ w_i f_i - Σ w_i r_i
//!    ```
//!
//!    Taking the nearest corner shows a half-width of no more than `√3/2`.
//!
//! 2. The distance `d` from any set fulfils `d²(x) - |x|² = min over y of (|y|² - 2 x·y)`, a
//!    minimum of linear functions and so concave. If `p = Σ w_i x_i`, then
//!
//!    ```text
//!    d²(p) >= Σ w_i d_i² - (Σ w_i |x_i|² - |p|²) = Σ w_i d_i² - V
//!    ```
//!
//!    where `V` is the variance of the corners, `Σ t (1 - t)` over the three axes for the weights
//!    of trilinear interpolation, no more than 3/4. Outside, `f` is the distance from the solid,
//!    and inside `-f` that from all that is not the solid. So a few cells away from the surface
//!    the bound towards it is right to `3/(8 f)` of a cell instead of `√3/2`.
//!
//! Errors of samples, `e`, move the first bounds by `e`. With `q² = Σ w_i f_i²` they move `q` by
//! `e`, and `√(q² - V)` by no more than twice that if `q - e >= 1`, since `q/√(q² - 3/4) <= 2`
//! there.
//!
//! The arithmetic is that of single precision, four numbers at once. With `F` the largest sample
//! and `u = 2^-24`, the point's place in the cell is wrong by `u/2` along each axis, a distance
//! `r_i` by `6 u`, a sum `f_i ± r_i` by `(F + 2) u` more: together less than `(F + 8) u`.

use glam::DVec3;
use wide::f32x4;

use super::ACROSS;
use crate::numeric::{lower, upper};

/// The distances at the corners of a cell and a place in it.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    /// In the order x, y, z: bit 0 of the number is set on the far side in x, and so on.
    corners: [f32; 8],
    /// From 0 to 1 along each axis.
    at: [f32; 3],
}

impl Cell {
    /// The cell whose lowest corner is sample `first` of a block.
    #[inline]
    pub(super) fn new(samples: &[f32], first: usize, at: [f32; 3]) -> Self {
        const Y: usize = ACROSS;
        const Z: usize = ACROSS * ACROSS;
        // One check of the range instead of eight.
        let near = &samples[first..][..Y + Z + 2];
        let corners = [
            near[0],
            near[1],
            near[Y],
            near[Y + 1],
            near[Z],
            near[Z + 1],
            near[Z + Y],
            near[Z + Y + 1],
        ];
        Self { corners, at }
    }

    /// What [`Cell::bounds`] may be wrong by if no sample is larger than `largest`.
    pub(super) fn rounding(largest: f64) -> f64 {
        // Twice the bound of the derivation.
        f64::from(f32::EPSILON) * (largest + 8.0)
    }

    /// Bounds of the distance; `slack` is the error of samples, places and this arithmetic.
    #[inline]
    pub(super) fn bounds(&self, slack: f64) -> [f64; 2] {
        let [a, b] = halves(&self.corners);
        let [to_a, to_b] = self.corner_distances();
        let low = largest((a - to_a).fast_max(b - to_b));
        let high = smallest((a + to_a).fast_min(b + to_b));
        let mut bounds = [f64::from(low) - slack, f64::from(high) + slack];
        if f64::from(smallest(a.fast_min(b))) >= 1.0 + slack {
            bounds[0] = bounds[0].max(self.apart() - 2.0 * slack);
        } else if f64::from(largest(a.fast_max(b))) <= -1.0 - slack {
            bounds[1] = bounds[1].min(2.0 * slack - self.apart());
        }
        bounds
    }

    /// The distances of the eight corners, those on the near side along z first.
    #[inline]
    fn corner_distances(&self) -> [f32x4; 2] {
        let [[x0, x1], [y0, y1], [z0, z1]] = self.at.map(|t| [t * t, (1.0 - t) * (1.0 - t)]);
        let flat = f32x4::new([x0 + y0, x1 + y0, x0 + y1, x1 + y1]);
        [(flat + f32x4::splat(z0)).sqrt(), (flat + f32x4::splat(z1)).sqrt()]
    }

    /// The second bound, from below, of the distance from the surface.
    #[inline]
    fn apart(&self) -> f64 {
        // The sum of products of four has 12 roundings of 2^-24, the variance 6: less than this.
        const ROUNDING: f32 = 1.0 / (1 << 20) as f32;
        let squares = self.mixed(self.corners.map(|f| f * f));
        let variance: f32 = self.at.iter().map(|t| t * (1.0 - t)).sum();
        let least = squares - variance - ROUNDING * (squares + 1.0);
        // The root of a number that is at most 2^-24 too large.
        f64::from(least.max(0.0).sqrt()) * (1.0 - f64::from(f32::EPSILON))
    }

    /// A number given at the corners, interpolated.
    #[inline]
    fn mixed(&self, c: [f32; 8]) -> f32 {
        let [x, y, z] = self.at;
        let mix = |a: f32, b: f32, t: f32| a * (1.0 - t) + b * t;
        let low = mix(mix(c[0], c[1], x), mix(c[2], c[3], x), y);
        let high = mix(mix(c[4], c[5], x), mix(c[6], c[7], x), y);
        mix(low, high, z)
    }

    /// The slope of the interpolated distance.
    pub(super) fn slope(&self) -> DVec3 {
        let c = self.corners.map(f64::from);
        let [x, y, z] = self.at.map(f64::from);
        let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
        let mixed = |p: [f64; 4], s: f64, t: f64| mix(mix(p[0], p[1], s), mix(p[2], p[3], s), t);
        let along =
            |bit: usize, s: f64, t: f64| mixed(others(bit).map(|i| c[i | bit] - c[i]), s, t);
        DVec3::new(along(1, y, z), along(2, x, z), along(4, x, y))
    }
}

/// The four corners on the near side along an axis, in order.
fn others(bit: usize) -> [usize; 4] {
    let [s, t] = match bit {
        1 => [2, 4],
        2 => [1, 4],
        _ => [1, 2],
    };
    [0, s, t, s | t]
}

#[inline]
fn halves(c: &[f32; 8]) -> [f32x4; 2] {
    [f32x4::new([c[0], c[1], c[2], c[3]]), f32x4::new([c[4], c[5], c[6], c[7]])]
}

#[inline]
fn largest(numbers: f32x4) -> f32 {
    let [a, b, c, d] = numbers.to_array();
    upper(upper(a, b), upper(c, d))
}

#[inline]
fn smallest(numbers: f32x4) -> f32 {
    let [a, b, c, d] = numbers.to_array();
    lower(lower(a, b), lower(c, d))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(distance: impl Fn(DVec3) -> f64, at: DVec3) -> Cell {
        let corner = |i: usize| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|i| distance(corner(i)) as f32);
        Cell { corners, at: at.to_array().map(|t| t as f32) }
    }

    #[test]
    fn bounds_hold_a_plane_and_a_ball_and_close_in_on_both_from_afar() {
        for distance in [0.0, 0.5, 2.0, 20.0] {
            let plane = |p: DVec3| p.x + distance;
            let ball = |p: DVec3| (p + distance + 2.0).length() - 3.0;
            for i in 0..125 {
                let at = DVec3::new((i % 5) as f64, (i / 5 % 5) as f64, (i / 25) as f64) / 4.0;
                for truth in [&plane as &dyn Fn(DVec3) -> f64, &ball] {
                    for sign in [1.0, -1.0] {
                        let f = |p: DVec3| sign * truth(p);
                        let [low, high] = cell(f, at).bounds(Cell::rounding(50.0));
                        let exact = f(at);
                        assert!(low <= exact && exact <= high, "{at}: {low} {exact} {high}");
                        assert!(high - low <= 1.7322, "{at}: {low} {high}");
                        if distance > 1.0 {
                            let towards = if sign > 0.0 { exact - low } else { high - exact };
                            assert!(towards <= 0.38 / distance, "{at}: {towards}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn slopes_are_those_of_a_linear_distance() {
        let slope = DVec3::new(0.5, -0.25, 0.125);
        let cell = cell(|p| slope.dot(p) + 3.0, DVec3::new(0.25, 0.75, 0.5));
        assert_eq!(cell.slope(), slope);
    }
}
