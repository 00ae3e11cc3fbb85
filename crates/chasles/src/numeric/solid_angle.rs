//! How much of the view a triangle takes.

use glam::DVec3;

use crate::numeric::Elementary;

/// The solid angle of a triangle seen from the origin, positive if its back is seen: the tangent of
/// its half is `a . (b x c)` over a sum of products of lengths [VanOosterom83]. The triangles of a
/// closed surface add up to 4 pi seen from inside, and to 0 from outside.
pub(crate) fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let [x, y, z] = [a.length(), b.length(), c.length()];
    let volume = a.dot(b.cross(c));
    2.0 * volume.arctangent_over(x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn an_octant_is_an_eighth_of_the_view() {
        let octant = [DVec3::X, 7.0 * DVec3::Y, 0.1 * DVec3::Z];
        assert!((solid_angle(octant) - FRAC_PI_2).abs() < 1e-15);
        let [a, b, c] = octant;
        assert!((solid_angle([b, a, c]) + FRAC_PI_2).abs() < 1e-15);
    }
}
