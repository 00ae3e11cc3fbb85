//! The point of an ellipsoid that is nearest to a point.
//!
//! With half axes `e` along the coordinates, the nearest point to `y` is
//!
//! ```text
//! x = e² y / (e² + s),   Σ (x / e)² = 1,   s >= -e_min²        s > 0 outside, s < 0 inside
//! ```
//!
//! in each coordinate. Right of where it starts the sum falls and is convex, so Newton's steps come
//! to the greatest `s` from the left. Whatever `s` is, the Lagrangian of the distance says that no
//! point of the surface is nearer than
//!
//! ```text
//! √φ(s),   φ(s) = s (Σ y² / (e² + s) - 1)
//! ```
//!
//! and `x`, put onto the surface, is a point of it. Both are equal where `s` is right.

use glam::DVec3;

/// The nearest point of an ellipsoid's surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// In the coordinates of the ellipsoid.
    pub(crate) point: DVec3,
    /// Its distance, negative inside.
    pub(crate) distance: f64,
    /// No point of the surface is nearer than this, but for rounding of the coordinates.
    pub(crate) least: f64,
}

/// Where an ellipsoid about the origin, with half axes above zero, is nearest to a point.
///
/// *Guarantees* rounding of the coordinates. *Cost* a dozen Newton's steps.
pub(crate) fn foot(half_axes: DVec3, point: DVec3) -> Foot {
    let [e, y] = [half_axes.to_array(), point.to_array()];
    let shortest = half_axes.min_element();
    let ratios = e.map(|e| (e / shortest) * (e / shortest));
    let z = [0, 1, 2].map(|i| (y[i] / e[i]).abs());
    // s / e_min² + 1, so that nothing is lost where s comes near to its least.
    let start = |i: usize| ratios[i] * z[i] - (ratios[i] - 1.0);
    let mut w = (0..3).map(start).fold(0.0, f64::max);
    let sum = |i: usize, w: f64| w + (ratios[i] - 1.0);
    // How far along each axis, over the half axis; what is not there stays so.
    let share = |i: usize, w: f64| if z[i] > 0.0 { ratios[i] * z[i] / sum(i, w) } else { 0.0 };
    // Of the shares at the start none is above 1 and one is 1, unless all start at zero.
    for _ in 0..64 {
        let shares = [0, 1, 2].map(|i| share(i, w));
        let over = shares.iter().map(|v| v * v).sum::<f64>() - 1.0;
        let slopes = (0..3).filter(|&i| z[i] > 0.0).map(|i| shares[i] * shares[i] / sum(i, w));
        let next = w + 0.5 * over / slopes.sum::<f64>();
        if !(over > 0.0 && next > w) {
            break;
        }
        w = next;
    }
    let mut shares = [0, 1, 2].map(|i| share(i, w));
    let square = shares.iter().map(|v| v * v).sum::<f64>();
    if w <= 0.0 && square < 1.0 {
        // In the middle along a shortest axis: both ways along it are as near.
        let i = (0..3).find(|&i| ratios[i] <= 1.0).unwrap_or(0);
        shares[i] = (1.0 - square).sqrt();
    } else {
        shares = shares.map(|v| v / square.sqrt());
    }
    let foot = DVec3::from([0, 1, 2].map(|i| (shares[i] * e[i]).copysign(y[i])));
    let s = w - 1.0;
    let reached = (0..3).filter(|&i| z[i] > 0.0).map(|i| z[i] * (ratios[i] * z[i] / sum(i, w)));
    let least = shortest * (s * (reached.sum::<f64>() - 1.0)).max(0.0).sqrt();
    Foot { point: foot, distance: point.distance(foot).copysign(s), least }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: &mut u64) -> DVec3 {
        let mut next = || {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        DVec3::new(next(), next(), next())
    }

    #[test]
    fn both_bounds_are_the_distance_and_no_point_tried_is_nearer() {
        let mut seed = 7;
        for round in 0..3000 {
            let e = numbers(&mut seed).abs() + 0.02;
            let mut y = 2.0 * numbers(&mut seed);
            // On planes and axes of symmetry, and in the middle.
            for (i, bit) in [1, 2, 4].into_iter().enumerate() {
                y[i] *= f64::from(u8::from(round & 8 == 0 || round & bit == 0));
            }
            let found = foot(e, y);
            let (distance, at) = (found.distance.abs(), format!("{e} {y}: {found:?}"));
            assert!(((found.point / e).length() - 1.0).abs() < 1e-14, "{at}");
            assert!((distance - found.least).abs() < 1e-13, "{at}");
            assert_eq!(found.distance > 0.0, (y / e).length() > 1.0, "{at}");
            for _ in 0..20 {
                let other = e * numbers(&mut seed).normalize_or(DVec3::X);
                assert!(y.distance(other) >= distance - 1e-14, "{at}: {other}");
            }
        }
    }

    #[test]
    fn a_ball_is_as_far_as_its_middle_less_its_radius() {
        let found = foot(DVec3::splat(0.5), DVec3::new(0.0, 3.0, 4.0));
        assert!((found.distance - 4.5).abs() < 1e-15, "{found:?}");
        assert_eq!(foot(DVec3::splat(0.5), DVec3::ZERO).distance, -0.5);
        let inside = foot(DVec3::new(3.0, 2.0, 1.0), DVec3::new(1e-9, 0.0, 1e-12));
        assert!((inside.distance + 1.0).abs() < 1e-11, "{inside:?}");
    }
}
